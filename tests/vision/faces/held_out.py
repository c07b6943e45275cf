"""An invented art that no number of the reader was ever set on: watercolours to the edge under a slanting ribbon.

It is there to measure with as everything stands. Whoever tunes on it needs another one.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from referee.seven_wonders.cards import BACKS
from rules.seven_wonders.cards import find_building
from tests.vision.faces.art import ARTS, COLOURS, SCALE, Rgb, letters, noise, seeded, sign, signs, size_px
from tests.words import en

_PAPER: Rgb = (239, 231, 214)
_SEPIA: Rgb = (62, 42, 30)


def _wash(name: str, colour: Rgb, more: int) -> np.ndarray:
    """Wet strokes of one colour on paper, of another picture for each name; (h, w, 3) floats."""
    rng = seeded(name, more)
    w, h = size_px()
    picture = np.full((h, w, 3), _PAPER, np.float64)
    for _ in range(26):
        x, y = rng.uniform(0, w), rng.uniform(0, h)
        along, across, turn = rng.uniform(60, 240), rng.uniform(14, 60), rng.uniform(0, math.pi)
        stroke = np.zeros((h, w), np.uint8)
        cv2.ellipse(
            stroke,
            (round(x), round(y)),
            (round(along), round(across)),
            math.degrees(turn),
            0,
            360,
            255,
            -1,
            cv2.LINE_AA,
        )
        blurred = cv2.GaussianBlur(stroke, (0, 0), rng.uniform(3, 11))
        wet = blurred[..., None].astype(np.float64) / 255.0
        tint: NDArray[np.float64] = np.clip(
            np.array(colour, float) * rng.uniform(0.5, 1.25) + rng.normal(0, 22, 3), 15.0, 240.0
        )
        picture += 0.55 * wet * (tint - picture)
    picture += 7 * noise(rng, 2.5)[..., None]
    return picture


def _ribbon(pencil: ImageDraw.ImageDraw, colour: Rgb) -> None:
    """Draw a band that rises from the left edge to the right one, with a fold at either end."""
    left, right, high = 15.5, 9.5, 7.0
    band = [(0, left), (65, right), (65, right + high), (0, left + high)]
    pencil.polygon([(x * SCALE, y * SCALE) for x, y in band], fill=colour, outline=_SEPIA, width=4)
    for x, y, way in ((0.0, left + high, 1), (65.0, right + high, -1)):
        fold = [(x, y), (x + 6 * way, y - 0.6 * way), (x, y + 3)]
        pencil.polygon([(a * SCALE, b * SCALE) for a, b in fold], fill=_SEPIA)


def _lettered(image: Image.Image, words: str) -> None:
    """Words along the ribbon."""
    w, _ = size_px()
    line = Image.new("RGBA", (w, 8 * SCALE), (0, 0, 0, 0))
    height = 4.4
    while height > 2.0 and letters(height).getlength(words) > w - 14 * SCALE:
        height -= 0.2
    ImageDraw.Draw(line).text((w / 2, 4 * SCALE), words, (250, 244, 228), letters(height), "mm")
    turned = line.rotate(math.degrees(math.atan2(6.0, 65.0)), Image.Resampling.BICUBIC, expand=True)
    image.paste(turned, ((w - turned.width) // 2, round(16.0 * SCALE - turned.height / 2)), turned)


def _watercolour(name: str) -> Image.Image:
    age = BACKS.get(name, 0)
    colour: Rgb = (50 + 60 * (age - 1), 70, 150 - 45 * (age - 1)) if age else COLOURS[en(find_building(name).colour)]
    image = Image.fromarray(np.clip(_wash(name, colour, 8), 0, 255).astype(np.uint8))
    pencil = ImageDraw.Draw(image)
    w, h = size_px()
    if age:
        for middle in (18.0, 50.0, 82.0):
            for n in range(age):
                x = 32.5 + 13.0 * (n - (age - 1) / 2)
                pencil.ellipse([round(v * SCALE) for v in (x - 5, middle - 5, x + 5, middle + 5)], fill=_PAPER)
                sign(pencil, 1 + 4 * age, x, middle, 3.2, _SEPIA)
        return image
    card = find_building(name)
    dark: Rgb = (colour[0] * 2 // 3, colour[1] * 2 // 3, colour[2] * 2 // 3)
    _ribbon(pencil, dark)
    _lettered(image, f"{en(card).split(' (')[0].title()} {'·' * card.age}")
    effect, *costs = signs(card)
    pencil.ellipse([round(v * SCALE) for v in (2, 1.5, 13, 12.5)], fill=_PAPER, outline=_SEPIA, width=5)
    sign(pencil, effect, 7.5, 7.0, 4.0, dark)
    for n, kind in enumerate(costs):
        x = 61.0 - 6.4 * n
        pencil.rounded_rectangle([round(v * SCALE) for v in (x - 2.8, 1.2, x + 2.8, 7.4)], 12, fill=_SEPIA)
        sign(pencil, kind, x, 4.3, 2.2, (246, 238, 220))
    pencil.rectangle((0, h - 3 * SCALE, w, h), fill=dark)
    return image


HELD_OUT = "watercolour"
ARTS |= {HELD_OUT: _watercolour}
