"""The installed service's program at its simulated table, evening without end: ``evening.py run --service …``.

After a game its players begin the next one by the menu's lines. While the file ``/mnt/given/pulled`` is there the
camera is pulled.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cli.main import main
from device.hardware.buttons import Button, Press
from simulator import program
from simulator.players import SimulatedPlayers
from ui.screen_state import Mood, ScreenState

PULLED = Path("/mnt/given/pulled")
READ_S = 3.0
"""So long people read a screen before they press."""
LINES = ("New game:", "Yes")
"""The lines that are chosen; where a menu has none of them, its first."""


class Everlasting(SimulatedPlayers):
    """Players who never have enough."""

    screen: ScreenState | None = None
    since_s = 0.0

    def read(self, state: ScreenState) -> None:
        if state != self.screen:
            self.screen, self.since_s = state, time.monotonic()
        super().read(state)

    def take_presses(self) -> list[Press]:
        self.over = False
        presses, screen = super().take_presses(), self.screen
        if presses or screen is None or time.monotonic() - self.since_s < READ_S:
            return presses
        self.since_s = time.monotonic()
        if screen.choices and screen.mood is Mood.MENU:
            wanted = next((n for n, line in enumerate(screen.choices) if line.startswith(LINES)), 0)
            return [Press(Button.CONFIRM if wanted == screen.chosen else Button.DOWN)]
        # A notice, such as of a full disk, is left as the end of a game is.
        return [Press(Button.CONFIRM)] if screen.mood in (Mood.FINISHED, Mood.NOTICE) else []

    def take_preview(self) -> Any:
        return _look(super().take_preview)

    def take_picture(self) -> Any:
        return _look(super().take_picture)


def _look(look: Callable[[], Any]) -> Any:
    if PULLED.exists():
        raise OSError("the camera is not there")
    return look()


if __name__ == "__main__":
    program.SimulatedPlayers = Everlasting  # type: ignore[attr-defined]
    sys.exit(main(sys.argv[1:]))
