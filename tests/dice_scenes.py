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


ODD = ("cocked", "emblem", "hidden", "stacked", "facing")
"""Dice that have no value to be told; of one that leans straight towards the camera no side is seen."""


@dataclass(frozen=True)
class Truth:
    """A die that was thrown: its top face's middle and edge (mm of the picture), its value, or what is odd with it."""

    x: float
    y: float
    edge: float
    value: int
    odd: str = ""


@dataclass(frozen=True)
class Throw:
    """A picture (h, w, 3) BGR seen from above, its px per mm, the dice in it, and the camera's place (3,) in mm."""

    picture: Picture
    px_per_mm: float
    dice: tuple[Truth, ...]
    camera: Floats


@dataclass(frozen=True)
class _Make:
    """How a die is made: edge in mm, colours (BGR), what chance decides of its looks, whether light shines through."""

    edge: float
    body: tuple[int, int, int]
    ink: tuple[int, int, int]
    seed: float
    clear: float
    marble: float


def _any_make(rng: Random, edge: float) -> _Make:
    body, ink = rng.choice(_BODIES)
    return _Make(
        edge,
        body,
        ink,
        rng.random(),
        rng.uniform(0.15, 0.45) if rng.random() < 0.15 else 0.0,
        rng.uniform(8, 30) if rng.random() < 0.2 else 0.0,
    )


def _face(value: int, make: _Make, emblem: bool = False) -> Picture:
    """Draw a face's texture."""
    n, style = _FACE_PX, Random(make.seed)
    texture = np.empty((n, n, 3), np.uint8)
    texture[:] = make.body
    if make.marble:
        cloud = np.random.default_rng(int(make.seed * 1e6) + value).normal(0, 1, (7, 7)).astype(np.float32)
        swirl = cv2.resize(cloud, (n, n), interpolation=cv2.INTER_CUBIC)[..., None]
        texture = np.clip(texture + make.marble * swirl, 0, 255).astype(np.uint8)
    spread, radius = style.uniform(0.235, 0.28) * n, style.uniform(0.085, 0.115) * n
    one = style.uniform(0.1, 0.19) * n
    red_one = style.random() < 0.25 and sum(make.body) > 500
    turned, flipped, hollow = style.random() < 0.5, style.random() < 0.5, style.random() < 0.6
    if emblem:
        _draw_emblem(texture, make.ink, style)
        return texture
    for column, row in _MARKS[value]:
        x, y = n / 2 + (column - 1) * spread, n / 2 + (row - 1) * spread
        if value == 6 and turned:
            x, y = y, x
        if value in (2, 3) and flipped:
            x = n - x
        size = one if value == 1 else radius
        colour = (30, 30, 200) if value == 1 and red_one else make.ink
        cv2.circle(texture, (round(x * 8), round(y * 8)), round(size * 8), colour, -1, cv2.LINE_AA, 3)
        if hollow:
            dull = tuple(int(0.6 * c) for c in colour)
            cv2.ellipse(texture, (round(x), round(y)), (round(size * 0.9),) * 2, 0, 200, 340, dull, 2, cv2.LINE_AA)
    return texture


