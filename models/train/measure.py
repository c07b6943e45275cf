"""Measure the embedder as the reader uses it at first sight, on held-out decks: coverage, misreads, calibration.

Every crop is judged alone, from one corner that the detector saw clearly as what it is, and without the table's help,
so a table does better than these figures.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.decks import NAMES
from models.train.train_embedder import DeckCrops, jitter
from vision.assign.hypotheses import corner_probabilities
from vision.config import CONFIG
from vision.detect.corners import Corner
from vision.identify import similarity
from vision.identify.deck import SEVEN_NAMES, Deck, DeckCard
from vision.identify.embedder import Embedder
from vision.identify.pairwise import PairwiseVerifier
from vision.names import detection_odds


def enrol_shard(shard: DeckCrops, embedder: Embedder) -> Deck:
    """Enrol a held-out deck from its page crops."""
    pages = np.flatnonzero(shard.shown > 1.5)
    cards = []
    for k, name in enumerate(NAMES):
        pair = [
            np.ascontiguousarray(jitter(shard.crops[row], None).astype(np.uint8)) for row in pages[2 * k : 2 * k + 2]
        ]
        cards.append(DeckCard(name, (pair[0], pair[1])))
    embeddings = embedder.embed([s for card in cards for s in card.crops])
    return Deck("held out", tuple(cards), embeddings, "")


def as_found(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Shift and turn a wide crop as the detector errs."""
    h, w = crop.shape[:2]
    m = cv2.getRotationMatrix2D((w / 2, h / 2), rng.normal(0, 1.0), 1)
    m[:, 2] += rng.normal(0, 1.4, 2)
    return cv2.warpAffine(crop, m, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def measure(folder: Path, held_out: list[Path], count: int = 150) -> dict[str, object]:
    """Measure figures of the models in ``folder`` over held-out decks."""
    embedder = Embedder(folder)
    cases = []
    for path in held_out:
        shard = DeckCrops(path)
        deck = enrol_shard(shard, embedder)
        rng = np.random.default_rng(5)
        rows = np.flatnonzero((shard.shown > 0.75) & (shard.shown <= 1.5))
        if not shard.two_ended:
            names = shard.labels[rows] % 100
            rows = rows[(shard.labels[rows] < 100) | (names >= len(SEVEN_NAMES))]
        rows = rng.permutation(rows)[:count]
        wide = [as_found(shard.crops[r], rng) for r in rows]
        embeddings = embedder.embed([np.ascontiguousarray(s[5:-5, 5:-5]) for s in wide])
        truth = shard.labels[rows] % 100
        odds = PairwiseVerifier(deck).verify(wide, similarity.compare(wide, embeddings, deck).odds)
        odds += detection_odds([Corner(0, 0, 0, 1.0, str(deck.kinds[2 * name])) for name in truth], deck)
        cases.append((path.stem, odds, truth))
    sure, right = _judge([(odds, truth) for _, odds, truth in cases])
    curve = [
        {
            "from": lo,
            "strips": int(m.sum()),
            "said": round(float(sure[m].mean()), 3),
            "right": round(float(right[m].mean()), 3),
        }
        for lo, hi in ((0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 1.01))
        if (m := (sure >= lo) & (sure < hi)).any()
    ]
    each = {name: _count_figures(*_judge([(odds, truth)])) for name, odds, truth in cases}
    return {"all": _count_figures(sure, right), "calibration": curve, "decks": each}


def _judge(cases: list[tuple[NDArray[np.float32], NDArray[np.int32]]]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    sure, right = [], []
    for odds, truth in cases:
        p = np.stack([corner_probabilities(row)[0] for row in odds])
        by_name = p[:, 0::2] + p[:, 1::2]
        sure.append(by_name.max(1))
        right.append(by_name.argmax(1) == truth)
    return np.concatenate(sure), np.concatenate(right)


def _count_figures(sure: NDArray[np.float64], right: NDArray[np.bool_]) -> dict[str, float]:
    named = sure >= CONFIG.assign.assignment.min_probability
    return {
        "strips": len(sure),
        "best_right": round(float(right.mean()), 4),
        "named": round(float(named.mean()), 4),
        "misread": round(float((named & ~right).mean()), 4),
    }
