"""The signs of the moods: shapes of their own, so that nothing is shown by colour alone."""

from __future__ import annotations

import math
from itertools import pairwise

import pygame

from ui.fonts import Weight, open_font
from ui.parts.theme import Colour
from ui.screen_state import Mood

_LETTERS = {
    Mood.QUESTION: "?",
    Mood.PREVIEW: "?",
    Mood.FAULT: "!",
    Mood.OUT_OF_STEP: "≠",
    Mood.CHECK: "←",
    Mood.MENU: "≡",
}


def draw_sign(surface: pygame.Surface, mood: Mood, centre: tuple[int, int], r: int, ink: Colour) -> None:
    """Draw the sign of a mood about ``centre``, ``r`` px to each side."""
    x, y = centre
    w = max(3, round(r * 0.3))
    if mood is Mood.ACCEPTED:
        _draw_thick(
            surface, ink, [(x - r * 0.8, y + r * 0.05), (x - r * 0.2, y + r * 0.65), (x + r * 0.85, y - r * 0.65)], w
        )
    elif mood is Mood.REFUSED:
        for s in (1, -1):
            _draw_thick(surface, ink, [(x - r * 0.7, y - s * r * 0.7), (x + r * 0.7, y + s * r * 0.7)], w)
    elif mood in _LETTERS:
        image = open_font(round(r * 2.2), Weight.BOLD).render(_LETTERS[mood], True, ink)
        box = image.get_bounding_rect()
        surface.blit(image, (x - box.centerx, y - box.centery))
    elif mood is Mood.PAUSED:
        for s in (-1, 1):
            pygame.draw.line(surface, ink, (x + s * r * 0.4, y - r * 0.7), (x + s * r * 0.4, y + r * 0.7), w + 1)
    elif mood in (Mood.CANT_SEE, Mood.BLIND):
        rim = [(x + r * math.cos(a / 12 * math.pi), y + 0.58 * r * math.sin(a / 12 * math.pi)) for a in range(24)]
        pygame.draw.polygon(surface, ink, rim, max(2, w // 2))
        pygame.draw.circle(surface, ink, (x, y), round(r * 0.3))
        _draw_thick(surface, ink, [(x - r * 0.8, y + r * 0.8), (x + r * 0.8, y - r * 0.8)], max(2, w * 2 // 3))
    elif mood is Mood.HANDS:
        _draw_hand(surface, ink, x, y, r)
    elif mood is Mood.READING:
        for n in range(3):
            pygame.draw.circle(surface, ink, (round(x + (n - 1) * r * 0.75), y), max(2, round(r * 0.24)))
    elif mood is Mood.FINISHED:
        points = [(r * (0.95 if n % 2 == 0 else 0.42), n * math.pi / 5 - math.pi / 2) for n in range(10)]
        pygame.draw.polygon(surface, ink, [(x + d * math.cos(a), y + d * math.sin(a)) for d, a in points])
    else:
        pygame.draw.polygon(surface, ink, [(x - r * 0.5, y - r * 0.75), (x + r * 0.75, y), (x - r * 0.5, y + r * 0.75)])


def draw_flag(surface: pygame.Surface, centre: tuple[int, int], r: int, ink: Colour, cloth: Colour) -> None:
    """Draw a flag on its pole."""
    x, y = centre
    _draw_thick(surface, ink, [(x - r * 0.6, y - r * 0.9), (x - r * 0.6, y + r * 0.95)], max(3, round(r * 0.16)))
    wave = [(x - r * 0.6, y - r * 0.9), (x, y - r * 0.75), (x + r * 0.9, y - r * 0.95), (x + r * 0.7, y - r * 0.4)]
    wave += [(x + r * 0.9, y + r * 0.1), (x, y + r * 0.3), (x - r * 0.6, y + r * 0.15)]
    pygame.draw.polygon(surface, cloth, wave)


def _draw_hand(surface: pygame.Surface, ink: Colour, x: int, y: int, r: int) -> None:
    """Draw an open hand: wait."""
    w = max(2, round(r * 0.3))
    palm = pygame.Rect(0, 0, round(r * 1.1), round(r * 0.9))
    palm.center = (x, round(y + r * 0.45))
    pygame.draw.rect(surface, ink, palm, border_radius=w)
    for n, top in enumerate((0.55, 0.85, 0.95, 0.75)):
        at = x + (n - 1.5) * r * 0.34
        _draw_thick(surface, ink, [(at, y - r * top), (at, y + r * 0.3)], max(2, round(r * 0.24)))
    _draw_thick(surface, ink, [(x - r * 0.95, y - r * 0.05), (x - r * 0.45, y + r * 0.5)], max(2, round(r * 0.24)))


def _draw_thick(surface: pygame.Surface, ink: Colour, points: list[tuple[float, float]], width: int) -> None:
    """Draw a thick line with round ends and joints."""
    for start, end in pairwise(points):
        length = math.hypot(end[0] - start[0], end[1] - start[1]) or 1
        nx, ny = (start[1] - end[1]) / length * width / 2, (end[0] - start[0]) / length * width / 2
        corners = [(start[0] + nx, start[1] + ny), (end[0] + nx, end[1] + ny)]
        corners += [(end[0] - nx, end[1] - ny), (start[0] - nx, start[1] - ny)]
        pygame.draw.polygon(surface, ink, corners)
    for point in points:
        pygame.draw.circle(surface, ink, point, width / 2)
