"""``sevenmat run``: the program at the table, from switching on to switching off.

One thread shows the screen, hears the buttons and owns the session and the journal; the camera's loop runs beside it
(``device.capture.capture``). Nothing is drawn, read or judged unless something has changed.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from device.app.notify import Notifier, Watchdog
from device.app.playing import Playing
from device.app.signals import Signals
from device.app.start import Plan, home, menu_screen
from device.capture.capture import Lookout, log_fault
from device.errors import DeviceError
from device.hardware.buttons import Button, ButtonFault, Buttons, Press
from device.hardware.camera import Picture
from device.hardware.display import Display
from device.hardware.steady import SteadyCamera
from device.session.session import Session
from device.settings.settings_file import change_setting
from device.speech import Language
from device.storage.deck_store import DeckShelf
from device.storage.journal import GameLog, Journal, Kept
from device.storage.opening import Opening
from device.storage.recorder import Recorder
from referee.entry_data import EntryError
from referee.history import Entry
from referee.layout import MARKER_MM, REFERENCE_MAT_MM
from referee.menu import Menu, Option
from rules.text import Text, said
from ui.screen_state import Mood, ScreenState

if TYPE_CHECKING:
    from device.enrol.learning import Pupil
    from vision.identify.deck import Deck

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

Look = Callable[[Picture], Any]
"""A still picture to the game's own view of what lies where; raises ``VisionError`` where the picture can't be read."""
OpenLook = Callable[[Opening], Look]
"""Gets the reader for one game; raises ``DeviceError`` or ``VisionError`` where deck or models can't be had."""

OpenPupil = Callable[[str, tuple[float, float]], "Pupil"]
"""Gets what learns a deck of that name on a mat of that size (mm); raises ``DeviceError`` where models can't be had."""

_CAMERA, _SCREEN = "camera", "screen"
_PATIENCE = {_CAMERA: 25.0, _SCREEN: 10.0}
"""How long each loop may be silent before the watchdog goes hungry; a slow machine's first reading takes a while."""

STARTING = Text("Starting…", "起動しています…")
UNFORESEEN = Text(
    "Something happened that was not foreseen; nothing is lost. Confirm leads back to the first menu.",
    "予期しないことが起きましたが、記録は失われていません。確定で最初のメニューに戻ります。",
)
STOPPING = Text("The table is being switched off.", "電源を切っています。")


@dataclass(frozen=True)
class Pace:
    """How often things are looked at, in times a second, and how long the table must lie still, in seconds."""

    rounds: float = 30.0
    looks: float = 8.0
    still_s: float = 1.0


@dataclass(frozen=True)
class Equipment:
    """What the program works with: the devices, and how a game's still pictures are read."""

    open_camera: Callable[[], SteadyCamera]
    buttons: Buttons
    display: Display
    signals: Signals
    recorder: Recorder
    open_look: OpenLook
    open_pupil: OpenPupil
    power_off: Callable[[], None]


