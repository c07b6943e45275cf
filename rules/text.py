"""What people read, in English and in Japanese: one value that holds both and is asked once.

Sentences are made from data and never taken apart again. What has several sentences is a tuple of texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from rules.cards import Card

_LONGEST_NAME = 60


class Language(Enum):
    """A language that people are spoken to in; the value is its ISO code."""

    JA = "ja"
    EN = "en"

    @property
    def other(self) -> Language:
        """The other language."""
        return _OTHER[self]


_OTHER = {Language.JA: Language.EN, Language.EN: Language.JA}


class Bilingual(Protocol):
    """Anything that has words in both languages."""

    @property
    def en(self) -> str:
        """The words in English."""

    @property
    def ja(self) -> str:
        """The words in Japanese."""


@dataclass(frozen=True, slots=True)
class Text:
    """A name, a sentence or a part of one in English and in Japanese."""

    en: str
    ja: str

    def said(self, language: Language) -> str:
        """The text in that language."""
        return said(self, language)

    @classmethod
    def of(cls, words: Bilingual) -> Text:
        """The words of anything that has some."""
        return cls(words.en, words.ja)


def said(words: Bilingual, language: Language) -> str:
    """The words in that language: the one place that asks which it is."""
    return words.ja if language is Language.JA else words.en


def joined(texts: Iterable[Text]) -> Text:
    """Sentences one after the other."""
    texts = tuple(texts)
    return Text(" ".join(text.en for text in texts), "".join(text.ja for text in texts))


def inside(before: Text, words: Text, after: Text) -> Text:
    """Words between what a sentence says before and after them."""
    return Text(f"{before.en}{words.en}{after.en}", f"{before.ja}{words.ja}{after.ja}")


def listing(texts: Iterable[Text]) -> Text:
    """Names in a row: ``a, b and c``, ``a、b、c``; one name at least."""
    texts = tuple(texts)
    names = [text.en for text in texts]
    en = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    return Text(en, "、".join(text.ja for text in texts))


def player(name: str) -> Text:
    """A player's name, with the Japanese form of address."""
    return Text(name, f"{name}さん")


def listed(cards: Iterable[Card]) -> Text:
    """Cards in words: ``heart 7, onion 8 and coin 10``."""
    names = [Text.of(card) for card in cards]
    return listing(names) if names else Text("no card", "カードなし")


def number(count: int) -> Text:
    """A number of cards in words: ``1 card``, ``2枚``."""
    return Text(f"{count} card" if count == 1 else f"{count} cards", f"{count}枚")


def shortened(name: str) -> str:
    """A name that somebody else wrote, cut where it is too long for a sentence."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def with_article(noun: str) -> str:
    """The English noun with the article that fits it.

    >>> with_article("onion"), with_article("book")
    ('an onion', 'a book')
    """
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def sentence_case(text: str) -> str:
    """The English text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]
