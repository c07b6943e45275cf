"""Cards as tiles: a SEVEN card's rank over the shape of its suit, papers, and cards that lie face down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import pygame

from rules.cards import RANK_NAMES, Card
from ui.parts.pen import NOW_MM, Pen
from ui.parts.signs import draw_flag
from ui.parts.suits import COLOURS, shape
from ui.parts.theme import BLACK, FLAG_CLOTH, Colour, contrast, ink_on
from ui.screen_state import CardTile, TileGroup, TileRole

FACE: Colour = (240, 237, 230)
BACK: Colour = (24, 70, 82)
_BACK_LIGHT: Colour = (104, 166, 174)
COMPLETE: Colour = (246, 226, 170)
REVIEW: Colour = (222, 228, 236)
_READABLE = 4.5
_SCALES = (1.0, 0.88, 0.76, 0.68, 0.6)
FLAG = "⚑"
"""On a tile of its own this is drawn as a flag."""
_WIDE_MM, _HIGH_MM = 5.9, 8.6
_GAP_MM, _ROLE_GAP_MM, _GROUP_GAP_MM = 0.5, 1.4, 2.2


def card_tile(name: str, role: TileRole = TileRole.SHOWN, label: str = "") -> CardTile:
    """The tile of a card by the name that the reader gives it: a SEVEN card, ``back``, a paper, or another card.

    ``label`` stands on what is no SEVEN card.

    >>> card_tile("C10").label, card_tile("C10").suit
    ('10', 'C')
    """
    try:
        card = Card.parse(name)
    except ValueError:
        back = name == "back" or name.startswith("back")
        colour = BACK if back else REVIEW if name.endswith("/review") else COMPLETE
        return CardTile(name, "" if back else label, colour, role, back=back)
    return CardTile(name, RANK_NAMES[card.rank], COLOURS[card.suit], role, card.suit.letter)


def card_tiles(cards: Sequence[Card], role: TileRole) -> tuple[CardTile, ...]:
    """The tiles of SEVEN cards."""
    return tuple(card_tile(str(card), role) for card in cards)


def backs(count: int, role: TileRole) -> tuple[CardTile, ...]:
    """So many cards face down."""
    return (card_tile("back", role),) * count


@lru_cache(maxsize=64)
def _readable(colour: Colour) -> Colour:
    """A colour, darker where it would not be read on a card."""
    while contrast(colour, FACE) < _READABLE:
        colour = (colour[0] * 94 // 100, colour[1] * 94 // 100, colour[2] * 94 // 100)
    return colour


def draw_tile(pen: Pen, tile: CardTile, box: pygame.Rect) -> None:
    """One card in a box."""
    surface, radius = pen.surface, max(2, box.width // 8)
    if tile.back:
        pygame.draw.rect(surface, FACE, box, border_radius=radius)
        pygame.draw.rect(surface, tile.colour, box.inflate(-box.width // 7, -box.width // 7), border_radius=radius - 1)
        middle = box.inflate(-box.width // 2, -box.height * 6 // 10)
        pygame.draw.ellipse(surface, _BACK_LIGHT, middle)
        return
    if not tile.suit:
        pygame.draw.rect(surface, tile.colour, box, border_radius=radius)
        pygame.draw.rect(
            surface, (150, 104, 16), box.inflate(-4, -4), max(1, box.width // 20), border_radius=radius - 1
        )
        if tile.label == FLAG:
            draw_flag(surface, box.center, box.width * 36 // 100, BLACK, FLAG_CLOTH)
        elif tile.label:
            pen.text(tile.label, box.inflate(-8, 0), pen.far_mm(NOW_MM), ink_on(tile.colour), tile.colour, align=0.5)
        return
    pygame.draw.rect(surface, FACE, box, border_radius=radius)
    side = min(box.width * 6 // 10, box.height * 42 // 100)
    image = shape(tile.suit, side, tile.colour, FACE)
    surface.blit(image, (box.centerx - side // 2, box.bottom - side - max(2, box.height // 14)))
    upper = pygame.Rect(box.x + 1, box.y, box.width - 2, box.height - side - box.height // 14)
    cap_mm = min(pen.far_mm(NOW_MM), upper.height * 0.86 / pen.px_per_mm)
    pen.text(tile.label, upper, cap_mm, _readable(tile.colour), FACE, align=0.5)


@dataclass(frozen=True, slots=True)
class _Placed:
    group: TileGroup
    x: int
    row: int
    width: int


def tile_size(pen: Pen, scale: float = 1.0) -> tuple[int, int]:
    """A tile's width and height in px."""
    return pen.far(_WIDE_MM * scale), pen.far(_HIGH_MM * scale)


