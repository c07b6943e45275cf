"""The journal: every game, entry by entry, on the disk before the display shows it.

Each game is a file of JSON lines and a second copy of it, only ever added to; ``device.storage.game_file`` says how.
At every start all of them are checked; what is damaged is set aside and comes back from the other file.

>>> from tempfile import TemporaryDirectory
>>> from referee.registry import load_referees
>>> with TemporaryDirectory() as state:
...     journal = Journal.open(Path(state))
...     opening = Opening(next(iter(load_referees())), ("Hilbert", "Banach", "Noether"), {"first_seat": 1})
...     log = journal.begin(opening, Language.EN)
...     log.append(Entry("move", {"do": "setup", "discard": "T8"}))
...     journal.close()
...     with Journal.open(Path(state)) as again:
...         again.resume(log.game).entries
(Entry(kind='move', data={'do': 'setup', 'discard': 'T8'}),)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from device.speech import Language
from device.storage import game_file as files
from device.storage.game_file import Lines
from device.storage.identity import identity_of, new_identity
from device.storage.kept import NOTHING_TAUGHT, Kept, Taught, entries_in, read_kept
from device.storage.opening import Opening, Result
from device.storage.shared_folder import SharedFolder
from device.storage.trouble import (
    JournalError,
    SetAside,
    Trouble,
    UnknownGameError,
    UnreadableGameError,
    explain_refusal,
)
from device.storage.turn_files import forget_turns
from referee.history import Entry
from rules.plain import name_key
from rules.text import Text

__all__ = [
    "GameLog",
    "Journal",
    "JournalError",
    "Kept",
    "SetAside",
    "Trouble",
    "UnknownGameError",
    "UnreadableGameError",
]

WAIT_S = 1.0
"""How long another program may hold the journal before a call gives up."""


class Journal:
    """The games on the disk. Any thread may call, one at a time.

    Every call raises a ``JournalError`` where the files can't be used, and one with a game's number an
    ``UnknownGameError`` where there is none of that number, an ``UnreadableGameError`` where another version wrote it.
    """

    def __init__(self, state: Path, wait_s: float) -> None:
        self._state, self._path, self._closed = state, state / files.FOLDER, False
        self._folder = SharedFolder(self._path, state / "journal.lock", wait_s)
        self.set_aside: SetAside | None = None
        """What was set aside when the journal was opened, the last time if that was while a game went on."""
        self._open()

    @classmethod
    def open(cls, state: Path, wait_s: float = WAIT_S) -> Journal:
        """Open the journal in the state folder, a new one where there is none; ``set_aside`` says what was damaged."""
        return cls(state, wait_s)

    @staticmethod
    def has_games(state: Path) -> bool:
        """Tell whether there is a journal in the state folder, or what is left of one."""
        return bool(files.list_numbers(state))

    def begin(self, opening: Opening, language: Language, entries: Sequence[Entry] = (), known_as: str = "") -> GameLog:
        """Begin a game, with what has happened in it and its identity if it has one; it is the one to go on with."""
        with self._folder.change_files():
            number, before = max(files.list_numbers(self._state), default=0) + 1, self._read_head().get("going_on", 0)
            named = {"id": known_as or new_identity(), "language": language.code}
            first = {"at": _stamp_now(), **named, "opening": opening.to_json()}
            lines = files.sealed_all(number, [first, *map(_write_entry, entries)])
            try:
                files.rewrite(self._state, number, lines)
                self._go_on_with(number)
            except BaseException:
                with suppress(OSError):
                    for path in files.paths_of(self._state, number):
                        path.unlink(missing_ok=True)
                    self._go_on_with(before)
                raise
        return GameLog(self, number, opening, language, entries, lines)

    def resume(self, number: int) -> GameLog:
        """Go on writing a game, which becomes the one to go on with."""
        with self._folder.change_files():
            lines = self._read_lines(number)
            kept, entries = read_kept(number, lines), entries_in(number, lines)
            self._go_on_with(number)
        return GameLog(self, number, kept.opening, kept.language, entries, lines, kept.taught)

    def list_games(self) -> tuple[Kept, ...]:
        """List all games that can be read, the oldest first."""
        return tuple(kept for kept in self._read_all().values() if kept is not None)

    def list_latest(self, most: int) -> tuple[Kept, ...]:
        """List the games begun last that can be read, newest first, at most ``most``."""
        with self._folder.use_files():
            kept = (self._find_kept(number) for number in reversed(files.list_numbers(self._state)))
            return tuple(islice((game for game in kept if game is not None), most))

    def list_unreadable(self) -> tuple[int, ...]:
        """List the numbers of the games that another version wrote, so that they can't be read."""
        return tuple(number for number, kept in self._read_all().items() if kept is None)

    def read_game(self, number: int) -> Kept:
        """Return the game of that number."""
        with self._folder.use_files():
            return read_kept(number, self._read_lines(number))

    def read_entries(self, number: int) -> tuple[Entry, ...]:
        """Return what happened in a game, in order."""
        with self._folder.use_files():
            lines = self._read_lines(number)
        read_kept(number, lines)
        return entries_in(number, lines)

    @property
    def going_on(self) -> Kept | None:
        """The game to go on with after a start: the one last begun, resumed or chosen, unless it has ended."""
        kept = self._find_kept(self._read_head().get("going_on", 0))
        return kept if kept is not None and kept.ended is None else None

    @property
    def last(self) -> Kept | None:
        """The game that was begun last, of those that can be read."""
        return next(iter(self.list_latest(1)), None)

    def go_on_with(self, number: int) -> None:
        """Choose the game to go on with at the next start."""
        with self._folder.change_files():
            read_kept(number, self._read_lines(number))
            self._go_on_with(number)

    def delete(self, number: int) -> None:
        """Delete a game; nothing of it stays in the journal, and its number is not used again."""
        with self._folder.change_files():
            self._read_lines(number)
            files.rewrite(self._state, number, [files.seal_content(number, [], {"deleted": number})])
            with suppress(OSError):
                forget_turns(self._state, number)

    def rename(self, name: str, into: str | None) -> None:
        """Have what was played under one name count for another in all games; for none, the seat stands in its place.

        Games that are played still keep it. One whose last screen still stands goes on under its new names.
        """
        with self._folder.change_files():
            for kept in self.list_games():
                players = kept.opening.players
                if kept.ended is None or name_key(name) not in map(name_key, players):
                    continue
                named = [
                    one
                    if name_key(one) != name_key(name)
                    else into or Text("Seat {seat}", seat=seat).said(kept.language)
                    for seat, one in enumerate(players, 1)
                ]
                before, lines = self._read_lines(kept.number), Lines()
                for content in map(files.read_content, before):
                    renewed = {key: value for key, value in content.items() if key not in ("sum", "n")}
                    if "opening" in renewed:
                        renewed |= {"opening": {**renewed["opening"], "players": named}, "id": identity_of(before)}
                    lines.append(files.seal_content(kept.number, lines, renewed))
                files.rewrite(self._state, kept.number, lines)

    def close(self) -> None:
        """Let go of the files; closing twice does no harm."""
        self._closed = True
        self._folder.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        try:
            self._state.mkdir(parents=True, exist_ok=True)
            for name in (files.FOLDER, files.COPY):
                files.make_folder(self._state / name)
        except OSError as error:
            raise explain_refusal(error, self._path) from error
        with self._folder.open_folder() as alone:
            self.set_aside = self._check_files(alone)

    def _check_files(self, alone: bool) -> SetAside | None:
        """Hold every game to its sums, and make the files whole again."""
        if (version := self._read_head().get("format", 0)) > files.FORMAT:
            raise JournalError(Trouble.NEWER, self._path, str(version))
        aside, cut, lost = files.name_aside(self._state), 0, 0
        for number in files.list_numbers(self._state):
            found = files.find_game(self._state, number)
            if not found.whole and not alone:
                raise JournalError(Trouble.DAMAGED, self._path)
            if not found.whole:
                files.keep(self._state, number, aside)
                cut, lost = cut + found.cut, lost + (number > 0 and not found.lines)
            if found.lines and alone:
                files.rewrite(self._state, number, found.lines)
            elif number > 0 and alone:
                files.rewrite(self._state, number, [files.seal_content(number, [], {"deleted": number})])
        if 0 in files.list_numbers(self._state) and not self._read_head():
            self._go_on_with(max((kept.number for kept in self.list_games() if kept.ended is None), default=0))
        if not aside.exists():
            return None
        kept = [game.entries for game in self.list_games()]
        return SetAside(aside, len(kept), sum(kept), cut, lost)

    def _read_head(self) -> dict[str, int]:
        """Return the format, and the game to go on with."""
        with self._folder.use_files():
            lines = files.find_game(self._state, 0).lines
        found: dict[str, Any] = {}
        with suppress(ValueError):
            found = files.read_content(lines[0]) if lines else {}
        return {name: number for name, number in found.items() if type(number) is int}

    def _go_on_with(self, number: int) -> None:
        files.rewrite(self._state, 0, [files.seal_content(0, [], {"format": files.FORMAT, "going_on": number})])

    def _read_lines(self, number: int) -> Lines:
        """Return a game's lines."""
        found = (
            files.find_game(self._state, number) if number in files.list_numbers(self._state) and number > 0 else None
        )
        if found is None or found.deleted:
            raise UnknownGameError(number)
        if not found.lines:
            raise JournalError(Trouble.DAMAGED, self._path)
        return found.lines

    def _read_all(self) -> dict[int, Kept | None]:
        """Read all games by their numbers, ``None`` for one that can't be read."""
        kept: dict[int, Kept | None] = {}
        with self._folder.use_files():
            for number in files.list_numbers(self._state):
                with suppress(UnknownGameError):
                    lines, kept[number] = self._read_lines(number), None
                    with suppress(UnreadableGameError):
                        kept[number] = read_kept(number, lines)
        return kept

    def _find_kept(self, number: int) -> Kept | None:
        """Return the game of that number, ``None`` where there is none or it can't be read."""
        with self._folder.use_files(), suppress(UnknownGameError, UnreadableGameError):
            return read_kept(number, self._read_lines(number))
        return None

    def _add(self, number: int, lines: Lines, content: Mapping[str, Any]) -> None:
        """Add a line to a game that has ``lines``."""
        with self._folder.change_files():
            if not files.has_lines(self._state, number, lines):
                found = files.find_game(self._state, number)
                lines[:] = _as_named(number, found.lines, lines)
                if found.deleted or (found.whole and found.lines[:-1][: len(lines)] == lines):
                    raise JournalError(Trouble.TAKEN, self._path)
                if not found.whole or found.lines != lines:
                    raise JournalError(Trouble.DAMAGED, self._path)
                files.rewrite(self._state, number, lines)
            line = files.seal_content(number, lines, content)
            files.add(self._state, number, lines, line)
        lines.append(line)

    def _restore(self, number: int, lines: Lines) -> bool:
        """Open the journal anew and give a game back what it lacks of ``lines``; False where it is another game."""
        self._open()
        with self._folder.change_files():
            there = files.find_game(self._state, number).lines
            lines[:] = _as_named(number, there, lines)
            if there != lines[: len(there)]:
                return False
            files.rewrite(self._state, number, lines)
            self._go_on_with(number)
            return True


