"""Which moves are legal now, and for each kind of paper the cheapest way to publish it, found exactly.

What a publication costs: every card of the combination comes from the hand (one card laid), from an own complete
paper (free) or from another author's (one card paid). The cheapest way gives up the fewest hand cards, laid or paid;
among those it pays the fewest, then cites the fewest papers. A way exists exactly where the cheapest one needs no
more cards than the hand holds and lays at least one of them (4), so the search for one answers both questions.

Cards are counted by rank in one int, four bits a rank ("packed"): there are at most seven cards of a rank, so bit 3
of each nibble is free, and one addition compares all 13 ranks at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations, permutations

from rules.cards import DECK, RANK_NAMES, Card, Suit, cards_in, indices_in, mask_of
from rules.laminate.moves import Citation, EndFlag, Move, Pass, Publish, Research, Review
from rules.laminate.papers import Combination, PaperKind, Papers, Ranks, Run, Sets, Sum
from rules.laminate.position import Phase, Position

_RANKS = range(1, 14)
_ONES = sum(1 << 4 * (rank - 1) for rank in _RANKS)
_HIGHS = 8 * _ONES
_RANK_OF = tuple(card.rank for card in DECK)
_OF_RANK = {rank: mask_of(card for card in DECK if card.rank == rank) for rank in _RANKS}
_SUIT_COUNTS = tuple(
    tuple(sum(1 << 4 * (suit.lowest - 1 + place) for place in range(7) if bits >> place & 1) for bits in range(128))
    for suit in Suit
)


@lru_cache(maxsize=1 << 15)
def _packed(mask: int) -> int:
    """The number of cards of each rank, four bits a rank."""
    c0, c1, c2, c3, c4, c5, c6 = _SUIT_COUNTS
    return (
        c0[mask & 127]
        + c1[mask >> 7 & 127]
        + c2[mask >> 14 & 127]
        + c3[mask >> 21 & 127]
        + c4[mask >> 28 & 127]
        + c5[mask >> 35 & 127]
        + c6[mask >> 42]
    )


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

    __slots__ = ("_runs", "hand", "hand_counts", "own", "own_counts", "others", "others_counts", "size", "sums")

    def __init__(self, hand: int, own: int, others: int) -> None:
        self.hand, self.own, self.others = hand, own, others
        self.size = hand.bit_count()
        self.hand_counts, self.own_counts, self.others_counts = _packed(hand), _packed(own), _packed(others)
        self._runs: list[int] | None = None

    def runs(self) -> list[int]:
        """By length less one, the lowest ranks of the runs that all cards together can make, as nibbles' high bits."""
        if self._runs is None:
            have = (self.hand_counts + self.own_counts + self.others_counts + 7 * _ONES) & _HIGHS
            found, starts, shift = [], have, 0
            while starts:
                found.append(starts)
                shift += 4
                starts &= have >> shift
            self._runs = found
        return self._runs


_Test = Callable[[_Means], bool]
_Search = Callable[[_Means], Way | None]


# Quick answers: is there any way at all? Each falls back on the exact search where only citing others might do.


def _run_test(block: Run, search: _Search) -> _Test:
    length = block.length
    if block.one_suit:
        starts_allowed = mask_of(card for card in DECK if card.rank + length - 1 in card.suit.ranks)

        def one_suit(means: _Means) -> bool:
            cards = means.hand | means.own | means.others
            starts = cards & starts_allowed
            for shift in range(1, length):
                starts &= cards >> shift
                if not starts:
                    return False
            return search(means) is not None

        return one_suit

    def any_suit(means: _Means) -> bool:
        runs = means.runs()
        if len(runs) < length:
            return False
        ready = (means.hand_counts + means.own_counts + 7 * _ONES) & _HIGHS
        window = (1 << 4 * length) - 1
        starts = runs[length - 1]
        while starts:
            low = starts & -starts
            here = window * (low >> 3)
            if not here & _HIGHS & ~ready and means.hand_counts & here:
                return True
            starts ^= low
        return search(means) is not None

    return any_suit