def _draw_emblem(texture: Picture, ink: tuple[int, int, int], style: Random) -> None:
    """Draw a mark that is no pips: a star, a skull's outline, a letter, an anchor, a shield."""
    n, kind = _FACE_PX, style.randrange(5)
    if kind == 0:
        angles = np.arange(10) * math.pi / 5
        radii = np.where(np.arange(10) % 2 == 0, 0.38, 0.16) * n
        points = n / 2 + np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=-1)
        cv2.fillPoly(texture, [points.astype(np.int32)], ink, cv2.LINE_AA)
    elif kind == 1:
        cv2.circle(texture, (n // 2, int(0.42 * n)), int(0.26 * n), ink, -1, cv2.LINE_AA)
        cv2.rectangle(texture, (int(0.37 * n), int(0.6 * n)), (int(0.63 * n), int(0.82 * n)), ink, -1)
        for x in (0.4, 0.6):
            cv2.circle(texture, (int(x * n), int(0.42 * n)), int(0.07 * n), (128, 128, 128), -1, cv2.LINE_AA)
    elif kind == 2:
        cv2.putText(texture, style.choice("SKQ7G"), (int(0.2 * n), int(0.8 * n)), cv2.FONT_HERSHEY_TRIPLEX, 4.4, ink, 9)
    elif kind == 3:
        cv2.line(texture, (n // 2, int(0.2 * n)), (n // 2, int(0.8 * n)), ink, 10, cv2.LINE_AA)
        cv2.line(texture, (int(0.34 * n), int(0.36 * n)), (int(0.66 * n), int(0.36 * n)), ink, 8, cv2.LINE_AA)
        cv2.ellipse(texture, (n // 2, int(0.5 * n)), (int(0.3 * n),) * 2, 0, 20, 160, ink, 10, cv2.LINE_AA)
    else:
        points = np.array([[0.24, 0.2], [0.76, 0.2], [0.76, 0.5], [0.5, 0.84], [0.24, 0.5]]) * n
        cv2.polylines(texture, [points.astype(np.int32)], True, ink, 9, cv2.LINE_AA)
        cv2.line(texture, (n // 2, int(0.22 * n)), (n // 2, int(0.8 * n)), ink, 7, cv2.LINE_AA)


def _outline(n: int, corner: float) -> Picture:
    """Draw a face's mask with rounded corners."""
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


class _Stage:
    """What is drawn so far: a canvas with ``fine`` px per mm under a camera (3,) in mm and a lamp's direction (3,)."""

    def __init__(self, canvas: Floats, fine: float, camera: Floats, lamp: Floats, rng: Random) -> None:
        self.canvas, self.fine, self.camera, self.lamp, self.rng = canvas, fine, camera, lamp, rng

    def seen(self, points: Floats) -> Floats:
        """Points (n, 3) in mm to px of the canvas, along the rays to the camera."""
        t = self.camera[2] / (self.camera[2] - points[:, 2])
        px: Floats = (self.camera[:2] + (points[:, :2] - self.camera[:2]) * t[:, None]) * self.fine
        return px

    def lay(self, at: tuple[float, float], make: _Make, value: int, odd: str, on: float = 0.0) -> Truth:
        """Draw a die at a place, ``on`` mm above the table."""
        rng, half = self.rng, make.edge / 2
        axis, angle = _ON_TOP[value]
        rotation = _turn("z", rng.uniform(0, 2 * math.pi)) @ _turn(axis, angle)
        if odd == "cocked":
            rotation = _turn("z", rng.uniform(0, 6)) @ _turn("x", math.radians(rng.uniform(18, 44))) @ rotation
        if odd == "facing":
            away = self.camera - (*at, 0.0)
            tilt = math.atan2(math.hypot(away[0], away[1]), away[2])
            rotation = _turn("z", math.atan2(away[1], away[0]) + math.pi / 2) @ _turn("x", tilt) @ rotation
        corners = _CUBE @ rotation.T * half
        middle = np.array([at[0], at[1], on - corners[:, 2].min()])
        canvas, low = self._shaded(corners + middle)
        corner, ambient = Random(make.seed + 1).uniform(0.03, 0.2), Random(make.seed + 2).uniform(0.35, 0.6)
        outline, under = _outline(_FACE_PX, corner), canvas.copy()
        # The body behind the rounded corners of its faces.
        silhouette = cv2.convexHull((self.seen(middle + corners * (1 - 0.75 * corner)) - low).astype(np.int32))
        cv2.fillConvexPoly(canvas, silhouette, (np.array(make.body) * 0.75).tolist(), cv2.LINE_AA)
        square = np.array([[0, 0], [_FACE_PX, 0], [_FACE_PX, _FACE_PX], [0, _FACE_PX]], np.float32)
        for number, face in _SIDES:
            own = face * half @ rotation.T
            normal = own.mean(axis=0) / half
            if float(normal @ (self.camera - middle - own.mean(axis=0))) <= 0:
                continue
            texture = _face(number, make, odd == "emblem" and number == value).astype(np.float64)
            power = ambient + (1 - ambient) * max(0.0, float(normal @ self.lamp)) * 1.2
            texture *= power * np.linspace(rng.uniform(0.85, 1.0), rng.uniform(1.0, 1.15), _FACE_PX)[:, None, None]
            if rng.random() < 0.15:
                _shine(texture, rng)
            move = cv2.getPerspectiveTransform(square, (self.seen(middle + own) - low).astype(np.float32))
            drawn = cv2.warpPerspective(texture, move, canvas.shape[1::-1], flags=cv2.INTER_LINEAR)
            mask = cv2.warpPerspective(outline, move, canvas.shape[1::-1], flags=cv2.INTER_LINEAR)[..., None] / 255.0
            canvas[:] = canvas * (1 - mask) + np.clip(drawn, 0, 255) * mask
        if make.clear:
            canvas[:] = (1 - make.clear) * canvas + make.clear * under
        x, y = self.seen(middle[None] + np.array([[0.0, 0.0, half]]))[0] / self.fine
        return Truth(float(x), float(y), make.edge, value, odd)

    def _shaded(self, solid: Floats) -> tuple[Floats, Floats]:
        """Return the part of the canvas that a die and its shadow reach, with the shadow, and its corner (2,) in px."""
        fallen = (solid[:, :2] - self.lamp[:2] / self.lamp[2] * solid[:, 2:]) * self.fine
        soft = self.rng.uniform(0.6, 2.2) * self.fine
        whole = np.concatenate([fallen, self.seen(solid)])
        low = np.maximum(0, whole.min(axis=0) - 4 * soft).astype(int)
        high = np.minimum(self.canvas.shape[1::-1], whole.max(axis=0) + 4 * soft).astype(int)
        part = self.canvas[low[1] : high[1], low[0] : high[0]]
        shade = np.zeros(part.shape[:2])
        cv2.fillConvexPoly(shade, cv2.convexHull((fallen - low).astype(np.int32)), 1.0)
        part *= (1 - self.rng.uniform(0.25, 0.6) * cv2.GaussianBlur(shade, (0, 0), soft))[..., None]
        return part, low

    def hide(self, die: Truth) -> None:
        """Lay a finger or a card over about half of a top face."""
        rng, f = self.rng, self.fine
        way = rng.uniform(0, 2 * math.pi)
        out = np.array([math.cos(way), math.sin(way)])
        top = np.array([die.x, die.y])
        if rng.random() < 0.5:
            tint = [rng.uniform(90, 180), rng.uniform(120, 200), rng.uniform(160, 240)]
            near, far = top + out * 0.4 * die.edge, top + out * 90
            ends = [tuple(round(float(v * f)) for v in point) for point in (near, far)]
            cv2.line(self.canvas, ends[0], ends[1], tint, round(0.95 * die.edge * f), cv2.LINE_AA)
        else:
            side = np.array([-out[1], out[0]])
            near, far = top - out * rng.uniform(-0.1, 0.15) * die.edge, top + out * 88
            points = np.array([near - 31 * side, near + 31 * side, far + 31 * side, far - 31 * side]) * f
            cv2.fillPoly(self.canvas, [points.astype(np.int32)], [rng.uniform(180, 245)] * 3, cv2.LINE_AA)


def _shine(texture: Floats, rng: Random) -> None:
    """Draw a lamp's soft mirror image on a face."""
    n = _FACE_PX
    glow = np.zeros((n, n))
    at = (rng.randrange(n), rng.randrange(n))
    cv2.ellipse(glow, at, (rng.randrange(8, 40), rng.randrange(8, 25)), rng.uniform(0, 180), 0, 360, 1.0, -1)
    texture += rng.uniform(30, 110) * cv2.GaussianBlur(glow, (0, 0), rng.uniform(2, 9))[..., None]


def throw(seed: int, count: int = 2, odd: str = "", odd_share: float = 1.0) -> Throw:
    """Throw ``count`` dice in a tray; a share of them is odd in the way named, where one is."""
    rng, noise = Random(f"throw {seed}"), np.random.default_rng(seed)
    scale = rng.uniform(2.0, 4.2)
    w_mm, h_mm = rng.uniform(100, 150), rng.uniform(100, 200)
    fine = 2.0 * scale
    canvas = _table((round(h_mm * fine), round(w_mm * fine)), noise).astype(np.float64)
    rim = rng.uniform(2, 7) * fine
    wall = np.array([rng.uniform(10, 200) for _ in range(3)])
    for far, shade in ((rim, 1.0), (rim * 0.35, 0.55)):
        k = round(far)
        for part in (canvas[:k], canvas[-k:], canvas[:, :k], canvas[:, -k:]):
            part[:] = wall * shade
    camera = np.array([rng.uniform(-420, 420) + w_mm / 2, rng.uniform(-420, 420) + h_mm / 2, rng.uniform(750, 1200)])
    lamp = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.7, 2.0)])
    stage = _Stage(canvas, fine, camera, lamp / np.linalg.norm(lamp), rng)
    make, same, dice = _any_make(rng, rng.uniform(12, 19)), rng.random() < 0.3, list[Truth]()
    for number in range(count):
        if not same and number:
            make = _any_make(rng, make.edge if rng.random() < 0.7 else rng.uniform(12, 19))
        for _ in range(200):
            x, y = rng.uniform(17, w_mm - 17), rng.uniform(17, h_mm - 17)
            if all(math.dist((x, y), (other.x, other.y)) > 0.9 * (make.edge + other.edge) for other in dice):
                break
        own = odd if rng.random() < odd_share else ""
        dice.append(stage.lay((x, y), make, rng.randint(1, 6), own))
        if own == "stacked":
            at = (x + rng.uniform(-0.3, 0.3) * make.edge, y + rng.uniform(-0.3, 0.3) * make.edge)
            dice[-1] = stage.lay(at, make, rng.randint(1, 6), own, make.edge)
    for die in dice:
        if die.odd == "hidden":
            stage.hide(die)
    return Throw(
        _photograph(canvas, (round(w_mm * scale), round(h_mm * scale)), rng, noise), scale, tuple(dice), camera
    )


def _photograph(canvas: Floats, size: tuple[int, int], rng: Random, noise: np.random.Generator) -> Picture:
    """Return what a camera makes of it: blurred, unevenly lit, tinted, noisy, a JPEG."""
    small = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.35, 1.0))
    gx, gy = np.meshgrid(np.linspace(-1, 1, small.shape[1]), np.linspace(-1, 1, small.shape[0]))
    light = rng.uniform(0.55, 1.15) * (1 + rng.uniform(-0.2, 0.2) * gx + rng.uniform(-0.2, 0.2) * gy)
    warm = np.array([rng.uniform(0.85, 1.05), 1.0, rng.uniform(0.95, 1.12)])
    small = small * light[..., None] * warm + noise.normal(0, rng.uniform(1, 6), small.shape)
    quality = [cv2.IMWRITE_JPEG_QUALITY, rng.randint(72, 95)]
    coded = cv2.imencode(".jpg", np.clip(small, 0, 255).astype(np.uint8), quality)[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