@dataclass(frozen=True)
class Wishes:
    """What was asked for at the start: the mat and markers (mm), names to choose from.

    With ``plan`` a game begins at once, with ``game`` that of the journal goes on, with
    ``enrol`` a deck of that name is learnt and nothing else. ``trouble`` is to be said first;
    ``record`` has games recorded from their beginning; ``power_off`` lets the menu switch the machine off.
    """

    language: Language
    mat_mm: tuple[float, float] = REFERENCE_MAT_MM
    marker_mm: float = MARKER_MM
    names: tuple[str, ...] = ()
    deck: str = ""
    plan: Plan | None = None
    game: int | None = None
    enrol: str | None = None
    trouble: Text | None = None
    record: bool = False
    power_off: bool = True
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

    def __init__(self, words: Text, language: Language, then: Callable[[], None]) -> None:
        self._words, self._language, self._then = words, language, then
        self.done = False

    def round(self) -> None:
        pass

    def press(self, press: Press) -> None:
        if press.button is Button.CONFIRM:
            self.done = True
            self._then()

    def screen(self) -> ScreenState:
        words = said(self._words, self._language)
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
        self._recording = wishes.record
        self._borne: set[ButtonFault] = set()
        # There while a game is being played: a start that finds it was preceded by a crash or a power cut.
        self._mark = state / "playing"

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
            self._mark.unlink(missing_ok=True)
        finally:
            self._close()

    def _round(self) -> None:
        self._told.wait(1 / self._wishes.pace.rounds)
        self._told.clear()
        for press in self._equipment.buttons.pressed():
            self._press(press)
        if self._stage is not None:
            self._stage.round()
            self._leave(self._stage)
        if isinstance(self._stage, (_Menus, _Notice)):
            self._watchdog.beat(_CAMERA)
        self._watchdog.beat(_SCREEN)
        self._watchdog.feed()
        faults = self._equipment.buttons.faults()
        self._borne &= set(faults)
        unheard = next((fault for fault in faults if fault not in self._borne), None)
        if unheard is not None:
            self._show(self._notice(Text(unheard.en, unheard.ja)))
        elif self._stage is not None:
            self._show(self._stage.screen())

    def _press(self, press: Press) -> None:
        """A press is for the stage, unless a broken button is being told of: then it says that this was read."""
        faults = set(self._equipment.buttons.faults())
        if faults - self._borne:
            self._borne |= faults
        elif self._stage is not None:
            stage = self._stage
            stage.press(press)
            self._leave(stage)

    def _show(self, state: ScreenState) -> None:
        if state != self._shown:
            self._shown = state
            self._notifier.status(state.headline or state.mood.value)
            self._equipment.display.show(state)
            self._equipment.signals.follow(state.mood)

    def _leave(self, stage: _Stage) -> None:
        """What comes after a stage that is done, unless it has said so itself."""
        if stage.done and self._stage is stage:
            self._home()

    def _enter(self, stage: _Stage) -> None:
        if self._stage is not None:
            if isinstance(self._stage, Playing):
                self.language = self._stage.session.language
            self._stage.close()
        self._stage = stage

    def _notice(self, words: Text) -> ScreenState:
        return ScreenState(self.language, Mood.NOTICE, headline=words.said(self.language))

    def _close(self) -> None:
        if self._stage is not None:
            self._stage.close()
        if self._journal is not None:
            self._journal.close()
        self._equipment.recorder.stop()
        self._equipment.signals.close()
        self._equipment.buttons.close()
        self._equipment.display.close()
        self._notifier.close()

    # From the start to a game

    def _begin(self) -> None:
        """Open the journal and go where was asked for; a journal that can't be opened is said, and tried again."""
        try:
            self._journal = Journal.open(self._state)
        except DeviceError as error:
            self._enter(_Notice(Text(error.en, error.ja), self.language, self._begin))
            return
        aside = self._journal.set_aside
        said = [self._wishes.trouble] if self._wishes.trouble is not None else []
        if aside is not None:
            said.append(Text(aside.en, aside.ja))
        self._say_all(said, self._as_wished)

    def _say_all(self, said: Sequence[Text], then: Callable[[], None]) -> None:
        """Notices, one after the other, and then go on."""
        if said:
            self._enter(_Notice(said[0], self.language, lambda: self._say_all(said[1:], then)))
        else:
            then()

    def _as_wished(self) -> None:
        def act() -> None:
            going_on = self.going_on() if self._mark.exists() else None
            if self._wishes.enrol is not None:
                self.enrol(self._wishes.enrol)
            elif self._wishes.game is not None:
                self.resume(self._wishes.game)
            elif self._wishes.plan is not None:
                self.begin(self._wishes.plan)
            elif going_on is not None:
                self.resume(going_on.number)
            else:
                self._home()

        self._try(act)

    def _home(self) -> None:
        self._mark.unlink(missing_ok=True)
        self._equipment.recorder.stop()
        self._try(lambda: self._enter(_Menus(home(self), lambda: self.language)))

    def _try(self, act: Callable[[], None]) -> None:
        """Do something that may fail; the reason is shown, and confirm leads back to the first menu."""
        try:
            act()
        except DeviceError as error:
            self._enter(_Notice(Text(error.en, error.ja), self.language, self._home))
        except Exception as error:
            # The last line of defence: a game that can't be opened must not keep the others from being played.
            log_fault("the menu's wish failed", error)
            self._mark.unlink(missing_ok=True)
            self._enter(_Notice(UNFORESEEN, self.language, self._home))

    def _play(self, opening: Opening, game: GameLog, entries: Sequence[Entry]) -> None:
        recorder = self._equipment.recorder

        def record() -> None:
            if self._recording:
                recorder.start(opening, lambda: session.entries)
            else:
                recorder.stop()

        more = partial(self._game_options, record)
        try:
            session = Session.resume(opening.header, entries, opening.layout, self.language, game.append, more)
        except EntryError as error:
            raise DeviceError(
                f"Game {game.game} can't go on: what the journal holds of it does not fit the rules ({error.en}).",
                f"対局{game.game}を続けられません。記録がルールと合いません（{error.ja}）。",
            ) from error

        record()
        self._mark.touch()
        lookout = self._lookout(lambda: self._equipment.open_look(opening), recorder.look)
        self._enter(Playing(session, self._games, game, lookout, recorder))

    def _lookout(
        self,
        open_reader: Callable[[], Callable[[Picture], T]],
        before: Callable[[Picture], None] = lambda _: None,
    ) -> Lookout[T]:
        pace = self._wishes.pace
        return Lookout(
            self._equipment.open_camera(),
            open_reader,
            self._told,
            lambda: self._watchdog.beat(_CAMERA),
            before=before,
            still_s=pace.still_s,
            looks_a_second=pace.looks,
        )

    def _game_options(self, record: Callable[[], None]) -> tuple[Option, ...]:
        """What the menu in a game offers beside the game itself."""

        def switch_recording() -> None:
            self._recording = not self._recording
            record()
            try:
                change_setting(self._state, "recording.on", self._recording)
            except DeviceError as error:
                _LOG.error("%s", error.en)

        switch = Text("Stop recording", "録画を止める") if self._recording else Text("Record", "録画する")
        options = [
            Option(switch, switch_recording),
            Option(Text("Leave the game; it can go on later", "ゲームを中断する（あとで続けられます）"), self._home),
        ]
        if self._wishes.power_off:
            options.append(Option(Text("Switch off", "電源を切る"), self.switch_off))
        return tuple(options)

    # What the menus ask for

    @property
    def _games(self) -> Journal:
        assert self._journal is not None, "menus come after the journal"
        return self._journal

    def going_on(self) -> Kept | None:
        """The game that was not played to its end."""
        return self._games.going_on

    def last(self) -> tuple[str, tuple[str, ...]] | None:
        """What was played last, and by whom."""
        last = self._games.last
        return None if last is None else (last.opening.game, last.opening.players)

    def known_names(self) -> tuple[str, ...]:
        """The names of the settings."""
        return self._wishes.names

    def decks(self) -> Sequence[str]:
        """The decks on the shelf; the one of the settings alone where it is among them."""
        names = self._shelf.names()
        return [self._wishes.deck] if self._wishes.deck in names else names

    def begin(self, plan: Plan) -> None:
        """Begin a game."""

        def act() -> None:
            wishes = self._wishes
            opening = Opening(plan.game, plan.players, plan.options, plan.deck, wishes.mat_mm, wishes.marker_mm)
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

    def can_switch_off(self) -> bool:
        """Whether the menu may switch the machine off."""
        return self._wishes.power_off

    def speak(self, language: Language) -> None:
        """Go on in this language."""
        self.language = language

    def enrol(self, name: str) -> None:
        """Learn a deck and keep it under this name."""
        self._try(lambda: self._learn(name))

    def _learn(self, name: str) -> None:
        from device.enrol.learning import Learning  # what learning needs is loaded when a deck is learnt

        self._shelf.path(name)

        def learnt(deck: Deck) -> Text:
            self._shelf.save(name, deck)
            return Text(f"The deck {name!r} is known now.", f"デッキ「{name}」を登録しました。")

        def left() -> None:
            if self._wishes.enrol is not None:
                self.stop()
            else:
                self._home()

        mat_mm = self._wishes.mat_mm
        self._enter(
            Learning(lambda: self._equipment.open_pupil(name, mat_mm), self._lookout, self.language, learnt, left)
        )

    def switch_off(self) -> None:
        """Switch the machine off."""
        self._show(self._notice(STOPPING))

        def act() -> None:
            self._equipment.power_off()
            self._stopping = True

        self._try(act)
