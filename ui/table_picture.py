"""Draws the small picture of the table: what lies there, and numbered arrows for what to put where.

It is turned as whoever reads the display sees the table, and stays so, whoever is to move. A step from or to the supply
beside the mat ends at a box of its own outside the picture, so that no place on the mat is mistaken for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from referee.layout import TableLayout
from referee.verdict import Spot
from ui.fonts import Weight, open_font
from ui.parts.names import short_names
from ui.parts.pen import SMALLEST_MM, Pen
from ui.parts.theme import BLACK, WHITE, Colour
from ui.screen_state import Arrow, Outside, Point, TablePicture

_FELT: Colour = (31, 52, 46)
_SEAT: Colour = (46, 72, 64)
_OWN: Colour = (70, 106, 94)
_BACK: Colour = (96, 110, 126)
_PAPER: Colour = (206, 202, 190)
_COMPLETE: Colour = (222, 176, 74)
_RIM: Colour = (120, 134, 128)
_STEP: Colour = (255, 138, 120)
_OTHER: Colour = (176, 128, 124)
_UNSEEN: Colour = (236, 208, 12)
_CARD_SHARE = 0.085
"""A card's height as a share of the mat's height, a little larger than life."""
_SUPPLY_SHARE = 0.13
"""How much of the picture's width lies beside the mat, where a step leads out of it."""
_ROOMS = (6, 5, 4, 3)
"""Short names of this many letters are tried."""
MAP_SHARE = 42
"""How much of a screen's width the table from above takes at most, in percent."""
LOW_MAP_SHARE = 31
"""How much where words want the room."""
_TRIES = (
    (0, 0),
    *(
        (round(d * math.cos(a * math.tau / 8)), round(d * math.sin(a * math.tau / 8)))
        for d in (11, 17, 23, 30)
        for a in range(8)
    ),
)
"""Where a number is put that would cover another one, in tenths of its width."""


def spots_picture(layout: TableLayout, unseen: Sequence[Spot]) -> TablePicture:
    """Picture the seats of a game that draws no table of its own, and places that can't be read."""
    w, h = layout.mat_mm
    seats = tuple((area.x0, area.y0, area.x1, area.y1) for area in layout.seats)
    return TablePicture(w / h, seats, (), (), unseen=tuple((spot.x / w, spot.y / h) for spot in unseen))


def map_room(box: pygame.Rect, share: int = MAP_SHARE) -> pygame.Rect:
    """Find where in a screen's box the table from above may lie, beside the words, by its share of the width."""
    width = box.width * share // 100
    return pygame.Rect(box.right - width, box.y, width, box.height)


def picture_place(pen: Pen, box: pygame.Rect, picture: TablePicture) -> pygame.Rect:
    """Find where in a box, at its right, a picture of the table finds room."""
    place = _fit_box(box, aspect_of(pen, picture))
    place.right, place.centery = box.right, box.centery
    return place


def aspect_of(pen: Pen, picture: TablePicture) -> float:
    """Return the picture's width over its height, as it is turned."""
    return 1 / picture.aspect if pen.map_turned % 2 else picture.aspect


def _fit_box(box: pygame.Rect, aspect: float) -> pygame.Rect:
    width = min(box.width, round(box.height * aspect))
    return pygame.Rect(box.x, box.y, width, round(width / aspect))


class _Map:
    """Where things of a picture are drawn."""

    def __init__(self, pen: Pen, box: pygame.Rect, picture: TablePicture) -> None:
        self.picture, self._turned = picture, pen.map_turned
        self.mat = box.copy()
        self.supply: pygame.Rect | None = None
        if any(arrow.outside is not Outside.NEITHER for arrow in picture.arrows):
            beside = round(box.width * _SUPPLY_SHARE)
            room = pygame.Rect(box.x + beside, box.y, box.width - beside, box.height)
            self.mat = picture_place(pen, room, picture)
            side = beside * 7 // 10
            self.supply = pygame.Rect(box.x, 0, side, round(side * 1.3))
            self.supply.centery = box.centery

    def to_px(self, point: Point) -> tuple[int, int]:
        x, y = point
        for _ in range(self._turned):
            x, y = 1 - y, x
        return round(self.mat.x + x * self.mat.width), round(self.mat.y + y * self.mat.height)

    def end_points(self, arrow: Arrow) -> tuple[tuple[int, int], tuple[int, int]]:
        start, end = self.to_px(arrow.start), self.to_px(arrow.end)
        if self.supply is not None:
            beside = self.supply.center
            start = beside if arrow.outside is Outside.START else start
            end = beside if arrow.outside is Outside.END else end
        return start, end


