"""What is read from a metre away: the band with sign and headline, everybody's points, what must be understood."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import pygame

from ui import words
from ui.fonts import Weight
from ui.parts.card_tiles import draw_tiles, groups_fit, tile_size
from ui.parts.names import short_names
from ui.parts.pen import HEADLINE_MM, MARGIN_MM, NOW_MM, SMALLEST_MM, Block, Pen, TextLine, height_of, lines_fit
from ui.parts.signs import draw_flag, draw_sign
from ui.parts.strip import short_names_of
from ui.parts.theme import BANDS, BLACK, FLAG_CLOTH, GOLD, Colour, ink_on
from ui.screen_state import (
    CameraScreen,
    CardTile,
    FilledScreen,
    Mood,
    PlayScreen,
    ScoreScreen,
    ScreenState,
    StepTiles,
    TablePicture,
    TableScreen,
)
from ui.table_picture import LOW_MAP_SHARE, MAP_SHARE, draw_number, draw_picture, map_room, number_r, picture_place

BAND_MM = 7.4
_SEEN_FROM = (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.PAUSED)
"""Moods in which the last turn is looked back at."""
_TELLS = (*_SEEN_FROM, Mood.ACCEPTED)
"""Moods in which the band names who is next and not who has moved."""
_GAP_MM, _SPARE_MM = 1.0, 0.3
_TAPE_MM = 0.9
_CLEAR = 0.76
"""So large should the cards of a move just made be, as a share, before other words are said."""

_Part = tuple[int, Callable[[pygame.Rect], None]]
"""How high something is, in px, and what draws it."""
_Way = Callable[[int], list[_Part] | None]
"""Makes parts for a room of that height; ``None`` where they can't be made."""


def ends_now(state: ScreenState) -> bool:
    """Tell whether the screen belongs to the End Flag: somebody has to take it."""
    moods = (Mood.WAITING, Mood.ACCEPTED, Mood.HANDS, Mood.READING)
    return state.ending.flag_due and state.mood in moods and state.to_move is not None


def is_last_turn(state: ScreenState) -> bool:
    """Tell whether the player who is to move has no turn after this one."""
    if state.ending.turns_left is None or state.mood is Mood.FINISHED:
        return False
    seat = next((n for n, player in enumerate(state.players) if player.to_move), None)
    if seat is not None and seat < len(state.ending.by_player):
        return state.ending.by_player[seat] == 1
    return state.ending.turns_left == 1


def list_last_turn(state: ScreenState) -> tuple[str, ...]:
    """Say whose last turn it is, in several ways, the longest one first: others may have turns left."""
    number = next((n for n, player in enumerate(state.players) if player.to_move), None)
    if number is None:
        return (words.LAST_TURN_OF_ALL.said(state.language),)
    return words.say_last_turn(state.language, state.players[number].name)


def band_colour(state: ScreenState) -> Colour:
    """Return the ground of the band: the mood's, gold where the End Flag is taken."""
    return GOLD if ends_now(state) else BANDS[state.mood]


def draw_band(pen: Pen, state: ScreenState, box: pygame.Rect) -> None:
    """Draw the mood's sign and, in a few words, whose turn it is or what is the matter."""
    ground = band_colour(state)
    ink = ink_on(ground)
    pygame.draw.rect(pen.surface, ground, box)
    if state.mood is Mood.PREVIEW:
        _draw_tape(pen, box)
    r = box.height * 36 // 100
    centre = (box.x + pen.to_px(MARGIN_MM) + r, box.centery)
    if ends_now(state):
        draw_flag(pen.surface, centre, r, ink, FLAG_CLOTH)
    else:
        draw_sign(pen.surface, state.mood, centre, r, ink)
    left, right = centre[0] + r + pen.to_px(MARGIN_MM), box.right - pen.to_px(0.8)
    limit = pygame.Rect(left, box.y, right - left, box.height)
    pen.draw_text(
        pen.choose_fitting(list_titles(state), limit.width, pen.far_mm(HEADLINE_MM)),
        limit,
        pen.far_mm(HEADLINE_MM),
        ink,
        ground,
    )


def _draw_tape(pen: Pen, box: pygame.Rect) -> None:
    """Draw slanted stripes along the band's lower edge: what is previewed is not settled, to be told from afar."""
    high, wide = pen.to_px(_TAPE_MM), pen.to_px(2 * _TAPE_MM)
    for x in range(box.x - wide, box.right, 2 * wide):
        low = box.bottom - 1
        corners = [(x, low), (x + wide, low), (x + wide + high, low - high), (x + high, low - high)]
        pygame.draw.polygon(pen.surface, GOLD, corners)


def is_titled(state: ScreenState) -> bool:
    """Tell whether the headline stands in the band, since something else fills the screen."""
    return isinstance(state, FilledScreen | CameraScreen) and state.mood is not Mood.BLIND


