"""Resample a picture: turned patches and the straightened mat, averaged down first so that nothing aliases."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Picture

CELL_PX = 16
BLUR_REACH_PX = 2
"""How far a reduced picture's blur reaches."""


def map_nodes(w: int, h: int) -> tuple[Doubles, Doubles]:
    """Return the pixels x and y, every 16, at which a map of w × h is computed exactly."""
    nx, ny = -(-w // CELL_PX), -(-h // CELL_PX)
    # cv2.resize takes node i for the centre of cell i; one node more all round, as it does not extrapolate
    xs = (np.arange(-1, nx + 1) + 0.5) * CELL_PX - 0.5
    ys = (np.arange(-1, ny + 1) + 0.5) * CELL_PX - 0.5
    x, y = np.meshgrid(xs, ys)
    return x, y


def fine_maps(nodes: Floats, w: int, h: int, parts: int, low: tuple[int, int] = (0, 0)) -> tuple[Floats, Floats]:
    """Interpolate the source's x and y for each pixel (h, w) between those at the nodes (off by some 1/1000 px).

    ``low`` is where the source begins in the picture, ``parts`` how many pixels each way it has made one.
    """
    size = (nodes.shape[1] * CELL_PX, nodes.shape[0] * CELL_PX)
    fine = np.asarray(cv2.resize(nodes, size, interpolation=cv2.INTER_LINEAR))
    within = fine[CELL_PX : CELL_PX + h, CELL_PX : CELL_PX + w]
    # each as a plane: numpy is slow on pairs
    x, y = (np.array(within[..., axis], np.float32, order="C") for axis in (0, 1))
    return _map_to_parts(x, low[0], parts), _map_to_parts(y, low[1], parts)


def sample_patch(picture: Picture, nodes: Floats, w: int, h: int, shrink: float) -> Picture:
    """Sample a patch of w × h px whose nodes lie at those pixels, ``shrink`` times as fine as the picture."""
    # cut first: everything after is quicker on a small source
    low, cut = _cut(picture, nodes.reshape(-1, 2), math.ceil(2 / shrink) + 3)
    if cut.size == 0:
        return np.zeros((h, w, *picture.shape[2:]), np.uint8)
    source, parts = _prepare_shrinking(cut, shrink)
    interpolation = cv2.INTER_CUBIC if parts == 1 else cv2.INTER_LINEAR
    return remap(source, *fine_maps(nodes, w, h, parts, low), interpolation)


def sample_softened(picture: Picture, nodes: Floats, w: int, h: int, blur_px: float) -> Picture:
    """Sample points (h, w, 3), whose nodes lie at those pixels, of the picture softened by so much."""
    x, y = fine_maps(nodes, w, h, 1)
    low, cut = _cut(picture, np.array([[x.min(), y.min()], [x.max(), y.max()]]), math.ceil(3 * blur_px))
    if cut.size == 0:
        return np.zeros((h, w, *picture.shape[2:]), np.uint8)
    # Sampling between pixels softens too: by a sixth of a pixel, squared, on average.
    own = math.sqrt(max(blur_px**2 - 1 / 6, 0.01))
    soft = as_picture(cv2.GaussianBlur(cut, (0, 0), own))
    return remap(soft, x - np.float32(low[0]), y - np.float32(low[1]), cv2.INTER_LINEAR)


def _cut(picture: Picture, points: Floats, margin: int) -> tuple[tuple[int, int], Picture]:
    """Cut out the part of a picture around points (n, 2), and return where in the picture it begins."""
    x0, y0 = (max(0, math.floor(v) - margin) for v in points.min(axis=0).tolist())
    x1, y1 = (max(0, math.ceil(v) + margin + 1) for v in points.max(axis=0).tolist())
    return (x0, y0), picture[y0:y1, x0:x1]


def average_down(picture: Picture, parts: int) -> Picture:
    """Average each ``parts`` × ``parts`` pixels of the picture to one; drop pixels left over at the ends."""
    if parts == 1:
        return picture
    if parts == 4:  # OpenCV averages two by two many times more quickly
        return average_down(average_down(picture, 2), 2)
    h, w = (side // parts for side in picture.shape[:2])
    return as_picture(cv2.resize(picture[: h * parts, : w * parts], (w, h), interpolation=cv2.INTER_AREA))


def _map_to_parts(coordinates: Floats, low: int, parts: int) -> Floats:
    """Map pixel coordinates to a reduced picture that begins at ``low``; in place."""
    coordinates -= np.float32(low)
    if parts > 1:
        coordinates += np.float32(0.5)
        coordinates /= np.float32(parts)
        coordinates -= np.float32(0.5)
    return coordinates


def _prepare_shrinking(picture: Picture, shrink: float) -> tuple[Picture, int]:
    """Make the picture ready to be sampled ``shrink`` times as finely without aliasing; return how far it was reduced.

    Whole parts are averaged away, which is quick; what then is left to shrink (less than half) is blurred away.
    """
    parts = averaging_factor(picture.shape[:2], shrink)
    return shrink_picture(picture, shrink, parts), parts


def averaging_factor(size: tuple[int, ...], shrink: float) -> int:
    """Compute how many pixels each way of a picture (h, w) are averaged to one."""
    parts = max(1, math.floor(1 / shrink + 0.05))
    return parts if min(size) >= parts else 1


def shrink_picture(picture: Picture, shrink: float, parts: int) -> Picture:
    """Average each ``parts`` × ``parts`` pixels of the picture to one, and blur it for the rest of ``shrink``."""
    rest = shrink * parts
    source = average_down(picture, parts)
    if rest < 0.85:
        blur = 2 * BLUR_REACH_PX + 1
        source = as_picture(cv2.GaussianBlur(source, (blur, blur), 0.5 * math.sqrt(1 / rest**2 - 1)))
    return source


def remap(source: Picture, map_x: NDArray[Any], map_y: NDArray[Any], interpolation: int) -> Picture:
    """Sample the source at the places of a map, as ``cv2.remap`` wants that; black outside."""
    return as_picture(cv2.remap(source, map_x, map_y, interpolation, borderMode=cv2.BORDER_CONSTANT))


def as_picture(image: object) -> Picture:
    """Return what OpenCV gave as an array of bytes."""
    return np.asarray(image, dtype=np.uint8)
