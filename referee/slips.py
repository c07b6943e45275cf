"""A mistake that people make at any table, for simulated games: a card ends up where it does not belong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

from referee.layout import Layout
from referee.placing import Placed, apart, bounds
from referee.simulation import Attempt
from rules.text import Text

_GAP_MM = 4.0
_TRIES = 40
_INSIDE_MM = 50.0
"""A card lies so far within an area, that it belongs to it whatever its angle."""


def astray(cards: Sequence[Placed], layout: Layout, rng: Random, but: Collection[str] = ()) -> list[Placed] | None:
    """The cards with one that lay face up in the area of a seat where it did not lie; ``None`` where none has room.

    It is not one of the places ``but``, into which somebody may rightly have put it.
    """
    shown = [number for number, card in enumerate(cards) if not card.name.startswith("back")]
    if not shown:
        return None
    number = rng.choice(shown)
    card, others = cards[number], [*cards[:number], *cards[number + 1 :]]
    lay = layout.place_at(card.x, card.y)
    seats = [seat for seat in range(1, len(layout.seats) + 1) if f"seat:{seat}" not in (lay, *but)]
    for _ in range(_TRIES if seats else 0):
        x0, y0, x1, y1 = layout.seat_rect(rng.choice(seats))
        x = rng.uniform(x0 + _INSIDE_MM, x1 - _INSIDE_MM)
        y = rng.uniform(y0 + _INSIDE_MM, y1 - _INSIDE_MM)
        moved = replace(card, x=x, y=y)
        here = layout.place_at(x, y)
        if here.startswith("seat:") and all(apart(bounds([moved]), bounds([one]), _GAP_MM) for one in others):
            return [*others, moved]
    return None


def disturbed() -> Attempt:
    """Confirm is pressed over it."""
    words = Text("A card has been pushed into another area.", "カードが別の場に動いてしまいました。")
    return Attempt(None, code="table_disturbed", blunder=words, mistake="astray")
