"""Hints in the help: only where they are asked for, from what everybody can see, and never of what can't be."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from device.app.plan import Plan
from device.hardware.buttons import Button
from device.settings.settings_file import load_settings
from rules.cards import DECK, RANK_NAMES, Card
from rules.laminate.position import Phase, Position
from rules.text import Language
from tests.device.house import House
from tests.ui.played import choose, played
from tests.words import en
from ui.help.laminate import list_hints
from ui.screen_state import Leaf, Mood, TileRole

RANK_OF = {name: rank for rank, name in RANK_NAMES.items()}


def tiles(leaf: Leaf, role: TileRole) -> list[str]:
    return [
        tile.name if tile.suit else tile.label for group in leaf.tiles if group.role is role for tile in group.tiles
    ]


def positions(seed: int, players: int) -> list[Position]:
    return [step.after.position for step in played(seed, players).history.past]


@pytest.mark.parametrize(("seed", "players"), [(3, 5), (4, 3)])
def test_every_hint_can_come_true(seed: int, players: int) -> None:
    found = 0
    for position in positions(seed, players):
        leaves = list_hints(position, Language.EN)
        seat = position.to_move
        assert bool(leaves) is (position.phase is Phase.PLAY)
        if not leaves or seat is None:
            continue
        complete = {str(paper.cards[0]): paper.seat for paper in position.papers if paper.complete}
        assert sorted(tiles(leaves[0], TileRole.CITED)) == sorted(complete)
        for leaf in leaves[1:]:
            kind = next(kind for kind in position.catalogue if leaf.title == f"Hint: {en(kind)}")
            cited, laid, paid = (tiles(leaf, role) for role in (TileRole.CITED, TileRole.LAID, TileRole.PAID))
            assert position.find_paper(seat, kind.name) is None
            assert position.count_supply(kind.name) > 0
            assert cited
            assert set(cited) <= set(complete)
            assert len(paid) == sum(complete[card] != seat for card in cited)
            if not kind.total:
                assert len(laid) + len(paid) <= position.hand_size(seat)
                may = [card for card in DECK if position.may_hold(seat, card)]
                choices = [
                    [card for card in may if str(card) == name or RANK_OF.get(name) == card.rank] for name in laid
                ]
                ways = ((*map(Card.parse, cited), *way) for way in product(*choices) if len(set(way)) == len(way))
                assert any(kind.is_met_by(way) for way in ways)
            found += 1
    assert found > 10


def test_hints_are_given_where_they_are_asked_for() -> None:
    session = played(3, 5, most=100)

    def titles() -> list[str]:
        choose(session, "Help")
        told = []
        while (title := session.make_screen().headline) not in told:
            told.append(title)
            session.press(Button.UP)
        session.press(Button.BACK)
        session.press(Button.BACK)
        return told

    assert not any("Hint" in title for title in titles())
    session.screens = replace(session.screens, hints=True)
    assert "Hint: what can be cited" in titles()
    session.screens = replace(session.screens, hints=False)
    assert not any("Hint" in title for title in titles())


def test_a_line_of_the_games_menu_asks_for_them(tmp_path: Path) -> None:
    plan = Plan("laminate", ("Hilbert", "Banach", "Noether"), {"first_seat": 1}, "mine")
    with House(tmp_path, plan=plan) as house:
        house.mood(Mood.WAITING)
        for line, now in (("Hints in the help", True), ("No hints in the help", False)):
            house.press(Button.CONFIRM, long=True)
            house.mood(Mood.MENU)
            house.choose(line)
            house.mood(Mood.WAITING)
            assert house.app.session is not None
            assert house.app.session.screens.hints is now
            assert load_settings(tmp_path).game.hints is now
