"""Who begins, by the booklet: four SEVEN cards are turned up, and whoever first calls their product is the first."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rules.cards import Card
from rules.game import Contest
from rules.text import Text


def product(cards: Sequence[Card]) -> Text:
    """The product of the ranks, with the sum that it comes from.

    >>> product([Card.parse(name) for name in ("H7", "O2", "FK", "HA")]).en
    '7 × 2 × 13 × 1 = 182'
    """
    ranks = [card.rank for card in cards]
    words = f"{' × '.join(map(str, ranks))} = {math.prod(ranks)}"
    return Text(words, words)


MULTIPLYING = Contest(
    Text("Turn 4 cards up and multiply them", "カード4枚のかけ算で決める"),
    Text(
        "Turn up four SEVEN cards. Whoever first calls their product begins; then press confirm.",
        "セブンのカードを4枚めくります。積を最初に言えた人から始めます。言えたら確定を押してください。",
    ),
    Text("Who called it first?", "最初に言えたのは？"),
    4,
    product,
)
