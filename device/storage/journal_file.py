"""The journal's file: its schema and versions, the sums that show damage, and setting a damaged file aside.

Every entry carries a sum over itself and the sum before it, a game's first one over the game's opening, so that
damage which SQLite does not notice is found, and so that rows read from the pages of a broken file can be believed.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NoReturn

from device.errors import DeviceError
from device.storage.sqlite_pages import has_lost_commits, rows_in

NAME = "journal.db"
APPLICATION_ID = 0x53564D54
"""Marks an SQLite file as a journal of ours: ``SVMT``."""

_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE games (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            opening TEXT NOT NULL,
            started TEXT NOT NULL,
            language TEXT NOT NULL,
            ended TEXT,
            result TEXT,
            seal TEXT NOT NULL
        )""",
        """CREATE TABLE entries (
            game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            data TEXT NOT NULL,
            link TEXT NOT NULL,
            PRIMARY KEY (game, number)
        )""",
    ),
    ("CREATE TABLE going_on (only INTEGER PRIMARY KEY CHECK (only = 1), game INTEGER NOT NULL)",),
)
"""What leads from each schema version to the next; a new file goes through all of them."""

VERSION = len(_MIGRATIONS)
_SURELY_DAMAGED = 1000
"""A schema version that no Sevenmat will ever reach."""


class Trouble(Enum):
    """Why the journal can't be used."""

    LOCKED = "locked"
    FULL = "full"
    READ_ONLY = "read_only"
    FAILING = "failing"
    DAMAGED = "damaged"
    NEWER = "newer"
    GONE = "gone"
    TAKEN = "taken"


class JournalError(DeviceError):
    """The journal can't be used as asked, and nothing of what was asked has been written.

    After ``LOCKED``, ``FULL``, ``READ_ONLY`` and ``FAILING`` the same call may be tried again once the cause is
    mended; after ``DAMAGED`` and ``GONE`` the journal has to be opened anew, which sets a damaged file aside (a
    ``GameLog`` does so by itself).
    """

    def __init__(self, trouble: Trouble, en: str, ja: str) -> None:
        super().__init__(en, ja)
        self.trouble = trouble

    def __reduce__(self) -> tuple[type[JournalError], tuple[Trouble, str, str]]:  # type: ignore[override]
        return type(self), (self.trouble, self.en, self.ja)


@dataclass(frozen=True, slots=True)
class SetAside:
    """A damaged journal was set aside as ``path``; so many games and entries of it were recovered.

    ``cut_short`` counts the recovered games that lack their last entries, ``lost`` those of which nothing but entries
    was left.
    """

    path: Path
    games: int
    entries: int
    cut_short: int
    lost: int

    @property
    def en(self) -> str:
        """What happened, in English."""
        games = "1 game" if self.games == 1 else f"{self.games} games"
        cut = f", {self.cut_short} of them cut short" if self.cut_short else ""
        lost = f"; {self.lost} could not be recovered" if self.lost else ""
        return f"The journal was damaged and is kept as {self.path.name}; {games} recovered{cut}{lost}."

    @property
    def ja(self) -> str:
        """What happened, in Japanese."""
        cut = f"（うち{self.cut_short}件は途中まで）" if self.cut_short else ""
        lost = f"{self.lost}件は復元できませんでした。" if self.lost else ""
        return f"対局記録が壊れていたため、{self.path.name}として残しました。{self.games}件を復元しました{cut}。{lost}"


class _DamagedError(Exception):
    """The file is no whole journal."""


# --- sums


def _sum(*parts: object) -> str:
    return blake2b("\n".join(map(str, parts)).encode(), digest_size=16).hexdigest()


def first_link(game: int, opening: str, started: str) -> str:
    """The sum that a game's entries begin from."""
    return _sum("game", game, started, opening)


def next_link(before: str, number: int, at: str, kind: str, data: str) -> str:
    """An entry's sum over itself and the sum before it."""
    return _sum(before, number, at, kind, data)


