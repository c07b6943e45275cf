"""How far the end of a game has come, and what can't be (RULINGS.md, Laminate Rummy 2 and 3).

Nobody has met the end condition yet; or the first who has must take the End Flag; or the countdown runs, with the flag
or, where that hand was empty, without. In a game that is played this follows from the moves. In a position set by hand
it follows from what people say, and an ``End`` tells which of it can be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rules.laminate.papers import END_FLAG
from rules.laminate.position import POINTS_TO_END, Phase, Position
from rules.text import Text, player, plural


@dataclass(frozen=True, slots=True)
class End:
    """How far the end has come while somebody is to move.

    ``players`` are the names; ``points`` of complete papers other than the End Flag and ``hands``, the cards held, go
    by seat. ``seat`` is to move, and takes the End Flag first where ``flag_due``; ``flag`` is the seat in whose area
    the End Flag lies. ``turns_left`` counts the countdown, this turn included; ``None`` where none runs.

    >>> end = End(("Hilbert", "Banach", "Noether"), (15, 3, 0), (2, 4, 4), 3, flag=1)
    >>> end.possible
    (1, 4)
    >>> print(end.contradiction)
    The End Flag has been taken, so the countdown runs.
    """

    players: tuple[str, ...]
    points: tuple[int, ...]
    hands: tuple[int, ...]
    seat: int
    flag: int | None = None
    flag_due: bool = False
    turns_left: int | None = None

    @classmethod
    def from_position(cls, position: Position) -> End:
        """Tell how far the end has come in a position in which somebody is to move."""
        seats = range(1, len(position.players) + 1)
        flags = [position.find_paper(seat, END_FLAG) for seat in seats]
        worth = position.catalogue[END_FLAG].points
        return cls(
            position.players,
            tuple(
                points - (worth if flag is not None and flag.complete else 0)
                for points, flag in zip(position.points, flags, strict=True)
            ),
            tuple(map(position.hand_size, seats)),
            position.to_move or position.first_seat,
            next((flag.seat for flag in flags if flag is not None), None),
            position.phase is Phase.FLAG,
            position.turns_left,
        )

    @property
    def met(self) -> bool:
        """Whether somebody has met the end condition."""
        return self.flag_due or self.turns_left is not None

    @property
    def reached(self) -> tuple[int, ...]:
        """The seats with points enough to end the game, the End Flag not counted."""
        return tuple(seat for seat, points in enumerate(self.points, 1) if points >= POINTS_TO_END)

    @property
    def moved_last(self) -> int:
        """The seat whose turn came before this one."""
        return (self.seat - 2) % len(self.players) + 1

    def find_starter(self, turns_left: int) -> int:
        """Return the seat that met the end condition first; the player on its right has the last turn."""
        return (self.seat - 1 + turns_left) % len(self.players) + 1

    @property
    def settled(self) -> End:
        """The same, or the countdown where the End Flag is due and there is no card to lay to it (3)."""
        if not self.flag_due or self.hands[self.seat - 1]:
            return self
        n = len(self.players)
        return replace(self, seat=self.seat % n + 1, flag_due=False, turns_left=2 * n - 1)

    @property
    def possible(self) -> tuple[int | None, ...]:
        """All that ``turns_left`` can be, while ``seat`` is to move and takes no flag; ``None`` for no countdown."""
        here = replace(self, flag_due=False)
        turns = (None, *range(1, 2 * len(self.players)))
        return tuple(left for left in turns if replace(here, turns_left=left).contradiction is None)

    @property
    def flag_fault(self) -> Text | None:
        """Why the End Flag can't lie where it does; ``None`` where it can, or lies nowhere."""
        if self.flag is None or self.flag in self.reached:
            return None
        who, points = player(self.players[self.flag - 1]), self.points[self.flag - 1]
        return Text(
            "{who} has only {points} points without the End Flag: take it away, its card into the hand.",
            who=who,
            points=points,
        )

    @property
    def contradiction(self) -> Text | None:
        """Why the rules can't lead here; ``None`` where they can."""
        if self.flag_fault is not None:
            return self.flag_fault
        if self.flag_due:
            return self._contradiction_of_flag()
        if self.turns_left is not None:
            return self._contradiction_of_countdown(self.turns_left)
        if self.flag is not None:
            return Text("The End Flag has been taken, so the countdown runs.")
        if self.moved_last in self.reached:
            who = player(self.players[self.moved_last - 1])
            return Text("{who} has just ended a turn with {points} points or more.", who=who, points=POINTS_TO_END)
        return None

    def _contradiction_of_flag(self) -> Text | None:
        who = player(self.players[self.seat - 1])
        if self.turns_left is not None or self.flag is not None:
            return Text("The End Flag has been taken already.")
        if self.seat not in self.reached:
            return Text("{who} has not got the {points} points for the End Flag.", who=who, points=POINTS_TO_END)
        if not self.hands[self.seat - 1]:
            return Text("{who} has no card to lay to the End Flag.", who=who)
        return None

    def _contradiction_of_countdown(self, left: int) -> Text | None:
        most = 2 * len(self.players) - 1
        if not 1 <= left <= most:
            return Text("The countdown has {most} turns at most.", most=most)
        starter = self.find_starter(left)
        who = player(self.players[starter - 1])
        if starter not in self.reached:
            return plural(
                "With {count} turn left the countdown began with {who}, who has not got {points} points.",
                "With {count} turns left the countdown began with {who}, who has not got {points} points.",
                count=left,
                who=who,
                points=POINTS_TO_END,
            )
        if self.flag not in (None, starter):
            return plural(
                "With {count} turn left the countdown began with {who}, who has not got the End Flag.",
                "With {count} turns left the countdown began with {who}, who has not got the End Flag.",
                count=left,
                who=who,
            )
        if left == most and self.flag is None and self.hands[starter - 1]:
            return Text("{who} has a card to lay to the End Flag.", who=who)
        return None

    def save_fields(self) -> dict[str, Any]:
        """Return what of a saved position tells how far the end has come, by its keys there."""
        return {
            "phase": (Phase.FLAG if self.flag_due else Phase.PLAY).value,
            "seat": self.seat,
            "met": self.met,
            "turns_left": self.turns_left,
            "flag_seat": self.seat if self.flag_due else self.flag,
            "ending": None,
        }


def find_contradiction(position: Position) -> Text | None:
    """Say why the rules can't lead to that end of the game in a position; ``None`` where they can.

    Before the set-up and after the end of a game nothing is looked at.
    """
    if position.to_move is None:
        return None
    flags = [paper for paper in position.papers if paper.kind == END_FLAG]
    if any(not flag.complete for flag in flags) or len(flags) > position.catalogue[END_FLAG].copies:
        return Text("There is one End Flag, with one card.")
    end = End.from_position(position)
    if (position.met, position.flag_seat) != (end.met, end.save_fields()["flag_seat"]):
        return Text("What is said of the end condition does not go with the End Flag and the countdown.")
    return end.contradiction


def repair_end(position: Position) -> Position:
    """Return the position with its end put right where the rules could not go on from it or would never end the game.

    Positions set by hand could once say that the end condition was met with neither flag nor countdown, or that the
    End Flag was due from an empty hand. All others stay as they are, whether the rules could lead to them or not.
    """
    if position.to_move is None:
        return position
    end = End.from_position(position)
    lost = position.met and not end.met and end.flag is None
    if end.settled == end and not lost:
        return position
    return Position.from_json({**position.to_json(), **end.settled.save_fields()}, position.catalogue)
