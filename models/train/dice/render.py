"""Draw dice as a camera above the table sees them once the picture is straightened.

Each die is a rounded cube, traced ray by ray as a signed distance field (J. C. Hart, "Sphere tracing", 1996).
Frame of a patch: mm on the table, x right, y down, z up; a ray goes through its table point along the view direction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
READABLE = 6
COCKED, EMBLEM, HIDDEN = 6, 7, 8
"""Classes beside 0 to 5, which are the values 1 to 6."""

_STEPS = 20
_SHADOW_STEPS = 14


@dataclass
class Look:
    """What one die is made of and printed with; colours are linear BGR, 0 to 1."""

    edge: float
    round_mm: float
    ball: float
    body: Floats
    pip: Floats
    pip_radius: float
    spread: float
    one_radius: float
    one_colour: Floats
    four_colour: Floats
    dent: float
    gloss: float
    clear: float
    swirl: float
    slant2: float
    slant3: float
    along6: bool
    mirrored: bool
    emblem: int = -1
    """Which face has an emblem in place of pips, -1 for none."""
    emblem_mask: NDArray[np.uint8] | None = None
    seed: int = 0


@dataclass
class Die:
    """A die where it lies: the middle of its body (mm), its rotation, what shows on top."""

    look: Look
    x: float
    y: float
    z: float
    turn: Floats
    label: int
    top: tuple[float, float] = (0.0, 0.0)
    """Where the top face's centre shows in the patch, mm."""
    visible: float = 1.0
    covers: list[Die] = field(default_factory=list)


def _pick(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def colour(rng: np.random.Generator, low: float, high: float, vivid: float) -> Floats:
    """A linear colour of that brightness."""
    hsv = np.uint8([[[rng.integers(0, 180), 255 * rng.uniform(0, vivid), 255]]])
    bgr = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32) / 255
    level = rng.uniform(low, high)
    return np.asarray(bgr**2.2 * level / max(float((bgr**2.2).mean()), 0.2), np.float32).clip(0.004, 0.95)


def invent(rng: np.random.Generator) -> Look:
    """A die of any usual make."""
    edge = _pick(rng, 11.5, 19.5)
    kind = rng.choice(["light", "dark", "vivid", "clear"], p=[0.34, 0.34, 0.22, 0.10])
    white, black = colour(rng, 0.55, 0.9, 0.15), colour(rng, 0.005, 0.03, 0.4)
    if kind == "light":
        body, pip = colour(rng, 0.45, 0.9, 0.25), black if rng.random() < 0.75 else colour(rng, 0.01, 0.12, 1.0)
    elif kind == "dark":
        body, pip = colour(rng, 0.006, 0.07, 0.9), white if rng.random() < 0.8 else colour(rng, 0.35, 0.6, 0.7)
    else:
        body = colour(rng, 0.05, 0.4, 1.0)
        pip = white if float(body.mean()) < 0.22 else black
    radius = _pick(rng, 0.075, 0.115)
    red = np.array([0.02, 0.02, 0.5], np.float32)
    asian = kind == "light" and rng.random() < 0.4
    mask = _emblem(rng) if rng.random() < 0.12 else None
    return Look(
        edge,
        _pick(rng, 0.3, 0.16 * edge),
        _pick(rng, 0.66, 0.9) if rng.random() < 0.6 else 2.0,
        body,
        pip,
        radius,
        _pick(rng, 0.21, 0.275),
        _pick(rng, 0.12, 0.2) if asian or rng.random() < 0.1 else radius * _pick(rng, 1.0, 1.25),
        red if asian else pip,
        red if asian and rng.random() < 0.5 else pip,
        _pick(rng, 0.0, 0.9) if rng.random() < 0.75 else 0.0,
        _pick(rng, 0.0, 0.9),
        _pick(rng, 0.15, 0.5) if kind == "clear" else 0.0,
        _pick(rng, 0.0, 0.35) if rng.random() < 0.3 else 0.0,
        float(rng.choice([-1.0, 1.0])),
        float(rng.choice([-1.0, 1.0])),
        bool(rng.random() < 0.5),
        bool(rng.random() < 0.5),
        int(rng.integers(0, 6)) if mask is not None else -1,
        mask,
        int(rng.integers(1 << 30)),
    )


