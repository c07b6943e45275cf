"""A second look at ends that the first one left in doubt: straightened over the card that they most look like.

The detector errs by a millimetre and a degree or two. That is nothing to most prints, but titles in one frame that
differ in a letter are told apart only when they lie over the enrolled ones. """

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.detect.corners import Corner
from vision.geometry import ANCHOR_MM, CROP_BOX_MM, CROP_MARGIN_PX, CROP_PX_PER_MM
from vision.identify.templates import OPEN_Y1, X0, Y0, align_near, best_place, visible_depth

_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
_LEAST_FIT, _MOST_TURN = 0.5, 8.0
_ANCHOR_PX = CROP_PX_PER_MM * (np.array(ANCHOR_MM) - CROP_BOX_MM[:2])


def registered(corner: Corner, seen: Floats, enrolled: Floats, occluded: Picture | None = None) -> Corner | None:
    """The end where it lies if it shows an enrolled print; None where that can't be laid over it.

    Args:
        end: the end as it was found.
        seen: the print of what was cut there, with a margin of 5 px all round, (66, 170, 3).
        enrolled: the part of a print that it is likely to show (h, w, 3), as ``vision.identify.templates`` compares it.
        covered: where other cards lie on the crop (66, 170), if they do.
    """
    moved_by = _shift_and_turn(seen, enrolled[: min(OPEN_Y1 - Y0, visible_depth(occluded))])
    if moved_by is None:
        return None
    x, y = corner.at(*(place + shift / CROP_PX_PER_MM for place, shift in zip(ANCHOR_MM, moved_by[:2], strict=True)))
    return replace(corner, x=x, y=y, angle=(corner.angle + moved_by[2]) % 360)


def _shift_and_turn(seen: Floats, own: Floats) -> tuple[float, float, float] | None:
    """How a print lies in one seen: the crop anchor's shift (x, y px) and the turn about it (degrees clockwise).

    None where the one can't be laid over the other.
    """
    aligned = align_near(own, seen, best_place(seen, own), _STEPS)
    if aligned is None:
        return None
    fit, turned = aligned
    anchor = _ANCHOR_PX - (X0, Y0)
    moved = turned[:, :2] @ anchor + turned[:, 2] - CROP_MARGIN_PX - _ANCHOR_PX
    turn = math.degrees(math.atan2(turned[1, 0], turned[0, 0]))
    if fit < _LEAST_FIT or max(abs(moved)) > 2 * CROP_MARGIN_PX or abs(turn) > _MOST_TURN:
        return None
    return float(moved[0]), float(moved[1]), turn
