"""Positions set by hand: everything that comes up in a game is taken, everything else refused, and soon."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.parsing import BadRecordError
from rules.record import check_record, move_line
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import Phase
from tests.rules.seven_wonders.games import NAMES, game, some_boards

BOARDS = ("halikarnassos/b", "babylon/b", "olympia/a")


def _saved(position: Any) -> Any:
    return json.loads(json.dumps(position.to_json()))


@pytest.mark.parametrize("players", range(3, 8))
def test_every_public_position_of_a_game_can_be_set(players: int) -> None:
    for seed in range(8):
        played = game(3, seed, True, BOARDS) if players == 3 else game(players, seed, True)
        for position in played.positions[1:]:
            assert RULES.corrected(_saved(position), position.players, {"boards": played.boards}) == position


def test_every_position_of_a_score_sheet_can_be_set() -> None:
    chance = Random(3)
    options = {"boards": some_boards(5, chance), "mode": "score"}
    position = RULES.start(NAMES[:5], options)
    while position.outcome is None:
        assert RULES.corrected(_saved(position), NAMES[:5], options) == position
        position = position.do(RULES.random_move(position, chance))
    assert RULES.corrected(_saved(position), NAMES[:5], options) == position


def test_the_game_goes_on_from_there() -> None:
    played = game(3, 1, True, BOARDS)
    middle = len(played.moves) // 2
    correction = {"do": "correction", "by_hand": "set", "position": played.positions[middle].to_json()}
    lines = [json.dumps(played.header), json.dumps(correction), *map(move_line, played.moves[middle:])]
    *verdicts, final = check_record(lines)
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}
    assert final["final"] == list(played.positions[-1].points)


def _refused(saved: Any) -> bool:
    begun = process_time()
    try:
        RULES.corrected(saved, NAMES[:3], {"boards": list(BOARDS)})
    except BadRecordError:
        assert process_time() - begun < 0.5
        return True
    return False


@cache
def _middle_text() -> str:
    played = game(3, 1, True, BOARDS)
    position = next(one for one in played.positions if one.age == 2 and one.phase is Phase.ROUND and one.rounds == 3)
    assert not _refused(_saved(position))
    return json.dumps(position.to_json())


def _middle() -> dict[str, Any]:
    """A position of age 2 as it is saved."""
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


@pytest.mark.parametrize("key", [key for key in _middle() if key != "game"])
def test_what_lacks_something_is_refused(key: str) -> None:
    assert _refused({name: value for name, value in _middle().items() if name != key})


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


@pytest.mark.parametrize("saved", [None, 7, "x", [], {}, [1] * 1000, {"cities": 7}, {"cities": [[]] * 3}])
def test_what_is_no_position_is_refused(saved: Any) -> None:
    assert _refused(saved)


def test_a_position_with_full_information_is_not_set_by_hand() -> None:
    assert _refused(_saved(game(3, 1, False, BOARDS).positions[4]))


_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 30) | st.text(max_size=3) | st.sampled_from(["altar", "round", "over"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(list(_middle())), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(_middle())),
    _json,
    st.integers(0, 2),
    st.sampled_from(["cards", "stages", "coins", "tokens"]),
)
def test_whatever_the_file_holds_the_position_set_can_be_played(key: str, value: Any, seat: int, part: str) -> None:
    saved = {**_middle(), key: value}
    if key == "cities":
        saved["cities"] = _middle()["cities"]
        saved["cities"][seat][part] = value
    try:
        position = RULES.corrected(saved, NAMES[:3], {"boards": list(BOARDS)})
    except BadRecordError:
        return
    chance = Random(1)
    while position.outcome is None:
        position = position.do(RULES.random_move(position, chance))
    assert repr(position)
