"""Drawing on a card in millimetres: shapes, letters and the seven suits' pictograms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

CARD_MM = (63.0, 88.0)
PX_PER_MM = 9
_FINE = 2
"""Drawn this much finer and averaged down."""

Point = tuple[float, float]
Colour = tuple[int, int, int]
Shape = tuple[str, list[Point]]

FOLDERS = tuple(Path("/usr/share/fonts") / kind for kind in ("opentype", "truetype"))
FONTS = {
    "century": "urw-base35/C059-Roman.otf",
    "century-bold": "urw-base35/C059-Bold.otf",
    "times": "urw-base35/NimbusRoman-Regular.otf",
    "times-bold": "urw-base35/NimbusRoman-Bold.otf",
    "helvetica": "urw-base35/NimbusSans-Regular.otf",
    "helvetica-bold": "urw-base35/NimbusSans-Bold.otf",
    "narrow": "urw-base35/NimbusSansNarrow-Regular.otf",
    "narrow-bold": "urw-base35/NimbusSansNarrow-Bold.otf",
    "courier-bold": "urw-base35/NimbusMonoPS-Bold.otf",
    "palatino": "urw-base35/P052-Roman.otf",
    "palatino-bold": "urw-base35/P052-Bold.otf",
    "bookman": "urw-base35/URWBookman-Demi.otf",
    "gothic": "urw-base35/URWGothic-Book.otf",
    "gothic-demi": "urw-base35/URWGothic-Demi.otf",
    "chancery": "urw-base35/Z003-MediumItalic.otf",
    "libertine": "linux-libertine/LinLibertine_R.otf",
    "libertine-display": "linux-libertine/LinLibertine_DR.otf",
    "libertine-bold": "linux-libertine/LinLibertine_RB.otf",
    "biolinum-bold": "linux-libertine/LinBiolinum_RB.otf",
    "cabin": "cabin/Cabin-Medium.otf",
    "cabin-bold": "cabin/Cabin-Bold.otf",
    "comic": "comic-neue/ComicNeue-Bold.otf",
    "comic-light": "comic-neue/ComicNeue-Light.otf",
    "quicksand": "quicksand/Quicksand-Medium.ttf",
    "quicksand-bold": "quicksand/Quicksand-Bold.ttf",
    "quicksand-light": "quicksand/Quicksand-Light.ttf",
    "mincho": "ipaexfont-mincho/ipaexm.ttf",
    "kaku": "ipaexfont-gothic/ipaexg.ttf",
}
FONT_PACKAGES = (
    "fonts-urw-base35 fonts-linuxlibertine fonts-cabin fonts-comic-neue fonts-quicksand "
    "fonts-ipaexfont-mincho fonts-ipaexfont-gothic"
)


def font_path(name: str) -> Path | None:
    """Find where Debian put the face of this name, None where it is not installed."""
    return next((folder / FONTS[name] for folder in FOLDERS if (folder / FONTS[name]).is_file()), None)


@cache
def _measure_cap(name: str) -> float:
    """Measure the height of an 8 as a share of the type size."""
    box = ImageFont.truetype(str(font_path(name)), 400).getbbox("8")
    return float(box[3] - box[1]) / 400


@cache
def _open_font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_path(name)), size)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """Mix the colour ``share`` of the way from a to b."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


