"""Templates are compared of the likeliest embeddings, and of either of two corners that look the same."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.identify.deck import PAPER_KINDS, SEVEN_NAMES, Deck, DeckCard
from vision.identify.embedder import Embeddings
from vision.identify.similarity import compare

NAMES = SEVEN_NAMES[:8]


def crop(name: str) -> Picture:
    picture = np.full((56, 160, 3), 228, np.uint8)
    cv2.putText(picture, name, (6, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 30, 150), 2, cv2.LINE_AA)
    return picture


def embeddings(embedding: Floats) -> Embeddings:
    n = len(embedding)
    return Embeddings(embedding, np.zeros((n, 15), np.float32), np.zeros((n, 32), np.float32))


def unit(*parts: tuple[int, float]) -> Floats:
    vector = np.zeros(128, np.float32)
    for place, value in parts:
        vector[place] = value
    return vector / np.linalg.norm(vector)


@pytest.fixture
def deck() -> Deck:
    """Eight cards, alike from both corners; for the embedder all have something in common."""
    rows = [unit((0, 1.0), (1 + k, 0.75)) for k in range(len(NAMES)) for _ in (0, 1)]
    return Deck("made", tuple(DeckCard(n, (crop(n), crop(n))) for n in NAMES), embeddings(np.stack(rows)), "x")


def wide(name: str) -> Picture:
    return np.asarray(cv2.copyMakeBorder(crop(name), 5, 5, 5, 5, cv2.BORDER_REPLICATE), np.uint8)


def test_the_card_itself_is_the_likest(deck: Deck) -> None:
    for k, name in enumerate(NAMES):
        odds = compare([wide(name)], embeddings(deck.embeddings.vectors[2 * k : 2 * k + 1]), deck).odds[0]
        assert odds.argmax() // 2 == k


def test_either_of_two_corners_that_look_the_same_is_as_likely(deck: Deck) -> None:
    """With room for one candidate only, its twin is not held to be printed otherwise."""
    (odds,) = compare([wide(NAMES[2])], embeddings(deck.embeddings.vectors[4:5]), deck, candidates=1).odds
    assert odds[4] == pytest.approx(odds[5], abs=1e-3)
    assert odds[4] > np.delete(odds, [4, 5]).max() + CONFIG.identify.similarity.template_weight / 2


def test_the_two_corners_of_a_paper_are_held_apart(deck: Deck) -> None:
    rows = deck.embeddings.vectors.copy()
    rows[5] = unit((60, 1.0))
    (odds,) = compare(
        [wide(NAMES[2])], embeddings(rows[4:5]), Deck("made", deck.cards, embeddings(rows), "x"), candidates=1
    ).odds
    assert odds[4] > odds[5] + CONFIG.identify.similarity.embedding_weight / 2


def test_the_ground_is_looked_at_only_as_far_as_it_shows(deck: Deck) -> None:
    """A card of another colour that covers all but the top of a crop does not lend it its colour."""
    blue = [np.full((56, 160, 3), (200, 90, 60), np.uint8)] * 2
    both = Deck(
        "two", (deck.cards[0], DeckCard("HK", (blue[0], blue[1]))), embeddings(deck.embeddings.vectors[:4]), "x"
    )
    seen = wide(NAMES[0])
    seen[25:] = (200, 90, 60)
    mask = np.zeros(seen.shape[:2], np.uint8)
    mask[25:] = 255
    own = embeddings(deck.embeddings.vectors[:1])
    masked, unmasked = (compare([seen], own, both, occluded=[m]).odds[0] for m in (mask, None))
    assert masked[0] - masked[2] > unmasked[0] - unmasked[2] + 3
    mask[:, 100:] = 255
    mask[:, :100] = 0
    assert compare([wide(NAMES[0])], own, both, occluded=[mask]).odds[0, 0] == pytest.approx(
        compare([wide(NAMES[0])], own, both).odds[0, 0], abs=3
    )


def test_a_paper_s_title_is_compared_though_the_embedder_takes_it_for_another() -> None:
    """Papers in one frame: the embedder puts others before the right one, but its title is there to be read."""
    kinds = [f"{kind}/review" for kind in PAPER_KINDS]
    rows = np.stack([unit((0, 1.0), (1 + k // 2, 0.5), (40 + k, 0.2)) for k in range(2 * len(kinds))])
    papers = tuple(DeckCard(kind, (crop(kind[:9]), crop(""))) for kind in kinds)
    deck = Deck("papers", papers, embeddings(rows), "x")
    right = 7
    seen = embeddings(unit((0, 1.0), (1 + right, 0.1), (9, 0.35))[None])
    order = np.argsort(-(seen.vectors @ rows.T)[0]).tolist()
    assert order.index(2 * right) > 1
    (odds,) = compare([wide(kinds[right][:9])], seen, deck, candidates=2).odds
    assert odds.argmax() == 2 * right


def test_where_embeddings_crowd_the_template_that_fits_is_compared(deck: Deck) -> None:
    """To the embedder all cards of this deck are as good as one; the right one is last in its list."""
    rows = np.stack([unit((0, 1.0), (1 + k // 2, 0.01)) for k in range(2 * len(NAMES))])
    crowd = Deck("crowd", deck.cards, embeddings(rows), "x")
    seen = embeddings(unit((0, 1.0), *((1 + k, 0.02) for k in range(7)))[None])
    assert (seen.vectors @ rows.T)[0].argmin() // 2 == 7
    (odds,) = compare([wide(NAMES[7])], seen, crowd, candidates=2).odds
    assert odds.argmax() // 2 == 7


def test_a_template_that_was_not_compared_counts_as_the_worst_compared_one(deck: Deck) -> None:
    """Nothing is held against a card but what was seen of it."""
    rows = np.stack([unit((0, 1.0), (1 + k // 2, 0.55), (20 + k, 0.01 * k)) for k in range(2 * len(NAMES))])
    near = rows[4] @ rows.T
    (odds,) = compare(
        [wide(NAMES[2])], embeddings(rows[4:5]), Deck("made", deck.cards, embeddings(rows), "x"), candidates=5
    ).odds
    rest = odds - CONFIG.identify.similarity.embedding_weight * near
    compared = {int(m) // 2 for m in np.argsort(-near)[:5]}
    others = [m for m in range(len(odds)) if m // 2 not in compared]
    worst = min(rest[m] for m in range(len(odds)) if m // 2 in compared)
    assert worst > CONFIG.identify.similarity.min_correlation * CONFIG.identify.similarity.template_weight
    assert rest[others] == pytest.approx([worst] * len(others), abs=1e-3)


@pytest.mark.parametrize(("like", "unlikely", "compared"), [(0.8, True, False), (0.8, False, True), (0.9, True, True)])
def test_what_is_likely_no_corner_is_compared_only_where_it_looks_like_one(
    deck: Deck, like: float, unlikely: bool, compared: bool
) -> None:
    """Of what the detector hardly sees, or what may lie opposite a corner, most is the mat."""
    own = deck.embeddings.vectors[:1]
    (row,) = like * own + math.sqrt(1 - like**2) * unit((100, 1.0))
    seen = embeddings(np.stack([own[0], row]))
    odds = compare([wide(NAMES[0])] * 2, seen, deck, unlikely=[False, unlikely]).odds
    assert odds[0].argmax() // 2 == 0
    assert (
        odds[1].max()
        > CONFIG.identify.similarity.embedding_weight * like + CONFIG.identify.similarity.template_weight / 2
    ) == compared
    assert (
        odds[1].max()
        < CONFIG.identify.similarity.embedding_weight * like + CONFIG.identify.similarity.template_weight + 1
    )
