"""Draws the letters to write a name with: the name so far, and below it rows of letters with the chosen one filled."""

from __future__ import annotations

import pygame

from ui.fonts import Weight
from ui.screen_state import NamePad
from ui.setting_up.letters import BAD, CHOSEN, DIM, GROUND, INK, PANEL, RAISED, Written, put, put_lines, width

_TYPED = (1.5, 1.2, 1.0)
"""The name so far is so many times as large as letters to choose from: as large as fits."""
_ROW = 1.5
_GAP = 0.3
_CARET = "_"


def draw_name_pad(surface: pygame.Surface, box: pygame.Rect, pad: NamePad, em: int) -> list[Written]:
    """Draw into a box with letters ``em`` px high; returns every piece of text drawn."""
    line = pygame.Rect(box.x, box.y, box.width, round(_TYPED[0] * em * _ROW))
    pygame.draw.rect(surface, PANEL, line, border_radius=em // 4)
    inner = line.inflate(-em, 0)
    typed = pad.typed + _CARET
    sizes = [round(share * em) for share in _TYPED]
    size = next((px for px in sizes if width(typed, px, Weight.BOLD) <= inner.width), sizes[-1])
    texts = [put(surface, typed, inner, size, INK, Weight.BOLD)]
    below = line.bottom + em // 3
    if pad.fault:
        room = pygame.Rect(box.x, below, box.width, box.bottom - below)
        said, below = put_lines(surface, pad.fault, room, em, BAD, Weight.BOLD)
        texts += said
    rows = pygame.Rect(box.x, below, box.width, box.bottom - below)
    high = round(em * _ROW)
    seen = max(1, min(len(pad.rows), rows.height // high))
    first = max(0, min(pad.row - seen // 2, len(pad.rows) - seen))
    for place, number in enumerate(range(first, first + seen)):
        row = pygame.Rect(rows.x, rows.y + place * high, rows.width, high - 2)
        texts += _draw_row(surface, row, pad, number, em)
    return texts


def _draw_row(surface: pygame.Surface, box: pygame.Rect, pad: NamePad, number: int, em: int) -> list[Written]:
    chosen = number == pad.row
    if chosen:
        pygame.draw.rect(surface, RAISED if pad.column is not None else CHOSEN, box, border_radius=em // 4)
    cells = pad.rows[number]
    gap = round(em * _GAP)
    # Letters of one row are as far apart as the widest of them wants; words in the first row get what they need.
    needed = [width(cell, em, Weight.BOLD) for cell in cells]
    room = box.width - gap
    pitch = [each + 2 * gap for each in needed]
    if sum(pitch) > room:
        pitch = [each + max(0, (room - sum(needed)) // len(cells)) for each in needed]
    elif max(needed) <= 2 * em:
        pitch = [min(2 * em, room // len(cells))] * len(cells)
    x = box.x + gap // 2
    texts = []
    for column, (cell, wide) in enumerate(zip(cells, pitch, strict=True)):
        place = pygame.Rect(x, box.y, wide, box.height)
        x += wide
        here = chosen and column == pad.column
        if here:
            pygame.draw.rect(surface, INK, place, border_radius=em // 4)
        colour = GROUND if here else INK if chosen else DIM
        texts.append(put(surface, cell, place, em, colour, Weight.BOLD, align=0.5))
    return texts
