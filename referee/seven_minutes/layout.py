"""Where things lie in a game of Seven Minutes: the draw pile, the row that grows away from it, the dice tray.

Source: the game's page, "Table". Shares are of the mat; places of the row are so many mm apart, whatever the mat.
"""

from __future__ import annotations

from referee.layout import SEATS, Area, TableLayout, Zone
from rules.text import Text

DRAW, ROW, TRAY = "draw", "row", "tray"
MIDDLE = 0.50
DRAW_X = 0.06
FIRST_MM = 75.0
"""The row's first place is so far right of the draw pile."""
PITCH_MM = 69.0
"""From one place of the row to the next."""
STEP_MM = 20.0
"""From a card of a stack to the next one below it."""

_MOST_PLACES, _MOST_STACKED = 13, 7
_CLEAR_MM, _SHORT_MM = 36.0, 10.0
"""How far the last card's centre stays from the tray, and that of the highest stack from the areas."""
_DRAW_TO, _ROW_TO = 0.0915, 0.89
_BOTTOM, _TOP = (0.70, 1.0), (0.0, 0.30)

_ZONES = (
    Zone(DRAW, Area(0.0, _DRAW_TO, 0.30, 0.70), Text("the draw pile")),
    Zone(TRAY, Area(_ROW_TO, 1.0, 0.36, 0.64), Text("the dice tray"), dice=True, still_apart=True),
    Zone(ROW, Area(_DRAW_TO, _ROW_TO, 0.30, 0.70), Text("the row")),
)


def layout_of(players: int, mat_mm: tuple[float, float]) -> TableLayout:
    """Return the seats' areas with what each has taken, and the zones between them."""
    areas = (Area(one.x0, one.x1, *(_TOP if one.y0 < 0.25 else _BOTTOM)) for one in SEATS[players])
    return TableLayout(tuple(areas), mat_mm, _ZONES)


def row_spot(place: int, card: int, mat_mm: tuple[float, float]) -> tuple[float, float]:
    """Return the centre (mm) of a card of the row by its place and its number in the stack, both from 0.

    On a small mat they lie so close that the longest row ends before the tray, and the highest stack before the areas.
    """
    w, h = mat_mm
    first = DRAW_X * w + FIRST_MM
    pitch = min(PITCH_MM, (_ROW_TO * w - _CLEAR_MM - first) / (_MOST_PLACES - 1))
    step = min(STEP_MM, ((_BOTTOM[0] - MIDDLE) * h - _SHORT_MM) / (_MOST_STACKED - 1))
    return first + place * pitch, MIDDLE * h + card * step
