"""What is typed wrong is said in one sentence, in the language of the locale or of ``--language``."""

from __future__ import annotations

import re

import pytest

from cli.line.wrong_use import find_language
from cli.main import main
from rules.text import Language

WRONG = (
    ("", "COMMAND を指定してください"),
    ("dance", "「dance」|'dance'.*は選べません"),
    ("enrol", "--deck を指定してください"),
    ("enrol --deck", "--deck の後に値を1つ書いてください"),
    ("enrol --deck mine --card H7", "--card の後に値を2個書いてください"),
    ("read", "IMAGE を指定してください"),
    ("read a.jpg --dice-mm wide", "--dice-mm：'wide' は数ではありません"),
    ("read a.jpg --colour", "--colour は使えません"),
    ("read a.jpg --json=yes", "--json に値 'yes' は付けられません"),
    ("check a --language fr", "--language：'fr' は選べません（選べるのは"),
    ("settings --show --write", "--write は --show と同時には使えません"),
    ("print mat out.pdf --mat big", "--mat：'big' はマットの大きさではありません（300x300～3000x3000 mm"),
    ("print mat out.pdf --overlap 1", "--overlap：'1' はのりしろの幅ではありません（5～30 mm）"),
    ("print mat out.pdf --bleed x", "--bleed：'x' は塗り足しの幅ではありません（0～5 mm）"),
    ("print mat out.pdf --players x", "--players：'x' は数ではありません"),
    ("demo --size 10x10", "--size：'10x10' は画面の大きさではありません（240x200～3840x2160画素"),
    ("demo --seed", "--seed の後に値を1つ書いてください"),
    ("demo --seed x", "--seed：'x' は0以上の整数（18桁まで）ではありません"),
    ("score a --game g --deck d --seats 0", "--seats：'0' は人数ではありません（1～9）"),
    ("games show x", "ID：'x' は一覧の番号ではありません"),
    ("enrol --deck d --page seven", "--page：'seven' はページと写真の組ではありません"),
    ("run --players Ada", "--players：'Ada' は20字までの異なる名前2～5個ではありません"),
)


@pytest.mark.few(6)
@pytest.mark.parametrize(("typed", "ja"), WRONG)
def test_it_is_said_in_both_languages(
    typed: str, ja: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert main(typed.split()) == 2
    english = capsys.readouterr().err
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert main(typed.split()) == 2
    japanese = capsys.readouterr().err
    for said in (english, japanese):
        assert said.startswith("sevenmat: ")
        assert said.count("\n") == 1
        assert "--help" in said
    assert english.isascii()
    assert re.search(ja if "|" in ja else re.escape(ja), japanese), japanese
    assert "argument" not in japanese


def test_the_language_that_is_asked_for_counts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert main(["check", "--language", "ja", "--colour", "a"]) == 2
    assert "使えません" in capsys.readouterr().err
    assert find_language(["check", "--language=ja"], Language.EN) is Language.JA
    assert find_language(["check", "--language", "fr"], Language.EN) is Language.EN
    assert find_language(["check", "--language"], Language.JA) is Language.JA
