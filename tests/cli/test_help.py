"""``--help`` in Japanese and in English: of the whole command and of each of its parts, with every option told."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

import pytest

from cli.line.options import build_parser
from cli.line.parser import Parser, count_columns
from cli.main import _HANDLERS, main
from rules.text import Language

COMMANDS = ("", *_HANDLERS)
JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")
ENGLISH = re.compile(r"\b[A-Za-z']+(?: [a-z']+){3,}")
"""Four words in a row are no names of commands."""
WIDTH = 80


def helped(command: str, locale: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    assert main([*command.split(), "--help"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def parsers(language: Language) -> Iterator[Parser]:
    whole = build_parser(language, _HANDLERS)
    yield whole
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.values()


@pytest.mark.few(4)
@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_japanese_where_the_locale_is(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = helped(command, "ja_JP.UTF-8", capsys, monkeypatch)
    assert said.startswith(f"使い方: sevenmat {command}".rstrip())
    assert "\nオプション:\n" in said
    usage, *rest = said.split("\n\n")
    told = "\n\n".join(rest)
    assert not ENGLISH.search(told), ENGLISH.search(told)
    for word in ("usage", "options:", "positional arguments", "commands:", "default:"):
        assert word not in said
    assert JAPANESE.search(rest[0])
    for line in (*usage.splitlines(), *told.partition("印刷できるもの")[0].partition("ページに並べる")[0].splitlines()):
        assert count_columns(line) <= WIDTH, line


@pytest.mark.few(4)
@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_english_elsewhere(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = helped(command, "en_GB.UTF-8", capsys, monkeypatch)
    assert said.startswith(f"usage: sevenmat {command}".rstrip())
    assert "\noptions:\n" in said
    before_the_papers = said.partition("what lies on the pages")[0]
    assert not JAPANESE.search(before_the_papers)


def test_the_language_that_is_asked_for_counts_wherever_it_stands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    for words in (
        ["--language", "ja", "--help"],
        ["read", "--help", "--language=ja"],
        ["read", "--language", "ja", "-h"],
    ):
        assert main(words) == 0
        assert "使い方: sevenmat" in capsys.readouterr().out
    assert main(["--language", "ja", "decks", "show"]) == 2
    assert JAPANESE.search(capsys.readouterr().err)
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert main(["--language", "en", "--help"]) == 0
    assert "usage: sevenmat" in capsys.readouterr().out


def test_everything_that_can_be_typed_has_help_in_both_languages() -> None:
    for english, japanese in zip(parsers(Language.EN), parsers(Language.JA), strict=True):
        assert english.prog == japanese.prog
        for one, other in zip(english._actions, japanese._actions, strict=True):
            if isinstance(one, argparse._SubParsersAction) and isinstance(other, argparse._SubParsersAction):
                told = [(en.help, ja.help) for en, ja in zip(one._choices_actions, other._choices_actions, strict=True)]
            else:
                told = [(one.help, other.help)]
            for en, ja in told:
                assert en, (english.prog, one)
                assert ja, (english.prog, one)
                assert not JAPANESE.search(en)
                assert JAPANESE.search(ja)
