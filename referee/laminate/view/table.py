"""What lies on the table of Laminate Rummy, sorted by papers and spots.

Frame: millimetres on the mat (see ``referee.layout``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.table import Sighting, Unread
from rules.cards import Card


@dataclass(frozen=True, slots=True)
class PaperSeen:
    """A paper in a seat's area: the paper card at its head and the SEVEN cards that follow, head first."""

    seat: int
    kind: str
    complete_side: bool
    cards: tuple[Card, ...]
    x: float = 0.0
    y: float = 0.0
    """Centre of the paper card in mm."""
    doubtful: tuple[Unread, ...] = ()
    """Cards of this paper that could not be named; each of them is in the view's ``unread`` too."""


@dataclass(frozen=True)
class TableView:
    """One still look at the whole table, sorted by spot.

    ``draw_backs`` and ``payments`` count face-down cards; a draw pile shows one or more backs as long as it holds
    a card, never how many. ``discard_top`` is the card whose whole face shows on the discard pile, and
    ``discard_under`` names those peeping out below it. ``loose`` are cards that belong to no paper and no spot,
    or lie face down or face up where they should not. ``unread`` are cards that could not be named.
    """

    mat_mm: tuple[float, float]
    papers: tuple[PaperSeen, ...] = ()
    draw_backs: int = 0
    discard_top: Card | None = None
    discard_under: tuple[Card, ...] = ()
    payments: Mapping[int, int] = field(default_factory=dict)
    loose: tuple[Sighting, ...] = ()
    unread: tuple[Unread, ...] = ()
    beneath: tuple[tuple[Unread, str], ...] = ()
    """Of the unread cards those on which cards of a pile lie that are read, each with the pile."""
