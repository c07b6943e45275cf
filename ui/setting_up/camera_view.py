"""Draws what the camera sees: a small picture with the mat, the seats and who sits there, and words beside it."""

from __future__ import annotations

import re

import pygame

from ui.fonts import Weight
from ui.screen_state import CameraView, Point, Thumbnail
from ui.setting_up.letters import BAD, GOOD, INK, PANEL, Colour, Written, lines_of, put, put_lines, step, width

_OUTLINE: Colour = (94, 201, 146)
_SEAT: Colour = (244, 241, 234)
NO_BREAK = "\u00a0"
"""Holds a number and its unit together."""
_SIZE = re.compile(rf"[0-9]+{NO_BREAK}×{NO_BREAK}[0-9]+{NO_BREAK}mm[,.、。]?")
_SHARES = (1.0, 0.85, 0.7, 0.6, 0.5, 0.45)
"""How much of the width that it could have the picture gets, so that the words beside it find room."""
_SMALLEST = 0.28
"""A picture narrower than this share of the box shows nothing."""
_GAP = 0.4


def surface_of(picture: Thumbnail) -> pygame.Surface:
    """The picture as a surface of its own size."""
    return pygame.image.frombuffer(picture.rgb, picture.size, "RGB")


def draw_camera_view(surface: pygame.Surface, box: pygame.Rect, view: CameraView, em: int) -> list[Written]:
    """Draw into a box with letters ``em`` px high; returns every piece of text drawn.

    The picture is made smaller until all words find room; what is in order is left out before a word is cut.
    """
    gap = round(_GAP * em)
    said = list(view.checks)
    picture = _fitted(box, view.picture)
    places = [_column(box, picture, share, gap) for share in _SHARES] if picture is not None else []
    places = [place for place in places if place[0].width >= _SMALLEST * box.width]
    while picture is not None:
        for at, column in places:
            if _finds_room(said, column, em, gap):
                return [*_draw_picture(surface, at, view, em), *_draw_checks(surface, column, said, em, gap)]
        fine = next((number for number in reversed(range(len(said))) if said[number][1]), None)
        if fine is None:
            break
        del said[fine]
    return _draw_checks(surface, box, said, em, gap)


def _fitted(box: pygame.Rect, picture: Thumbnail | None) -> pygame.Rect | None:
    if picture is None:
        return None
    across, down = picture.size
    high = min(box.height, round(box.width * 0.75 * down / across))
    return pygame.Rect(box.x, box.y, round(high * across / down), high)


def _column(box: pygame.Rect, picture: pygame.Rect, share: float, gap: int) -> tuple[pygame.Rect, pygame.Rect]:
    at = pygame.Rect(box.x, box.y, round(picture.width * share), round(picture.height * share))
    left = at.right + gap
    return at, pygame.Rect(left, box.y, box.right - left, box.height)


def _finds_room(said: list[tuple[str, bool]], column: pygame.Rect, em: int, gap: int) -> bool:
    """Whether all words find room, none of them broken within."""
    room = column.width - _sign(em)
    lines = [line for words, _ in said for line in lines_of(words, room, em, Weight.BOLD)]
    words = [word for text, _ in said for word in text.split(" ") if word.isascii()]
    words += [size for text, _ in said for size in _SIZE.findall(text)]
    unbroken = all(width(word, em, Weight.BOLD) <= room for word in words)
    return unbroken and len(lines) * step(em) + gap * max(0, len(said) - 1) <= column.height


def _sign(em: int) -> int:
    return round(0.9 * em)


def _draw_checks(
    surface: pygame.Surface, box: pygame.Rect, said: list[tuple[str, bool]], em: int, gap: int
) -> list[Written]:
    texts: list[Written] = []
    y = box.y
    for words, good in said:
        colour = GOOD if good else BAD
        _draw_sign(surface, (box.x + em // 3, y + step(em) // 2), em // 3, good, colour)
        room = pygame.Rect(box.x + _sign(em), y, box.width - _sign(em), box.bottom - y)
        written, y = put_lines(surface, words, room, em, INK if good else BAD, Weight.BOLD)
        texts += written
        y += gap
    return texts


def _draw_sign(surface: pygame.Surface, centre: tuple[int, int], r: int, good: bool, colour: Colour) -> None:
    """A tick or an exclamation mark, so that nothing is told by colour alone."""
    x, y = centre
    w = max(2, r // 3)
    if good:
        tick = [(x - r * 0.8, y), (x - r * 0.2, y + r * 0.6), (x + r, y - r * 0.7)]
        pygame.draw.lines(surface, colour, False, tick, w)
    else:
        pygame.draw.line(surface, colour, (x, y - r), (x, y + r * 0.3), w + 1)
        pygame.draw.circle(surface, colour, (x, round(y + r * 0.8)), max(2, w * 2 // 3))


def _draw_picture(surface: pygame.Surface, at: pygame.Rect, view: CameraView, em: int) -> list[Written]:
    if view.picture is None:
        return []
    surface.blit(pygame.transform.smoothscale(surface_of(view.picture), at.size), at)

    def place(point: Point) -> tuple[int, int]:
        return round(at.x + point[0] * at.width), round(at.y + point[1] * at.height)

    clip = surface.get_clip()
    surface.set_clip(at)
    thick = max(2, em // 10)
    for seat in view.seats:
        pygame.draw.polygon(surface, _SEAT, [place(corner) for corner in seat.corners], max(1, thick // 2))
    if view.mat:
        pygame.draw.polygon(surface, _OUTLINE, [place(corner) for corner in view.mat], thick)
    surface.set_clip(clip)
    texts = []
    for number, seat in enumerate(view.seats, 1):
        corners = [place(corner) for corner in seat.corners]
        left, top = (min(corner[axis] for corner in corners) for axis in (0, 1))
        right, bottom = (max(corner[axis] for corner in corners) for axis in (0, 1))
        room = pygame.Rect(left, top, right - left, bottom - top).clip(at)
        texts += _draw_name(surface, room, seat.name, str(number), em)
    return texts


def _draw_name(surface: pygame.Surface, room: pygame.Rect, name: str, number: str, em: int) -> list[Written]:
    """Who sits at a seat, on a plate in its middle: the name where it fits, else the seat's number."""
    rim, high = em // 3, step(em)
    lines = lines_of(name, max(1, room.width - 2 * rim), em, Weight.BOLD)
    wide = max(width(line, em, Weight.BOLD) for line in lines)
    if wide > room.width - rim or len(lines) * high > room.height:
        lines, wide = [number], width(number, em, Weight.BOLD)
    plate = pygame.Rect(0, 0, wide + rim, len(lines) * high)
    plate.center = room.center
    pygame.draw.rect(surface, PANEL, plate, border_radius=em // 5)
    places = [pygame.Rect(plate.x, plate.y + row * high, plate.width, high) for row in range(len(lines))]
    return [
        put(surface, line, place, em, INK, Weight.BOLD, align=0.5) for line, place in zip(lines, places, strict=True)
    ]
