"""Cards to cut out: fronts on one page and their backs on the next, in register when a sheet is turned over.

Without bleed cards lie edge to edge, so that one cut parts two of them; with bleed each stands apart, its ground drawn
on past the cut, as print shops ask for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from device.errors import DeviceError
from device.speech import in_both
from printing.drawing import PageDrawing, new_page
from printing.paper_sizes import Size
from rules.text import Text

MOST_BLEED_MM = 5.0
_SIDE_MM, _TOP_MM, _FOOT_MM = 7.0, 7.0, 19.0
"""Kept free for marks, and at the foot for the ruler too."""
_AWAY_MM = 1.0
"""From the bleed to a crop mark."""


@dataclass(frozen=True)
class Grid:
    """How cards of a size (mm) lie on a page: so many across and down, a pitch apart, from the first one's corner."""

    columns: int
    rows: int
    card: Size
    bleed: float
    left: float
    top: float

    @property
    def pitch(self) -> Size:
        """From one card to the next."""
        return self.card[0] + 2 * self.bleed, self.card[1] + 2 * self.bleed

    @property
    def each(self) -> int:
        """Cards on a page."""
        return self.columns * self.rows

    def find_corner(self, place: int, turned: bool) -> tuple[float, float]:
        """Return the top left corner of a card's trim; on the ``turned`` page columns run from the right."""
        column, row = place % self.columns, place // self.columns
        column = self.columns - 1 - column if turned else column
        return self.left + column * self.pitch[0], self.top + row * self.pitch[1]


def fit_grid(page: Size, card: Size, bleed: float) -> Grid:
    """Fit as many cards as possible on a page beside their marks, in the middle of its width.

    Raises:
        DeviceError: not even one does.
    """
    width, height = (side + 2 * bleed for side in card)
    columns, rows = int((page[0] - 2 * _SIDE_MM) // width), int((page[1] - _TOP_MM - _FOOT_MM) // height)
    if columns < 1 or rows < 1:
        raise DeviceError(
            "A card of {card} mm does not fit on paper of {paper} mm.",
            card=f"{card[0]:g} × {card[1]:g}",
            paper=f"{page[0]:g} × {page[1]:g}",
        )
    spare = page[1] - _TOP_MM - _FOOT_MM - rows * height
    top = _TOP_MM + spare / 2
    return Grid(columns, rows, card, bleed, (page[0] - columns * width) / 2 + bleed, top + bleed)


def draw_cards(
    canvas: Canvas, grid: Grid, page: Size, fronts: Sequence[Image.Image], backs: Sequence[Image.Image]
) -> None:
    """Draw pages of fronts, each followed by the one of their backs, mirrored for a turn over the long edge."""
    readers: dict[int, ImageReader] = {}
    for first in range(0, len(fronts), grid.each):
        for turned, sides in ((False, fronts), (True, backs)):
            drawing = new_page(canvas, page)
            for place, image in enumerate(sides[first : first + grid.each]):
                if id(image) not in readers:
                    readers[id(image)] = ImageReader(_add_bleed(image, grid))
                x, y = grid.find_corner(place, turned)
                drawing.draw_image(readers[id(image)], x - grid.bleed, y - grid.bleed, *grid.pitch)
            for start, end in _list_marks(grid):
                drawing.draw_line(start, end)
            _draw_foot(drawing)
            canvas.showPage()


def _add_bleed(image: Image.Image, grid: Grid) -> Image.Image:
    """Return a face whose outermost points are drawn on past its edges."""
    if not grid.bleed:
        return image
    more = round(grid.bleed * image.width / grid.card[0])
    return Image.fromarray(np.pad(np.asarray(image), ((more, more), (more, more), (0, 0)), mode="edge"))


def _list_marks(grid: Grid) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Crop marks in the margins, two for each row and column: outside of every card's trim and bleed."""
    away, long = grid.bleed + _AWAY_MM, _SIDE_MM - _AWAY_MM - 2.0
    right = grid.left + grid.columns * grid.pitch[0] - 2 * grid.bleed
    bottom = grid.top + grid.rows * grid.pitch[1] - 2 * grid.bleed
    for column in range(grid.columns):
        for edge in (0.0, grid.card[0]):
            x = grid.left + column * grid.pitch[0] + edge
            yield (x, grid.top - away - long), (x, grid.top - away)
            yield (x, bottom + away), (x, bottom + away + long)
    for row in range(grid.rows):
        for edge in (0.0, grid.card[1]):
            y = grid.top + row * grid.pitch[1] + edge
            yield (grid.left - away - long, y), (grid.left - away, y)
            yield (right + away, y), (right + away + long, y)


def _draw_foot(drawing: PageDrawing) -> None:
    width, height = drawing.page
    drawing.draw_ruler(15, height - 5.0, width - 30)
    drawing.draw_words(in_both(Text("Print on both sides, flip on the long edge")), 15, height - 11.0, 3.2)
