"""What a game begins with and how it ended, as the journal keeps them; ``referee.history`` has what lies between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.game import Referee
from referee.layout import MARKER_MM, REFERENCE_MAT_MM, TableLayout
from referee.registry import load_referees
from rules.game import Options
from rules.parsing import BadRecordError
from rules.plain import is_name
from rules.record import Header, header_in

_LONGEST_MM = 10_000


@dataclass(frozen=True, slots=True)
class Opening:
    """What a game begins with and keeps to its end.

    ``options`` are what the game asks before it begins; ``deck`` names the enrolled deck on the table. Lengths in mm.
    """

    game: str
    players: tuple[str, ...]
    options: Options = field(default_factory=dict)
    deck: str | None = None
    mat_mm: tuple[float, float] = REFERENCE_MAT_MM
    marker_mm: float = MARKER_MM

    @property
    def referee(self) -> Referee:
        """The referee of this game."""
        return load_referees()[self.game]

    @property
    def header(self) -> Header:
        """What a record of the game begins with."""
        return Header(self.game, self.players, self.options)

    @property
    def layout(self) -> TableLayout:
        """Where things lie on this game's mat."""
        return self.referee.make_layout(len(self.players), self.mat_mm)

    def to_json(self) -> dict[str, Any]:
        """Return the opening as JSON-able data; ``from_json`` restores it."""
        return {
            "game": self.game,
            "players": list(self.players),
            **self.options,
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
            header = header_in({**data, "version": 1})
            deck, (width, height), marker = data["deck"], data["mat_mm"], data["marker_mm"]
        except BadRecordError as error:
            raise ValueError(str(error)) from error
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("something is missing") from error
        if header.game not in load_referees() or not all(map(is_name, header.players)):
            raise ValueError("game or players")
        if not (deck is None or isinstance(deck, str)):
            raise ValueError("deck")
        if not all(_is_length(side) for side in (width, height, marker)):
            raise ValueError("mat_mm or marker_mm")
        return cls(header.game, header.players, header.options, deck, (float(width), float(height)), float(marker))

    def on_mat(self, mat_mm: Any) -> Opening:
        """Return the same game on a mat of another size (mm).

        Raises:
            ValueError: that is no size.
        """
        if not isinstance(mat_mm, (list, tuple)) or len(mat_mm) != 2 or not all(_is_length(side) for side in mat_mm):
            raise ValueError("mat_mm")
        return replace(self, mat_mm=(float(mat_mm[0]), float(mat_mm[1])))


def _is_length(side: object) -> bool:
    return type(side) in (int, float) and isinstance(side, (int, float)) and 0 < side <= _LONGEST_MM


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: points by seat, or by side where a game has sides, and the winners' seats."""

    points: tuple[int, ...]
    winners: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON-able data; ``from_json`` restores it."""
        return {"points": list(self.points), "winners": list(self.winners)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], opening: Opening) -> Result:
        """Restore what ``to_json`` gave, of a game that began so.

        Raises:
            ValueError: it holds no such result.
        """
        points: Any = data.get("points")
        winners: Any = data.get("winners")
        for numbers in (points, winners):
            if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
                raise ValueError("points and winners are lists of numbers")
        start = opening.referee.rules.start(opening.players, opening.options)
        seats = range(1, len(opening.players) + 1)
        if len(points) != len(start.points) or not all(seat in seats for seat in winners):
            raise ValueError("points and winners are those of other players")
        return cls(tuple(points), tuple(winners))
