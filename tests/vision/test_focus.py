"""How wide the markers' edges look: wider the less sharp the picture is, and nothing where no edge is seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from simulator.camera import Lens, SimulatedCamera
from vision.mat import find_mat
from vision.mat.focus import measure_edge_width_mm

MAT = (900.0, 600.0)


def width(blur: float, exposure: float = 0.94) -> float:
    camera = SimulatedCamera(MAT, 3, replace(Lens(size=(2000, 1500)), blur=blur, exposure=exposure))
    camera.show(())
    picture = camera.take_picture()
    found = measure_edge_width_mm(picture, find_mat(picture, MAT))
    assert found is not None
    return found


@pytest.mark.slow  # tests/device/test_sighting.py: out of focus is said
def test_the_softer_the_picture_the_wider_the_edges() -> None:
    widths = [width(blur) for blur in (0.3, 0.8, 1.6, 3.0)]
    assert widths == sorted(widths)
    assert widths[-1] > 2.5 * widths[0]


@pytest.mark.slow  # tests/device/test_sighting.py
def test_light_alone_changes_little() -> None:
    assert width(0.8, exposure=0.45) == pytest.approx(width(0.8), rel=0.15)


def test_markers_that_vanish_measure_nothing() -> None:
    camera = SimulatedCamera(MAT, 3, Lens(size=(2000, 1500)))
    camera.show(())
    picture = camera.take_picture()
    mat = find_mat(picture, MAT)
    flat = np.full_like(picture, 90)
    assert measure_edge_width_mm(flat, mat) is None
    for marker in mat.markers[:2]:
        x, y = (int(v) for v in marker.array.mean(axis=0))
        cv2.rectangle(picture, (x - 120, y - 120), (x + 120, y + 120), (60, 60, 60), -1)
    assert measure_edge_width_mm(picture, mat) is not None, "two are enough"
