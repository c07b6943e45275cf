"""The README's picture, which ``make screens`` draws anew: the demo's window late in a game, before confirm."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pygame

from rules.text import Language
from simulator.demo import DEFAULT_SEED, Demo, Shown
from simulator.window import DemoWindow
from tests.simulator.test_demo import perfect
from ui.screen_state import Mood, ScreenState

DOCS = Path(__file__).resolve().parents[2] / "docs"
_LATE = 33
"""The move is one after so many turns."""


class Photographer(DemoWindow):
    """Keeps the window's picture of the first preview that is late enough, and ends the demo."""

    def __init__(self, path: Path) -> None:
        super().__init__((480, 320))
        self.path = path
        self.demo: Demo | None = None

    def show(self, state: ScreenState) -> None:
        assert self.demo is not None
        if state.mood is Mood.PREVIEW and self.demo._reporter.tally.turns >= _LATE:
            self.seen = self.demo.players.take_picture()
            super().show(state)
            pygame.image.save(pygame.display.get_surface(), self.path)
            raise KeyboardInterrupt


def main() -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    pygame.display.get_desktop_sizes = lambda: [(1366, 768)]  # SDL's dummy desktop is smaller than a laptop's
    for language in (Language.EN, Language.JA):
        window = Photographer(DOCS / f"table.{language.code}.jpg")
        window.demo = Demo(DEFAULT_SEED, Shown([window]), language, open_look=perfect())
        with suppress(KeyboardInterrupt):
            window.demo.run()
        window.close()
        print(window.path)


if __name__ == "__main__":
    main()
