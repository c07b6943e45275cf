"""Positions set by hand, read from a file that may hold anything.

What the cards and their numbers rule out is refused. Who captured what, and whose turn it is, is believed, for players
may have agreed on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.cards import DECK
from rules.judged import set_by_hand
from rules.wild_seven.deck import hand_at_start, in_play
from rules.wild_seven.position import GAME, Phase, Position


@set_by_hand
def read_correction(saved: object, players: Sequence[str]) -> Position | None:
    """Read the position that a correction by hand sets, with public information.

    Raises:
        BadRecordError: no such position can come up in this game.
    """
    if not isinstance(saved, dict) or not _is_bounded(saved) or saved["game"] != GAME:
        return None
    position = Position.from_json(saved)
    return position if position.players == tuple(players) and _is_sound(position, saved) else None


def _is_bounded(saved: Mapping[str, Any]) -> bool:
    """Tell whether a saved position is a public one with lists no longer
    than in a game, so that reading it is quick.
    """
    if saved["hands"] is not None or not isinstance(saved["phase"], str):
        return False
    by_seat = [saved[key] for key in ("players", "sizes", "front", "captured")]
    if not all(isinstance(some, list) and len(some) == len(by_seat[0]) <= len(DECK) for some in by_seat):
        return False
    return all(isinstance(some, list) and len(some) <= len(DECK) for some in (saved["wanted"], *saved["captured"]))


def _is_sound(position: Position, saved: Mapping[str, Any]) -> bool:
    """Tell whether every card in play lies in one place or is unseen in
    some hand, and the phase fits what lies there.
    """
    n = len(position.players)
    front = [card for card in saved["front"] if card is not None]
    shown = [*saved["wanted"], *front, *(name for captured in saved["captured"] for name in captured)]
    sizes, seat = saved["sizes"], saved["seat"]
    largest = hand_at_start(n) - (position.phase is not Phase.REVEAL)
    return (
        all(type(size) is int and 0 <= size <= largest for size in sizes)
        and len(shown) == len(set(shown)) == in_play(n).bit_count() - sum(sizes)
        and not position.seen & ~in_play(n)
        and _fits_its_phase(position, seat)
    )


def _fits_its_phase(position: Position, seat: object) -> bool:
    """Tell whether the game is where it says it is; ``seat`` is the one whose turn it is, as saved."""
    n = len(position.players)
    if position.phase is Phase.SETUP:
        return False
    if position.phase is Phase.REVEAL:
        full_hands = all(position.hand_size(place) == hand_at_start(n) for place in range(1, n + 1))
        nothing_yet = not any(position.in_front(place) or position.list_captured(place) for place in range(1, n + 1))
        return seat is None and full_hands and nothing_yet
    if type(seat) is not int or not 1 <= seat <= n:
        return False
    return position.can_act(seat) is (position.phase is Phase.PLAY)
