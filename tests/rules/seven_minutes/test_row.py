"""The row: stacking, how many rolls it has, and what a roll takes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.cards import DECK, Card
from rules.seven_minutes.row import Row, cards_of


@given(st.permutations(DECK), st.integers(0, 49))
def test_the_row_is_what_its_cards_say(order: list[Card], count: int) -> None:
    flipped = order[:count]
    lying = Row.from_cards(flipped)
    ranks = list(dict.fromkeys(card.rank for card in flipped))
    assert [stack.rank for stack in lying.stacks] == ranks
    assert [stack.top for stack in lying.stacks] == [stack.cards[-1] for stack in lying.stacks]
    assert sorted(lying.cards) == sorted(flipped)
    assert all(list(stack.cards) == [card for card in flipped if card.rank == stack.rank] for stack in lying.stacks)
    assert lying.rolls == len(ranks[ranks.index(13) :] if 13 in ranks else ranks)
    for total in range(2, 13):
        struck = lying.strike_total(total)
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
    assert Row.from_cards(order[:all_of_them]).drop_cards(order[before:all_of_them]) == Row.from_cards(order[:before])
