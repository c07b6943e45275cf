"""The moves of Seven Wonders as values, and the lines of a record they stand for (``games/seven_wonders.md``).

Seats are numbered from 1. What is hidden is ``None``: the hands of a deal, the card of a stage or a discard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

from rules.line import Line, SeatLine, make_reader
from rules.parsing import BadRecordError, Json, need, optional_in, quote_value, whole_in
from rules.seven_wonders.cards import AGES, MOST, Building, find_building
from rules.seven_wonders.trade import Pay
from rules.text import Text

MOST_VICTORIES, MOST_DEFEATS = 2, 6
"""Tokens a city can have: victories in each age, defeats in all."""
OLYMPIA = "olympia"


def _read_building(value: object, key: str) -> Building:
    if isinstance(value, str):
        try:
            return find_building(value)
        except KeyError:
            pass
    quoted = quote_value(value)
    raise BadRecordError(Text("{key!r} names no card of the game: {told}", key=key, told=quoted))


def _read_buildings(value: object, key: str) -> tuple[Building, ...]:
    if not isinstance(value, list):
        raise BadRecordError(Text("{key!r} must be a list of cards", key=key))
    return tuple([_read_building(item, key) for item in value])


def _by_seat(value: object, key: str, read: Callable[[object, str], Any]) -> tuple[Any, ...]:
    """Read a list with an entry for each seat; the position knows how many there are."""
    if not isinstance(value, list) or len(value) > MOST:
        raise BadRecordError(Text("{key!r} must be a list with one entry for each seat", key=key))
    return tuple([read(item, key) for item in value])


def _read_whole(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        quoted = quote_value(value)
        raise BadRecordError(Text("{key!r} must be a whole number, not {told}", key=key, told=quoted))
    return value


def _pay(value: object, key: str) -> Pay:
    if not isinstance(value, dict) or not set(value) <= {"left", "right"}:
        raise BadRecordError(
            Text("{key!r} gives coins for 'left' and 'right', not {told}", key=key, told=quote_value(value))
        )
    return Pay(*(_read_whole(value.get(side, 0), side) for side in ("left", "right")))


class Do(StrEnum):
    """What an act does with its card."""

    BUILD = "build"
    STAGE = "stage"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Act:
    """What one seat does with a card: build it, build a stage with it, or discard it for 3 coins.

    ``pay`` is ``None`` where it is not given. ``free`` is Olympia's building without cost.
    """

    do: Do
    card: Building | None = None
    pay: Pay | None = None
    free: bool = False

    def to_json(self) -> Json:
        """Return the act as a record's object."""
        line: Json = {"do": self.do.value}
        if self.card is not None:
            line["card"] = self.card.id
        if self.pay is not None:
            line["pay"] = self.pay.to_json()
        if self.free:
            line["free"] = OLYMPIA
        return line

    def __str__(self) -> str:
        card = f" {self.card}" if self.card is not None else ""
        pay = f" pay {self.pay}" if self.pay is not None else ""
        return f"{self.do}{card}{pay}{' free' if self.free else ''}"


def _act(value: object, _: str) -> Act:
    if not isinstance(value, dict):
        raise BadRecordError(Text("an act must be an object, not {told}", told=quote_value(value)))
    kind = need(value, "do")
    if kind not in list(Do):
        raise BadRecordError(Text("an act is 'build', 'stage' or 'discard', not {told}", told=quote_value(kind)))
    do = Do(kind)
    if do is Do.DISCARD and "pay" in value:
        raise BadRecordError(Text("'pay' does not go with a discard"))
    if "free" in value:
        if do is not Do.BUILD:
            raise BadRecordError(Text("'free' does not go with a {do}", do=do))
        if value["free"] != OLYMPIA:
            free = quote_value(value["free"])
            raise BadRecordError(Text("'free' is 'olympia', not {free}", free=free))
    if do is Do.BUILD:
        need(value, "card")
    return Act(do, optional_in(value, "card", _read_building), optional_in(value, "pay", _pay), "free" in value)


