"""Words on their way to a phone: in every language, since two phones at one table may have two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from device.speech import kept_in
from rules.text import Language, Text


def say(words: Any, language: Language) -> str:
    """Return a text, or what ``each_json`` made of one, in that language; anything else as it is."""
    if isinstance(words, Text):
        return words.said(language)
    if isinstance(words, Mapping):
        return kept_in(words, language)
    return str(words)


def choose_language(accepted: str, chosen: str | None) -> Language:
    """Choose the phone's language: the one chosen on the page, else the first accepted one that is spoken here."""
    known = {language.code: language for language in Language.all() if language.can_be_spoken}
    if chosen in known:
        return known[chosen]
    wanted: list[tuple[float, int, str]] = []
    for number, part in enumerate(accepted.split(",")[:20]):
        code, _, quality = part.partition(";")
        try:
            weight = float(quality.partition("=")[2]) if quality else 1.0
        except ValueError:
            weight = 0.0
        wanted.append((-weight, number, code.strip().lower().split("-")[0]))
    return next((known[code] for weight, _, code in sorted(wanted) if code in known and weight < 0), Language.EN)
