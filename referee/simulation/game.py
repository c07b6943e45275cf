"""A game played by simulated players on a simulated table: what they do there, and what must be answered.

A simulation knows everything that is hidden; the chain under test sees only pictures of the cards that it lays. It
never asks the referee: the truth that a referee is held to has to come from the players' side. A mistake is data: the
rule that it breaks, its words, when there is occasion for it, and what hands do then. Putting it right is the same for
all of them: the table lies as before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

from referee.layout import TableLayout
from referee.placing import Placed, Tray
from referee.simulation.table import CardTable, NoRoomError
from referee.verdict import Accepted, Question, Refused, Verdict
from rules.text import Text, player

_NOTHING = Text()
S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One change of the table: who made it, and what must be answered when confirm is pressed.

    Either ``move`` is the legal move that lies on the table, as everybody sees it, or ``code`` is the rule that the
    player breaks, and ``blunder`` says how. ``also`` are further codes that must be named, ``instead`` those that do
    for ``code`` where the table can't tell the two apart; ``mistake`` is the blunder's name and ``meant`` the legal
    move that the player had in mind. ``seat`` is ``None`` where everybody has done it.
    With ``unconfirmed`` nobody presses confirm: the program is to notice the change by itself, and where there is a
    ``move`` or ``code``, to say so. Where confirm is pressed and there is neither, what was done is right and no move.
    ``told`` is the move that is entered by the buttons, where the table does not change.
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


Details = Mapping[str, Any] | None
"""Fields of the attempt that only the occasion tells."""
Step = Callable[[S, T], Details]


class Mistake(Generic[S, T]):
    """What people do wrong in a scene, mostly the game itself.

    ``code`` is the rule that it breaks; ``also`` and ``instead`` are an attempt's. The first of ``occasions`` on which
    it can be done is taken, and ``steps`` are done to the table one by one. In its ``words`` ``{who}`` is the player.
    Unless it is ``confirmed``, the program is to notice it by itself.
    """

    def __init__(
        self,
        code: str,
        words: Text,
        occasions: Callable[[S], Iterable[T]],
        *steps: Step[S, T],
        name: str = "",
        also: Iterable[str] = (),
        instead: Iterable[str] = (),
        confirmed: bool = True,
    ) -> None:
        self.name, self.words, self.occasions, self.steps = name or code, words, occasions, steps
        self._fields = {"code": code, "also": frozenset(also), "instead": frozenset(instead)}
        self._confirmed = confirmed

    def make_attempt(self, seat: int | None, who: Text | None = None, **details: Any) -> Attempt:
        """Return the mistake as it lies there, made by ``who`` at that seat, with whatever only the occasion tells."""
        fields = {"blunder": self.words, "mistake": self.name, **self._fields, **details}
        if who is not None:
            fields["blunder"] = fields["blunder"].refill(who=who)
        return Attempt(seat, unconfirmed=not self._confirmed and "told" not in fields, **fields)


class Simulation(ABC):
    """One simulated game; everything in it follows from the randomness that it was made with.

    ``position`` is the true position, with full information; ``careless`` is how often somebody makes a mistake where
    there is an occasion for one.
    """

    table_type: Callable[[Any, Random], CardTable] = CardTable

    def __init__(self, start: Any, layout: TableLayout, rng: Random, careless: float) -> None:
        self.position = start
        self.careless = careless
        self._rng = rng
        # Two of their own: neither how cards happen to lie nor that somebody slips must change how the game goes.
        seed = rng.getrandbits(64)
        self._fingers, self._whims = Random(seed), Random(f"{seed} whims")
        self.table = self.table_type(layout, self._fingers)

    @property
    def lying(self) -> tuple[Placed, ...]:
        """Every card on the mat now, bottom to top."""
        return tuple(self.table)

    @property
    def tray(self) -> Tray | None:
        """The tray with the dice that lie in it now; ``None`` where there is none on the table."""
        return None

    @abstractmethod
    def play_game(self) -> Iterator[Attempt]:
        """Yield what is done to the table, from the set-up to the end of the game.

        The cards lie there as the attempt says when it is handed out. Going on to the next one means that it was
        answered rightly: a blunder is then mended, a move is played.

        Raises:
            SimulationError: the game can't go on.
        """

    def straighten(self) -> None:
        """Lay out more neatly what lies there, as players do when a card can't be seen."""
        self.table.tidy(self.table.take_snapshot(), 0.5, 0.5)

    def is_same(self, move: Any, other: Any) -> bool:
        """Tell whether two moves, as everybody sees them, come to the same."""
        return bool(move == other)

    def has_noticed(self, state: Any) -> bool:
        """Tell whether a state that is confirmed holds all that was done without confirm."""
        return True

    # What players do

    def name_player(self, seat: int) -> Text:
        """Return the player at a seat."""
        return player(self.position.players[seat - 1])

    def shuffle_things(self, things: Iterable[T]) -> list[T]:
        """Return these in a random order."""
        listed = list(things)
        self._whims.shuffle(listed)
        return listed

    def toss_coin(self) -> bool:
        """Throw a coin."""
        return self._whims.random() < 0.5

    @property
    def own_places(self) -> tuple[str, ...]:
        """Places into which somebody may put a card now, so that none goes astray there."""
        return ()

    def _is_slipping(self) -> bool:
        return self._whims.random() < self.careless

    def _do(self, move: Any, attempt: Attempt) -> Attempt:
        """Play the attempt's move and return the attempt."""
        self.position = self.position.do(move)
        return attempt

    def _try_mistakes(self, *mistakes: Mistake[Any, Any]) -> Iterator[Attempt]:
        """Make at times one of these mistakes, one for which there is an occasion."""
        if self._is_slipping():
            for mistake in self.shuffle_things(mistakes):
                if (yield from self._make_blunder(mistake, self)):
                    return

    def _make_blunder(self, mistake: Mistake[S, T], scene: S) -> Generator[Attempt, None, bool]:
        """Make a mistake where there is occasion for it, and mend it. Whether it was made."""
        before = self.table.take_snapshot()
        for occasion in mistake.occasions(scene):
            details = dict[str, Any]()
            try:
                for step in mistake.steps:
                    details.update(step(scene, occasion) or {})
            except NoRoomError:
                self.table.restore(before)
                continue
            made = self._make_mistake(mistake, scene, occasion, details)
            if made is not None:
                yield made
            self.table.restore(before)
            return made is not None
        return False

    def _make_mistake(
        self, mistake: Mistake[Any, Any], scene: Any, occasion: Any, details: Mapping[str, Any]
    ) -> Attempt | None:
        """Return the mistake as it lies there, by the seat that the
        occasion is or begins with; ``None`` if none can be named.
        """
        seat: int | None = occasion[0] if isinstance(occasion, tuple) else occasion
        return mistake.make_attempt(seat, None if seat is None else self.name_player(seat), **details)


