"""What a hall keeps: each entry and each result once, whatever comes twice or late, in SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Insert,
    Select,
    Table,
    case,
    create_engine,
    delete,
    event,
    func,
    make_url,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, SQLAlchemyError, StatementError

from device.addresses import without_password
from device.errors import DeviceError
from hall.messages import Event, GameResult
from hall.store.schema import CARD_TABLE, ENTRY, GAME, RESULT, SCORE
from hall.store.standings import PlayerTotals, count_place_points, join_totals
from rules.plain import shorten_line
from rules.text import Text

_DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgresql+psycopg": "postgresql+psycopg"}
_INSERTS = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
_REMEMBERED = 20_000
"""So many games are known without asking the database."""
_POSTGRESQL = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""A server that is cut off is given up after some 15 s, not after hours."""

BAD_URL = Text(
    "{url!r} is no database: give a file as sqlite:///hall.db, or postgresql://USER@HOST/NAME.",
    url="",
)
AWAY = Text("The database can't be used: {reason}.", reason="")
NEWER = Text("The database was made by a newer version of Sevenmat: install that one.")

Arrival = tuple[str, Event | GameResult]
"""What came, and from which table."""


class DatabaseAwayError(DeviceError):
    """The database can't be used now; it may be later."""


@dataclass(frozen=True, slots=True)
class TableNote:
    """What is kept of a table: since when it is online or not, and its open call.

    Times are by the hall's own clock, ``call_since`` by the table's; ``heard`` is when it was heard last.
    """

    name: str
    online: bool
    since: datetime
    call_since: datetime | None = None
    call_why: str | None = None
    called_at: datetime | None = None
    heard: datetime | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which results are meant: from a moment to before another, of one table, of one kind of game; ``None`` is all."""

    since: datetime | None = None
    before: datetime | None = None
    table: str | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """One result; players, points and places by seat."""

    game_id: str
    kind: str
    table: str
    began: datetime
    ended: datetime
    record_sha256: str
    players: tuple[str, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]

    @property
    def ranking(self) -> list[tuple[int, str, int]]:
        """Place, name and points of each player, the best first."""
        return sorted(zip(self.places, self.players, self.points, strict=True), key=lambda one: one[0])


class HallStore:
    """The database of one hall."""

    def __init__(self, engine: Engine, hall: str) -> None:
        self._engine, self._hall = engine, hall
        self._games: dict[str, tuple[int, str]] = {}
        self._strangers: set[tuple[str, str]] = set()
        """Games and the tables that say of them what they did not."""

    @classmethod
    def open(cls, url: str, hall: str) -> HallStore:
        """Open the hall's database, brought up to date, made where there is none.

        Raises:
            DeviceError: the URL can't be, or the database can't be used.
        """
        try:
            read = make_url(url)
            driver = _DRIVERS.get(read.drivername)
        except (ArgumentError, ValueError):
            driver = None
        if driver is None or (driver == "sqlite" and not _is_file(read)):
            raise DeviceError(BAD_URL.refill(url=shorten_line(without_password(url))))
        read = read.set(drivername=driver)
        try:
            engine = _make_engine(read)
            with engine.begin() as connection:
                _bring_up_to_date(connection)
        except CommandError as error:
            raise DeviceError(NEWER) from error
        except (SQLAlchemyError, OSError) as error:
            shown = shorten_line(without_password(url), 200)
            raise DeviceError(
                "The database {url} can't be used: {reason}.", url=shown, reason=_reason(error)
            ) from error
        return cls(engine, hall)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    # What comes

    def take(self, came: Sequence[Arrival], ended: Mapping[Event | GameResult, datetime] = MappingProxyType({})) -> int:
        """Keep what came, all of it or nothing; ``ended`` has when games ended whose table's clock is not believed.

        A game is known by its number, whatever its table is called by then. Returns how many messages contradict what
        is known of their game, and are not kept.

        Raises:
            DatabaseAwayError: the database can't be used now.
            ValueError: something can't be kept by any database.
        """
        try:
            with self._engine.begin() as connection:
                games = self._find_games(connection, {message.game_id: table for table, message in reversed(came)})
                own, moved = self._drop_strangers(connection, came, games)
                numbers = {game_id: number for game_id, (number, _) in games.items()}
                entries = [
                    {"game": numbers[one.game_id], "n": one.n, "line": one.line}
                    for _, one in own
                    if isinstance(one, Event)
                ]
                if entries:
                    once = self._insert(ENTRY).on_conflict_do_nothing(index_elements=["game", "n"])
                    connection.execute(once, entries)
                moved |= self._take_results(connection, own, numbers, ended)
                for game_id, table in moved.items():
                    here = update(GAME).where(GAME.c.id == numbers[game_id])
                    connection.execute(here.where(GAME.c.played_at != table).values(played_at=table))
        except DataError as error:
            raise ValueError(str(error)) from error
        except DBAPIError as error:
            raise DatabaseAwayError(AWAY.refill(reason=_reason(error))) from error
        except (StatementError, UnicodeError, OverflowError) as error:
            raise ValueError(str(error)) from error
        if len(self._games) > _REMEMBERED:
            self._games.clear()
        self._games |= games | {game_id: (numbers[game_id], table) for game_id, table in moved.items()}
        return len(came) - len(own)

    def _find_games(self, connection: Connection, tables: Mapping[str, str]) -> dict[str, tuple[int, str]]:
        """Return number and table of these games; new ones are played at the table that speaks of them first."""
        known = {game_id: self._games[game_id] for game_id in tables if game_id in self._games}
        new = [game_id for game_id in tables if game_id not in known]
        if new:
            rows = [{"hall": self._hall, "game_id": game_id, "played_at": tables[game_id]} for game_id in new]
            once = self._insert(GAME).on_conflict_do_nothing(index_elements=["hall", "game_id"])
            connection.execute(once, rows)
            found = select(GAME).where(GAME.c.hall == self._hall, GAME.c.game_id.in_(new))
            known |= {row.game_id: (row.id, row.played_at) for row in connection.execute(found)}
        return known

    def _drop_strangers(
        self, connection: Connection, came: Sequence[Arrival], games: Mapping[str, tuple[int, str]]
    ) -> tuple[Sequence[Arrival], dict[str, str]]:
        """Return what came without what strangers say, and the new names of tables that go on with their games.

        A table by another name than the game's is the same one, renamed, unless it says of that game what is not so.
        """
        renamed = {one.game_id for table, one in came if games[one.game_id][1] != table}
        moved: dict[str, str] = {}
        if not renamed:
            return came, moved
        asked = select(ENTRY).where(ENTRY.c.game.in_([games[game_id][0] for game_id in renamed]))
        lines = {(row.game, row.n): row.line for row in connection.execute(asked)}
        for table, one in sorted(came, key=lambda arrival: games[arrival[1].game_id][1] != arrival[0]):
            if one.game_id in renamed and isinstance(one, Event):
                game, owner = games[one.game_id]
                if (game, one.n) not in lines:
                    lines[game, one.n], moved[one.game_id] = one.line, table
                elif lines[game, one.n] != one.line and table != owner:
                    self._strangers.add((one.game_id, table))
        own = [(table, one) for table, one in came if (one.game_id, table) not in self._strangers]
        return own, {game_id: table for game_id, table in moved.items() if (game_id, table) not in self._strangers}

    def _take_results(
        self,
        connection: Connection,
        came: Sequence[Arrival],
        numbers: Mapping[str, int],
        ended: Mapping[Event | GameResult, datetime],
    ) -> dict[str, str]:
        """Keep the last result of each game, by when its table says that it ended, unless that was taken back.

        Returns the tables of those that are new.
        """
        newest: dict[str, tuple[str, GameResult]] = {}
        for table, one in came:
            if isinstance(one, GameResult):
                known = newest.get(one.game_id)
                if known is None or _order_result(one) > _order_result(known[1]):
                    newest[one.game_id] = table, one
        if not newest:
            return {}
        there = select(GAME.c.game_id, GAME.c.withdrawn, RESULT.c.told_ended).select_from(GAME).outerjoin(RESULT)
        before = {
            row.game_id: max([(row[at], at == 1) for at in (1, 2) if row[at] is not None], default=None)
            for row in connection.execute(there.where(GAME.c.id.in_([numbers[game_id] for game_id in newest])))
        }
        taken = [
            one for one in newest.values() if (last := before[one[1].game_id]) is None or _order_result(one[1]) > last
        ]
        games = [numbers[one.game_id] for _, one in taken]
        # A foreign key leads from each score to its result, so these go first and come last.
        connection.execute(delete(SCORE).where(SCORE.c.game.in_(games)))
        connection.execute(delete(RESULT).where(RESULT.c.game.in_(games)))
        for _, one in taken:
            game, end = numbers[one.game_id], ended.get(one, one.ended)
            if one.withdrawn:
                connection.execute(update(GAME).where(GAME.c.id == game).values(withdrawn=one.ended))
                continue
            row = {"game": game, "kind": one.game, "record_sha256": one.record_sha256, "told_ended": one.ended}
            row |= {"began": end - (one.ended - one.began), "ended": end}
            connection.execute(self._insert(RESULT), row)
            connection.execute(self._insert(SCORE), _make_scores(game, one))
        return {one.game_id: table for table, one in taken}

    def _insert(self, table: Table) -> Any:
        insert: Insert = _INSERTS[self._engine.dialect.name](table)
        return insert

    def keep_notes(self, notes: Iterable[TableNote]) -> None:
        """Keep these tables' notes.

        Raises:
            DatabaseAwayError: the database can't be used now.
        """
        rows = [{"hall": self._hall, **{name: getattr(one, name) for name in TableNote.__slots__}} for one in notes]
        if not rows:
            return
        insert = self._insert(CARD_TABLE)
        new = {name: insert.excluded[name] for name in TableNote.__slots__ if name != "name"}
        try:
            with self._engine.begin() as connection:
                connection.execute(insert.on_conflict_do_update(index_elements=["hall", "name"], set_=new), rows)
        except DBAPIError as error:
            raise DatabaseAwayError(AWAY.refill(reason=_reason(error))) from error

    # What is looked at

    def list_notes(self) -> list[TableNote]:
        """Return the notes of every table that has been here.

        Raises:
            DatabaseAwayError: the database can't be used now.
        """
        columns = [CARD_TABLE.c[name] for name in TableNote.__slots__]
        return [TableNote(*row) for row in self._ask(select(*columns).where(CARD_TABLE.c.hall == self._hall))]

    def list_results(self, chosen: Chosen, most: int | None = None) -> list[FinishedGame]:
        """Return the results, the newest first.

        Raises:
            DatabaseAwayError: the database can't be used now.
        """
        meant = (
            self._select_chosen(chosen, GAME.c.id)
            .order_by(RESULT.c.ended.desc(), GAME.c.id.desc())
            .limit(most)
            .subquery()
        )
        columns = (
            GAME.c.id,
            GAME.c.game_id,
            RESULT.c.kind,
            GAME.c.played_at,
            RESULT.c.began,
            RESULT.c.ended,
            RESULT.c.record_sha256,
            SCORE.c.player,
            SCORE.c.points,
            SCORE.c.place,
        )
        joined = meant.join(GAME, GAME.c.id == meant.c.id).join(RESULT).join(SCORE, SCORE.c.game == GAME.c.id)
        order = RESULT.c.ended.desc(), GAME.c.id.desc(), SCORE.c.seat
        found: dict[int, tuple[Sequence[Any], list[Sequence[Any]]]] = {}
        for game, *about, player, points, place in self._ask(select(*columns).select_from(joined).order_by(*order)):
            found.setdefault(game, (about, []))[1].append((player, points, place))
        return [FinishedGame(*about, *zip(*seats, strict=True)) for about, seats in found.values()]

    def count(self, chosen: Chosen) -> int:
        """Count the results.

        Raises:
            DatabaseAwayError: the database can't be used now.
        """
        return int(self._ask(self._select_chosen(chosen, func.count()))[0][0])

    def list_totals(self, chosen: Chosen) -> list[PlayerTotals]:
        """Return the totals of each player in these results.

        Raises:
            DatabaseAwayError: the database can't be used now.
        """
        first = func.sum(case((SCORE.c.place == 1, 1), else_=0))
        sums = func.count(), first, func.sum(SCORE.c.place_points), func.sum(SCORE.c.points)
        asked = self._select_chosen(chosen, SCORE.c.player, *sums).join(SCORE, SCORE.c.game == RESULT.c.game)
        return join_totals(PlayerTotals(*row) for row in self._ask(asked.group_by(SCORE.c.player)))

    def list_kinds(self) -> list[str]:
        """Return the kinds of games that have been played.

        Raises:
            DatabaseAwayError: the database can't be used now.
        """
        return [
            row[0] for row in self._ask(self._select_chosen(Chosen(), RESULT.c.kind).distinct().order_by(RESULT.c.kind))
        ]

    def list_tables(self) -> list[str]:
        """Return the tables where games have ended.

        Raises:
            DatabaseAwayError: the database can't be used now.
        """
        return [row[0] for row in self._ask(self._select_chosen(Chosen(), GAME.c.played_at).distinct())]

    def _select_chosen(self, chosen: Chosen, *columns: Any) -> Select[Any]:
        asked = select(*columns).select_from(RESULT).join(GAME, GAME.c.id == RESULT.c.game)
        asked = asked.where(GAME.c.hall == self._hall)
        if chosen.since is not None:
            asked = asked.where(RESULT.c.ended >= chosen.since)
        if chosen.before is not None:
            asked = asked.where(RESULT.c.ended < chosen.before)
        if chosen.table is not None:
            asked = asked.where(GAME.c.played_at == chosen.table)
        return asked if chosen.kind is None else asked.where(RESULT.c.kind == chosen.kind)

    def _ask(self, asked: Select[Any]) -> Sequence[Any]:
        try:
            with self._engine.connect() as connection:
                return connection.execute(asked).all()
        except DBAPIError as error:
            raise DatabaseAwayError(AWAY.refill(reason=_reason(error))) from error


def _order_result(result: GameResult) -> tuple[datetime, bool]:
    """Return what orders a game's results: one that was taken back comes after that one."""
    return result.ended, result.withdrawn


def _make_scores(game: int, result: GameResult) -> list[dict[str, Any]]:
    each = zip(result.players, result.points, result.places, count_place_points(result.places), strict=True)
    return [
        {"game": game, "seat": seat, "player": player, "points": points, "place": place, "place_points": left_behind}
        for seat, (player, points, place, left_behind) in enumerate(each, 1)
    ]


def _is_file(url: URL) -> bool:
    """Return whether a SQLite database is a file: in memory, each thread would have another one, gone with it."""
    return bool(url.database) and url.database != ":memory:" and not url.query


def _make_engine(url: URL) -> Engine:
    if url.drivername != "sqlite":
        return create_engine(url, pool_pre_ping=True, connect_args=_POSTGRESQL)
    Path(url.database or "").parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url)

    def prepare(connection: Any, _: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", prepare)
    return engine


def _bring_up_to_date(connection: Connection) -> None:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    command.upgrade(config, "head")


def _reason(error: Exception) -> str:
    """Why the database refuses something, in its own words, in one line."""
    told = str(getattr(error, "orig", None) or error).strip()
    return shorten_line(told.splitlines()[0] if told else type(error).__name__, 200).rstrip(".")
