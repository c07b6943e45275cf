"""``python -m tools.benchmark_ood.foreign``: how often a card that was never enrolled is given a name.

Tables of invented decks are painted flat. Each is read with its whole deck, then four times with a deck of which a
quarter of the cards was left out of learning: every card is foreign once. Printed are also the curve of cards that
were never enrolled but named against enrolled cards missed, as the check's limit is moved, and how right confidences
are.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from itertools import islice, pairwise

import cv2
import numpy as np

from device.capture.eye import card_reader
from tools.benchmark_ood import flat, plan
from tools.benchmark_ood.art import DECKS
from tools.benchmark_ood.art import Deck as InventedDeck
from tools.benchmark_ood.measure import NEAR, SHOWN, Tally, Truth, held_against, learn
from vision.arrays import Picture
from vision.identify.deck import BACK, Deck
from vision.identify.embedder import Embeddings
from vision.mat import find_mat
from vision.names import CachedEvidence
from vision.reader import Reader

QUARTERS = 4
LIMITS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 2.0, 3.0)
"""The check's limit as a share of what it is."""
CONFIDENCES = (0.0, 0.9, 0.97, 0.99, 0.997, 1.0)
"""Bounds of the steps in which confidences are held against what is right."""


@dataclass
class Found:
    """What came of some tables.

    ``foreign`` counts cards read with a deck that they are not of, ``named`` those that got a name. The two lists are
    what these, and enrolled cards, left unexplained of the card that they would be named as, as a share of the limit.
    ``told`` are confidences of names, and whether each is right.
    """

    known: Tally = field(default_factory=Tally)
    foreign: int = 0
    named: int = 0
    foreign_left: list[float] = field(default_factory=list)
    known_left: list[float] = field(default_factory=list)
    told: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """Add what came of other tables."""
        self.known.add(other.known)
        for part in [each.name for each in fields(self) if each.name != "known"]:
            setattr(self, part, getattr(self, part) + getattr(other, part))

    def __str__(self) -> str:
        known = self.known
        return (
            f"read {known.read} of {known.cards}, {known.misread} misread, {known.false} false; "
            f"named {self.named} of {self.foreign} never enrolled = {self.named / max(1, self.foreign):.4f}"
        )


def drop_cards(deck: Deck, kinds: set[str]) -> Deck:
    """Return the deck as it would be had these cards, papers with both sides, not been learnt."""
    kept = [number for number, name in enumerate(deck.names) if kind_of(name) not in kinds]
    rows = [row for number in kept for row in (2 * number, 2 * number + 1)]
    parts = (getattr(deck.embeddings, part)[rows] for part in ("vectors", "rank", "suit"))
    return Deck(deck.name, tuple(deck.cards[number] for number in kept), Embeddings(*parts), deck.model)


def kind_of(name: str) -> str:
    """Return a card's name without a paper's side."""
    return name.partition("/")[0]