ASTRAY: Mistake[Simulation, None] = Mistake(
    "table_disturbed",
    Text("A card has been pushed into another area."),
    lambda game: [None],
    lambda game, _: game.table.push_astray(game.own_places),
    name="astray",
)
"""Confirm is pressed over a card that went astray, as at any table."""


def is_right(simulation: Simulation, verdict: Verdict, attempt: Attempt) -> bool:
    """Tell whether a verdict says what the attempt was."""
    if attempt.move is None and attempt.code is None:
        return isinstance(verdict, Accepted) and verdict.move is None
    if attempt.move is not None:
        return isinstance(verdict, Accepted) and simulation.is_same(verdict.move, attempt.move)
    codes = {attempt.code, *attempt.instead}
    return isinstance(verdict, Refused) and not codes.isdisjoint((verdict.refusal.code, *verdict.refusal.also))


def leads_right(simulation: Simulation, verdict: Verdict, attempt: Attempt) -> bool:
    """Tell whether an answer to a question says what the attempt was, or one to the question that follows it does."""
    if isinstance(verdict, Question):
        return any(leads_right(simulation, choice.verdict, attempt) for choice in verdict.choices)
    return is_right(simulation, verdict, attempt)


def truth_of(attempt: Attempt) -> str:
    """Return what lies on the table, in English, for whoever looks into a disagreement."""
    return f"move {attempt.move}" if attempt.move is not None else f"broken rule {attempt.code}"
