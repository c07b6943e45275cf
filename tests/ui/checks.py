"""What must hold of every screen, computed from what was drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pygame

from ui.parts.far import ends_now, is_last_turn, is_titled, list_last_turn
from ui.parts.pen import HEADLINE_MM, SMALLEST_MM, Drawing, TextBox
from ui.parts.theme import compute_contrast
from ui.screen import draw
from ui.screen_state import GridScreen, LeafScreen, Mood, OfferScreen, PagedScreen, ScoreScreen, ScreenState
from ui.setting_up.laying import LABEL_MM
from ui.wrapping import HYPHEN

Size = tuple[int, int]
_IN_A_ROW_OF_KANJI = 0.82
"""What the buttons do is set in one size, so that figures are lower than the kanji beside them."""
NO_GAME = (Mood.MENU, Mood.NOTICE, Mood.FINISHED)
_UNIT = re.compile(r"[^\W\d_]")


def all_pages(state: ScreenState, size: Size) -> Iterator[tuple[ScreenState, Drawing]]:
    """Every page of a screen."""
    first = at_page(state, 0)
    drawing = draw(first, size)
    yield first, drawing
    for page in range(1, drawing.pages + 1):
        turned = at_page(state, page)
        yield turned, draw(turned, size)


def at_page(state: ScreenState, page: int) -> ScreenState:
    """Return the same screen at another of its pages."""
    return replace(state, page=page) if isinstance(state, PagedScreen | LeafScreen) else state


def faults(state: ScreenState, drawing: Drawing, size: Size) -> list[str]:
    """Everything that is wrong with one page of a screen."""
    found: list[str] = []
    found += _out_of_place(drawing.texts, size)
    found += _on_each_other(drawing.texts)
    found += _hard_to_read(state, drawing)
    found += _orphans(drawing.texts, state.choices)
    if not state.page and state.players and state.mood not in NO_GAME:
        found += _not_seen_from_afar(state, drawing.texts)
    return found


def lost(state: ScreenState, size: Size) -> list[str]:
    """Words of a screen that stand on none of its pages."""
    drawn = "".join(
        _plain(box.text) for turned, drawing in all_pages(state, size) for box in _between(turned, drawing.texts)
    )
    if is_titled(state):
        drawn += _plain(draw(state, size).texts[0].text)
    said = [state.headline, *state.details, *state.put_back]
    if isinstance(state, ScoreScreen) or (isinstance(state, OfferScreen) and state.turns):
        said = list(state.details[:1])
    said += [state.choices[state.chosen]] if state.choices else []
    return [text for text in said if not _stands(_plain(text), drawn)]


def _between(state: ScreenState, texts: Sequence[TextBox]) -> list[TextBox]:
    """Return what stands between the band and the buttons, without the names in the table from above."""
    foot = texts[-1].limit.y
    return [box for box in texts if box is not texts[0] and box.limit.y < foot and (not state.page or box.cap_mm > 2.1)]


def _stands(text: str, drawn: str) -> bool:
    return not text or text in drawn


def _plain(text: str) -> str:
    return "".join(text.replace(HYPHEN, "").split())


def _out_of_place(texts: Sequence[TextBox], size: Size) -> Iterator[str]:
    screen = pygame.Rect((0, 0), size)
    for box in texts:
        if not screen.contains(box.rect):
            yield f"{box.text!r} leaves the screen"
        elif box.rect.left < box.limit.left - 2 or box.rect.right > box.limit.right + 2:
            yield f"{box.text!r} is wider than its place"
        elif not box.limit.inflate(0, box.limit.height // 3 + 4).contains(box.rect):
            yield f"{box.text!r} is higher than its place"


def _on_each_other(texts: Sequence[TextBox]) -> Iterator[str]:
    for number, box in enumerate(texts):
        for other in texts[number + 1 :]:
            shared = box.rect.clip(other.rect)
            if shared.width > 1 and shared.height > max(2, box.rect.height // 8):
                yield f"{box.text!r} and {other.text!r} lie on each other"


def _hard_to_read(state: ScreenState, drawing: Drawing) -> Iterator[str]:
    least = LABEL_MM if isinstance(state, GridScreen) else SMALLEST_MM
    foot = drawing.texts[-1].limit.y
    pixels = pygame.surfarray.pixels3d(drawing.surface)
    for box in drawing.texts:
        if box.cap_mm < (least if box.limit.y < foot else _IN_A_ROW_OF_KANJI * least) - 0.01:
            yield f"{box.text!r} is {box.cap_mm:.2f} mm high"
        if compute_contrast(box.colour, box.ground) < 4.5:
            yield f"{box.text!r} has a contrast of {compute_contrast(box.colour, box.ground):.2f}"
        rect = box.rect.clip(drawing.surface.get_rect())
        part = pixels[rect.left : rect.right, rect.top : rect.bottom].reshape(-1, 3)
        if len(part) and np.mean(np.all(part == box.ground, axis=1)) < 0.12:
            yield f"{box.text!r} does not stand on the ground that it should"


def _orphans(texts: Sequence[TextBox], choices: Sequence[str]) -> Iterator[str]:
    for box, below in pairwise(texts):
        if any(choice.startswith(below.text) for choice in choices):
            continue
        same = box.limit.x == below.limit.x and box.limit.width == below.limit.width
        following = same and 0 < below.limit.y - box.limit.y < 2 * box.limit.height
        if following and box.text[-1:].isdigit() and not box.text.isdigit() and _UNIT.match(below.text):
            yield f"{box.text!r} is parted from {below.text!r}"


def _not_seen_from_afar(state: ScreenState, texts: Sequence[TextBox]) -> Iterator[str]:
    """On three inches or more: headline and everybody's points at least 5 mm high."""
    if texts[0].cap_mm < HEADLINE_MM:
        yield f"the headline {texts[0].text!r} is {texts[0].cap_mm:.2f} mm high"
    big = [box.text for box in texts if box.cap_mm >= HEADLINE_MM]
    for line in state.players:
        if not line.shown and str(line.points) not in big:
            yield f"the points of {line.name} are not seen from afar"
    last = is_last_turn(state) and not ends_now(state) and not state.choices
    if last and not any(text in list_last_turn(state) for text in big):
        yield "nobody is told that it is the last turn"
