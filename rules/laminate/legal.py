"""Which moves are legal now, and for each kind of paper the cheapest way to publish it, found exactly.

What a publication costs: every card of the combination comes from the hand (one card laid), from an own complete
paper (free) or from another author's (one card paid). The cheapest way gives up the fewest hand cards, laid or paid;
among those it pays the fewest, then cites the fewest papers. A way exists exactly where the cheapest one needs no
more cards than the hand holds and lays at least one of them (4), so the search for one answers both questions.

Cards are counted by rank in one int, see ``rules.laminate.counting``. For every kind there are a quick test, whether
there is any way, and an exact search, which way is the cheapest; the tests hold the one to the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from rules.cards import DECK, Suit, indices_in, mask_of
from rules.laminate.counting import HIGHS, OF_RANK, ONES, RANK_OF, add_ranks, count_ranks
from rules.laminate.papers import Combination, PaperKind, Papers, Ranks, Run, Sets, Sum

_SOME = 7 * ONES
"""Added to packed counts, marks the ranks with at least one card."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to make a combination, as masks: hand cards laid, own papers' cards cited, other authors' cards cited."""

    laid: int
    own: int
    others: int

    @property
    def cost(self) -> tuple[int, int, int]:
        """Hand cards given up, those among them that are paid, and papers cited."""
        paid = self.others.bit_count()
        return self.laid.bit_count() + paid, paid, self.own.bit_count() + paid


class _Means:
    """What a seat can publish with: its hand and the cards it can cite, as masks and counted by rank."""

    __slots__ = ("_runs", "all", "all_counts", "hand", "hand_counts", "others", "own", "own_counts", "size", "total")

    def __init__(self, hand: int, own: int, others: int) -> None:
        self.hand, self.own, self.others, self.all = hand, own, others, hand | own | others
        self.size = hand.bit_count()
        self.hand_counts, self.own_counts = count_ranks(hand), count_ranks(own)
        self.all_counts = self.hand_counts + self.own_counts + count_ranks(others)
        self.total = add_ranks(self.all)
        self._runs: list[int] | None = None

    def find_runs(self) -> list[int]:
        """Return, by length less one, the lowest ranks of the runs that all cards can make, as nibbles' high bits."""
        if self._runs is None:
            have = starts = (self.all_counts + _SOME) & HIGHS
            self._runs = found = []
            shift = 0
            while starts:
                found.append(starts)
                shift += 4
                starts &= have >> shift
        return self._runs


_Test = Callable[[_Means], bool]
_Search = Callable[[_Means], Way | None]


# Quick tests. What is missing in hand and own papers costs as much as a laid card: one card of the hand. So only the
# number of cards that own papers save counts, and that at least one card is laid.


def _ranks_ready(means: _Means, wanted: int) -> bool:
    """Tell whether one card of each rank that ``wanted`` marks, by its nibble's high bit, can be had and paid for."""
    hand = wanted & (means.hand_counts + _SOME)
    if not hand:
        return False
    missing = wanted & ~(means.own_counts + _SOME)
    return missing.bit_count() + (not hand & missing) <= means.size


def _run_test(block: Run) -> _Test:
    length = block.length
    if block.one_suit:
        starts_allowed = mask_of(card for card in DECK if card.rank + length - 1 in card.suit.ranks)
        run = (1 << length) - 1

        def one_suit(means: _Means) -> bool:
            cards = means.all
            starts = cards & starts_allowed
            for shift in range(1, length):
                starts &= cards >> shift
                if not starts:
                    return False
            while starts:
                low = starts & -starts
                here = run * low
                if here & means.hand and (here & ~means.own).bit_count() <= means.size:
                    return True
                starts ^= low
            return False

        return one_suit

    window = 8 * (ONES & (1 << 4 * length) - 1)

    def any_suit(means: _Means) -> bool:
        runs = means.find_runs()
        if len(runs) < length:
            return False
        starts = runs[length - 1]
        while starts:
            low = starts & -starts
            if _ranks_ready(means, window * (low >> 3)):
                return True
            starts ^= low
        return False

    return any_suit


