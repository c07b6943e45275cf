"""Where things lie on the mat in Seven Euchre: the middle card, the place aside, and a spot in the trick for each seat.

A card belongs to the nearest spot where that is within 75 mm, else to the seat's area in which its centre lies.
Frame: millimetres on the mat, as in ``referee.layout``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from referee.layout import REFERENCE_MAT_MM, SEATS
from referee.layout import TableLayout as AnyLayout
from rules.text import Text

SPOT_RADIUS_MM = 75.0
PLAYERS = 4
MIDDLE, ASIDE = "middle", "aside"
_MIDDLE, _ASIDE = Text("Middle card"), Text("Laid aside")

_SPOTS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        MIDDLE: (0.50, 0.50),
        ASIDE: (0.30, 0.50),
        "trick:1": (0.40, 0.56),
        "trick:2": (0.40, 0.44),
        "trick:3": (0.60, 0.44),
        "trick:4": (0.60, 0.56),
    }
)


@dataclass(frozen=True, slots=True)
class Layout(AnyLayout):
    """The table's layout; ``centres`` are those of the spots, by name, in shares of the mat."""

    centres: Mapping[str, tuple[float, float]] = field(default_factory=lambda: _SPOTS)

    @property
    def spots(self) -> tuple[tuple[float, float], ...]:
        """Every spot, as a printed mat shows them."""
        return tuple(map(self.locate_spot, self.centres))

    @property
    def spot_titles(self) -> tuple[Text, ...]:
        """The middle card, the card laid aside, and whose card of a trick lies where."""
        seats = range(1, len(self.seats) + 1)
        named = {
            MIDDLE: _MIDDLE,
            ASIDE: _ASIDE,
            **{trick_place(n): Text("Trick, seat {seat}", seat=n) for n in seats},
        }
        return tuple(named[name] for name in self.centres)

    def locate_spot(self, name: str) -> tuple[float, float]:
        """Return the centre of a spot in mm."""
        x, y = self.centres[name]
        return x * self.mat_mm[0], y * self.mat_mm[1]

    def place_at(self, x: float, y: float) -> str:
        """Return the place of a point (mm): the nearest spot's name, else ``seat:SEAT``, else ``table``."""
        spot = self._find_near(x, y, self.centres)
        if spot is not None:
            return spot
        seat = self.seat_at(x, y)
        return "table" if seat is None else f"seat:{seat}"

    def trick_at(self, x: float, y: float) -> str | None:
        """Return the nearest spot of the trick, where that is near enough, though another spot may be nearer."""
        return self._find_near(x, y, [name for name in self.centres if name.startswith("trick:")])

    def _find_near(self, x: float, y: float, names: Iterable[str]) -> str | None:
        near, name = min(
            (math.hypot(self.locate_spot(name)[0] - x, self.locate_spot(name)[1] - y), name) for name in names
        )
        return name if near <= SPOT_RADIUS_MM else None


def trick_place(seat: int) -> str:
    """Return the name of a seat's spot in the trick."""
    return f"trick:{seat}"


def layout_of(players: int = PLAYERS, mat_mm: tuple[float, float] = REFERENCE_MAT_MM) -> Layout:
    """Return the layout on a mat of that size (mm).

    Raises:
        ValueError: it is another number of players than four.
    """
    if players != PLAYERS:
        raise ValueError(f"no layout for {players} players; there is one for {PLAYERS}")
    return Layout(SEATS[players], mat_mm)
