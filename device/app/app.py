"""``sevenmat run``: the program at the table, from switching on to switching off.

One thread shows the screen, hears the buttons and owns the session and the journal; the camera's loop runs beside it
(``device.capture.capture``). Nothing is drawn, read or judged unless something has changed.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from device.app.equipment import Equipment, Wishes
from device.app.name_picker import NamePicker
from device.app.notify import Notifier, Watchdog
from device.app.playing import Playing
from device.app.score_menu import score_menu
from device.app.setting_menus import settings_menu
from device.app.stages import IDLE, Menus, Notice, Stage, Writing, screen_of_stage, show
from device.app.start import Plan, ScorePlan, deck_kinds, home, rematch
from device.app.watching import Watching
from device.capture.capture import Lookout, log_fault
from device.capture.turn_pictures import TurnPictures, witnessed
from device.enrol.ready_decks import deck_shelf
from device.errors import DeviceError
from device.hardware.buttons import ButtonFault, Press
from device.hardware.camera import Picture
from device.hardware.display import Paged, Turnable
from device.session.session import Session
from device.settings.settings_file import change_setting, load_settings
from device.settings.values import Settings
from device.speech import Language
from device.storage.game_file import flush
from device.storage.journal import GameLog, Journal, Kept
from device.storage.opening import Opening
from device.storage.scored import ScoredTables
from device.storage.turn_files import TurnFiles
from referee.entry_data import EntryError
from referee.history import Entry
from referee.menu import Menu, Option
from referee.registry import referees
from rules.game import Contest
from rules.record import Header
from rules.text import Text
from ui.screen import page_count
from ui.screen_state import Mood, NoticeScreen, ScreenState
from ui.setting_up.names import name_fault

if TYPE_CHECKING:
    from device.enrol.learning import Learning
    from device.scoring.looking import Look as ScoringLook
    from vision.identify.deck import Deck

P = ParamSpec("P")
T = TypeVar("T")

_LOG = logging.getLogger(__name__)

_CAMERA, _SCREEN = "camera", "screen"
_PATIENCE = {_CAMERA: 25.0, _SCREEN: 10.0}
"""How long each loop may be silent before the watchdog goes hungry; a slow machine's first reading takes a while."""

_LATELY = 20
"""The names of so many games are offered again."""

STARTING = Text("Starting…")
UNFORESEEN = Text("Something happened that was not foreseen; nothing is lost. Confirm leads back to the first menu.")
ONE_MOMENT = Text("One moment…")
STOPPING = Text("The table is being switched off.")


def _or_said(act: Callable[Concatenate[App, P], None]) -> Callable[Concatenate[App, P], None]:
    """What may fail; the reason is shown then."""

    def tried(app: App, /, *given: P.args, **named: P.kwargs) -> None:
        app._try(lambda: act(app, *given, **named))

    return tried


