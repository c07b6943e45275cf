"""A leaf of help from words in both languages."""

from __future__ import annotations

from rules.text import Language, Text
from ui.screen_state import Leaf


def make_leaf(language: Language, title: Text, *words: Text) -> Leaf:
    """Make a leaf of paragraphs."""
    return Leaf(title.said(language), tuple(text.said(language) for text in words))
