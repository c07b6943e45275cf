"""What the referee answers to a table view: accepted, refused, a question, that it waits, or that it can't see.

It follows from the readings of the view: moves that may have been made, or none, each with what speaks against it. A
game proposes them (``ZoneReferee.list_readings``). The one with the least against it speaks: where nothing is, it is
accepted; where several have nothing against them and come to different ends, players are asked; where it hangs on a
card that can't be read, that card can't be seen; and what it leaves over is the refusal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.state import AgreedState
from referee.table import Unread
from rules.game import Move
from rules.refusal import Reason, Refusal, in_order
from rules.text import HasText, Text, join_sentences


@dataclass(frozen=True, slots=True)
class Mend:
    """One thing to put right on the table, in words and as data for a picture of it.

    ``item`` is a card by name, as the reader gives it; ``source`` and ``target`` are places by the game's own names,
    ``table`` for anywhere else. ``count`` is the number of such cards. A step that ``joins`` names the card in
    the slot ``card`` of its text, so that like steps with other cards are said in one sentence.
    """

    item: str
    source: str
    target: str
    text: Text
    count: int = 1
    joins: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the mat that could not be read: its centre in mm, its name as in ``Mend``, and the trouble."""

    x: float
    y: float
    place: str
    cause: str


@dataclass(frozen=True)
class Accepted:
    """A legal move that explains every difference, and what is agreed after it.

    Where it settles ``at_once``, nobody has to press confirm, and what lies there besides is judged again after it.
    One ``without_trace`` leaves the table as it lies, so a button pressed twice by mistake looks the same. ``move`` is
    ``None`` where what was done is right and no move of its own, such as taking what a roll gives.
    """

    move: Move | None
    after: AgreedState
    sentences: tuple[Text, ...]
    at_once: bool = False
    without_trace: bool = False

    @property
    def text(self) -> Text:
        """All of it."""
        return join_sentences(self.sentences)


@dataclass(frozen=True)
class Refused:
    """No legal move explains the table: every reason, and what to put right, in the order in which to do it.

    ``refusal`` carries the code, the other codes and the first reason's words; ``text`` gives them all. One that is
    said ``at_once`` is a fault of its own, whether or not confirm is pressed.
    """

    refusal: Refusal
    reasons: tuple[Reason, ...]
    mend: tuple[Mend, ...]
    at_once: bool = False

    @classmethod
    def from_reasons(cls, order: Sequence[str], reasons: Iterable[Reason], mends: Iterable[Mend]) -> Refused:
        """Combine these reasons, one or more, into a refusal, in a game whose codes have that order."""
        ordered = tuple(in_order(order, dict.fromkeys(reasons)))
        # The same step may follow from the move and from what it leaves unexplained, in other words.
        steps: dict[tuple[str, str, str, int], Mend] = {}
        for one in mends:
            steps.setdefault((one.item, one.source, one.target, one.count), one)
        return cls(Refusal.from_reasons(order, *ordered), ordered, tuple(steps.values()))

    @property
    def text(self) -> Text:
        """All reasons."""
        return join_sentences(dict.fromkeys(reason.text for reason in self.reasons))


@dataclass(frozen=True)
class Choice:
    """One answer to a question, and what follows from it; a further question, where more has to be entered."""

    text: Text
    verdict: Accepted | Refused | Question


@dataclass(frozen=True)
class Question:
    """The table leaves more than one reading, and the players know which.

    One that is asked ``at_once`` needs no press, as what it is about may be gone from the table. ``spot`` is the card
    that it is about where that could not be read; the last picture of it is shown.
    """

    text: Text
    choices: tuple[Choice, ...]
    at_once: bool = False
    spot: Spot | None = None


@dataclass(frozen=True)
class Offer:
    """Several turns on the table before anybody pressed confirm, as the explanation of a refusal: is it so?"""

    text: Text
    no: Text
    yes: Text
    turns: tuple[Accepted, ...]


@dataclass(frozen=True)
class Waiting:
    """Nothing is wrong and nothing is done yet: what the players do next, as steps where there are some.

    ``pressed`` is what confirm gives meanwhile; without it the same words again.
    """

    sentences: tuple[Text, ...] = ()
    mend: tuple[Mend, ...] = ()
    pressed: Refused | None = None

    @property
    def text(self) -> Text:
        """All of it."""
        return join_sentences(self.sentences)


