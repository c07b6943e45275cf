"""What was typed wrong on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from rules.text import Language, SaidError


class WrongUseError(SaidError):
    """The command line can't be understood."""


class WrongArgumentError(SaidError):
    """What a type raises where an argument can't be."""


def find_language(arguments: Sequence[str], otherwise: Language) -> Language:
    """Return the language that a command line asks for, whatever else is wrong with it."""
    wanted = otherwise
    for argument, following in zip(arguments, (*arguments[1:], ""), strict=False):
        value = following if argument == "--language" else argument.removeprefix("--language=")
        if argument.startswith("--language"):
            wanted = next((language for language in Language.all() if language.code == value), wanted)
    return wanted
