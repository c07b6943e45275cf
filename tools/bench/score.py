"""Finished tables of random games, photographed as by phones, and wrong numbers of players: how often scored right.

``python -m tools.bench.score`` renders 100 tables tilted by 8 to 25 degrees, has each read and scored from its JPEG,
and prints how many came out whole, were left open or came out wrong; then how long a 12 megapixel picture takes
against one whole read of it; then how often a wrong number of players gave a result. Tables of the other games
are photographed last. It ends with 1 where a figure misses.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence

import cv2

from device.scoring.looking import picture_reader
from device.scoring.screen_photo import shows_a_screen
from device.scoring.table import Table
from referee.finished.score import Score
from referee.laminate.simulated.table import SimulatedTable
from referee.placing import Placed
from referee.registry import load_scorings
from referee.table import Detections, Sighting
from rules.laminate.position import Position
from simulator.camera import Lens, SimulatedCamera
from simulator.pages import lay_page
from tests.referee.finished import test_seven_euchre as euchre
from tests.referee.finished import test_seven_minutes as minutes
from tests.referee.finished import test_wild_seven as wild
from tests.referee.finished.finals import MAT, finished, in_blocks, laid
from tests.referee.finished.test_seating import measured
from vision.enrol import PAGES, enrol
from vision.errors import VisionError
from vision.identify.deck import Deck
from vision.mat import find_mat
from vision.picture import read_picture_bytes
from vision.reader import Reader

WHOLE_SHARE = 0.98
MORE_MS = 100.0


def make_lens(seed: int) -> Lens:
    """Make the lens of a phone held by hand over the table: 12 megapixels, tilted by 8 to 25 degrees."""
    chance = random.Random(f"phone {seed}")
    tilt = chance.uniform(8, 25)
    return Lens(
        size=(4032, 3024),
        tilt=chance.choice((-1, 1)) * tilt,
        swing=chance.uniform(-4, 4),
        roll=chance.uniform(-6, 6),
        fill=chance.uniform(0.78, 0.86) - 0.006 * (tilt - 8),  # a steeper view is taken from farther away
        distortion=chance.uniform(-0.02, 0.02),
        blur=chance.uniform(0.6, 1.1),
        noise=chance.uniform(1.5, 4.0),
        quality=chance.choice((85, 92, 95)),
    )


def photograph(table: SimulatedTable, seed: int) -> bytes:
    """Photograph a table as that phone keeps it."""
    camera = SimulatedCamera(MAT, seed, make_lens(seed))
    camera.show(table)
    return camera.jpeg().tobytes()


def a_table(seed: int) -> tuple[Position, SimulatedTable]:
    """Make a finished table that has room for its papers, from that seed on."""
    while True:
        position = finished(seed)
        table = laid(position, random.Random(seed))
        if table is not None:
            return position, table
        seed += 15


def is_whole(score: Score, position: Position) -> bool:
    """Tell whether points, winners and every complete paper with its card are as the game had them."""
    assert position.outcome is not None
    if (score.final, score.winners) != (position.outcome.points, position.outcome.winners):
        return False
    return all(
        sorted((item.data["paper"], item.data["card"]) for item in tally.groups["complete"])
        == sorted((p.kind, str(p.cards[0])) for p in position.papers if p.complete and p.seat == tally.seat)
        for tally in score.tallies
    )


def the_deck(reader: Reader) -> Deck:
    """Learn the reference deck from its three pages."""
    camera = SimulatedCamera(MAT, seed=5)
    pages = []
    for page in PAGES:
        camera.show(lay_page(page, MAT, random.Random(page)))
        pages.append(camera.take_picture())
    return enrol(reader, "reference", pages[0], pages[1], pages[2], MAT)


def look(reader: Reader, deck: Deck, jpeg: bytes, position: Position) -> tuple[Score, float, float]:
    """Read a picture's score, how many ms its whole read took, and how many ms the score took after that."""
    picture = read_picture_bytes(jpeg)
    loaded = time.perf_counter()
    mat = find_mat(picture)
    reading = reader.read(picture, mat, deck)
    read = time.perf_counter()
    assert not shows_a_screen(picture, mat), "a table taken for a screen"
    table = Table.set_up("laminate", len(position.players))
    score = table.score(Detections(tuple(reading.sightings), tuple(reading.unread)), mat.size_mm)
    done = time.perf_counter()
    return score, (read - loaded) * 1000, (done - read) * 1000


