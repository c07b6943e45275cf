"""Whether a picture was taken of a screen that shows a table, and not of the table itself.

Paper is plain: along the white borders of printed markers nothing repeats. On a screen its pixels do, seen as such or
as the bands that they make with the camera's. Measured on the borders' brightness, freed of its slow changes: the share
of white by which the strongest wave swings, and how far it stands out from all others.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.hardware.camera import Picture
from vision.mat import FoundMarker, Mat

_MARKER_MM = 50.0
_STRIPS_MM = ((0.0, -6.5, 50.0, 5.0), (0.0, 51.5, 50.0, 5.0), (-6.5, 0.0, 5.0, 50.0), (51.5, 0.0, 5.0, 50.0))
"""x, y, width and height of a marker's four borders, from its top left corner, where its side is 50 mm."""
_LEAST_PX = 8
_SLOW_PX = 5.0
_SWING = 0.0115
"""On photographed tables the quietest quarter of the borders swings by 0.0105 at most, on most screens by 0.015."""
_STANDS_OUT = 60.0
"""On photographed tables 34 at most, on most screens 70 at least."""


def shows_a_screen(picture: Picture, mat: Mat) -> bool:
    """Whether the markers in a picture (h, w, 3) BGR uint8 lie on a screen."""
    found = [wave for marker in mat.markers for wave in _measure_waves(picture, marker)]
    if not found:
        return False
    # Glare, a shadow's edge or dirt on some of the borders says nothing: three of four must show it.
    swing, stands_out = np.percentile(np.array(found), 25, axis=0)
    return bool(swing > _SWING and stands_out > _STANDS_OUT)


def _measure_waves(picture: Picture, marker: FoundMarker) -> list[tuple[float, float]]:
    """For each border of a marker, how much of white its strongest wave swings, and how far that stands out."""
    corners = marker.array.astype(np.float32)
    side_px = float(np.linalg.norm(corners[1] - corners[0]))
    square = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32) * _MARKER_MM
    to_px, scale = cv2.getPerspectiveTransform(square, corners), side_px / _MARKER_MM
    strips = (_cut_strip(picture, to_px, scale, strip) for strip in _STRIPS_MM)
    return [_measure_wave(strip) for strip in strips if min(strip.shape) >= _LEAST_PX]


def _cut_strip(
    picture: Picture, to_px: NDArray[Any], scale: float, strip: tuple[float, float, float, float]
) -> NDArray[np.float32]:
    x, y, width, height = strip
    columns, rows = round(width * scale), round(height * scale)
    grid = np.stack(np.meshgrid(x + np.arange(columns) / scale, y + np.arange(rows) / scale), axis=-1)
    if not grid.size:
        return np.zeros((0, 0), np.float32)
    at = cv2.perspectiveTransform(grid.astype(np.float32).reshape(-1, 1, 2), to_px).reshape(rows, columns, 2)
    cut = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut.mean(axis=2), np.float32)


def _measure_wave(strip: NDArray[np.float32]) -> tuple[float, float]:
    quick = strip - cv2.GaussianBlur(strip, (0, 0), _SLOW_PX)
    window = np.outer(np.hanning(strip.shape[0]), np.hanning(strip.shape[1]))
    waves = np.abs(np.fft.rfft2(quick * window))
    strongest = float(waves.max())
    white = max(float(strip.mean()), 1.0)
    return 2 * strongest / float(window.sum()) / white, strongest / max(float(np.median(waves)), 1e-6)
