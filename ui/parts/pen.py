"""Text and shapes on one surface, measured in millimetres of the display; every line of text is reported.

Letters are set by the height of their capitals: of kanji where there are no capitals and no figures. What does not fit
goes to another page, or is set smaller as far as ``SMALLEST_MM``; a single line that is too long still ends with "…".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import pygame

from ui.fonts import Weight, open_font
from ui.parts.names import CUT
from ui.parts.panel import Panel
from ui.parts.theme import DARK, LIGHT, Colour
from ui.screen_state import Thumbnail
from ui.wrapping import split_phrases, wrap_evenly

CAP_SHARE, KANJI_SHARE = 0.733, 0.88
"""How high a capital and a kanji are, as shares of the font's size."""
HEADLINE_MM = 5.0
"""Capitals and kanji of the headline and of points."""
NOW_MM = 3.5
"""Capitals and kanji of what must be understood now."""
NEAR_MM = 2.4
"""Capitals and kanji of what is read at arm's length."""
SMALLEST_MM = 2.0
"""Nothing is set smaller: the limit of what a person reads at 50 cm without stopping."""
MARGIN_MM = 1.4
"""What stays free at the sides of a screen."""
_WIDTH_MM, _HEIGHT_MM = 60.0, 42.0
"""The least panel, in mm, on which all this finds room: three inches, 3 : 2 or 4 : 3."""
_NEAR_GROWS_TO_MM = 3.2
_FINER_MM = 0.25
"""Letters are made smaller in such steps until they fit."""
_STEP = 1.16
"""A line's height to its font's size."""
_MIDDLE_SHARE = 0.79
"""From a line's top to the middle of its capitals, which is that of kanji too, to the font's size."""


@dataclass(frozen=True, slots=True)
class TextBox:
    """One line of text as drawn: its place, the box it had to stay in, its height in mm, its colour and its ground."""

    text: str
    image: pygame.Surface
    place: tuple[int, int]
    limit: pygame.Rect
    cap_mm: float
    colour: Colour
    ground: Colour

    @property
    def rect(self) -> pygame.Rect:
        """Where its ink lies."""
        ink: pygame.Rect = self.image.get_bounding_rect()
        return ink.move(self.place)