def _emblem(rng: np.random.Generator) -> NDArray[np.uint8]:
    """A mark in place of pips, 96 px a side: a polygon, a star, letters, rings, a blot."""
    mask = np.zeros((96, 96), np.uint8)
    kind = rng.integers(0, 6)
    if kind == 0:
        n, inner = int(rng.integers(4, 9)), rng.uniform(0.35, 0.75)
        angles = np.arange(2 * n) * math.pi / n
        radii = np.where(np.arange(2 * n) % 2 == 0, 36, 36 * inner)
        points = np.stack([48 + radii * np.cos(angles), 48 + radii * np.sin(angles)], axis=-1)
        cv2.fillPoly(mask, [points.astype(np.int32)], 255)
    elif kind == 1:
        text = "".join(rng.choice(list("ABCDEGHJKMNRSVWXZ7@&%#")) for _ in range(int(rng.integers(1, 4))))
        cv2.putText(mask, text, (int(34 - 13 * (len(text) - 1)), 66), cv2.FONT_HERSHEY_DUPLEX, 1.8, 255, 6)
    elif kind == 2:
        cv2.circle(mask, (48, 48), int(rng.integers(20, 36)), 255, int(rng.integers(4, 9)))
        if rng.random() < 0.5:
            cv2.line(mask, (20, 48), (76, 48), 255, 6)
    elif kind == 3:
        points = 48 + rng.normal(0, 20, (7, 2))
        cv2.fillPoly(mask, [cv2.convexHull(points.astype(np.int32))], 255)
    elif kind == 4:
        cv2.ellipse(mask, (36, 38), (15, 15), 0, 0, 360, 255, -1)
        cv2.ellipse(mask, (60, 38), (15, 15), 0, 0, 360, 255, -1)
        cv2.fillPoly(mask, [np.array([[22, 44], [74, 44], [48, 78]], np.int32)], 255)
    else:
        for _ in range(int(rng.integers(2, 5))):
            a, b = rng.integers(16, 80, 2), rng.integers(16, 80, 2)
            cv2.line(mask, tuple(map(int, a)), tuple(map(int, b)), 255, int(rng.integers(4, 10)))
    return mask


_GRID = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)],
}


def pips_of(look: Look, value: int) -> list[tuple[float, float, float]]:
    """Where a face's pips lie and how large they are, in shares of the edge: x, y, radius."""
    marks = []
    for x, y in _GRID[value]:
        px, py = float(x), float(y)
        if value == 2:
            px *= look.slant2
        if value == 3:
            px *= look.slant3
        if value == 6 and look.along6:
            px, py = py, px
        radius = look.one_radius if value == 1 else look.pip_radius
        marks.append((px * look.spread, py * look.spread, radius))
    return marks


# Faces of the die's own frame: axis, sign, value; opposite faces make 7.
_FACES = [(0, 1, 2), (0, -1, 5), (1, 1, 3), (1, -1, 4), (2, 1, 1), (2, -1, 6)]


def _rotation(axis: Floats, angle: float) -> Floats:
    return np.asarray(cv2.Rodrigues(np.asarray(axis, np.float64) * angle)[0], np.float32)


def lay(look: Look, value: int, x: float, y: float, yaw: float, rng: np.random.Generator, tilt: float = 0.0) -> Die:
    """A die with that value on top, turned by ``yaw`` (rad) and, on an edge, tilted by ``tilt`` (rad)."""
    axis, sign, _ = next(face for face in _FACES if face[2] == value)
    own = np.zeros(3, np.float32)
    own[axis] = sign
    up = np.array([0, 0, 1], np.float32)
    cross = np.cross(own, up)
    if float(np.linalg.norm(cross)) < 1e-6:
        turn = np.eye(3, dtype=np.float32) if own[2] > 0 else _rotation(np.array([1, 0, 0], np.float32), math.pi)
    else:
        turn = _rotation(cross / np.linalg.norm(cross), math.acos(float(own @ up)))
    turn = _rotation(up, yaw) @ turn
    if tilt:
        a = rng.uniform(0, 2 * math.pi)
        turn = _rotation(np.array([math.cos(a), math.sin(a), 0], np.float32), tilt) @ turn
    half = look.edge / 2 - look.round_mm
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float32) * half
    z = float(-(corners @ turn.T)[:, 2].min()) + look.round_mm
    label = COCKED if tilt else EMBLEM if _value_face(value) == look.emblem else value - 1
    return Die(look, x, y, z, turn.astype(np.float32), label)


def _value_face(value: int) -> int:
    return value - 1


def _distance(points: Floats, die: Die) -> Floats:
    """Signed distance (n,) of table points (n, 3) to a die's surface."""
    look = die.look
    own = (points - np.array([die.x, die.y, die.z], np.float32)) @ die.turn
    q = np.abs(own) - (look.edge / 2 - look.round_mm)
    outside = np.sqrt((np.maximum(q, 0) ** 2).sum(axis=-1))
    box = outside + np.minimum(q.max(axis=-1), 0) - look.round_mm
    if look.ball < 1.5:
        box = np.maximum(box, np.sqrt((own**2).sum(axis=-1)) - look.ball * look.edge)
    return np.asarray(box, np.float32)


