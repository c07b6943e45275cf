"""``sevenmat run --simulated``: the whole program before a simulated table instead of a real one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from device.app.app import App, Equipment, Look, Wishes
from device.app.signals import Signals
from device.app.start import Plan
from device.capture.table_reader import TableReader, sound_reader
from device.enrol.learning import pupil
from device.errors import DeviceError
from device.hardware.display import Display
from device.hardware.steady import SteadyCamera
from device.simulated.camera import SimulatedCamera
from device.simulated.evening import Evening, Steps
from device.simulated.opening import PLAYERS, usual_game
from device.simulated.pages import lay_page
from device.storage.deck_store import DeckShelf
from device.storage.opening import Opening
from device.storage.recorder import Recorder
from referee.registry import referees
from ui.screen_state import ScreenState
from vision.enrol import PAGES, enrol
from vision.identify.deck import Deck

DECK = "simulated"
_PAINTING_S = 10.0
"""A simulated preview is painted from the whole table, which takes a while where the machine is busy."""


class _ReadDisplay:
    """A display with the simulated players before it."""

    def __init__(self, evening: Evening, display: Display) -> None:
        self._evening, self._display = evening, display

    def show(self, state: ScreenState) -> None:
        self._display.show(state)
        self._evening.read(state)

    def close(self) -> None:
        self._display.close()


def simulated_equipment(
    state: Path,
    seed: int,
    wishes: Wishes,
    display: Display,
    signals: Signals,
    recorder: Recorder,
) -> tuple[Equipment, Wishes, Callable[[App], None]]:
    """Devices of a simulated table, what is to be played at it, and how its players are set before the program.

    A game of the journal goes on at the table as it was left; otherwise a new one begins.

    Raises:
        DeviceError: the state folder can't be written.
    """
    players = wishes.plan.players if wishes.plan is not None else PLAYERS
    game = usual_game(players, wishes.plan.game if wishes.plan is not None else None)
    referee = referees()[game.game]
    layout = referee.layout(len(players), wishes.mat_mm)
    path = state / f"simulated-{seed}"
    try:
        state.mkdir(parents=True, exist_ok=True)
        if wishes.game is None:
            path.unlink(missing_ok=True)
        steps = Steps(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DeviceError(f"{path} can't be written: {reason}.", f"{path}に書き込めません（{reason}）。") from error
    simulation = referee.simulation(players, game.options, layout, random.Random(seed))
    evening = Evening(simulation, lambda: SimulatedCamera(layout.mat_mm, seed), steps)
    shelf = DeckShelf(state)

    def open_look(opening: Opening) -> Look:
        if DECK not in shelf.names():
            shelf.save(DECK, _enrolled(opening.mat_mm))
        return TableReader.of(shelf, replace(opening, deck=DECK))

    def attend(app: App) -> None:
        evening.session = lambda: app.session

    equipment = Equipment(
        lambda: SteadyCamera(lambda: evening, preview_timeout_s=_PAINTING_S),
        evening,
        _ReadDisplay(evening, display),
        signals,
        recorder,
        open_look,
        pupil,
        lambda: None,
    )
    plan = Plan(game.game, players, game.options, DECK) if wishes.game is None else None
    return equipment, replace(wishes, plan=plan), attend


def _enrolled(mat_mm: tuple[float, float]) -> Deck:
    """The reference deck, learnt from its three pages under the simulated camera."""
    camera = SimulatedCamera(mat_mm, seed=0)
    pictures = []
    for page in PAGES:
        camera.show(lay_page(page, mat_mm, random.Random(page)))
        pictures.append(camera.picture())
    return enrol(sound_reader(), DECK, pictures[0], pictures[1], pictures[2], mat_mm)
