"""The games by name, and what every game must offer to be one of them.

A game is a set of rules over positions that never change and moves that are plain values. Whoever fits the protocols
below passes, or fails, the one conformance suite that runs over all registered games: random play to the end,
saving and restoring, undo, unique and readable move names, the same game from the same seed, and nothing hidden in
what everybody may see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from rules.laminate.rummy import LaminateRummy
from rules.refusal import Refusal


class AnyMove(Protocol):
    """A move: a value that compares equal to its like, reads as text and can be written to a record."""

    def to_json(self) -> dict[str, Any]:
        """The move as a record line's object."""

    def __str__(self) -> str: ...


class AnyPosition(Protocol):
    """A position: it judges moves and gives the position after one, and never changes itself."""

    @property
    def to_move(self) -> int | None:
        """The seat to move, ``None`` before the deal and after the end."""

    @property
    def outcome(self) -> Any:
        """The end of the game as a value, ``None`` before it."""

    def verify(self, move: Any) -> Refusal | None:
        """Why the move is refused, or ``None``."""

    def can(self, move: Any) -> bool:
        """True where the move is legal."""

    def do(self, move: Any) -> Any:
        """The position after the move; raises ``rules.refusal.Illegal``."""

    def to_json(self) -> dict[str, Any]:
        """The whole position as JSON-able data."""


class AnyLegalMoves(Protocol):
    """The legal moves: they can be asked, listed and counted, and print readably."""

    def __contains__(self, move: Any) -> bool: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...


class Rules(Protocol):
    """A game."""

    @property
    def name(self) -> str:
        """Its name in records."""

    @property
    def en(self) -> str:
        """Its name in English."""

    @property
    def ja(self) -> str:
        """Its name in Japanese."""

    @property
    def players(self) -> range:
        """How many can play it."""

    def start(self, names: Sequence[str], first_seat: int = 1) -> Any:
        """The position before the deal."""

    def restore(self, data: Mapping[str, Any]) -> Any:
        """The position that its ``to_json`` gave."""

    def read_move(self, data: Mapping[str, Any]) -> Any:
        """The move that its ``to_json`` gave."""

    def as_seen(self, move: Any) -> Any:
        """The move as everybody at the table sees it; a position that gets such moves only is a public one."""

    def random_move(self, position: Any, chance: Random) -> Any:
        """A legal move, the deal included, by the given chance alone."""

    def legal_moves(self, position: Any) -> AnyLegalMoves:
        """The legal moves as an object."""


GAMES: Mapping[str, Rules] = {rules.name: rules for rules in (LaminateRummy(),)}
"""Every game there is, by its name in records."""


def game(name: str) -> Rules:
    """The game of that name.

    Raises:
        KeyError: there is none.
    """
    return GAMES[name]
