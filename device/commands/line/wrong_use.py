"""What was typed wrong on the command line, in both languages: argparse speaks English alone."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from rules.plain import shortly
from rules.text import Both, Language, Text

_APART = "\x1f"
"""Stands between the two languages of a message of ours; nobody types it."""
_LONGEST = 300

_ARGPARSE = (
    (r"the following arguments are required: (.+)", r"\1 を指定してください"),
    (r"unrecognized arguments: (.+)", r"\1 は使えません"),
    (r"ambiguous option: (.+?) could match (.+)", r"\1 はどれのことか決まりません（\2）"),
    (r"one of the arguments (.+) is required", r"\1 のどれかを指定してください"),
    (r"argument (.+?): invalid choice: (.+) \(choose from (.*)\)", r"\1：\2 は選べません（選べるのは \3）"),
    (r"argument (.+?): invalid (?:int|float) value: (.+)", r"\1：\2 は数ではありません"),
    (r"argument (.+?): invalid \S+ value: (.+)", r"\1：\2 は指定できません"),
    (r"argument (.+?): expected one argument", r"\1 の後に値を1つ書いてください"),
    (r"argument (.+?): expected at least one argument", r"\1 の後に値を1つ以上書いてください"),
    (r"argument (.+?): expected at most one argument", r"\1 の後に書ける値は1つまでです"),
    (r"argument (.+?): expected (\d+) arguments?", r"\1 の後に値を\2個書いてください"),
    (r"argument (.+?): not allowed with argument (.+)", r"\1 は \2 と同時には使えません"),
    (r"argument (.+?): ignored explicit argument (.+)", r"\1 に値 \2 は付けられません"),
)
"""What argparse says, by patterns that match all of it, and the same in Japanese."""


class WrongUseError(Exception):
    """The command line can't be understood; ``words`` say why."""

    def __init__(self, message: str, command: str) -> None:
        super().__init__(message)
        self.words = _in_both(message, command)


def wrong_argument(text: Text) -> argparse.ArgumentTypeError:
    """What a type raises where an argument can't be, in both languages."""
    return argparse.ArgumentTypeError(f"{text.en}{_APART}{text.ja}")


def _in_both(message: str, command: str) -> Text:
    """The whole sentence of what a parser has to say."""
    en, ours, ja = message.partition(_APART)
    if ours:
        named = re.match(r"argument (.+?): ", en)
        ja = f"{named[1]}：{ja}" if named else ja
    else:
        ja = next((re.sub(found, told, en) for found, told in _ARGPARSE if re.fullmatch(found, en, re.DOTALL)), en)
    return Both(
        f"{shortly(en, _LONGEST)}; see '{command} --help'.", f"{shortly(ja, _LONGEST)}。使い方は「{command} --help」"
    )


def language_in(arguments: Sequence[str], otherwise: Language) -> Language:
    """The language that a command line asks for, whatever else is wrong with it."""
    wanted = otherwise
    for argument, following in zip(arguments, (*arguments[1:], ""), strict=False):
        value = following if argument == "--language" else argument.removeprefix("--language=")
        if argument.startswith("--language") and value in {language.value for language in Language}:
            wanted = Language(value)
    return wanted
