"""What lies where: tables laid out by the table standard, and what of each card the eye sees from above.

All places are millimetres on the mat, angles degrees clockwise; a card's ``z`` comes when it is laid (`render.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tools.benchmark_ood.art import NAMES, PAPERS, SEVEN

CARD_W, CARD_H, CORNER = 63.0, 88.0, 3.2
MARKER = 50.0
COPIES = dict(zip(PAPERS, (4, 3, 2, 1, 4, 3, 3, 2, 1, 2, 2, 4, 1, 1, 1, 1), strict=True))
_RANKS = {name: rank for rank, name in NAMES.items()}

Rng = np.random.Generator


@dataclass(frozen=True)
class Laid:
    """A card on the table: which side up, its centre, its angle, and by how many mm its ends curl up."""

    name: str
    x: float
    y: float
    angle: float
    curl: float = 0.0

    @property
    def outline(self) -> np.ndarray:
        """Its four corners, (4, 2) mm."""
        turn = math.radians(self.angle)
        cos, sin = math.cos(turn), math.sin(turn)
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (CARD_W / 2, CARD_H / 2)
        return np.stack([self.x + half[:, 0] * cos - half[:, 1] * sin, self.y + half[:, 0] * sin + half[:, 1] * cos], 1)


@dataclass(frozen=True)
class Scene:
    """A mat with cards in the order in which they were laid."""

    mat_mm: tuple[float, float]
    seats: int
    cards: tuple[Laid, ...]

    def list_truth(self) -> list[dict[str, object]]:
        """Name, centre, angle and the share of the face that no later card covers, for every card."""
        fine = 4
        w, h = (round(side * fine) + 400 for side in self.mat_mm)
        owner = np.full((h, w), -1, np.int16)
        for k, card in enumerate(self.cards):
            cv2.fillConvexPoly(owner, np.round((card.outline * fine + 200) * 16).astype(np.int32), k, shift=4)
        seen = np.bincount(owner[owner >= 0].ravel(), minlength=len(self.cards)) / (CARD_W * CARD_H * fine**2)
        return [
            {
                "card": card.name,
                "x": round(card.x, 1),
                "y": round(card.y, 1),
                "angle": round(card.angle % 360, 1),
                "visible": round(1.0 if share > 0.985 else float(share), 3),
            }
            for card, share in zip(self.cards, seen, strict=True)
        ]


def lay_page(kind: str, mat_mm: tuple[float, float], rng: Rng) -> Scene:
    """Lay out an enrolment page, each card on its place as neatly as people lay them."""
    cx, cy = mat_mm[0] / 2, mat_mm[1] / 2

    def put(name: str, x: float, y: float) -> Laid:
        return Laid(name, x + rng.normal(0, 1.2), y + rng.normal(0, 1.2), rng.normal(0, 0.9), rng.uniform(0, 0.8))

    if kind == "seven":
        cards = [put(n, cx + (k // 7 - 3) * 100, cy + (k % 7 - 3) * 112) for k, n in enumerate(SEVEN)]
    else:
        cards = [put(f"{n}/{kind}", cx + (k % 4 - 1.5) * 110, cy + (k // 4 - 1.5) * 130) for k, n in enumerate(PAPERS)]
        cards.append(put("back", cx + 385, cy))
    return Scene(mat_mm, 0, tuple(cards))


def _seat_areas(seats: int) -> list[tuple[float, float, float, float]]:
    low, high = (0.62, 1.0), (0.0, 0.38)
    sides: dict[int, list[tuple[float, float, tuple[float, float]]]] = {
        2: [(0, 1, low), (0, 1, high)],
        3: [(0, 1, low), (0, 0.5, high), (0.5, 1, high)],
        4: [(0, 0.5, low), (0, 0.5, high), (0.5, 1, high), (0.5, 1, low)],
        5: [(0, 0.5, low), (0, 1 / 3, high), (1 / 3, 2 / 3, high), (2 / 3, 1, high), (0.5, 1, low)],
    }
    return [(x0, x1, *ys) for x0, x1, ys in sides[seats]]


_PAYMENT = {
    2: ((0.30, 0.56), (0.70, 0.44)),
    3: ((0.30, 0.56), (0.20, 0.44), (0.80, 0.44)),
    4: ((0.24, 0.56), (0.24, 0.44), (0.76, 0.44), (0.76, 0.56)),
    5: ((0.24, 0.56), (0.16, 0.44), (0.36, 0.44), (0.84, 0.44), (0.76, 0.56)),
}


def pile_spots(mat_mm: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the centres of the draw and the discard pile."""
    w, h = mat_mm
    if w < 1000:
        return (w / 2 - 40, h / 2), (w / 2 + 40, h / 2)
    return (0.46 * w, 0.5 * h), (0.54 * w, 0.5 * h)


