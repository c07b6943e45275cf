"""The moves of Seven Euchre as values, and the lines of a record they stand for.

Seats are numbered from 1. What is hidden is ``None``: the cards of a deal and the card laid aside.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import Card
from rules.parsing import (
    BadRecordError,
    Json,
    card_in,
    hands_in,
    move_in,
    need,
    optional_in,
    quoted,
    seat_in,
    whole_in,
)
from rules.seven_euchre.trumps import BY_LETTER, LEAST_TRICKS, TRICKS, Trump
from rules.text import Text

SEATS = 4


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards dealt: with full information all of them, ``hands`` by seat and the card in the middle."""

    hands: tuple[tuple[Card, ...], ...] | None = None
    middle: Card | None = None

    def to_json(self) -> Json:
        """The move as a record line's object."""
        line: Json = {"do": "deal"}
        if self.hands is not None:
            line["hands"] = [[*map(str, hand)] for hand in self.hands]
        if self.middle is not None:
            line["middle"] = str(self.middle)
        return line

    def __str__(self) -> str:
        hands = "" if self.hands is None else " " + " | ".join(" ".join(map(str, hand)) for hand in self.hands)
        return f"deal{hands}" + ("" if self.middle is None else f" middle {self.middle}")


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: so many tricks, with that trump; in the second auction the number alone."""

    seat: int
    tricks: int
    trump: Trump | None = None

    def to_json(self) -> Json:
        """The move as a record line's object."""
        trump = {} if self.trump is None else {"trump": self.trump.letter}
        return {"seat": self.seat, "do": "bid", **trump, "tricks": self.tricks}

    def __str__(self) -> str:
        return f"{self.seat} bid {'' if self.trump is None else self.trump.letter + ' '}{self.tricks}"


@dataclass(frozen=True, slots=True)
class Pass:
    """No bid this time; whoever passed may bid again."""

    seat: int

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "pass"}

    def __str__(self) -> str:
        return f"{self.seat} pass"


@dataclass(frozen=True, slots=True)
class TurnUp:
    """The middle card turned up after four passes: its printed suit becomes trumps."""

    card: Card

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "turn_up", "card": str(self.card)}

    def __str__(self) -> str:
        return f"turn up {self.card}"


@dataclass(frozen=True, slots=True)
class Exchange:
    """The declarer takes the middle card and lays one card aside, it or another."""

    seat: int
    lay_aside: Card | None = None

    def to_json(self) -> Json:
        """The move as a record line's object."""
        aside = {} if self.lay_aside is None else {"lay_aside": str(self.lay_aside)}
        return {"seat": self.seat, "do": "exchange", **aside}

    def __str__(self) -> str:
        return f"{self.seat} exchange" + ("" if self.lay_aside is None else f" lay aside {self.lay_aside}")


@dataclass(frozen=True, slots=True)
class Play:
    """A card played to a trick."""

    seat: int
    card: Card

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "play", "card": str(self.card)}

    def __str__(self) -> str:
        return f"{self.seat} play {self.card}"


@dataclass(frozen=True, slots=True)
class Annul:
    """The deal counts for nobody, and the same dealer deals again (ruling 5)."""

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "annul"}

    def __str__(self) -> str:
        return "annul the deal"


@dataclass(frozen=True, slots=True)
class BackTo:
    """The deal is taken back to the lead to one of its tricks, the first one being 1 (ruling 5)."""

    trick: int

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "back_to", "trick": self.trick}

    def __str__(self) -> str:
        return f"back to trick {self.trick}"


Move = Deal | Bid | Pass | TurnUp | Exchange | Play | Annul | BackTo


def as_seen(move: Move) -> Move:
    """The move as everybody at the table sees it."""
    if isinstance(move, Deal):
        return Deal()
    return Exchange(move.seat) if isinstance(move, Exchange) else move


def move_from_json(line: object) -> Move:
    """The move a record line's object stands for. Keys a move does not need are passed over.

    Raises:
        BadRecordError: the object lacks or misspells what its move needs.
    """
    return move_in(line, _READERS)


def _deal(line: Json) -> Move:
    if not {"hands", "middle"} & set(line):
        return Deal()
    return Deal(hands_in(need(line, "hands")), card_in(need(line, "middle"), "middle"))


def _seat(line: Json) -> int:
    return seat_in(need(line, "seat"), "seat", SEATS)


def _bid(line: Json) -> Move:
    seat, tricks = _seat(line), whole_in(need(line, "tricks"), "tricks", LEAST_TRICKS, TRICKS)
    return Bid(seat, tricks, optional_in(line, "trump", _trump))


def _trump(value: object, key: str) -> Trump:
    if isinstance(value, str) and value in BY_LETTER:
        return BY_LETTER[value]
    told = quoted(value)
    raise BadRecordError(Text("{key!r} must be a suit's letter or 'NT', not {told}", key=key, told=told))


def _pass(line: Json) -> Move:
    return Pass(_seat(line))


def _turn_up(line: Json) -> Move:
    return TurnUp(card_in(need(line, "card"), "card"))


def _exchange(line: Json) -> Move:
    return Exchange(_seat(line), optional_in(line, "lay_aside", card_in))


def _play(line: Json) -> Move:
    return Play(_seat(line), card_in(need(line, "card"), "card"))


def _annul(_: Json) -> Move:
    return Annul()


def _back_to(line: Json) -> Move:
    return BackTo(whole_in(need(line, "trick"), "trick", 1, TRICKS))


_READERS = {
    "deal": _deal,
    "bid": _bid,
    "pass": _pass,
    "turn_up": _turn_up,
    "exchange": _exchange,
    "play": _play,
    "annul": _annul,
    "back_to": _back_to,
}
