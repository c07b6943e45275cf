"""How cards are read by their whole faces, on rendered tables of six invented arts and of the printed set.

    python -m tests.vision.faces.bench [--arts printed,banner] [--tables 6] [--slop 2,1.5,1.5] [--finished]
        [--deck FILE] [--mats felt,brown,green,black]

With ``--deck`` the faces of a deck that was learnt are painted and read again. It ends with how far findings that are
right, and such that are not, show and how sure they are: what evidence must reach should lie between the two.

A card that is not read must be told as unread; ``neither`` counts those that are not.

Each deck is learnt from its pages as ``sevenmat enrol`` learns it. Faces that may be printed alike count as one.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

from device.capture.eye import card_reader
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_wonders.cards import SIZE_MM
from referee.seven_wonders.layout import layout_of
from referee.table import Detections, Sighting, Unread
from tests.vision.faces.more_art import ARTS
from tests.vision.faces.tables import LENSES, Slop, camera, finished, page, table, visible
from vision.enrol import enrol_pages
from vision.identify.deck import Deck
from vision.mat import find_mat
from vision.reader import Reader

NEAR_MM = 20.0
LEAST_SHOWN = 0.15
SURFACE_MM = 55.0
"""The middle of what shows of a card lies no farther from the card's own."""


def deck_of(art: str, reader: Reader) -> Deck:
    """Learn a deck of an art from its four pages."""
    above, rng = camera(art, 7), random.Random(art)
    pictures = {}
    for name in ("age1", "age2", "age3", "guilds"):
        above.show(page(name, rng))
        pictures[name] = above.take_picture()
    return enrol_pages(reader, art, pictures, REFERENCE_MAT_MM)


def learnt(file: Path) -> Deck:
    """Load a deck from its file; its faces become an art of the file's name."""
    deck = Deck.load(file)
    faces = deck.faces
    assert faces is not None, "a deck of whole faces"

    def drawn(name: str) -> Image.Image:
        return Image.fromarray(np.ascontiguousarray(faces.pictures[faces.names.index(name)][..., ::-1]))

    ARTS[file.stem] = drawn
    return deck


@dataclass
class Evidence:
    """How far (share of the face) findings show and how sure they are, those that are right and those that are not."""

    right: list[tuple[float, float]] = field(default_factory=list)
    wrong: list[tuple[float, float]] = field(default_factory=list)

    def add(self, lying: list[Placed], seen: Detections) -> None:
        """Add what a reading finds among these cards."""
        for one in seen.sightings:
            right = any(_one(one.name) == _one(card.name) and _apart(one, card) < NEAR_MM for card in lying)
            (self.right if right else self.wrong).append((one.visible, one.confidence))

    def told(self) -> str:
        """Least, twentieth, half and most of each."""
        lines = []
        for which, findings in (("right", self.right), ("wrong", self.wrong)):
            for k, what in enumerate(("visible", "confidence")):
                shares = np.quantile([each[k] for each in findings], (0, 0.05, 0.5, 1)) if findings else ()
                lines.append(f"{which} {len(findings)}, {what}: " + ", ".join(f"{share:.2f}" for share in shares))
        return "\n".join(lines)


@dataclass(frozen=True)
class Result:
    """How many cards had to be read, names of those ``unread`` and in ``neither`` list, names ``misread`` on a card,
    and ``false`` ones beside any.
    """

    wanted: int
    unread: list[str]
    neither: list[str]
    misread: list[str]
    false: list[str]


def compared(
    lying: list[Placed], seen: Detections, pile: tuple[float, float], size_mm: tuple[float, float] = SIZE_MM
) -> Result:
    """Compare a reading with the cards that lie there; covered cards of the pile aside."""
    cards = [(card, visible(lying, k, size_mm)) for k, card in enumerate(lying) if not card.name.startswith("board")]
    wanted = [
        card
        for card, shown in cards
        if shown >= LEAST_SHOWN and not (shown < 0.9 and math.dist((card.x, card.y), pile) < 30)
    ]
    left, unread, neither = list(seen.sightings), [], []
    for card in wanted:
        near = [one for one in left if _one(one.name) == _one(card.name) and _apart(one, card) < NEAR_MM]
        if near:
            left.remove(min(near, key=lambda one: _apart(one, card)))
        elif any(_apart(mark, card) < SURFACE_MM for mark in seen.unread):
            unread.append(card.name)
        else:
            neither.append(card.name)
    on_a_card = [any(_apart(one, card) < NEAR_MM for card, _ in cards) for one in left]
    misread = [one.name for one, lies in zip(left, on_a_card, strict=True) if lies]
    false = [one.name for one, lies in zip(left, on_a_card, strict=True) if not lies]
    return Result(len(wanted), unread, neither, misread, false)


def _one(name: str) -> str:
    return name.removesuffix("_2")


def _apart(one: Sighting | Unread, card: Placed) -> float:
    return math.dist((one.x, one.y), (card.x, card.y))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arts", default=",".join(ARTS))
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--slop", default="2,1.5,1.5", help="mm and degrees of a card, degrees of a column")
    parser.add_argument("--finished", action="store_true", help="cities of games that have ended")
    parser.add_argument("--deck", type=Path, help="a learnt deck's file, instead of arts")
    parser.add_argument("--mats", default="felt", help="one for each table in turn")
    chosen = parser.parse_args()
    reader, slop = card_reader(), Slop(*map(float, chosen.slop.split(",")))
    whole, evidence, mats = Counter[str](), Evidence(), chosen.mats.split(",")
    for art in [chosen.deck.stem] if chosen.deck else chosen.arts.split(","):
        deck = learnt(chosen.deck) if chosen.deck else deck_of(art, reader)
        cameras = [camera(art, 1, lens, mats[k % len(mats)]) for k, lens in enumerate(LENSES * len(mats))]
        count, spent = Counter[str](), 0.0
        for number in range(chosen.tables):
            above, players = cameras[number % len(cameras)], 3 + number % 3
            lying = (finished if chosen.finished else table)(players, random.Random(number), slop)
            above.show(lying)
            picture = above.take_picture()
            mat = find_mat(picture, REFERENCE_MAT_MM)
            began = time.process_time()
            seen = reader.read(picture, mat, deck)
            spent += time.process_time() - began
            result = compared(lying, seen, layout_of(players).pile)
            add(count, result, f"{art}, table {number}")
            evidence.add(lying, seen)
        print(f"{art:10} {told(count)}, {spent / chosen.tables:.1f} s a table", flush=True)
        whole += count
    print(f"{'all':10} {told(whole)}\n{evidence.told()}")


def add(count: Counter[str], result: Result, where: str) -> None:
    """Add what became of a table's cards, and say which failed."""
    count["cards"] += result.wanted
    for kind in ("unread", "neither", "misread", "false"):
        count[kind] += len(getattr(result, kind))
        for name in getattr(result, kind):
            print(f"    {where}: {kind} {name}")


def told(count: Counter[str]) -> str:
    read = count["cards"] - count["unread"] - count["neither"]
    kinds = ", ".join(f"{kind} {count[kind]}" for kind in ("unread", "neither", "misread", "false"))
    return f"read {read} of {count['cards']} ({read / max(1, count['cards']):.2%}), {kinds}"


if __name__ == "__main__":
    main()
