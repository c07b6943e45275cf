"""Invented decks without end: every seed is a deck of 49 SEVEN cards, a back, and 16 paper kinds with two sides.

No deck in here looks like a printed one on purpose; what varies is what varies between printed ones: fonts, suit
pictograms, colours, borders, where the index stands and how large, what fills the middle, the layout and the language
of the paper cards, the pattern of the back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.fonts import japanese_fonts, latin_fonts, load_font

SUITS = "HOBCSTF"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "K")
SEVEN = tuple(suit + RANKS[low + i] for low, suit in enumerate(SUITS) for i in range(7))
PAPERS = [
    "straight5",
    "straight7",
    "straight9",
    "straight11",
    "three",
    "five",
    "three_pairs",
    "four_pairs",
    "triple_threes",
    "straight_flush4",
    "straight_flush6",
    "sum49",
    "sum100",
    "ace_king",
    "all_even",
    "end_flag",
]
NAMES = (*SEVEN, *(f"{p}/review" for p in PAPERS), *(f"{p}/complete" for p in PAPERS), "back")
CARD_MM = (63.0, 88.0)
PX_PER_MM = 4.0
_DRAW = 6.0

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]

_TITLES_JA = [
    "5ストレート",
    "7ストレート",
    "9ストレート",
    "11ストレート",
    "3カード",
    "5カード",
    "スリーペア",
    "フォーペア",
    "トリプルスリー",
    "4ストフラ",
    "6ストフラ",
    "49",
    "100+",
    "AK",
    "オールイーブン",
    "エンドフラグ",
]
_TITLES_EN = [
    "5 Straight",
    "7 Straight",
    "9 Straight",
    "11 Straight",
    "3 of a Kind",
    "5 of a Kind",
    "3 Pairs",
    "4 Pairs",
    "Triple 3s",
    "4 Str. Flush",
    "6 Str. Flush",
    "49",
    "100+",
    "Ace-King",
    "All Even",
    "End Flag",
]
_TITLES_ALT = [
    "連番5",
    "連番7",
    "連番9",
    "連番11",
    "三枚組",
    "五枚組",
    "三対",
    "四対",
    "三つ子三組",
    "同色連番4",
    "同色連番6",
    "合計49",
    "合計100",
    "端と端",
    "偶数六枚",
    "終了旗",
]
_ORNATE = 0.4
"""This share of the decks has papers with decorated edges."""
_RIGHT = 0.12
"""This share has its index at a card's right."""
_KANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンー"
_POINTS = (1, 3, 5, 9, 1, 4, 2, 5, 7, 4, 7, 2, 6, 2, 6, 1)


def _convert_hsv(h: float, s: float, v: float) -> Colour:
    pixel = np.uint8([[[int(h * 179) % 180, int(s * 255), int(v * 255)]]])
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


def text_mask(text: str, path: object, height_px: float, weight: int = 400) -> NDArray[np.float32]:
    """Draw the text as a tight mask (h, w) in 0..1, capital height about ``height_px``."""
    face = load_font(path, max(8, round(height_px / 0.72)), weight)  # type: ignore[arg-type]
    mask, _ = face.getmask2(text, mode="L")
    w, h = mask.size
    if w == 0 or h == 0:
        return np.zeros((1, 1), np.float32)
    return np.asarray(mask, np.uint8).reshape(h, w).astype(np.float32) / 255.0


def paint(img: NDArray[np.float32], mask: NDArray[np.float32], x: float, y: float, colour: Colour) -> None:
    """Lay a colour through a mask with its top left corner at (x, y) px; what falls outside is cut off."""
    x0, y0 = round(x), round(y)
    h, w = mask.shape
    a, b, c, d = max(0, y0), min(img.shape[0], y0 + h), max(0, x0), min(img.shape[1], x0 + w)
    if a >= b or c >= d:
        return
    m = mask[a - y0 : b - y0, c - x0 : d - x0, None]
    img[a:b, c:d] += m * (np.float32(colour) - img[a:b, c:d])


# Pictograms: polygons in a unit box, drawn even-odd so that an inner outline is a hole.
def _make_ngon(n: int, r0: float = 1.0, r1: float | None = None, turn: float = -0.25) -> NDArray[np.float64]:
    k = np.arange(n if r1 is None else 2 * n)
    r = np.full(len(k), r0) if r1 is None else np.where(k % 2 == 0, r0, r1)
    a = 2 * np.pi * (k / len(k) + turn)
    return np.stack([r * np.cos(a), r * np.sin(a)], 1)


