"""What is read from a metre away: the band with sign and headline, everybody's points, what must be understood."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from ui import words
from ui.parts.card_tiles import draw_groups, draw_tiles, groups_fit, groups_height, tile_size
from ui.parts.names import short_names
from ui.parts.pen import HEADLINE_MM, NOW_MM, Block, Line, Pen, fits, height_of
from ui.parts.signs import draw_flag, draw_sign
from ui.parts.strip import shorts
from ui.parts.theme import BANDS, BLACK, FLAG_CLOTH, GOLD, Colour, ink_on
from ui.screen_state import CardTile, Mood, ScreenState, StepTiles, TileGroup
from ui.table_picture import draw_picture, fitted

BAND_MM = 7.4
_MARGIN_MM = 1.4
_SEEN_FROM = (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.PAUSED)
"""Moods in which the last turn is looked back at."""
_GAP_MM = 1.0


def ends_now(state: ScreenState) -> bool:
    """Whether the screen belongs to the End Flag: somebody has to take it."""
    moods = (Mood.WAITING, Mood.ACCEPTED, Mood.HANDS, Mood.READING)
    return state.ending.flag_due and state.mood in moods and state.to_move is not None


def is_last_turn(state: ScreenState) -> bool:
    """Whether the player who is to move has no turn after this one."""
    if state.ending.turns_left is None or state.mood is Mood.FINISHED:
        return False
    seat = next((n for n, player in enumerate(state.players) if player.to_move), None)
    if seat is not None and seat < len(state.ending.by_player):
        return state.ending.by_player[seat] == 1
    return state.ending.turns_left == 1


def band_colour(state: ScreenState) -> Colour:
    """The ground of the band: the mood's, gold where the End Flag is taken."""
    return GOLD if ends_now(state) else BANDS[state.mood]


def draw_band(pen: Pen, state: ScreenState, box: pygame.Rect) -> None:
    """The mood's sign and, in a few words, whose turn it is or what is the matter."""
    ground = band_colour(state)
    ink = ink_on(ground)
    pygame.draw.rect(pen.surface, ground, box)
    r = box.height * 36 // 100
    centre = (box.x + pen.px(_MARGIN_MM) + r, box.centery)
    if ends_now(state):
        draw_flag(pen.surface, centre, r, ink, FLAG_CLOTH)
    else:
        draw_sign(pen.surface, state.mood, centre, r, ink)
    left, right = centre[0] + r + pen.px(_MARGIN_MM), box.right - pen.px(0.8)
    limit = pygame.Rect(left, box.y, right - left, box.height)
    pen.text(
        pen.fitting(_titles(state), limit.width, pen.far_mm(HEADLINE_MM)), limit, pen.far_mm(HEADLINE_MM), ink, ground
    )


def _titles(state: ScreenState) -> tuple[str, ...]:
    language, name = state.language, state.to_move
    if name is None:
        if state.headline and state.titled:
            return (state.headline,)
        if state.mood is Mood.WAITING:
            together = any(player.to_move for player in state.players)
            return (words.together_title(language) if together else words.setup_title(language),)
        if state.mood is Mood.FINISHED and state.ranking:
            lines = [line for line in state.ranking if line.winner]
            winners = [line.name for line in lines]
            partners = len({line.side for line in lines} - {None}) == 1
            return words.won(language, winners, short_names(winners), partners)
        return words.far_titles(language, state.mood, "", "")
    short = shorts(state)[next(n for n, player in enumerate(state.players) if player.to_move)]
    if ends_now(state):
        return words.flag_reached(language, name, short)
    return words.far_titles(language, state.mood, name, short)


