"""Draws cards as they were learnt: what was seen of each beside what it is called."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from ui.fonts import Weight
from ui.screen_state import LearntCard
from ui.setting_up.camera_view import surface_of
from ui.setting_up.letters import INK, PANEL, Written, lines_of, put, step

ROWS = 4
"""So many cards find room below each other."""


def draw_learnt_cards(surface: pygame.Surface, box: pygame.Rect, cards: Sequence[LearntCard], em: int) -> list[Written]:
    """Draw into a box with letters ``em`` px high, a row for each card; returns every piece of text drawn."""
    texts: list[Written] = []
    gap = max(2, em // 5)
    high = (box.height - (ROWS - 1) * gap) // ROWS
    for number, card in enumerate(cards):
        row = pygame.Rect(box.x, box.y + number * (high + gap), box.width, high)
        pygame.draw.rect(surface, PANEL, row, border_radius=em // 5)
        across, down = card.picture.size
        shown = pygame.Rect(row.x, row.y, round(across * high / down), high)
        surface.blit(pygame.transform.smoothscale(surface_of(card.picture), shown.size), shown)
        room = pygame.Rect(shown.right + em // 2, row.y, row.right - shown.right - em, high)
        lines = lines_of(card.name, room.width, em, Weight.BOLD)
        top = room.centery - len(lines) * step(em) // 2
        for place, line in enumerate(lines):
            limit = pygame.Rect(room.x, top + place * step(em), room.width, step(em))
            texts.append(put(surface, line, limit, em, INK, Weight.BOLD))
    return texts
