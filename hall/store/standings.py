"""Standings of an evening or a league: by wins, by places, or by points; who is level shares a place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.plain import name_key

BY = ("wins", "places", "points")
"""What standings may go by: games won; players left behind, half for each one level; points."""


@dataclass(frozen=True, slots=True)
class PlayerTotals:
    """What one player has come to in some games."""

    player: str
    games: int
    wins: int
    place_points: float
    points: int

    def rank_value(self, what: str) -> float:
        """Return what they are ranked by, one of ``BY``."""
        return {"wins": float(self.wins), "places": self.place_points, "points": self.points}[what]


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """One line of the standings."""

    rank: int
    totals: PlayerTotals


def count_place_points(places: Sequence[int]) -> list[float]:
    """Return for each seat one point for each player left behind and half for each other one on the same place.

    >>> count_place_points([1, 2, 2, 4])
    [3.0, 1.5, 1.5, 0.0]
    """
    return [sum((other > own) + (other == own) / 2 for other in places) - 0.5 for own in places]


def join_totals(totals: Iterable[PlayerTotals]) -> list[PlayerTotals]:
    """Join the totals to one line for each player, called as in most of their games, however their name was written.

    >>> join_totals([PlayerTotals("Ada", 2, 1, 1.0, 9), PlayerTotals("ADA", 1, 1, 1.0, 4)])
    [PlayerTotals(player='Ada', games=3, wins=2, place_points=2.0, points=13)]
    """
    players: dict[str, PlayerTotals] = {}
    for one in sorted(totals, key=lambda one: (-one.games, one.player)):
        key = name_key(one.player)
        same = players.get(key, PlayerTotals(one.player, 0, 0, 0.0, 0))
        players[key] = PlayerTotals(
            same.player,
            same.games + one.games,
            same.wins + one.wins,
            same.place_points + one.place_points,
            same.points + one.points,
        )
    return list(players.values())


def rank_players(totals: Sequence[PlayerTotals], by: str) -> list[RankedPlayer]:
    """Everybody with their rank, the best first; who is level shares the rank, and the ranks after it are left out."""
    order = sorted(totals, key=lambda one: (-one.rank_value(by), one.player))
    lines: list[RankedPlayer] = []
    for number, one in enumerate(order, 1):
        level = bool(lines) and lines[-1].totals.rank_value(by) == one.rank_value(by)
        lines.append(RankedPlayer(lines[-1].rank if level else number, one))
    return lines