def _sets_test(block: Sets, search: _Search) -> _Test:
    of, ranks = block.of, block.ranks
    more = (8 - of) * ONES

    def one_set(means: _Means) -> bool:
        enough = (means.all_counts + more) & (means.hand_counts + _SOME) & HIGHS
        while enough:
            low = enough & -enough
            own = means.own_counts // (low >> 3) & 7
            if max(1, of - own) <= means.size:
                return True
            enough ^= low
        return False

    def several_sets(means: _Means) -> bool:
        enough = (means.all_counts + more) & HIGHS
        if enough.bit_count() < ranks or not enough & (means.hand_counts + _SOME):
            return False
        # Each rank costs as many cards as own papers leave missing; so many at least for the cheapest ranks:
        least = 0
        for level in range(1, of + 1):
            least += max(0, ranks - (enough & (means.own_counts + (8 - level) * ONES)).bit_count())
        if least > means.size:
            return False
        # Laying a hand card at all takes at most one other rank, and all its cards, more.
        return least + of <= means.size or search(means) is not None

    return one_set if ranks == 1 else several_sets


def _sum_test(block: Sum) -> _Test:
    wanted = block.total

    def at_least(means: _Means) -> bool:
        if means.total < wanted:
            return False
        if not means.hand or not means.others:
            return means.hand > 0
        # The whole hand is given up: some of it paid, the highest rest laid.
        missing = wanted - add_ranks(means.own)
        hand = sorted([RANK_OF[index] for index in indices_in(means.hand)])
        laid = sum(hand)
        if laid >= missing:
            return True
        others = sorted([RANK_OF[index] for index in indices_in(means.others)], reverse=True)
        for paid, cited in zip(hand[:-1], others, strict=False):
            laid += cited - paid
            if laid >= missing:
                return True
        return False

    def exactly(means: _Means) -> bool:
        if means.total < wanted:
            return False
        laying, reached = 0, _find_sums(means.own)  # sums with and without a hand card, a bit each
        cards = means.hand
        while cards:
            low = cards & -cards
            laying |= (laying | reached) << RANK_OF[low.bit_length() - 1]
            cards ^= low
        if laying >> wanted & 1:
            return True
        # Others' papers cost a hand card each: count the hand cards given up, laid or paid.
        spent = [reached] + [0] * means.size
        for index in indices_in(means.others):
            for count in range(means.size - 1, 0, -1):
                spent[count] |= spent[count - 1] << RANK_OF[index]
        spent_laying = [0] * (means.size + 1)
        for index in indices_in(means.hand):
            for count in range(means.size, 0, -1):
                spent_laying[count] |= (spent_laying[count - 1] | spent[count - 1]) << RANK_OF[index]
        return any(sums >> wanted & 1 for sums in spent_laying)

    return at_least if block.at_least else exactly


@lru_cache(maxsize=1 << 12)
def _find_sums(mask: int) -> int:
    """Return the sums that some of the cards make, zero cards included, a bit each."""
    reached = 1
    for index in indices_in(mask):
        reached |= reached << RANK_OF[index]
    return reached


def _ranks_test(block: Ranks, search: _Search) -> _Test:
    need = sum(1 << 4 * (rank - 1) for rank in block.ranks)
    once = 8 * need if len(set(block.ranks)) == len(block.ranks) else 0

    def test(means: _Means) -> bool:
        if (means.all_counts + HIGHS - need) & HIGHS != HIGHS:
            return False
        return _ranks_ready(means, once) if once else search(means) is not None

    return test


# Exact searches: the cheapest way, or none. Own papers are free, and a hand card costs no more than a citation of
# another author's paper, so of each rank own cards come first, then hand cards, then others'; only where that lays
# nothing, one hand card takes the place of an own one.

_Share = tuple[int, int, int]
"""How many cards of a rank come from the hand, from own papers and from others' papers."""


def _pick(means: _Means, shares: Sequence[tuple[int, _Share]]) -> Way:
    """Pick the lowest cards for these shares, each with its rank."""
    laid = own = others = 0
    for rank, (from_hand, from_own, from_others) in shares:
        here = OF_RANK[rank]
        laid |= _pick_lowest(means.hand & here, from_hand)
        own |= _pick_lowest(means.own & here, from_own)
        others |= _pick_lowest(means.others & here, from_others)
    return Way(laid, own, others)


def _pick_lowest(mask: int, count: int) -> int:
    chosen = 0
    for _ in range(count):
        low = mask & -mask
        chosen |= low
        mask ^= low
    return chosen