def draw_tiles(pen: Pen, tiles: Sequence[CardTile], x: int, centre_y: int, scale: float = 1.0) -> int:
    """Tiles side by side; returns the x behind them."""
    width, height = tile_size(pen, scale)
    for number, tile in enumerate(tiles):
        if number and tile.role is not tiles[number - 1].role:
            x += pen.far(_ROLE_GAP_MM)
        draw_tile(pen, tile, pygame.Rect(x, centre_y - height // 2, width, height))
        x += width + pen.far(_GAP_MM)
    return x


def groups_fit(pen: Pen, groups: Sequence[TileGroup], box: pygame.Rect, words_mm: float) -> float | None:
    """How large the tiles of groups may be to find room in a box, as a share; ``None`` where they don't."""
    for scale in _SCALES:
        placed, rows = _place(pen, groups, box.width, scale, words_mm)
        if placed is not None and rows * _row_height(pen, scale, words_mm) <= box.height + pen.px(0.3):
            return scale
    return None


def groups_height(pen: Pen, groups: Sequence[TileGroup], width: int, scale: float, words_mm: float) -> int:
    """How high groups of tiles are, in px."""
    return _place(pen, groups, width, scale, words_mm)[1] * _row_height(pen, scale, words_mm)


def draw_groups(
    pen: Pen, groups: Sequence[TileGroup], box: pygame.Rect, scale: float, words_mm: float, ground: Colour
) -> int:
    """Groups of tiles beside each other, each below its words; returns the y below them."""
    placed, rows = _place(pen, groups, box.width, scale, words_mm)
    height, words = _row_height(pen, scale, words_mm), _words_height(pen, words_mm)
    for one in placed or ():
        y = box.y + one.row * height
        limit = pygame.Rect(box.x + one.x, y, one.width, words)
        pen.text(one.group.words, limit, words_mm, pen.theme.dim, ground)
        draw_tiles(pen, one.group.tiles, box.x + one.x, y + words + tile_size(pen, scale)[1] // 2, scale)
    return box.y + rows * height


def _words_height(pen: Pen, words_mm: float) -> int:
    return pen.px(words_mm * 1.45)


def _row_height(pen: Pen, scale: float, words_mm: float) -> int:
    return _words_height(pen, words_mm) + tile_size(pen, scale)[1] + pen.px(0.6)


def _place(
    pen: Pen, groups: Sequence[TileGroup], width: int, scale: float, words_mm: float
) -> tuple[list[_Placed] | None, int]:
    """Where each group lies, in rows of that width; ``None`` where one of them is too wide."""
    pitch, gap = tile_size(pen, scale)[0] + pen.far(_GAP_MM), pen.far(_GROUP_GAP_MM)
    placed: list[_Placed] = []
    x, row = 0, 0
    for group in groups:
        roles = len({tile.role for tile in group.tiles})
        tiles = len(group.tiles) * pitch + max(0, roles - 1) * pen.far(_ROLE_GAP_MM)
        needed = max(tiles, pen.width(group.words, words_mm) + 1)
        if needed > width:
            return None, row + 1
        if x and x + needed > width:
            x, row = 0, row + 1
        placed.append(_Placed(group, x, row, needed))
        x += needed + gap
    return placed, row + 1
