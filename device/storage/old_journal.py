"""The journal of older versions, ``journal.db``: an SQLite file whose games are brought over once.

What was whole is kept as ``journal-old.db`` until a game is deleted. Of a damaged one, which is set aside, those rows
are taken that SQLite still reads from either end of its tables and whose sums are right.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

from device.files import flush
from device.json_text import read_object
from device.storage import game_file as files
from device.storage.trouble import JournalError, Trouble

_LOG, _DATABASE = _NAMES = "journal.db-wal", "journal.db"
_OURS, _NEWEST, _SURELY_DAMAGED = 0x53564D54, 2, 1000
_DAMAGES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def is_left(state: Path) -> bool:
    """Whether there is one to bring over."""
    return any((state / name).is_file() for name in _NAMES)


def forget(state: Path) -> None:
    """Remove what was brought over: a game that is deleted must not stay in it."""
    for path in state.glob("journal-old.db*"):
        path.unlink()


class _Database:
    """The old file, opened read-only; of a log without it SQLite reads nothing."""

    def __init__(self, path: Path) -> None:
        self.path, self.damaged = path, not path.is_file()
        name = ":memory:" if self.damaged else f"{path.absolute().as_uri()}?mode=ro"
        self.connection = sqlite3.connect(name, uri=True, timeout=1.0)

    def rows(self, query: str) -> Iterator[tuple[Any, ...]]:
        """The rows that can be read."""
        try:
            yield from self.connection.execute(query)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code not in _DAMAGES:
                trouble = Trouble.LOCKED if code == sqlite3.SQLITE_BUSY else Trouble.FAILING
                raise JournalError(trouble, self.path, str(error)) from error
            self.damaged = True

    def table(self, query: str) -> set[tuple[Any, ...]]:
        """The rows of a table that can be read from its first or its last on."""
        return {row for way in ("", " DESC") for row in self.rows(f"{query} NOT INDEXED ORDER BY rowid{way}")}

    def number(self, query: str) -> int:
        """The one number that a query gives."""
        return next((row[0] for row in self.rows(query)), 0)


def bring_over(state: Path, aside: Path) -> tuple[int, int]:
    """Bring all games over; a damaged file goes to ``aside``. Returns how many were cut short, and how many lost."""
    with closing((old := _Database(state / _DATABASE)).connection):
        version, ours = old.number("PRAGMA user_version"), old.number("PRAGMA application_id") == _OURS
        if ours and _NEWEST < version < _SURELY_DAMAGED:
            raise JournalError(Trouble.NEWER, old.path, str(version))
        old.damaged |= not (ours and 0 < version <= _NEWEST) or [*old.rows("PRAGMA integrity_check")] != [("ok",)]
        games = old.table("SELECT id, opening, started, language, ended, result, seal FROM games")
        rows = old.table("SELECT game, number, at, kind, data, link FROM entries")
        going_on = old.number("SELECT game FROM going_on") if version >= _NEWEST else 0
    cut, lost, places = 0, len({row[0] for row in rows} - {game[0] for game in games}), {}
    old.damaged |= lost > 0
    for number, opening, started, language, ended, result, seal in sorted(games, key=lambda game: int(game[0])):
        whole = seal == _sum("seal", number, started, language, ended, result, opening)
        link = _sum("game", number, started, opening)
        contents: list[dict[str, Any]] = [{"at": str(started), "language": language, "opening": _object(opening)}]
        mine = {row for row in rows if row[0] == number}
        while right := [row for row in mine if row[1] == len(contents) and row[5] == _sum(link, *row[1:5])]:
            _, _, at, kind, data, link = right[0]
            contents.append({"kind": str(kind), "data": _object(data), "at": str(at)})
        beyond = len(mine) >= len(contents)
        old.damaged |= beyond or not whole
        cut += beyond and (whole or len(contents) > 1)
        if whole and ended is not None:
            contents.append({"at": str(ended), "result": _object(result)})
        if whole or len(contents) > 1:
            places[number] = _place(state, number, contents)
        else:
            lost += 1  # nothing says that its opening is right
    files.rewrite(state, 0, [files.sealed(0, [], {"format": files.FORMAT, "going_on": places.get(going_on, 0)})])
    _put_away(state, aside if old.damaged else None)
    return cut, lost


def _place(state: Path, number: int, contents: list[dict[str, Any]]) -> int:
    """Write a game under its number, or, where that is another game's by now, under a new one."""
    lines = files.sealed_all(number, contents)
    there = files.look(state, number).lines
    if there and there[: len(lines)] != lines:
        return _place(state, files.numbers(state)[-1] + 1, contents)
    if not there:
        files.rewrite(state, number, lines)
    return number


def _put_away(state: Path, aside: Path | None) -> None:
    """Give the old files other names, so that they are not brought over again."""
    if aside:
        files.make_folder(aside)
    forget(state)
    for name in filter(lambda name: (state / name).is_file(), _NAMES):
        (state / name).replace(aside / name if aside else state / name.replace("journal", "journal-old"))
    (state / "journal.db-shm").unlink(missing_ok=True)
    flush(state)


def _object(text: object) -> object:
    """The object that a column holds; what is none stays a text, so that the game can't be read."""
    try:
        return read_object(str(text))
    except ValueError:
        return str(text)


def _sum(*parts: object) -> str:
    return blake2b("\n".join(map(str, parts)).encode(), digest_size=16).hexdigest()
