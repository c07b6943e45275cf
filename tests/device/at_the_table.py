"""The whole program at a simulated table that costs next to nothing: sketches as pictures, views from the truth."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from device.app.app import App
from device.app.equipment import Equipment, Look, Pace, StartOptions
from device.app.notify import Notifier
from device.app.plan import Plan
from device.app.signals import Signals
from device.hardware.buttons import ButtonFault, Press
from device.hardware.camera import Picture, Preview
from device.hardware.display import Display
from device.hardware.steady import SteadyCamera
from device.settings.values import RecordingSettings, SignalSettings
from device.speech import Language
from device.storage.opening import Opening
from device.storage.recorder import Recorder
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.view.layouts import PaperLayout, layout_for
from referee.laminate.view.observing import table_view
from referee.laminate.view.table import TableView
from referee.placing import Placed, Tray
from referee.table import Sighting
from simulator.course import Progress
from simulator.players import PlayersPace, SimulatedPlayers
from ui.screen_state import ScreenState

PLAYERS = ("Hilbert", "Banach", "Noether")
LAYOUT = layout_for(3)
QUICK = Pace(rounds=500, looks=250, still_s=0.012)
_W, _H = 96, 68


class SketchCamera:
    """Shows every card as a grey square: enough for stillness, nothing that could be read."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(5)
        self._ground = self._rng.integers(90, 110, (_H, _W), dtype=np.uint8)
        self._plane = self._ground
        self.hands = False

    def show(self, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        plane = self._ground.copy()
        for card in cards:
            x, y = int(card.x / LAYOUT.mat_mm[0] * _W), int(card.y / LAYOUT.mat_mm[1] * _H)
            shade = 130 + zlib.crc32(card.name.encode()) % 110
            plane[max(0, y - 3) : y + 4, max(0, x - 2) : x + 3] = shade
        self._plane = plane

    def take_preview(self) -> Preview:
        if not self.hands:
            return self._plane
        plane = self._plane.copy()
        at = int(self._rng.integers(5, _W - 15))
        plane[:, at : at + 10] = 250 - plane[:, at : at + 10] // 2
        return plane

    def take_picture(self) -> Picture:
        return np.dstack([self.take_preview()] * 3)

    def close(self) -> None:
        pass


def view_of(cards: Iterable[Placed], layout: PaperLayout) -> TableView:
    """Return what a reader without fault sees of these cards, bottom to top."""
    lying = list(cards)
    seen = []
    for number, card in enumerate(lying):
        covered = any(abs(card.x - o.x) < 20 and abs(card.y - o.y) < 20 for o in lying[number + 1 :])
        seen.append(Sighting(card.name, card.x, card.y, card.angle % 360, visible=0.1 if covered else 1.0))
    return table_view(seen, (), layout)


class Watched:
    """A display that the simulated players read, before another one."""

    def __init__(self, evening: SimulatedPlayers, inner: Display | None = None) -> None:
        self.evening, self.inner = evening, inner
        self.shown: list[ScreenState] = []

    def show(self, state: ScreenState) -> None:
        self.shown.append(state)
        if self.inner is not None:
            self.inner.show(state)
        self.evening.read(state)

    def close(self) -> None:
        pass


class Buttons:
    """The players' presses; at the end of the evening the program is told to stop."""

    def __init__(self, evening: SimulatedPlayers) -> None:
        self.evening = evening

    @property
    def wants_to_quit(self) -> bool:
        return self.evening.over

    def take_presses(self) -> list[Press]:
        return self.evening.take_presses()

    def list_faults(self) -> tuple[ButtonFault, ...]:
        return ()

    def close(self) -> None:
        pass


def quick_app(
    state: Path,
    seed: int,
    inner: Display | None = None,
    game: int | None = None,
    steps: Progress | None = None,
    look: Callable[[Opening], Look] | None = None,
    wishes: StartOptions | None = None,
    notifier: Notifier | None = None,
) -> tuple[App, SimulatedPlayers, Watched]:
    """Set up the program at a sketched table, and its players; ``wishes`` may ask for something else."""
    evening = SimulatedPlayers(
        SimulatedGame(PLAYERS, LAYOUT, random.Random(seed)), SketchCamera, steps, PlayersPace(0.0, 0.0)
    )
    display = Watched(evening, inner)

    def perfect(opening: Opening) -> Look:
        layout = opening.layout
        assert isinstance(layout, PaperLayout)
        return lambda picture: view_of(evening.lying, layout)

    def never(*_: object) -> Any:
        raise AssertionError("nobody asked for that")

    signals = Signals(SignalSettings(), never)
    recorder = Recorder(state / "recordings", RecordingSettings())
    camera = SteadyCamera(lambda: evening)
    equipment = Equipment(lambda: camera, Buttons(evening), display, signals, recorder, look or perfect, never, never)
    plan = Plan("laminate", PLAYERS, {"first_seat": 1}, "mine") if game is None else None
    wishes = wishes or StartOptions(Language.EN, plan=plan, game=game, pace=QUICK)
    app = App(equipment, state, wishes, notifier or Notifier({}))
    evening.session = lambda: app.session
    return app, evening, display
