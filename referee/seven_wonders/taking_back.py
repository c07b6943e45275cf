"""What hands do unseen when a turn of Seven Wonders is taken back or put back: hands passed, cards discarded."""

from __future__ import annotations

from collections.abc import Iterator

from referee.game import Check
from referee.seven_wonders.layout import PILE, SPOT
from referee.seven_wonders.state import acts_in
from referee.verdict import Comparison, Mend
from rules.seven_wonders.moves import Deal, Do, Move, Round
from rules.seven_wonders.position import Position
from rules.seven_wonders.state import AgePhase
from rules.text import Text, player


def hidden_steps(check: Check, comparison: Comparison) -> Iterator[Mend]:
    """Yield the steps that no camera sees; those that it does are in the comparison."""
    step = check.step
    before: Position = step.before.position
    after: Position = step.after.position
    move: Move | None = step.move
    if move is None:
        return
    if isinstance(move, Deal):
        words = (
            Text("Gather all hands; the age has yet to begin.")
            if check.back
            else Text("Everybody takes the hand as it was dealt.")
        )
        yield Mend(f"back{move.age}", "table", "table", words)
        return
    passed = isinstance(move, Round) and after.phase is AgePhase.ROUND and after.age == before.age
    back = f"back{max(1, before.age)}"
    if check.back:
        if passed:
            yield Mend(back, "table", "table", Text("Everybody passes the hand back."))
        if sum(after.pile_ages) - sum(before.pile_ages) > _find_discards(move):
            words = Text("Everybody takes the card left over from the discard pile back into the hand.")
            yield Mend(back, PILE, "table", words)
    elif passed:
        yield Mend(back, "table", "table", Text("Everybody passes the hand again."))
    sources = {mend.source for mend in comparison.mends}
    for seat, act in acts_in(move).items():
        if act.do is Do.DISCARD and f"{SPOT}:{seat}" not in sources:
            who = player(before.players[seat - 1])
            if check.back:
                words = Text("{who} takes the discard back into the hand.", who=who)
                yield Mend(back, PILE, f"hand:{seat}", words)
            else:
                words = Text("{who}'s discard goes to the discard pile.", who=who)
                yield Mend(back, f"hand:{seat}", PILE, words)


def _find_discards(move: Move) -> int:
    return sum(act.do is Do.DISCARD for act in acts_in(move).values())
