"""A QR code as large as fits, with what can be typed under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import pygame

from referee.menu import QrCode
from ui.fonts import Weight
from ui.parts.lists import choices_fit
from ui.parts.pen import SMALLEST_MM, Pen
from ui.screen_state import MenuScreen

_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_QUIET = 4
"""This many squares round a code stay white (ISO/IEC 18004)."""
_STEP = 1.5
"""From line to line, as a share of the height of capitals."""
_GAP_MM = 0.4


def draw_qr_code(pen: Pen, state: MenuScreen, code: QrCode, box: pygame.Rect) -> pygame.Rect:
    """Draw a code in a box, black on white in whole px, and what can be typed under it.

    Returns what is left for the choices, beside the code or below, which is never too little for them.
    """
    inner = pen.inset_box(box, 0.6)
    typed = [piece for line in code.typed for piece in _cut(pen, line, inner.width)]
    step, gap = round(SMALLEST_MM * _STEP * pen.px_per_mm), pen.to_px(_GAP_MM)
    squares = len(code.rows) + 2 * _QUIET
    under = len(typed) * step + gap
    for px in range(min(inner.size) // squares, 0, -1):
        side = squares * px
        if box.width > box.height:
            x, below = inner.x, inner.bottom - under
            left = pygame.Rect(x + side, box.y, box.right - x - side, below - box.y)
        else:
            x, below = inner.centerx - side // 2, inner.y + side
            left = pygame.Rect(box.x, below + under, box.width, box.bottom - below - under)
        fits = side + under <= inner.height and min(left.size) > 0
        if fits and choices_fit(pen, state, left, SMALLEST_MM, whole=False):
            _draw_squares(pen.surface, code.rows, (x, inner.y), px)
            _draw_lines(pen, typed, pygame.Rect(inner.x, below + gap, inner.width, step))
            return left
    return box


def _draw_squares(surface: pygame.Surface, rows: Sequence[bytes], at: tuple[int, int], px: int) -> None:
    side = (len(rows) + 2 * _QUIET) * px
    surface.fill(_WHITE, (*at, side, side))
    for y, row in enumerate(rows, _QUIET):
        x = _QUIET
        for dark, same in groupby(row):
            count = len(list(same))
            if dark:
                surface.fill(_BLACK, (at[0] + x * px, at[1] + y * px, count * px, px))
            x += count


def _draw_lines(pen: Pen, typed: Sequence[str], limit: pygame.Rect) -> None:
    for line in typed:
        pen.draw_text(line, limit, SMALLEST_MM, pen.theme.ink, pen.theme.ground, Weight.REGULAR)
        limit = limit.move(0, limit.height)


def _cut(pen: Pen, text: str, width: int) -> Iterator[str]:
    """Cut a text into pieces that fit: no sign may be added where it is typed as it stands."""
    while text:
        fitting = (
            end
            for end in range(len(text), 1, -1)
            if pen.measure_width(text[:end], SMALLEST_MM, Weight.REGULAR) <= width
        )
        end = next(fitting, 1)
        yield text[:end]
        text = text[end:]
