"""Which papers are cited: held against trying every set of papers."""

from __future__ import annotations

import random
import time
from itertools import combinations

import pytest

from referee.citing import (
    citing_twice,
    citing_under_review,
    fitting_citations,
    likeliest_citations,
    payments_off,
)
from rules.cards import DECK, Card
from rules.laminate.moves import Citation
from rules.laminate.papers import END_FLAG, LAMINATE
from rules.laminate.position import Paper
from tests.referee.tables import cards

KINDS = [kind for kind in LAMINATE.kinds if kind.name != END_FLAG]


def nearest(
    kind_name: str, laid: tuple[Card, ...], complete: list[Paper], seat: int, paid: dict[int, int]
) -> int | None:
    """The fewest thank-you cards off, over every set of papers that makes the combination."""
    best = None
    for size in range(len(complete) + 1):
        for cited in combinations(complete, size):
            if LAMINATE[kind_name].accepts((*laid, *(paper.cards[0] for paper in cited))):
                off = sum(payments_off(tuple(Citation(p.seat, p.kind) for p in cited), seat, paid))
                best = off if best is None else min(best, off)
    return best


@pytest.mark.parametrize("seed", range(60))
def test_the_citations_found_are_as_near_to_the_payments_as_any(seed: int) -> None:
    rng = random.Random(seed)
    deck = rng.sample(DECK, len(DECK))
    complete = [Paper(1 + n % 3, KINDS[n].name, (deck.pop(),)) for n in range(rng.randint(1, 9))]
    for kind in KINDS:
        # Hands that nearly make the paper: part of a random meld, so that citations can complete it.
        laid = tuple(deck[: rng.randint(1, 6)])
        wanted = rng.choice(complete).cards[0].rank
        near = [card for card in deck if abs(card.rank - wanted) <= 3]
        for cards_laid in (laid, tuple(near[: rng.randint(1, 4)])):
            paid = {2: rng.randint(0, 2), 3: rng.randint(0, 2)}
            found = fitting_citations(kind, cards_laid, complete, 1, paid)
            best = nearest(kind.name, cards_laid, complete, 1, paid)
            exact = fitting_citations(kind, cards_laid, complete, 1, paid, exactly=True)
            assert (exact is not None) == (best == 0)
            if best is None:
                assert found is None
            else:
                assert found is not None
                assert sum(payments_off(found, 1, paid)) == best
                cited = {(p.seat, p.kind): p.cards[0] for p in complete}
                assert kind.accepts((*cards_laid, *(cited[c.seat, c.paper] for c in found)))


def test_equal_cards_of_two_authors_are_told_apart_by_the_payment() -> None:
    complete = [Paper(2, "three", cards("B7")), Paper(3, "three", cards("C7"))]
    kind = LAMINATE["three"]
    for author in (2, 3):
        assert fitting_citations(kind, cards("H7 O7"), complete, 1, {author: 1}) == (Citation(author, "three"),)


def test_own_papers_are_cited_before_others_are_paid() -> None:
    complete = [Paper(2, "three", cards("B7")), Paper(1, "five", cards("C7"))]
    assert fitting_citations(LAMINATE["three"], cards("H7 O7"), complete, 1, {}) == (Citation(1, "five"),)


def test_the_booklets_example() -> None:
    complete = [
        Paper(1, "three", cards("H7")),
        Paper(2, "three", cards("B7")),
        Paper(2, "straight5", cards("F7")),
    ]
    found = fitting_citations(LAMINATE["five"], cards("O7 C7"), complete, 1, {2: 2})
    assert found == (Citation(1, "three"), Citation(2, "three"), Citation(2, "straight5"))


def test_what_is_cited_by_mistake() -> None:
    draft, done = Paper(2, "three", cards("B7 C7")), Paper(2, "five", cards("F7"))
    kind = LAMINATE["three"]
    assert citing_under_review(kind, cards("H7 O7"), [draft], 1, {2: 1}) == (Citation(2, "three"),)
    assert citing_under_review(kind, cards("H7 O7"), [draft], 1, {}) is None
    twice = Citation(2, "five")
    assert citing_twice(kind, cards("H7"), [done], 1, {2: 2}) == (twice, twice)
    assert citing_twice(kind, cards("H7"), [done], 1, {2: 1}) is None
    assert likeliest_citations([done], 1, {2: 2, 1: 1}) == (twice,)


def test_sum100_may_cite_more_than_it_needs() -> None:
    complete = [Paper(2, "three", cards("B7")), Paper(2, "five", cards("H2"))]
    laid = cards("FK F12 F11 F10 T12 T11 T10 S11 S10")
    assert LAMINATE["sum100"].accepts(laid)
    assert fitting_citations(LAMINATE["sum100"], laid, complete, 1, {}) == ()
    paid = fitting_citations(LAMINATE["sum100"], laid, complete, 1, {2: 2}, exactly=True)
    assert paid == (Citation(2, "three"), Citation(2, "five"))
    assert fitting_citations(LAMINATE["sum49"], laid, complete, 1, {2: 2}) is None


def test_citing_among_many_papers_is_quick() -> None:
    """Late in a game of five there are millions of sets of papers; not even a hundredth of them may be tried."""
    kinds = [kind.name for kind in KINDS]
    complete = [Paper(1 + n % 5, kinds[n // 5], (card,)) for n, card in enumerate(DECK[9:44])]
    began = time.process_time()
    for kind in KINDS:
        for paid in ({}, {2: 1}, {2: 2, 3: 1, 4: 1}):
            fitting_citations(kind, DECK[2:3], complete, 1, paid)
            fitting_citations(kind, DECK[2:3], complete, 1, paid, exactly=True)
    assert time.process_time() - began < 5
