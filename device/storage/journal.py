"""The journal: every game, entry by entry, on the disk before the display shows it.

``journal.db`` in the state folder is SQLite in WAL mode with ``synchronous=FULL``; nothing in it is rewritten but the
few words that say whether a game has ended. See ``device.storage.journal_file`` for what happens to a damaged one.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as state:
...     journal = Journal.open(Path(state))
...     log = journal.begin(Opening(("Hilbert", "Banach", "Noether")), Language.EN)
...     log.append(Entry("move", {"do": "setup", "discard": "T8"}))
...     journal.close()
...     with Journal.open(Path(state)) as again:
...         again.resume(log.game).entries
(Entry(kind='move', data={'do': 'setup', 'discard': 'T8'}),)
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, TypeVar

from device.errors import DeviceError
from device.json_text import read_object
from device.speech import Language
from device.storage.journal_file import (
    NAME,
    JournalError,
    JournalFile,
    SetAside,
    Trouble,
    first_link,
    next_link,
    open_file,
    seal,
)
from device.storage.opening import Opening, Result
from referee.history import Entry

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

_T = TypeVar("_T")

WAIT_S = 1.0
"""How long another program may hold the journal before a call gives up."""
_MOST_GAMES = 2**63 - 1
"""SQLite numbers no more."""


class UnreadableGameError(DeviceError):
    """What the journal holds of a game is not what this version writes; the other games are not concerned."""

    def __init__(self, number: int, entry: int | None = None) -> None:
        at, at_ja = ("", "") if entry is None else (f" beyond its entry {entry}", f"{entry}番目の記録から先が")
        super().__init__(
            f"Game {number} can't be read{at}; it was written by another version of Sevenmat, and 'sevenmat games "
            f"delete {number}' removes it.",
            f"対局{number}は{at_ja}読めません。別の版のSevenmatの記録です。"
            f"sevenmat games delete {number} で削除できます。",
        )
        self.number, self.entry = number, entry

    def __reduce__(self) -> tuple[type[UnreadableGameError], tuple[int, int | None]]:  # type: ignore[override]
        return type(self), (self.number, self.entry)


class UnknownGameError(DeviceError):
    """There is no game of that number in the journal."""

    def __init__(self, number: int) -> None:
        super().__init__(
            f"There is no game {number} in the journal; 'sevenmat games' lists those there are.",
            f"対局{number}は記録にありません。sevenmat games で一覧を表示できます。",
        )
        self.number = number

    def __reduce__(self) -> tuple[type[UnknownGameError], tuple[int]]:  # type: ignore[override]
        return type(self), (self.number,)


@dataclass(frozen=True, slots=True)
class Kept:
    """A game in the journal. Times are the clock's word, which may jump; games are in order by their number."""

    number: int
    opening: Opening
    language: Language
    started: datetime
    ended: datetime | None
    result: Result | None
    entries: int


