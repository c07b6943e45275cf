"""Draws one screen from a ``ScreenState``, in two layers.

**From afar** (page 0): a band with the mood's sign and whose turn it is, everybody's points, and below what must be
understood now, in a few words and as cards. **Near by** (all other pages): every word, on as many pages as it takes.
Letters are set in millimetres of the display (``ui.parts.pen``), and every line of text that is drawn is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from referee.menu import QrCode
from ui.fonts import Weight
from ui.parts.far import BAND_MM, draw_band, draw_far
from ui.parts.icons import draw_icon_tiles
from ui.parts.leaves import draw_leaf, leaf_pages
from ui.parts.lists import FOOT_MM, choices_fit, draw_buttons, draw_choices, draw_ranking
from ui.parts.near import draw_near, list_pages
from ui.parts.panel import REFERENCE, Panel
from ui.parts.pen import SMALLEST_MM, Block, Drawing, Pen, TextBox
from ui.parts.qr_code import draw_qr_code
from ui.parts.strip import LOW_STRIP_MM, STRIP_MM, draw_strip
from ui.parts.theme import GOLD
from ui.screen_state import (
    CameraScreen,
    CardsScreen,
    GridScreen,
    LeafScreen,
    MenuScreen,
    Mood,
    PadScreen,
    PagedScreen,
    PlayScreen,
    ScoreScreen,
    ScreenState,
    TableScreen,
)
from ui.setting_up.camera_view import draw_camera_view
from ui.setting_up.laying import draw_laying
from ui.setting_up.learnt_cards import beside_card, draw_card_asked, draw_learnt_cards
from ui.setting_up.name_pad import draw_name_pad

__all__ = ["REFERENCE", "Drawing", "Panel", "TextBox", "count_pages", "draw"]

_FRAME_MM = 0.5
_USUAL = Panel()

_Page = Callable[[], None]
"""Draws one page of a screen, between the band and the buttons."""


def draw(state: ScreenState, size: tuple[int, int] = REFERENCE, panel: Panel = _USUAL) -> Drawing:
    """Draw one screen of ``size`` px (width, height) on that panel, and report every line of text on it."""
    pen = Pen(size, panel)
    pen.surface.fill(pen.theme.ground)
    band, middle, foot = _divide_screen(pen, size)
    found = _list_pages(pen, state, middle)
    page, last = state.page % len(found), len(found) - 1
    pen.drawing.pages = last
    draw_band(pen, state, band)
    found[page]()
    draw_buttons(pen, state, foot, page, last)
    if state.ending.turns_left is not None and state.mood is not Mood.FINISHED:
        pygame.draw.rect(pen.surface, GOLD, pen.surface.get_rect(), pen.to_px(_FRAME_MM))
    return pen.drawing


def count_pages(state: ScreenState, size: tuple[int, int] = REFERENCE, panel: Panel = _USUAL) -> int:
    """Count the pages there are to read near by, beside the one that is read from afar."""
    pen = Pen(size, panel)
    return len(_list_pages(pen, state, _divide_screen(pen, size)[1])) - 1


def _divide_screen(pen: Pen, size: tuple[int, int]) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    width, height = size
    band = pygame.Rect(0, 0, width, pen.to_scaled_px(BAND_MM))
    foot_px = pen.to_px(FOOT_MM * pen.near_mm / 2.4)
    foot = pygame.Rect(0, height - foot_px, width, foot_px)
    return band, pygame.Rect(0, band.bottom, width, foot.y - band.bottom), foot


def _list_pages(pen: Pen, state: ScreenState, box: pygame.Rect) -> list[_Page]:
    """Choose what draws each page of a screen in a box, by the kind of screen; the far one comes first."""
    inner = pen.inset_box(box)
    match state:
        case LeafScreen(leaf=leaf):
            found = leaf_pages(pen, leaf, inner)
            return [partial(draw_leaf, pen, leaf, inner, found, number) for number in range(len(found))]
        case PlayScreen() | TableScreen() if state.players and state.mood is not Mood.NOTICE:
            first = partial(_draw_far, pen, state, box)
        case ScoreScreen():
            first = partial(draw_ranking, pen, state, box)
        case CameraScreen(view=view):
            first = partial(draw_camera_view, pen, view, inner)
        case MenuScreen():
            first = partial(_draw_question, pen, state, box)
        case PadScreen(pad=pad):
            first = partial(draw_name_pad, pen, pad, inner)
        case GridScreen(grid=grid):
            first = partial(draw_laying, pen, grid, inner)
        case CardsScreen(cards=cards):
            first = partial(draw_learnt_cards, pen, cards, inner)
        case _:
            first = partial(_draw_message, pen, state, inner)
    if not isinstance(state, PagedScreen) or not state.near:
        return [first]
    return [first, *(partial(draw_near, pen, state, page, box) for page in list_pages(pen, state, box))]


def _draw_far(pen: Pen, state: PlayScreen | TableScreen, box: pygame.Rect) -> None:
    """Draw everybody's points, and below them what must be understood now."""
    below = _draw_points(pen, state, box)
    picture = state.picture if isinstance(state, TableScreen) else None
    draw_card_asked(pen, picture, below)
    draw_far(pen, state, beside_card(pen, picture, below))


def _draw_question(pen: Pen, state: MenuScreen, box: pygame.Rect) -> None:
    """Draw what is asked with its answers, in a game below everybody's points."""
    below = _draw_points(pen, state, box) if state.players and state.mood is not Mood.MENU else box
    if isinstance(state.picture, QrCode):
        draw_choices(pen, state, draw_qr_code(pen, state, state.picture, below))
        return
    if state.icons:
        draw_icon_tiles(pen, state, below)
        return
    draw_card_asked(pen, state.picture, below)
    draw_choices(pen, state, beside_card(pen, state.picture, below))


def _draw_points(pen: Pen, state: ScreenState, middle: pygame.Rect) -> pygame.Rect:
    """Draw everybody's points, in a lower row where a question wants the room; return what is left."""
    ways = [(STRIP_MM, pen.near_mm), (LOW_STRIP_MM, pen.near_mm), (LOW_STRIP_MM, SMALLEST_MM)]
    for whole in (True, False):
        for strip_mm, cap_mm in ways:
            strip = pygame.Rect(middle.x, middle.y, middle.width, pen.to_scaled_px(strip_mm))
            rest = pygame.Rect(middle.x, strip.bottom, middle.width, middle.bottom - strip.bottom)
            asked = state if isinstance(state, MenuScreen) else None
            if asked is None or choices_fit(pen, asked, beside_card(pen, asked.picture, rest), cap_mm, whole):
                draw_strip(pen, state, strip)
                return rest
    return middle.move(0, 0)


def _draw_message(pen: Pen, state: ScreenState, box: pygame.Rect) -> None:
    """Draw a notice in the largest letters that leave it whole."""
    ink = pen.theme.ink

    def make_blocks(cap_mm: float) -> list[Block]:
        said = [Block(state.headline, cap_mm, ink, Weight.BOLD)] if state.headline else []
        return said + [Block(text, cap_mm, ink, gap_mm=1.2) for text in state.details]

    pen.set_lines(pen.break_largest(make_blocks, box, pen.far_mm(3.0)), box, pen.theme.ground)