def _make_curve(n: int, fn: object) -> NDArray[np.float64]:
    return np.array([fn(t) for t in np.linspace(0, 2 * np.pi, n, endpoint=False)])  # type: ignore[operator]


def _move_points(p: NDArray[np.float64], x: float, y: float) -> NDArray[np.float64]:
    return p + np.array([x, y])


def _heart_at(t: float) -> tuple[float, float]:
    x = 16 * np.sin(t) ** 3
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return x / 17, -y / 17


def _spade_at(t: float) -> tuple[float, float]:
    x, y = _heart_at(t)
    return x, -y * 0.95


def _drop(t: float) -> tuple[float, float]:
    return 0.85 * np.sin(t) * np.sin(t / 2) ** 1.5, -np.cos(t)


def _make_blob(rng: np.random.Generator) -> NDArray[np.float64]:
    n = int(rng.integers(3, 8))
    amp, ph = rng.uniform(0, 0.35), rng.uniform(0, 6.3)
    return _make_curve(
        48,
        lambda t: (
            (1 + amp * np.sin(n * t + ph)) * np.cos(t) * 0.75,
            (1 + amp * np.sin(n * t + ph)) * np.sin(t) * 0.75,
        ),
    )


def _make_shape(kind: int, rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """Make one of the pictogram families; several outlines are filled even-odd."""
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    if kind == 0:
        return [_make_curve(40, _heart_at)]
    if kind == 1:
        out = [_make_ngon(24, 0.85) * (1, 0.9) + (0, 0.15), np.array([(-0.25, -0.55), (0, -1.05), (0.25, -0.55)])]
        return [*out, np.array([(-0.05, -0.6), (0.05, -0.6), (0.05, 1), (-0.05, 1)])] if rng.random() < 0.5 else out
    if kind == 2:
        top = rng.uniform(0.3, 0.6)
        return [
            np.array([(-1, -0.6), (0, -top + 0.1), (1, -0.6), (1, 0.6), (0, 0.8), (-1, 0.6)]),
            np.array([(-0.04, -0.3), (0.04, -0.3), (0.04, 0.75), (-0.04, 0.75)]),
        ]
    if kind == 3:
        rings = [_make_ngon(32, 1.0), _make_ngon(32, rng.uniform(0.7, 0.85)), _make_ngon(32, rng.uniform(0.5, 0.65))]
        return rings[: int(rng.integers(1, 4))]
    if kind == 4:
        return [_make_ngon(int(rng.choice([4, 5, 5, 6, 7, 8])), 1.0, rng.uniform(0.35, 0.6))]
    if kind == 5:
        neck = rng.uniform(0.04, 0.2)
        return [np.array([(-0.75, -1), (0.75, -1), (neck, 0), (0.75, 1), (-0.75, 1), (-neck, 0)])]
    if kind == 6:
        return [np.array([(-0.35, -1), (0.35, -1), (0.7, -0.45), (0.4, 1), (-0.4, 1), (-0.7, -0.45)])]
    if kind == 7:
        return [_move_points(_make_curve(40, _spade_at), 0, -0.1), np.array([(-0.35, 1), (0, 0.2), (0.35, 1)])]
    if kind == 8:
        return [_make_ngon(4, 1.0) * (rng.uniform(0.55, 0.9), 1)]
    if kind == 9:
        w = rng.uniform(0.2, 0.4)
        return [
            np.array(
                [
                    (-w, -1),
                    (w, -1),
                    (w, -w),
                    (1, -w),
                    (1, w),
                    (w, w),
                    (w, 1),
                    (-w, 1),
                    (-w, w),
                    (-1, w),
                    (-1, -w),
                    (-w, -w),
                ]
            )
        ]
    if kind == 10:
        return [_make_curve(40, _drop)]
    if kind == 11:
        moon = _make_ngon(32, 0.95)
        return [moon, _move_points(_make_ngon(32, 0.75), 0.4, -0.1)]
    if kind == 12:
        return [_make_ngon(3, 1.05)]
    if kind == 13:
        return [np.array([(0, -1), (0.9, 0), (0.35, 0), (0.35, 1), (-0.35, 1), (-0.35, 0), (-0.9, 0)])]
    if kind == 14:
        return [_make_ngon(int(rng.integers(8, 13)), 1.0, 0.75), _make_ngon(24, 0.35)]
    if kind == 15:
        return [box * (0.8, 0.8), box * (0.4, 0.4)] if rng.random() < 0.5 else [box * 0.8]
    if kind == 16:
        return [np.array([(0, -1), (1, -0.2), (0.75, -0.2), (0.75, 0.9), (-0.75, 0.9), (-0.75, -0.2), (-1, -0.2)])]
    if kind == 17:
        r = 0.48
        return [
            _move_points(_make_ngon(20, r), 0, -0.5),
            _move_points(_make_ngon(20, r), -0.5, 0.2),
            _move_points(_make_ngon(20, r), 0.5, 0.2),
            np.array([(-0.12, 0), (0.12, 0), (0.25, 1), (-0.25, 1)]),
        ]
    if kind == 18:
        return [np.array([(-0.2, -1), (0.55, -1), (0.1, -0.2), (0.6, -0.2), (-0.45, 1), (-0.1, 0.1), (-0.6, 0.1)])]
    return [_make_blob(rng)]


_SHAPES = 20


def draw_pictogram(shape: list[NDArray[np.float64]], size_px: float, union: bool) -> NDArray[np.float32]:
    """Draw a pictogram's mask into a square of that size."""
    n = max(4, round(size_px))
    img = np.zeros((n, n), np.uint8)
    pts = [np.round((p * 0.47 + 0.5) * n * 16).astype(np.int32) for p in shape]
    if union:
        for p in pts:
            cv2.fillPoly(img, [p], 255, cv2.LINE_AA, 4)
    else:
        cv2.fillPoly(img, pts, 255, cv2.LINE_AA, 4)
    return img.astype(np.float32) / 255.0


@dataclass
class Deck:
    """An invented deck: BGR faces (352, 252, 3) uint8 at 4 px per mm by name.

    ``two_ended`` says that a SEVEN card's lower end, turned, shows its index as the upper end does.
    """

    seed: int
    faces: dict[str, Image] = field(default_factory=dict)
    two_ended: bool = True
    corner_mm: float = 3.0


def _make_blank(colour: Colour) -> NDArray[np.float32]:
    img = np.empty((round(CARD_MM[1] * _DRAW), round(CARD_MM[0] * _DRAW), 3), np.float32)
    img[:] = colour
    return img


def _finish(img: NDArray[np.float32]) -> Image:
    size = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
    return cv2.resize(np.clip(img, 0, 255).astype(np.uint8), size, interpolation=cv2.INTER_AREA)


def _draw_frame(img: NDArray[np.float32], inset_mm: float, width_mm: float, colour: Colour) -> None:
    i, w = round(inset_mm * _DRAW), max(1, round(width_mm * _DRAW))
    cv2.rectangle(img, (i, i), (img.shape[1] - 1 - i, img.shape[0] - 1 - i), colour, w, cv2.LINE_AA)


def _make_texture(shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    cells = int(rng.integers(3, 14))
    low = rng.random((cells, cells), np.float32)
    return cv2.resize(low, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


def _choose_ink(rng: np.random.Generator, dark_face: bool) -> Colour:
    v = rng.uniform(0.75, 1.0) if dark_face else rng.uniform(0.05, 0.85)
    return _convert_hsv(rng.random(), rng.uniform(0.4, 1.0), v)


def invent(seed: int) -> Deck:
    """Invent the deck of that seed; the same seed gives the same deck."""
    rng = np.random.default_rng([71, seed])
    deck = Deck(seed, corner_mm=float(rng.uniform(1.5, 5)))
    _seven_faces(deck, rng)
    _paper_faces(deck, rng)
    deck.faces["back"] = _draw_back(rng)
    return deck


def _seven_faces(deck: Deck, rng: np.random.Generator) -> None:
    dark = rng.random() < 0.07
    if dark:
        ground = _convert_hsv(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.08, 0.3))
    elif rng.random() < 0.65:
        ground = _convert_hsv(rng.random(), rng.uniform(0, 0.06), rng.uniform(0.9, 1.0))
    elif rng.random() < 0.6:
        ground = _convert_hsv(rng.random(), rng.uniform(0.05, 0.3), rng.uniform(0.75, 1.0))
    else:  # packing paper, coloured board
        ground = _convert_hsv(rng.normal(0.1, 0.08) % 1.0, rng.uniform(0.25, 0.6), rng.uniform(0.55, 0.95))
    scheme = rng.random()
    if scheme < 0.62:
        hues = (np.arange(7) / 7 + rng.random()) % 1.0
        rng.shuffle(hues)
        hues = hues + rng.normal(0, 0.02, 7)
        inks = [
            _convert_hsv(h % 1, rng.uniform(0.45, 1), rng.uniform(0.7, 1.0) if dark else rng.uniform(0.3, 0.88))
            for h in hues
        ]
    elif scheme < 0.82:
        two = [_choose_ink(rng, dark), _convert_hsv(0, 0, 0.95 if dark else 0.08)]
        inks = [two[i] for i in rng.integers(0, 2, 7)]
    elif scheme < 0.92:
        inks = [_convert_hsv(0, 0, rng.uniform(0.85, 1) if dark else rng.uniform(0.02, 0.3))] * 7
    else:
        inks = [_choose_ink(rng, dark) for _ in range(7)]
    tinted = (
        [tuple(0.85 * g + 0.15 * i for g, i in zip(ground, ink, strict=True)) for ink in inks]
        if rng.random() < 0.12
        else [ground] * 7
    )
    kinds = rng.permutation(_SHAPES)[:7] if rng.random() < 0.7 else np.arange(7)
    union = bool(rng.random() < 0.25)
    shapes = [_make_shape(int(k), rng) for k in kinds]
    face = latin_fonts()[int(rng.integers(len(latin_fonts())))]
    weight = int(rng.choice([250, 400, 400, 500, 600, 700, 800, 900]))
    height = rng.uniform(3.8, 9.0) * _DRAW
    stretch = rng.uniform(0.8, 1.2)
    left, top = rng.uniform(1.8, 6.0) * _DRAW, rng.uniform(2.0, 5.5) * _DRAW
    suit_px = height * rng.uniform(0.6, 1.1)
    gap = rng.uniform(0.3, 1.6) * _DRAW
    where = str(rng.choice(_INDEX_STYLES, p=[0.48, 0.2, 0.18, 0.08, 0.06]))
    no_mark = scheme < 0.62 and rng.random() < 0.06
    outlined = rng.random() < 0.12
    four = where in ("below", "beside") and rng.random() < 0.18
    right = not four and np.random.default_rng([deck.seed, 6]).random() < _RIGHT
    deck.two_ended = bool(rng.random() < 0.93)
    middle = rng.choice(["suit", "number", "pips", "art", "none", "both"], p=[0.34, 0.18, 0.18, 0.16, 0.06, 0.08])
    middle_px = rng.uniform(14, 40) * _DRAW
    border = rng.random()
    inset, border_w = rng.uniform(0.8, 3.5), rng.uniform(0.2, 1.2)
    border_ink = rng.random() < 0.5
    big = latin_fonts()[int(rng.integers(len(latin_fonts())))]
    glyphs = {}
    for r in RANKS:
        mask = text_mask(r, face, height, weight)
        mask = cv2.resize(mask, (max(2, round(mask.shape[1] * stretch)), mask.shape[0]), interpolation=cv2.INTER_LINEAR)
        limit = 11.5 * _DRAW
        if mask.shape[1] > limit:
            mask = cv2.resize(mask, (round(limit), mask.shape[0]), interpolation=cv2.INTER_AREA)
        glyphs[r] = mask
    widest = max(m.shape[1] for m in glyphs.values())
    centred = rng.random() < 0.5
    spread = rng.uniform(0.1, 1.0)
    pip_mm, pip_top = rng.uniform(7, 12), rng.uniform(0.1, 0.22)
    for s, suit in enumerate(SUITS):
        mark = draw_pictogram(shapes[s], suit_px, union)
        if outlined:
            mark = _outline_mark(mark)
        heart = draw_pictogram(shapes[s], middle_px, union)
        ink = inks[s]
        for i in range(7):
            rank = RANKS[s + i]
            img = _make_blank(tinted[s])
            h, w = img.shape[:2]
            if border < 0.22:
                _draw_frame(img, inset, border_w, ink if border_ink else _convert_hsv(0, 0, 0.5))
            elif border < 0.3:
                edge = round(inset * _DRAW)
                img[:edge] = img[-edge:] = ink
                img[:, :edge] = img[:, -edge:] = ink
            number = s + i + 1
            if middle in ("suit", "both"):
                paint(img, heart, (w - heart.shape[1]) / 2, (h - heart.shape[0]) / 2, ink)
            if middle in ("number", "both"):
                digits = text_mask(rank, big, middle_px * (0.4 if middle == "both" else 0.6), weight)
                paint(
                    img,
                    digits,
                    (w - digits.shape[1]) / 2,
                    (h - digits.shape[0]) / 2,
                    tinted[s] if middle == "both" else ink,
                )
            if middle == "pips":
                pip = draw_pictogram(shapes[s], pip_mm * _DRAW, union)
                rows = int(np.ceil(number / 2))
                for k in range(number):
                    px = w * (0.5 if number == 1 or (k == number - 1 and number % 2) else (0.36, 0.64)[k % 2])
                    py = h * (pip_top + (1 - 2 * pip_top) * ((k // 2) + 0.5) / max(1, rows))
                    paint(img, pip if py < h / 2 else pip[::-1], px - pip.shape[1] / 2, py - pip.shape[0] / 2, ink)
            if middle == "art":
                art = _make_texture((round(h * 0.5), round(w * 0.55)), rng)[..., None]
                other = np.float32(_choose_ink(rng, False))
                y0, x0 = round(h * 0.25), round(w * 0.22)
                img[y0 : y0 + art.shape[0], x0 : x0 + art.shape[1]] = art * np.float32(ink) + (1 - art) * other
            index = _Index(
                where,
                right,
                glyphs[rank],
                None if no_mark else mark,
                ink,
                tinted[s],
                left,
                top,
                gap,
                widest if centred else 0,
            )
            index.draw(img, spread)
            if deck.two_ended:
                turned = _make_blank(tinted[s])
                index.draw(turned, spread)
                strip = round((15 if where == "banner" else 21) * _DRAW)
                back = turned[::-1, ::-1]
                changed = np.abs(back - np.float32(tinted[s])).max(2) > 2
                changed[: h - strip] = False
                img[changed] = back[changed]
            if four:
                _corner_copy(img, glyphs[rank], ink, left, top, widest if centred else 0)
            deck.faces[suit + rank] = _finish(img)


_INDEX_STYLES = ("below", "beside", "banner", "middle", "apart")
"""Where the suit mark stands: under the rank, beside it, with it in a coloured band along the top, both in the middle
of the top edge, or the rank in one corner and the mark in the other."""


@dataclass(frozen=True)
class _Index:
    """The rank and the suit mark at a card's upper end, at its left or its right; lengths in drawing px, from there."""

    style: str
    right: bool
    glyph: NDArray[np.float32]
    mark: NDArray[np.float32] | None
    ink: Colour
    ground: Colour
    left: float
    top: float
    gap: float
    widest: int

    def draw(self, img: NDArray[np.float32], spread: float) -> None:
        """Draw it; ``spread`` (0 to 1) is how far along a band or edge the mark stands from the rank."""
        width, height = self.glyph.shape[1], self.glyph.shape[0]
        size = self.mark.shape[0] if self.mark is not None else 0
        x, y, ink = self.left + max(0, (self.widest - width) / 2), self.top, self.ink
        if self.style == "banner":
            band = round(self.top * 1.6 + height)
            img[:band] = ink
            x, y, ink = self.left, (band - height) / 2, self.ground
        elif self.style == "middle":
            x = (img.shape[1] - width - self.gap - size) / 2
        self._put(img, self.glyph, x, y, ink)
        if self.mark is None:
            return
        level = y + (height - size) / 2
        if self.style in ("beside", "middle"):
            self._put(img, self.mark, x + width + self.gap, level, ink)
        elif self.style == "below":
            self._put(img, self.mark, self.left + (max(self.widest, width) - size) / 2, y + height + self.gap, ink)
        else:
            nearest, farthest = x + width + self.gap, img.shape[1] - self.left - size
            along = max(spread, 0.5) if self.style == "apart" else spread
            self._put(img, self.mark, nearest + along * (farthest - nearest), level, ink)

    def _put(self, img: NDArray[np.float32], mask: NDArray[np.float32], x: float, y: float, ink: Colour) -> None:
        paint(img, mask, img.shape[1] - x - mask.shape[1] if self.right else x, y, ink)


def _outline_mark(mark: NDArray[np.float32]) -> NDArray[np.float32]:
    """Reduce a pictogram to a line drawing."""
    pad = cv2.copyMakeBorder(mark, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    width = max(3, round(mark.shape[0] * 0.1)) | 1
    inner = cv2.erode(pad, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)))
    return (pad - inner)[2:-2, 2:-2]


def _corner_copy(
    img: NDArray[np.float32], glyph: NDArray[np.float32], ink: Colour, left: float, top: float, widest: int
) -> None:
    x = img.shape[1] - left - glyph.shape[1] - max(0, (widest - glyph.shape[1]) / 2)
    paint(img, glyph, x, top, ink)
    turned = glyph[::-1, ::-1]
    paint(img, turned, img.shape[1] - x - glyph.shape[1], img.shape[0] - top - glyph.shape[0], ink)


def _choose_words(rng: np.random.Generator, n: int) -> str:
    return "".join(rng.choice(list(_KANA), n))


def _make_ornament(shape: tuple[int, int], rng: np.random.Generator) -> tuple[NDArray[np.bool_], bool]:
    """Make the pattern that decorates a deck's papers (h, w), nowhere for most decks, and whether in a colour."""
    h, w = shape
    if rng.random() > _ORNATE:
        return np.zeros(shape, bool), False
    yy, xx = np.mgrid[:h, :w].astype(np.float32) / _DRAW
    pitch, share = rng.uniform(1.5, 7), rng.uniform(0.3, 0.7)
    slant = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0])
    kind = int(rng.integers(5))
    if kind < 2:
        on = (yy + slant * xx) % pitch < share * pitch
    elif kind == 2:
        on = ((xx // pitch).astype(int) + (yy // pitch).astype(int)) % 2 == 0
    elif kind == 3:
        on = (xx % pitch - pitch / 2) ** 2 + (yy % pitch - pitch / 2) ** 2 < (share * pitch / 2) ** 2
    else:
        on = np.ones((h, w), bool)
    wide = rng.uniform(2, 11)
    left, right = xx < wide, xx > w / _DRAW - wide
    top, bottom = yy < wide / 2, yy > h / _DRAW - wide / 2
    where = (left, right, left | right, top | bottom, left | right | top | bottom, xx + yy < 2 * wide)
    return np.asarray(on & where[int(rng.integers(len(where)))]), bool(rng.random() < 0.5)


def _paper_faces(deck: Deck, rng: np.random.Generator) -> None:
    style = rng.random()
    titles = list(_TITLES_JA if style < 0.4 else _TITLES_EN if style < 0.62 else _TITLES_ALT if style < 0.72 else ())
    if not titles:
        if style < 0.86:
            titles = [_choose_words(rng, int(rng.integers(2, 8))) for _ in PAPERS]
        else:
            letters = list("abcdefghijklmnopqrstuvwxyz")
            titles = ["".join(rng.choice(letters, int(rng.integers(3, 11)))).capitalize() for _ in PAPERS]
    latin = all(ord(c) < 128 for t in titles for c in t)
    faces = latin_fonts() if latin else japanese_fonts()
    face = faces[int(rng.integers(len(faces)))]
    small = japanese_fonts()[0]
    weight = int(rng.choice([400, 600, 800]))
    size = rng.uniform(3.6, 7.0) * _DRAW
    top = rng.uniform(3.5, 9.5) * _DRAW
    aligned = str(rng.choice(["centre", "left", "right"], p=[0.6, 0.22, 0.18]))
    banded = rng.random() < 0.3
    bands = [_convert_hsv(rng.random(), rng.uniform(0.3, 0.9), rng.uniform(0.3, 0.8)) for _ in PAPERS]
    band_mm, one_band = float(rng.uniform(1.5, 4.5)), rng.random() < 0.5
    with_points, badge = rng.random() < 0.4, rng.random() < 0.5
    points_right = rng.random() < 0.6
    body = rng.random()
    review = _convert_hsv(rng.random(), rng.uniform(0, 0.12), rng.uniform(0.72, 1.0))
    change = rng.random()
    same = rng.random() < 0.25
    complete = review if same else _convert_hsv(rng.random(), rng.uniform(0.05, 0.5), rng.uniform(0.6, 1.0))
    if change < 0.1 and not same:
        complete = _convert_hsv(rng.random(), rng.uniform(0.2, 0.8), rng.uniform(0.15, 0.45))
    label = rng.random() < 0.5 or same
    label_top = rng.random() < 0.5 or same
    label_words = [("査読中", "完成"), ("UNDER REVIEW", "COMPLETE"), ("(査読中)", "済"), ("review", "done")][
        int(rng.integers(4))
    ]
    frames = [
        (float(rng.uniform(1, 4)), float(rng.uniform(0.15, 0.5))),
        (float(rng.uniform(1, 4)), float(rng.uniform(0.3, 1.3))),
    ]
    framed = [rng.random() < 0.7, rng.random() < 0.8]
    inks = [_convert_hsv(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.05, 0.4)) for _ in range(2)]
    red = _convert_hsv(rng.choice([0.0, 0.02, 0.6, 0.35]), 0.8, 0.6)
    underline, icon = rng.random() < 0.3, rng.random() < 0.25
    icons = [_make_shape(int(k), rng) for k in rng.permutation(_SHAPES)[:16]]
    subs = [_choose_words(rng, int(rng.integers(4, 12))) if rng.random() < 0.5 else t + "の組" for t in titles]
    edges, tinted = _make_ornament(_make_blank(review).shape[:2], np.random.default_rng([deck.seed, 5]))
    for side, ground in enumerate((review, complete)):
        name = ("review", "complete")[side]
        bright = sum(ground) / 3 > 110
        ink = inks[side] if bright else _convert_hsv(0, 0, 0.95)
        for p, paper in enumerate(PAPERS):
            img = _make_blank(ground)
            h, w = img.shape[:2]
            img[edges] = bands[p] if tinted else ink
            if framed[side]:
                _draw_frame(img, *frames[side], ink)
                if side == 1 and same:
                    _draw_frame(img, frames[side][0] + 1.2, frames[side][1], ink)
            title = text_mask(titles[p], face, size, weight)
            room = w - 2 * 6 * _DRAW - (12 * _DRAW if icon else 0)
            if title.shape[1] > room:
                title = cv2.resize(
                    title,
                    (round(room), max(2, round(title.shape[0] * max(0.7, room / title.shape[1])))),
                    interpolation=cv2.INTER_AREA,
                )
            left = 6 * _DRAW + (12 * _DRAW if icon else 0)
            x = {"centre": (w - title.shape[1]) / 2, "left": left, "right": w - 6 * _DRAW - title.shape[1]}[aligned]
            band = bands[0 if one_band else p]
            if banded:
                cv2.rectangle(img, (0, 0), (w, round(top + title.shape[0] + band_mm * _DRAW)), band, -1)
            paint(img, title, x, top, _convert_hsv(0, 0, 0.97 if sum(band) < 420 else 0.1) if banded else ink)
            y = top + max(title.shape[0], size) + (band_mm + 0.5 if banded else 1.5) * _DRAW
            if icon:
                mark = draw_pictogram(icons[p], 9 * _DRAW, True)
                paint(img, mark, 4.5 * _DRAW, top - 0.5 * _DRAW, ink)
            if underline:
                cv2.line(
                    img,
                    (round(6 * _DRAW), round(y)),
                    (round(w - 6 * _DRAW), round(y)),
                    ink,
                    max(1, round(0.3 * _DRAW)),
                    cv2.LINE_AA,
                )
                y += 1.5 * _DRAW
            if label:
                words = text_mask(label_words[side], small, 2.8 * _DRAW)
                ly = y if label_top else h - 9 * _DRAW
                paint(img, words, (w - words.shape[1]) / 2, ly, red if side == 0 else ink)
                y += 4.5 * _DRAW if label_top else 0
            sub = text_mask(subs[p], small, 2.0 * _DRAW)
            paint(img, sub, (w - sub.shape[1]) / 2, y, ink)
            y += 4.5 * _DRAW
            if body < 0.7:
                line_rng = np.random.default_rng([deck.seed, p])
                while y < h - 22 * _DRAW:
                    x1 = w - (10 + line_rng.uniform(0, 20)) * _DRAW
                    cv2.line(
                        img,
                        (round(10 * _DRAW), round(y)),
                        (round(x1), round(y)),
                        tuple(0.5 * a + 0.5 * b for a, b in zip(ink, ground, strict=True)),
                        2,
                        cv2.LINE_AA,
                    )
                    y += 2.6 * _DRAW
            points = text_mask(f"{_POINTS[p]}点", small, 4 * _DRAW)
            paint(img, points, (w - points.shape[1]) / 2, h - 17 * _DRAW, ink)
            if with_points:
                corner = text_mask(str(_POINTS[p]), face if latin else small, 4.5 * _DRAW)
                r = 4.2 * _DRAW
                cx, cy = (w - 8 * _DRAW if points_right else 8 * _DRAW), 7.5 * _DRAW
                if badge:
                    cv2.circle(img, (round(cx), round(cy)), round(r), red, -1, cv2.LINE_AA)
                light = _convert_hsv(0, 0, 0.97)
                paint(img, corner, cx - corner.shape[1] / 2, cy - corner.shape[0] / 2, light if badge else red)
            deck.faces[f"{paper}/{name}"] = _finish(img)


def _make_repeats(shape: tuple[int, int], kind: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Make a map of where the second colour lies, 0 to 1, in one of eleven kinds of pattern."""
    h, w = shape
    yy, xx = np.mgrid[:h, :w].astype(np.float32) / _DRAW
    pitch = float(rng.uniform(1.2, 7) if rng.random() < 0.6 else rng.uniform(5, 16))
    share = float(rng.uniform(0.2, 0.6))
    if kind == 0:
        on = ((xx + yy) % pitch < pitch * share) | ((xx - yy) % pitch < pitch * share)
    elif kind == 1:
        on = (xx % pitch - pitch / 2) ** 2 + (yy % pitch - pitch / 2) ** 2 < (pitch * 0.3) ** 2
    elif kind == 2:
        on = ((xx // pitch).astype(int) + (yy // pitch).astype(int)) % 2 == 0
    elif kind == 3:
        on = (yy + pitch * 0.4 * np.sin(xx / pitch * rng.uniform(0.6, 2))) % pitch < pitch * share
    elif kind == 4:
        on = _make_texture((h, w), rng) > 0.5
    elif kind == 5:  # stripes at any slant
        slant = rng.uniform(0, math.pi)
        on = (xx * math.cos(slant) + yy * math.sin(slant)) % pitch < pitch * share
    elif kind in (6, 7):  # bands that cross, each lighter or darker where they meet
        layers = np.zeros((h, w), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            wide, at = rng.uniform(0.1, 0.6), rng.uniform(0, pitch)
            for along in (xx, yy):
                layers += np.float32(rng.uniform(0.2, 0.7)) * (((along + at) % pitch) < pitch * wide)
        return np.minimum(layers, 1)
    elif kind == 8:  # rings or rays about a point
        cx, cy = (CARD_MM[0] / 2, CARD_MM[1] / 2) if rng.random() < 0.6 else (rng.uniform(0, 63), rng.uniform(0, 88))
        if rng.random() < 0.7:
            on = np.hypot(xx - cx, yy - cy) % pitch < pitch * share
        else:
            on = (np.arctan2(yy - cy, xx - cx) * rng.integers(6, 30) / math.pi) % 2 < 2 * share
    else:  # small marks in rows, every other row shifted or not
        row = np.floor(yy / pitch)
        x, y = (xx + (row % 2) * pitch * rng.integers(2) / 2) % pitch - pitch / 2, yy % pitch - pitch / 2
        points = int(rng.integers(3, 8))
        star = 1 + rng.uniform(0, 0.6) * np.cos(np.arctan2(y, x) * points)
        on = np.hypot(x, y) < pitch * rng.uniform(0.12, 0.35) * star
    return on.astype(np.float32)


def _draw_back(rng: np.random.Generator) -> Image:
    ground = _convert_hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.12, 0.95))
    if rng.random() < 0.5:
        other = _convert_hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 1.0))
    else:  # one ink, lighter or darker
        shade, strength = 255.0 if rng.random() < 0.6 else 0.0, float(rng.uniform(0.15, 0.8))
        b, g, r = (float(part + (shade - part) * strength) for part in ground)
        other = (b, g, r)
    img = _make_blank(ground)
    h, w = img.shape[:2]
    kind = int(rng.integers(14))
    plain = kind > 10
    if not plain:
        share = _make_repeats((h, w), kind, rng)[..., None]
        img += share * (np.float32(other) - img)
    rim = _convert_hsv(rng.random(), 0.05, rng.uniform(0.85, 1))
    if rng.random() < (0.2 if plain else 0.7):
        e = round(rng.uniform(1.5, 5) * _DRAW)
        img[:e], img[-e:], img[:, :e], img[:, -e:] = (np.float32(rim),) * 4
    if rng.random() < (0.6 if plain else 0.2):
        _draw_frame(img, float(rng.uniform(2, 6)), float(rng.uniform(0.2, 0.9)), rim if rng.random() < 0.6 else other)
    face = latin_fonts()[int(rng.integers(len(latin_fonts())))]
    logo_rng = rng.random()
    if logo_rng < (0.3 if plain else 0.6):
        r = rng.uniform(5, 18) * _DRAW
        cv2.circle(img, (w // 2, h // 2), round(r), _convert_hsv(0, 0, rng.uniform(0.6, 1)), -1, cv2.LINE_AA)
        logo = text_mask(str(rng.choice(["7", "S", "VII", "SEVEN", "*"])), face, r * 0.8)
        paint(img, logo, (w - logo.shape[1]) / 2, (h - logo.shape[0]) / 2, ground)
    elif logo_rng < 0.75:  # the same words for either end
        word = text_mask(str(rng.choice(["SEVEN", "LAMINATE", "7", "RUMMY", "VII"])), face, rng.uniform(4, 9) * _DRAW)
        word = word[:, : round(w - 10 * _DRAW)]
        away = rng.uniform(2, 20) * _DRAW
        for _ in range(2):
            paint(img, word, (w - word.shape[1]) / 2, h / 2 - away - word.shape[0], rim)
            img = np.ascontiguousarray(img[::-1, ::-1])
    return _finish(img)
