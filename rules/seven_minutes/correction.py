"""Positions set by hand, read from a file that may hold anything.

The turn that a saved position is in the middle of is played again from its beginning, by the rules themselves: what
does not come to the same position can't come up. What was taken in the turns before, and by whom, is believed, for
players may have agreed on a turn out of its order.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rules.cards import mask_of
from rules.judged import set_by_hand
from rules.seven_minutes.moves import Flip, Roll, Stop, are_dice
from rules.seven_minutes.position import Cause, Phase, Position
from rules.seven_minutes.row import Row, Take

_MOST_VALUES = 500
"""Values, lists and objects that a saved position may hold: 49 cards, at most three times, in as many lists."""

_DEEPEST = 4


@set_by_hand
def read_correction(saved: object, players: Sequence[str], first_seat: int) -> Position | None:
    """Read the position that a correction by hand sets, with public information.

    Raises:
        BadRecordError: no such position can come up in this game.
    """
    if not isinstance(saved, dict) or not _is_bounded(saved):
        return None
    position = Position.from_json(saved)
    return position if _is_as_saved(position, saved) and _is_sound(position, tuple(players), first_seat) else None


def _is_bounded(saved: dict[str, Any]) -> bool:
    """Tell whether a saved position is no larger and deeper than one of a game, so that reading it takes no longer."""
    left = _MOST_VALUES
    level: list[Any] = [saved]
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for value in level:
            if isinstance(value, (dict, list)):
                left -= len(value)
                if left < 0:
                    return False
                below += value.values() if isinstance(value, dict) else value
        level = below
    return not any(isinstance(value, (dict, list)) for value in level)


def _is_as_saved(position: Position, saved: dict[str, Any]) -> bool:
    """Tell whether the position would be saved in just this form: lists where it has lists, and of this game."""
    again = position.to_json()
    return json.dumps(again) == json.dumps({key: saved[key] for key in again})


def _is_sound(position: Position, players: tuple[str, ...], first_seat: int) -> bool:
    """Tell whether the position is of that game, holds every card once, and the rules lead to it in its turn."""
    n = len(players)
    piles = (*position.up, *position.down)
    cards = [*position.row.cards, *(card for pile in piles for taken in pile for card in taken)]
    return (
        _is_whole(position.seat, position.first_seat)
        and (position.players, position.first_seat) == (players, first_seat)
        and not position.full
        and 1 <= position.seat <= n
        and len(position.up) == len(position.down) == n
        and all(taken for pile in piles for taken in pile)
        and len(cards) == mask_of(cards).bit_count()
        and _is_row(position.row)
        and _is_turn(position)
    )


def _is_whole(*numbers: object) -> bool:
    """Tell whether these are whole numbers, ``True`` being none."""
    return all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)


def _is_row(row: Row) -> bool:
    """Tell whether every stack has cards, all of one rank, and no other stack has that rank."""
    ranks = [{card.rank for card in stack.cards} for stack in row.stacks]
    return all(len(found) == 1 for found in ranks) and len(set().union(*ranks)) == len(ranks)


def _is_turn(position: Position) -> bool:
    """Tell whether the rules lead to the position from the beginning of its turn."""
    if position.phase is Phase.OVER:
        idle = (position.flips, position.rolls, position.cause) == ((), (), None)
        return idle and position.last_turn and _is_last_take(position, position.seat)
    turn = replace(
        position,
        phase=Phase.FLIP,
        unseen=position.unseen | mask_of(position.flips),
        row=position.row.drop_cards(position.flips),
        flips=(),
        cause=None,
        rolls=(),
    )
    before = (position.seat - 2) % len(position.players) + 1
    if not turn.unseen or not _is_last_take(turn, before):
        return False
    if turn.row.stacks and not any(position.down):
        return False  # only a take face down leaves a row
    for card in position.flips:
        turn = turn.do(Flip(position.seat, card))
    if position.cause is Cause.STOP:
        turn = turn.do(Stop(position.seat))
    for dice in position.rolls:
        turn = turn.do(Roll(position.seat, dice))
    return turn == position


def _is_last_take(position: Position, seat: int) -> bool:
    """Tell whether what was taken last, where that is given, is what the roll gave that seat, and lies on its pile."""
    take = position.taken
    if take is None:
        return True
    pile = (position.up if take.face_up else position.down)[seat - 1]
    if not _is_whole(take.seat) or not are_dice(take.dice) or not isinstance(take.face_up, bool):
        return False
    if take.seat != seat or pile[-1:] != (take.cards,):
        return False
    left = position.row.stacks
    if take.face_up:
        whole = Row(take.stacks)
        return not left and _is_row(whole) and whole.strike_total(sum(take.dice)) is None
    rows = (Row((*take.stacks, *left)), Row((*left, *take.stacks)))
    return any(_is_row(row) and _was_struck(row, take, position.row) for row in rows)


def _was_struck(row: Row, take: Take, left: Row) -> bool:
    return row.strike_total(sum(take.dice)) == (take.stacks, left)
