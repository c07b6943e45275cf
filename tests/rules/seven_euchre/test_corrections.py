"""Positions set by hand: what a game comes to is taken, whatever can't come up is refused at once."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.parsing import BadRecordError
from rules.record import Header, check_record, header_line
from rules.seven_euchre.correction import MOST_DEALS, MOST_MOVES
from rules.seven_euchre.moves import Annul
from rules.seven_euchre.position import Position
from rules.seven_euchre.rules import RULES
from tests.rules.seven_euchre.table import NAMES, START, played, public_game, random_game

PLAY = played("deal C8 - - - x H3 F8 H4 H5 H6")
LONG = played("deal C8 - - - x", Position.start(NAMES, 4, 200))
CALLS = played("deal - - - - B7 - 8")
GAME = public_game(6, 150)[0]
OVER = GAME[-1]
BETWEEN = next(position for position in GAME if position.deals and position.phase == "deal")


def restored(data: object, of: Position = PLAY) -> Position:
    """The position that a correction in that position's game sets."""
    return RULES.corrected(data, of.players, {"dealer": of.first_dealer, "target": of.target})


def is_refused(data: object, of: Position = PLAY) -> bool:
    began = time.process_time()
    try:
        restored(data, of)
    except BadRecordError as refused:
        fault = str(refused)
    else:
        fault = ""
    assert time.process_time() - began < 0.5
    assert fault in ("", "'position' is none of this game")
    return bool(fault)


def changed(position: Position, **changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(position.to_json()), **changes}


@pytest.mark.parametrize("seed", range(8))
def test_every_position_of_a_public_game_is_taken(seed: int) -> None:
    for position in public_game(seed)[0][1::2]:
        assert restored(json.loads(json.dumps(position.to_json())), position) == position


def test_after_annul_and_after_going_back_too() -> None:
    for words in ({"do": "annul"}, {"do": "back_to", "trick": 2}, {"do": "back_to", "trick": 1}):
        position = PLAY.do(RULES.read_move(words))
        assert restored(position.to_json()) == position


def test_the_game_goes_on_from_the_position_set_by_hand() -> None:
    line = json.dumps({"do": "correction", "by_hand": "position", "position": PLAY.to_json()})
    first, second = '{"seat":1,"do":"play","card":"S9"}', '{"seat":2,"do":"play","card":"HA"}'
    header = header_line(Header("seven_euchre", NAMES, {"dealer": 4, "target": 100}))
    *verdicts, final = check_record([header, line, first, second])
    assert [verdict.get("code") for verdict in verdicts] == [None, None, "revoke"]
    assert final == {"final": [0, 0], "winners": None, "reason": None}


def test_only_public_positions_after_the_first_deal_are_set_by_hand() -> None:
    assert is_refused(START.to_json())
    for position in random_game(6)[0][:20]:
        assert is_refused(position.to_json(), position)
    dealt = random_game(6)[0][1].to_json()
    assert is_refused({**dealt, "full": False}, GAME[0])


def test_the_longest_deal_there_is_is_taken() -> None:
    """Three passes, every bid with two passes after it, an exchange and 48 cards."""
    position = played("deal - - -")
    while position.bids:
        position = position.do(position.bids[0])
        if position.bids:
            position = played("- -", position)
    position = played("x", position)
    chance = Random(1)
    while position.phase == "play":
        last, position = position, position.do(RULES.random_move(position, chance))
    assert len(last.to_json()["moves"]) == MOST_MOVES - 1
    assert len(position.to_json()["moves"]) == MOST_MOVES
    for one in (last, position):
        assert not is_refused(one.to_json())


@pytest.mark.parametrize("position", [PLAY, CALLS, OVER, BETWEEN], ids=["play", "calls", "over", "between"])
def test_every_key_is_needed_and_rightly_spelt(position: Position) -> None:
    saved = position.to_json()
    assert restored(saved, position) == position
    for key in saved:
        assert is_refused({other: value for other, value in saved.items() if other != key}, position)
        assert is_refused({key.upper() if other == key else other: value for other, value in saved.items()}, position)
    for place, move in enumerate(saved["moves"]):
        for key in move:
            data = changed(position)
            del data["moves"][place][key]
            assert is_refused(data, position), (move, key)


HUGE = ["H3"] * 200_000
DEEP: Any = []
for _ in range(200):
    DEEP = [DEEP]
STRANGE: list[Any] = [
    7,
    -1,
    0,
    True,
    False,
    None,
    1.0,
    "x",
    "",
    "S9",
    {},
    {"a": 1},
    [[]],
    [[[]]],
    ["S9"],
    [["S9"]],
    [7],
]
STRANGE += [[None], float("nan"), 10**5000, "H" * 100_000, HUGE, [HUGE], [[HUGE]], [[[]] * 100_000], DEEP, {1: DEEP}]
STRANGE += [[{}], [{"do": "deal"}] * 1000, [{"do": "deal", "hands": HUGE}], [0.5, 0.5], [True, False], [0, 10**6]]


