"""Counting cards by rank, all 13 ranks in one int.

A mask of cards is "packed" into four bits a rank, the aces lowest. There are at most seven cards of a rank, so bit 3
of each nibble stays free and one addition compares all ranks at once: ``(packed + (8 - n) * ONES) & HIGHS`` marks the
ranks with at least n cards.
"""

from __future__ import annotations

from functools import lru_cache

from rules.cards import DECK, Suit, mask_of

RANKS = range(1, 14)
ONES = sum(1 << 4 * (rank - 1) for rank in RANKS)
HIGHS = 8 * ONES
RANK_OF = tuple(card.rank for card in DECK)
"""The rank of each card by its index."""
OF_RANK = {rank: mask_of(card for card in DECK if card.rank == rank) for rank in RANKS}
"""The cards of each rank as a mask."""

_SUIT_COUNTS = tuple(
    tuple(sum(1 << 4 * (suit.lowest - 1 + place) for place in range(7) if bits >> place & 1) for bits in range(128))
    for suit in Suit
)

_SUIT_TOTALS = tuple(
    tuple(sum(suit.lowest + place for place in range(7) if bits >> place & 1) for bits in range(128)) for suit in Suit
)


@lru_cache(maxsize=1 << 15)
def count_ranks(mask: int) -> int:
    """Count the cards of each rank, four bits a rank."""
    c0, c1, c2, c3, c4, c5, c6 = _SUIT_COUNTS
    return (
        c0[mask & 127]
        + c1[mask >> 7 & 127]
        + c2[mask >> 14 & 127]
        + c3[mask >> 21 & 127]
        + c4[mask >> 28 & 127]
        + c5[mask >> 35 & 127]
        + c6[mask >> 42]
    )


def add_ranks(mask: int) -> int:
    """Add up the ranks of the cards."""
    t0, t1, t2, t3, t4, t5, t6 = _SUIT_TOTALS
    return (
        t0[mask & 127]
        + t1[mask >> 7 & 127]
        + t2[mask >> 14 & 127]
        + t3[mask >> 21 & 127]
        + t4[mask >> 28 & 127]
        + t5[mask >> 35 & 127]
        + t6[mask >> 42]
    )
