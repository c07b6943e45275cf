"""The 49 SEVEN cards: seven suits of seven consecutive ranks each.

Names follow the record format: a suit letter and a rank, ``H7``, ``C10``, ``FK``; A counts 1 and K counts 13.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache

RANK_NAMES = {1: "A", 13: "K", **{n: str(n) for n in range(2, 13)}}
_RANKS = {name: rank for rank, name in RANK_NAMES.items()}


class Suit(Enum):
    """A suit: its letter, its lowest rank and its names, in the order of the rule sheets."""

    HEART = ("H", 1, "heart", "ハート")
    ONION = ("O", 2, "onion", "オニオン")
    BOOK = ("B", 3, "book", "ブック")
    COIN = ("C", 4, "coin", "コイン")
    STAR = ("S", 5, "star", "スター")
    TIME = ("T", 6, "time", "タイム")
    COFFIN = ("F", 7, "coffin", "コフィン")

    def __init__(self, letter: str, lowest: int, en: str, ja: str) -> None:
        self.letter = letter
        self.lowest = lowest
        self.en = en
        self.ja = ja

    @property
    def ranks(self) -> range:
        """The seven ranks of the suit, lowest first."""
        return range(self.lowest, self.lowest + 7)


_SUITS = {suit.letter: suit for suit in Suit}


@dataclass(frozen=True, slots=True)
class Card:
    """One SEVEN card. ``str(Card.parse("C10")) == "C10"``."""

    suit: Suit
    rank: int

    @classmethod
    @cache
    def parse(cls, name: str) -> Card:
        """Return the card of that name.

        Raises:
            ValueError: there is no such SEVEN card.
        """
        suit = _SUITS.get(name[:1])
        rank = _RANKS.get(name[1:])
        if suit is None or rank is None or rank not in suit.ranks:
            raise ValueError(f"no such SEVEN card: {name!r}")
        return cls(suit, rank)

    @property
    def index(self) -> int:
        """Place in ``DECK``, 0 to 48."""
        return list(Suit).index(self.suit) * 7 + self.rank - self.suit.lowest

    @property
    def bit(self) -> int:
        """The card as a mask over the 49 cards."""
        return 1 << self.index

    @property
    def en(self) -> str:
        """The card in English words: ``coin 10``."""
        return f"{self.suit.en} {RANK_NAMES[self.rank]}"

    @property
    def ja(self) -> str:
        """The card in Japanese words: ``コイン10``."""
        return f"{self.suit.ja}{RANK_NAMES[self.rank]}"

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    def __str__(self) -> str:
        return self.suit.letter + RANK_NAMES[self.rank]

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"


DECK: tuple[Card, ...] = tuple(Card(suit, rank) for suit in Suit for rank in suit.ranks)