@dataclass(frozen=True, slots=True)
class Deal(Line):
    """The deal of an age: ``hands`` by seat with full information."""

    do = "deal"
    age: Annotated[int, partial(whole_in, least=AGES[0], most=AGES[-1])]
    hands: Annotated[tuple[tuple[Building, ...], ...], partial(_by_seat, read=_read_buildings)] | None = None

    def __str__(self) -> str:
        hands = "" if self.hands is None else f" {' | '.join(' '.join(map(str, hand)) for hand in self.hands)}"
        return f"deal age {self.age}{hands}"


@dataclass(frozen=True, slots=True)
class Round(Line):
    """One act of every seat, all at once."""

    do = "round"
    acts: Annotated[tuple[Act, ...], partial(_by_seat, read=_act)]

    def __str__(self) -> str:
        return f"round {' | '.join(map(str, self.acts))}"


@dataclass(frozen=True, slots=True)
class Seventh(SeatLine):
    """The seventh card of Babylon B (8)."""

    do = "seventh"
    reads = "{0.seat} seventh {0.act}"
    act: Annotated[Act, _act]


@dataclass(frozen=True, slots=True)
class FromDiscard(SeatLine):
    """A card built from the discard pile by Halikarnassos, or none (9)."""

    do = "from_discard"
    card: Annotated[Building, _read_building] | None = None

    def __str__(self) -> str:
        return f"{self.seat} from_discard {'nothing' if self.card is None else self.card}"


@dataclass(frozen=True, slots=True)
class FinishedCity(SeatLine):
    """Score only: what lies in a finished city."""

    do = "city"
    cards: Annotated[tuple[Building, ...], _read_buildings]
    stages: Annotated[int, _read_whole]

    def __str__(self) -> str:
        return f"{self.seat} city {' '.join(map(str, self.cards))} stages {self.stages}"


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a city: victories of ages 1, 2 and 3, and defeats."""

    victories: tuple[int, int, int] = (0, 0, 0)
    defeats: int = 0

    def to_json(self) -> list[int]:
        """Return the tokens as a record's list."""
        return [*self.victories, self.defeats]

    @property
    def points(self) -> int:
        """1, 3 and 5 points a victory by its age, one less a defeat (10)."""
        first, second, third = self.victories
        return first + 3 * second + 5 * third - self.defeats


def tokens_in(value: object, _: str = "tokens") -> Tokens:
    """Read the tokens that a record's list stands for.

    Raises:
        BadRecordError: it is none, or has more than a city can have.
    """
    if not isinstance(value, list) or len(value) != 4:
        cause = Text("'tokens' are three numbers of victories and one of defeats, not {told}", told=quote_value(value))
        raise BadRecordError(cause)
    first, second, third = (whole_in(victories, "tokens", 0, MOST_VICTORIES) for victories in value[:3])
    return Tokens((first, second, third), whole_in(value[3], "tokens", 0, MOST_DEFEATS))


@dataclass(frozen=True, slots=True)
class Tell(Line):
    """Score only: coins and tokens by seat."""

    do = "tell"
    coins: Annotated[tuple[int, ...], partial(_by_seat, read=_read_whole)]
    tokens: Annotated[tuple[Tokens, ...], partial(_by_seat, read=tokens_in)]

    def __str__(self) -> str:
        tokens = " | ".join(" ".join(map(str, tokens.to_json())) for tokens in self.tokens)
        return f"tell coins {' '.join(map(str, self.coins))} tokens {tokens}"


Move = Deal | Round | Seventh | FromDiscard | FinishedCity | Tell


def as_seen(move: Move) -> Move:
    """Return the move as everybody at the table sees it: no hands, no staged and no discarded cards."""
    if isinstance(move, Deal):
        return Deal(move.age)
    if isinstance(move, Round):
        return Round(tuple(map(_act_as_seen, move.acts)))
    if isinstance(move, Seventh):
        return Seventh(move.seat, _act_as_seen(move.act))
    return move


def _act_as_seen(act: Act) -> Act:
    return act if act.do is Do.BUILD else Act(act.do, None, act.pay, act.free)


move_from_json: Callable[[object], Move] = make_reader(Move)
"""The move that a record line's object stands for, or ``BadRecordError``."""
