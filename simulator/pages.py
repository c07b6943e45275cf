"""The three enrolment pages as somebody lays them: every card on its place, a little off."""

from __future__ import annotations

import random

from referee.placing import Placed
from vision.enrol import place_cards


def lay_page(page: str, mat_mm: tuple[float, float], rng: random.Random) -> list[Placed]:
    """Lay the cards of one page; ``page`` is ``seven``, ``review`` or ``complete``."""
    return [
        Placed(name, x + rng.uniform(-2, 2), y + rng.uniform(-2, 2), rng.uniform(-1.5, 1.5))
        for name, (x, y) in place_cards(page, mat_mm).items()
    ]
