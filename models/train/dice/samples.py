"""Crops of dice to train the face reader on, drawn in layers so that each can be coloured anew as often as it is used.

A sample shows one top face in its middle, at ``SAMPLE_EDGE_PX`` px an edge. Its layers tell what the ground, the body
and the marks give to the light; ``colour_layers`` puts them together with any colours, and ``photograph`` is what a
camera makes of that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.decks import Deck
from models.train.dice.camera import photograph
from models.train.dice.render import (
    COCKED,
    EMBLEM,
    HIDDEN,
    Die,
    Floats,
    Look,
    Paint,
    Traced,
    any_value,
    base_offset,
    cast_shadows,
    in_depth,
    invent,
    lay,
    put,
    slope_of,
    trace,
    upper_face,
    upper_pips,
    upper_value,
)
from models.train.dice.scenes import (
    FINE_PX_PER_MM,
    SCENE_MM,
    SCENE_PX,
    any_lamp,
    any_table,
    any_view,
    cover,
    deck_of,
    make_bare,
)

SAMPLE_PX, SAMPLE_EDGE_PX = 144, 42
NO_DIE = 9
GROUND, BODY, VEINS, TOP_INK, INK, SHINE = slice(0, 3), 3, 4, 5, 6, 7
LAYERS = 8
Find = Callable[[NDArray[np.uint8]], list[tuple[float, float, float, float]]]
"""Finds top faces in a picture at 3 px per mm: x, y, edge in mm, and how likely."""
_FINE = 2
_MOST_LIGHT = 2.0
"""A layer's bytes are the square root of its share of this."""
PLAIN_SLOPE = math.radians(28)
"""A die that leans less than this shows its value plainly: only where the camera is tells that it leans."""


@dataclass(frozen=True)
class Sample:
    """One crop in layers (144, 144, 8) of bytes, and what its middle shows.

    ``base`` is from the top face's middle to where the bottom face's would show, of two dice the lower one's, NaN where
    that is not asked; ``pips`` (6, 2) where the top face's pips lie, NaN where there are less; both in edges. ``light``
    is the light on the ground.
    """

    layers: NDArray[np.uint8]
    label: int
    base: Floats
    pips: Floats
    light: float


def sample_of(seed: int) -> Sample:
    """Make the sample of that seed."""
    rng = np.random.default_rng(seed)
    while (sample := _draw_sample(deck_of(seed), rng)) is None:
        pass
    return sample


def _draw_sample(deck: Deck, rng: np.random.Generator) -> Sample | None:
    n = SAMPLE_PX * _FINE
    look = invent(rng)
    scale = SAMPLE_EDGE_PX * _FINE / look.edge
    canvas = any_table(n, scale, deck, rng)
    view, light = any_view(rng), any_lamp(rng)
    lean = view[:2] / view[2]
    canvas *= light.power * light.direction[2] + light.ambient
    empty = rng.random() < 0.09
    main, dice = _lay_dice(look, n / scale, lean, rng)
    if empty:
        dice = [die for die in dice if die is not main]
    cast_shadows(canvas, scale, dice, light)
    own = np.zeros((n, n, LAYERS - 3), np.float32)
    over = np.zeros((n, n), np.bool_)
    for die in in_depth(dice, view):
        seen = trace(canvas.shape, scale, die, view, light)
        if seen is None:
            continue
        x0, y0, x1, y1 = seen.window
        if die is main:
            _put_layers(own[y0:y1, x0:x1], seen)
            canvas[y0:y1, x0:x1][seen.hit] = 0
            over[y0:y1, x0:x1][seen.hit] = False
        else:
            put(canvas, die, seen)
            own[y0:y1, x0:x1][seen.hit] = 0
            over[y0:y1, x0:x1] |= seen.hit
    if rng.random() < (0.3 if empty else 0.15):
        mask = cover(canvas, scale, (n / 2 / scale, n / 2 / scale), rng)
        own[mask > 0] = 0
        over |= mask > 0
    pips = np.full((6, 2), np.nan, np.float32)
    label, base = NO_DIE, np.full(2, np.nan, np.float32)
    if not empty:
        label, base = main.label, base_offset(main, lean)
        if label == HIDDEN:
            # Under the upper die of two lies the lower one.
            base = np.asarray(base + lean * (main.z / look.edge - 0.5), np.float32)
        shown = upper_pips(main, lean)
        share, covered = _measure_covered(over, shown, n)
        if share > 0.8:
            return None
        if covered or share > 0.12:
            label, base = HIDDEN, np.full(2, np.nan, np.float32)
        elif label == COCKED and slope_of(main) < PLAIN_SLOPE:
            label = EMBLEM if len(shown) == 0 else upper_value(main) - 1
        if label < 6:
            pips[: len(shown)] = shown
    whole = np.concatenate([canvas, own], axis=-1)
    small = np.dstack(
        [
            cv2.resize(np.ascontiguousarray(part), (SAMPLE_PX,) * 2, interpolation=cv2.INTER_AREA)
            for part in (whole[..., :4], whole[..., 4:])
        ]
    )
    brightness = float(light.power * light.direction[2] + light.ambient)
    return Sample(_encode(small), label, base, pips, brightness)


def _encode(layers: Floats) -> NDArray[np.uint8]:
    return np.asarray(np.sqrt(np.clip(layers / _MOST_LIGHT, 0, 1)) * 255 + 0.5).astype(np.uint8)


