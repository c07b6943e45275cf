"""Draw dice as a camera above the table sees them once the picture is straightened.

Each die is a rounded cube, traced ray by ray as a signed distance field (J. C. Hart, "Sphere tracing", 1996).
Frame of a patch: mm on the table, x right, y down, z up; a ray goes through its table point along the view direction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
COCKED, EMBLEM, HIDDEN = 6, 7, 8
"""Classes beside 0 to 5, which are the values 1 to 6."""

_STEPS = 12
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
    second: Floats
    """A second colour of the body, where a marble's veins or speckles have it."""
    veins: float
    """How strongly, 0 to 1."""
    speckled: bool
    ringed: bool
    """A single pip has a ring round it."""
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
    buried: bool = False
    """Whether another die lies on it."""


def _pick(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def choose_colour(rng: np.random.Generator, low: float, high: float, vivid: float) -> Floats:
    """Choose a linear colour of that brightness."""
    hsv = np.uint8([[[rng.integers(0, 180), 255 * rng.uniform(0, vivid), 255]]])
    bgr = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32) / 255
    level = rng.uniform(low, high)
    return np.asarray(bgr**2.2 * level / max(float((bgr**2.2).mean()), 0.2), np.float32).clip(0.004, 0.95)


@dataclass(frozen=True)
class Paint:
    """A die's colours, linear BGR, and how strongly its veins and its gloss show."""

    body: Floats
    second: Floats
    veins: float
    pip: Floats
    one: Floats
    four: Floats
    clear: float
    gloss: float


def paint(rng: np.random.Generator) -> Paint:
    """Paint usual colours of a die: pips always stand out from the body."""
    kind = rng.choice(["light", "dark", "vivid", "clear"], p=[0.32, 0.3, 0.26, 0.12])
    white, black = choose_colour(rng, 0.5, 0.92, 0.15), choose_colour(rng, 0.004, 0.03, 0.4)
    if kind == "light":
        body, pip = (
            choose_colour(rng, 0.4, 0.92, 0.3),
            black if rng.random() < 0.75 else choose_colour(rng, 0.01, 0.12, 1.0),
        )
    elif kind == "dark":
        body, pip = (
            choose_colour(rng, 0.005, 0.07, 0.9),
            white if rng.random() < 0.8 else choose_colour(rng, 0.3, 0.6, 0.8),
        )
    else:
        body = choose_colour(rng, 0.03, 0.4, 1.0)
        bright = float(body.mean())
        pip = white if bright < 0.2 or (bright < 0.28 and rng.random() < 0.5) else black
    veins = _pick(rng, 0.3, 1.0) if rng.random() < 0.35 else 0.0
    second = body * rng.uniform(0.3, 2.2) if rng.random() < 0.6 else choose_colour(rng, 0.01, 0.5, 1.0)
    # Veins leave the pips to be seen.
    near = np.clip(second, 0, 0.3 * float(pip.mean()) + 0.02) if pip.mean() > body.mean() else np.maximum(second, 0.15)
    red = np.array([0.02, 0.02, _pick(rng, 0.3, 0.6)], np.float32)
    asian = kind == "light" and rng.random() < 0.35
    return Paint(
        body,
        np.asarray(near, np.float32),
        veins,
        pip,
        red if asian else pip,
        red if asian and rng.random() < 0.5 else pip,
        _pick(rng, 0.1, 0.5) if kind == "clear" else 0.0,
        _pick(rng, 0.0, 1.0),
    )


def invent(rng: np.random.Generator) -> Look:
    """Invent a die of any usual make."""
    edge, tint = _pick(rng, 11.5, 19.5), paint(rng)
    radius = _pick(rng, 0.07, 0.122)
    large = rng.random() < 0.35
    mask = any_emblem(rng) if rng.random() < 0.12 else None
    sharp = rng.random() < 0.35
    return Look(
        edge,
        _pick(rng, 0.1, 0.6) if sharp else _pick(rng, 0.5, 0.17 * edge),
        _pick(rng, 0.64, 0.85) if not sharp and rng.random() < 0.6 else 2.0,
        tint.body,
        tint.pip,
        radius,
        _pick(rng, 0.2, 0.285),
        _pick(rng, 0.11, 0.2) if large else radius * _pick(rng, 0.95, 1.3),
        tint.one,
        tint.four,
        _pick(rng, 0.0, 1.1) if rng.random() < 0.7 else 0.0,
        tint.gloss,
        tint.clear,
        tint.second,
        tint.veins,
        bool(rng.random() < 0.3),
        bool(rng.random() < 0.04),
        float(rng.choice([-1.0, 1.0])),
        float(rng.choice([-1.0, 1.0])),
        bool(rng.random() < 0.5),
        bool(rng.random() < 0.5),
        int(rng.integers(0, 6)) if mask is not None else -1,
        mask,
        int(rng.integers(1 << 30)),
    )


