"""The search behind public knowledge: its budget, cards in each other's way, two histories, values and text."""

from __future__ import annotations

from random import Random

import pytest

from rules.cards import indices_in
from rules.laminate import knowledge
from rules.laminate.knowledge import DRAW, SEARCH_BUDGET, Knowledge, _Effort, _OutOfBudgetError, _World
from tests.rules.test_knowledge import _search_from_nothing, _Small

STORIES = [(seed, 4, 600, 20) for seed in range(120)]
STORIES += [(7089, 5, 3000, 6), (7194, 5, 3000, 12), (7015, 5, 3000, 14), (20231, 5, 3000, 15)]
"""A seed, how many seen cards there are at most, how many placings, how many events; the last go back on their way."""


@pytest.mark.parametrize(("seed", "cards", "placings", "events"), STORIES)
def test_no_two_cards_go_the_way_of_one(
    seed: int, cards: int, placings: int, events: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short stories on small decks, followed with as large a budget as the search likes."""
    monkeypatch.setattr(knowledge, "SEARCH_BUDGET", 10**6)
    chance = Random(seed)
    sizes = ((2, 1, 1), (1, 1, 1, 1), (0, 2, 1, 1), (3, 1, 0, 0), (1, 1, 2), (0, 1, 1, 0, 1), (2, 2, 1), (1, 1, 1, 0))
    small = _Small(chance, chance.choice(sizes))
    for card in range(small.cards, small.cards + chance.randint(2, cards)):
        small.enter(card, chance.randrange(small.places))
    for _ in range(events):
        event = chance.random()
        if event < 0.6 and len(small.placings) < placings:
            small.move()
        elif event < 0.8 or not small.seen:
            small.leave()
        else:
            small.enter(small.seen.pop(chance.randrange(len(small.seen))), chance.randrange(small.places))
        small.check()


def _random_small(seed: int, steps: int) -> _Small:
    chance = Random(seed)
    small = _Small(chance, chance.choice(((2, 1, 1), (1, 1, 1, 1), (3, 1, 0, 0), (0, 1, 1, 0, 1))))
    for card in range(small.cards, small.cards + 4):
        small.enter(card, chance.randrange(small.places))
    for _ in range(steps):
        if chance.random() < 0.7 and len(small.placings) < 3000:
            small.move()
        elif small.seen and chance.random() < 0.5:
            small.enter(small.seen.pop(), chance.randrange(small.places))
        else:
            small.leave()
    return small


@pytest.mark.parametrize("budget", [0, 1, 2, 5])
def test_where_the_search_gives_up_nobody_is_accused(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small budget a card may be held possible that is not, but never the other way round."""
    monkeypatch.setattr(_World, "_fit", _search_from_nothing)
    monkeypatch.setattr(knowledge, "SEARCH_BUDGET", budget)
    too_many = 0
    for seed in range(25):
        small = _random_small(seed, 20)
        for place in range(small.places):
            possible = {card for placing in small.placings for card, at in placing if at == place}
            answered = set(indices_in(small.known.possible(place)))
            assert answered >= possible
            too_many += len(answered - possible)
    assert too_many or budget


def test_the_budget_shrinks_with_the_size_of_the_question() -> None:
    assert [_Effort(edges).left for edges in (0, 99, 100, 101, 200, 400)] == [100, 100, 100, 99, 50, 25]
    effort = _Effort(100)
    for _ in range(SEARCH_BUDGET):
        effort.spend()
    with pytest.raises(_OutOfBudgetError):
        effort.spend()


def test_knowledge_is_a_value() -> None:
    one = Knowledge.start((2, 1), 0b111)
    assert one == Knowledge.start((2, 1), 0b111)
    assert hash(one) == hash(Knowledge.start((2, 1), 0b111))
    assert one != Knowledge.start((1, 2), 0b111)
    assert one != one.move(0, 1, 1)
    assert one != "one"
    assert one.leave(0, 0) is one
    assert one.enter(0, 0) is one


def test_knowledge_that_does_not_add_up() -> None:
    with pytest.raises(ValueError, match="3 unseen cards can't be 4"):
        Knowledge.start((2, 2), 0b111)
    for data in ([], [["move", 0, 1, 1]], [["enter", 0, ["H7"]]]):
        with pytest.raises(ValueError, match="begins with its start"):
            Knowledge.from_json(data)
    assert not Knowledge.start((1, 1), 0b11).move(0, 1, 2).consistent


def test_knowledge_reads_as_places_with_the_cards_that_may_be_there() -> None:
    known = Knowledge.start((1, 0, 1, 1), 0b111).leave(0, 0b1)
    assert repr(known) == "<Knowledge hand 2: H2 H3; unseen discards: H2 H3>"
    assert repr(known.enter(0, 0b1)) == "<Knowledge draw: HA; hand 2: H2 H3; unseen discards: H2 H3>"
    assert repr(known.leave(0, 0b10)) == "<Knowledge >"


def test_what_only_one_of_two_histories_allows_is_possible() -> None:
    """Card 7 may be the last one of the pile. The hand has it where that was kept, and card 9 where that was shown."""
    start = Knowledge.start((1, 1, 1, 2), 0b11111).enter(2, 1 << 7).move(2, DRAW, 1).leave(DRAW, 1 << 1)
    shown_first = start.leave(DRAW, 1 << 0).reshuffle(1 << 9).draw(1, 0, 0)
    kept_first = start.draw(1, 0, 0).reshuffle(1 << 9).leave(DRAW, 1 << 0)
    assert [known.possible(1) >> 7 & 1 for known in (shown_first, kept_first)] == [0, 1]
    assert [known.possible(1) >> 9 & 1 for known in (shown_first, kept_first)] == [1, 0]
    for known in (Knowledge.either(shown_first, kept_first), Knowledge.either(kept_first, shown_first)):
        assert known.possible(1) >> 7 & 1
        assert known.possible(1) >> 9 & 1
        assert not known.can_leave(1, 1 << 7 | 1 << 9)
        assert known.count(1) == 2
        assert Knowledge.from_json(known.to_json()) == known
    nothing = start.leave(DRAW, 1 << 40)
    assert Knowledge.either(nothing, kept_first) is kept_first
    assert Knowledge.either(kept_first, nothing) is kept_first
