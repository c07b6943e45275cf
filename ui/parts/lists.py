"""Lists to choose from, the final ranking, cards to lay, and the row that says what the buttons do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pygame

from ui import words
from ui.fonts import Weight
from ui.parts.card_tiles import FittedGroups, groups_fit, shorten
from ui.parts.names import short_names
from ui.parts.pen import (
    HEADLINE_MM,
    KANJI_SHARE,
    NOW_MM,
    SMALLEST_MM,
    Block,
    Pen,
    TextLine,
    height_of,
    lines_fit,
    share_of,
)
from ui.parts.theme import BANDS, Colour, ink_on
from ui.screen_state import (
    ButtonWords,
    FilledScreen,
    MenuScreen,
    Mood,
    OfferScreen,
    QuestionScreen,
    ScoreScreen,
    ScreenState,
)

FOOT_MM = 4.0
_GAP_MM = 0.7
_SHORT = 2
"""Two answers of at most this many lines stand beside each other."""
_TURN_SCALE = 0.76
"""How large the cards of turns in a question are."""


def choices_fit(pen: Pen, state: MenuScreen, box: pygame.Rect, cap_mm: float, whole: bool) -> bool:
    """Tell whether the question and any answer that may be chosen find room in a box, in letters of that height.

    With ``whole``, all answers must, at once.
    """
    found = _lay_out(pen, state, pen.inset_box(box, 0.6), cap_mm)
    return found is not None and (not whole or len(found.shown) == len(state.choices))


def draw_choices(pen: Pen, state: MenuScreen, box: pygame.Rect) -> None:
    """Draw the question and its answers, the chosen one filled; what finds no room together is scrolled to."""
    inner = pen.inset_box(box, 0.6)
    sizes = [pen.near_mm - 0.1 * n for n in range(int((pen.near_mm - SMALLEST_MM) * 10))] + [SMALLEST_MM]
    layouts = [layout for cap_mm in sizes if (layout := _lay_out(pen, state, inner, cap_mm)) is not None]
    all_at_once = (layout for layout in layouts if len(layout.shown) == len(state.choices))
    found = next(all_at_once, layouts[0] if layouts else _choose_alone(pen, state, inner, SMALLEST_MM))
    heading, rows, shown = found.heading, found.rows, found.shown
    y = pen.set_lines(heading, inner, pen.theme.ground)
    y += pen.to_px(_GAP_MM) if heading else 0
    turns = _fit_turns(pen, state, inner.width)
    if turns is not None:
        turns.draw(pen, pygame.Rect(inner.x, y, inner.width, 0), pen.theme.ground)
        y += turns.measure_height(pen, inner.width)
    if found.beside:
        height = min(max(_row_height(pen, lines) for lines in rows) + pen.to_px(1.0), inner.bottom - y)
        half = (inner.width - pen.to_px(_GAP_MM)) // 2
        for number, lines in enumerate(rows):
            row = pygame.Rect(inner.x + number * (half + pen.to_px(_GAP_MM)), y, half, height)
            _draw_row(pen, lines, row, number == state.chosen)
        _answer(pen, state, pygame.Rect(inner.x, y + height, inner.width, inner.bottom - y - height))
        return
    spare = inner.bottom - y - sum(_row_height(pen, rows[n]) for n in shown)
    grow = max(0, min(pen.to_px(2.2), spare // max(1, len(shown))))
    for number in shown:
        height = _row_height(pen, rows[number]) - pen.to_px(_GAP_MM) + grow
        row = pygame.Rect(inner.x, y, inner.width, height)
        y += height + pen.to_px(_GAP_MM)
        _draw_row(pen, rows[number], row, number == state.chosen)
    _answer(pen, state, pygame.Rect(inner.x, y, inner.width, inner.bottom - y))


def _answer(pen: Pen, state: MenuScreen, box: pygame.Rect) -> None:
    """Draw the cards of the chosen answer, where there is room below the answers."""
    tiles = state.tiles if isinstance(state, QuestionScreen) else ()
    found = groups_fit(pen, tiles, box, pen.near_mm) if tiles else None
    if found is not None:
        place = pygame.Rect(box.x, box.bottom - found.measure_height(pen, box.width), box.width, 0)
        found.draw(pen, place, pen.theme.ground)


def _break_beside(pen: Pen, state: MenuScreen, width: int, cap_mm: float) -> list[list[TextLine]] | None:
    """Break the lines of two short answers that stand beside each other; return ``None`` where they don't."""
    if len(state.choices) != 2 or state.mood is Mood.MENU:
        return None
    half = (width - pen.to_px(_GAP_MM)) // 2 - 2 * pen.to_px(1.2)
    rows = [pen.break_lines([Block(text, cap_mm, pen.theme.ink, Weight.BOLD)], half) for text in state.choices]
    room = pygame.Rect(0, 0, half, 10_000)
    return rows if all(len(lines) <= _SHORT and lines_fit(lines, room) for lines in rows) else None


