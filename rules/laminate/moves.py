"""The moves of Laminate Rummy as values, and the lines of a record they stand for (FORMATS.md, "Record").

Seats are numbered from 1. What is hidden is ``None``: the kept card of a draw, the cards of a payment (then only
their number is known).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from rules.cards import DECK, Card
from rules.line import Hands, Line, Seat, SeatLine, make_reader, write_value
from rules.parsing import (
    BadRecordError,
    Json,
    at_most_the_deck,
    card_in,
    cards_in_list,
    need,
    quote_value,
    report_lacking,
    seat_in,
    text_in,
)
from rules.text import Text

_MOST = len(DECK)
"""No list of a move is longer than the deck: so many cards there are, and a paper cited gives one of them."""


@dataclass(frozen=True, slots=True)
class Deal(Line):
    """The whole deal, for full information: ``hands`` by seat after the set-up discards, ``discard`` bottom to top."""

    do = "deal"
    hands: Hands
    discard: tuple[Card, ...]

    def check(self) -> None:
        """Check that there are no more cards than the deck has."""
        at_most_the_deck(sum(map(len, self.hands)) + len(self.discard), "hands")

    def __str__(self) -> str:
        return f"deal {' | '.join(map(_write_names, self.hands))} discard {_write_names(self.discard)}"


@dataclass(frozen=True, slots=True)
class Setup(Line):
    """What the table shows of the set-up: the top discard."""

    do = "setup"
    reads = "set-up shows {0.discard}"
    discard: Card


def _read_source(value: object, _: str) -> str:
    if value not in ("deck", "discard"):
        raise BadRecordError(Text("'source' is 'deck' or 'discard', not {told}", told=quote_value(value)))
    return str(value)


@dataclass(frozen=True, slots=True)
class Research(SeatLine):
    """A card more in hand, from the ``deck`` or from the ``discard`` pile.

    ``keep`` is ``None`` where it is hidden; ``discard`` is ``None`` where nothing was discarded.
    """

    do = "research"
    source: Annotated[str, _read_source]
    keep: Card | None = None
    discard: Card | None = None

    def check(self) -> None:
        """Check that what is taken from the discard pile is seen."""
        if self.source == "discard" and self.keep is None:
            raise report_lacking("keep")

    def __str__(self) -> str:
        kept = f" keep {self.keep}" if self.keep is not None else ""
        shown = f" discard {self.discard}" if self.discard is not None else ""
        return f"{self.seat} research {self.source}{kept}{shown}"


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """A paper that is cited: whose area it lies in, and its kind."""

    seat: int
    paper: str

    def to_json(self) -> Json:
        """Return the citation as a record's object."""
        return {"seat": self.seat, "paper": self.paper}

    def __str__(self) -> str:
        return f"{self.seat}:{self.paper}"


def _read_cited(value: object, _: str) -> tuple[Citation, ...]:
    if isinstance(value, list) and len(value) > _MOST:
        raise BadRecordError(Text("'cite' has more papers than there are cards"))
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise BadRecordError(Text("'cite' must be a list of seat and paper"))
    return tuple(Citation(seat_in(need(one, "seat"), "seat"), text_in(need(one, "paper"), "paper")) for one in value)


Payment = tuple[Card, ...] | int
"""The cards that were paid, or only their number."""


def _read_paid(value: object, key: str) -> dict[int, Payment]:
    if not isinstance(value, dict):
        raise BadRecordError(Text("'pay' must give cards, or their number, by seat"))
    return {_read_payee(seat): _read_payment(given, key) for seat, given in value.items()}


def _read_payee(key: str) -> int:
    if not key.isascii() or not key.isdigit() or key.startswith("0") or len(key) > 3:
        raise BadRecordError(Text("'pay' names no seat: {key}", key=quote_value(key)))
    return int(key)


def _read_payment(value: object, key: str) -> Payment:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        at_most_the_deck(value, key)
        return value
    if isinstance(value, list):
        return cards_in_list(value, key)
    raise BadRecordError(Text("'pay' gives cards or their number, not {told}", told=quote_value(value)))


@dataclass(frozen=True)
class Publish(SeatLine):
    """A new paper: hand cards laid down, papers cited, thank-you cards by the seat that gets them."""

    do = "publish"
    paper: str
    cards: tuple[Card, ...]
    cite: Annotated[tuple[Citation, ...], _read_cited] = ()
    pay: Annotated[Mapping[int, Payment], _read_paid] = field(default_factory=dict)

    def check(self) -> None:
        """Check that there are no more cards than the deck has."""
        paid = sum(given if isinstance(given, int) else len(given) for given in self.pay.values())
        at_most_the_deck(len(self.cards) + paid, "cards", "pay")

    def __hash__(self) -> int:
        return hash((self.seat, self.paper, self.cards, self.cite, tuple(sorted(self.pay.items(), key=lambda p: p[0]))))

    def __str__(self) -> str:
        cited = f" cite {' '.join(map(str, self.cite))}" if self.cite else ""
        paid = "".join(
            f" pay {seat} {given if isinstance(given, int) else _write_names(given)}"
            for seat, given in self.pay.items()
        )
        return f"{self.seat} publish {self.paper} {_write_names(self.cards)}{cited}{paid}"


@dataclass(frozen=True, slots=True)
class Review(SeatLine):
    """One card taken into the hand from a paper under review, anybody's: ``of`` is the author's seat.

    ``more`` are further cards taken from it at once, which the rules never allow.
    """

    do = "review"
    of: Seat
    paper: str
    take: Card
    more: tuple[Card, ...] = ()

    def to_json(self) -> Json:
        """Return the move as a record line's object; several cards taken are a list."""
        take = write_value((self.take, *self.more)) if self.more else str(self.take)
        return {"seat": self.seat, "do": self.do, "of": self.of, "paper": self.paper, "take": take}

    @classmethod
    def from_json(cls, line: Json) -> Review:
        """Read the move that a line stands for."""
        seat, of = seat_in(need(line, "seat"), "seat"), seat_in(need(line, "of"), "of")
        paper, take = text_in(need(line, "paper"), "paper"), need(line, "take")
        if not isinstance(take, list):
            return cls(seat, of, paper, card_in(take, "take"))
        cards = cards_in_list(take, "take")
        if len(cards) < 2 or len(set(cards)) < len(cards):
            raise BadRecordError(Text("'take' must name one card: {told}", told=quote_value(take)))
        return cls(seat, of, paper, cards[0], cards[1:])

    def __str__(self) -> str:
        return f"{self.seat} review {self.of}:{self.paper} take {_write_names((self.take, *self.more))}"


@dataclass(frozen=True, slots=True)
class Pass(SeatLine):
    """No action, where none is possible."""

    do = "pass"


@dataclass(frozen=True, slots=True)
class EndFlag(SeatLine):
    """The End Flag taken, with one hand card laid to it."""

    do = "end_flag"
    card: Card


Move = Deal | Setup | Research | Publish | Review | Pass | EndFlag


def _write_names(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


move_from_json: Callable[[object], Move] = make_reader(Move)
"""The move that a record line's object stands for, or ``BadRecordError``."""
