"""Everybody's points and short names, beside each other: the part of a screen that never changes its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from ui.parts.names import short_names
from ui.parts.pen import HEADLINE_MM, NOW_MM, SMALLEST_MM, Pen
from ui.screen_state import Mood, PlayerLine, ScreenState

STRIP_MM, LOW_STRIP_MM = 10.8, 8.4
"""How high it is, and how high where a question wants the room."""
_FRAME_MM = 0.5
_PAD_MM = 0.5
_DOT_MM = 0.75


def short_names_of(state: ScreenState) -> tuple[str, ...]:
    """Return the players' short names."""
    return short_names([player.name for player in state.players])


def draw_strip(pen: Pen, state: ScreenState, box: pygame.Rect) -> None:
    """Draw everybody's points and names; who is to move stands out, dots are the turns left."""
    pygame.draw.rect(pen.surface, pen.theme.panel, box)
    count = len(state.players)
    low = box.height < pen.to_scaled_px(STRIP_MM) * 9 // 10
    names, name_mm = _choose_names(pen, state, box.width // count - 2 * pen.to_px(_PAD_MM), low)
    for number, player in enumerate(state.players):
        left, right = box.x + box.width * number // count, box.x + box.width * (number + 1) // count
        rect = pygame.Rect(left, box.y, right - left, box.height)
        dots = state.ending.by_player[number] if number < len(state.ending.by_player) else None
        gain = state.standing.gains[number] if number < len(state.standing.gains) else 0
        cell = _Cell(pen, player, rect, low, dots)
        cell.draw(names[number], name_mm, gain, state.mood is Mood.ACCEPTED)
        if number:
            pygame.draw.line(pen.surface, pen.theme.line, rect.topleft, (rect.x, rect.bottom - 1))


def _choose_names(pen: Pen, state: ScreenState, width: int, low: bool) -> tuple[tuple[str, ...], float]:
    """Choose what stands for each name, and the height in which all of them fit.

    With four or five players that is lower than what must be understood now: whose turn it is the band says.
    """
    pairs = zip((player.name for player in state.players), short_names_of(state), strict=True)
    names = tuple(pen.choose_fitting(pair, width, SMALLEST_MM) for pair in pairs)
    return names, pen.largest_mm(names, width, SMALLEST_MM if low else pen.far_mm(NOW_MM)) or SMALLEST_MM


@dataclass(frozen=True, slots=True)
class _Cell:
    """One player's place in the row."""

    pen: Pen
    player: PlayerLine
    rect: pygame.Rect
    low: bool
    dots: int | None

    def draw(self, name: str, name_mm: float, gain: int, settled: bool) -> None:
        """Name, points, papers, what a move brings or has brought, and turns left."""
        pen, theme, rect, player = self.pen, self.pen.theme, self.rect, self.player
        ground = theme.raised if player.to_move else theme.panel
        if player.to_move:
            pygame.draw.rect(pen.surface, ground, rect)
            pygame.draw.rect(pen.surface, theme.gold, pygame.Rect(rect.x, rect.y, rect.width, pen.to_px(0.7)))
        inner = rect.inflate(-2 * pen.to_px(_PAD_MM), 0)
        upper = pygame.Rect(inner.x, rect.y + pen.to_px(0.8), inner.width, pen.to_scaled_px(2.4 if self.low else 4.0))
        lower = pygame.Rect(inner.x, upper.bottom, inner.width, rect.bottom - upper.bottom - pen.to_px(0.2))
        pen.draw_text(name, upper, name_mm, theme.ink if player.to_move else theme.dim, ground, align=0.5)
        high = pen.far_mm(HEADLINE_MM)
        if player.shown:
            pen.draw_text(player.shown, lower, pen.far_mm(NOW_MM), theme.ink, ground, align=0.5)
        elif gain and not settled:
            self._with_gain(f"+{gain}" if gain > 0 else f"−{-gain}", lower)
        else:
            self._draw_papers(lower, pen.measure_width(str(player.points), high))
            pen.draw_text(str(player.points), lower, high, theme.gold if gain else theme.ink, ground, align=0.5)
        self._draw_dots()

    def _with_gain(self, gain: str, box: pygame.Rect) -> None:
        """Write points, and beside them what a move brings."""
        pen, figures = self.pen, str(self.player.points)
        ground = pen.theme.raised if self.player.to_move else pen.theme.panel
        high = mm = pen.far_mm(HEADLINE_MM)
        width, gap = pen.measure_width(figures, high), pen.to_px(0.5)
        while mm > SMALLEST_MM and pen.measure_width(gain, mm) + width + gap > box.width:
            mm -= 0.2
        other = pen.measure_width(gain, mm)
        left = pygame.Rect(box.centerx - (width + gap + other) // 2, box.y, width, box.height)
        pen.draw_text(figures, left, high, pen.theme.ink, ground)
        pen.draw_text(gain, pygame.Rect(left.right + gap, box.y, other, box.height), mm, pen.theme.gold, ground)

    def _draw_papers(self, box: pygame.Rect, figures: int) -> None:
        """Draw a small card for each paper beside the points: filled where it is complete, an outline under review."""
        pen = self.pen
        side, gap = pen.to_scaled_px(1.1), pen.to_scaled_px(0.4)
        high = round(side * 1.4)
        columns = (box.width - figures) // 2 // (side + gap)
        rows = max(1, (box.height - gap) // (high + gap))
        for number, place in enumerate(_place_marks(columns, rows, both=not self.dots)[: len(self.player.papers)]):
            column, row = place
            beside = (box.width + figures) // 2 + gap if column >= columns else 0
            at = column - columns if column >= columns else columns - 1 - column
            x, y = box.x + beside + at * (side + gap), box.y + gap + row * (high + gap)
            complete = self.player.papers[number].complete
            colour = pen.theme.gold if complete else pen.theme.dim
            pygame.draw.rect(pen.surface, colour, pygame.Rect(x, y, side, high), 0 if complete else 1)

    def _draw_dots(self) -> None:
        """Draw a dot for each turn that the player has left, at the right; a stroke where there is none."""
        if self.dots is None:
            return
        pen, rect = self.pen, self.rect
        r = pen.to_scaled_px(_DOT_MM)
        x, y = rect.right - r - pen.to_px(_FRAME_MM) - 1, rect.bottom - r - pen.to_px(_PAD_MM)
        if not self.dots:
            pygame.draw.line(pen.surface, pen.theme.dim, (x - r, y), (x + r, y), max(2, r // 3))
        for number in range(self.dots):
            pygame.draw.circle(pen.surface, pen.theme.gold, (x, y - number * (2 * r + 2)), r)


def _place_marks(columns: int, rows: int, both: bool) -> Sequence[tuple[int, int]]:
    """Place marks from the points outward: at the left, then at the right where ``both`` sides are free."""
    return [(column, row) for column in range((2 if both else 1) * columns) for row in range(rows)]
