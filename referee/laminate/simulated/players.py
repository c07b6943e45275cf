"""Simulated players: they see their own hand and the table, and choose a move that the rules core allows.

They play at three levels of skill: anything legal; publish whatever pays most now; or, with a simple and quick
judgement, publish what pays, review what helps, otherwise research. ``rng`` settles ties.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum

from rules.cards import Card, mask_of
from rules.laminate.legal import cheapest_way
from rules.laminate.legal_moves import LegalMoves
from rules.laminate.moves import Citation, EndFlag, Move, Pass, Publish, Research, Review
from rules.laminate.play import random_move
from rules.laminate.position import Phase, Position


class Skill(Enum):
    """How well a simulated player plays."""

    RANDOM = "random"
    GREEDY = "greedy"
    SENSIBLE = "sensible"


def rate_card(card: Card, hand: Sequence[Card]) -> float:
    """Return how well a card goes with a hand: equal ranks, neighbours, neighbours of its own suit."""
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

    def __init__(self, seat: int, rng: random.Random, skill: Skill = Skill.SENSIBLE) -> None:
        self.seat = seat
        self.skill = skill
        self._rng = rng

    def research_keep(self, position: Position, drawn: Sequence[Card]) -> Card:
        """Return which of the cards drawn from the draw pile goes into the hand."""
        hand = position.get_hand(self.seat)
        return max(drawn, key=lambda card: (rate_card(card, hand), self._rng.random()))

    def choose(self, position: Position) -> Move:
        """Choose the move to play; research from the draw pile comes back without its cards, which are drawn first."""
        if position.phase is Phase.FLAG:
            hand = position.get_hand(self.seat)
            return EndFlag(self.seat, min(hand, key=lambda card: rate_card(card, hand)))
        if self.skill is Skill.RANDOM:
            move = random_move(position, self._rng)
            drawing = isinstance(move, Research) and move.source == "deck"
            return Research(self.seat, "deck") if drawing else move
        if self.skill is Skill.GREEDY:
            return self._choose_greedily(position)
        options = list(self._list_options(position))
        if not options:
            return Pass(self.seat)
        return max(options, key=lambda option: (option[0], self._rng.random()))[1]

    def _choose_greedily(self, position: Position) -> Move:
        """Return the publication with the most points, else the review that takes most from others, else research."""
        found = list(find_publications(position, self.seat))
        if found:
            points = position.catalogue
            return max(found, key=lambda move: (points[move.paper].points, -len(move.cards), self._rng.random()))
        drafts = [(paper.seat == self.seat, paper) for paper in position.under_review]
        if drafts and (not position.draw_gives or self._rng.random() < 0.6):
            _, paper = max(drafts, key=lambda draft: (draft[0], -len(draft[1].cards), self._rng.random()))
            hand = position.get_hand(self.seat)
            take = max(paper.cards, key=lambda card: (rate_card(card, hand), self._rng.random()))
            return Review(self.seat, paper.seat, paper.kind, take)
        return Research(self.seat, "deck") if position.draw_gives else Pass(self.seat)

    def _list_options(self, position: Position) -> Iterator[tuple[float, Move]]:
        seat = self.seat
        hand = position.get_hand(seat)
        ending = position.turns_left is not None and position.turns_left <= len(position.players)
        for publication in find_publications(position, seat):
            laid = len(publication.cards)
            points = position.catalogue[publication.paper].points
            paid = sum(n if isinstance(n, int) else len(n) for n in publication.pay.values())
            worth = 10.0 * points if laid == 1 else 10.0 * points * 0.75 ** (laid - 2) - 4
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
                worth = 6.0 + rate_card(card, hand) / 2
                if completes:
                    worth += 10 * points if paper.seat == seat else -3 * points
                elif paper.seat == seat:
                    worth += 2.0
                worth -= 0.1 * rate_card(left[0], left)
                yield worth, Review(seat, paper.seat, paper.kind, card)
        if position.discards and (top := position.discards[-1]) is not None:
            yield 2.0 + rate_card(top, hand) / 2, Research(seat, "discard", top)
        if position.draw_gives:
            yield 5.0, Research(seat, "deck")


def find_publications(position: Position, seat: int) -> Iterator[Publish]:
    """Yield publications that the seat to move may choose from; needs full information.

    Of every kind the cheapest, and those that lay a single card and are complete at once, however many they cite.
    """
    legal = LegalMoves(position)
    for publication in legal.publications:
        yield _pay_publication(position, seat, publication.paper, publication.cards, publication.cite)
    complete = [paper for paper in position.papers if paper.complete]
    citable = mask_of(paper.cards[0] for paper in complete)
    for paper in legal.publishable:
        for card in position.get_hand(seat):
            # Every complete paper counts as one's own here, so that nothing but the number of cards laid matters.
            way = cheapest_way(position.catalogue[paper], card.bit, citable)
            if way is None:
                continue
            cite = tuple(Citation(other.seat, other.kind) for other in complete if other.cards[0].bit & way.own)
            move = _pay_publication(position, seat, paper, (card,), cite)
            if position.is_legal(move):
                yield move


def _pay_publication(
    position: Position, seat: int, paper: str, cards: tuple[Card, ...], cite: tuple[Citation, ...]
) -> Publish:
    """Return the publication with its thanks: the cards that go least well with the rest of the hand."""
    due = Counter(citation.seat for citation in cite if citation.seat != seat)
    left = [card for card in position.get_hand(seat) if card not in cards]
    left.sort(key=lambda card: (rate_card(card, left), card))
    pay: dict[int, tuple[Card, ...]] = {}
    for author, count in sorted(due.items()):
        pay[author], left = tuple(left[:count]), left[count:]
    return Publish(seat, paper, cards, cite, pay)
