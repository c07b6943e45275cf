"""A game played by simulated players on a simulated table: what they do there, and what must be answered.

A simulation knows everything that is hidden; the chain under test sees only pictures of the cards that it lays. It
never asks the referee: the truth that a referee is held to has to come from the players' side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from referee.placing import Placed, Tray
from referee.verdict import Accepted, Question, Refused, Verdict
from rules.text import SaidError, Text

_NOTHING = Text()


class SimulationError(SaidError):
    """The simulated game can't go on, and why."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One change of the table: who made it, and what must be answered when confirm is pressed.

    Either ``move`` is the legal move that lies on the table, as everybody sees it, or ``code`` is the rule that the
    player breaks, and ``blunder`` says how. ``also`` are further codes that must be named, ``instead`` those that do
    for ``code`` where the table can't tell the two apart; ``mistake`` is the blunder's name and ``meant`` the legal
    move that the player had in mind. ``seat`` is ``None`` where everybody has done it.
    With ``unconfirmed`` nobody presses confirm: the program is to notice the change by itself, and where there is a
    ``move`` or ``code``, to say so. Where confirm is pressed and there is neither, what was done is right and no move.
    ``told`` is the move that is told by the buttons, where the table does not change.
    """

    seat: int | None
    move: Any | None = None
    code: str | None = None
    blunder: Text = _NOTHING
    unconfirmed: bool = False
    also: frozenset[str] = frozenset()
    instead: frozenset[str] = frozenset()
    mistake: str = ""
    meant: Any | None = None
    told: Any | None = None


class Simulation(Protocol):
    """One simulated game; everything in it follows from the randomness that it was made with."""

    @property
    def position(self) -> Any:
        """The true position, with full information."""

    @property
    def lying(self) -> tuple[Placed, ...]:
        """Every card on the mat now, bottom to top."""

    def attempts(self) -> Iterator[Attempt]:
        """What is done to the table, from the set-up to the end of the game.

        The cards lie there as the attempt says when it is handed out. Going on to the next one means that it was
        answered rightly: a blunder is then mended, a move is played.

        Raises:
            SimulationError: the game can't go on.
        """

    def straighten(self) -> None:
        """Lay out more neatly what lies there, as players do when a card can't be seen."""

    def same(self, move: Any, other: Any) -> bool:
        """Whether two moves, as everybody sees them, come to the same."""

    def has_noticed(self, state: Any) -> bool:
        """Whether a state that is agreed holds all that was done without confirm."""


@runtime_checkable
class WithDice(Protocol):
    """A simulation with dice on its table."""

    @property
    def tray(self) -> Tray:
        """The tray with the dice that lie in it now."""


def tray_of(simulation: Simulation) -> Tray | None:
    """The tray on a simulation's table; ``None`` where there is none."""
    return simulation.tray if isinstance(simulation, WithDice) else None


def disturbed() -> Attempt:
    """Confirm is pressed over a card that went astray, as at any table (``referee.placing.astray``)."""
    words = Text("A card has been pushed into another area.")
    return Attempt(None, code="table_disturbed", blunder=words, mistake="astray")


def is_right(simulation: Simulation, verdict: Verdict, attempt: Attempt) -> bool:
    """Whether a verdict says what the attempt was."""
    if attempt.move is None and attempt.code is None:
        return isinstance(verdict, Accepted) and verdict.move is None
    if attempt.move is not None:
        return isinstance(verdict, Accepted) and simulation.same(verdict.move, attempt.move)
    codes = {attempt.code, *attempt.instead}
    return isinstance(verdict, Refused) and not codes.isdisjoint((verdict.refusal.code, *verdict.refusal.also))


def leads_right(simulation: Simulation, verdict: Verdict, attempt: Attempt) -> bool:
    """Whether an answer to a question says what the attempt was, or one to the question that follows it does."""
    if isinstance(verdict, Question):
        return any(leads_right(simulation, choice.verdict, attempt) for choice in verdict.choices)
    return is_right(simulation, verdict, attempt)


def truth_of(attempt: Attempt) -> str:
    """What lies on the table, in English, for whoever looks into a disagreement."""
    return f"move {attempt.move}" if attempt.move is not None else f"broken rule {attempt.code}"
