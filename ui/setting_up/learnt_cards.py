"""Draws cards as they are seen: the learnt ones beside their names, one that is asked about beside its answers."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from referee.menu import QrCode
from ui.fonts import Weight
from ui.parts.pen import Block, Pen, surface_of
from ui.screen_state import CloseUp, LearntCard, TablePicture
from ui.table_picture import aspect_of, draw_picture

ROWS = 4
"""This many cards find room below each other."""
_GAP_MM, _ROUND_MM = 0.7, 0.6
_CLOSE_UP_SHARE = 0.36
"""How much of the width a card that is asked about takes at most."""


def draw_learnt_cards(pen: Pen, cards: Sequence[LearntCard], box: pygame.Rect) -> None:
    """Draw a row for each card."""
    gap = pen.to_px(_GAP_MM)
    high = (box.height - (ROWS - 1) * gap) // ROWS
    for number, card in enumerate(cards):
        row = pygame.Rect(box.x, box.y + number * (high + gap), box.width, high)
        pygame.draw.rect(pen.surface, pen.theme.panel, row, border_radius=pen.to_px(_ROUND_MM))
        across, down = card.picture.size
        shown = pygame.Rect(row.x, row.y, min(round(across * high / down), row.width // 2), high)
        pen.surface.blit(pygame.transform.smoothscale(surface_of(card.picture), shown.size), shown)
        room = pygame.Rect(shown.right + pen.to_px(1.4), row.y, row.right - shown.right - pen.to_px(2.0), high)
        lines = pen.break_largest(
            lambda mm, card=card: [Block(card.name, mm, pen.theme.ink, Weight.BOLD)],  # type: ignore[misc]
            room,
            pen.far_mm(3.0),
        )
        pen.set_lines(lines, room, pen.theme.panel, middle=True)


def beside_card(pen: Pen, card: TablePicture | CloseUp | QrCode | None, box: pygame.Rect) -> pygame.Rect:
    """Return what is left of a box for the question, where a card that it is about is shown at the right."""
    return _divide_box(pen, card, box)[0] if isinstance(card, CloseUp) else box


def draw_card_asked(pen: Pen, card: TablePicture | CloseUp | None, box: pygame.Rect) -> None:
    """Draw what the camera sees of a card that is asked about, at a box's right, and below it where it lies."""
    if not isinstance(card, CloseUp):
        return
    _, shown, place = _divide_box(pen, card, box)
    pen.surface.blit(pygame.transform.smoothscale(surface_of(card.seen), shown.size), shown)
    if card.table is not None:
        draw_picture(pen, place, card.table, range(0))


def _divide_box(pen: Pen, card: CloseUp, box: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Divide a box into what is left at the left, the card at the right, and the table below it where it is drawn."""
    gap = pen.to_px(_GAP_MM)
    (across, down), aspect = card.seen.size, 0.0 if card.table is None else 1 / aspect_of(pen, card.table)
    width = min(box.width * _CLOSE_UP_SHARE, (box.height - 3 * gap) / (down / across + aspect))
    shown = pygame.Rect(0, 0, round(width), round(width * down / across))
    place = pygame.Rect(0, 0, shown.width, round(width * aspect))
    shown.topright = box.right - gap, box.centery - (shown.height + gap + place.height) // 2
    place.topleft = shown.x, shown.bottom + gap
    return pygame.Rect(box.x, box.y, shown.x - gap - box.x, box.height), shown, place
