"""Throws of dice for the tests: cubes of flat, textured faces, projected by a pinhole camera and pasted face by face.

Written apart from the training's scenes, which trace rounded cubes ray by ray; nothing here is shared with them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
_FACE_PX = 160
_MARKS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
_BODIES: tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...] = (
    ((238, 240, 242), (25, 22, 20)),
    ((205, 228, 236), (40, 30, 60)),
    ((26, 24, 22), (240, 240, 238)),
    ((28, 44, 84), (235, 232, 225)),
    ((40, 38, 170), (245, 245, 245)),
    ((150, 70, 24), (248, 248, 248)),
    ((60, 120, 30), (240, 244, 240)),
    ((40, 190, 235), (24, 24, 24)),
    ((110, 60, 110), (250, 245, 250)),
)
"""Bodies and pips, BGR."""


@dataclass(frozen=True)
class Truth:
    """A die that was thrown: its top face's middle and edge (mm of the picture), its value, whether it lies flat."""

    x: float
    y: float
    edge: float
    value: int
    cocked: bool


def _face(value: int, body: tuple[int, int, int], ink: tuple[int, int, int], style: Random) -> Picture:
    """A face's texture; ``style`` is the same for all faces of a die."""
    n = _FACE_PX
    texture = np.empty((n, n, 3), np.uint8)
    texture[:] = body
    spread, radius = style.uniform(0.235, 0.28) * n, style.uniform(0.085, 0.115) * n
    one = style.uniform(0.1, 0.19) * n
    red_one = style.random() < 0.25 and sum(body) > 500
    turned, flipped = style.random() < 0.5, style.random() < 0.5
    for column, row in _MARKS[value]:
        x, y = n / 2 + (column - 1) * spread, n / 2 + (row - 1) * spread
        if value == 6 and turned:
            x, y = y, x
        if value in (2, 3) and flipped:
            x = n - x
        size = one if value == 1 else radius
        colour = (30, 30, 200) if value == 1 and red_one else ink
        centre = (round(x * 8), round(y * 8))
        cv2.circle(texture, centre, round(size * 8), colour, -1, cv2.LINE_AA, 3)
        dull = tuple(int(0.6 * c) for c in colour)
        if style.random() < 0.6:
            cv2.ellipse(texture, (round(x), round(y)), (round(size * 0.9),) * 2, 0, 200, 340, dull, 2, cv2.LINE_AA)
    return texture


def _outline(n: int, corner: float) -> Picture:
    """A face's mask with rounded corners."""
    mask = np.zeros((n, n), np.uint8)
    r = max(1, round(corner * n))
    cv2.rectangle(mask, (r, 0), (n - 1 - r, n - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (n - 1, n - 1 - r), 255, -1)
    for x in (r, n - 1 - r):
        for y in (r, n - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


_CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_SIDES = (
    (1, np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], np.float64)),
    (6, np.array([[1, -1, -1], [-1, -1, -1], [-1, 1, -1], [1, 1, -1]], np.float64)),
    (2, np.array([[-1, 1, 1], [1, 1, 1], [1, 1, -1], [-1, 1, -1]], np.float64)),
    (5, np.array([[1, -1, 1], [-1, -1, 1], [-1, -1, -1], [1, -1, -1]], np.float64)),
    (3, np.array([[1, 1, 1], [1, -1, 1], [1, -1, -1], [1, 1, -1]], np.float64)),
    (4, np.array([[-1, -1, 1], [-1, 1, 1], [-1, 1, -1], [-1, -1, -1]], np.float64)),
)
"""A die's faces by value: their corners, clockwise as seen from outside from the upper left."""


def _turn(axis: str, angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return {
        "x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis].astype(np.float64)


_ON_TOP = {
    1: ("x", 0.0),
    6: ("x", math.pi),
    2: ("x", math.pi / 2),
    5: ("x", -math.pi / 2),
    3: ("y", -math.pi / 2),
    4: ("y", math.pi / 2),
}


def _table(size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """Cloth, boards or a plain tray's floor, (h, w, 3)."""
    h, w = size
    base = rng.uniform(20, 225, 3) * rng.uniform(0.4, 1.0)
    base = np.full(3, base.mean()) * 0.5 + base * 0.5
    grain = rng.normal(0, 1, (h, w))
    kind = int(rng.integers(3))
    if kind == 0:
        pattern = cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(0.6, 1.6))) * float(rng.uniform(4, 30))
    elif kind == 1:
        pattern = cv2.GaussianBlur(grain, (0, 0), 1.2, sigmaY=float(rng.uniform(15, 50))) * float(rng.uniform(40, 160))
    else:
        pattern = cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(8, 30))) * float(rng.uniform(20, 200))
    return np.clip(base + pattern[..., None], 4, 250).astype(np.uint8)


