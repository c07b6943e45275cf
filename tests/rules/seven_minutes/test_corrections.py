"""Positions set by hand: what a game comes to is taken, whatever can't come up is refused at once."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rules.record import Header
from rules.seven_minutes.position import Position
from rules.seven_minutes.rules import RULES
from tests.rules.seven_minutes.table import played, random_game
from tests.rules.test_set_by_hand import taken

TURN = played("S9 T10 / 4+5 B6 H6 FK")
"""Hilbert took S9 face down; Banach has flipped a stack and the K, which demands three more."""
JUDGED = played("S9 T10 / 4+5 B6 H6 C4 / 1+1")
TAKEN = played("S9 T10 / 4+5")
UNTOLD = replace(TAKEN, taken=None)
OVER = random_game(3)[-1][2]


def restored(data: object, of: Position = TURN) -> Position | None:
    """Return the position that a correction in that position's game sets; ``None`` where it is refused."""
    return taken(RULES, data, Header(RULES.name, of.players, {"first_seat": of.first_seat}))


def is_refused(data: object, of: Position = TURN) -> bool:
    return restored(data, of) is None


def changed(position: Position, **changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(position.to_json()), **changes}


def test_what_was_taken_last_may_be_unknown() -> None:
    assert restored(changed(TAKEN, taken=None)).row == TAKEN.row


def test_keys_that_a_position_does_not_need_are_passed_over_where_they_are_small() -> None:
    assert restored(changed(TURN, note=["by", "Hilbert"])) == TURN
    large: list[Any] = [[0] * 501, [[0] * 300] * 2, {str(key): 0 for key in range(501)}, [[[[]]]], {"a": {"b": [[]]}}]
    for note in large:
        assert is_refused(changed(TURN, note=note))


def test_values_that_python_takes_for_equal_are_refused() -> None:
    assert is_refused(changed(TAKEN, first_seat=True))
    assert is_refused(changed(TAKEN, seat=2.0))
    assert is_refused(changed(JUDGED, rolls=[[1.0, 1]]))
    assert is_refused(changed(JUDGED, rolls=[[True, 1]]))
    for key, value in (("seat", True), ("dice", [4.0, 5]), ("face_up", 0), ("dice", [4, 5, 0])):
        assert is_refused(changed(TAKEN, taken={**TAKEN.to_json()["taken"], key: value}))


Change = Callable[[dict[str, Any]], object]

