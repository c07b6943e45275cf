"""The moves of Laminate Rummy as values, and the lines of a record they stand for (FORMATS.md, "Record").

Seats are numbered from 1. What is hidden is ``None``: the kept card of a draw, the cards of a payment (then only
their number is known).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.cards import DECK, Card
from rules.parsing import (
    BadRecordError,
    Json,
    at_most_the_deck,
    card_in,
    cards_in_list,
    hands_in,
    move_in,
    need,
    optional_in,
    quoted,
    seat_in,
    text_in,
)
from rules.text import Text


@dataclass(frozen=True, slots=True)
class Deal:
    """The whole deal, for full information: ``hands`` by seat after the set-up discards, ``discard`` bottom to top."""

    hands: tuple[tuple[Card, ...], ...]
    discard: tuple[Card, ...]

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "deal", "hands": [[*map(str, hand)] for hand in self.hands], "discard": [*map(str, self.discard)]}

    def __str__(self) -> str:
        return f"deal {' | '.join(map(_names, self.hands))} discard {_names(self.discard)}"


@dataclass(frozen=True, slots=True)
class Setup:
    """What the table shows of the set-up: the top discard."""

    discard: Card

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "setup", "discard": str(self.discard)}

    def __str__(self) -> str:
        return f"set-up shows {self.discard}"


@dataclass(frozen=True, slots=True)
class Research:
    """A card more in hand, from the ``deck`` or from the ``discard`` pile.

    ``keep`` is ``None`` where it is hidden; ``discard`` is ``None`` where nothing was discarded.
    """

    seat: int
    source: str
    keep: Card | None = None
    discard: Card | None = None

    def to_json(self) -> Json:
        """The move as a record line's object."""
        line: Json = {"seat": self.seat, "do": "research", "source": self.source}
        if self.keep is not None:
            line["keep"] = str(self.keep)
        if self.discard is not None:
            line["discard"] = str(self.discard)
        return line

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
        """The citation as a record's object."""
        return {"seat": self.seat, "paper": self.paper}

    def __str__(self) -> str:
        return f"{self.seat}:{self.paper}"


Payment = tuple[Card, ...] | int
"""The cards that were paid, or only their number."""


@dataclass(frozen=True)
class Publish:
    """A new paper: hand cards laid down, papers cited, thank-you cards by the seat that gets them."""

    seat: int
    paper: str
    cards: tuple[Card, ...]
    cite: tuple[Citation, ...] = ()
    pay: Mapping[int, Payment] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.seat, self.paper, self.cards, self.cite, tuple(sorted(self.pay.items(), key=lambda p: p[0]))))

    def to_json(self) -> Json:
        """The move as a record line's object."""
        pay = {str(s): paid if isinstance(paid, int) else [*map(str, paid)] for s, paid in self.pay.items()}
        return {
            "seat": self.seat,
            "do": "publish",
            "paper": self.paper,
            "cards": [*map(str, self.cards)],
            "cite": [citation.to_json() for citation in self.cite],
            "pay": pay,
        }

    def __str__(self) -> str:
        cited = f" cite {' '.join(map(str, self.cite))}" if self.cite else ""
        paid = "".join(
            f" pay {seat} {given if isinstance(given, int) else _names(given)}" for seat, given in self.pay.items()
        )
        return f"{self.seat} publish {self.paper} {_names(self.cards)}{cited}{paid}"


@dataclass(frozen=True, slots=True)
class Review:
    """One card taken into the hand from a paper under review, anybody's: ``of`` is the author's seat.

    ``more`` are further cards taken from it at once, which the rules never allow.
    """

    seat: int
    of: int
    paper: str
    take: Card
    more: tuple[Card, ...] = ()

    def to_json(self) -> Json:
        """The move as a record line's object."""
        take = [str(self.take), *map(str, self.more)] if self.more else str(self.take)
        return {"seat": self.seat, "do": "review", "of": self.of, "paper": self.paper, "take": take}

    def __str__(self) -> str:
        return f"{self.seat} review {self.of}:{self.paper} take {_names((self.take, *self.more))}"


@dataclass(frozen=True, slots=True)
class Pass:
    """No action, where none is possible."""

    seat: int

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "pass"}

    def __str__(self) -> str:
        return f"{self.seat} pass"


