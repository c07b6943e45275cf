"""How sharp a picture is: how wide the step from black to white looks at the sides of the markers."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Picture
from vision.config import CONFIG
from vision.mat.markers import luma_of
from vision.mat.model import Mat

_FOCUS = CONFIG.mat.focus


def measure_edge_width_mm(picture: Picture, mat: Mat) -> float | None:
    """Measure how wide (mm on the mat) most of the markers' sides look from a tenth to nine tenths of the step.

    None where no side can be measured, since all are covered or hardly lighter outside.

    Args:
        picture: the one in which the mat was measured, (h, w, 3) blue green red or (h, w) luma.
        mat: where the mat lies in it.
    """
    luma = luma_of(picture)
    along = np.linspace(_FOCUS.side_from, _FOCUS.side_to, _FOCUS.side_samples)
    offsets = np.arange(-_FOCUS.reach_mm, _FOCUS.reach_mm + _FOCUS.step_mm / 2, _FOCUS.step_mm)
    widths: list[float] = []
    for marker in mat.markers:
        corners = mat.to_mm(marker.array)
        middle = corners.mean(axis=0)
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            run = end - start
            outward = np.array([run[1], -run[0]]) / np.linalg.norm(run)
            outward = outward if (start + run / 2 - middle) @ outward > 0 else -outward
            points = start + along[:, None, None] * run + offsets[None, :, None] * outward
            width = _measure_width(luma, mat.to_px(points).astype(np.float32))
            if width is not None:
                widths.append(width)
    return float(np.median(widths)) if widths else None


def _measure_width(luma: Picture, places: np.ndarray) -> float | None:
    """Measure the width (mm) of one side's step, from values along lines across it; places (lines, points, 2) px."""
    values = cv2.remap(luma, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profile = np.asarray(values, np.float64).mean(axis=0)
    ends = len(profile) // _FOCUS.ends
    black, white = float(profile[:ends].mean()), float(profile[-ends:].mean())
    if white - black < _FOCUS.min_step:
        return None
    share = (profile - black) / (white - black)
    above = int(np.argmax(share >= _FOCUS.high_share))
    below = len(share) - 1 - int(np.argmax(share[::-1] <= _FOCUS.low_share))
    return max(1, above - below) * _FOCUS.step_mm
