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

from tools.goldens.checkout import Room
from tools.goldens.compare import Harvest, Item
from tools.goldens.pictures import SIZES, demo_recording, run_shown, state_with

WALKS = 6
"""How many walks are replayed; ``--long`` replays many more."""
LONG_WALKS = 40
_FRAMES = 30
_SPOILT = 4
_BUTTONS = ("confirm", "back", "up", "down")

Event = dict[str, Any]


def replay_walks(room: Room, count: int = WALKS) -> Harvest:
    """Replay walks with their screens, in sizes and languages that take turns."""
    folder = demo_recording(room)
    state = state_with(room, "demo", folder)
    found: dict[str, Item] = {}
    for number in range(count):
        name = f"walk-{number}"
        room.given.make_once(name, _load_giver(number))
        words = ("replay", f"given/{name}", "--deck", "demo", "--state", state)
        size, language = SIZES[number % len(SIZES)], ("ja", "en")[number % 2]
        some = run_shown(room, words, size, language, "--json")
        found |= {f"{name}, {what}": item for what, item in some.items()}
    return found


def long_walks(room: Room) -> Harvest:
    """Replay many more walks."""
    return replay_walks(room, LONG_WALKS)


def _load_giver(number: int) -> Any:
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
            _link_file(recording / name, room.folder / name)
        shutil.copy(recording / "recording.json", room.folder / "recording.json")
        lines = "".join(f"{json.dumps(event)}\n" for event in timeline)
        (room.folder / "timeline.jsonl").write_text(lines, encoding="utf-8")

    return give


def _link_file(source: Path, target: Path) -> None:
    """Link one file under two names, as a recording must hold its frames itself."""
    if not target.exists():
        os.link(source, target)


def walk(events: list[Event], start: int, spoilt: dict[str, str], chance: random.Random) -> Iterator[Event]:
    """Yield a timeline over the frames of ``events``, the first ``start`` of which are played as they were.

    ``spoilt`` are frames that can't be read everywhere, by the frame that they were made of.
    """
    return _Walk(events, spoilt, chance).list_steps(start)


class _Walk:
    """Where a walk has come to: the next of the game's events, and how many frames were shown on the walk itself."""

    def __init__(self, events: list[Event], spoilt: dict[str, str], chance: random.Random) -> None:
        self._events = [{key: value for key, value in event.items() if key != "t"} for event in events]
        self._spoilt, self._chance = spoilt, chance
        self._t, self._at, self._shown = 0.0, 0, 0

    def list_steps(self, start: int) -> Iterator[Event]:
        ways = (
            (12, self._go_on),
            (7, self._open_menus),
            (2, self._take_back),
            (2, self._press_any),
            (2, self._show_astray),
            (2, self._show_unseen),
        )
        weights = [weight for weight, _ in ways]
        while self._at < min(start, len(self._events)):
            yield self._next_event()
        self._shown = 0
        yield from self._go_on()
        while self._shown < _FRAMES and self._at < len(self._events):
            _, way = self._chance.choices(ways, weights)[0]
            yield from way()

    @property
    def _frames(self) -> list[str]:
        """The game's frames so far."""
        return [event["frame"] for event in self._events[: self._at] if "frame" in event]

    def _time_event(self, event: Event, lasts: float) -> Event:
        timed = {"t": round(self._t, 1), **event}
        self._t += lasts
        return timed

    def _next_event(self) -> Event:
        """Return the game's next event."""
        event = self._events[self._at]
        self._at += 1
        self._shown += "frame" in event
        return self._time_event(event, 2.0 if "frame" in event else 0.3)

    def _show_frame(self, name: str) -> Event:
        self._shown += 1
        return self._time_event({"frame": name}, 2.0)

    def _press(self, button: str, held: bool = False) -> Event:
        return self._time_event({"button": button, **({"held": True} if held else {})}, 0.3)

    def _choose(self) -> Iterator[Event]:
        for _ in range(self._chance.choice((0, 1, 2, 3, 3, 4, 4, 5, 6, 7))):
            yield self._press(self._chance.choice(("down", "down", "down", "up")))
        yield self._press("confirm")

    def _show_again(self, turns: int) -> Iterator[Event]:
        """Yield the table as it lay that many frames ago, and each of these once more."""
        for name in self._frames[-1 - turns :]:
            yield self._show_frame(name)
            yield self._press("confirm")

    def _go_on(self) -> Iterator[Event]:
        """Go on with the game to its next confirm."""
        while self._at < len(self._events):
            event = self._next_event()
            yield event
            if event.get("button") == "confirm":
                return

    def _open_menus(self) -> Iterator[Event]:
        yield self._press("confirm", held=True)
        for _ in range(self._chance.choice((1, 1, 2, 3, 5, 8))):
            yield from self._choose()
        for _ in range(self._chance.choice((0, 0, 1, 2, 3))):
            yield self._press("back")
        if self._chance.random() < 0.4:
            yield from self._show_again(2)

    def _take_back(self) -> Iterator[Event]:
        turns = self._chance.choice((1, 1, 2, 3))
        for _ in range(turns):
            yield self._press("back", held=True)
        yield from self._show_again(turns if self._chance.random() < 0.8 else 1)

    def _press_any(self) -> Iterator[Event]:
        for _ in range(self._chance.randint(1, 6)):
            yield self._press(self._chance.choice(_BUTTONS), held=self._chance.random() < 0.1)

    def _show_astray(self) -> Iterator[Event]:
        """Show a table of another moment."""
        later = [event["frame"] for event in self._events[self._at : self._at + 8] if "frame" in event]
        yield self._show_frame(self._chance.choice([*self._frames[-4:], *later]))
        yield self._press("confirm")
        yield self._press("confirm")

    def _show_unseen(self) -> Iterator[Event]:
        """Show a table on which something can't be read, and the menu in which it may be named."""
        now = self._frames[-1]
        yield self._show_frame(self._spoilt.get(now) or self._chance.choice(list(self._spoilt.values())))
        yield self._press("confirm")
        yield self._press("confirm", held=True)
        for _ in range(self._chance.choice((2, 3, 4))):
            yield from self._choose()
        yield self._show_frame(now)
        yield self._press("confirm")


def spoil_frames(recording: Path, folder: Path, frames: Sequence[str], seed: str) -> dict[str, str]:
    """Smear two or three cards in frames of a recording, into a folder; return the new files' names by the old.

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
