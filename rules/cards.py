"""The 49 SEVEN cards: seven suits of seven consecutive ranks each.

Names follow the record format: a suit letter and a rank, ``H7``, ``C10``, ``FK``; A counts 1 and K counts 13.
Sets of cards travel through the rules as bit masks: bit ``card.index`` of an int, 0 to 48.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from rules.text import Text, in_context

RANK_NAMES = {1: "A", 13: "K", **{n: str(n) for n in range(2, 13)}}


class Suit(Enum):
    """A suit: its letter, its lowest rank and its names, in the order of the rule sheets."""

    HEART = ("H", 1, Text("heart"))
    ONION = ("O", 2, Text("onion"))
    BOOK = ("B", 3, Text("book"))
    COIN = ("C", 4, Text("coin"))
    STAR = ("S", 5, Text("star"))
    TIME = ("T", 6, Text("time"))
    COFFIN = ("F", 7, Text("coffin"))

    def __init__(self, letter: str, lowest: int, text: Text) -> None:
        self.letter = letter
        self.lowest = lowest
        self.text = text

    @property
    def ranks(self) -> range:
        """The seven ranks of the suit, lowest first."""
        return range(self.lowest, self.lowest + 7)


_CARDS: dict[tuple[Suit, int], Card] = {}
_SUIT_PLACES = {suit.letter: place for place, suit in enumerate(Suit)}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Card:
    """One SEVEN card. ``str(Card.parse("C10")) == "C10"``.

    ``index`` is its place in ``DECK``, 0 to 48, and ``bit`` the same as a mask. As on the table each card exists
    once: ``Card(suit, rank)`` is always the same object, so equal cards are identical.
    """

    suit: Suit
    rank: int
    index: int = field(init=False)
    bit: int = field(init=False)

    def __new__(cls, suit: Suit, rank: int) -> Card:
        """Return the one card of that suit and rank; raise ``ValueError`` where there is none."""
        if rank not in suit.ranks:
            raise ValueError(f"no such SEVEN card: {suit.letter}{rank}")
        return _CARDS.setdefault((suit, rank), object.__new__(cls))

    def __post_init__(self) -> None:
        index = _SUIT_PLACES[self.suit.letter] * 7 + self.rank - self.suit.lowest
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "bit", 1 << index)

    def __reduce__(self) -> tuple[type[Card], tuple[Suit, int]]:
        return Card, (self.suit, self.rank)

    @classmethod
    def parse(cls, name: str) -> Card:
        """Return the card of that name.

        Raises:
            ValueError: there is no such SEVEN card.
        """
        card = _BY_NAME.get(name)
        if card is None:
            raise ValueError(f"no such SEVEN card: {name!r}")
        return card

    @property
    def text(self) -> Text:
        """The card in words: ``coin 10``."""
        return in_context("card", "{suit} {rank}", suit=self.suit, rank=RANK_NAMES[self.rank])

    def __hash__(self) -> int:
        return self.index

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    def __str__(self) -> str:
        return self.suit.letter + RANK_NAMES[self.rank]

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"


DECK: tuple[Card, ...] = tuple(Card(suit, rank) for suit in Suit for rank in suit.ranks)
_BY_NAME = {str(card): card for card in DECK}
ALL = (1 << len(DECK)) - 1
"""All 49 cards as a mask."""


def mask_of(cards: Iterable[Card]) -> int:
    """Return the cards as a mask. ``mask_of(DECK) == ALL``."""
    mask = 0
    for card in cards:
        mask |= card.bit
    return mask


def indices_in(mask: int) -> Iterator[int]:
    """Yield the indices of the cards of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cards_in(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, in the order of ``DECK``."""
    return tuple(DECK[index] for index in indices_in(mask))
