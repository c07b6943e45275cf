"""The mat: from three or four ArUco markers in a picture to millimetres on the table, and back.

Frame: millimetres, origin at the outer corner of marker 0, x right, y down (TABLE.md, "Mat and markers").
Pixels: a pixel's centre has whole coordinates, as in OpenCV.

Model: a homography from the mat to an ideal picture, then one radial coefficient about the picture's centre,
``p = c + (u - c)(1 + k1 r²)`` with ``r`` in half diagonals of the picture (the first term of the Brown-Conrady
model, D. C. Brown, "Close-range camera calibration", 1971). ``vision.mat.fitting`` fits it to the markers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.layout import MARKER_MM
from rules.text import Text
from vision.arrays import Doubles, Floats, Picture
from vision.mat.markers import FoundMarker
from vision.mat.sampling import (
    BLUR_REACH_PX,
    CELL_PX,
    averaging_factor,
    fine_maps,
    map_nodes,
    remap,
    sample_patch,
    sample_softened,
    shrink_picture,
)


@dataclass(frozen=True, slots=True)
class Mat:
    """Where the mat lies in the picture: a value, equal to another when the geometry is.

    ``homography`` maps the mat (mm) to the ideal picture (half diagonals about the centre), row by row.
    ``markers`` are the four as measured, or three where one was hidden, by id. ``residual_px`` is the RMS distance of
    their corners from the model.
    ``warnings`` are (English, Japanese) sentences for the owner.
    """

    size_mm: tuple[float, float]
    picture_size: tuple[int, int]
    """Width and height of the picture in px."""
    homography: tuple[float, ...]
    k1: float
    markers: tuple[FoundMarker, ...]
    residual_px: float
    marker_mm: float = MARKER_MM
    warnings: tuple[Text, ...] = ()

    def to_px(self, points_mm: ArrayLike) -> Doubles:
        """Map mat millimetres (…, 2) to picture pixels (…, 2)."""
        half, centre = lens_of(self.picture_size)
        points = np.asarray(points_mm, dtype=np.float64)
        return project_points(np.reshape(self.homography, (3, 3)), self.k1, points) * half + centre

    def to_mm(self, points_px: ArrayLike) -> Doubles:
        """Picture pixels (…, 2) to mat millimetres (…, 2)."""
        half, centre = lens_of(self.picture_size)
        ideal = _undistort((np.asarray(points_px, dtype=np.float64) - centre) / half, self.k1)
        return _apply(np.linalg.inv(np.reshape(self.homography, (3, 3))), ideal)

    @property
    def corners_px(self) -> Doubles:
        """The mat's corners in px, (4, 2): top left, top right, bottom right, bottom left."""
        w, h = self.size_mm
        return self.to_px(outer_corners(w, h))

    def marker_px(self, number: int) -> Doubles:
        """Return the corners (4, 2) px of the marker of that id as measured, or where they must be if it was hidden."""
        for marker in self.markers:
            if marker.id == number:
                return marker.array
        inward = 1 - 2 * outer_corners(1.0, 1.0)[number]
        square = outer_corners(*self.size_mm)[number] + inward * self.marker_mm * np.abs(
            outer_corners(1.0, 1.0) - outer_corners(1.0, 1.0)[number]
        )
        return self.to_px(square)

    def scale_at(self, points_mm: ArrayLike) -> Doubles:
        """Measure the pixels of the picture per millimetre at the points (…, 2); (…,)."""
        points = np.asarray(points_mm, dtype=np.float64)
        right, down = np.array([0.5, 0.0]), np.array([0.0, 0.5])
        dx = self.to_px(points + right) - self.to_px(points - right)
        dy = self.to_px(points + down) - self.to_px(points - down)
        return np.asarray(np.sqrt(np.abs(dx[..., 0] * dy[..., 1] - dx[..., 1] * dy[..., 0])))

    @property
    def px_per_mm(self) -> float:
        """Mean scale over the mat."""
        return float(_scales_of(self).mean())

    @property
    def min_px_per_mm(self) -> float:
        """Scale where the mat is farthest from the camera."""
        return float(_scales_of(self).min())

    @property
    def residual_mm(self) -> float:
        """RMS distance of the marker corners from the model, in mm on the mat."""
        return self.residual_px / self.px_per_mm

    def cut_patch(
        self,
        picture: Picture,
        centre_mm: tuple[float, float],
        angle_deg: float,
        size_mm: tuple[float, float],
        px_per_mm: float,
    ) -> Picture:
        """Cut a turned rectangle of the mat, upright, straight from the picture; (h, w, 3) or (h, w) as the picture.

        ``angle_deg`` is clockwise in the picture: a card lying at that angle comes out upright. The patch is
        ``round(size_mm * px_per_mm)`` pixels; pixel (c, r) shows the point ((c + ½) / px_per_mm, (r + ½) / px_per_mm)
        from the patch's top left corner. What lies outside the picture is black.
        """
        return self.cut_patches(picture, [(centre_mm, angle_deg)], size_mm, px_per_mm)[0]

    def cut_patches(
        self,
        picture: Picture,
        places: Sequence[tuple[tuple[float, float], float]],
        size_mm: tuple[float, float],
        px_per_mm: float,
    ) -> list[Picture]:
        """Cut out several patches of one size, each given by its centre (mm) and angle (degrees); see ``cut_patch``."""
        self._check(picture)
        if not places:
            return []
        w, h = (max(1, round(side * px_per_mm)) for side in size_mm)
        centres = np.array([centre for centre, _ in places], dtype=np.float64)
        nodes = self._place_nodes(centres, np.array([angle for _, angle in places]), (w, h), 1 / px_per_mm)
        scales = px_per_mm / self.scale_at(centres)
        return [sample_patch(picture, own, w, h, float(shrink)) for own, shrink in zip(nodes, scales, strict=True)]

    def sample_points(
        self,
        picture: Picture,
        centre_mm: tuple[float, float],
        angle_deg: float,
        size: tuple[int, int],
        apart_mm: float,
        blur_mm: float,
    ) -> Picture:
        """Sample columns and rows of points of a turned rectangle, as far apart, of the picture softened by so much.

        They lie as the pixels of a patch of that scale do, which however shows all that is between them.
        """
        self._check(picture)
        nodes = self._place_nodes(np.array([centre_mm]), np.array([angle_deg]), size, apart_mm)[0]
        scale = float(np.hypot(*(nodes[0, 1] - nodes[0, 0]))) / (CELL_PX * apart_mm)
        return sample_softened(picture, nodes, *size, blur_mm * scale)

    def _place_nodes(self, centres: Doubles, angles: Doubles, size: tuple[int, int], apart_mm: float) -> Floats:
        """Place the nodes of turned rectangles' maps of that size in the picture, (n, rows, columns, 2) px."""
        turns = np.radians(angles)[:, None, None]
        cos, sin = np.cos(turns) * apart_mm, np.sin(turns) * apart_mm
        x, y = (at + 0.5 - side / 2 for at, side in zip(map_nodes(*size), size, strict=True))
        turned = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)
        return self.to_px(centres[:, None, None] + turned).astype(np.float32)

    def rectify(self, picture: Picture, px_per_mm: float, part: tuple[int, int, int, int] | None = None) -> Picture:
        """Straighten the whole mat as seen from above; (h, w, 3) or (h, w) as the picture.

        Pixel (c, r) shows the mat at ((c + ½) / px_per_mm, (r + ½) / px_per_mm). Where that
        is coarser than the picture, the picture is averaged down first, so nothing aliases. With ``part``
        (x0, y0, x1, y1 px of the whole) only that part is made, just as it is in the whole.
        """
        self._check(picture)
        shrink = px_per_mm / self.px_per_mm
        size = picture.shape[:2]
        parts = averaging_factor(size, shrink)
        whole, fraction = _whole_maps(self, px_per_mm, parts)
        if part is None:
            return remap(shrink_picture(picture, shrink, parts), whole, fraction, cv2.INTER_LINEAR)
        x0, y0, x1, y1 = part
        at = whole[y0:y1, x0:x1]
        rim = np.concatenate([at[0], at[-1], at[:, 0], at[:, -1]])
        most = np.array([size[1] // parts, size[0] // parts])
        low = np.clip(rim.min(axis=0) - BLUR_REACH_PX, 0, most - 1)
        high = np.clip(rim.max(axis=0) + 2 + BLUR_REACH_PX, low + 1, most)
        cut = picture[low[1] * parts : high[1] * parts, low[0] * parts : high[0] * parts]
        near, fraction = (np.ascontiguousarray(v) for v in (at - low.astype(np.int16), fraction[y0:y1, x0:x1]))
        return remap(shrink_picture(cut, shrink, parts), near, fraction, cv2.INTER_LINEAR)

    def _check(self, picture: Picture) -> None:
        if (picture.shape[1], picture.shape[0]) != self.picture_size:
            raise ValueError(
                f"the mat was measured in a picture of {self.picture_size}, not {picture.shape[1::-1]}: find it anew"
            )


def lens_of(size: tuple[int, int]) -> tuple[float, Doubles]:
    """Return the half diagonal (px) and centre (px) of the picture."""
    w, h = size
    return math.hypot(w, h) / 2, np.array([(w - 1) / 2, (h - 1) / 2])


def _apply(homography: Doubles, points: Doubles) -> Doubles:
    """Map points (…, 2) by a homography (3, 3), or by several (b, 3, 3) at once where the points are (b, …, 2)."""
    h = homography if homography.ndim == 2 else homography.T.swapaxes(0, 1).reshape(3, 3, -1, *[1] * (points.ndim - 2))
    x, y = points[..., 0], points[..., 1]
    scale = 1.0 / (h[2, 0] * x + h[2, 1] * y + h[2, 2])
    return np.stack(
        [(h[0, 0] * x + h[0, 1] * y + h[0, 2]) * scale, (h[1, 0] * x + h[1, 1] * y + h[1, 2]) * scale], axis=-1
    )


def project_points(homography: Doubles, k1: float | Doubles, points_mm: Doubles) -> Doubles:
    """Map points (…, 2) on the mat to the picture, in half diagonals about its centre; several mats as below."""
    ideal = _apply(homography, points_mm)
    return np.asarray(ideal * (1.0 + k1 * (ideal**2).sum(axis=-1, keepdims=True)))


def _undistort(points: Doubles, k1: float) -> Doubles:
    """Solve ``u (1 + k1 u²) = |p|`` by Newton; beyond the model's turning point the nearest sensible radius."""
    radius = np.sqrt((points**2).sum(axis=-1, keepdims=True))
    u = radius.copy()
    for _ in range(6):
        u = u - (u * (1 + k1 * u * u) - radius) / np.maximum(1 + 3 * k1 * u * u, 0.2)
    return np.asarray(points * np.where(radius > 1e-12, u / np.maximum(radius, 1e-12), 1.0))


def outer_corners(width: float, height: float) -> Doubles:
    """Return the corners (4, 2) of a mat of that size, clockwise from marker 0."""
    return np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])


