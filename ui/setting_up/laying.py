"""Draws what to lay where: a card on each place, SEVEN cards as rank and suit, others by their names."""

from __future__ import annotations

from dataclasses import replace

import pygame

from rules.cards import RANK_NAMES, Card, Suit
from ui.fonts import Weight
from ui.page_grid import cells
from ui.parts.card_tiles import FACE, card_tile, draw_tile
from ui.parts.names import CUT
from ui.parts.pen import HEADLINE_MM, Block, Pen, height_of
from ui.parts.suits import COLOURS, shape
from ui.parts.theme import BLACK
from ui.screen_state import PageGrid

_ASIDE_SHARE = 0.3
_RANK_SHARE = 0.32
_GAP_MM, _ROUND_MM, _RIM_MM = 0.4, 0.5, 0.2
LABEL_MM = 1.3
"""Names of cards on the places where they are laid may be so low: they lie on the table in front of the reader too."""


def draw_laying(pen: Pen, grid: PageGrid, box: pygame.Rect) -> None:
    """All places of a page, row by row, and the one beside them where there is one."""
    *laid, (aside, words) = cells(grid, box, pen.px(_GAP_MM), _ASIDE_SHARE)
    for place, name in laid:
        _draw_face(pen, place)
        card = _seven(name)
        if card is None:
            _label(pen, name, place)
        else:
            _draw_card(pen, card, place)
    if words:
        draw_tile(pen, card_tile("back"), aside)


def _draw_face(pen: Pen, place: pygame.Rect) -> None:
    radius = pen.px(_ROUND_MM)
    pygame.draw.rect(pen.surface, FACE, place, border_radius=radius)
    pygame.draw.rect(pen.surface, pen.theme.line, place, 1, border_radius=radius)


def _seven(name: str) -> Card | None:
    try:
        return Card.parse(name)
    except ValueError:
        return None


def _draw_card(pen: Pen, card: Card, place: pygame.Rect) -> None:
    """Rank and suit beside each other, as large as the place allows."""
    side = min(place.height * 8 // 10, place.width * 4 // 10)
    middle = place.centerx - pen.px(0.2)
    suit: Suit = card.suit
    pen.surface.blit(shape(suit.letter, side, COLOURS[suit], FACE), (middle + pen.px(0.4), place.centery - side // 2))
    room = pygame.Rect(place.x, place.y, middle - place.x, place.height)
    fitting_mm = _RANK_SHARE * min(place.width, place.height) / pen.px_per_mm
    cap_mm = min(pen.far_mm(HEADLINE_MM), max(pen.near_mm, fitting_mm))
    pen.text(RANK_NAMES[card.rank], room, cap_mm, BLACK, FACE, align=1.0)


def _label(pen: Pen, text: str, place: pygame.Rect) -> None:
    """A name in the largest letters with which it finds room, rather smaller than with a word parted."""
    inner = place.inflate(-2 * pen.px(_RIM_MM), 0)
    lines = pen.largest(lambda mm: [Block(text, mm, BLACK, Weight.BOLD)], inner, pen.near_mm, LABEL_MM)
    while height_of(lines) > place.height:
        *lines, last, _ = lines
        lines.append(replace(last, text=last.text + CUT))
    y = inner.centery - height_of(lines) // 2
    for line in lines:
        pen.centred(line, pygame.Rect(inner.x, y, inner.width, line.step), FACE)
        y += line.step
