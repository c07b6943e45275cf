"""Cards laid openly in columns, as people show what they have taken."""

from __future__ import annotations

import random
from collections.abc import Sequence

from referee.layout import TableLayout
from referee.table import Sighting

STRIP_MM, COLUMN = 20.0, 7


def columns(
    names: Sequence[str],
    layout: TableLayout,
    seat: int,
    at: float,
    angle: float,
    rng: random.Random,
    pitch: float = 78.0,
) -> list[Sighting]:
    """Cards in columns of a few, from ``at`` mm right of the area's left edge on, turned as their player sees them."""
    x0, y0, _, y1 = layout.seat_rect(seat)
    away = layout.faces_down(seat)
    seen = []
    for number, name in enumerate(names):
        column, place = divmod(number, COLUMN)
        x = x0 + at + column * pitch + rng.uniform(-3, 3)
        down = 50.0 + STRIP_MM * place + rng.uniform(-3, 3)
        turn = angle + (180.0 if away else 0.0) + rng.uniform(-8, 8)
        seen.append(Sighting(name, x, y1 - down if away else y0 + down, turn % 360))
    return seen
