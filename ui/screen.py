"""Draws one screen from a ``ScreenState``, in two layers.

**From afar** (page 0): a band with the mood's sign and whose turn it is, everybody's points, and below what must be
understood now, in a few words and as cards. **Near by** (all other pages): every word, on as many pages as it takes.
Letters are set in millimetres of the display (``ui.parts.pen``), and every line of text that is drawn is reported.
"""

from __future__ import annotations

import pygame

from ui.fonts import Weight
from ui.parts.far import BAND_MM, draw_band, draw_far
from ui.parts.leaves import draw_leaf, leaf_pages
from ui.parts.lists import FOOT_MM, choices_fit, draw_buttons, draw_choices, draw_ranking
from ui.parts.near import draw_near, pages
from ui.parts.panel import REFERENCE, Panel
from ui.parts.pen import SMALLEST_MM, Block, Drawing, Pen, TextBox
from ui.parts.strip import LOW_STRIP_MM, STRIP_MM, draw_strip
from ui.parts.theme import GOLD
from ui.screen_state import Mood, ScreenState
from ui.setting_up.camera_view import draw_camera_view
from ui.setting_up.laying import draw_laying
from ui.setting_up.learnt_cards import beside_card, draw_card_asked, draw_learnt_cards
from ui.setting_up.name_pad import draw_name_pad

__all__ = ["REFERENCE", "Drawing", "Panel", "TextBox", "draw", "page_count"]

_MARGIN_MM = 1.4
_FRAME_MM = 0.5
_USUAL = Panel()
_ALONE = (Mood.MENU, Mood.NOTICE, Mood.FINISHED)
"""Moods that are no playing screens."""


def draw(state: ScreenState, size: tuple[int, int] = REFERENCE, panel: Panel = _USUAL) -> Drawing:
    """Draw one screen of ``size`` px (width, height) on that panel, and report every line of text on it."""
    pen = Pen(size, panel)
    pen.surface.fill(pen.theme.ground)
    band, middle, foot = _boxes(pen, size)
    if state.leaf is not None:
        draw_band(pen, state, band)
        pen.drawing.pages = draw_leaf(pen, state.leaf, _inner(pen, middle), state.page) - 1
        draw_buttons(pen, state, foot, 0, 0)
        return pen.drawing
    reading = pages(pen, state, middle) if state.near else []
    pen.drawing.pages = len(reading)
    page = state.page % (len(reading) + 1)
    draw_band(pen, state, band)
    if page:
        draw_near(pen, state, reading[page - 1], middle)
    else:
        _draw_first(pen, state, middle)
    draw_buttons(pen, state, foot, page, len(reading))
    if state.ending.turns_left is not None and state.mood is not Mood.FINISHED:
        pygame.draw.rect(pen.surface, GOLD, pen.surface.get_rect(), pen.px(_FRAME_MM))
    return pen.drawing


def page_count(state: ScreenState, size: tuple[int, int] = REFERENCE, panel: Panel = _USUAL) -> int:
    """How many pages there are to read near by, beside the one that is read from afar."""
    pen = Pen(size, panel)
    middle = _boxes(pen, size)[1]
    if state.leaf is not None:
        return len(leaf_pages(pen, state.leaf, _inner(pen, middle))) - 1
    return len(pages(pen, state, middle)) if state.near else 0


def _boxes(pen: Pen, size: tuple[int, int]) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    width, height = size
    band = pygame.Rect(0, 0, width, pen.far(BAND_MM))
    foot_px = pen.px(FOOT_MM * pen.near_mm / 2.4)
    foot = pygame.Rect(0, height - foot_px, width, foot_px)
    return band, pygame.Rect(0, band.bottom, width, foot.y - band.bottom), foot


def _draw_setting_up(pen: Pen, state: ScreenState, box: pygame.Rect) -> bool:
    """What fills a screen in place of a message, if anything does."""
    if state.pad is not None:
        draw_name_pad(pen, state.pad, box)
    elif state.camera is not None:
        draw_camera_view(pen, state.camera, box)
    elif state.learnt:
        draw_learnt_cards(pen, state.learnt, box)
    elif state.grid is not None:
        draw_laying(pen, state.grid, box)
    else:
        return False
    return True


def _draw_first(pen: Pen, state: ScreenState, middle: pygame.Rect) -> None:
    """Page 0, between the band and the buttons."""
    below = middle
    if _draw_setting_up(pen, state, _inner(pen, middle)):
        return
    if state.players and state.mood not in _ALONE:
        below = _points(pen, state, middle)
    if state.mood is Mood.FINISHED and state.ranking:
        draw_ranking(pen, state, middle)
    elif state.choices:
        draw_card_asked(pen, state, below)
        draw_choices(pen, state, beside_card(pen, state, below))
    elif below is not middle:
        draw_card_asked(pen, state, below)
        draw_far(pen, state, beside_card(pen, state, below))
    else:
        _message(pen, state, below)


def _points(pen: Pen, state: ScreenState, middle: pygame.Rect) -> pygame.Rect:
    """Everybody's points, in a lower row where a question wants the room; returns what is left."""
    ways = [(STRIP_MM, pen.near_mm), (LOW_STRIP_MM, pen.near_mm), (LOW_STRIP_MM, SMALLEST_MM)]
    for whole in (True, False):
        for strip_mm, cap_mm in ways:
            strip = pygame.Rect(middle.x, middle.y, middle.width, pen.far(strip_mm))
            rest = pygame.Rect(middle.x, strip.bottom, middle.width, middle.bottom - strip.bottom)
            if not state.choices or choices_fit(pen, state, beside_card(pen, state, rest), cap_mm, whole):
                draw_strip(pen, state, strip)
                return rest
    return middle.move(0, 0)


def _inner(pen: Pen, box: pygame.Rect) -> pygame.Rect:
    return box.inflate(-2 * pen.px(_MARGIN_MM), -2 * pen.px(0.8))


def _blocks(pen: Pen, state: ScreenState, cap_mm: float) -> list[Block]:
    blocks = [Block(state.headline, cap_mm, pen.theme.ink, Weight.BOLD)] if state.headline else []
    blocks += [Block(text, cap_mm, pen.theme.ink, gap_mm=1.2) for text in state.details]
    return blocks + [Block(text, cap_mm, pen.theme.ink, mark=f"{n}.") for n, text in enumerate(state.put_back, 1)]


def _message(pen: Pen, state: ScreenState, box: pygame.Rect) -> None:
    """A notice in the largest letters that leave it whole."""
    inner = _inner(pen, box)
    lines = pen.largest(lambda mm: _blocks(pen, state, mm), inner, pen.far_mm(3.0))
    pen.set_lines(lines, inner, pen.theme.ground)
