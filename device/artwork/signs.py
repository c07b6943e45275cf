"""Signs on cards of a game's own: plain shapes, each within a circle of radius r round (x, y), in millimetres."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from PIL import ImageDraw, ImageFont

from referee.papers import Rgb, Sign
from ui.fonts import Weight, font_file

_RIM: Rgb = (250, 247, 238)
_INK: Rgb = (34, 36, 42)
Point = tuple[float, float]


@dataclass
class Pencil:
    """Draws in millimetres, ``s`` px each."""

    draw: ImageDraw.ImageDraw
    s: float

    def draw_polygon(self, points: Sequence[Point], fill: Rgb, outline: Rgb | None = None) -> None:
        """Draw a filled polygon."""
        scaled = [(x * self.s, y * self.s) for x, y in points]
        self.draw.polygon(scaled, fill=fill)
        if outline is not None:
            self.draw.line([*scaled, scaled[0]], fill=outline, width=max(1, round(0.25 * self.s)), joint="curve")

    def draw_disc(self, x: float, y: float, r: float, fill: Rgb, outline: Rgb | None = None) -> None:
        """Draw a filled circle."""
        s = self.s
        box = ((x - r) * s, (y - r) * s, (x + r) * s, (y + r) * s)
        self.draw.ellipse(box, fill=fill, outline=outline, width=max(1, round(0.3 * s)))

    def draw_box(self, x0: float, y0: float, x1: float, y1: float, fill: Rgb) -> None:
        """Draw a filled rectangle."""
        s = self.s
        self.draw.rectangle((round(x0 * s), round(y0 * s), round(x1 * s), round(y1 * s)), fill=fill)

    def draw_frame(self, x0: float, y0: float, x1: float, y1: float, line: float, colour: Rgb) -> None:
        """Draw the outline of a rectangle."""
        s = self.s
        box = (round(x0 * s), round(y0 * s), round(x1 * s), round(y1 * s))
        self.draw.rectangle(box, outline=colour, width=max(1, round(line * s)))

    def draw_line(self, points: Sequence[Point], width: float, fill: Rgb) -> None:
        """Draw a line."""
        scaled = [(x * self.s, y * self.s) for x, y in points]
        self.draw.line(scaled, fill=fill, width=max(1, round(width * self.s)), joint="curve")

    def write_word(self, x: float, y: float, text: str, size: float, fill: Rgb, widest: float) -> None:
        """Words in the middle of a place."""
        font = fitted_face(text, size * self.s, widest * self.s, Weight.BOLD)
        self.draw.text((x * self.s, y * self.s), text, fill, font=font, anchor="mm")


@cache
def load_font(px: int, weight: Weight) -> ImageFont.FreeTypeFont:
    """Load the font with letters of that size."""
    return ImageFont.truetype(str(font_file(weight)), max(4, px))


def fitted_face(text: str, size_px: float, widest_px: float, weight: Weight) -> ImageFont.FreeTypeFont:
    """Letters of that size, smaller where the text would be wider than that."""
    wide = load_font(round(size_px), weight).getlength(text)
    return load_font(round(size_px * min(1.0, widest_px / max(wide, 1.0))), weight)


Draws = Callable[[Pencil, Sign, float, float, float], None]


def draw_sign(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    """Draw a sign round (x, y).

    Raises:
        KeyError: there is no such shape.
    """
    _SHAPES[sign.shape](pencil, sign, x, y, r)


def _ring(count: int, r: float, turn: float = 0.0) -> list[Point]:
    return [
        (r * math.cos(turn + n * math.tau / count), r * math.sin(turn + n * math.tau / count)) for n in range(count)
    ]


def _make_polygon(points: Sequence[Point]) -> Draws:
    """Return what draws a polygon of points that are shares of r."""

    def draw(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
        pencil.draw_polygon([(x + r * px, y + r * py) for px, py in points], sign.colour, _RIM)

    return draw


def _draw_bricks(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.draw_box(x - r, y - 0.8 * r, x + r, y + 0.8 * r, _RIM)
    for row, shift in enumerate((0.0, -0.5, 0.0)):
        top = y - 0.7 * r + row * 0.48 * r
        for column in (-1.0, 0.0, 1.0):
            left, right = max(-0.92, column + shift), min(0.92, column + shift + 0.92)
            if right > left:
                pencil.draw_box(x + left * r, top, x + right * r, top + 0.4 * r, sign.colour)


def _draw_logs(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    for down in (-0.55, 0.0, 0.55):
        pencil.draw_box(x - 0.95 * r, y + (down - 0.24) * r, x + 0.95 * r, y + (down + 0.24) * r, _RIM)
        pencil.draw_box(x - 0.88 * r, y + (down - 0.18) * r, x + 0.7 * r, y + (down + 0.18) * r, sign.colour)
        pencil.draw_disc(x + 0.72 * r, y + down * r, 0.17 * r, (222, 190, 130))


def _draw_block(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    front = [(-0.95, -0.2), (0.45, -0.2), (0.45, 0.85), (-0.95, 0.85)]
    top = [(-0.95, -0.2), (-0.45, -0.8), (0.95, -0.8), (0.45, -0.2)]
    side = [(0.45, -0.2), (0.95, -0.8), (0.95, 0.25), (0.45, 0.85)]
    for part, shade in ((front, 1.0), (top, 1.25), (side, 0.7)):
        red, green, blue = (min(255, round(each * shade)) for each in sign.colour)
        pencil.draw_polygon([(x + r * px, y + r * py) for px, py in part], (red, green, blue), _RIM)


def _drop(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.draw_polygon([(x + r * px, y + r * py) for px, py in ((0, -1), (0.6, 0.15), (-0.6, 0.15))], sign.colour)
    pencil.draw_disc(x, y + 0.3 * r, 0.64 * r, sign.colour, _RIM)
    pencil.draw_disc(x - 0.2 * r, y + 0.15 * r, 0.16 * r, _RIM)


def _draw_scroll(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.draw_box(x - 0.6 * r, y - 0.9 * r, x + 0.6 * r, y + 0.9 * r, sign.colour)
    for end in (-0.85, 0.85):
        pencil.draw_box(x - 0.8 * r, y + (end - 0.15) * r, x + 0.8 * r, y + (end + 0.15) * r, (150, 118, 60))
    for row in (-0.4, -0.05, 0.3):
        pencil.draw_line([(x - 0.4 * r, y + row * r), (x + 0.4 * r, y + row * r)], 0.12 * r, _INK)


def _draw_coin(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.draw_disc(x, y, r, sign.colour, _INK)
    pencil.write_word(x, y, sign.text, 1.5 * r, _INK, 1.5 * r)


def _draw_points(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    for px, py in _ring(12, 0.86 * r):
        pencil.draw_disc(x + px, y + py, 0.24 * r, (90, 150, 70))
    pencil.draw_disc(x, y, 0.8 * r, sign.colour, _INK)
    pencil.write_word(x, y, sign.text, 1.2 * r, _INK, 1.2 * r)


def _draw_gear(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.draw_disc(x, y, r, _RIM)
    for px, py in _ring(8, 0.72 * r):
        pencil.draw_disc(x + px, y + py, 0.2 * r, sign.colour)
    pencil.draw_disc(x, y, 0.66 * r, sign.colour)
    pencil.draw_disc(x, y, 0.28 * r, _RIM)


def _draw_compass(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.draw_disc(x, y, r, _RIM)
    for foot in (-0.55, 0.55):
        pencil.draw_line([(x, y - 0.6 * r), (x + foot * r, y + 0.75 * r)], 0.18 * r, sign.colour)
    pencil.draw_line([(x - 0.36 * r, y + 0.28 * r), (x + 0.36 * r, y + 0.28 * r)], 0.14 * r, sign.colour)
    pencil.draw_disc(x, y - 0.6 * r, 0.2 * r, sign.colour)


def _draw_tablet(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.draw_disc(x, y, r, _RIM)
    pencil.draw_box(x - 0.5 * r, y - 0.65 * r, x + 0.5 * r, y + 0.7 * r, sign.colour)
    for row in (-0.3, 0.0, 0.3):
        pencil.draw_line([(x - 0.32 * r, y + row * r), (x + 0.32 * r, y + row * r)], 0.1 * r, _RIM)


def _draw_card(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.draw_box(x - 0.66 * r, y - 0.96 * r, x + 0.66 * r, y + 0.96 * r, _RIM)
    pencil.draw_box(x - 0.52 * r, y - 0.82 * r, x + 0.52 * r, y + 0.82 * r, sign.colour)


def _draw_word(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.write_word(x, y, sign.text, 1.6 * r, _RIM if sign.text == "/" else sign.colour, r)
    pencil.write_word(x, y, sign.text, 1.4 * r, sign.colour, r)


def _draw_defeat(pencil: Pencil, sign: Sign, x: float, y: float, r: float) -> None:
    pencil.draw_disc(x, y, r, _RIM, sign.colour)
    pencil.write_word(x, y, sign.text, 1.2 * r, sign.colour, 1.4 * r)


_SHIELD = ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.1), (0.0, 0.95), (-0.8, 0.1))
_STAGE = ((-0.95, 0.8), (-0.95, 0.3), (-0.5, 0.3), (-0.5, -0.2), (-0.15, -0.2), (-0.15, -0.75))
_STEPS = (*_STAGE, *((-x, y) for x, y in reversed(_STAGE)))
_ARROW = ((-0.55, 0.0), (0.35, -0.7), (0.35, 0.7))

_SHAPES: dict[str, Draws] = {
    "bricks": _draw_bricks,
    "hexagon": _make_polygon(_ring(6, 1.0)),
    "block": _draw_block,
    "logs": _draw_logs,
    "diamond": _make_polygon(((0, -1), (0.8, 0), (0, 1), (-0.8, 0))),
    "drop": _drop,
    "scroll": _draw_scroll,
    "coin": _draw_coin,
    "points": _draw_points,
    "shield": _make_polygon(_SHIELD),
    "stage": _make_polygon(_STEPS),
    "gear": _draw_gear,
    "compass": _draw_compass,
    "tablet": _draw_tablet,
    "card": _draw_card,
    "left": _make_polygon(_ARROW),
    "right": _make_polygon(tuple((-x, y) for x, y in _ARROW)),
    "down": _make_polygon(tuple((y, -x) for x, y in _ARROW)),
    "word": _draw_word,
    "defeat": _draw_defeat,
}
