"""What the reader saw: plain data between vision and the referees.

Frame: millimetres on the mat (see ``referee.layout``); angles in degrees clockwise, 0 = upright in the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from rules.text import Text, in_context, join_names

CAUSES = {
    "glare": Text("glare"),
    "covered": Text("covered"),
    "blurred": Text("blurred"),
    "few_pixels": Text("too small in the picture"),
    "doubtful": Text("not sure which card"),
    "foreign": Text("not a card of this deck, as it was learnt"),
    "moving": Text("moving"),
    "unknown": Text("something that is none of the cards learnt"),
    "twice": Text("the same card seems to lie in two places"),
}
"""Why a card can't be read, in words."""

_AT = {
    "glare": in_context("glare", "{places}"),
    "covered": in_context("covered", "{places}"),
    "blurred": in_context("blurred", "{places}"),
    "few_pixels": in_context("few_pixels", "{places}"),
    "doubtful": in_context("doubtful", "{places}"),
    "foreign": in_context("foreign", "{places}"),
    "moving": in_context("moving", "{places}"),
    "unknown": in_context("unknown", "{places}"),
    "twice": in_context("twice", "{places}"),
}
"""Where cards can't be read for each cause; there are languages in which that is a sentence of its own."""


def cant_read(places: Iterable[tuple[Text, str]]) -> Text:
    """Say that cards can't be read at these places, and why: each with its cause, one of ``CAUSES``."""
    causes = [(place, cause if cause in CAUSES else "doubtful") for place, cause in dict.fromkeys(places)]
    by_cause = []
    for cause in dict.fromkeys(cause for _, cause in causes):
        at = (Text("{place} ({cause})", place=place, cause=CAUSES[cause]) for place, other in causes if other == cause)
        by_cause.append(_AT[cause].refill(places=join_names(at)))
    return Text("A card can't be read surely at {places}.", places=reduce(_and_at, by_cause))


def _and_at(places: Text, more: Text) -> Text:
    return Text("{places} and {more}", places=places, more=more)


BACK = "back"
"""A card that lies face down, in a deck of which all backs are alike."""

COVERS_MM = 10.0
"""The mat in squares of this side: of what looks like no card it is known which of them it covers."""

NEAR_MM = 30.0
"""What can't be read so near to where such a card lay is the same card: people nudge cards without moving them."""

REST = ""
"""The mat without the zones that are still apart, among the names of parts that move."""

DIE_CAUSES = {
    **CAUSES,
    "cocked": Text("does not lie flat"),
    "hidden": Text("half hidden"),
    "emblem": Text("no pips on top"),
    "doubtful": Text("not sure which value"),
}
"""Why a die can't be read, in words."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One card seen and named surely: ``H7``, ``back``, ``three/review``. (x, y) is the whole card's centre."""

    name: str
    x: float
    y: float
    angle: float
    confidence: float = 1.0
    visible: float = 1.0
    """Share of the card's face that shows, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A card that is seen but can't be named surely.

    ``cause`` is one of ``glare``, ``covered``, ``blurred``, ``few_pixels``, ``doubtful``, ``moving``.
    ``candidates`` are the likeliest names, best first. Of what looks like no card ``covers`` are the middles of the
    squares of the mat, ``COVERS_MM`` wide, that lie under it for the most part.
    """

    x: float
    y: float
    angle: float
    cause: str
    candidates: tuple[str, ...] = ()
    visible: float = 1.0
    covers: tuple[tuple[float, float], ...] = field(default=(), repr=False)

    def may_be(self, name: str) -> bool:
        """Tell whether it can be the card of that name."""
        return not self.candidates or name in self.candidates

    @property
    def guesses(self) -> tuple[str, ...]:
        """The names to offer first: none where it does not look like the likeliest of the deck's cards either."""
        return () if self.cause == "foreign" else self.candidates


@dataclass(frozen=True, slots=True)
class Die:
    """One die: (x, y) is its top face's centre, ``value`` ``None`` where it can't be read, and ``cause`` says why.

    A cause is ``cocked`` where it does not lie flat, ``hidden``, ``emblem``, or another one of ``DIE_CAUSES``.
    """

    x: float
    y: float
    value: int | None
    colour: str = ""
    """A plain English word for its body: ``black``, ``white``, ``grey``, ``brown``, ``red`` …"""
    confidence: float = 1.0
    cause: str = ""
    edge: float = 0.0
    """Its top face's edge, 0 where that was not measured."""


@dataclass(frozen=True, slots=True)
class Detections:
    """All that one still picture showed, whatever the game.

    ``dice`` are those in the layout's zones with dice, within the zone or leaning out of it; every die that is seen is
    there, however many, with a value or a cause. In each zone the darker come first, dice of one brightness from the
    left. A layout without such a zone gets none.

    ``moving`` names the parts of the mat where something moves just now: zones that are still apart, and ``REST`` for
    all besides them. What is said of such a part is what was seen there last, so it gives nothing new to judge.
    """

    sightings: tuple[Sighting, ...] = ()
    unread: tuple[Unread, ...] = ()
    dice: tuple[Die, ...] = ()
    moving: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Expected:
    """What must lie in one place: face-up cards by name, and the fewest and the most backs that may show."""

    faces: frozenset[str] = frozenset()
    backs: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class ZoneView:
    """One still look: the cards seen, by place, and those that could not be named."""

    cards: Mapping[str, tuple[Sighting, ...]] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()

    def list_faces(self, place: str) -> list[str]:
        """Return the names of the face-up cards in a place."""
        return [seen.name for seen in self.cards.get(place, ()) if seen.name != BACK]

    def count_backs(self, place: str) -> int:
        """Count the backs that show in a place."""
        return sum(seen.name == BACK for seen in self.cards.get(place, ()))
