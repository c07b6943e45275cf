"""Damaged files of each kind, case by case: each is made anew from the seed, its kind and its number."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tools.fuzz import equipment, games
from tools.fuzz.judging import Call, FaultError, judge

Kind = Callable[[random.Random, Path], list[Call]]
"""Writes a damaged file into a folder of its own, which may hold the one before, and says what to do with it."""

KINDS: dict[str, Kind] = {
    "records": games.call_check,
    "recordings": games.call_replay,
    "settings": equipment.call_settings,
    "decks": equipment.call_decks,
    "journals": games.call_games,
    "pictures": equipment.call_read,
}


def fuzz(kind: str, seed: int, numbers: range, say: bool = True) -> list[str]:
    """Run these cases of a kind; returns what was wrong, each beginning with the case's number."""
    faults: list[str] = []
    codes: Counter[int] = Counter()
    slowest, began = (0.0, 0), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            calls = KINDS[kind](random.Random(f"{seed} {kind} {number}"), Path(folder))
            for call in calls:
                try:
                    code, took = judge(call)
                except FaultError as fault:
                    faults.append(f"{kind} {number}: {fault}")
                    if say:
                        print(f"  FAULT {faults[-1]}", flush=True)
                    continue
                codes[code] += 1
                slowest = max(slowest, (took, number))
    if say:
        minutes = (time.monotonic() - began) / 60
        ended = ", ".join(f"{count} ended with {code}" for code, count in sorted(codes.items()))
        print(f"{kind}: {len(numbers)} cases, {sum(codes.values())} calls ({ended}), {len(faults)} unforeseen faults,")
        print(f"  slowest {slowest[0]:.2f} s of processor time (case {slowest[1]}), {minutes:.1f} min", flush=True)
    return faults