class Sheet:
    """One side of a card being drawn; all places and sizes in millimetres from its top left corner."""

    def __init__(self, ground: Colour) -> None:
        self.scale = PX_PER_MM * _FINE
        self.image = Image.new("RGB", (round(CARD_MM[0] * self.scale), round(CARD_MM[1] * self.scale)), ground)
        self.draw = ImageDraw.Draw(self.image)

    def get_pixels(self) -> np.ndarray:
        """Return the finished side, (792, 567, 3) RGB uint8."""
        size = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
        return np.asarray(self.image.resize(size, Image.Resampling.BOX))

    def _to_px(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale) for x, y in points]

    def draw_poly(self, points: Sequence[Point], fill: Colour) -> None:
        self.draw.polygon(self._to_px(points), fill=fill)

    def draw_line(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        self.draw.line(self._to_px(points), fill=fill, width=max(1, round(width * self.scale)), joint="curve")

    def draw_box(self, x0: float, y0: float, x1: float, y1: float, fill: Colour, radius: float = 0) -> None:
        self.draw.rounded_rectangle(
            (x0 * self.scale, y0 * self.scale, x1 * self.scale, y1 * self.scale), radius * self.scale, fill=fill
        )

    def draw_frame(self, inset: float, width: float, colour: Colour, radius: float = 0) -> None:
        s = self.scale
        self.draw.rounded_rectangle(
            (inset * s, inset * s, (CARD_MM[0] - inset) * s, (CARD_MM[1] - inset) * s),
            radius * s,
            outline=colour,
            width=max(1, round(width * s)),
        )

    def draw_disc(self, x: float, y: float, r: float, fill: Colour) -> None:
        s = self.scale
        self.draw.ellipse(((x - r) * s, (y - r) * s, (x + r) * s, (y + r) * s), fill=fill)

    def draw_ring(self, x: float, y: float, r: float, width: float, colour: Colour) -> None:
        s = self.scale
        self.draw.ellipse(
            ((x - r) * s, (y - r) * s, (x + r) * s, (y + r) * s), outline=colour, width=max(1, round(width * s))
        )

    def draw_text(
        self, x: float, y: float, words: str, font: str, height: float, fill: Colour, anchor: str = "mm", fit: float = 0
    ) -> float:
        """Set words whose digits are ``height`` mm high, squeezed to ``fit`` mm at most; returns their width in mm."""
        size = round(height * self.scale / _measure_cap(font))
        face = _open_font(font, size)
        wide = face.getlength(words) / self.scale
        if fit and wide > fit:
            face = _open_font(font, max(8, int(size * fit / wide)))
            wide = face.getlength(words) / self.scale
        left = {"l": 0.0, "m": wide / 2, "r": wide}[anchor[0]]
        box = face.getbbox(words)
        middle = (box[1] + box[3]) / 2
        top = {"t": float(box[1]), "m": middle, "b": float(box[3])}[anchor[1]]
        self.draw.text(((x - left) * self.scale, y * self.scale - top), words, font=face, fill=fill)
        return wide

    def upright_text(self, x: float, y: float, words: str, font: str, height: float, fill: Colour) -> None:
        """Draw text downwards, one sign below the other."""
        for k, sign in enumerate(words):
            self.draw_text(x, y + k * height * 1.25, sign, font, height, fill, "mt")

    def draw_suit(
        self, letter: str, x: float, y: float, size: float, ink: Colour, hole: Colour, drawing: int = 0
    ) -> None:
        """Draw a pictogram ``size`` mm high about (x, y)."""
        if isinstance(drawing, int) and drawing == KANJI:
            self.draw_text(x, y, SUIT_KANJI[letter], "mincho", size * 0.9, ink)
            return
        if drawing == LETTER:
            self.draw_text(x, y, letter, "bookman", size * 0.85, ink)
            return
        for role, points in list_shapes(letter, drawing):
            self.draw_poly(
                [(x + px * size / 2, y + py * size / 2) for px, py in points], ink if role == "ink" else hole
            )

    def paint_turned(self, paint: Callable[[], object]) -> None:
        """Paint the same once more with the card turned by half a turn."""
        self.image = self.image.transpose(Image.Transpose.ROTATE_180)
        self.draw = ImageDraw.Draw(self.image)
        paint()
        self.image = self.image.transpose(Image.Transpose.ROTATE_180)
        self.draw = ImageDraw.Draw(self.image)

    def both_ends(self, paint: Callable[[], object]) -> None:
        """Paint at the upper end and, turned, at the lower one."""
        paint()
        self.paint_turned(paint)


KANJI, LETTER = 100, 101
SUIT_KANJI = {"H": "心", "O": "葱", "B": "本", "C": "貨", "S": "星", "T": "時", "F": "棺"}


def _make_round(cx: float, cy: float, rx: float, ry: float, start: float = 0, stop: float = 360) -> list[Point]:
    return [
        (cx + rx * math.cos(math.radians(a)), cy + ry * math.sin(math.radians(a))) for a in np.linspace(start, stop, 48)
    ]


def _make_heart(size: float = 1.0, cy: float = 0.0) -> list[Point]:
    return [
        (
            size * math.sin(t) ** 3 * 0.95,
            cy - size * (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t) + 2.5) / 15,
        )
        for t in np.linspace(0, 2 * math.pi, 60)
    ]


def _make_star(points: int, inner: float, outer: float = 1.0, turn: float = -90.0) -> list[Point]:
    return [
        (
            (outer if k % 2 == 0 else inner) * math.cos(math.radians(turn + 180 * k / points)),
            (outer if k % 2 == 0 else inner) * math.sin(math.radians(turn + 180 * k / points)),
        )
        for k in range(2 * points)
    ]