def _sets_test(block: Sets, search: _Search) -> _Test:
    more, ranks = (8 - block.of) * _ONES, block.ranks
    if block.of > 7:
        return lambda means: False

    def test(means: _Means) -> bool:
        ready = means.hand_counts + means.own_counts
        enough = (ready + means.others_counts + more) & _HIGHS
        if enough.bit_count() < ranks:
            return False
        enough = (ready + more) & _HIGHS
        if enough.bit_count() >= ranks and enough & (means.hand_counts + 7 * _ONES):
            return True
        return search(means) is not None

    return test


def _sum_test(block: Sum, search: _Search) -> _Test:
    total = block.total

    def at_least(means: _Means) -> bool:
        cards = means.hand | means.own | means.others
        return _sum_of(cards) >= total and search(means) is not None

    def exactly(means: _Means) -> bool:
        reached = 1
        for index in indices_in(means.own):
            reached |= reached << _RANK_OF[index]
        fresh = 0  # sums with at least one hand card
        for index in indices_in(means.hand):
            fresh |= (fresh | reached) << _RANK_OF[index]
        if fresh >> total & 1:
            return True
        for index in indices_in(means.others):
            fresh |= fresh << _RANK_OF[index]
        return bool(fresh >> total & 1) and search(means) is not None

    return at_least if block.at_least else exactly


@lru_cache(maxsize=1 << 15)
def _sum_of(mask: int) -> int:
    return sum(_RANK_OF[index] for index in indices_in(mask))


def _ranks_test(block: Ranks, search: _Search) -> _Test:
    need = sum(1 << 4 * (rank - 1) for rank in block.ranks)

    def test(means: _Means) -> bool:
        have = means.hand_counts + means.own_counts + means.others_counts
        return (have + _HIGHS - need) & _HIGHS == _HIGHS and search(means) is not None

    return test


# Exact searches: the cheapest way, or none.


def _cards_by_demand(means: _Means, need: Sequence[tuple[int, tuple[int, int, int]]]) -> Way:
    """Pick the lowest cards for so many (hand, own, others) of each rank."""
    laid = own = others = 0
    for rank, (from_hand, from_own, from_others) in need:
        here = _OF_RANK[rank]
        laid |= _lowest(means.hand & here, from_hand)
        own |= _lowest(means.own & here, from_own)
        others |= _lowest(means.others & here, from_others)
    return Way(laid, own, others)


def _lowest(mask: int, count: int) -> int:
    chosen = 0
    for _ in range(count):
        low = mask & -mask
        chosen |= low
        mask ^= low
    return chosen


_Share = tuple[int, int, int]
_Price = tuple[int, int, int]


def _shares(means: _Means, rank: int, count: int) -> tuple[_Share | None, _Share | None]:
    """The cheapest (hand, own, others) for so many cards of a rank: any, and one that lays a hand card."""
    at = 4 * (rank - 1)
    hand, own, others = means.hand_counts >> at & 7, means.own_counts >> at & 7, means.others_counts >> at & 7
    from_own = min(own, count)
    from_hand = min(hand, count - from_own)
    from_others = count - from_own - from_hand
    if from_others > others:
        return None, None
    share = (from_hand, from_own, from_others)
    if from_hand or not hand:
        return share, share if from_hand else None
    return share, (1, from_own - 1, from_others)


def _price(share: _Share) -> _Price:
    from_hand, from_own, from_others = share
    return from_hand + from_others, from_others, from_own + from_others


def _plus(one: _Price, other: _Price) -> _Price:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


_Choice = tuple[_Price, tuple[tuple[int, _Share], ...]]


def _cheaper(one: _Choice | None, other: _Choice | None) -> _Choice | None:
    if one is None or other is None:
        return one or other
    return min(one, other)


def _demand_search(demands: Sequence[Sequence[tuple[int, int]]]) -> _Search:
    """The cheapest of several demands, each naming ranks with the number of cards it takes of them."""

    def search(means: _Means) -> Way | None:
        best: _Choice | None = None
        for demand in demands:
            plain: _Choice | None = ((0, 0, 0), ())
            laying: _Choice | None = None
            for rank, count in demand:
                plain, laying = _extend(plain, laying, rank, _shares(means, rank, count))
                if plain is None:
                    break
            best = _cheaper(best, laying)
        return _affordable(means, best)

    return search


