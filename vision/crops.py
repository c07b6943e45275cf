"""What is cut out of a picture round an end or a card, and how well it can be seen there."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Picture
from vision.assign.centre_crop import WIDE_CENTRE_CROP_MM
from vision.detect.corners import Corner
from vision.geometry import CROP_BOX_MM, CROP_MARGIN_PX, CROP_PX_PER_MM, CROP_SHAPE
from vision.mat import Mat
from vision.mat.light import Light

MIN_PX_PER_MM = 1.9
"""Below this a crop's index can't be read; the camera must come nearer or have more pixels."""
_CROP_MARGIN_MM = CROP_MARGIN_PX / CROP_PX_PER_MM
WIDE_MM = (
    CROP_BOX_MM[2] - CROP_BOX_MM[0] + 2 * _CROP_MARGIN_MM,
    CROP_BOX_MM[3] - CROP_BOX_MM[1] + 2 * _CROP_MARGIN_MM,
)
WIDE_ORIGIN_MM = (CROP_BOX_MM[0] - _CROP_MARGIN_MM, CROP_BOX_MM[1] - _CROP_MARGIN_MM)
WIDE_PX = (round(WIDE_MM[0] * CROP_PX_PER_MM), round(WIDE_MM[1] * CROP_PX_PER_MM))
CROP_CENTRE_MM = ((CROP_BOX_MM[0] + CROP_BOX_MM[2]) / 2, (CROP_BOX_MM[1] + CROP_BOX_MM[3]) / 2)
_BESIDE_PX = 12
BESIDE = [(x, y) for x in (-_BESIDE_PX, 0, _BESIDE_PX) for y in (-_BESIDE_PX, 0, _BESIDE_PX) if x or y]
"""Ends are looked for so many px (of a crop) beside their place, nearly 5 mm."""
AROUND_MM = ((CROP_SHAPE[1] + 2 * _BESIDE_PX) / CROP_PX_PER_MM, (CROP_SHAPE[0] + 2 * _BESIDE_PX) / CROP_PX_PER_MM)
_CLIPPED = 250
BLOOM = np.ones((3, 3), np.uint8)
_GLARE_SHARE, _VEILED = 0.25, 25.0
"""Glare is the likely cause from this burnt share of a crop on, or where it adds so much (white paper is 235)."""
_BLURRED = 8.0
_WELL_LIT, _DARKEST = 230.0, 25.0


def narrow_crop(wide: Picture) -> Picture:
    """The embedder's window (56, 160, 3) in a wide crop."""
    return wide[CROP_MARGIN_PX:-CROP_MARGIN_PX, CROP_MARGIN_PX:-CROP_MARGIN_PX]


def windows_beside(around: Picture) -> list[Picture]:
    """The embedder's windows (56, 160, 3) at each place beside the one in the middle of what is cut with 12 px more."""
    h, w = CROP_SHAPE[:2]
    return [
        around[_BESIDE_PX + down : _BESIDE_PX + down + h, _BESIDE_PX + right : _BESIDE_PX + right + w]
        for right, down in BESIDE
    ]


def raw_crop(picture: Picture, mat: Mat, corner: Corner) -> Picture:
    """An end's crop with 2 mm more all round as the camera gave it, upright; (66, 170, 3) BGR uint8."""
    return mat.patch(picture, corner.at(*CROP_CENTRE_MM), corner.angle, WIDE_MM, CROP_PX_PER_MM)


def raw_centre_crops(picture: Picture, mat: Mat, corners: Sequence[Corner]) -> list[Picture]:
    """What cards with these upper ends show between their ends as the camera gave it, with a margin; (130, 146, 3)."""
    turned = [(corner.centre, corner.angle) for corner in corners]
    return mat.patches(picture, turned, WIDE_CENTRE_CROP_MM, CROP_PX_PER_MM)


def clipped(raw: Picture) -> NDArray[np.bool_]:
    """Where (h, w) a picture (h, w, 3) is at the camera's upper end."""
    return np.asarray(raw.min(axis=2) >= _CLIPPED)


def clipped_share(crop: Picture) -> float:
    """Share of a raw crop at the camera's upper end, where glare has washed the print out."""
    return float(clipped(crop).mean())


def sharpness(crop: Picture) -> float:
    """How steep the steepest edges of a crop are, in grey levels of a well lit card; one in focus gives 20 to 80."""
    grey = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    bright = max(float(np.percentile(grey, 90)), _DARKEST)
    return float(np.percentile(np.abs(cv2.Laplacian(grey, cv2.CV_32F)), 99)) * _WELL_LIT / bright


def cause_of(picture: Picture, mat: Mat, light: Light, corners: Sequence[Corner]) -> str:
    """The likeliest reason why a card with these ends can't be named, judged on what the camera gave."""
    crops = [raw_crop(picture, mat, corner) for corner in corners]
    veils = [light.veil_over(crop, corner.at(*CROP_CENTRE_MM)) for crop, corner in zip(crops, corners, strict=True)]
    if min(clipped_share(crop) for crop in crops) > _GLARE_SHARE or min(veils) > _VEILED:
        return "glare"
    if mat.px_per_mm < MIN_PX_PER_MM:
        return "few_pixels"
    if max(sharpness(crop) for crop in crops) < _BLURRED:
        return "blurred"
    return "covered" if len(crops) == 1 else "doubtful"
