"""The paper kinds of Laminate Rummy and the building blocks that every kind, built in or of the house, is made of.

Source: the booklet's table of combinations with RULINGS.md. The four building blocks are ``Run`` (consecutive ranks),
``Sets`` (cards of equal rank), ``Sum`` (ranks adding up) and ``Ranks`` (given ranks, one card each).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations

from rules.cards import ALL, RANK_NAMES, Card, Suit, cards_in, mask_of
from rules.laminate.counting import OF_RANK, ONES, RANK_OF, RANKS, add_ranks, count_ranks
from rules.text import Text, in_context, join_numbers, verbatim


@dataclass(frozen=True, slots=True)
class Run:
    """Exactly ``length`` consecutive ranks, one card each, of any suits or of one suit; K and A are not joined."""

    length: int
    one_suit: bool = False

    def is_met_by(self, mask: int) -> bool:
        """Tell whether the cards of the mask, all of them, are such a run."""
        return (
            mask in _list_flushes(self.length) if self.one_suit else count_ranks(mask) in _list_straights(self.length)
        )

    def can_hold(self, mask: int) -> bool:
        """Tell whether some combination holds these cards and perhaps others; the mask is not empty."""
        cards = cards_in(mask)
        ranks = {card.rank for card in cards}
        close = len(ranks) == len(cards) and max(ranks) - min(ranks) < self.length
        if self.one_suit:
            return close and len({card.suit for card in cards}) == 1 and self.length <= _IN_SUIT
        return close and self.length <= len(RANKS)

    def list_examples(self) -> tuple[tuple[str, ...], ...]:
        """Return rows of small cards that show it, as a paper prints them."""
        lowest = max(1, min(3, 13 - self.length))
        ranks = tuple(RANK_NAMES[rank] for rank in range(lowest, 14))[: self.length]
        if self.one_suit:
            return ("★",) * self.length, ranks
        half = self.length if self.length <= 6 else (self.length + 1) // 2
        return tuple(row for row in (ranks[:half], ranks[half:]) if row)

    def describe_rule(self) -> Text:
        """Say what it takes, as the end of a sentence."""
        if self.one_suit:
            return Text("exactly {length} consecutive ranks of one suit", length=self.length)
        return Text("exactly {length} consecutive ranks", length=self.length)


@dataclass(frozen=True, slots=True)
class Sets:
    """Exactly ``of`` cards of each of exactly ``ranks`` different ranks."""

    of: int
    ranks: int = 1

    def is_met_by(self, mask: int) -> bool:
        """Tell whether the cards of the mask, all of them, are such sets."""
        return count_ranks(mask) in _list_equal_sets(self.of, self.ranks)

    def can_hold(self, mask: int) -> bool:
        """Tell whether some combination holds these cards and perhaps others; the mask is not empty."""
        held = Counter(card.rank for card in cards_in(mask))
        enough = [rank for rank, count in RANK_TOTALS.items() if count >= self.of]
        fit = all(rank in enough and count <= self.of for rank, count in held.items())
        return fit and len(held) <= self.ranks <= len(enough)

    def list_examples(self) -> tuple[tuple[str, ...], ...]:
        """Return rows of small cards that show it, as a paper prints them."""
        low, step = (4, 2) if self.ranks < 6 else (max(1, min(4, 14 - self.ranks)), 1)
        if self.of > 5:  # the ranks of which there are most
            low, step = 7 - self.ranks // 2, 1
        sets = tuple((RANK_NAMES[low + step * number],) * self.of for number in range(self.ranks))
        if self.ranks < 4:
            return sets
        return tuple(sum(sets[n : n + 2], ()) for n in range(0, self.ranks, 2))

    def describe_rule(self) -> Text:
        """Say what it takes, as the end of a sentence."""
        if self.ranks == 1:
            return Text("exactly {of} cards of one rank", of=self.of)
        return Text("exactly {of} cards of each of {ranks} different ranks", of=self.of, ranks=self.ranks)


@dataclass(frozen=True, slots=True)
class Sum:
    """Any number of cards whose ranks add to exactly ``total``, or to at least that; A counts 1 and K counts 13.

    Only with ``at_least`` may more cards be laid or cited than the combination needs.
    """

    total: int
    at_least: bool = False

    def is_met_by(self, mask: int) -> bool:
        """Tell whether the cards of the mask, all of them, add up to it."""
        return add_ranks(mask) >= self.total if self.at_least else add_ranks(mask) == self.total

    def can_hold(self, mask: int) -> bool:
        """Tell whether some combination holds these cards and perhaps others; the mask is not empty."""
        if self.at_least:
            return self.total <= DECK_SUM
        lacking = self.total - add_ranks(mask)
        sums = 1  # bit n: the other cards can add to n
        for card in cards_in(ALL & ~mask):
            sums |= sums << card.rank
        return lacking >= 0 and bool(sums >> lacking & 1)

    def list_examples(self) -> tuple[tuple[str, ...], ...]:
        """Return what it adds up to, as a paper prints it."""
        return (("Σ", "≧" if self.at_least else "=", str(self.total)),)

    def describe_rule(self) -> Text:
        """Say what it takes, as the end of a sentence."""
        if self.at_least:
            return Text("ranks that add to {total} or more", total=self.total)
        return Text("ranks that add to exactly {total}", total=self.total)


@dataclass(frozen=True, slots=True)
class Ranks:
    """One card of each of the given ranks, any suits; a rank may be given more than once."""

    ranks: tuple[int, ...]

    def is_met_by(self, mask: int) -> bool:
        """Tell whether the cards of the mask, all of them, are those ranks."""
        return count_ranks(mask) == sum(1 << 4 * (rank - 1) for rank in self.ranks)

    def can_hold(self, mask: int) -> bool:
        """Tell whether some combination holds these cards and perhaps others; the mask is not empty."""
        wanted = Counter(self.ranks)
        there = all(count <= RANK_TOTALS[rank] for rank, count in wanted.items())
        return there and Counter(card.rank for card in cards_in(mask)) <= wanted

    def list_examples(self) -> tuple[tuple[str, ...], ...]:
        """Return rows of small cards that show it, as a paper prints them."""
        names = tuple(RANK_NAMES[rank] for rank in self.ranks)
        return (names,) if len(names) < 5 else (names[: len(names) // 2], names[len(names) // 2 :])

    def describe_rule(self) -> Text:
        """Say what it takes, as the end of a sentence."""
        return Text("exactly {ranks}, one card each", ranks=ranks_listed(self.ranks))


Combination = Run | Sets | Sum | Ranks


def ranks_listed(ranks: Sequence[int]) -> Text:
    """Say the ranks: ``A, 7 and K``; one rank at least."""
    *names, last = (RANK_NAMES[rank] for rank in ranks)
    return (
        in_context("numbers", "{names} and {last}", names=join_numbers(names), last=last) if names else verbatim(last)
    )


@cache
def _list_straights(length: int) -> frozenset[int]:
    """Return every run of that length over any suits, packed by rank."""
    run = ONES & (1 << 4 * length) - 1
    return frozenset(run << 4 * (low - 1) for low in range(1, 15 - length))


@cache
def _list_flushes(length: int) -> frozenset[int]:
    """Return every run of that length in one suit, as masks of cards."""
    run = (1 << length) - 1
    return frozenset(run << 7 * place + low for place in range(len(Suit)) for low in range(8 - length))


@cache
def _list_equal_sets(of: int, ranks: int) -> frozenset[int]:
    """Return every choice of ``count`` equal cards of each of several ranks, packed by rank."""
    enough = [rank for rank, count in RANK_TOTALS.items() if count >= of]
    return frozenset(sum(of << 4 * (rank - 1) for rank in chosen) for chosen in combinations(enough, ranks))


RANK_TOTALS = {rank: OF_RANK[rank].bit_count() for rank in RANKS}
DECK_SUM = sum(RANK_OF)
_IN_SUIT = 7


@dataclass(frozen=True, slots=True)
class PaperKind:
    """A kind of paper: its name in records, points, copies in the supply, names for players and combination.

    ``combination`` is ``None`` for the End Flag alone, which is never published.
    """

    name: str
    points: int
    copies: int
    text: Text
    combination: Combination | None

    def is_met_by(self, cards: Sequence[Card]) -> bool:
        """Tell whether the cards, all of them and each of them once, are this paper's combination."""
        mask = mask_of(cards)
        return self.combination is not None and mask.bit_count() == len(cards) and self.combination.is_met_by(mask)

    def can_hold(self, cards: Sequence[Card]) -> bool:
        """Tell whether these cards, one or more and each of them once, may be what is left of this paper.

        The End Flag has one card, whichever it is.
        """
        if self.combination is None:
            return len(cards) == 1
        mask = mask_of(cards)
        return mask.bit_count() == len(cards) and self.combination.can_hold(mask)

    # What is printed on it (``referee.papers``)

    @property
    def examples(self) -> tuple[tuple[str, ...], ...]:
        """Rows of small cards that show what it asks for; a sign alone on the End Flag."""
        return self.combination.list_examples() if self.combination else (("▶",),)

    @property
    def groups(self) -> tuple[int, ...]:
        """How many cards belong together in it, group by group; none where it asks for a sum or for nothing."""
        match self.combination:
            case Run(length):
                return (length,)
            case Sets(of, ranks):
                return (of,) * ranks
            case Ranks(given):
                return (1,) * len(given)
        return ()

    @property
    def one_suit(self) -> bool:
        """Whether all its cards are of one suit."""
        return isinstance(self.combination, Run) and self.combination.one_suit

    @property
    def total(self) -> int:
        """What its ranks add to; 0 where it asks for no sum."""
        return self.combination.total if isinstance(self.combination, Sum) else 0