def draw_picture(pen: Pen, box: pygame.Rect, picture: TablePicture, steps: range) -> list[pygame.Rect]:
    """Draw the picture into its place (``picture_place``); returns where the steps' numbers lie.

    ``steps`` are the arrows that are looked at now, by number from 0.
    """
    surface, place = pen.surface, _Map(pen, box, picture)
    mat = place.mat
    pygame.draw.rect(surface, _FELT, mat, border_radius=max(2, mat.height // 24))
    areas = [_bound_area(place, corners) for corners in picture.seats]
    for seat, area in enumerate(areas, 1):
        colour = _OWN if seat == picture.to_move else _SEAT
        pygame.draw.rect(surface, colour, area, border_radius=max(2, mat.height // 30))
    height = max(5, round(mat.height * _CARD_SHARE))
    width = max(4, round(height * 0.72))

    def draw_card(point: Point, colour: Colour, filled: bool = True) -> None:
        spot = pygame.Rect(0, 0, width, height)
        spot.center = place.to_px(point)
        spot.clamp_ip(mat)
        pygame.draw.rect(surface, colour, spot, 0 if filled else 1, border_radius=1)

    for spot in picture.payments:
        draw_card(spot, _RIM, filled=False)
    for spot, colour in zip(picture.piles, (_BACK, WHITE), strict=False):
        draw_card(spot, colour)
    for point, complete in picture.papers:
        draw_card(point, _COMPLETE if complete else _PAPER)
    if place.supply is not None:
        _draw_supply(surface, place.supply)
    named = _draw_names(pen, areas, picture)
    r = number_r(pen)
    for point in picture.unseen:
        _mark(pen, "?", place.to_px(point), r, mat, _UNSEEN)
    discs = _place_numbers(box, place, steps, r, named)
    # Those looked at last, so that nothing lies on them.
    for number in sorted(range(len(picture.arrows)), key=lambda number: number in steps):
        chosen = number in steps
        _draw_arrow(surface, *place.end_points(picture.arrows[number]), _STEP if chosen else _OTHER, chosen, r)
    for number, disc in reversed(discs.items()):
        _mark(pen, str(number + 1), disc.center, r, box, _STEP if number in steps else BLACK)
    return list(discs.values())


def _bound_area(place: _Map, corners: tuple[float, float, float, float]) -> pygame.Rect:
    (left, top), (right, bottom) = place.to_px(corners[:2]), place.to_px(corners[2:])
    area = pygame.Rect(min(left, right), min(top, bottom), abs(right - left), abs(bottom - top))
    return area.inflate(-3, -3)


def _draw_names(pen: Pen, areas: Sequence[pygame.Rect], picture: TablePicture) -> list[pygame.Rect]:
    """Draw each player's name at the outer edge of the area, as much of it as has room there, or the seat's number."""
    drawn = []
    ways = [picture.names, *(short_names(picture.names, room) for room in _ROOMS)]
    middle = sum(one.centery for one in areas) / len(areas)
    for seat, area in enumerate(areas[: len(picture.names)], 1):
        ground = _OWN if seat == picture.to_move else _SEAT
        text = pen.choose_fitting([*(way[seat - 1] for way in ways), str(seat)], area.width - 4, SMALLEST_MM)
        limit = pygame.Rect(area.x + 2, area.y, area.width - 4, pen.to_px(SMALLEST_MM * 1.45))
        if area.centery >= middle:
            limit.bottom = area.bottom
        drawn.append(pen.draw_text(text, limit, SMALLEST_MM, WHITE, ground, align=0.5).clip(limit))
    return drawn


def _draw_supply(surface: pygame.Surface, box: pygame.Rect) -> None:
    """Draw the supply beside the mat: a box with an open lid."""
    pygame.draw.rect(surface, _PAPER, box, max(2, box.width // 10))
    lid = [(box.x, box.y), (box.x - box.width // 6, box.y - box.height // 5)]
    lid += [(box.right - box.width // 6, box.y - box.height // 5), (box.right, box.y)]
    pygame.draw.polygon(surface, _PAPER, lid)


def _draw_arrow(
    surface: pygame.Surface, start: tuple[int, int], end: tuple[int, int], colour: Colour, bold: bool, r: int
) -> None:
    width = max(3, r // 3) if bold else 2
    head = max(6, round(r * 1.0))
    if start == end:
        # A card to turn over where it lies.
        pygame.draw.circle(surface, colour, start, r + head, width)
        return
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    pygame.draw.line(surface, colour, start, end, width)
    tip = [end]
    for side in (2.6, -2.6):
        tip.append((round(end[0] + head * math.cos(angle + side)), round(end[1] + head * math.sin(angle + side))))
    pygame.draw.polygon(surface, colour, tip)


def _place_numbers(
    box: pygame.Rect, place: _Map, steps: range, r: int, named: Sequence[pygame.Rect]
) -> dict[int, pygame.Rect]:
    """Place the steps' numbers: where steps begin, aside where they would cover each other or, at best, a name.

    On a table full of steps those looked at are there, the others have their turn on their own page.
    """
    placed: dict[int, pygame.Rect] = {}
    for number in sorted(range(len(place.picture.arrows)), key=lambda n: (n not in steps, n)):
        x, y = place.end_points(place.picture.arrows[number])[0]
        tries = [pygame.Rect(x + dx * r // 5 - r, y + dy * r // 5 - r, 2 * r, 2 * r).clamp(box) for dx, dy in _TRIES]
        for taken in ([*placed.values(), *named], list(placed.values())):
            free = next((disc for disc in tries if disc.collidelist(taken) < 0), None)
            if free is not None:
                placed[number] = free
                break
    return placed


def number_r(pen: Pen) -> int:
    """Return the radius of a step's number, in px."""
    return max(6, pen.to_px(1.35))


def draw_number(pen: Pen, number: int, centre: tuple[int, int]) -> None:
    """Draw a step's number, from 0, as the picture has it for a step that is looked at."""
    r = number_r(pen)
    _mark(pen, str(number + 1), centre, r, pygame.Rect(centre, (0, 0)).inflate(2 * r, 2 * r), _STEP)


def _mark(pen: Pen, text: str, centre: tuple[int, int], r: int, box: pygame.Rect, ground: Colour) -> None:
    disc = pygame.Rect(0, 0, 2 * r, 2 * r)
    disc.center = centre
    disc.clamp_ip(box)
    ink = WHITE if ground == BLACK else BLACK
    pygame.draw.ellipse(pen.surface, ground, disc)
    size = open_font(round(r * 1.7), Weight.BOLD)
    image = size.render(text, True, ink)
    drawn = image.get_bounding_rect()
    pen.surface.blit(image, (disc.centerx - drawn.centerx, disc.centery - drawn.centery))