def seal(game: int, opening: str, started: str, language: str, ended: str | None, result: str | None) -> str:
    """The sum over a whole row of ``games``."""
    return _sum("seal", game, started, language, ended, result, opening)


# --- opening


@dataclass
class JournalFile:
    """An open journal: the connection, the lock held as long as it is open, and what was set aside on opening."""

    path: Path
    database: sqlite3.Connection
    lock: int
    set_aside: SetAside | None
    _inode: int = field(init=False)

    def __post_init__(self) -> None:
        self._inode = self.path.stat().st_ino

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: on the disk when the block ends, or nothing of it written.

        Raises:
            JournalError: nothing was written.
        """
        if not self._is_there:
            raise self._gone()
        try:
            self.database.execute("BEGIN IMMEDIATE")
            yield self.database
            self.database.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            complain(error, self.path)
        except BaseException:
            self._roll_back()
            raise

    @property
    def _is_there(self) -> bool:
        """False where the file was closed, or what lies under its name is not what was opened."""
        try:
            return self.lock >= 0 and self.path.stat().st_ino == self._inode
        except OSError:
            return False

    def _gone(self) -> JournalError:
        return JournalError(
            Trouble.GONE,
            f"The journal {self.path} was moved or removed while in use; start Sevenmat again.",
            f"対局記録{self.path}が使用中に移動または削除されました。Sevenmatを起動し直してください。",
        )

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):
            if self.database.in_transaction:
                self.database.execute("ROLLBACK")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Look something up.

        Raises:
            JournalError: it can't be read.
        """
        if self.lock < 0:
            raise self._gone()
        try:
            yield self.database
        except sqlite3.Error as error:
            complain(error, self.path)

    def close(self) -> None:
        """Let go of the file; closing twice does no harm."""
        with suppress(sqlite3.Error):
            self.database.close()
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1