def score_rendered(count: int, first: int) -> bool:
    """Score photographed tables: how many are whole, open, wrong."""
    reader = picture_reader()
    deck = the_deck(reader)
    load_scorings()  # what is loaded once is no part of a score
    outcomes: Counter[str] = Counter()
    reads, more = [], []
    for seed in range(first, first + count):
        position, table = a_table(seed)
        try:
            score, read_ms, more_ms = look(reader, deck, photograph(table, seed), position)
        except VisionError as error:
            outcomes["open"] += 1
            print(f"  {seed}: {error}", flush=True)
            continue
        reads.append(read_ms)
        more.append(more_ms)
        outcome = "whole" if is_whole(score, position) else "open" if score.winners is None else "WRONG"
        outcomes[outcome] += 1
        if outcome != "whole":
            why = [str(fault.reason.text) for fault in score.faults] + [str(words) for _, words in score.unread]
            print(f"  {seed}: {outcome}: {why or (score.final, position.points)}", flush=True)
    print(f"photographed tables {count}: " + ", ".join(f"{name} {n}" for name, n in sorted(outcomes.items())))
    print(f"one whole read of 12 megapixels {statistics.median(reads):.0f} ms, scoring {max(more):.1f} ms more at most")
    return outcomes["WRONG"] == 0 and outcomes["whole"] >= WHOLE_SHARE * count and max(more) <= MORE_MS


def other_games(count: int, first: int) -> bool:
    """Score photographed tables of the other games: how many are whole, open, wrong."""
    reader = picture_reader()
    deck = the_deck(reader)
    fine = True
    for lying in (wild_seven, seven_minutes, seven_euchre):
        outcomes: Counter[str] = Counter()
        for seed in range(first, first + count):
            cards, table, wanted = lying(seed)
            camera = SimulatedCamera(MAT, seed, make_lens(seed))
            camera.show([Placed(card.name, card.x, card.y, card.angle) for card in cards])
            try:
                picture = read_picture_bytes(camera.jpeg().tobytes())
                mat = find_mat(picture)
                reading = reader.read(picture, mat, deck)
            except VisionError:
                outcomes["open"] += 1
                continue
            score = table.score(Detections(tuple(reading.sightings), tuple(reading.unread)), mat.size_mm)
            whole = (score.final, score.winners) == wanted
            outcomes["whole" if whole else "open" if score.winners is None else "WRONG"] += 1
        print(
            f"{lying.__name__} {count}: " + ", ".join(f"{name} {n}" for name, n in sorted(outcomes.items())), flush=True
        )
        fine &= outcomes["WRONG"] == 0
    return fine


Lying = tuple[list[Sighting], Table, tuple[tuple[int, ...], tuple[int, ...]]]
"""Cards where they lie, what people say of the table, and its points and winners."""


def wild_seven(seed: int) -> Lying:
    """Lay a finished table of Wild Seven."""
    position = wild.finished_game(seed)
    outcome = position.outcome
    assert outcome is not None
    table = Table.set_up("wild_seven", len(position.players), told={"in_hand": wild.in_hand(position)})
    return wild.shown(position, random.Random(seed)), table, (outcome.points, outcome.winners)


def seven_minutes(seed: int) -> Lying:
    """Lay a finished table of Seven Minutes."""
    position = minutes.finished_game(seed)
    outcome, players = position.outcome, len(position.players)
    assert outcome is not None
    table = Table.set_up("seven_minutes", players, told={"seats": players})
    return minutes.shown(position, random.Random(seed)), table, (outcome.points, outcome.winners)


def seven_euchre(seed: int) -> Lying:
    """Lay a deal of Seven Euchre that was played out."""
    told, tricks, gained = euchre.played_deals(seed)[0]
    winners = tuple(seat for seat in range(1, 5) if gained[(seat - 1) % 2] == max(gained))
    return euchre.packets(tricks, random.Random(seed)), Table.set_up("seven_euchre", 4, told=told), (gained, winners)


def count_misreported(count: int, first: int) -> bool:
    """Count wrong numbers of players reported for tables laid in two ways."""
    fine = True
    for laying in (laid, in_blocks):
        counted = measured(laying, range(first, first + count))
        told = ", ".join(f"{name} {counted[name]}" for name in ("told wrongly", "confident and wrong"))
        print(f"{laying.__name__}: {told}; told rightly {counted['told rightly']}, doubted {counted['doubted']}")
        fine &= counted["confident and wrong"] == 0
    return fine


def main(words: Sequence[str] | None = None) -> int:
    """Measure, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.score", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tables", type=int, default=100, help="photographed tables")
    parser.add_argument("--counted", type=int, default=300, help="tables of which wrong numbers of players are told")
    parser.add_argument("--others", type=int, default=10, help="photographed tables of each of the other games")
    parser.add_argument("--first", type=int, default=5000, help="the first seed")
    args = parser.parse_args(words)
    cv2.setNumThreads(2)
    counted = count_misreported(args.counted, args.first) if args.counted else True
    seen = score_rendered(args.tables, args.first) if args.tables else True
    others = other_games(args.others, args.first) if args.others else True
    return 0 if counted and seen and others else 1


if __name__ == "__main__":
    sys.exit(main())
