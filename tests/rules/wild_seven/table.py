"""Tables for the tests of Wild Seven: positions by what lies where, and games played at random."""

from __future__ import annotations

from random import Random

from rules.cards import Card
from rules.wild_seven.moves import Get, Move, Play, as_seen
from rules.wild_seven.play import random_move
from rules.wild_seven.position import Phase, Position

Step = tuple[Position, Move, Position]
"""A position, the move played in it, and the position after it."""


def card(name: str) -> Card:
    return Card.parse(name)


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


def play(seat: int, name: str) -> Play:
    return Play(seat, card(name))


def get(seat: int, name: str | None = None) -> Get:
    return Get(seat, None if name is None else card(name))


def table(
    front: str,
    wanted: str = "",
    hands: tuple[str, ...] | None = None,
    sizes: tuple[int, ...] | None = None,
    captured: tuple[str, ...] | None = None,
    seat: int = 1,
) -> Position:
    """Set a position in play: the cards in front by seat (``-`` for none), with full information where hands are given.

    Without hands and sizes everybody holds three cards.
    """
    fronts = [None if name == "-" else name for name in front.split()]
    n = len(fronts)
    held = None if hands is None else [hand.split() for hand in hands]
    return Position.from_json(
        {
            "players": [f"P{place}" for place in range(1, n + 1)],
            "phase": Phase.PLAY.value,
            "seat": seat,
            "hands": held,
            "sizes": [len(hand) for hand in held] if held is not None else list(sizes or (3,) * n),
            "wanted": wanted.split(),
            "front": fronts,
            "captured": [names.split() for names in captured or ("",) * n],
        }
    )


def random_game(seed: int, public: bool = False, players: int | None = None) -> list[Step]:
    """Play a whole game with full information; with ``public`` the same game as everybody sees it."""
    chance = Random(seed)
    names = "ABCDE"[: players or 3 + seed % 3]
    truth = position = Position.start(names)
    steps: list[Step] = []
    while truth.outcome is None:
        move = random_move(truth, chance)
        truth = truth.do(move)
        shown = as_seen(move) if public else move
        after = position.do(shown)
        steps.append((position, shown, after))
        position = after
    return steps
