"""An argument parser that helps in the language of whoever asks."""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, NoReturn, TypeVar

from cli.line.wrong_use import WrongArgumentError, WrongUseError
from rules.plain import shorten_line
from rules.text import Language, Text, in_context, plural

_LONGEST = 300

_USAGE = Text("usage: ")
_OF_ARGPARSE = (
    _USAGE,
    Text("options"),
    Text("positional arguments"),
    Text("show this help message and exit"),
    Text("argument %(argument_name)s: %(message)s"),
    Text("the following arguments are required: %s"),
    Text("unrecognized arguments: %s"),
    Text("ambiguous option: %(option)s could match %(matches)s"),
    Text("one of the arguments %s is required"),
    Text("invalid choice: %(value)r (choose from %(choices)s)"),
    Text("invalid %(type)s value: %(value)r"),
    Text("expected one argument"),
    Text("expected at least one argument"),
    Text("expected at most one argument"),
    Text("not allowed with argument %s"),
    Text("ignored explicit argument %r"),
)
"""What argparse says itself, by its English words."""
T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """Takes its words in both languages. Its errors are one sentence; options are written out in full."""

    ending: Callable[[], Text] | None = None
    """Makes the last part of the help, as it is to be printed; it may take what isn't loaded at every start."""

    def __init__(self, *, language: Language, **options: Any) -> None:
        # argparse looks its own words up in the locale's language; here they are looked up in that of the parser.
        known = {str(text): text.said(language) for text in _OF_ARGPARSE}

        def expected(one: str, many: str, count: int) -> str:
            return plural("expected %s argument", "expected %s arguments", count=count).said(language)

        vars(argparse).update(_=lambda message: known.get(message, message), ngettext=expected)
        formatter = {Language.JA: _JapaneseHelp}.get(language, argparse.HelpFormatter)
        super().__init__(**{**options, "allow_abbrev": False, "formatter_class": formatter})
        self.language = language

    def add_option(self, *names: str, words: Text, **how: Any) -> None:
        """Take an option, or a word in its place, with what helps to use it; ``how`` is argparse's."""
        if "type" in how:
            how["type"] = self._translate_faults(how["type"])
        self.add_argument(*names, help=words.said(self.language), **how)

    def _translate_faults(self, kind: Callable[[str], T]) -> Callable[[str], T]:
        """Make the same kind of argument say in the parser's language what can't be."""

        @wraps(kind)
        def read(text: str) -> T:
            try:
                return kind(text)
            except WrongArgumentError as error:
                wrong = in_context("after an argument's name", "{wrong}", wrong=error)
                raise argparse.ArgumentTypeError(wrong.said(self.language)) from error

        return read

    def format_help(self) -> str:
        """Format the help, with the ending."""
        ending = f"\n{self.ending().said(self.language).strip()}\n" if self.ending is not None else ""
        return super().format_help() + ending

    def error(self, message: str) -> NoReturn:
        """Say what is wrong.

        Raises:
            WrongUseError: always.
        """
        said = shorten_line(message, _LONGEST)
        raise WrongUseError(Text("{said}; see '{command} --help'.", said=said, command=self.prog))


class _JapaneseHelp(argparse.HelpFormatter):
    """Lines break where a Japanese reader would, and are as long as they look."""

    def _format_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None,
    ) -> str:
        if prefix is not None:
            return super()._format_usage(usage, actions, groups, prefix)
        english, japanese = _USAGE.said(Language.EN), _USAGE.said(Language.JA)
        lines = super()._format_usage(usage, actions, groups, english)
        # The word is one column wider than the English one that the other lines are set in by.
        return lines.replace(english, japanese, 1).replace("\n ", "\n  ")

    def _split_lines(self, text: str, width: int) -> list[str]:
        from ui.wrapping import wrap  # the breaking of Japanese is loaded when there is some

        return wrap(" ".join(text.split()), width, count_columns)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in self._split_lines(text, width - len(indent)))


def count_columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for each wide letter."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
