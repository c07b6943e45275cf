"""The boards: seven wonders with two sides each, what they produce and their stages.

Source: ``games/seven_wonders_boards.json``; the Japanese names are the rule sheet's.
"""

from __future__ import annotations

from collections.abc import Mapping
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
        return find_board, (self.id,)

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"board({self.id!r})"


_WONDERS: Mapping[str, tuple[Text, Resource]] = {
    "alexandria": (Text("Alexandria"), Resource.GLASS),
    "babylon": (Text("Babylon"), Resource.CLAY),
    "ephesos": (Text("Ephesos"), Resource.PAPYRUS),
    "giza": (Text("Giza"), Resource.STONE),
    "halikarnassos": (Text("Halikarnassos"), Resource.CLOTH),
    "olympia": (Text("Olympia"), Resource.WOOD),
    "rhodes": (Text("Rhodes"), Resource.ORE),
}
"""What each wonder is called, and what it produces."""

_STAGES: Mapping[str, tuple[Stage, ...]] = {
    "alexandria/a": (
        Stage(cost(stone=2), Effect(points=3)),
        Stage(cost(ore=2), one_of(*RAW_MATERIALS, for_sale=False)),
        Stage(cost(glass=2), Effect(points=7)),
    ),
    "alexandria/b": (
        Stage(cost(clay=2), one_of(*RAW_MATERIALS, for_sale=False)),
        Stage(cost(wood=2), one_of(*MANUFACTURED, for_sale=False)),
        Stage(cost(stone=3), Effect(points=7)),
    ),
    "babylon/a": (
        Stage(cost(clay=2), Effect(points=3)),
        Stage(cost(wood=3), Effect(science=Science.ANY)),
        Stage(cost(clay=4), Effect(points=7)),
    ),
    "babylon/b": (
        Stage(cost(clay=1, cloth=1), Effect(points=3)),
        Stage(cost(wood=2, glass=1), Effect(special=Special.PLAY_SEVENTH_CARD)),
        Stage(cost(clay=3, papyrus=1), Effect(science=Science.ANY)),
    ),
    "ephesos/a": (
        Stage(cost(stone=2), Effect(points=3)),
        Stage(cost(wood=2), Effect(coins=9)),
        Stage(cost(papyrus=2), Effect(points=7)),
    ),
    "ephesos/b": (
        Stage(cost(stone=2), Effect(points=2, coins=4)),
        Stage(cost(wood=2), Effect(points=3, coins=4)),
        Stage(cost(cloth=1, glass=1, papyrus=1), Effect(points=5, coins=4)),
    ),
    "giza/a": (
        Stage(cost(stone=2), Effect(points=3)),
        Stage(cost(wood=3), Effect(points=5)),
        Stage(cost(stone=4), Effect(points=7)),
    ),
    "giza/b": (
        Stage(cost(wood=2), Effect(points=3)),
        Stage(cost(stone=3), Effect(points=5)),
        Stage(cost(clay=3), Effect(points=5)),
        Stage(cost(stone=4, papyrus=1), Effect(points=7)),
    ),
    "halikarnassos/a": (
        Stage(cost(clay=2), Effect(points=3)),
        Stage(cost(ore=3), Effect(special=Special.BUILD_FROM_DISCARD)),
        Stage(cost(cloth=2), Effect(points=7)),
    ),
    "halikarnassos/b": (
        Stage(cost(ore=2), Effect(points=2, special=Special.BUILD_FROM_DISCARD)),
        Stage(cost(clay=3), Effect(points=1, special=Special.BUILD_FROM_DISCARD)),
        Stage(cost(cloth=1, glass=1, papyrus=1), Effect(special=Special.BUILD_FROM_DISCARD)),
    ),
    "olympia/a": (
        Stage(cost(wood=2), Effect(points=3)),
        Stage(cost(stone=2), Effect(special=Special.BUILD_FREE_ONCE_AN_AGE)),
        Stage(cost(ore=2), Effect(points=7)),
    ),
    "olympia/b": (
        Stage(cost(wood=2), Effect(cheap=RAW, cheap_from=BOTH)),
        Stage(cost(stone=2), Effect(points=5)),
        Stage(cost(ore=2, cloth=1), Effect(special=Special.COPY_GUILD)),
    ),
    "rhodes/a": (
        Stage(cost(wood=2), Effect(points=3)),
        Stage(cost(clay=3), Effect(shields=2)),
        Stage(cost(ore=4), Effect(points=7)),
    ),
    "rhodes/b": (
        Stage(cost(stone=3), Effect(points=3, coins=3, shields=1)),
        Stage(cost(ore=4), Effect(points=4, coins=4, shields=1)),
    ),
}
BOARDS: tuple[Board, ...] = tuple(Board(name, *_WONDERS[name.split("/")[0]], _STAGES[name]) for name in _STAGES)
_BY_ID = {side.id: side for side in BOARDS}


def find_board(name: str) -> Board:
    """Return the side of that id.

    Raises:
        KeyError: there is none.
    """
    return _BY_ID[name]