IMPOSSIBLE: dict[str, tuple[Position, Change]] = {
    "another game": (TURN, lambda data: data.update(game="laminate")),
    "other players": (TURN, lambda data: data.update(players=["A", "B", "C"])),
    "fewer players": (TURN, lambda data: data.update(players=["Hilbert", "Banach"])),
    "another first seat": (TURN, lambda data: data.update(first_seat=2)),
    "no such seat": (TURN, lambda data: data.update(seat=4)),
    "seat 0": (TURN, lambda data: data.update(seat=0)),
    "a pile too many": (TURN, lambda data: data["up"].append([])),
    "a pile too few": (TURN, lambda data: data["down"].pop()),
    "a take of nothing": (TURN, lambda data: data["up"][0].append([])),
    "a card twice in the row": (TURN, lambda data: data["row"][0].append("T10")),
    "a card in row and pile": (TURN, lambda data: data["up"][1].append(["B6"])),
    "a card in two piles": (TURN, lambda data: data["up"][1].append(["S9"])),
    "two ranks in a stack": (TURN, lambda data: data["row"][0].append("H3")),
    "two stacks of a rank": (TURN, lambda data: data["row"].insert(0, ["C6"])),
    "an empty place": (TURN, lambda data: data["row"].append([])),
    "two ranks in a stack left behind": (UNTOLD, lambda data: data["row"][0].append("H3")),
    "two stacks of a rank left behind": (UNTOLD, lambda data: data["row"].append(["C10"])),
    "an empty place left behind": (UNTOLD, lambda data: data["row"].append([])),
    "a stack in another order": (TURN, lambda data: data["row"][1].reverse()),
    "a row in another order": (TURN, lambda data: data["row"].reverse()),
    "a flipped card that does not lie there": (TURN, lambda data: data["flips"].append("O2")),
    "a card flipped twice": (TURN, lambda data: data["flips"].append("FK")),
    "flips in another order": (TURN, lambda data: data["flips"].reverse()),
    "a row that nobody left": (TURN, lambda data: data["down"].__setitem__(0, [])),
    "a judgement without a cause": (JUDGED, lambda data: data.update(cause=None)),
    "a cause without a judgement": (TURN, lambda data: data.update(cause="stop")),
    "a judgement before the k's three": (TURN, lambda data: data.update(phase="judgement", cause="stop")),
    "a seven that was not flipped": (JUDGED, lambda data: data.update(cause="seven")),
    "an empty draw pile with cards in it": (JUDGED, lambda data: data.update(cause="deck_empty")),
    "a stop before the first card": (JUDGED, lambda data: data.update(flips=[])),
    "a roll that struck": (JUDGED, lambda data: data.update(rolls=[[4, 2]])),
    "no roll left": (JUDGED, lambda data: data.update(rolls=[[1, 1]] * 3)),
    "more rolls than due": (JUDGED, lambda data: data.update(rolls=[[1, 1]] * 4)),
    "rolls without a judgement": (TURN, lambda data: data.update(rolls=[[1, 1]])),
    "flipping after a stop": (JUDGED, lambda data: data.update(phase="flip")),
    "the end with cards in the draw pile": (TAKEN, lambda data: data.update(phase="over")),
    "the end after a turn that is not told": (UNTOLD, lambda data: data.update(phase="over")),
    "a turn without a draw pile": (OVER, lambda data: data.update(phase="flip", taken=None)),
    "a judgement after the end": (OVER, lambda data: data.update(cause="stop")),
    "rolls after the end": (OVER, lambda data: data.update(rolls=[[1, 1]])),
    "flips after the end": (OVER, lambda data: data.update(flips=["HA"])),
    "taken at the end by another": (OVER, lambda data: data.update(seat=data["seat"] % 2 + 1)),
    "a take told in mid-turn": (TURN, lambda data: data.update(taken=TAKEN.to_json()["taken"])),
    "taken by the seat to move": (TAKEN, lambda data: data["taken"].update(seat=2)),
    "taken on the other side": (TAKEN, lambda data: data["taken"].update(face_up=True)),
    "taken with a roll that did not strike": (TAKEN, lambda data: data["taken"].update(dice=[1, 1])),
    "taken other cards than lie on the pile": (TAKEN, lambda data: data["taken"].update(stacks=[["C9"]])),
    "taken more than the roll gave": (TAKEN, lambda data: data["taken"].update(stacks=[["S9"], ["T10"]])),
}


@pytest.mark.parametrize("name", list(IMPOSSIBLE))
def test_a_position_that_can_t_come_up_is_refused(name: str) -> None:
    position, change = IMPOSSIBLE[name]
    data = changed(position)
    assert restored(data, position) == position
    change(data)
    assert is_refused(data, position)


def test_cards_face_up_that_the_last_roll_struck_are_refused() -> None:
    taken = played("S9 T10 / 1+1 1+1")
    assert restored(taken.to_json()) == taken
    data = changed(taken)
    data["taken"]["dice"] = [4, 5]
    assert is_refused(data)
    assert is_refused(changed(taken, row=[["H3"]]))


@pytest.mark.parametrize(("words", "dice"), [("S9 T10 / 1+1 1+1", [1, 1]), ("S9 T10 H3 / 4+6", [4, 5])])
def test_a_take_whose_stacks_are_none_is_refused(words: str, dice: list[int]) -> None:
    data = changed(played(words))
    data["taken"].update(stacks=[["S9", "T10"]], dice=dice)
    assert is_refused(data)