def list_titles(state: ScreenState) -> tuple[str, ...]:
    """Say what the band at the top says, in several ways, the longest one first."""
    language, name = state.language, state.to_move
    if name is None:
        if state.headline and is_titled(state):
            return (state.headline,)
        if state.mood is Mood.WAITING:
            together = any(player.to_move for player in state.players)
            return ((words.TOGETHER_TITLE if together else words.SETUP_TITLE).said(language),)
        if isinstance(state, ScoreScreen):
            lines = [line for line in state.ranking if line.winner]
            winners = [line.name for line in lines]
            partners = len({line.side for line in lines} - {None}) == 1
            return words.say_winners(language, winners, short_names(winners), partners)
        return words.far_titles(language, state.mood, "", "")
    short = short_names_of(state)[next(n for n, player in enumerate(state.players) if player.to_move)]
    if ends_now(state):
        return words.flag_reached(language, name, short)
    return words.far_titles(language, state.mood, name, short)


def draw_far(pen: Pen, state: PlayScreen | TableScreen, box: pygame.Rect) -> None:
    """Draw what must be understood now, below the points."""
    inner = pen.inset_box(box, 0.6)
    if ends_now(state):
        _draw_flag(pen, state, box)
        return
    if is_last_turn(state):
        banner = pygame.Rect(box.x, box.y, box.width, pen.to_scaled_px(7.0))
        pygame.draw.rect(pen.surface, GOLD, banner)
        text = pen.choose_fitting(list_last_turn(state), banner.width, pen.far_mm(HEADLINE_MM))
        pen.draw_text(text, banner, pen.far_mm(HEADLINE_MM), BLACK, GOLD, align=0.5)
        inner = pygame.Rect(
            inner.x, banner.bottom + pen.to_px(0.6), inner.width, inner.bottom - banner.bottom - pen.to_px(0.6)
        )
    picture = state.picture if isinstance(state, TableScreen) else None
    if not isinstance(picture, TablePicture):
        _Content(pen, state, inner).draw()
        return
    beside = []
    for share in (MAP_SHARE, LOW_MAP_SHARE):
        place = picture_place(pen, map_room(inner, share), picture)
        room = pygame.Rect(inner.x, inner.y, place.x - inner.x - pen.to_px(MARGIN_MM), inner.height)
        beside.append((place, _Content(pen, state, room)))
    place, content = next((one for one in beside if one[1].is_step_clear()), beside[0])
    draw_picture(pen, place, picture, range(content.draw()))


