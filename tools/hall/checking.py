"""What a hall has kept, held against what its tables have made."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, text

from device.typed_json import BadMessageError
from hall.messages import hash_record, make_record

_RESULTS = """
select game.id as id, game.game_id as game_id, game.played_at as played_at, result.kind as kind,
       result.record_sha256 as record_sha256
from result join game on game.id = result.game
"""
_SCORES = "select game, seat, player, points, place from score order by game, seat"
_ENTRIES = "select game, line from entry order by game, n"


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of the results that were made.

    ``twice``: kept more than once. ``other``: kept, but never made so. ``torn``: kept, but the entries of the game that
    are kept do not make its record.
    """

    made: int
    lost: int
    twice: int
    other: int
    torn: int

    @property
    def good(self) -> bool:
        """Whether every result was kept once, as it was made."""
        return not (self.lost or self.twice or self.other or self.torn)

    def to_json(self) -> dict[str, int]:
        """Return the numbers as JSON-able data."""
        return asdict(self)


def results_made(path: Path) -> list[dict[str, Any]]:
    """Read the results in a file that tables have written."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def held_against(made: Sequence[dict[str, Any]], database: str) -> Kept:
    """Hold these results against what the database holds of them."""
    engine = create_engine(database)
    try:
        kept = list(_read_kept(engine))
    finally:
        engine.dispose()
    wanted = {one["game_id"]: _strip_times(one) for one in made}
    counts = Counter(one["game_id"] for one in kept)
    return Kept(
        made=len(wanted),
        lost=len(wanted.keys() - counts.keys()),
        twice=sum(count - 1 for count in counts.values()),
        other=sum(_strip_times(one) != wanted.get(one["game_id"]) for one in kept),
        torn=sum(not one["whole"] for one in kept),
    )


def _strip_times(result: dict[str, Any]) -> tuple[Any, ...]:
    """Return what a result says, but for its times."""
    lists = (tuple(result[name]) for name in ("players", "points", "places"))
    return result["table"], result["game"], *lists, result["record_sha256"]


def _read_kept(engine: Engine) -> Iterable[dict[str, Any]]:
    with engine.connect() as connection:
        results = connection.execute(text(_RESULTS)).mappings().all()
        scores, lines = dict[int, list[Any]](), dict[int, list[str]]()
        for score in connection.execute(text(_SCORES)).mappings():
            scores.setdefault(score["game"], []).append(score)
        for game, line in connection.execute(text(_ENTRIES)):
            lines.setdefault(game, []).append(line)
    for one in results:
        mine = scores.get(one["id"], [])
        yield {
            "game_id": one["game_id"],
            "table": one["played_at"],
            "game": one["kind"],
            "players": [score["player"] for score in mine],
            "points": [score["points"] for score in mine],
            "places": [score["place"] for score in mine],
            "record_sha256": one["record_sha256"],
            "whole": _digest_lines(lines.get(one["id"], [])) == one["record_sha256"],
        }


def _digest_lines(lines: Sequence[str]) -> str:
    try:
        return hash_record(make_record(lines))
    except (BadMessageError, ValueError):
        return ""
