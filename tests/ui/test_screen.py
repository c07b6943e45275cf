"""Screens: nothing overflows, nothing that matters is cut, every state looks its own way."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from rules.text import Language
from tests.ui.states import players, states
from ui.screen import draw
from ui.screen_state import Ending, Mood, ScreenState

SIZES = ((320, 240), (480, 320), (800, 480), (1024, 600))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", list(Language))
def test_no_text_leaves_its_box_or_the_screen(size: tuple[int, int], language: Language) -> None:
    screen = pygame.Rect((0, 0), size)
    for name, state in states(language).items():
        drawing = draw(state, size)
        assert drawing.surface.get_size() == size
        assert drawing.texts, name
        for box in drawing.texts:
            assert screen.contains(box.rect), (name, box)
            # A line's ink may rise over its own line box by the face's ascent, never sideways.
            assert box.limit.left - 1 <= box.rect.left, (name, box)
            assert box.rect.right <= box.limit.right + 1, (name, box)
            assert box.limit.inflate(0, box.limit.height // 2 + 4).contains(box.rect), (name, box)


@pytest.mark.parametrize("language", list(Language))
def test_lines_of_a_message_do_not_lie_on_each_other(language: Language) -> None:
    for name, state in states(language).items():
        lines = [box.rect for box in draw(state).texts]
        for number, rect in enumerate(lines):
            for other in lines[number + 1 :]:
                shared = rect.clip(other)
                assert shared.width == 0 or shared.height <= 2, (name, rect, other)


@pytest.mark.parametrize("language", list(Language))
def test_realistic_words_are_never_cut(language: Language) -> None:
    for name in ("setup", "waiting", "flag", "hands", "accepted", "refused", "can't see", "finished", "notice", *NEW):
        cut = [box.text for box in draw(states(language)[name]).texts if box.cut]
        assert not cut, (name, cut)


NEW = ("preview", "fault", "unseen", "paused", "blind", "hands that mend")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", list(Language))
def test_papers_to_lay_stand_in_rows_with_their_whole_names(size: tuple[int, int], language: Language) -> None:
    state = states(language)["papers to lay"]
    grid = state.grid
    assert grid is not None
    drawn = draw(state, size).texts
    assert not [box.text for box in drawn if box.cut]
    cells = {box.limit.topleft for box in drawn if box.limit.width < size[0] / 4}
    places = sorted(cells, key=lambda at: (at[1], at[0]))
    said = ["".join(box.text for box in drawn if box.limit.topleft == place) for place in places]
    beside = grid.aside.replace(" ", "")
    rows = [name.replace(" ", "") for row in grid.rows for name in row]
    assert [text.replace(" ", "") for text in said if text.replace(" ", "") not in ("", beside)] == rows
    assert len({place[1] for place in places}) == 4 + 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", list(Language))
def test_the_step_that_is_looked_at_always_shows(size: tuple[int, int], language: Language) -> None:
    state = states(language)["out of step"]
    steps = tuple(f"step{n}" for n in range(6))
    for step in range(6):
        texts = [box.text for box in draw(replace(state, put_back=steps, step=step), size).texts]
        assert f"step{step}" in texts


@pytest.mark.parametrize("size", SIZES)
def test_a_picture_of_the_table_leaves_every_players_points_in_sight(size: tuple[int, int]) -> None:
    state = states(Language.EN)["out of step"]
    texts = [box.text for box in draw(state, size).texts]
    for player in state.players:
        assert any(player.name in text for text in texts)
    with_picture, without = draw(state, size).surface, draw(replace(state, picture=None), size).surface
    assert pygame.image.tobytes(with_picture, "RGB") != pygame.image.tobytes(without, "RGB")


def test_the_buttons_say_what_they_do_now() -> None:
    all_states = states(Language.EN)
    feet = {name: " ".join(box.text for box in draw(state).texts[-3:]) for name, state in all_states.items()}
    assert "Menu" in feet["preview"]
    assert "Hold: undo" in feet["preview"]
    assert "Steps" in feet["out of step"]
    assert "Hold ✓: menu" in feet["out of step"]
    assert "Take it" in feet["menu"]
    assert "Back" in feet["menu"]
    assert "Go on" in feet["paused"]


def test_too_many_steps_to_mend_are_counted_and_stay_legible() -> None:
    state = states(Language.EN)["refused, much to mend"]
    texts = draw(state).texts
    assert any("more" in box.text for box in texts)
    assert min(box.limit.height for box in texts) >= 12


def test_far_too_long_a_word_is_cut_with_an_ellipsis() -> None:
    state = replace(states(Language.EN)["waiting"], players=players(3, 1))
    long = replace(state.players[0], name="Wolfeschlegelsteinhausenbergerdorff")
    drawing = draw(replace(state, players=(long, *state.players[1:])))
    assert any(box.cut and box.text.endswith("…") for box in drawing.texts)


def test_the_chosen_answer_always_shows() -> None:
    state = states(Language.EN)["question of many"]
    for chosen in range(9):
        choices = tuple(f"answer {n}" for n in range(9))
        texts = [box.text for box in draw(replace(state, choices=choices, chosen=chosen), (320, 240)).texts]
        assert f"answer {chosen}" in texts


@pytest.mark.parametrize("language", list(Language))
def test_long_words_are_read_in_full_even_on_the_smallest_display(language: Language) -> None:
    """A long publication, three to thank; two long answers; and a menu's longest line."""
    ja = language is Language.JA
    line = "ゲームを中断する（あとで続けられます）" if ja else "Leave the game; it can go on later"
    said = (
        "Kovalevskayaさんがハート2、オニオン4でオールイーブンを発表、Noetherさんのスリーペア、Galoisさんの3カードを引用、"
        "Noetherさんにお礼1枚、Galoisさんにお礼1枚。"
        if ja
        else "Kovalevskaya publishes All Even with heart 2 and onion 4, cites Noether's Three Pairs and Galois's Three "
        "Cards, pays Noether 1 card, pays Galois 1 card."
    )
    thanks = "Noetherさんはお礼のカード1枚を手札に入れてください。" if ja else "Noether takes the thank-you card."
    table = players(3, 1)
    for state in (
        ScreenState(language, Mood.ACCEPTED, table, said, (thanks,) * 3),
        ScreenState(language, Mood.QUESTION, table, thanks, choices=(said, thanks)),
        ScreenState(language, Mood.MENU, table, thanks, choices=(line,) * 8, chosen=3),
    ):
        texts = [box for box in draw(state, (320, 240)).texts if box.cut]
        assert not texts, (state.mood, texts)


def test_every_mood_has_its_own_band() -> None:
    def band(mood: Mood) -> tuple[int, ...]:
        return tuple(draw(ScreenState(Language.EN, mood, players(3))).surface.get_at((240, 2)))

    distinct = {band(mood) for mood in (Mood.WAITING, Mood.ACCEPTED, Mood.REFUSED, Mood.QUESTION, Mood.CANT_SEE)}
    assert len(distinct) == 5
    assert band(Mood.HANDS) != band(Mood.WAITING)


def test_turn_points_and_countdown_are_shown() -> None:
    words = {Language.EN: ("Banach to move", "5 turns left"), Language.JA: ("Banachさんの手番", "残り5手番")}
    for language, (turn, left) in words.items():
        texts = [box.text for box in draw(ScreenState(language, Mood.WAITING, players(3, 1), ending=Ending(5))).texts]
        assert turn in texts
        assert left in texts
        assert any(text.startswith("15") for text in texts)


def test_the_end_flag_is_asked_for() -> None:
    texts = " ".join(box.text for box in draw(states(Language.EN)["flag"]).texts)
    assert "End Flag" in texts
    assert "Noether has reached 15 points" in texts
