"""Positions set by hand: everything that comes up in a game is taken, everything else refused, and soon."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest

from rules.record import Header
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import AgePhase
from tests.rules.seven_wonders.games import NAMES, game, some_boards
from tests.rules.test_set_by_hand import taken

BOARDS = ("halikarnassos/b", "babylon/b", "olympia/a")


def _saved(position: Any) -> Any:
    return json.loads(json.dumps(position.to_json()))


def test_every_position_of_a_score_sheet_can_be_set() -> None:
    chance = Random(3)
    options = {"boards": some_boards(5, chance), "mode": "score"}
    position = RULES.start(NAMES[:5], options)
    while position.outcome is None:
        assert RULES.read_correction(_saved(position), NAMES[:5], options) == position
        position = position.do(RULES.random_move(position, chance))
    assert RULES.read_correction(_saved(position), NAMES[:5], options) == position


def _refused(saved: Any) -> bool:
    return taken(RULES, saved, Header(RULES.name, NAMES[:3], {"boards": list(BOARDS)})) is None


@cache
def _middle_text() -> str:
    played = game(3, 1, True, BOARDS)
    position = next(one for one in played.positions if one.age == 2 and one.phase is AgePhase.ROUND and one.rounds == 3)
    assert not _refused(_saved(position))
    return json.dumps(position.to_json())


def _middle() -> dict[str, Any]:
    """Return a position of age 2 as it is saved."""
    return dict(json.loads(_middle_text()))


HUGE = 10**400


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((key, value) for key in _middle() if key != "game" for value in (HUGE, -1, "x", [], {}, 1.5)),
        ("hands", [["altar"]] * 3),
        ("pile", ["altar"]),
        ("age", True),
        ("age", 0),
        ("age", 3),
        ("age", 4),
        ("rounds", 2),
        ("rounds", 4),
        ("rounds", 6),
        ("phase", "deal"),
        ("phase", "seventh"),
        ("phase", "from_discard"),
        ("phase", "city"),
        ("phase", "over"),
        ("digger", 1),
        ("told", 1),
        ("score_only", True),
        ("score_only", 0),
        ("pile_ages", [0, 0]),
        ("pile_ages", [0, 0, 1]),
        ("pile_ages", [100, 0, 0]),
        ("players", list(NAMES[:4])),
        ("players", ["A", "B", "C"]),
        ("cities", [{}] * 3),
        ("cities", [None] * 3),
    ],
)
def test_what_cannot_come_up_is_refused(key: str, value: Any) -> None:
    assert _refused({**_middle(), key: value})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((key, value) for key in _middle()["cities"][0] for value in (HUGE, -1, "x", {}, None, 1.5)),
        ("board", "giza/a"),
        ("cards", ["altar", "altar"]),
        ("cards", ["loom", "loom_2"]),
        ("cards", ["bazar"]),
        ("cards", ["palace"]),
        ("cards", ["atlantis"]),
        ("cards", [["altar"]]),
        ("cards", ["altar"] * 200_000),
        ("cards", []),
        ("stages", 4),
        ("stages", True),
        ("coins", 5000),
        ("tokens", [1, 0, 0, 0]),
        ("tokens", [0, 1, 0, 0]),
        ("tokens", [0, 0, 0]),
        ("tokens", [0, 0, 0, 9]),
        ("free_used", True),
        ("free_used", 0),
    ],
)
def test_a_city_that_cannot_be_is_refused(key: str, value: Any) -> None:
    saved = _middle()
    first, *others = saved["cities"]
    assert _refused({**saved, "cities": [{**first, key: value}, *others]})