def _extend(
    plain: _Choice | None, laying: _Choice | None, rank: int, shares: tuple[_Share | None, _Share | None]
) -> tuple[_Choice | None, _Choice | None]:
    """Add a rank to the cheapest choice so far and to the cheapest that lays a hand card."""
    any_share, hand_share = shares
    if any_share is None:
        return None, None
    step = (rank, any_share)
    after = None if plain is None else (_plus(plain[0], _price(any_share)), (*plain[1], step))
    kept = None if laying is None else (_plus(laying[0], _price(any_share)), (*laying[1], step))
    if hand_share is not None and plain is not None:
        kept = _cheaper(kept, (_plus(plain[0], _price(hand_share)), (*plain[1], (rank, hand_share))))
    return after, kept


def _affordable(means: _Means, choice: _Choice | None) -> Way | None:
    if choice is None or choice[0][0] > means.size:
        return None
    return _cards_by_demand(means, choice[1])


def _run_search(block: Run) -> _Search:
    length = block.length
    if not block.one_suit:
        return _demand_search(
            [[(rank, 1) for rank in range(low, low + length)] for low in range(1, 15 - length)],
        )
    windows = [
        mask_of(DECK[place * 7 + low + step] for step in range(length))
        for place in range(len(Suit))
        for low in range(8 - length)
    ]

    def search(means: _Means) -> Way | None:
        best: Way | None = None
        cards = means.hand | means.own | means.others
        for window in windows:
            if window & ~cards or not window & means.hand:
                continue
            way = Way(window & means.hand, window & means.own, window & means.others)
            if way.cost[0] <= means.size and (best is None or way.cost < best.cost):
                best = way
        return best

    return search


def _sets_search(block: Sets) -> _Search:
    of, ranks = block.of, block.ranks

    def search(means: _Means) -> Way | None:
        plain: list[_Choice | None] = [((0, 0, 0), ()), *[None] * ranks]
        laying: list[_Choice | None] = [None] * (ranks + 1)
        for rank in _RANKS:
            shares = _shares(means, rank, of)
            if shares[0] is None:
                continue
            for chosen in range(ranks, 0, -1):
                after, kept = _extend(plain[chosen - 1], laying[chosen - 1], rank, shares)
                plain[chosen] = _cheaper(plain[chosen], after)
                laying[chosen] = _cheaper(laying[chosen], kept)
        return _affordable(means, laying[ranks])

    return search


def _sum_search(block: Sum) -> _Search:
    total = block.total
    _far = 1 << 30

    def exactly(means: _Means) -> Way | None:
        # Prices as one number: hand cards given up, then paid, then cited.
        price = [_far] * (total + 1)
        price[0] = 0
        chosen = [0] * (total + 1)
        top = 0
        for cards, step in ((means.own, 1), (means.others, 1 << 16 | 1 << 8 | 1)):
            for index in indices_in(cards):
                rank = _RANK_OF[index]
                top = min(total, top + rank)
                for reached in range(top, rank - 1, -1):
                    offer = price[reached - rank] + step
                    if offer < price[reached]:
                        price[reached] = offer
                        chosen[reached] = chosen[reached - rank] | 1 << index
        laying = [_far] * (total + 1)
        laid = [0] * (total + 1)
        for index in indices_in(means.hand):
            rank = _RANK_OF[index]
            top = min(total, top + rank)
            for reached in range(top, rank - 1, -1):
                before = reached - rank
                offer, cards = laying[before], laid[before]
                if price[before] < offer:
                    offer, cards = price[before], chosen[before]
                if offer + (1 << 16) < laying[reached]:
                    laying[reached] = offer + (1 << 16)
                    laid[reached] = cards | 1 << index
        if laying[total] >> 16 > means.size:
            return None
        cards = laid[total]
        return Way(cards & means.hand, cards & means.own, cards & means.others)

    def at_least(means: _Means) -> Way | None:
        hand, own, others = (_highest_first(cards) for cards in (means.hand, means.own, means.others))
        hand_sums, own_sums, others_sums = (
            [0, *accumulate(_RANK_OF[index] for index in cards)] for cards in (hand, own, others)
        )
        for spent in range(1, means.size + 1):
            for paid in range(min(spent, len(others) + 1)):
                missing = total - hand_sums[spent - paid] - others_sums[paid]
                if missing > own_sums[-1]:
                    continue
                free = next(count for count, have in enumerate(own_sums) if have >= missing)
                laid, cited, thanked = hand[: spent - paid], own[:free], others[:paid]
                return Way(*(sum(1 << index for index in cards) for cards in (laid, cited, thanked)))
        return None

    return at_least if block.at_least else exactly


