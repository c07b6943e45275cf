"""The games of the journal: which there are, who played them, and how one is begun, gone on with and left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from device.app.choices import known_names
from device.app.equipment import Equipment, Look
from device.app.menus.calling import call_option
from device.app.navigator import Navigator
from device.app.plan import Plan
from device.app.playing import Playing
from device.app.services.settings import CurrentSettings
from device.app.services.sight import Sight
from device.app.signals import Signals
from device.app.watching import Watching
from device.capture.turn_pictures import TurnPictures, wrap_reader
from device.errors import DeviceError
from device.files import flush
from device.hardware.display import pages_on
from device.memory import give_back_memory
from device.outward import Director
from device.session.lessons import AIM, Lessons, aim_menu
from device.session.session import Session
from device.storage.journal import GameLog, Journal, Kept
from device.storage.kept import Taught
from device.storage.opening import Opening
from device.storage.turn_files import TurnFiles
from referee.entry_data import EntryError
from referee.history import Entry
from referee.menu import Menu, Option
from rules.text import Text
from ui.registry import screen_of
from ui.teaching.lesson import TEACH

PHONE = Text("Phone")
_EVENING_H = 12
"""What was explained is explained again in a game that begins so many hours after that one …"""
_LATELY = 10
"""… or after so many others."""
MARK = "playing"
"""The file in the state folder that is there while a game is played: a start that finds it comes after a crash."""


@dataclass(frozen=True)
class InGameOptions:
    """What the menu in a game offers beside the game itself; ``switch_off`` is there where the menu may do that.

    ``phone`` leads to the menu of the page on phones, where there can be one.
    """

    signals: Signals
    settings: CurrentSettings
    navigator: Navigator
    phone: Callable[[], Menu] | None
    rematch: Callable[[Opening], None]
    switch_off: Callable[[], None] | None
    hall: Director | None = None

    def list_options(self, opening: Opening, session: Session) -> tuple[Option, ...]:
        """List the menu's lines."""
        settings, options = self.settings, []
        if session.over:
            options.append(Option(Text("Once more, same players"), lambda: self.rematch(opening)))
        if self.phone is not None:
            options.append(Option(PHONE, self.phone))
        if self.signals.audible:
            sounds = self.signals.sounds
            words = Text("Turn the sound off") if sounds else Text("Turn the sound on")
            options.append(self._switch(words, "signals.sounds", not sounds))
        words = Text("Stop recording") if settings.recording else Text("Record")
        options.append(self._switch(words, "recording.on", not settings.recording))
        if session.screens.own.gives_hints:
            words = Text("No hints in the help") if settings.hints else Text("Hints in the help")
            options.append(self._switch(words, "game.hints", not settings.hints))
        if session.screens.own.teaching is not None:
            on = session.lessons.on
            options.append(self._switch(Text("Stop teaching") if on else TEACH, "game.teach", not on))
        if self.hall is not None and self.hall.joined:
            options.append(call_option(self.hall))
        options.append(Option(Text("Leave the game; it can go on later"), self.navigator.go_home))
        if self.switch_off is not None:
            options.append(Option(Text("Switch off"), self.switch_off))
        return tuple(options)

    def _switch(self, words: Text, key: str, on: bool) -> Option:
        return Option(words, lambda: self.settings.keep(key, on))


