"""The menus before a finished table is scored: which game, how many play, who, what no camera sees, which deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from device.app.menus.seats import HOW_MANY, players_words, who_sits
from device.app.plan import ScorePlan
from device.app.services.services import Services
from device.scoring.asking import asked_menu
from device.scoring.table import by_seat
from referee.finished.score import Scoring
from referee.game import table_seats
from referee.menu import Menu, Option
from referee.registry import load_scorings
from rules.text import Text, player, verbatim

_USUAL = 4
"""So many players are proposed, where a game allows it."""


def score_menu(services: Services, first: Menu) -> Menu:
    """Which game lies there; ``first`` is the menu that back leads to."""
    known = list(load_scorings().values())
    if len(known) == 1:
        return _how_many(services, first, known[0])
    options = tuple(Option(one.rules.title, partial(_how_many, services, first, one)) for one in known)
    return Menu(Text("Which game lies there?"), options, parent=first)


def _how_many(services: Services, first: Menu, scoring: Scoring) -> Menu:
    seats = table_seats(scoring)
    if len(seats) == 1:
        return _ask_names(services, first, scoring, seats[0], score_menu(services, first))

    def take_number(number: int) -> Menu | None:
        return _ask_names(services, first, scoring, number, _how_many(services, first, scoring))

    options = tuple(Option(players_words(number), partial(take_number, number)) for number in seats)
    proposed = seats.index(_USUAL) if _USUAL in seats else 0
    return Menu(HOW_MANY, options, chosen=proposed, parent=score_menu(services, first))


def _ask_names(services: Services, first: Menu, scoring: Scoring, seats: int, back: Menu) -> Menu:
    """By their names, or by their seats alone."""
    plan = ScorePlan(scoring.rules.name, seats)

    def skip_names() -> Menu | None:
        return _ask_unseen(services, first, scoring, plan)

    def with_names() -> Menu | None:
        return who_sits(
            services, seats, lambda names: _ask_unseen(services, first, scoring, replace(plan, players=names)), menu
        )

    options = (
        Option(Text("Without names"), skip_names),
        Option(Text("With names"), with_names),
    )
    menu = Menu(Text("Shall the players be named?"), options, parent=back)
    return menu


def _ask_unseen(services: Services, first: Menu, scoring: Scoring, plan: ScorePlan) -> Menu | None:
    """Ask the first open question about what no camera sees; then the deck."""
    left = [option for option in scoring.asked if not option.optional and option.key not in plan.told]
    if not left:
        return _ask_deck(services, first, scoring, plan)
    option = left[0]
    called = tuple(map(player, plan.players)) or by_seat(plan.seats)
    names = plan.players or tuple(words.said(services.settings.language) for words in called)

    def take_answer(value: Any) -> Menu | None:
        told: Mapping[str, Any] = {**plan.told, option.key: value}
        return _ask_unseen(services, first, scoring, replace(plan, told=told))

    return asked_menu(option, names, called, take_answer, first)


def _ask_deck(services: Services, first: Menu, scoring: Scoring, plan: ScorePlan) -> Menu | None:
    """Which deck lies there; with a single one known that has the game's cards, that is no question."""
    decks = services.decks.find_fitting(scoring.cards)

    def begin(deck: str) -> None:
        services.scores.score(replace(plan, deck=deck))

    if len(decks) == 1:
        begin(decks[0])
        return None
    options = tuple(Option(verbatim(name), partial(begin, name)) for name in decks)
    return Menu(Text("Which deck?"), options, parent=first)