def _highest_first(mask: int) -> list[int]:
    return sorted(indices_in(mask), key=lambda index: -_RANK_OF[index])


def _ranks_search(block: Ranks) -> _Search:
    return _demand_search([[(rank, block.ranks.count(rank)) for rank in sorted(set(block.ranks))]])


def _compile(block: Combination) -> tuple[_Test, _Search]:
    if isinstance(block, Run):
        search = _run_search(block)
        return _run_test(block, search), search
    if isinstance(block, Sets):
        search = _sets_search(block)
        return _sets_test(block, search), search
    if isinstance(block, Sum):
        search = _sum_search(block)
        return _sum_test(block, search), search
    search = _ranks_search(block)
    return _ranks_test(block, search), search


@lru_cache(maxsize=8)
def _compiled(kinds: tuple[PaperKind, ...]) -> tuple[tuple[int, PaperKind, _Test, _Search], ...]:
    return tuple(
        (place, kind, *_compile(kind.combination)) for place, kind in enumerate(kinds) if kind.combination is not None
    )


def cheapest_way(kind: PaperKind, hand: int, own: int = 0, others: int = 0) -> Way | None:
    """The cheapest way to make a paper from a hand and the cards of own and of others' complete papers, all masks.

    ``None`` where there is none. Supply and papers held are not looked at.
    """
    if kind.combination is None:
        return None
    return _compile_one(kind.combination)(_Means(hand, own, others))


@lru_cache(maxsize=64)
def _compile_one(block: Combination) -> _Search:
    return _compile(block)[1]


@dataclass(frozen=True, slots=True)
class Publication:
    """The cheapest way to publish a paper: hand cards laid, papers cited, thank-you cards due by seat."""

    paper: str
    cards: tuple[Card, ...]
    cite: tuple[Citation, ...]
    pay: tuple[tuple[int, int], ...]

    def move(self, seat: int, hand: Sequence[Card]) -> Publish:
        """The publication as a move that pays with the lowest ranks left in that hand."""
        left = sorted((card for card in hand if card not in self.cards), key=lambda card: (card.rank, card.index))
        pay: dict[int, tuple[Card, ...]] = {}
        for author, count in self.pay:
            pay[author], left = tuple(left[:count]), left[count:]
        return Publish(seat, self.paper, self.cards, self.cite, pay)


