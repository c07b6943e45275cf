"""Cards as tiles: a SEVEN card's rank over the shape of its suit, papers, and cards that lie face down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import pygame

from rules.cards import RANK_NAMES, Card
from rules.text import Language, Text
from ui.parts.pen import NOW_MM, SMALLEST_MM, Pen
from ui.parts.signs import draw_flag
from ui.parts.suits import COLOURS, draw_shape
from ui.parts.theme import BLACK, FLAG_CLOTH, Colour, compute_contrast, ink_on
from ui.screen_state import CardTile, TileGroup, TileRole

FACE: Colour = (240, 237, 230)
BACK: Colour = (24, 70, 82)
_BACK_LIGHT: Colour = (104, 166, 174)
COMPLETE: Colour = (246, 226, 170)
SEAL: Colour = (84, 58, 12)
REVIEW: Colour = (222, 228, 236)
_READABLE, _STANDS_OUT = 4.5, 1.5
_SCALES = (1.0, 0.88, 0.76, 0.68, 0.6)
FLAG = "⚑"
"""On a tile of its own this is drawn as a flag."""
_WIDE_MM, _HIGH_MM, _LABEL_MM = 5.9, 8.6, 2.8
_GAP_MM, _ROLE_GAP_MM, _GROUP_GAP_MM = 0.5, 1.4, 2.2


def card_tile(name: str, role: TileRole = TileRole.SHOWN, label: str = "") -> CardTile:
    """Make the tile of a card by its name from the reader: a SEVEN card, ``back``, a paper, or another card.

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
    """Make the tiles of SEVEN cards."""
    return tuple(card_tile(str(card), role) for card in cards)


def group_of(language: Language, role: TileRole, words: Text, cards: Sequence[Card]) -> TileGroup:
    """Group SEVEN cards that go the same way in one move."""
    return TileGroup(role, words.said(language), card_tiles(cards, role))


def make_backs(count: int, role: TileRole) -> tuple[CardTile, ...]:
    """Make ``count`` cards face down."""
    return (card_tile("back", role),) * count


