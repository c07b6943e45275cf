"""Where dice are looked for: a rectangle of the mat, the whole mat, or a picture that shows no mat."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import Picture
from vision.config import CONFIG
from vision.dice.lean import camera_place, lean_at
from vision.dice.reader import DiceReader, SeenDie
from vision.mat import Mat

_SCALE = CONFIG.dice.face.px_per_mm


def read_on_mat(
    reader: DiceReader, picture: Picture, mat: Mat, rect_mm: tuple[float, float, float, float]
) -> tuple[SeenDie, ...]:
    """Read the dice within a rectangle (x0, y0, x1, y1) of the mat, in mat mm; the picture is (h, w, 3) BGR uint8."""
    x0, y0, x1, y1 = rect_mm
    region = mat.cut_patch(picture, ((x0 + x1) / 2, (y0 + y1) / 2), 0.0, (x1 - x0, y1 - y0), _SCALE)
    camera = camera_place(mat)
    seen = reader.read(region, lambda place: lean_at(camera, (place[0] + x0, place[1] + y0)))
    return tuple(replace(die, x=die.x + x0, y=die.y + y0) for die in seen)


def read_in_picture(reader: DiceReader, picture: Picture, px_per_mm: float, edge_mm: float) -> tuple[SeenDie, ...]:
    """Read the dice in a picture that is all tray, places and edges in its px.

    ``px_per_mm`` is the scale in the table's plane, ``edge_mm`` the dice's usual edge.
    """
    scale = _SCALE * CONFIG.dice.find.usual_edge_mm / (edge_mm * px_per_mm)
    size = tuple(max(1, round(side * scale)) for side in picture.shape[1::-1])
    resized = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    px = _SCALE / scale
    return tuple(
        replace(die, x=die.x * px, y=die.y * px, edge=die.edge * px)
        for die in reader.read(np.asarray(resized, np.uint8))
    )
