"""Draws what the camera sees: a small picture with the mat, the seats and who sits there, and words beside it."""

from __future__ import annotations

import re

import pygame

from ui.fonts import Weight
from ui.parts.pen import Block, Pen, TextLine, height_of, lines_fit, surface_of
from ui.parts.theme import ACCEPTED, GOLD, WHITE, Colour
from ui.screen_state import CameraView, Point, Thumbnail

NO_BREAK = "\u00a0"
"""Holds a number and its unit together."""
_SIZE = re.compile(rf"[0-9]+{NO_BREAK}×{NO_BREAK}[0-9]+{NO_BREAK}mm[,.、。]?")
_OUTLINE: Colour = (94, 201, 146)
_PLATE: Colour = (25, 31, 38)
_SHARES = (1.0, 0.85, 0.7, 0.6, 0.5, 0.45)
"""How much of the width that it could have the picture gets, so that the words beside it find room."""
_SMALLEST = 0.28
"""A picture narrower than this share of the box shows nothing."""
_WIDEST = 0.66
_GAP_MM, _SIGN_MM = 1.2, 2.8

Said = list[tuple[str, bool]]


def draw_camera_view(pen: Pen, view: CameraView, box: pygame.Rect) -> None:
    """Draw the picture and the words, the picture made smaller until all words find room.

    What is in order is left out before the picture is, and the picture before a word.
    """
    said = list(view.checks)
    picture = _fit_picture(box, view.picture)
    places = [_divide_box(pen, box, picture, share) for share in _SHARES] if picture is not None else []
    places = [place for place in places if place[0].width >= _SMALLEST * box.width]
    while picture is not None:
        for at, column in places:
            if _finds_room(pen, said, column):
                _draw_picture(pen, view, at)
                _draw_checks(pen, said, column)
                return
        fine = next((number for number in reversed(range(len(said))) if said[number][1]), None)
        if fine is None:
            break
        del said[fine]
    _draw_checks(pen, said, box)


def _fit_picture(box: pygame.Rect, picture: Thumbnail | None) -> pygame.Rect | None:
    if picture is None:
        return None
    across, down = picture.size
    high = min(box.height, round(box.width * _WIDEST * down / across))
    return pygame.Rect(box.x, box.y, round(high * across / down), high)


def _divide_box(pen: Pen, box: pygame.Rect, picture: pygame.Rect, share: float) -> tuple[pygame.Rect, pygame.Rect]:
    """Return the picture at a share of its size, and what is left for words."""
    at = pygame.Rect(box.x, box.y, round(picture.width * share), round(picture.height * share))
    left = at.right + pen.to_px(_GAP_MM)
    return at, pygame.Rect(left, box.y, box.right - left, box.height)


def _break_lines(pen: Pen, words: str, good: bool, width: int) -> list[TextLine]:
    colour = pen.theme.ink if good else pen.theme.gold
    return pen.break_lines([Block(words, pen.near_mm, colour, Weight.BOLD)], width)


def _finds_room(pen: Pen, said: Said, column: pygame.Rect) -> bool:
    """Tell whether all words find room, no word and no size broken within."""
    room = column.width - pen.to_px(_SIGN_MM)
    words = [word for text, _ in said for word in text.split(" ") if word.isascii()]
    words += [size for text, _ in said for size in _SIZE.findall(text)]
    if any(pen.measure_width(word, pen.near_mm) > room for word in words):
        return False
    high = sum(height_of(_break_lines(pen, text, good, room)) for text, good in said)
    return high + pen.to_px(_GAP_MM) * max(0, len(said) - 1) <= column.height


def _draw_checks(pen: Pen, said: Said, box: pygame.Rect) -> None:
    y, aside = box.y, pen.to_px(_SIGN_MM)
    for text, good in said:
        lines = _break_lines(pen, text, good, box.width - aside)
        r = pen.to_px(0.9)
        _draw_sign(pen, (box.x + r, y + lines[0].step // 2), r, good)
        room = pygame.Rect(box.x + aside, y, box.width - aside, box.bottom - y)
        y = pen.set_lines(lines, room, pen.theme.ground) + pen.to_px(_GAP_MM)


def _draw_sign(pen: Pen, centre: tuple[int, int], r: int, good: bool) -> None:
    """Draw a tick or an exclamation mark, so that nothing is shown by colour alone."""
    x, y = centre
    w = max(2, r // 3)
    if good:
        tick = [(x - r * 0.8, y), (x - r * 0.2, y + r * 0.6), (x + r, y - r * 0.7)]
        pygame.draw.lines(pen.surface, ACCEPTED, False, tick, w + 1)
    else:
        pygame.draw.line(pen.surface, pen.theme.gold, (x, y - r), (x, y + r * 0.3), w + 1)
        pygame.draw.circle(pen.surface, pen.theme.gold, (x, round(y + r * 0.8)), max(2, w * 2 // 3))


def _draw_picture(pen: Pen, view: CameraView, at: pygame.Rect) -> None:
    if view.picture is None:
        return
    surface = pen.surface
    surface.blit(pygame.transform.smoothscale(surface_of(view.picture), at.size), at)

    def place(point: Point) -> tuple[int, int]:
        return round(at.x + point[0] * at.width), round(at.y + point[1] * at.height)

    clip = surface.get_clip()
    surface.set_clip(at)
    for seat in view.seats:
        pygame.draw.polygon(surface, WHITE, [place(corner) for corner in seat.corners], max(1, pen.to_px(0.15)))
    if view.mat:
        pygame.draw.polygon(surface, _OUTLINE, [place(corner) for corner in view.mat], max(2, pen.to_px(0.3)))
    surface.set_clip(clip)
    for number, seat in enumerate(view.seats, 1):
        corners = [place(corner) for corner in seat.corners]
        left, top = (min(corner[axis] for corner in corners) for axis in (0, 1))
        right, bottom = (max(corner[axis] for corner in corners) for axis in (0, 1))
        _draw_name(pen, seat.name, str(number), pygame.Rect(left, top, right - left, bottom - top).clip(at))


def _draw_name(pen: Pen, name: str, number: str, room: pygame.Rect) -> None:
    """Draw who sits at a seat, on a plate in its middle: the name where it fits, else the seat's number."""
    rim = pen.to_px(0.5)
    inner = room.inflate(-2 * rim, 0)
    lines = pen.break_lines([Block(name, pen.near_mm, GOLD, Weight.BOLD)], max(1, inner.width))
    if not lines_fit(lines, inner):
        lines = pen.break_lines([Block(number, pen.near_mm, GOLD, Weight.BOLD)], max(1, inner.width))
    wide = max(pen.measure_width(line.text, pen.near_mm) for line in lines)
    plate = pygame.Rect(0, 0, wide + 2 * rim, height_of(lines))
    plate.center = room.center
    pygame.draw.rect(pen.surface, _PLATE, plate, border_radius=rim)
    y = plate.y
    for line in lines:
        pen.draw_text(line.text, pygame.Rect(plate.x, y, plate.width, line.step), pen.near_mm, WHITE, _PLATE, align=0.5)
        y += line.step