class App:
    """The program at the table. ``run`` returns when it is told to stop or the table is switched off."""

    def __init__(self, equipment: Equipment, state: Path, wishes: Wishes, notifier: Notifier) -> None:
        self.language = wishes.language
        self._equipment, self._state, self._wishes, self._notifier = equipment, state, wishes, notifier
        self._watchdog = Watchdog(notifier, _PATIENCE, time.monotonic)
        self._told = threading.Event()
        self._stopping = False
        self._shown: ScreenState | None = None
        self._stage: Stage | None = None
        self._journal: Journal | None = None
        self._shelf = deck_shelf(state)
        self._borne: set[ButtonFault] = set()
        self._was_busy = False
        # There while a game is being played: a start that finds it was preceded by a crash or a power cut.
        self._mark = state / "playing"

    @property
    def session(self) -> Session | None:
        """The game that is being played."""
        return self._stage.session if isinstance(self._stage, Playing) else None

    @property
    def learning(self) -> Learning | None:
        """The deck that is being learnt."""
        from device.enrol.learning import Learning  # as for ``_learn``

        return self._stage if isinstance(self._stage, Learning) else None

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
            self._was_busy = True
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
            if not self._was_busy:
                self._press(press)
        if (stage := self._stage) is not None:
            self._try(stage.round)
            self._leave(stage)
        if isinstance(self._stage, IDLE):
            self._watchdog.beat(_CAMERA)
        self._watchdog.beat(_SCREEN)
        self._watchdog.feed()
        self._equipment.dimmer.tick()
        if self._was_busy:
            # Whoever pressed meanwhile saw another screen than the one that comes now.
            self._equipment.buttons.pressed()
            self._was_busy = False
        faults = self._equipment.buttons.faults()
        self._borne &= set(faults)
        unheard = next((fault for fault in faults if fault not in self._borne), None)
        if unheard is not None:
            self._show(self._notice(unheard.text))
        elif self._stage is not None:
            self._show(screen_of_stage(self._stage, self.language))

    def _press(self, press: Press) -> None:
        """A press is for the stage, unless a broken button is being told of: then it says that this was read."""
        self._equipment.dimmer.stir()
        faults = set(self._equipment.buttons.faults())
        if faults - self._borne:
            self._borne |= faults
        elif self._stage is not None:
            stage = self._stage
            self._try(lambda: stage.press(press))
            self._leave(stage)

    def _show(self, state: ScreenState) -> None:
        if state != self._shown:
            self._shown = state
            self._notifier.status(state.headline or state.mood.value)
            self._equipment.dimmer.stir()
            show(self._equipment.display, state)
            self._equipment.signals.follow(state)

    def _leave(self, stage: Stage) -> None:
        """What comes after a stage that is done, unless it has said so itself."""
        if stage.done and self._stage is stage:
            self._home()

    def _enter(self, stage: Stage) -> None:
        before, self._stage = self._stage, stage
        if isinstance(before, Playing):
            self.language = before.session.screens.language
        if before is not None and not isinstance(before, IDLE):
            # What is being read there is read to its end first.
            self._busy(ONE_MOMENT)
            before.close()

    def _busy(self, words: Text) -> None:
        """Something takes a while now; what is pressed meanwhile is dropped."""
        self._show(self._notice(words))
        self._was_busy = True

    def _notice(self, words: Text) -> ScreenState:
        return NoticeScreen(self.language, Mood.NOTICE, words.said(self.language))

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
            self._enter(Notice(error.text, self.language, self._begin))
            return
        aside = self._journal.set_aside
        said = [self._wishes.trouble] if self._wishes.trouble is not None else []
        if aside is not None:
            said.append(aside.text)
        self._say_all(said, self._as_wished)

    def _say_all(self, said: Sequence[Text], then: Callable[[], None]) -> None:
        """Notices, one after the other, and then go on."""
        if said:
            self._enter(Notice(said[0], self.language, lambda: self._say_all(said[1:], then)))
        else:
            then()

    @_or_said
    def _as_wished(self) -> None:
        going_on = self.going_on() if self._mark.exists() else None
        plan = self._wishes.plan
        if self._wishes.enrol is not None and plan is not None:
            pages = referees()[plan.game].cards.pages
            self._learn(self._wishes.enrol, pages, lambda: self._start(plan))
        elif self._wishes.enrol is not None:
            self._learn(self._wishes.enrol, self._wishes.enrol_pages or deck_kinds()[0].pages, self.stop)
        elif self._wishes.game is not None:
            self.resume(self._wishes.game)
        elif plan is not None:
            self._start(plan)
        elif going_on is not None:
            self.resume(going_on.number)
        else:
            self._home()

    def _home(self) -> None:
        self._mark.unlink(missing_ok=True)
        self._equipment.recorder.stop()
        self._try(lambda: self._show_menu(home(self)))

    def _try(self, act: Callable[[], None]) -> None:
        """Do something that may fail; the reason is shown, and confirm leads back to the first menu."""
        try:
            act()
        except DeviceError as error:
            self._enter(Notice(error.text, self.language, self._home))
        except Exception as error:
            # The last line of defence: a game that can't be opened must not keep the others from being played.
            log_fault("the menu's wish failed", error)
            self._mark.unlink(missing_ok=True)
            self._enter(Notice(UNFORESEEN, self.language, self._home))

    def _play(self, opening: Opening, game: GameLog, entries: Sequence[Entry]) -> None:
        recorder = self._equipment.recorder

        def record() -> None:
            if self._wishes.record:
                recorder.start(opening, lambda: session.log.entries)
            else:
                recorder.stop()

        more, display = partial(self._game_options, record), self._equipment.display
        pages = display.pages if isinstance(display, Paged) else page_count
        try:
            session = Session.resume(opening.header, entries, opening.layout, self.language, game.append, more, pages)
        except EntryError as error:
            raise DeviceError(
                Text(
                    "Game {game} can't go on: what the journal holds of it does not fit the rules ({error}).",
                    game=game.game,
                    error=error,
                ),
            ) from error

        def use_mat(mat_mm: tuple[float, float]) -> None:
            game.lay(self._use_mat(mat_mm))
            self._play(opening.on_mat(mat_mm), game, session.log.entries)

        record()
        self._mark.touch()
        flush(self._state)
        seen = TurnPictures(TurnFiles(self._state, game.game))
        session.screens = replace(session.screens, hints=self._wishes.hints, pictures=seen.of, close_up=seen.close_up)
        lookout = self._lookout(lambda: witnessed(self._equipment.open_look(opening), seen), recorder.look)
        watching = Watching(lookout, opening.mat_mm, use_mat, seen)
        self._enter(Playing(session, self._games, game, watching, recorder, self._equipment.clock))

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
            clock=self._equipment.clock,
        )

    def _game_options(self, record: Callable[[], None]) -> tuple[Option, ...]:
        """What the menu in a game offers beside the game itself."""

        def switch_recording() -> None:
            self._wishes = replace(self._wishes, record=not self._wishes.record)
            record()
            self._keep("recording.on", self._wishes.record)

        def switch_hints() -> None:
            self._wishes = replace(self._wishes, hints=not self._wishes.hints)
            self._keep("game.hints", self._wishes.hints)
            if self.session is not None:
                self.session.screens = replace(self.session.screens, hints=self._wishes.hints)

        switch = Text("Stop recording") if self._wishes.record else Text("Record")
        hints = Text("No hints in the help")
        if not self._wishes.hints:
            hints = Text("Hints in the help")
        options = [
            *self._equipment.signals.options(partial(self._keep, "signals.sounds")),
            Option(switch, switch_recording),
            *((Option(hints, switch_hints),) if self._may_hint else ()),
            Option(Text("Leave the game; it can go on later"), self._home),
        ]
        if self.session is not None and self.session.over:
            options.insert(0, Option(Text("Once more, same players"), self._rematch))
        if self._wishes.power_off:
            options.append(Option(Text("Switch off"), self.switch_off))
        return tuple(options)

    @property
    def _may_hint(self) -> bool:
        """Whether the game that is played has hints to give."""
        session = self.session
        return session is not None and session.screens.own.gives_hints

    def _rematch(self) -> None:
        """Leave a game that is over for the same one with the same players."""
        assert self.session is not None, "it is only offered there"
        played = self.session.history.header
        self._home()
        self._try(lambda: self._show_menu(rematch(self, played)))

    # What the menus ask for

    @property
    def _games(self) -> Journal:
        assert self._journal is not None, "menus come after the journal"
        return self._journal

    def going_on(self) -> Kept | None:
        """The game that was not played to its end."""
        return self._games.going_on

    def last(self) -> Header | None:
        """What was played last, by whom and with what."""
        return last.opening.header if (last := self._games.last) is not None else None

    def faces(self, deck: str) -> frozenset[str]:
        """The names of all faces that a deck was learnt with."""
        self._busy(ONE_MOMENT)
        return self._shelf.faces(deck)

    def last_deck(self) -> str | None:
        """The deck of the last game, where it is on the shelf."""
        last = self._games.last
        return last.opening.deck if last is not None and last.opening.deck in self.decks() else None

    def known_names(self) -> tuple[str, ...]:
        """The names of the last games, then those of the settings."""
        played = (name for kept in self._games.lately(_LATELY) for name in kept.opening.players)
        return tuple(name for name in dict.fromkeys((*played, *self._wishes.names)) if name_fault(name) is None)

    def decks(self) -> Sequence[str]:
        """The decks on the shelf; the one of the settings alone where it is among them."""
        names = self._shelf.names()
        return [self._wishes.deck] if self._wishes.deck in (*names, *self._shelf.ready) else names

    def ready_decks(self) -> Sequence[str]:
        """The decks that nobody has to learn."""
        return self._shelf.ready

    def begin(self, plan: Plan) -> None:
        """Show the table and who sits where, and begin a game from there."""
        self._sight(lambda players: self._start(replace(plan, players=players)), plan.players)

    @_or_said
    def _start(self, plan: Plan) -> None:
        wishes = self._wishes
        opening = Opening(plan.game, plan.players, plan.options, plan.deck, wishes.mat_mm, wishes.marker_mm)
        self._play(opening, self._games.begin(opening, self.language), ())

    def look(self) -> None:
        """Show what the camera sees."""
        self._sight()

    @_or_said
    def _sight(self, go_on: Callable[[tuple[str, ...]], None] | None = None, players: tuple[str, ...] = ()) -> None:
        from device.app.sighting import Aiming, Purpose  # what looks at pictures is loaded when one is looked at
        from device.capture.live import Live

        wishes = self._wishes
        live = Live(self._equipment.open_camera(), wishes.marker_mm, self._told, lambda: self._watchdog.beat(_CAMERA))
        purpose = Purpose(wishes.mat_mm, self._use_mat, self._home, players, go_on)
        self._enter(Aiming(live, self.language, purpose))

    def _use_mat(self, mat_mm: tuple[float, float]) -> tuple[float, float]:
        """Take a measured mat; it holds until the next start even where it can't be kept."""
        try:
            self.change("table.mat_mm", mat_mm)
        except DeviceError as error:
            _LOG.error("%s", error)
            self._wishes = replace(self._wishes, mat_mm=mat_mm)
        return mat_mm

    @_or_said
    def resume(self, number: int) -> None:
        """Go on with a game where it stood."""
        kept = self._games.game(number)
        game = self._games.resume(number)
        self.language = kept.language
        self._play(kept.opening, game, game.entries)

    def can_switch_off(self) -> bool:
        """Whether the menu may switch the machine off."""
        return self._wishes.power_off

    def speak(self, language: Language) -> None:
        """Go on in this language, at the next start too."""
        self.language = language
        self._keep("language", language.code)

    def _keep(self, key: str, value: Any) -> None:
        """Keep a setting that holds already; where it can't be, it holds until the next start."""
        try:
            change_setting(self._state, key, value)
        except DeviceError as error:
            _LOG.error("%s", error)

    def write_name(
        self, title: Text, taken: Sequence[str], then: Callable[[str], Menu | None], back: Menu | None
    ) -> None:
        """Have a name written."""
        picker = NamePicker.begun(title, self.language, taken)
        self._enter(
            Writing(picker, lambda name: self._show_menu(then(name)), lambda: self._show_menu(back or home(self)))
        )

    def can_read_cards(self) -> bool:
        """Whether cards that are turned up before a game can be read."""
        return self._equipment.open_cards is not None

    @_or_said
    def hold(self, contest: Contest, deck: str, then: Callable[[Text], Menu], back: Menu) -> None:
        """Hold a contest with cards of this deck."""
        from device.app.contesting import Contesting  # the reader is loaded when cards are read

        open_cards, wishes = self._equipment.open_cards, self._wishes
        assert open_cards is not None, "it is only offered where cards can be read"
        lookout = self._lookout(lambda: open_cards(deck, wishes.mat_mm, wishes.marker_mm))
        show = self._show_menu
        self._enter(Contesting(contest, lookout, self.language, lambda given: show(then(given)), lambda: show(back)))

    def _show_menu(self, menu: Menu | None) -> None:
        if menu is not None:
            self._enter(Menus(menu, lambda: self.language))

    # What can be set

    def settings_menu(self) -> Menu:
        """What can be set."""
        return settings_menu(self, home(self))

    def settings(self) -> Settings:
        """What holds now; what the command line or this evening has changed included."""
        now = load_settings(self._state)
        wishes = self._wishes
        return replace(now, table=replace(now.table, mat_mm=wishes.mat_mm, marker_mm=wishes.marker_mm))

    def can_shine(self) -> bool:
        """Whether the panel's light can be set."""
        return self._equipment.dimmer.can_shine

    def can_turn(self) -> bool:
        """Whether screens can be turned while they are shown."""
        return isinstance(self._equipment.display, Turnable)

    def change(self, key: str, value: Any) -> None:
        """Keep a setting and do as it says.

        Raises:
            DeviceError: it can't be kept.
        """
        now = change_setting(self._state, key, value)
        display = self._equipment.display
        match key:
            case "language":
                self.language = Language.of(value)
            case "signals.sounds":
                self._equipment.signals.sounds = now.signals.sounds
            case "game.hints":
                self._wishes = replace(self._wishes, hints=now.game.hints)
            case "table.mat_mm":
                self._wishes = replace(self._wishes, mat_mm=now.table.mat_mm)
            case "table.marker_mm":
                self._wishes = replace(self._wishes, marker_mm=now.table.marker_mm)
            case "display.rotation" | "display.map_rotation" | "display.theme":
                if isinstance(display, Turnable):
                    display.turn(now.display.rotation)
                    display.dress(now.display.panel)
                    self._shown = None
            case _:
                self._equipment.dimmer.set(now.display.brightness, now.display.dim_after_min)

    @_or_said
    def enrol(self, name: str, pages: tuple[str, ...]) -> None:
        """Learn a deck from these pages and keep it under this name."""
        self._learn(name, pages, self._home)

    def _learn(self, name: str, pages: tuple[str, ...], left: Callable[[], None]) -> None:
        from device.enrol.learning import Learning, Lesson  # what learning needs is loaded when a deck is learnt

        self._shelf.path(name)

        def learnt(deck: Deck) -> Text:
            self._busy(Text("The deck is being saved…"))
            self._shelf.save(name, deck)
            return Text("The deck {name!r} is known now.", name=name)

        def use_mat(measured_mm: tuple[float, float]) -> None:
            self._use_mat(measured_mm)
            self._try(lambda: self._learn(name, pages, left))

        mat_mm = self._wishes.mat_mm
        open_pupil = partial(self._equipment.open_pupil, name, mat_mm, pages)
        lesson = Lesson(learnt, left, mat_mm, use_mat, pages)
        self._enter(Learning(open_pupil, self._lookout, self.language, lesson))

    def can_score(self) -> bool:
        """Whether a finished table can be scored."""
        return self._equipment.open_scorer is not None

    def scoring_menu(self) -> Menu:
        """The first question about a finished table."""
        return score_menu(self)

    @_or_said
    def score(self, plan: ScorePlan) -> None:
        """Score a finished table."""
        from device.app.scoring import TableScoring  # what looking needs is loaded when a table is scored
        from device.scoring.table import Table

        wishes, open_scorer = self._wishes, self._equipment.open_scorer
        assert open_scorer is not None, "the menu offers it only then"
        table = Table.of(plan.game, plan.seats, plan.players, wishes.mat_mm, plan.told)

        def open_look() -> ScoringLook:
            return open_scorer(table, plan.deck, wishes.mat_mm, wishes.marker_mm)

        keep = ScoredTables(self._state).keep
        display = self._equipment.display
        pages = display.pages if isinstance(display, Paged) else page_count
        self._enter(TableScoring(table, plan.deck, open_look, self._lookout, self.language, keep, pages))

    @_or_said
    def switch_off(self) -> None:
        """Switch the machine off."""
        self._busy(STOPPING)
        self._equipment.power_off()
        self._stopping = True
