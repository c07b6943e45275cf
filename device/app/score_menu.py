"""The menus before a finished table is scored: which game, how many play, who, what no camera sees, which deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from device.app.start import HOW_MANY, House, ScorePlan, fitting_decks, home, players_words, who_sits
from device.scoring.asking import asked_menu
from device.scoring.table import by_seat
from referee.finished.score import Scoring
from referee.game import table_seats
from referee.menu import Menu, Option
from referee.registry import scorings
from rules.text import Text, player, verbatim

_USUAL = 4
"""So many players are proposed, where a game allows it."""


def score_menu(house: House) -> Menu:
    """Which game lies there."""
    known = list(scorings().values())
    if len(known) == 1:
        return _how_many(house, known[0])
    options = tuple(Option(one.rules.title, partial(_how_many, house, one)) for one in known)
    return Menu(Text("Which game lies there?"), options, parent=home(house))


def _how_many(house: House, scoring: Scoring) -> Menu:
    seats = table_seats(scoring)
    if len(seats) == 1:
        return _named(house, scoring, seats[0], score_menu(house))

    def chosen(number: int) -> Menu | None:
        return _named(house, scoring, number, _how_many(house, scoring))

    options = tuple(Option(players_words(number), partial(chosen, number)) for number in seats)
    proposed = seats.index(_USUAL) if _USUAL in seats else 0
    return Menu(HOW_MANY, options, chosen=proposed, parent=score_menu(house))


def _named(house: House, scoring: Scoring, seats: int, back: Menu) -> Menu:
    """By their names, or by their seats alone."""
    plan = ScorePlan(scoring.rules.name, seats)

    def without() -> Menu | None:
        return _told(house, scoring, plan)

    def with_names() -> Menu | None:
        return who_sits(house, seats, lambda names: _told(house, scoring, replace(plan, players=names)), menu)

    options = (
        Option(Text("Without names"), without),
        Option(Text("With names"), with_names),
    )
    menu = Menu(Text("Shall the players be named?"), options, parent=back)
    return menu


def _told(house: House, scoring: Scoring, plan: ScorePlan) -> Menu | None:
    """The first thing that no camera sees and that is open; then the deck."""
    left = [option for option in scoring.asked if not option.optional and option.key not in plan.told]
    if not left:
        return _deck(house, scoring, plan)
    option = left[0]
    called = tuple(map(player, plan.players)) or by_seat(plan.seats)
    names = plan.players or tuple(words.said(house.language) for words in called)

    def answered(value: Any) -> Menu | None:
        told: Mapping[str, Any] = {**plan.told, option.key: value}
        return _told(house, scoring, replace(plan, told=told))

    return asked_menu(option, names, called, answered, home(house))


def _deck(house: House, scoring: Scoring, plan: ScorePlan) -> Menu | None:
    """Which deck lies there; with a single one known that has the game's cards, that is no question."""
    decks = fitting_decks(house, scoring.cards)

    def begin(deck: str) -> None:
        house.score(replace(plan, deck=deck))

    if len(decks) == 1:
        begin(decks[0])
        return None
    options = tuple(Option(verbatim(name), partial(begin, name)) for name in decks)
    return Menu(Text("Which deck?"), options, parent=home(house))
