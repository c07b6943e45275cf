"""The moves of Seven Wonders as values, and the lines of a record they stand for (``games/seven_wonders.md``).

Seats are numbered from 1. What is hidden is ``None``: the hands of a deal, the card of a stage or a discard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from rules.parsing import BadRecordError, Json, move_in, need, optional_in, quoted, seat_in, whole_in
from rules.seven_wonders.cards import AGES, MOST, Building, building
from rules.seven_wonders.trade import Pay
from rules.text import Text

MOST_VICTORIES, MOST_DEFEATS = 2, 6
"""Tokens a city can have: victories in each age, defeats in all."""
OLYMPIA = "olympia"


class Do(StrEnum):
    """What an act does with its card."""

    BUILD = "build"
    STAGE = "stage"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Act:
    """What one seat does with a card: build it, build a stage with it, or discard it for 3 coins.

    ``pay`` is ``None`` where it is not told. ``free`` is Olympia's building without cost.
    """

    do: Do
    card: Building | None = None
    pay: Pay | None = None
    free: bool = False

    def to_json(self) -> Json:
        """The act as a record's object."""
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


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal of an age: ``hands`` by seat with full information."""

    age: int
    hands: tuple[tuple[Building, ...], ...] | None = None

    def to_json(self) -> Json:
        """The move as a record line's object."""
        line: Json = {"do": "deal", "age": self.age}
        if self.hands is not None:
            line["hands"] = [[*map(str, hand)] for hand in self.hands]
        return line

    def __str__(self) -> str:
        hands = "" if self.hands is None else f" {' | '.join(' '.join(map(str, hand)) for hand in self.hands)}"
        return f"deal age {self.age}{hands}"


@dataclass(frozen=True, slots=True)
class Round:
    """One act of every seat, all at once."""

    acts: tuple[Act, ...]

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "round", "acts": [act.to_json() for act in self.acts]}

    def __str__(self) -> str:
        return f"round {' | '.join(map(str, self.acts))}"


@dataclass(frozen=True, slots=True)
class Seventh:
    """The seventh card of Babylon B (8)."""

    seat: int
    act: Act

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "seventh", "act": self.act.to_json()}

    def __str__(self) -> str:
        return f"{self.seat} seventh {self.act}"


@dataclass(frozen=True, slots=True)
class FromDiscard:
    """A card built from the discard pile by Halikarnassos, or none (9)."""

    seat: int
    card: Building | None = None

    def to_json(self) -> Json:
        """The move as a record line's object."""
        line: Json = {"seat": self.seat, "do": "from_discard"}
        return line if self.card is None else {**line, "card": self.card.id}

    def __str__(self) -> str:
        return f"{self.seat} from_discard {'nothing' if self.card is None else self.card}"


@dataclass(frozen=True, slots=True)
class FinishedCity:
    """Score only: what lies in a finished city."""

    seat: int
    cards: tuple[Building, ...]
    stages: int

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"seat": self.seat, "do": "city", "cards": [*map(str, self.cards)], "stages": self.stages}

    def __str__(self) -> str:
        return f"{self.seat} city {' '.join(map(str, self.cards))} stages {self.stages}"


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a city: victories of ages 1, 2 and 3, and defeats."""

    victories: tuple[int, int, int] = (0, 0, 0)
    defeats: int = 0

    def to_json(self) -> list[int]:
        """The tokens as a record's list."""
        return [*self.victories, self.defeats]

    @property
    def points(self) -> int:
        """1, 3 and 5 points a victory by its age, one less a defeat (10)."""
        first, second, third = self.victories
        return first + 3 * second + 5 * third - self.defeats


@dataclass(frozen=True, slots=True)
class Tell:
    """Score only: coins and tokens by seat."""

    coins: tuple[int, ...]
    tokens: tuple[Tokens, ...]

    def to_json(self) -> Json:
        """The move as a record line's object."""
        return {"do": "tell", "coins": list(self.coins), "tokens": [tokens.to_json() for tokens in self.tokens]}

    def __str__(self) -> str:
        tokens = " | ".join(" ".join(map(str, tokens.to_json())) for tokens in self.tokens)
        return f"tell coins {' '.join(map(str, self.coins))} tokens {tokens}"


Move = Deal | Round | Seventh | FromDiscard | FinishedCity | Tell


def as_seen(move: Move) -> Move:
    """The move as everybody at the table sees it: no hands, no staged and no discarded cards."""
    if isinstance(move, Deal):
        return Deal(move.age)
    if isinstance(move, Round):
        return Round(tuple(map(_act_as_seen, move.acts)))
    if isinstance(move, Seventh):
        return Seventh(move.seat, _act_as_seen(move.act))
    return move


