"""Which game is played at the simulated table where nobody says so."""

from __future__ import annotations

from collections.abc import Sequence

from referee.registry import referees
from rules.record import Header

PLAYERS = ("Hilbert", "Banach", "Noether")


def usual_game(players: Sequence[str], name: str | None = None) -> Header:
    """A game of these players with its usual options: the one of that name, or the first that can be refereed."""
    rules = referees()[name or next(iter(referees()))].rules
    options = {}
    for option in rules.options:
        if not option.optional:
            values = [value for value, _ in option.values(players)]
            options[option.key] = values[: len(players)] if option.each_seat else values[0]
    return Header(rules.name, tuple(players), options)
