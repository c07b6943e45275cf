"""Words as outlines: drawn as filled shapes, so that a page needs no font and is sharp at any size.

The fonts hold PostScript outlines, which reportlab can't embed; fontTools takes the outlines out of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from ui.fonts import Weight, font_file

_MIDDLE = 0.37
"""The middle of capitals and of kanji above the baseline, as a share of the em."""


_Outline = Sequence[tuple[str, tuple[tuple[float, float], ...]]]
"""What a pen does, one step after the other, with the points of each."""
_STEPS = {"moveTo": "moveTo", "lineTo": "lineTo", "curveTo": "curveTo", "closePath": "close"}
"""The steps of PostScript outlines, and a page's."""


class _Face:
    """One weight of the font."""

    def __init__(self, weight: Weight) -> None:
        font = TTFont(font_file(weight), lazy=True)
        self.em: int = font["head"].unitsPerEm
        self.glyphs: Any = font.getGlyphSet()
        self._names: dict[int, str] = font.getBestCmap()
        self._drawn: dict[str, tuple[float, _Outline]] = {}

    def outline_letter(self, char: str) -> tuple[float, _Outline]:
        """Return a letter's width and its outline, in units of the font."""
        if char not in self._drawn:
            glyph, pen = self.glyphs[self._names.get(ord(char), ".notdef")], RecordingPen()
            glyph.draw(pen)
            self._drawn[char] = float(glyph.width), pen.value
        return self._drawn[char]


@cache
def _load_face(weight: Weight) -> _Face:
    return _Face(weight)


def measure_width(text: str, size: float, weight: Weight = Weight.REGULAR) -> float:
    """Return how wide a line of text is, in the unit of ``size``, its em."""
    face = _load_face(weight)
    return float(sum(face.outline_letter(char)[0] for char in text)) * size / face.em


def write(canvas: Canvas, text: str, x: float, y: float, size: float, weight: Weight = Weight.REGULAR) -> None:
    """Write a line in the canvas's fill colour: its left end at x, its middle at y, ``size`` its em; all in mm.

    The frame is the canvas's own, y up.
    """
    face = _load_face(weight)
    path = canvas.beginPath()
    scale, left, base = size * mm / face.em, x * mm, (y - _MIDDLE * size) * mm
    for char in text:
        width, outline = face.outline_letter(char)
        for step, points in outline:
            placed = [(left + scale * px, base + scale * py) for px, py in points]
            getattr(path, _STEPS[step])(*(number for point in placed for number in point))
        left += scale * width
    # Outlines of letters overlap nowhere, their holes run the other way: the non-zero rule fills them right.
    canvas.drawPath(path, stroke=0, fill=1, fillMode=1)
