"""A leaf of help from words in both languages."""

from __future__ import annotations

from rules.text import Language, Text
from ui.screen_state import Leaf

NOW, SETUP, SCORE = Text("What may be done", "できること"), Text("Set-up", "準備"), Text("Points", "得点")


def leaf(language: Language, title: Text, *words: Text) -> Leaf:
    """A leaf of paragraphs."""
    return Leaf(title.said(language), tuple(text.said(language) for text in words))