def throw(seed: int, count: int = 2, cocked: float = 0.0) -> tuple[Picture, float, list[Truth]]:
    """A picture (h, w, 3) BGR seen from above, its px per mm, and the dice that lie in it."""
    rng, noise = Random(f"throw {seed}"), np.random.default_rng(seed)
    scale = rng.uniform(2.0, 4.2)
    w_mm, h_mm = rng.uniform(100, 150), rng.uniform(100, 200)
    fine = 2.0 * scale
    w, h = round(w_mm * fine), round(h_mm * fine)
    canvas = _table((h, w), noise).astype(np.float64)
    rim = rng.uniform(2, 7) * fine
    wall = np.array([rng.uniform(10, 200) for _ in range(3)])
    for far, shade in ((rim, 1.0), (rim * 0.35, 0.55)):
        k = round(far)
        for part in (canvas[:k], canvas[-k:], canvas[:, :k], canvas[:, -k:]):
            part[:] = wall * shade
    camera = np.array([rng.uniform(-420, 420) + w_mm / 2, rng.uniform(-420, 420) + h_mm / 2, rng.uniform(750, 1200)])
    lamp = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.7, 2.0)])
    lamp /= np.linalg.norm(lamp)
    truth: list[Truth] = []
    edge = rng.uniform(12, 19)
    same = rng.random() < 0.3
    style_seed, colours = rng.random(), rng.choice(_BODIES)
    for number in range(count):
        if not same and number:
            style_seed, colours = rng.random(), rng.choice(_BODIES)
            edge = edge if rng.random() < 0.7 else rng.uniform(12, 19)
        for _ in range(200):
            x, y = rng.uniform(17, w_mm - 17), rng.uniform(17, h_mm - 17)
            if all(math.dist((x, y), (other.x, other.y)) > 0.9 * (edge + other.edge) for other in truth):
                break
        value, tilted = rng.randint(1, 6), rng.random() < cocked
        truth.append(_draw(canvas, fine, (x, y), edge, value, tilted, camera, lamp, Random(style_seed), colours, rng))
    small = cv2.resize(canvas, (round(w_mm * scale), round(h_mm * scale)), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.35, 1.0))
    gx, gy = np.meshgrid(np.linspace(-1, 1, small.shape[1]), np.linspace(-1, 1, small.shape[0]))
    light = rng.uniform(0.55, 1.15) * (1 + rng.uniform(-0.2, 0.2) * gx + rng.uniform(-0.2, 0.2) * gy)
    warm = np.array([rng.uniform(0.85, 1.05), 1.0, rng.uniform(0.95, 1.12)])
    small = small * light[..., None] * warm + noise.normal(0, rng.uniform(1, 6), small.shape)
    coded = cv2.imencode(
        ".jpg", np.clip(small, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, rng.randint(72, 95)]
    )[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8), scale, truth


def _draw(
    canvas: Floats,
    fine: float,
    at: tuple[float, float],
    edge: float,
    value: int,
    tilted: bool,
    camera: Floats,
    lamp: Floats,
    style: Random,
    colours: tuple[tuple[int, int, int], tuple[int, int, int]],
    rng: Random,
) -> Truth:
    axis, angle = _ON_TOP[value]
    rotation = _turn("z", rng.uniform(0, 2 * math.pi)) @ _turn(axis, angle)
    if tilted:
        rotation = _turn("z", rng.uniform(0, 6)) @ _turn("x", math.radians(rng.uniform(16, 44))) @ rotation
    half = edge / 2
    corners = _CUBE @ rotation.T * half
    middle = np.array([at[0], at[1], -corners[:, 2].min()])

    def seen(points: Floats) -> Floats:
        """Table points (n, 3) to px of the canvas, along the rays to the camera."""
        t = camera[2] / (camera[2] - points[:, 2])
        return (camera[:2] + (points[:, :2] - camera[:2]) * t[:, None]) * fine

    solid = corners + middle
    fallen = solid[:, :2] - lamp[:2] / lamp[2] * solid[:, 2:]
    shade = np.zeros(canvas.shape[:2])
    hull = cv2.convexHull((fallen * fine).astype(np.int32))
    cv2.fillConvexPoly(shade, hull, 1.0)
    shade = cv2.GaussianBlur(shade, (0, 0), rng.uniform(0.6, 2.2) * fine)
    canvas *= (1 - rng.uniform(0.25, 0.6) * shade)[..., None]
    make = style.random()
    corner = style.uniform(0.03, 0.2)
    outline, ambient = _outline(_FACE_PX, corner), style.uniform(0.35, 0.6)
    # The body behind the rounded corners of its faces.
    body = np.array(colours[0], np.float64)
    silhouette = cv2.convexHull(seen(middle + corners * (1 - 0.75 * corner)).astype(np.int32))
    cv2.fillConvexPoly(canvas, silhouette, (body * 0.75).tolist(), cv2.LINE_AA)
    for number, face in _SIDES:
        own = face * half @ rotation.T
        normal = own.mean(axis=0) / half
        if float(normal @ (camera - middle - own.mean(axis=0))) <= 0:
            continue
        texture = _face(number, *colours, Random(make))
        power = ambient + (1 - ambient) * max(0.0, float(normal @ lamp)) * 1.2
        quad = seen(middle + own).astype(np.float32)
        square = np.array([[0, 0], [_FACE_PX, 0], [_FACE_PX, _FACE_PX], [0, _FACE_PX]], np.float32)
        move = cv2.getPerspectiveTransform(square, quad)
        size = canvas.shape[1::-1]
        glow = np.linspace(rng.uniform(0.85, 1.0), rng.uniform(1.0, 1.15), _FACE_PX)[:, None, None]
        drawn = cv2.warpPerspective(texture * glow * power, move, size, flags=cv2.INTER_LINEAR)
        mask = cv2.warpPerspective(outline, move, size, flags=cv2.INTER_LINEAR)[..., None] / 255.0
        canvas[:] = canvas * (1 - mask) + np.clip(drawn, 0, 255) * mask
    top = seen(middle[None] + np.array([[0.0, 0.0, half]]))[0] / fine
    return Truth(float(top[0]), float(top[1]), edge, value, tilted)
