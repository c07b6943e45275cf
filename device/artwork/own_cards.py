"""Cards of a game's own, drawn from their descriptions: signs and names at the head, where columns show them.

Sizes are millimetres from a card's top left corner; pictures are RGB at the px/mm asked for.
"""

from __future__ import annotations

from functools import cache

from PIL import Image, ImageDraw

from device.artwork.signs import Pencil, draw_sign, fitted_face
from referee.papers import PrintedFace, Rgb, Sign
from referee.registry import own_card_sets
from rules.text import Language
from ui.fonts import Weight

_PAPER: Rgb = (244, 240, 228)
_INK: Rgb = (34, 36, 42)
_FINER = 2
"""Drawn so much finer and averaged down."""
_BAND_MM = 18.5
"""The coloured band at the head: the names on a paper strip, cost and effect below them."""
_NAMES_MM, _SIGNS_MM = 5.6, 13.0
"""How high that strip is, and where the signs' middle lies."""
_COST_MM, _EFFECT_MM = 4.8, 9.0
"""How wide signs of the cost and of the effect are at most."""


@cache
def own_sizes() -> dict[str, tuple[float, float]]:
    """Return the size of each printed card of a game's own, by its name."""
    return {name: cards.size_mm for cards in own_card_sets() for name in cards.printed}


def own_face(name: str, px_per_mm: float) -> Image.Image:
    """Draw a printed face or back of a game's own, RGB.

    Raises:
        KeyError: no game has such a card.
    """
    cards = next(cards for cards in own_card_sets() if name in cards.printed)
    face, size = cards.printed[name], cards.size_mm
    scale = px_per_mm * _FINER
    image = Image.new("RGB", (round(size[0] * scale), round(size[1] * scale)), _PAPER)
    pencil = Pencil(ImageDraw.Draw(image), scale)
    (_draw_back if face.back else _draw_front)(pencil, face, size)
    return image.resize((round(size[0] * px_per_mm), round(size[1] * px_per_mm)), Image.Resampling.LANCZOS)


def _draw_front(pencil: Pencil, face: PrintedFace, size: tuple[float, float]) -> None:
    width, height = size
    pencil.draw_box(0, 0, width, _BAND_MM, face.ground)
    pencil.draw_box(0, height - 5, width, height, face.ground)
    pencil.draw_box(2.0, 2.0, width - 2.0, 2.0 + _NAMES_MM, _PAPER)
    _write_words(pencil, face.title.said(Language.JA), 3.2, 2.0 + _NAMES_MM / 2, 4.2, 24.0)
    _write_words(pencil, face.title.said(Language.EN), 28.5, 2.0 + _NAMES_MM / 2, 3.8, width - 31.7)
    _draw_cost(pencil, face.cost)
    _draw_row(pencil, face.effect, (25.0, width - 2.5), _SIGNS_MM, _EFFECT_MM)
    _write_words(pencil, face.corner, 3.0, _BAND_MM + 3.0, 3.0, width - 6.0, Weight.REGULAR)
    _draw_row(pencil, face.effect, (6.0, width - 6.0), 44.0, 15.0)
    at = 66.0
    for hint in face.hints:
        _write_words(pencil, hint.said(Language.JA), 4.0, at, 3.4, width - 8.0, Weight.REGULAR)
        _write_words(pencil, hint.said(Language.EN), 4.0, at + 4.2, 3.0, width - 8.0, Weight.REGULAR)
        at += 9.4


def _draw_back(pencil: Pencil, face: PrintedFace, size: tuple[float, float]) -> None:
    """Draw a back that is the same either way up: the age's discs at both ends, and as many bars in the middle.

    Its lines meet in the middle, so that no part of it looks like another one.
    """
    width, height = size
    pencil.draw_box(0, 0, width, height, face.ground)
    light = [round(part + (255 - part) * 0.55) for part in face.ground]
    pale: Rgb = (light[0], light[1], light[2])
    for corner in ((6.0, 6.0), (width - 6.0, 6.0)):
        pencil.draw_line([corner, (width - corner[0], height - corner[1])], 1.6, pale)
    pencil.draw_frame(3.5, 3.5, width - 3.5, height - 3.5, 1.2, pale)
    pencil.draw_disc(width / 2, height / 2, 19.0, face.ground, pale)
    count = len(face.corner)
    for number in range(count):
        x = width / 2 + (number - (count - 1) / 2) * 8.5
        pencil.draw_box(x - 2.4, height / 2 - 10.0, x + 2.4, height / 2 + 10.0, _PAPER)
        for y in (14.0, height - 14.0):
            pencil.draw_disc(x, y, 3.4, _PAPER)


def _draw_cost(pencil: Pencil, cost: tuple[Sign, ...]) -> None:
    """Draw the cost in at most two rows at the left."""
    each = 4 if len(cost) > len("row") else max(1, len(cost))
    for number, sign in enumerate(cost):
        row, column = divmod(number, each)
        rows = -(-len(cost) // each)
        y = _SIGNS_MM + (row - (rows - 1) / 2) * (_COST_MM + 0.4)
        draw_sign(pencil, sign, 4.4 + column * (_COST_MM + 0.2), y, _COST_MM / 2)


def _draw_row(pencil: Pencil, signs: tuple[Sign, ...], across: tuple[float, float], y: float, widest: float) -> None:
    """Signs side by side in the middle between two places, as large as there is room."""
    if not signs:
        return
    shares = [0.5 if sign.shape in ("word", "left", "right", "down") else 1.0 for sign in signs]
    side = min(widest, (across[1] - across[0]) / sum(shares))
    x = (across[0] + across[1]) / 2 - side * sum(shares) / 2
    for sign, share in zip(signs, shares, strict=True):
        draw_sign(pencil, sign, x + side * share / 2, y, 0.46 * side)
        x += side * share


def _write_words(
    pencil: Pencil, text: str, x: float, y: float, size: float, widest: float, weight: Weight = Weight.BOLD
) -> None:
    """Write a line of words from x on, its middle at y; smaller where it would be too wide."""
    font = fitted_face(text, size * pencil.s, widest * pencil.s, weight)
    pencil.draw.text((x * pencil.s, y * pencil.s), text, _INK, font=font, anchor="lm")
