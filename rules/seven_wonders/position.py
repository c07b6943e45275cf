"""A position of Seven Wonders: what stands, the judgement of any move, and the position after it.

Source: the rule sheet with RULINGS.md and ``games/seven_wonders.md`` (the numbers in comments are its numbered
rulings). A position never changes: ``do`` gives a new one and leaves the old one as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from rules.judged import Judged
from rules.refusal import Reason
from rules.saved import read_fields, save_fields
from rules.seven_wonders import judging
from rules.seven_wonders.boards import Board
from rules.seven_wonders.city import City
from rules.seven_wonders.moves import Move
from rules.seven_wonders.refusals import CODES
from rules.seven_wonders.state import AgePhase, State, at_start, check_start
from rules.seven_wonders.steps import apply_move

NAME = "seven_wonders"


@dataclass(frozen=True, repr=False)
class Position(State, Judged[Move]):
    """One moment of a game. Make the first one with ``Position.start``, the others with ``do``."""

    codes = CODES

    @classmethod
    def start(cls, players: Sequence[str], boards: Sequence[Board], score_only: bool = False) -> Self:
        """Return the position before the first deal, or before the first city is entered where only the score is asked.

        Raises:
            ValueError: wrong number of players, or not a board a player, each wonder once.
        """
        check_start(players, boards)
        cities = tuple(at_start(side, score_only) for side in boards)
        phase = AgePhase.CITY if score_only else AgePhase.DEAL
        return cls(tuple(players), score_only=score_only, phase=phase, cities=cities)

    # Judging a move

    def _find_reasons(self, move: Move) -> tuple[Reason, ...]:
        return judging.find_reasons(self, move)

    def _apply_move(self, move: Move) -> Self:
        return apply_move(self, move)

    # Printing and saving

    def __repr__(self) -> str:
        if self.phase is AgePhase.ROUND:
            due = f"age {self.age} round {self.rounds + 1}"
        elif self.phase is AgePhase.DEAL:
            due = f"deal of age {self.age + 1}"
        else:
            due = str(self.phase) if self.seat is None else f"{self.phase} of {self.players[self.seat]}"
        kind = {True: ", full", False: ", public", None: ""}[self.full]
        cities = "; ".join(_show_city(city, points) for city, points in zip(self.cities, self.points, strict=True))
        return f"<Position {due}{kind}, discards {list(self.pile_ages)}: {cities}>"

    def to_json(self) -> dict[str, Any]:
        """Return the whole position as JSON-able data; ``Position.from_json`` restores it."""
        return {"game": NAME, **save_fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Position:
        """Restore what ``to_json`` gave.

        Raises:
            ValueError: something in it can't be.
            KeyError: something is missing, or there is no such card or board.
        """
        return cls(**read_fields(cls, data))


def _show_city(city: City, points: int) -> str:
    victories, defeats = "+".join(map(str, city.tokens.victories)), city.tokens.defeats
    built = " ".join(map(str, city.cards)) or "nothing"
    used = ", free building used" if city.free_used else ""
    return (
        f"{city.board} {city.stages} stages, {city.coins} coins, {victories} victories, {defeats} defeats, "
        f"{points} points{used}, {built}"
    )
