"""Dealing and playing at random: for tests, benchmarks and simulated tables. Every chance comes from the given source.

A position with full information knows which cards are in the draw pile but no order, so the two cards of a draw are
picked here, when they are drawn.
"""

from __future__ import annotations

from random import Random

from rules.cards import DECK, Card, cards_in
from rules.laminate.legal_moves import LegalMoves
from rules.laminate.moves import Deal, EndFlag, Move, Pass, Research, Review
from rules.laminate.position import HAND_AT_START, Phase, Position, setup_discards


def deal(players: int, chance: Random) -> Deal:
    """Draw a deal after the set-up discards, for 3 to 5 players."""
    cards = chance.sample(DECK, players * HAND_AT_START + setup_discards(players))
    hands = tuple(tuple(cards[seat * HAND_AT_START : (seat + 1) * HAND_AT_START]) for seat in range(players))
    return Deal(hands, tuple(cards[players * HAND_AT_START :]))


def draw_cards(position: Position, chance: Random) -> tuple[Card, ...]:
    """Return the cards that research from the draw pile would draw, in order: two, one or none (8).

    Raises:
        ValueError: only public information is known.
    """
    pile = position.draw_mask
    if position.draw_count >= 2:
        first = _one_of(pile, position.draw_count, chance)
        return first, _one_of(pile ^ first.bit, position.draw_count - 1, chance)
    below = [card for card in position.discards if card is not None]
    return (*cards_in(pile), *chance.sample(below, position.draw_gives - position.draw_count))


def _one_of(mask: int, count: int, chance: Random) -> Card:
    """Draw one card of a mask of ``count``, each as likely as the other."""
    if count > 8:
        while True:  # a guess hits one card in six or better
            card = DECK[int(chance.random() * len(DECK))]
            if mask & card.bit:
                return card
    return cards_in(mask)[int(chance.random() * count)]


def random_move(position: Position, chance: Random) -> Move:
    """Draw a legal move for whoever is to move, with full information: papers and reviews preferred so that games end.

    Raises:
        ValueError: nobody is to move, or only public information is known.
    """
    seat = position.to_move
    if seat is None:
        raise ValueError("nobody is to move")
    if position.phase is Phase.FLAG:
        return EndFlag(seat, _one_of(position.hand_mask(seat), position.hand_size(seat), chance))
    legal = LegalMoves(position)
    kinds = legal.publishable
    luck = chance.random()
    if kinds and luck < 0.7:
        publication = legal.find_cheapest(kinds[int(luck / 0.7 * len(kinds))])
        if publication is not None:
            return publication.make_move(seat, position.get_hand(seat))
    gives = position.draw_gives
    luck = chance.random()
    if position.review_possible and (not gives or luck < 0.5):
        papers = position.under_review
        paper = papers[int(chance.random() * len(papers))]
        return Review(seat, paper.seat, paper.kind, paper.cards[int(chance.random() * len(paper.cards))])
    if not gives:
        return Pass(seat)
    top = position.top_discard
    if top is not None and luck > 0.85:
        return Research(seat, "discard", top)
    keep, *discard = draw_cards(position, chance)
    return Research(seat, "deck", keep, discard[0] if discard else None)
