"""A position as JSON-able data and back, from the fields of its data class.

A field is a key, without the underscore of one that is nobody else's. What is kept of a value follows from the
annotation: a card is its name, an enumeration its value, a tuple a list, another data class an object by its fields,
and what is annotated with a ``Codec`` is kept as that says. All else stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from rules.cards import Card, cards_in, mask_of


class Codec(NamedTuple):
    """How a value is written and read; ``read`` may raise what ``read_correction`` of a game's rules catches."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    key: str = ""
    """Under which key, where the field's name is another."""


FOLLOWS = Codec(lambda _: None, lambda _: None)
"""What follows from other fields is not kept at all."""
Mask = Annotated[int, Codec(lambda mask: [*map(str, cards_in(mask))], lambda names: mask_of(map(Card.parse, names)))]
"""A set of SEVEN cards, kept as their names."""


def save_fields(value: Any) -> dict[str, Any]:
    """Return the fields of a data class's value as JSON-able data."""
    return {key: kept.write(getattr(value, name)) for name, key, kept in _list_parts(value.__class__)}


def read_fields(kind: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """Restore the fields of a value of that data class from what ``save_fields`` wrote.

    Raises:
        KeyError: one is missing.
        ValueError, TypeError: one is nothing that was written.
    """
    return {name: kept.read(data[key]) for name, key, kept in _list_parts(kind)}


@cache
def _list_parts(kind: Any) -> tuple[tuple[str, str, Codec], ...]:
    """Return the fields of a data class: name, key, and how each is kept."""
    hints = get_type_hints(kind, include_extras=True)
    found = {field.name: codec_of(hints[field.name]) for field in fields(kind)}
    return tuple((name, kept.key or name.lstrip("_"), kept) for name, kept in found.items() if kept is not FOLLOWS)


def codec_of(kind: Any) -> Codec:
    """Return how a value of that type is kept."""
    if hasattr(kind, "__metadata__"):
        return kind.__metadata__[0]  # type: ignore[no-any-return]
    args = get_args(kind)
    if NoneType in args:
        there = codec_of(next(one for one in args if one is not NoneType))
        write, read = (lambda value, do=do: None if value is None else do(value) for do in there[:2])
        return Codec(write, read)
    if get_origin(kind) is tuple and args[-1] is Ellipsis:
        one = codec_of(args[0])
        return Codec(lambda values: [*map(one.write, values)], lambda values: tuple(map(one.read, values)))
    if get_origin(kind) is tuple:
        writes, reads, _ = zip(*map(codec_of, args), strict=True)
        return Codec(lambda values: [*_apply_each(writes, values)], lambda values: (*_apply_each(reads, values),))
    if kind is Card:
        return Codec(str, Card.parse)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Codec(lambda value: value.value, kind)
    if is_dataclass(kind):
        return Codec(save_fields, lambda data: kind(**read_fields(kind, data)))  # type: ignore[operator]
    return Codec(_keep_value, _keep_value)


def _apply_each(do: tuple[Callable[[Any], Any], ...], values: Any) -> list[Any]:
    return [one(value) for one, value in zip(do, values, strict=True)]


def _keep_value(value: Any) -> Any:
    return value
