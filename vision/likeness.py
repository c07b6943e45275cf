"""How like an end seen on the table is to each end of the enrolled deck.

Two witnesses that err differently: the namer's vectors, which stand light, blur and a neighbour's edge, and the print
itself, laid over the enrolled one and compared point by point, which tells apart what a network takes for the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.deck import Deck
from vision.networks import Floats, Looks, Picture

LOOK_WEIGHT = 40.0
PRINT_WEIGHT = 20.0
"""Log odds per unit of each likeness; fitted on invented decks that training never saw."""
CANDIDATES = 10
"""So many of the likeliest looks have their print compared; the rest count as a print unlike any."""
UNLIKE = -0.2

MARGIN_PX = 5
"""How far round the namer's window a wide strip reaches; the print is looked for within that."""


def compare(wide: Sequence[Picture], looks: Looks, deck: Deck) -> Floats:
    """Likeness of n ends to the deck's m ends (upper, lower, upper, …).

    Args:
        wide: the ends' strips with a margin of 5 px all round, (66, 170, 3) BGR uint8.
        looks: what the namer makes of the ends.
        deck: the enrolled deck.

    Returns:
        Log odds (n, m).
    """
    look = looks.embedding @ deck.looks.embedding.T
    prints = np.full(look.shape, UNLIKE, np.float32)
    for n, strip in enumerate(wide):
        seen = cv2.GaussianBlur(strip, (0, 0), 0.8).astype(np.float32)
        for m in np.argsort(-look[n])[:CANDIDATES]:
            x, y, template = deck.prints[int(m)]
            h, w = template.shape[:2]
            around = seen[y : y + h + 2 * MARGIN_PX, x : x + w + 2 * MARGIN_PX]
            prints[n, m] = max(UNLIKE, float(cv2.matchTemplate(around, template, cv2.TM_CCOEFF_NORMED).max()))
    return np.asarray(LOOK_WEIGHT * look + PRINT_WEIGHT * prints, np.float32)
