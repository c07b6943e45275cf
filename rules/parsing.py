"""Reading the parts of a record's line, with one clear sentence for each that is missing or misspelt.

Every function raises ``BadRecordError``. Seats are numbered from 1.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any, TypeVar

from rules.cards import DECK, Card
from rules.text import SaidError, Text, in_context, join_with_and

Json = dict[str, Any]
_T = TypeVar("_T")

_MOST = len(DECK)
_MOST_SEATS = 999


class BadRecordError(SaidError, ValueError):
    """A line that is no JSON object, or lacks or misspells what its move needs.

    ``text`` names the cause, to follow a colon.
    """


class HeaderError(BadRecordError):
    """A record's header that makes the whole file useless: nothing in it can be judged."""


def quote_value(value: object) -> str:
    """Quote somebody's value in a sentence: as Python writes it, cut where it is long or deep."""
    return _QUOTED.repr(value)


_QUOTED = reprlib.Repr()
_QUOTED.maxlevel = 3
_QUOTED.maxstring = _QUOTED.maxother = 60
_QUOTED.maxlong = 40


def key_words(key: str) -> Text:
    """Quote a key or another word of a file as it stands in a sentence."""
    return in_context("key", "{key!r}", key=key)


def is_text(value: str) -> bool:
    """Tell whether a file can hold the string: JSON can spell half a surrogate pair, which none can."""
    return not any(0xD800 <= ord(letter) < 0xE000 for letter in value)


def report_lacking(key: str) -> BadRecordError:
    """Return the fault of a line that lacks what it needs."""
    return BadRecordError(Text("the line lacks {key!r}", key=key))


def need(line: Json, key: str) -> Any:
    """Return what the line has under that key."""
    if key not in line:
        raise report_lacking(key)
    return line[key]


def optional_in(line: Json, key: str, read: Callable[[object, str], _T]) -> _T | None:
    """Return what ``read`` makes of what the line has under that key, ``None`` where it lacks the key."""
    return read(line[key], key) if key in line else None


def unknown_move(line: Json) -> BadRecordError:
    """Return the fault of a line whose ``do`` is missing or is no move of the game."""
    if "do" not in line:
        return BadRecordError(Text("the line lacks 'do'"))
    quoted = quote_value(line["do"])
    return BadRecordError(Text("there is no move {told}", told=quoted))


def seat_in(value: object, key: str, most: int = _MOST_SEATS) -> int:
    """Read a seat's number."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise BadRecordError(Text("{key!r} is no seat: {told}", key=key, told=quote_value(value)))
    return value


def whole_in(value: object, key: str, least: int, most: int) -> int:
    """Read a whole number between two bounds, both included."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadRecordError(
            Text(
                "{key!r} must be a whole number from {least} to {most}, not {told}",
                key=key,
                least=least,
                most=most,
                told=quote_value(value),
            )
        )
    return value


def text_in(value: object, key: str) -> str:
    """Read a text."""
    if not isinstance(value, str) or not is_text(value):
        quoted = quote_value(value)
        raise BadRecordError(Text("{key!r} must be text: {told}", key=key, told=quoted))
    return value


def card_in(value: object, key: str) -> Card:
    """Read a SEVEN card."""
    try:
        if isinstance(value, str):
            return Card.parse(value)
    except ValueError:
        pass
    raise BadRecordError(Text("{key!r} names no SEVEN card: {told}", key=key, told=quote_value(value)))


def cards_in_list(value: object, key: str) -> tuple[Card, ...]:
    """Read a list of SEVEN cards, no longer than the deck."""
    if not isinstance(value, list):
        raise BadRecordError(Text("{key!r} must be a list of cards", key=key))
    at_most_the_deck(len(value), key)
    return tuple(card_in(item, key) for item in value)


def hands_in(value: object, key: str = "hands") -> tuple[tuple[Card, ...], ...]:
    """Read hands of SEVEN cards by seat."""
    if not isinstance(value, list):
        raise BadRecordError(Text("{key!r} must be a list of hands", key=key))
    at_most_the_deck(len(value), key)
    return tuple(cards_in_list(hand, key) for hand in value)


def at_most_the_deck(count: int, *keys: str) -> None:
    """Refuse more cards than the deck has before anything else is done with them."""
    if count > _MOST:
        names = join_with_and(map(key_words, keys))
        raise BadRecordError(Text("more cards in {keys} than the deck has ({most})", keys=names, most=_MOST))
