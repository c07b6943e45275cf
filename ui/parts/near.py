"""What is read at arm's length: every word of a screen, on as many pages as it takes, with the table from above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pygame

from ui import words
from ui.fonts import Weight
from ui.parts.pen import MARGIN_MM, Block, Pen, TextLine, height_of
from ui.screen_state import CloseUp, Mood, PagedScreen, TablePicture, TableScreen
from ui.table_picture import MAP_SHARE, draw_picture, map_room, picture_place

_LARGER = 1.3
"""Where there are few words, they are so much larger."""
_ALONE = 0.6
"""A paragraph begins a new page rather than be parted, where the page is so full already."""


@dataclass(frozen=True, slots=True)
class NearPage:
    """One page: its lines, the steps to mend that are on it, by number from 0, and whether the table is beside them."""

    lines: tuple[TextLine, ...]
    steps: range = range(0)
    picture: bool = False


def list_pages(pen: Pen, state: PagedScreen, box: pygame.Rect) -> list[NearPage]:
    """List all pages of a screen: the sentences first, then the steps to mend."""
    inner = pen.inset_box(box)
    sentences, most_mm = _write_sentences(pen, state), pen.near_mm * _LARGER
    lines = pen.break_largest(lambda mm: [replace(one, cap_mm=mm) for one in sentences], inner, most_mm, pen.near_mm)
    found = [NearPage(tuple(part)) for part in part_lines(lines, inner.height)]
    if not state.put_back:
        return found
    if found and _picture_of(state) is None:
        # Without a picture of the table, the steps go on below the sentences.
        blocks = [*sentences, *_write_steps(pen, state)]
        whole = pen.break_lines(blocks, inner.width)
        if height_of(whole) <= inner.height:
            return [NearPage(tuple(whole), range(len(state.put_back)))]
    return [*found, *_step_pages(pen, state, inner)]


def _write_sentences(pen: Pen, state: PagedScreen) -> list[Block]:
    theme = pen.theme
    blocks = []
    if state.mood in (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.PAUSED) and not state.put_back:
        blocks += [Block(text, pen.near_mm, theme.gold, Weight.BOLD, 1.0) for text in state.details]
        if state.headline:
            blocks.append(Block(words.LAST_TURN.said(state.language), pen.near_mm, theme.dim, Weight.BOLD, 1.0))
            blocks.append(Block(state.headline, pen.near_mm, theme.ink))
        return blocks
    if state.headline:
        blocks.append(Block(state.headline, pen.near_mm, theme.ink, Weight.BOLD))
    return blocks + [Block(text, pen.near_mm, theme.ink, gap_mm=1.2) for text in state.details]


def _write_steps(pen: Pen, state: PagedScreen) -> list[Block]:
    theme = pen.theme
    blocks = [Block(words.PUT_BACK.said(state.language), pen.near_mm, theme.dim, Weight.BOLD, 1.2)]
    for number, text in enumerate(state.put_back, 1):
        blocks.append(Block(text, pen.near_mm, theme.ink, gap_mm=0.8, mark=f"{number}."))
    return blocks


def _step_pages(pen: Pen, state: PagedScreen, inner: pygame.Rect) -> list[NearPage]:
    """Divide the steps, in their order, into pages with as many as there is room for beside the table from above."""
    drawn = _picture_of(state) is not None
    width = inner.width * (100 - MAP_SHARE) // 100 - pen.to_px(MARGIN_MM) if drawn else inner.width
    heading, *blocks = _write_steps(pen, state)
    result: list[NearPage] = []
    first = 0
    while first < len(blocks):
        last = first + 1
        lines = pen.break_lines([heading, blocks[first]], width)
        while last < len(blocks):
            more = pen.break_lines([heading, *blocks[first : last + 1]], width)
            if height_of(more) > inner.height:
                break
            lines, last = more, last + 1
        beside = drawn
        if height_of(lines) > inner.height and beside:
            # A long step has the whole width to itself.
            beside, lines = False, pen.break_lines([heading, blocks[first]], inner.width)
        parts = part_lines(lines, inner.height)
        result += [NearPage(tuple(part), range(first, last), beside) for part in parts]
        first = last
    return result


def part_lines(lines: Sequence[TextLine], height: int) -> list[list[TextLine]]:
    """Part lines into pages of a height; a paragraph stays together where it can."""
    result: list[list[TextLine]] = []
    page: list[TextLine] = []
    for number, line in enumerate(lines):
        after = next((n for n in range(number + 1, len(lines)) if lines[n].begins), len(lines))
        paragraph = height_of(lines[number:after])
        full = height_of([*page, line]) > height
        parted = line.begins and page and height_of([*page, *lines[number:after]]) > height
        if full or (parted and paragraph <= height and height_of(page) > height * _ALONE):
            result.append(page)
            page = []
        page.append(line)
    return [*result, page] if page else result


def draw_near(pen: Pen, state: PagedScreen, page: NearPage, box: pygame.Rect) -> None:
    """Draw one page; its steps are those that stand out in the table from above."""
    inner = pen.inset_box(box)
    picture = _picture_of(state)
    if page.picture and picture is not None:
        room = map_room(inner)
        draw_picture(pen, picture_place(pen, room, picture), picture, page.steps)
        inner = pygame.Rect(inner.x, inner.y, room.x - inner.x - pen.to_px(MARGIN_MM), inner.height)
    pen.set_lines(page.lines, inner, pen.theme.ground)


def _picture_of(state: PagedScreen) -> TablePicture | None:
    """Return the table from above, where the screen has it."""
    picture = state.picture if isinstance(state, TableScreen) else None
    return picture.table if isinstance(picture, CloseUp) else picture
