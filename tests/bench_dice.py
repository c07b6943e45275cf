"""Dice read from throws that no training saw, drawn by another renderer: ``python -m tests.bench dice``.

Printed are the share read, what was misread and invented, and what a look takes. ``python -m tests.bench_dice --help``.
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

from tests.dice_scenes import Truth, throw
from vision.dice import DiceReader, SeenDie, read_in_picture

MODELS = Path(__file__).resolve().parents[1] / "models"
_NEAR = 0.6


@dataclass
class Tally:
    """What came of all throws."""

    flat: int = 0
    read: int = 0
    misread: int = 0
    invented: int = 0
    cocked: int = 0
    cocked_said: int = 0
    cocked_read: int = 0
    whole: int = 0
    why: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def judge(tally: Tally, seed: int, truth: list[Truth], seen: tuple[SeenDie, ...], px_per_mm: float) -> None:
    """Count one throw."""
    left = list(seen)
    good = True
    for die in truth:
        near = [
            one for one in left if math.dist((one.x / px_per_mm, one.y / px_per_mm), (die.x, die.y)) < _NEAR * die.edge
        ]
        left = [one for one in left if one not in near]
        values = [one.value for one in near if one.value is not None]
        if die.cocked:
            tally.cocked += 1
            tally.cocked_said += any(one.cause == "cocked" for one in near)
            tally.cocked_read += bool(values)
            continue
        tally.flat += 1
        tally.read += values == [die.value]
        if any(value != die.value for value in values):
            tally.misread += 1
            tally.wrong.append(f"throw {seed}: {values} for {die.value}")
        good &= values == [die.value]
        if not values:
            tally.why[near[0].cause if near else "not found"] += 1
    tally.invented += sum(one.value is not None for one in left)
    if any(one.value is not None for one in left):
        tally.wrong.append(f"throw {seed}: invented")
    tally.whole += good


def measure(first: int, count: int, cocked: float, reader: DiceReader) -> tuple[Tally, float]:
    """So many throws from a seed on, with that share of cocked dice; the tally, and ms a look."""
    tally, took = Tally(), []
    for seed in range(first, first + count):
        picture, px_per_mm, truth = throw(seed, 2, cocked)
        began = time.perf_counter()
        seen = read_in_picture(reader, picture, px_per_mm, 16.0)
        took.append(1000 * (time.perf_counter() - began))
        judge(tally, seed, truth, seen, px_per_mm)
    return tally, statistics.median(took)


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench_dice", description=__doc__)
    parser.add_argument("--throws", type=int, default=300, help="throws of two dice (default: 300)")
    parser.add_argument("--seed", type=int, default=500_000, help="the first one's seed")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the networks lie")
    chosen = parser.parse_args(arguments if arguments is not None else [])
    cv2.setNumThreads(2)
    reader = DiceReader(chosen.models)
    size = sum((chosen.models / name).stat().st_size for name in ("dice_finder.onnx", "dice_faces.onnx")) / 1e6
    flat, ms = measure(chosen.seed, chosen.throws, 0.0, reader)
    for line in flat.wrong[:20]:
        print(f"  {line}")
    share = flat.read / flat.flat
    print(f"dice: {chosen.throws} throws, {flat.flat} flat dice: read {share:.4f}, misread {flat.misread},")
    print(f"  invented {flat.invented}, whole throws {flat.whole / chosen.throws:.4f}; unread: {dict(flat.why)}")
    tilted, _ = measure(chosen.seed + 100_000, max(1, chosen.throws // 5), 0.5, reader)
    print(
        f"  cocked dice {tilted.cocked}: said so {tilted.cocked_said}, given a value {tilted.cocked_read}; "
        f"misread beside them {tilted.misread}"
    )
    print(f"  {ms:.1f} ms a look, both networks {size:.2f} MB")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
