"""Games of tricks in which a card now and then can't be read as long as it lies there, and the players go on.

What they do meanwhile is not answered; when the trick is gathered the referee has to ask for that card, the true one
among the answers, and to understand all the others of the trick from what it has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.placing import Placed
from referee.simulation import Attempt, leads_right, truth_of
from referee.table import Detections, Unread
from referee.verdict import CantSee, Question
from tools.soak.any_game import MISREAD, FaultError, Game, as_sightings, describe_verdict

UNREAD = 0.06
"""How often a card that is played can't be read."""
_GOES_ON = ("out_of_turn", "two_cards", "trick_incomplete")
"""Mistakes beside an unread card, which may hide them; they are mended before anything else is done."""


class Gathered(Game):
    """A game whose players gather tricks with a card in them that was never read."""

    def __init__(self, name: str, seed: int, misread: float = MISREAD, strewn: bool = False) -> None:
        super().__init__(name, seed, misread=misread, strewn=strewn)
        self.look = self._but_one
        self._unread: Placed | None = None
        self._waiting: list[Attempt] = []

    def _but_one(self, cards: Sequence[Placed]) -> Any:
        hidden = self._unread
        if hidden is None or hidden not in cards:
            return self._see_perfectly(cards)
        likely = self.chance.choice(((), (hidden.name,), ("HA", hidden.name), ("HA", "O2")))
        mark = Unread(hidden.x, hidden.y, hidden.angle, self.chance.choice(("glare", "foreign", "doubtful")), likely)
        read = as_sightings([card for card in cards if card is not hidden])
        return self.referee.observe(Detections(read, (mark,), self.dice), self.layout)

    def meet(self, attempt: Attempt) -> None:
        """Meet one change of the table, or one move that is entered."""
        if self._unread is None:
            self._unread = self._next_unread(attempt)
        if self._unread is None:
            super().meet(attempt)
        elif attempt.code in _GOES_ON:
            self.session.see(self.look(self.simulation.lying))
            self._lay_before = self.simulation.lying
        elif attempt.code is None and self._unread in self.simulation.lying:
            self._go_on(attempt)
        else:
            self._come_out()
            super().meet(attempt)

    def _next_unread(self, attempt: Attempt) -> Placed | None:
        """Choose the card of a play that nobody has answered yet, at times."""
        played = attempt.move.to_json() if attempt.move is not None else {}
        if played.get("do") != "play" or self._settled or not self.simulation.has_noticed(self.session.agreed):
            return None
        laid = [card for card in self.simulation.lying if card not in self._lay_before]
        found = next((card for card in laid if card.name == played["card"]), None)
        return found if self.chance.random() < UNREAD else None

    def _go_on(self, attempt: Attempt) -> None:
        """Check that nothing is understood, and that this is said."""
        settled = self.session.see(self.look(self.simulation.lying))
        self._lay_before = self.simulation.lying
        verdict = self.referee.judge(self.session.agreed, self.session.judge.view, self.layout)
        if settled or not isinstance(verdict, CantSee) or not verdict.at_once:
            raise FaultError(
                f"NOT SAID: {truth_of(attempt)}, {self._unread} unread; {settled} {describe_verdict(verdict)}"
            )
        self.tally.cannot_see += 1
        if attempt.move is not None:
            self._waiting.append(attempt)

    def _come_out(self) -> None:
        """Ask for the card where the trick is gathered, or read it after all; then all are understood."""
        gathered, waiting = self._unread not in self.simulation.lying, self._waiting
        self._unread, self._waiting = None, []
        settled = [*self.session.see(self.look(self.simulation.lying))]
        if gathered:
            asked = self.referee.judge(self.session.agreed, self.session.judge.view, self.layout)
            if not isinstance(asked, Question) or not asked.at_once or settled:
                raise FaultError(f"NOT ASKED: {truth_of(waiting[0])}; {describe_verdict(asked)}")
            self.tally.asked += 1
            if not any(leads_right(self.simulation, choice.verdict, waiting[0]) for choice in asked.choices):
                raise FaultError(f"NO TRUE ANSWER: {truth_of(waiting[0])}; {describe_verdict(asked)}")
            self._speak()
            played = waiting.pop(0)
            self._hold(self.session.tell(played.move.to_json() if played.move is not None else {}), played)
            self.tally.legal += 1
            settled = [*self.session.see(self.look(self.simulation.lying))]
        for played in waiting:
            if not settled:
                raise FaultError(f"NEVER SEEN: {truth_of(played)}, after it was asked for another card")
            self._hold(settled.pop(0), played)
            self.tally.legal += 1
        self._settled = settled
        self._lay_before = self.simulation.lying

    def _end(self) -> None:
        if self._unread is not None:
            self._come_out()
        super()._end()
