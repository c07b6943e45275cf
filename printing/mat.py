"""A mat as it is printed: markers, seats, zones and spots with their words, all from the game's layout."""

from __future__ import annotations

from device.artwork.markers import BORDER_MM
from device.speech import in_both, make_heading
from printing.drawing import Colour, PageDrawing
from printing.paper_sizes import Size
from printing.posters import Poster
from referee.layout import CARD_MM, MARKER_MM, TableLayout
from rules.text import Language, Text
from ui.fonts import Weight

GROUND: Colour = (0.20, 0.29, 0.25)
_ZONE: Colour = (0.225, 0.32, 0.275)
INK: Colour = (0.42, 0.54, 0.47)
"""Dark, so that white cards stand out; words and lines little lighter, so that nobody takes them for cards."""
_INSET_MM = 4.0
_SEAT_SIZE_MM, _ZONE_SIZE_MM, _SPOT_SIZE_MM = 11.0, 9.0, 7.0
_TURNED_ABOVE = 0.48
"""What lies above this share of the mat's height is read by those who sit at the top."""


def make_mat_poster(layout: TableLayout, title: Text) -> Poster:
    """Return the mat of a layout, its white borders outside of the markers included."""
    size = layout.mat_mm[0] + 2 * BORDER_MM, layout.mat_mm[1] + 2 * BORDER_MM
    return Poster(size, lambda drawing: _draw(drawing.move_origin(BORDER_MM, BORDER_MM), layout), title, GROUND)


def _draw(drawing: PageDrawing, layout: TableLayout) -> None:
    """Draw all of a mat but its ground; the origin is the outer corner of marker 0."""
    for seat in range(1, len(layout.seats) + 1):
        _draw_frame(drawing, layout.seat_rect(seat))
    for zone in layout.zones:
        x0, y0, x1, y1 = layout.zone_rect(zone)
        drawing.fill(x0, y0, x1 - x0, y1 - y0, _ZONE, radius=4.0)
        _draw_frame(drawing, (x0, y0, x1, y1))
    for seat in range(1, len(layout.seats) + 1):
        _name_seat(drawing, layout, seat)
    for zone in layout.zones:
        x0, y0, x1, y1 = layout.zone_rect(zone)
        # A zone of a player at the top is read by that player.
        turned = (y0 + y1) / 2 < _TURNED_ABOVE * layout.mat_mm[1]
        inset = _INSET_MM + 2 * _ZONE_SIZE_MM
        middle = ((x0 + x1) / 2, y1 - inset if turned else y0 + inset)
        _draw_two_lines(drawing, zone.title, middle, _ZONE_SIZE_MM, x1 - x0 - 16, turned)
    _draw_spots(drawing, layout)
    middle_x, middle_y = layout.mat_mm[0] / 2, layout.mat_mm[1] / 2
    if not any(abs(x - middle_x) < CARD_MM[0] / 2 and abs(y - middle_y) < CARD_MM[1] / 2 for x, y in layout.spots):
        draw_cross(drawing, middle_x, middle_y)
    far_x, far_y = layout.mat_mm[0] - MARKER_MM, layout.mat_mm[1] - MARKER_MM
    for number, (x, y) in enumerate(((0.0, 0.0), (far_x, 0.0), (far_x, far_y), (0.0, far_y))):
        drawing.draw_marker(number, x, y)


def draw_cross(drawing: PageDrawing, x: float, y: float) -> None:
    """Draw the cross in the mat's middle, by which a sheet is laid upon it."""
    drawing.draw_line((x - 4, y), (x + 4, y), INK, 0.4)
    drawing.draw_line((x, y - 4), (x, y + 4), INK, 0.4)


def _draw_frame(drawing: PageDrawing, box: tuple[float, float, float, float]) -> None:
    x0, y0, x1, y1 = box
    drawing.draw_outline(x0 + _INSET_MM, y0 + _INSET_MM, x1 - x0 - 2 * _INSET_MM, y1 - y0 - 2 * _INSET_MM, INK)


def _name_seat(drawing: PageDrawing, layout: TableLayout, seat: int) -> None:
    """Draw a seat's number along its player's edge of the table, for that player to read."""
    x0, y0, x1, y1 = layout.seat_rect(seat)
    down = layout.faces_down(seat)
    y = y0 + _INSET_MM + 12 if down else y1 - _INSET_MM - 12
    room = x1 - x0 - 2 * (MARKER_MM + BORDER_MM + _INSET_MM)
    said = in_both(Text("Seat {seat}", seat=seat))
    drawing.draw_words(
        said, (x0 + x1) / 2, y, _SEAT_SIZE_MM, INK, weight=Weight.BOLD, centred=True, turned=down, widest=room
    )


def _draw_spots(drawing: PageDrawing, layout: TableLayout) -> None:
    """Draw where cards and piles lie, and what; smaller where the mat is too small for them side by side."""
    share = _find_share(layout.spots)
    width, height = (side * share for side in CARD_MM)
    titles = layout.spot_titles
    for number, (x, y) in enumerate(layout.spots):
        box = (x - width / 2, y - height / 2, width, height)
        drawing.fill(*box, GROUND)
        drawing.draw_place(*box, INK)
        if number < len(titles):
            turned = y < _TURNED_ABOVE * layout.mat_mm[1]
            _draw_two_lines(drawing, titles[number], (x, y), _SPOT_SIZE_MM * share, 0.66 * width, turned)


def _find_share(spots: tuple[Size, ...]) -> float:
    """Return how large outlines may be, as a share of a card, so that no two meet."""
    gap = 2.0
    shares = [
        max(abs(x - other_x) / (CARD_MM[0] + gap), abs(y - other_y) / (CARD_MM[1] + gap))
        for number, (x, y) in enumerate(spots)
        for other_x, other_y in spots[:number]
    ]
    return min(1.0, *shares) if shares else 1.0


def _draw_two_lines(
    drawing: PageDrawing, title: Text, middle: tuple[float, float], size: float, widest: float, turned: bool
) -> None:
    """Draw a name in Japanese and below it in English."""
    x, y = middle
    for language, below in ((Language.JA, -0.7), (Language.EN, 0.7)):
        step = -below * size if turned else below * size
        words = make_heading(title, language)
        drawing.draw_words(words, x, y + step, size, INK, centred=True, turned=turned, widest=widest)
