"""Games of papers at a careless table: thanks that nobody sees taken, and refusals whose steps are carried out.

Beside what any game is held to, every discard that is agreed lies in the pile, nothing is accepted past an unread card
that lies where none has to, and what a refusal says to put right leads back to a lawful table.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.simulated.lookalikes import find_lookalike
from referee.laminate.simulated.players import Skill
from referee.laminate.view.layouts import PaperLayout, layout_for
from referee.simulation import Attempt, truth_of
from referee.table import Unread
from referee.verdict import Accepted, Refused, Verdict
from rules.laminate.moves import Research
from tools.soak.any_game import MISREAD, NAMES, FaultError, Game
from tools.soak.eyes import SortingEye
from tools.soak.mending import MendedTable

CARELESSNESS = 0.3
_NOBODY_LOOKED = 0.3


def new_game(seed: int, carelessness: float = CARELESSNESS) -> SimulatedGame:
    """Start the game of that seed: 3, 4 or 5 players of mixed skill, any first seat."""
    rng = Random(f"soak {seed}")
    players = NAMES[: 3 + seed % 3]
    skills = [rng.choice(list(Skill)) for _ in players]
    first_seat = rng.randint(1, len(players))
    layout = layout_for(len(players))
    return SimulatedGame(
        players, layout, rng, blunders=False, first_seat=first_seat, skills=skills, carelessness=carelessness
    )


class Papers(Game):
    """A game of careless authors, seen by a perfect reader a little off the cards' places."""

    def __init__(self, name: str, seed: int, misread: float = MISREAD, strewn: bool = False) -> None:
        super().__init__(name, seed, misread=misread, strewn=strewn)
        chance, layout = Random(f"careless {seed}"), self.layout
        assert isinstance(layout, PaperLayout), "the layout is that of this game"
        self.papers = self.simulation = SimulatedGame(
            self.players,
            layout,
            chance,
            blunders=False,
            first_seat=self.options["first_seat"],
            skills=[chance.choice(list(Skill)) for _ in self.players],
            carelessness=CARELESSNESS,
        )
        self._eye = SortingEye(layout, chance, 0.0)
        self.look = lambda _: self._eye.look(self.papers.table)

    def meet(self, attempt: Attempt) -> None:
        """Meet one change of the table, which nobody may have looked at while thanks were taken."""
        if attempt.unconfirmed and self.chance.random() < _NOBODY_LOOKED:
            self._lay_before = self.simulation.lying
            return
        self._overlook(attempt)
        super().meet(attempt)

    def _overlook(self, attempt: Attempt) -> None:
        """Check that nothing is accepted while an unread card lies where none has to, beside what is read there."""
        view, layout, chance = self._eye.look(self.papers.table), self.papers.table.layout, self.chance
        elsewhere = [str(card) for paper in view.papers for card in paper.cards]
        x0, y0, x1, y1 = layout.seat_rect(chance.randint(1, len(layout.seats)))
        places: list[tuple[tuple[float, float], tuple[str, ...]]] = [(((x0 + x1) / 2, (y0 + y1) / 2), ())]
        if view.draw_backs:
            places.append((layout.draw, ()))
        if view.discard_top is not None and elsewhere:
            places.append((layout.discard, (chance.choice(elsewhere),)))
        (x, y), candidates = chance.choice(places)
        marked = replace(view, unread=(*view.unread, Unread(x, y, 0.0, "glare", candidates, 0.1)))
        if isinstance(self.referee.judge(self.session.agreed, marked, layout), Accepted):
            self.tally.faults.append(f"{self.at}: UNREAD OVERLOOKED: {truth_of(attempt)}; {marked.unread[-1]}")

    def _is_right(self, verdict: Verdict, attempt: Attempt) -> bool:
        if isinstance(verdict, Accepted):
            same = super()._is_right(verdict, attempt) or self._same_by_ruling_8(verdict.move, attempt.move)
            return same and self._lies_there(verdict.after)
        if not isinstance(verdict, Refused) or attempt.code is None:
            return False
        named = {verdict.refusal.code, *verdict.refusal.also}
        codes, instead = {attempt.code, *attempt.also}, set(attempt.instead)
        if self._thanks_before and ("payment_excess" in codes or self._legal_but_for_old_thanks()):
            # Nobody has seen the thanks of the last turn taken away, so these may be theirs.
            instead.add("payment_not_taken")
        return codes <= named or bool(instead & named)

    def _same_by_ruling_8(self, understood: object, true: object) -> bool:
        """Tell whether it can't be seen that the card came from the draw pile, as the discards were shuffled for it."""
        public = self.session.position
        few = public.draw_count == 0 and len(public.discards) <= 2
        return (
            few and isinstance(true, Research) and isinstance(understood, Research) and understood.source == "discard"
        )

    @property
    def _thanks_before(self) -> dict[int, int]:
        agreed: Any = self.session.agreed
        return dict(agreed.thanks)

    def _lies_there(self, agreed: Any) -> bool:
        """Tell whether every discard that is agreed on, beyond what the moves tell, lies in the pile."""
        pile = self.papers.table.discards
        placed = all(card is None or str(card) == name for card, name in zip(agreed.discards, pile, strict=True))
        return placed and {str(card) for card in agreed.peeping} <= set(pile)

    def _legal_but_for_old_thanks(self) -> bool:
        """Tell whether the table looks as after a legal move, if thanks of the last turn lie on some spots."""
        table, public = self.papers.table, self.session.position
        lying, before = table.count_payments(), table.take_snapshot()
        old = {seat: min(count, lying.get(seat, 0)) for seat, count in self._thanks_before.items()}
        legal = False
        for some in product(*((0, count) for count in old.values())):
            for seat, count in zip(old, some, strict=True):
                table.unpay(seat, count)
            legal |= any(some) and find_lookalike(table, public) is not None
            table.restore(before)
        return legal

    def _hold(self, verdict: Verdict, attempt: Attempt) -> None:
        super()._hold(verdict, attempt)
        if isinstance(verdict, Refused):
            self._mend(verdict, attempt)

    def _mend(self, refused: Refused, attempt: Attempt) -> None:
        """Check that what the refusal says to put right leads to a table that follows the rules."""
        table = MendedTable.from_table(self.papers.table)
        if not table.carry_out(refused.mend):
            return
        again = self.referee.judge(self.session.agreed, table.look_at(), self.layout)
        if isinstance(again, Refused) and again.refusal.code not in ("pass_not_allowed", "flag_due"):
            steps = " / ".join(str(mend.text) for mend in refused.mend)
            raise FaultError(f"NOT MENDED: {truth_of(attempt)}; {refused.text} STEPS {steps} LEFT {again.text}")
        self.tally.mended += 1
