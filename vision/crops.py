"""What is cut out of a picture round an end or a card, and how well it can be seen there."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Picture
from vision.assign.centre_crop import WIDE_MIDDLE_MM
from vision.detect.corners import End
from vision.geometry import MARGIN_PX, STRIP_BOX_MM, STRIP_PX_PER_MM, STRIP_SHAPE
from vision.mat import Mat
from vision.mat.light import Light

MIN_PX_PER_MM = 1.9
"""Below this a strip's index can't be read; the camera must come nearer or have more pixels."""
_MARGIN_MM = MARGIN_PX / STRIP_PX_PER_MM
WIDE_MM = (
    STRIP_BOX_MM[2] - STRIP_BOX_MM[0] + 2 * _MARGIN_MM,
    STRIP_BOX_MM[3] - STRIP_BOX_MM[1] + 2 * _MARGIN_MM,
)
WIDE_CORNER_MM = (STRIP_BOX_MM[0] - _MARGIN_MM, STRIP_BOX_MM[1] - _MARGIN_MM)
WIDE_PX = (round(WIDE_MM[0] * STRIP_PX_PER_MM), round(WIDE_MM[1] * STRIP_PX_PER_MM))
STRIP_MIDDLE_MM = ((STRIP_BOX_MM[0] + STRIP_BOX_MM[2]) / 2, (STRIP_BOX_MM[1] + STRIP_BOX_MM[3]) / 2)
_BESIDE_PX = 12
BESIDE = [(x, y) for x in (-_BESIDE_PX, 0, _BESIDE_PX) for y in (-_BESIDE_PX, 0, _BESIDE_PX) if x or y]
"""Ends are looked for so many px (of a strip) beside their place, nearly 5 mm."""
AROUND_MM = ((STRIP_SHAPE[1] + 2 * _BESIDE_PX) / STRIP_PX_PER_MM, (STRIP_SHAPE[0] + 2 * _BESIDE_PX) / STRIP_PX_PER_MM)
_BURNT = 250
BLOOM = np.ones((3, 3), np.uint8)
_GLARE_SHARE, _VEILED = 0.25, 25.0
"""Glare is the likely cause from this burnt share of a strip on, or where it adds so much (white paper is 235)."""
_BLURRED = 8.0
_WELL_LIT, _DARKEST = 230.0, 25.0


def narrow(wide: Picture) -> Picture:
    """The namer's window (56, 160, 3) in a wide strip."""
    return wide[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]


def windows_beside(around: Picture) -> list[Picture]:
    """The namer's windows (56, 160, 3) at each place beside the one in the middle of what is cut with 12 px more."""
    h, w = STRIP_SHAPE[:2]
    return [
        around[_BESIDE_PX + down : _BESIDE_PX + down + h, _BESIDE_PX + right : _BESIDE_PX + right + w]
        for right, down in BESIDE
    ]


def raw_strip(picture: Picture, mat: Mat, end: End) -> Picture:
    """An end's strip with 2 mm more all round as the camera gave it, upright; (66, 170, 3) BGR uint8."""
    return mat.patch(picture, end.at(*STRIP_MIDDLE_MM), end.angle, WIDE_MM, STRIP_PX_PER_MM)


def raw_middles(picture: Picture, mat: Mat, ends: Sequence[End]) -> list[Picture]:
    """What cards with these upper ends show between their ends as the camera gave it, with a margin; (130, 146, 3)."""
    turned = [(end.centre, end.angle) for end in ends]
    return mat.patches(picture, turned, WIDE_MIDDLE_MM, STRIP_PX_PER_MM)


def clipped(raw: Picture) -> NDArray[np.bool_]:
    """Where (h, w) a picture (h, w, 3) is at the camera's upper end."""
    return np.asarray(raw.min(axis=2) >= _BURNT)


def burnt_share(strip: Picture) -> float:
    """Share of a raw strip at the camera's upper end, where glare has washed the print out."""
    return float(clipped(strip).mean())


def sharpness(strip: Picture) -> float:
    """How steep the steepest edges of a strip are, in grey levels of a well lit card; one in focus gives 20 to 80."""
    grey = cv2.GaussianBlur(cv2.cvtColor(strip, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    bright = max(float(np.percentile(grey, 90)), _DARKEST)
    return float(np.percentile(np.abs(cv2.Laplacian(grey, cv2.CV_32F)), 99)) * _WELL_LIT / bright


def cause_of(picture: Picture, mat: Mat, light: Light, ends: Sequence[End]) -> str:
    """The likeliest reason why a card with these ends can't be named, judged on what the camera gave."""
    strips = [raw_strip(picture, mat, end) for end in ends]
    veils = [light.veil_over(strip, end.at(*STRIP_MIDDLE_MM)) for strip, end in zip(strips, ends, strict=True)]
    if min(burnt_share(strip) for strip in strips) > _GLARE_SHARE or min(veils) > _VEILED:
        return "glare"
    if mat.px_per_mm < MIN_PX_PER_MM:
        return "few_pixels"
    if max(sharpness(strip) for strip in strips) < _BLURRED:
        return "blurred"
    return "covered" if len(strips) == 1 else "doubtful"
