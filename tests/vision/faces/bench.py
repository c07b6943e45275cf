"""How cards are read by their whole faces, on rendered tables of three invented arts and of the printed set.

    python -m tests.vision.faces.bench [--arts printed,banner] [--tables 6] [--slop 2,1.5,1.5]

Each deck is learnt from its pages as ``sevenmat enrol`` learns it. Faces that may be printed alike count as one.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Sequence

from device.capture.eye import card_reader
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.table import Sighting
from tests.vision.faces.art import ARTS
from tests.vision.faces.tables import LENSES, PILES, Slop, camera, page, table, visible
from vision.enrol import enrol_pages
from vision.identify.deck import Deck
from vision.mat import find_mat
from vision.reader import Reader

NEAR_MM = 20.0
LEAST_SHOWN = 0.15


def deck_of(art: str, reader: Reader) -> Deck:
    """A deck of an art, learnt from its four pages."""
    above, rng = camera(art, 7), random.Random(art)
    pictures = {}
    for name in ("age1", "age2", "age3", "guilds"):
        above.show(page(name, rng))
        pictures[name] = above.picture()
    return enrol_pages(reader, art, pictures, REFERENCE_MAT_MM)


def compared(lying: list[Placed], seen: Sequence[Sighting]) -> tuple[list[str], list[str], list[str], int]:
    """Cards missed, misread and seen where none lies, and how many had to be read; covered cards of piles aside."""
    cards = [(card, visible(lying, k)) for k, card in enumerate(lying) if not card.name.startswith("board")]
    wanted = [
        card
        for card, shown in cards
        if shown >= LEAST_SHOWN
        and not (shown < 0.9 and any(math.dist((card.x, card.y), pile) < 30 for pile in PILES.values()))
    ]
    left = list(seen)
    missed = []
    for card in wanted:
        near = [one for one in left if _one(one.name) == _one(card.name) and _apart(one, card) < NEAR_MM]
        if near:
            left.remove(min(near, key=lambda one: _apart(one, card)))
        else:
            missed.append(card.name)
    on_a_card = [any(_apart(one, card) < NEAR_MM for card, _ in cards) for one in left]
    misread = [one.name for one, lies in zip(left, on_a_card, strict=True) if lies]
    false = [one.name for one, lies in zip(left, on_a_card, strict=True) if not lies]
    return missed, misread, false, len(wanted)


def _one(name: str) -> str:
    return name.removesuffix("_2")


def _apart(one: Sighting, card: Placed) -> float:
    return math.dist((one.x, one.y), (card.x, card.y))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arts", default=",".join(ARTS))
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--slop", default="2,1.5,1.5", help="mm and degrees of a card, degrees of a column")
    chosen = parser.parse_args()
    reader, slop = card_reader(), Slop(*map(float, chosen.slop.split(",")))
    for art in chosen.arts.split(","):
        deck = deck_of(art, reader)
        cameras = [camera(art, 1, lens) for lens in LENSES]
        total = read = wrong = false = unread = 0
        began = time.process_time()
        for number in range(chosen.tables):
            above = cameras[number % len(cameras)]
            lying = table(3 + number % 3, random.Random(number), slop)
            above.show(lying)
            picture = above.picture()
            seen = reader.read(picture, find_mat(picture, REFERENCE_MAT_MM), deck)
            missed, misread, stray, wanted = compared(lying, seen.sightings)
            total, read, wrong, false = (
                total + wanted,
                read + wanted - len(missed),
                wrong + len(misread),
                false + len(stray),
            )
            unread += len(seen.unread)
        spent = (time.process_time() - began) / chosen.tables
        print(f"{art:10} read {read}/{total}, misread {wrong}, false {false}, unread {unread}, {spent:.1f} s a table")


if __name__ == "__main__":
    main()
