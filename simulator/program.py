"""The whole program before a simulated table instead of a real one: ``sevenmat run --simulated``, and the demo's."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from device.app.app import App
from device.app.equipment import Equipment, Look, OpenLearner, OpenLook, StartOptions
from device.app.plan import Plan
from device.app.signals import Signals
from device.capture.eye import list_unlearnt
from device.capture.table_reader import TableReader, sound_reader
from device.enrol.learning import page_learner
from device.errors import DeviceError
from device.hardware.buttons import Buttons
from device.hardware.camera import Picture
from device.hardware.display import Display
from device.hardware.steady import SteadyCamera
from device.storage.deck_store import DeckShelf
from device.storage.journal import Journal
from device.storage.opening import Opening
from device.storage.recorder import Records
from referee.game import house_papers
from referee.layout import TableLayout
from referee.papers import house_pages
from referee.registry import load_referees
from referee.simulation import Simulation
from referee.simulation.registry import simulation_of
from rules.record import Header
from rules.text import Text
from simulator.camera import SimulatedCamera
from simulator.course import Progress
from simulator.opening import PLAYERS, make_usual_game
from simulator.pages import lay_page
from simulator.players import SimulatedPlayers
from ui.screen_state import ScreenState
from vision.enrol import PAGES, enrol_pages, read_page, with_house_papers
from vision.identify.deck import Deck

DECK = "simulated"
_PAINTING_S = 60.0
"""A simulated table is painted before it is seen, which takes a while where the machine is slow or busy."""


class _ReadDisplay:
    """A display with the simulated players before it."""

    def __init__(self, players: SimulatedPlayers, display: Display) -> None:
        self._players, self._display = players, display

    def show(self, state: ScreenState) -> None:
        self._display.show(state)
        self._players.read(state)

    def close(self) -> None:
        self._display.close()


@dataclass(frozen=True)
class Attended:
    """What of the equipment is the simulated table's own; ``buttons`` are the players' where none are given."""

    display: Display
    signals: Signals
    recorder: Records
    open_look: OpenLook
    open_learner: OpenLearner = page_learner
    buttons: Buttons | None = None
    clock: Callable[[], float] = time.monotonic

    def make_equipment(self, players: SimulatedPlayers) -> Equipment:
        """Return the devices of a program that simulated players attend."""
        return Equipment(
            lambda: SteadyCamera(lambda: players, preview_timeout_s=_PAINTING_S, picture_timeout_s=_PAINTING_S),
            self.buttons or players,
            _ReadDisplay(players, self.display),
            self.signals,
            self.recorder,
            self.open_look,
            self.open_learner,
            lambda: None,
            clock=self.clock,
        )


def attend(players: SimulatedPlayers, app: App) -> None:
    """Set simulated players before a program."""
    players.session = lambda: app.session
    players.learning = lambda: app.learning


def choose_header(plan: Plan | None) -> Header:
    """Return the game of a plan, or that which is played where nobody says so."""
    if plan is None:
        return make_usual_game(PLAYERS)
    return Header(plan.game, plan.players, plan.options)


def _read_header(state: Path, game: int) -> Header:
    """Return what is played in a game of the journal.

    Raises:
        DeviceError: there is no such game, or the journal can't be read.
    """
    with Journal.open(state) as journal:
        return journal.read_game(game).opening.header


def find_layout(header: Header, mat_mm: tuple[float, float]) -> TableLayout:
    """Return where things lie on a mat of that size (mm) in a game."""
    return load_referees()[header.game].make_layout(len(header.players), mat_mm)


def make_simulated_equipment(
    state: Path,
    seed: int,
    start: StartOptions,
    display: Display,
    signals: Signals,
    recorder: Records,
) -> tuple[Equipment, StartOptions, Callable[[App], None]]:
    """Make devices of a simulated table, what is to be played at it, and how its players are set before the program.

    A game of the journal goes on at the table as it was left; otherwise a new one begins.

    Raises:
        DeviceError: the state folder can't be written, or the journal has no such game.
    """
    header = choose_header(start.plan) if start.game is None else _read_header(state, start.game)
    layout = find_layout(header, start.settings.table.mat_mm)
    path = state / f"simulated-{seed}"
    try:
        state.mkdir(parents=True, exist_ok=True)
        if start.game is None:
            path.unlink(missing_ok=True)
        steps = Progress(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DeviceError(Text("{path} can't be written: {reason}.", path=path, reason=reason)) from error

    def played(other: Header) -> Simulation:
        """Simulate the game that is played at this table where one begins so."""
        where = find_layout(other, layout.mat_mm)
        return simulation_of(load_referees()[other.game], other.players, other.options, where, random.Random(seed))

    players = SimulatedPlayers(played(header), lambda: SimulatedCamera(layout.mat_mm, seed), steps, another=played)
    shelf = DeckShelf(state)

    def open_look(opening: Opening) -> Look:
        referee = opening.referee
        made = house_papers(referee, opening.options)
        if not shelf.list_faces(DECK).issuperset(referee.cards.faces) or list_unlearnt(made, shelf.load(DECK)):
            pages = referee.cards.pages if referee.cards.grids else PAGES
            shelf.save(DECK, _enrol_deck(opening.mat_mm, pages, [paper.name for paper in made]))
        return TableReader.build(shelf, replace(opening, deck=DECK))

    plan = Plan(header.game, header.players, header.options, DECK) if start.game is None else None
    equipment = Attended(display, signals, recorder, open_look).make_equipment(players)
    return equipment, replace(start, plan=plan), lambda app: attend(players, app)


def _enrol_deck(mat_mm: tuple[float, float], pages: tuple[str, ...] = PAGES, made: Sequence[str] = ()) -> Deck:
    """Enrol the printed deck from all its pages under the simulated camera, with these papers of the house."""
    camera, reader = SimulatedCamera(mat_mm, seed=0), sound_reader()

    def pictured(page: str) -> Picture:
        camera.show(lay_page(page, mat_mm, random.Random(page)))
        return camera.take_picture()

    deck = enrol_pages(reader, DECK, {page: pictured(page) for page in pages}, mat_mm)
    if not made:
        return deck
    review, complete = (read_page(reader, page, pictured(page), mat_mm) for page in house_pages(made))
    return with_house_papers(reader, deck, review, complete)
