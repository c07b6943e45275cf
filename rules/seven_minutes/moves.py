"""The moves of Seven Minutes as values, and the lines of a record they stand for.

Seats are numbered from 1. Dice are numbers from 1 to 6, the brown die first, then the black one.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import DECK, Card
from rules.parsing import BadRecordError, Json, card_in, cards_in_list, move_in, need, quoted, seat_in
from rules.text import Text

Dice = tuple[int, int]
"""The faces of the brown and the black die."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The whole draw pile, for full information: all 49 cards, the next to be flipped first."""

    deck: tuple[Card, ...]

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "deal", "deck": [*map(str, self.deck)]}

    def __str__(self) -> str:
        return f"deal {' '.join(map(str, self.deck))}"


@dataclass(frozen=True, slots=True)
class Setup:
    """What the table shows of the set-up: a draw pile, face down."""

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "setup"}

    def __str__(self) -> str:
        return "set-up"


@dataclass(frozen=True, slots=True)
class Flip:
    """The top card of the draw pile flipped and laid to the row."""

    seat: int
    card: Card

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "flip", "card": str(self.card)}

    def __str__(self) -> str:
        return f"{self.seat} flip {self.card}"


@dataclass(frozen=True, slots=True)
class Stop:
    """The player chooses to flip no more; judgement begins."""

    seat: int

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "stop"}

    def __str__(self) -> str:
        return f"{self.seat} stop"


@dataclass(frozen=True, slots=True)
class Roll:
    """Both dice rolled once in judgement."""

    seat: int
    dice: Dice

    @property
    def total(self) -> int:
        """The sum of both dice, 2 to 12: the rank that is struck."""
        return sum(self.dice)

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "roll", "dice": list(self.dice)}

    def __str__(self) -> str:
        return f"{self.seat} roll {' '.join(map(str, self.dice))}"


Move = Deal | Setup | Flip | Stop | Roll


def are_dice(value: object) -> bool:
    """Whether these are two numbers from 1 to 6.

    >>> are_dice([3, 4]), are_dice((6, 6)), are_dice([0, 7]), are_dice([3]), are_dice([True, 1])
    (True, True, False, False, False)
    """
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(isinstance(die, int) and not isinstance(die, bool) and 1 <= die <= 6 for die in value)
    )


def is_deck(cards: tuple[Card, ...]) -> bool:
    """Whether these are all the cards there are, each once."""
    return len(cards) == len(set(cards)) == len(DECK)


def move_from_json(line: object) -> Move:
    """The move a record line's object stands for. Keys a move does not need are passed over.

    Raises:
        BadRecordError: the object lacks or misspells what its move needs.
    """
    return move_in(line, _READERS)


def _deal(line: Json) -> Move:
    return Deal(cards_in_list(need(line, "deck"), "deck"))


def _setup(_: Json) -> Move:
    return Setup()


def _flip(line: Json) -> Move:
    return Flip(seat_in(need(line, "seat"), "seat"), card_in(need(line, "card"), "card"))


def _stop(line: Json) -> Move:
    return Stop(seat_in(need(line, "seat"), "seat"))


def _roll(line: Json) -> Move:
    seat, dice = seat_in(need(line, "seat"), "seat"), need(line, "dice")
    if not are_dice(dice):
        told = quoted(dice)
        raise BadRecordError(Text("'dice' must be two numbers from 1 to 6, not {told}", told=told))
    return Roll(seat, (dice[0], dice[1]))


_READERS = {"deal": _deal, "setup": _setup, "flip": _flip, "stop": _stop, "roll": _roll}
