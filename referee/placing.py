"""Cards where they lie on a simulated mat, and how carelessly hands lay them there.

Lengths are mm in the mat's frame, angles degrees clockwise.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from referee.layout import CARD_MM
from referee.table import Die


@dataclass(frozen=True, slots=True)
class Placed:
    """One card where it lies: its name as the reader would say it, the centre in mm, the angle in degrees.

    What is no ``card``, such as a board, covers what lies below it and is not read.
    """

    name: str
    x: float
    y: float
    angle: float
    size_mm: tuple[float, float] = CARD_MM
    card: bool = True

    def find_corners(self) -> list[tuple[float, float]]:
        """Return the card's four corners in mm."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        w, h = self.size_mm[0] / 2, self.size_mm[1] / 2
        return [(self.x + c * px - s * py, self.y + s * px + c * py) for px, py in ((-w, -h), (w, -h), (w, h), (-w, h))]


Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in mm."""


@dataclass(frozen=True, slots=True)
class Tray:
    """A tray on a simulated mat: where it is, in mm, and the dice that lie in it."""

    box: Box
    dice: tuple[Die, ...] = ()


def find_bounds(cards: Sequence[Placed]) -> Box:
    """Return the upright rectangle round some cards."""
    x0 = y0 = math.inf
    x1 = y1 = -math.inf
    for card in cards:
        turn, (w, h) = math.radians(card.angle), card.size_mm
        c, s = abs(math.cos(turn)) / 2, abs(math.sin(turn)) / 2
        wide, high = c * w + s * h, s * w + c * h
        x0, y0 = min(x0, card.x - wide), min(y0, card.y - high)
        x1, y1 = max(x1, card.x + wide), max(y1, card.y + high)
    return x0, y0, x1, y1


def has_gap(a: Box, b: Box, gap: float) -> bool:
    """Tell whether at least so many mm stay free between two rectangles."""
    return a[2] + gap <= b[0] or b[2] + gap <= a[0] or a[3] + gap <= b[1] or b[3] + gap <= a[1]


def toss_card(rng: random.Random, name: str, x: float, y: float, angle: float, mm: float, degrees: float) -> Placed:
    """Place a card as a hand lays it: off its place by up to ``mm`` each way, and turned by up to ``degrees``."""
    spread = rng.uniform
    return Placed(name, x + spread(-mm, mm), y + spread(-mm, mm), angle + spread(-degrees, degrees))