def _act_as_seen(act: Act) -> Act:
    return act if act.do is Do.BUILD else Act(act.do, None, act.pay, act.free)


def move_from_json(line: object) -> Move:
    """The move a record line's object stands for. Keys a move does not need are passed over.

    Raises:
        BadRecordError: the object lacks or misspells what its move needs.
    """
    return move_in(line, _READERS)


def _building(value: object, key: str) -> Building:
    if isinstance(value, str):
        try:
            return building(value)
        except KeyError:
            pass
    told = quoted(value)
    raise BadRecordError(Text("{key!r} names no card of the game: {told}", key=key, told=told))


def _buildings(value: object, key: str) -> tuple[Building, ...]:
    if not isinstance(value, list):
        raise BadRecordError(Text("{key!r} must be a list of cards", key=key))
    return tuple([_building(item, key) for item in value])


def _by_seat(value: object, key: str) -> list[object]:
    """A list with an entry for each seat; how many there are, the position knows."""
    if not isinstance(value, list) or len(value) > MOST:
        raise BadRecordError(Text("{key!r} must be a list with one entry for each seat", key=key))
    return value


def _whole(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        told = quoted(value)
        raise BadRecordError(Text("{key!r} must be a whole number, not {told}", key=key, told=told))
    return value


def _pay(value: object, key: str) -> Pay:
    if not isinstance(value, dict) or not set(value) <= {"left", "right"}:
        raise BadRecordError(
            Text("{key!r} gives coins for 'left' and 'right', not {told}", key=key, told=quoted(value))
        )
    return Pay(*(_whole(value.get(side, 0), side) for side in ("left", "right")))


def _act(value: object) -> Act:
    if not isinstance(value, dict):
        raise BadRecordError(Text("an act must be an object, not {told}", told=quoted(value)))
    told = need(value, "do")
    if told not in list(Do):
        raise BadRecordError(Text("an act is 'build', 'stage' or 'discard', not {told}", told=quoted(told)))
    do = Do(told)
    if do is Do.DISCARD and "pay" in value:
        raise BadRecordError(Text("'pay' does not go with a discard"))
    if "free" in value:
        if do is not Do.BUILD:
            raise BadRecordError(Text("'free' does not go with a {do}", do=do))
        if value["free"] != OLYMPIA:
            free = quoted(value["free"])
            raise BadRecordError(Text("'free' is 'olympia', not {free}", free=free))
    if do is Do.BUILD:
        need(value, "card")
    return Act(do, optional_in(value, "card", _building), optional_in(value, "pay", _pay), "free" in value)


def _seat(line: Json) -> int:
    return seat_in(need(line, "seat"), "seat")


def _deal(line: Json) -> Move:
    age = whole_in(need(line, "age"), "age", AGES[0], AGES[-1])
    return Deal(age, optional_in(line, "hands", _hands))


def _hands(value: object, key: str) -> tuple[tuple[Building, ...], ...]:
    return tuple([_buildings(hand, key) for hand in _by_seat(value, key)])


def _round(line: Json) -> Move:
    return Round(tuple([_act(act) for act in _by_seat(need(line, "acts"), "acts")]))


def _seventh(line: Json) -> Move:
    return Seventh(_seat(line), _act(need(line, "act")))


def _from_discard(line: Json) -> Move:
    return FromDiscard(_seat(line), optional_in(line, "card", _building))


def _city(line: Json) -> Move:
    cards = _buildings(need(line, "cards"), "cards")
    return FinishedCity(_seat(line), cards, _whole(need(line, "stages"), "stages"))


def _tell(line: Json) -> Move:
    coins, tokens = _by_seat(need(line, "coins"), "coins"), _by_seat(need(line, "tokens"), "tokens")
    return Tell(tuple([_whole(told, "coins") for told in coins]), tuple(map(tokens_in, tokens)))


def tokens_in(value: object) -> Tokens:
    """The tokens that a record's list stands for.

    Raises:
        BadRecordError: it is none, or has more than a city can have.
    """
    if not isinstance(value, list) or len(value) != 4:
        cause = Text("'tokens' are three numbers of victories and one of defeats, not {told}", told=quoted(value))
        raise BadRecordError(cause)
    first, second, third = (whole_in(told, "tokens", 0, MOST_VICTORIES) for told in value[:3])
    return Tokens((first, second, third), whole_in(value[3], "tokens", 0, MOST_DEFEATS))


_READERS: dict[str, Callable[[Json], Move]] = {
    "deal": _deal,
    "round": _round,
    "seventh": _seventh,
    "from_discard": _from_discard,
    "city": _city,
    "tell": _tell,
}
