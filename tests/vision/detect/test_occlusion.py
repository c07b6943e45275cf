"""What lies over a crop is known from the corners found, and is left out where templates are compared."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detect.corners import Corner, corner_of_card
from vision.detect.occlusion import count_visible_rows, find_occluders, mask_occluded
from vision.geometry import CROP_PX_PER_MM

CENTRE_CROP_ORIGIN_MM, SIZE_PX = (-2.5, -3.0), (170, 66)


def _one(corner: Corner, *over: Corner) -> np.ndarray | None:
    (mask,) = mask_occluded([corner], [corner, *over], CENTRE_CROP_ORIGIN_MM, SIZE_PX)
    return mask


@pytest.mark.parametrize("angle", [0.0, 90.0, 187.0])
def test_a_card_of_a_column_is_free_down_to_the_next_one(angle: float) -> None:
    lower = corner_of_card(300, 300, angle)
    x, y = lower.to_mat(31.5, 44 + 18)
    mask = _one(lower, corner_of_card(x, y, angle))
    assert mask is not None
    rows = count_visible_rows(mask, 15, 0, 100, 66)
    assert rows == pytest.approx(
        (18 - CENTRE_CROP_ORIGIN_MM[1]) * CROP_PX_PER_MM - 2, abs=2
    )  # 2 px short of the edge, to be safe
    assert count_visible_rows(mask, 15, 10, 40, 20) == 20


def test_the_upper_card_itself_is_free() -> None:
    lower, upper = corner_of_card(300, 300, 0), corner_of_card(300, 318, 0)
    assert _one(upper, lower) is None


def test_nothing_lies_on_a_card_alone_nor_on_one_beside_another() -> None:
    one = corner_of_card(300, 300, 0)
    assert _one(one, corner_of_card(300, 300, 180), corner_of_card(370, 300, 0)) is None
    assert count_visible_rows(None, 3, 3, 43, 37) == 37


def test_a_suit_mark_taken_for_a_corner_covers_nothing() -> None:
    one = corner_of_card(300, 300, 0)
    assert _one(one, corner_of_card(300, 308, 0, 0.5)) is None


def test_a_card_laid_across_hides_what_lies_below_it() -> None:
    one = corner_of_card(300, 300, 0)
    mask = _one(one, corner_of_card(285, 310, 90))
    assert mask is not None
    assert 0 < (mask > 0).mean() < 0.8


@pytest.mark.parametrize(("x", "y", "turned"), [(306, 304, 186), (294, 304, 172), (306, 306, 180)])
def test_a_card_s_own_other_corner_some_mm_astray_covers_nothing(x: float, y: float, turned: float) -> None:
    assert _one(corner_of_card(300, 300, 0), corner_of_card(x, y, turned)) is None


def test_what_lies_above_is_each_corner_found_on_the_cards_but_their_own() -> None:
    column = [corner_of_card(300, 300 + 20 * k, 0) for k in range(4)]
    faint, beside = corner_of_card(300, 311, 0, score=0.2), corner_of_card(370, 310, 0)
    found = [*column, faint, beside]
    assert find_occluders(column[:1], found) == column[1:]
    assert find_occluders(column[1:3], found) == column[2:]
    assert find_occluders(column[3:], [*found, corner_of_card(300, 361, 180)]) == []


@pytest.mark.parametrize("angle", [0.0, 90.0, 187.0])
@pytest.mark.parametrize("left", [11.0, 16.0])
def test_the_next_card_of_a_fan_leaning_left_covers_though_its_corner_lies_beside(angle: float, left: float) -> None:
    lower = corner_of_card(300, 300, angle, 0.9)
    x, y = lower.to_mat(31.5 - left, 44 + 20)
    mask = _one(lower, corner_of_card(x, y, angle))
    assert mask is not None
    assert count_visible_rows(mask, 15, 0, 80, 66) == pytest.approx(
        (20 - CENTRE_CROP_ORIGIN_MM[1]) * CROP_PX_PER_MM - 2, abs=2
    )
    right = round((63 - left - CENTRE_CROP_ORIGIN_MM[0]) * CROP_PX_PER_MM)
    assert mask[:, right + 3 :].max(initial=0) == 0
    assert (
        _one(lower, corner_of_card(300, 301, angle + 180), corner_of_card(x, y, angle)) is None
    )  # it shows as a whole
    assert _one(corner_of_card(x, y, angle), lower) is None
