"""Where seats lie on the mat, for every game, as shares of its width and height.

Frame: millimetres on the mat, origin at the outer corner of marker 0 (top left in the picture), x right, y down.
Seats go clockwise as the camera sees them, seat 1 at the bottom (bottom left where the bottom is shared).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.text import Text

NO_TITLE = Text()
CARD_MM = (63.0, 88.0)
MARKER_MM = 50.0
REFERENCE_MAT_MM = (1189.0, 841.0)


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in shares of the mat, borders included."""

    x0: float
    x1: float
    y0: float
    y1: float

    def contains_point(self, x: float, y: float) -> bool:
        """Tell whether a point, in shares of the mat, lies in it."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the mat with a purpose: its name, where it lies, its name for players, and how it is looked at.

    ``dice`` are rolled there. What moves in a zone that is ``still_apart`` does not disturb the rest of the mat: it
    is watched for itself.
    """

    name: str
    area: Area
    title: Text = NO_TITLE
    dice: bool = False
    still_apart: bool = False


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A table's layout for one number of players; data only."""

    seats: tuple[Area, ...]
    mat_mm: tuple[float, float] = REFERENCE_MAT_MM
    zones: tuple[Zone, ...] = ()

    @property
    def spots(self) -> tuple[tuple[float, float], ...]:
        """Centres (mm) of the places for single cards and piles, which a printed mat shows."""
        return ()

    @property
    def spot_titles(self) -> tuple[Text, ...]:
        """What lies on the spots, in their order, as a printed mat names it; spots without a name come last."""
        return ()

    def zone_rect(self, zone: Zone) -> tuple[float, float, float, float]:
        """Return a zone's area as x0, y0, x1, y1 in mm."""
        return self._scale_area(zone.area)

    def seat_rect(self, seat: int) -> tuple[float, float, float, float]:
        """Return a seat's area as x0, y0, x1, y1 in mm; seats are numbered from 1."""
        return self._scale_area(self.seats[seat - 1])

    def _scale_area(self, area: Area) -> tuple[float, float, float, float]:
        w, h = self.mat_mm
        return area.x0 * w, area.y0 * h, area.x1 * w, area.y1 * h

    def faces_down(self, seat: int) -> bool:
        """Tell whether a seat is at the top of the picture, so that its cards lie turned by 180 degrees."""
        return self.seats[seat - 1].y0 < 0.25

    def seat_at(self, x: float, y: float) -> int | None:
        """Return the seat in whose area a point (mm) lies."""
        share = x / self.mat_mm[0], y / self.mat_mm[1]
        return next((seat for seat, area in enumerate(self.seats, 1) if area.contains_point(*share)), None)

    def place_at(self, x: float, y: float) -> str:
        """Return the place of a point (mm): the zone's name, else ``seat:SEAT``, else ``table``."""
        zone = self.zone_at(x, y)
        if zone is not None:
            return zone.name
        seat = self.seat_at(x, y)
        return "table" if seat is None else f"seat:{seat}"

    def zone_at(self, x: float, y: float) -> Zone | None:
        """Return the first zone in which a point (mm) lies."""
        share = x / self.mat_mm[0], y / self.mat_mm[1]
        return next((zone for zone in self.zones if zone.area.contains_point(*share)), None)


_BOTTOM, _TOP = (0.62, 1.0), (0.0, 0.38)
_THIRD = 1 / 3

SEATS: Mapping[int, tuple[Area, ...]] = {
    2: (Area(0, 1, *_BOTTOM), Area(0, 1, *_TOP)),
    3: (Area(0, 1, *_BOTTOM), Area(0, 0.5, *_TOP), Area(0.5, 1, *_TOP)),
    4: (Area(0, 0.5, *_BOTTOM), Area(0, 0.5, *_TOP), Area(0.5, 1, *_TOP), Area(0.5, 1, *_BOTTOM)),
    5: (
        Area(0, 0.5, *_BOTTOM),
        Area(0, _THIRD, *_TOP),
        Area(_THIRD, 2 * _THIRD, *_TOP),
        Area(2 * _THIRD, 1, *_TOP),
        Area(0.5, 1, *_BOTTOM),
    ),
}
"""The seats' areas by the number of players (TABLE.md)."""
