"""A menu whose lines are tiles: a sign and a few words each, the chosen one filled and said in full above them."""

from __future__ import annotations

import math

import pygame

from ui.fonts import Weight
from ui.parts.pen import SMALLEST_MM, Block, Pen, height_of
from ui.parts.theme import BANDS, Colour, ink_on
from ui.screen_state import IconTile, MenuScreen, Mood

_GAP_MM = 0.8
_MOST_ROWS, _LEAST_COLUMNS = 3, 3

_SHAPES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "go_on": (((-0.6, -0.85), (0.85, 0.0), (-0.6, 0.85)),),
    "again": (((-0.95, -0.7), (0.0, 0.0), (-0.95, 0.7)), ((0.0, -0.7), (0.95, 0.0), (0.0, 0.7))),
    "new": (((-0.2, -0.9), (0.2, -0.9), (0.2, 0.9), (-0.2, 0.9)), ((-0.9, -0.2), (0.9, -0.2), (0.9, 0.2), (-0.9, 0.2))),
    "deck": (
        ((-0.85, -0.75), (-0.2, -0.95), (0.25, 0.55), (-0.4, 0.75)),
        ((0.0, -0.7), (0.75, -0.6), (0.6, 0.95), (-0.15, 0.85)),
    ),
    "score": (
        ((-1.0, -0.5), (-0.5, -0.5), (-0.3, -0.8), (0.3, -0.8), (0.5, -0.5), (1.0, -0.5), (1.0, 0.7), (-1.0, 0.7)),
    ),
    "phone": (((-0.5, -1.0), (0.5, -1.0), (0.5, 1.0), (-0.5, 1.0)),),
}
"""Filled corners of signs, from -1 to 1 across and down."""
_HOLES: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "phone": ((-0.36, -0.78, 0.36, 0.6),),
}


def draw_icon(surface: pygame.Surface, name: str, centre: tuple[int, int], r: int, ink: Colour, ground: Colour) -> None:
    """Draw a sign about ``centre``, ``r`` px to each side."""
    x, y = centre
    width = max(2, round(r * 0.26))
    for corners in _SHAPES.get(name, ()):
        pygame.draw.polygon(surface, ink, [(x + r * dx, y + r * dy) for dx, dy in corners])
    for x0, y0, x1, y1 in _HOLES.get(name, ()):
        pygame.draw.rect(surface, ground, pygame.Rect(x + r * x0, y + r * y0, r * (x1 - x0), r * (y1 - y0)))
    if name == "score":
        pygame.draw.circle(surface, ground, (x, round(y + r * 0.1)), round(r * 0.42))
    elif name == "camera":
        rim = [(x + r * math.cos(a / 12 * math.pi), y + 0.6 * r * math.sin(a / 12 * math.pi)) for a in range(24)]
        pygame.draw.polygon(surface, ink, rim, width)
        pygame.draw.circle(surface, ink, centre, round(r * 0.3))
    elif name == "settings":
        for row, knob in ((-0.65, 0.35), (0.0, -0.4), (0.65, 0.1)):
            pygame.draw.line(surface, ink, (x - r, round(y + r * row)), (x + r, round(y + r * row)), max(2, width // 2))
            pygame.draw.circle(surface, ink, (round(x + r * knob), round(y + r * row)), width)
    elif name == "off":
        pygame.draw.arc(surface, ink, pygame.Rect(x - r, y - r, 2 * r, 2 * r), 2.2, 2 * math.pi + 0.95, width)
        pygame.draw.line(surface, ink, (x, y - r), (x, y), width)
    elif name == "language":
        pygame.draw.circle(surface, ink, centre, r, max(2, width // 2))
        pygame.draw.ellipse(surface, ink, pygame.Rect(x - r // 2, y - r, r, 2 * r), max(2, width // 2))
        pygame.draw.line(surface, ink, (x - r, y), (x + r, y), max(2, width // 2))


def draw_icon_tiles(pen: Pen, state: MenuScreen, box: pygame.Rect) -> None:
    """Draw the menu's tiles below the words of the chosen one."""
    inner, gap = pen.inset_box(box, 0.6), pen.to_px(_GAP_MM)
    blocks = [Block(state.choices[state.chosen], pen.near_mm, pen.theme.ink, Weight.BOLD)]
    blocks += [Block(text, pen.near_mm, pen.theme.ink) for text in state.details]
    heading = pen.break_lines(blocks, inner.width)
    pen.set_lines(heading, inner, pen.theme.ground)
    top = inner.y + height_of(heading) + gap
    columns = max(_LEAST_COLUMNS, math.ceil(len(state.icons) / _MOST_ROWS))
    rows = math.ceil(len(state.icons) / columns)
    width = (inner.width - (columns - 1) * gap) // columns
    height = (inner.bottom - top - (rows - 1) * gap) // rows
    for number, tile in enumerate(state.icons):
        row, column = divmod(number, columns)
        place = pygame.Rect(inner.x + column * (width + gap), top + row * (height + gap), width, height)
        _draw_tile(pen, tile, place, number == state.chosen)


def _draw_tile(pen: Pen, tile: IconTile, box: pygame.Rect, chosen: bool) -> None:
    ground: Colour = BANDS[Mood.QUESTION] if chosen else pen.theme.panel
    ink = ink_on(ground) if chosen else pen.theme.ink
    pygame.draw.rect(pen.surface, ground, box, border_radius=pen.to_px(0.8))
    if not chosen:
        pygame.draw.rect(pen.surface, pen.theme.line, box, max(1, pen.to_px(0.15)), border_radius=pen.to_px(0.8))
    label = pygame.Rect(box.x, 0, box.width, pen.to_px(SMALLEST_MM * 1.5)).inflate(-2 * pen.to_px(0.4), 0)
    label.bottom = box.bottom - pen.to_px(0.4)
    r = min((label.y - box.y) * 40 // 100, box.width // 5)
    draw_icon(pen.surface, tile.icon, (box.centerx, (box.y + label.y) // 2), r, ink, ground)
    cap_mm = pen.largest_mm((tile.label,), label.width, pen.near_mm) or SMALLEST_MM
    pen.draw_text(tile.label, label, cap_mm, ink, ground, align=0.5)
