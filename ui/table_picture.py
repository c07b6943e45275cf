"""Draws the small picture of the table: what lies there, and numbered arrows for what to put where."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from ui.fonts import Weight, font
from ui.screen_state import Arrow, Point, TablePicture

Colour = tuple[int, int, int]

_FELT: Colour = (31, 52, 46)
_SEAT: Colour = (46, 72, 64)
_BACK: Colour = (86, 98, 112)
_PAPER: Colour = (206, 202, 190)
_COMPLETE: Colour = (222, 176, 74)
_RIM: Colour = (120, 134, 128)
_INK: Colour = (244, 241, 234)
_DARK: Colour = (15, 19, 24)
_STEP: Colour = (255, 120, 108)
_OTHER: Colour = (176, 128, 124)
_CARD_SHARE = 0.085
"""A card's height as a share of the mat's height, a little larger than life."""


def fitted(box: pygame.Rect, aspect: float) -> pygame.Rect:
    """The largest rectangle of that aspect at the top of the box, centred sideways."""
    width = min(box.width, round(box.height * aspect))
    height = round(width / aspect)
    return pygame.Rect(box.x + (box.width - width) // 2, box.y, width, height)


def draw_picture(surface: pygame.Surface, box: pygame.Rect, picture: TablePicture, step: int, size: int) -> None:
    """Draw the picture into a box of its aspect; ``step`` is the arrow that is looked at, ``size`` the numbers' px."""
    pygame.draw.rect(surface, _FELT, box, border_radius=max(2, box.height // 24))

    def at(point: Point) -> tuple[int, int]:
        return round(box.x + point[0] * box.width), round(box.y + point[1] * box.height)

    for x0, y0, x1, y1 in picture.seats:
        left, top = at((x0, y0))
        right, bottom = at((x1, y1))
        area = pygame.Rect(left, top, right - left, bottom - top).inflate(-3, -3)
        pygame.draw.rect(surface, _SEAT, area, border_radius=max(2, box.height // 30))
    height = max(5, round(box.height * _CARD_SHARE))
    width = max(4, round(height * 0.72))

    def card(point: Point, colour: Colour, filled: bool = True) -> None:
        place = pygame.Rect(0, 0, width, height)
        place.center = at(point)
        place.clamp_ip(box)
        pygame.draw.rect(surface, colour, place, 0 if filled else 1, border_radius=1)

    for spot in picture.payments:
        card(spot, _RIM, filled=False)
    draw_pile, discard_pile = picture.piles
    card(draw_pile, _BACK)
    card(discard_pile, _INK)
    for place, complete in picture.papers:
        card(place, _COMPLETE if complete else _PAPER)
    for spot in picture.unseen:
        _question(surface, at(spot), size, box)
    numbered = list(enumerate(picture.arrows))
    for number, arrow in sorted(numbered, key=lambda item: item[0] == step):
        _arrow(surface, at(arrow.start), at(arrow.end), _STEP if number == step else _OTHER, number == step, size)
    _numbers(surface, box, picture.arrows, at, step, size)


def _arrow(
    surface: pygame.Surface, start: tuple[int, int], end: tuple[int, int], colour: Colour, bold: bool, size: int
) -> None:
    width = max(2, size // 5) if bold else 1
    head = max(5, round(size * 0.6))
    if start == end:
        # A card to turn over where it lies.
        pygame.draw.circle(surface, colour, start, head + 2, width)
        return
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    pygame.draw.line(surface, colour, start, end, width)
    tip = [end]
    for side in (2.6, -2.6):
        tip.append((round(end[0] + head * math.cos(angle + side)), round(end[1] + head * math.sin(angle + side))))
    pygame.draw.polygon(surface, colour, tip)


def _numbers(
    surface: pygame.Surface,
    box: pygame.Rect,
    arrows: tuple[Arrow, ...],
    at: Callable[[Point], tuple[int, int]],
    step: int,
    size: int,
) -> None:
    """The steps' numbers where they begin; the one looked at lies on top of the others."""
    for number in sorted(range(len(arrows)), key=lambda n: (n == step, -n)):
        chosen = number == step
        image = font(size, Weight.BOLD).render(str(number + 1), True, _DARK if chosen else _INK)
        ink = image.get_bounding_rect()
        disc = pygame.Rect(0, 0, max(ink.width, ink.height) + size // 2, max(ink.width, ink.height) + size // 2)
        disc.center = at(arrows[number].start)
        disc.clamp_ip(box)
        pygame.draw.ellipse(surface, _STEP if chosen else _DARK, disc)
        surface.blit(image, (disc.centerx - ink.centerx, disc.centery - ink.centery))


def _question(surface: pygame.Surface, centre: tuple[int, int], size: int, box: pygame.Rect) -> None:
    image = font(size + 2, Weight.BOLD).render("?", True, _DARK)
    ink = image.get_bounding_rect()
    disc = pygame.Rect(0, 0, ink.height + size // 2, ink.height + size // 2)
    disc.center = centre
    disc.clamp_ip(box)
    pygame.draw.ellipse(surface, (244, 190, 92), disc)
    surface.blit(image, (disc.centerx - ink.centerx, disc.centery - ink.centery))
