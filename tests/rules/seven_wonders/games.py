"""Games and positions for the tests of Seven Wonders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from rules.seven_wonders.boards import BOARDS
from rules.seven_wonders.cards import find_building
from rules.seven_wonders.city import City
from rules.seven_wonders.moves import Act, Do, Move, Round, Tokens
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import AgePhase
from rules.seven_wonders.trade import Pay

SHARED = Path(__file__).resolve().parents[3].parent / "shared"
NAMES = ("Hilbert", "Banach", "Noether", "Gauss", "Euler", "Galois", "Abel")


def some_boards(players: int, chance: Random) -> list[str]:
    """Draw a board for each player, each wonder once."""
    wonders = chance.sample(sorted({side.wonder for side in BOARDS}), players)
    return [f"{wonder}/{chance.choice('ab')}" for wonder in wonders]


@dataclass(frozen=True)
class Game:
    """A random game: the positions, one more than the moves, and what it was begun with."""

    boards: list[str]
    positions: list[Position]
    moves: list[Move]

    @property
    def header(self) -> dict[str, Any]:
        players = list(self.positions[0].players)
        return {"game": "seven_wonders", "version": 1, "players": players, "boards": self.boards}


@cache
def game(players: int, seed: int, public: bool = False, boards: tuple[str, ...] = ()) -> Game:
    """Play a random game; a public one is played with what everybody knows alone."""
    chance = Random(seed)
    chosen = list(boards) or some_boards(players, chance)
    positions = [RULES.start(NAMES[:players], {"boards": chosen})]
    moves: list[Move] = []
    while positions[-1].outcome is None:
        move = RULES.random_move(positions[-1], chance)
        moves.append(RULES.make_public(move) if public else move)
        positions.append(positions[-1].do(moves[-1]))
    return Game(chosen, positions, moves)


def city(start: City, cards: str = "", stages: int = 0, coins: int = 3, tokens: Sequence[int] = (0, 0, 0, 0)) -> City:
    """Build a city with these cards, ids with spaces between."""
    first, second, third, defeats = tokens
    built = tuple(find_building(name) for name in cards.split())
    return replace(start, cards=built, stages=stages, coins=coins, tokens=Tokens((first, second, third), defeats))


def table(boards: str, *cities: dict[str, Any], age: int = 1, rounds: int = 0, **changes: Any) -> Position:
    """Set a public position in which a round is due, with these cities; boards are ids with spaces between."""
    sides = boards.split()
    start = RULES.start(NAMES[: len(sides)], {"boards": sides})
    told = (*cities, *({} for _ in sides[len(cities) :]))
    made = tuple(city(old, **new) for old, new in zip(start.cities, told, strict=True))
    return replace(start, cities=made, age=age, rounds=rounds, phase=AgePhase.ROUND, **changes)


def build(name: str, left: int | None = None, right: int | None = None, free: bool = False) -> Act:
    """Return a build, its payment given where a side is."""
    pay = None if left is None and right is None else Pay(left or 0, right or 0)
    return Act(Do.BUILD, find_building(name), pay, free)


def stage(left: int | None = None, right: int | None = None, card: str | None = None) -> Act:
    """Return a stage, its payment given where a side is."""
    pay = None if left is None and right is None else Pay(left or 0, right or 0)
    return Act(Do.STAGE, None if card is None else find_building(card), pay)


DISCARD = Act(Do.DISCARD)


def alone(position: Position, act: Act, seat: int = 1) -> Round:
    """Return a public round in which this seat does that, and everybody else discards."""
    return Round(tuple(act if place == seat else DISCARD for place in range(1, position.n + 1)))


def codes(position: Position, move: Move) -> list[str]:
    """All codes of a move, the first one first; none where it is legal."""
    refusal = position.verify(move)
    return [] if refusal is None else [refusal.code, *refusal.also]


def after(position: Position, act: Act, seat: int = 1) -> Position:
    """Return the position after a round in which this seat does that, and everybody else discards."""
    return position.do(alone(position, act, seat))
