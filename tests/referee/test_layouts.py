"""Layouts as TABLE.md has them."""

from __future__ import annotations

import pytest

from referee.laminate.view.layouts import LAYOUTS, SPOT_RADIUS_MM, PaperLayout, layout_for
from referee.layout import CARD_MM, MARKER_MM, REFERENCE_MAT_MM, Area

SPOTS = {
    2: ((0.30, 0.56), (0.70, 0.44)),
    3: ((0.30, 0.56), (0.20, 0.44), (0.80, 0.44)),
    4: ((0.24, 0.56), (0.24, 0.44), (0.76, 0.44), (0.76, 0.56)),
    5: ((0.24, 0.56), (0.16, 0.44), (0.36, 0.44), (0.84, 0.44), (0.76, 0.56)),
}


SEATS = {
    2: ((0, 1, 0.62, 1), (0, 1, 0, 0.38)),
    3: ((0, 1, 0.62, 1), (0, 0.5, 0, 0.38), (0.5, 1, 0, 0.38)),
    4: ((0, 0.5, 0.62, 1), (0, 0.5, 0, 0.38), (0.5, 1, 0, 0.38), (0.5, 1, 0.62, 1)),
    5: ((0, 0.5, 0.62, 1), (0, 1 / 3, 0, 0.38), (1 / 3, 2 / 3, 0, 0.38), (2 / 3, 1, 0, 0.38), (0.5, 1, 0.62, 1)),
}


def test_lengths_are_those_of_the_table() -> None:
    assert (SPOT_RADIUS_MM, CARD_MM, MARKER_MM, REFERENCE_MAT_MM) == (75, (63, 88), 50, (1189, 841))


@pytest.mark.parametrize("players", SEATS)
def test_seats_are_those_of_the_table(players: int) -> None:
    layout = layout_for(players, (1200.0, 900.0))
    for seat, (x0, x1, y0, y1) in enumerate(SEATS[players], 1):
        assert layout.seat_rect(seat) == pytest.approx((1200 * x0, 900 * y0, 1200 * x1, 900 * y1))
        # Borders belong to a seat.
        x, y, outer = (x0 + x1) / 2, (y0 + y1) / 2, 1 if y1 == 1 else 0
        for at, down in ((x0, y), (x1, y), (x, outer)):
            assert str(layout.spot_at(1200 * at, 900 * down)).startswith("seat:")
    assert layout.spot_at(600, 900 * 0.38) in ("seat:2", "seat:3")
    assert layout.spot_at(1195, 450) is None
    assert layout.spot_at(600, 901) is None
    assert layout.spot_at(-1, 800) is None


def test_a_house_layout_may_put_a_seat_a_quarter_down() -> None:
    layout = PaperLayout((Area(0, 1, 0.25, 0.6), Area(0, 1, 0.24, 0.6)), payments=((0.3, 0.56), (0.7, 0.44)))
    assert [layout.faces_down(seat) for seat in (1, 2)] == [False, True]
    assert layout.mat_mm == REFERENCE_MAT_MM


@pytest.mark.parametrize("players", SPOTS)
def test_payment_spots_lie_where_they_should(players: int) -> None:
    layout = layout_for(players, (1000.0, 800.0))
    for seat, (x, y) in enumerate(SPOTS[players], 1):
        assert layout.locate_payment(seat) == pytest.approx((1000 * x, 800 * y))
        assert layout.spot_at(1000 * x, 800 * y) == f"payment:{seat}"


@pytest.mark.parametrize("players", SPOTS)
def test_every_seat_finds_itself_and_faces_its_player(players: int) -> None:
    layout = layout_for(players)
    for seat in range(1, players + 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        assert layout.spot_at((x0 + x1) / 2, (y0 + y1) / 2) == f"seat:{seat}"
        assert layout.faces_down(seat) == (y1 < layout.mat_mm[1] / 2)


@pytest.mark.parametrize("players", SPOTS)
def test_seats_go_clockwise_from_the_bottom_left(players: int) -> None:
    layout = layout_for(players)
    centres = []
    for seat in range(1, players + 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        centres.append(((x0 + x1) / 2, (y0 + y1) / 2))
    top = [x for x, y in centres if y < 420]
    assert top == sorted(top)
    assert centres[0][1] > 420
    if players >= 4:
        assert centres[-1][1] > 420
        assert centres[0][0] < centres[-1][0]


def test_piles_of_a_narrow_mat_keep_their_distance() -> None:
    wide, narrow = layout_for(3, (1189.0, 841.0)), layout_for(3, (700.0, 700.0))
    assert wide.draw == pytest.approx((546.94, 420.5))
    assert wide.discard == pytest.approx((642.06, 420.5))
    assert narrow.draw == (310.0, 350.0)
    assert narrow.discard == (390.0, 350.0)
    assert narrow.spot_at(352, 350) == "discard"
    assert narrow.spot_at(348, 350) == "draw"


def test_a_card_belongs_to_a_spot_within_75_mm_only() -> None:
    layout = layout_for(3)
    x, y = layout.locate_payment(1)
    assert layout.spot_at(x - 74, y) == "payment:1"
    assert layout.spot_at(x - 75, y) == "payment:1"
    assert layout.spot_at(x - 76, y) is None
    assert layout.spot_at(x - 50, y - 50) == "payment:1"
    assert layout.spot_at(x - 54, y - 54) is None
    assert layout.spot_at(x - 54, y + 54) == "seat:1"


def test_a_card_between_two_spots_belongs_to_the_nearer_one() -> None:
    layout = layout_for(3)
    (x, y), (other, _) = layout.draw, layout.discard
    middle = (x + other) / 2
    assert [layout.spot_at(middle + off, y) for off in (-1, 1)] == ["draw", "discard"]
    assert [layout.spot_at(middle + off, y + 30) for off in (-1, 1)] == ["draw", "discard"]


def test_a_fan_reaches_sideways_by_a_card_for_each_that_lies_there() -> None:
    layout = layout_for(5)
    x, y = layout.locate_payment(3)
    assert layout.spot_at(x - 76, y, {3: 1}) == "payment:3"
    assert layout.spot_at(x - 76, y, {3: 0}) is None
    assert layout.spot_at(x + 45, y + 70, {3: 2}) is None
    assert layout.spot_at(x - 139, y, {3: 1}) is None
    # Between two fans it belongs to the nearer one.
    assert layout.spot_at(x - 110, y, {2: 2, 3: 2}) == "payment:3"
    assert layout.spot_at(x - 130, y, {2: 2, 3: 2}) == "payment:2"


def test_a_fan_reaches_neither_farther_nor_up_or_down() -> None:
    layout = layout_for(4)
    x, y = layout.locate_payment(4)
    assert layout.spot_at(x + 138, y, {4: 1}) == "payment:4"
    assert layout.spot_at(x + 139, y, {4: 1}) is None
    assert layout.spot_at(x + 100, y + 44, {4: 1}) == "payment:4"
    assert layout.spot_at(x + 100, y + 45, {4: 1}) is None
    assert layout.spot_at(x + 100, y - 44, {4: 1}) == "payment:4"
    assert layout.spot_at(x + 201, y, {4: 2}) == "payment:4"
    assert layout.spot_at(x + 202, y, {4: 2}) is None


def test_there_are_layouts_for_two_to_five() -> None:
    assert sorted(LAYOUTS) == [2, 3, 4, 5]
    with pytest.raises(ValueError, match="6 players"):
        layout_for(6)
