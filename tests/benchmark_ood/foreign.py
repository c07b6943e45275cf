"""``python -m tests.benchmark_ood.foreign``: how often a card that was never enrolled is given a name.

Tables of invented decks are painted flat. Each is read with its whole deck, then four times with a deck of which a
quarter of the cards was left out of learning: every card is foreign once.
"""

from __future__ import annotations

import argparse
import random

import cv2
import numpy as np

from device.capture.eye import card_reader
from tests.benchmark_ood import flat, plan
from tests.benchmark_ood.art import DECKS
from tests.benchmark_ood.measure import SHOWN, Tally, Truth, held_against, learn
from vision.arrays import Picture
from vision.identify.deck import BACK, Deck
from vision.identify.embedder import Embeddings
from vision.mat import find_mat

QUARTERS = 4


def without(deck: Deck, kinds: set[str]) -> Deck:
    """The deck as it would be had these cards, papers with both sides, not been learnt."""
    kept = [number for number, name in enumerate(deck.names) if kind_of(name) not in kinds]
    rows = [row for number in kept for row in (2 * number, 2 * number + 1)]
    parts = (getattr(deck.embeddings, part)[rows] for part in ("vectors", "rank", "suit"))
    return Deck(deck.name, tuple(deck.cards[number] for number in kept), Embeddings(*parts), deck.model)


def kind_of(name: str) -> str:
    """A card's name without a paper's side."""
    return name.partition("/")[0]


def taken(painter: flat.Painter, shot: plan.Shot) -> tuple[Picture, Truth]:
    """A shot's photograph and what lies there."""
    rng = np.random.default_rng(shot.seed)
    laid = plan.laid_for(shot, rng)
    written = cv2.imencode(".jpg", flat.take(painter, laid, shot, rng), [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    picture = np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8)
    return picture, {"mat_mm": list(shot.mat_mm), "cards": laid.truth()}


def main() -> None:
    """Paint, read and count."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmark_ood.foreign", description=__doc__)
    parser.add_argument("--decks", type=int, default=len(DECKS), help="so many decks (default %(default)s)")
    parser.add_argument("--tables", type=int, default=3, help="tables of each (default %(default)s)")
    options = parser.parse_args()
    reader, known, foreign, named = card_reader(), Tally(), 0, 0
    for invented in DECKS[: options.decks]:
        painter = flat.Painter(invented)
        shots = [shot for shot in plan.shots() if shot.deck is invented]
        deck, why = learn(reader, invented.name, [taken(painter, shot)[0] for shot in shots if shot.page])
        if deck is None:
            print(f"{invented.name}: not learnt: {why}", flush=True)
            continue
        kinds = sorted({kind_of(name) for name in deck.names} - {BACK})
        random.Random(invented.name).shuffle(kinds)
        for shot in [shot for shot in shots if not shot.page][: options.tables]:
            picture, truth = taken(painter, shot)
            mat = find_mat(picture, shot.mat_mm)
            known.add(held_against(truth, reader.read(picture, mat, deck))[0])
            shown = [kind_of(card["card"]) for card in truth["cards"] if card["visible"] >= SHOWN]
            for quarter in range(QUARTERS):
                gone = set(kinds[quarter::QUARTERS])
                _, entries = held_against(truth, reader.read(picture, mat, without(deck, gone)))
                foreign += sum(kind in gone for kind in shown)
                named += sum("stray" in one and kind_of(one["truth"] or "") in gone for one in entries)
        print(
            f"{invented.name}: read {known.read} of {known.cards}, {known.misread} misread, {known.false} false; "
            f"named {named} of {foreign} never enrolled = {named / max(1, foreign):.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
