"""A page under the pencil: rectangles, lines, words, markers, the ruler and crop marks, all in millimetres.

Frame: a drawing's own origin lies somewhere on the page, x runs right and y down, as on the mat.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from device.artwork.markers import BORDER_MM, marker_bits
from device.speech import in_both
from printing.lettering import measure_width, write
from printing.paper_sizes import Size
from referee.layout import MARKER_MM
from rules.text import Text
from ui.fonts import Weight

Colour = tuple[float, float, float]
BLACK: Colour = (0.0, 0.0, 0.0)
GREY: Colour = (0.35, 0.35, 0.35)
WHITE: Colour = (1.0, 1.0, 1.0)
TRUE_SIZE = Text("print at 100 %")
_HAIR = 0.1
_MARK_MM = 5.0


@dataclass(frozen=True)
class PageDrawing:
    """A canvas with the size of its page and where on the page its own origin lies (mm, from the top left)."""

    canvas: Canvas
    page: Size
    origin: tuple[float, float] = (0.0, 0.0)

    def move_origin(self, x: float, y: float) -> PageDrawing:
        """Return the same page with the origin at a point of this drawing."""
        return replace(self, origin=(self.origin[0] + x, self.origin[1] + y))

    def _x(self, x: float) -> float:
        return float((self.origin[0] + x) * mm)

    def _y(self, y: float) -> float:
        return float((self.page[1] - self.origin[1] - y) * mm)

    @contextmanager
    def clip(self, width: float, height: float) -> Iterator[None]:
        """Draw only what lies in this rectangle at the origin."""
        self.canvas.saveState()
        path = self.canvas.beginPath()
        path.rect(self._x(0), self._y(height), width * mm, height * mm)
        self.canvas.clipPath(path, stroke=0, fill=0)
        yield
        self.canvas.restoreState()

    def fill(self, x: float, y: float, width: float, height: float, colour: Colour, radius: float = 0.0) -> None:
        """Draw a filled rectangle."""
        self.canvas.setFillColorRGB(*colour)
        self._draw_rect(x, y, width, height, radius, stroke=0, fill=1)

    def draw_outline(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        colour: Colour,
        line: float = 0.8,
        radius: float = 4.0,
        dashed: bool = False,
    ) -> None:
        """Draw the outline of a rectangle."""
        self._set_pen(colour, line, dashed)
        self._draw_rect(x, y, width, height, radius, stroke=1, fill=0)

    def _draw_rect(
        self, x: float, y: float, width: float, height: float, radius: float, stroke: int, fill: int
    ) -> None:
        box = (self._x(x), self._y(y + height), width * mm, height * mm)
        if radius:
            self.canvas.roundRect(*box, radius * mm, stroke=stroke, fill=fill)
        else:
            self.canvas.rect(*box, stroke=stroke, fill=fill)

    def _set_pen(self, colour: Colour, line: float, dashed: bool) -> None:
        self.canvas.setStrokeColorRGB(*colour)
        self.canvas.setLineWidth(line * mm)
        self.canvas.setDash(*((4, 3) if dashed else ()))

    def draw_place(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        """Draw where a card of that size lies: a round shape within it, which no reader takes for a card's corner."""
        inset = 0.1 * width
        w, h = width - 2 * inset, height - 2 * inset
        self.draw_outline(x + inset, y + inset, w, h, colour, 0.7, radius=min(w, h) / 2)

    def draw_line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: Colour = GREY,
        line: float = _HAIR,
        dashed: bool = False,
    ) -> None:
        """Draw a straight line."""
        self._set_pen(colour, line, dashed)
        self.canvas.line(self._x(start[0]), self._y(start[1]), self._x(end[0]), self._y(end[1]))

    def draw_image(self, reader: ImageReader, x: float, y: float, width: float, height: float) -> None:
        """Draw a picture in a rectangle."""
        self.canvas.drawImage(reader, self._x(x), self._y(y + height), width * mm, height * mm)

    def draw_words(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        colour: Colour = GREY,
        *,
        weight: Weight = Weight.REGULAR,
        centred: bool = False,
        turned: bool = False,
        widest: float = 1e9,
    ) -> None:
        """Draw a line of words with its left end (or its middle) at x and its middle at y; ``size`` is its em.

        It is made smaller where it would be wider than ``widest``; ``turned`` by 180 degrees about (x, y).
        """
        size *= min(1.0, widest / max(1e-6, measure_width(text, size, weight)))
        self.canvas.saveState()
        self.canvas.setFillColorRGB(*colour)
        self.canvas.translate(self._x(x), self._y(y))
        if turned:
            self.canvas.rotate(180)
        write(self.canvas, text, -measure_width(text, size, weight) / 2 if centred else 0.0, 0.0, size, weight)
        self.canvas.restoreState()

    def draw_marker(self, number: int, x: float, y: float) -> None:
        """Draw a marker whose black square has its top left corner at (x, y): one black square, white cells upon it."""
        border = MARKER_MM + 2 * BORDER_MM
        self.fill(x - BORDER_MM, y - BORDER_MM, border, border, WHITE)
        self.fill(x, y, MARKER_MM, MARKER_MM, BLACK)
        cell = MARKER_MM / 6
        for row, cells in enumerate(marker_bits(number)):
            for column, white in enumerate(cells):
                if white:
                    self.fill(x + column * cell, y + row * cell, cell, cell, WHITE)

    def draw_ruler(self, x: float, y: float, room: float) -> None:
        """Draw a line of exactly 100 mm (50 in less ``room``) at y with ticks above it, and what it is for."""
        length = 100 if room >= 165 else 50
        ink = (0.15, 0.15, 0.15)
        self.draw_line((x, y), (x + length, y), ink, 0.2)
        for n in range(length // 10 + 1):
            self.draw_line((x + 10 * n, y), (x + 10 * n, y - (2 if n % 5 else 3.5)), ink, 0.2)
        said = f"{length} mm　{in_both(TRUE_SIZE)}"
        self.draw_words(said, x + length + 4, y - 1.6, 3.6, widest=room - length - 4)

    def draw_crop_marks(self, x: float, y: float, width: float, height: float, away: float) -> None:
        """Draw marks at the corners of a rectangle that is to be cut out, from ``away`` outside of its edges."""
        for edge in (x, x + width):
            for start, end in ((y - away - _MARK_MM, y - away), (y + height + away, y + height + away + _MARK_MM)):
                self.draw_line((edge, start), (edge, end), BLACK)
        for edge in (y, y + height):
            for start, end in ((x - away - _MARK_MM, x - away), (x + width + away, x + width + away + _MARK_MM)):
                self.draw_line((start, edge), (end, edge), BLACK)


def new_page(
    canvas: Canvas, page: Size, trim: tuple[float, float, float, float] | None = None, bleed: float = 0.0
) -> PageDrawing:
    """Begin a page of that size (mm); ``trim`` is what is left of it when it is cut: x, y, width, height."""
    width, height = page
    canvas.setPageSize((width * mm, height * mm))
    for box, more in (("trim", 0.0), ("bleed", bleed)):
        if trim is None:
            canvas.setCropBox(None, box)
            continue
        x, y, w, h = trim
        edges = (x - more, height - y - h - more, x + w + more, height - y + more)
        canvas.setCropBox(tuple(edge * mm for edge in edges), box)
    return PageDrawing(canvas, page)