class Journal:
    """The games on the disk. Any thread may call, one at a time."""

    def __init__(self, state: Path, wait_s: float) -> None:
        self._state, self._wait_s = state, wait_s
        self._turn = RLock()
        self._closed = False
        self._file: JournalFile = open_file(state, wait_s)

    @classmethod
    def open(cls, state: Path, wait_s: float = WAIT_S) -> Journal:
        """Open the journal in the state folder, a new one where there is none.

        A damaged one is set aside under another name and what can be read of it goes into a new one; ``set_aside``
        then says so.

        Raises:
            JournalError: it is locked or of a newer schema, the folder can't be written, or the disk is full.
        """
        return cls(state, wait_s)

    @staticmethod
    def exists(state: Path) -> bool:
        """Whether there is a journal in the state folder, or what is left of one."""
        return any(state.glob(f"{NAME}*"))

    @property
    def set_aside(self) -> SetAside | None:
        """What was set aside when the journal was opened, the last time if that was while a game went on."""
        return self._file.set_aside

    def begin(self, opening: Opening, language: Language, entries: Sequence[Entry] = ()) -> GameLog:
        """Begin a game, with what has happened in it already; it is the one to go on with.

        Raises:
            JournalError: nothing was written.
        """
        text, started = _json(opening.to_json()), _now()
        with self._changing() as database:
            number = _free_number(database)
            sealed = seal(number, text, started, language.value, None, None)
            row = (number, text, started, language.value, None, None, sealed)
            database.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            link = first_link(number, text, started)
            for count, entry in enumerate(entries, 1):
                link = _write(database, number, count, link, entry)
            _go_on_with(database, number)
        return GameLog(self, number, opening, language, tuple(entries), link)

    def resume(self, number: int) -> GameLog:
        """Go on writing a game, which becomes the one to go on with.

        Raises:
            UnknownGameError: there is none of that number.
            UnreadableGameError: another version wrote it.
            JournalError: it can't be read, or not be written.
        """
        self.go_on_with(number)
        kept = self.game(number)
        with self._changing() as database:
            opened = database.execute("SELECT id, opening, started FROM games WHERE id = ?", (number,)).fetchone()
            rows = database.execute(
                "SELECT kind, data, link FROM entries WHERE game = ? ORDER BY number", (number,)
            ).fetchall()
        if opened is None:
            raise UnknownGameError(number)
        entries = _entries(number, ((kind, data) for kind, data, _ in rows))
        link = rows[-1][2] if rows else first_link(*opened)
        return GameLog(self, number, kept.opening, kept.language, entries, link)

    def games(self) -> tuple[Kept, ...]:
        """All games that can be read, the oldest first.

        Raises:
            JournalError: they can't be read.
        """
        return tuple(kept for kept in self._kept("ORDER BY id").values() if kept is not None)

    def unreadable(self) -> tuple[int, ...]:
        """The numbers of the games that another version wrote, so that they can't be read.

        Raises:
            JournalError: the journal can't be read.
        """
        return tuple(number for number, kept in self._kept("ORDER BY id").items() if kept is None)

    def game(self, number: int) -> Kept:
        """The game of that number.

        Raises:
            UnknownGameError: there is none.
            UnreadableGameError: another version wrote it.
            JournalError: it can't be read.
        """
        found = self._find(number)
        if found is None:
            raise UnreadableGameError(number)
        return found

    def _find(self, number: int) -> Kept | None:
        """The game of that number, ``None`` where it is there and can't be read.

        Raises:
            UnknownGameError: there is none.
            JournalError: the journal can't be read.
        """
        found = self._kept("WHERE id = ?", number) if 0 < number <= _MOST_GAMES else {}
        if number not in found:
            raise UnknownGameError(number)
        return found[number]

    def entries(self, number: int) -> tuple[Entry, ...]:
        """What happened in a game, in order.

        Raises:
            UnknownGameError: there is none of that number.
            UnreadableGameError: another version wrote it.
            JournalError: it can't be read.
        """
        self.game(number)
        with self._turn, self._file.reading() as database:
            rows = database.execute(
                "SELECT kind, data FROM entries WHERE game = ? ORDER BY number", (number,)
            ).fetchall()
        return _entries(number, rows)

    @property
    def going_on(self) -> Kept | None:
        """The game to go on with after a start: the one last written or chosen, unless it has ended.

        Raises:
            JournalError: it can't be read.
        """
        found = self._kept("WHERE ended IS NULL AND id = (SELECT game FROM going_on)")
        return next((kept for kept in found.values() if kept is not None), None)

    def go_on_with(self, number: int) -> None:
        """Choose the game to go on with at the next start.

        Raises:
            UnknownGameError: there is none of that number.
            UnreadableGameError: another version wrote it.
            JournalError: the choice could not be written.
        """
        self.game(number)
        with self._changing() as database:
            _go_on_with(database, number)

    def delete(self, number: int) -> None:
        """Delete a game; nothing of it stays in the file.

        Raises:
            UnknownGameError: there is none of that number.
            JournalError: it was not deleted.
        """
        self._find(number)
        with self._changing() as database:
            database.execute("DELETE FROM going_on WHERE game = ?", (number,))
            database.execute("DELETE FROM games WHERE id = ?", (number,))
        # Older pages in the log still hold the game; whoever reads the journal just now keeps them a while longer.
        with self._turn, suppress(sqlite3.OperationalError):
            self._file.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Let go of the file; closing twice does no harm."""
        with self._turn:
            self._closed = True
            self._file.close()

    def _open_again(self) -> None:
        """Open the file anew, which sets a damaged one aside.

        Raises:
            JournalError: it can't be, now; it is tried again with the next call that needs it.
        """
        with self._turn:
            self._file.close()
            self._file = open_file(self._state, self._wait_s)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._turn, self._file.changing() as database:
            yield database

    def _kept(self, which: str, *values: int) -> dict[int, Kept | None]:
        """Games by their numbers, ``None`` for one that can't be read."""
        count = "(SELECT count(*) FROM entries WHERE game = id)"
        columns = f"id, opening, language, started, ended, result, {count}"
        with self._turn, self._file.reading() as database:
            rows = database.execute(f"SELECT {columns} FROM games {which}", values).fetchall()
        return {row[0]: _game(*row) for row in rows}