@pytest.mark.parametrize("position", [PLAY, CALLS, BETWEEN], ids=["play", "calls", "between"])
@pytest.mark.parametrize("key", [*PLAY.to_json()])
def test_values_of_any_kind_size_and_depth_are_refused_at_once(key: str, position: Position) -> None:
    saved = position.to_json()
    for value in STRANGE:
        if not (type(value) is type(saved[key]) and value == saved[key]):
            assert is_refused(changed(position, **{key: value}), position), value


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: type(value).__name__)
def test_moves_of_any_kind_size_and_depth_are_refused_at_once(value: Any) -> None:
    assert is_refused(value)
    data = changed(PLAY)
    for place in (0, 1, 5, len(data["moves"]) - 1):
        assert is_refused(changed(PLAY, moves=[*data["moves"][:place], value, *data["moves"][place + 1 :]]))
    for place, key in ((1, "trump"), (1, "tricks"), (1, "seat"), (6, "card"), (6, "do"), (6, "seat")):
        data = changed(PLAY)
        if type(value) is type(data["moves"][place][key]) and value == data["moves"][place][key]:
            continue
        data["moves"][place][key] = value
        # Another card that can be played, or another bid, is a position too.
        assert is_refused(data) or (key, value) in (("card", "S9"), ("tricks", 7))


IMPOSSIBLE: dict[str, tuple[Position, Callable[[dict[str, Any]], object]]] = {
    "another game": (PLAY, lambda data: data.update(game="laminate")),
    "other players": (PLAY, lambda data: data.update(players=["A", "B", "C", "D"])),
    "fewer players": (PLAY, lambda data: data["players"].pop()),
    "another first dealer": (PLAY, lambda data: data.update(dealer=1)),
    "another target": (PLAY, lambda data: data.update(target=77)),
    "no such dealer": (PLAY, lambda data: data.update(dealt_by=5)),
    "points before the first deal": (PLAY, lambda data: data.update(points=[1, 0])),
    "a deal without points": (PLAY, lambda data: data.update(deals=1)),
    "too few points": (PLAY, lambda data: data.update(deals=2, points=[20, 5])),
    "too many points": (LONG, lambda data: data.update(deals=1, points=[157, 0])),
    "negative points": (PLAY, lambda data: data.update(deals=1, points=[-1, 30])),
    "three sides": (PLAY, lambda data: data.update(deals=1, points=[10, 10, 10])),
    "a game that was won before": (PLAY, lambda data: data.update(deals=3, points=[100, 40])),
    "a target that was reached before": (PLAY, lambda data: data.update(deals=3, points=[40, 100])),
    "more deals than anybody plays": (PLAY, lambda data: data.update(deals=MOST_DEALS + 1, points=[10**5] * 2)),
    "no deal": (PLAY, lambda data: data["moves"].pop(0)),
    "a card twice": (PLAY, lambda data: data["moves"][-1].update(card="H3")),
    "out of turn": (PLAY, lambda data: data["moves"][-1].update(seat=1)),
    "a revoke": (PLAY, lambda data: data["moves"].append({"seat": 2, "do": "play", "card": "HA"})),
    "no exchange": (PLAY, lambda data: data["moves"].pop(5)),
    "a bid that is too low": (CALLS, lambda data: data["moves"][-1].update(tricks=6)),
    "a deal that is over and another": (OVER, lambda data: data["moves"].append({"do": "deal"})),
    "two deals": (BETWEEN, lambda data: data["moves"].append({"do": "deal"})),
    "an annulled deal": (PLAY, lambda data: data["moves"].append({"do": "annul"})),
    "a deal taken back": (PLAY, lambda data: data["moves"].append({"do": "back_to", "trick": 1})),
    "a deal that everybody passed": (
        CALLS,
        lambda data: data["moves"].__setitem__(slice(6, None), [{"seat": s, "do": "pass"} for s in (1, 2, 3, 4)]),
    ),
}


@pytest.mark.parametrize("name", list(IMPOSSIBLE))
def test_a_position_that_can_t_come_up_is_refused(name: str) -> None:
    position, change = IMPOSSIBLE[name]
    data = changed(position)
    assert restored(data, position) == position
    change(data)
    assert is_refused(data, position)


def test_points_that_can_be_are_believed() -> None:
    for deals, points in ((1, [13, 0]), (1, [0, 99]), (2, [99, 99]), (2, [100, 100]), (7, [500, 500]), (4, [99, 0])):
        found = restored(changed(PLAY, deals=deals, points=points))
        assert (found.deals, list(found.points)) == (deals, points)
    assert restored(changed(PLAY, dealt_by=4)).dealer == 4
    assert restored(changed(LONG, deals=1, points=[156, 0]), LONG).points == (156, 0)


def test_a_game_that_was_won_has_its_last_deal() -> None:
    annulled = PLAY.do(Annul())
    assert not is_refused(changed(annulled, deals=3, points=[40, 99]))
    assert not is_refused(changed(annulled, deals=3, points=[100, 100]))
    assert is_refused(changed(annulled, deals=3, points=[40, 100]))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10), st.integers(0, 10_000))
def test_whatever_is_taken_can_be_played_to_its_end(seed: int, luck: int) -> None:
    """A saved position with a value put elsewhere is refused, or it is one from which a game goes on by the rules."""
    chance = Random(luck)
    position = chance.choice(public_game(seed)[0][1:])
    data = json.loads(json.dumps(position.to_json()))
    places = [*_places(data)]
    (holder, key), (other, other_key) = chance.choice(places), chance.choice(places)
    holder[key], other[other_key] = copy.deepcopy(other[other_key]), copy.deepcopy(holder[key])
    try:
        found = restored(data, position)
    except BadRecordError:
        return
    assert RULES.restore(found.to_json()) == found
    while found.outcome is None:
        found = found.do(RULES.random_move(found, chance))


def _places(data: Any) -> list[tuple[Any, Any]]:
    """Every value of a saved position, as what holds it and where."""
    inner = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    return [place for key, value in inner for place in [(data, key), *_places(value)]]
