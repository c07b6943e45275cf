"""Every screen in every state that matters, of real games: what ``make screens`` draws and ``make test`` compares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
from numpy.typing import NDArray
from PIL import Image

from device.hardware.buttons import Button
from device.session.lessons import Lessons, aim_menu
from device.session.session import Session
from device.session.states import Paused
from device.storage.kept import Taught
from referee.layout import REFERENCE_MAT_MM
from referee.registry import load_referees
from rules.laminate.moves import Publish
from rules.record import Header
from rules.text import Language
from tests.referee.tables import show
from tests.referee.test_refusals import drawn, under_review
from tests.referee.told.given import TABLES
from tests.ui.checks import at_page
from tests.ui.played import choose, played
from tests.ui.real import MAT_FAULT, real_states, session_at
from tests.ui.states import states
from ui.screen import draw
from ui.screen_state import Leaf, LeafScreen, Mood, ScreenState, TileRole

APPROVED = Path(__file__).with_name("approved")
SIZES = ((320, 240), (480, 320), (800, 480))
_BLOCK = 8
"""Pictures are compared by the means of squares of so many px: a letter changes them, a rasteriser hardly."""
BLOCK_DIFFERS = 26
"""So much may the mean of a square differ, of 255."""
_COLOURS = 80

REAL = {
    "set-up, seen": "the set up of five, seen",
    "set-up, confirmed": "the set up of three, confirmed",
    "preview, draw": "a draw and a discard, seen",
    "preview, publication": "a paper that cites two authors, seen",
    "accepted, publication": "a paper that cites two authors, confirmed",
    "preview, points": "the review that completes a paper, seen",
    "accepted, points": "the review that completes a paper, confirmed",
    "refused, two cards": "code took_two_cards, confirmed",
    "refused, hands": "code took_two_cards, hands",
    "refused, thanks": "one thank you card short, confirmed",
    "refused, nothing changed": "code pass_not_allowed, confirmed",
    "refused, not a meld": "code not_a_meld, confirmed",
    "refused, wrong player": "code out_of_turn, confirmed",
    "can't see": "an unread top discard, seen",
    "question": "thanks that may be old, confirmed",
    "question, two turns": "both of the last two cards kept, confirmed",
    "out of step": "a table knocked over, seen",
    "end flag": "code flag_due, hands",
    "end flag, taken": "the flag with a card, confirmed",
    "countdown": "a draw in the countdown, confirmed",
    "last turn": "the last turn of the countdown, seen",
    "finished": "the last turn of the countdown, confirmed",
}
"""Screens by the tables that they are of."""
WITH_PAGES = ("accepted, publication", "refused, two cards", "refused, wrong player", "out of step")


def gallery(language: Language) -> dict[str, ScreenState]:
    """Return the screens by name."""
    real = real_states(language)
    found = {name: real[table] for name, table in REAL.items()}
    for name in WITH_PAGES:
        for page in (1, 2):
            found[f"{name}, page {page}"] = at_page(found[name], page)
    found.update(_moments(language))
    found.update(_looked_up(language))
    found.update(_taught(language))
    found["wild seven"] = _wild_seven(language)
    found["papers to lay"] = states(language)["papers to lay"]
    found["notice"] = states(language)["notice"]
    return found


def _moments(language: Language) -> Iterator[tuple[str, ScreenState]]:
    """Yield what no table alone shows."""
    agreed, view = TABLES["a paper that cites two authors"]()
    session = session_at(agreed, language)
    session.see(view)
    session.press(Button.CONFIRM)
    session.press(Button.BACK)
    yield "waiting", session.make_screen()
    session.press(Button.CONFIRM, held=True)
    yield "menu", session.make_screen()
    session.press(Button.BACK)
    session.handle_event(Paused())
    yield "paused", session.make_screen()
    session.press(Button.CONFIRM)
    session.note_watching(Mood.BLIND, MAT_FAULT)
    yield "blind", session.make_screen()
    session = session_at(under_review(), language)
    for move in (drawn(2, "H5"), drawn(3, "H4")):
        session.confirm(show(session.position.do(move)))
    session.judge.undo()
    yield "check", session.make_screen()


def _looked_up(language: Language) -> Iterator[tuple[str, ScreenState]]:
    """Yield turns, points and help of a game that is over."""
    session = played(3, 5, language)
    choose(session, "Turns so far")
    yield "turns, a review", session.make_screen()
    while not any(tile.role is TileRole.CITED for group in _leaf(session).tiles for tile in group.tiles):
        session.press(Button.UP)
    yield "turns, a publication", session.make_screen()
    session.press(Button.CONFIRM)
    yield "turns, taken back", session.make_screen()
    for _ in range(3):
        session.press(Button.BACK)
    choose(session, "Points")
    yield "turns, points", session.make_screen()
    session.press(Button.CONFIRM)
    yield "finished, page 1", at_page(session.make_screen(), 1)
    choose(session, "Help")
    session.press(Button.UP)
    while not _leaf(session).title.startswith("7"):
        session.press(Button.UP)
    yield "help, a paper", session.make_screen()
    session = played(3, 5, language, most=111)
    session.screens = replace(session.screens, hints=True)
    choose(session, "Help")
    while not any(tile.role is TileRole.PAID for group in _leaf(session).tiles for tile in group.tiles):
        session.press(Button.DOWN)
    yield "help, a hint", session.make_screen()


def _taught(language: Language) -> Iterator[tuple[str, ScreenState]]:
    """Yield what a first game teaches: its aim, a rule that is explained, a turn after that, and what may be done."""
    session = played(3, 4, language, most=40)
    past = session.history.past
    turns = 1 + next(n for n, step in enumerate(past) if isinstance(step.move, Publish))
    session.log.history = replace(session.history, past=past[:turns], now=past[turns - 1].after)
    teaching = session.screens.own.teaching
    assert teaching is not None
    session.over_it = aim_menu(teaching)
    for number in range(len(teaching.aim)):
        yield f"teaching, aim {number + 1}", session.make_screen()
        session.press(Button.CONFIRM)
    session.lessons = Lessons(Taught(True, {"publish": turns, "review": turns}), turns)
    yield "teaching, a rule", at_page(session.make_screen(), 1)
    session.lessons = Lessons(Taught(True, {"publish": 1}), turns)
    yield "teaching, a turn", session.make_screen()
    choose(session, "What can I do now?")
    yield "what can be done now", session.make_screen()


def _leaf(session: Session) -> Leaf:
    screen = session.make_screen()
    assert isinstance(screen, LeafScreen)
    return screen.leaf


def _wild_seven(language: Language) -> ScreenState:
    referee = load_referees()["wild_seven"]
    names = ("Hilbert", "Banach", "Noether")
    session = Session(referee, Header("wild_seven", names, {}), referee.make_layout(3, REFERENCE_MAT_MM), language)
    return session.make_screen()


def file_of(name: str, language: Language, size: tuple[int, int]) -> str:
    """Where the approved picture of a screen lies below ``APPROVED``."""
    plain = name.replace(", ", "-").replace(" ", "_").replace("'", "")
    return f"{size[0]}x{size[1]}/{plain}.{language.code}.png"


def picture(state: ScreenState, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Draw a screen as (height, width, 3)."""
    return np.ascontiguousarray(pygame.surfarray.array3d(draw(state, size).surface).transpose(1, 0, 2))


def saved(drawn: NDArray[np.uint8], path: Path) -> None:
    """Write a picture with few colours, which makes it small."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.fromarray(drawn).quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    image.save(path, optimize=True)


def difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """By how much the means of two pictures' squares differ at most, of 255; all of it where the sizes differ."""
    if one.shape != other.shape:
        return 255.0
    return float(np.abs(_means(one) - _means(other)).max())


def _means(drawn: NDArray[np.uint8]) -> NDArray[np.float64]:
    height, width = (side // _BLOCK * _BLOCK for side in drawn.shape[:2])
    grey = drawn[:height, :width].astype(float)
    means: NDArray[np.float64] = grey.reshape(height // _BLOCK, _BLOCK, width // _BLOCK, _BLOCK, 3).mean(axis=(1, 3))
    return means
