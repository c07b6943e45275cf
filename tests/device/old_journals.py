"""Journals as Sevenmat wrote them until 0.1.0: an SQLite file in WAL mode, each row with a sum."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from device.storage.opening import Result
from referee.history import Entry
from tests.device.openings import opening

OPENING = opening(("Hilbert", "バナッハ", "Noether"), 2, "our deck")
AT = "2026-11-21T10:00:00.000+00:00"
_TABLES = """
PRAGMA application_id = 1398164820;
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT, opening TEXT NOT NULL, started TEXT NOT NULL,
    language TEXT NOT NULL, ended TEXT, result TEXT, seal TEXT NOT NULL
);
CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE, number INTEGER NOT NULL, at TEXT NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, link TEXT NOT NULL, PRIMARY KEY (game, number)
);
"""
_GOING_ON = "CREATE TABLE going_on (only INTEGER PRIMARY KEY CHECK (only = 1), game INTEGER NOT NULL);"


def write_old(
    state: Path,
    games: Mapping[int, Sequence[Entry]],
    *,
    results: Mapping[int, Result] | None = None,
    going_on: int | None = None,
    version: int = 2,
    openings: Mapping[int, str] | None = None,
    close: bool = True,
) -> sqlite3.Connection:
    """Write ``journal.db``; left open, its rows are in its write-ahead log."""
    database = sqlite3.connect(state / "journal.db", isolation_level=None)
    if not close:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
    database.executescript(_TABLES + (_GOING_ON if version > 1 else ""))
    database.execute(f"PRAGMA user_version = {version}")
    for number, entries in games.items():
        opening = (openings or {}).get(number) or _json(OPENING.to_json())
        result = _json(results[number].to_json()) if results and number in results else None
        row = (number, opening, AT, "ja", AT if result else None, result)
        seal = _sum("seal", number, AT, "ja", *row[4:], opening)
        database.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, seal))
        link = _sum("game", number, AT, opening)
        for place, entry in enumerate(entries, 1):
            data = _json(entry.data)
            link = _sum(link, place, AT, entry.kind, data)
            database.execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", (number, place, AT, entry.kind, data, link)
            )
    if going_on is not None:
        database.execute("INSERT INTO going_on VALUES (1, ?)", (going_on,))
    if close:
        database.close()
    return database


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _sum(*parts: object) -> str:
    return blake2b("\n".join(map(str, parts)).encode(), digest_size=16).hexdigest()
