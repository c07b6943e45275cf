"""Draws what to lay where: a card on each place, SEVEN cards as rank and suit, others by their names."""

from __future__ import annotations

from dataclasses import replace

import pygame

from rules.cards import RANK_NAMES, Card, Suit
from ui.fonts import Weight
from ui.parts.card_tiles import FACE, card_tile, draw_tile
from ui.parts.names import CUT
from ui.parts.pen import HEADLINE_MM, Block, Pen, height_of
from ui.parts.suits import COLOURS, draw_shape
from ui.parts.theme import BLACK
from ui.screen_state import PageGrid

_ASIDE_SHARE, _ASIDE_HIGH = 0.3, 1.6
"""The place beside the rows is this many times as wide and as high as one in them."""
_RANK_SHARE = 0.32
_GAP_MM, _ROUND_MM, _RIM_MM = 0.4, 0.5, 0.2
LABEL_MM = 1.3
"""Names of cards on the places where they are laid may be so low: they lie on the table in front of the reader too."""


def draw_laying(pen: Pen, grid: PageGrid, box: pygame.Rect) -> None:
    """Draw all places of a page, row by row, and the one beside them where there is one."""
    *laid, (aside, words) = _list_cells(grid, box, pen.to_px(_GAP_MM))
    for place, name in laid:
        _draw_face(pen, place)
        card = _parse_seven(name)
        if card is None:
            _draw_label(pen, name, place)
        else:
            _draw_card(pen, card, place)
    if words:
        draw_tile(pen, card_tile("back"), aside)


def _list_cells(grid: PageGrid, box: pygame.Rect, gap: int) -> list[tuple[pygame.Rect, str]]:
    """Divide a box into the places with their names, row by row, ``gap`` px apart; last the one beside them."""
    rows, across = len(grid.rows), len(grid.rows[0])
    pitch_x = (box.width + gap) / (across + (_ASIDE_SHARE if grid.aside else 0))
    pitch_y = (box.height + gap) / rows

    def place(column: int, row: int) -> pygame.Rect:
        left, top = round(box.x + column * pitch_x), round(box.y + row * pitch_y)
        right, bottom = round(box.x + (column + 1) * pitch_x) - gap, round(box.y + (row + 1) * pitch_y) - gap
        return pygame.Rect(left, top, right - left, bottom - top)

    places = [(place(column, row), name) for row, names in enumerate(grid.rows) for column, name in enumerate(names)]
    left = round(box.x + across * pitch_x)
    beside = pygame.Rect(left, 0, box.right - left, round(_ASIDE_HIGH * pitch_y) - gap)
    beside.centery = box.centery
    return [*places, (beside, grid.aside)]


def _draw_face(pen: Pen, place: pygame.Rect) -> None:
    radius = pen.to_px(_ROUND_MM)
    pygame.draw.rect(pen.surface, FACE, place, border_radius=radius)
    pygame.draw.rect(pen.surface, pen.theme.line, place, 1, border_radius=radius)


def _parse_seven(name: str) -> Card | None:
    try:
        return Card.parse(name)
    except ValueError:
        return None


def _draw_card(pen: Pen, card: Card, place: pygame.Rect) -> None:
    """Rank and suit beside each other, as large as the place allows."""
    side = min(place.height * 8 // 10, place.width * 4 // 10)
    middle = place.centerx - pen.to_px(0.2)
    suit: Suit = card.suit
    pen.surface.blit(
        draw_shape(suit.letter, side, COLOURS[suit], FACE), (middle + pen.to_px(0.4), place.centery - side // 2)
    )
    room = pygame.Rect(place.x, place.y, middle - place.x, place.height)
    fitting_mm = _RANK_SHARE * min(place.width, place.height) / pen.px_per_mm
    cap_mm = min(pen.far_mm(HEADLINE_MM), max(pen.near_mm, fitting_mm))
    pen.draw_text(RANK_NAMES[card.rank], room, cap_mm, BLACK, FACE, align=1.0)


def _draw_label(pen: Pen, text: str, place: pygame.Rect) -> None:
    """Draw a name in the largest letters with which it finds room, rather smaller than with a word parted."""
    inner = place.inflate(-2 * pen.to_px(_RIM_MM), 0)
    lines = pen.break_largest(lambda mm: [Block(text, mm, BLACK, Weight.BOLD)], inner, pen.near_mm, LABEL_MM)
    while height_of(lines) > place.height:
        *lines, last, _ = lines
        lines.append(replace(last, text=last.text + CUT))
    y = inner.centery - height_of(lines) // 2
    for line in lines:
        pen.draw_centred(line, pygame.Rect(inner.x, y, inner.width, line.step), FACE)
        y += line.step
