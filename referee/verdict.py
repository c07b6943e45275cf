"""What the referee answers to a table view: accepted, refused, a question, or that it can't see."""

from __future__ import annotations

from dataclasses import dataclass

from referee.lying import Agreed
from rules.laminate.moves import Move
from rules.refusal import Reason, Refusal
from rules.text import Text, joined


@dataclass(frozen=True, slots=True)
class Mend:
    """One thing to put right on the table, in words and as data for a picture of it.

    ``item`` is a SEVEN card, ``back`` or a paper card (``three/complete``); ``source`` and ``target`` are places:
    ``draw``, ``discard``, ``payment:1``, ``seat:1``, ``seat:1/three`` (a paper), ``hand:1``, ``supply``, or ``table``
    for anywhere else. ``count`` is the number of such cards.
    """

    item: str
    source: str
    target: str
    text: Text
    count: int = 1


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the mat that could not be read: its centre in mm, its name as in ``Mend``, and the trouble."""

    x: float
    y: float
    place: str
    cause: str


@dataclass(frozen=True)
class Accepted:
    """The one legal move that explains every difference, and what is agreed after it."""

    move: Move
    after: Agreed
    sentences: tuple[Text, ...]

    @property
    def text(self) -> Text:
        """All of it."""
        return joined(self.sentences)


@dataclass(frozen=True)
class Refused:
    """No legal move explains the table: every reason, and what to put right, in the order in which to do it.

    ``refusal`` carries the code, the other codes and the first reason's words; ``text`` gives them all.
    """

    refusal: Refusal
    reasons: tuple[Reason, ...]
    mend: tuple[Mend, ...]

    @property
    def text(self) -> Text:
        """All reasons."""
        return joined(dict.fromkeys(reason.text for reason in self.reasons))


@dataclass(frozen=True)
class Choice:
    """One answer to a question, and what follows from it."""

    text: Text
    verdict: Accepted | Refused


@dataclass(frozen=True)
class Question:
    """The table leaves more than one reading, and the players know which."""

    text: Text
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class CantSee:
    """A card that matters can't be read surely; nothing is guessed."""

    spots: tuple[Spot, ...]
    sentences: tuple[Text, ...]

    @property
    def text(self) -> Text:
        """All of it."""
        return joined(self.sentences)


Verdict = Accepted | Refused | Question | CantSee
