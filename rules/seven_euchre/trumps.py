"""Trumps, what follows a card, and which card is the stronger one.

Source: RULINGS.md, "Seven Euchre", and rulings 1 to 3 of the game's page. Sets of cards are masks (``rules.cards``).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from rules.cards import DECK, Card, Suit, mask_of
from rules.text import Text

SEVEN = 7
"""The rank whose seven cards all belong to the trump suit."""

LEAST_TRICKS, TRICKS = 7, 12
"""The lowest number that can be bid, and the number of tricks in a deal."""


class Trump(Enum):
    """What a bid names: a trump suit or no trump, the lower bid first."""

    COFFIN = Suit.COFFIN
    TIME = Suit.TIME
    STAR = Suit.STAR
    COIN = Suit.COIN
    BOOK = Suit.BOOK
    ONION = Suit.ONION
    HEART = Suit.HEART
    NO_TRUMP = None

    def __init__(self, suit: Suit | None) -> None:
        self.suit = suit
        self.letter = "NT" if suit is None else suit.letter
        self.text = Text("no trump") if suit is None else suit.text
        self.place = len(type(self).__members__)

    def __str__(self) -> str:
        return self.letter

    @property
    def points(self) -> int:
        """What a bid of seven tricks is worth, 7 for coffin to 14 for no trump."""
        return LEAST_TRICKS + self.place


BY_LETTER = {trump.letter: trump for trump in Trump}
_BY_SUIT = {trump.suit: trump for trump in Trump}


def trump_of(card: Card) -> Trump:
    """Return the trump suit that a card turned up makes: its printed one, even a 7's."""
    return _BY_SUIT[card.suit]


def suit_of(card: Card, trump: Trump) -> Suit:
    """Return the suit that a card belongs to: with a trump suit every 7 belongs to that (ruling 1)."""
    return trump.suit if trump.suit is not None and card.rank == SEVEN else card.suit


def rank_trumps(trump: Trump) -> tuple[Card, ...]:
    """Return the trumps from the top (ruling 2); none at no trump."""
    own = [card for card in DECK if card.suit is trump.suit]
    high = [card for card in own if card.rank > SEVEN]
    low = [card for card in own if card.rank < SEVEN]
    top = [card for card in own if card.rank == SEVEN]
    others = [Card(other.suit, SEVEN) for other in Trump if other.suit is not None and other is not trump]
    return (*top, *reversed(high), *others, *reversed(low)) if own else ()


_TRUMPS = tuple(mask_of(rank_trumps(trump)) for trump in Trump)
_FOLLOWING = tuple(
    tuple(mask_of(other for other in DECK if suit_of(other, trump) is suit_of(card, trump)) for card in DECK)
    for trump in Trump
)
_STRONGEST = 100


def _rate_cards(trump: Trump) -> tuple[int, ...]:
    """Return, by card, a higher number for a stronger one; trumps above all others, these by rank (A 1, K 13)."""
    trumps = {card: _STRONGEST - place for place, card in enumerate(rank_trumps(trump))}
    return tuple(trumps.get(card, card.rank) for card in DECK)


_STRENGTHS = tuple(map(_rate_cards, Trump))


def find_following(led: Card, trump: Trump) -> int:
    """Return the cards that follow a led card, itself among them, as a mask."""
    return _FOLLOWING[trump.place][led.index]


def find_strongest(cards: Sequence[Card], trump: Trump) -> int:
    """Return the place of the card that wins, in a trick whose first card was led."""
    able = _FOLLOWING[trump.place][cards[0].index] | _TRUMPS[trump.place]
    strength = _STRENGTHS[trump.place]
    return max(range(len(cards)), key=lambda place: strength[cards[place].index] if cards[place].bit & able else 0)


def suit_words(card: Card, trump: Trump) -> Text:
    """Say which suit a card belongs to: the 7s named where they belong to it."""
    suit = suit_of(card, trump)
    if suit is not trump.suit:
        return suit.text
    return Text("trumps ({suit} and every 7)", suit=suit)


def bid_words(tricks: int, trump: Trump | None) -> Text:
    """Say a bid: ``coin 8``; in the second auction ``8 tricks``."""
    if trump is None:
        return Text("{tricks} tricks", tricks=tricks)
    return Text("{trump} {tricks}", trump=trump, tricks=tricks)
