"""Short ways to lay out a game of Seven Minutes in a test."""

from __future__ import annotations

from random import Random

from rules.cards import DECK, Card
from rules.seven_minutes.moves import Deal, Flip, Move, Roll, Setup, Stop
from rules.seven_minutes.play import random_move
from rules.seven_minutes.position import Position
from rules.seven_minutes.row import Row

NAMES = ("Hilbert", "Banach", "Noether")


def card(name: str) -> Card:
    return Card.parse(name)


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


def row(names: str) -> Row:
    return Row.from_cards(cards(names))


def told(position: Position, word: str) -> Move:
    """Return the move that a word names: ``H7`` flips it, ``/`` stops, ``3+4`` rolls."""
    if word == "/":
        return Stop(position.seat)
    if "+" in word:
        brown, black = map(int, word.split("+"))
        return Roll(position.seat, (brown, black))
    return Flip(position.seat, card(word))


def played(words: str, position: Position | None = None) -> Position:
    """Return the position after these moves, by default from the beginning of a public game of three."""
    position = position or Position.start(NAMES).do(Setup())
    for word in words.split():
        position = position.do(told(position, word))
    return position


def codes(position: Position, move: Move) -> list[str]:
    """Return the codes of a refused move, the first one first; none where it is legal."""
    refusal = position.verify(move)
    return [] if refusal is None else [refusal.code, *refusal.also]


def dealt(first: str, players: int = 3) -> Position:
    """Deal a game with full information whose draw pile begins with these cards; the others follow in their order."""
    top = cards(first)
    deck = Deal((*top, *(other for other in DECK if other not in top)))
    return Position.start([f"P{seat}" for seat in range(1, players + 1)]).do(deck)


def random_game(seed: int, public: bool = True) -> list[tuple[Position, Move, Position]]:
    """Every step of a random game: the position, the move, the position after it."""
    chance = Random(seed)
    position = Position.start([f"P{seat}" for seat in range(1, 3 + seed % 4)], 1 + seed % 2)
    if public:
        move: Move = Setup()
    else:
        move = Deal(tuple(chance.sample(DECK, len(DECK))))
    steps = []
    while True:
        after = position.do(move)
        steps.append((position, move, after))
        if after.outcome is not None:
            return steps
        position, move = after, random_move(after, chance)
