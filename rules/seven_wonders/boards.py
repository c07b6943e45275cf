"""The boards: seven wonders with two sides each, what they produce and their stages.

Source: ``games/seven_wonders_boards.json``; the Japanese names are the rule sheet's.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.seven_wonders.effects import (
    BOTH,
    MANUFACTURED,
    RAW,
    RAW_MATERIALS,
    Cost,
    Effect,
    Resource,
    Science,
    Special,
    cost,
    one_of,
)
from rules.text import Text, in_context


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a wonder: what it costs and what it does."""

    cost: Cost
    effect: Effect


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """One side of a board. ``str(board)`` is its id, such as ``giza/a``; each side is one object."""

    id: str
    wonder_text: Text
    produces: Resource
    stages: tuple[Stage, ...]

    @property
    def wonder(self) -> str:
        """The wonder, the same on both sides."""
        return self.id.split("/")[0]

    @property
    def side(self) -> str:
        """``A`` or ``B``."""
        return self.id[-1].upper()

    @property
    def text(self) -> Text:
        """The side in words: ``Giza A``."""
        return in_context("board", "{wonder} {side}", wonder=self.wonder_text, side=self.side)

    def __reduce__(self) -> tuple[object, ...]:
        return board, (self.id,)

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"board({self.id!r})"


def _board(name: str, wonder_text: Text, produces: Resource, *stages: Stage) -> Board:
    return Board(name, wonder_text, produces, stages)


_R = Resource

BOARDS: tuple[Board, ...] = (
    _board(
        "alexandria/a",
        Text("Alexandria"),
        _R.GLASS,
        Stage(cost(stone=2), Effect(points=3)),
        Stage(cost(ore=2), one_of(*RAW_MATERIALS, for_sale=False)),
        Stage(cost(glass=2), Effect(points=7)),
    ),
    _board(
        "alexandria/b",
        Text("Alexandria"),
        _R.GLASS,
        Stage(cost(clay=2), one_of(*RAW_MATERIALS, for_sale=False)),
        Stage(cost(wood=2), one_of(*MANUFACTURED, for_sale=False)),
        Stage(cost(stone=3), Effect(points=7)),
    ),
    _board(
        "babylon/a",
        Text("Babylon"),
        _R.CLAY,
        Stage(cost(clay=2), Effect(points=3)),
        Stage(cost(wood=3), Effect(science=Science.ANY)),
        Stage(cost(clay=4), Effect(points=7)),
    ),
    _board(
        "babylon/b",
        Text("Babylon"),
        _R.CLAY,
        Stage(cost(clay=1, cloth=1), Effect(points=3)),
        Stage(cost(wood=2, glass=1), Effect(special=Special.PLAY_SEVENTH_CARD)),
        Stage(cost(clay=3, papyrus=1), Effect(science=Science.ANY)),
    ),
    _board(
        "ephesos/a",
        Text("Ephesos"),
        _R.PAPYRUS,
        Stage(cost(stone=2), Effect(points=3)),
        Stage(cost(wood=2), Effect(coins=9)),
        Stage(cost(papyrus=2), Effect(points=7)),
    ),
    _board(
        "ephesos/b",
        Text("Ephesos"),
        _R.PAPYRUS,
        Stage(cost(stone=2), Effect(coins=4, points=2)),
        Stage(cost(wood=2), Effect(coins=4, points=3)),
        Stage(cost(glass=1, papyrus=1, cloth=1), Effect(coins=4, points=5)),
    ),
    _board(
        "giza/a",
        Text("Giza"),
        _R.STONE,
        Stage(cost(stone=2), Effect(points=3)),
        Stage(cost(wood=3), Effect(points=5)),
        Stage(cost(stone=4), Effect(points=7)),
    ),
    _board(
        "giza/b",
        Text("Giza"),
        _R.STONE,
        Stage(cost(wood=2), Effect(points=3)),
        Stage(cost(stone=3), Effect(points=5)),
        Stage(cost(clay=3), Effect(points=5)),
        Stage(cost(stone=4, papyrus=1), Effect(points=7)),
    ),
    _board(
        "halikarnassos/a",
        Text("Halikarnassos"),
        _R.CLOTH,
        Stage(cost(clay=2), Effect(points=3)),
        Stage(cost(ore=3), Effect(special=Special.BUILD_FROM_DISCARD)),
        Stage(cost(cloth=2), Effect(points=7)),
    ),
    _board(
        "halikarnassos/b",
        Text("Halikarnassos"),
        _R.CLOTH,
        Stage(cost(ore=2), Effect(points=2, special=Special.BUILD_FROM_DISCARD)),
        Stage(cost(clay=3), Effect(points=1, special=Special.BUILD_FROM_DISCARD)),
        Stage(cost(glass=1, papyrus=1, cloth=1), Effect(special=Special.BUILD_FROM_DISCARD)),
    ),
    _board(
        "olympia/a",
        Text("Olympia"),
        _R.WOOD,
        Stage(cost(wood=2), Effect(points=3)),
        Stage(cost(stone=2), Effect(special=Special.BUILD_FREE_ONCE_AN_AGE)),
        Stage(cost(ore=2), Effect(points=7)),
    ),
    _board(
        "olympia/b",
        Text("Olympia"),
        _R.WOOD,
        Stage(cost(wood=2), Effect(cheap=RAW, cheap_from=BOTH)),
        Stage(cost(stone=2), Effect(points=5)),
        Stage(cost(ore=2, cloth=1), Effect(special=Special.COPY_GUILD)),
    ),
    _board(
        "rhodes/a",
        Text("Rhodes"),
        _R.ORE,
        Stage(cost(wood=2), Effect(points=3)),
        Stage(cost(clay=3), Effect(shields=2)),
        Stage(cost(ore=4), Effect(points=7)),
    ),
    _board(
        "rhodes/b",
        Text("Rhodes"),
        _R.ORE,
        Stage(cost(stone=3), Effect(coins=3, shields=1, points=3)),
        Stage(cost(ore=4), Effect(coins=4, shields=1, points=4)),
    ),
)
_BY_ID = {side.id: side for side in BOARDS}


def board(name: str) -> Board:
    """The side of that id.

    Raises:
        KeyError: there is none.
    """
    return _BY_ID[name]
