"""Dealing and playing at random: for tests, benchmarks and simulated tables.

Every chance comes from the given source.
"""

from __future__ import annotations

from random import Random

from rules.cards import cards_in
from rules.wild_seven.deck import hand_at_start, in_play
from rules.wild_seven.legal_moves import LegalMoves
from rules.wild_seven.moves import Deal, Move, Reveal, Turn
from rules.wild_seven.position import Phase, Position


def deal(players: int, chance: Random) -> Deal:
    """Draw a deal for 3 to 5 players."""
    cards = list(cards_in(in_play(players)))
    chance.shuffle(cards)
    size = hand_at_start(players)
    hands = tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(players))
    return Deal(hands, tuple(cards[players * size :]))


def random_move(position: Position, chance: Random) -> Move:
    """Draw a legal move, the deal and the reveal included; with public information one that some placing allows.

    Raises:
        ValueError: the game is over.
    """
    n = len(position.players)
    if position.phase is Phase.SETUP:
        return deal(n, chance)
    if position.phase is Phase.REVEAL:
        if position.full:
            return Reveal(tuple(chance.choice(position.get_hand(seat)) for seat in range(1, n + 1)))
        return Reveal(tuple(chance.sample(position.unseen, n)))
    if position.phase is Phase.OVER:
        raise ValueError("the game is over")
    legal = LegalMoves(position)
    turns: tuple[Turn, ...] = legal.plays or legal.gets
    return chance.choice(turns)
