"""The colours of the screens: told apart by everybody, and read by everybody."""

from __future__ import annotations

from itertools import combinations

import pytest

from rules.cards import Suit
from tests.ui.colour_vision import VISIONS, ciede2000, seen
from ui.parts.card_tiles import FACE, _darken
from ui.parts.suits import COLOURS
from ui.parts.theme import BANDS, DARK, LIGHT, Theme, compute_contrast, ink_on
from ui.screen_state import Mood


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
        ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_distance_is_that_of_the_published_pairs(
    one: tuple[float, float, float], other: tuple[float, float, float], distance: float
) -> None:
    assert ciede2000(one, other) == pytest.approx(distance, abs=1e-4)
    assert ciede2000(other, one) == pytest.approx(distance, abs=1e-4)


def test_red_and_green_that_only_differ_in_hue_are_alike_to_who_lacks_the_cones() -> None:
    red, green = (200, 60, 60), (125, 105, 55)
    assert ciede2000(seen(red, "usual"), seen(green, "usual")) > 25
    assert ciede2000(seen(red, "deuteranopia"), seen(green, "deuteranopia")) < 10


@pytest.mark.parametrize("vision", VISIONS)
def test_the_five_verdicts_are_told_apart(vision: str) -> None:
    verdicts = (Mood.ACCEPTED, Mood.REFUSED, Mood.QUESTION, Mood.CANT_SEE, Mood.OUT_OF_STEP)
    for one, other in combinations(verdicts, 2):
        assert ciede2000(seen(BANDS[one], vision), seen(BANDS[other], vision)) >= 20, (one, other)


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_letters_stand_out_from_every_ground(theme: Theme) -> None:
    for ground in (theme.ground, theme.panel, theme.raised):
        for letters in (theme.ink, theme.dim, theme.gold):
            assert compute_contrast(letters, ground) >= 4.5, (letters, ground)
    for mood, ground in BANDS.items():
        assert compute_contrast(ink_on(ground), ground) >= 4.5, mood


def test_ranks_stand_out_from_their_cards() -> None:
    for suit in Suit:
        assert compute_contrast(_darken(COLOURS[suit]), FACE) >= 4.5