def _choose_run(cards: Sequence[str], length: int, rng: Rng) -> list[str] | None:
    low = int(rng.integers(1, 15 - length))
    chosen = []
    for rank in range(low, low + length):
        fitting = [c for c in cards if _RANKS[c[1:]] == rank]
        if not fitting:
            return None
        chosen.append(fitting[int(rng.integers(len(fitting)))])
    return chosen


def _choose_alike(cards: Sequence[str], of: int, ranks: int, rng: Rng) -> list[str] | None:
    by_rank = {r: [c for c in cards if _RANKS[c[1:]] == r] for r in range(1, 14)}
    enough = [r for r, found in by_rank.items() if len(found) >= of]
    if len(enough) < ranks:
        return None
    picked = rng.choice(enough, ranks, replace=False)
    return [str(c) for r in picked for c in rng.choice(by_rank[int(r)], of, replace=False)]


def _flush(cards: Sequence[str], length: int, rng: Rng) -> list[str] | None:
    letter = "HOBCSTF"[int(rng.integers(7))]
    own = [c for c in SEVEN if c[0] == letter]
    start = int(rng.integers(8 - length))
    chosen = own[start : start + length]
    return chosen if all(c in cards for c in chosen) else None


def _choose_adding(cards: Sequence[str], total: int, or_more: bool, rng: Rng) -> list[str] | None:
    order = [str(c) for c in rng.permutation(list(cards))]
    chosen: list[str] = []
    left = total
    for card in order:
        rank = _RANKS[card[1:]]
        if or_more or rank <= left:
            chosen.append(card)
            left -= rank
        if left <= 0:
            return chosen if or_more or left == 0 else None
    return None


def _choose_meld(kind: str, cards: Sequence[str], rng: Rng) -> list[str] | None:
    """Choose a combination for this paper from the cards still free, None where chance gives none."""
    if kind.startswith("straight_flush"):
        return _flush(cards, int(kind[-1]), rng)
    if kind.startswith("straight"):
        return _choose_run(cards, int(kind[8:]), rng)
    if kind in ("three", "five"):
        return _choose_alike(cards, {"three": 3, "five": 5}[kind], 1, rng)
    if kind in ("three_pairs", "four_pairs"):
        return _choose_alike(cards, 2, {"three_pairs": 3, "four_pairs": 4}[kind], rng)
    if kind == "triple_threes":
        return _choose_alike(cards, 3, 3, rng)
    if kind == "sum49":
        return _choose_adding(cards, 49, False, rng)
    if kind == "sum100":
        return _choose_adding(cards, 100, True, rng)
    wanted = {"ace_king": [1, 13], "all_even": [2, 4, 6, 8, 10, 12]}[kind]
    chosen = []
    for rank in wanted:
        fitting = [c for c in cards if _RANKS[c[1:]] == rank]
        if not fitting:
            return None
        chosen.append(fitting[int(rng.integers(len(fitting)))])
    return chosen


@dataclass(frozen=True)
class _Manner:
    """How carefully people lay cards at this table: spread of places in mm and of angles in degrees, and their curl."""

    slip: float
    turn: float
    curl: float


