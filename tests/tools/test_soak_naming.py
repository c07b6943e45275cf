"""A small slice of the games in which players name what lies in glare, and that it would notice names passed on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from device.session.named_cards import NamedCards
from referee.game import Named
from referee.registry import load_referees
from referee.table import NEAR_MM
from tools.soak.naming import NamingGame


@pytest.mark.slow
@pytest.mark.parametrize("name", list(load_referees()))
def test_no_name_leads_to_a_move_that_nobody_made(name: str) -> None:
    game = NamingGame(name, 1)
    assert not [fault for fault in game.play(60).faults if "NAMES" not in fault]
    assert game.tally.asked_for + game.tally.unasked > 5


@pytest.mark.parametrize(("seed", "attempts"), [(20011, 36), (20048, 108), (20238, 90)])
def test_cards_laid_under_the_glare_of_a_name_are_asked_for(seed: int, attempts: int) -> None:
    """Taken on the wrong side, onto or in the stead of a named card: refused as that, and a right taking is not."""
    assert NamingGame("seven_minutes", seed).play(attempts).faults == []


def _passes_on(names: NamedCards, state: Any, view: Any, named: Sequence[Named]) -> tuple[Any, tuple[Named, ...]]:
    """Names one by one, each to whatever can't be read within 30 mm."""
    ended = []
    for name in named:
        near = [mark for mark in view.unread if abs(mark.x - name.x) + abs(mark.y - name.y) <= NEAR_MM]
        seen = names._referee.locate_cards(view, names._layout).get(name.name)
        if near and seen is None:
            view = names._referee.with_name(view, near[0], name.name, names._layout)
        elif seen != name.place:
            ended.append(name)
    return view, tuple(ended)


def _never_doubts(names: NamedCards, *_: Any) -> tuple[Named, ...]:
    return ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "fault"),
    [("hold", _passes_on), ("_in_doubt", _never_doubts)],
)
@pytest.mark.parametrize("name", ["wild_seven", "laminate"])
def test_names_that_are_passed_on_are_found_out(
    name: str, method: str, fault: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NamedCards, method, fault)
    found = [fault for seed in range(6) for fault in NamingGame(name, seed).play(40).faults]
    assert any("WRONG ACCEPTED" in one or "LEGAL REFUSED" in one for one in found if "NAMES" not in one)
