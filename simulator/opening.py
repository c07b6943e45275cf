"""Which game is played at the simulated table where nobody says so."""

from __future__ import annotations

from collections.abc import Sequence

from referee.registry import load_referees
from rules.game import usual_options
from rules.record import Header

PLAYERS = ("Hilbert", "Banach", "Noether")
_MORE = ("Erdos", "Gauss", "Ramanujan", "Kovalevskaya")


def choose_players(name: str | None = None) -> tuple[str, ...]:
    """Return the players of a game: three where it can be played by three, else as few as can."""
    rules = load_referees()[name or next(iter(load_referees()))].rules
    count = len(PLAYERS) if len(PLAYERS) in rules.seats else min(rules.seats)
    return (*PLAYERS, *_MORE)[:count]


def make_short_game(players: Sequence[str], name: str | None = None) -> Header:
    """Return the usual game of that name, but for what has it end soon."""
    usual = make_usual_game(players, name)
    short = {
        option.key: option.short for option in load_referees()[usual.game].rules.options if option.short is not None
    }
    return Header(usual.game, usual.players, {**usual.options, **short})


def make_usual_game(players: Sequence[str], name: str | None = None) -> Header:
    """Return a game of these players with its usual options: the one of that name, or the first with a referee."""
    rules = load_referees()[name or next(iter(load_referees()))].rules
    return Header(rules.name, tuple(players), usual_options(rules.options, players))
