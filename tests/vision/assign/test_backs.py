"""A back whose pattern leads the detector astray is found by its whole face, and none where there is none."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.arrays import Picture
from vision.assign.backs import (
    PATCH_MM,
    Face,
    accept_places,
    find_face_places,
    list_distinct_places,
    list_doubtful_places,
)
from vision.assign.hypotheses import Hypothesis
from vision.config import CONFIG
from vision.detect.corners import Corner, corner_of_card
from vision.geometry import CENTRE_CROP_SHAPE, CROP_BOX_MM, CROP_PX_PER_MM, CROP_SHAPE
from vision.identify.deck import BACK, DeckCard

SCALE = 2.5
CLOTH = (96, 120, 84)


def plaid() -> Picture:
    """Draw the face of a back (220, 158, 3) at 2.5 px per mm: a plaid up to its edges, not the same either way up."""
    face = np.full((220, 158, 3), (110, 60, 80), np.uint8)
    for x in range(4, 158, 24):
        cv2.line(face, (x, 0), (x, 220), (70, 40, 50), 7)
    for k, y in enumerate(range(6, 220, 25)):
        cv2.line(face, (0, y), (158, y), (190, 160, 175), 5)
        cv2.line(face, (0, y + 12), (40 + 10 * k, y + 12), (60, 150, 170), 3)
    return face


def enrolled(face: Picture, centre_crop: bool = True) -> DeckCard:
    """Return the card as enrolment keeps it: both crops, each as seen from its own side, and what is between them."""
    wide = cv2.copyMakeBorder(face, 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=CLOTH)
    x, y = (round(8 + side * CROP_PX_PER_MM) for side in CROP_BOX_MM[:2])
    crops = [
        np.ascontiguousarray(way[y : y + CROP_SHAPE[0], x : x + CROP_SHAPE[1]]) for way in (wide, wide[::-1, ::-1])
    ]
    h, w = CENTRE_CROP_SHAPE[:2]
    top, left = (face.shape[0] - h) // 2, (face.shape[1] - w) // 2
    return DeckCard(BACK, (crops[0], crops[1]), face[top : top + h, left : left + w].copy() if centre_crop else None)


def patch(cards: list[tuple[float, float, float]], face: Picture, noise: float = 5.0, light: float = 0.9) -> Picture:
    """Draw a part of the mat with cards at (x, y mm from its centre, degrees clockwise), the last on top."""
    side = round(PATCH_MM[0] * SCALE)
    picture = np.full((side, side, 3), CLOTH, np.uint8)
    for x, y, angle in cards:
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        px, py = side / 2 + x * SCALE, side / 2 + y * SCALE
        lie = np.array([[c, -s, px - 79 * c + 110 * s], [s, c, py - 79 * s - 110 * c]])
        over = cv2.warpAffine(face, lie, (side, side), flags=cv2.INTER_AREA)
        there = cv2.warpAffine(np.full(face.shape[:2], 255, np.uint8), lie, (side, side), flags=cv2.INTER_NEAREST)
        picture[there > 0] = over[there > 0]
    picture = np.clip(picture * light + np.random.default_rng(4).normal(0, noise, picture.shape), 0, 255).astype(
        np.uint8
    )
    size = round(PATCH_MM[0] * CONFIG.assign.face.px_per_mm)
    return np.asarray(cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


def face_of(card: DeckCard) -> Face:
    face = Face.from_card(card)
    assert face is not None
    return face


PLAID = face_of(enrolled(plaid()))


@settings(max_examples=40)
@given(
    st.floats(-24, 24), st.floats(-24, 24), st.sampled_from([0, 90, 180, 270]), st.floats(-1, 1), st.floats(-180, 180)
)
def test_a_whole_back_is_found_to_a_millimetre_or_two(
    x: float, y: float, quarter: int, off: float, angle: float
) -> None:
    """However the detector was led astray in place and by quarter turns; it is right to a degree but for these.

    ``angle`` is how the patch was cut. The plaid repeats, so it is one of the places told; the crops tell which.
    """
    corners = find_face_places(PLAID, patch([(x, y, quarter + off)], plaid()), (500.0, 400.0), angle)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    there = (500 + x * c - y * s, 400 + x * s + y * c)
    right = [corner for corner in corners if math.dist(corner.centre, there) < 2.0]
    assert [round(corner.angle - angle - quarter) % 360 for corner in right] == [0]
    assert {corner.kind for corner in corners} == {BACK}


def test_nothing_is_found_on_a_bare_mat_a_checked_cloth_or_another_back() -> None:
    assert find_face_places(PLAID, patch([], plaid()), (0.0, 0.0), 0.0) == []
    size = round(PATCH_MM[0] * CONFIG.assign.face.px_per_mm)
    ys, xs = np.mgrid[:size, :size]
    checked = np.where((xs // 16 + ys // 16) % 2, 200, 120).astype(np.uint8)
    assert find_face_places(PLAID, cv2.merge([checked] * 3), (0.0, 0.0), 0.0) == []
    dots = np.full((220, 158, 3), (110, 60, 80), np.uint8)
    for x in range(10, 158, 20):
        for y in range(10, 220, 20):
            cv2.circle(dots, (x, y), 5, (220, 220, 220), -1)
    assert find_face_places(PLAID, patch([(0, 0, 0)], dots), (0.0, 0.0), 0.0) == []


def test_a_back_learnt_without_its_centre_crop_is_not_looked_for() -> None:
    assert Face.from_card(enrolled(plaid(), centre_crop=False)) is None


def hypothesis(x: float, y: float, angle: float, n: int, p_nothing: float = 0.99, score: float = 0.6) -> Hypothesis:
    probabilities = np.full(3, 1 / 3, np.float32)
    return Hypothesis((n,), x, y, angle, probabilities, np.zeros(3, bool), p_nothing, score, False)


def test_places_are_asked_where_corners_are_like_a_back_and_show_nothing() -> None:
    likest, told_the_same = hypothesis(300, 300, 90, 0), hypothesis(310, 305, 181, 1)
    another_angle, elsewhere = hypothesis(305, 300, 96, 2), hypothesis(500, 300, 90, 3)
    shows, faint, no_back = (
        hypothesis(700, 300, 0, 4, 0.1),
        hypothesis(800, 300, 0, 5, score=0.3),
        hypothesis(900, 300, 0, 6),
    )
    found = [elsewhere, told_the_same, likest, another_angle, shows, faint, no_back]
    like = {0: 43.0, 1: 41.0, 2: 39.0, 3: 42.0, 4: 55.0, 5: 40.0}
    assert list_doubtful_places(found, like) == [likest, elsewhere, another_angle]


def test_a_face_is_looked_for_where_but_one_corner_shows_a_little_of_a_back_and_the_other_would_lie_open() -> None:
    probabilities, turned = np.full(4, 0.25, np.float32), np.zeros(4, np.bool_)
    occluded, alone, well = (
        Hypothesis(
            (k,), 300.0, 300.0, 0.0, probabilities, turned, p_nothing, 0.7, whole=False, opposite_empty=opposite_empty
        )
        for k, (opposite_empty, p_nothing) in enumerate(((False, 0.02), (True, 0.02), (True, 1e-5)))
    )
    assert list_doubtful_places([occluded, alone, well], {0: 47.0, 1: 47.0, 2: 55.0}) == [alone]


def fits(*rows: tuple[float, float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Log odds (n, 2, 2) of cards that lie as enrolled, by what their upper and lower corners show."""
    return np.array([[[upper, 20.0], [20.0, lower]] for upper, lower in rows], np.float32)


