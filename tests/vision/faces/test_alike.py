"""Heads that are like each other, or like themselves upside down, and backs that are like a dark edge."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from PIL import Image

from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from simulator.camera import CardSprites, SimulatedCamera
from vision.arrays import Picture
from vision.faces.naming import measure_similarity
from vision.faces.reading import FaceReader
from vision.faces.search import Place
from vision.faces.strips import inner_slices
from vision.faces.table import FlatMat
from vision.identify.faces import Faces
from vision.mat import find_mat
from vision.mat.light import Light

SIZE = (65.0, 100.0)
NAMES = ("one", "two", "three", "four")
_SCALE = 8


def drawn(name: str) -> Picture:
    """Draw a blue card with a wreath in its head, which the next card's rim makes look upside down; a dark rim, BGR."""
    number = NAMES.index(name)
    w, h = (round(side * _SCALE) for side in SIZE)
    picture = np.full((h, w, 3), 25, np.uint8)
    picture[24:-24, 24:-24] = (150, 80, 20)
    middle = (w // 2, round(12.5 * _SCALE))
    cv2.circle(picture, middle, 56, (230, 230, 230), 14, cv2.LINE_AA)
    for k in range(number + 1):
        at = (middle[0] + round(22 * (k - number / 2)), middle[1])
        cv2.line(picture, (at[0], at[1] - 26), (at[0], at[1] + 26), (240, 240, 240), 8, cv2.LINE_AA)
    small = np.random.default_rng(number).integers(30, 220, (8, 6, 3), np.uint8)
    picture[24 * _SCALE : -32, 32:-32] = cv2.resize(
        small, (w - 64, h - 24 * _SCALE - 32), interpolation=cv2.INTER_CUBIC
    )
    return picture


class _Sprites(CardSprites):
    def draw_face(self, name: str) -> Image.Image:
        size = tuple(round(side * self.px_per_mm) for side in SIZE)
        return Image.fromarray(np.ascontiguousarray(drawn(name)[..., ::-1])).resize(size, Image.Resampling.LANCZOS)


@pytest.mark.slow  # test_reading.py
def test_a_head_that_is_the_same_upside_down_lies_as_its_card_does() -> None:
    small = tuple(round(2 * side) for side in SIZE)
    pictures = np.stack([cv2.resize(drawn(name), small, interpolation=cv2.INTER_AREA) for name in NAMES])
    reader = FaceReader.for_faces(Faces(NAMES, np.asarray(pictures, np.uint8), SIZE))
    above = SimulatedCamera(REFERENCE_MAT_MM, 11, None, _Sprites)
    lying = [Placed(name, 300.0, 500.0 + 25 * step, 1.0) for step, name in enumerate(NAMES)]
    above.show(lying)
    shot = above.take_picture()
    mat = find_mat(shot, REFERENCE_MAT_MM)
    flat = FlatMat.from_picture(shot, mat, Light.measure(shot, mat))
    card, head = lying[1], lying[1].y - SIZE[1] / 2 + 12.5
    upright, upside = (Place(card.x, head, angle, 0.9, (0, 1, 2, 3), 0.0) for angle in (0.0, 180.0))
    alone = reader.fit_either_way(flat, upside, [upside], {})
    assert alone is not None
    assert alone.likeness > 0.75
    either = reader.fit_either_way(flat, upside, [upside, upright], {})
    assert either is not None
    assert math.dist((either.pose.x, either.pose.y), (card.x, card.y)) < 1
    assert abs(either.pose.angle - card.angle) < 1
    assert sorted(one.name for one in reader.read(flat).sightings) == sorted(NAMES)


def test_a_dark_edge_is_not_like_a_plain_back() -> None:
    w, h = 130, 44
    rng = np.random.default_rng(4)
    back = np.full((h, w, 3), (40, 90, 190), np.float32)
    back[:7] = back[:, :7] = back[:, -7:] = 25
    back += cv2.GaussianBlur(rng.normal(0, 60, back.shape).astype(np.float32), (0, 0), 3)
    edge = np.full((h, w, 3), (45, 80, 115), np.float32)
    edge[:7] = 25
    noise = rng.normal(0, 3, back.shape).astype(np.float32)
    inner = np.zeros((h, w), bool)
    inner[inner_slices((w, h), 2.0)] = True
    rows, columns = np.nonzero(inner)
    assert np.corrcoef(edge[:, 20:-20].ravel(), back[:, 20:-20].ravel())[0, 1] > 0.8
    darker, edge, back = (each[rows, columns].T for each in (0.9 * back + noise, edge + noise, back))
    assert measure_similarity(edge, back, rows) < 0.3
    assert measure_similarity(darker, back, rows) > 0.95
