"""A whole card's centre crop settles what its corners leave in doubt, and says nothing where it shows neither."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.arrays import Picture
from vision.assign.centre_crop import (
    WIDE_CENTRE_CROP,
    find_cards_in_doubt,
    narrow_centre_crop,
    normalised_centre_crop,
    odds_between,
    odds_by_centre_crop,
    shows_enough,
    with_odds,
)
from vision.assign.hypotheses import Hypothesis
from vision.config import CONFIG
from vision.geometry import CENTRE_CROP_SHAPE, CROP_SHAPE
from vision.identify.deck import Deck, DeckCard
from vision.identify.embedder import Embeddings

NAMES = ("H6", "S6", "H8", "S8", "H9")
CLEARLY = 5.0
_BLANK = np.zeros(CROP_SHAPE, np.uint8)


def centre_crop(name: str, grain: int = 0) -> Picture:
    """Draw an enrolled centre crop (120, 136, 3): a common frame, a big number, and a mark in its suit's colour."""
    picture = np.full(CENTRE_CROP_SHAPE, 225, np.uint8)
    cv2.rectangle(picture, (6, -5), (130, 125), (150, 120, 90), 2)
    cv2.putText(picture, name[1], (52, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (50, 50, 50), 4, cv2.LINE_AA)
    if name[0] == "H":
        cv2.circle(picture, (68, 92), 12, (60, 60, 190), -1, cv2.LINE_AA)
    else:
        cv2.rectangle(picture, (58, 82), (78, 102), (190, 90, 50), -1)
    noise = np.random.default_rng(grain).normal(0, 3, CENTRE_CROP_SHAPE)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


MIDDLES = {k: [normalised_centre_crop(centre_crop(name, k))] for k, name in enumerate(NAMES)}


def deck_of(centre_crops: dict[str, Picture | None], two_ended: bool = False) -> Deck:
    """Return a deck with these centre crops; its cards look alike from both corners if ``two_ended``."""
    rows = np.eye(2 * len(centre_crops), 128, dtype=np.float32)
    if two_ended:
        rows = np.repeat(rows[: len(centre_crops)], 2, axis=0)
    embeddings = Embeddings(rows, np.zeros((len(rows), 15), np.float32), np.zeros((len(rows), 32), np.float32))
    return Deck(
        "centre crops", tuple(DeckCard(n, (_BLANK, _BLANK), f) for n, f in centre_crops.items()), embeddings, "x"
    )


DECK = deck_of({name: centre_crop(name, k) for k, name in enumerate(NAMES)})


def hypothesis(*probabilities: float, upside_down: bool = False, p_nothing: float = 0.01) -> Hypothesis:
    chances = np.array(probabilities, np.float32) / np.float32(sum(probabilities))
    turned = np.full(len(probabilities), upside_down)
    return Hypothesis((0, 1), 300.0, 300.0, 0.0, chances, turned, p_nothing, 0.9, True)


def with_middle(own: Hypothesis, deck: Deck, names: list[int], wide: Picture) -> Hypothesis:
    """Return the hypothesis once its centre crop was compared."""
    return with_odds(own, odds_by_centre_crop(own, deck, names, wide))


def seen(
    name: str, shift: tuple[int, int] = (0, 0), light: float = 1.0, blur: float = 0.0, noise: float = 4.0
) -> Picture:
    """Return a card's centre crop as cut on a table, with its margin (130, 146, 3)."""
    m = CONFIG.assign.centre_crop.margin_px
    wide = np.roll(cv2.copyMakeBorder(centre_crop(name, 77), m, m, m, m, cv2.BORDER_REPLICATE), shift, (0, 1))
    soft = cv2.GaussianBlur(wide, (0, 0), blur) if blur else wide
    grain = np.random.default_rng(5).normal(0, noise, (*WIDE_CENTRE_CROP.size_px[::-1], 3))
    return np.clip(soft.astype(np.float32) * light + grain, 0, 255).astype(np.uint8)


@settings(max_examples=25)
@given(
    st.sampled_from(NAMES),
    st.integers(-4, 4),
    st.integers(-4, 4),
    st.floats(0.7, 1.1),
    st.floats(0.0, 2.5),
    st.permutations(range(len(NAMES))),
)
def test_the_face_that_shows_is_ahead_of_all_others(
    name: str, right: int, down: int, light: float, blur: float, order: list[int]
) -> None:
    odds = odds_between(normalised_centre_crop(seen(name, (down, right), light, blur)), {k: MIDDLES[k] for k in order})
    own = odds.pop(NAMES.index(name))
    assert own - max(odds.values()) > (CLEARLY if blur < 1.5 else 2.0)


def test_a_face_says_no_more_than_its_weight() -> None:
    odds = odds_between(normalised_centre_crop(seen("S8")), MIDDLES)
    assert odds.pop(3) == 0.0
    assert all(-CONFIG.assign.centre_crop.weight <= value < 0 for value in odds.values())


def test_faces_that_are_the_same_leave_the_doubt_as_it_was() -> None:
    alike = {k: [normalised_centre_crop(centre_crop("H6", k))] for k in range(3)}
    assert set(odds_between(normalised_centre_crop(seen("H6")), alike).values()) == {0.0}


def test_what_is_neither_decides_nothing() -> None:
    """A hand, or a card that was not found, lies over the centre."""
    over = np.random.default_rng(9).integers(0, 255, (8, 8, 3), np.uint8)
    strange = cv2.resize(over, WIDE_CENTRE_CROP.size_px, interpolation=cv2.INTER_CUBIC)
    assert set(odds_between(normalised_centre_crop(strange), MIDDLES).values()) == {0.0}


def test_only_what_no_other_card_hides_is_compared() -> None:
    picture, two = seen("S8"), {0: MIDDLES[0], 1: MIDDLES[1]}
    hidden = np.zeros(WIDE_CENTRE_CROP.size_px[::-1], bool)
    hidden[:78] = True
    picture[:78] = 255 - picture[:78]
    right = picture.copy()
    right[:78] = seen("S8")[:78]
    assert odds_between(normalised_centre_crop(right), two, ~hidden)[0] < -CLEARLY  # the suits lie below, and show
    hidden[:] = True
    assert set(odds_between(normalised_centre_crop(right), two, ~hidden).values()) == {0.0}


def test_a_doubt_is_settled_and_a_card_upside_down_is_no_other() -> None:
    cached = with_middle(hypothesis(0.5, 0.4, 0.05, 0.05, 1e-6), DECK, [0, 1, 2, 3], seen("S6"))
    assert cached.probabilities.argmax() == 1
    assert cached.probabilities[1] > 0.95
    assert cached.probabilities.sum() == pytest.approx(1)
    turned = np.ascontiguousarray(seen("H9")[::-1, ::-1])
    upside = with_middle(hypothesis(0.5, 1e-6, 1e-6, 1e-6, 0.4, upside_down=True), DECK, [0, 4], turned)
    assert upside.probabilities.argmax() == 4
    assert upside.probabilities[4] > 0.95


def test_a_card_alike_at_both_corners_may_lie_either_way() -> None:
    deck = deck_of({name: centre_crop(name, k) for k, name in enumerate(NAMES)}, two_ended=True)
    for way in (seen("S8"), np.ascontiguousarray(seen("S8")[::-1, ::-1])):
        assert with_middle(hypothesis(0.05, 0.05, 0.5, 0.4, 1e-6), deck, [2, 3], way).probabilities.argmax() == 3


def test_only_cards_in_doubt_are_asked() -> None:
    sure, doubt = hypothesis(1e-6, 0.9999, 1e-6, 1e-6, 1e-6), hypothesis(0.6, 1e-7, 0.4, 1e-7, 1e-7)
    assert find_cards_in_doubt([sure, doubt], DECK) == {1: [0, 2]}
    assert find_cards_in_doubt([replace(doubt, p_nothing=0.9)], DECK) == {}
    assert find_cards_in_doubt([replace(doubt, corners=(0,))], DECK) == {}  # under a card in a column


def test_two_cards_that_both_look_like_one_are_asked_however_sure() -> None:
    twins = [hypothesis(1e-4, 0.9995, 1e-6, 1e-4, 1e-6), hypothesis(1e-6, 0.9995, 1e-4, 1e-4, 1e-6)]
    assert set(find_cards_in_doubt(twins, DECK)) == {0, 1}
    papers = deck_of({name: centre_crop("H6") for name in ("three/review", "five/review", "back", "H3", "H4")})
    assert find_cards_in_doubt(twins, papers) == {}  # of papers there are several


def test_a_deck_that_an_earlier_version_learnt_is_read_by_its_corners_alone() -> None:
    old = deck_of(dict.fromkeys(NAMES))
    assert find_cards_in_doubt([hypothesis(0.6, 0.4, 1e-6, 1e-6, 1e-6)], old) == {}
    taught = deck_of({"H6": centre_crop("H6"), "S6": None, "H8": centre_crop("H8"), "S8": None, "H9": None})
    assert find_cards_in_doubt([hypothesis(0.5, 0.3, 0.2, 1e-6, 1e-6)], taught) == {0: [0, 2]}


def test_the_face_is_cut_out_of_its_margin() -> None:
    wide = seen("H6")
    np.testing.assert_array_equal(narrow_centre_crop(wide), wide[5:125, 5:141])


def test_a_centre_crop_that_other_cards_mostly_hide_is_not_looked_at() -> None:
    hidden = np.zeros(WIDE_CENTRE_CROP.size_px[::-1], np.uint8)
    assert shows_enough(None)
    assert shows_enough(hidden)
    hidden[40:] = 255
    assert not shows_enough(hidden)


def test_a_doubt_between_many_is_asked_of_many() -> None:
    names = [f"{suit}{rank}" for suit in "HOB" for rank in range(2, 9)]
    deck = deck_of({name: centre_crop("H6") for name in names})
    spread = hypothesis(*[1.0] * len(names))
    assert len(find_cards_in_doubt([spread], deck)[0]) == 16
    assert len(find_cards_in_doubt([hypothesis(0.5, 0.499, *[1e-4] * 19)], deck)[0]) == 4
