"""``sevenmat run``: the program at the table, from switching on to switching off.

One thread shows the screen, hears the buttons and owns the session and the journal; the camera's loop runs beside it
(``device.lookout``). Nothing is drawn, read or judged unless something has changed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from device.buttons import Button, Buttons, Press
from device.camera import Camera, Picture
from device.display import Display
from device.errors import DeviceError
from device.hardware.steady import SteadyCamera
from device.history import Entry
from device.journal import GameLog, Journal, Kept
from device.lookout import Lookout
from device.menu import Menu
from device.notify import Notifier, Watchdog
from device.opening import Opening
from device.playing import Playing
from device.session import Session
from device.shelf import DeckShelf
from device.speech import Language
from device.start import Plan, home, menu_screen
from referee.layouts import MARKER_MM, REFERENCE_MAT_MM, Layout
from referee.table import TableView
from rules.refusal import Words
from ui.screen_state import Mood, ScreenState

Look = Callable[[Picture], TableView]
"""A still picture to what lies where; raises ``VisionError`` where the picture can't be read."""
OpenLook = Callable[[Opening, Layout], Look]
"""Gets the reader for one game; raises ``DeviceError`` or ``VisionError`` where deck or models can't be had."""

_CAMERA, _SCREEN = "camera", "screen"
_PATIENCE = {_CAMERA: 25.0, _SCREEN: 10.0}
"""How long each loop may be silent before the watchdog goes hungry; a slow machine's first reading takes a while."""

STARTING = Words("Starting…", "起動しています…")
STOPPING = Words("The table is being switched off.", "電源を切っています。")


@dataclass(frozen=True)
class Pace:
    """How often things are looked at, in times a second, and how long the table must lie still, in seconds."""

    rounds: float = 30.0
    looks: float = 8.0
    still_s: float = 1.0


@dataclass(frozen=True)
class Equipment:
    """What the program works with: the devices, and how a game's still pictures are read."""

    open_camera: Callable[[], Camera]
    buttons: Buttons
    display: Display
    open_look: OpenLook
    power_off: Callable[[], None]


@dataclass(frozen=True)
class Wishes:
    """What was asked for at the start: the mat (mm), the camera's rotation (degrees), names to choose from.

    With ``plan`` a game begins at once, with ``game`` that of the journal goes on.
    """

    language: Language
    mat_mm: tuple[float, float] = REFERENCE_MAT_MM
    marker_mm: float = MARKER_MM
    rotation: int = 0
    names: tuple[str, ...] = ()
    plan: Plan | None = None
    game: int | None = None
    pace: Pace = field(default_factory=Pace)


class _Stage(Protocol):
    """What has the screen and the buttons for a while."""

    @property
    def done(self) -> bool: ...

    def round(self) -> None: ...

    def press(self, press: Press) -> None: ...

    def screen(self) -> ScreenState: ...

    def close(self) -> None: ...


class _Notice:
    """Something to be read, until confirm is pressed."""

    def __init__(self, words: Words, language: Language, then: Callable[[], None]) -> None:
        self._words, self._language, self._then = words, language, then
        self.done = False

    def round(self) -> None:
        pass

    def press(self, press: Press) -> None:
        if press.button is Button.CONFIRM:
            self.done = True
            self._then()

    def screen(self) -> ScreenState:
        words = self._words.ja if self._language is Language.JA else self._words.en
        return ScreenState(self._language, Mood.NOTICE, headline=words)

    def close(self) -> None:
        pass


class _Menus:
    """The menus before a game."""

    def __init__(self, menu: Menu, language: Callable[[], Language]) -> None:
        self._menu: Menu = menu
        self._language = language
        self.done = False

    def round(self) -> None:
        pass

    def press(self, press: Press) -> None:
        if press.button is Button.CONFIRM:
            following = self._menu.taken()
            self.done = following is None
            self._menu = following or self._menu
        elif press.button is Button.BACK:
            self._menu = self._menu.parent or self._menu
        else:
            self._menu = self._menu.moved(1 if press.button is Button.DOWN else -1)

    def screen(self) -> ScreenState:
        return menu_screen(self._menu, self._language())

    def close(self) -> None:
        pass


