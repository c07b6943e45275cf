"""Positions set by hand, read from a file that may hold anything.

The moves of the deal that a saved position is in the middle of are played again by the rules themselves: what they
refuse can't come up. The points of the deals before, and whose turn it was to deal, are believed where they can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.judged import set_by_hand
from rules.seven_euchre.moves import SEATS
from rules.seven_euchre.position import GAME, Position

MOST_MOVES = 195
"""Moves that a deal may have: one deals, 145 call (48 bids, three passes before them and two between), one exchanges
and 48 play. With a second auction, of six bids, there are fewer."""

MOST_DEALS = 10_000
"""Deals that a game may have had; nobody plays so long."""

LEAST_OF_A_DEAL, MOST_OF_A_DEAL = 13, 156
"""The points of both sides in a deal: twelve tricks, with a bid of 12 that failed by one, or by all of them (6)."""


@set_by_hand
def read_correction(saved: object, players: Sequence[str], dealer: int, target: int) -> Position | None:
    """Read the position that a correction by hand sets, with public information.

    Raises:
        BadRecordError: no such position can come up in this game.
    """
    if not isinstance(saved, dict) or not _is_sound(saved, list(players), dealer, target):
        return None
    position = Position.from_json(saved)
    # A deal that was ended, annulled or taken back within its own moves is saved without these.
    return position if len(position.to_json()["moves"]) == len(saved["moves"]) else None


def _is_sound(saved: Mapping[str, Any], players: list[str], dealer: int, target: int) -> bool:
    """Tell whether a saved position is of this game and no larger than one, and what is believed in it can be."""
    moves = saved["moves"]
    return (
        type(saved["game"]) is str
        and saved["game"] == GAME
        and type(saved["players"]) is list
        and saved["players"] == players
        and _is_whole(saved["dealer"], dealer, dealer)
        and _is_whole(saved["target"], target, target)
        and saved["full"] is False
        and _is_whole(saved["dealt_by"], 1, SEATS)
        and _is_whole(saved["deals"], 0, MOST_DEALS)
        and _are_points(saved["points"], saved["deals"], target)
        and type(moves) is list
        and len(moves) <= MOST_MOVES
    )


def _is_whole(value: object, least: int, most: int) -> bool:
    """Tell whether it is a whole number between two bounds, ``True`` being none."""
    return type(value) is int and least <= value <= most


def _are_points(points: object, deals: int, target: int) -> bool:
    """Tell whether both sides can have these points after so many deals, without having ended the game."""
    if type(points) is not list or len(points) != 2:
        return False
    most = MOST_OF_A_DEAL * deals
    if not all(_is_whole(some, 0, most) for some in points):
        return False
    return LEAST_OF_A_DEAL * deals <= sum(points) <= most and (max(points) < target or points[0] == points[1])
