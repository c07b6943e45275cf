"""What is read from a metre away: the step to be done now, a preview and an accepted move, whose last turn it is."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from rules.text import Language
from tests.ui.real import real_states
from ui.parts.panel import Panel
from ui.screen import draw
from ui.screen_state import Countdown, IconTile, MenuScreen, Mood, TableScreen

SIZE = (480, 320)
INCHES_3_5 = Panel(74.0)
LEAST_MM = 4.0


@pytest.mark.parametrize("language", Language.all())
def test_the_step_to_be_done_now_is_read_from_afar(language: Language) -> None:
    """On 3.5 inches a card's step stands there in letters of 4 mm, before there is room for further ones."""
    steps = [
        state
        for state in real_states(language).values()
        if isinstance(state, TableScreen)
        and state.steps
        and all(tile.suit or tile.back for tile in state.steps[0].tiles)
    ]
    high = 0
    for state in steps:
        texts = draw(state, SIZE, INCHES_3_5).texts
        high += (
            max((text.cap_mm for text in texts if text.text and text.text in state.steps[0].words), default=0)
            >= LEAST_MM
        )
    assert high >= 0.8 * len(steps) > 20, f"{high} of {len(steps)}"


def test_a_preview_and_an_accepted_move_look_different() -> None:
    """The band's lower edge is taped while a move is not settled."""
    state = next(state for name, state in real_states(Language.EN).items() if state.mood is Mood.PREVIEW)
    colours = []
    for mood in (Mood.PREVIEW, Mood.ACCEPTED):
        surface = draw(replace(state, mood=mood), SIZE).surface
        row = (
            next(y for y in range(30, 80) if surface.get_at((SIZE[0] - 3, y)) != surface.get_at((SIZE[0] - 3, 30))) - 2
        )
        colours.append({tuple(surface.get_at((x, row)))[:3] for x in range(SIZE[0] // 2, SIZE[0])})
    assert len(colours[0]) > len(colours[1]) == 1


def test_the_last_turn_is_somebodys() -> None:
    """Where others have turns left, it is said whose last turn it is."""
    state = next(
        s for name, s in real_states(Language.EN).items() if s.mood is Mood.WAITING and s.to_move and s.players
    )
    seat = next(number for number, player in enumerate(state.players) if player.to_move)
    left = tuple(1 if number == seat else 2 for number in range(len(state.players)))
    counted = replace(state, standing=replace(state.standing, ending=Countdown(sum(left), by_player=left)))
    texts = [text.text for text in draw(counted, SIZE).texts]
    assert f"{state.to_move}'s last turn" in texts


def test_a_first_menu_is_tiles() -> None:
    words = ("Score this table", "New game", "Learn a deck", "Settings")
    icons = tuple(map(IconTile, ("score", "new", "deck", "settings"), ("Score", "New game", "Decks", "Settings")))
    drawn = [
        draw(MenuScreen(Language.EN, Mood.MENU, choices=words, chosen=chosen, icons=icons), SIZE) for chosen in range(4)
    ]
    for chosen, one in enumerate(drawn):
        texts = [text.text for text in one.texts]
        assert words[chosen] in texts, "the chosen one is said in full"
        assert {icon.label for icon in icons} <= {*texts}
    assert len({pygame.image.tobytes(one.surface, "RGB") for one in drawn}) == len(drawn)
