"""Dice in a tray as a camera above it sees them: cubes with round corners, white pips and a soft shadow."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from referee.placing import Tray
from referee.table import Die

U8 = npt.NDArray[np.uint8]
F64 = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

EDGE_MM = 16.0
_ROUND_MM = 2.2
_PIP_MM = 1.6
_PIPS_AT = 4.2
"""How far from the middle of a face the outer pips are, in mm."""
_LEANS = math.radians(35)
"""How far a cocked die leans."""
_TRAY = (150, 170, 176)
_BODIES = {"brown": (44, 74, 122), "black": (34, 32, 32)}
_PIP = (236, 238, 238)
_SHADOW = (20, 24, 24)
_DIM = 0.6
"""So bright is a side of a die, of its top."""

_ONE = ((0, 0),)
_TWO = ((-1, -1), (1, 1))
_FOUR = (*_TWO, (-1, 1), (1, -1))
_PIPS = {1: _ONE, 2: _TWO, 3: (*_TWO, *_ONE), 4: _FOUR, 5: (*_FOUR, *_ONE), 6: (*_FOUR, (-1, 0), (1, 0))}
_TURNS = np.linspace(0, math.tau, 24, endpoint=False)
_ROUND = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])


def paint_tray(image: U8, tray: Tray, px: Callable[[float], float], scale: float, eye: F64) -> None:
    """Paint a tray and its dice as seen from ``eye`` (3,): mm across and down the mat, and above it.

    ``px`` gives the px of a place in mm, ``scale`` the px of a mm.
    """
    x0, y0, x1, y1 = (round(px(side)) for side in tray.box)
    cv2.rectangle(image, (x0, y0), (x1, y1), _TRAY, -1)

    def fill(points: F64, colour: Colour) -> None:
        # What is above the table hides the place behind it, seen from the eye.
        seen = px(0.0) + scale * (eye[:2] + (points[:, :2] - eye[:2]) * (eye[2] / (eye[2] - points[:, 2:])))
        outline = cv2.convexHull(np.rint(seen * 8).astype(np.int32))
        cv2.fillConvexPoly(image, outline, colour, cv2.LINE_AA, shift=3)

    for die in tray.dice:
        turn, middle = _find_lie(die, eye)
        rows, columns = (slice(round(px(at - 2 * EDGE_MM)), round(px(at + 2 * EDGE_MM))) for at in (die.y, die.x))
        bare = image[rows, columns].copy()
        fill((_make_solid(EDGE_MM + 1.6) @ turn + middle) * (1, 1, 0) + (0.8, 1.4, 0), _SHADOW)
        image[rows, columns] = cv2.addWeighted(image[rows, columns], 0.45, bare, 0.55, 0)
        _paint_die(fill, die, turn, middle, eye)


def _find_lie(die: Die, eye: F64) -> tuple[F64, F64]:
    """Return how a die is turned (its axes in rows), and its middle.

    It is turned by its place, so that it lies the same in every picture, and the middle of its top face shows there.
    """
    yaw = math.radians((die.x * 7 + die.y * 13) % 90)
    lean = _LEANS if die.value is None else 0.0
    across, down, up = cv2.Rodrigues(np.array([0.0, 0.0, -yaw]))[0]
    turn = np.array([across, down * math.cos(lean) - up * math.sin(lean), down * math.sin(lean) + up * math.cos(lean)])
    height = EDGE_MM / 2 * float(np.abs(turn[:, 2]).sum())
    top = turn[2] * EDGE_MM / 2 + (0.0, 0.0, height)
    place = eye[:2] + (np.array([die.x, die.y]) - eye[:2]) * (1 - top[2] / eye[2])
    return turn, np.array([*(place - top[:2]), height])


def _paint_die(fill: Callable[[F64, Colour], None], die: Die, turn: F64, middle: F64, eye: F64) -> None:
    body = _BODIES.get(die.colour, _BODIES["black"])
    fill(_make_solid(EDGE_MM) @ turn + middle, _shade(body, _DIM))
    up = die.value or 5
    values = (*(value for value in (1, 2, 3) if value not in (up, 7 - up)), up)
    for axis, value in enumerate(values):
        for way, shown in ((1, value), (-1, 7 - value)):
            centre = middle + way * turn[axis] * EDGE_MM / 2
            if (centre - middle) @ (eye - centre) > 0:
                plane, light = np.delete(turn, axis, axis=0), 1.0 if axis == 2 else _DIM
                fill(centre + _make_outline(EDGE_MM) @ plane, _shade(body, light))
                for pip in _PIPS[shown]:
                    fill(centre + (np.array(pip) * _PIPS_AT + _PIP_MM * _ROUND) @ plane, _shade(_PIP, light))


def _shade(colour: Colour, light: float) -> Colour:
    blue, green, red = (round(channel * light) for channel in colour)
    return blue, green, red


def _make_outline(edge_mm: float) -> F64:
    """Return the outline (n, 2) of a face with round corners, from its middle."""
    return np.sign(np.round(_ROUND, 6)) * (edge_mm / 2 - _ROUND_MM) + _ROUND * _ROUND_MM


def _make_solid(edge_mm: float) -> F64:
    """Return the outlines (n, 3) of all faces, from the die's middle and along its axes."""
    face, half = _make_outline(edge_mm), edge_mm / 2
    return np.concatenate([np.insert(face, axis, way * half, axis=1) for axis in range(3) for way in (-1, 1)])
