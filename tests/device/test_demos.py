"""The demos of all games, as they are shown: every one is played to its end with nothing but pictures and buttons."""

from __future__ import annotations

import pytest

from device.simulated.demo import DEFAULT_SEED, Demo, Shown
from device.speech import Language
from referee.registry import referees

GAMES = [pytest.param(game, marks=pytest.mark.xdist_group(f"demo of {game}")) for game in referees()]
"""Each is played by a worker of its own."""


def played(game: str, seed: int) -> int:
    return Demo(seed, Shown([]), Language.EN, game=game).run()


@pytest.mark.parametrize("game", GAMES)
def test_the_usual_demo_of_each_game_comes_to_its_end(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(game, DEFAULT_SEED) == 0
    assert "0 disagreements" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_so_do_others(game: str, seed: int) -> None:
    assert played(game, seed) == 0
