"""Which language people are spoken to in, and how words are put where they leave the program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from copy import copy
from typing import Any, Protocol, TypeVar

from device.errors import DeviceError
from rules.text import Language, Text, in_context, verbatim
from vision.errors import VisionError

__all__ = [
    "Language",
    "default_language",
    "each_json",
    "from_to",
    "in_both",
    "in_the_next",
    "kept_in",
    "make_heading",
    "own_name",
    "say",
    "speak_in",
    "spoken_or_english",
    "strip_article",
    "text_json",
    "text_of",
    "yes_or_no",
]

_ENDINGS = {Language.EN: "", Language.JA: "_ja"}
_ANSWERS = {"yes": in_context("answer", "yes"), "no": in_context("answer", "no")}


def default_language(environment: Mapping[str, str] = os.environ) -> Language:
    """Return the locale's language where it can be spoken, otherwise English."""
    locale = next((environment[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(key)), "")
    return next((language for language in Language.all() if locale.startswith(language.code)), Language.EN)


def spoken_or_english(code: object) -> Language:
    """Return the language of that code, English where its catalogue has been removed.

    Raises:
        ValueError: it is no code.
    """
    if not isinstance(code, str):
        raise ValueError("no language")
    return next((language for language in Language.all() if language.code == code), Language.EN)


class InOneLanguage(Protocol):
    """What makes screens in one language."""

    _language: Language


S = TypeVar("S", bound=InOneLanguage)


def speak_in(speaker: S, language: Language | None) -> S:
    """Who says the same in another language, or itself where none is given; it is asked for words alone."""
    if language is None or language is speaker._language:
        return speaker
    other = copy(speaker)
    other._language = language
    return other


def say(error: DeviceError | VisionError, language: Language) -> str:
    """Say the error's one sentence in that language."""
    return error.text.said(language)


def own_name(language: Language) -> Text:
    """Return a language's name in itself."""
    return verbatim(in_context("own name", "English").said(language))


def in_the_next(language: Language) -> Text:
    """Return the label that leads to the next language, in that language."""
    return verbatim(Text("Show in English").said(language.following))


def from_to(least: int, most: int) -> Text:
    """Whole numbers between two, or the only one."""
    return verbatim(least) if least == most else Text("{least} to {most}", least=least, most=most)


def in_both(text: Text, between: str = "　") -> str:
    """Join a text in Japanese and in English, as it is printed."""
    return f"{text.said(Language.JA)}{between}{text.said(Language.EN)}"


def strip_article(words: Text, language: Language) -> str:
    """Words from within sentences, by themselves: without an article."""
    return words.said(language).removeprefix("the ").removeprefix("a ")


def make_heading(words: Text, language: Language) -> str:
    """Words from within sentences as a heading."""
    return Text("{words!c}", words=strip_article(words, language)).said(language)


def each_json(text: Text) -> dict[str, str]:
    """Return a text in each language, by the language's code."""
    return {language.code: text.said(language) for language in dict.fromkeys((*_ENDINGS, *Language.all()))}


def text_json(text: Text, key: str = "text") -> dict[str, str]:
    """Return a text as our JSON has it: in English, and in Japanese beside it."""
    return {f"{key}{ending}": text.said(language) for language, ending in _ENDINGS.items()}


def text_of(data: Mapping[str, Any], language: Language) -> str:
    """Return the text in such JSON, in that language."""
    return str(data[f"text{_ENDINGS.get(language, '')}"])


def kept_in(data: Mapping[str, Any], language: Language) -> str:
    """Return what ``each_json`` made, in that language, or in English where it was kept before that one was added."""
    return str(data.get(language.code, data["en"]))


def yes_or_no(answer: str) -> str:
    """``yes`` or ``no``, whichever was typed in any language or by its first letter; empty for anything else."""
    said = {words.said(language): meant for meant, words in _ANSWERS.items() for language in Language.all()}
    return {**said, "y": "yes", "n": "no"}.get(answer.strip().lower(), "")
