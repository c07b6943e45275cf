"""PDFs at true size to cut out: markers, mats, the games' two-sided paper cards, and the reference deck.

Lengths are millimetres; a page's origin is its bottom left corner, as PDF has it. Print at 100 %, never "fit to page";
every sheet that is measured by the camera carries a ruler to check that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PIL import Image
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from device.errors import DeviceError
from device.files import replace_file
from device.printing.artwork import CARD_H, CARD_W, card_back, card_face, label, paper_face
from device.printing.markers import marker_bits
from referee.layout import MARKER_MM, REFERENCE_MAT_MM, Layout
from referee.registry import papers, referees
from rules.cards import DECK

A4_MM = (210.0, 297.0)
BORDER_MM = 10.0
"""White round a marker: TABLE.md asks for 8 mm at least, and scissors slip."""
PRINT_PX_PER_MM = 12.0
_PLACES = ("0  左上 top left", "1  右上 top right", "2  右下 bottom right", "3  左下 bottom left")
_TRUE_SIZE = "100%（実寸）で印刷 / print at 100 %"
_SAFE_MM = 10.0


def _label(canvas: Canvas, x: float, y: float, text: str, height: float, grey: int = 90) -> None:
    """Small print with its left end at x and its middle at y; drawn as a picture, so that no viewer lacks the font."""
    image = label(text, height, PRINT_PX_PER_MM, (grey, grey, grey))
    w, h = (side / PRINT_PX_PER_MM for side in image.size)
    canvas.drawImage(ImageReader(image), x * mm, (y - h / 2) * mm, w * mm, h * mm)


def _ruler(canvas: Canvas, x: float, y: float) -> None:
    """A line of exactly 100 mm with ticks."""
    canvas.setStrokeGray(0.2)
    canvas.setLineWidth(0.2 * mm)
    canvas.line(x * mm, y * mm, (x + 100) * mm, y * mm)
    for n in range(11):
        canvas.line((x + 10 * n) * mm, y * mm, (x + 10 * n) * mm, (y + (3 if n % 5 else 5)) * mm)
    _label(canvas, x + 103, y + 2, "100 mm", 4)


def _marker(canvas: Canvas, number: int, x: float, y: float) -> None:
    """A marker whose black square has its bottom left corner at (x, y): one black square, white cells upon it."""
    canvas.setFillGray(1)
    side = MARKER_MM + 2 * BORDER_MM
    canvas.rect((x - BORDER_MM) * mm, (y - BORDER_MM) * mm, side * mm, side * mm, stroke=0, fill=1)
    canvas.setFillGray(0)
    canvas.rect(x * mm, y * mm, MARKER_MM * mm, MARKER_MM * mm, stroke=0, fill=1)
    canvas.setFillGray(1)
    cell = MARKER_MM / 6
    for row, line in enumerate(marker_bits(number)):
        for column, white in enumerate(line):
            if white:
                left, bottom = x + column * cell, y + MARKER_MM - (row + 1) * cell
                canvas.rect(left * mm, bottom * mm, cell * mm, cell * mm, stroke=0, fill=1)


def _markers(canvas: Canvas) -> None:
    width, height = A4_MM
    canvas.setPageSize((width * mm, height * mm))
    pitch = MARKER_MM + 2 * BORDER_MM + 18
    for number in range(4):
        x = width / 2 + (number % 2 - 1) * pitch + (pitch - MARKER_MM) / 2
        y = height - 100 - (number // 2) * (pitch + 8)
        _marker(canvas, number, x, y)
        canvas.setStrokeGray(0.7)
        canvas.setLineWidth(0.1 * mm)
        canvas.setDash(4, 3)
        side = MARKER_MM + 2 * BORDER_MM
        canvas.rect((x - BORDER_MM) * mm, (y - BORDER_MM) * mm, side * mm, side * mm, stroke=1, fill=0)
        canvas.setDash()
        _label(canvas, x - BORDER_MM, y - BORDER_MM - 4, _PLACES[number], 5)
    _ruler(canvas, 20, 40)
    _label(canvas, 20, 30, _TRUE_SIZE, 5)
    _label(canvas, 20, 22, "破線で切り、黒い四角の外側の角がマットの角になるように、向きをそろえて置きます。", 4)
    _label(canvas, 20, 15, "Cut along the dashes; lay them upright, the black squares' outer corners are the mat's.", 4)
    canvas.showPage()


def _mat(canvas: Canvas, layout: Layout) -> None:
    """A mat with its markers, seats, zones and spots; dark, so that white cards stand out."""
    width, height = (side + 2 * BORDER_MM for side in layout.mat_mm)
    canvas.setPageSize((width * mm, height * mm))
    canvas.setFillColorRGB(0.20, 0.29, 0.25)
    canvas.rect(0, 0, width * mm, height * mm, stroke=0, fill=1)
    canvas.setStrokeColorRGB(0.33, 0.43, 0.38)
    canvas.setLineWidth(0.8 * mm)

    def outline(x0: float, y0: float, x1: float, y1: float) -> None:
        # The layout's y runs down from the mat's top edge, the page's up from its bottom edge.
        bottom = height - BORDER_MM - y1
        canvas.roundRect((x0 + BORDER_MM) * mm, bottom * mm, (x1 - x0) * mm, (y1 - y0) * mm, 4 * mm, stroke=1, fill=0)

    seats = (layout.seat_rect(seat) for seat in range(1, len(layout.seats) + 1))
    for x0, y0, x1, y1 in (*seats, *map(layout.zone_rect, layout.zones)):
        outline(x0 + 4, y0 + 4, x1 - 4, y1 - 4)
    for x, y in layout.spots:
        outline(x - CARD_W / 2, y - CARD_H / 2, x + CARD_W / 2, y + CARD_H / 2)
    far_x, far_y = layout.mat_mm[0] - MARKER_MM, layout.mat_mm[1] - MARKER_MM
    for number, (x, y) in enumerate(((0.0, 0.0), (far_x, 0.0), (far_x, far_y), (0.0, far_y))):
        _marker(canvas, number, x + BORDER_MM, height - BORDER_MM - y - MARKER_MM)
    canvas.showPage()


def _card_pages(canvas: Canvas, fronts: Sequence[Image.Image], backs: Sequence[Image.Image]) -> None:
    """Nine cards to an A4 page and their other sides on the next one, mirrored for a turn over the long edge."""
    width, height = A4_MM
    canvas.setPageSize((width * mm, height * mm))
    left, bottom = (width - 3 * CARD_W) / 2, (height - 3 * CARD_H) / 2
    readers: dict[int, ImageReader] = {}
    for first in range(0, len(fronts), 9):
        for turned, sides in ((False, fronts), (True, backs)):
            for place, image in enumerate(sides[first : first + 9]):
                column = 2 - place % 3 if turned else place % 3
                x, y = left + column * CARD_W, bottom + (2 - place // 3) * CARD_H
                reader = readers.setdefault(id(image), ImageReader(image))
                canvas.drawImage(reader, x * mm, y * mm, CARD_W * mm, CARD_H * mm)
            canvas.setStrokeGray(0.6)
            canvas.setLineWidth(0.1 * mm)
            for n in range(4):
                x, y = left + n * CARD_W, bottom + n * CARD_H
                canvas.line(x * mm, (bottom - 6) * mm, x * mm, (bottom - 1) * mm)
                canvas.line(x * mm, (height - bottom + 1) * mm, x * mm, (height - bottom + 6) * mm)
                canvas.line((left - 6) * mm, y * mm, (left - 1) * mm, y * mm)
                canvas.line((width - left + 1) * mm, y * mm, (width - left + 6) * mm, y * mm)
            _label(canvas, left, bottom - 9, _TRUE_SIZE, 3.5)
            canvas.showPage()


def _paper_sides() -> Iterator[tuple[Image.Image, Image.Image]]:
    for paper in papers().values():
        sides = paper_face(paper, False, PRINT_PX_PER_MM), paper_face(paper, True, PRINT_PX_PER_MM)
        for _ in range(paper.copies):
            yield sides


def _write(path: Path, draw: Callable[[Canvas], None], title: str) -> None:
    """Draw into a PDF beside ``path`` and put it in place when it is whole."""
    # Uncompressed page contents: anybody can check the lengths in them.
    with replace_file(path) as unfinished:
        canvas = Canvas(str(unfinished), pageCompression=0, invariant=1)
        canvas.setTitle(title)
        canvas.setAuthor("Sevenmat")
        draw(canvas)
        canvas.save()


def print_markers(path: Path) -> None:
    """The four markers, black squares of exactly 50 mm, on one A4 page."""
    _write(path, _markers, "Sevenmat markers")


def print_mat(
    path: Path, size_mm: tuple[float, float] = REFERENCE_MAT_MM, players: int = 4, game: str | None = None
) -> None:
    """A mat of that size with markers, and the game's seats, zones and spots; the first game's, where none is named.

    Raises:
        DeviceError: there is no such game, or it has no layout for that many players.
    """
    known = referees()
    game = next(iter(known)) if game is None else game
    if game not in known:
        names = ", ".join(known)
        raise DeviceError(
            f"There is no game {game!r}; there are {names}.",
            f"「{game}」というゲームはありません（あるのは {names}）。",
        )
    try:
        layout = known[game].layout(players, size_mm)
    except ValueError as error:
        raise DeviceError(f"There is {error}.", f"{players}人用の配置はありません。") from error
    _write(path, lambda canvas: _mat(canvas, layout), "Sevenmat mat")


def print_papers(path: Path) -> None:
    """The games' paper cards, under-review side and complete side back to back."""
    pairs = list(_paper_sides())
    _write(path, lambda canvas: _card_pages(canvas, [a for a, _ in pairs], [b for _, b in pairs]), "Sevenmat papers")


def print_deck(path: Path) -> None:
    """The reference deck of 49 SEVEN cards with their backs."""
    faces = [card_face(card, PRINT_PX_PER_MM) for card in DECK]
    back = card_back(PRINT_PX_PER_MM)
    _write(path, lambda canvas: _card_pages(canvas, faces, [back] * len(faces)), "Sevenmat reference deck")
