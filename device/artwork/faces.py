"""The reference deck: an own design of the 49 SEVEN cards, their back, and the 16 paper kinds, drawn with Pillow.

Sizes are millimetres on a 63 × 88 card, origin at its top left corner; pictures are RGB at the px/mm asked for.
The corner index (rank over suit) stands in the top left and, turned by 180°, in the bottom right, inside the 20 mm
strip that a covered card of a column still shows. Round the suit stand as many beads as the rank counts, so that a
whole face tells its rank twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image, ImageDraw

from device.artwork.own_cards import own_face, own_sizes
from device.artwork.signs import Pencil, load_font
from device.speech import in_both
from referee.papers import PaperCard, Rgb
from referee.registry import load_papers
from rules.cards import RANK_NAMES, Card, Suit
from rules.text import Language, Text, plural
from ui.fonts import Weight
from ui.parts.suits import COLOURS

CARD_W, CARD_H = 63.0, 88.0
CORNER_MM = 3.5

_PAPER: Rgb = (240, 237, 230)
_INK: Rgb = (38, 40, 46)
_BACK: Rgb = (24, 70, 82)
_BACK_LIGHT: Rgb = (74, 136, 144)
_OVERSAMPLE = 2


class _Sheet(Pencil):
    """A card under the pencil; corners of boxes and frames are round."""

    def __init__(self, px_per_mm: float, ground: Rgb) -> None:
        scale = px_per_mm * _OVERSAMPLE
        self.image = Image.new("RGB", (round(CARD_W * scale), round(CARD_H * scale)), ground)
        self.out = (round(CARD_W * px_per_mm), round(CARD_H * px_per_mm))
        super().__init__(ImageDraw.Draw(self.image), scale)

    def draw_rim(self, inset: float, width: float, colour: Rgb, radius: float = 2.5) -> None:
        self.draw_panel(inset, inset, CARD_W - inset, CARD_H - inset, None, colour, radius, width)

    def draw_panel(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        fill: Rgb | None,
        outline: Rgb | None = None,
        radius: float = 1.0,
        width: float = 0.4,
    ) -> None:
        s = self.s
        box = (x0 * s, y0 * s, x1 * s, y1 * s)
        self.draw.rounded_rectangle(box, radius * s, fill, outline, width=max(1, round(width * s)))

    def write_text(
        self,
        x: float,
        y: float,
        height: float,
        text: str,
        colour: Rgb,
        weight: Weight = Weight.BOLD,
        widest: float = 1e9,
    ) -> None:
        """Write text centred on (x, y); ``height`` is the em in mm, reduced where it would be wider than ``widest``."""
        left, _, right, _ = load_font(100, weight).getbbox(text)
        height *= min(1.0, widest / ((right - left) / 100 * height))
        face = load_font(round(height * self.s), weight)
        left, top, right, bottom = face.getbbox(text)
        self.draw.text((x * self.s - (left + right) / 2, y * self.s - (top + bottom) / 2), text, colour, font=face)

    def finish_image(self) -> Image.Image:
        return self.image.resize(self.out, Image.Resampling.LANCZOS)


def _trace_ellipse(x: float, y: float, r: float, stretch: float = 1.0) -> list[tuple[float, float]]:
    turns = [n * math.tau / 48 for n in range(48)]
    return [(x + r * math.cos(a), y + stretch * r * math.sin(a)) for a in turns]


def _draw_heart(sheet: _Sheet, x: float, y: float, r: float, colour: Rgb) -> None:
    ts = [n * math.tau / 60 for n in range(60)]
    shape = [
        (16 * math.sin(t) ** 3, -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)))
        for t in ts
    ]
    sheet.draw_polygon([(x + r * px / 16.5, y + r * (py - 2) / 16.5) for px, py in shape], colour)


def _draw_onion(sheet: _Sheet, x: float, y: float, r: float, colour: Rgb) -> None:
    sheet.draw_polygon(_trace_ellipse(x, y + 0.28 * r, 0.82 * r, 0.84), colour)
    sheet.draw_polygon([(x - 0.46 * r, y - 0.2 * r), (x, y - r), (x + 0.46 * r, y - 0.2 * r)], colour)
    for side in (-0.36, 0.36):
        rings = [(x + side * r * math.cos(a), y + 0.3 * r + 0.58 * r * math.sin(a)) for a in _trace_arc(-80, 80)]
        sheet.draw_line(rings, 0.09 * r, _PAPER)


def _trace_arc(start: int, end: int) -> list[float]:
    return [math.radians(a) for a in range(start, end + 1, 8)]


def _draw_book(sheet: _Sheet, x: float, y: float, r: float, colour: Rgb) -> None:
    for side in (-1, 1):
        page = [(0.06, -0.5), (0.5, -0.72), (0.98, -0.56), (0.98, 0.6), (0.5, 0.44), (0.06, 0.7)]
        sheet.draw_polygon([(x + side * px * r, y + py * r) for px, py in page], colour)
        for level in (-0.28, 0.02, 0.3):
            sheet.draw_line(
                [(x + side * 0.26 * r, y + (level - 0.06) * r), (x + side * 0.8 * r, y + (level - 0.1) * r)],
                0.08 * r,
                _PAPER,
            )


def _draw_coin(sheet: _Sheet, x: float, y: float, r: float, colour: Rgb) -> None:
    sheet.draw_disc(x, y, 0.92 * r, colour)
    sheet.draw_disc(x, y, 0.74 * r, _PAPER)
    sheet.draw_disc(x, y, 0.64 * r, colour)
    sheet.draw_polygon(
        [
            (x - 0.24 * r, y - 0.24 * r),
            (x + 0.24 * r, y - 0.24 * r),
            (x + 0.24 * r, y + 0.24 * r),
            (x - 0.24 * r, y + 0.24 * r),
        ],
        _PAPER,
    )


def _draw_star(sheet: _Sheet, x: float, y: float, r: float, colour: Rgb) -> None:
    points = [(r if n % 2 == 0 else 0.46 * r, n * math.pi / 7 - math.pi / 2) for n in range(14)]
    sheet.draw_polygon([(x + d * math.cos(a), y + d * math.sin(a)) for d, a in points], colour)


def _draw_time(sheet: _Sheet, x: float, y: float, r: float, colour: Rgb) -> None:
    for side in (-1, 1):
        glass = [(-0.56, -0.76), (0.56, -0.76), (0.5, -0.44), (0.07, 0.04), (-0.07, 0.04), (-0.5, -0.44)]
        sheet.draw_polygon([(x + px * r, y + side * py * r) for px, py in glass], colour)
        top, bottom = sorted((y + side * 0.98 * r, y + side * 0.8 * r))
        sheet.draw_panel(x - 0.72 * r, top, x + 0.72 * r, bottom, colour, radius=0.06 * r)


def _draw_coffin(sheet: _Sheet, x: float, y: float, r: float, colour: Rgb) -> None:
    lid = [(-0.3, -1), (0.3, -1), (0.66, -0.46), (0.36, 1), (-0.36, 1), (-0.66, -0.46)]
    sheet.draw_polygon([(x + px * r, y + py * r) for px, py in lid], colour)
    sheet.draw_line([(x, y - 0.72 * r), (x, y + 0.5 * r)], 0.15 * r, _PAPER)
    sheet.draw_line([(x - 0.3 * r, y - 0.36 * r), (x + 0.3 * r, y - 0.36 * r)], 0.15 * r, _PAPER)


_PICTOGRAMS: dict[Suit, Callable[[_Sheet, float, float, float, Rgb], None]] = {
    Suit.HEART: _draw_heart,
    Suit.ONION: _draw_onion,
    Suit.BOOK: _draw_book,
    Suit.COIN: _draw_coin,
    Suit.STAR: _draw_star,
    Suit.TIME: _draw_time,
    Suit.COFFIN: _draw_coffin,
}


def _mix_tint(colour: Rgb, share: float) -> Rgb:
    r, g, b = (round(p + (c - p) * share) for c, p in zip(colour, _PAPER, strict=True))
    return r, g, b


def card_face(card: Card, px_per_mm: float) -> Image.Image:
    """Draw the face of a SEVEN card, RGB."""
    sheet = _Sheet(px_per_mm, _PAPER)
    colour = COLOURS[card.suit]
    sheet.write_text(8.0, 6.8, 9.4, RANK_NAMES[card.rank], colour, widest=10.0)
    _PICTOGRAMS[card.suit](sheet, 8.0, 14.6, 3.7, colour)
    turned = sheet.image.rotate(180)
    half = turned.crop((0, turned.height // 2, turned.width, turned.height))
    sheet.image.paste(half, (0, turned.height // 2))
    x, y = CARD_W / 2, CARD_H / 2
    sheet.draw_disc(x, y, 22, _mix_tint(colour, 0.13))
    for bead in range(card.rank):
        angle = math.tau * bead / card.rank - math.pi / 2
        sheet.draw_disc(x + 18.4 * math.cos(angle), y + 18.4 * math.sin(angle), 2.1, colour)
    _PICTOGRAMS[card.suit](sheet, x, y, 12.0, colour)
    return sheet.finish_image()


def card_back(px_per_mm: float) -> Image.Image:
    """Draw the back of the SEVEN cards, RGB, the same either way up."""
    sheet = _Sheet(px_per_mm, _PAPER)
    sheet.draw_panel(3.2, 3.2, CARD_W - 3.2, CARD_H - 3.2, _BACK, radius=2.0)
    middle_x, middle_y = CARD_W / 2, CARD_H / 2
    for row in range(-7, 8):
        for column in range(-5, 6):
            x = middle_x + 5.2 * column + (2.6 if row % 2 else 0)
            y = middle_y + 5.4 * row
            if 7 < x < CARD_W - 7 and 7 < y < CARD_H - 7:
                sheet.draw_disc(x, y, 1.7, _BACK_LIGHT)
    sheet.draw_disc(middle_x, middle_y, 10.5, _BACK)
    sheet.draw_disc(middle_x, middle_y, 9.3, _PAPER)
    for turn in (-math.pi / 2, math.pi / 2):
        points = [(7.6 * math.cos(turn + n * math.tau / 7), 7.6 * math.sin(turn + n * math.tau / 7)) for n in range(7)]
        sheet.draw_polygon([(middle_x + x, middle_y + y) for x, y in points], _BACK)
    sheet.draw_disc(middle_x, middle_y, 3.0, _PAPER)
    sheet.draw_rim(5.0, 0.5, _BACK_LIGHT, radius=1.4)
    return sheet.finish_image()


_REVIEW: Rgb = (228, 232, 238)
_COMPLETE: Rgb = (246, 226, 170)
_GOLD: Rgb = (150, 104, 16)
_STAMP: Rgb = (186, 40, 48)
_SEAL: Rgb = (84, 58, 12)


def _draw_tally(sheet: _Sheet, paper: PaperCard, x: float, y: float, colour: Rgb) -> None:
    """Draw how many cards the paper takes: a dot each, a square each where one suit is asked for, a bar for a sum."""
    if paper.total:
        sheet.draw_panel(x - 1, y - 1, x - 1 + 36 * min(1.0, paper.total / 100), y + 1, colour, radius=0.3)
    if not paper.groups:
        return
    pitch = min(3.3, 36 / (sum(paper.groups) + 0.7 * (len(paper.groups) - 1)))
    for group in paper.groups:
        for _ in range(group):
            if paper.one_suit:
                sheet.draw_panel(x - 1.1, y - 1.1, x + 1.1, y + 1.1, colour, radius=0.1)
            else:
                sheet.draw_disc(x, y, 1.15, colour)
            x += pitch
        x += 0.7 * pitch


def paper_face(paper: PaperCard, complete: bool, px_per_mm: float) -> Image.Image:
    """Draw one side of a paper card, RGB: under review, or complete."""
    ground = _COMPLETE if complete else _REVIEW
    accent = _GOLD if complete else (84, 92, 104)
    sheet = _Sheet(px_per_mm, ground)
    sheet.draw_rim(2.2, 0.9 if complete else 0.5, accent)
    if complete:
        sheet.draw_rim(3.6, 0.35, accent, radius=1.6)
    # Points and cards stand in the strip that a column leaves uncovered: nobody has to lift cards to count.
    sheet.draw_disc(11.4, 11.2, 6.4, _INK if complete else accent)
    if not complete:
        sheet.draw_disc(11.4, 11.2, 5.4, ground)
    sheet.write_text(11.4, 11.2, 9.2, str(paper.points), ground if complete else _INK, widest=8)
    sheet.write_text(38.4, 8.4, 8.8, paper.text.said(Language.JA), _INK, widest=38)
    sheet.write_text(38.4, 15.6, 4.4, paper.text.said(Language.EN), accent, widest=38)
    _draw_tally(sheet, paper, 20.0, 20.2, _INK)
    sheet.draw_line([(8, 24.2), (CARD_W - 8, 24.2)], 0.4, accent)
    rows = paper.examples
    step = min(11.0, 34 / len(rows))
    top = 43.5 - step * (len(rows) - 1) / 2
    for number, row in enumerate(rows):
        pitch = min(9.4, 51 / len(row))
        for place, text in enumerate(row):
            x = CARD_W / 2 + (place - (len(row) - 1) / 2) * pitch
            y = top + number * step
            sheet.draw_panel(
                x - pitch * 0.44, y - step * 0.44, x + pitch * 0.44, y + step * 0.44, _PAPER, accent, 0.9, 0.3
            )
            sheet.write_text(x, y, min(6.6, step * 0.62), text, _INK, widest=pitch * 0.8)
    points = plural("{count} point", "{count} points", count=paper.points).said(Language.JA)
    if complete:
        sheet.draw_panel(15, 65.5, CARD_W - 15, 81.5, accent, radius=3)
        sheet.write_text(CARD_W / 2, 73.4, 11, points, _PAPER, widest=30)
    else:
        sheet.write_text(CARD_W / 2, 68.5, 7, points, _INK, widest=30)
        sheet.draw_panel(9, 74, CARD_W - 9, 82.5, None, _STAMP, radius=1.2, width=0.5)
        sheet.write_text(CARD_W / 2, 78.1, 5.0, in_both(Text("under review"), " "), _STAMP, widest=41)
    return sheet.finish_image()


def small_face(name: str, width_px: int, language: Language) -> Image.Image:
    """Draw a card so small that only what names it stands on it, RGB: rank and suit, or a paper's points and name.

    Raises:
        KeyError: there is no such paper.
    """
    px_per_mm = width_px / CARD_W
    kind, slash, side = name.partition("/")
    if name.startswith("back"):
        return card_back(px_per_mm)
    if slash:
        complete, paper = side == "complete", load_papers()[kind]
        sheet = _Sheet(px_per_mm, _COMPLETE if complete else _REVIEW)
        sheet.draw_rim(2.2, 1.6, _GOLD if complete else (84, 92, 104))
        sheet.draw_disc(CARD_W / 2, 25, 16, _SEAL if complete else (84, 92, 104))
        sheet.write_text(CARD_W / 2, 25, 23, str(paper.points), _PAPER, widest=24)
        words = paper.text.said(language).split()
        height = min(13.0, 36 / len(words))
        for number, word in enumerate(words):
            sheet.write_text(CARD_W / 2, 63 + (number - (len(words) - 1) / 2) * height, height, word, _INK, widest=52)
        return sheet.finish_image()
    try:
        card = Card.parse(name)
    except ValueError:
        sheet = _Sheet(px_per_mm, _COMPLETE)
        sheet.write_text(CARD_W / 2, CARD_H / 2, 10, name, _INK, widest=56)
        return sheet.finish_image()
    sheet = _Sheet(px_per_mm, _PAPER)
    # Its index can be read where others lie upon it.
    sheet.write_text(16, 15, 27, RANK_NAMES[card.rank], _INK, widest=24)
    _PICTOGRAMS[card.suit](sheet, 16, 35, 9.5, COLOURS[card.suit])
    _PICTOGRAMS[card.suit](sheet, 40, 61, 18, COLOURS[card.suit])
    return sheet.finish_image()


def face_named(name: str, px_per_mm: float) -> Image.Image:
    """Draw a card of the reference deck, or of a game's own set, by the name that the reader gives it, RGB."""
    if name in own_sizes():
        return own_face(name, px_per_mm)
    if name == "back":
        return card_back(px_per_mm)
    if "/" in name:
        kind, side = name.split("/")
        return paper_face(load_papers()[kind], side == "complete", px_per_mm)
    return card_face(Card.parse(name), px_per_mm)


def label(text: str, height: float, px_per_mm: float, colour: Rgb) -> Image.Image:
    """Draw a line of small print on white, ``height`` mm high, as wide as it needs to be; RGB."""
    face = load_font(round(height * 0.72 * px_per_mm), Weight.REGULAR)
    left, _, right, _ = face.getbbox(text)
    image = Image.new("RGB", (round(right - left) + 4, round(height * px_per_mm)), (255, 255, 255))
    ImageDraw.Draw(image).text((2 - left, image.height / 2), text, colour, font=face, anchor="lm")
    return image
