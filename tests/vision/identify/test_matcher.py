"""What the matcher makes of a card that the open-set verification leaves in doubt, and of every back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from device.capture.eye import card_reader
from vision.arrays import Picture
from vision.config import CONFIG
from vision.geometry import CROP_SHAPE
from vision.identify.matcher import Matcher

MATCHER = CONFIG.identify.matcher
HEIGHT, WIDTH = CROP_SHAPE[:2]
CLOTH, RIM = (96, 120, 84), (235, 235, 235)


def end_of(print_of: Picture, rim: tuple[int, int, int] = RIM) -> Picture:
    """Draw the end of a card with a rim on cloth, as a crop; 2.5 px a mm."""
    crop = np.full(CROP_SHAPE, CLOTH, np.uint8)
    crop[3:, 2:-2] = rim
    crop[13:, 12:-12] = print_of[13:, 12:-12]
    return crop


def lattice(ink: tuple[int, int, int] = (225, 225, 225)) -> Picture:
    crop = np.full(CROP_SHAPE, (110, 60, 50), np.uint8)
    for x in range(-WIDTH, 2 * WIDTH, 12):
        cv2.line(crop, (x, 0), (x + HEIGHT, HEIGHT), ink, 2)
        cv2.line(crop, (x, 0), (x - HEIGHT, HEIGHT), ink, 2)
    return crop


def picture_card() -> Picture:
    """Draw what lies face up in the same rim, of the same colours."""
    crop = np.full(CROP_SHAPE, (110, 60, 50), np.uint8)
    cv2.circle(crop, (80, 40), 22, (40, 160, 220), -1)
    cv2.putText(crop, "VIII", (18, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (225, 225, 225), 2)
    return crop


def seen(crop: Picture, turned: float = 2.0, light: float = 0.8) -> Picture:
    """Return a crop as a camera sees it a little askew, in less light, with noise."""
    lie = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), turned, 1.0)
    askew = cv2.warpAffine(crop, lie, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
    return np.clip(askew * light + np.random.default_rng(3).normal(0, 4, CROP_SHAPE), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return card_reader().matcher


def test_a_back_is_one_by_its_print_and_not_by_its_rim(matcher: Matcher) -> None:
    back = end_of(lattice())
    assert matcher.judge_card("back", 1.0, [seen(back)], [None], (back, back), False) < 1
    for other in (picture_card(), np.full(CROP_SHAPE, (110, 60, 50), np.uint8)):
        assert matcher.judge_card("back", 1.0, [seen(end_of(other))], [None], (back, back), False) >= 1


def test_a_plain_back_is_known_by_its_rim_and_colour(matcher: Matcher) -> None:
    plain = end_of(np.full(CROP_SHAPE, (120, 50, 40), np.uint8))
    assert matcher.judge_card("back", 1.0, [seen(plain)], [None], (plain, plain), False) < 1
    assert matcher.judge_card("back", 1.0, [seen(end_of(picture_card()))], [None], (plain, plain), False) >= 1


def test_a_back_under_the_next_of_a_fan_that_nobody_found_keeps_its_name(matcher: Matcher) -> None:
    back = end_of(lattice())
    fan = seen(back)
    over = cv2.warpAffine(back, np.array([[0.8, -0.6, 95.0], [0.6, 0.8, -20.0]]), (WIDTH, HEIGHT), dst=fan.copy(),
                          borderMode=cv2.BORDER_TRANSPARENT)  # fmt: skip
    assert matcher.judge_card("back", 1.0, [np.asarray(over, np.uint8)], [None], (back, back), False) < 1


@pytest.mark.parametrize(
    ("kind", "left", "odds", "foreign"),
    [
        ("seven", 3.0, MATCHER.sure_odds + 0.1, False),
        ("seven", 3.0, MATCHER.sure_odds - 0.1, True),
        ("seven", 0.99, MATCHER.near_odds - 0.2, True),
        ("seven", MATCHER.asked_from, MATCHER.near_odds - 0.2, False),
        ("seven", MATCHER.asked_from, MATCHER.never_odds - 0.2, True),
        ("paper", 2.0, MATCHER.sure_odds - 0.1, True),
        ("back", 1.0, MATCHER.back_odds + 0.1, False),
        ("back", 1.0, MATCHER.back_odds - 0.1, True),
    ],
)
def test_the_more_is_left_unexplained_the_surer_the_matcher_must_be(
    monkeypatch: pytest.MonkeyPatch, matcher: Matcher, kind: str, left: float, odds: float, foreign: bool
) -> None:
    monkeypatch.setattr(Matcher, "compute_best_odds", lambda *_: odds)
    crop = end_of(lattice())
    assert (matcher.judge_card(kind, left, [crop], [None], (crop, crop), False) >= 1) is foreign
