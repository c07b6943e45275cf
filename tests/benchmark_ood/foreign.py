"""``python -m tests.benchmark_ood.foreign``: how often a card that was never enrolled is given a name.

Tables of invented decks are painted flat. Each is read with its whole deck, then four times with a deck of which a
quarter of the cards was left out of learning: every card is foreign once.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from referee.table import Sighting
from tests.benchmark_ood import flat, plan
from tests.benchmark_ood.art import DECKS
from tests.benchmark_ood.scene import Laid
from vision.arrays import Picture
from vision.enrol import EnrolError, enrol
from vision.errors import VisionError
from vision.identify.deck import BACK, Deck
from vision.identify.embedder import Embeddings
from vision.mat import find_mat
from vision.reader import Reader

MODELS = Path(__file__).resolve().parents[2] / "models"
QUARTERS = 4
NEAR_MM = 20.0
SHOWN = 0.15
_MOST_STOPS = 0.5


def without(deck: Deck, kinds: set[str]) -> Deck:
    """The deck as it would be had these cards, papers with both sides, not been learnt."""
    kept = [number for number, name in enumerate(deck.names) if name.split("/")[0] not in kinds]
    rows = [row for number in kept for row in (2 * number, 2 * number + 1)]
    parts = (getattr(deck.embeddings, part)[rows] for part in ("vectors", "rank", "suit"))
    return Deck(deck.name, tuple(deck.cards[number] for number in kept), Embeddings(*parts), deck.model)


def taken(painter: flat.Painter, shot: plan.Shot) -> tuple[Picture, Sequence[Laid], Sequence[float]]:
    """A shot's photograph, what lies there, and what share of each card shows."""
    rng = np.random.default_rng([*shot.seed, 5])
    laid = flat.laid_for(shot, rng)
    written = cv2.imencode(".jpg", flat.take(painter, laid, shot, rng), [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    picture = np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8)
    return picture, laid.cards, [float(str(card["visible"])) for card in laid.truth()]


def learnt(reader: Reader, name: str, pages: Sequence[Picture]) -> Deck:
    """The deck as its owner learns it, who says that all lies as it should where that is asked.

    Raises:
        VisionError: it can't be learnt.
    """
    seven, review, complete = pages
    try:
        return enrol(reader, name, seven, review, complete)
    except EnrolError:
        return enrol(reader, name, seven, review, complete, as_laid=True)


def truth_of(sighting: Sighting, cards: Sequence[Laid]) -> str | None:
    """What lies where a card was named: that name if it lies there, else the nearest card's."""
    near = [card for card in cards if math.dist((card.x, card.y), (sighting.x, sighting.y)) < NEAR_MM]
    near.sort(key=lambda card: (card.name != sighting.name, math.dist((card.x, card.y), (sighting.x, sighting.y))))
    return near[0].name if near else None


def main() -> None:
    """Paint, read and count."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmark_ood.foreign", description=__doc__)
    parser.add_argument("--decks", type=int, default=len(DECKS), help="so many decks (default %(default)s)")
    parser.add_argument("--tables", type=int, default=3, help="tables of each (default %(default)s)")
    options = parser.parse_args()
    reader = Reader(MODELS)
    shown = read = misread = foreign = named = 0
    for invented in DECKS[: options.decks]:
        painter = flat.Painter(invented)
        shots = [shot for shot in plan.shots() if shot.deck is invented]
        pages = [taken(painter, shot)[0] for shot in shots if shot.page]
        try:
            deck = learnt(reader, invented.name, pages)
        except VisionError as error:
            print(f"{invented.name}: not learnt: {error}", flush=True)
            continue
        kinds = sorted({name.split("/")[0] for name in deck.names} - {BACK})
        random.Random(invented.name).shuffle(kinds)
        for shot in [shot for shot in shots if not shot.page][: options.tables]:
            stops = min(max(shot.stops, -2 * _MOST_STOPS), _MOST_STOPS)
            picture, cards, visible = taken(painter, replace(shot, stops=stops))
            mat = find_mat(picture, shot.mat_mm)
            there = [card for card, share in zip(cards, visible, strict=True) if share > SHOWN]
            whole = reader.read(picture, mat, deck)
            right = sum(truth_of(one, cards) == one.name for one in whole.sightings)
            shown, read, misread = shown + len(there), read + right, misread + len(whole.sightings) - right
            for quarter in range(QUARTERS):
                gone = set(kinds[quarter::QUARTERS])
                foreign += sum(card.name.split("/")[0] in gone for card in there)
                seen = [truth_of(one, cards) for one in reader.read(picture, mat, without(deck, gone)).sightings]
                named += sum(name is not None and name.split("/")[0] in gone for name in seen)
        print(
            f"{invented.name}: read {read} of {shown}, {misread} misread; named {named} of {foreign} never enrolled"
            f" = {named / max(1, foreign):.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
