"""A small slice of the games in which tricks are gathered unread, and that a referee's faults would be noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.seven_euchre import judging
from referee.seven_euchre.look import Look
from referee.seven_euchre.referee import SevenEuchreReferee
from rules.seven_euchre.round import DealState
from tools.soak.gathered import Gathered

pytestmark = pytest.mark.slow


def faults(seed: int, careless: float = 0.04) -> list[str]:
    game = Gathered("seven_euchre", seed)
    game.simulation.careless = careless  # type: ignore[attr-defined]
    return game.play(400).faults


@pytest.mark.parametrize("seed", [0, 2, 3, 4])
def test_what_was_not_read_is_asked_for_and_all_else_understood(seed: int) -> None:
    game = Gathered("seven_euchre", seed)
    assert game.play(400).faults == []
    assert game.tally.asked > 1


@pytest.mark.parametrize("seed", [7, 20])
def test_careless_players_are_not_convicted_for_each_other(seed: int) -> None:
    assert faults(seed, careless=0.2) == []


def _forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what lay there forgotten once the trick is gathered."""
    monkeypatch.setattr(Look, "has_lost", lambda look, trick: False)


def _whispers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have an unread card said when somebody presses confirm."""
    honest = judging._cant_see
    monkeypatch.setattr(judging, "_cant_see", lambda marks, at_once=False: honest(marks))


def _asks_the_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the likeliest card may be the one that was not read."""
    asked: Any = SevenEuchreReferee._read_gathered

    def likely(referee: Any, state: Any, view: Any, layout: Any) -> Any:
        found = asked(referee, state, view, layout)
        if found is None or found.asked is None:
            return found
        return replace(found, asked=replace(found.asked, choices=found.asked.choices[:1]))

    monkeypatch.setattr(SevenEuchreReferee, "_read_gathered", likely)


def _answers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the answer all else that lay in the trick is forgotten."""
    honest: Any = SevenEuchreReferee.after_move

    def after_move(referee: Any, before: Any, move: Any, data: Any) -> Any:
        after = honest(referee, before, move, data)
        return type(after)(after.position, after.revoke, after.going_back)

    monkeypatch.setattr(SevenEuchreReferee, "after_move", after_move)


def _convicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only who did not follow a card's own suit can have revoked."""

    def own(round: DealState, seat: int, card: Any) -> tuple[int, ...]:
        trick = round.not_followed(seat, card)
        return () if trick is None else (trick,)

    monkeypatch.setattr(DealState, "revoked_in", own)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (_forgets, "NOT ASKED"),
        (_whispers, "NOT SAID"),
        (_asks_the_likely, "NO TRUE ANSWER"),
        (_answers_alone, "LEGAL REFUSED"),
        (_convicts, "An honest player is convicted"),
    ],
)
def test_a_referee_with_a_fault_is_found_out(
    fault: Callable[[pytest.MonkeyPatch], None], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault(monkeypatch)
    seeds, careless = (range(30), 0.2) if fault is _convicts else (range(4), 0.04)
    assert any(said in one for seed in seeds for one in faults(seed, careless))
