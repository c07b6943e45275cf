"""The games by name, found by looking into the rooms: ``rules/<name>/rules.py`` with ``RULES`` makes a game."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType

import rules
from rules.game import Rules


@cache
def load_games() -> Mapping[str, Rules]:
    """Return every game there is, by its name in records, in the order of their names."""
    found: dict[str, Rules] = {}
    for folder in sorted(part.name for part in pkgutil.iter_modules(rules.__path__) if part.ispkg):
        module = f"rules.{folder}.rules"
        if find_spec(module) is not None:
            game: Rules = import_module(module).RULES
            found[game.name] = game
    return MappingProxyType(found)


def find_game(name: str) -> Rules:
    """Return the game of that name.

    Raises:
        KeyError: there is none.
    """
    return load_games()[name]
