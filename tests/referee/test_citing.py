"""Which papers are cited: held against trying every set of papers."""

from __future__ import annotations

import random
import time
from itertools import combinations

import pytest

from referee.laminate.citing import (
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
) -> tuple[int, int] | None:
    """Find the fewest thank-you cards off, and the fewest citations for it, over every set that makes the paper."""
    best = None
    for size in range(len(complete) + 1):
        for cited in combinations(complete, size):
            if LAMINATE[kind_name].is_met_by((*laid, *(paper.cards[0] for paper in cited))):
                off = sum(payments_off(tuple(Citation(p.seat, p.kind) for p in cited), seat, paid))
                best = (off, size) if best is None else min(best, (off, size))
    return best


@pytest.mark.few(20)
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
            assert (exact is not None) == (best is not None and best[0] == 0)
            if best is None:
                assert found is None
            else:
                assert found is not None
                assert (sum(payments_off(found, 1, paid)), len(found)) == best
                cited = {(p.seat, p.kind): p.cards[0] for p in complete}
                assert kind.is_met_by((*cards_laid, *(cited[c.seat, c.paper] for c in found)))


def test_equal_cards_of_two_authors_are_told_apart_by_the_payment() -> None:
    complete = [Paper(2, "three", cards("B7")), Paper(3, "three", cards("C7"))]
    kind = LAMINATE["three"]
    for author in (2, 3):
        assert fitting_citations(kind, cards("H7 O7"), complete, 1, {author: 1}) == (Citation(author, "three"),)


@pytest.mark.parametrize(
    ("kind", "laid"),
    [
        ("straight5", "H3 H4 H5 H6 H7"),
        ("three", "H7 O7 B7"),
        ("three_pairs", "H7 O7 H6 O6 H5 O5"),
        ("straight_flush4", "H4 H5 H6 H7"),
        ("sum49", "FK F12 T12 T11 HA"),
        ("sum100", "FK F12 F11 F10 F9 F8 F7 T12 T11 T10"),
        ("ace_king", "HA FK"),
        ("all_even", "H2 H4 H6 B8 C10 T12"),
    ],
)
def test_cards_that_make_the_paper_themselves_cite_nothing(kind: str, laid: str) -> None:
    complete = [Paper(2, "three", cards("C7")), Paper(1, "five", cards("B6"))]
    assert fitting_citations(LAMINATE[kind], cards(laid), complete, 1, {}, exactly=True) == ()
    assert fitting_citations(LAMINATE[kind], cards(laid), [], 1, {}) == ()


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
    assert citing_twice(kind, cards("H7"), [done], 1, {2: 3}) is None
    assert citing_twice(LAMINATE["end_flag"], cards("H7"), [done], 1, {2: 2}) is None
    assert likeliest_citations([done], 1, {2: 2, 1: 1}) == (twice,)


def test_own_papers_are_cited_by_mistake_without_thanks() -> None:
    draft, done = Paper(1, "three_pairs", cards("B7 C7")), Paper(1, "five", cards("F7"))
    kind = LAMINATE["three"]
    assert citing_under_review(kind, cards("H7 O7"), [done, draft], 1, {}) == (Citation(1, "three_pairs"),)
    assert citing_under_review(kind, cards("H7 O7"), [draft], 1, {2: 1}) is None
    assert citing_twice(kind, cards("H7"), [done], 1, {}) == (Citation(1, "five"),) * 2


def test_a_draft_is_paid_for_beside_complete_papers_of_its_author() -> None:
    papers = [Paper(2, "sum49", cards("B7 C7")), Paper(2, "five", cards("F7")), Paper(3, "five", cards("T7"))]
    cited = (Citation(2, "five"), Citation(2, "sum49"))
    assert citing_under_review(LAMINATE["three"], cards("H7"), papers, 1, {2: 2}) == cited
    both = (Citation(2, "five"), Citation(3, "five"))
    assert citing_twice(LAMINATE["five"], cards("H7 O7"), papers[1:], 1, {2: 2, 3: 1}) == (both[1], both[0], both[0])
    assert citing_under_review(LAMINATE["three"], cards("H7 O7"), papers[1:], 1, {2: 1}) is None


def test_whoever_was_paid_is_likeliest_to_be_cited_so_many_times() -> None:
    complete = [Paper(seat, kind, cards("F7")) for seat in (2, 3, 2, 2) for kind in ("three", "five")]
    assert likeliest_citations(complete, 1, {2: 3}) == (
        Citation(2, "three"),
        Citation(2, "five"),
        Citation(2, "three"),
    )
    assert likeliest_citations(complete, 2, {2: 3, 3: 1}) == (Citation(3, "three"),)


