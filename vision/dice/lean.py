"""Which way the camera is from a place on the mat: how far sideways for each millimetre up.

A die that lies flat shows its bottom face that way from its top face, which is how one that leans differs from it.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Doubles
from vision.config import CONFIG
from vision.mat import Mat

_LEAN = CONFIG.dice.lean


def camera_place(mat: Mat) -> Doubles:
    """Estimate the camera's place (3,) in mm: x and y on the mat, and its height above it.

    The focal length follows from the mat's perspective as far as there is any; seen from straight above there is none,
    and a usual lens is taken.
    """
    h = np.reshape(mat.homography, (3, 3)).astype(np.float64)
    h = h / np.sqrt((h[:2, :2] ** 2).sum() / 2)
    # The mat's axes are at right angles and of one length, seen by a camera of square pixels.
    flat = np.array([h[:2, 0] @ h[:2, 1], h[:2, 0] @ h[:2, 0] - h[:2, 1] @ h[:2, 1]])
    deep = np.array([h[2, 0] * h[2, 1], h[2, 0] ** 2 - h[2, 1] ** 2])
    usual, weight = _LEAN.usual_focal**-2.0, _LEAN.usual_weight**2
    inverse = (weight * usual - flat @ deep) / (weight + flat @ flat)
    focal = 1 / np.sqrt(np.clip(inverse, _LEAN.max_focal**-2.0, _LEAN.min_focal**-2.0))
    pose = h / np.array([[focal], [focal], [1.0]])
    pose = pose / np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
    pose = pose * np.sign(pose[2, 2])
    u, _, v = np.linalg.svd(np.column_stack([pose[:, :2], np.cross(pose[:, 0], pose[:, 1])]))
    x, y, down = -(u @ v).T @ pose[:, 2]
    return np.array([x, y, -down])


def lean_at(camera: Doubles, place_mm: tuple[float, float]) -> Doubles:
    """Return how far sideways (2,) one goes from a place on the table for each mm up towards the camera."""
    return np.asarray((camera[:2] - np.array(place_mm)) / camera[2])
