"""Names written with four buttons, and names that can't be shown."""

from __future__ import annotations

import random

import pytest

from device.app.name_picker import NamePicker, Script
from device.hardware.buttons import Button, Press
from device.speech import Language
from rules.text import Text
from ui.setting_up.names import name_fault

TITLE = Text("Who?")
CONFIRM, BACK, UP, DOWN = (Press(button) for button in (Button.CONFIRM, Button.BACK, Button.UP, Button.DOWN))
HOLD, LEAVE, CHANGE = (Press(button, long=True) for button in (Button.CONFIRM, Button.BACK, Button.DOWN))


def begun(language: Language = Language.EN, *taken: str) -> NamePicker:
    return NamePicker.begin(TITLE, language, taken)


def after(picker: NamePicker, *presses: Press) -> NamePicker:
    for press in presses:
        following = picker.take_press(press)
        assert isinstance(following, NamePicker), press
        picker = following
    return picker


def written(picker: NamePicker, name: str) -> NamePicker:
    """Any letter is reached by going on and on, and scripts are changed by holding."""
    for letter in name:
        for _ in Script:
            rows = picker.rows
            if letter == " " or any(letter in row for row in rows[1:]):
                break
            picker = after(picker, CHANGE)
        wanted = "␣" if letter == " " else letter
        row = next(number for number, row in enumerate(rows) if wanted in row)
        picker = after(picker, *[DOWN] * ((row - picker.row) % len(rows)), CONFIRM)
        picker = after(picker, *[DOWN] * rows[row].index(wanted), CONFIRM)
    return picker


@pytest.mark.parametrize(
    "name", ["Mia", "J. Hilbert", "O'Neil", "Anne-Marie", "Player 7", "ひるべると", "バーバ・ヤーガ", "Kがうす"]
)
@pytest.mark.parametrize("language", Language.all())
def test_names_are_written(name: str, language: Language) -> None:
    picker = written(begun(language), name)
    assert picker.typed == name
    assert picker.take_press(HOLD) == name


def test_a_name_begins_large_and_goes_on_small() -> None:
    assert begun().rows[1][0] == "A"
    assert written(begun(), "A").rows[1][0] == "a"
    assert written(begun(), "A. ").rows[1][0] == "A"
    turned = after(written(begun(), "Mc"), UP, UP, UP, CONFIRM)
    assert turned.rows[0][-1] == "a/A"


def test_the_case_is_turned_for_one_letter() -> None:
    picker = written(begun(), "Mc")
    picker = after(picker, *[UP] * picker.row, CONFIRM, *[DOWN] * 4, CONFIRM)
    assert picker.rows[1][0] == "A"
    assert written(picker, "Kay").typed == "McKay"


def test_back_takes_away_and_then_leaves() -> None:
    picker = written(begun(), "Ab")
    assert after(picker, CONFIRM, BACK).typed == "Ab"
    assert after(picker, BACK, BACK).typed == ""
    assert after(picker, BACK, BACK).take_press(BACK) is None
    assert picker.take_press(LEAVE) is None


def test_what_no_seat_can_be_called_is_refused_with_a_word() -> None:
    assert "needs a letter" in after(begun(), HOLD).make_screen().pad.fault  # type: ignore[union-attr]
    taken = after(written(begun(Language.EN, "Mia"), "Mia"), HOLD)
    assert taken.fault is not None
    assert str(taken.fault) == "Mia sits at the table already."
    assert after(taken, DOWN).fault is None


def test_a_name_is_never_longer_than_the_display_shows() -> None:
    wide = written(begun(Language.JA), "あ" * 16)
    assert after(wide, CONFIRM, CONFIRM).typed == "あ" * 16
    assert after(wide, CONFIRM, CONFIRM).fault is not None
    assert wide.take_press(HOLD) == "あ" * 16
    narrow = written(begun(), "Abcdefghijklmnopqrst")
    assert after(narrow, CONFIRM, CONFIRM).fault is not None


def test_any_presses_leave_a_name_that_can_be_shown() -> None:
    rng = random.Random(7)
    for _ in range(60):
        picker: NamePicker | str | None = begun(rng.choice(Language.all()))
        for _ in range(120):
            assert isinstance(picker, NamePicker)
            picker.make_screen()
            picker = picker.take_press(Press(rng.choice(list(Button)), rng.random() < 0.2))
            if not isinstance(picker, NamePicker):
                assert picker is None or name_fault(picker) is None
                break


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("J. Hilbert", ""),
        ("あ" * 16, ""),
        ("𠮷野", ""),
        ("田中　太郎", ""),
        ("あ" * 17, "16 wide"),
        ("a" * 21, "20 letters"),
        ("Ada 🎲", "“🎲”"),
        ("👨‍👩‍👧", "can't show"),
        ("ก", "“ก”"),
        ("a\u200bb", "can't show"),
        ("a\nb", "one line"),
        ("  ", "needs a letter"),
    ],
)
def test_names_are_shown_or_refused_with_a_word(name: str, words: str) -> None:
    fault = name_fault(name)
    assert (fault is None) == (not words)
    if fault is not None:
        assert words in str(fault)
        assert fault.said(Language.JA)
