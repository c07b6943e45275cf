"""The service's program with people at a sketched table, whose cards outlive the machine (tests/vm/served.py).

Everything is the product's but camera, reader and people: the app, the journal, the display, the recorder, systemd's
notifications. What lies on the table is kept in the folder that the host shares, and so is what the screen has shown:
first what the journal holds at this start, then each move that the screen shows as accepted.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from device.app.equipment import Wishes
from device.app.notify import Notifier
from device.app.start import Plan
from device.hardware.display import Display
from device.hardware.displays import choose_display, open_display
from device.simulated.course import Steps
from device.speech import Language
from device.storage.journal import Journal
from referee.history import MOVE
from tests.device.at_the_table import PLAYERS, QUICK, quick_app
from ui.screen_state import Mood, ScreenState

TABLE = Path("/table")
HANGING = {"now": ""}


def say(what: Any) -> None:
    """Say it where the host reads it; it is there when this returns."""
    handle = os.open(TABLE / "said", os.O_WRONLY | os.O_APPEND)
    try:
        os.write(handle, json.dumps(what).encode() + b"\n")
    finally:
        os.close(handle)


class Remembered(Steps):
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
    """The display, and what it shows told to the host."""

    def __init__(self, inner: Display) -> None:
        self._inner, self.app, self._moves = inner, None, 0  # type: ignore[var-annotated]

    def show(self, state: ScreenState) -> None:
        while HANGING["now"] == "screen":
            time.sleep(0.1)
        self._inner.show(state)
        session = self.app.session if self.app is not None else None
        if state.mood is Mood.FINISHED:
            say({"finished": True})
        if session is not None and state.mood is Mood.ACCEPTED:
            moves = sum(entry.kind == MOVE for entry in session.entries)
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


def main() -> None:
    """Go on with the game that was being played, or begin the next one."""
    state = Path(os.environ["STATE_DIRECTORY"])
    with Journal.open(state) as journal:
        games, going_on, aside = journal.games(), journal.going_on, journal.set_aside
        kept = (
            [entry.data["move"] for entry in journal.entries(going_on.number) if entry.kind == MOVE] if going_on else []
        )
    ended = sum(game.ended is not None for game in games)
    seed = ended + 1
    marked = (state / "playing").exists()
    say(
        {"ended": ended, "going on": going_on is not None, "marked": marked, "moves": kept, "aside": aside and aside.en}
    )
    plan, game = Plan("laminate", PLAYERS, {"first_seat": 1}, "mine"), None
    if going_on is not None:
        # As after any power cut, the program finds by itself what was played, unless it had not come to show it.
        plan, game = None, (None if marked else going_on.number)  # type: ignore[assignment]
    display = Told(open_display(choose_display("auto", None, 0, os.environ)))
    wishes = Wishes(Language.EN, plan=plan, game=game, pace=QUICK, record=not (TABLE / "unrecorded").exists())
    app, evening, _ = quick_app(
        state, seed, display, steps=Remembered(TABLE / f"steps-{seed}"), wishes=wishes, notifier=Notifier()
    )
    display.app = app
    evening.preview, evening.picture = _hanging(evening.preview), _hanging(evening.picture)  # type: ignore[method-assign]
    threading.Thread(target=_look_for_faults, daemon=True).start()
    app.run()
    say({"over": evening.over})


if __name__ == "__main__":
    try:
        main()
    except BaseException as error:
        say({"fault": f"{type(error).__name__}: {error}"})
        sys.exit(1)
