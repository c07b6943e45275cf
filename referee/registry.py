"""The referees by their game's name, found by looking into the room: ``referee/<name>/referee.py`` has ``REFEREE``."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType

import referee
from referee.game import Referee
from referee.papers import Paper


@cache
def referees() -> Mapping[str, Referee]:
    """Every game that can be refereed, by its name in records."""
    found: dict[str, Referee] = {}
    for folder in sorted(part.name for part in pkgutil.iter_modules(referee.__path__) if part.ispkg):
        module = f"referee.{folder}.referee"
        if find_spec(module) is not None:
            one: Referee = import_module(module).REFEREE
            found[one.rules.name] = one
    return MappingProxyType(found)


def papers() -> Mapping[str, Paper]:
    """Every kind of paper that some game has beside the deck, by its name."""
    return {paper.name: paper for one in referees().values() for paper in one.cards.papers}
