"""The shapes and colours of the seven suits, as the printed deck has them (``device.artwork.faces``)."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import pygame

from rules.cards import Suit
from ui.parts.theme import Colour

COLOURS: dict[Suit, Colour] = {
    Suit.HEART: (206, 48, 88),
    Suit.ONION: (134, 62, 150),
    Suit.BOOK: (176, 72, 28),
    Suit.COIN: (190, 140, 20),
    Suit.STAR: (20, 138, 186),
    Suit.TIME: (52, 66, 168),
    Suit.COFFIN: (36, 110, 66),
}
_FINE = 4
"""Shapes are drawn this many times larger and then made smaller, so that their edges are smooth."""
_R = 0.98
"""A shape's half width, to half the side of its square."""


class _Sheet:
    """A square with its middle at (0, 0) and its sides at ±1."""

    def __init__(self, side: int, ground: Colour) -> None:
        self.surface = pygame.Surface((side, side))
        self.surface.fill(ground)
        self._half = side / 2
        self.ground = ground

    def _to_px(self, x: float, y: float) -> tuple[float, float]:
        return self._half * (1 + _R * x), self._half * (1 + _R * y)

    def draw_polygon(self, points: list[tuple[float, float]], colour: Colour) -> None:
        pygame.draw.polygon(self.surface, colour, [self._to_px(x, y) for x, y in points])

    def draw_disc(self, x: float, y: float, r: float, colour: Colour) -> None:
        pygame.draw.circle(self.surface, colour, self._to_px(x, y), r * self._half * _R)

    def draw_line(self, points: list[tuple[float, float]], width: float, colour: Colour) -> None:
        thick = max(1, round(width * self._half))
        pygame.draw.lines(self.surface, colour, False, [self._to_px(x, y) for x, y in points], thick)


def _make_ring(x: float, y: float, r: float, stretch: float = 1.0) -> list[tuple[float, float]]:
    turns = [n * math.tau / 48 for n in range(48)]
    return [(x + r * math.cos(a), y + stretch * r * math.sin(a)) for a in turns]


def _draw_heart(sheet: _Sheet, colour: Colour) -> None:
    def point_at(t: float) -> tuple[float, float]:
        y = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t) + 2
        return 16 * math.sin(t) ** 3 / 16.5, -y / 16.5

    sheet.draw_polygon([point_at(n * math.tau / 60) for n in range(60)], colour)


def _draw_onion(sheet: _Sheet, colour: Colour) -> None:
    sheet.draw_polygon(_make_ring(0, 0.28, 0.82, 0.84), colour)
    sheet.draw_polygon([(-0.46, -0.2), (0, -1), (0.46, -0.2)], colour)
    for side in (-0.36, 0.36):
        turns = [math.radians(a) for a in range(-80, 81, 8)]
        sheet.draw_line([(side * math.cos(a), 0.3 + 0.58 * math.sin(a)) for a in turns], 0.1, sheet.ground)


def _draw_book(sheet: _Sheet, colour: Colour) -> None:
    for side in (-1, 1):
        page = [(0.06, -0.5), (0.5, -0.72), (0.98, -0.56), (0.98, 0.6), (0.5, 0.44), (0.06, 0.7)]
        sheet.draw_polygon([(side * x, y) for x, y in page], colour)
        for level in (-0.28, 0.02, 0.3):
            sheet.draw_line([(side * 0.26, level - 0.06), (side * 0.8, level - 0.1)], 0.09, sheet.ground)


def _draw_coin(sheet: _Sheet, colour: Colour) -> None:
    sheet.draw_disc(0, 0, 0.94, colour)
    sheet.draw_disc(0, 0, 0.74, sheet.ground)
    sheet.draw_disc(0, 0, 0.62, colour)
    sheet.draw_polygon([(-0.24, -0.24), (0.24, -0.24), (0.24, 0.24), (-0.24, 0.24)], sheet.ground)


def _draw_star(sheet: _Sheet, colour: Colour) -> None:
    turns = [(1.0 if n % 2 == 0 else 0.46, n * math.pi / 7 - math.pi / 2) for n in range(14)]
    sheet.draw_polygon([(d * math.cos(a), d * math.sin(a)) for d, a in turns], colour)


def _draw_time(sheet: _Sheet, colour: Colour) -> None:
    for side in (-1, 1):
        glass = [(-0.56, -0.76), (0.56, -0.76), (0.5, -0.44), (0.07, 0.04), (-0.07, 0.04), (-0.5, -0.44)]
        sheet.draw_polygon([(x, side * y) for x, y in glass], colour)
        sheet.draw_polygon([(-0.72, side * 0.98), (0.72, side * 0.98), (0.72, side * 0.8), (-0.72, side * 0.8)], colour)


def _draw_coffin(sheet: _Sheet, colour: Colour) -> None:
    sheet.draw_polygon([(-0.3, -1), (0.3, -1), (0.66, -0.46), (0.36, 1), (-0.36, 1), (-0.66, -0.46)], colour)
    sheet.draw_line([(0, -0.72), (0, 0.5)], 0.16, sheet.ground)
    sheet.draw_line([(-0.3, -0.36), (0.3, -0.36)], 0.16, sheet.ground)


_SHAPES: dict[str, Callable[[_Sheet, Colour], None]] = {
    "H": _draw_heart,
    "O": _draw_onion,
    "B": _draw_book,
    "C": _draw_coin,
    "S": _draw_star,
    "T": _draw_time,
    "F": _draw_coffin,
}


@lru_cache(maxsize=256)
def draw_shape(letter: str, side: int, colour: Colour, ground: Colour) -> pygame.Surface:
    """Draw the shape of a suit by its letter, in a square of ``side`` px on that ground."""
    sheet = _Sheet(side * _FINE, ground)
    _SHAPES[letter](sheet, colour)
    return pygame.transform.smoothscale(sheet.surface, (side, side))
