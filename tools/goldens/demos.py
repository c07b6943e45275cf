"""Whole simulated games: the demo's course and screens, and the soak's verdicts."""

from __future__ import annotations

import subprocess

from tools.goldens.checkout import Checkout, Room, drop_seconds
from tools.goldens.compare import Harvest, Item, pictures_of
from tools.goldens.pictures import DEMO_SEEDS, SIZES

LONG_SEEDS = tuple(range(4, 16))
SOAK, RENDERED = 40, 1
LONG_SOAK, LONG_RENDERED = 400, 6


def run_demo(room: Room, seeds: tuple[int, ...] = DEMO_SEEDS) -> Harvest:
    """Run the demo of several seeds, sizes and languages taking turns: its course and every screen, pixel by pixel."""
    found: dict[str, Item] = {}
    for number, seed in enumerate(seeds):
        size, language = SIZES[number % len(SIZES)], ("en", "ja")[number % 2]
        words = ("demo", "--headless", "--seed", str(seed), "--size", size, "--language", language)
        ran = room.run_sevenmat(*words, "--screens", f"seed-{seed}", mask=drop_seconds)
        pictures = pictures_of(room.folder / f"seed-{seed}")
        found[f"seed {seed}, course"] = ran.text
        found[f"seed {seed}, names of screens"] = "".join(f"{path.name}\n" for path in pictures)
        found[f"seed {seed}, screens"] = pictures
    return found


def long_demo(room: Room) -> Harvest:
    """Run the demo of more seeds."""
    return run_demo(room, LONG_SEEDS)


def soak(room: Room, games: int = SOAK, rendered: int = RENDERED) -> Harvest:
    """Run the soak's seeds: every verdict, or, where a checkout can't tell them, its report."""
    count = ("--games", str(games), "--rendered", str(rendered), "--jobs", "1")
    tells = all(map(_tells_verdicts, room.both))
    verdicts = room.folder / "verdicts.jsonl"
    more = ("--verdicts", verdicts) if tells else ()
    ran = room.run_python("-m", "tools.soak", *count, *more, at_home=True)
    report = "".join(f"{line}\n" for line in ran.out.splitlines() if "judging, ms" not in line and " min" not in line)
    if not tells:
        room.notes.append("soak: only its report is compared, since a checkout lacks --verdicts")
        return {"report": report}
    return {"report": report, "verdicts": verdicts.read_text(encoding="utf-8")}


def _tells_verdicts(checkout: Checkout) -> bool:
    words = [checkout.python, "-m", "tools.soak", "--help"]
    asked = subprocess.run(words, cwd=checkout.folder, capture_output=True, text=True, check=False)
    return "--verdicts" in asked.stdout


def long_soak(room: Room) -> Harvest:
    """Run the soak of many more of its games."""
    return soak(room, LONG_SOAK, LONG_RENDERED)
