"""Inks on one table: the rank's colour tells the suit where its mark is hidden, and never more than colour can."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.arrays import Floats, Picture
from vision.assign.hypotheses import Hypothesis
from vision.assign.ink_colour import by_ink_colour
from vision.config import CONFIG
from vision.geometry import CROP_SHAPE
from vision.identify.deck import SEVEN_NAMES, Deck, DeckCard
from vision.identify.embedder import Embeddings

INKS = {"H": (40, 30, 190), "O": (150, 60, 120), "B": (170, 90, 30), "C": (20, 130, 210), "S": (90, 150, 20)}
"""Blue, green, red of five suits; T and F are black."""
BLACK = (40, 40, 40)
_BLANK = np.zeros(CROP_SHAPE, np.uint8)


def crop(name: str) -> Picture:
    picture = np.full(CROP_SHAPE, 228, np.uint8)
    cv2.putText(picture, name[1:], (6, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.7, INKS.get(name[0], BLACK), 2, cv2.LINE_AA)
    return picture


@pytest.fixture(scope="module")
def deck() -> Deck:
    embeddings = Embeddings(*(np.zeros((2 * len(SEVEN_NAMES), n), np.float32) for n in (128, 15, 32)))
    return Deck("made", tuple(DeckCard(name, (crop(name), _BLANK)) for name in SEVEN_NAMES), embeddings, "x")


def seen(suit: str, light: tuple[float, float, float] = (1.0, 1.0, 1.0), turn: float = 0.0) -> Floats:
    """Return how a suit's ink differs from the ground in this light, a direction turned by that many degrees."""
    away = (np.array(INKS.get(suit, BLACK)) / 228 - 1) * light
    away = away / np.linalg.norm(away)
    beside = np.cross(away, (1.0, 0.0, 0.0))
    beside = beside / np.linalg.norm(beside)
    return np.asarray(math.cos(math.radians(turn)) * away + math.sin(math.radians(turn)) * beside, np.float32)


def hypothesis(deck: Deck, corner: int, **chances: float) -> Hypothesis:
    probabilities = np.full(len(deck.names), 1e-6, np.float32)
    for name, value in chances.items():
        probabilities[deck.names.index(name)] = value
    turned = np.zeros(len(deck.names), np.bool_)
    return Hypothesis(
        (corner,), 80.0 * corner, 100.0, 0.0, probabilities / probabilities.sum(), turned, 0.0, 0.9, False
    )


def table(
    deck: Deck,
    others: str,
    doubtful: dict[str, float],
    ink: Floats,
    light: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> dict[str, float]:
    """Return what a card may be, in doubt by all else, among cards of these suits that are surely named."""
    ranks = {suit: iter([name for name in SEVEN_NAMES if name[0] == suit]) for suit in others}
    found = [hypothesis(deck, k, **{next(ranks[suit]): 1.0}) for k, suit in enumerate(others)]
    found.append(hypothesis(deck, len(others), **doubtful))
    ink_colours = np.stack([*(seen(suit, light, (-0.8, 0.8)[k % 2]) for k, suit in enumerate(others)), ink])
    probabilities = by_ink_colour(found, ink_colours, deck)[-1].probabilities
    return {name: float(probabilities[deck.names.index(name)]) for name in doubtful}


MANY = "HHHOOOBBBCCCSSS"


@pytest.mark.few(2)
@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (1.25, 1.0, 0.8)])
@pytest.mark.parametrize("suit", ["O", "B", "S"])
def test_a_rank_s_ink_tells_the_suit_whose_mark_is_hidden(
    deck: Deck, suit: str, light: tuple[float, float, float]
) -> None:
    """In coloured light too: cards on one table are held against each other."""
    doubtful = {"O7": 0.4, "B7": 0.3, "S7": 0.3}
    named = table(deck, MANY, doubtful, seen(suit, light, 1.0), light)
    assert named[suit + "7"] > 0.95


def test_a_suit_of_which_no_other_card_lies_there_is_told_by_what_was_learnt(deck: Deck) -> None:
    named = table(deck, MANY.replace("S", ""), {"S7": 0.5, "B7": 0.5}, seen("S"))
    assert named["S7"] > 0.95


def test_suits_of_one_ink_are_not_told_apart(deck: Deck) -> None:
    named = table(deck, MANY + "TTTFF", {"T8": 0.6, "F8": 0.4}, seen("T", turn=1.5))
    assert named["T8"] == pytest.approx(0.6, abs=1e-3)


@pytest.mark.parametrize("others", ["", "HH", "HOBCS"])
def test_with_few_cards_to_go_by_nothing_is_said(deck: Deck, others: str) -> None:
    assert table(deck, others, {"S7": 0.5, "B7": 0.5}, seen("S"))["S7"] == pytest.approx(0.5, abs=1e-3)


def test_a_card_surely_named_by_all_else_is_doubted_in_another_suit_s_ink(deck: Deck) -> None:
    """One comparison lost wrongly made a ten of time a star, though its figures were purple."""
    assert table(deck, MANY, {"S7": 0.993, "B7": 0.007}, seen("B"))["S7"] < 0.9


def test_no_ink_says_nothing(deck: Deck) -> None:
    named = table(deck, MANY, {"S7": 0.5, "B7": 0.5}, np.zeros(3, np.float32))
    assert named["S7"] == pytest.approx(0.5, abs=1e-3)


@settings(max_examples=60)
@given(
    st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 0.1),
    st.sampled_from(["O7", "B7", "S7", "T8"]),
    st.floats(0.01, 0.99),
)
def test_an_ink_never_weighs_more_than_its_most(
    deck: Deck, ink: tuple[float, float, float], name: str, probabilities: float
) -> None:
    named = table(
        deck,
        MANY,
        {name: probabilities, "C6": 1 - probabilities},
        np.array(ink, np.float32) / np.float32(math.hypot(*ink)),
    )
    moved = math.log(named[name] / named["C6"]) - math.log(probabilities / (1 - probabilities))
    assert abs(moved) < CONFIG.assign.ink_colour.max_odds + 0.01
