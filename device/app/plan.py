"""What the menus lead to: a game that is to begin, a finished table that is to be scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.game import Options


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that is to begin: which, names by seat, what it asks beforehand, and the deck on the table."""

    game: str
    players: tuple[str, ...]
    options: Options
    deck: str


@dataclass(frozen=True, slots=True)
class ScorePlan:
    """A finished table that is to be scored: game, number of players, their names by seat if any, what was entered."""

    game: str
    seats: int
    players: tuple[str, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    deck: str = ""
