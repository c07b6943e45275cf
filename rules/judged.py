"""What the positions of all games do alike: judging a move by the reasons against it, and telling the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Any, ClassVar, Generic, ParamSpec, Self, TypeVar

from rules.parsing import BadRecordError
from rules.refusal import Illegal, Reason, Refusal
from rules.text import Text, player

_Args = ParamSpec("_Args")
_Move = TypeVar("_Move")
_Position = TypeVar("_Position", bound="Judged[Any]")
_Value = TypeVar("_Value")


class Judged(ABC, Generic[_Move]):
    """A position of a game whose moves are of that type, and whose refusal codes are ``codes``, in their order."""

    __slots__ = ()
    codes: ClassVar[tuple[str, ...]]
    players: tuple[str, ...]

    @abstractmethod
    def _find_reasons(self, move: _Move) -> Sequence[Reason]:
        """Return every broken rule of the move."""

    @abstractmethod
    def _apply_move(self, move: _Move) -> Self:
        """Return the position after a move that is legal."""

    def get_name(self, seat: int) -> str:
        """Return the player's name."""
        return self.players[seat - 1]

    def seat_words(self, seat: int) -> Text:
        """Name the player at that seat, for a sentence; the seat itself where there is none."""
        return player(self.get_name(seat)) if 1 <= seat <= len(self.players) else Text("seat {seat}", seat=seat)

    def find_reasons(self, move: _Move) -> tuple[Reason, ...]:
        """Return every broken rule of the move, each with its words; none where it is legal."""
        return tuple(self._find_reasons(move))

    def verify(self, move: _Move) -> Refusal | None:
        """Say why the move is refused, with every broken rule, or return ``None`` where it is legal."""
        reasons = self._find_reasons(move)
        return Refusal.from_reasons(self.codes, *reasons) if reasons else None

    def is_legal(self, move: _Move) -> bool:
        """Tell whether the move is legal."""
        return not self._find_reasons(move)

    def do(self, move: _Move) -> Self:
        """Return the position after the move.

        Raises:
            Illegal: the move is refused.
        """
        reasons = self._find_reasons(move)
        if reasons:
            raise Illegal(Refusal.from_reasons(self.codes, *reasons), move)
        return self._apply_move(move)

    def suppose_move(self, move: _Move) -> Self:
        """Return the position after a move as if it were legal: what it would leave on the table."""
        return self._apply_move(move)


class Legal(ABC, Generic[_Position, _Move]):
    """The legal moves of a position as an object: ``move in legal`` judges any move.

    Iterating and counting go over those that a game lists.
    """

    def __init__(self, position: _Position) -> None:
        self.position = position

    @abstractmethod
    def __iter__(self) -> Iterator[_Move]: ...

    def __contains__(self, move: _Move) -> bool:
        return self.position.is_legal(move)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a game: the reason, every seat's place, and the points by seat or by side."""

    reason: StrEnum
    places: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, in order."""
        return find_winners(self.places)


def with_seat(values: tuple[_Value, ...], seat: int, value: _Value) -> tuple[_Value, ...]:
    """Return the values by seat, with another one for that seat."""
    return (*values[: seat - 1], value, *values[seat:])


def rank_places(ranks: Sequence[Any]) -> tuple[int, ...]:
    """Return a place for each rank, 1 for the highest; those that are level share one, and as many after it stay free.

    >>> rank_places([4, 9, 4, 1])
    (2, 1, 2, 4)
    """
    return tuple(1 + sum(other > rank for other in ranks) for rank in ranks)


def find_winners(places: Sequence[int]) -> tuple[int, ...]:
    """Return the seats, from 1, of the first place; there may be several."""
    return tuple(seat for seat, place in enumerate(places, 1) if place == 1)


def set_by_hand(read: Callable[_Args, _Position | None]) -> Callable[_Args, _Position]:
    """Wrap ``read``, which reads a position that was set by hand, from a file that may hold anything.

    It raises ``BadRecordError`` where ``read`` stumbles over the file, is refused a move, or finds no such position.
    """

    @wraps(read)
    def corrected(*args: _Args.args, **kwargs: _Args.kwargs) -> _Position:
        try:
            position = read(*args, **kwargs)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, Illegal):
            position = None
        if position is None:
            raise BadRecordError(Text("'position' is none of this game"))
        return position

    return corrected


class UsualRules:
    """What the rules of most games tell alike."""

    reason_key = "reason"
    """Under which key the last line of a check says why the game ended."""

    def to_move(self, position: Any) -> frozenset[int]:
        """Return the seat to move."""
        return frozenset() if position.to_move is None else frozenset({position.to_move})

    def report_result(self, position: Any) -> dict[str, Any]:
        """Return the last line of a check: the points, the winners and why the
        game ended; the last two may be ``None``.
        """
        outcome = position.outcome
        if outcome is None:
            return {"final": list(position.points), "winners": None, self.reason_key: None}
        reason = outcome.reason.value
        return {"final": list(outcome.points), "winners": list(outcome.winners), self.reason_key: reason}
