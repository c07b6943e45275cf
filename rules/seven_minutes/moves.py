"""The moves of Seven Minutes as values, and the lines of a record they stand for.

Seats are numbered from 1. Dice are numbers from 1 to 6, the brown die first, then the black one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from rules.cards import DECK, Card
from rules.line import Line, SeatLine, make_reader
from rules.parsing import BadRecordError, quote_value
from rules.text import Text

Dice = tuple[int, int]
"""The faces of the brown and the black die."""


@dataclass(frozen=True, slots=True)
class Deal(Line):
    """The whole draw pile, for full information: all 49 cards, the next to be flipped first."""

    do = "deal"
    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Setup(Line):
    """What the table shows of the set-up: a draw pile, face down."""

    do = "setup"
    reads = "set-up"


@dataclass(frozen=True, slots=True)
class Flip(SeatLine):
    """The top card of the draw pile flipped and laid to the row."""

    do = "flip"
    card: Card


@dataclass(frozen=True, slots=True)
class Stop(SeatLine):
    """The player chooses to flip no more; judgement begins."""

    do = "stop"


def are_dice(value: object) -> bool:
    """Tell whether these are two numbers from 1 to 6.

    >>> are_dice([3, 4]), are_dice((6, 6)), are_dice([0, 7]), are_dice([3]), are_dice([True, 1])
    (True, True, False, False, False)
    """
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(isinstance(die, int) and not isinstance(die, bool) and 1 <= die <= 6 for die in value)
    )


def _read_dice(value: Any, _: str) -> Dice:
    if not are_dice(value):
        raise BadRecordError(Text("'dice' must be two numbers from 1 to 6, not {told}", told=quote_value(value)))
    return value[0], value[1]


@dataclass(frozen=True, slots=True)
class Roll(SeatLine):
    """Both dice rolled once in judgement."""

    do = "roll"
    dice: Annotated[Dice, _read_dice]

    @property
    def total(self) -> int:
        """The sum of both dice, 2 to 12: the rank that is struck."""
        return sum(self.dice)


def is_deck(cards: tuple[Card, ...]) -> bool:
    """Tell whether these are all the cards there are, each once."""
    return len(cards) == len(set(cards)) == len(DECK)


Move = Deal | Setup | Flip | Stop | Roll

move_from_json: Callable[[object], Move] = make_reader(Move)
"""The move that a record line's object stands for, or ``BadRecordError``."""
