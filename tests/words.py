"""Words in a language, whether of a text, a card or an error."""

from __future__ import annotations

from rules.text import HasText, Language, Text


def en(words: Text | HasText) -> str:
    """Return the words in English."""
    return _text(words).said(Language.EN)


def ja(words: Text | HasText) -> str:
    """Return the words in Japanese."""
    return _text(words).said(Language.JA)


def _text(words: Text | HasText) -> Text:
    return words if isinstance(words, Text) else words.text