class GameLog:
    """One game being written. An entry is on the disk once ``append`` returns.

    Where the file turns out to be damaged or gone, the journal is opened anew and the game written there as it is known
    here, under a new number if need be, before the call goes on.
    """

    def __init__(
        self,
        journal: Journal,
        game: int,
        opening: Opening,
        language: Language,
        entries: tuple[Entry, ...],
        link: str,
    ) -> None:
        self._journal = journal
        self.game = game
        self._opening, self._language = opening, language
        self._entries = list(entries)
        self._link = link

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What happened in the game so far."""
        return tuple(self._entries)

    def append(self, entry: Entry) -> None:
        """Write an entry. A game that had ended goes on with it.

        Raises:
            JournalError: it was not written; the same entry may be tried again.
        """

        def write(database: sqlite3.Connection) -> str:
            link = _write(database, self.game, len(self._entries) + 1, self._link, entry)
            if database.execute("SELECT ended FROM games WHERE id = ?", (self.game,)).fetchone() != (None,):
                self._reseal(database, ended=None, result=None)
            return link

        self._link = self._change(write)
        self._entries.append(entry)

    def speak(self, language: Language) -> None:
        """Remember the language the game goes on in.

        Raises:
            JournalError: it was not written.
        """
        self._change(lambda database: self._reseal(database, language=language.value))
        self._language = language

    def end(self, result: Result) -> None:
        """Remember how the game ended.

        Raises:
            JournalError: it was not written.
        """
        text = _json(result.to_json())
        self._change(lambda database: self._reseal(database, ended=_now(), result=text))

    def _change(self, write: Callable[[sqlite3.Connection], _T]) -> _T:
        try:
            with self._journal._changing() as database:
                return write(database)
        except JournalError as error:
            if self._journal._closed or error.trouble not in (Trouble.DAMAGED, Trouble.GONE):
                raise
        self._journal._open_again()
        self._come_back()
        with self._journal._changing() as database:
            return write(database)

    def _come_back(self) -> None:
        """Write into a journal opened anew what it lacks of this game."""
        try:
            there = self._journal.resume(self.game)
        except (UnknownGameError, UnreadableGameError):
            there = None
        if there is not None and there._opening == self._opening and _begins(self._entries, there._entries):
            for entry in self._entries[len(there._entries) :]:
                there.append(entry)
        else:
            there = self._journal.begin(self._opening, self._language, self._entries)
        self.game, self._link = there.game, there._link

    def _reseal(self, database: sqlite3.Connection, **changes: str | None) -> None:
        names = ("id", "opening", "started", "language", "ended", "result")
        found = database.execute(f"SELECT {', '.join(names)} FROM games WHERE id = ?", (self.game,)).fetchone()
        if found is None:
            raise sqlite3.IntegrityError("the game was deleted")
        row = {**dict(zip(names, found, strict=True)), **changes}
        values = (row["language"], row["ended"], row["result"], seal(*row.values()), self.game)
        database.execute("UPDATE games SET language = ?, ended = ?, result = ?, seal = ? WHERE id = ?", values)


def _begins(entries: Sequence[Entry], beginning: Sequence[Entry]) -> bool:
    """Whether those entries are the first of these."""
    first = entries[: len(beginning)]
    return [(one.kind, _json(one.data)) for one in first] == [(one.kind, _json(one.data)) for one in beginning]


def _free_number(database: sqlite3.Connection) -> int:
    (last,) = database.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = 'games'").fetchone()
    return (last or 0) + 1


def _go_on_with(database: sqlite3.Connection, number: int) -> None:
    database.execute("INSERT OR REPLACE INTO going_on VALUES (1, ?)", (number,))


def _write(database: sqlite3.Connection, game: int, number: int, before: str, entry: Entry) -> str:
    at, data = _now(), _json(entry.data)
    link = next_link(before, number, at, entry.kind, data)
    row = (game, number, at, entry.kind, data, link)
    database.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", row)
    return link


def _game(
    number: int, opening: str, language: str, started: str, ended: str | None, result: str | None, entries: int
) -> Kept | None:
    """A row of ``games``, ``None`` where its columns do not hold what they should."""
    try:
        opened = Opening.from_json(_object(opening))
        return Kept(
            number,
            opened,
            Language(language),
            _when(started),
            None if ended is None else _when(ended),
            None if result is None else Result.from_json(_object(result), len(opened.players)),
            entries,
        )
    except ValueError:
        return None


def _entries(number: int, rows: Iterable[tuple[str, str]]) -> tuple[Entry, ...]:
    """A game's entries from their kinds and data.

    Raises:
        UnreadableGameError: one is none.
    """
    entries: list[Entry] = []
    for kind, data in rows:
        try:
            entries.append(Entry.from_json({"kind": kind, "data": _object(data)}))
        except ValueError as error:
            raise UnreadableGameError(number, len(entries) + 1) from error
    return tuple(entries)


def _object(text: object) -> dict[str, Any]:
    """The object that a column holds; SQLite may have kept bytes there.

    Raises:
        ValueError: it holds none.
    """
    return read_object(_text(text))


def _when(text: object) -> datetime:
    """The moment that a column holds.

    Raises:
        ValueError: it holds none, or one that no clock shows.
    """
    moment = datetime.fromisoformat(_text(text))
    if not 1970 <= moment.year < 9000:
        raise ValueError("no moment of a game")
    return moment


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("no text")
    return value


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
