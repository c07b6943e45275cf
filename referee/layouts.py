"""Where things lie on the mat: seats, piles and payment spots, as shares of its width and height.

Frame: millimetres on the mat, origin at the outer corner of marker 0 (top left in the picture), x right, y down.
Seats go clockwise as the camera sees them, seat 1 at the bottom (bottom left where the bottom is shared).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

SPOT_RADIUS_MM = 75.0
CARD_MM = (63.0, 88.0)
MARKER_MM = 50.0
REFERENCE_MAT_MM = (1189.0, 841.0)
_NO_FANS: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in shares of the mat, borders included."""

    x0: float
    x1: float
    y0: float
    y1: float


@dataclass(frozen=True, slots=True)
class Layout:
    """A table layout for one number of players; data only, so a house layout is another value of this class.

    ``spot_at(x, y)`` answers in the words ``draw``, ``discard``, ``payment:SEAT`` or ``seat:SEAT``;
    ``None`` where a card lies nowhere in particular.
    """

    seats: tuple[Area, ...]
    payments: tuple[tuple[float, float], ...]
    mat_mm: tuple[float, float] = REFERENCE_MAT_MM

    @property
    def draw(self) -> tuple[float, float]:
        """Centre of the draw pile in mm."""
        w, h = self.mat_mm
        return (w / 2 - 40.0, h / 2) if w < 1000 else (0.46 * w, 0.5 * h)

    @property
    def discard(self) -> tuple[float, float]:
        """Centre of the discard pile in mm."""
        w, h = self.mat_mm
        return (w / 2 + 40.0, h / 2) if w < 1000 else (0.54 * w, 0.5 * h)

    def payment(self, seat: int) -> tuple[float, float]:
        """Centre of a seat's payment spot in mm; seats are numbered from 1."""
        x, y = self.payments[seat - 1]
        return x * self.mat_mm[0], y * self.mat_mm[1]

    def seat_rect(self, seat: int) -> tuple[float, float, float, float]:
        """A seat's area as x0, y0, x1, y1 in mm."""
        a = self.seats[seat - 1]
        w, h = self.mat_mm
        return a.x0 * w, a.y0 * h, a.x1 * w, a.y1 * h

    def faces_down(self, seat: int) -> bool:
        """True for a seat at the top of the picture, whose cards lie turned by 180 degrees."""
        return self.seats[seat - 1].y0 < 0.25

    def spot_at(self, x: float, y: float, fans: Mapping[int, int] = _NO_FANS) -> str | None:
        """Name the place of a card whose centre lies at (x, y) mm; the nearest spot within 75 mm wins over a seat.

        ``fans`` counts the cards on payment spots, by seat: what else lies where such a fan goes on belongs to it.
        """
        spots = [("draw", self.draw), ("discard", self.discard)]
        spots += [(f"payment:{s}", self.payment(s)) for s in range(1, len(self.seats) + 1)]
        name, (sx, sy) = min(spots, key=lambda spot: math.hypot(spot[1][0] - x, spot[1][1] - y))
        if math.hypot(sx - x, sy - y) <= SPOT_RADIUS_MM:
            return name
        for seat in range(1, len(self.seats) + 1):
            x0, y0, x1, y1 = self.seat_rect(seat)
            if x0 <= x <= x1 and y0 <= y <= y1:
                return f"seat:{seat}"
        return self._fan_at(x, y, fans)

    def _fan_at(self, x: float, y: float, fans: Mapping[int, int]) -> str | None:
        """The payment spot whose fan reaches to (x, y) mm: sideways, by a card's width for each card counted there."""
        near = []
        for seat, count in fans.items():
            sx, sy = self.payment(seat)
            if count and abs(y - sy) <= CARD_MM[1] / 2 and abs(x - sx) <= SPOT_RADIUS_MM + count * CARD_MM[0]:
                near.append((abs(x - sx), f"payment:{seat}"))
        return min(near)[1] if near else None


_BOTTOM, _TOP = (0.62, 1.0), (0.0, 0.38)
_THIRD = 1 / 3

LAYOUTS: dict[int, Layout] = {
    2: Layout((Area(0, 1, *_BOTTOM), Area(0, 1, *_TOP)), ((0.30, 0.56), (0.70, 0.44))),
    3: Layout(
        (Area(0, 1, *_BOTTOM), Area(0, 0.5, *_TOP), Area(0.5, 1, *_TOP)),
        ((0.30, 0.56), (0.20, 0.44), (0.80, 0.44)),
    ),
    4: Layout(
        (Area(0, 0.5, *_BOTTOM), Area(0, 0.5, *_TOP), Area(0.5, 1, *_TOP), Area(0.5, 1, *_BOTTOM)),
        ((0.24, 0.56), (0.24, 0.44), (0.76, 0.44), (0.76, 0.56)),
    ),
    5: Layout(
        (
            Area(0, 0.5, *_BOTTOM),
            Area(0, _THIRD, *_TOP),
            Area(_THIRD, 2 * _THIRD, *_TOP),
            Area(2 * _THIRD, 1, *_TOP),
            Area(0.5, 1, *_BOTTOM),
        ),
        ((0.24, 0.56), (0.16, 0.44), (0.36, 0.44), (0.84, 0.44), (0.76, 0.56)),
    ),
}


def layout_for(seats: int, mat_mm: tuple[float, float] = REFERENCE_MAT_MM) -> Layout:
    """The standard layout for that many seats on a mat of that size (mm).

    Raises:
        ValueError: there is no standard layout for that many seats.
    """
    if seats not in LAYOUTS:
        raise ValueError(f"no layout for {seats} players; there are layouts for {', '.join(map(str, LAYOUTS))}")
    plain = LAYOUTS[seats]
    return Layout(plain.seats, plain.payments, mat_mm)
