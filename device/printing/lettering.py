"""Words as outlines: drawn as filled shapes, so that a page needs no font and is sharp at any size.

The fonts hold PostScript outlines, which reportlab can't embed; fontTools takes the outlines out of them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from ui.fonts import Weight, font_file

_MIDDLE = 0.37
"""The middle of capitals and of kanji above the baseline, as a share of the em."""


class _Face:
    """One weight of the font."""

    def __init__(self, weight: Weight) -> None:
        font = TTFont(font_file(weight), lazy=True)
        self.em: int = font["head"].unitsPerEm
        self.glyphs: Any = font.getGlyphSet()
        self._names: dict[int, str] = font.getBestCmap()

    def glyph(self, char: str) -> Any:
        return self.glyphs[self._names.get(ord(char), ".notdef")]


@cache
def _face(weight: Weight) -> _Face:
    return _Face(weight)


class _PathPen(BasePen):
    """Adds a glyph's outline to a path of the page, at a place (points) and a scale."""

    def __init__(self, glyphs: Any, path: Any, scale: float) -> None:
        super().__init__(glyphs)
        self._path, self._scale, self.x, self.y = path, scale, 0.0, 0.0

    def _at(self, point: tuple[float, float]) -> tuple[float, float]:
        return self.x + point[0] * self._scale, self.y + point[1] * self._scale

    def _moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self._path.moveTo(*self._at(pt))

    def _lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self._path.lineTo(*self._at(pt))

    def _curveToOne(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._path.curveTo(*(number for point in points for number in self._at(point)))

    def _closePath(self) -> None:  # noqa: N802
        self._path.close()


def width_of(text: str, size: float, weight: Weight = Weight.REGULAR) -> float:
    """How wide a line of text is, in the unit of ``size``, its em."""
    face = _face(weight)
    return float(sum(face.glyph(char).width for char in text)) * size / face.em


def write(canvas: Canvas, text: str, x: float, y: float, size: float, weight: Weight = Weight.REGULAR) -> None:
    """Write a line in the canvas's fill colour: its left end at x, its middle at y, ``size`` its em; all in mm.

    The frame is the canvas's own, y up.
    """
    face = _face(weight)
    path = canvas.beginPath()
    pen = _PathPen(face.glyphs, path, size * mm / face.em)
    pen.x, pen.y = x * mm, (y - _MIDDLE * size) * mm
    for char in text:
        glyph = face.glyph(char)
        glyph.draw(pen)
        pen.x += glyph.width * size * mm / face.em
    # Outlines of letters overlap nowhere, their holes run the other way: the non-zero rule fills them right.
    canvas.drawPath(path, stroke=0, fill=1, fillMode=1)