class LegalMoves:
    """The legal moves of the seat to move, as an object.

    ``move in legal`` judges any move. Iterating gives every research, every review, the cheapest publication of every
    kind that can be published, pass and End Flag; ``len`` counts these. With public information the hand must be
    given for questions about publications and the End Flag, and draws from the pile are not listed.
    """

    def __init__(self, position: Position, hand: Sequence[Card] | None = None) -> None:
        self.position = position
        self._hand: int | None = None
        if hand is not None:
            self._hand = mask_of(hand)
        elif position.full and position.to_move is not None:
            self._hand = position._hands[position._seat] if position._hands is not None else None
        self._means: _Means | None = None

    def _need_means(self) -> _Means:
        if self._means is None:
            if self._hand is None:
                raise ValueError("the hand is not known with public information; give it")
            done = self.position._done
            own = done[self.position._seat]
            others = 0
            for cards in done:
                others |= cards
            self._means = _Means(self._hand, own, others ^ own)
        return self._means

    def _kinds(self) -> Iterator[tuple[PaperKind, _Test, _Search]]:
        position = self.position
        if position._phase is not Phase.PLAY:
            return
        held = {paper.kind for paper in position._papers[position._seat]}
        supply = position._supply
        for place, kind, test, search in _compiled(position.catalogue.kinds):
            if supply[place] and kind.name not in held:
                yield kind, test, search

    @property
    def publishable(self) -> tuple[str, ...]:
        """The kinds that can be published now, in their fixed order."""
        means = self._need_means()
        return tuple(kind.name for kind, test, _ in self._kinds() if test(means))

    @property
    def can_publish(self) -> bool:
        """True where some paper can be published."""
        means = self._need_means()
        return any(test(means) for _, test, _ in self._kinds())

    def cheapest(self, paper: str) -> Publication | None:
        """The cheapest way to publish that kind now, ``None`` where there is none."""
        for kind, _, search in self._kinds():
            if kind.name == paper:
                way = search(self._need_means())
                return None if way is None else self._publication(kind, way)
        return None

    @property
    def publications(self) -> tuple[Publication, ...]:
        """The cheapest way for every kind that can be published now."""
        means = self._need_means()
        return tuple(
            self._publication(kind, way)
            for kind, _, search in self._kinds()
            if (way := search(means)) is not None
        )

    def _publication(self, kind: PaperKind, way: Way) -> Publication:
        cite: list[Citation] = []
        pay: dict[int, int] = {}
        cited = way.own | way.others
        seat = self.position._seat + 1
        for area in self.position._papers:
            for paper in area:
                if len(paper.cards) == 1 and paper.cards[0].bit & cited:
                    cite.append(Citation(paper.seat, paper.kind))
                    if paper.seat != seat:
                        pay[paper.seat] = pay.get(paper.seat, 0) + 1
        return Publication(kind.name, cards_in(way.laid), tuple(cite), tuple(sorted(pay.items())))

    @property
    def reviews(self) -> tuple[Review, ...]:
        """Every review that is possible now."""
        position = self.position
        if position._phase is not Phase.PLAY or not position._open:
            return ()
        seat = position._seat + 1
        return tuple(
            Review(seat, paper.seat, paper.kind, card)
            for area in position._papers
            for paper in area
            if len(paper.cards) > 1
            for card in paper.cards
        )

    def draws(self) -> Iterator[Research]:
        """Every research from the draw pile, with full information: each card kept and each one discarded."""
        position = self.position
        if position._hands is None or position._phase is not Phase.PLAY:
            return
        seat = position._seat + 1
        pile, below = position.draw_pile, tuple(card for card in position.discards if card is not None)
        if position.draw_gives == 1:
            yield Research(seat, "deck", (pile + below)[0])
        elif position.draw_count >= 2:
            for keep, discard in permutations(pile, 2):
                yield Research(seat, "deck", keep, discard)
        elif position.draw_count == 1:
            for card in below:
                yield Research(seat, "deck", pile[0], card)
                yield Research(seat, "deck", card, pile[0])
        else:
            for one, other in combinations(below, 2):
                yield Research(seat, "deck", one, other)
                yield Research(seat, "deck", other, one)

    def __contains__(self, move: Move) -> bool:
        return self.position.can(move)

    def __iter__(self) -> Iterator[Move]:
        position = self.position
        seat = position.to_move
        if seat is None:
            return
        if position._phase is Phase.FLAG:
            if self._hand is None:
                raise ValueError("the hand is not known with public information; give it")
            for card in cards_in(self._hand):
                yield EndFlag(seat, card)
            return
        if position._discards and position.discards[-1] is not None:
            yield Research(seat, "discard", position.discards[-1])
        yield from self.draws()
        yield from self.reviews
        if self._hand is not None:
            hand = cards_in(self._hand)
            for publication in self.publications:
                yield publication.move(seat, hand)
        if position.pass_allowed:
            yield Pass(seat)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        position = self.position
        if position.to_move is None:
            return "<LegalMoves none>"
        parts = [f"research ({position.draw_gives} from the draw pile)"] if position.draw_gives else []
        parts += [f"{len(self.reviews)} reviews"] if position.review_possible else []
        if self._hand is not None:
            parts += [f"publish {', '.join(self.publishable)}"] if self.can_publish else []
        parts += ["pass"] if position.pass_allowed else []
        return f"<LegalMoves of {position.name(position.to_move)}: {'; '.join(parts) or 'End Flag'}>"


def rank_counts(cards: Sequence[Card]) -> dict[str, int]:
    """How many cards of each rank there are, by the rank's name; ranks without a card are left out."""
    packed = _packed(mask_of(cards))
    return {RANK_NAMES[rank]: count for rank in _RANKS if (count := packed >> 4 * (rank - 1) & 15)}


def kinds_to_publish(catalogue: Papers) -> tuple[PaperKind, ...]:
    """The kinds that can be published at all: every one but the End Flag."""
    return tuple(kind for kind in catalogue.kinds if kind.combination is not None)
