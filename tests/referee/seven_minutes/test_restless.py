"""Players whose dice are half seen; and a referee that takes what was known for something new is found out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

import referee.seven_minutes.look
from referee.layout import TableLayout
from referee.seven_minutes.look import MinutesView
from referee.seven_minutes.state import DicePlaces, MinutesState, lie_at
from referee.table import Die
from tools.soak.any_game import Game, Tally


def played(seeds: Sequence[int]) -> Tally:
    whole = Tally()
    for seed in seeds:
        whole.add(Game("seven_minutes", seed).play())
    return whole


@pytest.mark.slow  # test_at_the_table.py referees whole games with mistakes
def test_restless_games_are_refereed_and_hold_every_mistake() -> None:
    whole = played(range(12))
    assert whole.faults == []
    assert whole.told > 10, "rolls are told"
    assert {"must_flip", "must_flip_more", "cocked_die", "too_many_rolls"} <= set(whole.mistakes)
    assert whole.misread["more, unread: CantSee"]


def test_a_referee_that_forgets_what_lay_there_when_it_was_told_or_refused_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MinutesState, "settled", property(lambda state: replace(state, thrown=())))
    assert any("NOT DUE" in fault for fault in played(range(3)).faults)


def test_a_referee_that_takes_a_covered_die_for_a_moved_one_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def strictly(dice: Sequence[Die], before: DicePlaces) -> bool:
        return len(dice) == len(before) and lie_at(dice, before)

    monkeypatch.setattr(referee.seven_minutes.look, "lie_at", strictly)
    assert any("NOT DUE" in fault for fault in played(range(3)).faults)


def test_a_referee_that_keeps_nothing_of_a_throw_beside_the_k_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.seven_minutes.look.Look.noted", property(lambda look: look.state))
    assert played(range(3)).faults


def test_a_referee_that_overlooks_unread_cards_in_the_areas_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with_what_stayed = referee.seven_minutes.look._with_what_stayed

    def overlooks(state: MinutesState, view: MinutesView, layout: TableLayout) -> MinutesView:
        view = with_what_stayed(state, view, layout)
        left = (mark for mark in view.unread if not layout.place_at(mark.x, mark.y).startswith("seat:"))
        return replace(view, unread=tuple(left))

    monkeypatch.setattr(referee.seven_minutes.look, "_with_what_stayed", overlooks)
    assert any("PAST AN UNREAD CARD" in fault for fault in played((24, 26)).faults)
