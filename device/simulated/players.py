"""Simulated players: they see their own hand and the table, and choose a move that the rules core allows.

Their judgement is simple and quick: publish what pays, review what helps, otherwise research. ``rng`` settles ties.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rules.cards import Card
from rules.laminate.moves import Citation, EndFlag, Move, Pass, Publish, Research, Review
from rules.laminate.papers import PaperKind, Ranks, Run, Sets, Sum
from rules.laminate.position import Paper, Phase, Position


@dataclass(frozen=True, slots=True)
class _Source:
    """A card that could go into a publication: from the hand, or cited at a price of thank-you cards."""

    card: Card
    paper: Paper | None
    price: int


def useful(card: Card, hand: Sequence[Card]) -> float:
    """How well a card goes with a hand: equal ranks, neighbours, neighbours of its own suit."""
    score = 0.0
    for other in hand:
        gap = abs(card.rank - other.rank)
        if card == other:
            continue
        score += {0: 3.0, 1: 1.2, 2: 0.6}.get(gap, 0.0)
        if card.suit is other.suit and gap <= 2:
            score += 1.5
    return score


class SimulatedPlayer:
    """One player at the simulated table."""

    def __init__(self, seat: int, rng: random.Random) -> None:
        self.seat = seat
        self._rng = rng

    def research_keep(self, position: Position, drawn: Sequence[Card]) -> Card:
        """Which of the cards drawn from the draw pile goes into the hand."""
        hand = position.hand(self.seat)
        return max(drawn, key=lambda card: (useful(card, hand), self._rng.random()))

    def choose(self, position: Position) -> Move:
        """The move to play; research from the draw pile comes back without its cards, which are drawn first."""
        if position.phase is Phase.FLAG:
            hand = position.hand(self.seat)
            return EndFlag(self.seat, min(hand, key=lambda card: useful(card, hand)))
        options = list(self._options(position))
        if not options:
            return Pass(self.seat)
        return max(options, key=lambda option: (option[0], self._rng.random()))[1]

    def _options(self, position: Position) -> Iterator[tuple[float, Move]]:
        seat = self.seat
        hand = position.hand(seat)
        ending = position.turns_left is not None and position.turns_left <= len(position.players)
        for publication in publications(position, seat):
            laid = len(publication.cards)
            points = position.catalogue[publication.paper].points
            paid = sum(n if isinstance(n, int) else len(n) for n in publication.pay.values())
            worth = 10.0 * points if laid == 1 else 10.0 * points * 0.86 ** (laid - 2) - 4
            if ending and laid > 1:
                worth = 0.5
            yield worth - 1.5 * paid + 2, publication
        for paper in position.papers:
            if paper.complete:
                continue
            completes = len(paper.cards) == 2
            points = position.catalogue[paper.kind].points
            for card in paper.cards:
                left = [other for other in paper.cards if other != card]
                worth = 4.0 + useful(card, hand) / 2
                if completes:
                    worth += 10 * points if paper.seat == seat else -3 * points
                elif paper.seat == seat:
                    worth += 2.0
                worth -= 0.1 * useful(left[0], left)
                yield worth, Review(seat, paper.seat, paper.kind, card)
        if position.discards and (top := position.discards[-1]) is not None:
            yield 2.0 + useful(top, hand) / 2, Research(seat, "discard", top)
        if position.draw_gives:
            yield 5.0, Research(seat, "deck")


def publications(position: Position, seat: int) -> Iterator[Publish]:
    """Legal publications of that seat, one or a few of the better ones for each kind; needs full information."""
    hand = position.hand(seat)
    if not hand:
        return
    sources = [_Source(card, None, 0) for card in hand]
    for paper in position.papers:
        if paper.complete:
            sources.append(_Source(paper.cards[0], paper, 0 if paper.seat == seat else 1))
    for kind in position.catalogue.kinds:
        if kind.combination is None or not position.supply(kind.name) or position.paper(seat, kind.name):
            continue
        seen = set()
        for chosen in _combinations(kind, sources):
            move = _publication(seat, kind, chosen, hand)
            if move is not None and move not in seen and position.can(move):
                seen.add(move)
                yield move


def _publication(seat: int, kind: PaperKind, chosen: Sequence[_Source], hand: Sequence[Card]) -> Publish | None:
    """The publication from chosen sources, thanks paid with the least useful cards left; None where that can't be."""
    laid = tuple(source.card for source in chosen if source.paper is None)
    cited = [source.paper for source in chosen if source.paper is not None]
    due = Counter(paper.seat for paper in cited if paper.seat != seat)
    left = [card for card in hand if card not in laid]
    if not laid or sum(due.values()) > len(left):
        return None
    left.sort(key=lambda card: useful(card, left))
    pay: dict[int, tuple[Card, ...]] = {}
    for author, count in sorted(due.items()):
        pay[author], left = tuple(left[:count]), left[count:]
    return Publish(seat, kind.name, laid, tuple(Citation(paper.seat, paper.kind) for paper in cited), pay)


def _combinations(kind: PaperKind, sources: Sequence[_Source]) -> Iterator[list[_Source]]:
    """Ways to make a combination, preferring own papers, then hand cards or others' papers, whichever comes cheaper."""
    orders = (
        lambda source: (source.price if source.paper else 0.5),
        lambda source: (source.paper is None, source.price),
        lambda source: (source.paper is not None, source.price),
    )
    for order in orders:
        by_rank: dict[int, list[_Source]] = {}
        for source in sorted(sources, key=order):
            by_rank.setdefault(source.card.rank, []).append(source)
        match kind.combination:
            case Run(length, one_suit=False):
                for start in range(1, 15 - length):
                    if all(rank in by_rank for rank in range(start, start + length)):
                        yield [by_rank[rank][0] for rank in range(start, start + length)]
            case Run(length, one_suit=True):
                for suit in {source.card.suit for source in sources}:
                    own = {source.card.rank: source for source in sources if source.card.suit is suit}
                    for start in own:
                        if all(rank in own for rank in range(start, start + length)):
                            yield [own[rank] for rank in range(start, start + length)]
            case Sets(of, ranks=count):
                full = [group[:of] for group in by_rank.values() if len(group) >= of]
                for groups in combinations(full, count):
                    yield [source for group in groups for source in group]
            case Ranks(ranks):
                if all(rank in by_rank for rank in ranks):
                    yield [by_rank[rank][0] for rank in ranks]
            case Sum(total, at_least):
                ordered = sorted(sources, key=lambda source: (order(source), -source.card.rank))
                yield from _adding_up(ordered, total, at_least)


def _adding_up(ordered: Sequence[_Source], total: int, at_least: bool) -> Iterator[list[_Source]]:
    """Sources whose ranks add to the total: the first that were found, in the order given."""
    if at_least:
        taken: list[_Source] = []
        for source in ordered:
            taken.append(source)
            if sum(one.card.rank for one in taken) >= total:
                yield taken
                return
        return
    reach: dict[int, list[_Source]] = {0: []}
    for source in ordered:
        for reached, chosen in sorted(reach.items(), reverse=True):
            value = reached + source.card.rank
            if value <= total and value not in reach:
                reach[value] = [*chosen, source]
    if total in reach:
        yield reach[total]


def with_cards(move: Research, keep: Card, discard: Card | None) -> Research:
    """The research move once its cards are drawn and chosen."""
    return replace(move, keep=keep, discard=discard)