def phantoms_of(seed: int, find: Find) -> list[Sample]:
    """Make samples of what a finder takes for dice in a scene of that seed where none lies."""
    rng = np.random.default_rng([seed, NO_DIE])
    table, light = make_bare(seed, rng)
    samples = []
    for x, y, edge, _ in find(photograph(table, SCENE_PX, round(SCENE_MM * rng.uniform(1.8, 4.5)), rng)):
        zoom = SAMPLE_EDGE_PX / (edge * FINE_PX_PER_MM)
        shift = SAMPLE_PX / 2 - 0.5 - zoom * (np.array([x, y]) * FINE_PX_PER_MM - 0.5)
        move = np.array([[zoom, 0, shift[0]], [0, zoom, shift[1]]])
        layers = np.zeros((SAMPLE_PX, SAMPLE_PX, LAYERS), np.float32)
        layers[..., GROUND] = cv2.warpAffine(table, move, (SAMPLE_PX,) * 2, borderMode=cv2.BORDER_REPLICATE)
        unknown = np.full((7, 2), np.nan, np.float32)
        samples.append(Sample(_encode(layers), NO_DIE, unknown[0], unknown[1:], light))
    return samples


def _put_layers(own: Floats, seen: Traced) -> None:
    surface, lit = seen.surface, seen.lit
    rays = np.zeros((len(lit), LAYERS - 3), np.float32)
    body = ~surface.ink
    rays[:, BODY - 3] = lit * body
    rays[:, VEINS - 3] = lit * body * surface.veins
    rays[:, TOP_INK - 3] = lit * surface.top_ink
    rays[:, INK - 3] = lit * (surface.ink & ~surface.top_ink)
    rays[:, SHINE - 3] = seen.shine
    own[seen.hit] = rays


def _lay_dice(look: Look, side: float, lean: Floats, rng: np.random.Generator) -> tuple[Die, list[Die]]:
    """Lay the die in the middle of a patch of ``side`` mm, and others beside it; return it and all dice."""
    tilt = math.radians(rng.uniform(7, 46)) if rng.random() < 0.24 else 0.0
    main = lay(look, any_value(look, rng), 0.0, 0.0, rng.uniform(0, 2 * math.pi), rng, tilt)
    lower = None
    if not tilt and rng.random() < 0.16:
        below = look if rng.random() < 0.5 else invent(rng)
        lower = lay(below, int(rng.integers(1, 7)), 0.0, 0.0, rng.uniform(0, 6), rng)
        main.z += lower.look.edge
        main.label = HIDDEN
    top = upper_face(main, lean)
    main.x, main.y = side / 2 - top[0], side / 2 - top[1]
    dice = [main]
    if lower is not None:
        lower.x, lower.y = main.x + rng.normal(0, 0.2) * look.edge, main.y + rng.normal(0, 0.2) * look.edge
        dice.insert(0, lower)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.66, 0.26, 0.08]))):
        other = look if rng.random() < 0.5 else invent(rng)
        far, way = 0.5 * (look.edge + other.edge) * rng.uniform(1.0, 1.7), rng.uniform(0, 2 * math.pi)
        turned = lay(other, int(rng.integers(1, 7)), 0.0, 0.0, rng.uniform(0, 6), rng, 0.0)
        # Dice do not cut through each other: at an angle they lie farther apart.
        far *= 1.0 if rng.random() < 0.3 else 1.25
        turned.x, turned.y = main.x + far * math.cos(way), main.y + far * math.sin(way)
        dice.append(turned)
    return main, dice


def _measure_covered(over: NDArray[np.bool_], pips: Floats, n: int) -> tuple[float, bool]:
    """Measure how much of the top face lies under something, and whether a pip does."""
    edge = SAMPLE_EDGE_PX * _FINE
    y, x = np.ogrid[:n, :n]
    face = (x - n / 2) ** 2 + (y - n / 2) ** 2 < (0.5 * edge) ** 2
    hidden = False
    for px, py in pips * edge + n / 2:
        pip = (x - px) ** 2 + (y - py) ** 2 < (0.1 * edge) ** 2
        hidden = hidden or float(over[pip].mean() if pip.any() else 0) > 0.25
    return float(over[face].mean()), hidden


# What becomes of a sample each time it is used


def colour_layers(layers: NDArray[np.uint8], label: int, light: float, tint: Paint, rng: np.random.Generator) -> Floats:
    """Colour layers (h, w, 8) as a picture (h, w, 3) in linear light, the die painted so."""
    values = layers.reshape(-1, LAYERS).astype(np.float32)
    values *= values
    mix = np.zeros((LAYERS, 3), np.float32)
    mix[GROUND] = np.eye(3)
    if rng.random() < 0.7:
        gains = math.exp(rng.normal(0, 0.5)) * np.exp(rng.normal(0, 0.35, 3))
        mix[GROUND] = np.eye(3)[rng.permutation(3)] * gains
    body, second = tint.body, tint.second
    if tint.clear:
        ground = np.median(values[::16, GROUND], axis=0) * (_MOST_LIGHT / 255**2)
        beneath = ground @ mix[GROUND] / max(light, 0.2)
        body = (1 - tint.clear) * body + tint.clear * beneath * (0.5 + body)
        second = (1 - tint.clear) * second + tint.clear * beneath * (0.5 + second)
    mix[BODY] = body
    mix[VEINS] = tint.veins * (second - body)
    mix[TOP_INK] = tint.one if label == 0 else tint.four if label == 3 else tint.pip
    mix[INK] = tint.pip
    mix[SHINE] = rng.uniform(0, 1.3)
    picture = values @ (mix * np.float32(_MOST_LIGHT / 255**2))
    return np.asarray(picture.reshape(*layers.shape[:2], 3), np.float32)