def take_shot(painter: flat.Painter, shot: plan.Shot) -> tuple[Picture, Truth]:
    """Take a shot's photograph, and say what lies there."""
    rng = np.random.default_rng(shot.seed)
    laid = plan.laid_for(shot, rng)
    written = cv2.imencode(".jpg", flat.take(painter, laid, shot, rng), [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    picture = np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8)
    return picture, {"mat_mm": list(shot.mat_mm), "cards": laid.list_truth()}


def measure_unexplained(evidence: CachedEvidence, truth: Truth, deck: Deck) -> Iterator[tuple[str, str, float]]:
    """Measure for each card that would be named: what it is, the name, what that leaves unexplained."""
    for (corners, number), left in evidence.unexplained.items():
        x, y = (sum(axis) / len(corners) for axis in zip(*(corner.centre for corner in corners), strict=True))
        shown = [card for card in truth["cards"] if card["visible"] >= SHOWN]
        card = min(shown, key=lambda card: math.dist((card["x"], card["y"]), (x, y)), default=None)
        if card is not None and math.dist((card["x"], card["y"]), (x, y)) <= NEAR:
            yield card["card"], deck.names[number], left


def ask_table(reader: Reader, painter: flat.Painter, shot: plan.Shot, deck: Deck, kinds: list[str]) -> Found:
    """Read one table with the whole deck and with each quarter of its kinds of cards left out."""
    picture, truth = take_shot(painter, shot)
    mat = find_mat(picture, shot.mat_mm)
    evidence = CachedEvidence()
    reading = reader.read(picture, mat, deck, evidence)
    tally, entries = held_against(truth, reading)
    found = Found(tally)
    found.known_left += [left for card, name, left in measure_unexplained(evidence, truth, deck) if card == name]
    found.told += [(one["confidence"], "stray" not in one) for one in entries if "stray" in one or one["read"]]
    shown = [kind_of(card["card"]) for card in truth["cards"] if card["visible"] >= SHOWN]
    for quarter in range(QUARTERS):
        gone = set(kinds[quarter::QUARTERS])
        fewer = drop_cards(deck, gone)
        evidence = CachedEvidence()
        reading = reader.read(picture, mat, fewer, evidence)
        strays = [one for one in held_against(truth, reading)[1] if "stray" in one]
        strays = [one for one in strays if kind_of(one["truth"] or "") in gone]
        found.foreign += sum(kind in gone for kind in shown)
        found.named += len(strays)
        found.foreign_left += [
            left for card, _, left in measure_unexplained(evidence, truth, fewer) if kind_of(card) in gone
        ]
        found.told += [(one["confidence"], False) for one in strays]
    return found


def name_condition(shot: plan.Shot) -> str:
    """Name which kind of deck it is, and whether the table is taken well."""
    if shot.deck.nasty:
        return "nasty decks"
    well = plan.taken_well(shot.glare, shot.px_per_mm, shot.stops)
    return f"sensible decks, {'good' if well else 'bad'} conditions"


def of_deck(invented: InventedDeck, rounds: range) -> tuple[dict[str, Found], str]:
    """Measure what came of a deck's tables in some rounds by condition and in words, or why it was not learnt."""
    cv2.setNumThreads(1)
    reader, painter = card_reader(), flat.Painter(invented)
    found: dict[str, Found] = {}
    pages = [take_shot(painter, shot)[0] for shot in plan.list_shots() if shot.deck.name == invented.name and shot.page]
    deck, why = learn(reader, invented.name, pages)
    if deck is None:
        return found, f"not learnt: {why}"
    kinds = sorted({kind_of(name) for name in deck.names} - {BACK})
    random.Random(invented.name).shuffle(kinds)
    for number in rounds:
        shot = next(shot for shot in plan.list_tables(number) if shot.deck.name == invented.name)
        found.setdefault(name_condition(shot), Found()).add(ask_table(reader, painter, shot, deck, kinds))
    return found, "; ".join(f"{kind}: {each}" for kind, each in found.items())


def draw_curve(found: Found) -> str:
    """Draw named against missed by where the limit is, and confidences against what is right, as Markdown.

    Left of 1 enrolled cards may be missed less often than it says: the check ends at the first way of laying the
    template that leaves little enough.
    """
    rows = ["| limit | never enrolled, named | enrolled, missed |", "|---:|---:|---:|"]
    for limit in LIMITS:
        named = sum(left < limit for left in found.foreign_left) / max(1, found.foreign)
        missed = sum(left >= limit for left in found.known_left) / max(1, len(found.known_left))
        rows.append(f"| {limit:g} | {named:.2%} | {missed:.2%} |")
    rows += ["", "| confidence | mean said | right | names |", "|---|---:|---:|---:|"]
    for low, high in pairwise(CONFIDENCES):
        some = [(said, right) for said, right in found.told if low <= said < high or said == high == 1]
        said, right = (np.mean([each[k] for each in some]) if some else math.nan for k in (0, 1))
        rows.append(f"| {low:g} to {high:g} | {said:.4f} | {right:.4f} | {len(some)} |")
    return "\n".join(rows)


def main() -> None:
    """Paint, read and count."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmark_ood.foreign", description=__doc__)
    parser.add_argument("--decks", type=int, default=len(DECKS), help="so many decks (default %(default)s)")
    parser.add_argument("--skip", type=int, default=0, help="without the first so many (default %(default)s)")
    parser.add_argument("--tables", type=int, default=3, help="tables of each (default %(default)s)")
    parser.add_argument("--from-round", type=int, default=0, help="the first round of tables (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="decks asked at once (default %(default)s)")
    options = parser.parse_args()
    decks = list(islice(DECKS, options.skip, options.skip + options.decks))
    rounds = range(options.from_round, options.from_round + options.tables)
    sums: dict[str, Found] = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for invented, (found, told) in zip(decks, pool.map(of_deck, decks, [rounds] * len(decks)), strict=True):
            for kind, each in found.items():
                sums.setdefault(kind, Found()).add(each)
            print(f"{invented.name}: {told}", flush=True)
    for kind, each in sorted(sums.items()):
        print(f"\n{kind}: {each}\n\n{draw_curve(each)}", flush=True)


if __name__ == "__main__":
    main()
