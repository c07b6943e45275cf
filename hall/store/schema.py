"""The database's tables as they are now; how they came to be so is in ``migrations``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

METADATA = MetaData()


class UtcTime(TypeDecorator[datetime]):
    """A moment, kept in UTC; SQLite knows no zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _: Dialect) -> datetime | None:
        """Return a moment as it is written."""
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: Any, _: Dialect) -> datetime | None:
        """Return a moment as it was written."""
        return value.replace(tzinfo=value.tzinfo or UTC) if value is not None else None


GAME = Table(
    "game",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("hall", String, nullable=False),
    Column("game_id", String, nullable=False),
    Column("played_at", String, nullable=False),
    Column("withdrawn", UtcTime),
    UniqueConstraint("hall", "game_id", name="game_once"),
)
"""Each game, the name of the table where it is played, and the moment, by that table's clock, when its result was taken
back last."""

ENTRY = Table(
    "entry",
    METADATA,
    Column("game", Integer, ForeignKey("game.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The journal's entries, each once."""

RESULT = Table(
    "result",
    METADATA,
    Column("game", Integer, ForeignKey("game.id"), primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("began", UtcTime, nullable=False),
    Column("ended", UtcTime, nullable=False),
    Column("told_ended", UtcTime, nullable=False),
    Column("record_sha256", String, nullable=False),
    Index("result_ended", "ended"),
)
"""How each game ended; ``kind`` is the game's name in records.

``began`` and ``ended`` are what it counts for; ``told_ended`` is the table's own word, by which a later one is known.
"""

SCORE = Table(
    "score",
    METADATA,
    Column("game", Integer, ForeignKey("result.game"), primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String, nullable=False),
    Column("points", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("place_points", Float, nullable=False),
    Index("score_player", "player"),
)
"""What each player came to; ``place_points`` is one for each player left behind, half for each one level."""

CARD_TABLE = Table(
    "card_table",
    METADATA,
    Column("hall", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("online", Boolean, nullable=False),
    Column("since", UtcTime, nullable=False),
    Column("call_since", UtcTime),
    Column("call_why", String),
    Column("called_at", UtcTime),
    Column("heard", UtcTime),
)
"""The tables of a hall, since when they are online or not, the call that is open, and when they were heard last, all by
the hall's own clock."""
