"""What is looked up, leaf by leaf: paragraphs with cards below them, and points over turns as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from ui.parts.card_tiles import FittedGroups, groups_fit
from ui.parts.names import short_names
from ui.parts.near import part_lines
from ui.parts.pen import SMALLEST_MM, Block, Pen, TextLine, height_of, lines_fit, surface_of
from ui.parts.theme import DARK, Colour
from ui.screen_state import Leaf, PicturePair, PlotLine

_LARGER = 1.35
"""Where there is room, letters are so much larger than they must be."""
_FINER_MM = 0.1
_GAP_MM = 1.2
_CLEAR, _LEAST = 0.76, 0.68
"""So large should cards be, as a share, before letters give way no more; and smaller they are never."""
_ON_DARK: tuple[Colour, ...] = ((86, 180, 233), (240, 160, 20), (40, 190, 145), (236, 130, 180), (240, 228, 66))
_ON_LIGHT: tuple[Colour, ...] = ((0, 114, 178), (190, 80, 0), (0, 128, 94), (170, 60, 120), (90, 80, 0))
"""Lines that are distinct without some of the cones too (after Okabe and Ito); each has a mark of its own besides."""
_STEPS = (1, 2, 5, 10, 20, 50, 100)
_NAMES_SHARE = 34
"""How much of the width names in full may take beside the lines, in percent."""
_LABELS = 5
"""At most this many heights have a number."""


@dataclass(frozen=True, slots=True)
class LeafPage:
    """A part of a leaf that fits the screen: its lines, its cards, or a pair of pictures."""

    lines: tuple[TextLine, ...] = ()
    tiles: FittedGroups | None = None
    pair: PicturePair | None = None


def leaf_pages(pen: Pen, leaf: Leaf, box: pygame.Rect) -> tuple[LeafPage, ...]:
    """Divide a leaf into as few pages as hold all of it uncut; cards have a page of their own at the worst.

    Pictures come last, each pair on a page of its own.
    """
    if leaf.plot:
        return (LeafPage(),)
    pairs = tuple(LeafPage(pair=pair) for pair in leaf.pairs)
    return (*_said_pages(pen, leaf, _above_page_number(pen, box) if pairs else box), *pairs)


def _said_pages(pen: Pen, leaf: Leaf, box: pygame.Rect) -> tuple[LeafPage, ...]:
    sizes = [pen.near_mm * _LARGER]
    while sizes[-1] > SMALLEST_MM:
        sizes.append(max(SMALLEST_MM, sizes[-1] - _FINER_MM))
    for least in (_CLEAR, _LEAST) if leaf.tiles else ():
        for cap_mm in sizes:
            lines = pen.break_lines(_make_blocks(pen, leaf, cap_mm), box.width)
            used = height_of(lines) + pen.to_px(_GAP_MM)
            rest = pygame.Rect(box.x, box.y + used, box.width, box.height - used)
            found = groups_fit(pen, leaf.tiles, rest, min(cap_mm, pen.near_mm)) if lines_fit(lines, box) else None
            if found is not None and found.scale >= least:
                return (LeafPage(tuple(lines), found),)
    found = groups_fit(pen, leaf.tiles, _above_page_number(pen, box), SMALLEST_MM) if leaf.tiles else None
    cards = () if found is None or found.scale < _LEAST else (LeafPage((), found),)
    lines = pen.break_largest(lambda mm: _make_blocks(pen, leaf, mm), box, sizes[0], pen.near_mm)
    if lines_fit(lines, box):
        return (LeafPage(tuple(lines)), *cards)
    # A little smaller is better than a page more.
    ways = [
        part_lines(pen.break_lines(_make_blocks(pen, leaf, mm), box.width), _above_page_number(pen, box).height)
        for mm in sizes
        if mm <= pen.near_mm
    ]
    parts = min(ways, key=len)
    return (*(LeafPage(tuple(part)) for part in parts), *cards)


def draw_leaf(pen: Pen, leaf: Leaf, box: pygame.Rect, found: Sequence[LeafPage], page: int) -> None:
    """Draw one of the pages of a leaf, whose title stands in the band."""
    shown = found[page]
    if leaf.plot:
        _draw_plot(pen, leaf.plot, box)
    if shown.pair is not None:
        _draw_pair(pen, shown.pair, leaf.captions, _above_page_number(pen, box))
    y = pen.set_lines(shown.lines, box, pen.theme.ground)
    if shown.tiles is not None:
        y += pen.to_px(_GAP_MM) if shown.lines else 0
        shown.tiles.draw(pen, pygame.Rect(box.x, y, box.width, 0), pen.theme.ground)
    if len(found) > 1:
        below = _above_page_number(pen, box)
        limit = pygame.Rect(box.x, below.bottom, box.width, box.bottom - below.bottom)
        text = f"{page + 1}/{len(found)}"
        pen.draw_text(text, limit, SMALLEST_MM, pen.theme.dim, pen.theme.ground, align=1.0)


def _draw_pair(pen: Pen, pair: PicturePair, captions: tuple[str, str], box: pygame.Rect) -> None:
    """Draw before and after: side by side, or where a place is wide below each other, as large as there is room for."""
    words = pen.to_px(pen.near_mm * 1.7)
    gap = pen.to_px(_GAP_MM)
    across, down = pair.before.size
    beside = min((box.width - gap) / 2 / across, (box.height - words) / down)
    below = min(box.width / across, ((box.height - gap) / 2 - words) / down)
    scale = max(beside, below)
    size = max(1, int(across * scale)), max(1, int(down * scale))
    columns = beside >= below
    for number, (picture, caption) in enumerate(zip((pair.before, pair.after), captions, strict=True)):
        room = pygame.Rect(box.x, box.y, (box.width - gap) // 2, box.height)
        if columns:
            room.x += number * (room.width + gap)
        else:
            room = pygame.Rect(box.x, box.y + number * (box.height + gap) // 2, box.width, (box.height - gap) // 2)
        pen.draw_text(
            caption, pygame.Rect(room.x, room.y, room.width, words), pen.near_mm, pen.theme.ink, pen.theme.ground
        )
        shown = surface_of(picture)
        pen.surface.blit(pygame.transform.smoothscale(shown, size), (room.x, room.y + words))


def _above_page_number(pen: Pen, box: pygame.Rect) -> pygame.Rect:
    """Return the box without the row in which the page's number stands."""
    return pygame.Rect(box.x, box.y, box.width, box.height - pen.to_px(SMALLEST_MM * 1.5))


