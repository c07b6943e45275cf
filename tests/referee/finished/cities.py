"""Finished cities of games of Seven Wonders, laid as their players leave them."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_wonders.cards import back_of
from referee.seven_wonders.layout import BOARD_V_MM, COLUMNS, IN_COLUMN, Layout, layout_of
from referee.table import Sighting
from rules.seven_wonders.cards import AGES, Building
from rules.seven_wonders.city import City
from rules.seven_wonders.effects import Colour
from rules.seven_wonders.position import Position
from tests.rules.seven_wonders.games import game

_BY_COLOUR = (
    {Colour.BROWN, Colour.GREY},
    {Colour.BLUE},
    {Colour.GREEN},
    {Colour.RED, Colour.YELLOW, Colour.PURPLE},
)
"""The colours of a city's columns."""


def played(seed: int, players: int | None = None) -> Position:
    """Return the last position of a random game."""
    return game(players or 3 + seed % 3, seed).positions[-1]


def told(position: Position) -> dict[str, Any]:
    """Return what no camera sees of it."""
    cities = position.cities
    return {
        "boards": [city.board.id for city in cities],
        "coins": [city.coins for city in cities],
        "tokens": [city.tokens.to_json() for city in cities],
    }


def laid(
    cities: Iterable[City], rng: Random, mm: float = 2.0, degrees: float = 1.5, players: int | None = None
) -> list[Placed]:
    """All that lies on the mat, bottom to top; boards are called ``board`` and a number.

    Each card lies off its place by so many mm and degrees at most. ``players`` is for how many the mat is, where that
    is not for as many as there are cities.
    """
    cities = list(cities)
    layout = layout_of(players or len(cities))
    lying: list[Placed] = []

    def lay(name: str, x: float, y: float, angle: float) -> None:
        spread = rng.uniform
        lying.append(Placed(name, x + spread(-mm, mm), y + spread(-mm, mm), angle + spread(-degrees, degrees)))

    for seat, city in enumerate(cities, 1):
        turn = 180.0 if layout.faces_down(seat) else 0.0
        for number in range(city.stages):
            x, y = layout.stage_spot(seat, number, len(city.board.stages))
            lay(back_of(rng.choice(AGES)), x, y, turn + rng.choice((0, 180)))
        lay(f"board{rng.randint(0, 99)}", *layout.locate_point(seat, 0, BOARD_V_MM), turn)
        for place, column in enumerate(_columns(city)):
            for number, card in enumerate(column):
                lay(card.id, *layout.city_spot(seat, place, number), turn)
    return lying


def _columns(city: City) -> list[list[Building]]:
    """Columns by colour, as is the custom; what finds no room goes into the shortest one."""
    columns: list[list[Building]] = [[] for _ in range(COLUMNS)]
    for card in city.cards:
        own = next(place for place, colours in enumerate(_BY_COLOUR) if card.colour in colours)
        if len(columns[own]) >= IN_COLUMN - 1:
            own = min(range(COLUMNS), key=lambda place: len(columns[place]))
        columns[own].append(card)
    return columns


def seen(lying: Iterable[Placed]) -> tuple[Sighting, ...]:
    """Return what a reader sees that reads every card."""
    return tuple(
        Sighting(card.name, card.x, card.y, card.angle % 360) for card in lying if not card.name.startswith("board")
    )


def mat_layout(players: int) -> Layout:
    """Where things lie on the usual mat."""
    return layout_of(players, REFERENCE_MAT_MM)
