"""What an entry of a game holds, checked: journals and recordings are files, and a file may hold anything.

Every function raises ``EntryError`` where the data is not what its kind of entry needs.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from typing import Any

from referee.game import Named
from referee.table import Unread
from rules.game import Options, Rules
from rules.parsing import BadRecordError
from rules.plain import is_plain, quote_value, shorten_line
from rules.text import Language, SaidError, Text

Json = Mapping[str, Any]

_MOST_CAUSE = 300
_MOST_POSITION = 200_000
"""Characters of a position's JSON. Those of whole games take less than 20,000."""
_FARTHEST_MM = 10_000.0
_MOST_NAME = 60


class EntryError(SaidError, ValueError):
    """An entry that is none, or can't follow here; ``text`` names the cause, to follow a colon."""

    def __init__(self, text: Text) -> None:
        super().__init__(_Cause("{cause}", cause=text))


class _Cause(Text):
    """A cause, cut where it is too long."""

    __slots__ = ()

    def said(self, language: Language) -> str:
        """Write the text in that language."""
        return shorten_line(super().said(language), _MOST_CAUSE)


def entry_parts(data: object) -> tuple[str, Json]:
    """Return an entry's kind and data, from the object that holds both."""
    if isinstance(data, dict):
        kind, held = data.get("kind"), data.get("data")
        if isinstance(kind, str) and isinstance(held, dict):
            return kind, held
    raise EntryError(Text("an entry has a 'kind' and its 'data'"))


def named_in(data: Json, names: Container[str]) -> Named:
    """Read a card that was named by hand; ``names`` are all that a card of the game may have."""
    name, place = data.get("name"), data.get("place")
    if not isinstance(name, str) or name not in names:
        raise EntryError(Text("there is no card {name}", name=quote_value(name)))
    if not isinstance(place, str) or not is_plain(place) or len(place) > _MOST_NAME:
        raise report_wrong("place")
    return Named(name, place, read_coordinate(data.get("x"), "x"), read_coordinate(data.get("y"), "y"))


def position_in(data: object, rules: Rules, players: Sequence[str], options: Options) -> Any:
    """Read the position that was set by hand in a game of these players."""
    if not isinstance(data, dict):
        raise report_wrong("agreed")
    saved = data.get("position")
    try:
        if saved is not None and len(json.dumps(saved)) <= _MOST_POSITION:
            return rules.read_correction(saved, players, options)
    except (BadRecordError, RecursionError, OverflowError) as error:
        raise report_wrong("position") from error
    raise report_wrong("position")


def read_part(data: Json, key: str, kind: type) -> Any:
    """Return a part of the data, of that type."""
    value = data.get(key)
    if not isinstance(value, kind):
        raise report_wrong(key)
    return value


def read_coordinate(value: Any, key: str) -> float:
    """Read where something lies on the mat, in mm along one side."""
    if type(value) not in (int, float) or not -_FARTHEST_MM <= value <= _FARTHEST_MM:
        raise report_wrong(key)
    return float(value)


def mark_json(mark: Unread) -> dict[str, Any]:
    """Return what is remembered of a card that could not be read; ``mark_in`` reads it again."""
    return {"x": mark.x, "y": mark.y, "cause": mark.cause, "candidates": [*mark.candidates]}


def mark_in(data: object, key: str) -> Unread:
    """Read a card that could not be read, from what ``mark_json`` gave."""
    if not isinstance(data, dict):
        raise report_wrong(key)
    cause, names = read_part(data, "cause", str), read_part(data, "candidates", list)
    if not all(isinstance(name, str) and is_plain(name) and len(name) <= _MOST_NAME for name in (cause, *names)):
        raise report_wrong(key)
    return Unread(read_coordinate(data.get("x"), "x"), read_coordinate(data.get("y"), "y"), 0.0, cause, tuple(names))


def number_in(text: str, key: str, most: int, least: int = 0) -> int:
    """Read a number that JSON has as an object's key."""
    if not text.isascii() or not text.isdigit() or len(text) > 2 or not least <= int(text) <= most:
        raise report_wrong(key)
    return int(text)


def report_wrong(key: str) -> EntryError:
    """Return the fault of a part that is missing or not of its kind."""
    return EntryError(Text("{key!r} is not what it should be", key=key))
