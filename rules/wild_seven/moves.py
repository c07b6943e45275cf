"""The moves of Wild Seven as values, and the lines of a record they stand for (the game's page, "Record").

Seats are numbered from 1. Only the deal hides anything; every other move is the same for everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rules.cards import Card
from rules.line import Hands, Line, SeatLine, make_reader
from rules.parsing import at_most_the_deck


@dataclass(frozen=True, slots=True)
class Deal(Line):
    """The whole deal, for full information: ``hands`` by seat, and the cards left over, ``wanted``."""

    do = "deal"
    hands: Hands
    wanted: tuple[Card, ...]

    def check(self) -> None:
        """Check that there are no more cards than the deck has."""
        at_most_the_deck(sum(map(len, self.hands)) + len(self.wanted), "hands", "wanted")

    def __str__(self) -> str:
        return f"deal {' | '.join(map(write_names, self.hands))} wanted {write_names(self.wanted)}"


@dataclass(frozen=True, slots=True)
class Setup(Line):
    """What the table shows of the deal: the cards left over."""

    do = "setup"
    wanted: tuple[Card, ...]

    def __str__(self) -> str:
        return f"set-up wanted {write_names(self.wanted)}"


@dataclass(frozen=True, slots=True)
class Reveal(Line):
    """One hand card of every player, by seat, all at once."""

    do = "reveal"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Play(SeatLine):
    """A hand card laid in front; what it bumps follows from it."""

    do = "play"
    card: Card


@dataclass(frozen=True, slots=True)
class Get(SeatLine):
    """A wanted card taken, ``None`` where nothing can be; the own card then joins the wanted."""

    do = "get"
    card: Card | None = None

    def __str__(self) -> str:
        return f"{self.seat} get {self.card or 'nothing'}"


Turn = Play | Get
Move = Deal | Setup | Reveal | Turn


def write_names(cards: Iterable[Card]) -> str:
    """Write the names of cards in a row."""
    return " ".join(map(str, cards))


def as_seen(move: Move) -> Move:
    """Return the move as everybody at the table sees it: of the deal only the cards left over."""
    return Setup(move.wanted) if isinstance(move, Deal) else move


move_from_json: Callable[[object], Move] = make_reader(Move)
"""The move that a record line's object stands for, or ``BadRecordError``."""
