"""Two outputs held against each other: equal, or the first difference in words."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Item = str | Sequence[Path] | Mapping[str, NDArray[Any]]
"""What is compared: a text, pictures in their order, or arrays by name."""
Harvest = Mapping[str, Item]
"""What a golden has of one checkout, by name."""

_SHOWN = 70


def first_difference(old: Item, new: Item) -> str | None:
    """Find where the newer item first differs from the older one; ``None`` where they are equal."""
    if isinstance(old, str) and isinstance(new, str):
        return _text_difference(old, new)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return _arrays_difference(old, new)
    if isinstance(old, (str, Mapping)) or isinstance(new, (str, Mapping)):
        return f"another kind of thing: {type(old).__name__} | {type(new).__name__}"
    return _pictures_difference(old, new)


def _text_difference(old: str, new: str) -> str | None:
    if old == new:
        return None
    before, after = old.splitlines(), new.splitlines()
    differing = [n for n, (a, b) in enumerate(zip_longest(before, after)) if a != b]
    if not differing:
        return "the ends of the lines differ"
    at = differing[0]
    more = f" ({len(differing) - 1} more lines)" if len(differing) > 1 else ""
    if at >= len(before):
        return f"line {at + 1} is new: {_shorten(after[at])}{more}"
    if at >= len(after):
        return f"line {at + 1} is gone: {_shorten(before[at])}{more}"
    return f"line {at + 1}: {_line_difference(before[at], after[at])}{more}"


def _line_difference(old: str, new: str) -> str:
    """Describe how one line differs from the other; of JSON objects, in which value."""
    try:
        a, b = json.loads(old), json.loads(new)
    except ValueError:
        return _cut_around(old, new)
    at, x, y = _value_difference(a, b, "")
    if not at:
        return _cut_around(old, new)
    return f"{at.lstrip('.')}: {_cut_around(_show_value(x), _show_value(y))}"


_ABSENT = object()


def _show_value(value: Any) -> str:
    return "nothing" if value is _ABSENT else json.dumps(value, ensure_ascii=False)


def _value_difference(a: Any, b: Any, at: str) -> tuple[str, Any, Any]:
    """Find the path of the first value that differs, and both values; an empty path where none does."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys([*a, *b]):
            if (x := a.get(key, _ABSENT)) != (y := b.get(key, _ABSENT)):
                return _value_difference(x, y, f"{at}.{key}")
        return "", a, b
    if isinstance(a, list) and isinstance(b, list):
        for n, (x, y) in enumerate(zip_longest(a, b, fillvalue=_ABSENT)):
            if x != y:
                return _value_difference(x, y, f"{at}[{n}]")
        return "", a, b
    return at, a, b


def _cut_around(old: str, new: str) -> str:
    """Cut both texts down to what lies round the first character that differs."""
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, same - _SHOWN // 2) if max(len(old), len(new)) > _SHOWN else 0
    return f"{_shorten(old[start:], start > 0)} | {_shorten(new[start:], start > 0)}"


def _shorten(text: str, cut: bool = False) -> str:
    return ("…" if cut else "") + (text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _pictures_difference(old: Sequence[Path], new: Sequence[Path]) -> str | None:
    found: list[str] = []
    for a, b in zip(old, new, strict=False):
        if (how := picture_difference(a, b)) is not None:
            found.append(f"{a.name}: {how}" if a.name == b.name else f"{a.name} | {b.name}: {how}")
    if len(old) != len(new):
        found.append(f"{len(old)} pictures | {len(new)}")
    if not found:
        return None
    return f"{found[0]} ({len(found) - 1} more)" if len(found) > 1 else found[0]


def picture_difference(old: Path, new: Path) -> str | None:
    """Describe how one picture differs from another, pixel by pixel; ``None`` where it doesn't."""
    if old.read_bytes() == new.read_bytes():
        return None
    a, b = (np.asarray(Image.open(path).convert("RGBA")) for path in (old, new))
    if a.shape != b.shape:
        return f"{a.shape[1]} × {a.shape[0]} px | {b.shape[1]} × {b.shape[0]} px"
    rows, columns = np.nonzero((a != b).any(axis=2))
    if not len(rows):
        return None
    box = f"x {columns.min()} to {columns.max()}, y {rows.min()} to {rows.max()}"
    y, x = rows[0], columns[0]
    return f"{len(rows)} px differ ({box}), first at {x},{y}: {_show_colour(a[y, x])} | {_show_colour(b[y, x])}"


def _show_colour(pixel: NDArray[Any]) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in pixel[:3])


def _arrays_difference(old: Mapping[str, NDArray[Any]], new: Mapping[str, NDArray[Any]]) -> str | None:
    for name in dict.fromkeys([*old, *new]):
        if name not in new:
            return f"{name} is gone"
        if name not in old:
            return f"{name} is new"
        a, b = old[name], new[name]
        if (a.shape, a.dtype) != (b.shape, b.dtype):
            return f"{name}: {a.dtype}{list(a.shape)} | {b.dtype}{list(b.shape)}"
        differs = a != b if a.dtype.kind not in "fc" else ~((a == b) | (np.isnan(a) & np.isnan(b)))
        if differs.any():
            at = tuple(int(axis[0]) for axis in np.nonzero(differs))
            where = ", ".join(map(str, at))
            return f"{name}[{where}]: {a[at]!s} | {b[at]!s} ({int(differs.sum())} of {a.size} numbers differ)"
    return None


def deck_numbers(file: Path) -> tuple[str, Mapping[str, NDArray[Any]]]:
    """Read what a deck's file holds (FORMATS.md leaves it to us): its first line without the checksum, and its arrays.

    The checksum is that of packed bytes; the numbers in them are compared one by one.
    """
    line, _, packed = file.read_bytes().partition(b"\n")
    head = {key: value for key, value in json.loads(line).items() if key != "sha256"}
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        return json.dumps(head), {name: arrays[name] for name in sorted(arrays.files)}


def pictures_of(folder: Path) -> tuple[Path, ...]:
    """List the pictures of a folder in the order of their names."""
    return tuple(sorted(path for path in folder.glob("*") if path.suffix in (".png", ".jpg")))


@dataclass(frozen=True)
class Found:
    """One item's outcome: where it differs first."""

    name: str
    difference: str | None


def compare_harvests(old: Harvest, new: Harvest) -> list[Found]:
    """Compare every item of both harvests."""
    return [Found(name, _describe_difference(old.get(name), new.get(name))) for name in dict.fromkeys([*old, *new])]


def _describe_difference(old: Item | None, new: Item | None) -> str | None:
    if old is None:
        return "it is new"
    if new is None:
        return "it is gone"
    return first_difference(old, new)
