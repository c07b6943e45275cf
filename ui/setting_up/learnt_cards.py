"""Draws cards as they are seen: the learnt ones beside their names, one that is asked about beside its answers."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from ui.fonts import Weight
from ui.parts.pen import Block, Pen, surface_of
from ui.screen_state import LearntCard, Thumbnail

ROWS = 4
"""So many cards find room below each other."""
_GAP_MM, _ROUND_MM = 0.7, 0.6
_CLOSE_UP_SHARE = 0.36
"""How much of the width a card that is asked about takes at most."""


def draw_learnt_cards(pen: Pen, cards: Sequence[LearntCard], box: pygame.Rect) -> None:
    """A row for each card."""
    gap = pen.px(_GAP_MM)
    high = (box.height - (ROWS - 1) * gap) // ROWS
    for number, card in enumerate(cards):
        row = pygame.Rect(box.x, box.y + number * (high + gap), box.width, high)
        pygame.draw.rect(pen.surface, pen.theme.panel, row, border_radius=pen.px(_ROUND_MM))
        across, down = card.picture.size
        shown = pygame.Rect(row.x, row.y, min(round(across * high / down), row.width // 2), high)
        pen.surface.blit(pygame.transform.smoothscale(surface_of(card.picture), shown.size), shown)
        room = pygame.Rect(shown.right + pen.px(1.4), row.y, row.right - shown.right - pen.px(2.0), high)
        lines = pen.largest(
            lambda mm, card=card: [Block(card.name, mm, pen.theme.ink, Weight.BOLD)],  # type: ignore[misc]
            room,
            pen.far_mm(3.0),
        )
        pen.set_lines(lines, room, pen.theme.panel, middle=True)


def close_up_places(pen: Pen, seen: Thumbnail, box: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect]:
    """Where a card that is asked about is shown, at the right of a box, and what is left for the question."""
    gap = pen.px(_GAP_MM)
    across, down = seen.size
    scale = min(box.width * _CLOSE_UP_SHARE / across, (box.height - 2 * gap) / down)
    shown = pygame.Rect(0, 0, round(across * scale), round(down * scale))
    shown.midright = box.right - gap, box.centery
    return shown, pygame.Rect(box.x, box.y, shown.x - gap - box.x, box.height)


def draw_close_up(pen: Pen, seen: Thumbnail, box: pygame.Rect) -> None:
    """What the camera sees of a card that is asked about, at the right of a box."""
    shown, _ = close_up_places(pen, seen, box)
    pen.surface.blit(pygame.transform.smoothscale(surface_of(seen), shown.size), shown)