def _march(start: Floats, direction: Floats, die: Die, far: float) -> tuple[Floats, NDArray[np.bool_]]:
    """How far rays (n, 3) go to a die, and which hit it."""
    t = np.zeros(len(start), np.float32)
    near = np.full(len(start), np.inf, np.float32)
    for _ in range(_STEPS):
        d = _distance(start + t[:, None] * direction, die)
        near = np.minimum(near, d)
        t = t + np.where(d > 0.01, d, 0)
    return t, (near < 0.04) & (t < far)


def _normal(points: Floats, die: Die) -> Floats:
    eps = 0.05
    offsets = np.eye(3, dtype=np.float32) * eps
    n = np.stack([_distance(points + o, die) - _distance(points - o, die) for o in offsets], axis=-1)
    return np.asarray(n / np.maximum(np.linalg.norm(n, axis=-1, keepdims=True), 1e-6), np.float32)


def _surface(points: Floats, normal: Floats, die: Die) -> tuple[Floats, Floats]:
    """Colour (n, 3) and shading normal (n, 3) of points on a die."""
    look = die.look
    own = (points - np.array([die.x, die.y, die.z], np.float32)) @ die.turn
    own_n = normal @ die.turn
    colours = np.tile(look.body, (len(points), 1)).astype(np.float32)
    if look.swirl:
        wave = np.sin(
            own @ np.array([0.7, 1.1, 0.5], np.float32) + 2 * np.sin(own[:, :1].sum(axis=1) * 0.6 + look.seed % 7)
        )
        colours *= (1 + look.swirl * wave)[:, None]
    bent = own_n.copy()
    face_axis = np.abs(own).argmax(axis=1)
    for axis, sign, value in _FACES:
        on = (face_axis == axis) & (own[:, axis] * sign > 0)
        if not on.any():
            continue
        u_axis, v_axis = [k for k in range(3) if k != axis]
        u, v = own[on][:, u_axis] / look.edge, own[on][:, v_axis] / look.edge
        if look.mirrored:
            u = -u
        local, local_n = colours[on], bent[on]
        if _value_face(value) == look.emblem and look.emblem_mask is not None:
            ix = np.clip(((u + 0.5) * 96).astype(int), 0, 95)
            iy = np.clip(((v + 0.5) * 96).astype(int), 0, 95)
            local[look.emblem_mask[iy, ix] > 0] = look.pip
        else:
            ink = look.one_colour if value == 1 else look.four_colour if value == 4 else look.pip
            for px, py, radius in pips_of(look, value):
                dx, dy = u - px, v - py
                r = np.sqrt(dx**2 + dy**2)
                inside = r < radius
                local[inside] = ink
                if look.dent:
                    lean = look.dent * (r[inside] / radius)
                    local_n[np.flatnonzero(inside), u_axis] -= (
                        (dx[inside] / np.maximum(r[inside], 1e-4)) * lean * (-1 if look.mirrored else 1)
                    )
                    local_n[np.flatnonzero(inside), v_axis] -= (dy[inside] / np.maximum(r[inside], 1e-4)) * lean
        colours[on], bent[on] = local, local_n
    shade = bent @ die.turn.T
    return colours, np.asarray(shade / np.maximum(np.linalg.norm(shade, axis=-1, keepdims=True), 1e-6), np.float32)


@dataclass
class Light:
    """One lamp far away, and what comes from everywhere."""

    direction: Floats
    power: float
    ambient: float
    softness: float
    sky: Floats


