"""In all games, on all sizes: who has moved stands beside who is next, and no word is broken or cut without a sign."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import ui.words
from device.enrol.laying import page_grid
from device.hardware.buttons import Button
from referee.registry import load_referees
from rules.text import Language, Text
from tests.referee.told.given import TABLES
from tests.ui.checks import all_pages
from tests.ui.real import session_at
from tests.words import ja
from tools.soak import any_game
from ui.parts.far import ends_now
from ui.parts.names import CUT, short_names
from ui.parts.panel import Panel
from ui.parts.pen import SMALLEST_MM, Pen
from ui.registry import screen_of
from ui.screen import draw
from ui.screen_state import ButtonWords, GridScreen, Leaf, LeafScreen, Mood, ScreenState
from ui.wrapping import HYPHEN

GAMES = sorted(load_referees())
SIZES = ((320, 240), (480, 320), (800, 480), (1024, 600))
NEXT = (Mood.ACCEPTED, Mood.WAITING, Mood.READING, Mood.HANDS)
"""Moods in which the band names who is next."""
LONG = (
    "Bartholomew Jane",
    "Maximilian-Josef",
    "アレクサンドラアレクサンドラアレ",
    "Wilhelmina Grace",
    "Kowalewskajatown",
)
TABLES_BY, MOST = 2, 32
_SOURCE = Path(ui.words.__file__).read_text(encoding="utf-8")
_OWN = "\n".join((_SOURCE, *(ja(Text(words)) for words in re.findall(r'Text\("(.+?)"', _SOURCE))))
_LATIN = re.compile(r"[^\W\d_\u3000-\uffff]{2,}")
_KATAKANA = re.compile(r"[ァ-ヺー]{2,}")


def moments(name: str, language: Language) -> Iterator[tuple[str, ScreenState]]:
    """Screens after moves of one player in a game, with who has moved."""
    for session, see in _moved(name, language):
        made = session.history.past[-1].move
        if (seat := getattr(made, "seat", None)) is None or session.over:
            continue
        who = session.position.players[seat - 1]
        yield who, session.make_screen()
        for mood in (Mood.READING, Mood.HANDS):
            session.note_watching(mood)
            yield who, session.make_screen()
        session.press(Button.BACK)
        see()
        yield who, session.make_screen()


def _moved(name: str, language: Language) -> Iterator[tuple[Any, Any]]:
    """Sessions in which a move was just made, and what looks at the table again."""
    if name == "laminate":
        for table in islice(TABLES.values(), 0, None, TABLES_BY):
            agreed, view = table()
            session = session_at(agreed, language)
            session.see(view)
            session.press(Button.CONFIRM)
            if session.history.past:
                yield session, lambda session=session, view=view: session.see(view)
        return
    game = any_game.Game(name, seed=2, misread=0.0)
    game.session.speak(language)
    for attempt in game.simulation.play_game():
        before = len(game.session.history.past)
        game.meet(attempt)
        if len(game.session.history.past) > before:
            yield game.session, lambda: None


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(name, language, marks=[pytest.mark.slow] if (number + other) % 2 else [])
        for number, name in enumerate(GAMES)
        for other, language in enumerate(Language.all())
    ],
)
def test_who_did_what_is_said_beside_who_is_next(name: str, language: Language) -> None:
    told = 0
    for who, state in moments(name, language):
        if state.mood not in NEXT or ends_now(state) or state.put_back:
            continue
        names = [line.name for line in state.players]
        short = short_names(names)[names.index(who)]
        for size in SIZES:
            text = "\n".join(box.text for box in draw(state, size).texts[2 * len(names) + 1 :])
            assert who in text or short in text, (state.mood, who, size, text)
        told += 1
        if told == MOST:
            break
    assert told >= 12 or name == "seven_wonders", "there everybody moves at once, and the cards stand below their names"


def strings(value: Any) -> Iterator[str]:
    """Every text in a state, however deep."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from strings(getattr(value, field.name))
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from strings(inner)


def broken(state: ScreenState, size: tuple[int, int]) -> Iterator[str]:
    """Words that are drawn in parts without a sign of it."""
    known = "\n".join((*strings(state), _OWN))
    latin = {word.lower() for word in _LATIN.findall(known)}
    kana = set(_KATAKANA.findall(known))
    for turned, drawing in all_pages(state, size):
        before = ""
        for box in drawing.texts:
            found = [*_LATIN.finditer(box.text)]
            for word in found:
                parted = (word is found[-1] and box.text.endswith(HYPHEN)) or (
                    word is found[0] and before.endswith(HYPHEN)
                )
                cut = CUT in (box.text[word.end() : word.end() + 1], box.text[max(0, word.start() - 1) : word.start()])
                if word[0].lower() not in latin and not parted and not cut:
                    yield f"{word[0]} of {box.text!r} on page {turned.page}"
            if isinstance(turned, GridScreen | LeafScreen):
                yield from (f"{word} of {box.text!r}" for word in _KATAKANA.findall(box.text) if word not in kana)
            before = box.text


@cache
def pages_to_lay() -> tuple[str, ...]:
    """Every page of every game."""
    return tuple(dict.fromkeys(page for referee in load_referees().values() for page in referee.cards.pages))


@pytest.mark.few(3)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", Language.all())
def test_words_on_pages_to_lay_are_whole(language: Language, size: tuple[int, int]) -> None:
    shown = 0
    for page in pages_to_lay():
        grid = page_grid(page, language)
        if grid is not None:
            state = GridScreen(language, Mood.NOTICE, "Lay it", buttons=ButtonWords("✓"), grid=grid)
            assert not list(broken(state, size)), page
            names = [name for row in grid.rows for name in row]
            drawn = "".join(box.text for box in draw(state, size).texts[1:]).replace(HYPHEN, "").replace(" ", "")
            for name in names:
                plain = name.replace(" ", "").replace(HYPHEN, "")
                assert plain in drawn or CUT in drawn or page == "seven", (page, name)
            shown += 1
    assert shown > len(load_referees())


@pytest.mark.few(2)
@pytest.mark.parametrize("name", GAMES)
def test_words_of_the_help_are_whole(name: str) -> None:
    for language in Language.all():
        own, position = screen_of(name), any_game.Game(name, 2).session.position
        taught = () if own.teaching is None else own.teaching.draw_aim(language)
        for leaf in (*own.write_now(position, language), *taught, *own.write_help(position, language)):
            for size in SIZES:
                assert not list(broken(_of_leaf(leaf, language), size)), leaf.title


def _of_leaf(leaf: Leaf, language: Language) -> ScreenState:
    return LeafScreen(language, Mood.MENU, leaf.title, buttons=ButtonWords("✓"), leaf=leaf)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [name for name in GAMES if name != "laminate"])
def test_names_of_sixteen_letters_are_cut_with_a_sign_and_only_for_want_of_room(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(any_game, "NAMES", (*LONG, "Player 6", "プレイヤー7"))
    for language in Language.all():
        for _, state in islice(moments(name, language), 0, MOST, 3):
            names = [line.name for line in state.players]
            shorts = short_names(names)
            for size in SIZES:
                assert not list(broken(state, size)), size
                pen = Pen(size, Panel())
                for box in draw(state, size).texts[1 : 2 * len(names) + 1]:
                    if box.text in shorts and box.text not in names:
                        whole = names[shorts.index(box.text)]
                        assert pen.measure_width(whole, SMALLEST_MM) > box.limit.width, (whole, size)