class App:
    """The program at the table. ``run`` returns when it is told to stop or the table is switched off."""

    def __init__(self, equipment: Equipment, state: Path, wishes: Wishes, notifier: Notifier) -> None:
        self.language = wishes.language
        self._equipment, self._state, self._wishes, self._notifier = equipment, state, wishes, notifier
        self._watchdog = Watchdog(notifier, _PATIENCE, time.monotonic)
        self._told = threading.Event()
        self._stopping = False
        self._shown: ScreenState | None = None
        self._stage: _Stage | None = None
        self._journal: Journal | None = None
        self._shelf = DeckShelf(state)

    @property
    def session(self) -> Session | None:
        """The game that is being played."""
        return self._stage.session if isinstance(self._stage, Playing) else None

    def stop(self) -> None:
        """End the program at the next round; may be called from a signal handler or another thread."""
        self._stopping = True
        self._told.set()

    def run(self) -> None:
        """Work until told to stop.

        Raises:
            DeviceError: display or buttons failed in a way that a fresh start may mend.
        """
        try:
            self._show(self._notice(STARTING))
            self._notifier.ready()
            self._begin()
            while not self._stopping and not self._equipment.buttons.wants_to_quit:
                self._round()
            self._notifier.stopping()
        finally:
            self._close()

    def _round(self) -> None:
        self._told.wait(1 / self._wishes.pace.rounds)
        self._told.clear()
        for press in self._equipment.buttons.pressed():
            stage = self._stage
            if stage is not None:
                stage.press(press)
                self._leave(stage)
        if self._stage is not None:
            self._stage.round()
            self._leave(self._stage)
        if not isinstance(self._stage, Playing):
            self._watchdog.beat(_CAMERA)
        self._watchdog.beat(_SCREEN)
        self._watchdog.feed()
        if self._stage is not None:
            self._show(self._stage.screen())

    def _show(self, state: ScreenState) -> None:
        if state != self._shown:
            self._shown = state
            self._notifier.status(state.headline or state.mood.value)
            self._equipment.display.show(state)

    def _leave(self, stage: _Stage) -> None:
        """What comes after a stage that is done, unless it has said so itself."""
        if stage.done and self._stage is stage:
            self._home()

    def _enter(self, stage: _Stage) -> None:
        if self._stage is not None:
            self._stage.close()
        self._stage = stage

    def _notice(self, words: Words) -> ScreenState:
        ja = self.language is Language.JA
        return ScreenState(self.language, Mood.NOTICE, headline=words.ja if ja else words.en)

    def _close(self) -> None:
        if self._stage is not None:
            self._stage.close()
        if self._journal is not None:
            self._journal.close()
        self._equipment.buttons.close()
        self._equipment.display.close()
        self._notifier.close()

    # From the start to a game

    def _begin(self) -> None:
        """Open the journal and go where was asked for; a journal that can't be opened is said, and tried again."""
        try:
            self._journal = Journal.open(self._state)
        except DeviceError as error:
            self._enter(_Notice(Words(error.en, error.ja), self.language, self._begin))
            return
        aside = self._journal.set_aside
        if aside is not None:
            self._enter(_Notice(Words(aside.en, aside.ja), self.language, self._as_wished))
        else:
            self._as_wished()

    def _as_wished(self) -> None:
        if self._wishes.game is not None:
            self.resume(self._wishes.game)
        elif self._wishes.plan is not None:
            self.begin(self._wishes.plan)
        else:
            self._home()

    def _home(self) -> None:
        self._try(lambda: self._enter(_Menus(home(self), lambda: self.language)))

    def _try(self, act: Callable[[], None]) -> None:
        """Do something that may fail; the reason is shown, and confirm leads back to the first menu."""
        try:
            act()
        except DeviceError as error:
            self._enter(_Notice(Words(error.en, error.ja), self.language, self._home))

    def _play(self, opening: Opening, game: GameLog, entries: Sequence[Entry]) -> None:
        layout = opening.layout
        session = Session.resume(opening.header, entries, layout, self.language)

        pace = self._wishes.pace
        lookout = Lookout(
            SteadyCamera(self._equipment.open_camera, self._wishes.rotation),
            lambda: self._equipment.open_look(opening, layout),
            self._told,
            lambda: self._watchdog.beat(_CAMERA),
            still_s=pace.still_s,
            looks_a_second=pace.looks,
        )
        self._enter(Playing(session, game, lookout))

    # What the menus ask for

    @property
    def _games(self) -> Journal:
        assert self._journal is not None, "menus come after the journal"
        return self._journal

    def going_on(self) -> Kept | None:
        """The game that was not played to its end."""
        return self._games.going_on

    def last_players(self) -> tuple[str, ...]:
        """Who played last."""
        games = self._games.games()
        return games[-1].opening.players if games else ()

    def known_names(self) -> tuple[str, ...]:
        """The names of the settings."""
        return self._wishes.names

    def decks(self) -> Sequence[str]:
        """The decks on the shelf."""
        return self._shelf.names()

    def begin(self, plan: Plan) -> None:
        """Begin a game."""

        def act() -> None:
            opening = Opening(
                plan.players, plan.first_seat, plan.deck, self._wishes.mat_mm, self._wishes.marker_mm
            )
            self._play(opening, self._games.begin(opening, self.language), ())

        self._try(act)

    def resume(self, number: int) -> None:
        """Go on with a game where it stood."""

        def act() -> None:
            kept = self._games.game(number)
            game = self._games.resume(number)
            self.language = kept.language
            self._play(kept.opening, game, game.entries)

        self._try(act)

    def speak(self, language: Language) -> None:
        """Go on in this language."""
        self.language = language

    def enrol(self) -> None:
        """Learn a deck."""

    def switch_off(self) -> None:
        """Switch the machine off."""
        self._show(self._notice(STOPPING))

        def act() -> None:
            self._equipment.power_off()
            self._stopping = True

        self._try(act)
