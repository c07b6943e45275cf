"""Finished cities of played games, rendered and scored as ``sevenmat score`` does it.

    python -m tests.vision.faces.scores [--arts printed,banner] [--tables 4] [--players 3] [--held-out] [--first 0]

For each art: cards read, asked for, read as another one, and passed over; stages counted rightly; tables that came out
whole, open, or wrong; and how many were whole once every question was answered by what lies there. ``needless`` are
questions about places where everything was read. It ends with 1 where a card is misread or passed over, a table wrong,
or fewer than 99 % of the cards are read.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter

from device.capture.eye import deck_for
from device.errors import DeviceError
from device.hardware.camera import Picture
from device.scoring.looking import ByHand, picture_reader, with_named
from device.scoring.table import Table, of_this_deck
from referee.finished.score import Score
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.registry import load_scorings
from referee.table import Detections, Sighting, Unread
from rules.seven_wonders.position import Position
from tests.referee.finished.cities import laid, played, told
from tests.vision.faces.bench import NEAR_MM, SURFACE_MM, deck_of
from tests.vision.faces.held_out import HELD_OUT
from tests.vision.faces.more_art import ARTS
from tests.vision.faces.tables import LENSES, camera
from tests.words import en
from vision.identify.deck import Deck
from vision.mat import find_mat, round_to_usual
from vision.picture import read_picture_bytes
from vision.reader import Reader

GAME = "seven_wonders"
LEAST_READ = 0.99
_FINE = LENSES[:2]
"""Those with pixels enough to be read at all."""


def looked_at(reader: Reader, deck: Deck, table: Table, picture: Picture, part: int) -> Detections:
    """Return what the command sees in the picture of a part, its mat being measured."""
    mat = round_to_usual(find_mat(picture))
    reading = reader.read(picture, mat, deck)
    seen = table.cards_among(Detections(tuple(reading.sightings), tuple(reading.unread)), mat.size_mm, part)
    of_this_deck(seen, deck.name, table)
    return seen


def _one(name: str) -> str:
    return name.removesuffix("_2")


class Outcome:
    """One table: which cards were read, and which questions are answered how."""

    def __init__(self, lying: list[Placed], seen: Detections) -> None:
        cards = [card for card in lying if not card.name.startswith("board")]
        left = list(seen.sightings)
        self.missing: list[Placed] = []
        for card in cards:
            near = [one for one in left if _one(one.name) == _one(card.name) and _apart(one, card) < NEAR_MM]
            if near:
                left.remove(min(near, key=lambda one: _apart(one, card)))
            else:
                self.missing.append(card)
        self.wanted, self.misread = len(cards), [one.name for one in left]
        told: dict[int, list[str]] = {}
        self.passed_over: list[str] = []
        for card in self.missing:
            apart = [_apart(mark, card) for mark in seen.unread]
            if apart and min(apart) < SURFACE_MM:
                told.setdefault(apart.index(min(apart)), []).append(card.name)
            else:
                self.passed_over.append(card.name)
        self.needless = len(seen.unread) - len(told)
        self.answers = []
        for number, mark in enumerate(seen.unread):
            first, *more = told.get(number, [""])
            self.answers.append(ByHand(first or None, mark.x, mark.y, tuple(more)))


def _apart(one: Placed | Sighting | Unread, other: Placed) -> float:
    return math.dist((one.x, one.y), (other.x, other.y))


def agrees(score: Score, position: Position) -> bool:
    """Return whether winners, categories, cards and stages are as the game had them."""
    assert position.outcome is not None
    same = score.winners == position.outcome.winners
    for tally, city, points in zip(score.tallies, position.cities, position.categories, strict=True):
        same &= tally.categories == points and tally.facts["stages"] == city.stages
        same &= sorted(map(_one, tally.facts["cards"])) == sorted(_one(card.id) for card in city.cards)
    return same


def main() -> int:
    """Measure, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--arts", default=",".join(art for art in ARTS if art != HELD_OUT))
    parser.add_argument("--held-out", action="store_true", help="the art that nothing was set on, alone")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--players", type=int, help="else 3, 4 and 5 in turn")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    chosen = parser.parse_args()
    reader, scoring = picture_reader(), load_scorings()[GAME]
    whole = Counter[str]()
    for art in [HELD_OUT] if chosen.held_out else chosen.arts.split(","):
        try:
            deck = deck_for(scoring, deck_of(art, reader), reader)
        except DeviceError as error:
            print(f"{art}: {en(error)}")
            return 1
        cameras = [camera(art, 1, lens) for lens in _FINE]
        count, spent = Counter[str](), 0.0
        for seed in range(chosen.first, chosen.first + chosen.tables):
            position = played(seed, chosen.players)
            table = Table.set_up(GAME, position.n, position.players, None, told(position))
            above, rng = cameras[seed % len(cameras)], random.Random(seed)
            looks: list[tuple[list[Placed], Detections]] = []
            for part, seats in enumerate(table.parts):
                lying = laid([position.cities[seat - 1] for seat in seats], rng)
                above.show(lying)
                picture = read_picture_bytes(above.jpeg().tobytes())
                began = time.process_time()
                looks.append((lying, looked_at(reader, deck, table, picture, part)))
                spent += time.process_time() - began
            count += _counted(f"{art}, game {seed}", table, position, looks)
        print(f"{art:12} {_told(count)}; {spent / chosen.tables:.1f} s a table", flush=True)
        whole += count
    print(f"{'all':12} {_told(whole)}")
    read = whole["cards"] - whole["missing"]
    bad = whole["misread"] + whole["passed over"] + whole["wrong"]
    return 0 if not bad and read >= LEAST_READ * whole["cards"] else 1


