"""Every kind of paper counted from the whole deck by its own recogniser."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from math import comb, prod
from random import Random

import pytest

from rules.cards import DECK, Card, Suit, mask_of
from rules.laminate.counting import OF_RANK, RANKS, add_ranks, count_ranks
from rules.laminate.moves import Publish
from rules.laminate.papers import (
    BUILT_IN,
    LAMINATE,
    PaperKind,
    Papers,
    Ranks,
    Run,
    Sets,
    Sum,
)
from rules.laminate.play import deal
from rules.laminate.position import Position
from rules.text import Language, Text
from tests.words import en, ja

KINDS = {kind.name: kind for kind in BUILT_IN}
COUNTS = [min(rank, 14 - rank) for rank in RANKS]


def test_the_deck_has_so_many_cards_of_each_rank() -> None:
    """1 2 3 4 5 6 7 6 5 4 3 2 1, the numbers that the closed counts below rest on."""
    assert COUNTS == [1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1]
    assert [sum(card.rank == rank for card in DECK) for rank in RANKS] == COUNTS
    assert [OF_RANK[rank].bit_count() for rank in RANKS] == COUNTS


def _lowest(rank: int, count: int) -> int:
    return mask_of([card for card in DECK if card.rank == rank][:count])


def _by_rank_counts(accepts: Callable[[int], bool], cards: int, most: int) -> int:
    """Ways found by asking the recogniser about every choice of how many cards of each rank, ``cards`` in all."""
    ways = 0

    def choose(rank: int, left: int, mask: int, weight: int) -> None:
        nonlocal ways
        if not left:
            ways += weight * accepts(mask)
            return
        if rank > 13:
            return
        for count in range(min(left, COUNTS[rank - 1], most) + 1):
            choose(rank + 1, left - count, mask | _lowest(rank, count), weight * comb(COUNTS[rank - 1], count))

    choose(1, cards, 0, 1)
    return ways


@pytest.mark.few(2)
@pytest.mark.parametrize(("name", "length"), [("straight5", 5), ("straight7", 7), ("straight9", 9), ("straight11", 11)])
def test_straights(name: str, length: int) -> None:
    """Products of the numbers of cards of the ranks. All choices are asked, from 9 on with two of a rank."""
    closed = sum(prod(COUNTS[low : low + length]) for low in range(14 - length))
    recognised = _by_rank_counts(KINDS[name].combination.is_met_by, length, 7 if length < 9 else 2)
    assert recognised == closed


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "of", "ranks"),
    [("three", 3, 1), ("five", 5, 1), ("three_pairs", 2, 3), ("four_pairs", 2, 4), ("triple_threes", 3, 3)],
)
def test_sets(name: str, of: int, ranks: int) -> None:
    """Elementary symmetric sums of binomials."""
    closed = sum(prod(chosen) for chosen in combinations([comb(count, of) for count in COUNTS], ranks))
    recognised = _by_rank_counts(KINDS[name].combination.is_met_by, of * ranks, 7)
    assert recognised == closed


@pytest.mark.parametrize(("name", "length"), [("straight_flush4", 4), ("straight_flush6", 6)])
def test_straight_flushes(name: str, length: int) -> None:
    """7 suits with 8 - n runs each, found among all choices of cards (4) and all choices within two suits (6)."""
    accepts = KINDS[name].combination.is_met_by
    if length == 4:
        recognised = sum(accepts(a.bit | b.bit | c.bit | d.bit) for a, b, c, d in combinations(DECK, 4))
    else:
        recognised = 0
        for one, other in combinations(Suit, 2):
            cards = [card for card in DECK if card.suit in (one, other)]
            masks = {mask_of(chosen) for chosen in combinations(cards, length)}
            recognised += sum(accepts(mask) for mask in masks)
        recognised //= 6  # each run lies in six pairs of suits
    assert recognised == 7 * (8 - length)


def test_ace_king_and_all_even() -> None:
    ace_king, all_even = KINDS["ace_king"].combination, KINDS["all_even"].combination
    assert _by_rank_counts(ace_king.is_met_by, 2, 7) == COUNTS[0] * COUNTS[12] == 1
    assert _by_rank_counts(all_even.is_met_by, 6, 7) == prod(COUNTS[1:12:2]) == 2 * 4 * 6 * 6 * 4 * 2


def _generating_function() -> list[int]:
    """How many sets of cards add to each sum: the product of (1 + x^rank) over the deck."""
    ways = [1] + [0] * sum(card.rank for card in DECK)
    for card in DECK:
        for reached in range(len(ways) - 1, card.rank - 1, -1):
            ways[reached] += ways[reached - card.rank]
    return ways


def _halves() -> tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]]:
    """Both halves of the deck, ranks to 6 and from 7: for each sum one such set and the number of such sets."""
    found = []
    for ranks in (range(1, 7), range(7, 14)):
        sums: dict[int, tuple[int, int]] = {}
        for counts in product(*(range(COUNTS[rank - 1] + 1) for rank in ranks)):
            at, mask, weight = 0, 0, 1
            for rank, count in zip(ranks, counts, strict=True):
                at += rank * count
                weight *= comb(COUNTS[rank - 1], count)
            if at not in sums:
                for rank, count in zip(ranks, counts, strict=True):
                    mask |= _lowest(rank, count)
                sums[at] = (mask, weight)
            else:
                sums[at] = (sums[at][0], sums[at][1] + weight)
        found.append(sums)
    return found[0], found[1]


def test_sums() -> None:
    """Every set of cards of the deck, asked through one of each pair of sums that its two halves make."""
    ways = _generating_function()
    low, high = _halves()
    for name, closed in (("sum49", ways[49]), ("sum100", sum(ways[100:]))):
        accepts = KINDS[name].combination.is_met_by
        recognised = sum(
            one_weight * other_weight
            for one, one_weight in low.values()
            for other, other_weight in high.values()
            if accepts(one | other)
        )
        assert recognised == closed


def _plainly(kind: PaperKind, cards: tuple[Card, ...]) -> bool:
    """Find the combinations once more, the slow and obvious way."""
    block, ranks = kind.combination, sorted(card.rank for card in cards)
    match block:
        case Run(length, one_suit):
            row = ranks == list(range(ranks[0], ranks[0] + length)) if ranks else False
            return row and (not one_suit or len({card.suit for card in cards}) == 1)
        case Sets(of, number):
            return len(set(ranks)) == number and all(ranks.count(rank) == of for rank in ranks)
        case Sum(wanted, at_least):
            return sum(ranks) >= wanted if at_least else sum(ranks) == wanted
        case Ranks(wanted_ranks):
            return ranks == sorted(wanted_ranks)
    return False


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(5))
def test_recognisers_on_random_cards(seed: int) -> None:
    chance = Random(seed)
    for _ in range(3000):
        near = chance.choice((2, 7))
        cards = tuple(chance.sample([card for card in DECK if abs(card.rank - 6) <= near], chance.randint(1, 9)))
        for kind in BUILT_IN:
            assert kind.is_met_by(cards) == _plainly(kind, cards), (kind.name, cards)


def test_built_in_kinds() -> None:
    """35 paper cards of 16 kinds, in the order of FORMATS.md."""
    assert sum(kind.copies for kind in LAMINATE) == 35
    names = (
        "straight5 straight7 straight9 straight11 three five three_pairs four_pairs triple_threes straight_flush4 "
        "straight_flush6 sum49 sum100 ace_king all_even end_flag"
    )
    assert " ".join(kind.name for kind in LAMINATE) == names
    assert [(kind.points, kind.copies) for kind in LAMINATE] == [
        (1, 4), (3, 3), (5, 2), (9, 1), (1, 4), (4, 3), (2, 3), (5, 2), (7, 1), (4, 2), (7, 2), (2, 4), (6, 1), (2, 1),
        (6, 1), (1, 1),
    ]  # fmt: skip


def test_packed_counts() -> None:
    assert count_ranks(mask_of(DECK)) == sum(count << 4 * place for place, count in enumerate(COUNTS))
    assert add_ranks(mask_of(DECK)) == sum(rank * COUNTS[rank - 1] for rank in RANKS)


def test_house_papers_work_like_built_in_ones() -> None:
    little_flush = PaperKind("little_flush", 2, 3, Text("{length} Straight Flush", length=3), Run(3, one_suit=True))
    catalogue = Papers((*BUILT_IN, little_flush))
    assert [kind.name for kind in catalogue.house] == ["little_flush"]
    position = Position.start("ABC", catalogue=catalogue).do(deal(3, Random(1)))
    assert position.count_supply("little_flush") == 3
    refusal = position.verify(Publish(1, "little_flush", position.get_hand(1)))
    assert refusal is not None
    assert refusal.code == "not_a_meld"
    assert "3 consecutive ranks of one suit" in en(refusal.text)
    assert "3ストフラ" in ja(refusal.text)
    assert Position.from_json(position.to_json(), catalogue) == position
    with pytest.raises(ValueError, match="other paper kinds"):
        Position.from_json(position.to_json())


def _both(text: Text) -> tuple[str, str]:
    return text.said(Language.EN), text.said(Language.JA)


def test_what_a_paper_takes_is_told() -> None:
    rules = {kind.name: _both(kind.combination.describe_rule()) for kind in BUILT_IN if kind.combination is not None}
    assert rules["straight5"] == ("exactly 5 consecutive ranks", "連続した数字をちょうど5枚")
    assert rules["straight_flush4"][0] == "exactly 4 consecutive ranks of one suit"
    assert rules["three"] == ("exactly 3 cards of one rank", "同じランクのカードをちょうど3枚")
    assert rules["four_pairs"][0] == "exactly 2 cards of each of 4 different ranks"
    assert rules["sum49"] == ("ranks that add to exactly 49", "ランクの合計がちょうど49")
    assert rules["sum100"] == ("ranks that add to 100 or more", "ランクの合計が100以上")
    assert rules["ace_king"] == ("exactly A and K, one card each", "A・Kを1枚ずつ")
    assert rules["all_even"][0] == "exactly 2, 4, 6, 8, 10 and 12, one card each"
    assert _both(Ranks((7,)).describe_rule()) == ("exactly 7, one card each", "7を1枚ずつ")


@pytest.mark.parametrize(
    ("name", "examples", "groups", "one_suit", "total"),
    [
        ("straight5", (("3", "4", "5", "6", "7"),), (5,), False, 0),
        ("straight7", (("3", "4", "5", "6"), ("7", "8", "9")), (7,), False, 0),
        ("straight_flush4", (("★",) * 4, ("3", "4", "5", "6")), (4,), True, 0),
        ("three_pairs", (("4", "4"), ("6", "6"), ("8", "8")), (2, 2, 2), False, 0),
        ("four_pairs", (("4", "4", "6", "6"), ("8", "8", "10", "10")), (2, 2, 2, 2), False, 0),
        ("sum49", (("Σ", "=", "49"),), (), False, 49),
        ("sum100", (("Σ", "≧", "100"),), (), False, 100),
        ("ace_king", (("A", "K"),), (1, 1), False, 0),
        ("all_even", (("2", "4", "6"), ("8", "10", "12")), (1,) * 6, False, 0),
        ("end_flag", (("▶",),), (), False, 0),
    ],
)
def test_what_is_printed_on_a_paper(
    name: str, examples: tuple[tuple[str, ...], ...], groups: tuple[int, ...], one_suit: bool, total: int
) -> None:
    paper = LAMINATE[name]
    assert (paper.examples, paper.groups, paper.one_suit, paper.total) == (examples, groups, one_suit, total)


def test_a_catalogue_finds_its_kinds() -> None:
    assert LAMINATE.place("straight5") == 0
    assert LAMINATE.place("end_flag") == 15
    assert LAMINATE.place("royal") == -1
    assert "three" in LAMINATE
    assert "royal" not in LAMINATE
    assert len(LAMINATE) == 16
    assert LAMINATE.house == ()
    assert Papers() == LAMINATE
    assert hash(Papers()) == hash(LAMINATE)
    assert repr(LAMINATE) == f"Papers(kinds={BUILT_IN!r})"
    with pytest.raises(ValueError, match="different names"):
        Papers((*BUILT_IN, BUILT_IN[0]))


def test_a_catalogue_needs_the_end_flag() -> None:
    with pytest.raises(ValueError, match="End Flag"):
        Papers(BUILT_IN[:-1])


def _rank_melds(kind: PaperKind) -> list[tuple[int, ...]]:
    """How many cards of each rank every combination of a kind takes, by trying all; a sum has too many to try."""
    entries = {"three": (0, 3), "five": (0, 5), "three_pairs": (0, 2), "four_pairs": (0, 2), "triple_threes": (0, 3)}
    each = [[n for n in entries.get(kind.name, (0, 1)) if n <= count] for count in COUNTS]
    by_rank = {rank: [card for card in DECK if card.rank == rank] for rank in RANKS}
    return [
        vector
        for vector in product(*each)
        if any(vector) and kind.is_met_by([c for rank in RANKS for c in by_rank[rank][: vector[rank - 1]]])
    ]


def _some_cards(random: Random) -> list[tuple[Card, ...]]:
    """Every single card and pair, and larger sets that are near to being something."""
    sets: list[tuple[Card, ...]] = [*((card,) for card in DECK), *combinations(DECK, 2)]
    for size in range(3, 9):
        for _ in range(150):
            pool = random.sample(DECK, 49)
            near = [c for c in pool if abs(c.rank - pool[0].rank) < random.choice((1, 3, 6, 13))]
            sets.append(tuple(near[:size]))
    return sets


@pytest.mark.few(5)
@pytest.mark.parametrize("name", [k.name for k in BUILT_IN if isinstance(k.combination, Run | Sets | Ranks)])
def test_what_may_be_left_of_a_paper_is_what_some_combination_holds(name: str) -> None:
    kind = KINDS[name]
    if isinstance(kind.combination, Run) and kind.combination.one_suit:
        melds = [
            frozenset(c for c in DECK if c.suit is suit and low <= c.rank < low + kind.combination.length)
            for suit in Suit
            for low in suit.ranks[: 8 - kind.combination.length]
        ]
        assert all(kind.is_met_by(sorted(meld, key=lambda c: c.index)) for meld in melds)
        for cards in _some_cards(Random(4)):
            assert kind.can_hold(cards) == any(meld.issuperset(cards) for meld in melds), cards
        return
    vectors = _rank_melds(kind)
    assert vectors
    for cards in _some_cards(Random(4)):
        held = [sum(card.rank == rank for card in cards) for rank in RANKS]
        brute = any(all(a <= b for a, b in zip(held, vector, strict=True)) for vector in vectors)
        assert kind.can_hold(cards) == brute, cards


@pytest.mark.few(1)
@pytest.mark.parametrize("cards", [("F12", "FK", "T12", "F11"), ("HA", "FK", "F12", "T12", "T10"), ("H7", "O2")])
def test_what_may_be_left_of_a_sum_is_what_the_other_cards_can_fill(cards: tuple[str, ...]) -> None:
    held = tuple(map(Card.parse, cards))
    rest = [card.rank for card in DECK if card not in held]
    lacking = 49 - sum(card.rank for card in held)
    brute = lacking >= 0 and any(sum(more) == lacking for n in range(6) for more in combinations(rest, n))
    assert KINDS["sum49"].can_hold(held) == brute


def test_each_last_card_that_no_paper_can_have_is_known() -> None:
    assert not KINDS["ace_king"].can_hold([Card.parse("H7")])
    assert not KINDS["all_even"].can_hold([Card.parse("B9")])
    assert not KINDS["three"].can_hold([Card.parse("H2")])
    assert not KINDS["sum49"].can_hold([*map(Card.parse, ("HA", "FK", "T12", "F12", "T10"))])
    assert not KINDS["three"].can_hold([Card.parse("H7"), Card.parse("H7")])
    assert all(KINDS[name].can_hold([card]) for name in ("sum49", "sum100", "straight5", "end_flag") for card in DECK)
    assert not KINDS["end_flag"].can_hold([Card.parse("H7"), Card.parse("O2")])
