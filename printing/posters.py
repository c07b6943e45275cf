"""Large sheets: as one page for a print shop, or as tiles on paper that any printer takes, to be joined.

A tile repeats a strip of the ones right of it and below it. The left and the top edge of a tile are cut off and laid
upon its neighbours' strips, where a line shows how far; short strokes across the joins show how high.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from device.speech import in_both
from printing.drawing import BLACK, GREY, Colour, PageDrawing, new_page
from printing.paper_sizes import Size
from rules.text import Language, Text
from ui.fonts import Weight

OVERLAP_MM = 10.0
_SLUG_MM = 22.0
"""Round a sheet's trim: room for the bleed, the marks, the ruler and the words."""
_SIDE_MM, _FOOT_MM = 10.0, 20.0
"""Round a tile, and below it, where the ruler is."""
_TICK_MM = 3.0
_JOIN: Colour = (0.62, 0.62, 0.62)


@dataclass(frozen=True)
class Poster:
    """A large sheet: its size once it is cut (mm), what is drawn on it (origin: its top left corner), its name.

    ``ground`` is its colour, which goes on past the cut.
    """

    size: Size
    draw: Callable[[PageDrawing], None]
    title: Text
    ground: Colour


@dataclass(frozen=True)
class Tile:
    """A part of a poster: row and column from 0, the corner (mm) and the size of what it shows."""

    row: int
    column: int
    x: float
    y: float
    size: Size

    @property
    def name(self) -> str:
        """Row and column as people count them: ``2-3``."""
        return f"{self.row + 1}-{self.column + 1}"


@dataclass(frozen=True)
class Tiling:
    """How a poster is cut into tiles on paper of a size (mm), upright or not, that overlap by so much."""

    page: Size
    overlap: float
    rows: int
    columns: int
    tiles: tuple[Tile, ...]


def plan_tiles(poster: Size, paper: Size, overlap: float = OVERLAP_MM) -> Tiling:
    """Plan as few tiles as will do, all of one size, on paper that is turned where that saves some."""
    ways = [_plan(poster, page, overlap) for page in (paper, paper[::-1])]
    return min(ways, key=lambda way: len(way.tiles))


def _plan(poster: Size, page: Size, overlap: float) -> Tiling:
    room = page[0] - 2 * _SIDE_MM, page[1] - _SIDE_MM - _FOOT_MM
    columns, rows = (
        max(1, math.ceil((side - overlap) / (most - overlap))) for side, most in zip(poster, room, strict=True)
    )
    width, height = (
        (side + (count - 1) * overlap) / count for side, count in zip(poster, (columns, rows), strict=True)
    )
    tiles = tuple(
        Tile(row, column, column * (width - overlap), row * (height - overlap), (width, height))
        for row in range(rows)
        for column in range(columns)
    )
    return Tiling(page, overlap, rows, columns, tiles)


def draw_sheet(canvas: Canvas, poster: Poster, bleed: float) -> None:
    """Draw the poster as one page, with bleed and crop marks round it."""
    width, height = poster.size
    page = width + 2 * _SLUG_MM, height + 2 * _SLUG_MM
    whole = new_page(canvas, page, (_SLUG_MM, _SLUG_MM, width, height), bleed)
    sheet = whole.move_origin(_SLUG_MM, _SLUG_MM)
    sheet.fill(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, poster.ground)
    poster.draw(sheet)
    sheet.draw_crop_marks(0, 0, width, height, bleed + 1)
    whole.draw_ruler(_SLUG_MM + 10, page[1] - 5, page[0] - 2 * _SLUG_MM - 20)
    _draw_caption(whole, in_both(poster.title), _SLUG_MM + 10, 7)
    canvas.showPage()


def draw_tiles(canvas: Canvas, poster: Poster, plan: Tiling) -> None:
    """Draw a page that says how the tiles are joined, then a page for each tile, row by row."""
    _draw_overview(canvas, poster, plan)
    for tile in plan.tiles:
        _draw_tile(canvas, poster, plan, tile)


def _draw_caption(drawing: PageDrawing, words: str, x: float, y: float) -> None:
    drawing.draw_words(words, x, y, 4.0, widest=drawing.page[0] - 2 * x)


