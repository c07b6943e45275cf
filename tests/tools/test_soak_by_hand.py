"""A small slice of the positions set by hand, and that what is wrong with them would be noticed."""

from __future__ import annotations

from typing import Any

import pytest

import tools.soak.by_hand
from rules.laminate.ending import End
from tools.soak.by_hand import ByHand, set_and_play

pytestmark = pytest.mark.slow

POSITIONS = range(150)
_IN_SESSION = 4
"""One in so many is played through a session here; all are in ``make soak``."""


def test_positions_set_by_hand_can_be_played_to_their_end() -> None:
    whole = ByHand()
    for seed in POSITIONS:
        whole.add(set_and_play(seed, in_session=seed % _IN_SESSION == 0))
    assert whole.faults == []
    assert whole.positions == len(POSITIONS)
    stages = ("reached by nobody", "reached, not met", "flag due", "countdown", "countdown without a flag")
    assert all(whole.stages[stage] >= 5 for stage in stages), whole.stages
    assert whole.stages["ended by countdown"] + whole.stages["ended by passes"] == len(POSITIONS)
    assert whole.stages["ended by passes"]
    assert whole.hindered


def _faults(monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]) -> list[str]:
    """Return what is found where the menu sets positions with something changed in how far their end has come."""
    saved = End.save_fields

    def spoilt(end: End) -> dict[str, Any]:
        return saved(end) if end.flag is not None else {**saved(end), **change}

    monkeypatch.setattr(End, "save_fields", spoilt)
    monkeypatch.setattr(tools.soak.by_hand, "find_contradiction", lambda position: None)
    return [fault for seed in range(30) for fault in set_and_play(seed, in_session=False).faults]


def test_an_end_that_is_met_and_never_comes_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = _faults(monkeypatch, {"met": True, "phase": "play", "turns_left": None, "flag_seat": None})
    assert any(", not flag" in fault for fault in faults)


def test_a_countdown_that_nobody_began_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = _faults(monkeypatch, {"met": True, "phase": "play", "turns_left": 2, "flag_seat": None})
    assert any("nobody at 15 points" in fault for fault in faults)
