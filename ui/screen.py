"""Draws one screen from a ``ScreenState``: a band in the mood's colour, the players, the message, the buttons.

Sizes in px; 480 × 320 is the reference, everything scales with the smaller of the two ratios, so that 320 × 240 to
1024 × 600 work from the same code. Text is wrapped and shrunk into its box, and every piece drawn is reported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pygame

from ui import words
from ui.fonts import Weight, font
from ui.page_grid import cells
from ui.screen_state import Mood, PageGrid, PlayerLine, ScreenState
from ui.setting_up.camera_view import draw_camera_view
from ui.setting_up.learnt_cards import draw_learnt_cards
from ui.setting_up.letters import Written
from ui.setting_up.name_pad import draw_name_pad
from ui.table_picture import draw_picture, fitted
from ui.wrapping import shorten, wrap_evenly

REFERENCE = (480, 320)
Colour = tuple[int, int, int]

_GROUND: Colour = (15, 19, 24)
_PANEL: Colour = (25, 31, 38)
_RAISED: Colour = (40, 48, 58)
_INK: Colour = (244, 241, 234)
_DIM: Colour = (158, 168, 179)
_LINE: Colour = (54, 63, 74)
_GOLD: Colour = (222, 176, 74)

_BANDS: dict[Mood, Colour] = {
    Mood.NOTICE: (52, 64, 78),
    Mood.WAITING: (52, 64, 78),
    Mood.HANDS: (82, 88, 96),
    Mood.READING: (82, 88, 96),
    Mood.PREVIEW: (18, 104, 110),
    Mood.FAULT: (140, 82, 40),
    Mood.ACCEPTED: (31, 122, 77),
    Mood.REFUSED: (176, 47, 40),
    Mood.QUESTION: (38, 99, 176),
    Mood.CANT_SEE: (168, 108, 14),
    Mood.OUT_OF_STEP: (132, 44, 104),
    Mood.CHECK: (92, 62, 140),
    Mood.MENU: (38, 99, 176),
    Mood.PAUSED: (52, 64, 78),
    Mood.BLIND: (168, 108, 14),
    Mood.FINISHED: (124, 96, 32),
}
_ACCENTS: dict[Mood, Colour] = {
    Mood.PREVIEW: (112, 208, 212),
    Mood.FAULT: (240, 172, 120),
    Mood.ACCEPTED: (94, 201, 146),
    Mood.REFUSED: (255, 134, 122),
    Mood.QUESTION: (130, 182, 247),
    Mood.CANT_SEE: (244, 190, 92),
    Mood.OUT_OF_STEP: (240, 150, 210),
    Mood.CHECK: (190, 164, 244),
    Mood.MENU: (130, 182, 247),
    Mood.BLIND: (244, 190, 92),
}
_LETTERS = {
    Mood.QUESTION: "?",
    Mood.PREVIEW: "?",
    Mood.FAULT: "!",
    Mood.OUT_OF_STEP: "≠",
    Mood.CHECK: "←",
    Mood.MENU: "≡",
}
"""Moods whose sign is a letter."""
_SHRINK = (1.0, 0.94, 0.88, 0.82, 0.77, 0.72)
"""Factors by which text may shrink to fit; below the last it can't be read at arm's length, so steps are left out."""
_SMALLEST = 10
_SEEN_AT_ONCE = 4
"""With more choices than these, the button row says which of how many is chosen."""
_GRID_ROW = 34
"""A row of cards to lay is at least so high: two lines of words on the smallest display."""
_GLANCE_EM = 55
"""Headlines up to this width, in their own height, are set large."""


@dataclass(frozen=True, slots=True)
class TextBox:
    """One line of text as drawn: where it lies, the box it had to stay in, and whether words were cut off."""

    text: str
    rect: pygame.Rect
    limit: pygame.Rect
    cut: bool


@dataclass
class Drawing:
    """A finished screen: its surface and every line of text on it."""

    surface: pygame.Surface
    texts: list[TextBox] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph to be set: its text at the reference size, with an optional bullet."""

    text: str
    size: float
    weight: Weight
    colour: Colour
    gap: float = 5.0
    bullet: str = ""