def test_thanks_missing_and_too_many_are_counted_apart() -> None:
    cited = (Citation(2, "three"), Citation(2, "five"), Citation(1, "three"), Citation(3, "three"))
    assert payments_off(cited, 1, {2: 1, 3: 2, 4: 1, 1: 1}) == (1, 3)
    assert payments_off(cited, 1, {2: 2, 3: 1}) == (0, 0)


def test_thanks_to_somebody_without_complete_papers_are_for_no_citation() -> None:
    complete = [Paper(2, "three", cards("B7"))]
    kind = LAMINATE["three"]
    assert fitting_citations(kind, cards("H7 O7"), complete, 1, {2: 1, 3: 1}) == (Citation(2, "three"),)
    assert fitting_citations(kind, cards("H7 O7"), complete, 1, {2: 1, 3: 1}, exactly=True) is None
    assert fitting_citations(kind, cards("H7 O7 C7"), complete, 1, {3: 1}, exactly=True) is None


def test_a_straight_is_completed_at_either_end() -> None:
    complete = [Paper(2, "three", cards("HA")), Paper(3, "three", cards("FK"))]
    kind = LAMINATE["straight5"]
    assert fitting_citations(kind, cards("H2 O3 B4 C5"), complete, 1, {}) == (Citation(2, "three"),)
    assert fitting_citations(kind, cards("F9 F10 F11 F12"), complete, 1, {}) == (Citation(3, "three"),)


def test_a_flush_cites_the_card_of_its_suit() -> None:
    """Of two papers with the same rank and author it is not the first one, but the one that fits."""
    complete = [Paper(2, "three", cards("O5")), Paper(2, "five", cards("S5")), Paper(2, "sum49", cards("B5"))]
    kind = LAMINATE["straight_flush4"]
    for laid, paper in (("S6 S7 S8", "five"), ("B6 B7 B8", "sum49"), ("O6 O7 O8", "three")):
        assert fitting_citations(kind, cards(laid), complete, 1, {2: 1}) == (Citation(2, paper),)
    assert fitting_citations(kind, cards("H6 H7 H4"), complete, 1, {2: 1}) is None


def test_citations_alone_are_found_too_and_told_to_be_no_paper() -> None:
    """The rules refuse them as nothing new; here they must be found, whatever kind they are of."""
    complete = [Paper(1, KINDS[n].name, (card,)) for n, card in enumerate(cards("H4 H5 H6 H7 O7 B7"))]
    found = fitting_citations(LAMINATE["straight_flush4"], (), complete, 1, {})
    assert found == tuple(Citation(1, KINDS[n].name) for n in range(4))
    assert fitting_citations(LAMINATE["three"], (), complete, 1, {}) == tuple(
        Citation(1, KINDS[n].name) for n in (3, 4, 5)
    )
    assert fitting_citations(LAMINATE["straight_flush6"], (), complete, 1, {}) is None


def test_more_than_49_is_not_49() -> None:
    complete = [Paper(1, KINDS[n].name, (card,)) for n, card in enumerate(cards("FK F12 T12 F11 S11"))]
    assert fitting_citations(LAMINATE["sum49"], (), complete, 1, {}) is None
    assert fitting_citations(LAMINATE["sum49"], cards("H4"), complete, 1, {}) is None
    assert fitting_citations(LAMINATE["sum49"], cards("HA"), complete, 1, {}) is not None
    even = [Paper(2, KINDS[n].name, (card,)) for n, card in enumerate(cards("FK F12 T12 F10 H2"))]
    assert fitting_citations(LAMINATE["sum49"], (), even, 1, {2: 5}) is not None
    assert fitting_citations(LAMINATE["sum49"], cards("HA"), even, 1, {2: 5}) is None


def test_a_sum_cites_one_paper_rather_than_two() -> None:
    complete = [Paper(1, "three", cards("H4")), Paper(1, "five", cards("O6")), Paper(1, "sum100", cards("F10"))]
    assert fitting_citations(LAMINATE["sum49"], cards("FK F12 C4 C10"), complete, 1, {}) == (Citation(1, "sum100"),)


def test_sum100_may_cite_more_than_it_needs() -> None:
    complete = [Paper(2, "three", cards("B7")), Paper(2, "five", cards("H2"))]
    laid = cards("FK F12 F11 F10 T12 T11 T10 S11 S10")
    assert LAMINATE["sum100"].is_met_by(laid)
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
