"""Corrections by hand in a record of Wild Seven: played on from, and refused where no such position can come up."""

from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK
from rules.parsing import BadRecordError
from rules.record import Header, check_record, header_line
from rules.wild_seven.moves import Play
from rules.wild_seven.position import Phase, Position
from rules.wild_seven.rules import RULES
from tests.rules.wild_seven.table import random_game

NAMES = ("A", "B", "C", "D")
HEADER = header_line(Header("wild_seven", NAMES))
GAME = [after for _, _, after in random_game(1, public=True)]
PLAYED = next(
    after for after in GAME if all(after.captured_count(seat) for seat in (1, 2, 3)) and after.in_front(1) is not None
)
SAVED = PLAYED.to_json()
DEALT, OVER = GAME[0], GAME[-1]


def restored(data: object) -> Position:
    return RULES.corrected(data, NAMES, {})


def refuses(data: object) -> bool:
    """Whether a saved position is refused, and soon."""
    began = time.process_time()
    try:
        restored(data)
    except BadRecordError:
        return True
    finally:
        assert time.process_time() - began < 1
    return False


def saved(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SAVED), **changes}


@pytest.mark.parametrize("seed", range(6))
def test_every_position_after_the_deal_can_be_set_by_hand(seed: int) -> None:
    for _, _, after in random_game(seed, public=True):
        data = json.loads(json.dumps(after.to_json()))
        assert RULES.corrected(data, after.players, {}) == after


def test_the_cause_is_named() -> None:
    with pytest.raises(BadRecordError, match="'position' is none of this game"):
        restored(None)


def test_the_game_goes_on_from_the_position_set_by_hand() -> None:
    line = json.dumps({"do": "correction", "by_hand": "position", "position": SAVED})
    seat = PLAYED.to_move
    assert seat is not None
    move = next(iter(RULES.legal_moves(PLAYED)))
    turn = json.dumps(move.to_json())
    first, second, third, final = check_record([HEADER, line, turn, turn])
    assert [first["verdict"], second["verdict"]] == ["accepted", "accepted"]
    assert third["code"] == "out_of_turn"
    assert final == RULES.result(PLAYED.do(move))


def test_a_correction_without_a_position_changes_nothing() -> None:
    lines = ['{"do":"correction","by_hand":"named"}', '{"do":"setup","wanted":["C9","S5"]}']
    assert [verdict["verdict"] for verdict in list(check_record([HEADER, *lines]))[:-1]] == ["accepted"] * 2


def test_the_wanted_may_be_listed_in_any_order() -> None:
    assert restored(saved(wanted=SAVED["wanted"][::-1])) == PLAYED


def test_a_turn_out_of_order_may_have_been_agreed_on() -> None:
    for seat in range(1, 5):
        assert restored(saved(seat=seat)).to_move == seat


@pytest.mark.parametrize("key", list(SAVED))
def test_a_key_missing_or_of_a_wrong_kind_is_refused(key: str) -> None:
    assert refuses({name: value for name, value in SAVED.items() if name != key})
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    wrong = [
        True,
        0,
        -1,
        1.0,
        10**400,
        "",
        "x" * 10**6,
        [],
        {},
        {"a": 1},
        [[]],
        [None] * 4,
        [0] * 10**6,
        ["H5"] * 10**5,
    ]
    wrong += [deep, [deep] * 4, [[1]] * 4, [["HA"] * 10**5] * 4, [{}] * 4, ["HA", "H2", "H3", "H4"]]
    for value in [*wrong, *([] if key == "hands" else [None])]:
        assert refuses(saved(**{key: value})), (key, repr(value)[:60])


@pytest.mark.parametrize("data", [None, 1, "x", [], {}, [SAVED], {"game": "wild_seven"}])
def test_what_is_no_position_is_refused(data: object) -> None:
    assert refuses(data)


def _with(key: str, place: int, value: Any) -> dict[str, Any]:
    some = copy.deepcopy(SAVED[key])
    some[place] = value
    return saved(**{key: some})