def _make_blocks(pen: Pen, leaf: Leaf, cap_mm: float) -> list[Block]:
    return [Block(text, cap_mm, pen.theme.ink, gap_mm=1.0) for text in leaf.words]


def _draw_plot(pen: Pen, plot: Sequence[PlotLine], box: pygame.Rect) -> None:
    """Draw a line for each player, whose name stands at its end; heights are points, the width is the turns."""
    theme = pen.theme
    whole = [line.name for line in plot]
    names = short_names(whole)
    cap_mm = min(pen.near_mm, box.height / len(plot) / pen.px_per_mm / 1.7)
    cap_mm = max(SMALLEST_MM, cap_mm)
    most = box.width * _NAMES_SHARE // 100
    named = [[f"{name} {line.points[-1]}" for name, line in zip(way, plot, strict=True)] for way in (whole, names)]
    pairs = zip(*named, strict=True)
    texts = [pen.choose_fitting(pair, most, SMALLEST_MM) for pair in pairs]
    cap_mm = pen.largest_mm(texts, most, cap_mm) or SMALLEST_MM
    right = max(pen.measure_width(text, cap_mm) for text in texts) + pen.to_px(2.6)
    low, high = min(0, *(min(line.points) for line in plot)), max(1, *(max(line.points) for line in plot))
    step = next((step for step in _STEPS if (high - low) / step <= _LABELS), _STEPS[-1])
    low, high = low // step * step, -(-high // step) * step
    heights = range(low, high + 1, step)
    left = max(pen.measure_width(str(height), SMALLEST_MM) for height in heights) + pen.to_px(1.2)
    half = pen.to_px(SMALLEST_MM)
    area = pygame.Rect(box.x + left, box.y + half, box.width - left - right, box.height - 2 * half)
    for height in heights:
        y = _y_of(area, height, low, high)
        pygame.draw.line(pen.surface, theme.line, (area.x, y), (area.right, y))
        limit = pygame.Rect(box.x, y - half, left - pen.to_px(0.8), 2 * half)
        pen.draw_text(str(height), limit, SMALLEST_MM, theme.dim, theme.ground, align=1.0)
    colours = _ON_DARK if theme is DARK else _ON_LIGHT
    ends = _spread_apart([_y_of(area, line.points[-1], low, high) for line in plot], pen.to_px(cap_mm * 1.7), box)
    for number, line in enumerate(plot):
        colour = colours[number % len(colours)]
        # Lines that lie on each other stay apart by their own width.
        shift = (number - len(plot) // 2) * max(1, pen.to_px(0.3))
        turns = max(1, len(line.points) - 1)
        places = [
            (area.x + area.width * turn // turns, _y_of(area, points, low, high) + shift)
            for turn, points in enumerate(line.points)
        ]
        pygame.draw.lines(pen.surface, colour, False, places, max(2, pen.to_px(0.35)))
        for before, turn in zip(line.points, range(1, len(line.points)), strict=False):
            if line.points[turn] != before:
                _mark(pen, number, places[turn], colour)
        middle = (box.right - right + pen.to_px(1.4), ends[number])
        pygame.draw.line(pen.surface, colour, places[-1], middle, max(1, pen.to_px(0.2)))
        _mark(pen, number, middle, colour)
        high_px = pen.to_px(cap_mm * 1.7)
        limit = pygame.Rect(middle[0] + pen.to_px(1.2), ends[number] - high_px // 2, 0, high_px)
        limit.width = box.right - limit.x
        pen.draw_text(texts[number], limit, cap_mm, theme.ink, theme.ground)


def _y_of(area: pygame.Rect, points: int, low: int, high: int) -> int:
    return int(area.bottom - area.height * (points - low) // (high - low))


def _spread_apart(wanted: Sequence[int], pitch: int, box: pygame.Rect) -> list[int]:
    """Spread places as near to those wanted as can be, so far apart, all within a box."""
    order = sorted(range(len(wanted)), key=lambda number: (wanted[number], number))
    placed = dict.fromkeys(order, 0)
    y = box.top + pitch // 2
    for number in order:
        placed[number] = y = max(y, wanted[number])
        y += pitch
    y = box.bottom - pitch // 2
    for number in reversed(order):
        placed[number] = y = min(y, placed[number])
        y -= pitch
    return [placed[number] for number in range(len(wanted))]


def _mark(pen: Pen, number: int, place: tuple[int, int], colour: Colour) -> None:
    """Draw a disc, a square, a triangle, a rhomb or a cross: each player's own."""
    r = pen.to_px(0.75)
    x, y = place
    match number % 5:
        case 0:
            pygame.draw.circle(pen.surface, colour, place, r)
        case 1:
            pygame.draw.rect(pen.surface, colour, pygame.Rect(x - r, y - r, 2 * r, 2 * r))
        case 2:
            pygame.draw.polygon(pen.surface, colour, [(x, y - r), (x + r, y + r), (x - r, y + r)])
        case 3:
            pygame.draw.polygon(pen.surface, colour, [(x, y - r), (x + r, y), (x, y + r), (x - r, y)])
        case _:
            wide = max(2, r // 2)
            pygame.draw.line(pen.surface, colour, (x - r, y - r), (x + r, y + r), wide)
            pygame.draw.line(pen.surface, colour, (x - r, y + r), (x + r, y - r), wide)