@dataclass(frozen=True)
class CantSee:
    """A card that matters can't be read surely; nothing is guessed.

    Said ``at_once``, as loudly as a fault, where whoever plays on would take away what has yet to be read.
    """

    spots: tuple[Spot, ...]
    sentences: tuple[Text, ...]
    at_once: bool = False

    @property
    def text(self) -> Text:
        """All of it."""
        return join_sentences(self.sentences)


Verdict = Accepted | Refused | Question | Waiting | CantSee


def says_the_same(one: Verdict, other: Verdict) -> bool:
    """Tell whether two verdicts are the same but for where
    exactly an unread card lies, which no two looks find alike.
    """
    return _drop_places(one) == _drop_places(other)


def _drop_places(verdict: Verdict) -> Verdict:
    if isinstance(verdict, CantSee):
        return replace(verdict, spots=tuple(replace(spot, x=0.0, y=0.0) for spot in verdict.spots))
    return replace(verdict, spot=None) if isinstance(verdict, Question) else verdict


@dataclass(frozen=True)
class Comparison:
    """How the table differs from what was agreed: in words, and the steps that put it right, in their order.

    ``unread`` counts cards that can't be read and stand for nothing expected, ``disturbed`` the things that lay there
    and are not as they were.
    """

    told: tuple[Text, ...] = ()
    mends: tuple[Mend, ...] = ()
    unread: int = 0
    disturbed: int = 0

    @property
    def agrees(self) -> bool:
        """Whether the table lies as agreed."""
        return not self.told and not self.unread


# Readings

NOTHING_DONE = Reason("table_disturbed", (), Text("Nothing has been done yet."))
"""What is said to confirm while the table lies as it was."""


@dataclass(frozen=True)
class Disturbance:
    """One thing that is not as it must be: why, and what to put where.

    ``lost`` names what lay there and is not as it was; what is lost by one name counts once.
    """

    reason: Reason
    mends: tuple[Mend, ...] = ()
    lost: Hashable = None

    @classmethod
    def from_words(cls, words: Text, *mends: Mend, cards: Sequence[HasText] = (), lost: Hashable = None) -> Disturbance:
        """Make a disturbance of what no move explains, in these words."""
        return cls(Reason("table_disturbed", tuple(cards), words), mends, lost)


@dataclass(frozen=True)
class Reading:
    """One way to read a look: the move, ``None`` for none, and what speaks against it.

    ``after`` is what is agreed after it, where that follows not from the move alone; ``reasons`` are broken rules and
    what it leaves unexplained, ``mends`` the steps that put it right, ``unread`` the cards on which it hangs and that
    can't be read; ``depends_on_unread`` are such that may yet speak against it though it fits. ``cost`` is how much
    speaks against it: the cheapest reading speaks. ``waits`` says what players do next where nothing is wrong but not
    all is done, ``asked`` what they have to be asked before this reading can stand. ``said`` are the words for it, in
    place of the move's own; ``at_once`` and ``without_trace`` are the verdict's.
    """

    move: Any = None
    after: Any = None
    reasons: tuple[Reason, ...] = ()
    mends: tuple[Mend, ...] = ()
    unread: tuple[Unread | Spot, ...] = ()
    cost: float = 0
    waits: tuple[Text, ...] | None = None
    asked: Question | None = None
    depends_on_unread: tuple[Unread, ...] = ()
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


def report_faults(faults: Iterable[Disturbance], **more: Any) -> Reading:
    """Return the reading that nothing was done, with these faults."""
    faults = tuple(faults)
    mends = tuple(mend for fault in faults for mend in fault.mends)
    return Reading(reasons=tuple(fault.reason for fault in faults), mends=mends, **more)


def compare_table(faults: Iterable[Disturbance], unread: Sequence[Unread]) -> Comparison:
    """Compare the table with what is confirmed, with the cards that can't be read and stand for nothing there."""
    faults = tuple(faults)
    sentences = dict.fromkeys(fault.reason.text for fault in faults)
    mends = dict.fromkeys(mend for fault in faults for mend in fault.mends)
    lost = {fault.lost for fault in faults if fault.lost is not None}
    return Comparison(tuple(sentences), tuple(mends), len(unread), len(lost))
