"""What a game begins with and how it ended, as the journal keeps them; ``referee.history`` has what lies between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.layouts import MARKER_MM, REFERENCE_MAT_MM, Layout, layout_for
from rules.record import GAME, Header
from rules.plain import is_name

_LONGEST_MM = 10_000


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
        """Restore what ``to_json`` gave.

        Raises:
            ValueError: it holds no opening of a game that this version knows.
        """
        try:
            players, first, deck, game = data["players"], data["first_seat"], data["deck"], data["game"]
            (width, height), marker = data["mat_mm"], data["marker_mm"]
        except (KeyError, TypeError) as error:
            raise ValueError("something is missing") from error
        if not isinstance(players, list) or not 3 <= len(players) <= 5 or not all(map(is_name, players)):
            raise ValueError("players")
        if type(first) is not int or not 1 <= first <= len(players):
            raise ValueError("first_seat")
        if not (deck is None or isinstance(deck, str)) or game != GAME:
            raise ValueError("deck or game")
        if not all(type(side) in (int, float) and 0 < side <= _LONGEST_MM for side in (width, height, marker)):
            raise ValueError("mat_mm or marker_mm")
        return cls(tuple(players), first, deck, (float(width), float(height)), float(marker), game)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: points by seat, and the winners' seats."""

    points: tuple[int, ...]
    winners: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The result as JSON-able data; ``from_json`` restores it."""
        return {"points": list(self.points), "winners": list(self.winners)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], players: int) -> Result:
        """Restore what ``to_json`` gave, of a game of so many players.

        Raises:
            ValueError: it holds no such result.
        """
        points: Any = data.get("points")
        winners: Any = data.get("winners")
        for numbers in (points, winners):
            if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
                raise ValueError("points and winners are lists of numbers")
        if len(points) != players or not all(1 <= seat <= players for seat in winners):
            raise ValueError("points and winners are those of other players")
        return cls(tuple(points), tuple(winners))
