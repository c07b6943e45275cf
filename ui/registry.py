"""The games' screens by their game's name: ``ui/<name>.py`` with ``SCREEN``."""

from __future__ import annotations

from importlib import import_module

from ui.game import GameScreen


def screen_of(game: str) -> GameScreen:
    """Return the screen of that game.

    Raises:
        ModuleNotFoundError: there is none.
    """
    screen: GameScreen = import_module(f"ui.{game}").SCREEN
    return screen
