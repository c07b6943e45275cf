"""The menus before a game, for games of every number of seats."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from types import SimpleNamespace
from typing import Any

import pytest

from device.app.menus.start import show_home
from device.app.plan import Plan
from device.app.services.decks import Decks
from device.app.services.services import Services
from referee.game import CardSet
from referee.menu import Menu
from referee.registry import load_referees
from rules.game import GameOption
from rules.registry import load_games
from rules.text import Language, Text
from tests.device.at_the_table import PLAYERS

_SERVICES = {field.name for field in fields(Services)}


@dataclass
class Desk:
    """All services at once, as the menus ask them; what they begin is kept."""

    language: Language = Language.EN
    begun: list[Plan] = field(default_factory=list)
    looked_up: int = 0
    ready: tuple[str, ...] = ("printed", "another set")
    possible = can_read_cards = False
    switch_off = None

    def known_names(self) -> tuple[str, ...]:
        self.looked_up += 1
        return PLAYERS

    def list_known(self) -> list[str]:
        return ["mine"]

    def find_fitting(self, cards: CardSet) -> tuple[str, ...]:
        return Decks.find_fitting(self, cards)  # type: ignore[arg-type]

    def list_faces(self, deck: str) -> frozenset[str]:
        return frozenset() if deck == "mine" else frozenset({deck})

    def begin(self, plan: Plan) -> None:
        self.begun.append(plan)

    def __getattr__(self, name: str) -> Any:
        return self if name in _SERVICES else lambda *_: None


def taken(menu: Menu, words: str) -> Menu | None:
    line = next(option for option in menu.options if words in str(option.words))
    return line.take()


@pytest.mark.parametrize("seats", [range(4, 5), range(3, 6)])
def test_a_game_is_begun_and_every_menu_leads_back(seats: range, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = SimpleNamespace(name="made_up", title=Text("Made Up"), seats=seats, options=())
    referee = SimpleNamespace(rules=made_up, cards=SimpleNamespace(faces=("a card",)))
    monkeypatch.setattr("device.app.menus.start.load_referees", lambda: {"made_up": referee})
    monkeypatch.setattr("device.app.menus.start.load_games", lambda: {"made_up": made_up})
    monkeypatch.setattr("device.app.menus.start.screen_of", lambda name: SimpleNamespace(teaching=None))
    desk = Desk()
    menu = taken(show_home(desk), "New game")
    assert menu is not None
    if len(seats) > 1:
        menu = taken(menu, "4 players")
    lines = (*PLAYERS, "Player 4")
    for line in lines:
        assert menu is not None
        assert menu.parent is not None
        menu = taken(menu, line)
    assert menu is not None
    assert taken(menu, "Yes") is None
    assert desk.begun == [Plan("made_up", lines, {}, "mine")]
    assert desk.looked_up == 1, "names are looked up once"


def test_the_games_that_are_refereed_are_offered() -> None:
    menu = taken(show_home(Desk()), "New game")
    assert menu is not None
    assert len(load_referees()) == 1 or {option.words for option in menu.options} == {
        load_games()[name].title for name in load_referees()
    }


def test_a_contest_belongs_to_what_it_settles() -> None:
    contests = [option for rules in load_games().values() for option in rules.options if option.contest is not None]
    assert contests
    for option in contests:
        assert isinstance(option, GameOption)
        assert not option.each_seat
        assert option.contest is not None
        assert option.contest.count > 0


def test_each_seat_is_asked_and_what_another_seat_has_is_offered_no_more() -> None:
    desk = Desk()
    menu = taken(show_home(desk), "New game")
    for line in ("Seven Wonders", "3 players", *PLAYERS, "Rhodes A", "Giza B"):
        assert menu is not None
        menu = taken(menu, line)
    assert menu is not None
    assert str(menu.title).startswith(f"{PLAYERS[2]}: ")
    offered = {str(option.words) for option in menu.options}
    assert offered.isdisjoint({"Rhodes A", "Rhodes B", "Giza A", "Giza B"})
    assert taken(menu, "Babylon A") is None
    assert desk.begun[0].options == {"boards": ["rhodes/a", "giza/b", "babylon/a"]}
