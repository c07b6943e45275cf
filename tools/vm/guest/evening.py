"""The service's program with people at a sketched table, whose cards outlive the machine (tools/vm/served.py).

Everything is the product's but camera, reader and people: the app, the journal, the display, the recorder, systemd's
notifications. What lies on the table is kept in the folder that the host shares, and so is what the screen has shown:
first what the journal holds at this start, then each move that the screen shows as accepted. Where the host wants it,
settings are changed and decks kept beside the game, each said before and after.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from device.app.app import App
from device.app.equipment import StartOptions
from device.app.notify import Notifier
from device.app.plan import Plan
from device.errors import DeviceError
from device.hardware.display import Display
from device.hardware.displays import choose_display, open_display
from device.settings.settings_file import change_setting, load_settings
from device.settings.values import RecordingSettings, Settings
from device.speech import Language
from device.storage.deck_store import DeckShelf
from device.storage.journal import Journal
from device.storage.recording import Recording
from referee.history import MOVE
from simulator.course import Progress
from tests.device.at_the_table import PLAYERS, QUICK, quick_app
from ui.screen_state import Mood, ScreenState
from vision.errors import VisionError
from vision.identify.deck import Deck

TABLE = Path("/table")
HANGING = {"now": ""}
SPEAKING = threading.Lock()


def say(what: Any) -> None:
    """Say it where the host reads it; it is there when this returns."""
    with SPEAKING:
        handle = os.open(TABLE / "said", os.O_WRONLY | os.O_APPEND)
        try:
            os.write(handle, json.dumps(what).encode() + b"\n")
        finally:
            os.close(handle)


class Remembered(Progress):
    """How far the people have come, in a file of the host's."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)

    @property
    def count(self) -> int:
        return int(os.pread(self._handle, 20, 0) or b"0")

    @count.setter
    def count(self, count: int) -> None:
        os.pwrite(self._handle, b"%020d" % count, 0)


class Told:
    """The display, and what it shows reported to the host."""

    def __init__(self, inner: Display) -> None:
        self._inner, self._moves = inner, 0
        self.app: App | None = None

    def show(self, state: ScreenState) -> None:
        while HANGING["now"] == "screen":
            time.sleep(0.1)
        self._inner.show(state)
        session = self.app.session if self.app is not None else None
        if state.mood is Mood.FINISHED:
            say({"finished": True})
        if session is not None and state.mood is Mood.ACCEPTED:
            moves = sum(entry.kind == MOVE for entry in session.log.entries)
            if moves != self._moves:
                self._moves = moves
                say({"accepted": moves})

    def close(self) -> None:
        self._inner.close()


def _look_for_faults() -> None:
    """Hang what the host wants to hang: ``screen``, ``camera`` or nothing."""
    while True:
        HANGING["now"] = (TABLE / "hang").read_text() if (TABLE / "hang").exists() else ""
        time.sleep(0.3)


def _hanging(look: Callable[[], Any]) -> Callable[[], Any]:
    def hanging() -> Any:
        while HANGING["now"] == "camera":
            time.sleep(0.1)
        return look()

    return hanging


def marks() -> list[int]:
    """Return which installation each room of the program comes from, by the files that the host puts in before each."""
    found = []
    for room in ("rules", "referee", "vision", "ui", "device", "web", "hall", "printing", "simulator", "cli"):
        try:
            found.append(importlib.import_module(f"{room}.mark").MARK)
        except ImportError:
            found.append(0)
    return found


class Beside:
    """What people do beside the game: decks and settings are kept. Each is said before, and once it is done."""

    def __init__(self, state: Path) -> None:
        self._state, self._shelf, self._deck = state, DeckShelf(state), Deck.load(TABLE / "small.deck")

    def holds(self) -> dict[str, Any]:
        """Return what is there by its name; what is half there is ``"half …"``, of recordings nothing else is said."""
        held: dict[str, Any] = {}
        try:
            held["setting"] = load_settings(self._state).recording.most_mb
        except DeviceError as error:
            held["setting"] = f"half: {error}"
        for name in self._shelf.list_names():
            try:
                held[f"deck {name}"] = self._shelf.load(name).model
            except (DeviceError, VisionError) as error:
                held[f"deck {name}"] = f"half: {error}"
        for folder in sorted((self._state / "recordings").glob("*"))[-2:]:
            # without a header it is no recording yet, without a frame there is nothing to be played
            lines = folder / "timeline.jsonl"
            if (folder / "recording.json").exists() and lines.exists() and b'"frame"' in lines.read_bytes():
                try:
                    Recording.load(folder)
                except (DeviceError, OSError) as error:
                    held[f"recording {folder.name}"] = f"half: {error}"
        return held

    def do(self) -> None:
        """Do one after the other, without end."""
        chance = random.Random()
        while True:
            time.sleep(chance.uniform(0.2, 1.0))
            value = chance.randrange(1000, 9000)
            if value % 2:
                change = partial(change_setting, self._state, "recording.most_mb", value)
                self._say_and({"setting": value}, change)
            else:
                deck = replace(self._deck, model=f"model {value}")
                name = f"deck-{value % 3}"
                self._say_and({f"deck {name}": deck.model}, partial(self._shelf.save, name, deck))

    def _say_and(self, things: dict[str, Any], do: Callable[[], Any]) -> None:
        say({"doing": things})
        do()
        say({"done": things})


def main() -> None:
    """Go on with the game that was being played, or begin the next one."""
    if (TABLE / "unflushed").exists():
        os.fsync = lambda handle: None  # type: ignore[assignment]
    state = Path(os.environ["STATE_DIRECTORY"])
    beside = Beside(state) if (TABLE / "small.deck").exists() else None
    with Journal.open(state) as journal:
        games, going_on, aside = journal.list_games(), journal.going_on, journal.set_aside
        kept = (
            [entry.data["move"] for entry in journal.read_entries(going_on.number) if entry.kind == MOVE]
            if going_on
            else []
        )
    ended = sum(game.ended is not None for game in games)
    seed = ended + 1
    marked = (state / "playing").exists()
    found = {"ended": ended, "going on": going_on is not None, "marked": marked, "moves": kept}
    say({**found, "aside": aside and str(aside.text), "marks": marks()})
    if beside is not None:
        say({"holds": beside.holds(), "unfinished": []})
        threading.Thread(target=beside.do, daemon=True).start()
    plan, game = Plan("laminate", PLAYERS, {"first_seat": 1}, "mine"), None
    if going_on is not None:
        # As after any power cut, the program finds by itself what was played, unless it had not come to show it.
        plan, game = None, (None if marked else going_on.number)  # type: ignore[assignment]
    display = Told(open_display(choose_display("auto", None, 0, os.environ)))
    recorded = Settings(recording=RecordingSettings(not (TABLE / "unrecorded").exists()))
    wishes = StartOptions(Language.EN, recorded, plan=plan, game=game, pace=QUICK)
    app, evening, _ = quick_app(
        state, seed, display, steps=Remembered(TABLE / f"steps-{seed}"), wishes=wishes, notifier=Notifier()
    )
    display.app = app
    evening.take_preview, evening.take_picture = _hanging(evening.take_preview), _hanging(evening.take_picture)  # type: ignore[method-assign]
    threading.Thread(target=_look_for_faults, daemon=True).start()
    app.run()
    say({"over": evening.over})


if __name__ == "__main__":
    try:
        main()
    except BaseException as error:
        say({"fault": f"{type(error).__name__}: {error}"})
        sys.exit(1)
