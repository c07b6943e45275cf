"""Is the newer checkout as fast? Whole commands and the benchmarks' figures, in pairs of runs on one machine.

A pair is one run of each checkout, one right after the other, the older one first in every other pair; what counts is
the median of the pairs' ratios. Other work on the machine then slows both alike.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from tools.goldens.checkout import BrokenError, Room, make_environment
from tools.goldens.pictures import demo_recording, pages_of, state_with
from tools.goldens.records import record_files

T = TypeVar("T")

MOST = 1.05
"""The newer one may take so much of the older one's time."""

_FIGURE = re.compile(r"^(?P<name>\S.*?)\s{2,}(?P<value>[\d.]+) (?:ms|MB)\b")
_RULES = re.compile(r"^  (?P<name>[^:]+): (?P<value>[\d,.]+)$")


@dataclass(frozen=True)
class Spent:
    """What one run of a command took, in seconds."""

    processor: float
    wall: float


def figures_of(printed: str) -> dict[str, float]:
    """Parse the figures that ``python -m tools.bench`` prints, by name; all of them the less the better.

    >>> figures_of("find the mat anew       12.5 ms    0.41 passes\\n  games per second: 200.0\\n")
    {'find the mat anew': 12.5, 'games per second': 0.005}
    """
    found = {}
    for line in printed.splitlines():
        if match := _FIGURE.match(line):
            found[match["name"]] = float(match["value"])
        elif match := _RULES.match(line):
            value = float(match["value"].replace(",", ""))
            if value > 0:
                more_is_better = "per second" in match["name"] or "share" in match["name"]
                found[match["name"]] = 1 / value if more_is_better else value
    return found


def compute_ratios(old: Sequence[Mapping[str, float]], new: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Compute for each figure the median of the pairs' ratios, new to old; leave out those that one of them lacks."""
    names = [name for name in old[0] if all(name in figures and figures[name] for figures in (*old, *new))]
    return {
        name: statistics.median(after[name] / before[name] for before, after in zip(old, new, strict=True))
        for name in names
    }


def list_commands(room: Room) -> dict[str, list[str | Path]]:
    """List the commands that are timed, by name."""
    folder = demo_recording(room)
    state = ["--state", state_with(room, "demo", folder)]
    frames = [f"{folder}/frames/{path.name}" for path in sorted((room.folder / folder / "frames").glob("*.jpg"))[::12]]
    records = [f"shared/records/{path.name}" for path in record_files(room)] if room.shared is not None else []
    timed: dict[str, list[str | Path]] = {
        "sevenmat --version": ["--version"],
        "sevenmat enrol": ["enrol", "--deck", "timed", *pages_of(folder), "--state", "timed"],
        "sevenmat read": ["read", *frames, "--deck", "demo", *state, "--json"],
        "sevenmat replay": ["replay", folder, "--deck", "demo", *state, "--json"],
    }
    return timed | ({"sevenmat check": ["check", *records, "--json"]} if records else {})


def spent_on(room: Room, words: Sequence[str | Path]) -> Spent:
    """Measure how long a command takes, its children included.

    Raises:
        BrokenError: it fails.
    """
    began = time.perf_counter()
    process = subprocess.Popen(
        [str(room.checkout.command), *map(str, words)],
        cwd=room.folder,
        env=make_environment(room.home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise BrokenError(f"sevenmat {' '.join(map(str, words[:3]))} … ends with {process.returncode}")
    return Spent(used.ru_utime + used.ru_stime, time.perf_counter() - began)


def _spent_on_named(name: str, room: Room) -> Spent:
    return spent_on(room, list_commands(room)[name])


def run_bench(room: Room) -> dict[str, float]:
    """Measure the figures of ``python -m tools.bench``.

    Raises:
        BrokenError: it fails, or prints no figure.
    """
    ran = room.run_python("-m", "tools.bench", at_home=True, code=None)
    found = figures_of(ran.out)
    if ran.code or not found:
        raise BrokenError(f"python -m tools.bench ends with {ran.code} and {len(found)} figures")
    return found


def compare_speed(old: Room, new: Room, pairs: int) -> Iterator[tuple[str, float, str]]:
    """Compare each timed thing: its name, the median ratio, and more words about it."""
    for name in list_commands(old):
        # By processor time: a busy machine stretches the wall clock, and not both alike.
        spent = _run_paired(old, new, pairs, partial(_spent_on_named, name))
        processor, wall = (
            statistics.median(getattr(b, what) / getattr(a, what) for a, b in zip(*spent, strict=True))
            for what in ("processor", "wall")
        )
        before, after = (statistics.median(one.processor for one in side) for side in spent)
        yield name, processor, f"{before:.2f} s | {after:.2f} s of processor time, by the clock × {wall:.2f}"
    figures = _run_paired(old, new, pairs, run_bench)
    for name, ratio in compute_ratios(*figures).items():
        yield f"bench: {name}", ratio, ""


def _run_paired(old: Room, new: Room, pairs: int, run: Callable[[Room], T]) -> tuple[list[T], list[T]]:
    """Collect what each checkout gives in each pair."""
    found: tuple[list[T], list[T]] = ([], [])
    for number in range(pairs):
        sides = ((0, old), (1, new)) if number % 2 == 0 else ((1, new), (0, old))
        for side, room in sides:
            found[side].append(run(room))
    return found