def any_value(look: Look, rng: np.random.Generator) -> int:
    """Choose what shows on top: an emblem half of the time, where a die has one."""
    return look.emblem + 1 if look.emblem >= 0 and rng.random() < 0.5 else int(rng.integers(1, 7))


def any_emblem(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a mark in place of pips, 96 px a side: a polygon, a star, letters, rings, a blot."""
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
    """Return where a face's pips lie and how large they are, in shares of the edge: x, y, radius."""
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


def _make_rotation(axis: Floats, angle: float) -> Floats:
    return np.asarray(cv2.Rodrigues(np.asarray(axis, np.float64) * angle)[0], np.float32)


def lay(look: Look, value: int, x: float, y: float, yaw: float, rng: np.random.Generator, tilt: float = 0.0) -> Die:
    """Lay a die with that value on top, turned by ``yaw`` (rad) and, on an edge, tilted by ``tilt`` (rad)."""
    axis, sign, _ = next(face for face in _FACES if face[2] == value)
    own = np.zeros(3, np.float32)
    own[axis] = sign
    up = np.array([0, 0, 1], np.float32)
    cross = np.cross(own, up)
    if float(np.linalg.norm(cross)) < 1e-6:
        turn = np.eye(3, dtype=np.float32) if own[2] > 0 else _make_rotation(np.array([1, 0, 0], np.float32), math.pi)
    else:
        turn = _make_rotation(cross / np.linalg.norm(cross), math.acos(float(own @ up)))
    turn = _make_rotation(up, yaw) @ turn
    if tilt:
        a = rng.uniform(0, 2 * math.pi)
        turn = _make_rotation(np.array([math.cos(a), math.sin(a), 0], np.float32), tilt) @ turn
    half = look.edge / 2 - look.round_mm
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float32) * half
    z = float(-(corners @ turn.T)[:, 2].min()) + look.round_mm
    label = COCKED if tilt else EMBLEM if _value_face(value) == look.emblem else value - 1
    return Die(look, x, y, z, turn.astype(np.float32), label)


def _value_face(value: int) -> int:
    return value - 1


def _measure_distance(points: Floats, die: Die) -> Floats:
    """Measure signed distance (n,) of table points (n, 3) to a die's surface."""
    return _own_distance((points - np.array([die.x, die.y, die.z], np.float32)) @ die.turn, die.look)


def _own_distance(own: Floats, look: Look) -> Floats:
    """Measure the same for points (n, 3) of the die's own frame."""
    q = np.abs(own) - (look.edge / 2 - look.round_mm)
    outside = np.sqrt((np.maximum(q, 0) ** 2).sum(axis=-1))
    box = outside + np.minimum(q.max(axis=-1), 0) - look.round_mm
    if look.ball < 1.5:
        box = np.maximum(box, np.sqrt((own**2).sum(axis=-1)) - look.ball * look.edge)
    return np.asarray(box, np.float32)


def _march(start: Floats, direction: Floats, die: Die) -> tuple[Floats, NDArray[np.bool_]]:
    """March parallel rays from points (n, 3) to a die: how far they go, and which hit it."""
    look, half = die.look, die.look.edge / 2
    own = (start - np.array([die.x, die.y, die.z], np.float32)) @ die.turn
    way = direction @ die.turn
    way = np.where(np.abs(way) < 1e-5, 1e-5, way).astype(np.float32)
    one, other = (half - own) / way, (-half - own) / way
    t = np.minimum(one, other).max(axis=1)
    hit = t < np.maximum(one, other).min(axis=1)
    left = np.flatnonzero(hit)
    for _ in range(_STEPS):
        d = _own_distance(own[left] + t[left, None] * way, look)
        t[left] += d
        hit[left[d >= look.edge]] = False
        left = left[(d > 0.015) & (d < look.edge)]
        if not len(left):
            break
    if len(left):
        hit[left] = _own_distance(own[left] + t[left, None] * way, look) < 0.06
    return t.astype(np.float32), hit