def at(x: float, angle: float = 0.0) -> Corner:
    return corner_of_card(x, 300.0, angle, 0.6, BACK)


def test_of_a_pattern_s_repeats_the_place_is_believed_where_both_corners_show_best() -> None:
    assert accept_places([at(310), at(300), at(290)], fits((55, 46), (55.6, 54.8), (42, 54)), []) == [1]


def test_a_place_where_the_corners_show_nothing_is_not_believed() -> None:
    assert (
        accept_places(
            [at(300)],
            fits((CONFIG.identify.similarity.nothing_odds - 1, CONFIG.identify.similarity.nothing_odds - 2)),
            [],
        )
        == []
    )


@pytest.mark.parametrize(
    ("further", "shown", "believes"), [(26, 54, True), (26, 47, False), (16, 54, False), (70, 47, True)]
)
def test_a_second_back_over_one_that_is_known_has_to_show_surely(further: float, shown: float, believes: bool) -> None:
    assert accept_places([at(300 + further)], fits((shown, shown)), [at(300, 180.0)]) == [0] * believes


def test_one_place_found_twice_is_one() -> None:
    assert list_distinct_places([at(300), at(301.5, 4.0), at(308), at(300, 180.0)]) == [
        at(300),
        at(308),
        at(300, 180.0),
    ]
