"""Where the names of cards that are to be laid in rows stand on the screen."""

from __future__ import annotations

import pygame

from ui.screen_state import PageGrid

_ASIDE_SHARE, _ASIDE_HIGH = 0.55, 1.6
"""The place beside the rows is so many times as wide and as high as one in them."""


def cells(
    grid: PageGrid, box: pygame.Rect, gap: int, aside_share: float = _ASIDE_SHARE
) -> list[tuple[pygame.Rect, str]]:
    """The places in a box with their names, row by row, ``gap`` px apart; last the one beside them, if it has a name.

    Args:
        grid: names in rows of equal length.
        box: what the rows and the place beside them fill.
        gap: px between two places.
        aside_share: how wide the place beside them is, to one of the others.
    """
    rows, across = len(grid.rows), len(grid.rows[0])
    pitch_x = (box.width + gap) / (across + (aside_share if grid.aside else 0))
    pitch_y = (box.height + gap) / rows
    places = [
        (pygame.Rect(*_span(box.x, column, pitch_x, box.y, row, pitch_y, gap)), name)
        for row, names in enumerate(grid.rows)
        for column, name in enumerate(names)
    ]
    left = round(box.x + across * pitch_x)
    beside = pygame.Rect(left, 0, box.right - left, round(_ASIDE_HIGH * pitch_y) - gap)
    beside.centery = box.centery
    return [*places, (beside, grid.aside)]


def _span(x: int, column: int, pitch_x: float, y: int, row: int, pitch_y: float, gap: int) -> tuple[int, int, int, int]:
    left, top = round(x + column * pitch_x), round(y + row * pitch_y)
    return left, top, round(x + (column + 1) * pitch_x) - gap - left, round(y + (row + 1) * pitch_y) - gap - top