@lru_cache(maxsize=2)
def _whole_maps(mat: Mat, px_per_mm: float, parts: int) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    w, h = (max(1, round(side * px_per_mm)) for side in mat.size_mm)

    def place(x: Doubles, y: Doubles) -> Doubles:
        return mat.to_px(np.stack([(x + 0.5) / px_per_mm, (y + 0.5) / px_per_mm], axis=-1))

    nodes = place(*map_nodes(w, h)).astype(np.float32)
    # whole numbers and 1/32 px: half the memory, and quicker to use again and again
    whole, part = np.empty((h, w, 2), np.int16), np.empty((h, w), np.uint16)
    band_cells = 8
    for top in range(0, h, band_cells * CELL_PX):  # band by band, as the maps of the whole leave no room in the cache
        first, rows = top // CELL_PX, min(band_cells * CELL_PX, h - top)
        x, y = fine_maps(nodes[first : first + band_cells + 2], w, rows, parts)
        cv2.convertMaps(x, y, cv2.CV_16SC2, whole[top : top + rows], part[top : top + rows])
    return whole, part


@lru_cache(maxsize=8)
def _scales_of(mat: Mat) -> Doubles:
    w, h = mat.size_mm
    return mat.scale_at(np.stack(np.meshgrid(np.linspace(0, w, 9), np.linspace(0, h, 9)), axis=-1))