class GameLog:
    """One game being written. An entry is on the disk once ``append`` returns.

    Where the files turn out to be damaged or gone, the journal is opened anew and the game written there as it is known
    here, under a new number if need be, before the call goes on. A call that raises a ``JournalError`` has written
    nothing and may be tried again.
    """

    def __init__(
        self,
        journal: Journal,
        game: int,
        opening: Opening,
        language: Language,
        entries: Sequence[Entry],
        lines: Lines,
        taught: Taught = NOTHING_TAUGHT,
    ) -> None:
        self._journal, self.game, self._opening, self._language = journal, game, opening, language
        self.taught = taught
        """Whether the game teaches itself and what it has explained, as the journal has it."""
        self._entries, self._lines = list(entries), lines

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What happened in the game so far."""
        return tuple(self._entries)

    def append(self, entry: Entry) -> None:
        """Write an entry. A game that had ended goes on with it."""
        self._write(_write_entry(entry))
        self._entries.append(entry)

    def speak(self, language: Language) -> None:
        """Remember the language the game goes on in."""
        self._write({"at": _stamp_now(), "language": language.code})
        self._language = language

    def lay(self, mat_mm: tuple[float, float]) -> None:
        """Remember that the game goes on on a mat of this size (mm)."""
        self._write({"at": _stamp_now(), "mat_mm": list(mat_mm)})
        self._opening = self._opening.on_mat(mat_mm)

    def teach(self, taught: Taught) -> None:
        """Remember whether the game teaches itself, and what it has explained."""
        self._write({"at": _stamp_now(), "taught": taught.to_json()})
        self.taught = taught

    def end(self, result: Result) -> None:
        """Remember how the game ended."""
        self._write({"at": _stamp_now(), "result": result.to_json()})

    def _write(self, content: Mapping[str, Any]) -> None:
        try:
            return self._journal._add(self.game, self._lines, content)
        except JournalError as error:
            if self._journal._closed or error.trouble not in (Trouble.DAMAGED, Trouble.GONE):
                raise
        if not self._journal._restore(self.game, self._lines):
            anew = self._journal.begin(self._opening, self._language, self._entries, identity_of(self._lines))
            self.game, self._lines = anew.game, anew._lines
            if self.taught != anew.taught:
                anew.teach(self.taught)
        return self._journal._add(self.game, self._lines, content)


def _as_named(number: int, there: Lines, lines: Lines) -> Lines:
    """Rename a game's lines as the players are named by now."""
    if not there or identity_of(there) != identity_of(lines):
        return lines
    named = there[:1]
    for line in lines[1:]:
        named.append(files.seal(number, named, files.text_of(line)))
    return named


def _write_entry(entry: Entry) -> dict[str, Any]:
    return {"kind": entry.kind, "data": dict(entry.data), "at": _stamp_now()}


def _stamp_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
