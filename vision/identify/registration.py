"""A second look at ends that the first one left in doubt: straightened over the card that they most look like.

The finder errs by a millimetre and a degree or two. That is nothing to most prints, but titles in one frame that differ
in a letter are told apart only when they lie over the enrolled ones.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.detect.corners import End
from vision.geometry import ANCHOR_MM, MARGIN_PX, STRIP_BOX_MM, STRIP_PX_PER_MM
from vision.identify.templates import OPEN_Y1, X0, Y0, depth_shown, lie_near, place_of

_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
_LEAST_FIT, _MOST_TURN = 0.5, 8.0
_ANCHOR_PX = STRIP_PX_PER_MM * (np.array(ANCHOR_MM) - STRIP_BOX_MM[:2])


def straightened(end: End, seen: Floats, enrolled: Floats, covered: Picture | None = None) -> End | None:
    """The end where it lies if it shows an enrolled print; None where that can't be laid over it.

    Args:
        end: the end as it was found.
        seen: the print of what was cut there, with a margin of 5 px all round, (66, 170, 3).
        enrolled: the part of a print that it is likely to show (h, w, 3), as ``vision.identify.templates`` compares it.
        covered: where other cards lie on the strip (66, 170), if they do.
    """
    lie = _lie_of(seen, enrolled[: min(OPEN_Y1 - Y0, depth_shown(covered))])
    if lie is None:
        return None
    x, y = end.at(*(place + shift / STRIP_PX_PER_MM for place, shift in zip(ANCHOR_MM, lie[:2], strict=True)))
    return replace(end, x=x, y=y, angle=(end.angle + lie[2]) % 360)


def _lie_of(seen: Floats, own: Floats) -> tuple[float, float, float] | None:
    """How a print lies in one seen: the strip anchor's shift (x, y px) and the turn about it (degrees clockwise).

    None where the one can't be laid over the other.
    """
    lies = lie_near(own, seen, place_of(seen, own), _STEPS)
    if lies is None:
        return None
    fit, turned = lies
    anchor = _ANCHOR_PX - (X0, Y0)
    moved = turned[:, :2] @ anchor + turned[:, 2] - MARGIN_PX - _ANCHOR_PX
    turn = math.degrees(math.atan2(turned[1, 0], turned[0, 0]))
    if fit < _LEAST_FIT or max(abs(moved)) > 2 * MARGIN_PX or abs(turn) > _MOST_TURN:
        return None
    return float(moved[0]), float(moved[1]), turn
