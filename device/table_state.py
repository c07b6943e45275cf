"""What a table shows, as one value for all who watch it: its page, a hall, whoever reads ``state.json``.

Writers only add fields; readers pass over those that they do not know. ``version`` is the newest of the fields' own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from device.typed_json import Count, Game, Mm, Name, Number, Short, Words, make_payload, read_payload

VERSION = 2
"""1 had neither ``version`` nor ``table``."""
_Letters = Annotated[str, lambda value: len(value) <= 40]
"""What stands on a card, or nothing."""


@dataclass(frozen=True, slots=True)
class StatePlayer:
    """A player at a table."""

    name: Name
    points: Number
    to_move: bool
    notes: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class LastMove:
    """What was done last, and by whom; by nobody where a position was set by hand."""

    who: Name | None
    words: Words


@dataclass(frozen=True, slots=True)
class StateEnding:
    """How near the game's end is: the turns that are left, once they are counted, and whether the End Flag is due.

    ``by_player`` are the turns left of each player, where they are counted.
    """

    turns_left: Count | None
    flag_due: bool
    by_player: tuple[Count, ...] = ()


@dataclass(frozen=True, slots=True)
class PublicCard:
    """A card as everybody sees it, by the name that the reader gives it, and what stands on it.

    ``suit`` is the letter of a SEVEN card's suit; ``colour`` is ``#rrggbb``. A ``back`` lies face down. ``new`` is what
    the last move, or the one that is previewed, has laid.
    """

    name: Short
    words: Words
    label: _Letters = ""
    suit: _Letters = ""
    colour: _Letters = ""
    back: bool = False
    new: bool = False


@dataclass(frozen=True, slots=True)
class PublicStack:
    """Cards that lie together, the lowest first, as ``referee.arrangement.CardStack`` has them; lengths in mm.

    ``title`` names the place, ``notes`` say what is known of it besides.
    """

    place: Short
    title: Words
    x: Mm
    y: Mm
    cards: tuple[PublicCard, ...] = ()
    step: tuple[Mm, ...] = (0.0, 0.0)
    count: Count | None = None
    notes: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class PublicSeat:
    """A seat's area: x0, y0, x1, y1 in mm, and the player's coins in a game with coins; seats come in their order."""

    area: tuple[Mm, ...]
    coins: Count | None = None


@dataclass(frozen=True, slots=True)
class PublicArrow:
    """One of the steps that put the table right: these cards, from where to where, in mm.

    ``outside`` says which end lies beside the mat: ``start``, ``end`` or ``neither``.
    """

    start: tuple[Mm, ...]
    end: tuple[Mm, ...]
    cards: tuple[PublicCard, ...] = ()
    outside: Short = "neither"


@dataclass(frozen=True, slots=True)
class PublicTable:
    """The table from above, as everybody knows it to lie: nothing that is hidden is in it.

    ``mat`` and ``card`` are widths and heights in mm.
    """

    mat: tuple[Mm, ...]
    card: tuple[Mm, ...]
    seats: tuple[PublicSeat, ...]
    stacks: tuple[PublicStack, ...] = ()
    arrows: tuple[PublicArrow, ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """What a table shows, as its page's ``state.json``; words are in ``language``."""

    game: Game | None
    language: Short
    mood: Short
    headline: Words
    details: tuple[Words, ...]
    players: tuple[StatePlayer, ...]
    last: LastMove | None
    choices: tuple[Words, ...]
    chosen: Count
    ending: StateEnding
    turn: Count
    over: bool
    at: datetime
    version: Count = 1
    table: PublicTable | None = None

    def to_bytes(self) -> bytes:
        """Return the payload."""
        return make_payload(self)

    @classmethod
    def of_bytes(cls, payload: bytes) -> TableState:
        """Read what a payload says.

        Raises:
            BadMessageError: nothing that can be.
        """
        return read_payload(cls, payload)