@lru_cache(maxsize=64)
def _darken(colour: Colour) -> Colour:
    """Darken a colour where it would not be read on a card."""
    while compute_contrast(colour, FACE) < _READABLE:
        colour = (colour[0] * 94 // 100, colour[1] * 94 // 100, colour[2] * 94 // 100)
    return colour


def draw_tile(pen: Pen, tile: CardTile, box: pygame.Rect) -> None:
    """Draw one card in a box."""
    surface, radius = pen.surface, max(2, box.width // 8)
    if compute_contrast(pen.theme.ground, FACE) < _STANDS_OUT:
        # On a light screen a card has an edge.
        pygame.draw.rect(surface, pen.theme.line, box.inflate(2, 2), border_radius=radius + 1)
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
            # In a seal, so that those of two cards beside each other are not read as one.
            seal = box.inflate(-box.width // 8, -box.height * 2 // 5)
            pygame.draw.ellipse(surface, SEAL, seal)
            pen.draw_text(tile.label, seal.inflate(-2, 0), pen.far_mm(_LABEL_MM), ink_on(SEAL), SEAL, align=0.5)
        return
    pygame.draw.rect(surface, FACE, box, border_radius=radius)
    side = min(box.width * 6 // 10, box.height * 42 // 100)
    image = draw_shape(tile.suit, side, tile.colour, FACE)
    surface.blit(image, (box.centerx - side // 2, box.bottom - side - max(2, box.height // 14)))
    upper = pygame.Rect(box.x, box.y, box.width, box.height - side - box.height // 14)
    cap_mm = min(pen.far_mm(NOW_MM), upper.height * 0.74 / pen.px_per_mm)
    pen.draw_text(tile.label, upper, cap_mm, _darken(tile.colour), FACE, align=0.5)


@dataclass(frozen=True, slots=True)
class _Placed:
    group: TileGroup
    x: int
    row: int
    width: int


def tile_size(pen: Pen, scale: float = 1.0) -> tuple[int, int]:
    """Return a tile's width and height in px."""
    return pen.to_scaled_px(_WIDE_MM * scale), pen.to_scaled_px(_HIGH_MM * scale)


def draw_tiles(pen: Pen, tiles: Sequence[CardTile], x: int, centre_y: int, scale: float = 1.0) -> int:
    """Draw tiles side by side; return the x behind them."""
    width, height = tile_size(pen, scale)
    for number, tile in enumerate(tiles):
        if number and tile.role is not tiles[number - 1].role:
            x += pen.to_scaled_px(_ROLE_GAP_MM)
        draw_tile(pen, tile, pygame.Rect(x, centre_y - height // 2, width, height))
        x += width + pen.to_scaled_px(_GAP_MM)
    return x


@dataclass(frozen=True, slots=True)
class FittedGroups:
    """Groups of tiles to draw: so large are the tiles, as a share, and so high the words on them."""

    groups: tuple[TileGroup, ...]
    scale: float
    words_mm: float

    def measure_height(self, pen: Pen, width: int) -> int:
        """Measure how high they are in px, in rows of that width."""
        return _place(pen, self, width)[1] * _row_height(pen, self)

    def can_fit(self, pen: Pen, box: pygame.Rect) -> bool:
        """Tell whether they find room in a box."""
        wide = _place(pen, self, box.width)[0] is not None
        return wide and self.measure_height(pen, box.width) <= box.height + pen.to_px(0.3)

    def draw(self, pen: Pen, box: pygame.Rect, ground: Colour) -> None:
        """Draw groups beside each other, each below its words."""
        height, words = _row_height(pen, self), _words_height(pen, self.words_mm)
        for one in _place(pen, self, box.width)[0] or ():
            y = box.y + one.row * height
            limit = pygame.Rect(box.x + one.x, y, one.width, words)
            pen.draw_text(one.group.words, limit, self.words_mm, pen.theme.dim, ground)
            draw_tiles(pen, one.group.tiles, box.x + one.x, y + words + tile_size(pen, self.scale)[1] // 2, self.scale)


def shorten(groups: Sequence[TileGroup]) -> tuple[TileGroup, ...]:
    """Shorten the groups' words, where they have shorter ones."""
    return tuple(replace(group, words=group.short or group.words) for group in groups)


def groups_fit(pen: Pen, groups: Sequence[TileGroup], box: pygame.Rect, words_mm: float) -> FittedGroups | None:
    """Fit the groups into a box; return ``None`` where they find no room.

    Tiles and words are made smaller before words are made fewer.
    """
    tries = product((tuple(groups), shorten(groups)), _SCALES, (words_mm, SMALLEST_MM))
    return next((found for way in tries if (found := FittedGroups(*way)).can_fit(pen, box)), None)


def _words_height(pen: Pen, words_mm: float) -> int:
    return pen.to_px(words_mm * 1.45)


def _row_height(pen: Pen, shown: FittedGroups) -> int:
    return _words_height(pen, shown.words_mm) + tile_size(pen, shown.scale)[1] + pen.to_px(0.6)


def _place(pen: Pen, shown: FittedGroups, width: int) -> tuple[list[_Placed] | None, int]:
    """Place each group, in rows of that width; ``None`` where one of them is too wide."""
    pitch, gap = tile_size(pen, shown.scale)[0] + pen.to_scaled_px(_GAP_MM), pen.to_scaled_px(_GROUP_GAP_MM)
    placed: list[_Placed] = []
    x, row = 0, 0
    for group in shown.groups:
        roles = len({tile.role for tile in group.tiles})
        tiles = len(group.tiles) * pitch + max(0, roles - 1) * pen.to_scaled_px(_ROLE_GAP_MM)
        needed = max(tiles, pen.measure_width(group.words, shown.words_mm) + 1)
        if needed > width:
            return None, row + 1
        if x and x + needed > width:
            x, row = 0, row + 1
        placed.append(_Placed(group, x, row, needed))
        x += needed + gap
    return placed, row + 1
