"""The camera's place from the mat alone: dice that lean are told from dice seen from the side by it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.dice.lean import camera_place, lean_at
from vision.mat import Mat

MAT = (1189.0, 841.0)


def mat_seen(place: tuple[float, float, float], aimed: tuple[float, float], focal: float) -> Mat:
    """Return a mat seen from a place (x, y, height in mm) by a camera that looks at a point of it."""
    eye = np.array([place[0], place[1], -place[2]])
    ahead = np.array([*aimed, 0.0]) - eye
    ahead /= np.linalg.norm(ahead)
    across = np.cross(np.array([0.0, 1.0, 0.0]), ahead)
    across /= np.linalg.norm(across)
    turn = np.stack([across, np.cross(ahead, across), ahead])
    whole = np.diag([focal, focal, 1.0]) @ np.column_stack([turn[:, :2], -turn @ eye])
    return Mat(MAT, (3280, 2464), tuple((whole / whole[2, 2]).ravel()), 0.0, (), 0.1)


@pytest.mark.parametrize("focal", [1.1, 1.3, 1.6])
@pytest.mark.parametrize("place", [(594, 420, 1000), (594, 900, 1000), (300, 1100, 850), (1000, 100, 1300)])
def test_the_camera_is_found_closely_enough(place: tuple[float, float, float], focal: float) -> None:
    camera = camera_place(mat_seen(place, (594, 420), focal))
    for spot in ((1130.0, 420.0), (594.0, 100.0)):
        true = (np.array(place[:2]) - spot) / place[2]
        got = lean_at(camera, spot)
        assert math.dist(true, got) < 0.06 + 0.25 * float(np.linalg.norm(true))


def test_seen_at_an_angle_the_lens_is_measured() -> None:
    place = (594.0, 1300.0, 900.0)
    camera = camera_place(mat_seen(place, (594, 420), 1.9))
    assert camera == pytest.approx(place, rel=0.02)
