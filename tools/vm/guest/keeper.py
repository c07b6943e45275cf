"""The program alone as process 1: it keeps things through its own storage until the plug is pulled, and says each one.

Runs in the machine of ``tools/vm/alone.py``. On the second serial line it says ``ready``, hears one line of JSON about
this life, says what the disk holds, as the program's own readers see it, and then, for one thing after the other, that
it is being done and that it is done. "Done" is said when the program's call has returned, when a screen would say so.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import shutil
import termios
import time
import tty
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from device.errors import DeviceError
from device.hardware.buttons import Button
from device.settings.settings_file import change_setting, load_settings
from device.speech import Language
from device.storage.deck_store import DeckShelf
from device.storage.game_file import list_numbers
from device.storage.journal import GameLog, Journal
from device.storage.opening import Result
from device.storage.recording import FrameShown, Recording, RecordingWriter
from device.storage.scored import ScoredTables
from device.storage.turn_files import TurnFiles
from referee.history import Entry
from tests.device.openings import opening
from vision.errors import VisionError
from vision.identify.deck import Deck

HERE = Path("/run/alone")
MOUNT, DISK = Path("/mnt"), "/dev/vdb"
STATE = MOUNT / "state"
OPENING = opening(("Hilbert", "Banach", "Noether"), 1, "small")
RESULT = Result((3, 2, 1), (1,))
MOST_RECORDINGS = 4


def read_script() -> list[Entry]:
    """List what happens in every game, entry by entry: a whole one played at the simulated table."""
    return [Entry.from_json(entry) for entry in json.loads((HERE / "entries.json").read_text())]


def make_jpeg(number: int) -> bytes:
    """Make a frame, known by its number; its length varies."""
    return sha256(b"%d" % number).digest() * (200 + 97 * (number % 11))


class Keeper:
    """The state folder: what it holds, and what is done to it."""

    def __init__(self, say: Callable[[Any], None], heard: Callable[[], object]) -> None:
        """``heard`` returns when the host has heard what was said."""
        self._say, self._heard, self._script = say, heard, read_script()
        self._journal = Journal.open(STATE)
        self._shelf, self._scored = DeckShelf(STATE), ScoredTables(STATE)
        self._small = Deck.load(HERE / "small.deck")
        self._log: GameLog | None = None
        self._writer: RecordingWriter | None = None
        self._recording = ""

    # What is there

    def list_held(self) -> dict[str, Any]:
        """Return everything kept, a value for each thing; what is half there, or not as put there, is ``"half …"``."""
        held: dict[str, Any] = {}
        aside = self._journal.set_aside
        held["set aside"] = None if aside is None else str(aside.text)
        for kept in self._journal.list_games():
            entries = self._journal.read_entries(kept.number)
            right = list(entries) == self._script[: len(entries)]
            held[f"game {kept.number}"] = [len(entries), kept.ended is not None] if right else "half: other entries"
        for number in self._journal.list_unreadable():
            held[f"game {number}"] = "half: unreadable"
        going_on = self._journal.going_on
        held["going on"] = going_on.number if going_on else 0
        try:
            held["setting"] = load_settings(STATE).recording.most_mb
        except DeviceError as error:
            held["setting"] = f"half: {error}"
        for name in self._shelf.list_names():
            try:
                held[f"deck {name}"] = self._shelf.load(name).model
            except (DeviceError, VisionError) as error:
                held[f"deck {name}"] = f"half: {error}"
        for number in self._scored.list_numbers():
            try:
                held[f"scored {number}"] = self._scored.read_table(number).data["value"]
            except DeviceError as error:
                held[f"scored {number}"] = f"half: {error}"
        for folder in sorted((STATE / "recordings").glob("*")):
            held[f"recording {folder.name}"] = self._read_recorded(folder)
        if going_on is not None:
            for key, pictures in TurnFiles(STATE, going_on.number).read():
                whole = pictures == (make_jpeg(int(key)), make_jpeg(int(key) + 1))
                held[f"turn {going_on.number}/{key}"] = "there" if whole else "half: other pictures"
        return held

    def _read_recorded(self, folder: Path) -> Any:
        if not (folder / "recording.json").exists():
            return 0  # no recording yet: its header comes last
        lines = (folder / "timeline.jsonl").read_bytes().split(b"\n")[:-1]
        if not any(b'"frame"' in line for line in lines):
            return len(lines)  # there is nothing to be played yet
        try:
            events = Recording.load(folder).events
        except (DeviceError, OSError) as error:
            return f"half: {error}"
        number = 0
        for event in events:
            if isinstance(event, FrameShown):
                if event.frame.read_bytes() != make_jpeg(number):
                    return f"half: frame {number}"
                number += 1
        return len(events)

    def list_unfinished(self) -> list[str]:
        """List files that were being written when the plug was pulled, and that are still there."""
        return sorted(
            str(path.relative_to(STATE)) for path in STATE.rglob("*") if path.name[0] == "." or path.suffix == ".part"
        )

    # What is done

    def go_on(self) -> None:
        """Resume the game that goes on, if there is one."""
        if (kept := self._journal.going_on) is not None:
            self._log = self._journal.resume(kept.number)

    def do_something(self, chance: random.Random, value: int) -> None:
        """Do one thing by chance, mostly a move."""
        ways = {self._move: 12.0, self._set: 2.0, self._learn: 2.0, self._score: 2.0, self._record: 6.0}
        ways |= {self._turn: 2.0, self._end: 0.5, self._delete: 0.3, self._forget: 1.0}
        if self._log is None or len(self._log.entries) >= len(self._script):
            self._begin()
        else:
            chance.choices(list(ways), list(ways.values()))[0](value)

    def _doing(self, **things: Any) -> Callable[[], None]:
        """Say what is about to be so, as name and value; call the answer once it is."""
        self._say({"doing": things})
        self._heard()
        return lambda: self._say({"done": things})

    def _begin(self) -> None:
        number = max(list_numbers(STATE), default=0) + 1
        done = self._doing(**{f"game {number}": [0, False], "going on": number})
        self._log = self._journal.begin(OPENING, Language.EN)
        assert self._log.game == number, (self._log.game, number)
        done()

    def _move(self, _: int) -> None:
        assert self._log is not None
        count = len(self._log.entries)
        done = self._doing(**{f"game {self._log.game}": [count + 1, False], "going on": self._log.game})
        self._log.append(self._script[count])
        done()

    def _end(self, _: int) -> None:
        assert self._log is not None
        done = self._doing(**{f"game {self._log.game}": [len(self._log.entries), True], "going on": 0})
        self._log.end(RESULT)
        done()
        self._log = None

    def _delete(self, _: int) -> None:
        others = [
            kept.number for kept in self._journal.list_games() if self._log is None or kept.number != self._log.game
        ]
        if others:
            done = self._doing(**{f"game {others[0]}": None})
            self._journal.delete(others[0])
            done()

    def _set(self, value: int) -> None:
        done = self._doing(setting=100 + value % 900)
        change_setting(STATE, "recording.most_mb", 100 + value % 900)
        done()

    def _learn(self, value: int) -> None:
        name = f"d{value % 3}"
        done = self._doing(**{f"deck {name}": f"model {value}"})
        self._shelf.save(name, replace(self._small, model=f"model {value}"))
        done()

    def _record(self, value: int) -> None:
        if self._writer is None:
            there = [int(folder.name) for folder in (STATE / "recordings").glob("*")]
            self._recording, self._count, self._frames = f"{max(there, default=0) + 1:05d}", 0, 0
            done = self._doing(**{f"recording {self._recording}": 0})
            folder = STATE / "recordings" / self._recording
            self._writer = RecordingWriter(folder, OPENING.header, OPENING.layout)
            done()
            return
        done = self._doing(**{f"recording {self._recording}": self._count + 1})
        if value % 3:
            self._writer.write_frame(float(self._count), make_jpeg(self._frames))
            self._frames += 1
        else:
            self._writer.write_button(float(self._count), Button.CONFIRM)
        self._count += 1
        done()

    def _score(self, value: int) -> None:
        number = max(self._scored.list_numbers(), default=0) + 1
        done = self._doing(**{f"scored {number}": value})
        self._scored.keep({"value": value}, make_jpeg(value % 50))
        done()

    def _turn(self, value: int) -> None:
        assert self._log is not None
        done = self._doing(**{f"turn {self._log.game}/{value}": "there"})
        TurnFiles(STATE, self._log.game).keep(str(value), (make_jpeg(value), make_jpeg(value + 1)))
        done()

    def _forget(self, _: int) -> None:
        """Make room as the recorder and people do; whether that lasts nobody promises."""
        folders = sorted((STATE / "recordings").glob("*"))
        for folder in folders[:-MOST_RECORDINGS]:
            done = self._doing(**{f"recording {folder.name}": None})
            shutil.rmtree(folder)
            os.sync()
            done()


def main() -> None:
    """Live one life."""
    line = open("/dev/ttyS1", "r+b", buffering=0)  # noqa: SIM115 (until the end of the machine)
    tty.setraw(line.fileno())

    def say(what: Any) -> None:
        line.write(json.dumps(what).encode() + b"\n")
        termios.tcdrain(line.fileno())

    say("ready")
    heard = b""
    while not heard.endswith(b"\n"):
        heard += line.read(1)
    life = json.loads(heard)
    chance = random.Random(life["seed"])
    try:
        # A Pi has no clock of its own: it may show any day.
        time.clock_settime(time.CLOCK_REALTIME, chance.uniform(0, 4e9))
        if not life["sync"]:
            os.fsync = lambda handle: None  # type: ignore[assignment]
        if ctypes.CDLL(None, use_errno=True).mount(DISK.encode(), bytes(MOUNT), b"ext4", 0, b""):
            raise OSError(ctypes.get_errno(), "mount")
        STATE.mkdir(exist_ok=True)
        keeper = Keeper(say, lambda: line.read(1))
        say({"holds": keeper.list_held(), "unfinished": keeper.list_unfinished()})
        keeper.go_on()
        while True:
            keeper.do_something(chance, chance.randrange(10_000))
    except BaseException as error:
        say({"fault": f"{type(error).__name__}: {error}"})
        raise


if __name__ == "__main__":
    main()
