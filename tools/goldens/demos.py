"""Whole simulated games: the demo's course and screens, and the soak's verdicts."""

from __future__ import annotations

from tools.goldens.checkout import Room, drop_seconds
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
    """Run the soak's seeds: every verdict."""
    count = ("--games", str(games), "--rendered", str(rendered), "--jobs", "1")
    verdicts = room.folder / "verdicts.jsonl"
    ran = room.run_python("-m", "tools.soak", *count, "--verdicts", verdicts, at_home=True)
    report = "".join(f"{line}\n" for line in ran.out.splitlines() if "strewn tables, ms" not in line)
    return {"report": report, "verdicts": verdicts.read_text(encoding="utf-8")}


def long_soak(room: Room) -> Harvest:
    """Run the soak of many more of its games."""
    return soak(room, LONG_SOAK, LONG_RENDERED)
