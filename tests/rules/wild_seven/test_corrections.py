"""Corrections by hand in a record of Wild Seven: played on from, and refused where no such position can come up."""

from __future__ import annotations

import copy
from typing import Any

from rules.record import Header
from rules.wild_seven.position import Phase, Position
from rules.wild_seven.rules import RULES
from tests.rules.test_set_by_hand import taken
from tests.rules.wild_seven.table import random_game

NAMES = ("A", "B", "C", "D")
HEADER = Header("wild_seven", NAMES)
GAME = [after for _, _, after in random_game(1, public=True)]
PLAYED = next(
    after for after in GAME if all(after.captured_count(seat) for seat in (1, 2, 3)) and after.in_front(1) is not None
)
SAVED = PLAYED.to_json()
DEALT, OVER = GAME[0], GAME[-1]


def restored(data: object) -> Position | None:
    return taken(RULES, data, HEADER)


def refuses(data: object) -> bool:
    return restored(data) is None


def saved(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SAVED), **changes}


def test_the_wanted_may_be_listed_in_any_order() -> None:
    assert restored(saved(wanted=SAVED["wanted"][::-1])) == PLAYED


def test_a_turn_out_of_order_may_have_been_agreed_on() -> None:
    for seat in range(1, 5):
        assert restored(saved(seat=seat)).to_move == seat


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


def test_a_phase_that_does_not_fit_is_refused() -> None:
    for phase in Phase:
        assert refuses({**DEALT.to_json(), "phase": phase.value}) is (phase is not Phase.REVEAL)
        assert refuses({**SAVED, "phase": phase.value}) is (phase is not Phase.PLAY)
        assert refuses({**OVER.to_json(), "phase": phase.value}) is (phase is not Phase.OVER)
    assert refuses({**DEALT.to_json(), "seat": 1})


def test_before_the_reveal_nothing_lies_in_front_and_nothing_is_captured() -> None:
    data = DEALT.to_json()
    one, other = data["wanted"]
    third = str(DEALT.unseen[0])
    assert refuses({**data, "wanted": [one, other, third], "sizes": [9, 10, 10, 10]})
    assert refuses({**data, "wanted": [other], "front": [one, None, None, None]})
    assert refuses({**data, "wanted": [other], "captured": [[one], [], [], []]})
