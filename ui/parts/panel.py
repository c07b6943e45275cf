"""How large the display really is, so that letters are set in millimetres and not in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

REFERENCE = (480, 320)
REFERENCE_WIDTH_MM = 64.0
"""A panel of three inches, the smallest on which everything has the size that it should have."""
_INCH_MM = 25.4
_USUAL_INCHES = ((400, 3.0), (640, 3.0), (900, 4.3), (10_000, 7.0))
"""The usual diagonal in inches of panels up to so many px wide: rather too small a guess, so that letters are large."""


@dataclass(frozen=True, slots=True)
class Panel:
    """What is known of the display beside its pixels: its width in mm as it hangs, ``None`` where nobody says.

    ``light`` asks for dark letters on a light ground. ``map_turned`` says how far, clockwise in quarters, whoever reads
    the display sees the table turned to what the camera sees: the small map of it is turned so.
    """

    width_mm: float | None = None
    light: bool = False
    map_turned: int = 0

    def width_of(self, size: tuple[int, int]) -> float:
        """Return the width in mm of a display of ``size`` px, guessed from its pixels where nobody says.

        >>> round(Panel().width_of((480, 320)))
        63
        >>> Panel(152.4).width_of((800, 480))
        152.4
        """
        if self.width_mm is not None:
            return self.width_mm
        longer = max(size)
        inches = next(inches for upto, inches in _USUAL_INCHES if longer <= upto)
        return inches * _INCH_MM * size[0] / hypot(*size)
