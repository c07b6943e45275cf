"""Papers: two-sided cards that a game has beside the deck, as enrolment and printing know them."""

from __future__ import annotations

from typing import Protocol


class Paper(Protocol):
    """A kind of paper: under review on one side, complete on the other.

    ``name`` is the one in records and decks, ``en`` and ``ja`` are its names for players. ``groups``, ``one_suit``
    and ``total`` say in numbers which cards it takes; ``examples`` are rows of small cards that show them.
    """

    @property
    def name(self) -> str:
        """Its name in records and decks."""

    @property
    def en(self) -> str:
        """Its name for players, in English."""

    @property
    def ja(self) -> str:
        """Its name for players, in Japanese."""

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