def _one_each(means: _Means, wanted: int) -> tuple[int, int, int] | None:
    """Find one card of each rank that ``wanted`` marks: ranks from the hand, from own and from others' papers.

    Ranks are marked by their nibbles' high bits; ``None`` where no hand card is among them or the hand is too small.
    """
    hand, own = wanted & (means.hand_counts + _SOME), wanted & (means.own_counts + _SOME)
    if not hand:
        return None
    laid = hand & ~own or hand & -hand
    own &= ~laid
    if (wanted & ~own).bit_count() > means.size:
        return None
    return laid, own, wanted & ~own & ~laid


def _choose_marked(means: _Means, ways: Sequence[tuple[int, int, int]]) -> Way | None:
    """Return the cheapest of these ways to have one card each, as cards."""
    if not ways:
        return None
    laid, own, others = min(ways, key=_marked_price)
    shares = ((laid, (1, 0, 0)), (own, (0, 1, 0)), (others, (0, 0, 1)))
    return _pick(means, [(low.bit_length() // 4, share) for ranks, share in shares for low in _count_bits(ranks)])


def _marked_price(way: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return the hand cards given up, then paid, then own papers cited; of
    others as many are cited as cards are paid.
    """
    laid, own, others = map(int.bit_count, way)
    return laid + others, others, own


def _count_bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def _run_search(block: Run) -> _Search:
    length = block.length
    if block.one_suit:
        run = (1 << length) - 1
        windows = [run << place * 7 + low for place in range(len(Suit)) for low in range(8 - length)]

        def one_suit(means: _Means) -> Way | None:
            ways = [
                Way(window & means.hand, window & means.own, window & means.others)
                for window in windows
                if not window & ~means.all and window & means.hand
            ]
            best = min(ways, key=_price_way, default=None)
            return None if best is None or best.cost[0] > means.size else best

        return one_suit

    window = 8 * (ONES & (1 << 4 * length) - 1)

    def any_suit(means: _Means) -> Way | None:
        runs = means.find_runs()
        if len(runs) < length:
            return None
        found = (_one_each(means, window * (low >> 3)) for low in _count_bits(runs[length - 1]))
        return _choose_marked(means, [way for way in found if way is not None])

    return any_suit


def _price_way(way: Way) -> tuple[int, int, int]:
    return way.cost


def _find_shares(means: _Means, rank: int, count: int) -> tuple[_Share, _Share | None]:
    """Return the cheapest share for ``count`` cards of a rank, all that there are, and the cheapest that lays one."""
    at = 4 * (rank - 1)
    hand, own = means.hand_counts >> at & 7, means.own_counts >> at & 7
    from_own = min(own, count)
    from_hand = min(hand, count - from_own)
    share = (from_hand, from_own, count - from_own - from_hand)
    if from_hand or not hand:
        return share, share if from_hand else None
    return share, (1, from_own - 1, 0)


def _share_price(share: _Share) -> int:
    """Return what a share costs as one number: hand cards given up, then paid, then own papers cited."""
    hand, own, others = share
    return hand + others << 16 | others << 8 | own


def _satisfy_several(means: _Means, demands: Sequence[tuple[int, int]], choose: int) -> Way | None:
    """Return the cheapest way to satisfy ``choose`` of the demands, each for a number of cards of one rank."""
    offers: list[tuple[int, int, _Share, _Share | None]] = []
    for rank, count in demands:
        share, hand_share = _find_shares(means, rank, count)
        offers.append((_share_price(share), rank, share, hand_share))
    offers.sort()
    price = sum(offer[0] for offer in offers[:choose])
    # One rank lays a hand card; the cheapest of the others go with it.
    best: tuple[int, int] | None = None
    for place, (alone, _, _, hand_share) in enumerate(offers):
        if hand_share is not None:
            instead = alone if place < choose else offers[choose - 1][0]
            laying = price - instead + _share_price(hand_share)
            if best is None or laying < best[0]:
                best = laying, place
    if best is None or best[0] >> 16 > means.size:
        return None
    layer = offers.pop(best[1])
    shares = [(rank, share) for _, rank, share, _ in offers[: choose - 1]]
    return _pick(means, [*shares, (layer[1], layer[3] or layer[2])])


def _sets_search(block: Sets) -> _Search:
    of, ranks, more = block.of, block.ranks, (8 - block.of) * ONES

    def search(means: _Means) -> Way | None:
        enough = (means.all_counts + more) & HIGHS
        if enough.bit_count() < ranks:
            return None
        return _satisfy_several(means, [(low.bit_length() // 4, of) for low in _count_bits(enough)], ranks)

    return search


def _ranks_search(block: Ranks) -> _Search:
    need = sum(1 << 4 * (rank - 1) for rank in block.ranks)
    demands = [(rank, block.ranks.count(rank)) for rank in sorted(set(block.ranks))]

    def search(means: _Means) -> Way | None:
        if (means.all_counts + HIGHS - need) & HIGHS != HIGHS:
            return None
        return _satisfy_several(means, demands, len(demands))

    return search


def _sum_search(block: Sum) -> _Search:
    wanted = block.total
    _far = 1 << 30

    def exactly(means: _Means) -> Way | None:
        # Prices as one number: hand cards given up, then paid, then cited.
        price = [_far] * (wanted + 1)
        price[0] = 0
        chosen = [0] * (wanted + 1)
        top = 0
        for cards, step in ((means.own, 1), (means.others, 1 << 16 | 1 << 8 | 1)):
            for index in indices_in(cards):
                rank = RANK_OF[index]
                top = min(wanted, top + rank)
                for reached in range(top, rank - 1, -1):
                    offer = price[reached - rank] + step
                    if offer < price[reached]:
                        price[reached] = offer
                        chosen[reached] = chosen[reached - rank] | 1 << index
        laying = [_far] * (wanted + 1)
        laid = [0] * (wanted + 1)
        for index in indices_in(means.hand):
            rank = RANK_OF[index]
            top = min(wanted, top + rank)
            for reached in range(top, rank - 1, -1):
                before = reached - rank
                offer, cards = laying[before], laid[before]
                if price[before] < offer:
                    offer, cards = price[before], chosen[before]
                if offer + (1 << 16) < laying[reached]:
                    laying[reached] = offer + (1 << 16)
                    laid[reached] = cards | 1 << index
        if laying[wanted] >> 16 > means.size:
            return None
        cards = laid[wanted]
        return Way(cards & means.hand, cards & means.own, cards & means.others)

    def at_least(means: _Means) -> Way | None:
        hand, own, others = (_highest_first(cards) for cards in (means.hand, means.own, means.others))
        hand_sums, own_sums, others_sums = (
            [0, *accumulate(RANK_OF[index] for index in cards)] for cards in (hand, own, others)
        )
        for spent in range(1, means.size + 1):
            for paid in range(min(spent, len(others) + 1)):
                missing = wanted - hand_sums[spent - paid] - others_sums[paid]
                if missing > own_sums[-1]:
                    continue
                free = next(count for count, have in enumerate(own_sums) if have >= missing)
                laid, cited, thanked = hand[: spent - paid], own[:free], others[:paid]
                return Way(*(sum(1 << index for index in cards) for cards in (laid, cited, thanked)))
        return None

    return at_least if block.at_least else exactly


def _highest_first(mask: int) -> list[int]:
    return sorted(indices_in(mask), key=lambda index: -RANK_OF[index])


@lru_cache(maxsize=64)
def _compile(block: Combination) -> tuple[_Test, _Search]:
    if isinstance(block, Run):
        return _run_test(block), _run_search(block)
    if isinstance(block, Sets):
        search = _sets_search(block)
        return _sets_test(block, search), search
    if isinstance(block, Sum):
        search = _sum_search(block)
        return _sum_test(block), search
    search = _ranks_search(block)
    return _ranks_test(block, search), search


@lru_cache(maxsize=1 << 12)
def _compile_kinds(catalogue: Papers, places: int) -> tuple[tuple[PaperKind, _Test, _Search], ...]:
    """Return the kinds at these places of the catalogue, a mask, that can be published at all."""
    return tuple(
        (kind, *_compile(kind.combination))
        for place, kind in enumerate(catalogue.kinds)
        if kind.combination is not None and places >> place & 1
    )


def cheapest_way(kind: PaperKind, hand: int, own: int = 0, others: int = 0) -> Way | None:
    """Return the cheapest way to make a paper from a hand and own and others' complete papers, all masks of cards.

    ``None`` where there is none. Supply and papers held are not looked at.
    """
    if kind.combination is None:
        return None
    return _compile(kind.combination)[1](_Means(hand, own, others))


def can_make(kind: PaperKind, hand: int, own: int = 0, others: int = 0) -> bool:
    """Tell whether ``cheapest_way`` finds one, answered by the quick test."""
    return kind.combination is not None and _compile(kind.combination)[0](_Means(hand, own, others))
