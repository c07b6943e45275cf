"""Dataclasses as JSON and back, by their annotations: what one program writes, another one reads, older or newer.

A field is ``Annotated[kind, check]`` where not every value can be; a field with a default may be missing, and is left
out where it has that default, unless all fields are wanted. Readers pass over fields that they do not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from device.json_text import NoObjectError, read_object
from rules.plain import is_name, is_plain

MOST_BYTES = 1 << 20
"""Bytes of a payload: an event may hold a whole position set by hand, of some 10,000 letters."""
_MOST_LINES, _MOST_WORDS = 100, 2_000
_MOST_NUMBER = 10**6


class BadMessageError(ValueError):
    """A topic or a payload that can't be; the text says in English what is wrong with it, for a log."""


def _is_words(value: str) -> bool:
    return len(value) <= _MOST_WORDS and is_plain(value.replace("\n", " "))


def make_form_check(pattern: str) -> Callable[[str], bool]:
    """Return what tells whether a text is of that form, whole."""
    form = re.compile(pattern)
    return lambda value: form.fullmatch(value) is not None


Name = Annotated[str, is_name]
"""A player's name."""
Words = Annotated[str, _is_words]
"""Words for people, of one or several lines."""
Short = Annotated[str, lambda value: 0 < len(value) <= 40 and is_plain(value)]
"""A word that the program knows by itself: a language's code, a mood."""
Game = Annotated[str, make_form_check(r"[a-z][a-z0-9_]{0,39}")]
"""A game's name in records."""
Number = Annotated[int, lambda value: abs(value) <= _MOST_NUMBER]
Count = Annotated[int, lambda value: 0 <= value <= _MOST_NUMBER]
Mm = Annotated[float, lambda value: abs(value) <= _MOST_NUMBER]
"""A length, or a place on the mat."""

_M = TypeVar("_M")


def make_payload(message: Any) -> bytes:
    """Return a dataclass as a payload, without what says nothing."""
    return json.dumps(make_plain(message), ensure_ascii=False, separators=(",", ":")).encode()


def make_plain(value: Any, whole: bool = False) -> Any:
    """Return a dataclass as JSON-able data; the ``whole`` of it has the fields that say nothing, too."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds")
    if isinstance(value, tuple):
        return [make_plain(one, whole) for one in value]
    if is_dataclass(value):
        held = {one.name: (getattr(value, one.name), one.default) for one in fields(value)}
        return {name: make_plain(own, whole) for name, (own, default) in held.items() if whole or own != default}
    return value


def read_payload(kind: type[_M], payload: bytes) -> _M:
    """Read the dataclass that a payload holds.

    Raises:
        BadMessageError: it holds none that can be.
    """
    if len(payload) > MOST_BYTES:
        raise BadMessageError(f"longer than {MOST_BYTES} bytes")
    own: Any = kind  # mypy takes no class of slots for hashable
    try:
        found: _M = _make_reader(own)(read_object(payload.decode()))
    except UnicodeDecodeError as error:
        raise BadMessageError("no UTF-8 text") from error
    except NoObjectError as error:
        raise BadMessageError(str(error)) from error
    return found


@cache
def _make_reader(hint: Any) -> Callable[[Any], Any]:
    """Return what reads a value that is annotated so, and raises ``BadMessageError`` where it is another."""
    if get_origin(hint) is Annotated:
        kind, fits = get_args(hint)
        return _make_kind_reader(kind, fits)
    if get_origin(hint) is tuple:
        return _make_list_reader(_make_reader(get_args(hint)[0]))
    if isinstance(hint, UnionType) or NoneType in get_args(hint):
        inner = _make_reader(next(one for one in get_args(hint) if one is not NoneType))
        return lambda value: None if value is None else inner(value)
    if hint is datetime:
        return read_moment
    return _make_class_reader(hint) if is_dataclass(hint) else _make_kind_reader(hint, lambda _: True)


def _make_kind_reader(kind: type, fits: Callable[[Any], bool]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not kind or not fits(value):
            raise BadMessageError(repr(value)[:100])
        return value

    return read


def _make_list_reader(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > _MOST_LINES:
            raise BadMessageError("no list, or too long a one")
        return tuple(map(read, value))

    return read_all


def read_moment(value: Any) -> datetime:
    """Read the moment that a text names.

    Raises:
        BadMessageError: it names none.
    """
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None or not 1970 <= moment.year < 9000:
            raise ValueError
    except (TypeError, ValueError) as error:
        raise BadMessageError(f"no moment with its time zone: {value!r:.100}") from error
    return moment


def _make_class_reader(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind, include_extras=True)
    readers = {one.name: _make_reader(hints[one.name]) for one in fields(kind)}
    needed = {one.name for one in fields(kind) if one.default is MISSING}

    def read(value: Any) -> Any:
        if not isinstance(value, dict) or not needed <= value.keys():
            raise BadMessageError(f"not the fields {', '.join(readers)}")
        found = {}
        for name in readers.keys() & value.keys():
            reader = readers[name]
            try:
                found[name] = reader(value[name])
            except BadMessageError as error:
                raise BadMessageError(f"{name}: {error}") from error
        return kind(**found)

    return read
