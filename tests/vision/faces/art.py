"""Invented arts of a game with 78 faces and three backs, drawn for tests alone: no two decks share a design.

Faces are (200 · s, 130 · s, 3) pictures of 65 × 100 mm. What tells them apart stands in the upper 25 mm, as it must on
cards that lie in columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from device.artwork.own_cards import own_face
from referee.seven_wonders.cards import BACKS, SIZE_MM
from rules.seven_wonders.cards import BUILDINGS, Building, find_building
from tests.words import en
from ui.fonts import Weight, font_file

SCALE = 8
"""px per mm while drawing."""
COLOURS = {
    "brown": (126, 84, 48),
    "grey": (128, 130, 134),
    "yellow": (222, 176, 42),
    "blue": (48, 92, 170),
    "green": (44, 128, 70),
    "red": (178, 44, 40),
    "purple": (112, 66, 132),
}
Rgb = tuple[int, int, int]
ARTS: dict[str, Callable[[str], Image.Image]] = {}


@cache
def face(art: str, name: str, px_per_mm: float) -> Image.Image:
    """Draw a face or back of an art at that scale, RGB."""
    w, h = (round(side * px_per_mm) for side in SIZE_MM)
    return _drawn(art, name).resize((w, h), Image.Resampling.LANCZOS)


@cache
def _drawn(art: str, name: str) -> Image.Image:
    return ARTS[art](name)


def size_px() -> tuple[int, int]:
    return round(SIZE_MM[0] * SCALE), round(SIZE_MM[1] * SCALE)


def letters(height: float, weight: Weight = Weight.BOLD) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(weight)), round(height * SCALE))


def noise(rng: np.random.Generator, cells: float) -> np.ndarray:
    w, h = size_px()
    small = rng.standard_normal((max(2, int(100 / cells)), max(2, int(65 / cells)))).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def seeded(name: str, more: int) -> np.random.Generator:
    place = find_building(name).place if name not in BACKS else 100 + BACKS[name]
    return np.random.default_rng((place, more))


def sign(pencil: ImageDraw.ImageDraw, kind: int, x: float, y: float, r: float, fill: Rgb) -> None:
    """One of many signs: a polygon, a star, a ring or bars."""
    sides, x, y, r = 3 + kind % 6, x * SCALE, y * SCALE, r * SCALE
    if kind % 4 == 3:
        pencil.ellipse((x - r, y - r, x + r, y + r), outline=fill, width=round(0.35 * r))
        return
    points = []
    for n in range(2 * sides):
        d = r * (0.45 if n % 2 and kind % 4 == 1 else 1.0)
        points.append((x + d * math.cos(n * math.pi / sides + kind), y + d * math.sin(n * math.pi / sides + kind)))
    pencil.polygon(points if kind % 4 == 1 else points[::2], fill=fill)


def signs(card: Building) -> list[int]:
    """Return the signs of a card's effect and cost, the same for the same effect."""
    number = sum(card.effect.sources) + 7 * card.effect.points + 31 * card.effect.shields + 3 * card.effect.coins
    science = len(str(card.effect.science)) if card.effect.science else 0
    return [number % 24 + science, *(unit.bit.bit_length() + 7 for unit in card.cost.units)]


