"""Where a card's other corner is looked for, and where it surely lies under another card."""

from __future__ import annotations

from vision.detect.corners import corner_of_card
from vision.detect.opposite import opposite_corners


def test_a_lone_corner_s_opposite_lies_across_the_card() -> None:
    (corner,) = opposite_corners([corner_of_card(300, 200, 10)]).values()
    assert (round(corner.centre[0]), round(corner.centre[1]), round(corner.angle)) == (300, 200, 190)


def test_a_whole_card_has_both_corners_already() -> None:
    assert opposite_corners([corner_of_card(300, 200, 10), corner_of_card(301, 201, 191)]) == {}


def test_in_a_column_only_the_last_card_s_opposite_corner_can_show() -> None:
    column = [corner_of_card(300 + k, 200 + 21 * k, 2 - k) for k in range(5)]
    assert sorted(opposite_corners(column)) == [4]


def test_a_card_laid_askew_leaves_the_lower_one_s_far_corner_free() -> None:

    beside = [corner_of_card(300, 200, 0), corner_of_card(345, 215, 0)]
    assert sorted(opposite_corners(beside)) == [0, 1]


def test_a_card_that_faces_the_other_way_hides_nothing_for_certain() -> None:
    assert sorted(opposite_corners([corner_of_card(300, 200, 0), corner_of_card(300, 240, 180)])) == [0, 1]


def test_the_other_corner_is_of_the_same_kind_of_card() -> None:
    corner = corner_of_card(300, 200, 0, kind="paper")
    assert opposite_corners([corner])[0].kind == "paper"
