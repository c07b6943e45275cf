"""Dice in a tray, painted flat from above: bodies with round corners, white pips, and a soft shadow."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from referee.placing import Tray
from referee.table import Die

U8 = npt.NDArray[np.uint8]
Corners = npt.NDArray[np.float64]

EDGE_MM = 16.0
_ROUND_MM = 2.2
_PIP_MM = 1.6
_PIPS_AT = 4.2
"""How far from the middle the outer pips are, in mm."""
_TRAY = (150, 170, 176)
_BODIES = {"brown": (44, 74, 122), "black": (34, 32, 32)}
_PIP = (236, 238, 238)
_LEANS = 0.62
"""How much of a face is seen of each of the two that a cocked die shows."""

_ONE = ((0, 0),)
_TWO = ((-1, -1), (1, 1))
_FOUR = (*_TWO, (-1, 1), (1, -1))
_PIPS = {1: _ONE, 2: _TWO, 3: (*_TWO, *_ONE), 4: _FOUR, 5: (*_FOUR, *_ONE), 6: (*_FOUR, (-1, 0), (1, 0))}


def paint_tray(image: U8, tray: Tray, px: Callable[[float], float], scale: float) -> None:
    """Paint a tray and its dice; ``px`` gives the px of a place in mm, ``scale`` the px of a mm."""
    x0, y0, x1, y1 = (round(px(side)) for side in tray.box)
    cv2.rectangle(image, (x0, y0), (x1, y1), _TRAY, -1)
    for die in tray.dice:
        _paint_die(image, die, px, scale)


def _paint_die(image: U8, die: Die, px: Callable[[float], float], scale: float) -> None:
    """One die, turned by its place, so that it lies there the same in every picture."""
    turn = math.radians((die.x * 7 + die.y * 13) % 90)
    across = np.array([math.cos(turn), math.sin(turn)]) * scale
    down = np.array([-across[1], across[0]])
    middle = np.array([px(die.x), px(die.y)])
    body = _BODIES.get(die.colour, _BODIES["black"])
    shadow = image.copy()
    _fill(shadow, middle + np.array([0.8, 1.4]) * scale, across, down, EDGE_MM + 1.6, (20, 24, 24))
    cv2.addWeighted(shadow, 0.45, image, 0.55, 0, image)
    if die.value is not None:
        _face(image, middle, across, down, die.value, body)
        return
    # On an edge: two faces are seen, each at a slant, one of them in the light.
    light = tuple(min(255, channel + 26) for channel in body)
    offset = down * EDGE_MM * _LEANS / 2
    _face(image, middle - offset, across, down * _LEANS, 3, (light[0], light[1], light[2]))
    _face(image, middle + offset, across, down * _LEANS, 5, body)


def _face(image: U8, middle: Corners, across: Corners, down: Corners, value: int, body: tuple[int, int, int]) -> None:
    _fill(image, middle, across, down, EDGE_MM, body)
    for x, y in _PIPS[value]:
        centre = middle + (x * across + y * down) * _PIPS_AT
        axes = (round(_PIP_MM * float(np.hypot(*across)) * 8), round(_PIP_MM * float(np.hypot(*down)) * 8))
        angle = math.degrees(math.atan2(across[1], across[0]))
        at = (round(centre[0] * 8), round(centre[1] * 8))
        cv2.ellipse(image, at, axes, angle, 0, 360, _PIP, -1, cv2.LINE_AA, shift=3)


def _fill(
    image: U8, middle: Corners, across: Corners, down: Corners, edge_mm: float, colour: tuple[int, int, int]
) -> None:
    """A square with round corners."""
    inner = edge_mm / 2 - _ROUND_MM
    outline = [
        middle + across * (sx * inner + _ROUND_MM * math.cos(angle)) + down * (sy * inner + _ROUND_MM * math.sin(angle))
        for sx, sy, start in ((1, 1, 0.0), (-1, 1, 0.25), (-1, -1, 0.5), (1, -1, 0.75))
        for angle in np.linspace(start, start + 0.25, 6) * math.tau
    ]
    cv2.fillPoly(image, [np.rint(np.array(outline) * 8).astype(np.int32)], colour, cv2.LINE_AA, shift=3)
