"""A player's name where there is little room: what fits six letters or three kanji, and is nobody else's."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

ROOM = 6
"""So many letters; a kanji or kana counts as two."""
_MARKS = " .・　-"


def short_names(names: Sequence[str], room: int = ROOM) -> tuple[str, ...]:
    """Short forms of names, different from each other wherever the names are.

    >>> short_names(("Hilbert", "Kovalevskaya", "Emmy Noether", "ラマヌジャン", "Ada"))
    ('Hilber', 'Kovale', 'Emmy', 'ラマヌ', 'Ada')
    >>> short_names(("Alexander", "Alexandra"))
    ('Alexer', 'Alexra')
    """
    return _shortened(tuple(names), room)


@lru_cache(maxsize=64)
def _shortened(names: tuple[str, ...], room: int) -> tuple[str, ...]:
    whole = {name for name in names if _width(name) <= room}
    ways = [[name] if name in whole else list(_ways(name, seat, room)) for seat, name in enumerate(names, 1)]
    chosen: list[str] = []
    for number, own in enumerate(ways):
        others = {
            way for n, theirs in enumerate(ways) if n != number and names[n] != names[number] for way in theirs[:2]
        }
        taken = others | whole | set(chosen)
        chosen.append(own[0] if len(own) == 1 else next((way for way in own if way not in taken), own[-1]))
    return tuple(chosen)


def _ways(name: str, seat: int, room: int) -> Iterator[str]:
    """Short forms, the best one first: the first word, the beginning, beginning and end, beginning and seat."""
    first = name
    for mark in _MARKS:
        first = first.partition(mark)[0]
    yield first if 2 <= _width(first) <= room else _cut(name, room)
    yield _cut(name, room)
    yield _cut(name, room - 2) + _cut(name[::-1], 2)[::-1]
    yield _cut(name, room - 1) + str(seat)


def _cut(name: str, room: int) -> str:
    kept = ""
    for letter in name:
        if _width(kept + letter) > room:
            break
        kept += letter
    return kept.rstrip(_MARKS)


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )
