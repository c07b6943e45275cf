"""What is agreed in a game of Seven Minutes: the position, which dice are no roll, and what is still to be taken."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.entry_data import wrong
from referee.table import Die
from referee.zones import ZoneState
from rules.seven_minutes.row import Take

Spots = tuple[tuple[float, float], ...]
"""Where dice lie, in mm."""

DICE, REFUSED, TAKING = "dice", "refused", "taking"
UNMOVED_MM = 6.0
"""A die nearer than this to where it lay is taken to lie unmoved: no look measures it worse, and of two thrown dice
hardly ever both come to rest so near."""
_FARTHEST_MM = 10_000.0
_MOST_DICE = 12


@dataclass(frozen=True)
class MinutesState(ZoneState):
    """The position, and what lies on the table beyond it.

    ``dice`` are the places of dice that are no roll while they lie there: they lay there from the beginning, or were
    counted. ``None``: a roll was told that no camera saw, so what lies there next is that one. ``refused`` are the
    places of dice that were thrown when no roll was due. ``taking`` says that the judgement has ended and its cards
    have yet to be seen taken.
    """

    dice: Spots | None = ()
    refused: Spots = ()
    taking: bool = False

    @property
    def due(self) -> Take | None:
        """What the last judgement gave, while it has yet to be seen taken."""
        take: Take | None = self.position.taken
        return take if self.taking else None

    def beyond(self) -> dict[str, Any]:
        """What lies beyond the position, as an entry keeps it."""
        return {
            DICE: None if self.dice is None else [list(spot) for spot in self.dice],
            REFUSED: [list(spot) for spot in self.refused],
            TAKING: self.taking,
        }

    def to_json(self) -> dict[str, Any]:
        """The state as JSON-able data."""
        return {**super().to_json(), **self.beyond()}


def spots_of(dice: Sequence[Die]) -> Spots:
    """Where dice lie, to a tenth of a mm."""
    return tuple((round(die.x, 1), round(die.y, 1)) for die in dice)


def lie_at(dice: Sequence[Die], spots: Spots) -> bool:
    """Whether these dice lie where those lay, each at a place of its own."""
    left = list(spots)
    for die in dice:
        near = min(left, key=lambda spot: math.dist(spot, (die.x, die.y)), default=None)
        if near is None or math.dist(near, (die.x, die.y)) > UNMOVED_MM:
            return False
        left.remove(near)
    return not left


def beyond_in(data: Mapping[str, Any]) -> tuple[Spots | None, Spots, bool]:
    """Dice, refused dice and whether cards are to be taken, from an entry or a saved state.

    Raises:
        EntryError: they are not what they should be.
    """
    dice = data.get(DICE)
    taking = data.get(TAKING)
    if not isinstance(taking, bool):
        raise wrong(TAKING)
    return None if dice is None else _spots(dice, DICE), _spots(data.get(REFUSED), REFUSED), taking


def _spots(data: object, key: str) -> Spots:
    if not isinstance(data, list) or len(data) > _MOST_DICE:
        raise wrong(key)
    return tuple(_spot(spot, key) for spot in data)


def _spot(data: object, key: str) -> tuple[float, float]:
    if not isinstance(data, list) or len(data) != 2:
        raise wrong(key)
    for value in data:
        if type(value) not in (int, float) or not -_FARTHEST_MM <= value <= _FARTHEST_MM:
            raise wrong(key)
    return float(data[0]), float(data[1])
