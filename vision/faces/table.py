"""The mat straightened, as faces are compared with it, and what is cut out of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.faces.strips import softened
from vision.mat import Mat
from vision.mat.light import Light

_FACES = CONFIG.faces
_CLIPPED = CONFIG.reading.quality.clipped


@dataclass(frozen=True, slots=True)
class Pose:
    """How a card lies: its middle in mat mm, degrees clockwise."""

    x: float
    y: float
    angle: float

    def at(self, right: float, down: float) -> tuple[float, float]:
        """A point of the card, mm from its middle, in mat mm."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return self.x + right * c - down * s, self.y + right * s + down * c

    def moved(self, right: float, down: float, turned: float = 0.0) -> Pose:
        """A card further right and down on itself, and turned about its middle."""
        x, y = self.at(right, down)
        return Pose(x, y, self.angle + turned)


@dataclass(frozen=True, slots=True)
class FlatMat:
    """The mat in a picture, white paper at 235, softened: ``fine`` (h, w, 3) at the faces' scale, ``clipped`` (h, w)
    where the camera was at its upper end.
    """

    fine: Picture
    clipped: Picture

    @classmethod
    def of(cls, picture: Picture, mat: Mat, light: Light) -> FlatMat:
        """Straighten the mat of a picture (h, w, 3)."""
        raw = mat.rectify(picture, _FACES.fit.kept_px_per_mm)
        blue, green, red = cv2.split(raw)
        least = cv2.min(cv2.min(blue, green), red)
        clipped = np.asarray(cv2.threshold(least, _CLIPPED - 1, 255, cv2.THRESH_BINARY)[1], np.uint8)
        bright = light.correct_mat(raw, _FACES.fit.kept_px_per_mm)
        return cls(np.asarray(cv2.GaussianBlur(bright, (0, 0), _FACES.fit.blur_px), np.uint8), clipped)

    @property
    def size_mm(self) -> tuple[float, float]:
        """The mat's width and height."""
        h, w = self.fine.shape[:2]
        return w / _FACES.fit.kept_px_per_mm, h / _FACES.fit.kept_px_per_mm

    def coarse(self, px_per_mm: float) -> Picture:
        """The whole at a coarser scale."""
        width, height = self.size_mm
        size = (round(width * px_per_mm), round(height * px_per_mm))
        return np.asarray(cv2.resize(self.fine, size, interpolation=cv2.INTER_AREA), np.uint8)

    def patch(self, pose: Pose, size_mm: tuple[float, float], px_per_mm: float) -> Floats:
        """A turned rectangle, upright, (h, w, 3)."""
        return np.asarray(self._cut(self.fine, pose, size_mm, px_per_mm), np.float32)

    def lost(self, pose: Pose, size_mm: tuple[float, float], px_per_mm: float) -> np.ndarray:
        """Where (h, w) that is clipped."""
        return np.asarray(self._cut(self.clipped, pose, size_mm, px_per_mm) > 0)

    def _cut(self, source: Picture, pose: Pose, size_mm: tuple[float, float], px_per_mm: float) -> np.ndarray:
        w, h = (round(side * px_per_mm) for side in size_mm)
        step = _FACES.fit.kept_px_per_mm / px_per_mm
        c, s = step * math.cos(math.radians(pose.angle)), step * math.sin(math.radians(pose.angle))
        x, y = pose.x * _FACES.fit.kept_px_per_mm - 0.5, pose.y * _FACES.fit.kept_px_per_mm - 0.5
        across, down = (w - 1) / 2, (h - 1) / 2
        warp = np.array([[c, -s, x - c * across + s * down], [s, c, y - s * across - c * down]])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(source, warp, (w, h), flags=how, borderMode=cv2.BORDER_CONSTANT))


def softened_faces(pictures: Picture) -> Floats:
    """Faces (n, h, w, 3) softened as the mat is."""
    return np.stack([softened(picture, _FACES.fit.blur_px) for picture in pictures])
