"""``sevenmat demo``: the whole program at a simulated table, from learning the deck to the end of a game.

It is the program itself, with its camera, buttons and display at the table of ``simulator.players``, its clock
sped up, and a state folder that is thrown away. Any disagreement between referee and table ends the demo with a loud
message and exit code 1.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from device.app.app import App
from device.app.equipment import Look, StartOptions
from device.app.equipment import Pace as AppPace
from device.app.notify import Notifier
from device.app.plan import Plan
from device.app.signals import Signals
from device.capture.table_reader import TableReader, sound_reader
from device.enrol.enrolling import LiveEnrolment, PageVerdict
from device.enrol.learning import Glance, PageLearner
from device.errors import DeviceError
from device.hardware.buttons import Button, ButtonFault, KeyboardButtons, Press
from device.hardware.camera import Picture
from device.hardware.display import Display, FolderDisplay, has_display
from device.session.session import Session
from device.settings.values import (
    GameSettings,
    HallSettings,
    RecordingSettings,
    ServiceSettings,
    Settings,
    SignalSettings,
)
from device.speech import Language, say
from device.storage.deck_store import DeckShelf
from device.storage.opening import Opening
from device.storage.recorder import Recorder, Records
from hall.table_end.desk import open_desk
from hall.table_end.place import HallPlace
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.registry import load_referees
from referee.simulation import Attempt, Simulation
from referee.simulation.registry import simulation_of
from referee.verdict import Question
from rules.game import rank_players
from rules.plain import quote_value
from rules.record import Header
from rules.text import Text
from simulator.camera import Lens
from simulator.opening import choose_players, make_short_game
from simulator.pages import lay_page
from simulator.players import Onlooker, PlayersPace, SimulatedPlayers
from simulator.program import DECK, Attended, attend, find_layout
from simulator.recorder import TruthfulRecorder
from simulator.teacher import DisagreementError
from simulator.window import DemoWindow, WatchedCamera
from ui.screen_state import ScreenState
from web.table_end.page import TablePage
from web.table_end.process import open_page

DEFAULT_SEED = 577
_SPEED = 20.0
"""The program's second passes so many times as fast: a simulated table lies still at once."""
_PACE = AppPace(rounds=60.0, looks=2.0 * _SPEED)
_HEADLESS = PlayersPace(0.0, 0.0, 0.15)
_WATCHED = PlayersPace(0.2, 0.4, 0.4)
_FOLLOWED = PlayersPace(1.0, 2.0, 0.4)
"""On a phone each turn is read: people are no quicker."""
_LINGERS_S = 3.0
"""A window keeps the last screen for so long; where phones look on, it stays until somebody ends the demo."""


@dataclass
class Shown:
    """Where a demo is seen: displays, one of which may be a window."""

    displays: list[Display]
    window: DemoWindow | None = None

    @property
    def keyboard(self) -> KeyboardButtons | None:
        """The window's."""
        return self.window.keyboard if self.window is not None else None

    def show(self, state: ScreenState) -> None:
        """Show a screen everywhere."""
        for display in self.displays:
            display.show(state)

    def close(self) -> None:
        """Close window and folder."""
        for display in self.displays:
            display.close()