def _draw_flag(pen: Pen, state: ScreenState, box: pygame.Rect) -> None:
    """Fill the whole screen with the End Flag."""
    pygame.draw.rect(pen.surface, GOLD, box)
    r = min(box.height * 42 // 100, box.width // 8)
    draw_flag(pen.surface, (box.x + pen.to_px(2) + r, box.centery), r, BLACK, FLAG_CLOTH)
    left = box.x + pen.to_px(4) + 2 * r
    inner = pygame.Rect(left, box.y, box.right - left - pen.to_px(MARGIN_MM), box.height)
    text = words.FLAG_STEP.said(state.language)
    lines = pen.break_largest(lambda mm: [Block(text, mm, BLACK)], inner, pen.far_mm(HEADLINE_MM))
    pen.set_lines(lines, inner, GOLD, middle=True)


class _Content:
    """What finds room below the points, the most important first."""

    def __init__(self, pen: Pen, state: PlayScreen | TableScreen, box: pygame.Rect) -> None:
        self.pen, self.state, self.box = pen, state, box
        self.tiles = state.tiles if isinstance(state, PlayScreen) else ()
        self.steps = state.steps if isinstance(state, TableScreen) else ()
        self._parts: list[_Part] = []

    def draw(self) -> int:
        """Choose what fits, and draw it; returns how many steps to mend were drawn."""
        state, pen = self.state, self.pen
        tells = isinstance(state, PlayScreen) and state.mood in _TELLS and bool(self.tiles or state.headline)
        self._add_brief()
        steps = self._add_steps() if self.steps else 0
        if tells:
            self._tell()
        else:
            self._parts += self._lay_out_tiles(self._left) or []
            if state.headline:
                self._add_words(state.headline, pen.near_mm, pen.theme.ink, must=not self._parts)
            for detail in state.details:
                self._add_words(detail, pen.near_mm, pen.theme.ink)
        if state.mood is Mood.WAITING and state.to_move and not self._parts:
            self._add_words(words.WAITING_HINT.said(state.language), pen.near_mm, pen.theme.dim)
        self._put()
        return steps

    def is_step_clear(self) -> bool:
        """Tell whether the step to be done now finds room in letters to be read from afar."""
        now_mm = self.pen.far_mm(NOW_MM)
        self._add_brief()
        clear = not self.steps or bool(self._lay_out_step(0, self.steps[0], now_mm, now_mm))
        self._parts = []
        return clear

    def _add_brief(self) -> None:
        """Add why, in a few words; what is to be done now is dearer."""
        state, pen = self.state, self.pen
        hint = words.far_hint(state.language, state.mood)
        for text in (hint, "" if hint else state.brief):
            if text:
                self._add_words(text, pen.near_mm if self.steps else pen.far_mm(NOW_MM), pen.theme.ink)

    def _tell(self) -> None:
        """Tell who did what, and what is still to be said or done, as much of it as leaves room for that.

        What is to be done is dearer than the cards of a move that is over, not than those of one just made.
        """
        pen, details, now = self.pen, self.state.details, self.state.mood is Mood.ACCEPTED
        counts, sizes, gap = range(len(details), -1, -1), (pen.near_mm, SMALLEST_MM), pen.to_px(_GAP_MM)
        small = partial(self._lay_out_sentence, cap_mm=SMALLEST_MM)
        ways: tuple[_Way, ...] = (
            self._lay_out_labelled,
            self._lay_out_clear,
            self._lay_out_tiles,
            self._lay_out_sentence,
            small,
            self._lay_out_in_brief,
        )
        tries = product(ways, counts, sizes) if now else ((c, a, b) for a, b, c in product(counts, sizes, ways))
        for way, count, cap_mm in tries:
            others = [
                self._lay_out_words(text, cap_mm, pen.theme.ink if now else pen.theme.gold) for text in details[:count]
            ]
            left = self._left - self._measure_height(others) - gap * bool(others)
            parts = way(left)
            if parts is not None and self._measure_height(parts) <= left + pen.to_px(_SPARE_MM):
                self._parts += [*parts, *others] if now else [*others, *parts]
                return

    def _lay_out_labelled(self, room: int) -> list[_Part] | None:
        """Lay out the cards of a move that is looked back at, below words that say so."""
        pen = self.pen
        if self.state.mood not in _SEEN_FROM:
            return None
        label = self._lay_out_words(words.LAST_TURN.said(self.state.language), pen.near_mm, pen.theme.dim)
        tiles = self._lay_out_tiles(room - label[0] - pen.to_px(_GAP_MM))
        return None if tiles is None else [label, *tiles]

    def _lay_out_sentence(self, _: int, cap_mm: float = 0.0) -> list[_Part] | None:
        """Lay out the move in its own words."""
        text = self.state.headline
        return [self._lay_out_words(text, cap_mm or self.pen.near_mm, self.pen.theme.ink)] if text else None

    def _lay_out_in_brief(self, room: int) -> list[_Part] | None:
        """Lay out the words on the move's cards without the cards; cut to one line where nothing else has room."""
        text = words.join_briefly(self.state.language, [group.words for group in self.tiles])
        if not text and room < self._left:
            return None
        line = self._lay_out_words(text or self.state.headline, SMALLEST_MM, self.pen.theme.ink)
        return [line] if line[0] <= room else [(self.pen.to_px(SMALLEST_MM * 1.45), partial(self._draw_one_line, text))]

    def _draw_one_line(self, text: str, place: pygame.Rect) -> None:
        line = text or self.state.headline
        self.pen.draw_text(line, place, SMALLEST_MM, self.pen.theme.ink, self.pen.theme.ground, Weight.REGULAR)

    @property
    def _left(self) -> int:
        """How high what finds room yet may be."""
        return max(0, self.box.height - self._measure_height(self._parts) - self.pen.to_px(_GAP_MM) * bool(self._parts))

    def _measure_height(self, parts: Sequence[_Part]) -> int:
        return sum(height for height, _ in parts) + self.pen.to_px(_GAP_MM) * max(0, len(parts) - 1)

    def _room_left(self) -> pygame.Rect:
        return pygame.Rect(self.box.x, self.box.y, self.box.width, self._left)

    def _of_lines(self, lines: Sequence[TextLine]) -> _Part:
        return height_of(lines), lambda place: self._set(lines, place)

    def _lay_out_words(self, text: str, cap_mm: float, colour: Colour) -> _Part:
        return self._of_lines(self.pen.break_lines([Block(text, cap_mm, colour)], self.box.width))

    def _set(self, lines: Sequence[TextLine], place: pygame.Rect) -> None:
        self.pen.set_lines(lines, place, self.pen.theme.ground, middle=True)

    def _add_words(self, text: str, most_mm: float, colour: Colour, must: bool = False) -> None:
        room, least_mm = self._room_left(), SMALLEST_MM if must else self.pen.near_mm
        lines = self.pen.break_largest(lambda mm: [Block(text, mm, colour)], room, most_mm, least_mm)
        if lines_fit(lines, room):
            self._parts.append(self._of_lines(lines))

    def _lay_out_tiles(self, room: int, least: float = 0.0) -> list[_Part] | None:
        """Lay out the cards of the move; return ``None`` without room of that height, or where they'd be smaller."""
        pen, width, tiles = self.pen, self.box.width, self.tiles
        found = groups_fit(pen, tiles, pygame.Rect(0, 0, width, room), pen.near_mm) if tiles else None
        if found is None or found.scale < least:
            return None
        return [(found.measure_height(pen, width), lambda place: found.draw(pen, place, pen.theme.ground))]

    def _lay_out_clear(self, room: int) -> list[_Part] | None:
        """Lay out the cards of the move, large enough to be seen from afar."""
        return self._lay_out_tiles(room, _CLEAR)

    def _add_steps(self) -> int:
        """Add all steps to mend, or several, or the first and how many follow; return how many are drawn.

        The step to be done now is as large as it may be, before there is room for others.
        """
        steps, pen, before = self.steps, self.pen, list(self._parts)
        shown = 0
        now_mm = pen.far_mm(NOW_MM)
        for (most_mm, least_mm), least in product(
            ((now_mm, now_mm), (now_mm, SMALLEST_MM), (pen.near_mm, SMALLEST_MM)), (len(steps), 2, 1)
        ):
            self._parts, shown = list(before), 0
            for number, step in enumerate(steps):
                sizes = (pen.near_mm, SMALLEST_MM) if number else (most_mm, least_mm)
                parts = self._lay_out_step(number, step, *sizes)
                if not parts:
                    break
                self._parts += parts
                shown += 1
            others = words.more_steps(len(steps) - shown).said(self.state.language)
            more = self._lay_out_words(others, pen.near_mm, pen.theme.dim)
            if shown < len(steps) and more[0] <= self._left:
                self._parts.append(more)
            elif shown < min(len(steps), 2):
                continue
            if shown >= least:
                break
        return shown

    def _lay_out_step(self, number: int, step: StepTiles, most_mm: float, least_mm: float) -> list[_Part]:
        """Lay out a step's number, its tiles, and where they go, beside or below each other; none without room."""
        pen, room = self.pen, self._room_left()

        def make_blocks(cap_mm: float, words: str = step.words) -> list[Block]:
            return [Block(words, cap_mm, pen.theme.ink)]

        aside = 2 * number_r(pen) + pen.to_px(0.6) if len(self.steps) > 1 else 0
        for scale in (1.0, 0.76, 0.66):
            width, height = tile_size(pen, scale)
            shown = step.tiles[: max(1, (room.width - aside) // (width + pen.to_scaled_px(0.5)))]
            beside = aside + len(shown) * (width + pen.to_scaled_px(0.5)) + pen.to_px(0.6)
            put = partial(self._put_step, number if aside else None, shown, scale)
            here = pygame.Rect(0, 0, max(1, room.width - beside), room.height)
            lines = pen.break_largest(make_blocks, here, most_mm, least_mm)
            if lines_fit(lines, here) and height <= room.height and here.width > pen.to_px(14):
                return [(max(height, height_of(lines)), partial(put, lines, beside))]
            low_mm = max(pen.near_mm, least_mm)
            below = pen.break_largest(make_blocks, room, low_mm, min(low_mm, least_mm))
            if height + height_of(below) + pen.to_px(_GAP_MM) <= room.height:
                return [(height, partial(put, (), beside)), self._of_lines(below)]
        here = pygame.Rect(0, 0, room.width - aside, room.height)
        lines = pen.break_largest(partial(make_blocks, words=step.named), here, most_mm, least_mm)
        if lines_fit(lines, here):
            return [(height_of(lines), partial(self._put_step, number if aside else None, (), 1.0, lines, aside))]
        return []

    def _put_step(
        self,
        number: int | None,
        tiles: Sequence[CardTile],
        scale: float,
        lines: Sequence[TextLine],
        beside: int,
        place: pygame.Rect,
    ) -> None:
        x, r = place.x, number_r(self.pen)
        if number is not None:
            draw_number(self.pen, number, (x + r, place.centery))
            x += 2 * r + self.pen.to_px(0.6)
        draw_tiles(self.pen, tiles, x, place.centery, scale)
        self._set(lines, pygame.Rect(place.x + beside, place.y, place.width - beside, place.height))

    def _put(self) -> None:
        y = self.box.y + max(0, (self.box.height - self._measure_height(self._parts)) // 2)
        for height, put in self._parts:
            put(pygame.Rect(self.box.x, y, self.box.width, height))
            y += height + self.pen.to_px(_GAP_MM)