def _fit_turns(pen: Pen, state: MenuScreen, width: int) -> FittedGroups | None:
    """Fit the cards of the turns that a question is about, with fewer words rather than in rows; none too wide."""
    groups = state.turns if isinstance(state, OfferScreen) else ()
    ways = [FittedGroups(way, _TURN_SCALE, SMALLEST_MM) for way in (groups, shorten(groups))]
    ways = [way for way in ways if groups and way.can_fit(pen, pygame.Rect(0, 0, width, 10_000))]
    return min(ways, key=lambda way: way.measure_height(pen, width), default=None)


def _draw_row(pen: Pen, lines: Sequence[TextLine], box: pygame.Rect, chosen: bool) -> None:
    ground: Colour = BANDS[Mood.QUESTION] if chosen else pen.theme.panel
    pygame.draw.rect(pen.surface, ground, box, border_radius=pen.to_px(0.8))
    if not chosen:
        pygame.draw.rect(pen.surface, pen.theme.line, box, max(1, pen.to_px(0.15)), border_radius=pen.to_px(0.8))
    colour = ink_on(ground) if chosen else pen.theme.ink
    inner = box.inflate(-2 * pen.to_px(1.2), 0)
    pen.set_lines([replace(line, colour=colour) for line in lines], inner, ground, middle=True)


