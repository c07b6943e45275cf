"""Which cards that can't be named are told as seen: not the print of mats and cards."""

from __future__ import annotations

import numpy as np
import pytest

from referee.table import Sighting, Unread
from tests.vision.assign.test_assignment import COPIES, DECK, NAMES
from vision.assign.assignment import assign
from vision.assign.hypotheses import Hypothesis


def card(
    x: float, y: float, score: float, p_nothing: float, name: str = "", corners: tuple[int, ...] = (0,)
) -> Hypothesis:
    """Return a card surely of this name, or of any."""
    probabilities = np.full(len(NAMES), 1e-5 if name else 1 / len(NAMES), np.float32)
    if name:
        probabilities[NAMES.index(name)] = 1
    turned = np.zeros(len(NAMES), np.bool_)
    return Hypothesis(corners, x, y, 0.0, probabilities, turned, p_nothing, score, len(corners) > 1)


def told(*found: Hypothesis, cause: str = "covered") -> tuple[list[Sighting], list[Unread]]:
    return assign(found, DECK, COPIES, lambda k: cause)


@pytest.mark.parametrize(
    ("score", "p_nothing", "corners", "marks"),
    [
        (0.6, 0.1, (0,), 0),
        (0.8, 0.1, (0,), 1),
        (0.6, 0.01, (0,), 1),
        (0.6, 0.1, (0, 1), 1),
        (0.1, 0.1, (0, 1), 0),
    ],
)
def test_a_frame_printed_on_the_mat_is_no_card(
    score: float, p_nothing: float, corners: tuple[int, ...], marks: int
) -> None:
    """Where its lines meet the detector saw a corner, and the bare ground beside is a little like a paper's."""
    assert len(told(card(300, 300, score, p_nothing, corners=corners))[1]) == marks


@pytest.mark.parametrize("below", ["H4", ""])
def test_a_covered_card_whose_corner_lies_on_another_is_told(below: str) -> None:
    """In a hand laid open many a corner shows half of its index, on the card to its left."""
    sightings, unread = told(card(300, 300, 0.9, 1e-6, below), card(312, 301, 0.6, 0.3))
    assert [s.name for s in sightings] == [below] * bool(below)
    assert [round(u.x) for u in unread] == [300] * (not below) + [312]


@pytest.mark.parametrize(("score", "marks"), [(0.7, 1), (0.5, 0)])
def test_a_card_that_peeks_out_from_below_another_is_told_where_it_is_clearer(score: float, marks: int) -> None:
    """Beside a card lie lines of the mat too, and make corners, but poorer ones."""
    assert len(told(card(300, 300, 0.9, 1e-6, "HA", (0, 1)), card(280, 290, score, 0.4))[1]) == marks


def test_a_card_s_suit_mark_taken_for_a_corner_is_told_of_none() -> None:
    sightings, unread = told(card(300, 300, 0.9, 1e-6, "B9"), card(300, 310, 0.25, 0.2))
    assert ([s.name for s in sightings], unread) == (["B9"], [])


@pytest.mark.parametrize(("name", "marks"), [("H4", 0), ("", 1)])
def test_where_cards_are_plain_no_other_is_out_of_focus(name: str, marks: int) -> None:
    """Bare cloth has no steep edges either."""
    _, unread = told(card(300, 300, 0.9, 1e-6 if name else 0.1, name), card(500, 300, 0.7, 0.6), cause="blurred")
    assert sum(u.x > 400 for u in unread) == marks
