"""Dealing and playing at random: for tests, benchmarks and simulated tables. Every chance comes from the given source.

A position with full information knows which cards are in the draw pile but no order, so the two cards of a draw are
picked here, when they are drawn.
"""

from __future__ import annotations

from random import Random

from rules.cards import DECK, Card, cards_in
from rules.laminate.legal import LegalMoves
from rules.laminate.moves import Deal, EndFlag, Move, Pass, Research
from rules.laminate.position import HAND_AT_START, Phase, Position, setup_discards


def deal(players: int, chance: Random) -> Deal:
    """A deal after the set-up discards, for 3 to 5 players."""
    cards = chance.sample(DECK, players * HAND_AT_START + setup_discards(players))
    hands = tuple(tuple(cards[seat * HAND_AT_START : (seat + 1) * HAND_AT_START]) for seat in range(players))
    return Deal(hands, tuple(cards[players * HAND_AT_START :]))


def drawn(position: Position, chance: Random) -> tuple[Card, ...]:
    """The cards that research from the draw pile would draw, in order: two, one or none (8)."""
    pile = position.draw_pile
    if len(pile) >= 2:
        return tuple(chance.sample(pile, 2))
    below = tuple(card for card in position.discards if card is not None)
    return pile + tuple(chance.sample(below, position.draw_gives - len(pile)))


def random_move(position: Position, chance: Random) -> Move:
    """A legal move for whoever is to move, with full information: papers and reviews preferred so that games end.

    Raises:
        ValueError: nobody is to move, or only public information is known.
    """
    seat = position.to_move
    if seat is None or not position.full:
        raise ValueError("a random move needs a seat to move and full information")
    hand = position.hand(seat)
    if position.phase is Phase.FLAG:
        return EndFlag(seat, chance.choice(hand))
    legal = LegalMoves(position)
    kinds = legal.publishable
    if kinds and chance.random() < 0.7:
        publication = legal.cheapest(chance.choice(kinds))
        if publication is not None:
            return publication.move(seat, hand)
    gives = position.draw_gives
    if position.review_possible and (not gives or chance.random() < 0.5):
        return chance.choice(legal.reviews)
    if not gives:
        return Pass(seat)
    top = position.discards[-1] if position.discards else None
    if top is not None and chance.random() < 0.3:
        return Research(seat, "discard", top)
    cards = drawn(position, chance)
    if len(cards) == 1:
        return Research(seat, "deck", cards[0])
    keep, discard = chance.sample(cards, 2)
    return Research(seat, "deck", keep, discard)


def hand_cards(position: Position) -> tuple[Card, ...]:
    """The hand of the seat to move, with full information.

    Raises:
        ValueError: nobody is to move, or only public information is known.
    """
    if position.to_move is None or position._hands is None:
        raise ValueError("no hand is to be seen")
    return cards_in(position._hands[position._seat])
