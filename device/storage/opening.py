"""What a game begins with and how it ended, as the journal keeps them; ``referee.history`` has what lies between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.layouts import MARKER_MM, REFERENCE_MAT_MM, Layout, layout_for
from rules.laminate.record import GAME, Header


@dataclass(frozen=True, slots=True)
class Opening:
    """What a game begins with and keeps to its end.

    ``deck`` names the enrolled deck on the table. Lengths in mm.
    """

    players: tuple[str, ...]
    first_seat: int = 1
    deck: str | None = None
    mat_mm: tuple[float, float] = REFERENCE_MAT_MM
    marker_mm: float = MARKER_MM
    game: str = GAME

    @property
    def header(self) -> Header:
        """What a record of the game begins with."""
        return Header(self.players, self.first_seat)

    @property
    def layout(self) -> Layout:
        """Where things lie on this game's mat."""
        return layout_for(len(self.players), self.mat_mm)

    def to_json(self) -> dict[str, Any]:
        """The opening as JSON-able data; ``from_json`` restores it."""
        return {
            "game": self.game,
            "players": list(self.players),
            "first_seat": self.first_seat,
            "deck": self.deck,
            "mat_mm": list(self.mat_mm),
            "marker_mm": self.marker_mm,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Opening:
        """Restore what ``to_json`` gave."""
        width, height = data["mat_mm"]
        return cls(
            tuple(data["players"]),
            data["first_seat"],
            data["deck"],
            (float(width), float(height)),
            float(data["marker_mm"]),
            data["game"],
        )


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: points by seat, and the winners' seats."""

    points: tuple[int, ...]
    winners: tuple[int, ...]