def _counted(
    which: str, table: Table, position: Position, looks: list[tuple[list[Placed], Detections]]
) -> Counter[str]:
    outcomes = [Outcome(lying, seen) for lying, seen in looks]
    *before, seen = [seen for _, seen in looks]
    score = table.score(seen, REFERENCE_MAT_MM, before=before)
    verdict = "open" if score.winners is None else "whole" if agrees(score, position) else "wrong"
    told = [with_named(seen, outcome.answers) for outcome, (_, seen) in zip(outcomes, looks, strict=True)]
    answered = table.score(told[-1], REFERENCE_MAT_MM, before=told[:-1])
    stages = sum(
        tally.facts["stages"] == city.stages for tally, city in zip(answered.tallies, position.cities, strict=True)
    )
    for outcome in outcomes:
        for kind in ("misread", "passed_over"):
            for name in getattr(outcome, kind):
                print(f"    {which}: {kind} {name}")
    for fault in answered.faults:
        print(f"    {which}: {en(fault.reason.text)}")
    return Counter(
        {
            "cities": len(position.cities),
            "cards": sum(outcome.wanted for outcome in outcomes),
            "missing": sum(len(outcome.missing) for outcome in outcomes),
            "misread": sum(len(outcome.misread) for outcome in outcomes),
            "passed over": sum(len(outcome.passed_over) for outcome in outcomes),
            "needless": sum(outcome.needless for outcome in outcomes),
            "stages": stages,
            verdict: 1,
            "answered": int(agrees(answered, position)),
            "tables": 1,
        }
    )


def _told(count: Counter[str]) -> str:
    read = count["cards"] - count["missing"]
    share = read / max(1, count["cards"])
    kinds = ", ".join(f"{kind} {count[kind]}" for kind in ("misread", "passed over", "needless"))
    tables = ", ".join(f"{kind} {count[kind]}" for kind in ("whole", "open", "wrong"))
    return (
        f"cities {count['cities']}: read {read} of {count['cards']} ({share:.2%}), {kinds}; stages right "
        f"{count['stages']}; tables {count['tables']}: {tables}; whole when answered {count['answered']}"
    )


if __name__ == "__main__":
    sys.exit(main())
