"""Draws the letters to write a name with: the name so far, and below it rows of letters with the chosen one filled."""

from __future__ import annotations

import pygame

from ui.fonts import Weight
from ui.parts.pen import Block, Pen, height_of
from ui.parts.theme import QUESTION, WHITE, Colour
from ui.screen_state import NamePad

_TYPED_MM, _ROW_MM, _GAP_MM, _ROUND_MM = 4.0, 4.9, 1.0, 0.6
_MOST_APART_MM = 6.4
"""Single letters stand no further apart."""
_CARET = "_"


def draw_name_pad(pen: Pen, pad: NamePad, box: pygame.Rect) -> None:
    """Draw the name so far, what is wrong with what was pressed, and as many rows of letters as find room."""
    line = pygame.Rect(box.x, box.y, box.width, pen.to_scaled_px(_TYPED_MM * 1.7))
    pygame.draw.rect(pen.surface, pen.theme.panel, line, border_radius=pen.to_px(_ROUND_MM))
    inner = line.inflate(-2 * pen.to_px(_GAP_MM), 0)
    pen.draw_text(pad.typed + _CARET, inner, pen.far_mm(_TYPED_MM), pen.theme.ink, pen.theme.panel)
    below = line.bottom + pen.to_px(_GAP_MM)
    if pad.fault:
        said = pen.break_lines([Block(pad.fault, pen.near_mm, pen.theme.gold, Weight.BOLD)], box.width)
        below = pen.set_lines(said, pygame.Rect(box.x, below, box.width, height_of(said)), pen.theme.ground)
    rows = pygame.Rect(box.x, below, box.width, box.bottom - below)
    high = pen.to_px(_ROW_MM * pen.near_mm / 2.4)
    seen = max(1, min(len(pad.rows), rows.height // high))
    first = max(0, min(pad.row - seen // 2, len(pad.rows) - seen))
    for place, number in enumerate(range(first, first + seen)):
        _draw_row(pen, pad, number, pygame.Rect(rows.x, rows.y + place * high, rows.width, high - 1))


def _draw_row(pen: Pen, pad: NamePad, number: int, box: pygame.Rect) -> None:
    theme, chosen = pen.theme, number == pad.row
    ground: Colour = theme.ground
    if chosen:
        ground = QUESTION if pad.column is None else theme.raised
        pygame.draw.rect(pen.surface, ground, box, border_radius=pen.to_px(_ROUND_MM))
    ink = theme.dim if not chosen else WHITE if pad.column is None else theme.ink
    cells = pad.rows[number]
    x = float(box.x)
    for column, (cell, wide) in enumerate(zip(cells, _measure_pitches(pen, cells, box.width), strict=True)):
        place = pygame.Rect(round(x), box.y, round(x + wide) - round(x), box.height)
        x += wide
        if chosen and column == pad.column:
            pygame.draw.rect(pen.surface, theme.ink, place, border_radius=pen.to_px(_ROUND_MM))
            pen.draw_text(cell, place, pen.near_mm, theme.ground, theme.ink, align=0.5)
        else:
            pen.draw_text(cell, place, pen.near_mm, ink, ground, align=0.5)


def _measure_pitches(pen: Pen, cells: tuple[str, ...], room: int) -> list[float]:
    """Measure how far (px) the cells of a row are apart: letters evenly, words as they need it."""
    needed = [pen.measure_width(cell, pen.near_mm) for cell in cells]
    even = min(pen.to_px(_MOST_APART_MM), room / len(cells))
    if max(needed) <= even:
        return [even] * len(cells)
    gap = min(2.0 * pen.to_px(_GAP_MM), (room - sum(needed)) / len(cells))
    return [each + gap for each in needed]
