"""The demos of all games, as they are shown: every one is played with nothing but pictures and buttons."""

from __future__ import annotations

import pytest

from device.speech import Language
from referee.registry import load_referees
from referee.simulation import Attempt
from rules.text import Text
from simulator.demo import DEFAULT_SEED, Demo, Shown

TURNS = 12


def played(game: str, seed: int) -> int:
    return Demo(seed, Shown([]), Language.EN, game=game).run()


@pytest.mark.slow  # make demo; test_demo.py
def test_a_deck_is_learnt_and_the_main_game_goes_on_for_some_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The beginning of what ``make test-all`` plays to its end; a disagreement with the truth would be an error."""
    demo = Demo(DEFAULT_SEED, Shown([]), Language.EN)
    hear, heard = demo._reporter.note_answer, list[Attempt]()

    def answered(attempt: Attempt, text: Text) -> None:
        hear(attempt, text)
        heard.append(attempt)
        if len(heard) == TURNS:
            raise KeyboardInterrupt

    monkeypatch.setattr(demo._reporter, "note_answer", answered)
    with pytest.raises(KeyboardInterrupt):
        demo.run()
    assert {attempt.move is None for attempt in heard} == {True, False}, "moves, and a mistake on purpose"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [DEFAULT_SEED, 1, 2, 3, 4])
@pytest.mark.parametrize("game", list(load_referees()))
def test_the_demo_of_each_game_comes_to_its_end(game: str, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(game, seed) == 0
    assert "0 disagreements" in capsys.readouterr().out
