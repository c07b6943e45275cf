"""More invented arts: in a single ink, of stained glass and of paintings to the edge, and two with dark rims."""

from __future__ import annotations

import math

import cv2
import numpy as np
from PIL import Image, ImageDraw

from referee.seven_wonders.cards import BACKS
from rules.seven_wonders.cards import find_building
from tests.vision.faces.art import ARTS, COLOURS, SCALE, Rgb, letters, noise, seeded, sign, signs, size_px
from tests.words import en, ja
from vision.arrays import Picture

__all__ = ["ARTS"]

_INK = (54, 44, 36)


def _plain(colour: Rgb) -> Picture:
    w, h = size_px()
    return np.full((h, w, 3), colour, np.uint8)


def _pen(picture: Picture, text: str, at_mm: tuple[float, float], high_mm: float, font: int, ink: Rgb) -> None:
    """Words in a pen's letters, from their left end at the foot."""
    size = high_mm * SCALE / 21.0
    at = (round(at_mm[0] * SCALE), round(at_mm[1] * SCALE))
    width = cv2.getTextSize(text, font, size, 2)[0][0]
    room = size_px()[0] - at[0] - 2 * SCALE
    size *= min(1.0, room / max(1, width))
    cv2.putText(picture, text, at, font, size, ink, max(2, round(0.35 * SCALE)), cv2.LINE_AA)