class _Table:
    """A table being laid: what is free, what room is taken."""

    def __init__(self, mat_mm: tuple[float, float], seats: int, rng: Rng) -> None:
        self.mat, self.seats, self.rng = mat_mm, seats, rng
        self.free = list(SEVEN)
        self.supply = dict(COPIES)
        self.cards: list[Laid] = []
        self.taken: list[np.ndarray] = []
        care = rng.uniform(0.5, 1.3)
        self.manner = _Manner(1.6 * care, 1.8 * care, float(rng.choice([0.3, 0.8, 2.0], p=[0.4, 0.4, 0.2])))
        w, h = mat_mm
        edge = MARKER + 9
        for x, y in ((0, 0), (w - edge, 0), (w - edge, h - edge), (0, h - edge)):
            self.taken.append(np.array([(x, y), (x + edge, y), (x + edge, y + edge), (x, y + edge)], np.float32))

    def has_room(self, cards: Sequence[Laid], gap: float) -> bool:
        """Tell whether these lie on the mat, with their neighbours a finger's gap away."""
        w, h = self.mat
        points = np.concatenate([c.outline for c in cards]).astype(np.float32)
        if points.min() < 2 or points[:, 0].max() > w - 2 or points[:, 1].max() > h - 2:
            return False
        grown = []
        for card in cards:
            middle = np.array([card.x, card.y])
            out = card.outline - middle
            grown.append((middle + out * (1 + gap / 38)).astype(np.float32))
        return not any(cv2.intersectConvexConvex(g, t)[0] > 1 for g in grown for t in self.taken)

    def put(self, cards: Sequence[Laid]) -> None:
        """Lay them for good."""
        self.cards += cards
        self.taken += [c.outline.astype(np.float32) for c in cards]

    def lay_sloppily(self, name: str, x: float, y: float, angle: float, spread: float = 1.0) -> Laid:
        m, rng = self.manner, self.rng
        return Laid(
            name,
            x + rng.normal(0, m.slip * spread),
            y + rng.normal(0, m.slip * spread),
            angle + float(np.clip(rng.normal(0, m.turn * spread), -9, 9)),
            abs(rng.normal(0, m.curl)),
        )

    def lay_column(
        self, names: Sequence[str], x: float, y: float, facing: float, manner: str, gaps: Sequence[int]
    ) -> list[Laid]:
        """Lay a paper and its cards, each on top of the one before, from the head at (x, y) toward the player."""
        rng = self.rng
        lean = float(np.clip(rng.normal(0, 3.5), -10, 10)) if manner != "fan" else float(rng.uniform(-10, 10))
        if manner == "row":
            lean += float(rng.choice([-90, 90]))
        sideways = float(rng.choice([-1, 1]) * rng.uniform(5, 10)) if manner == "fan" else 0.0
        angle = facing + lean
        turn = math.radians(angle)
        down = np.array([-math.sin(turn), math.cos(turn)])
        right = np.array([math.cos(turn), math.sin(turn)])
        at = np.array([x, y])
        step = rng.uniform(19.5, 22)
        laid = []
        for k, name in enumerate(names):
            if k:
                length = step + (5 if k == 1 else 0) + rng.normal(0, 1.2)
                at = at + down * (max(17.0, length) + (rng.uniform(14, 22) if k in gaps else 0)) + right * sideways
            laid.append(
                self.lay_sloppily(
                    name, float(at[0]), float(at[1]), angle + (0.3 * sideways * k if manner == "fan" else 0)
                )
            )
        return laid

    def lay_papers(self, wanted: int) -> None:
        """Lay the papers of all seats, each where there is room for it."""
        rng = self.rng
        areas = _seat_areas(self.seats)
        kinds = [k for k in PAPERS if k not in ("end_flag",)]
        weights = np.array([4, 2, 1, 0.6, 5, 2.5, 3, 1.5, 0.7, 2, 1, 4, 0.6, 1.6, 1.2])
        held: set[tuple[int, str]] = set()
        laid = 0
        for _ in range(wanted * 14):
            if laid >= wanted:
                break
            seat = int(rng.integers(self.seats))
            kind = str(rng.choice(kinds, p=weights / weights.sum()))
            if (seat, kind) in held or not self.supply[kind]:
                continue
            meld = next((m for m in (_choose_meld(kind, self.free, rng) for _ in range(6)) if m), None)
            if meld is None:
                continue
            gaps: list[int] = []
            keep = len(meld)
            if rng.random() < 0.55:
                keep = int(rng.integers(1, len(meld) + 1))
            gone = set(rng.choice(len(meld), len(meld) - keep, replace=False).tolist())
            left = [c for k, c in enumerate(meld) if k not in gone]
            if gone and rng.random() < 0.6:  # the reviewer's gap is left as it is
                gaps = [k + 1 for k, c in enumerate(left) if k and meld.index(c) - meld.index(left[k - 1]) > 1]
            side = "complete" if len(left) == 1 else "review"
            manner = str(rng.choice(["column", "fan", "row"], p=[0.72, 0.14, 0.14]))
            if self._place_column([f"{kind}/{side}", *left], areas[seat], manner, gaps):
                self.free = [c for c in self.free if c not in left]
                self.supply[kind] -= 1
                held.add((seat, kind))
                laid += 1
        if rng.random() < 0.12 and self.free:
            card = self.free[int(rng.integers(len(self.free)))]
            if self._place_column(["end_flag/complete", card], areas[int(rng.integers(self.seats))], "column", []):
                self.free.remove(card)

    def _place_column(
        self, names: Sequence[str], area: tuple[float, float, float, float], manner: str, gaps: Sequence[int]
    ) -> bool:
        rng = self.rng
        w, h = self.mat
        x0, x1, y0, y1 = area[0] * w, area[1] * w, area[2] * h, area[3] * h
        top = y0 < h / 3
        for _ in range(40):
            x = rng.uniform(x0 + 36, x1 - 36)
            inset = 50.0 if rng.random() < 0.7 else rng.uniform(50, (y1 - y0) - 30)
            y = y1 - inset if top else y0 + inset
            if manner == "row":
                y = rng.uniform(y0 + 40, y1 - 40)
            cards = self.lay_column(names, x, y, 180.0 if top else 0.0, manner, gaps)
            inside = all(x0 + 3 < c.x < x1 - 3 and y0 - 2 < c.y < y1 - 3 for c in cards)
            if inside and self.has_room(cards, 6.0):
                self.put(cards)
                return True
        return False

    def lay_piles(self) -> None:
        """Draw and discard pile in the middle."""
        rng = self.rng
        draw, discard = pile_spots(self.mat)
        count = int(rng.choice([0, 1, 2, 5, 9, 14, 20], p=[0.05, 0.08, 0.08, 0.2, 0.2, 0.22, 0.17]))
        lean = rng.normal(0, 3)
        pile = [self.lay_sloppily("back", *draw, lean, 0.5) for _ in range(count)]
        thrown = min(int(rng.choice([0, 1, 2, 3, 5, 8])), len(self.free))
        faces = [str(c) for c in rng.choice(self.free, thrown, replace=False)] if thrown else []
        self.free = [c for c in self.free if c not in faces]
        turned = 0.0 if self.mat[0] >= 1000 else 0.35
        heap = [self.lay_sloppily(c, *discard, 0.0, 1.6 - turned) for c in faces]
        self.put([Laid(c.name, c.x, c.y, c.angle, min(c.curl, 0.4)) for c in pile])
        self.put([Laid(c.name, c.x, c.y, c.angle, min(c.curl, 0.6)) for c in heap])

    def lay_thanks(self) -> None:
        """Lay thank-you cards, face down and fanned so that they can be counted."""
        rng = self.rng
        w, h = self.mat
        for spot in _PAYMENT[self.seats]:
            if rng.random() > 0.22:
                continue
            x, y = spot[0] * w, spot[1] * h
            away = -1 if x < w / 2 else 1
            step = float(rng.uniform(22, 42))
            fan = [
                self.lay_sloppily("back", x + away * step * k, y, 0.0, 1.0)
                for k in range(int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15])))
            ]
            if self.has_room(fan, 3.0):
                self.put(fan)


def lay_table(mat_mm: tuple[float, float], seats: int, papers: int, rng: Rng) -> Scene:
    """Lay a position in the midst of a game, as people leave it lying."""
    laying = _Table(mat_mm, seats, rng)
    laying.lay_piles()
    laying.lay_thanks()
    laying.lay_papers(papers)
    return Scene(mat_mm, seats, tuple(laying.cards))
