"""Scenes of dice in trays, on mats and beside cards, as the reader sees them, with what lies there.

A scene is drawn finely, brought to a camera's own resolution, blurred, made noisy and squeezed through JPEG there, and
only then to the scale at which the networks work.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train import decks
from models.train.dice.camera import photograph
from models.train.dice.render import (
    COCKED,
    EMBLEM,
    HIDDEN,
    Die,
    Floats,
    Light,
    any_emblem,
    any_value,
    choose_colour,
    draw,
    invent,
    lay,
)

NET_PX_PER_MM = 3.0
SCENE_PX = 256
FINE_PX_PER_MM = 5.0
SCENE_MM = SCENE_PX / NET_PX_PER_MM
_SEEDS_A_DECK = 50
_FIRST_DECK = 200_000


@dataclass(frozen=True)
class Seen:
    """One die of a scene: its top face's centre (px of the scene), class, and edge in px."""

    x: float
    y: float
    label: int
    edge: float
    readable: bool


def _make_noise(shape: tuple[int, int], cells: float, rng: np.random.Generator) -> Floats:
    small = rng.normal(0, 1, (max(2, int(shape[0] / cells) + 2), max(2, int(shape[1] / cells) + 2))).astype(np.float32)
    return np.asarray(cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


@lru_cache(maxsize=2)
def _make_deck(number: int) -> decks.Deck:
    return decks.invent(_FIRST_DECK + number)


def deck_of(seed: int) -> decks.Deck:
    """Return the invented deck whose cards lie in scenes and samples of that seed."""
    return _make_deck(seed // _SEEDS_A_DECK)


def any_table(n: int, px_per_mm: float, deck: decks.Deck, rng: np.random.Generator) -> Floats:
    """Make what dice lie on, with a tray, cards and other things by chance: (n, n, 3), linear light."""
    canvas = make_ground(n, rng)
    if rng.random() < 0.5:
        _draw_tray(canvas, px_per_mm, rng)
    if rng.random() < 0.5:
        _lay_cards(canvas, px_per_mm, deck, rng)
    if rng.random() < 0.45:
        _strew_clutter(canvas, px_per_mm, rng)
    return canvas


def any_view(rng: np.random.Generator) -> Floats:
    """Choose the unit vector from the table to the camera."""
    tilt, way = math.radians(rng.uniform(0, 34)), rng.uniform(0, 2 * math.pi)
    return np.array([math.sin(tilt) * math.cos(way), math.sin(tilt) * math.sin(way), math.cos(tilt)], np.float32)


def any_lamp(rng: np.random.Generator) -> Light:
    """Choose a lamp, or the sky alone."""
    low, side = math.radians(rng.uniform(5, 68)), rng.uniform(0, 2 * math.pi)
    lamp = np.array([math.sin(low) * math.cos(side), math.sin(low) * math.sin(side), math.cos(low)], np.float32)
    power = rng.uniform(0.4, 1.1) if rng.random() < 0.8 else rng.uniform(0.02, 0.3)
    return Light(lamp, power, rng.uniform(0.25, 0.8), rng.uniform(0.08, 0.9), choose_colour(rng, 0.4, 0.9, 0.2))


def make_ground(n: int, rng: np.random.Generator) -> Floats:
    """Make a table, felt, wood, paper or printed mat; linear light."""
    base = choose_colour(rng, 0.01, 0.75, 0.8)
    canvas = np.tile(base, (n, n, 1)).astype(np.float32)
    kind = rng.integers(0, 6)
    if kind == 0:
        canvas *= (1 + rng.uniform(0.02, 0.25) * _make_noise((n, n), 1.3, rng))[..., None]
    elif kind == 1:
        grain = np.sin(np.linspace(0, rng.uniform(10, 90), n)[:, None] + 1.5 * _make_noise((n, n), 40, rng))
        canvas *= (1 + rng.uniform(0.05, 0.35) * grain)[..., None]
    elif kind == 2:
        weave = np.sin(np.arange(n) * rng.uniform(0.5, 2))[None] * np.sin(np.arange(n) * rng.uniform(0.5, 2))[:, None]
        canvas *= (1 + rng.uniform(0.05, 0.3) * weave)[..., None]
    elif kind == 3:
        for _ in range(int(rng.integers(2, 25))):
            a, b = rng.integers(-20, n, 2), rng.integers(5, n // 2, 2)
            cv2.rectangle(
                canvas, tuple(map(int, a)), tuple(map(int, a + b)), choose_colour(rng, 0.01, 0.8, 1.0).tolist(), -1
            )
    elif kind == 4:
        # Printed or woven dots, as large as pips at times.
        step, radius, ink = rng.uniform(8, 60), rng.uniform(1.5, 12), choose_colour(rng, 0.01, 0.8, 1.0)
        jitter = rng.uniform(0, 0.4) * step
        for a in np.arange(0, n, step):
            for b in np.arange(0, n, step):
                at = np.array([a, b]) + rng.normal(0, jitter + 0.1, 2)
                cv2.circle(canvas, (int(at[0]), int(at[1])), max(1, int(radius)), ink.tolist(), -1)
    canvas *= (1 + rng.uniform(0, 0.12) * _make_noise((n, n), rng.uniform(2, 60), rng))[..., None]
    return np.clip(canvas, 0.002, 1)


def _draw_tray(canvas: Floats, px_per_mm: float, rng: np.random.Generator) -> None:
    n = canvas.shape[0]
    wall = choose_colour(rng, 0.01, 0.5, 0.8)
    inner = choose_colour(rng, 0.01, 0.8, 0.7)
    x0, y0 = rng.integers(-n // 3, n // 3, 2)
    x1, y1 = x0 + rng.integers(n // 2, 2 * n), y0 + rng.integers(n // 2, 2 * n)
    cv2.rectangle(canvas, (int(x0), int(y0)), (int(x1), int(y1)), inner.tolist(), -1)
    region = canvas[max(0, y0) : y1, max(0, x0) : x1]
    if region.size:
        region *= (1 + rng.uniform(0.0, 0.2) * _make_noise(region.shape[:2], rng.uniform(1.2, 3), rng))[..., None]
    thick = int(rng.uniform(2, 6) * px_per_mm)
    cv2.rectangle(canvas, (int(x0), int(y0)), (int(x1), int(y1)), wall.tolist(), thick)
    cv2.rectangle(
        canvas, (int(x0 + thick), int(y0 + thick)), (int(x1), int(y1)), (wall * 0.4).tolist(), max(2, thick // 3)
    )


def _lay_cards(canvas: Floats, px_per_mm: float, deck: decks.Deck, rng: np.random.Generator) -> None:
    """Lay a row, a fan or a pile of cards."""
    at, angle = rng.uniform(0, canvas.shape[0], 2), rng.uniform(0, 360)
    step, slop = rng.normal(0, 22, 2) * px_per_mm, rng.uniform(0, 3, 2)
    zoom, light = px_per_mm / decks.PX_PER_MM, rng.uniform(0.5, 0.95)
    for name in rng.choice(decks.NAMES, int(rng.integers(1, 9))):
        face = cv2.resize(deck.faces[str(name)], None, fx=zoom, fy=zoom, interpolation=cv2.INTER_LINEAR)
        linear = light * (face.astype(np.float32) / 255) ** np.float32(2.2)
        _paste(canvas, linear, *at, angle + rng.normal(0, slop[0]), deck.corner_mm * px_per_mm)
        at = at + step + rng.normal(0, slop[1] * px_per_mm, 2)


def _draw_signs(canvas: Floats, px_per_mm: float, rng: np.random.Generator) -> None:
    """Draw a row of signs, each on a disc, a square or nothing, as they are printed on cards."""
    at, angle = rng.uniform(0, canvas.shape[0], 2), rng.uniform(0, 2 * math.pi)
    side = round(rng.uniform(7, 18) * px_per_mm)
    step = side * rng.uniform(0.9, 1.4) * np.array([math.cos(angle), math.sin(angle)])
    plate = np.zeros((side, side), np.uint8)
    kind = rng.integers(3)
    if kind == 0:
        cv2.circle(plate, (side // 2, side // 2), side // 2 - 1, 255, -1)
    elif kind == 1:
        plate[:] = 255
    body, ink = choose_colour(rng, 0.02, 0.9, 0.8), choose_colour(rng, 0.004, 0.9, 1.0)
    for _ in range(int(rng.integers(1, 5))):
        sign = cv2.resize(any_emblem(rng), (side, side), interpolation=cv2.INTER_AREA)
        tile = np.where(sign[..., None] > 127, ink, body).astype(np.float32)
        _paste(canvas, tile, *at, math.degrees(angle), shape=plate | sign)
        at = at + step


def _draw_marker(canvas: Floats, px_per_mm: float, rng: np.random.Generator) -> None:
    """Draw a square of black and white fields, as a mat's corners have."""
    fields = np.full((8, 8), 0.8, np.float32)
    fields[1:7, 1:7] = 0.02
    fields[2:6, 2:6] = rng.choice([0.02, 0.8], (4, 4))
    side = round(rng.uniform(40, 80) * px_per_mm)
    tile = cv2.resize(fields, (side, side), interpolation=cv2.INTER_NEAREST)
    at = rng.uniform(0, canvas.shape[0], 2)
    _paste(canvas, np.repeat(tile[..., None], 3, axis=2), *at, rng.choice([0, 90]) + rng.normal(0, 2))


def _strew_clutter(canvas: Floats, px_per_mm: float, rng: np.random.Generator) -> None:
    """Strew things that are no dice: cards with pips printed on them, coins, tokens with dots, signs, letters."""
    n, s = canvas.shape[0], px_per_mm
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(0, n, 2)
        kind = rng.integers(0, 6)
        if kind == 0:
            w, h = (rng.uniform(25, 70, 2) * s).astype(int)
            card = np.tile(choose_colour(rng, 0.5, 0.9, 0.1), (h, w, 1)).astype(np.float32)
            ink = choose_colour(rng, 0.005, 0.3, 1.0).tolist()
            step, radius = rng.uniform(4, 16) * s, int(rng.uniform(0.8, 4) * s)
            for a in np.arange(step, w, step):
                for b in np.arange(step, h, step):
                    if rng.random() < 0.5:
                        cv2.circle(card, (int(a), int(b)), radius, ink, -1)
            _paste(canvas, card, x, y, rng.uniform(0, 360))
        elif kind == 1:
            radius = int(rng.uniform(6, 14) * s)
            cv2.circle(canvas, (int(x), int(y)), radius, choose_colour(rng, 0.05, 0.7, 0.6).tolist(), -1)
            cv2.circle(canvas, (int(x), int(y)), int(radius * 0.85), choose_colour(rng, 0.05, 0.7, 0.6).tolist(), 3)
            for _ in range(int(rng.integers(0, 6))):
                a, b = (np.array([x, y]) + rng.normal(0, radius / 3, 2)).astype(int)
                cv2.circle(canvas, (int(a), int(b)), int(1.3 * s), choose_colour(rng, 0.0, 0.9, 0.5).tolist(), -1)
        elif kind == 2:
            # A flat square with dots as large as a die's face.
            side = int(rng.uniform(11, 20) * s)
            tile = np.tile(choose_colour(rng, 0.02, 0.9, 0.5), (side, side, 1)).astype(np.float32)
            if rng.random() < 0.5:
                _write(tile, str(rng.choice(list("A27KQ9X%"))), (side // 5, side * 4 // 5), side / 40, 5, rng)
            _paste(canvas, tile, x, y, rng.uniform(0, 360))
        elif kind == 3:
            _draw_signs(canvas, s, rng)
        elif kind == 4:
            _draw_marker(canvas, s, rng)
        else:
            text = "".join(rng.choice(list("SEVEN7DICEo.:"), 5))
            _write(canvas, text, (int(x) - 60, int(y)), rng.uniform(0.8, 3), int(rng.integers(2, 8)), rng)


def _write(canvas: Floats, text: str, at: tuple[int, int], size: float, thick: int, rng: np.random.Generator) -> None:
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.putText(mask, text, at, cv2.FONT_HERSHEY_COMPLEX, size, 255, thick)
    canvas[mask > 127] = choose_colour(rng, 0.005, 0.9, 1.0)


def _paste(
    canvas: Floats,
    tile: Floats,
    x: float,
    y: float,
    angle: float,
    corner: float = 0.0,
    shape: NDArray[np.uint8] | None = None,
) -> None:
    h, w = tile.shape[:2]
    if shape is None:
        shape, r = np.zeros((h, w), np.uint8), round(corner)
        inner = (r, r), (w - 1 - r, h - 1 - r)
        cv2.rectangle(shape, *inner, 1, -1)
        cv2.rectangle(shape, *inner, 1, 2 * r + 1)  # a thick line's corners are round
    turn = cv2.getRotationMatrix2D((0, 0), angle, 1.0)[:, :2]
    reach = np.abs(turn) @ np.array([w, h]) / 2 + 1
    low = np.maximum(0, np.floor(np.array([x, y]) - reach)).astype(int)
    high = np.minimum(canvas.shape[1::-1], np.ceil(np.array([x, y]) + reach)).astype(int)
    if (high <= low).any():
        return
    move = np.column_stack([turn, np.array([x, y]) - low - turn @ (w / 2, h / 2)])
    size = tuple((high - low).tolist())
    mask = cv2.warpAffine(shape, move, size)
    drawn = cv2.warpAffine(tile, move, size, borderMode=cv2.BORDER_REPLICATE)
    np.copyto(canvas[low[1] : high[1], low[0] : high[0]], drawn, where=mask[..., None] > 0)


def _place(rng: np.random.Generator) -> list[Die]:
    """Place dice apart from each other, some cocked, some stacked on another: of such a pile neither can be read."""
    dice: list[Die] = []
    pair = invent(rng)
    for _ in range(int(rng.choice([0, 1, 2, 3, 4], p=[0.25, 0.2, 0.3, 0.15, 0.1]))):
        look = pair if rng.random() < 0.5 else invent(rng)
        for _ in range(20):
            x, y = rng.uniform(8, SCENE_MM - 8, 2)
            if all(math.dist((x, y), (die.x, die.y)) > 0.78 * (look.edge + die.look.edge) for die in dice):
                break
        else:
            continue
        tilt = math.radians(rng.uniform(8, 46)) if rng.random() < 0.16 else 0.0
        die = lay(look, any_value(look, rng), float(x), float(y), rng.uniform(0, 2 * math.pi), rng, tilt)
        dice.append(die)
        if rng.random() < 0.05 and not tilt:
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
            die.buried = True
            dice.append(upper)
    return dice


def make_bare(seed: int, rng: np.random.Generator) -> tuple[Floats, float]:
    """Make a lit scene without dice (n, n, 3) at 5 px per mm, linear light, and say how bright its light is."""
    light = any_lamp(rng)
    bright = float(light.power * light.direction[2] + light.ambient)
    return any_table(round(SCENE_MM * FINE_PX_PER_MM), FINE_PX_PER_MM, deck_of(seed), rng) * bright, bright


@dataclass(frozen=True)
class Scene:
    """A scene (256, 256, 3) BGR at 3 px per mm and its dice."""

    image: NDArray[np.uint8]
    seen: list[Seen]


def make(seed: int) -> Scene:
    """Make the scene of that seed."""
    rng = np.random.default_rng(seed)
    n, s = round(SCENE_MM * FINE_PX_PER_MM), FINE_PX_PER_MM
    canvas = any_table(n, s, deck_of(seed), rng)
    view, light = any_view(rng), any_lamp(rng)
    dice = _place(rng)
    canvas *= light.power * light.direction[2] + light.ambient
    draw(canvas, s, dice, view, light)
    covered = np.zeros(canvas.shape[:2], np.uint8)
    if rng.random() < 0.25:
        at = dice[int(rng.integers(len(dice)))].top if dice else (40.0, 40.0)
        covered = cover(canvas, s, at, rng)
    seen = []
    for die in dice:
        x, y = die.top
        share = _visible_share(covered, x, y, die.look.edge)
        label = die.label if share < 0.06 or die.label in (COCKED, EMBLEM) else HIDDEN
        inside = 3 < x < SCENE_MM - 3 and 3 < y < SCENE_MM - 3
        if share > 0.85 or not inside or die.buried:
            continue
        sure = share < 0.02 and 0.55 * die.look.edge < x < SCENE_MM - 0.55 * die.look.edge
        sure = sure and 0.55 * die.look.edge < y < SCENE_MM - 0.55 * die.look.edge
        at = (x * NET_PX_PER_MM, y * NET_PX_PER_MM)
        seen.append(Seen(*at, label, die.look.edge * NET_PX_PER_MM, sure))
    return Scene(photograph(canvas, SCENE_PX, round(SCENE_MM * rng.uniform(1.8, 4.5)), rng), seen)


def cover(canvas: Floats, px_per_mm: float, about: tuple[float, float], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Cover part of a canvas, about a place in mm, with fingers or a card; return where they lie."""
    mask, s = np.zeros(canvas.shape[:2], np.uint8), px_per_mm
    at = np.array(about) * s + rng.normal(0, 8 * s, 2)
    level = np.zeros(canvas.shape[:2], np.float32)
    if rng.random() < 0.65:
        tint = choose_colour(rng, 0.08, 0.55, 0.5)
        way, thick = rng.uniform(0, 2 * math.pi), rng.uniform(11, 19) * s
        for k in range(int(rng.choice([1, 2, 4], p=[0.4, 0.2, 0.4]))):
            a = way + rng.normal(0, 0.12)
            side = np.array([-math.sin(way), math.cos(way)]) * k * thick * rng.uniform(1.0, 1.25)
            tip = at + side + rng.normal(0, 4 * s, 2)
            far = tip + 140 * s * np.array([math.cos(a), math.sin(a)])
            one = np.zeros_like(mask)
            cv2.line(one, tuple(map(int, tip)), tuple(map(int, far)), 255, int(thick))
            # Round as a finger is: darker to its edges.
            depth = cv2.distanceTransform(one, cv2.DIST_L2, 3) / (thick / 2)
            level = np.where(one > 0, 0.45 + 0.55 * np.sqrt(np.clip(depth, 0, 1)), level)
            mask |= one
    else:
        tint = choose_colour(rng, 0.3, 0.9, 0.3)
        size = (63 * s, 88 * s) if rng.random() < 0.7 else (rng.uniform(10, 30) * s, rng.uniform(10, 30) * s)
        points = cv2.boxPoints((tuple(at + rng.normal(0, 12 * s, 2)), size, float(rng.uniform(0, 360))))
        cv2.fillPoly(mask, [points.astype(np.int32)], 255)
        level[mask > 0] = 1.0
    shade = (1 + 0.1 * _make_noise(mask.shape, 30, rng)) * level * np.float32(rng.uniform(0.5, 1.1))
    canvas[mask > 0] = tint * shade[mask > 0][:, None]
    return mask


def _visible_share(covered: NDArray[np.uint8], x: float, y: float, edge: float) -> float:
    s = FINE_PX_PER_MM
    half = 0.5 * edge
    part = covered[int(max(0, (y - half) * s)) : int((y + half) * s), int(max(0, (x - half) * s)) : int((x + half) * s)]
    return float((part > 0).mean()) if part.size else 1.0