def _hatched(name: str) -> Image.Image:
    """Draw an engraving in one ink: hatched pictures, a script name, signs in small boxes, and one coloured stripe."""
    picture = _plain((236, 228, 206))
    w, h = size_px()
    rng = seeded(name, 5)
    age = BACKS.get(name, 0)
    down, across = np.mgrid[0:h, 0:w].astype(np.float32)
    tone = 0.5 + 0.3 * noise(rng, 14) + 0.2 * noise(rng, 5)
    wave = np.sin((down + (0.25 + 0.2 * age) * across) / (2.6 + 0.5 * age)) * 0.5 + 0.5
    lines = (wave < np.clip(tone, 0.05, 0.6)) & (down > (8 if age else 27) * SCALE)
    picture[lines] = _INK
    edge = round(1.5 * SCALE)
    cv2.rectangle(picture, (edge, edge), (w - edge, h - edge), _INK, 3)
    if age:
        cv2.circle(picture, (w // 2, h // 2), 15 * SCALE, (236, 228, 206), -1)
        _pen(picture, "I" * age, (27.0 - 2 * age, 56.0), 14, cv2.FONT_HERSHEY_TRIPLEX, _INK)
        _pen(picture, "I" * age, (6.0, 13.0), 7, cv2.FONT_HERSHEY_TRIPLEX, _INK)
        return Image.fromarray(picture)
    card = find_building(name)
    picture[edge:-edge, edge : 6 * SCALE] = COLOURS[en(card.colour)]
    _pen(picture, en(card).split(" (")[0], (8.0, 9.0), 3.6, cv2.FONT_HERSHEY_SCRIPT_COMPLEX, _INK)
    image = Image.fromarray(picture)
    pencil = ImageDraw.Draw(image)
    effect, *costs = signs(card)
    for n, kind in enumerate([*costs, effect]):
        x = 11.0 + 7.0 * n if n < len(costs) else 57.0
        box = [round(v * SCALE) for v in (x - 3.2, 15.0, x + 3.2, 22.0)]
        pencil.rectangle(box, outline=_INK, width=3)
        sign(pencil, kind, x, 18.5, 2.4, _INK)
    return image


def _glass(name: str) -> Image.Image:
    """Stained glass to the edge: panes in the card's colour, a Japanese name on the panes, signs down the left."""
    rng = seeded(name, 6)
    w, h = size_px()
    age = BACKS.get(name, 0)
    base = np.array((60 + 50 * age, 90, 190 - 50 * age) if age else COLOURS[en(find_building(name).colour)], float)
    count = 70
    seeds = rng.uniform((0, 0), (w, h), (count, 2)).astype(np.float32)
    step = 4
    y, x = np.mgrid[0:h:step, 0:w:step].astype(np.float32)
    away = np.hypot(x[..., None] - seeds[:, 0], y[..., None] - seeds[:, 1])
    order = np.partition(away, 1, axis=2)
    panes = np.clip(base * rng.uniform(0.55, 1.35, (count, 1)) + rng.normal(0, 26, (count, 3)), 12, 245)
    small = panes[away.argmin(axis=2)]
    small[order[..., 1] - order[..., 0] < 7] = (22, 20, 26)
    picture = cv2.resize(small.astype(np.uint8), (w, h), interpolation=cv2.INTER_LINEAR)
    image = Image.fromarray(picture)
    pencil = ImageDraw.Draw(image)
    if age:
        for at in ((w / 2, h * 0.2), (w / 2, h * 0.8)):
            pencil.text(
                at, "ⅠⅡⅢ"[age - 1], (250, 246, 235), letters(15), "mm", stroke_width=8, stroke_fill=(20, 20, 26)
            )
        return image
    card = find_building(name)
    effect, *costs = signs(card)
    words = ja(card).split("（")[0]
    pencil.text(
        (12 * SCALE, 8 * SCALE), words, (252, 250, 240), letters(5), "lm", stroke_width=5, stroke_fill=(20, 20, 26)
    )
    for n, kind in enumerate([effect, *costs]):
        pencil.ellipse([round(v * SCALE) for v in (2, 2 + 7 * n, 9, 9 + 7 * n)], fill=(20, 20, 26))
        sign(pencil, kind, 5.5, 5.5 + 7 * n, 2.6, (252, 250, 240))
    return image


def _poster(name: str) -> Image.Image:
    """Posters to the edge: one painting for all cards of a colour, told apart by a name and signs alone."""
    w, h = size_px()
    age = BACKS.get(name, 0)
    colour = COLOURS[en(find_building(name).colour)] if not age else (40, 60, 60 + 50 * age)
    rng = np.random.default_rng(sum(colour))
    top, foot = np.array(colour) * 0.5 + 110, np.array(colour) * 0.7
    picture = np.repeat(np.linspace(top, foot, h)[:, None], w, axis=1)
    sun = (rng.uniform(0.3, 0.7) * w, rng.uniform(0.1, 0.3) * h)
    y, x = np.mgrid[0:h, 0:w]
    picture[np.hypot(x - sun[0], y - sun[1]) < 9 * SCALE] += 45
    for n in range(5):
        line = h * (0.2 + 0.15 * n + 0.05 * np.sin(np.arange(w) / w * math.pi * rng.uniform(1, 5) + rng.uniform(0, 6)))
        picture[y > line[None]] = np.array(colour) * (1.0 - 0.12 * n) + rng.uniform(-18, 18, 3)
    picture += 5 * noise(rng, 3)[..., None]
    drawn = np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))
    if age:
        for middle in (0.22, 0.78):
            for n in range(age):
                at = (round(w * (0.5 + 0.22 * (n - (age - 1) / 2))), round(h * middle))
                cv2.circle(drawn, at, 6 * SCALE, (246, 238, 214), -1, cv2.LINE_AA)
        return Image.fromarray(drawn)
    card = find_building(name)
    words = f"{en(card).split(' (')[0].upper()} {'I' * card.age}"
    _pen(drawn, words, (4.0, 21.5), 4.0, cv2.FONT_HERSHEY_DUPLEX, (250, 246, 232))
    image = Image.fromarray(drawn)
    pencil = ImageDraw.Draw(image)
    effect, *costs = signs(card)
    sign(pencil, effect, 8, 9, 5, (250, 246, 232))
    for n, kind in enumerate(costs):
        sign(pencil, kind, 61 - 6.5 * n, 5.5, 2.7, (28, 24, 30))
    return image