def _compute_normal(own: Floats, look: Look) -> Floats:
    """Compute the surface's normal (n, 3) at points of the die's own frame."""
    over = np.abs(own) - (look.edge / 2 - look.round_mm)
    bent = np.sign(own) * np.maximum(over, 0)
    length = np.linalg.norm(bent, axis=-1, keepdims=True)
    flat = np.sign(own) * (over >= over.max(axis=-1, keepdims=True))
    normal = np.where(length > 1e-4, bent / np.maximum(length, 1e-6), flat)
    if look.ball < 1.5:
        far = np.linalg.norm(own, axis=-1, keepdims=True)
        normal = np.where(far > look.ball * look.edge - 0.02, own / np.maximum(far, 1e-6), normal)
    return np.asarray(normal, np.float32)


def _make_veins(own: Floats, look: Look) -> Floats:
    """Make a map of how much of a body's second colour shows at points of its own frame, 0 to 1."""
    rng = np.random.default_rng(look.seed)
    scale = rng.uniform(0.25, 1.3) * (2.5 if look.speckled else 1.0)
    waves = np.zeros(len(own), np.float32)
    for _ in range(3):
        k, phase = rng.normal(0, scale, 3).astype(np.float32), rng.uniform(0, 6.3)
        waves += np.sin(own @ k + phase + 1.3 * np.sin(own @ k[[1, 2, 0]] * 0.7))
    share = (waves > 0.9) if look.speckled else 0.5 + waves / 3
    return np.asarray(np.clip(share, 0, 1), np.float32)


@dataclass
class Surface:
    """Points (n,) of a die's surface: its shading normal, and of what the surface is there."""

    bent: Floats
    veins: Floats
    top_ink: NDArray[np.bool_]
    """A mark of the upper face …"""
    ink: NDArray[np.bool_]
    """… or of any face."""
    value: NDArray[np.int64]
    """Which face it is."""


def _make_surface(own: Floats, die: Die) -> Surface:
    """Return the surface at points (n, 3) of the die's own frame."""
    look = die.look
    bent = _compute_normal(own, look)
    ink = np.zeros(len(own), np.bool_)
    values = np.zeros(len(own), np.int64)
    face_axis = np.abs(own).argmax(axis=1)
    upper = upper_value(die)
    for axis, sign, value in _FACES:
        on = np.flatnonzero((face_axis == axis) & (own[:, axis] * sign > 0))
        if not len(on):
            continue
        values[on] = value
        u_axis, v_axis = [k for k in range(3) if k != axis]
        u, v = own[on, u_axis] / look.edge, own[on, v_axis] / look.edge
        if look.mirrored:
            u = -u
        if _value_face(value) == look.emblem and look.emblem_mask is not None:
            ix = np.clip(((u + 0.5) * 96).astype(int), 0, 95)
            iy = np.clip(((v + 0.5) * 96).astype(int), 0, 95)
            ink[on] = look.emblem_mask[iy, ix] > 0
            continue
        for px, py, radius in pips_of(look, value):
            dx, dy = u - px, v - py
            r = np.sqrt(dx**2 + dy**2)
            inside = r < radius
            if look.ringed and value == 1:
                inside |= (r > 1.5 * radius) & (r < 1.8 * radius)
            ink[on[inside]] = True
            if look.dent:
                slope = look.dent * (r[inside] / radius)
                side = -1 if look.mirrored else 1
                bent[on[inside], u_axis] -= (dx[inside] / np.maximum(r[inside], 1e-4)) * slope * side
                bent[on[inside], v_axis] -= (dy[inside] / np.maximum(r[inside], 1e-4)) * slope
    shade = bent @ die.turn.T
    shade /= np.maximum(np.linalg.norm(shade, axis=-1, keepdims=True), 1e-6)
    veins = _make_veins(own, look) if look.veins else np.zeros(len(own), np.float32)
    return Surface(np.asarray(shade, np.float32), veins, ink & (values == upper), ink, values)


@dataclass
class Light:
    """One lamp far away, and what comes from everywhere."""

    direction: Floats
    power: float
    ambient: float
    softness: float
    sky: Floats


@dataclass
class Traced:
    """What rays through a window (x0, y0, x1, y1 px) meet of one die; maps are of the rays that hit, (n,)."""

    window: tuple[int, int, int, int]
    hit: NDArray[np.bool_]
    """Which rays hit, (h, w)."""
    lit: Floats
    """What its colour is multiplied by …"""
    shine: Floats
    """… and what is added."""
    surface: Surface