def test_a_card_twice_gone_or_from_the_box_is_refused() -> None:
    wanted, captured = SAVED["wanted"], SAVED["captured"]
    assert refuses(saved(wanted=[*wanted, wanted[0]]))
    assert refuses(saved(wanted=[*wanted, str(PLAYED.unseen[0])]))
    assert refuses(saved(wanted=wanted[1:]))
    assert refuses(saved(wanted=["FK", *wanted[1:]]))
    assert refuses(saved(wanted=[captured[0][0], *wanted[1:]]))
    assert refuses(_with("front", 0, wanted[0]))
    assert refuses(_with("front", 0, None))
    assert refuses(_with("captured", 0, [*captured[0], captured[0][0]]))
    assert refuses(_with("captured", 0, captured[1]))


def test_numbers_that_do_not_fit_the_cards_are_refused() -> None:
    sizes = SAVED["sizes"]
    for size in (sizes[0] + 1, sizes[0] - 1, -1, True, 1.0 * sizes[0], None, "3", 10**400):
        assert refuses(_with("sizes", 0, size))
    assert refuses(_with("sizes", 0, sizes[0] + 0.0))
    moved = [sizes[0] + 10, sizes[1] - 10, *sizes[2:]]
    assert refuses(saved(sizes=moved))
    for seat in (0, 5, -1, None, True, 1.0, "1", 10**400):
        assert refuses(saved(seat=seat))


def test_no_hand_is_larger_than_after_the_reveal() -> None:
    """Four players hold nine cards each then; so many together, but not so shared out."""
    position = GAME[1]
    assert position.phase is Phase.PLAY
    data = position.to_json()
    assert not refuses(data)
    assert refuses({**data, "sizes": [10, 8, 9, 9]})


def test_other_players_other_numbers_and_full_positions_are_refused() -> None:
    assert refuses(saved(players=["A", "B", "C", "E"]))
    assert refuses(saved(players=["A", "B", "C"]))
    for _, _, after in random_game(1)[:3]:
        assert refuses(after.to_json())


def test_a_phase_that_does_not_fit_is_refused() -> None:
    for phase in Phase:
        assert refuses({**DEALT.to_json(), "phase": phase.value}) is (phase is not Phase.REVEAL)
        assert refuses({**SAVED, "phase": phase.value}) is (phase is not Phase.PLAY)
        assert refuses({**OVER.to_json(), "phase": phase.value}) is (phase is not Phase.OVER)
    assert refuses(Position.start(NAMES).to_json())
    assert refuses({**DEALT.to_json(), "seat": 1})


def test_before_the_reveal_nothing_lies_in_front_and_nothing_is_captured() -> None:
    data = DEALT.to_json()
    one, other = data["wanted"]
    third = str(DEALT.unseen[0])
    assert refuses({**data, "wanted": [one, other, third], "sizes": [9, 10, 10, 10]})
    assert refuses({**data, "wanted": [other], "front": [one, None, None, None]})
    assert refuses({**data, "wanted": [other], "captured": [[one], [], [], []]})


_PIECES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 12),
    st.sampled_from([str(card) for card in DECK]),
    st.lists(st.sampled_from([str(card) for card in DECK]), max_size=6),
    st.sampled_from(["setup", "reveal", "play", "over"]),
)


@given(st.sampled_from(GAME), st.sampled_from(list(SAVED)), _PIECES, st.integers(0, 3))
@settings(max_examples=300, deadline=None)
def test_a_position_with_something_changed_is_refused_or_can_be_played_to_its_end(
    position: Position, key: str, piece: Any, place: int
) -> None:
    data = json.loads(json.dumps(position.to_json()))
    if isinstance(data[key], list) and len(data[key]) > place:
        data[key][place] = piece
    else:
        data[key] = piece
    try:
        found = restored(data)
    except BadRecordError:
        return
    assert found.players == NAMES
    assert len(found.unseen) == sum(found.hand_size(seat) for seat in range(1, 5))
    assert restored(json.loads(json.dumps(found.to_json()))) == found
    while found.outcome is None:
        moves = RULES.legal_moves(found)
        move = next(iter(moves))
        assert move in moves
        found = found.do(move)
    assert not found.can(Play(1, DECK[0]))
