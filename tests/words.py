"""Words in a language, whether of a text, a card or an error."""

from __future__ import annotations

from rules.text import Language, Text, Worded


def en(words: Text | Worded) -> str:
    """Return the words in English."""
    return _text(words).said(Language.EN)


def ja(words: Text | Worded) -> str:
    """Return the words in Japanese."""
    return _text(words).said(Language.JA)


def _text(words: Text | Worded) -> Text:
    return words if isinstance(words, Text) else words.text
