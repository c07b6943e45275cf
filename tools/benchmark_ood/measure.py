"""``python -m tools.benchmark_ood.measure``: enrols the benchmark's decks, reads their tables and scores that.

What counts: a card of which at least 15 % shows and that is no covered card of the draw or discard pile. It is read
where a sighting of its name lies within 20 mm of its centre. A sighting on a card of another name is a misread, one
where no card lies is false. A table is right where every card that counts is read and there is neither.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.capture.eye import card_reader
from referee.table import Detections
from tests.words import en
from tools.benchmark_ood.plan import PAGES, taken_well
from tools.benchmark_ood.scene import pile_spots
from vision.arrays import Picture
from vision.enrol import EnrolError, enrol
from vision.errors import VisionError
from vision.identify.deck import Deck
from vision.mat import find_mat
from vision.reader import Reader

CACHE = Path(__file__).parent / "cache"
SHOWN, NEAR = 0.15, 20.0
Truth = dict[str, Any]


@dataclass
class Tally:
    """What became of the cards of some tables."""

    tables: int = 0
    right: int = 0
    safe: int = 0
    """Tables without a misread or a false sighting."""
    cards: int = 0
    read: int = 0
    strips: int = 0
    strips_read: int = 0
    unread: int = 0
    silent: int = 0
    """Cards neither read nor reported as not readable."""
    misread: int = 0
    false: int = 0
    sightings: int = 0
    causes: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        for name in (
            "tables",
            "right",
            "safe",
            "cards",
            "read",
            "strips",
            "strips_read",
            "unread",
            "silent",
            "misread",
            "false",
            "sightings",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.causes += other.causes

    def as_json(self) -> dict[str, Any]:
        return {**self.__dict__, "causes": dict(self.causes)}


def score(
    truth: Truth, cards: Sequence[dict[str, Any]], unread: Sequence[dict[str, Any]]
) -> tuple[Tally, list[dict[str, Any]]]:
    """Hold what was read on one table against what lay there: the tally and one entry a card or stray sighting."""
    tally = Tally(tables=1, sightings=len(cards))
    left = list(cards)
    entries: list[dict[str, Any]] = []
    piles = pile_spots(tuple(truth["mat_mm"]))

    def measure_distance(a: dict[str, Any], b: dict[str, Any]) -> float:
        return math.hypot(a["x"] - b["x"], a["y"] - b["y"])

    for card in sorted(truth["cards"], key=lambda c: -c["visible"]):
        near = [s for s in left if s["card"] == card["card"] and measure_distance(s, card) <= NEAR]
        hit = min(near, key=lambda s: measure_distance(s, card), default=None)
        if hit:
            left.remove(hit)
        covered = card["visible"] < 0.9 and any(math.hypot(card["x"] - x, card["y"] - y) < 40 for x, y in piles)
        if card["visible"] < SHOWN or covered:
            continue
        strip = card["visible"] < 0.5
        tally.cards += 1
        tally.strips += strip
        tally.read += bool(hit)
        tally.strips_read += strip and bool(hit)
        asked = min(
            (u for u in unread if measure_distance(u, card) <= NEAR / 2),
            key=lambda u: measure_distance(u, card),
            default=None,
        )
        if not hit and asked:
            tally.unread += 1
            tally.causes[asked["cause"]] += 1
        elif not hit:
            tally.silent += 1
        entries.append(
            {**card, "read": bool(hit), "confidence": hit and hit["confidence"], "unread": None if hit else asked}
        )
    for sighting in left:
        under = min(
            (c for c in truth["cards"] if measure_distance(c, sighting) <= NEAR),
            key=lambda c: measure_distance(c, sighting),
            default=None,
        )
        if under:
            tally.misread += 1
        else:
            tally.false += 1
        entries.append({**sighting, "stray": True, "truth": under and under["card"]})
    tally.safe = int(not left)
    tally.right = int(not left and tally.read == tally.cards)
    return tally, entries


def learn(reader: Reader, name: str, pages: Sequence[Picture]) -> tuple[Deck | None, str]:
    """Learn a deck as its owner would, who answers a needless question about the order of the cards: it is as laid."""
    seven, review, complete = pages
    try:
        return enrol(reader, name, seven, review, complete), ""
    except EnrolError as error:
        why = " ".join(en(fault) for fault in error.faults)
        if not all(fault.doubtful for fault in error.faults):
            return None, why
    except VisionError as error:
        return None, str(error)
    try:
        return enrol(reader, name, seven, review, complete, as_laid=True), why
    except EnrolError as error:
        return None, " ".join(en(fault) for fault in error.faults)


def _load_cached(frame: str) -> Picture:
    return np.asarray(cv2.imread(str(CACHE / frame)), np.uint8)


def held_against(truth: Truth, reading: Detections) -> tuple[Tally, list[dict[str, Any]]]:
    """Hold what was read on one table against what lay there; see ``score``."""
    cards = [
        {"card": s.name, "x": s.x, "y": s.y, "angle": s.angle, "confidence": round(s.confidence, 4)}
        for s in reading.sightings
    ]
    unread = [{"x": u.x, "y": u.y, "cause": u.cause, "candidates": list(u.candidates)[:3]} for u in reading.unread]
    return score(truth, cards, unread)


def _read(reader: Reader, deck: Deck, truth: Truth) -> tuple[Tally, list[dict[str, Any]], str]:
    picture = _load_cached(truth["frame"])
    try:
        mat = find_mat(picture, tuple(truth["mat_mm"]))
        return (*held_against(truth, reader.read(picture, mat, deck)), "")
    except VisionError as error:
        return (*score(truth, (), ()), str(error))


def sum_by(tallies: dict[str, tuple[Truth, Tally]], key: Callable[[Truth], str]) -> dict[str, Tally]:
    """Sum up the tables of each value of ``key``."""
    sums: dict[str, Tally] = {}
    for truth, tally in tallies.values():
        sums.setdefault(key(truth), Tally()).add(tally)
    return dict(sorted(sums.items()))


def name_condition(truth: Truth) -> str:
    """Name which kind of deck it is, and whether its table is taken well."""
    look = truth["look"]
    good = taken_well(look["glare"], truth["px_per_mm"], look["stops"])
    return f"{'nasty' if truth['nasty'] else 'plausible'} decks, {'good' if good else 'bad'} conditions"


AXES: dict[str, Callable[[Truth], str]] = {
    "kind of deck": lambda t: "nasty decks" if t["nasty"] else "plausible decks",
    "conditions": name_condition,
    "px per mm": lambda t: f"{t['px_per_mm']:.1f}",
    "mat": lambda t: t["look"]["mat"],
    "glare": lambda t: t["look"]["glare"],
    "exposure": lambda t: f"{t['look']['stops']:+.1f}",
    "deck": lambda t: t["deck"],
}


def write_table(sums: dict[str, Tally]) -> str:
    """Write a table in Markdown."""
    rows = [
        "| | tables | right | cards | read | strips read | misread | false | can't see | missed |",
        "|---|" + "---:|" * 9,
    ]
    for name, s in sums.items():
        rows.append(
            f"| {name} | {s.tables} | {s.right / s.tables:.0%} | {s.cards} | {s.read / max(1, s.cards):.2%} "
            f"| {s.strips_read / max(1, s.strips):.2%} | {s.misread} | {s.false} | {s.unread} | {s.silent} |"
        )
    return "\n".join(rows)


def measure(only: str | None, dump: bool, truths: Path) -> None:
    """Read every table in a file of truths; can write results.json, results.md and cards.jsonl beside the pictures."""
    lines = [json.loads(line) for line in truths.read_text().splitlines()]
    tables = [t for t in lines if not t["page"] and (only is None or t["deck"] == only)]
    reader = card_reader()
    tallies: dict[str, tuple[Truth, Tally]] = {}
    refused: dict[str, str] = {}
    doubted: dict[str, str] = {}
    failed: dict[str, str] = {}
    entries = []
    start = time.monotonic()
    for name in dict.fromkeys(t["deck"] for t in tables):
        deck, why = learn(reader, name, [_load_cached(f"{name}-{page}.jpg") for page in PAGES])
        if deck is None:
            refused[name] = why
            print(f"{name}: not enrolled: {why}", flush=True)
        elif why:
            doubted[name] = why
            print(f"{name}: enrolled as laid after {why}", flush=True)
        for truth in (t for t in tables if t["deck"] == name):
            tally, cards, error = _read(reader, deck, truth) if deck else (*score(truth, (), ()), "not enrolled")
            tallies[truth["frame"]] = (truth, tally)
            if error:
                failed[truth["frame"]] = error
            entries += [{"frame": truth["frame"], **card} for card in cards]
            bad = [
                c["card"] if not c.get("stray") else f"{c['card']} for {c['truth']}"
                for c in cards
                if c.get("stray") or not c["read"]
            ]
            print(
                f"{truth['frame']}: {tally.read}/{tally.cards} misread {tally.misread} false {tally.false}",
                *filter(None, [error]),
                *bad[:14],
                flush=True,
            )
    learnt = {frame: pair for frame, pair in tallies.items() if pair[0]["deck"] not in refused}
    whole = sum_by(tallies, lambda t: "decks not learnt" if t["deck"] in refused else "decks learnt")
    sums = {
        "total": {**sum_by(tallies, lambda _: "all"), **whole},
        **{a: sum_by(learnt, key) for a, key in AXES.items()},
    }
    text = "\n\n".join(f"**{axis}**\n\n{write_table(rows)}" for axis, rows in sums.items())
    if refused:
        text += "\n\nNot enrolled: " + "; ".join(f"{name} ({why})" for name, why in refused.items())
    if doubted:
        text += "\n\nEnrolled as laid, after a needless question: " + "; ".join(
            f"{name} ({why})" for name, why in doubted.items()
        )
    print("\n" + text + f"\n\n{time.monotonic() - start:.0f} s")
    if dump:
        results = {
            "sums": {a: {n: s.as_json() for n, s in rows.items()} for a, rows in sums.items()},
            "refused": refused,
            "doubted": doubted,
            "failed": failed,
        }
        (CACHE / "results.json").write_text(json.dumps(results, indent=1))
        (CACHE / "results.md").write_text(text + "\n")
        (CACHE / "cards.jsonl").write_text("".join(json.dumps(e) + "\n" for e in entries))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.benchmark_ood.measure", description=__doc__)
    parser.add_argument("--deck", help="only this deck; writes no results")
    parser.add_argument(
        "--further", action="store_true", help="the further tables instead (render --further N); writes no results"
    )
    options = parser.parse_args()
    truths = CACHE / ("further.jsonl" if options.further else "truth.jsonl")
    if not truths.exists():
        sys.exit(f"{truths.name} is missing: render the tables first (python -m tools.benchmark_ood render --help)")
    measure(options.deck, options.deck is None and not options.further, truths)
