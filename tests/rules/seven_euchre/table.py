"""Short ways to lay out a game of Seven Euchre in a test."""

from __future__ import annotations

from random import Random

from rules.cards import DECK, Card
from rules.seven_euchre.moves import Bid, Deal, Exchange, Move, Pass, Play, TurnUp, as_seen
from rules.seven_euchre.play import random_move
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase
from rules.seven_euchre.trumps import BY_LETTER
from tests.words import en

NAMES = ("North", "East", "South", "West")
START = Position.start(NAMES, 4)
"""West deals first, so North opens the auction."""


def card(name: str) -> Card:
    return Card.parse(name)


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


def told(position: Position, word: str) -> Move:
    """Return the move that a word names of whoever is to act.

    ``deal`` deals publicly, ``-`` passes, ``C8``, ``NT7`` or ``8`` bid in an auction, ``x`` exchanges publicly; else a
    card is turned up, laid aside or played.
    """
    phase, seat = position.phase, position.to_move or 0
    if phase is DealPhase.DEAL:
        assert word == "deal"
        return Deal()
    if phase is DealPhase.AUCTION:
        if word == "-":
            return Pass(seat)
        letter = word.rstrip("0123456789")
        return Bid(seat, int(word[len(letter) :]), BY_LETTER[letter] if letter else None)
    if phase is DealPhase.TURN_UP:
        return TurnUp(card(word))
    if phase is DealPhase.EXCHANGE:
        return Exchange(seat, None if word == "x" else card(word))
    return Play(seat, card(word))


def played(words: str, position: Position = START) -> Position:
    """Return the position after these moves."""
    for word in words.split():
        position = position.do(told(position, word))
    return position


def codes(position: Position, move: Move) -> list[str]:
    """Return the codes of a refused move, the first one first; none where it is legal."""
    refusal = position.verify(move)
    return [] if refusal is None else [refusal.code, *refusal.also]


def text(position: Position, move: Move) -> str:
    """Return the English words of a refused move."""
    refusal = position.verify(move)
    assert refusal is not None
    return en(refusal.text)


def deal_of(*hands: str, middle: str) -> Deal:
    """Return a deal in which the hands hold these cards and are filled with the others in the order of the deck."""
    named = [list(cards(hand)) for hand in hands]
    used = {one for hand in named for one in hand} | {card(middle)}
    others = [one for one in DECK if one not in used]
    for hand in named:
        while len(hand) < 12:
            hand.append(others.pop(0))
    assert not others
    return Deal(tuple(map(tuple, named)), card(middle))


def random_game(seed: int, target: int = 40) -> tuple[list[Position], list[Move]]:
    """Positions and moves of a random game with full information."""
    chance = Random(seed)
    positions, moves = [Position.start(NAMES, 1 + seed % 4, target)], list[Move]()
    while positions[-1].outcome is None:
        moves.append(random_move(positions[-1], chance))
        positions.append(positions[-1].do(moves[-1]))
    return positions, moves


def public_game(seed: int, target: int = 40) -> tuple[list[Position], list[Move]]:
    """Play the same game as everybody sees it."""
    full, moves = random_game(seed, target)
    positions, seen = full[:1], [as_seen(move) for move in moves]
    for move in seen:
        positions.append(positions[-1].do(move))
    return positions, seen
