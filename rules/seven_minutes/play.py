"""Dealing and playing at random: for tests and simulated tables. Every chance comes from the given source."""

from __future__ import annotations

from random import Random

from rules.cards import DECK
from rules.seven_minutes.moves import Deal, Flip, Move, Roll, Stop
from rules.seven_minutes.position import Phase, Position

STOPS = 0.3
"""How often a player who may stop does so."""


def deal(chance: Random) -> Deal:
    """Shuffle a draw pile."""
    return Deal(tuple(chance.sample(DECK, len(DECK))))


def roll_dice(chance: Random) -> tuple[int, int]:
    """Roll both dice."""
    return chance.randint(1, 6), chance.randint(1, 6)


def random_move(position: Position, chance: Random) -> Move:
    """Draw a legal move of the seat to move; with public information some unseen card is flipped.

    Raises:
        ValueError: nobody is to move.
    """
    if position.to_move is None:
        raise ValueError("nobody is to move")
    if position.phase is Phase.JUDGEMENT:
        return Roll(position.seat, roll_dice(chance))
    if position.may_stop and chance.random() < STOPS:
        return Stop(position.seat)
    card = chance.choice(position.draw_pile) if position.deck is None else position.deck[0]
    return Flip(position.seat, card)
