"""What was measured of cards that still lie as they lay, so that the next reading need not measure it again."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.arrays import Picture
from vision.detect.corners import Corner

CentreCropOdds = dict[tuple[Corner, ...], dict[int, float]]
FacePlaces = dict[tuple[Corner, ...], list[Corner]]
Unexplained = dict[tuple[tuple[Corner, ...], int], float]
"""What a name (a number in the deck) leaves unexplained of cards with these corners."""


@dataclass(frozen=True, slots=True)
class CachedEvidence:
    """What was measured of cards with these corners besides the corners themselves; readings add to it.

    ``centre_crops`` are log odds of names (numbers in the deck), ``faces`` the places where a back may lie instead,
    ``unexplained`` what names leave unexplained. ``wide`` are the crops cut in this reading alone.
    """

    centre_crops: CentreCropOdds = field(default_factory=dict)
    faces: FacePlaces = field(default_factory=dict)
    unexplained: Unexplained = field(default_factory=dict)
    wide: dict[Corner, Picture] = field(default_factory=dict)
