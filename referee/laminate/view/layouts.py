"""Where things lie on the mat in Laminate Rummy: piles and payment spots beside the seats.

Frame: millimetres on the mat, as in ``referee.layout``. Source: TABLE.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from referee.layout import CARD_MM, REFERENCE_MAT_MM, SEATS
from referee.layout import TableLayout as AnyLayout
from rules.text import Text

SPOT_RADIUS_MM = 75.0
_DRAW, _DISCARD = Text("Draw pile"), Text("Discard pile")
_NO_FANS: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PaperLayout(AnyLayout):
    """A table layout for one number of players; data only, so a house layout is another value of this class.

    ``spot_at(x, y)`` answers in the words ``draw``, ``discard``, ``payment:SEAT`` or ``seat:SEAT``;
    ``None`` where a card lies nowhere in particular.
    """

    payments: tuple[tuple[float, float], ...] = ()
    """The payment spots' centres by seat, in shares of the mat."""

    @property
    def spots(self) -> tuple[tuple[float, float], ...]:
        """The piles and the payment spots."""
        return (self.draw, self.discard, *(self.locate_payment(seat) for seat in range(1, len(self.seats) + 1)))

    @property
    def spot_titles(self) -> tuple[Text, ...]:
        """The piles, and whom a payment spot thanks."""
        seats = range(1, len(self.seats) + 1)
        return (_DRAW, _DISCARD, *(Text("Thanks to seat {seat}", seat=seat) for seat in seats))

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

    def locate_payment(self, seat: int) -> tuple[float, float]:
        """Return the centre of a seat's payment spot in mm; seats are numbered from 1."""
        x, y = self.payments[seat - 1]
        return x * self.mat_mm[0], y * self.mat_mm[1]

    def spot_at(self, x: float, y: float, fans: Mapping[int, int] = _NO_FANS) -> str | None:
        """Name the place of a card whose centre lies at (x, y) mm; the nearest spot within 75 mm wins over a seat.

        ``fans`` counts the cards on payment spots, by seat: what else lies where such a fan goes on belongs to it.
        """
        spots = [("draw", self.draw), ("discard", self.discard)]
        spots += [(f"payment:{s}", self.locate_payment(s)) for s in range(1, len(self.seats) + 1)]
        name, (sx, sy) = min(spots, key=lambda spot: math.hypot(spot[1][0] - x, spot[1][1] - y))
        if math.hypot(sx - x, sy - y) <= SPOT_RADIUS_MM:
            return name
        for seat in range(1, len(self.seats) + 1):
            x0, y0, x1, y1 = self.seat_rect(seat)
            if x0 <= x <= x1 and y0 <= y <= y1:
                return f"seat:{seat}"
        return self._fan_at(x, y, fans)

    def _fan_at(self, x: float, y: float, fans: Mapping[int, int]) -> str | None:
        """Return the payment spot whose fan reaches to (x, y) mm:
        sideways, by a card's width for each card counted there.
        """
        near = []
        for seat, count in fans.items():
            sx, sy = self.locate_payment(seat)
            if count and abs(y - sy) <= CARD_MM[1] / 2 and abs(x - sx) <= SPOT_RADIUS_MM + count * CARD_MM[0]:
                near.append((abs(x - sx), f"payment:{seat}"))
        return min(near)[1] if near else None


_PAYMENTS: Mapping[int, tuple[tuple[float, float], ...]] = {
    2: ((0.30, 0.56), (0.70, 0.44)),
    3: ((0.30, 0.56), (0.20, 0.44), (0.80, 0.44)),
    4: ((0.24, 0.56), (0.24, 0.44), (0.76, 0.44), (0.76, 0.56)),
    5: ((0.24, 0.56), (0.16, 0.44), (0.36, 0.44), (0.84, 0.44), (0.76, 0.56)),
}

LAYOUTS: dict[int, PaperLayout] = {
    seats: PaperLayout(SEATS[seats], payments=spots) for seats, spots in _PAYMENTS.items()
}


def layout_for(seats: int, mat_mm: tuple[float, float] = REFERENCE_MAT_MM) -> PaperLayout:
    """Return the standard layout for that many seats on a mat of that size (mm).

    Raises:
        ValueError: there is no standard layout for that many seats.
    """
    if seats not in LAYOUTS:
        raise ValueError(f"no layout for {seats} players; there are layouts for {', '.join(map(str, LAYOUTS))}")
    return PaperLayout(SEATS[seats], mat_mm, payments=_PAYMENTS[seats])
