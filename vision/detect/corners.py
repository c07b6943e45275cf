"""Card corners on the mat.

A *corner* is the index corner at one of a card's two short sides, seen upright from that side. Its anchor lies 9 mm in
and 9 mm down from the card's own corner. A whole card shows two corners, a covered one mostly one, so overlap needs no
special case.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from referee.layout import CARD_MM
from vision.config import CONFIG
from vision.geometry import ANCHOR_MM

_DETECTION = CONFIG.detect.detection

KINDS = ("seven", "paper", "back")


@dataclass(frozen=True, slots=True)
class Corner:
    """A card's corner on the mat: anchor (mm), angle seen from it (degrees clockwise), the detector's score and kind.

    A ``suppressed`` one lies so near to a surer one that it may be a mark of that card: it has to show a card of its
    own.
    """

    x: float
    y: float
    angle: float
    score: float
    kind: str
    suppressed: bool = False

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the whole card in mat mm."""
        return self.to_mat(CARD_MM[0] / 2, CARD_MM[1] / 2)

    def covers(self, x: float, y: float) -> bool:
        """Tell whether a point of the mat (mm) lies on the corner's card."""
        dx, dy = x - self.x, y - self.y
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        across, down = ANCHOR_MM[0] + dx * c + dy * s, ANCHOR_MM[1] - dx * s + dy * c
        return 0 <= across <= CARD_MM[0] and 0 <= down <= CARD_MM[1]

    def to_mat(self, x: float, y: float) -> tuple[float, float]:
        """Map a point of the card (mm from its own corner here, x along the short side) to mat mm."""
        dx, dy = x - ANCHOR_MM[0], y - ANCHOR_MM[1]
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return self.x + dx * c - dy * s, self.y + dx * s + dy * c


def degrees_apart(a: float, b: float) -> float:
    """Return the angle between two directions, 0 to 180 degrees."""
    return abs((a - b + 180) % 360 - 180)


def corner_of_card(x: float, y: float, angle: float, score: float = 1.0, kind: str = "seven") -> Corner:
    """Return the upper corner of a card whose centre lies at (x, y) mm, turned by ``angle`` degrees clockwise."""
    dx, dy = ANCHOR_MM[0] - CARD_MM[0] / 2, ANCHOR_MM[1] - CARD_MM[1] / 2
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return Corner(x + dx * c - dy * s, y + dx * s + dy * c, angle % 360, score, kind)


def has_partner(
    corner: Corner,
    corners: Iterable[Corner],
    off_mm: float = _DETECTION.partner_mm,
    off_deg: float = _DETECTION.partner_deg,
) -> bool:
    """Tell whether the other corner of a corner's card is among the corners, off by no more than this."""
    centre, back = corner.centre, corner.angle + 180
    return any(
        math.dist(centre, other.centre) < off_mm and degrees_apart(other.angle, back) < off_deg
        for other in corners
        if other is not corner
    )
