"""Zones that are still apart are watched each for itself, beside the rest of the table."""

from __future__ import annotations

import numpy as np
import pytest

from referee.table import REST
from vision.stillness import Motion, PartsStillness

TRAY = {"tray": np.array([[440.0, 150.0], [560.0, 150.0], [560.0, 330.0], [440.0, 330.0]])}
RNG = np.random.default_rng(8)
TABLE = np.repeat(np.repeat(RNG.integers(50, 200, (24, 32)), 20, 0), 20, 1)


def see(step: int, tray: bool = False, rest: bool = False) -> np.ndarray:
    """Picture the table with noise; something moves in the tray, or elsewhere."""
    luma = TABLE + np.random.default_rng(step).normal(0, 3, TABLE.shape)
    if tray:
        luma[200 + 7 * step % 60 : 230 + 7 * step % 60, 480:520] = 250
    if rest:
        luma[100:300, 50 + 9 * step % 200 : 130 + 9 * step % 200] = 20
    return np.clip(luma, 0, 255).astype(np.uint8)


class Watch:
    def __init__(self) -> None:
        self.parts, self.step = PartsStillness(still_s=1.0, apart_still_s=0.4), 0

    def run(self, looks: int, **moving: bool) -> list[dict[str, Motion]]:
        states = []
        for _ in range(looks):
            states.append(self.parts.update(see(self.step, **moving), self.step / 8, TRAY))
            self.step += 1
        return states


@pytest.fixture
def watch() -> Watch:
    watch = Watch()
    last = watch.run(12)[-1]
    assert last[REST].still
    assert last["tray"].still
    return watch


def test_a_throw_leaves_the_rest_still_and_the_tray_rests_sooner(watch: Watch) -> None:
    for state in watch.run(6, tray=True):
        assert state["tray"] is Motion.MOVING
        assert state[REST].still
    after = watch.run(8)
    assert [state["tray"].still for state in after[:2]] == [False, False]
    first = next(k for k, state in enumerate(after) if state["tray"].still)
    assert 0.4 <= first / 8 <= 0.6
    assert all(state[REST].still for state in after)


def test_hands_over_the_cards_leave_the_tray_still(watch: Watch) -> None:
    for state in watch.run(10, rest=True):
        assert state[REST] is Motion.MOVING
        assert state["tray"].still
    assert not watch.run(3)[-1][REST].still
    assert watch.run(8)[-1][REST].still


def test_both_move_and_each_comes_to_rest_in_its_own_time(watch: Watch) -> None:
    watch.run(4, tray=True, rest=True)
    states = watch.run(8, rest=True)
    assert states[-1]["tray"].still
    assert states[-1][REST] is Motion.MOVING


def test_without_zones_it_is_the_whole_that_is_watched() -> None:
    parts = PartsStillness(still_s=0.5)
    states = [parts.update(see(k), k / 8, {}) for k in range(8)]
    assert set(states[-1]) == {REST}
    assert states[-1][REST].still
    assert parts.update(see(9, tray=True), 9 / 8, {})[REST] is Motion.MOVING