class _Pen:
    """Draws text and signs on one surface at one scale."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.drawing = Drawing(pygame.Surface(size))
        self.scale = min(size[0] / REFERENCE[0], size[1] / REFERENCE[1])

    @property
    def surface(self) -> pygame.Surface:
        return self.drawing.surface

    def px(self, length: float) -> int:
        """A length at the reference size in px of this screen."""
        return max(1, round(length * self.scale))

    def font_px(self, size: float) -> int:
        return max(_SMALLEST, round(size * self.scale))

    def line(
        self,
        text: str,
        limit: pygame.Rect,
        size: float,
        colour: Colour,
        weight: Weight = Weight.REGULAR,
        align: float = 0.0,
        shrink: bool = True,
    ) -> pygame.Rect:
        """One line in a box, centred vertically; ``align`` 0 left, 0.5 middle, 1 right. Shrinks, then is cut."""
        chosen = font(self.font_px(size), weight)
        for factor in _SHRINK if shrink else (1.0,):
            chosen = font(self.font_px(size * factor), weight)
            if chosen.size(text)[0] <= limit.width and chosen.get_height() <= limit.height * 1.25:
                break
        shown = shorten(text, limit.width, lambda part: chosen.size(part)[0])
        image = chosen.render(shown, True, colour)
        ink = image.get_bounding_rect()
        place = image.get_rect()
        place.x = limit.x + round((limit.width - place.width) * align)
        place.y = limit.centery - image.get_height() // 2
        self.surface.blit(image, place)
        self.drawing.texts.append(TextBox(shown, ink.move(place.topleft), limit, shown != text))
        return place

    def blocks(self, blocks: Sequence[_Block], box: pygame.Rect, middle: bool = False) -> int:
        """Set paragraphs below each other, as large as the box allows; returns the y below the last one.

        They begin at the top of the box, or stand in its ``middle``.
        """
        for factor in _SHRINK:
            lines, height = self._set(blocks, box.width, factor)
            if height <= box.height:
                break
        y = box.y + max(0, (box.height - height) // 2 if middle else 0)
        for number, (text, face, colour, indent, bullet, gap, step) in enumerate(lines):
            more = number + 1 < len(lines)
            last = more and y + gap + step + lines[number + 1][5] + lines[number + 1][6] > box.bottom
            y += gap
            if y + step > box.bottom:
                break
            limit = pygame.Rect(box.x + indent, y, box.width - indent, step)
            shown = shorten(text + "…", limit.width, lambda part: face.size(part)[0]) if last else text  # noqa: B023
            if bullet:
                self.surface.blit(face.render(bullet, True, _DIM), (box.x, y + (step - face.get_height()) // 2))
            image = face.render(shown, True, colour)
            place = (limit.x, y + (step - image.get_height()) // 2)
            self.surface.blit(image, place)
            ink = image.get_bounding_rect()
            self.drawing.texts.append(TextBox(shown, ink.move(place), limit, last))
            y += step
            if last:
                break
        return y

    def label(self, text: str, limit: pygame.Rect, size: float, colour: Colour) -> None:
        """A few words in the middle of a box, each line centred, as large as the box allows."""
        for factor in _SHRINK:
            face = font(self.font_px(size * factor), Weight.BOLD)
            step = round(face.get_height() * 0.87)
            lines = wrap_evenly(text, limit.width, lambda part: face.size(part)[0])  # noqa: B023
            if len(lines) * step <= limit.height and max(face.size(part)[0] for part in lines) <= limit.width:
                break
        y = limit.centery - len(lines) * step // 2
        for part in lines:
            shown = shorten(part, limit.width, lambda part: face.size(part)[0])
            image = face.render(shown, True, colour)
            place = (limit.centerx - image.get_width() // 2, y + (step - image.get_height()) // 2)
            self.surface.blit(image, place)
            ink = image.get_bounding_rect()
            self.drawing.texts.append(TextBox(shown, ink.move(place), limit, shown != part))
            y += step

    def fits(self, blocks: Sequence[_Block], box: pygame.Rect) -> bool:
        """Whether the paragraphs find room in the box at the smallest size that may be used."""
        return self.height(blocks, box.width) <= box.height

    def height(self, blocks: Sequence[_Block], width: int) -> int:
        """How high (px) the paragraphs are at the smallest size that may be used."""
        return self._set(blocks, width, _SHRINK[-1])[1]

    def _set(
        self, blocks: Sequence[_Block], width: int, factor: float
    ) -> tuple[list[tuple[str, pygame.font.Font, Colour, int, str, int, int]], int]:
        lines: list[tuple[str, pygame.font.Font, Colour, int, str, int, int]] = []
        total = 0
        for block in blocks:
            face = font(self.font_px(block.size * factor), block.weight)
            step = round(face.get_height() * 0.87)
            indent = face.size(block.bullet + " ")[0] if block.bullet else 0
            texts = wrap_evenly(block.text, width - indent, lambda part: face.size(part)[0])  # noqa: B023
            for number, text in enumerate(texts):
                first = number == 0
                gap = self.px(block.gap * factor) if first and lines else 0
                lines.append((text, face, block.colour, indent, block.bullet if first else "", gap, step))
                total += gap + step
        return lines, total


def _sign(pen: _Pen, mood: Mood, centre: tuple[int, int], r: int, flag: bool) -> None:
    """The mood as a shape, so that no state is told by colour alone."""
    x, y = centre
    w = max(2, round(r * 0.28))
    surface = pen.surface
    if flag:
        pygame.draw.line(surface, _INK, (x - r * 0.5, y - r * 0.85), (x - r * 0.5, y + r * 0.9), w)
        flagged = [(x - r * 0.5, y - r * 0.85), (x + r * 0.8, y - r * 0.4), (x - r * 0.5, y + r * 0.1)]
        pygame.draw.polygon(surface, _GOLD, flagged)
    elif mood is Mood.ACCEPTED:
        tick = [(x - r * 0.75, y + r * 0.05), (x - r * 0.2, y + r * 0.6), (x + r * 0.8, y - r * 0.6)]
        pygame.draw.lines(surface, _INK, False, tick, w)
    elif mood is Mood.REFUSED:
        for s in (1, -1):
            pygame.draw.line(surface, _INK, (x - r * 0.6, y - s * r * 0.6), (x + r * 0.6, y + s * r * 0.6), w)
    elif mood in _LETTERS:
        image = font(round(r * 2.0), Weight.BOLD).render(_LETTERS[mood], True, _INK)
        surface.blit(image, image.get_rect(center=(x, y)))
    elif mood is Mood.PAUSED:
        for s in (-1, 1):
            pygame.draw.line(surface, _INK, (x + s * r * 0.4, y - r * 0.7), (x + s * r * 0.4, y + r * 0.7), w + 1)
    elif mood in (Mood.CANT_SEE, Mood.BLIND):
        rim = [(x + r * math.cos(a / 12 * math.pi), y + 0.58 * r * math.sin(a / 12 * math.pi)) for a in range(24)]
        pygame.draw.polygon(surface, _INK, rim, max(2, w // 2))
        pygame.draw.circle(surface, _INK, (x, y), round(r * 0.3))
        pygame.draw.line(surface, _INK, (x - r * 0.75, y + r * 0.75), (x + r * 0.75, y - r * 0.75), max(2, w // 2))
    elif mood in (Mood.HANDS, Mood.READING):
        for n in range(3):
            pygame.draw.circle(surface, _INK, (round(x + (n - 1) * r * 0.75), y), max(2, round(r * 0.24)))
    elif mood is Mood.FINISHED:
        points = [(r * (0.95 if n % 2 == 0 else 0.42), n * math.pi / 5 - math.pi / 2) for n in range(10)]
        pygame.draw.polygon(surface, _GOLD, [(x + d * math.cos(a), y + d * math.sin(a)) for d, a in points])
    else:
        pygame.draw.polygon(surface, _INK, [(x - r * 0.5, y - r * 0.7), (x + r * 0.7, y), (x - r * 0.5, y + r * 0.7)])


def _band(pen: _Pen, state: ScreenState, box: pygame.Rect) -> None:
    pygame.draw.rect(pen.surface, _BANDS[state.mood], box)
    flag = state.ending.flag_due and state.mood is Mood.WAITING
    r = box.height * 3 // 10
    _sign(pen, state.mood, (box.x + pen.px(12) + r, box.centery), r, flag)
    left = box.x + pen.px(22) + 2 * r
    right = box.right - pen.px(12)
    if state.ending.turns_left is not None and state.mood is not Mood.FINISHED:
        text = words.turns_left(state.language, state.ending.turns_left)
        width = font(pen.font_px(15), Weight.BOLD).size(text)[0] + pen.px(18)
        badge = pygame.Rect(right - width, box.centery - pen.px(13), width, pen.px(26))
        pygame.draw.rect(pen.surface, _GROUND, badge, border_radius=badge.height // 2)
        pen.line(text, badge.inflate(-pen.px(12), 0), 15, _GOLD, Weight.BOLD, align=0.5)
        right = badge.x - pen.px(8)
    text = words.title(state.language, state.mood)
    seen = state.camera is not None and state.mood is not Mood.BLIND
    if state.headline and (state.pad is not None or seen or state.learnt):
        text = state.headline
    if flag:
        text = words.flag_title(state.language)
    elif state.mood is Mood.WAITING:
        setup = words.setup_title(state.language)
        text = words.turn_of(state.language, state.to_move) if state.to_move else setup
    pen.line(text, pygame.Rect(left, box.y, right - left, box.height), 24, _INK, Weight.BOLD)


def _marks(pen: _Pen, player: PlayerLine, box: pygame.Rect) -> None:
    """A player's papers: filled with points when complete, outlined with the cards left while under review."""
    if not player.papers:
        return
    pitch = min(box.height + pen.px(3), box.width / len(player.papers))
    for number, paper in enumerate(player.papers):
        tile = pygame.Rect(round(box.x + number * pitch), box.y, max(3, round(pitch) - pen.px(2)), box.height)
        radius = max(2, tile.height // 5)
        if paper.complete:
            pygame.draw.rect(pen.surface, _GOLD, tile, border_radius=radius)
        else:
            pygame.draw.rect(pen.surface, _DIM, tile, max(1, pen.px(1.2)), border_radius=radius)
        size = max(9, round(tile.height * 0.8))
        image = font(size, Weight.BOLD).render(str(paper.number), True, _GROUND if paper.complete else _DIM)
        if image.get_width() <= tile.width:
            ink = image.get_bounding_rect()
            pen.surface.blit(image, (tile.centerx - ink.centerx, tile.centery - ink.centery))


def _players(pen: _Pen, state: ScreenState, box: pygame.Rect) -> None:
    pygame.draw.rect(pen.surface, _PANEL, box)
    count = max(3, len(state.players))
    row_height = min(box.height // count, pen.px(64))
    pad = pen.px(9)
    for number, player in enumerate(state.players):
        row = pygame.Rect(box.x, box.y + number * row_height, box.width, row_height)
        if player.to_move and state.mood is not Mood.FINISHED:
            pygame.draw.rect(pen.surface, _RAISED, row)
            pygame.draw.rect(pen.surface, _INK, pygame.Rect(row.x, row.y, max(3, pen.px(4)), row.height))
        inner = row.inflate(-2 * pad, -pen.px(8))
        tile = min(round(inner.height * 0.38), pen.px(17))
        upper = pygame.Rect(inner.x, inner.y, inner.width, min(inner.height - tile - pen.px(2), pen.px(27)))
        lower = pygame.Rect(inner.x, upper.bottom + pen.px(2), inner.width, tile)
        size = min(18.0, upper.height / pen.scale * 0.78)
        text = player.shown or words.points(state.language, player.points)
        width = font(pen.font_px(size), Weight.BOLD).size(text)[0]
        pen.line(text, pygame.Rect(upper.right - width, upper.y, width, upper.height), size, _INK, Weight.BOLD, 1.0)
        name = pygame.Rect(upper.x, upper.y, upper.width - width - pen.px(6), upper.height)
        colour = _INK if player.to_move else _DIM
        pen.line(player.name, name, size, colour, Weight.BOLD if player.to_move else Weight.REGULAR)
        _marks(pen, player, lower)
        if number + 1 < len(state.players):
            pygame.draw.line(pen.surface, _LINE, (row.x + pad, row.bottom - 1), (row.right - pad, row.bottom - 1))


def _points(pen: _Pen, state: ScreenState, box: pygame.Rect) -> None:
    """Names and points alone, for the room that a picture of the table leaves."""
    height = min(box.height // max(3, len(state.players)), pen.px(34))
    for number, player in enumerate(state.players):
        row = pygame.Rect(box.x, box.y + number * height, box.width, height)
        if player.to_move:
            pygame.draw.rect(pen.surface, _RAISED, row)
            pygame.draw.rect(pen.surface, _INK, pygame.Rect(row.x, row.y, max(3, pen.px(4)), row.height))
        inner = row.inflate(-2 * pen.px(9), 0)
        size = min(16.0, height / pen.scale * 0.62)
        text = player.shown or words.points(state.language, player.points)
        width = font(pen.font_px(size), Weight.BOLD).size(text)[0]
        pen.line(text, pygame.Rect(inner.right - width, row.y, width, height), size, _INK, Weight.BOLD, 1.0)
        name = pygame.Rect(inner.x, row.y, inner.width - width - pen.px(6), height)
        weight = Weight.BOLD if player.to_move else Weight.REGULAR
        pen.line(player.name, name, size, _INK if player.to_move else _DIM, weight)


def _side(pen: _Pen, state: ScreenState, column: pygame.Rect) -> None:
    """The column at the left: the players, or a picture of the table above their points."""
    if state.picture is None:
        _players(pen, state, column)
        return
    pygame.draw.rect(pen.surface, _PANEL, column)
    room = column.inflate(-pen.px(8), -pen.px(8))
    least = len(state.players) * pen.px(20)
    room.height -= least
    place = fitted(room, state.picture.aspect)
    draw_picture(pen.surface, place, state.picture, state.step, pen.font_px(12))
    below = place.bottom + pen.px(6)
    _points(pen, state, pygame.Rect(column.x, below, column.width, column.bottom - below))


_LOOKS_BACK = (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.PAUSED)


def _message(state: ScreenState, first: int, count: int) -> list[_Block]:
    """The message with so many of the steps to mend from ``first`` on; a last line counts those left out."""
    accent = _ACCENTS.get(state.mood, _INK)
    looking_back = state.mood in _LOOKS_BACK and not state.put_back
    blocks = []
    if state.headline and looking_back:
        blocks.append(_Block(words.last_turn(state.language), 14, Weight.BOLD, _DIM))
        blocks.append(_Block(state.headline, 18, Weight.REGULAR, _INK, gap=2))
    elif state.headline:
        # A long publication is read, not glanced at: calmer letters leave room for all of it.
        long = font(100, Weight.BOLD).size(state.headline)[0] > _GLANCE_EM * 100 or len(state.put_back) > 1
        size, weight = (17.5, Weight.REGULAR) if long else (21, Weight.BOLD)
        blocks.append(_Block(state.headline, size, weight, accent))
    blocks += [_Block(text, 17, Weight.REGULAR, _INK, gap=7) for text in state.details]
    if state.put_back:
        blocks.append(_Block(words.put_back(state.language), 14, Weight.BOLD, _DIM, gap=9))
        for number in range(first, first + count):
            looked_at = number == state.step and len(state.put_back) > 1
            weight = Weight.BOLD if looked_at else Weight.REGULAR
            blocks.append(_Block(state.put_back[number], 17, weight, _INK, gap=3, bullet=f"{number + 1}."))
        if count < len(state.put_back):
            left = words.more(state.language, len(state.put_back) - count)
            blocks.append(_Block(left, 15, Weight.BOLD, _DIM, gap=3, bullet="•"))
    if state.ending.flag_due and state.to_move and state.mood is Mood.WAITING:
        blocks.append(_Block(words.flag_words(state.language, state.to_move), 18, Weight.BOLD, _GOLD, gap=10))
    elif state.mood in (Mood.HANDS, Mood.READING) and not state.put_back:
        blocks.append(_Block(words.busy_hint(state.language, state.mood), 17, Weight.BOLD, _DIM, gap=12))
    elif state.mood is Mood.PAUSED:
        blocks.append(_Block(words.pause_hint(state.language), 17, Weight.BOLD, _INK, gap=12))
    elif state.mood is Mood.WAITING and state.to_move:
        blocks.append(_Block(words.waiting_hint(state.language), 17, Weight.BOLD, _INK, gap=12))
    return blocks


def _set_message(pen: _Pen, state: ScreenState, box: pygame.Rect) -> int:
    """Set the message, with as many of the steps to mend as stay legible; returns the y below it.

    The step that is looked at is always among them; where even one leaves no room, details are left out.
    """
    count, first = len(state.put_back), 0
    while count > 1 and not pen.fits(_message(state, first, count), box):
        count -= 1
        first = max(0, min(state.step, len(state.put_back) - count))
    while state.put_back and state.details and not pen.fits(_message(state, first, count), box):
        state = replace(state, details=state.details[:-1])
    return pen.blocks(_message(state, first, count), box)


def _finds_room(pen: _Pen, state: ScreenState, box: pygame.Rect) -> bool:
    """Whether the message, cut down to one step to mend where there are some, stays legible in a box."""
    least = replace(state, details=()) if state.put_back else state
    first = max(0, min(state.step, len(state.put_back) - 1))
    above = _above_choices(pen, state, box)
    if state.choices and not _whole(pen, state, pygame.Rect(box.x, above.bottom, box.width, box.bottom - above.bottom)):
        return False
    return pen.fits(_message(least, first, min(1, len(state.put_back))), above)


def _above_choices(pen: _Pen, state: ScreenState, box: pygame.Rect) -> pygame.Rect:
    """What is left for the message above the choices, if there are any."""
    if not state.choices:
        return box
    share = 6 if state.details or state.mood is not Mood.MENU else 8
    room = min(len(state.choices) * pen.px(52), box.height * share // 10)
    if len(state.choices) <= _SEEN_AT_ONCE:
        room = min(max(room, sum(_row_heights(pen, state, box.width))), box.height * 3 // 4)
    return pygame.Rect(box.x, box.y, box.width, box.height - room - pen.px(6))


def _row_heights(pen: _Pen, state: ScreenState, width: int) -> list[int]:
    """How high (px) the rows of the choices must be to hold all their words, the gaps below them included."""
    inner = width - pen.px(20)
    return [pen.height([_Block(text, 15, Weight.BOLD, _DIM)], inner) + pen.px(16) for text in state.choices]


def _whole(pen: _Pen, state: ScreenState, box: pygame.Rect) -> bool:
    """Whether every choice can be read in full, be it after scrolling to it."""
    heights = _row_heights(pen, state, box.width)
    return sum(heights) <= box.height or max(heights) <= pen.px(58)


def _rows_in_sight(pitches: Sequence[int], chosen: int, height: int) -> range:
    """The rows that find room together, the chosen one among them, as near to the middle as can be."""
    first, last = chosen, chosen + 1
    while True:
        room = height - sum(pitches[first:last])
        above = first > 0 and pitches[first - 1] <= room
        below = last < len(pitches) and pitches[last] <= room
        if above and (not below or chosen - first < last - 1 - chosen):
            first -= 1
        elif below:
            last += 1
        else:
            return range(first, last)


def _choices(pen: _Pen, state: ScreenState, box: pygame.Rect) -> None:
    """The answers to a question, the chosen one filled; scrolls so that the chosen one always shows."""
    gap = pen.px(6)
    even = min(pen.px(58), max(pen.px(30), (box.height - gap) // len(state.choices) - gap)) + gap
    pitches = [max(even, needed) for needed in _row_heights(pen, state, box.width)]
    if sum(pitches) > box.height >= sum(_row_heights(pen, state, box.width)):
        # Long answers get the height that short ones leave.
        pitches = _row_heights(pen, state, box.width)
    y = box.y
    for number in _rows_in_sight(pitches, state.chosen, box.height):
        row = pygame.Rect(box.x, y, box.width, min(pitches[number], box.bottom - y) - gap)
        y += pitches[number]
        chosen = number == state.chosen
        pygame.draw.rect(pen.surface, _BANDS[Mood.QUESTION] if chosen else _PANEL, row, border_radius=pen.px(6))
        if not chosen:
            pygame.draw.rect(pen.surface, _LINE, row, max(1, pen.px(1)), border_radius=pen.px(6))
        inner = row.inflate(-pen.px(20), -pen.px(4))
        text = state.choices[number]
        colour = _INK if chosen else _DIM
        if font(pen.font_px(17 * 0.82), Weight.BOLD).size(text)[0] <= inner.width:
            pen.line(text, inner, 17, colour, Weight.BOLD)
        else:
            pen.blocks([_Block(text, 15, Weight.BOLD, colour)], inner, middle=True)


def _grid(pen: _Pen, grid: PageGrid, box: pygame.Rect) -> None:
    """Cards to lay, each name on its place, and the face-down card beside them."""
    *laid, (aside, words_aside) = cells(grid, box, pen.px(3))
    for place, name in laid:
        pygame.draw.rect(pen.surface, _RAISED, place, border_radius=pen.px(4))
        pen.label(name, place.inflate(-pen.px(3), 0), 17, _INK)
    pygame.draw.rect(pen.surface, _LINE, aside, max(1, pen.px(1.5)), border_radius=pen.px(4))
    pen.label(words_aside, aside.inflate(-pen.px(3), 0), 15, _DIM)


def _ranking(pen: _Pen, state: ScreenState, box: pygame.Rect) -> None:
    height = min(pen.px(54), box.height // len(state.ranking))
    for number, line in enumerate(state.ranking):
        row = pygame.Rect(box.x, box.y + number * height, box.width, height - pen.px(5))
        pygame.draw.rect(pen.surface, _RAISED if line.winner else _PANEL, row, border_radius=pen.px(6))
        inner = row.inflate(-pen.px(24), 0)
        size = min(21.0, row.height / pen.scale * 0.5)
        place = pygame.Rect(inner.x, inner.y, pen.px(26), inner.height)
        pen.line(str(line.place), place, size, _GOLD if line.winner else _DIM, Weight.BOLD)
        right = pygame.Rect(inner.right - pen.px(74), inner.y, pen.px(74), inner.height)
        if line.complete_papers is not None:
            pen.line(words.papers(state.language, line.complete_papers), right, size * 0.72, _DIM, align=1.0)
        score = pygame.Rect(right.x - pen.px(74), inner.y, pen.px(74), inner.height)
        pen.line(words.points(state.language, line.points), score, size, _INK, Weight.BOLD, align=1.0)
        name = pygame.Rect(place.right, inner.y, score.x - place.right - pen.px(6), inner.height)
        pen.line(line.name, name, size, _GOLD if line.winner else _INK, Weight.BOLD)


def _buttons(pen: _Pen, state: ScreenState, box: pygame.Rect) -> None:
    """The row at the bottom: what each of the four buttons does now."""
    pygame.draw.rect(pen.surface, _GROUND, box)
    pygame.draw.line(pen.surface, _LINE, box.topleft, box.topright)
    pad = pen.px(12)
    third = (box.width - 2 * pad) // 3
    language = state.language
    confirm = words.choose_this(language) if state.mood is Mood.MENU else words.confirm(language)
    if state.mood is Mood.PAUSED:
        confirm = words.go_on(language)
    middle = ""
    if state.choices:
        place = f" {state.chosen + 1}/{len(state.choices)}" if len(state.choices) > _SEEN_AT_ONCE else ""
        middle = "▲▼ " + words.choose(language) + place
    elif len(state.put_back) > 1:
        middle = "▲▼ " + words.steps(language)
    elif state.menu:
        middle = "▲▼ " + words.menu(language)
    back = ""
    if state.choices:
        back = "← " + words.back(language)
    elif len(state.put_back) > 1:
        back = words.hold_for_menu(language)
    elif state.undoable and state.mood is not Mood.PAUSED:
        back = "← " + words.hold_to_undo(language)
    live = state.mood not in (Mood.READING, Mood.FINISHED, Mood.BLIND)
    if state.buttons is not None:
        own = state.buttons
        _button_words(pen, (own.confirm, own.choose, own.back), box)
        return
    labels = [("✓ " + confirm if live else "", 0.0), (middle, 0.5), (back, 1.0)]
    for number, (text, align) in enumerate(labels):
        if text:
            limit = pygame.Rect(box.x + pad + number * third, box.y, third, box.height)
            pen.line(text, limit, 15, _INK if number == 0 else _DIM, align=align)


_EM = 24.0
"""Letters that must be read now, px at the reference size: 2.2 mm high on a panel 64 mm wide."""


def _button_words(pen: _Pen, texts: tuple[str, str, str], box: pygame.Rect) -> None:
    """What a screen says of the buttons itself, each as wide as its words need."""
    pad = pen.px(10)
    inner = box.inflate(-2 * pad, 0)
    for text, align in zip(texts, (0.0, 0.5, 1.0), strict=True):
        if text:
            pen.line(text, inner, _EM, _INK if align == 0 else _DIM, align=align)


def _keep(pen: _Pen, texts: Sequence[Written]) -> None:
    """Report what another file has drawn."""
    pen.drawing.texts += [TextBox(one.text, one.rect, one.limit, one.cut) for one in texts]


def _own_screen(pen: _Pen, state: ScreenState, box: pygame.Rect) -> bool:
    """What fills a screen in place of a message; False where nothing does."""
    em = pen.font_px(_EM)
    if state.pad is not None:
        _keep(pen, draw_name_pad(pen.surface, box, state.pad, em))
    elif state.camera is not None:
        _keep(pen, draw_camera_view(pen.surface, box, state.camera, em))
    elif state.learnt:
        _keep(pen, draw_learnt_cards(pen.surface, box, state.learnt, em))
    else:
        return False
    return True


def draw(state: ScreenState, size: tuple[int, int] = REFERENCE) -> Drawing:
    """Draw one screen of ``size`` px (width, height) and report every line of text on it."""
    pen = _Pen(size)
    width, height = size
    pen.surface.fill(_GROUND)
    band = pygame.Rect(0, 0, width, pen.px(50))
    low = pen.px(28 if state.buttons is None else _EM * 1.4)
    foot = pygame.Rect(0, height - low, width, low)
    middle = pygame.Rect(0, band.bottom, width, foot.y - band.bottom)
    _band(pen, state, band)
    margin = (-pen.px(26), -pen.px(20))
    box = middle.inflate(*margin)
    if state.players and state.mood is not Mood.FINISHED:
        column = pygame.Rect(0, middle.y, round(width * 0.36), middle.height)
        beside = pygame.Rect(column.right, middle.y, width - column.right, middle.height).inflate(*margin)
        # On a small display a long sentence needs the whole width: points can be read a moment later.
        if _finds_room(pen, state, beside) or not _finds_room(pen, state, box):
            _side(pen, state, column)
            box = beside
    if _own_screen(pen, state, box):
        pass
    elif state.mood is Mood.FINISHED and state.ranking:
        text = [_Block(state.headline, 20, Weight.BOLD, _INK)] if state.headline else []
        below = pen.blocks(text, pygame.Rect(box.x, box.y, box.width, box.height // 3)) if text else box.y
        top = below + pen.px(8) if text else box.y
        _ranking(pen, state, pygame.Rect(box.x, top, box.width, box.bottom - top))
    elif state.grid is not None and not state.choices:
        least = len(state.grid.rows) * pen.px(_GRID_ROW)
        below = _set_message(pen, state, pygame.Rect(box.x, box.y, box.width, box.height - least - pen.px(6)))
        _grid(pen, state.grid, pygame.Rect(box.x, below + pen.px(6), box.width, box.bottom - below - pen.px(6)))
    elif state.choices:
        below = _set_message(pen, state, _above_choices(pen, state, box))
        top = below + pen.px(8)
        _choices(pen, state, pygame.Rect(box.x, top, box.width, box.bottom - top))
    else:
        _set_message(pen, state, box)
    _buttons(pen, state, foot)
    return pen.drawing
