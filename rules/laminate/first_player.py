"""Who begins, by the booklet: four SEVEN cards are turned up, and whoever first calls their product is the first."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rules.cards import Card
from rules.game import Contest
from rules.text import Text, verbatim


def multiply_ranks(cards: Sequence[Card]) -> Text:
    """Write the product of the ranks, with the multiplication that it comes from.

    >>> print(multiply_ranks([Card.parse(name) for name in ("H7", "O2", "FK", "HA")]))
    7 × 2 × 13 × 1 = 182
    """
    ranks = [card.rank for card in cards]
    return verbatim(f"{' × '.join(map(str, ranks))} = {math.prod(ranks)}")


MULTIPLYING = Contest(
    Text("Turn 4 cards up and multiply them"),
    Text("Turn up four SEVEN cards. Whoever first calls their product begins; then press confirm."),
    Text("Who called it first?"),
    4,
    multiply_ranks,
)