class Hands:
    """The buttons of a demo: the players press them, and the keys of a window hold it or end it.

    Confirm holds the demo and lets it go on again; back, or the close box, ends it. ``failure`` says what keeps it from
    going on.
    """

    def __init__(
        self, keyboard: KeyboardButtons | None, failure: Callable[[], DeviceError | None], stays: bool = False
    ) -> None:
        self._keyboard, self._failure, self._stays = keyboard, failure, stays
        self.players: SimulatedPlayers | None = None
        self._held = False
        self._over_s: float | None = None
        self._away_s, self._held_s = 0.0, 0.0

    def read_clock(self) -> float:
        """Return the players' time, which stands still while the demo is held; seconds."""
        return (self._held_s if self._held else time.monotonic()) - self._away_s

    def take_presses(self) -> list[Press]:
        """Return what the players press, while nobody holds the demo.

        Raises:
            KeyboardInterrupt: somebody ends the demo.
            DeviceError: the demo can't go on.
        """
        if (failure := self._failure()) is not None:
            raise failure
        players = self.players
        assert players is not None, "the players are there before the program begins"
        if self._keyboard is not None:
            self._hear(self._keyboard, players)
        return [] if self._held else players.take_presses()

    def _hear(self, keyboard: KeyboardButtons, players: SimulatedPlayers) -> None:
        presses = [press.button for press in keyboard.take_presses()]
        if Button.BACK in presses or keyboard.wants_to_quit:
            if players.over:
                self._over_s, self._held = -_LINGERS_S, False
                return
            raise KeyboardInterrupt
        if presses.count(Button.CONFIRM) % 2:
            now = time.monotonic()
            if self._held:
                self._away_s += now - self._held_s
            self._held, self._held_s = not self._held, now

    @property
    def wants_to_quit(self) -> bool:
        """Whether the game is over and, in a window, its last screen has been read; it may stay until it is closed."""
        if self.players is None or not self.players.over:
            return False
        if self._over_s is None:
            if self._stays:
                return False
            self._over_s = self.read_clock()
        return self._keyboard is None or self.read_clock() - self._over_s >= _LINGERS_S

    def list_faults(self) -> tuple[ButtonFault, ...]:
        """Return none: simulated buttons have no faults."""
        return ()

    def close(self) -> None:
        """Close the window's keyboard."""


@dataclass
class _Tally:
    """What the last line of the demo counts."""

    turns: int = 0
    refused: int = 0
    asked: int = 0
    looked_again: int = 0
    reading_s: list[float] = field(default_factory=list)
    began_s: float = field(default_factory=time.monotonic)


class _Reporter(Onlooker):
    """Prints the course of the game, and keeps the truth beside a recording."""

    def __init__(self, players: tuple[str, ...], language: Language, stays: bool) -> None:
        self.recorder: TruthfulRecorder | None = None
        self.tally = _Tally()
        self._stays = stays
        self._players, self._language = players, language
        self._attempt: Attempt | None = None

    def note_attempt(self, attempt: Attempt) -> None:
        self._attempt = attempt
        if attempt.code:
            self._say(attempt, Text("(on purpose) {blunder}", blunder=attempt.blunder))

    def note_question(self, question: Question) -> None:
        self.tally.asked += 1
        self._say(None, Text("? {text}", text=question.text))

    def note_straightened(self, words: str) -> None:
        self.tally.looked_again += 1
        self._say(self._attempt, Text("can't see: {words}", words=words))

    def note_left(self, attempt: Attempt) -> None:
        self._say(attempt, Text("the buttons do not offer that"))

    def note_answer(self, attempt: Attempt, text: Text) -> None:
        if self.recorder is not None:
            self.recorder.record_answer(attempt)
        if attempt.code:
            self.tally.refused += 1
            self._say(attempt, Text("✗ {text}", text=text))
        elif attempt.move is not None:
            self.tally.turns += 1
            self._say(attempt, Text("✓ {text}", text=text))

    def note_end(self, session: Session) -> None:
        outcome = session.position.outcome
        if self.recorder is not None:
            self.recorder.record_end(outcome.points, outcome.winners)
        print()
        for one in rank_players(outcome.places, outcome.points):
            name = session.position.players[one.seat - 1]
            print(f"  {one.place}. {name:10} {one.points:3d}   {'★' if one.winner else ''}")
        self._report()
        if self._stays:
            print(Text("The page stays open until the demo is ended with Ctrl+C.").said(self._language), flush=True)

    def say_learnt(self, faces: int, pages: int, took_s: float) -> None:
        """Say that the deck is known."""
        self.say(
            Text(
                "Deck enrolled from {pages} pages: {faces} faces in {took_s:.1f} s",
                pages=pages,
                faces=faces,
                took_s=took_s,
            )
        )
        self.say(Text("The game begins"))

    def _report(self) -> None:
        """Print the last line."""
        tally = self.tally
        seconds = time.monotonic() - tally.began_s
        mean = sum(tally.reading_s) / max(1, len(tally.reading_s))
        words = Text(
            "{turns} moves accepted, {refused} mistakes on purpose refused, {asked} questions, {looked_again} looks "
            "again, 0 disagreements with the table's truth. Reading {mean:.2f} s on average, {seconds:.0f} s in all.",
            turns=tally.turns,
            refused=tally.refused,
            asked=tally.asked,
            looked_again=tally.looked_again,
            mean=mean,
            seconds=seconds,
        )
        print(f"\n{words.said(self._language)}")

    def say(self, words: Text) -> None:
        """Print a line that belongs to nobody's turn."""
        self._say(None, words)

    def _say(self, attempt: Attempt | None, words: Text) -> None:
        who = self._players[attempt.seat - 1] if attempt is not None and attempt.seat else ""
        text = words.said(self._language)
        number = f"{self.tally.turns:3d}  " if who else "     "
        print(f"{number}{who + ': ' if who and not text.startswith('✓') else ''}{text}", flush=True)