class Games:
    """The journal's games; one that is begun or resumed gets the screen."""

    def __init__(
        self,
        state: Path,
        journal: Journal,
        equipment: Equipment,
        settings: CurrentSettings,
        sight: Sight,
        navigator: Navigator,
        in_game: InGameOptions,
    ) -> None:
        self._state, self._journal, self._equipment = state, journal, equipment
        self._settings, self._sight, self._navigator, self._in_game = settings, sight, navigator, in_game
        self._said_aside = journal.set_aside

    def going_on(self) -> Kept | None:
        """Return the game that was not played to its end."""
        return self._journal.going_on

    def find_last(self) -> Opening | None:
        """Return what was played last, by whom and with what; ``None`` where nothing has been."""
        return last.opening if (last := self._journal.last) is not None else None

    def set_aside(self) -> Text | None:
        """Say once what of the journal was put away as damaged while the program runs."""
        before, self._said_aside = self._said_aside, self._journal.set_aside
        return self._said_aside.text if self._said_aside is not None and self._said_aside != before else None

    def known_names(self) -> tuple[str, ...]:
        """List the names to choose from: those of the last games, then those of the settings."""
        return known_names(self._journal, self._settings.names)

    def begin(self, plan: Plan) -> None:
        """Show the table and who sits where, and begin a game from there."""
        self._sight.aim(plan.players, lambda players: self.start(replace(plan, players=players)))

    def start(self, plan: Plan) -> None:
        """Begin a game at once."""
        settings = self._settings
        opening = Opening(plan.game, plan.players, plan.options, plan.deck, settings.mat_mm, settings.marker_mm)
        teaches = settings.teach and screen_of(plan.game).teaching is not None
        explained = self._find_explained(plan.game) if teaches else {}
        log = self._journal.begin(opening, settings.language)
        if teaches:
            log.teach(Taught(True, explained))
        self._play(opening, log, ())

    def _find_explained(self, game: str) -> dict[str, int]:
        """Find what games of this kind have explained this evening."""
        now, evening = datetime.now(UTC), timedelta(hours=_EVENING_H)
        lately = (kept for kept in self._journal.list_latest(_LATELY) if kept.opening.game == game)
        return {key: 0 for kept in lately if abs(now - kept.started) < evening for key in kept.taught.explained}

    def check_can_go_on(self, number: int) -> None:
        """Tell whether a game can be gone on with.

        Raises:
            DeviceError: there is no such game, it can't be read, or it is over.
        """
        if self._journal.read_game(number).ended is not None:
            raise DeviceError(Text("Game {number} is over: begin a new one.", number=number))

    def resume(self, number: int) -> None:
        """Go on with a game where it stood."""
        kept = self._journal.read_game(number)
        log = self._journal.resume(number)
        self._settings.language = kept.language
        self._play(kept.opening, log, log.entries)

    def _play(self, opening: Opening, log: GameLog, entries: Sequence[Entry]) -> None:
        recorder, settings = self._equipment.recorder, self._settings

        def record() -> None:
            if settings.recording:
                recorder.start(opening, lambda: session.log.entries)
            else:
                recorder.stop()

        def list_more() -> tuple[Option, ...]:
            return self._in_game.list_options(opening, session)

        def use_mat(mat_mm: tuple[float, float]) -> None:
            settings.use_mat(mat_mm)

        def follow(key: str) -> None:
            """Do in this game what was just set."""
            if self._navigator.activity is not playing:
                return
            match key:
                case "language":
                    session.speak(settings.language)
                    log.speak(settings.language)
                case "game.hints":
                    session.screens = replace(session.screens, hints=settings.hints)
                case "game.teach":
                    session.lessons = session.lessons.switch(settings.teach, len(session.history.past))
                    show_aim()
                case "recording.on":
                    record()
                case "table.mat_mm":
                    log.lay(settings.mat_mm)
                    self._play(opening.on_mat(settings.mat_mm), log, session.log.entries)

        def show_aim() -> None:
            """Show what the game is about, where it teaches and has not been explained yet."""
            teaching, lessons = session.screens.own.teaching, session.lessons
            if lessons.on and teaching is not None and AIM not in lessons.taught.explained:
                session.over_it, session.lessons = aim_menu(teaching), lessons.explain_aim()

        def speak() -> None:
            settings.language = session.screens.language
            log.speak(settings.language)

        pages, language = pages_on(self._equipment.display), settings.language
        try:
            session = Session.resume(opening.header, entries, opening.layout, language, log.append, list_more, pages)
        except EntryError as error:
            raise DeviceError(
                Text(
                    "Game {game} can't go on: what the journal holds of it does not fit the rules ({error}).",
                    game=log.game,
                    error=error,
                ),
            ) from error
        record()
        (self._state / MARK).touch()
        flush(self._state)
        seen = TurnPictures(TurnFiles(self._state, log.game))
        session.screens = replace(
            session.screens, hints=settings.hints, pictures=seen.find_pictures, close_up=seen.close_up
        )
        session.lessons = Lessons(log.taught, len(session.history.past))
        show_aim()

        def open_reader() -> Look:
            """Open what reads the table; what was only needed for that goes back to the system."""
            reader: Look = wrap_reader(self._equipment.open_look(opening), seen)
            give_back_memory()
            return reader

        lookout = self._sight.make_lookout(open_reader, recorder.record_picture)
        watching = Watching(lookout, opening.mat_mm, use_mat, seen)
        playing = Playing(session, log, watching, recorder, self.set_aside, speak, self._equipment.clock)
        settings.follow = follow
        self._navigator.enter(playing)
