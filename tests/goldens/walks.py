"""Walks through a recorded game with any buttons pressed: menus, turns taken back, cards named, positions set by hand.

A walk is itself a recording (FORMATS.md), made of a simulated game's frames with other presses between them, so the
same walk can be replayed by any version.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageFilter

from tests.goldens.checkout import Room
from tests.goldens.compare import Harvest, Item
from tests.goldens.pictures import SIZES, demo_recording, shown, state_with

WALKS = 6
"""How many walks are replayed; ``--long`` replays many more."""
LONG_WALKS = 40
_FRAMES = 24
_SPOILT = 4
_BUTTONS = ("confirm", "back", "up", "down")

Event = dict[str, Any]


def walks(room: Room, count: int = WALKS) -> Harvest:
    """Walks replayed with their screens, in sizes and languages that take turns."""
    folder = demo_recording(room)
    state = state_with(room, "demo", folder)
    found: dict[str, Item] = {}
    for number in range(count):
        name = f"walk-{number}"
        room.given.once(name, _giver(number))
        words = ("replay", f"given/{name}", "--deck", "demo", "--state", state)
        size, language = SIZES[number % len(SIZES)], ("ja", "en")[number % 2]
        some = shown(room, words, size, language, "--json")
        found |= {f"{name}, {what}": item for what, item in some.items()}
    return found


def long_walks(room: Room) -> Harvest:
    """Many more of them."""
    return walks(room, LONG_WALKS)


def _giver(number: int) -> Any:
    def give(room: Room) -> None:
        recording = room.folder / demo_recording(room)
        chance = random.Random(f"walk {number}")
        events = [json.loads(line) for line in (recording / "timeline.jsonl").read_text().splitlines()]
        start = chance.randrange(0, max(1, len(events) - 60)) if number else 0
        (room.folder / "frames").mkdir()
        frames = chance.sample([event["frame"] for event in events if "frame" in event][8:], _SPOILT)
        smeared = spoil_frames(recording, room.folder / "frames", frames, f"spoilt for walk {number}")
        spoilt = {frame: f"frames/{name}" for frame, name in smeared.items()}
        timeline = list(walk(events, start, spoilt, chance))
        for name in {event["frame"] for event in timeline if "frame" in event} - set(spoilt.values()):
            _link(recording / name, room.folder / name)
        shutil.copy(recording / "recording.json", room.folder / "recording.json")
        lines = "".join(f"{json.dumps(event)}\n" for event in timeline)
        (room.folder / "timeline.jsonl").write_text(lines, encoding="utf-8")

    return give


def _link(source: Path, target: Path) -> None:
    """One file under two names, as a recording must hold its frames itself."""
    if not target.exists():
        os.link(source, target)


def walk(events: list[Event], start: int, spoilt: dict[str, str], chance: random.Random) -> Iterator[Event]:
    """A timeline over the frames of ``events``, the first ``start`` of which are played as they were.

    ``spoilt`` are frames that can't be read everywhere, by the frame that they were made of.
    """
    t = 0.0

    def timed(event: Event, lasts: float) -> Event:
        nonlocal t
        told = {**event, "t": round(t, 1)}
        t += lasts
        return told

    def frame(name: str) -> Event:
        return timed({"frame": name}, 2.0)

    def press(button: str, held: bool = False) -> Event:
        return timed({"button": button, **({"held": True} if held else {})}, 0.3)

    def choose() -> Iterator[Event]:
        for _ in range(chance.choice((0, 0, 1, 1, 2, 3, 4, 6))):
            yield press(chance.choice(("down", "down", "down", "up")))
        yield press("confirm")

    at, shown_frames = 0, 0
    while at < min(start, len(events)):
        event = {key: value for key, value in events[at].items() if key != "t"}
        yield timed(event, 2.0 if "frame" in event else 0.3)
        at += 1
    while shown_frames < _FRAMES and at < len(events):
        names = [event["frame"] for event in events[:at] if "frame" in event]
        now = names[-1] if names else ""
        how = chance.choices(("on", "menu", "back", "buttons", "jump", "spoilt"), (12, 6, 3, 3, 2, 2))[0]
        if how == "on" or not names:
            while at < len(events):
                event = {key: value for key, value in events[at].items() if key != "t"}
                yield timed(event, 2.0 if "frame" in event else 0.3)
                shown_frames += "frame" in event
                at += 1
                if event.get("button") == "confirm":
                    break
        elif how == "menu":
            yield press("confirm", held=True)
            for _ in range(chance.choice((1, 1, 2, 3, 5, 8))):
                yield from choose()
            for _ in range(chance.choice((0, 0, 1, 2, 3))):
                yield press("back")
        elif how == "back":
            for _ in range(chance.choice((1, 1, 2, 3))):
                yield press("back", held=True)
            if chance.random() < 0.7 and len(names) > 1:
                yield frame(names[-2])
                shown_frames += 1
                yield press("confirm")
            yield frame(now)
            yield press("confirm")
        elif how == "buttons":
            for _ in range(chance.randint(1, 6)):
                yield press(chance.choice(_BUTTONS), held=chance.random() < 0.15)
        elif how == "jump":
            later = [event["frame"] for event in events[at : at + 8] if "frame" in event]
            yield frame(chance.choice([*names[-4:], *later]))
            shown_frames += 1
            yield press("confirm")
            yield press("confirm")
        elif spoilt:
            yield frame(chance.choice(list(spoilt.values())) if now not in spoilt else spoilt[now])
            shown_frames += 1
            yield press("confirm")
            yield press("confirm", held=True)
            for _ in range(chance.choice((2, 3, 4))):
                yield from choose()
            yield frame(now)
            yield press("confirm")


def spoil_frames(recording: Path, folder: Path, frames: Sequence[str], seed: str) -> dict[str, str]:
    """Frames of a recording with two or three cards smeared, put into a folder; the new files' names by the old.

    Where the cards lie is taken from the truth that the demo writes beside its recordings.
    """
    chance = random.Random(seed)
    lines = [json.loads(line) for line in (recording / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    cards = {line["frame"]: line["cards"] for line in lines if "frame" in line}
    mat = json.loads((recording / "recording.json").read_text(encoding="utf-8"))["mat_mm"]
    spoilt = {}
    for frame in frames:
        with Image.open(recording / frame) as picture:
            picture.load()
        for card in chance.sample(cards[frame], min(len(cards[frame]), chance.choice((2, 3)))):
            _smear(picture, card, mat)
        spoilt[frame] = f"spoilt-{Path(frame).name}"
        picture.save(folder / spoilt[frame], quality=92)
    return spoilt


def _smear(picture: Image.Image, card: Event, mat_mm: list[float]) -> None:
    """Blur what lies round a card's centre; the simulated camera hangs nearly straight above the mat's middle."""
    scale = picture.width * 0.92 / mat_mm[0]
    x = picture.width / 2 + (card["x"] - mat_mm[0] / 2) * scale
    y = picture.height / 2 + (card["y"] - mat_mm[1] / 2) * scale
    box = tuple(map(round, (x - 55 * scale, y - 55 * scale, x + 55 * scale, y + 55 * scale)))
    picture.paste(picture.crop(box).filter(ImageFilter.GaussianBlur(3.2 * scale)), box[:2])
