"""The moves of Seven Euchre as values, and the lines of a record they stand for.

Seats are numbered from 1. What is hidden is ``None``: the cards of a deal and the card laid aside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from rules.cards import Card
from rules.line import Hands, Line, make_reader
from rules.parsing import BadRecordError, Json, quote_value, report_lacking, seat_in, whole_in
from rules.seven_euchre.trumps import BY_LETTER, LEAST_TRICKS, TRICKS, Trump
from rules.text import Text

SEATS = 4


def _read_trump(value: object, key: str) -> Trump:
    if isinstance(value, str) and value in BY_LETTER:
        return BY_LETTER[value]
    raise BadRecordError(Text("{key!r} must be a suit's letter or 'NT', not {told}", key=key, told=quote_value(value)))


@dataclass(frozen=True, slots=True)
class _Call(Line):
    seat: Annotated[int, partial(seat_in, most=SEATS)]


@dataclass(frozen=True, slots=True)
class Deal(Line):
    """The cards dealt: with full information all of them, ``hands`` by seat and the card in the middle."""

    do = "deal"
    hands: Hands | None = None
    middle: Card | None = None

    def check(self) -> None:
        """Check that both are given, or neither."""
        if (self.hands is None) != (self.middle is None):
            raise report_lacking("hands" if self.hands is None else "middle")

    def __str__(self) -> str:
        hands = "" if self.hands is None else " " + " | ".join(" ".join(map(str, hand)) for hand in self.hands)
        return f"deal{hands}" + ("" if self.middle is None else f" middle {self.middle}")


@dataclass(frozen=True, slots=True)
class Bid(_Call):
    """A bid: so many tricks, with that trump; in the second auction the number alone."""

    do = "bid"
    tricks: Annotated[int, partial(whole_in, least=LEAST_TRICKS, most=TRICKS)]
    trump: Annotated[Trump, _read_trump] | None = None

    def to_json(self) -> Json:
        """Return the move as a record line's object, the trump before the tricks."""
        line = Line.to_json(self)
        line["tricks"] = line.pop("tricks")
        return line


@dataclass(frozen=True, slots=True)
class Pass(_Call):
    """No bid this time; whoever passed may bid again."""

    do = "pass"


@dataclass(frozen=True, slots=True)
class TurnUp(Line):
    """The middle card turned up after four passes: its printed suit becomes trumps."""

    do = "turn_up"
    reads = "turn up {0.card}"
    card: Card


@dataclass(frozen=True, slots=True)
class Exchange(_Call):
    """The declarer takes the middle card and lays one card aside, it or another."""

    do = "exchange"
    lay_aside: Card | None = None

    def __str__(self) -> str:
        return f"{self.seat} exchange" + ("" if self.lay_aside is None else f" lay aside {self.lay_aside}")


@dataclass(frozen=True, slots=True)
class Play(_Call):
    """A card played to a trick."""

    do = "play"
    card: Card


@dataclass(frozen=True, slots=True)
class Annul(Line):
    """The deal counts for nobody, and the same dealer deals again (ruling 5)."""

    do = "annul"
    reads = "annul the deal"


@dataclass(frozen=True, slots=True)
class BackTo(Line):
    """The deal is taken back to the lead to one of its tricks, the first one being 1 (ruling 5)."""

    do = "back_to"
    reads = "back to trick {0.trick}"
    trick: Annotated[int, partial(whole_in, least=1, most=TRICKS)]


Move = Deal | Bid | Pass | TurnUp | Exchange | Play | Annul | BackTo


def as_seen(move: Move) -> Move:
    """Return the move as everybody at the table sees it."""
    if isinstance(move, Deal):
        return Deal()
    return Exchange(move.seat) if isinstance(move, Exchange) else move


move_from_json: Callable[[object], Move] = make_reader(Move)
"""The move that a record line's object stands for, or ``BadRecordError``."""
