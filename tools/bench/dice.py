"""Dice read from throws that no training saw, drawn by another renderer: ``python -m tools.bench dice``.

Printed are the share read, what was misread and invented, what is reported of odd dice, and what a look takes.
``python -m tools.bench.dice --throws 2000`` measures more of them, ``--sheet FILE`` keeps pictures of what went wrong.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from tests.dice_scenes import ODD, Picture, Throw, Truth, throw
from vision.dice import DiceReader, SeenDie
from vision.dice.lean import lean_at
from vision.dice.reader import Lean

MODELS = Path(__file__).resolve().parents[2] / "models"
_NEAR = 0.6
_READ_PX_PER_MM = 3.0
_SHOWN_MM, _SHOWN_PX, _ACROSS, _MOST = 18, 120, 12, 120


@dataclass
class Tally:
    """What came of all throws; ``wrong`` are misread, invented and odd dice with a value, then those not read."""

    dice: int = 0
    read: int = 0
    misread: int = 0
    invented: int = 0
    whole: int = 0
    throws: int = 0
    odd: int = 0
    odd_valued: int = 0
    told: Counter[str] = field(default_factory=Counter)
    why: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, Picture]] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)

    def count(self, seed: int, thrown: Throw, seen: tuple[SeenDie, ...]) -> None:
        """Count one throw."""
        left, good = list(seen), True
        self.throws += 1
        for die in thrown.dice:
            near = [one for one in left if math.dist((one.x, one.y), (die.x, die.y)) < _NEAR * die.edge]
            left = [one for one in left if one not in near]
            values = [one.value for one in near if one.value is not None]
            outcome = "valued" if values else near[0].cause if near else "not found"
            if die.odd:
                self.odd += 1
                self.odd_valued += bool(values)
                self.told[outcome] += 1
                continue
            self.dice += 1
            self.read += values == [die.value]
            self.misread += any(value != die.value for value in values)
            self.invented += max(0, len(values) - 1)
            good &= values == [die.value]
            if values != [die.value]:
                self.why[outcome] += 1
                self.wrong.append((f"{seed}: {die.value} {values or outcome}", _cut_part(thrown, die)))
        self.invented += sum(one.value is not None for one in left)
        self.wrong += [
            (f"{seed}: invented {one.value}", _cut_part(thrown, one)) for one in left if one.value is not None
        ]
        self.whole += good and not left

    @property
    def ms(self) -> float:
        """What a look takes."""
        return statistics.median(self.took_ms)


def _cut_part(thrown: Throw, die: Truth | SeenDie) -> Picture:
    s = thrown.px_per_mm
    x0, y0, x1, y1 = (
        round(max(0, v) * s) for v in (die.x - _SHOWN_MM, die.y - _SHOWN_MM, die.x + _SHOWN_MM, die.y + _SHOWN_MM)
    )
    return np.asarray(cv2.resize(thrown.picture[y0:y1, x0:x1], (_SHOWN_PX, _SHOWN_PX)), np.uint8)


def look(reader: DiceReader, thrown: Throw, loose: bool = False, lean: Lean | None = None) -> tuple[SeenDie, ...]:
    """Read a throw, in mm; ``loose`` as from a photograph that does not tell where the camera was.

    ``lean`` is what is thought of where the camera is, in place of what is true.
    """
    scale = _READ_PX_PER_MM / thrown.px_per_mm
    size = tuple(round(side * scale) for side in thrown.picture.shape[1::-1])
    region = cv2.resize(thrown.picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    known = lean or (lambda place: lean_at(thrown.camera, place))
    return reader.read(np.asarray(region, np.uint8), None if loose else known)


def measure(reader: DiceReader, first: int, count: int, odd: str = "", loose: bool = False) -> Tally:
    """Measure ``count`` throws from a seed on, all of them odd in the way named, if one is."""
    tally = Tally()
    for seed in range(first, first + count):
        thrown = throw(seed, 2, odd)
        began = time.perf_counter()
        seen = look(reader, thrown, loose)
        tally.took_ms.append(1000 * (time.perf_counter() - began))
        tally.count(seed, thrown, seen)
    return tally


def write_sheet(tallies: list[Tally], path: Path) -> None:
    """Write pictures of what went wrong."""
    tiles = []
    for words, part in [one for tally in tallies for one in tally.wrong][:_MOST]:
        tile = part.copy()
        cv2.putText(tile, words, (2, 12), cv2.FONT_HERSHEY_SIMPLEX, 0.32, (0, 255, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    tiles += [np.zeros((_SHOWN_PX, _SHOWN_PX, 3), np.uint8)] * (-len(tiles) % _ACROSS)
    rows = [cv2.hconcat(tiles[k : k + _ACROSS]) for k in range(0, len(tiles), _ACROSS)]
    if rows:
        cv2.imwrite(str(path), cv2.vconcat(rows))


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.dice", description=__doc__)
    parser.add_argument("--throws", type=int, default=300, help="throws of two dice (default: 300)")
    parser.add_argument("--odd", type=int, default=60, help="throws of each kind of odd dice (default: 60)")
    parser.add_argument("--seed", type=int, default=500_000, help="the first one's seed")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the networks lie")
    parser.add_argument("--sheet", type=Path, help="write pictures of what went wrong")
    chosen = parser.parse_args(arguments if arguments is not None else [])
    cv2.setNumThreads(2)
    reader = DiceReader(chosen.models)
    tallies = []
    for words, loose in (("at the table", False), ("loose photographs", True)):
        tally = measure(
            reader, chosen.seed + 50_000 * loose, chosen.throws if not loose else chosen.throws // 4, "", loose
        )
        tallies.append(tally)
        print(
            f"dice {words}: read {tally.read}/{tally.dice} = {tally.read / max(1, tally.dice):.4f}, misread "
            f"{tally.misread}, invented {tally.invented}, whole throws {tally.whole}/{tally.throws}; "
            f"not read: {dict(tally.why)}"
        )
    for number, odd in enumerate(ODD, 1):
        tally = measure(reader, chosen.seed + 100_000 * number, chosen.odd, odd)
        print(f"  {odd} dice {tally.odd}: told {dict(tally.told)}, invented beside them {tally.invented}")
        tallies.append(tally)
    size = sum((chosen.models / name).stat().st_size for name in ("dice_finder.onnx", "dice_faces.onnx")) / 1e6
    print(f"  {tallies[0].ms:.1f} ms a look, both networks {size:.2f} MB")
    if chosen.sheet:
        write_sheet(tallies, chosen.sheet)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
