"""The table from above: turned as its readers see the table, numbers apart, the supply beside the mat."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pygame
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.states import picture
from ui.parts.panel import Panel
from ui.parts.pen import Pen
from ui.screen_state import Arrow, Outside, TablePicture
from ui.table_picture import draw_picture, picture_place

BOX = pygame.Rect(20, 60, 220, 156)
NAMES = ("Hilbert", "Banach", "Noether")
SHARES = st.floats(0, 1)


def drawn(shown: TablePicture, steps: range = range(1), turned: int = 0) -> tuple[Pen, list[pygame.Rect]]:
    pen = Pen((480, 320), Panel(map_turned=turned))
    return pen, draw_picture(pen, picture_place(pen, BOX, shown), shown, steps)


def pixels(shown: TablePicture, steps: range = range(1)) -> bytes:
    return bytes(pygame.image.tobytes(drawn(shown, steps)[0].surface, "RGB"))


@settings(max_examples=60)
@given(st.lists(st.tuples(SHARES, SHARES, SHARES, SHARES), min_size=1, max_size=12))
def test_numbers_never_cover_each_other(ends: list[tuple[float, float, float, float]]) -> None:
    arrows = tuple(Arrow((a, b), (c, d)) for a, b, c, d in ends)
    _, discs = drawn(replace(picture(0), arrows=arrows))
    for one, other in combinations(discs, 2):
        assert not one.colliderect(other)
    assert all(BOX.contains(disc) for disc in discs)


def test_steps_that_begin_at_one_place_have_all_their_numbers() -> None:
    arrows = tuple(Arrow((0.5, 0.5), (0.1 * n, 0.9)) for n in range(8))
    assert len(drawn(replace(picture(0), arrows=arrows))[1]) == 8


def test_it_is_turned_as_its_readers_see_the_table_whoever_is_to_move() -> None:
    one = replace(picture(0), names=NAMES, arrows=(Arrow((0.2, 0.1), (0.5, 0.5)),))
    places = [drawn(one, turned=turned)[1][0].center for turned in range(4)]
    sides = [(x < BOX.centerx + 30, y < BOX.centery) for x, y in places]
    assert sides == [(True, True), (False, True), (False, False), (True, False)], places
    for turned in range(4):
        for seat in (1, 2, 3):
            assert drawn(replace(one, to_move=seat), turned=turned)[1][0].center == places[turned]
    assert pixels(replace(one, to_move=2)) != pixels(replace(one, to_move=3)), "the own area stands out"


def test_every_seat_is_named_once() -> None:
    pen, _ = drawn(replace(picture(0), names=NAMES))
    assert sorted(box.text for box in pen.drawing.texts) == sorted(NAMES)
    pen, _ = drawn(replace(picture(0), names=NAMES, seats=tuple((n / 6, 0, (n + 1) / 6, 0.4) for n in range(3))))
    texts = [box.text for box in pen.drawing.texts]
    assert len(set(texts)) == 3, "where there is little room, a name is still nobody else's"
    for box in pen.drawing.texts:
        assert box.limit.inflate(4, 99).contains(box.rect), box.text


def test_the_supply_lies_beside_the_mat() -> None:
    inside = replace(picture(0), arrows=(Arrow((0.15, 0.5), (0.4, 0.8)),))
    outside = replace(picture(0), arrows=(Arrow((0.15, 0.5), (0.4, 0.8), Outside.START),))
    left, beside = drawn(inside)[1][0], drawn(outside)[1][0]
    assert beside.centerx < left.centerx
    felt = drawn(outside)[0].surface.get_at((BOX.x + 2, BOX.y + 20))[:3]
    assert felt != drawn(inside)[0].surface.get_at((BOX.x + 6, BOX.y + 20))[:3]


def test_the_steps_that_are_looked_at_stand_out() -> None:
    several = picture(5)
    assert len({pixels(several, range(n, n + 1)) for n in range(5)}) == 5
    assert pixels(several, range(2)) not in {pixels(several, range(n, n + 1)) for n in range(5)}
