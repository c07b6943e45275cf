"""Cards that a game has beside the SEVEN deck, as enrolment and printing know them.

Papers are two-sided cards that go with the deck. A *printed face* describes a card of a game's own in signs and words,
so that it can be drawn by whoever prints it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.text import Text

Rgb = tuple[int, int, int]

MOST_ON_PAGE = 16
"""At most this many papers are learnt at once: an enrolment page has no more places."""


@dataclass(frozen=True)
class Sign:
    """A sign on a card: its shape, one of those that ``device.artwork.signs`` draws, its colour, and words on it."""

    shape: str
    colour: Rgb
    text: str = ""


@dataclass(frozen=True)
class PrintedFace:
    """A card of a game's own as it is printed: in signs and few words, all that names it in the part that columns show.

    ``ground`` is its colour, ``corner`` stands small in its corner. ``cost`` is what it costs, ``effect`` what it does;
    ``hints`` are sentences in its lower part. Of a ``back`` the corner is all that is written on it.
    """

    title: Text
    ground: Rgb
    corner: str
    cost: tuple[Sign, ...] = ()
    effect: tuple[Sign, ...] = ()
    hints: tuple[Text, ...] = ()
    back: bool = False


class PaperCard(Protocol):
    """A kind of paper: under review on one side, complete on the other.

    ``name`` is the one in records and decks, ``text`` is its name for players. ``groups``, ``one_suit``
    and ``total`` say in numbers which cards it takes; ``examples`` are rows of small cards that show them.
    """

    @property
    def name(self) -> str:
        """Its name in records and decks."""

    @property
    def text(self) -> Text:
        """Its name for players."""

    @property
    def points(self) -> int:
        """What it is worth."""

    @property
    def copies(self) -> int:
        """How many there are."""

    @property
    def examples(self) -> tuple[tuple[str, ...], ...]:
        """Rows of what stands on small cards that show what it asks for."""

    @property
    def groups(self) -> tuple[int, ...]:
        """How many cards belong together in it, group by group; none where it counts no cards."""

    @property
    def one_suit(self) -> bool:
        """Whether all its cards are of one suit."""

    @property
    def total(self) -> int:
        """What its ranks add to; 0 where it asks for no sum."""


def house_pages(kinds: Sequence[str]) -> tuple[str, str]:
    """Return the two enrolment pages that teach house papers of these names, at most as many as a page has places."""
    listed = "+".join(kinds)
    return f"review:{listed}", f"complete:{listed}"


def kinds_on(page: str) -> tuple[str, ...]:
    """Return the house papers that a page holds; none where it is a page of the games' own cards."""
    _, of_the_house, listed = page.partition(":")
    return tuple(listed.split("+")) if of_the_house else ()


def side_on(page: str) -> str:
    """Return which side of the papers a page shows, ``review`` or ``complete``; another page is itself."""
    return page.partition(":")[0]