def _draw_tile(canvas: Canvas, poster: Poster, plan: Tiling, tile: Tile) -> None:
    page = new_page(canvas, plan.page)
    width, height = tile.size
    inner = page.move_origin((plan.page[0] - width) / 2, _SIDE_MM)
    with inner.clip(width, height):
        inner.fill(0, 0, width, height, poster.ground)
        poster.draw(inner.move_origin(-tile.x, -tile.y))
        _draw_join_lines(inner, plan, tile)
    for x in (0.0, width):
        inner.draw_line((x, -7), (x, -1), BLACK)
        inner.draw_line((x, height + 1), (x, height + 7), BLACK)
    for y in (0.0, height):
        inner.draw_line((-7, y), (-1, y), BLACK)
        inner.draw_line((width + 1, y), (width + 7, y), BLACK)
    foot = plan.page[1] - 5
    page.draw_ruler(12, foot, plan.page[0] - 24)
    page.draw_words(tile.name, 12, foot - 7.5, 5.0, BLACK, weight=Weight.BOLD)
    place = in_both(Text("row {row}, column {column}", row=tile.row + 1, column=tile.column + 1))
    page.draw_words(f"{place}　{poster.title}", 28, foot - 7.5, 3.6, widest=plan.page[0] - 44)
    canvas.showPage()


def _draw_join_lines(inner: PageDrawing, plan: Tiling, tile: Tile) -> None:
    """Draw where the neighbours' edges come to lie, and strokes across them that are drawn on both."""
    width, height = tile.size
    right, below = tile.column + 1 < plan.columns, tile.row + 1 < plan.rows
    across = [x for x, there in ((0.0, tile.column > 0), (width - plan.overlap, right)) if there]
    down = [y for y, there in ((0.0, tile.row > 0), (height - plan.overlap, below)) if there]
    for x in across:
        for share in (0.25, 0.5, 0.75):
            inner.draw_line((x - _TICK_MM, share * height), (x + _TICK_MM, share * height), _JOIN)
    for y in down:
        for share in (0.25, 0.5, 0.75):
            inner.draw_line((share * width, y - _TICK_MM), (share * width, y + _TICK_MM), _JOIN)
    if right:
        inner.draw_line((width - plan.overlap, 0), (width - plan.overlap, height), _JOIN)
    if below:
        inner.draw_line((0, height - plan.overlap), (width, height - plan.overlap), _JOIN)


_HOW = (
    Text("Print at 100 %, never 'fit to page'; measure the ruler on a page."),
    Text(
        "Cut each tile along the marks: its left and top edge; in the last column its right, in the last row "
        "its bottom edge."
    ),
    Text("Lay each tile on the strip of the one left of it and above it, up to the grey line; the short strokes meet."),
)


def _draw_overview(canvas: Canvas, poster: Poster, plan: Tiling) -> None:
    """Draw how many tiles there are, where each lies, and how they are joined."""
    page = new_page(canvas, plan.page)
    room_x, room_y = plan.page[0] - 30, plan.page[1] - 100
    scale = min(room_x / poster.size[0], room_y / poster.size[1])
    page.draw_words(poster.title.said(Language.JA), 15, 15, 6.0, BLACK, weight=Weight.BOLD, widest=room_x)
    page.draw_words(poster.title.said(Language.EN), 15, 23, 5.0, BLACK, widest=room_x)
    for number, words in enumerate(_HOW):
        page.draw_words(f"{number + 1}. {words.said(Language.JA)}", 15, 33 + 12 * number, 3.8, BLACK, widest=room_x)
        page.draw_words(words.said(Language.EN), 19.5, 38 + 12 * number, 3.4, GREY, widest=room_x - 4.5)
    map_of = page.move_origin(15, 72)
    map_of.fill(0, 0, poster.size[0] * scale, poster.size[1] * scale, (0.93, 0.93, 0.93))
    for tile in plan.tiles:
        x, y, width, height = (scale * side for side in (tile.x, tile.y, *tile.size))
        map_of.draw_outline(x, y, width, height, GREY, 0.2, radius=0)
        map_of.draw_words(tile.name, x + width / 2, y + height / 2, min(8.0, 0.3 * height), BLACK, centred=True)
    page.draw_ruler(12, plan.page[1] - 5, plan.page[0] - 24)
    canvas.showPage()
