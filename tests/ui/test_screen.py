"""Screens: nothing is cut or overlaps, everything is high enough, every state looks its own way."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from rules.text import Language
from tests.ui.checks import all_pages, faults, lost
from tests.ui.states import mending, picture, players, states
from ui.parts.card_tiles import SEAL, card_tile, make_backs
from ui.parts.panel import Panel
from ui.parts.theme import GOLD
from ui.screen import count_pages, draw
from ui.screen_state import (
    CardTile,
    Countdown,
    GridScreen,
    MenuScreen,
    Mood,
    PlayScreen,
    QuestionScreen,
    ScreenState,
    Standing,
    StepTiles,
    TableScreen,
    TileGroup,
    TileRole,
)

SIZES = ((320, 240), (480, 320), (800, 480), (1024, 600))
TOO_MUCH = ("offer", "question of many")
"""Words that leave no room for everybody's points, or for the question beside the last answer; no game asks so much."""


@pytest.mark.few(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", Language.all())
def test_every_page_of_every_screen_can_be_read(size: tuple[int, int], language: Language) -> None:
    for name, state in states(language).items():
        for turned, drawing in all_pages(state, size):
            assert drawing.surface.get_size() == size
            assert drawing.texts, name
            found = faults(turned, drawing, size)
            assert not found or name in TOO_MUCH, (name, turned.page, found)


@pytest.mark.few(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", Language.all())
def test_no_word_is_lost(size: tuple[int, int], language: Language) -> None:
    for name, state in states(language).items():
        assert name in TOO_MUCH or not lost(state, size), name


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", Language.all())
def test_papers_to_lay_stand_in_rows_with_their_whole_names(size: tuple[int, int], language: Language) -> None:
    state = states(language)["papers to lay"]
    assert isinstance(state, GridScreen)
    cells: dict[tuple[int, int], str] = {}
    for box in draw(state, size).texts:
        if box.limit.width < size[0] / 4 and box.limit.bottom < size[1] * 0.9:
            above = [at for at in cells if at[0] == box.limit.x and 0 < box.limit.y - at[1] < size[1] // 10]
            at = min(above, key=lambda at: box.limit.y - at[1]) if above else box.limit.topleft
            cells[at] = cells.get(at, "") + box.text.replace(" ", "")
    said = "".join(cells.values())
    for name in (name for row in state.grid.rows for name in row):
        assert name.replace(" ", "") in said, name


@pytest.mark.few(1)
@pytest.mark.parametrize("size", SIZES)
def test_every_step_has_its_page(size: tuple[int, int]) -> None:
    state = replace(states(Language.EN)["out of step"], steps=tuple(mending(f"step{n}") for n in range(6)))
    pages = ["".join(box.text for box in drawing.texts) for _, drawing in all_pages(state, size)]
    for step in range(6):
        assert sum(f"step{step}" in page for page in pages[1:]) == 1


def test_the_table_beside_the_steps_shows_those_of_the_page() -> None:
    state = replace(states(Language.EN)["out of step"], headline="", details=())
    assert draw(state).pages > 1
    assert pixels(replace(state, page=1)) != pixels(replace(state, page=2))
    assert pixels(replace(state, page=1)) != pixels(replace(state, page=1, picture=None))


def pixels(state: ScreenState) -> bytes:
    return bytes(pygame.image.tobytes(draw(state).surface, "RGB"))


def test_pages_go_round() -> None:
    state = states(Language.EN)["refused"]
    count = count_pages(state)
    assert draw(state).pages == count > 0
    assert pixels(replace(state, page=count + 1)) == pixels(state)


def feet(state: ScreenState) -> str:
    texts = draw(state).texts
    return " ".join(box.text for box in texts if box.limit.y == texts[-1].limit.y)


def test_the_buttons_say_what_they_do_now() -> None:
    all_states = states(Language.EN)
    assert "▲ Menu" in feet(all_states["preview"])
    assert "▼ More 1/2" in feet(all_states["preview"])
    assert "Hold: undo" in feet(all_states["preview"])
    assert "▲▼ Page 2/2" in feet(replace(all_states["preview"], page=1))
    assert "Back" in feet(replace(all_states["preview"], page=1))
    assert "Take it" in feet(all_states["menu"])
    assert "8/8" in feet(all_states["menu"])
    assert "Back" in feet(all_states["menu"])
    assert "Go on" in feet(all_states["paused"])


def test_the_chosen_answer_always_shows() -> None:
    state = states(Language.EN)["question of many"]
    for chosen in range(9):
        choices = tuple(f"answer {n}" for n in range(9))
        texts = [box.text for box in draw(replace(state, choices=choices, chosen=chosen), (320, 240)).texts]
        assert f"answer {chosen}" in texts


@pytest.mark.parametrize("language", Language.all())
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
    table = Standing(players(3, 1))
    for state in (
        PlayScreen(language, Mood.ACCEPTED, said, (thanks,) * 3, table),
        QuestionScreen(language, Mood.QUESTION, thanks, (), table, choices=(said, thanks)),
        QuestionScreen(language, Mood.QUESTION, thanks, (), table, choices=(said, thanks), chosen=1),
        MenuScreen(language, Mood.MENU, thanks, (), table, choices=(line,) * 8, chosen=3),
    ):
        assert not lost(state, (320, 240)), state.mood


def test_every_mood_has_its_own_band() -> None:
    def band(mood: Mood) -> tuple[int, ...]:
        return tuple(draw(PlayScreen(Language.EN, mood, standing=Standing(players(3)))).surface.get_at((470, 2)))

    verdicts = (Mood.ACCEPTED, Mood.REFUSED, Mood.QUESTION, Mood.CANT_SEE, Mood.OUT_OF_STEP)
    assert len({band(mood) for mood in (Mood.WAITING, *verdicts)}) == 6


def test_every_mood_has_its_own_sign() -> None:
    """In one colour, so that the shape alone tells them apart."""

    def sign(mood: Mood) -> bytes:
        surface = draw(PlayScreen(Language.EN, mood, standing=Standing(players(3)))).surface.subsurface((0, 4, 52, 46))
        mask = pygame.mask.from_threshold(surface, surface.get_at((0, 0)), (2, 2, 2, 255))
        return bytes(pygame.image.tobytes(mask.to_surface(), "RGB"))

    alike = {Mood.WAITING: Mood.NOTICE, Mood.BLIND: Mood.CANT_SEE, Mood.PREVIEW: Mood.QUESTION}
    moods = [mood for mood in Mood if mood not in alike]
    assert len({sign(mood) for mood in moods}) == len(moods)


def test_turn_points_and_countdown_are_shown() -> None:
    words = {Language.EN: "Banach's turn", Language.JA: "Banachの手番"}
    for language, turn in words.items():
        for mood in (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.ACCEPTED):
            state = PlayScreen(language, mood, standing=Standing(players(3, 1), Countdown(5, by_player=(1, 2, 2))))
            drawing = draw(state)
            assert turn in [box.text for box in drawing.texts]
            assert "15" in [box.text for box in drawing.texts]
            assert drawing.surface.get_at((0, 160))[:3] == GOLD, "a golden frame until the end"
            assert pixels(state) != pixels(
                replace(state, standing=Standing(players(3, 1), Countdown(4, by_player=(1, 1, 2))))
            )


def test_points_that_are_secret_are_not_shown() -> None:
    table = tuple(replace(line, points=77, shown="2 captured") for line in players(3, 0))
    state = PlayScreen(Language.EN, Mood.WAITING, standing=Standing(table, gains=(1, 0, 0)))
    texts = [box.text for box in draw(state).texts]
    assert texts.count("2 captured") == 3
    assert not any("77" in text or "+1" in text for text in texts)


def test_the_last_turn_can_not_be_missed() -> None:
    for language, words in ((Language.EN, "'s last turn"), (Language.JA, "最後の手番")):
        for ending in (Countdown(1), Countdown(3, by_player=(1, 1, 1))):
            drawing = draw(PlayScreen(language, Mood.WAITING, standing=Standing(players(3, 1), ending)))
            assert any(words in box.text and box.cap_mm >= 5 for box in drawing.texts)
    long = Standing(players(3, 1), Countdown(5, by_player=(1, 2, 2)))
    other = draw(PlayScreen(Language.EN, Mood.WAITING, standing=long))
    assert not any("last turn" in box.text.lower() for box in other.texts)


def test_the_end_flag_takes_the_whole_screen() -> None:
    for mood in (Mood.WAITING, Mood.ACCEPTED, Mood.HANDS):
        drawing = draw(replace(states(Language.EN)["flag"], mood=mood))
        texts = " ".join(box.text for box in drawing.texts)
        assert "Noether: 15!" in texts
        assert "End Flag" in texts
        colours = [drawing.surface.get_at(at)[:3] for at in ((470, 4), (470, 270), (4, 180))]
        assert colours == [GOLD] * 3


SEVENS = tuple(card_tile(name, TileRole.LAID) for name in ("O7", "B7", "F7"))
PUBLICATION = (
    TileGroup(TileRole.LAID, "Three Cards", SEVENS),
    TileGroup(
        TileRole.CITED, "cites Banach", (card_tile("ak/complete", TileRole.CITED, "1"), *make_backs(2, TileRole.PAID))
    ),
)


def test_cards_are_drawn_and_points_stand_beside_them_before_confirm() -> None:
    standing = Standing(players(3, 0), gains=(3, 0, 0))
    state = PlayScreen(Language.EN, Mood.PREVIEW, "said", standing=standing, tiles=PUBLICATION)
    drawing = draw(state)
    texts = [box.text for box in drawing.texts]
    assert texts.count("7") == 3
    assert "+3" in texts
    assert "Three Cards" in texts
    assert "cites Banach" in texts
    settled = [box.text for box in draw(replace(state, mood=Mood.ACCEPTED)).texts]
    assert "+3" not in settled, "the points are counted already"


def test_points_of_cited_papers_stand_in_seals_and_are_not_read_as_one_number() -> None:
    cited = tuple(
        card_tile(f"{name}/complete", TileRole.CITED, points) for name, points in (("ak", "4"), ("three", "1"))
    )
    tiles = (TileGroup(TileRole.CITED, "cites Banach", cited),)
    for size in SIZES:
        state = PlayScreen(Language.EN, Mood.PREVIEW, "said", standing=Standing(players(3, 0)), tiles=tiles)
        texts = draw(state, size).texts
        four, one = (next(box for box in texts if box.text == points and box.ground == SEAL) for points in "41")
        assert one.rect.left - four.rect.right > four.rect.width / 2


def test_steps_to_mend_are_told_in_their_order_several_or_with_how_many_follow() -> None:
    steps = tuple(StepTiles((card_tile("H7"),), f"→ place {n}", f"heart 7 → place {n}", "x") for n in range(6))
    standing = Standing(players(3, 1))
    state = TableScreen(Language.EN, Mood.OUT_OF_STEP, "said", standing=standing, steps=steps, picture=picture(6))
    for size in SIZES:
        for count in (1, 2, 6):
            part = replace(state, steps=steps[:count], picture=picture(count))
            texts = [box.text for box in draw(part, size).texts]
            shown = [n for n in range(count) if f"→ place {n}" in texts]
            assert shown == list(range(len(shown)))
            assert len(shown) == count or count == len(steps), (size, texts)
            assert len(shown) in (2, 3, count) or f"and {count - len(shown)} more" in texts, (size, texts)


def test_seven_suits_have_seven_shapes() -> None:
    """In one colour, so that the shape alone tells them apart."""

    def alone(suit: str) -> bytes:
        tile = CardTile("X", "7", (0, 0, 0), TileRole.LAID, suit)
        group, standing = TileGroup(TileRole.LAID, "", (tile,)), Standing(players(3))
        return pixels(PlayScreen(Language.EN, Mood.PREVIEW, standing=standing, tiles=(group,)))

    assert len({alone(suit) for suit in "HOBCSTF"}) == 7


def test_letters_are_as_high_on_every_panel() -> None:
    """Twice as many pixels on the same glass, and a panel twice as wide."""
    state = states(Language.EN)["refused"]
    fine = draw(state, (960, 640), Panel(64.0)).texts
    coarse = draw(state, (480, 320), Panel(64.0)).texts
    assert [box.text for box in fine[:7]] == [box.text for box in coarse[:7]]
    for one, other in zip(fine[:7], coarse[:7], strict=True):
        assert one.cap_mm == pytest.approx(other.cap_mm, abs=0.15)
    wide = draw(state, (480, 320), Panel(128.0)).texts
    assert wide[0].cap_mm > 9


def test_a_light_screen_reads_as_well() -> None:
    for language in Language.all():
        for name, state in states(language).items():
            drawing = draw(state, (480, 320), Panel(light=True))
            found = [fault for fault in faults(state, drawing, (480, 320)) if "contrast" in fault or "ground" in fault]
            assert not found, (name, found)
