"""A player's name where there is little room: what fits six letters or three kanji, and is nobody else's.

What is cut ends with "…", or has it in its middle.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

ROOM = 6
"""This many letters; a kanji or kana counts as two."""
_MARKS = " .・　-"
_NUMBERED = re.compile(r"(\D+?)[ 　]*(\d+)")
_WIDE = 2
CUT = "…"
"""Stands for what is left out of a name; it is as wide as a kanji."""


def short_names(names: Sequence[str], room: int = ROOM) -> tuple[str, ...]:
    """Return short forms of names, different from each other wherever the names are.

    >>> short_names(("Hilbert", "Kovalevskaya", "Emmy Noether", "ラマヌジャン", "Ada"))
    ('Hilb…', 'Kova…', 'Emmy', 'ラマ…', 'Ada')
    >>> short_names(("Alexander", "Alexandra", "Player 1", "プレイヤー2"))
    ('Al…er', 'Al…ra', 'P1', '2番')
    """
    return _shorten(tuple(names), room)


@lru_cache(maxsize=64)
def _shorten(names: tuple[str, ...], room: int) -> tuple[str, ...]:
    whole = {name for name in names if _measure_width(name) <= room}
    ways = [
        [name] if name in whole else list(_list_short_forms(name, seat, room)) for seat, name in enumerate(names, 1)
    ]
    chosen: list[str] = []
    for number, own in enumerate(ways):
        others = {
            way for n, theirs in enumerate(ways) if n != number and names[n] != names[number] for way in theirs[:2]
        }
        taken = others | whole | set(chosen)
        chosen.append(own[0] if len(own) == 1 else next((way for way in own if way not in taken), own[-1]))
    return tuple(chosen)


def _list_short_forms(name: str, seat: int, room: int) -> Iterator[str]:
    """List short forms, the best one first: a number, the first word, the beginning, both ends, beginning and seat."""
    if (numbered := _NUMBERED.fullmatch(name)) is not None:
        word, number = numbered.groups()
        yield f"{number}番" if _measure_width(word[0]) == _WIDE else word[0].upper() + number
    first = name
    for mark in _MARKS:
        first = first.partition(mark)[0]
    if _WIDE <= _measure_width(first) <= room:
        yield first
    for end in ("", name[-2:].lstrip(_MARKS), str(seat)):
        yield _cut(name, max(1, room - _WIDE - _measure_width(end))) + CUT + end


def _cut(name: str, room: int) -> str:
    kept = ""
    for letter in name:
        if _measure_width(kept + letter) > room:
            break
        kept += letter
    return kept.rstrip(_MARKS)


def _measure_width(text: str) -> int:
    return sum(
        0
        if unicodedata.combining(letter)
        else _WIDE
        if unicodedata.east_asian_width(letter) in "WF" or letter == CUT
        else 1
        for letter in text
    )
