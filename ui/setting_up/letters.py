"""A line of text on a surface, with what is known of it afterwards: where it lies and whether it was cut."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from ui.fonts import Weight, font
from ui.wrapping import shorten, wrap

Colour = tuple[int, int, int]

GROUND: Colour = (15, 19, 24)
PANEL: Colour = (25, 31, 38)
INK: Colour = (244, 241, 234)
DIM: Colour = (176, 185, 195)
CHOSEN: Colour = (38, 99, 176)
RAISED: Colour = (40, 48, 58)
GOOD: Colour = (94, 201, 146)
BAD: Colour = (244, 190, 92)


@dataclass(frozen=True, slots=True)
class Written:
    """One line of text as drawn: where its ink lies, the box it had to stay in, and whether letters were cut off."""

    text: str
    rect: pygame.Rect
    limit: pygame.Rect
    cut: bool


def width(text: str, px: int, weight: Weight = Weight.REGULAR) -> int:
    """How wide a text is at a font size in px."""
    return font(px, weight).size(text)[0]


def step(px: int) -> int:
    """From one line to the next at a font size, px."""
    return round(font(px).get_height() * 0.87)


def put(
    surface: pygame.Surface,
    text: str,
    limit: pygame.Rect,
    px: int,
    colour: Colour,
    weight: Weight = Weight.REGULAR,
    align: float = 0.0,
) -> Written:
    """One line, centred vertically in its box; ``align`` 0 left, 0.5 middle, 1 right. Cut where it is too wide."""
    face = font(px, weight)
    shown = shorten(text, limit.width, lambda part: face.size(part)[0])
    image = face.render(shown, True, colour)
    place = image.get_rect()
    place.x = limit.x + round((limit.width - place.width) * align)
    place.y = limit.centery - image.get_height() // 2
    surface.blit(image, place)
    return Written(shown, image.get_bounding_rect().move(place.topleft), limit, shown != text)


def lines_of(text: str, room: int, px: int, weight: Weight = Weight.REGULAR) -> list[str]:
    """A text broken into lines of so many px."""
    face = font(px, weight)
    return wrap(text, room, lambda part: face.size(part)[0])


def put_lines(
    surface: pygame.Surface, text: str, box: pygame.Rect, px: int, colour: Colour, weight: Weight = Weight.REGULAR
) -> tuple[list[Written], int]:
    """A paragraph from the top of a box; also the y below it. What finds no room below is not drawn but counts as cut.

    The last line that is drawn then ends in an ellipsis.
    """
    lines = lines_of(text, box.width, px, weight)
    high = step(px)
    fit = max(1, box.height // high)
    done = []
    for number, line in enumerate(lines[:fit]):
        limit = pygame.Rect(box.x, box.y + number * high, box.width, high)
        last = number == fit - 1 and len(lines) > fit
        written = put(surface, line + "…" if last else line, limit, px, colour, weight)
        done.append(Written(written.text, written.rect, limit, written.cut or last))
    return done, box.y + len(done) * high
