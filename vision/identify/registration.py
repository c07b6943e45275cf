"""Registration: a doubtful corner is straightened over the template of the card that it most looks like.

The detector errs by a millimetre and a degree or two. That is nothing to most templates, but titles in one frame that
differ in a letter can be distinguished only when they lie exactly over each other.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.detect.corners import Corner
from vision.geometry import ANCHOR_MM, CROP_BOX_MM, CROP_MARGIN_PX, CROP_PX_PER_MM
from vision.identify.aligner import lie_at, limit_steps, refine_lie
from vision.identify.templates import convert_to_grey, find_best_place, visible_depth

_PART = CONFIG.identify.part
_REGISTRATION = CONFIG.identify.registration

_STEPS = limit_steps(_REGISTRATION.steps, _REGISTRATION.epsilon)
_LEFT_MM, _TOP_MM, *_ = CROP_BOX_MM
_ANCHOR_PX = CROP_PX_PER_MM * (np.array(ANCHOR_MM) - (_LEFT_MM, _TOP_MM))


def register_corner(corner: Corner, seen: Floats, enrolled: Floats, occluded: Picture | None = None) -> Corner | None:
    """Find where the corner lies if it shows an enrolled template; None where they can't be aligned.

    Args:
        corner: the corner as it was detected.
        seen: the normalised crop there, with a margin of 5 px all round, (66, 170, 3).
        enrolled: the part of a template that it likely shows (h, w, 3), as ``identify.templates`` compares it.
        occluded: where other cards lie on the crop (66, 170), if they do.
    """
    moved_by = _measure_lie(seen, enrolled[: min(_PART.open_height_px, visible_depth(occluded))])
    if moved_by is None:
        return None
    x, y = corner.to_mat(
        *(place + shift / CROP_PX_PER_MM for place, shift in zip(ANCHOR_MM, moved_by[:2], strict=True))
    )
    return replace(corner, x=x, y=y, angle=(corner.angle + moved_by[2]) % 360)


def _measure_lie(seen: Floats, own: Floats) -> tuple[float, float, float] | None:
    """Measure how a template lies in a crop: the anchor's shift (x, y px) and the turn about it (degrees clockwise).

    None where they can't be aligned.
    """
    template, picture = convert_to_grey(own), convert_to_grey(seen)
    aligned = refine_lie(template, picture, lie_at(*find_best_place(picture, template)), _STEPS)
    if aligned is None:
        return None
    fit, turned = aligned
    anchor = _ANCHOR_PX - (_PART.left_px, _PART.top_px)
    moved = turned[:, :2] @ anchor + turned[:, 2] - CROP_MARGIN_PX - _ANCHOR_PX
    turn = math.degrees(math.atan2(turned[1, 0], turned[0, 0]))
    if fit < _REGISTRATION.min_fit or max(abs(moved)) > 2 * CROP_MARGIN_PX or abs(turn) > _REGISTRATION.max_turn_deg:
        return None
    return float(moved[0]), float(moved[1]), turn