class _RecordedLearner(PageLearner):
    """Hands on each picture of a page that was accepted."""

    def __init__(self, inner: PageLearner, accepted: Callable[[str, Picture], None]) -> None:
        super().__init__(inner.enrolment)
        self._accepted = accepted
        self._last: PageVerdict | None = None

    def __call__(self, picture: Picture) -> Glance:
        glance = super().__call__(picture)
        verdict = glance.verdict
        if verdict is not None and verdict.accepted and verdict is not self._last:
            self._accepted(verdict.page, picture)
        self._last = verdict
        return glance


class Demo:
    """One demo: the program, the simulated table, and who looks on; phones at the address and port ``web``.

    ``open_look`` reads the table in place of the reader; with ``teach`` the game teaches itself.
    """

    def __init__(
        self,
        seed: int,
        shown: Shown,
        language: Language,
        record: Path | None = None,
        lens: Lens | None = None,
        game: str | None = None,
        open_look: Callable[[Opening, SimulatedPlayers], Look] | None = None,
        web: tuple[str, int] | None = None,
        hall: HallPlace | None = None,
        teach: bool = False,
    ) -> None:
        names = choose_players(game)
        header = make_short_game(names, game)
        referee = load_referees()[header.game]
        layout = find_layout(header, REFERENCE_MAT_MM)
        began_s = time.monotonic()

        def clock() -> float:
            return began_s + (time.monotonic() - began_s) * _SPEED

        def lay(page: str) -> tuple[Placed, ...]:
            return tuple(lay_page(page, layout.mat_mm, random.Random(f"{seed} {page}")))

        def open_camera() -> WatchedCamera:
            camera = WatchedCamera(layout.mat_mm, seed, lens)
            camera.window = shown.window
            return camera

        self._shown, self._language, self._web, self._hall = shown, language, web, hall
        self._header, self._clock, self._teach = header, clock, teach
        self._pages = referee.cards.pages
        self._open_look = open_look
        self._reporter = _Reporter(names, language, web is not None)
        self._recorder: TruthfulRecorder | None = None
        if record is not None:
            self._recorder = TruthfulRecorder(record, header, layout, lambda: self.players.pictured, clock)
        self._reporter.recorder = self._recorder
        recorder = self._recorder
        self._hands = Hands(shown.keyboard, lambda: recorder.failure if recorder else None, stays=web is not None)

        def played(other: Header) -> Simulation:
            where = find_layout(other, layout.mat_mm)
            return simulation_of(load_referees()[other.game], other.players, other.options, where, random.Random(seed))

        self.players = SimulatedPlayers(
            played(header),
            open_camera,
            pace=_FOLLOWED if web is not None else _WATCHED if shown.keyboard is not None else _HEADLESS,
            clock=self._hands.read_clock,
            onlooker=self._reporter,
            lay_page=lay,
            another=played,
        )
        self._hands.players = self.players

    def run(self) -> int:
        """Learn the deck, play the game to its end, and return the exit code.

        Raises:
            DeviceError: the demo can't go on.
            KeyboardInterrupt: somebody has ended it before.
        """
        try:
            with TemporaryDirectory(prefix="sevenmat-demo-") as folder:
                self._play(Path(folder))
        except DisagreementError as fault:
            where = Text("DISAGREEMENT between referee and table: ").said(self._language)
            print(f"\nsevenmat: {where}{say(fault, self._language)}", file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            if not self.players.over:
                raise
        return 0

    def _play(self, state: Path) -> None:
        shelf, reporter, recorder = DeckShelf(state), self._reporter, self._recorder
        began_s, reader = time.monotonic(), cache(sound_reader)  # its models are loaded once

        def open_learner(name: str, mat_mm: tuple[float, float], pages: tuple[str, ...]) -> PageLearner:
            learner = PageLearner(LiveEnrolment(reader(), name, mat_mm, pages))
            return _RecordedLearner(learner, recorder.page) if recorder is not None else learner

        def open_look(opening: Opening) -> Look:
            if self._open_look is not None:
                return self._open_look(opening, self.players)
            deck = shelf.load(DECK)
            reporter.say_learnt(len(deck.cards), len(self._pages), time.monotonic() - began_s)
            return self._measure_time(
                TableReader(reader(), deck, opening.referee, opening.layout, opening.marker_mm, opening.options)
            )

        kept: Records = recorder or Recorder(state / "recordings", RecordingSettings())
        signals = Signals(SignalSettings(), lambda: None)
        table = Attended(self._shown, signals, kept, open_look, open_learner, self._hands, self._clock)
        header = self._header
        start = StartOptions(
            self._language,
            Settings(
                game=GameSettings(teach=self._teach),
                recording=RecordingSettings(recorder is not None),
                service=ServiceSettings(False),
            ),
            plan=Plan(header.game, header.players, header.options, DECK),
            enrol=DECK if self._open_look is None else None,
            pace=_PACE,
        )
        page = TablePage(state) if self._web is not None else None
        if page is not None and self._web is not None:
            open_page(page, *self._web, self._language)
        hall = open_desk(state, self._hall, HallSettings(), None) if self._hall is not None else None
        app = App(replace(table.make_equipment(self.players), page=page, hall=hall), state, start, Notifier({}))
        attend(self.players, app)
        app.run()

    def _measure_time(self, look: Look) -> Look:
        def timed(picture: Picture) -> Any:
            began_s = time.monotonic()
            try:
                return look(picture)
            finally:
                self._reporter.tally.reading_s.append(time.monotonic() - began_s)

        return timed


def demo(
    seed: int | None,
    headless: bool,
    screens: Path | None,
    record: Path | None,
    size: tuple[int, int],
    language: Language,
    game: str | None = None,
    web: tuple[str, int] | None = None,
    hall: str | None = None,
    table: str | None = None,
    teach: bool = False,
) -> int:
    """Run the demo of a game, of the first one where none is named. Returns the exit code.

    It is shown in a window where there is a display and ``headless`` is not asked for.

    Raises:
        DeviceError: there is no such game, or the demo can't go on.
    """
    if game is not None and game not in load_referees():
        known = ", ".join(load_referees())
        raise DeviceError(
            Text("There is no game {game}. There are: {known}.", game=quote_value(game), known=known),
        )
    place = HallPlace.of(hall, table, HallSettings())
    window = DemoWindow(size) if not headless and has_display() else None
    if window is None and screens is None:
        screens = Path("demo-screens")
    folder = FolderDisplay(screens, size) if screens is not None else None
    shown = Shown([display for display in (window, folder) if display is not None], window)
    try:
        seed = DEFAULT_SEED if seed is None else seed
        code = Demo(seed, shown, language, record, game=game, web=web, hall=place, teach=teach).run()
    finally:
        shown.close()
    if folder is not None:
        told = Text("{count} screens are in {screens}.", count=folder.count, screens=screens)
        print(told.said(language))
    return code