def draw_far(pen: Pen, state: ScreenState, box: pygame.Rect) -> None:
    """What must be understood now, below the points."""
    inner = box.inflate(-2 * pen.px(_MARGIN_MM), -2 * pen.px(0.6))
    if ends_now(state):
        _flag(pen, state, box)
        return
    if is_last_turn(state):
        banner = pygame.Rect(box.x, box.y, box.width, pen.far(7.0))
        pygame.draw.rect(pen.surface, GOLD, banner)
        text = words.last_turn_of_all(state.language)
        pen.text(text, banner, pen.far_mm(HEADLINE_MM), BLACK, GOLD, align=0.5)
        inner = pygame.Rect(
            inner.x, banner.bottom + pen.px(0.6), inner.width, inner.bottom - banner.bottom - pen.px(0.6)
        )
    if state.picture is not None and state.close_up is None:
        inner = _map(pen, state, inner)
    _Content(pen, state, inner).draw()


def _map(pen: Pen, state: ScreenState, inner: pygame.Rect) -> pygame.Rect:
    """The table from above at the right; returns what is left of the box."""
    assert state.picture is not None, "a state with a picture"
    room = pygame.Rect(
        0, inner.y, min(inner.width * 42 // 100, round(inner.height * state.picture.aspect)), inner.height
    )
    room.right = inner.right
    place = fitted(room, state.picture.aspect)
    place.centery = inner.centery
    draw_picture(pen, place, state.picture, range(state.step, state.step + 1), shorts(state))
    return pygame.Rect(inner.x, inner.y, place.x - inner.x - pen.px(_MARGIN_MM), inner.height)


def _flag(pen: Pen, state: ScreenState, box: pygame.Rect) -> None:
    """The whole screen is the End Flag's."""
    pygame.draw.rect(pen.surface, GOLD, box)
    r = min(box.height * 42 // 100, box.width // 8)
    draw_flag(pen.surface, (box.x + pen.px(2) + r, box.centery), r, BLACK, FLAG_CLOTH)
    left = box.x + pen.px(4) + 2 * r
    inner = pygame.Rect(left, box.y, box.right - left - pen.px(_MARGIN_MM), box.height)
    text = words.flag_step(state.language)
    lines = pen.largest(lambda mm: [Block(text, mm, BLACK)], inner, pen.far_mm(HEADLINE_MM))
    pen.set_lines(lines, inner, GOLD, middle=True)


class _Content:
    """What finds room below the points, the most important first."""

    def __init__(self, pen: Pen, state: ScreenState, box: pygame.Rect) -> None:
        self.pen, self.state, self.box = pen, state, box
        self._parts: list[tuple[int, Callable[[pygame.Rect], None]]] = []
        self._left = box.height

    def draw(self) -> None:
        """Choose what fits, and draw it."""
        state, pen = self.state, self.pen
        looking_back = state.mood in _SEEN_FROM and not state.put_back
        hint = words.far_hint(state.language, state.mood)
        for text in (hint, "" if hint else state.brief):
            if text:
                self._add_words(text, pen.far_mm(NOW_MM), pen.theme.ink)
        if state.steps:
            self._add_step(state.steps[min(state.step, len(state.steps) - 1)])
        if state.tiles and not looking_back:
            self._add_tiles(state.tiles)
        spoken = bool(self._parts)
        if looking_back and (state.tiles or state.headline):
            for detail in state.details:
                self._add_words(detail, pen.near_mm, pen.theme.gold)
            label = pen.lines([Block(words.last_turn(state.language), pen.near_mm, pen.theme.dim)], self.box.width)
            for room in (self._left - height_of(label) - pen.px(_GAP_MM), self._left):
                if (
                    state.tiles
                    and groups_fit(pen, state.tiles, pygame.Rect(0, 0, self.box.width, room), pen.near_mm) is not None
                ):
                    if room < self._left:
                        self._take_lines(label)
                    self._add_tiles(state.tiles)
                    break
            else:
                told = Block(state.headline, pen.near_mm, pen.theme.ink, gap_mm=0.4)
                lines = [*label, *pen.lines([told], self.box.width)]
                if fits(lines, self._room()):
                    self._take_lines(lines)
        else:
            if state.headline:
                self._add_words(state.headline, pen.near_mm, pen.theme.ink, must=not spoken)
            for detail in state.details:
                self._add_words(detail, pen.near_mm, pen.theme.ink)
        if state.mood is Mood.WAITING and state.to_move and not self._parts:
            self._add_words(words.waiting_hint(state.language), pen.near_mm, pen.theme.dim)
        self._put()

    def _room(self) -> pygame.Rect:
        return pygame.Rect(self.box.x, self.box.y, self.box.width, max(0, self._left))

    def _take(self, height: int, put: Callable[[pygame.Rect], None]) -> None:
        self._parts.append((height, put))
        self._left -= height + self.pen.px(_GAP_MM)

    def _take_lines(self, lines: Sequence[Line]) -> None:
        self._take(height_of(lines), lambda place: self._set(lines, place))

    def _set(self, lines: Sequence[Line], place: pygame.Rect) -> None:
        self.pen.set_lines(lines, place, self.pen.theme.ground, middle=True)

    def _add_words(self, text: str, cap_mm: float, colour: Colour, must: bool = False) -> None:
        pen, room = self.pen, self._room()
        lines = pen.lines([Block(text, cap_mm, colour)], room.width)
        if not fits(lines, room) and cap_mm > pen.near_mm:
            lines = pen.lines([Block(text, max(pen.near_mm, cap_mm * 0.86), colour)], room.width)
        if not fits(lines, room) and must:
            lines = pen.largest(lambda mm: [Block(text, mm, colour)], room, pen.near_mm)
        if fits(lines, room):
            self._take_lines(lines)

    def _add_tiles(self, groups: Sequence[TileGroup]) -> None:
        scale = groups_fit(self.pen, groups, self._room(), self.pen.near_mm)
        if scale is not None:
            height = groups_height(self.pen, groups, self.box.width, scale, self.pen.near_mm)
            self._take(height, lambda place: self._put_groups(groups, place, scale))

    def _add_step(self, step: StepTiles) -> None:
        """Tiles, and where they go, beside each other or below each other."""
        pen, room = self.pen, self._room()
        mm = pen.far_mm(NOW_MM)

        def told(cap_mm: float) -> list[Block]:
            return [Block(step.words, cap_mm, pen.theme.ink)]

        for scale in (1.0, 0.76, 0.66):
            width, height = tile_size(pen, scale)
            shown = step.tiles[: max(1, room.width // (width + pen.far(0.5)))]
            beside = len(shown) * (width + pen.far(0.5)) + pen.px(0.6)
            here = pygame.Rect(0, 0, max(1, room.width - beside), room.height)
            lines = pen.largest(told, here, mm)
            if fits(lines, here) and height <= room.height and here.width > pen.px(14):
                self._take(max(height, height_of(lines)), partial(self._put_step, shown, lines, beside, scale))
                return
            below = pen.largest(told, room, pen.near_mm)
            if height + height_of(below) + pen.px(_GAP_MM) <= room.height:
                self._take(height, partial(self._put_step, shown, (), beside, scale))
                self._take_lines(below)
                return
        lines = pen.largest(told, room, mm)
        if fits(lines, room):
            self._take_lines(lines)

    def _put_groups(self, groups: Sequence[TileGroup], place: pygame.Rect, scale: float) -> None:
        draw_groups(self.pen, groups, place, scale, self.pen.near_mm, self.pen.theme.ground)

    def _put_step(
        self, tiles: Sequence[CardTile], lines: Sequence[Line], beside: int, scale: float, place: pygame.Rect
    ) -> None:
        draw_tiles(self.pen, tiles, place.x, place.centery, scale)
        self._set(lines, pygame.Rect(place.x + beside, place.y, place.width - beside, place.height))

    def _put(self) -> None:
        gap = self.pen.px(_GAP_MM)
        total = sum(height for height, _ in self._parts) + gap * max(0, len(self._parts) - 1)
        y = self.box.y + max(0, (self.box.height - total) // 2)
        for height, put in self._parts:
            put(pygame.Rect(self.box.x, y, self.box.width, height))
            y += height + gap