def trace(shape: tuple[int, ...], px_per_mm: float, die: Die, view: Floats, light: Light) -> Traced | None:
    """Trace a die on a canvas of that shape; return ``None`` where it lies beyond it."""
    lean = view[:2] / view[2]
    r = die.look.edge * 0.88
    high = die.z + r
    box = _find_window(shape, px_per_mm, die, r, high * lean)
    if box is None:
        return None
    x0, y0, x1, y1 = box
    start = _list_ground_points(box, px_per_mm) + view * ((high + 2) / view[2])
    t, hit = _march(start, -view, die)
    points = start[hit] - view * t[hit, None]
    surface = _make_surface((points - np.array([die.x, die.y, die.z], np.float32)) @ die.turn, die)
    bent = surface.bent
    up = 0.5 + 0.5 * bent[:, 2]
    near_ground = np.clip(points[:, 2] / (0.6 * die.look.edge), 0, 1)
    glow = light.ambient * (0.45 + 0.55 * up) * (0.7 + 0.3 * near_ground)
    half = light.direction + view
    half = half / np.linalg.norm(half)
    shine = 0.35 * np.maximum(bent @ half, 0) ** (10 + 60 * die.look.gloss)
    mirror = 2 * (bent @ view)[:, None] * bent - view
    shine = shine + 0.05 * np.maximum(mirror[:, 2], 0) * float(light.sky.mean())
    lit = light.power * np.maximum(bent @ light.direction, 0) + glow
    return Traced(
        box, hit.reshape(y1 - y0, x1 - x0), lit.astype(np.float32), (die.look.gloss * shine).astype(np.float32), surface
    )


def draw(canvas: Floats, px_per_mm: float, dice: list[Die], view: Floats, light: Light) -> None:
    """Draw dice, the farthest first, onto linear light (h, w, 3), with their shadows; fills in where the tops show.

    ``view`` is the unit vector from the table to the camera.
    """
    cast_shadows(canvas, px_per_mm, dice, light)
    for die in in_depth(dice, view):
        seen = trace(canvas.shape, px_per_mm, die, view, light)
        if seen is not None:
            put(canvas, die, seen)
        die.top = upper_face(die, view[:2] / view[2])


def in_depth(dice: list[Die], view: Floats) -> list[Die]:
    """Sort dice, the one farthest from the camera first."""
    return sorted(dice, key=lambda die: float(view @ np.array([die.x, die.y, die.z])))


def put(canvas: Floats, die: Die, seen: Traced) -> None:
    """Draw what was traced of a die in its look's own colours."""
    look, surface = die.look, seen.surface
    share = (look.veins * surface.veins)[:, None]
    tint = look.body * (1 - share) + look.second * share
    tint[surface.ink] = look.pip
    tint[surface.ink & (surface.value == 1)] = look.one_colour
    tint[surface.ink & (surface.value == 4)] = look.four_colour
    shaded = tint * seen.lit[:, None] + seen.shine[:, None]
    x0, y0, x1, y1 = seen.window
    part = canvas[y0:y1, x0:x1]
    if look.clear:
        shaded = (1 - look.clear) * shaded + look.clear * part[seen.hit] * (0.5 + tint)
    part[seen.hit] = shaded


def cast_shadows(canvas: Floats, px_per_mm: float, dice: list[Die], light: Light) -> None:
    """Darken the ground where dice take the lamp."""
    reach = light.direction[:2] / light.direction[2]
    for die in dice:
        _cast_shadow(canvas, px_per_mm, die, light, reach)


def _find_upper(die: Die) -> tuple[int, float]:
    """Find axis and sign of the face that looks up most."""
    axis = int(np.abs(die.turn[2]).argmax())
    return axis, math.copysign(1.0, float(die.turn[2, axis]))


def upper_value(die: Die) -> int:
    """Return the value of the face that looks up most."""
    return next(value for axis, sign, value in _FACES if (axis, float(sign)) == _find_upper(die))


def base_offset(die: Die, lean: Floats) -> Floats:
    """Measure from the upper face's middle to where the opposite face's would show through glass; in edges."""
    axis, sign = _find_upper(die)
    up = die.turn[:, axis] * sign
    return np.asarray(lean * up[2] - up[:2], np.float32)