def _row_height(pen: Pen, lines: Sequence[TextLine]) -> int:
    return height_of(lines) + pen.to_px(0.9) + pen.to_px(_GAP_MM)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The question's lines, each answer's lines, which answers show, and whether they stand beside each other."""

    heading: list[TextLine]
    rows: list[list[TextLine]]
    shown: range
    beside: bool = False


def _lay_out(pen: Pen, state: MenuScreen, inner: pygame.Rect, cap_mm: float) -> _Layout | None:
    """Lay out question and answers; ``None`` where one finds no room."""
    heading, rows = _break_texts(pen, state, inner.width, cap_mm)
    used = height_of(heading) + (pen.to_px(_GAP_MM) if heading else 0)
    turns = _fit_turns(pen, state, inner.width)
    used += turns.measure_height(pen, inner.width) if turns is not None else 0
    heights = [_row_height(pen, lines) for lines in rows]
    room = inner.height - used + pen.to_px(_GAP_MM)
    wide = inner.width - 2 * pen.to_px(1.2)
    if (halves := _break_beside(pen, state, inner.width, cap_mm)) is not None:
        high = max(_row_height(pen, lines) for lines in halves)
        if high <= room:
            return _Layout(heading, halves, range(2), beside=True)
    if max(heights) > room or not all(lines_fit(lines, pygame.Rect(0, 0, wide, 10_000)) for lines in rows):
        return None
    return _Layout(heading, rows, _rows_in_sight(heights, state.chosen, room))


def _choose_alone(pen: Pen, state: MenuScreen, inner: pygame.Rect, cap_mm: float) -> _Layout:
    """Leave out the question where nothing else helps, while another answer than the first is chosen."""
    heading, rows = _break_texts(pen, state, inner.width, cap_mm)
    if state.chosen or height_of(heading) + _row_height(pen, rows[0]) > inner.height:
        heading = []
    return _Layout(heading, rows, range(state.chosen, state.chosen + 1))


def _break_texts(pen: Pen, state: MenuScreen, width: int, cap_mm: float) -> tuple[list[TextLine], list[list[TextLine]]]:
    # What is drawn as cards need not be said, nor why it was refused: that follows if the answer is no.
    headline, details = state.headline, state.details
    if _fit_turns(pen, state, width) is not None:
        headline, details = "", details[:1]
    blocks = [Block(headline, cap_mm, pen.theme.ink, Weight.BOLD)] if headline else []
    blocks += [Block(text, cap_mm, pen.theme.ink) for text in details]
    inner = width - 2 * pen.to_px(1.2)
    rows = [pen.break_lines([Block(text, cap_mm, pen.theme.ink, Weight.BOLD)], inner) for text in state.choices]
    return pen.break_lines(blocks, width), rows


def _rows_in_sight(heights: Sequence[int], chosen: int, room: int) -> range:
    """Return the rows that find room together, the chosen one among them, as near to the middle as can be."""
    first, last = chosen, chosen + 1
    while True:
        left = room - sum(heights[first:last])
        above = first > 0 and heights[first - 1] <= left
        below = last < len(heights) and heights[last] <= left
        if above and (not below or chosen - first < last - 1 - chosen):
            first -= 1
        elif below:
            last += 1
        else:
            return range(first, last)


def draw_ranking(pen: Pen, state: ScoreScreen, box: pygame.Rect) -> None:
    """Draw places, names and points; the winners stand out."""
    ranking = state.ranking
    inner = pen.inset_box(box, 0.6)
    theme = pen.theme
    height = min(pen.to_scaled_px(7.4), inner.height // len(ranking))
    names = short_names([line.name for line in ranking])
    for number, line in enumerate(ranking):
        row = pygame.Rect(inner.x, inner.y + number * height, inner.width, height - pen.to_px(0.5))
        ground = theme.raised if line.winner else theme.panel
        pygame.draw.rect(pen.surface, ground, row, border_radius=pen.to_px(0.8))
        colour = theme.gold if line.winner else theme.ink
        cells_of = row.inflate(-2 * pen.to_px(1.2), 0)
        place = pygame.Rect(cells_of.x, row.y, pen.to_scaled_px(4.5), row.height)
        mm = min(pen.far_mm(HEADLINE_MM), row.height / pen.px_per_mm * 0.86)
        pen.draw_text(str(line.place), place, min(mm, pen.far_mm(NOW_MM)), theme.dim, ground)
        right = cells_of.right
        papers = line.complete_papers
        text = line.note or (words.count_papers(papers).said(state.language) if papers is not None else "")
        if text:
            width = pen.measure_width(text, pen.near_mm, Weight.REGULAR) + 1
            limit = pygame.Rect(right - width, row.y, width, row.height)
            pen.draw_text(text, limit, pen.near_mm, theme.dim, ground, Weight.REGULAR)
            right -= width + pen.to_px(1.5)
        text = str(line.points)
        width = pen.measure_width(text, mm)
        pen.draw_text(text, pygame.Rect(right - width, row.y, width, row.height), mm, colour, ground, align=1.0)
        limit = pygame.Rect(place.right, row.y, right - width - place.right - pen.to_px(1), row.height)
        name = pen.choose_fitting((line.name, names[number]), limit.width, SMALLEST_MM)
        pen.draw_text(name, limit, pen.far_mm(NOW_MM), colour, ground)


def draw_buttons(pen: Pen, state: ScreenState, box: pygame.Rect, page: int, pages: int) -> None:
    """Draw what each of the four buttons does now."""
    theme = pen.theme
    pygame.draw.rect(pen.surface, theme.ground, box)
    pygame.draw.line(pen.surface, theme.line, box.topleft, box.topright)
    labels = [text for text in _label_buttons(state, page, pages) if text]
    pad = pen.to_px(1.0)
    inner = box.inflate(-2 * pad, 0)
    # One size for all of them: figures among kanji are a little lower than they would be alone.
    like = "字" if any(share_of(text) == KANJI_SHARE for text in labels) else "A"
    cap_mm = pen.near_mm
    while True:
        widths = [pen.measure_width(text, cap_mm, Weight.REGULAR, like) + 1 for text in labels]
        if sum(widths) + pad * (len(labels) - 1) <= inner.width or cap_mm <= SMALLEST_MM:
            break
        cap_mm = max(SMALLEST_MM, cap_mm - 0.1)
    if sum(widths) + pad * (len(labels) - 1) > inner.width and len(labels) > 2:
        # Taking back is in the menu too.
        labels, widths = labels[:-1], widths[:-1]
    gap = (inner.width - sum(widths)) / (len(labels) - 1) if len(labels) > 1 else 0
    x = float(inner.x)
    for number, (text, width) in enumerate(zip(labels, widths, strict=True)):
        limit = pygame.Rect(round(x), box.y, width, box.height)
        ink = theme.ink if number == 0 else theme.dim
        pen.draw_text(text, limit, cap_mm, ink, theme.ground, Weight.REGULAR, like=like)
        x += width + gap


def _label_buttons(state: ScreenState, page: int, pages: int) -> list[str]:
    language, own = state.language, state.buttons or ButtonWords(words.confirm(state.language, state.mood))
    back = "←" + words.BACK.said(language)
    if state.buttons is None and state.mood is Mood.PAUSED:
        return [own.confirm]
    if state.buttons is None and state.choices:
        place = f" {state.chosen + 1}/{len(state.choices)}" if len(state.choices) > 1 else ""
        return [own.confirm, "▲▼" + words.CHOOSE.said(language) + place, back]
    if own.choose or isinstance(state, FilledScreen):
        return [own.confirm, own.choose, own.back]
    if page:
        return [own.confirm, words.page_of(page + 1, pages + 1).said(language), back]
    return [own.confirm, own.up, own.down or (words.label_more(pages + 1).said(language) if pages else ""), own.back]
