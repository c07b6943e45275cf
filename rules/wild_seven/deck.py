"""The deck of Wild Seven: what is in play, how it is dealt, which cards are smaller, and what captured cards score.

Source: the rule sheet, "準備" and "得点計算". Sets of cards are masks (``rules.cards``).
"""

from __future__ import annotations

from rules.cards import DECK, Card, Suit, indices_in, mask_of

SEATS = range(3, 6)
_SUIT_SIZE = 7
_FURTHER = 7
"""Points of every captured card of a suit but its highest."""

_CHUNK = (1 << _SUIT_SIZE) - 1
_SUITS = tuple(Suit)
_OF_SUIT = {suit: _CHUNK << _SUIT_SIZE * place for place, suit in enumerate(_SUITS)}
_SMALLER = tuple(mask_of(card for card in DECK if card.rank < rank) for rank in range(14))


def in_play(players: int) -> int:
    """Return the cards in play, as a mask: with 3 players coffin and time stay in the box, with 4 players coffin."""
    return (1 << _SUIT_SIZE * (players + 2)) - 1


def hand_at_start(players: int) -> int:
    """Return how many cards everybody is dealt, the one to reveal included: 11, 10 or 9."""
    return in_play(players).bit_count() // players


def left_over(players: int) -> int:
    """Return how many cards are left over from the deal and wanted from the beginning: 2, 2 or 4."""
    return in_play(players).bit_count() % players


def smaller_than(card: Card) -> int:
    """Return the cards of smaller rank, of any suit."""
    return _SMALLER[card.rank]


def of_suit(card: Card) -> int:
    """Return all cards of that card's suit."""
    return _OF_SUIT[card.suit]


def larger_in_suit(card: Card) -> int:
    """Return the cards of the same suit and larger rank."""
    return _OF_SUIT[card.suit] & ~((card.bit << 1) - 1)


def first_to_act(revealed: tuple[Card, ...]) -> int:
    """Return the seat that starts: the lowest rank revealed, ties by lower suit (ruling 1)."""
    order = [(card.rank, card.index) for card in revealed]
    return order.index(min(order)) + 1


def score(captured: int) -> int:
    """Score captured cards: for each suit its highest rank, and 7 for every further card of it."""
    points = 0
    for place in {index // _SUIT_SIZE for index in indices_in(captured)}:
        chunk = captured >> _SUIT_SIZE * place & _CHUNK
        points += _SUITS[place].lowest + chunk.bit_length() - 1 + _FURTHER * (chunk.bit_count() - 1)
    return points
