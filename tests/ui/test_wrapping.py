"""Line breaking in Japanese and English."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.wrapping import HYPHEN, split_phrases, wrap, wrap_evenly


def test_no_line_begins_with_a_closing_mark() -> None:
    for width in range(4, 30):
        for line in wrap("（引用は、できません。）「論文」を、戻してください。ラミー", width, len)[1:]:
            assert line[0] not in "、。）」ー", (width, line)


def test_names_and_numbers_stay_whole_where_they_fit() -> None:
    lines = wrap("BanachさんがHilbertさんの4ストフラを査読し、オニオン7を取りました。", 14, len)
    assert all(any(word in line for line in lines) for word in ("Banachさんが", "Hilbertさんの", "オニオン7を"))


def test_the_honorific_stays_with_its_word() -> None:
    assert not any(line.endswith("お") for width in range(8, 20) for line in wrap("カードとお礼の枚数", width, len))


@given(st.text(alphabet="aあア漢 、。「」7-", max_size=40), st.integers(2, 12))
def test_wrapping_keeps_every_letter_and_the_width(text: str, width: int) -> None:
    for lines in (wrap(text, width, len), wrap_evenly(text, width, len)):
        assert all(len(line) <= width for line in lines)
        assert "".join(lines).replace(" ", "").replace(HYPHEN, "") == text.replace(" ", "").replace(HYPHEN, "")
        assert not any(one[-1:] == after[:1] == "a" for one, after in pairwise(lines)) or "a a" in text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Noether has 15 points and 3 cards of one rank.", ("15 points", "3 cards")),
        ("Put coin 10 and coffin K back, and heart A too.", ("coin 10", "coffin K", "heart A")),
        ("Stop now: +1, 92 % chance. One roll: 6 % to hit.", ("92 %", "6 %")),
        ("残り5手番で、カードを3枚、15点です。", ("5手番", "3枚", "15点")),
        ("お礼のカード1枚を手札に入れてください。", ("1枚を", "手札に")),
    ],
)
def test_no_line_ends_within_a_number_and_its_unit(text: str, whole: tuple[str, ...]) -> None:
    for width in range(11, 40):
        lines = wrap(text, width, len)
        assert all(any(part in line for line in lines) for part in whole), (width, lines)


def test_japanese_breaks_where_a_reader_would() -> None:
    said = "読めないカードがあり、比べられません。よく見えるように直してください。"
    assert split_phrases(said) == (
        "読めない",
        "カードが",
        "あり、",
        "比べられません。",
        "よく",
        "見えるように",
        "直してください。",
    )


@pytest.mark.parametrize(
    ("word", "width", "parts"),
    [
        ("lumber", 5, ["lum-", "ber"]),
        ("workshop", 5, ["work-", "shop"]),
        ("apothecary", 7, ["apothe-", "cary"]),
        ("philosophers", 8, ["philoso-", "phers"]),
        ("lighthouse", 7, ["light-", "house"]),
        ("Straight", 5, ["Stra-", "ight"]),
        ("1234567", 5, ["12345", "67"]),
    ],
)
def test_a_word_too_long_for_a_line_is_hyphenated_between_syllables(word: str, width: int, parts: list[str]) -> None:
    assert wrap(word, width, len) == parts
