"""Screens for setting up: nothing cut, nothing too small, nothing over anything else, in both languages and themes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from device.app.name_picker import NamePicker, Script
from device.enrol.laying import page_grid
from device.hardware.buttons import Button, Press
from rules.text import Language, Text
from ui.parts.panel import Panel
from ui.parts.pen import SMALLEST_MM
from ui.parts.theme import compute_contrast
from ui.screen import draw
from ui.screen_state import (
    ButtonWords,
    CameraScreen,
    CameraView,
    CardsScreen,
    GridScreen,
    LearntCard,
    Mood,
    NamePad,
    PadScreen,
    ScreenState,
    SeatOutline,
    Thumbnail,
)
from ui.setting_up.laying import LABEL_MM

SIZES = ((320, 240), (480, 320), (800, 480))
WIDE = "あ" * 16
NAMES = ("Hilbert", "Emmy Noether", WIDE, "J. von Neumann", "バナッハ")


def thumbnail(width: int, height: int) -> Thumbnail:
    rng = np.random.default_rng(3)
    return Thumbnail((width, height), rng.integers(0, 255, (height, width, 3), dtype=np.uint8).tobytes())


PICTURE = thumbnail(320, 240)
SIZE = "1189\u00a0×\u00a0841\u00a0mm"
CHECKS = {
    Language.EN: (
        (("2.0 px/mm", True), ("Good light", True), ("Sharp", True), ("Mat as set", True)),
        (("Too dark: more light from the side.", False), ("Not sharp: turn the lens.", False), ("2.0 px/mm", True)),
        ((f"Measured 895\u00a0×\u00a0597\u00a0mm, not {SIZE}. Use it?", False),),
        (
            (
                "No markers found: lay the four markers at the mat's corners and point the camera so that all are in "
                "the picture, in enough light.",
                False,
            ),
        ),
    ),
    Language.JA: (
        (("2.0 px/mm", True), ("明るさ良好", True), ("ピント良好", True), ("マット良好", True)),
        (("暗すぎます。横から光を足してください。", False), ("ぼけています。レンズを回してください。", False)),
        ((f"設定は{SIZE}、測った大きさは895\u00a0×\u00a0597\u00a0mm。測った値を使いますか？", False),),
        (
            (
                "4つのマーカーが長方形の角になっていません。0を左上、1を右上、2を右下、3を左下に、"
                "すべて正しい向きに置き、ほかのマーカーは画面から外してください。",
                False,
            ),
        ),
    ),
}


def seats(count: int) -> tuple[SeatOutline, ...]:
    across = [(n / count, (n + 1) / count) for n in range(count)]
    return tuple(
        SeatOutline(((x0, 0.6), (x1, 0.6), (x1, 0.95), (x0, 0.95)), name)
        for (x0, x1), name in zip(across, NAMES, strict=False)
    )


def pads(language: Language) -> Iterator[ScreenState]:
    title = Text("Who sits at seat 5?")
    picker = NamePicker.begin(title, language)
    yield picker.make_screen()
    for script in Script:
        for number in range(len(replace(picker, script=script).rows)):
            chosen = replace(picker, script=script, typed=WIDE, row=number)
            yield chosen.make_screen()
            yield replace(chosen, column=len(chosen.rows[number]) - 1).make_screen()
    long = replace(picker, typed="Wwwwwwwwwwwwwwwwwwww")
    for press in (Press(Button.CONFIRM), Press(Button.CONFIRM)):
        following = long.take_press(press)
        assert isinstance(following, NamePicker)
        long = following
    assert long.fault is not None
    yield long.make_screen()


def states(language: Language) -> Iterator[ScreenState]:
    yield from pads(language)
    corners = ((0.05, 0.05), (0.95, 0.06), (0.94, 0.95), (0.04, 0.96))
    for checks in CHECKS[language]:
        for count in (0, 3, 5):
            view = CameraView(PICTURE, corners if count else (), seats(count), checks)
            buttons = ButtonWords("✓ 895 × 597", "▲▼ 席を回す", "← back")
            yield CameraScreen(language, Mood.QUESTION, "カメラの画像", buttons=buttons, view=view)
    buttons = ButtonWords("✓ look", "▲▼ picture", "← back")
    for page in ("seven", "review", "complete"):
        grid = page_grid(page, language)
        assert grid is not None
        yield GridScreen(language, Mood.NOTICE, "Lay page 1 of 3, part 1 of 2", buttons=buttons, grid=grid)
    names = ("11 Straight", "トリプルスリー", "The face-down card", "6 Straight Flush")
    cards = tuple(LearntCard(name, thumbnail(160, 56)) for name in names)
    yield CardsScreen(language, Mood.QUESTION, "確認：セブンのカードのページ 13/13", cards=cards)


@pytest.mark.few(2)
@pytest.mark.parametrize("light", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", Language.all())
def test_every_word_is_whole_legible_and_alone_in_its_place(
    language: Language, size: tuple[int, int], light: bool
) -> None:
    for state in states(language):
        drawing = draw(state, size, Panel(light=light))
        whole = drawing.surface.get_rect()
        for text in drawing.texts:
            assert text.limit.inflate(4, 12).contains(text.rect), (text.text, text.rect, text.limit)
            assert whole.contains(text.rect), text.text
            assert text.cap_mm >= (LABEL_MM if isinstance(state, GridScreen) else SMALLEST_MM) - 0.01, (
                text.text,
                text.cap_mm,
            )
            assert compute_contrast(text.colour, text.ground) >= 4.5, text.text
        for number, one in enumerate(drawing.texts):
            for other in drawing.texts[number + 1 :]:
                assert not one.rect.colliderect(other.rect), (one.text, other.text)


@pytest.mark.parametrize("language", Language.all())
def test_all_words_that_are_not_in_order_are_said(language: Language) -> None:
    for checks in CHECKS[language]:
        view = CameraView(PICTURE, (), seats(3), checks)
        for size in SIZES:
            drawing = draw(CameraScreen(language, Mood.NOTICE, "x", view=view), size)
            shown = "".join("".join(text.text.split()) for text in drawing.texts)
            for words, good in checks:
                assert good or "".join(words.split()) in shown


def test_a_size_is_not_broken_from_its_unit() -> None:
    for language in Language.all():
        for size in SIZES:
            view = CameraView(PICTURE, checks=CHECKS[language][2])
            drawing = draw(CameraScreen(language, Mood.NOTICE, view=view), size)
            assert any(" ".join(SIZE.split()) in " ".join(text.text.split()) for text in drawing.texts), [
                text.text for text in drawing.texts
            ]


def test_a_name_too_long_for_its_seat_is_a_number_and_never_half_a_name() -> None:
    view = CameraView(PICTURE, (), seats(5), ())
    shown = [text.text for text in draw(CameraScreen(Language.EN, Mood.NOTICE, view=view), (320, 240)).texts]
    assert "3" in shown
    assert not any(set(text) == {"あ"} and len(text) < 16 for text in shown)


def test_the_chosen_row_is_always_in_sight() -> None:
    rows = tuple((f"{n}a", f"{n}b") for n in range(12))
    for number in range(12):
        pad = NamePad("Ada", rows, number)
        texts = draw(PadScreen(Language.EN, Mood.MENU, "x", pad=pad), (320, 240)).texts
        assert f"{number}a" in [text.text for text in texts]
