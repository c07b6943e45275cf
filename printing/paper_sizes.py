"""Paper that printers take: by name or in millimetres."""

from __future__ import annotations

import re

from device.errors import DeviceError

Size = tuple[float, float]
"""Width and height in mm."""

A4: Size = (210.0, 297.0)
_NAMED: dict[str, Size] = {
    "A5": (148.0, 210.0),
    "A4": A4,
    "A3": (297.0, 420.0),
    "A2": (420.0, 594.0),
    "A1": (594.0, 841.0),
    "A0": (841.0, 1189.0),
    "Letter": (215.9, 279.4),
    "Legal": (215.9, 355.6),
    "Tabloid": (279.4, 431.8),
}
_MOST_MM = 5000.0


def parse_paper_size(text: str) -> Size:
    """Return the size of ``A4``, ``a3``, ``Letter`` or ``210x297``, upright.

    Raises:
        DeviceError: it is no paper, or smaller than A5: a page has a ruler and marks beside what is printed.
    """
    named = {name.lower(): size for name, size in _NAMED.items()}
    found = re.fullmatch(r"(\d{1,5}(?:\.\d+)?)[x×](\d{1,5}(?:\.\d+)?)", text)
    size = (float(found[1]), float(found[2])) if found else named.get(text.lower())
    if size is None or max(size) > _MOST_MM:
        names = ", ".join(_NAMED)
        raise DeviceError(
            "There is no paper {paper!r}: use {names}, or its size in mm such as 210x297, up to {most_mm:g}.",
            paper=text[:40],
            names=names,
            most_mm=_MOST_MM,
        )
    short, long = sorted(size)
    least_short, least_long = _NAMED["A5"]
    if short < least_short or long < least_long:
        raise DeviceError(
            "Paper of {short:g} × {long:g} mm is too small to print on: use A5 (148 × 210 mm) or larger.",
            short=short,
            long=long,
        )
    return short, long
