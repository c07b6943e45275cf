"""The search for publications against every way there is, and legal moves as an object."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations, permutations
from random import Random

import pytest

from rules.cards import DECK, Card, cards_in, mask_of
from rules.laminate.legal import can_make, cheapest_way
from rules.laminate.legal_moves import LegalMoves
from rules.laminate.moves import Deal, EndFlag, Pass, Publish, Research, Setup
from rules.laminate.papers import BUILT_IN, PaperKind, Papers, Ranks, Run, Sets, Sum
from rules.laminate.play import deal, random_move
from rules.laminate.position import Position
from rules.text import Text

HOUSE = Papers(
    (
        *BUILT_IN,
        PaperKind("two_flush", 1, 3, Text("Two Flush"), Run(2, one_suit=True)),
        PaperKind("straight3", 1, 2, Text("3 Straight"), Run(3)),
        PaperKind("one_pair", 1, 9, Text("One Pair"), Sets(2)),
        PaperKind("two_pairs", 1, 9, Text("Two Pairs"), Sets(2, 2)),
        PaperKind("singles", 1, 1, Text("Three Singles"), Sets(1, 3)),
        PaperKind("sum21", 1, 1, Text("21"), Sum(21)),
        PaperKind("sum30up", 1, 1, Text("30+"), Sum(30, at_least=True)),
        PaperKind("sevens", 1, 1, Text("Seven Seven Eight"), Ranks((7, 7, 8))),
    )
)
KINDS = tuple(kind for kind in HOUSE.kinds if kind.combination is not None)


def _subsets(mask: int) -> list[int]:
    cards = cards_in(mask)
    return [mask_of(chosen) for chosen in chain.from_iterable(combinations(cards, n) for n in range(len(cards) + 1))]


def _by_hand(kind: PaperKind, hand: int, own: int, others: int) -> tuple[int, int, int] | None:
    """Return the least cost of all ways to publish, one by one."""
    assert kind.combination is not None
    costs = []
    for laid in _subsets(hand):
        for cited in _subsets(own):
            for thanked in _subsets(others):
                given = laid.bit_count() + thanked.bit_count()
                if laid and given <= hand.bit_count() and kind.combination.is_met_by(laid | cited | thanked):
                    costs.append((given, thanked.bit_count(), cited.bit_count() + thanked.bit_count()))
    return min(costs, default=None)


@pytest.mark.few(10)
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
            assert kind.is_met_by(cards_in(way.laid | way.own | way.others))


@pytest.mark.parametrize("seed", [63, 91, 102, 133, 186, 187, 224, *range(1000, 1025)])
def test_sums_are_added_up_exactly(seed: int) -> None:
    """Few hand cards beside many papers, small sums and large; 63 to 224 tell a search that goes one sum too far."""
    chance = Random(seed)
    total = chance.choice((5, 9, 12, 15, 21, 30, 49))
    cards = chance.sample(DECK, chance.randint(4, 10))
    hand = chance.randint(1, 3)
    own = chance.randint(1, len(cards) - hand)
    masks = mask_of(cards[:hand]), mask_of(cards[hand : hand + own]), mask_of(cards[hand + own :])
    for at_least in (False, True):
        kind = PaperKind("sum", 1, 1, Text("Sum"), Sum(total, at_least))
        way = cheapest_way(kind, *masks)
        assert (None if way is None else way.cost) == _by_hand(kind, *masks)
        assert can_make(kind, *masks) == (way is not None)
        assert way is None or kind.is_met_by(cards_in(way.laid | way.own | way.others))


@pytest.mark.few(38)
@pytest.mark.parametrize("seed", range(150))
def test_the_quick_test_agrees_with_the_search(seed: int) -> None:
    """With hands up to 20 cards and 15 citable papers, and with hands too small for the payments."""
    chance = Random(seed)
    hand, own, others = chance.choice(((20, 7, 8), (20, 0, 15), (1, 8, 7), (2, 3, 12), (3, 0, 15), (5, 5, 10)))
    cards = chance.sample(DECK, hand + own + others)
    masks = mask_of(cards[:hand]), mask_of(cards[hand : hand + own]), mask_of(cards[hand + own :])
    for kind in KINDS:
        assert can_make(kind, *masks) == (cheapest_way(kind, *masks) is not None), kind.name


@pytest.mark.few(2)
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


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_without_a_hand_nothing_is_published(kind: PaperKind) -> None:
    for own, others in ((mask_of(DECK), 0), (0, mask_of(DECK)), (mask_of(DECK[:20]), mask_of(DECK[20:]))):
        assert not can_make(kind, 0, own, others)
        assert cheapest_way(kind, 0, own, others) is None


def test_the_end_flag_is_never_published() -> None:
    flag = BUILT_IN[-1]
    assert cheapest_way(flag, mask_of(DECK)) is None
    assert not can_make(flag, mask_of(DECK))


def _position(
    hand: str, papers: Sequence[tuple[int, str, str]] = (), draw: str = "", discards: str = "", **more: object
) -> Position:
    """Return a position where A is to move with this hand; whatever is not named is out of the way."""
    data = Position.start("ABC").do(deal(3, Random(1))).to_json()
    areas = [
        [{"paper": kind, "cards": cards.split()} for seat, kind, cards in papers if seat == at] for at in (1, 2, 3)
    ]
    data.update(hands=[hand.split(), [], []], sizes=[len(hand.split()), 0, 0], draw=draw.split(), areas=areas)
    data.update(draw_count=len(draw.split()), discards=discards.split(), seat=1, **more)
    return Position.from_json(data)


def test_draws_are_every_pair_that_may_be_drawn() -> None:
    def draws(draw: str, discards: str) -> set[tuple[str, str]]:
        found = list(LegalMoves(_position("H7", (), draw, discards)).list_draws())
        assert len(found) == len(set(found))
        assert all(move in LegalMoves(_position("H7", (), draw, discards)) for move in found)
        assert {(move.seat, move.source) for move in found} <= {(1, "deck")}
        return {(str(move.keep), str(move.discard)) for move in found}

    assert draws("FK F12 F11", "T8") == set(permutations(("FK", "F12", "F11"), 2))
    assert draws("FK F12", "T8") == {("FK", "F12"), ("F12", "FK")}
    assert draws("FK", "T8 T9") == {("FK", "T8"), ("T8", "FK"), ("FK", "T9"), ("T9", "FK")}
    assert draws("", "T8 T9 T10") == set(permutations(("T8", "T9", "T10"), 2))
    assert draws("FK", "") == {("FK", "None")}
    assert draws("", "T8") == {("T8", "None")}
    assert draws("", "") == set()


def test_the_top_discard_is_taken_where_it_is_known() -> None:
    position = Position.start("ABCDE").do(Setup(Card.parse("T8")))
    taken = Research(1, "discard", Card.parse("T8"))
    assert list(LegalMoves(position)) == [taken]
    assert list(LegalMoves(position.do(taken))) == []


def test_reviews_are_every_card_of_papers_under_review() -> None:
    papers = [(1, "three", "H7 O7"), (2, "five", "T7"), (3, "three", "B5 C5")]
    legal = LegalMoves(_position("H2", papers))
    taken = {(move.seat, move.of, move.paper, str(move.take)) for move in legal.reviews}
    assert taken == {(1, 1, "three", "H7"), (1, 1, "three", "O7"), (1, 3, "three", "B5"), (1, 3, "three", "C5")}
    assert len(legal.reviews) == len(legal) == 4


def test_with_nothing_else_to_do_there_is_the_pass() -> None:
    assert list(LegalMoves(_position("H2"))) == [Pass(1)]
    taken = Research(1, "discard", Card.parse("T8"))
    assert list(LegalMoves(_position("H2", (), "", "T8"))) == [taken, Research(1, "deck", Card.parse("T8"))]


def test_while_the_flag_is_due_there_are_the_cards_to_lay_to_it() -> None:
    position = _position("H2 FK", [(1, "straight11", "HA"), (1, "sum100", "O5")], "B8 B9", "T8", phase="flag", met=True)
    legal = LegalMoves(position)
    assert list(legal) == [EndFlag(1, card) for card in _cards("H2 FK")]
    assert (legal.publishable, legal.publications, legal.reviews, list(legal.list_draws())) == ((), (), (), [])
    assert repr(legal) == "<LegalMoves of A: End Flag>"
    public = Position.from_json(_known(position))
    with pytest.raises(ValueError, match="give it"):
        list(LegalMoves(public))
    assert len(LegalMoves(public, _cards("H2"))) == 1


def _known(position: Position) -> dict[str, object]:
    data = position.to_json()
    places = [["start", [2, 2, 0, 0, 0], ["B8", "B9", "H2", "FK"]]]
    return {**data, "hands": None, "draw": None, "known": places}


def test_the_kinds_that_the_supply_and_the_own_papers_leave_open() -> None:
    hand = "HA FK H7 O7 B7"
    assert LegalMoves(_position(hand)).publishable == ("three", "ace_king")
    assert LegalMoves(_position(hand, [(1, "three", "C5")])).publishable == ("ace_king",)
    assert LegalMoves(_position(hand, [(2, "ace_king", "C5")])).publishable == ("three",)
    assert not LegalMoves(_position("H2")).can_publish
    assert LegalMoves(_position("H3 H4 H5 H6 H7")).publishable == ("straight5", "straight_flush4")
    assert LegalMoves(_position("H2 H4 H6 B8 C10 T12")).publishable == ("all_even",)


def test_repr_says_what_can_be_done() -> None:
    position = Position.start(("Hilbert", "Banach", "Noether")).do(
        Deal((_cards("H7 O7 B7"), _cards("HA H2 H3"), _cards("O2 O3 O4")), _cards("T8"))
    )
    assert repr(LegalMoves(position)) == "<LegalMoves of Hilbert: research (2 from the draw pile); publish three>"
    assert Research(1, "discard", Card.parse("T8")) in LegalMoves(position)
    assert Pass(1) not in LegalMoves(position)
    assert repr(LegalMoves(_position("H2"))) == "<LegalMoves of A: pass>"
    assert repr(LegalMoves(_position("H2", [(2, "three", "H7 O7")]))) == "<LegalMoves of A: 2 reviews>"
    assert repr(LegalMoves(Position.start("ABC"))) == "<LegalMoves none>"
    public = Position.start("ABC").do(Setup(Card.parse("T8")))
    assert repr(LegalMoves(public)) == "<LegalMoves of A: research (2 from the draw pile)>"
    assert len(LegalMoves(public)) == 1


def test_with_public_information_the_hand_must_be_given() -> None:
    position = Position.start("ABC").do(Setup(Card.parse("T8")))
    with pytest.raises(ValueError, match="give it"):
        LegalMoves(position).can_publish  # noqa: B018
    assert LegalMoves(position, _cards("H7 O7 B7")).publishable == ("three",)
    assert not any(isinstance(move, EndFlag) for move in LegalMoves(position))


def test_of_what_is_not_named_there_is_none() -> None:
    """No own papers and no others': heart A is in nobody's papers, and heart K is no card."""
    ace_king = next(kind for kind in BUILT_IN if kind.name == "ace_king")
    assert cheapest_way(ace_king, mask_of(_cards("FK O2"))) is None
    assert not can_make(ace_king, mask_of(_cards("FK O2")))
    assert can_make(ace_king, mask_of(_cards("FK O2")), 0, mask_of(_cards("HA")))
    assert can_make(ace_king, mask_of(_cards("FK")), mask_of(_cards("HA")))
