"""A second look at ends that the first one left in doubt: straightened over the card that they most look like.

The finder errs by a millimetre and a degree or two. That is nothing to most prints, but titles in one frame that differ
in a letter are told apart only when they lie over the enrolled ones.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from vision.deck import MARGIN_PX
from vision.networks import ANCHOR_MM, STRIP_BOX_MM, STRIP_PX_PER_MM, End, Picture
from vision.prints import OPEN_Y1, X0, X1, Y0, depth_shown, lie_near, place_of, print_of

_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
_LEAST_FIT, _MOST_TURN = 0.5, 8.0
_ANCHOR_PX = STRIP_PX_PER_MM * (np.array(ANCHOR_MM) - STRIP_BOX_MM[:2])


def straightened(end: End, strip: Picture, enrolled: Picture, covered: Picture | None = None) -> End | None:
    """The end where it lies if it shows an enrolled strip; None where that can't be laid over it.

    Args:
        end: the end as it was found.
        strip: what was cut there, with a margin of 5 px all round, (66, 170, 3).
        enrolled: what it is likely to show, (56, 160, 3).
        covered: where other cards lie on the strip (66, 170), if they do.
    """
    lie = lie_of(strip, enrolled, covered)
    if lie is None:
        return None
    x, y = end.at(*(place + shift / STRIP_PX_PER_MM for place, shift in zip(ANCHOR_MM, lie[:2], strict=True)))
    return replace(end, x=x, y=y, angle=(end.angle + lie[2]) % 360)


def lie_of(strip: Picture, enrolled: Picture, covered: Picture | None = None) -> tuple[float, float, float] | None:
    """How an enrolled strip lies in one seen: its shift (x, y px) there and its turn (degrees clockwise).

    Args:
        strip: what is seen, with a margin of 5 px all round, (66, 170, 3).
        enrolled: what it is likely to show, (56, 160, 3).
        covered: where other cards lie on the strip (66, 170), if they do.

    Returns:
        The shift of the strip's anchor and the turn about it, or None where the one can't be laid over the other.
    """
    bottom = min(OPEN_Y1, Y0 + depth_shown(covered))
    seen, own = print_of(strip), np.ascontiguousarray(print_of(enrolled)[Y0:bottom, X0:X1])
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
