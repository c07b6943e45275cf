"""Corners that the detector missed in tight fans."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from vision.detect.corners import Corner, corner_of_card
from vision.detect.fans import find_missed_in_fans
from vision.detect.suppression import list_unsuppressed, suppress_non_maxima


def fan(step: float, turn: float, cards: int, angle: float = 0.0) -> list[Corner]:
    """Return the index corners of a fan, each card on the one to its left."""
    x, y, hand = 300.0, 300.0, []
    for _ in range(cards):
        hand.append(corner_of_card(x, y, angle, 0.9))
        way = math.radians(angle + turn / 2)
        x, y, angle = x + step * math.cos(way), y + step * math.sin(way), angle + turn
    return hand


def found_near(corner: Corner, places: list[Corner]) -> bool:
    return any(
        math.dist((corner.x, corner.y), (place.x, place.y)) < 2.5 and abs(corner.angle - place.angle) < 3
        for place in places
    )


@pytest.mark.parametrize("angle", [0.0, 180.0, 200.0])
@pytest.mark.parametrize(("step", "turn"), [(10.0, 0.0), (12.0, 6.0), (16.0, 2.0)])
def test_where_a_fan_has_a_gap_a_card_is_looked_for(step: float, turn: float, angle: float) -> None:
    hand = fan(step, turn, 5, angle)
    seen = [hand[0], hand[1], replace(hand[3], kind="paper"), hand[4]]
    places = find_missed_in_fans(seen)
    assert found_near(hand[2], places)
    assert all(place.suppressed and place.kind == "seven" and not place.score for place in places)


def test_where_cards_lie_apart_or_below_each_other_or_none_is_missed_nothing_is_looked_for() -> None:
    assert find_missed_in_fans(fan(11.0, 3.0, 5)) == []
    assert find_missed_in_fans(fan(70.0, 0.0, 4)) == []
    assert find_missed_in_fans([corner_of_card(300, 300 + 25 * k, 0) for k in range(4)]) == []
    assert find_missed_in_fans([corner_of_card(300 + 24 * k, 300, 0, kind="back") for k in range(4)]) == []


def test_places_looked_at_are_found_anew_with_every_suppression() -> None:
    hand = fan(12.0, 4.0, 4)
    once = suppress_non_maxima([hand[0], hand[1], hand[3]])
    assert found_near(hand[2], once)
    assert list_unsuppressed(once) == [hand[0], hand[1], hand[3]]
    assert suppress_non_maxima(once) == once
    assert list_unsuppressed(suppress_non_maxima([*once, hand[2]])) == hand[:2] + hand[3:] + [hand[2]]