@dataclass
class Drawing:
    """A finished screen: its surface, every line of text on it, and how many pages there are beside the far one."""

    surface: pygame.Surface
    texts: list[TextBox] = field(default_factory=list)
    pages: int = 0


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line to set: its text, its font's size in px, and in px as well its indent, what is above it, its height."""

    text: str
    size: int
    weight: Weight
    colour: Colour
    indent: int
    gap: int
    step: int
    mark: str = ""
    begins: bool = True


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph: its text, the height of its capitals in mm, and what stands before its first line."""

    text: str
    cap_mm: float
    colour: Colour
    weight: Weight = Weight.REGULAR
    gap_mm: float = 0.7
    mark: str = ""


def surface_of(picture: Thumbnail) -> pygame.Surface:
    """Make a surface of the picture, of its own size."""
    return pygame.image.frombuffer(picture.rgb, picture.size, "RGB")


def share_of(text: str) -> float:
    """Measure how high the text's capitals are to its font's size; kanji where it has no capitals or figures."""
    return CAP_SHARE if any("!" < letter <= "\u024f" for letter in text) else KANJI_SHARE


@lru_cache(maxsize=512)
def _wrap_text(text: str, width: int, size: int, weight: Weight) -> tuple[str, ...]:
    face = open_font(size, weight)
    return tuple(wrap_evenly(text, width, lambda part: face.size(part)[0]))


class Pen:
    """Draws on one surface, of a display of that size in px and mm."""

    def __init__(self, size: tuple[int, int], panel: Panel) -> None:
        width_mm = panel.width_of(size)
        self.theme = LIGHT if panel.light else DARK
        self.map_turned = panel.map_turned
        self.px_per_mm = size[0] / width_mm
        height_mm = size[1] / self.px_per_mm
        self.growth = min(width_mm / _WIDTH_MM, height_mm / _HEIGHT_MM)
        if self.growth > 1:
            # What is left over on a panel of three inches is room, not larger letters.
            self.growth = max(1.0, self.growth * 0.97)
        self.near_mm = min(_NEAR_GROWS_TO_MM, max(NEAR_MM, NEAR_MM * self.growth * 0.85))
        self.drawing = Drawing(pygame.Surface(size))

    @property
    def surface(self) -> pygame.Surface:
        """What is drawn on."""
        return self.drawing.surface

    def to_px(self, mm: float) -> int:
        """Convert a true length on the display to px."""
        return max(1, round(mm * self.px_per_mm))

    def to_scaled_px(self, mm: float) -> int:
        """Convert a length that grows and shrinks with the display to px; true on three inches."""
        return self.to_px(mm * self.growth)

    def far_mm(self, mm: float) -> float:
        """Convert a height of letters that grow and shrink with the display."""
        return mm * self.growth

    def inset_box(self, box: pygame.Rect, high_mm: float = 0.8) -> pygame.Rect:
        """Return a box without its margins."""
        return box.inflate(-2 * self.to_px(MARGIN_MM), -2 * self.to_px(high_mm))

    def find_font(self, text: str, cap_mm: float, weight: Weight = Weight.BOLD) -> pygame.font.Font:
        """Return the font in which the text's capitals are that high."""
        return open_font(self._font_size(text, cap_mm), weight)

    def _font_size(self, text: str, cap_mm: float) -> int:
        # Rounded up: a capital is never lower than it should be.
        return max(6, -int(-cap_mm * self.px_per_mm / share_of(text) // 1))

    def measure_width(self, text: str, cap_mm: float, weight: Weight = Weight.BOLD, like: str = "") -> int:
        """Measure how wide a line is in px; ``like`` is the text whose capitals are so high, where it is another."""
        return int(self.find_font(like or text, cap_mm, weight).size(text)[0])

    def choose_fitting(self, texts: Sequence[str], width: int, cap_mm: float) -> str:
        """Return the first of several ways to say something that fits; the last one where none does."""
        return next((text for text in texts if self.measure_width(text, cap_mm) <= width), texts[-1])

    def largest_mm(self, texts: Sequence[str], width: int, most_mm: float) -> float | None:
        """Find the greatest height up to ``most_mm`` in which each of these lines fits; ``None`` where none does."""
        cap_mm = most_mm
        while any(self.measure_width(text, cap_mm) > width for text in texts):
            if cap_mm <= SMALLEST_MM:
                return None
            cap_mm = max(SMALLEST_MM, cap_mm - 0.1)
        return cap_mm

    def draw_text(
        self,
        text: str,
        limit: pygame.Rect,
        cap_mm: float,
        colour: Colour,
        ground: Colour,
        weight: Weight = Weight.BOLD,
        align: float = 0.0,
        like: str = "",
    ) -> pygame.Rect:
        """Draw one line in a box, centred vertically; ``align`` 0 left, 0.5 middle, 1 right; smaller where it must be.

        What is too long for the smallest letters ends with "…".
        """
        size = self._font_size(like or text, cap_mm)
        while open_font(size, weight).size(text)[0] > limit.width and cap_mm > SMALLEST_MM:
            cap_mm = max(SMALLEST_MM, cap_mm * min(0.97, limit.width / open_font(size, weight).size(text)[0]))
            size = self._font_size(like or text, cap_mm)
        face, kept = open_font(size, weight), text
        while len(kept) > 1 and face.size(text)[0] > limit.width:
            kept = kept[:-1].rstrip()
            text = kept + CUT
        return self._put(text, size, weight, limit, colour, ground, align)

    def _put(
        self,
        text: str,
        size: int,
        weight: Weight,
        limit: pygame.Rect,
        colour: Colour,
        ground: Colour,
        align: float = 0.0,
    ) -> pygame.Rect:
        image = open_font(size, weight).render(text, True, colour)
        place: pygame.Rect = image.get_rect()
        place.x = limit.x + round((limit.width - place.width) * align)
        place.y = limit.centery - round(size * _MIDDLE_SHARE)
        self.surface.blit(image, place)
        cap_mm = size * share_of(text) / self.px_per_mm
        self.drawing.texts.append(TextBox(text, image, place.topleft, limit, cap_mm, colour, ground))
        return place

    def break_lines(self, blocks: Sequence[Block], width: int) -> list[TextLine]:
        """Break paragraphs into lines of that width in px."""
        lines: list[TextLine] = []
        for block in blocks:
            size = self._font_size(block.text, block.cap_mm)
            face = open_font(size, block.weight)
            step = round(size * _STEP)
            indent = face.size(block.mark + " ")[0] if block.mark else 0
            for number, text in enumerate(_wrap_text(block.text, width - indent, size, block.weight)):
                first = number == 0
                gap = self.to_px(block.gap_mm) if first and lines else 0
                mark = block.mark if first else ""
                lines.append(TextLine(text, size, block.weight, block.colour, indent, gap, step, mark, first))
        return lines

    def set_lines(self, lines: Sequence[TextLine], box: pygame.Rect, ground: Colour, middle: bool = False) -> int:
        """Draw lines below each other, from the top of a box or in its middle; returns the y below them."""
        y = box.y
        if middle:
            y += max(0, (box.height - height_of(lines)) // 2)
        for number, line in enumerate(lines):
            y += line.gap if number else 0
            limit = pygame.Rect(box.x + line.indent, y, box.width - line.indent, line.step)
            if line.mark:
                beside = pygame.Rect(box.x, y, line.indent, line.step)
                self._put(line.mark, line.size, line.weight, beside, line.colour, ground)
            self._put(line.text, line.size, line.weight, limit, line.colour, ground)
            y += line.step
        return y

    def draw_centred(self, line: TextLine, limit: pygame.Rect, ground: Colour) -> None:
        """Draw one line in the middle of a box."""
        self._put(line.text, line.size, line.weight, limit, line.colour, ground, 0.5)

    def break_largest(
        self,
        make: Callable[[float], Sequence[Block]],
        box: pygame.Rect,
        most_mm: float,
        least_mm: float = SMALLEST_MM,
    ) -> list[TextLine]:
        """Break paragraphs in the largest letters, from ``most_mm`` on down, that let them fit into a box.

        Letters are rather smaller than that a word is parted, and the smallest where one has to be.
        """
        sizes = [most_mm - _FINER_MM * n for n in range(int((most_mm - least_mm) / _FINER_MM) + 1)]
        for cap_mm in sizes:
            blocks = make(cap_mm)
            if not self._parts_a_word(blocks, box.width) and lines_fit(
                lines := self.break_lines(blocks, box.width), box
            ):
                return lines
        return self.break_lines(make(least_mm), box.width)

    def _parts_a_word(self, blocks: Sequence[Block], width: int) -> bool:
        for block in blocks:
            face = open_font(self._font_size(block.text, block.cap_mm), block.weight)
            room = width - (face.size(block.mark + " ")[0] if block.mark else 0)
            if any(face.size(piece.rstrip())[0] > room for piece in split_phrases(block.text)):
                return True
        return False


def height_of(lines: Sequence[TextLine]) -> int:
    """Measure how high lines are together, in px."""
    return sum((line.gap if number else 0) + line.step for number, line in enumerate(lines))


def lines_fit(lines: Sequence[TextLine], box: pygame.Rect) -> bool:
    """Tell whether lines find room in a box."""
    wide = all(line.indent + open_font(line.size, line.weight).size(line.text)[0] <= box.width for line in lines)
    return wide and height_of(lines) <= box.height
