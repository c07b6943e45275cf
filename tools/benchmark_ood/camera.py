"""Where the camera hangs over a table and what it sees where."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Look:
    """How a table looks: its mat, its light and where the camera hangs."""

    mat: str
    glare: str
    tilt: tuple[float, float]
    roll: float
    height: float
    margin: float
    """Millimetres of the table that show round the mat."""
    warm: float
    clutter: int
    samples: int


@dataclass(frozen=True)
class Camera:
    """A pinhole: place, axes (right, up, forward) and focal length in px, for pictures of ``size``."""

    eye: np.ndarray
    target: np.ndarray
    up: np.ndarray
    focal: float
    size: tuple[int, int]

    def project_points(self, points: np.ndarray) -> np.ndarray:
        """Project world points (n, 3) to px (n, 2)."""
        forward = self.target - self.eye
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, self.up)
        right /= np.linalg.norm(right)
        up = np.cross(right, forward)
        from_eye = points - self.eye
        depth = from_eye @ forward
        x = self.size[0] / 2 + self.focal * (from_eye @ right) / depth
        y = self.size[1] / 2 - self.focal * (from_eye @ up) / depth
        return np.stack([x, y], 1)


def to_world(x: np.ndarray | float, y: np.ndarray | float, z: np.ndarray | float = 0.0) -> np.ndarray:
    """Map mat millimetres to the tracer's axes (x right, y away from the viewer, z up)."""
    return np.stack(np.broadcast_arrays(np.asarray(x, float), -np.asarray(y, float), np.asarray(z, float)), -1)


def camera_over(mat_mm: tuple[float, float], look: Look, size: tuple[int, int], spare: float) -> Camera:
    """Place a camera whose picture of ``size`` shows the whole mat and its margin; ``spare`` widens what is traced."""
    w, h = mat_mm
    middle = to_world(w / 2, h / 2)
    ax, ay = (math.radians(a) for a in look.tilt)
    eye = middle + look.height * np.array([math.tan(ax), math.tan(ay), 1.0])
    roll = math.radians(look.roll)
    up = np.array([math.sin(roll), math.cos(roll), 0.0])
    m = look.margin
    corners = to_world(np.array([-m, w + m, w + m, -m]), np.array([-m, -m, h + m, h + m]))
    probe = Camera(eye, middle, up, 1000.0, (0, 0))
    # aim so that the corners lie evenly about the middle of the picture
    for _ in range(4):
        px = probe.project_points(corners)
        shift = (px.max(0) + px.min(0)) / 2 / 1000.0 * look.height
        target = probe.target + np.array(
            [
                shift[0] * math.cos(roll) - shift[1] * math.sin(roll),
                -shift[1] * math.cos(roll) - shift[0] * math.sin(roll),
                0,
            ]
        )
        probe = Camera(eye, target, up, 1000.0, (0, 0))
    px = np.abs(probe.project_points(corners)).max(0)
    focal = 1000.0 * min(size[0] / 2 / px[0], size[1] / 2 / px[1]) / spare
    return Camera(eye, probe.target, up, focal, size)