def _scene(name: str, more: int) -> Picture:
    """Draw a painting in the card's colour, (h, w, 3), of another picture for each name."""
    w, h = size_px()
    rng = seeded(name, more)
    age = BACKS.get(name, 0)
    tones = rng.uniform(40, 230, (2, 3))
    base = np.array((70 * age, 120, 200 - 50 * age) if age else COLOURS[en(find_building(name).colour)], float)
    mixed = 0.5 + 0.22 * noise(rng, 30) + 0.14 * noise(rng, 9) + 0.06 * noise(rng, 3)
    picture = tones[0] * mixed[..., None] + (0.5 * base + 0.5 * tones[1]) * (1 - mixed[..., None])
    for _ in range(9):
        at = (round(rng.uniform(0, w)), round(rng.uniform(0.3 * h, h)))
        box = (at, (rng.uniform(30, 220), rng.uniform(30, 300)), rng.uniform(-30, 30))
        cv2.fillPoly(picture, [cv2.boxPoints(box).astype(np.int32)], rng.uniform(20, 235, 3).tolist(), cv2.LINE_AA)
    clipped: Picture = np.clip(picture, 0, 255).astype(np.uint8)
    return clipped


def _head(image: Image.Image, name: str, x_mm: float, y_mm: float) -> Image.Image:
    """Draw a head with signs in a disc each, and a name under them; a back has its age in its middle."""
    pencil, (w, h) = ImageDraw.Draw(image), size_px()
    if name in BACKS:
        pencil.text((w / 2, h / 2), "I" * BACKS[name], (250, 244, 230), letters(24), "mm")
        return image
    card = find_building(name)
    for n, kind in enumerate(signs(card)):
        x = x_mm + 8.0 * n
        pencil.ellipse([round(v * SCALE) for v in (x - 3.6, y_mm - 3.6, x + 3.6, y_mm + 3.6)], fill=(240, 232, 212))
        sign(pencil, kind, x, y_mm, 2.8, _INK)
    words = f"{en(card).split(' (')[0]} {'I' * card.age}"
    pencil.text((x_mm * SCALE, (y_mm + 8) * SCALE), words, (246, 240, 226), letters(4), "lm")
    return image


def _rimmed(name: str) -> Image.Image:
    """Draw a black rim with a torn inner edge and a worn outer one, a coloured band above and left of a painting."""
    (w, h), rng = size_px(), seeded(name, 11)
    scene, picture = _scene(name, 12), _plain((26, 24, 25))
    tear = [round(SCALE * 2.6) + np.round(2.2 * rng.standard_normal(n)).astype(int) for n in (h, h, w, w)]
    across, down = np.arange(w)[None], np.arange(h)[:, None]
    inside = (across >= tear[0][:, None]) & (across < w - tear[1][:, None])
    inside &= (down >= tear[2][None]) & (down < h - tear[3][None])
    band = (across < 14 * SCALE) | (down < 22 * SCALE)
    colour = (150, 90, 40) if name in BACKS else COLOURS[en(find_building(name).colour)]
    if name not in BACKS:
        scene[band] = np.clip(np.array(colour) + 9 * noise(rng, 2)[..., None], 0, 255)[band]
    picture[inside] = scene[inside]
    cv2.rectangle(picture, (0, 0), (w - 1, h - 1), (74, 72, 70), 2)
    return _head(Image.fromarray(picture), name, 12, 9)


def _sable(name: str) -> Image.Image:
    """Draw a wide black rim, twice as wide at the foot, round a painting with round corners; backs have other rims."""
    inside = np.zeros(size_px()[::-1], np.uint8)
    rim, foot = (6.0, 6.0) if name in BACKS else (4.0, 9.0)
    left, top, right, bottom, r = (round(v * SCALE) for v in (rim, rim, 65 - rim, 100 - foot, 3))
    cv2.rectangle(inside, (left + r, top), (right - r, bottom), 1, -1)
    cv2.rectangle(inside, (left, top + r), (right, bottom - r), 1, -1)
    for at in ((left + r, top + r), (right - r, top + r), (left + r, bottom - r), (right - r, bottom - r)):
        cv2.circle(inside, at, r, 1, -1)
    picture = np.where(inside[..., None] > 0, _scene(name, 13), np.uint8(30))
    return _head(Image.fromarray(picture), name, 10, 10)


ARTS |= {"rimmed": _rimmed, "sable": _sable, "hatched": _hatched, "glass": _glass, "poster": _poster}
