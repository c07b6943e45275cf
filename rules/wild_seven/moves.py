"""The moves of Wild Seven as values, and the lines of a record they stand for (the game's page, "Record").

Seats are numbered from 1. Only the deal hides anything; every other move is the same for everybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.cards import Card
from rules.parsing import (
    Json,
    at_most_the_deck,
    card_in,
    cards_in_list,
    hands_in,
    move_in,
    need,
    optional_in,
    seat_in,
)


@dataclass(frozen=True, slots=True)
class Deal:
    """The whole deal, for full information: ``hands`` by seat, and the cards left over, ``wanted``."""

    hands: tuple[tuple[Card, ...], ...]
    wanted: tuple[Card, ...]

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "deal", "hands": [[*map(str, hand)] for hand in self.hands], "wanted": [*map(str, self.wanted)]}

    def __str__(self) -> str:
        return f"deal {' | '.join(map(names, self.hands))} wanted {names(self.wanted)}"


@dataclass(frozen=True, slots=True)
class Setup:
    """What the table shows of the deal: the cards left over."""

    wanted: tuple[Card, ...]

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "setup", "wanted": [*map(str, self.wanted)]}

    def __str__(self) -> str:
        return f"set-up wanted {names(self.wanted)}"


@dataclass(frozen=True, slots=True)
class Reveal:
    """One hand card of every player, by seat, all at once."""

    cards: tuple[Card, ...]

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "reveal", "cards": [*map(str, self.cards)]}

    def __str__(self) -> str:
        return f"reveal {names(self.cards)}"


@dataclass(frozen=True, slots=True)
class Play:
    """A hand card laid in front; what it bumps follows from it."""

    seat: int
    card: Card

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "play", "card": str(self.card)}

    def __str__(self) -> str:
        return f"{self.seat} play {self.card}"


@dataclass(frozen=True, slots=True)
class Get:
    """A wanted card taken, ``None`` where nothing can be; the own card then joins the wanted."""

    seat: int
    card: Card | None = None

    def to_json(self) -> Json:
        """The move as a record line's object."""
        line: Json = {"seat": self.seat, "do": "get"}
        if self.card is not None:
            line["card"] = str(self.card)
        return line

    def __str__(self) -> str:
        return f"{self.seat} get {self.card or 'nothing'}"


Turn = Play | Get
Move = Deal | Setup | Reveal | Turn


def names(cards: Iterable[Card]) -> str:
    """The names of cards in a row."""
    return " ".join(map(str, cards))


def as_seen(move: Move) -> Move:
    """The move as everybody at the table sees it: of the deal only the cards left over."""
    return Setup(move.wanted) if isinstance(move, Deal) else move


def move_from_json(line: object) -> Move:
    """The move a record line's object stands for. Keys a move does not need are passed over.

    Raises:
        BadRecordError: the object lacks or misspells what its move needs.
    """
    return move_in(line, _READERS)


def _deal(line: Json) -> Move:
    dealt = Deal(hands_in(need(line, "hands")), cards_in_list(need(line, "wanted"), "wanted"))
    at_most_the_deck(sum(map(len, dealt.hands)) + len(dealt.wanted), "hands", "wanted")
    return dealt


def _setup(line: Json) -> Move:
    return Setup(cards_in_list(need(line, "wanted"), "wanted"))


def _reveal(line: Json) -> Move:
    return Reveal(cards_in_list(need(line, "cards"), "cards"))


def _play(line: Json) -> Move:
    return Play(seat_in(need(line, "seat"), "seat"), card_in(need(line, "card"), "card"))


def _get(line: Json) -> Move:
    return Get(seat_in(need(line, "seat"), "seat"), optional_in(line, "card", card_in))


_READERS = {"deal": _deal, "setup": _setup, "reveal": _reveal, "play": _play, "get": _get}
