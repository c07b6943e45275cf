"""Readings of a look: what may have been done, what speaks against it, and which of them speaks.

A reading is a move, or none, with everything that the look leaves unexplained once it was made. A game proposes them;
here is said what comes of them, for all games alike. The one with the least against it speaks: where nothing is, it
is accepted; where several readings have nothing against them and come to different ends, players are asked; where
it hangs on a card that can't be read, that card can't be seen; and what it leaves over is the refusal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.table import Unread
from referee.verdict import Comparison, Mend, Question
from rules.refusal import Reason
from rules.text import Text

NOTHING_DONE = Reason("table_disturbed", (), Text("Nothing has been done yet."))
"""What confirm is told while the table lies as it was."""


@dataclass(frozen=True)
class Fault:
    """One thing that is not as it must be: why, and what to put where.

    ``lost`` names what lay there and is not as it was; what is lost by one name counts once.
    """

    reason: Reason
    mends: tuple[Mend, ...] = ()
    lost: Hashable = None


@dataclass(frozen=True)
class Reading:
    """One way to read a look: the move, ``None`` for none, and what speaks against it.

    ``after`` is what is agreed after it, where that follows not from the move alone; ``reasons`` are broken rules and
    what it leaves unexplained, ``mends`` the steps that put it right, ``unread`` the cards on which it hangs and that
    can't be read. ``cost`` is how much speaks against it: the cheapest reading speaks.
    ``waits`` says what players do next where nothing is wrong but not all is done, ``asked`` what they have to be asked
    before this reading can stand. ``said`` are the words for it, in place of the move's own; ``at_once`` and
    ``without_trace`` are the verdict's.
    """

    move: Any = None
    after: Any = None
    reasons: tuple[Reason, ...] = ()
    mends: tuple[Mend, ...] = ()
    unread: tuple[Unread, ...] = ()
    cost: float = 0
    waits: tuple[Text, ...] | None = None
    asked: Question | None = None
    said: tuple[Text, ...] = ()
    at_once: bool = False
    without_trace: bool = False

    @property
    def fits(self) -> bool:
        """Whether nothing speaks against it."""
        return not (self.reasons or self.unread or self.asked)

    @property
    def idle(self) -> bool:
        """Whether it says that nothing was done."""
        return self.move is None and self.after is None


def against(faults: Iterable[Fault], **more: Any) -> Reading:
    """The reading that nothing was done, with these faults."""
    faults = tuple(faults)
    mends = tuple(mend for fault in faults for mend in fault.mends)
    return Reading(reasons=tuple(fault.reason for fault in faults), mends=mends, **more)


def compared(faults: Iterable[Fault], unread: Sequence[Unread]) -> Comparison:
    """How the table differs from what is agreed, with the cards that can't be read and stand for nothing there."""
    faults = tuple(faults)
    told = dict.fromkeys(fault.reason.text for fault in faults)
    mends = dict.fromkeys(mend for fault in faults for mend in fault.mends)
    lost = {fault.lost for fault in faults if fault.lost is not None}
    return Comparison(tuple(told), tuple(mends), len(unread), len(lost))