END_FLAG = "end_flag"

BUILT_IN: tuple[PaperKind, ...] = (
    PaperKind("straight5", 1, 4, Text("5 Straight"), Run(5)),
    PaperKind("straight7", 3, 3, Text("7 Straight"), Run(7)),
    PaperKind("straight9", 5, 2, Text("9 Straight"), Run(9)),
    PaperKind("straight11", 9, 1, Text("11 Straight"), Run(11)),
    PaperKind("three", 1, 4, Text("Three Cards"), Sets(3)),
    PaperKind("five", 4, 3, Text("Five Cards"), Sets(5)),
    PaperKind("three_pairs", 2, 3, Text("Three Pairs"), Sets(2, 3)),
    PaperKind("four_pairs", 5, 2, Text("Four Pairs"), Sets(2, 4)),
    PaperKind("triple_threes", 7, 1, Text("Triple Threes"), Sets(3, 3)),
    PaperKind("straight_flush4", 4, 2, Text("4 Straight Flush"), Run(4, one_suit=True)),
    PaperKind("straight_flush6", 7, 2, Text("6 Straight Flush"), Run(6, one_suit=True)),
    PaperKind("sum49", 2, 4, Text("49"), Sum(49)),
    PaperKind("sum100", 6, 1, Text("100+"), Sum(100, at_least=True)),
    PaperKind("ace_king", 2, 1, Text("AK"), Ranks((1, 13))),
    PaperKind("all_even", 6, 1, Text("All Even"), Ranks((2, 4, 6, 8, 10, 12))),
    PaperKind(END_FLAG, 1, 1, Text("End Flag"), None),
)


@dataclass(frozen=True)
class Papers:
    """The paper kinds a game is played with, in their fixed order; the built-in ones by default."""

    kinds: tuple[PaperKind, ...] = BUILT_IN
    _by_name: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name = {kind.name: place for place, kind in enumerate(self.kinds)}
        if len(by_name) != len(self.kinds) or END_FLAG not in by_name:
            raise ValueError("paper kinds need different names, and the End Flag must be one of them")
        object.__setattr__(self, "_by_name", by_name)
        object.__setattr__(self, "_hash", hash(self.kinds))

    def __hash__(self) -> int:
        return self._hash

    def __iter__(self) -> Iterator[PaperKind]:
        return iter(self.kinds)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> PaperKind:
        return self.kinds[self._by_name[name]]

    def __len__(self) -> int:
        return len(self.kinds)

    def place(self, name: str) -> int:
        """Return the kind's place in ``kinds``, -1 where there is none of that name."""
        return self._by_name.get(name, -1)

    @cached_property
    def house(self) -> tuple[PaperKind, ...]:
        """The kinds that are not built in."""
        return tuple(kind for kind in self.kinds if kind not in BUILT_IN)


LAMINATE = Papers()
"""The 16 built-in kinds: 35 paper cards."""
