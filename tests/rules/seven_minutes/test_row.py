"""The row: stacking, how many rolls it has, and what a roll takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import DECK, Card
from rules.seven_minutes.row import Row, cards_of
from tests.rules.seven_minutes.table import card, cards, row


def test_a_new_rank_goes_to_the_end_away_from_the_draw_pile() -> None:
    assert str(row("S9 H3 T10")) == "S9 H3 T10"


def test_a_rank_that_lies_in_the_row_is_stacked_there_and_does_not_lengthen_it() -> None:
    stacked = row("S9 H3 T10 B3 C9 B9")
    assert str(stacked) == "S9+C9+B9 H3+B3 T10"
    assert (stacked.length, stacked.rolls) == (3, 3)
    assert stacked.stacks[0].top == card("B9")
    assert str(row("")) == "empty"


@pytest.mark.parametrize(
    ("names", "rolls"),
    [("FK", 1), ("S9 FK", 1), ("FK S9", 2), ("H3 S9 FK T10 H2", 3), ("H3 S9 FK B3 T9", 1), ("HA FK", 1), ("", 0)],
)
def test_with_the_k_only_the_places_from_its_own_on_count_for_rolls(names: str, rolls: int) -> None:
    assert row(names).rolls == rolls


@pytest.mark.parametrize(
    ("names", "total", "taken", "left"),
    [
        ("H3 S9 T10 H2", 10, "H3 S9 T10", "H2"),
        ("H3 S9 T10 H2", 3, "H3", "S9 T10 H2"),
        ("H3 B3 S9 T9 H2", 9, "H3 B3 S9 T9", "H2"),
        ("H3 S9 HA T10 H2", 9, "S9 HA T10 H2", "H3"),  # where the A lies: that stack and all farther away
        ("HA H3 S9", 9, "S9", "HA H3"),
        ("H3 S9 FK T10", 3, "H3", "S9 FK T10"),  # nearer the draw pile than the K strikes as well
        ("H3 S9 FK T10", 10, "H3 S9 FK T10", ""),
    ],
)
def test_a_struck_stack_goes_with_all_nearer_the_draw_pile(names: str, total: int, taken: str, left: str) -> None:
    struck = row(names).struck(total)
    assert struck is not None
    assert cards_of(struck[0]) == cards(taken)
    assert struck[1] == row(left)


def test_neither_the_a_nor_the_k_can_be_struck() -> None:
    lying = row("HA FK")
    assert all(lying.struck(total) is None for total in range(2, 13))


@given(st.permutations(DECK), st.integers(0, 49))
def test_the_row_is_what_its_cards_say(order: list[Card], count: int) -> None:
    flipped = order[:count]
    lying = Row.of(flipped)
    ranks = list(dict.fromkeys(card.rank for card in flipped))
    assert [stack.rank for stack in lying.stacks] == ranks
    assert sorted(lying.cards) == sorted(flipped)
    assert all(list(stack.cards) == [card for card in flipped if card.rank == stack.rank] for stack in lying.stacks)
    assert lying.rolls == len(ranks[ranks.index(13) :] if 13 in ranks else ranks)
    for total in range(2, 13):
        struck = lying.struck(total)
        assert (struck is None) == (total not in ranks)
        if struck is not None:
            taken, left = cards_of(struck[0]), struck[1]
            place = ranks.index(total)
            far = ranks[place:] if 1 in ranks else ranks[: place + 1]
            assert {card.rank for card in taken} == set(far)
            assert sorted((*taken, *left.cards)) == sorted(flipped)
            assert [stack.rank for stack in left.stacks] == [rank for rank in ranks if rank not in far]


@given(st.permutations(DECK), st.integers(0, 49), st.integers(0, 49))
def test_cards_flipped_last_can_be_thought_away(order: list[Card], one: int, other: int) -> None:
    before, all_of_them = sorted((one, other))
    assert Row.of(order[:all_of_them]).without(order[before:all_of_them]) == Row.of(order[:before])