def _banner(name: str) -> Image.Image:
    """Draw a coloured band with signs at the head, the name in it, white paper below."""
    image = Image.new("RGB", size_px(), (244, 240, 230))
    pencil = ImageDraw.Draw(image)
    w, h = size_px()
    if name in BACKS:
        ground = [(150, 110, 60), (60, 110, 150), (110, 60, 110)][BACKS[name] - 1]
        pencil.rectangle((0, 0, w, h), fill=ground)
        for n in range(12):
            pencil.arc((w / 2 - 40 * n, h / 2 - 40 * n, w / 2 + 40 * n, h / 2 + 40 * n), 0, 360, (240, 230, 200), 5)
        pencil.text((w / 2, h / 2), "I" * BACKS[name], (255, 250, 230), letters(26), "mm")
        return image
    card = find_building(name)
    pencil.rectangle((0, 0, w, 17 * SCALE), fill=COLOURS[en(card.colour)])
    effect, *costs = signs(card)
    sign(pencil, effect, 56, 8.5, 6, (250, 246, 226))
    for n, cost in enumerate(costs):
        sign(pencil, cost, 6 + 6.2 * (n % 6), 6 + 6 * (n // 6), 2.6, (30, 30, 30))
    pencil.text((4 * SCALE, 21 * SCALE), f"{en(card)} {card.age}", (20, 20, 20), letters(4.6), "lm")
    rng = seeded(name, 1)
    for _ in range(9):
        x, y = rng.uniform(8, 57), rng.uniform(32, 92)
        sign(pencil, int(rng.integers(24)), x, y, rng.uniform(3, 9), tuple(rng.integers(60, 220, 3).tolist()))
    return image


def _painting(name: str) -> Image.Image:
    """Draw a painting to the edge, with small signs on it at the head."""
    rng = seeded(name, 2)
    base = np.array(COLOURS[en(find_building(name).colour)] if name not in BACKS else (90, 70 + 40 * BACKS[name], 120))
    sky = np.array(rng.uniform(90, 230, 3))
    w, h = size_px()
    down = np.linspace(0, 1, h)[:, None, None]
    picture = np.repeat(sky * (1 - down) + base * down, w, axis=1)
    for cells, depth in ((30, 28), (11, 22), (4, 14)):
        for channel in range(3):
            picture[..., channel] += depth * noise(rng, cells)
    hills = h * (0.22 + 0.06 * np.cumsum(rng.normal(0, 0.4, 12)))
    line = np.interp(np.arange(w), np.linspace(0, w, 12), hills)
    below = np.arange(h)[:, None] > line[None]
    picture[below] = 0.6 * picture[below] + 0.4 * base * rng.uniform(0.5, 1.1)
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    pencil = ImageDraw.Draw(image)
    if name in BACKS:
        pencil.ellipse((w / 2 - 160, h / 2 - 160, w / 2 + 160, h / 2 + 160), fill=(230, 215, 160))
        pencil.text((w / 2, h / 2), "I" * BACKS[name], (60, 30, 10), letters(24), "mm")
        return image
    card = find_building(name)
    effect, *costs = signs(card)
    pencil.ellipse(
        (26 * SCALE, 3 * SCALE, 39 * SCALE, 16 * SCALE), fill=COLOURS[en(card.colour)], outline=(250, 240, 210), width=6
    )
    sign(pencil, effect, 32.5, 9.5, 4.5, (250, 246, 226))
    for n, cost in enumerate(costs):
        sign(pencil, cost, 6, 5 + 6 * n, 2.6, (245, 235, 200))
    pencil.text((w / 2, h - 5 * SCALE), en(card), (250, 245, 230), letters(4), "mm")
    return image


def _dark(name: str) -> Image.Image:
    """Dark cards with a thin frame: a short name and few signs at the head, most of each colour alike."""
    image = Image.new("RGB", size_px(), (32, 34, 40))
    pencil = ImageDraw.Draw(image)
    w, h = size_px()
    if name in BACKS:
        pencil.rectangle((24, 24, w - 24, h - 24), outline=(190, 160, 90), width=10)
        for n in range(BACKS[name]):
            pencil.ellipse((w / 2 - 60, 150 + 170 * n, w / 2 + 60, 270 + 170 * n), fill=(190, 160, 90))
            pencil.ellipse((40, 40 + 60 * n, 90, 90 + 60 * n), fill=(190, 160, 90))
            pencil.ellipse((w - 90, h - 90 - 60 * n, w - 40, h - 40 - 60 * n), fill=(190, 160, 90))
        return image
    card = find_building(name)
    colour = COLOURS[en(card.colour)]
    pencil.rounded_rectangle((14, 14, w - 14, h - 14), 24, outline=colour, width=9)
    pencil.rectangle((14, 96, w - 14, 104), fill=colour)
    pencil.text(
        (5 * SCALE, 7 * SCALE), en(card).split(" (")[0][:14], (225, 220, 205), letters(5.2, Weight.REGULAR), "lm"
    )
    effect, *costs = signs(card)
    for n, kind in enumerate([effect, *costs]):
        sign(pencil, kind, 8 + 7.4 * n, 18.5, 3.2, (225, 220, 205) if n else colour)
    pencil.text((w - 5 * SCALE, 7 * SCALE), "I" * card.age, colour, letters(5), "rm")
    sign(pencil, effect, 32.5, 60, 20, colour)
    return image


def _printed(name: str) -> Image.Image:
    """Draw the plain set that the program prints."""
    return own_face(name, float(SCALE))


ARTS |= {"banner": _banner, "painting": _painting, "dark": _dark, "printed": _printed}
NAMES = (*(card.id for card in BUILDINGS), *BACKS)
