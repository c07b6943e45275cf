"""A move as a line of a record: written, read and put into words from the fields of its data class.

A field is a key of the line. What reads it is the function in its annotation, ``Annotated[int, seat_in]``, or that
of its type. A field whose default is ``None`` is left out of the line where it is ``None``; one with another default
may be left out of a line that is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from types import NoneType
from typing import Annotated, Any, ClassVar, get_args, get_type_hints

from rules.cards import Card
from rules.parsing import (
    BadRecordError,
    Json,
    card_in,
    cards_in_list,
    hands_in,
    report_lacking,
    seat_in,
    text_in,
    unknown_move,
)
from rules.text import Text

FieldReader = Callable[[Any, str], Any]
"""What makes a field of the value that a line has under a key; both are given. Raises ``BadRecordError``."""

Hands = tuple[tuple[Card, ...], ...]
"""Hands of SEVEN cards by seat."""
Seat = Annotated[int, seat_in]

_READERS: Mapping[Any, FieldReader] = {Card: card_in, tuple[Card, ...]: cards_in_list, Hands: hands_in, str: text_in}


class Line:
    """A move. Its data class says ``do``, the move's name in records, and the fields."""

    __slots__ = ()
    do: ClassVar[str]
    reads: ClassVar[str] = ""
    """How the move reads as text, the move in its slots, ``{0.card}``; where it is empty, as the values of its line."""

    def check(self) -> None:
        """Raise ``BadRecordError`` where the fields that were read do not go together."""

    def to_json(self) -> Json:
        """Return the move as a record line's object: its seat first, where it has one, then its name."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]
        line = {key: write_value(value) for key, value in values if value is not None}
        seat = {"seat": line.pop("seat")} if "seat" in line else {}
        return {**seat, "do": self.do, **line}

    def __str__(self) -> str:
        return self.reads.format(self) if self.reads else join_spaced(self.to_json().values())


@dataclass(frozen=True, slots=True)
class SeatLine(Line):
    """A move of one seat."""

    seat: Seat


def write_value(value: Any) -> Any:
    """Return a field's value as JSON-able data."""
    if isinstance(value, tuple):
        return [*map(write_value, value)]
    if isinstance(value, Mapping):
        return {str(key): write_value(part) for key, part in value.items()}
    if isinstance(value, (int, str)):
        return value
    return value.to_json() if hasattr(value, "to_json") else str(value)


def join_spaced(values: Iterable[Any]) -> str:
    """Write values, lists of them too, with spaces between."""
    return " ".join(join_spaced(value) if isinstance(value, (list, tuple)) else str(value) for value in values)


def make_reader(moves: Any) -> Callable[[object], Any]:
    """Make a reader of a line's object as one of these moves; it passes over keys that its move does not need.

    It raises ``BadRecordError`` where the object lacks or misspells what its move needs.
    """
    readers = {move.do: _make_reader(move) for move in get_args(moves) or (moves,)}

    def move_from_json(line: object) -> Any:
        if not isinstance(line, dict):
            raise BadRecordError(Text("the line is no JSON object"))
        do = line.get("do")
        if not isinstance(do, str) or do not in readers:
            raise unknown_move(line)
        return readers[do](line)

    return move_from_json


def _make_reader(move: Any) -> Callable[[Json], Any]:
    """Return the reader of a move's line: its own ``from_json``, or one that follows from its fields."""
    if hasattr(move, "from_json"):
        return move.from_json  # type: ignore[no-any-return]
    kinds = get_type_hints(move, include_extras=True)
    parts = [(field.name, _find_field_reader(kinds[field.name]), _make_default(field)) for field in fields(move)]
    checks = move.check is not Line.check

    def read(line: Json) -> Any:
        values = []
        for key, value_in, usual in parts:
            values.append(value_in(line[key], key) if key in line else usual(key))
        found = move(*values)
        if checks:
            found.check()
        return found

    return read


def _find_field_reader(kind: Any) -> FieldReader:
    """Return the reader of a field of that type."""
    if NoneType in get_args(kind):
        kind = next(one for one in get_args(kind) if one is not NoneType)
    metadata = getattr(kind, "__metadata__", None)
    return _READERS[kind] if metadata is None else metadata[0]


def _make_default(field: Field[Any]) -> Callable[[str], Any]:
    """Return a function that gives a field that a line lacks, from its key."""
    factory = field.default_factory
    if factory is not MISSING:
        return lambda _: factory()
    return _raise_lacking if field.default is MISSING else lambda _: field.default


def _raise_lacking(key: str) -> Any:
    raise report_lacking(key)
