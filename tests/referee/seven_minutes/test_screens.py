"""Every page of the screens of Seven Minutes can be read, on panels of three sizes by turns."""

from __future__ import annotations

import pytest

from rules.text import Language
from tests.referee.seven_minutes.scenes import SCENES
from tests.referee.seven_minutes.test_at_the_table import Table
from tests.ui.checks import all_pages, faults, lost
from tests.ui.gallery import SIZES
from tools.soak.any_game import Game
from ui.screen_state import ScreenState


def check(state: ScreenState, size: tuple[int, int], name: str) -> None:
    assert not lost(state, size), name
    for turned, drawing in all_pages(state, size):
        assert not faults(turned, drawing, size), (name, turned.page, size)


@pytest.mark.slow  # tests/ui/test_words_whole.py
def test_screens_of_tables_of_every_sort_can_be_read() -> None:
    """The languages and sizes taking turns; every state in both is drawn by ``tests/ui/test_all_states.py``."""
    languages = Language.all()
    for number, (name, play) in enumerate(SCENES.items()):
        table = Table()
        table.session.speak(languages[number // len(SIZES) % len(languages)])
        play(table)
        table.see()
        size = SIZES[number % len(SIZES)]
        check(table.session.make_screen(), size, name)
        if not table.session.make_screen().choices:
            table.confirm()
            check(table.session.make_screen(), size, f"{name}, confirmed")


@pytest.mark.few(1)
@pytest.mark.parametrize("size", SIZES)
def test_a_ranking_says_how_points_came(size: tuple[int, int]) -> None:
    game = Game("seven_minutes", 7303, misread=0.0)
    assert game.play().faults == []
    for language in Language.all():
        game.session.speak(language)
        state = game.session.make_screen()
        check(state, size, "finished")
        points = game.session.position.points
        assert [line.points for line in state.ranking] == sorted(points, reverse=True)
        for line in state.ranking:
            up, down = map(int, line.note.split(" - "))
            assert up - down == line.points
        assert len(state.details) == len(points)
        assert len(list(all_pages(state, size))) > 1
