"""The search for publications against every way there is, and legal moves as an object."""

from __future__ import annotations

from itertools import chain, combinations
from random import Random

import pytest

from rules.cards import DECK, Card, cards_in, mask_of
from rules.laminate.legal import LegalMoves, can_make, cheapest_way
from rules.laminate.moves import Deal, EndFlag, Pass, Publish, Research, Setup
from rules.laminate.papers import BUILT_IN, PaperKind, house_papers
from rules.laminate.play import deal, random_move
from rules.laminate.position import Position

HOUSE = house_papers(
    """
[[paper]]
name = "two_flush"
en = "Two Flush"
ja = "2ストフラ"
points = 1
copies = 3
run = { length = 2, one_suit = true }
[[paper]]
name = "straight3"
en = "3 Straight"
ja = "3ストレート"
points = 1
copies = 2
run = { length = 3 }
[[paper]]
name = "one_pair"
en = "One Pair"
ja = "ワンペア"
points = 1
copies = 9
sets = { of = 2 }
[[paper]]
name = "two_pairs"
en = "Two Pairs"
ja = "ツーペア"
points = 1
copies = 9
sets = { of = 2, ranks = 2 }
[[paper]]
name = "singles"
en = "Three Singles"
ja = "三種"
points = 1
copies = 1
sets = { of = 1, ranks = 3 }
[[paper]]
name = "sum21"
en = "21"
ja = "21"
points = 1
copies = 1
sum = { exactly = 21 }
[[paper]]
name = "sum30up"
en = "30+"
ja = "30+"
points = 1
copies = 1
sum = { at_least = 30 }
[[paper]]
name = "sevens"
en = "Seven Seven Eight"
ja = "778"
points = 1
copies = 1
ranks = [7, 7, 8]
"""
)
KINDS = tuple(kind for kind in HOUSE.kinds if kind.combination is not None)


def _subsets(mask: int) -> list[int]:
    cards = cards_in(mask)
    return [mask_of(chosen) for chosen in chain.from_iterable(combinations(cards, n) for n in range(len(cards) + 1))]


def _by_hand(kind: PaperKind, hand: int, own: int, others: int) -> tuple[int, int, int] | None:
    """The least cost of all ways to publish, one by one."""
    assert kind.combination is not None
    costs = []
    for laid in _subsets(hand):
        for cited in _subsets(own):
            for thanked in _subsets(others):
                given = laid.bit_count() + thanked.bit_count()
                if laid and given <= hand.bit_count() and kind.combination.accepts(laid | cited | thanked):
                    costs.append((given, thanked.bit_count(), cited.bit_count() + thanked.bit_count()))
    return min(costs, default=None)


@pytest.mark.parametrize("seed", range(40))
def test_the_cheapest_way_is_the_cheapest_of_all_ways(seed: int) -> None:
    """Every kind, built in and of the house, against the enumeration of all ways."""
    chance = Random(seed)
    sizes = chance.choice(((5, 2, 3), (2, 3, 4), (1, 4, 3), (3, 0, 6), (7, 1, 1), (4, 4, 0), (2, 2, 5)))
    # Near ranks and few suits, so that ways exist.
    near = [card for card in DECK if abs(card.rank - 7) <= chance.choice((1, 2, 6))]
    cards = chance.sample(near if len(near) > sum(sizes) else list(DECK), sum(sizes))
    hand, own = mask_of(cards[: sizes[0]]), mask_of(cards[sizes[0] : sizes[0] + sizes[1]])
    others = mask_of(cards[sizes[0] + sizes[1] :])
    for kind in KINDS:
        way = cheapest_way(kind, hand, own, others)
        assert (None if way is None else way.cost) == _by_hand(kind, hand, own, others), kind.name
        assert can_make(kind, hand, own, others) == (way is not None), kind.name
        if way is not None:
            assert way.laid & ~hand == way.own & ~own == way.others & ~others == 0
            assert kind.accepts(cards_in(way.laid | way.own | way.others))


@pytest.mark.parametrize("seed", range(150))
def test_the_quick_test_agrees_with_the_search(seed: int) -> None:
    """With hands up to 20 cards and 15 citable papers, and with hands too small for the payments."""
    chance = Random(seed)
    hand, own, others = chance.choice(((20, 7, 8), (20, 0, 15), (1, 8, 7), (2, 3, 12), (3, 0, 15), (5, 5, 10)))
    cards = chance.sample(DECK, hand + own + others)
    masks = mask_of(cards[:hand]), mask_of(cards[hand : hand + own]), mask_of(cards[hand + own :])
    for kind in KINDS:
        assert can_make(kind, *masks) == (cheapest_way(kind, *masks) is not None), kind.name


@pytest.mark.parametrize("seed", range(6))
def test_what_is_listed_is_legal_and_what_is_not_listed_cannot_be_published(seed: int) -> None:
    chance = Random(seed)
    position = Position.start("ABC", catalogue=HOUSE).do(deal(3, chance))
    while position.to_move is not None:
        legal = LegalMoves(position)
        if position.draw_count < 6 or chance.random() < 0.1:
            moves = list(legal)
            assert len(legal) == len(moves) == len({str(move) for move in moves})
            assert all(move in legal for move in moves)
            listed = {move.paper for move in moves if isinstance(move, Publish)}
            assert listed == set(legal.publishable)
            assert legal.can_publish == bool(listed)
            assert {p.paper for p in legal.publications} == listed
        position = position.do(random_move(position, chance))
    assert not list(LegalMoves(position))


def _cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


def test_the_booklets_example() -> None:
    """Hilbert: hand onion 7 and coin 7, heart 7 his own, book 7 and coffin 7 Banach's: five of a kind needs four."""
    five = next(kind for kind in BUILT_IN if kind.name == "five")
    hand, own, others = (mask_of(_cards(names)) for names in ("O7 C7 S5 S6", "H7", "B7 F7"))
    way = cheapest_way(five, hand, own, others)
    assert way is not None
    assert way.cost == (4, 2, 3)
    assert cheapest_way(five, mask_of(_cards("O7 C7 S5")), own, others) is None


def test_repr_says_what_can_be_done() -> None:
    position = Position.start(("Hilbert", "Banach", "Noether")).do(
        Deal((_cards("H7 O7 B7"), _cards("HA H2 H3"), _cards("O2 O3 O4")), _cards("T8"))
    )
    assert repr(LegalMoves(position)) == "<LegalMoves of Hilbert: research (2 from the draw pile); publish three>"
    assert Research(1, "discard", Card.parse("T8")) in LegalMoves(position)
    assert Pass(1) not in LegalMoves(position)


def test_with_public_information_the_hand_must_be_given() -> None:
    position = Position.start("ABC").do(Setup(Card.parse("T8")))
    with pytest.raises(ValueError, match="give it"):
        LegalMoves(position).can_publish  # noqa: B018
    assert LegalMoves(position, _cards("H7 O7 B7")).publishable == ("three",)
    assert not any(isinstance(move, EndFlag) for move in LegalMoves(position))
