"""Scenes of dice in trays, on mats and beside cards, as the reader sees them, with what lies there.

A scene is drawn finely, brought to a camera's own resolution, blurred, made noisy and squeezed through JPEG there, and
only then to the scale at which the networks work.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.dice.render import COCKED, EMBLEM, HIDDEN, Die, Floats, Light, colour, draw, invent, lay, slope_of

NET_PX_PER_MM = 3.0
SCENE_PX = 256
_FINE_PX_PER_MM = 5.0
_SCENE_MM = SCENE_PX / NET_PX_PER_MM


@dataclass(frozen=True)
class Seen:
    """One die of a scene: its top face's centre (px of the scene), class, and edge in px."""

    x: float
    y: float
    label: int
    edge: float
    readable: bool
    slope: float = 0.0
    """By how much (rad) the face is off the level."""


def _noise(shape: tuple[int, int], cells: float, rng: np.random.Generator) -> Floats:
    small = rng.normal(0, 1, (max(2, int(shape[0] / cells) + 2), max(2, int(shape[1] / cells) + 2))).astype(np.float32)
    return np.asarray(cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def ground(n: int, rng: np.random.Generator) -> Floats:
    """A table, felt, wood, paper or printed mat; linear light."""
    base = colour(rng, 0.01, 0.75, 0.8)
    canvas = np.tile(base, (n, n, 1)).astype(np.float32)
    kind = rng.integers(0, 5)
    if kind == 0:
        canvas *= (1 + rng.uniform(0.02, 0.25) * _noise((n, n), 1.3, rng))[..., None]
    elif kind == 1:
        grain = np.sin(np.linspace(0, rng.uniform(10, 90), n)[:, None] + 1.5 * _noise((n, n), 40, rng))
        canvas *= (1 + rng.uniform(0.05, 0.35) * grain)[..., None]
    elif kind == 2:
        weave = np.sin(np.arange(n) * rng.uniform(0.5, 2))[None] * np.sin(np.arange(n) * rng.uniform(0.5, 2))[:, None]
        canvas *= (1 + rng.uniform(0.05, 0.3) * weave)[..., None]
    elif kind == 3:
        for _ in range(int(rng.integers(2, 25))):
            a, b = rng.integers(-20, n, 2), rng.integers(5, n // 2, 2)
            cv2.rectangle(canvas, tuple(map(int, a)), tuple(map(int, a + b)), colour(rng, 0.01, 0.8, 1.0).tolist(), -1)
    canvas *= (1 + rng.uniform(0, 0.12) * _noise((n, n), rng.uniform(2, 60), rng))[..., None]
    return np.clip(canvas, 0.002, 1)


def _tray(canvas: Floats, rng: np.random.Generator) -> None:
    n = canvas.shape[0]
    wall = colour(rng, 0.01, 0.5, 0.8)
    inner = colour(rng, 0.01, 0.8, 0.7)
    x0, y0 = rng.integers(-n // 3, n // 3, 2)
    x1, y1 = x0 + rng.integers(n // 2, 2 * n), y0 + rng.integers(n // 2, 2 * n)
    cv2.rectangle(canvas, (int(x0), int(y0)), (int(x1), int(y1)), inner.tolist(), -1)
    region = canvas[max(0, y0) : y1, max(0, x0) : x1]
    if region.size:
        region *= (1 + rng.uniform(0.0, 0.2) * _noise(region.shape[:2], rng.uniform(1.2, 3), rng))[..., None]
    thick = int(rng.uniform(2, 6) * _FINE_PX_PER_MM)
    cv2.rectangle(canvas, (int(x0), int(y0)), (int(x1), int(y1)), wall.tolist(), thick)
    cv2.rectangle(
        canvas, (int(x0 + thick), int(y0 + thick)), (int(x1), int(y1)), (wall * 0.4).tolist(), max(2, thick // 3)
    )


def _clutter(canvas: Floats, rng: np.random.Generator) -> None:
    """Things that are no dice: cards with pips printed on them, coins, tokens with dots, letters."""
    n, s = canvas.shape[0], _FINE_PX_PER_MM
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(0, n, 2)
        kind = rng.integers(0, 4)
        if kind == 0:
            w, h = (rng.uniform(25, 70, 2) * s).astype(int)
            card = np.tile(colour(rng, 0.5, 0.9, 0.1), (h, w, 1)).astype(np.float32)
            ink = colour(rng, 0.005, 0.3, 1.0).tolist()
            step, radius = rng.uniform(4, 16) * s, int(rng.uniform(0.8, 4) * s)
            for a in np.arange(step, w, step):
                for b in np.arange(step, h, step):
                    if rng.random() < 0.5:
                        cv2.circle(card, (int(a), int(b)), radius, ink, -1)
            _paste(canvas, card, x, y, rng.uniform(0, 360))
        elif kind == 1:
            radius = int(rng.uniform(6, 14) * s)
            cv2.circle(canvas, (int(x), int(y)), radius, colour(rng, 0.05, 0.7, 0.6).tolist(), -1)
            cv2.circle(canvas, (int(x), int(y)), int(radius * 0.85), colour(rng, 0.05, 0.7, 0.6).tolist(), 3)
            for _ in range(int(rng.integers(0, 6))):
                a, b = (np.array([x, y]) + rng.normal(0, radius / 3, 2)).astype(int)
                cv2.circle(canvas, (int(a), int(b)), int(1.3 * s), colour(rng, 0.0, 0.9, 0.5).tolist(), -1)
        elif kind == 2:
            # A flat square with dots as large as a die's face.
            side = int(rng.uniform(11, 20) * s)
            tile = np.tile(colour(rng, 0.02, 0.9, 0.5), (side, side, 1)).astype(np.float32)
            _write(tile, str(rng.choice(list("A27KQ9X%"))), (side // 5, side * 4 // 5), side / 40, 5, rng)
            _paste(canvas, tile, x, y, rng.uniform(0, 360))
        else:
            text = "".join(rng.choice(list("SEVEN7DICEo.:"), 5))
            _write(canvas, text, (int(x) - 60, int(y)), rng.uniform(0.8, 3), int(rng.integers(2, 8)), rng)


def _write(canvas: Floats, text: str, at: tuple[int, int], size: float, thick: int, rng: np.random.Generator) -> None:
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.putText(mask, text, at, cv2.FONT_HERSHEY_COMPLEX, size, 255, thick)
    canvas[mask > 127] = colour(rng, 0.005, 0.9, 1.0)


def _paste(canvas: Floats, tile: Floats, x: float, y: float, angle: float) -> None:
    h, w = tile.shape[:2]
    move = cv2.getRotationMatrix2D((w / 2, h / 2), angle, 1.0)
    move[:, 2] += (x - w / 2, y - h / 2)
    size = canvas.shape[1::-1]
    mask = cv2.warpAffine(np.ones((h, w), np.uint8), move, size)
    drawn = cv2.warpAffine(tile, move, size, borderMode=cv2.BORDER_REPLICATE)
    np.copyto(canvas, drawn, where=mask[..., None] > 0)


def _place(rng: np.random.Generator) -> list[Die]:
    """Dice apart from each other, some cocked, some stacked on another: of such a pile neither can be told."""
    dice: list[Die] = []
    pair = invent(rng)
    for _ in range(int(rng.choice([0, 1, 2, 3, 4], p=[0.06, 0.24, 0.4, 0.18, 0.12]))):
        look = pair if rng.random() < 0.5 else invent(rng)
        for _ in range(20):
            x, y = rng.uniform(8, _SCENE_MM - 8, 2)
            if all(math.dist((x, y), (die.x, die.y)) > 0.78 * (look.edge + die.look.edge) for die in dice):
                break
        else:
            continue
        tilt = math.radians(rng.uniform(14, 45)) if rng.random() < 0.16 else 0.0
        value = int(rng.integers(1, 7))
        die = lay(look, value, float(x), float(y), rng.uniform(0, 2 * math.pi), rng, tilt)
        dice.append(die)
        if rng.random() < 0.03 and not tilt:
            upper = lay(
                invent(rng),
                int(rng.integers(1, 7)),
                float(x + rng.uniform(-3, 3)),
                float(y + rng.uniform(-3, 3)),
                rng.uniform(0, 6),
                rng,
            )
            upper.z += look.edge
            die.label = upper.label = HIDDEN
            dice.append(upper)
    return dice


@dataclass(frozen=True)
class Scene:
    """A scene (256, 256, 3) BGR at 3 px per mm, its dice, and which way the camera is.

    ``lean`` is how far sideways, x and y, one goes for each mm up towards the camera.
    """

    image: NDArray[np.uint8]
    seen: list[Seen]
    lean: tuple[float, float]


def make(rng: np.random.Generator) -> Scene:
    """A scene by chance."""
    n = round(_SCENE_MM * _FINE_PX_PER_MM)
    canvas = ground(n, rng)
    if rng.random() < 0.5:
        _tray(canvas, rng)
    if rng.random() < 0.4:
        _clutter(canvas, rng)
    tilt, way = math.radians(rng.uniform(0, 38)), rng.uniform(0, 2 * math.pi)
    view = np.array([math.sin(tilt) * math.cos(way), math.sin(tilt) * math.sin(way), math.cos(tilt)], np.float32)
    low, side = math.radians(rng.uniform(10, 65)), rng.uniform(0, 2 * math.pi)
    lamp = np.array([math.sin(low) * math.cos(side), math.sin(low) * math.sin(side), math.cos(low)], np.float32)
    light = Light(
        lamp, rng.uniform(0.4, 1.1), rng.uniform(0.25, 0.7), rng.uniform(0.1, 0.9), colour(rng, 0.4, 0.9, 0.2)
    )
    dice = _place(rng)
    canvas *= light.power * lamp[2] + light.ambient
    draw(canvas, _FINE_PX_PER_MM, dice, view, light)
    covered = _cover(canvas, dice, rng) if rng.random() < 0.16 else np.zeros(canvas.shape[:2], np.uint8)
    seen = []
    for die in dice:
        x, y = die.top
        share = _share(covered, x, y, die.look.edge)
        label = die.label if share < 0.06 or die.label in (COCKED, EMBLEM) else HIDDEN
        inside = 3 < x < _SCENE_MM - 3 and 3 < y < _SCENE_MM - 3
        if share > 0.85 or not inside:
            continue
        sure = share < 0.02 and 0.55 * die.look.edge < x < _SCENE_MM - 0.55 * die.look.edge
        sure = sure and 0.55 * die.look.edge < y < _SCENE_MM - 0.55 * die.look.edge
        at = (x * NET_PX_PER_MM, y * NET_PX_PER_MM)
        seen.append(Seen(*at, label, die.look.edge * NET_PX_PER_MM, sure, slope_of(die)))
    return Scene(_camera(canvas, rng), seen, (float(view[0] / view[2]), float(view[1] / view[2])))


def _cover(canvas: Floats, dice: list[Die], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A finger or a card over part of the scene; gives where it lies."""
    mask = np.zeros(canvas.shape[:2], np.uint8)
    s = _FINE_PX_PER_MM
    at = np.array(dice[int(rng.integers(len(dice)))].top if dice else (40, 40)) * s + rng.normal(0, 8 * s, 2)
    far = at + 120 * s * np.array([math.cos(a := rng.uniform(0, 6.3)), math.sin(a)])
    if rng.random() < 0.6:
        tint, thick = colour(rng, 0.08, 0.5, 0.45), int(rng.uniform(12, 19) * s)
        cv2.line(mask, tuple(map(int, at)), tuple(map(int, far)), 255, thick)
    else:
        tint = colour(rng, 0.3, 0.9, 0.3)
        points = cv2.boxPoints((tuple(at + rng.normal(0, 20 * s, 2)), (63 * s, 88 * s), float(rng.uniform(0, 360))))
        cv2.fillPoly(mask, [points.astype(np.int32)], 255)
    canvas[mask > 0] = tint * (1 + 0.1 * _noise(mask.shape, 30, rng))[mask > 0][:, None] * rng.uniform(0.5, 1.1)
    return mask


def _share(covered: NDArray[np.uint8], x: float, y: float, edge: float) -> float:
    s = _FINE_PX_PER_MM
    half = 0.5 * edge
    part = covered[int(max(0, (y - half) * s)) : int((y + half) * s), int(max(0, (x - half) * s)) : int((x + half) * s)]
    return float((part > 0).mean()) if part.size else 1.0


def _camera(canvas: Floats, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What a camera gives, at the networks' scale."""
    own = rng.uniform(1.8, 4.5)
    size = max(32, round(_SCENE_MM * own))
    image = cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA)
    blur = rng.uniform(0.2, 1.0) if rng.random() < 0.85 else rng.uniform(1.0, 1.6)
    image = cv2.GaussianBlur(image, (0, 0), blur)
    x, y = np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1, 1, size))
    image = image * (1 + rng.uniform(-0.2, 0.2) * x + rng.uniform(-0.2, 0.2) * y).astype(np.float32)[..., None]
    image = image * np.float32(rng.uniform(0.45, 1.35)) * (1 + rng.uniform(-0.15, 0.15, 3)).astype(np.float32)
    code = np.clip(image, 0, 1) ** (1 / rng.uniform(1.9, 2.5))
    code = code + rng.normal(0, rng.uniform(0.003, 0.035), code.shape)
    photo = (np.clip(code, 0, 1) * 255 + 0.5).astype(np.uint8)
    if rng.random() < 0.7:
        coded = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 97))])[1]
        photo = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(cv2.resize(photo, (SCENE_PX, SCENE_PX), interpolation=cv2.INTER_LINEAR), np.uint8)
