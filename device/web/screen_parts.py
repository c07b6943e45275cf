"""Parts of a screen as the page's templates draw them: cards, and the steps on the table from above."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from rules.cards import Card
from rules.text import Text, verbatim

MAP_HIGH = 100.0
"""How high the table from above is drawn; its width follows from its aspect."""
_SUPPLY, _APART = (-8.5, 50.0), 8.0
"""Where the supply beside the table lies, and how far the numbers of two steps are apart at least."""
_TURNS = 8


def card_words(tile: Mapping[str, Any]) -> Text:
    """What a drawn card is called, for whoever has it read aloud."""
    if tile["back"]:
        return Text("the face-down card")
    return Card.parse(tile["name"]).text if tile["suit"] else verbatim(tile["label"] or tile["name"])


def grid_tile(name: str) -> dict[str, Any]:
    """The tile of a card in a grid: a SEVEN card as rank and suit, any other by its name."""
    try:
        card = Card.parse(name)
    except ValueError:
        return {"name": name, "label": name, "suit": "", "back": False}
    return {"name": name, "label": name[1:], "suit": card.suit.letter, "back": False}


def map_steps(picture: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The steps to put the table right as lines with the places of their numbers, no two of which cover each other.

    ``turned`` says that the card is turned over where it lies.
    """
    wide = MAP_HIGH * picture["aspect"]
    taken: list[tuple[float, float]] = []
    for arrow in picture["arrows"]:
        ends = []
        for end in ("start", "end"):
            x, y = arrow[end][0] * wide, arrow[end][1] * MAP_HIGH
            if arrow["outside"] == end:
                x, y = _SUPPLY
            ends.append((x, y))
        (x1, y1), (x2, y2) = ends
        place = next(one for one in _around(x1, y1) if all(math.dist(one, other) >= _APART for other in taken))
        taken.append(place)
        yield {
            "line": [round(one, 1) for one in (x1, y1, x2, y2)],
            "number": [round(one, 1) for one in place],
            "turned": ends[0] == ends[1],
        }


def _around(x: float, y: float) -> Iterator[tuple[float, float]]:
    """The place itself, then others round it, farther and farther away."""
    yield x, y
    away = _APART
    while True:
        for turn in range(_TURNS):
            angle = turn * math.tau / _TURNS
            yield x + away * math.cos(angle), y + away * math.sin(angle)
        away += _APART
