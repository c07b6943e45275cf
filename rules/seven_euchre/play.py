"""Dealing and playing at random: for tests and simulated tables. Every chance comes from the given source."""

from __future__ import annotations

from random import Random

from rules.cards import DECK
from rules.seven_euchre.legal_moves import LegalMoves
from rules.seven_euchre.moves import SEATS, Deal, Move, Pass
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase
from rules.seven_euchre.trumps import TRICKS

PASSES = 0.7
"""How often a player passes."""

RAISES = 6
"""A bid is one of so many of the lowest."""


def deal(chance: Random) -> Deal:
    """Deal twelve cards to each of the four, and one to the middle."""
    cards = chance.sample(DECK, len(DECK))
    return Deal(tuple(tuple(cards[seat::SEATS][:TRICKS]) for seat in range(SEATS)), cards[-1])


def random_move(position: Position, chance: Random) -> Move:
    """Draw a legal move, the deal included; nothing is ever taken back.

    Raises:
        ValueError: the game has ended.
    """
    legal = LegalMoves(position)
    if position.phase is DealPhase.DEAL:
        return Deal() if position.full is False else deal(chance)
    if position.phase is DealPhase.AUCTION and position.to_move is not None:
        return Pass(position.to_move) if chance.random() < PASSES else chance.choice(legal.bids[:RAISES])
    if position.phase is DealPhase.OVER:
        raise ValueError("the game has ended")
    moves: list[Move] = [*(legal.plays or legal)]
    return chance.choice(moves)