def upper_pips(die: Die, lean: Floats) -> Floats:
    """Return where the pips of the upper face show, from its middle, in edges: (n, 2)."""
    look, axis = die.look, _find_upper(die)[0]
    value = upper_value(die)
    if _value_face(value) == look.emblem:
        return np.zeros((0, 2), np.float32)
    u_axis, v_axis = [k for k in range(3) if k != axis]
    points = []
    for px, py, _ in pips_of(look, value):
        own = np.zeros(3, np.float32)
        own[u_axis], own[v_axis] = -px if look.mirrored else px, py
        way = die.turn @ own
        points.append(way[:2] - lean * way[2])
    return np.array(points, np.float32).reshape(-1, 2)


def upper_face(die: Die, lean: Floats) -> tuple[float, float]:
    """Return where the middle of the face that looks up most shows in the patch, mm."""
    axis = int(np.abs(die.turn[2]).argmax())
    middle = np.array([die.x, die.y, die.z]) + die.turn[:, axis] * (math.copysign(die.look.edge / 2, die.turn[2, axis]))
    return float(middle[0] - lean[0] * middle[2]), float(middle[1] - lean[1] * middle[2])


def slope_of(die: Die) -> float:
    """Return by how much (rad) the face that looks up most is off the level."""
    return math.acos(min(1.0, float(np.abs(die.turn[2]).max())))


def _find_window(
    shape: tuple[int, ...], px_per_mm: float, die: Die, r: float, away: Floats
) -> tuple[int, int, int, int] | None:
    """Return the part of the canvas (x0, y0, x1, y1 px) within ``r`` mm of a die, drawn out against ``away``."""
    h, w = shape[:2]
    xs = (die.x - r - max(0.0, away[0]), die.x + r + max(0.0, -away[0]))
    ys = (die.y - r - max(0.0, away[1]), die.y + r + max(0.0, -away[1]))
    x0, x1 = (int(np.clip(v * px_per_mm, 0, w)) for v in xs)
    y0, y1 = (int(np.clip(v * px_per_mm, 0, h)) for v in ys)
    return (x0, y0, x1, y1) if x1 - x0 > 3 and y1 - y0 > 3 else None


def _list_ground_points(box: tuple[int, int, int, int], px_per_mm: float, step: int = 1) -> Floats:
    x0, y0, x1, y1 = box
    gx, gy = np.meshgrid(
        (np.arange(x0, x1, step) + 0.5 * step) / px_per_mm, (np.arange(y0, y1, step) + 0.5 * step) / px_per_mm
    )
    return np.stack([gx, gy, np.zeros_like(gx)], axis=-1).reshape(-1, 3).astype(np.float32)


def _cast_shadow(canvas: Floats, px_per_mm: float, die: Die, light: Light, reach: Floats) -> None:
    """Darken the ground where a die takes the lamp; worked out on a coarse grid, as shadows are soft."""
    step = 4
    box = _find_window(canvas.shape, px_per_mm, die, die.look.edge * 1.4, (die.z + die.look.edge) * reach)
    if box is None:
        return
    x0, y0, x1, y1 = box
    dark = _measure_shadow(_list_ground_points(box, px_per_mm, step), die, light)
    rows, columns = len(range(y0, y1, step)), len(range(x0, x1, step))
    # It ends softly at the window's edge, where the penumbra of a wide lamp goes on.
    fade = np.minimum(*np.meshgrid(_fade_ends(columns), _fade_ends(rows)))
    full = cv2.resize(dark.reshape(rows, columns) * fade, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
    canvas[y0:y1, x0:x1] *= (1 - (1 - light.ambient) * full)[..., None]


def _fade_ends(count: int) -> Floats:
    """Fade 1 in the middle of ``count`` places to 0 at both ends."""
    at = np.arange(count, dtype=np.float32)
    return np.asarray(np.clip(np.minimum(at, count - 1 - at) / (0.25 * count), 0, 1), np.float32)


def _measure_shadow(ground: Floats, die: Die, light: Light) -> Floats:
    """Measure how much of the lamp a die takes from ground points (n,), 0 to 1."""
    t = np.full(len(ground), 0.3, np.float32)
    free = np.ones(len(ground), np.float32)
    for _ in range(_SHADOW_STEPS):
        d = _measure_distance(ground + t[:, None] * light.direction, die)
        free = np.minimum(free, np.maximum(d, 0) / (light.softness * t + 0.05))
        t += np.maximum(d, 0.25)
    return 1 - np.clip(free, 0, 1)