def open_file(state: Path, wait_s: float) -> JournalFile:
    """Open the journal in the state folder, a new one where there is none; see ``Journal.open``."""
    path = state / NAME
    try:
        state.mkdir(parents=True, exist_ok=True)
        lock = os.open(state / "journal.lock", os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise _cannot_write(path, error.strerror or str(error)) from error
    try:
        alone = _lock(lock, path, wait_s)
        if alone:
            set_aside, database = _open_alone(path, wait_s)
            fcntl.flock(lock, fcntl.LOCK_SH)
        else:
            set_aside, database = None, _open_beside(path, wait_s)
        return JournalFile(path, database, lock, set_aside)
    except sqlite3.Error as error:
        os.close(lock)
        complain(error, path)
    except OSError as error:
        os.close(lock)
        if error.errno is not None and error.errno in _DISK_FULL:
            raise _full() from error
        raise _cannot_write(path, error.strerror or str(error)) from error
    except BaseException:
        os.close(lock)
        raise


def _lock(lock: int, path: Path, wait_s: float) -> bool:
    """Take the lock, alone where nobody else has the journal open (True), otherwise beside them (False)."""
    until = time.monotonic() + wait_s
    while True:
        for way in (fcntl.LOCK_EX, fcntl.LOCK_SH):
            with suppress(BlockingIOError):
                fcntl.flock(lock, way | fcntl.LOCK_NB)
                return way == fcntl.LOCK_EX
        if time.monotonic() >= until:
            raise _locked(path)
        time.sleep(0.02)


def _open_beside(path: Path, wait_s: float) -> sqlite3.Connection:
    try:
        return _checked(path, wait_s)
    except _DamagedError:
        raise JournalError(
            Trouble.DAMAGED,
            f"The journal {path} is damaged and in use by another Sevenmat; stop that one and start again.",
            f"対局記録{path}が壊れていますが、別のSevenmatが使用中です。それを終了してから、もう一度起動してください。",
        ) from None


def _open_alone(path: Path, wait_s: float) -> tuple[SetAside | None, sqlite3.Connection]:
    log, new = _beside(path, "-wal"), _beside(path, ".new")
    stopped_setting_aside = any(_set_aside_before(path)) and _is_whole(new)
    if not path.exists() and not log.exists() and not stopped_setting_aside:
        _build(new, ())
        new.replace(path)
        _flush(path.parent)
        return None, _checked(path, wait_s)
    try:
        if not path.exists() or has_lost_commits(log):
            raise _DamagedError
        database = _checked(path, wait_s)
        new.unlink(missing_ok=True)
        return None, database
    except _DamagedError:
        set_aside = _set_aside(path)
        return set_aside, _checked(path, wait_s)


def _checked(path: Path, wait_s: float) -> sqlite3.Connection:
    """Open a journal, bring it to the newest schema, and check all that is in it.

    Raises:
        _DamagedError: it is no whole journal.
        JournalError: it is of a newer schema.
        sqlite3.Error: it can't be opened for another reason.
    """
    if not path.exists() or path.stat().st_size == 0:
        raise _DamagedError
    database = sqlite3.connect(path, timeout=wait_s, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("PRAGMA secure_delete = ON")
        database.execute("PRAGMA wal_autocheckpoint = 250")
        _migrate(database, path)
        if database.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            raise _DamagedError
        if _schema(database) != _newest_schema():
            raise _DamagedError
        database.execute("BEGIN")  # one moment of the journal: another program may be writing
        check_sums(database)
        database.execute("COMMIT")
    except sqlite3.DatabaseError as error:
        database.close()
        if _trouble(error) is Trouble.DAMAGED:
            raise _DamagedError from error
        raise
    except UnicodeDecodeError as error:  # a name in the schema, or in SQLite's message
        database.close()
        raise _DamagedError from error
    except BaseException:
        database.close()
        raise
    return database


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    (ours,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if ours != APPLICATION_ID or not 0 < version < _SURELY_DAMAGED:
        raise _DamagedError
    if version > VERSION:
        raise JournalError(
            Trouble.NEWER,
            f"The journal {path} was written by a newer Sevenmat (schema {version}, this one knows {VERSION}); "
            "update Sevenmat, or move that file away.",
            f"対局記録{path}は新しい版のSevenmatのものです（形式{version}、この版は{VERSION}まで）。"
            "Sevenmatを更新するか、そのファイルを移動してください。",
        )
    if version < VERSION:
        database.execute("BEGIN IMMEDIATE")
        _bring_up(database, version)
        database.execute("COMMIT")


def _bring_up(database: sqlite3.Connection, version: int) -> None:
    for steps in _MIGRATIONS[version:]:
        for step in steps:
            database.execute(step)
    database.execute(f"PRAGMA user_version = {VERSION}")


def _schema(database: sqlite3.Connection) -> list[tuple[bytes, ...]]:
    """What the tables are called and how they were made, but for white space: damage there passes SQLite's check."""
    rows = database.execute("SELECT CAST(name AS BLOB), CAST(ifnull(sql, '') AS BLOB) FROM sqlite_master ORDER BY name")
    return [tuple(b" ".join(text.split()) for text in row) for row in rows]


@cache
def _newest_schema() -> list[tuple[bytes, ...]]:
    with closing(sqlite3.connect(":memory:")) as database:
        _bring_up(database, 0)
        return _schema(database)


def check_sums(database: sqlite3.Connection) -> None:
    """Check every game's seal and the links of its entries.

    Raises:
        _DamagedError: one is wrong.
    """
    links: dict[int, tuple[int, str]] = {}
    for game, opening, started, language, ended, result, sealed in database.execute("SELECT * FROM games"):
        if sealed != seal(game, opening, started, language, ended, result):
            raise _DamagedError
        links[game] = 0, first_link(game, opening, started)
    for game, number, at, kind, data, link in database.execute("SELECT * FROM entries ORDER BY game, number"):
        count, before = links.get(game, (-1, ""))
        if number != count + 1 or link != next_link(before, number, at, kind, data):
            raise _DamagedError
        links[game] = number, link


# --- setting aside

_GameRow = tuple[int, str, str, str, str | None, str | None, str]
_EntryRow = tuple[int, int, str, str, str, str]


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _set_aside(path: Path) -> SetAside:
    """Put what can be read of a damaged journal into a new one, and keep the damaged one under another name.

    The new one is whole before the old one is renamed, so a stop at any moment loses nothing: where only the new one
    is found, it takes the place.
    """
    log, new = _beside(path, "-wal"), _beside(path, ".new")
    aside = _name_aside(path)
    if path.exists() or not _is_whole(new):
        salvaged = _Salvaged.read(path, log)
        _build(new, salvaged.games.values(), [row for rows in salvaged.entries.values() for row in rows])
        cut_short, lost = salvaged.cut_short, salvaged.lost
    else:
        cut_short = lost = 0
    if path.exists():
        path.replace(aside)
    if log.exists():
        log.replace(_beside(aside, "-wal"))
    _beside(path, "-shm").unlink(missing_ok=True)
    new.replace(path)
    _flush(path.parent)
    database = sqlite3.connect(path)
    try:
        (games,) = database.execute("SELECT count(*) FROM games").fetchone()
        (entries,) = database.execute("SELECT count(*) FROM entries").fetchone()
    finally:
        database.close()
    return SetAside(aside, games, entries, cut_short, lost)


def _set_aside_before(path: Path) -> list[Path]:
    """The damaged journals that lie beside this one, the oldest first."""
    return sorted(path.parent.glob("journal-damaged-*.db"))


def _name_aside(path: Path) -> Path:
    """The name that a damaged journal gets, or has got already where the program was stopped while setting it aside."""
    if not path.exists() and (before := _set_aside_before(path)):
        return before[-1]
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside, number = path.with_name(f"journal-damaged-{stamp}.db"), 1
    while aside.exists() or _beside(aside, "-wal").exists():
        number += 1
        aside = path.with_name(f"journal-damaged-{stamp}-{number}.db")
    return aside


def _is_whole(new: Path) -> bool:
    """Whether there is a new journal that had been finished when the program was stopped."""
    try:
        _checked(new, 0.0).close()
    except (_DamagedError, sqlite3.Error):
        return False
    return True


def _build(new: Path, games: Iterable[_GameRow], entries: Iterable[_EntryRow] = ()) -> None:
    """A new journal with these rows, whole or not there at all."""
    for ending in ("", "-wal", "-shm", "-journal"):
        _beside(new, ending).unlink(missing_ok=True)
    database = sqlite3.connect(new, isolation_level=None)
    try:
        database.execute("PRAGMA synchronous = FULL")
        database.execute("BEGIN")
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _bring_up(database, 0)
        database.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", games)
        database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", entries)
        database.execute("INSERT INTO going_on SELECT 1, max(id) FROM games WHERE ended IS NULL HAVING max(id)")
        database.execute("COMMIT")
    finally:
        database.close()
    if os.geteuid() == 0:
        # Made by the superuser who only looked in, it must still be the service's to write.
        folder = new.parent.stat()
        os.chown(new, folder.st_uid, folder.st_gid)
    _flush(new)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@dataclass
class _Salvaged:
    """Rows of a damaged journal whose sums are right: games by their number, and each one's entries from the first."""

    games: dict[int, _GameRow]
    entries: dict[int, list[_EntryRow]]
    cut_short: int
    lost: int

    @classmethod
    def read(cls, path: Path, log: Path) -> _Salvaged:
        games: dict[int, _GameRow] = {}
        unsealed: dict[int, _GameRow] = {}
        pieces: dict[int, dict[int, set[_EntryRow]]] = {}
        for rowid, columns in rows_in(path, log):
            match columns:
                case (
                    None,
                    str(opening),
                    str(started),
                    str(language),
                    (str() | None) as ended,
                    (str() | None) as result,
                    str(sealed),
                ):
                    row = (rowid, opening, started, language, ended, result, sealed)
                    right = sealed == seal(*row[:-1])
                    (games if right else unsealed)[rowid] = row
                case (int(game), int(number), str(at), str(kind), str(data), str(link)):
                    pieces.setdefault(game, {}).setdefault(number, set()).add((game, number, at, kind, data, link))
        entries: dict[int, list[_EntryRow]] = {}
        cut_short = 0
        for game, row in [*games.items(), *((game, row) for game, row in unsealed.items() if game not in games)]:
            found = _chain(first_link(*row[:3]), pieces.get(game, {}))
            if game not in games:
                if not found:
                    continue  # nothing says that its opening is right
                opened = (*row[:3], "ja" if row[3] == "ja" else "en", None, None)
                games[game] = (*opened, seal(*opened))
            entries[game] = found
            cut_short += len(found) < max(pieces.get(game, {}), default=0)
        return cls(games, entries, cut_short, len((pieces.keys() | unsealed.keys()) - games.keys()))


def _chain(before: str, pieces: dict[int, set[_EntryRow]]) -> list[_EntryRow]:
    """A game's entries from the first one on as far as their sums are right."""
    found: list[_EntryRow] = []
    while True:
        number = len(found) + 1
        right = [row for row in pieces.get(number, ()) if row[5] == next_link(before, *row[1:5])]
        if not right:
            return found
        found.append(right[0])
        before = right[0][5]


# --- errors

_DISK_FULL = (28, 122, 27)
"""ENOSPC, EDQUOT, EFBIG."""


def _trouble(error: sqlite3.Error) -> Trouble:
    if isinstance(error, sqlite3.IntegrityError):
        return Trouble.TAKEN
    code = getattr(error, "sqlite_errorcode", None)
    match None if code is None else code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Trouble.LOCKED
        case sqlite3.SQLITE_FULL:
            return Trouble.FULL
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return Trouble.READ_ONLY
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_ERROR | None:
            return Trouble.DAMAGED  # SQLITE_ERROR: a table or column of ours is not there
        case _:
            return Trouble.FAILING


def complain(error: sqlite3.Error, path: Path) -> NoReturn:
    """Say what SQLite met as a sentence for players.

    Raises:
        JournalError: always.
    """
    if isinstance(error, sqlite3.ProgrammingError):
        raise error
    match _trouble(error):
        case Trouble.LOCKED:
            said = _locked(path)
        case Trouble.FULL:
            said = _full()
        case Trouble.READ_ONLY:
            said = _cannot_write(path, str(error))
        case Trouble.DAMAGED:
            said = JournalError(
                Trouble.DAMAGED,
                f"The journal {path} is damaged ({error}); start Sevenmat again and it recovers what can be read.",
                f"対局記録{path}が壊れています（{error}）。Sevenmatを起動し直すと、読める分を復元します。",
            )
        case Trouble.TAKEN:
            said = JournalError(
                Trouble.TAKEN,
                "This game was changed or deleted in the journal by another program; start Sevenmat again.",
                "この対局の記録が別のプログラムによって変更または削除されました。Sevenmatを起動し直してください。",
            )
        case _:
            said = JournalError(
                Trouble.FAILING,
                f"The disk of the journal {path} fails ({error}); try again, and check the SD card.",
                f"対局記録{path}のディスクに異常があります（{error}）。もう一度試し、SDカードを確認してください。",
            )
    raise said from error


def _locked(path: Path) -> JournalError:
    return JournalError(
        Trouble.LOCKED,
        f"The journal {path} is in use by another program; close that one and try again.",
        f"対局記録{path}は別のプログラムが使用中です。それを終了してから、もう一度試してください。",
    )


def _full() -> JournalError:
    return JournalError(
        Trouble.FULL,
        "The disk is full and the journal could not be written; delete recordings or other files, then try again.",
        "ディスクがいっぱいで、対局記録に書き込めません。録画などを消してから、もう一度試してください。",
    )


def _cannot_write(path: Path, cause: str) -> JournalError:
    return JournalError(
        Trouble.READ_ONLY,
        f"The journal {path} can't be written ({cause}): make its folder writable; an SD card that became "
        "read-only is worn out.",
        f"対局記録{path}に書き込めません（{cause}）。フォルダを書き込み可能にしてください。読み取り専用になったSDカードは寿命です。",
    )
