"""The mat straightened, as faces are compared with it, and what is cut out of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.faces.face_points import STEP_MM, Mask
from vision.faces.strips import soften
from vision.mat import Mat
from vision.mat.light import Light

_FIT = CONFIG.faces.fit
_SEARCH = CONFIG.faces.search
_CLIPPED = CONFIG.reading.quality.clipped


@dataclass(frozen=True, slots=True)
class Pose:
    """How a card lies: its middle in mat mm, degrees clockwise."""

    x: float
    y: float
    angle: float

    def to_mat(self, right: float, down: float) -> tuple[float, float]:
        """Map a point of the card, mm from its middle, to mat mm."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return self.x + right * c - down * s, self.y + right * s + down * c

    def from_mat(self, x: float, y: float) -> tuple[float, float]:
        """Map a point of the mat (mm) to mm right of and below the card's middle, as the card lies."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        dx, dy = x - self.x, y - self.y
        return dx * c + dy * s, dy * c - dx * s

    def list_corners(self, size_mm: tuple[float, float]) -> list[tuple[float, float]]:
        """Return the corners of a card of that size, in mat mm, clockwise from its upper left one."""
        w, h = size_mm[0] / 2, size_mm[1] / 2
        return [self.to_mat(right, down) for right, down in ((-w, -h), (w, -h), (w, h), (-w, h))]

    def move_by(self, right: float, down: float, turned: float = 0.0) -> Pose:
        """Move a card further right and down on itself, and turn it about its middle."""
        x, y = self.to_mat(right, down)
        return Pose(x, y, self.angle + turned)


@dataclass(frozen=True, slots=True)
class FlatMat:
    """The mat in a picture, white paper at 235: ``fine`` (h, w, 3) straightened at the fit's scale and softened,
    ``clipped`` (h, w), 255 where the camera was at its upper end, and what is needed to cut cards out of the picture
    itself, which keeps them sharper.
    """

    fine: Picture
    clipped: Picture
    picture: Picture
    mat: Mat
    light: Light

    @classmethod
    def from_picture(cls, picture: Picture, mat: Mat, light: Light) -> FlatMat:
        """Straighten the mat of a picture (h, w, 3)."""
        raw = mat.rectify(picture, _FIT.px_per_mm)
        bright = light.correct_mat(raw, _FIT.px_per_mm)
        return cls(np.asarray(soften(bright, _FIT.blur_px), np.uint8), _find_clipped(raw), picture, mat, light)

    def bring_up_to(self, picture: Picture, changed: Picture) -> FlatMat:
        """Bring the mat up to the next picture; straighten only where it ``changed`` (h, w), 255 there at any scale."""
        fine, clipped = self.fine.copy(), self.clipped.copy()
        rows, columns = fine.shape[:2]
        reach = np.ones((3, 3), np.uint8)
        across, down = (-(-side // _SEARCH.tile_px) for side in (columns, rows))
        w, h = changed.shape[1] / columns * _SEARCH.tile_px, changed.shape[0] / rows * _SEARCH.tile_px
        tiles = np.zeros((down, across), np.uint8)
        ys, xs = np.nonzero(changed)
        tiles[(ys / h).astype(int).clip(0, down - 1), (xs / w).astype(int).clip(0, across - 1)] = 1
        for y, x in np.argwhere(cv2.dilate(tiles, reach) > 0).tolist():
            x0, y0 = x * _SEARCH.tile_px, y * _SEARCH.tile_px
            x1, y1 = min(columns, x0 + _SEARCH.tile_px), min(rows, y0 + _SEARCH.tile_px)
            edge = _SEARCH.tile_edge_px
            part = (max(0, x0 - edge), max(0, y0 - edge), min(columns, x1 + edge), min(rows, y1 + edge))
            raw = self.mat.rectify(picture, _FIT.px_per_mm, part=part)
            bright = self.light.correct_mat(raw, _FIT.px_per_mm, origin_px=part[:2])
            inner = slice(y0 - part[1], y1 - part[1]), slice(x0 - part[0], x1 - part[0])
            fine[y0:y1, x0:x1] = np.asarray(soften(bright, _FIT.blur_px), np.uint8)[inner]
            clipped[y0:y1, x0:x1] = _find_clipped(raw)[inner]
        return FlatMat(fine, clipped, picture, self.mat, self.light)

    @property
    def size_mm(self) -> tuple[float, float]:
        """The mat's width and height."""
        h, w = self.fine.shape[:2]
        return w / _FIT.px_per_mm, h / _FIT.px_per_mm

    def shrink_to(self, px_per_mm: float) -> Picture:
        """Return the whole at a coarser scale."""
        width, height = self.size_mm
        size = (round(width * px_per_mm), round(height * px_per_mm))
        return np.asarray(cv2.resize(self.fine, size, interpolation=cv2.INTER_AREA), np.uint8)

    def cut_patch(self, pose: Pose, size_mm: tuple[float, float]) -> Floats:
        """Cut out a turned rectangle at the fit's scale, upright, (h, w, 3)."""
        return np.asarray(self._cut(self.fine, pose, size_mm), np.float32)

    def find_glare(self, pose: Pose, size_mm: tuple[float, float]) -> Mask:
        """Find where (h, w) that is clipped."""
        return np.asarray(self._cut(self.clipped, pose, size_mm) > 0)

    def _cut(self, source: Picture, pose: Pose, size_mm: tuple[float, float]) -> np.ndarray:
        w, h = (round(side * _FIT.px_per_mm) for side in size_mm)
        c, s = math.cos(math.radians(pose.angle)), math.sin(math.radians(pose.angle))
        x, y = pose.x * _FIT.px_per_mm - 0.5, pose.y * _FIT.px_per_mm - 0.5
        across, down = (w - 1) / 2, (h - 1) / 2
        warp = np.array([[c, -s, x - c * across + s * down], [s, c, y - s * across - c * down]])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(source, warp, (w, h), flags=how, borderMode=cv2.BORDER_CONSTANT))

    def sample_points(self, pose: Pose, size_mm: tuple[float, float], at: NDArray[np.intp]) -> tuple[Floats, Mask]:
        """Sample a card of that size at some of the points where it is compared, (3, k), straight from the picture.

        Also return which of them (k,) are at the camera's upper end.
        """
        columns = math.ceil(round(size_mm[0] * _FIT.kept_px_per_mm) / 2)
        top, below = int(at[0]) // columns, int(at[-1]) // columns + 1
        # A point is the first of two pixels each way.
        first = 0.5 / _FIT.kept_px_per_mm - STEP_MM / 2
        right, down = first + (columns * STEP_MM - size_mm[0]) / 2, first + ((top + below) * STEP_MM - size_mm[1]) / 2
        middle, size = pose.move_by(right, down), (columns, below - top)
        softness, at = _FIT.blur_px / _FIT.kept_px_per_mm, at - top * columns
        raw = self.mat.sample_points(self.picture, (middle.x, middle.y), pose.angle, size, STEP_MM, softness)
        seen = self.light.correct_patch(raw, (middle.x, middle.y))
        clipped = self.find_glare(middle, (size[0] * STEP_MM, size[1] * STEP_MM))
        return np.ascontiguousarray(seen.reshape(-1, 3)[at].T, np.float32), clipped.reshape(-1)[at]


def _find_clipped(raw: Picture) -> Picture:
    """Find where (h, w) a picture (h, w, 3) as the camera gave it is at its upper end, 255 there."""
    blue, green, red = cv2.split(raw)
    least = cv2.min(cv2.min(blue, green), red)
    return np.asarray(cv2.threshold(least, _CLIPPED - 1, 255, cv2.THRESH_BINARY)[1], np.uint8)
