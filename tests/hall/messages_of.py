"""Messages as a table sends them, for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from device.table_state import LastMove, StateEnding, StatePlayer, TableState
from hall.messages import GameResult

EVENING = datetime(2026, 11, 26, 19, 0, tzinfo=UTC)
_NOW = datetime.now(UTC).replace(microsecond=0)
"""A table's clock is right."""


def game_id(number: int) -> str:
    return f"{number:032x}"


def result(
    number: int, players: str = "Ada,Bob,Lin", points: tuple[int, ...] = (9, 5, 5), minutes: int = 60, **more: object
) -> GameResult:
    names = tuple(players.split(","))
    places = tuple(sum(other > own for other in points) + 1 for own in points)
    told = {"game": "laminate", "record_sha256": "0" * 64, **more}
    ended = EVENING + timedelta(minutes=minutes)
    return GameResult(game_id(number), players=names, points=points, places=places, began=EVENING, ended=ended, **told)  # type: ignore[arg-type]


def state(headline: str = "Ada is to move", turn: int = 3, mood: str = "waiting", **more: object) -> TableState:
    players = (StatePlayer("Ada", 4, True, ()), StatePlayer("Bob", 2, False, ()))
    told = {
        "game": "laminate",
        "language": "en",
        "headline": headline,
        "details": (),
        "players": players,
        "last": LastMove("Bob", "laid three cards"),
        "choices": (),
        "chosen": 0,
        "ending": StateEnding(None, False),
        "over": False,
        "at": _NOW + timedelta(seconds=turn),
        **more,
    }
    return TableState(mood=mood, turn=turn, **told)  # type: ignore[arg-type]