def _make_coffin(size: float) -> list[Point]:
    return [
        (x * size, y * size) for x, y in ((-0.35, -1), (0.35, -1), (0.68, -0.38), (0.38, 1), (-0.38, 1), (-0.68, -0.38))
    ]


def _make_bulb(size: float, top: float) -> list[Point]:
    """Draw an onion: a round body that draws out into a tip."""
    points = []
    for t in np.linspace(-math.pi, math.pi, 64):
        width = size * math.sin(t)
        if abs(t) > 1.9:
            width *= max(0.0, (math.pi - abs(t)) / (math.pi - 1.9)) ** 0.7
        points.append(
            (
                width * 0.98,
                0.25 + size * 0.75 * math.cos(t)
                if abs(t) <= 1.9
                else 0.25
                + size * 0.75 * math.cos(1.9)
                + (top - 0.25 - size * 0.75 * math.cos(1.9)) * (abs(t) - 1.9) / (math.pi - 1.9),
            )
        )
    return points


def _make_bar(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _make_stroke(x0: float, y0: float, x1: float, y1: float, width: float) -> list[Point]:
    length = math.hypot(x1 - x0, y1 - y0)
    nx, ny = -(y1 - y0) / length * width / 2, (x1 - x0) / length * width / 2
    return [(x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny)]


@cache
def list_shapes(letter: str, drawing: int) -> tuple[Shape, ...]:
    """List polygons in −1…1, of ink or of hole, for one of four drawings of a suit."""
    ink: Callable[[list[Point]], Shape] = lambda points: ("ink", points)  # noqa: E731
    hole: Callable[[list[Point]], Shape] = lambda points: ("hole", points)  # noqa: E731
    choices: dict[str, tuple[tuple[Shape, ...], ...]] = {
        "H": (
            (ink(_make_heart()),),
            (ink(_make_heart()), hole(_make_heart(0.62, -0.03))),
            (
                ink(_make_round(-0.47, -0.35, 0.5, 0.5)),
                ink(_make_round(0.47, -0.35, 0.5, 0.5)),
                ink([(-0.93, -0.16), (0.93, -0.16), (0, 0.98)]),
            ),
            (ink(_make_heart()), hole(_make_stroke(-0.5, -0.55, -0.62, -0.15, 0.16))),
        ),
        "O": (
            (
                ink(_make_bulb(0.9, -1.0)),
                hole(_make_stroke(-0.3, -0.2, -0.36, 0.7, 0.09)),
                hole(_make_stroke(0.3, -0.2, 0.36, 0.7, 0.09)),
            ),
            (
                ink(_make_round(0, 0.35, 0.8, 0.6)),
                ink(_make_stroke(0, 0, -0.45, -1, 0.2)),
                ink(_make_stroke(0, 0, 0, -1, 0.2)),
                ink(_make_stroke(0, 0, 0.45, -1, 0.2)),
            ),
            (
                ink([(x, -y * 0.85 - 0.1) for x, y in _make_heart()]),
                ink([(-0.1, 0.3), (0.1, 0.3), (0.3, 1), (-0.3, 1)]),
            ),
            (ink(_make_bulb(0.9, -1.0)), hole(_make_bulb(0.68, -0.6)), ink(_make_bulb(0.42, -0.3))),
        ),
        "B": (
            (
                ink([(-1, -0.6), (-0.08, -0.4), (-0.08, 0.75), (-1, 0.55)]),
                ink([(1, -0.6), (0.08, -0.4), (0.08, 0.75), (1, 0.55)]),
            ),
            (
                ink(_make_bar(-0.72, -0.95, 0.72, 0.95)),
                hole(_make_bar(-0.5, -0.95, -0.4, 0.95)),
                hole(_make_bar(-0.2, -0.6, 0.5, -0.25)),
            ),
            (
                ink([(-1, -0.7), (0, -0.45), (1, -0.7), (1, 0.6), (0, 0.85), (-1, 0.6)]),
                hole([(-0.86, -0.5), (-0.07, -0.3), (-0.07, 0.63), (-0.86, 0.43)]),
                hole([(0.86, -0.5), (0.07, -0.3), (0.07, 0.63), (0.86, 0.43)]),
                ink(_make_stroke(-0.7, -0.2, -0.22, -0.07, 0.1)),
                ink(_make_stroke(-0.7, 0.1, -0.22, 0.23, 0.1)),
                ink(_make_stroke(0.7, -0.2, 0.22, -0.07, 0.1)),
                ink(_make_stroke(0.7, 0.1, 0.22, 0.23, 0.1)),
            ),
            (
                ink(_make_bar(-0.95, 0.35, 0.8, 0.85)),
                ink(_make_bar(-0.7, -0.25, 0.95, 0.25)),
                ink(_make_bar(-0.9, -0.85, 0.6, -0.35)),
                hole(_make_bar(0.5, 0.48, 0.8, 0.72)),
                hole(_make_bar(0.65, -0.12, 0.95, 0.12)),
            ),
        ),
        "C": (
            (
                ink(_make_round(0, 0, 0.95, 0.95)),
                hole(_make_round(0, 0, 0.74, 0.74)),
                ink(_make_round(0, 0, 0.58, 0.58)),
            ),
            (ink(_make_round(0, 0, 0.95, 0.95)), hole(_make_bar(-0.3, -0.3, 0.3, 0.3))),
            (
                ink(_make_round(0, 0, 0.95, 0.95)),
                hole(_make_stroke(-0.42, -0.6, 0, -0.05, 0.15)),
                hole(_make_stroke(0.42, -0.6, 0, -0.05, 0.15)),
                hole(_make_bar(-0.08, -0.1, 0.08, 0.65)),
                hole(_make_bar(-0.38, 0.02, 0.38, 0.13)),
                hole(_make_bar(-0.38, 0.26, 0.38, 0.37)),
            ),
            tuple(
                shape
                for y in (0.55, 0.05, -0.45)
                for shape in (
                    hole(_make_round(0, y + 0.16, 0.98, 0.42)),
                    ink(_make_round(0, y + 0.1, 0.92, 0.36)),
                    hole(_make_round(0, y, 0.92, 0.36)),
                    ink(_make_round(0, y, 0.78, 0.27)),
                )
            ),
        ),
        "S": (
            (ink(_make_star(5, 0.4)),),
            (ink(_make_star(6, 0.55)),),
            (ink(_make_star(4, 0.3)),),
            (ink(_make_star(5, 0.45)), hole(_make_star(5, 0.27, 0.62))),
        ),
        "T": (
            (
                ink(_make_bar(-0.7, -1, 0.7, -0.8)),
                ink(_make_bar(-0.7, 0.8, 0.7, 1)),
                ink([(-0.55, -0.72), (0.55, -0.72), (0.06, 0), (0.55, 0.72), (-0.55, 0.72), (-0.06, 0)]),
            ),
            (
                ink(_make_round(0, 0, 0.95, 0.95)),
                hole(_make_round(0, 0, 0.75, 0.75)),
                ink(_make_stroke(0, 0.05, 0, -0.58, 0.16)),
                ink(_make_stroke(-0.05, 0, 0.45, 0.2, 0.16)),
            ),
            (
                ink([(-0.72, -1), (0.72, -1), (0.12, 0), (0.72, 1), (-0.72, 1), (-0.12, 0)]),
                hole([(-0.42, -0.83), (0.42, -0.83), (0.22, -0.48), (-0.22, -0.48)]),
                hole([(0, 0.12), (0.25, 0.5), (-0.25, 0.5)]),
            ),
            (
                ink(_make_round(0, 0.12, 0.85, 0.85)),
                ink(_make_bar(-0.18, -1, 0.18, -0.6)),
                hole(_make_stroke(0, 0.2, 0.4, -0.3, 0.16)),
                hole(_make_round(0, 0.12, 0.14, 0.14)),
            ),
        ),
        "F": (
            (ink(_make_coffin(1)), hole(_make_bar(-0.08, -0.7, 0.08, 0.5)), hole(_make_bar(-0.32, -0.4, 0.32, -0.24))),
            (ink(_make_coffin(1)), hole(_make_coffin(0.76)), ink(_make_coffin(0.55))),
            (
                ink(_make_coffin(1)),
                hole(_make_coffin(0.78)),
                ink(_make_bar(-0.09, -0.6, 0.09, 0.5)),
                ink(_make_bar(-0.33, -0.35, 0.33, -0.17)),
            ),
            (
                ink([*_make_round(0, -0.3, 0.68, 0.68, 180, 360), (0.68, 0.95), (-0.68, 0.95)]),
                hole(_make_bar(-0.4, -0.15, 0.4, 0)),
                hole(_make_bar(-0.3, 0.2, 0.3, 0.34)),
            ),
        ),
    }
    return choices[letter][drawing % 4]