def draw(canvas: Floats, px_per_mm: float, dice: list[Die], view: Floats, light: Light) -> None:
    """Draw dice, lowest first, onto linear light (h, w, 3), with their shadows; fills in where the tops show.

    ``view`` is the unit vector from the table to the camera.
    """
    lean = view[:2] / view[2]
    reach = light.direction[:2] / light.direction[2]
    for die in sorted(dice, key=lambda die: die.z):
        _cast_shadow(canvas, px_per_mm, die, light, reach)
        r = die.look.edge * 0.88
        high = die.z + r
        box = _window(canvas, px_per_mm, die, r, high * lean)
        if box is None:
            continue
        x0, y0, x1, y1 = box
        ground = _ground(box, px_per_mm)
        top = (high + 2) / view[2]
        start = ground + view * top
        t, hit = _march(start, -view, die, float(top) + 1.0)
        part = canvas[y0:y1, x0:x1].reshape(-1, 3).copy()
        if hit.any():
            points = start[hit] - view * t[hit, None]
            normal = _normal(points, die)
            tint, bent = _surface(points, normal, die)
            lit = np.maximum(bent @ light.direction, 0)
            up = 0.5 + 0.5 * bent[:, 2]
            near_ground = np.clip(points[:, 2] / (0.6 * die.look.edge), 0, 1)
            glow = light.ambient * (0.45 + 0.55 * up) * (0.7 + 0.3 * near_ground)
            shaded = tint * (light.power * lit + glow)[:, None]
            half = light.direction + view
            half = half / np.linalg.norm(half)
            shine = np.maximum(bent @ half, 0) ** (10 + 60 * die.look.gloss)
            mirror = 2 * (bent @ view)[:, None] * bent - view
            shaded += die.look.gloss * (0.35 * shine[:, None] + 0.05 * np.maximum(mirror[:, 2:3], 0) * light.sky)
            if die.look.clear:
                shaded = (1 - die.look.clear) * shaded + die.look.clear * part[hit] * (0.5 + tint)
            part[hit] = shaded
        canvas[y0:y1, x0:x1] = part.reshape(y1 - y0, x1 - x0, 3)
        die.top = upper_face(die, lean)


def upper_face(die: Die, lean: Floats) -> tuple[float, float]:
    """Where the middle of the face that looks up most shows in the patch, mm."""
    axis = int(np.abs(die.turn[2]).argmax())
    middle = np.array([die.x, die.y, die.z]) + die.turn[:, axis] * (math.copysign(die.look.edge / 2, die.turn[2, axis]))
    return float(middle[0] - lean[0] * middle[2]), float(middle[1] - lean[1] * middle[2])


def slope_of(die: Die) -> float:
    """By how much (rad) the face that looks up most is off the level."""
    return math.acos(min(1.0, float(np.abs(die.turn[2]).max())))


def _window(canvas: Floats, px_per_mm: float, die: Die, r: float, away: Floats) -> tuple[int, int, int, int] | None:
    """The part of the canvas (x0, y0, x1, y1 px) within ``r`` mm of a die, drawn out against ``away``."""
    h, w = canvas.shape[:2]
    xs = (die.x - r - max(0.0, away[0]), die.x + r + max(0.0, -away[0]))
    ys = (die.y - r - max(0.0, away[1]), die.y + r + max(0.0, -away[1]))
    x0, x1 = (int(np.clip(v * px_per_mm, 0, w)) for v in xs)
    y0, y1 = (int(np.clip(v * px_per_mm, 0, h)) for v in ys)
    return (x0, y0, x1, y1) if x1 - x0 > 3 and y1 - y0 > 3 else None


def _ground(box: tuple[int, int, int, int], px_per_mm: float, step: int = 1) -> Floats:
    x0, y0, x1, y1 = box
    gx, gy = np.meshgrid(
        (np.arange(x0, x1, step) + 0.5 * step) / px_per_mm, (np.arange(y0, y1, step) + 0.5 * step) / px_per_mm
    )
    return np.stack([gx, gy, np.zeros_like(gx)], axis=-1).reshape(-1, 3).astype(np.float32)


def _cast_shadow(canvas: Floats, px_per_mm: float, die: Die, light: Light, reach: Floats) -> None:
    """Darken the ground where a die takes the lamp; worked out on a coarse grid, as shadows are soft."""
    step = 4
    box = _window(canvas, px_per_mm, die, die.look.edge * 0.95, (die.z + die.look.edge) * reach)
    if box is None:
        return
    x0, y0, x1, y1 = box
    dark = _shadow(_ground(box, px_per_mm, step), die, light)
    rows, columns = len(range(y0, y1, step)), len(range(x0, x1, step))
    full = cv2.resize(dark.reshape(rows, columns), (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
    canvas[y0:y1, x0:x1] *= (1 - (1 - light.ambient) * full)[..., None]


def _shadow(ground: Floats, die: Die, light: Light) -> Floats:
    """How much of the lamp a die takes from ground points (n,), 0 to 1."""
    t = np.full(len(ground), 0.3, np.float32)
    free = np.ones(len(ground), np.float32)
    for _ in range(_SHADOW_STEPS):
        d = _distance(ground + t[:, None] * light.direction, die)
        free = np.minimum(free, np.maximum(d, 0) / (light.softness * t + 0.05))
        t += np.maximum(d, 0.25)
    return 1 - np.clip(free, 0, 1)