@dataclass(frozen=True, slots=True)
class EndFlag:
    """The End Flag taken, with one hand card laid to it."""

    seat: int
    card: Card

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "end_flag", "card": str(self.card)}

    def __str__(self) -> str:
        return f"{self.seat} end_flag {self.card}"


_MOST = len(DECK)
"""No list of a move is longer than the deck: so many cards there are, and a paper cited gives one of them."""


Move = Deal | Setup | Research | Publish | Review | Pass | EndFlag


def _names(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def move_from_json(line: object) -> Move:
    """The move a record line's object stands for. Keys a move does not need are passed over.

    Raises:
        BadRecordError: the object lacks or misspells what its move needs.
    """
    return move_in(line, _READERS)


def _deal(line: Json) -> Move:
    dealt = Deal(hands_in(need(line, "hands")), cards_in_list(need(line, "discard"), "discard"))
    at_most_the_deck(sum(map(len, dealt.hands)) + len(dealt.discard), "hands")
    return dealt


def _setup(line: Json) -> Move:
    return Setup(card_in(need(line, "discard"), "discard"))


def _research(line: Json) -> Move:
    seat = seat_in(need(line, "seat"), "seat")
    source = need(line, "source")
    if source not in ("deck", "discard"):
        raise BadRecordError(Text("'source' is 'deck' or 'discard', not {told}", told=quoted(source)))
    keep = card_in(need(line, "keep"), "keep") if source == "discard" else optional_in(line, "keep", card_in)
    return Research(seat, source, keep, optional_in(line, "discard", card_in))


def _citation(value: object) -> Citation:
    if not isinstance(value, dict):
        raise BadRecordError(Text("'cite' must be a list of seat and paper"))
    return Citation(seat_in(need(value, "seat"), "seat"), text_in(need(value, "paper"), "paper"))


def _payment(key: str, value: object) -> tuple[int, Payment]:
    if not key.isascii() or not key.isdigit() or key.startswith("0") or len(key) > 3:
        raise BadRecordError(Text("'pay' names no seat: {key}", key=quoted(key)))
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        at_most_the_deck(value, "pay")
        return int(key), value
    if isinstance(value, list):
        return int(key), cards_in_list(value, "pay")
    raise BadRecordError(Text("'pay' gives cards or their number, not {told}", told=quoted(value)))


def _publish(line: Json) -> Move:
    cite, pay = line.get("cite", []), line.get("pay", {})
    if not isinstance(cite, list):
        raise BadRecordError(Text("'cite' must be a list of seat and paper"))
    if not isinstance(pay, dict):
        raise BadRecordError(Text("'pay' must give cards, or their number, by seat"))
    if len(cite) > _MOST:
        raise BadRecordError(Text("'cite' has more papers than there are cards"))
    move = Publish(
        seat_in(need(line, "seat"), "seat"),
        text_in(need(line, "paper"), "paper"),
        cards_in_list(need(line, "cards"), "cards"),
        tuple(map(_citation, cite)),
        dict(_payment(key, value) for key, value in pay.items()),
    )
    paid = sum(given if isinstance(given, int) else len(given) for given in move.pay.values())
    at_most_the_deck(len(move.cards) + paid, "cards", "pay")
    return move


def _review(line: Json) -> Move:
    seat, of = seat_in(need(line, "seat"), "seat"), seat_in(need(line, "of"), "of")
    paper, take = text_in(need(line, "paper"), "paper"), need(line, "take")
    if isinstance(take, list):
        first, *more = dict.fromkeys(cards_in_list(take, "take")) or (None,)
        if first is not None and len(more) == len(take) - 1 > 0:
            return Review(seat, of, paper, first, tuple(card for card in more if card is not None))
        told = quoted(take)
        raise BadRecordError(Text("'take' must name one card: {told}", told=told))
    return Review(seat, of, paper, card_in(take, "take"))


def _pass(line: Json) -> Move:
    return Pass(seat_in(need(line, "seat"), "seat"))


def _end_flag(line: Json) -> Move:
    return EndFlag(seat_in(need(line, "seat"), "seat"), card_in(need(line, "card"), "card"))


_READERS = {
    "deal": _deal,
    "setup": _setup,
    "research": _research,
    "publish": _publish,
    "review": _review,
    "pass": _pass,
    "end_flag": _end_flag,
}
