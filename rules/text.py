"""What people read: an English template with named slots, which a catalogue translates when it is said.

The code speaks English. ``Text("{who} captures {card}.", who=who, card=card)`` is a value: its template is the message
id of the catalogues (gettext), and what stands in its slots is said in the language of the whole. Sentences are made
from data and never taken apart again. What has several sentences is a tuple of texts.
"""

from __future__ import annotations

import gettext
import string
from collections.abc import Iterable
from enum import Enum
from functools import reduce
from typing import Any

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
_CATALOGUES: dict[Language, gettext.NullTranslations] = {}


def translate(language: Language, catalogue: gettext.NullTranslations) -> None:
    """From now on, texts are said in that language by this catalogue."""
    _CATALOGUES[language] = catalogue


def catalogue_of(language: Language) -> gettext.NullTranslations:
    """The catalogue that texts are said by in that language."""
    return _CATALOGUES.get(language, _ENGLISH)


class Worded:
    """What has words for people, its ``text``, and may stand in a slot as it is."""

    __slots__ = ()
    text: Any

    @property
    def en(self) -> str:
        """The words in English."""
        return str(self.text.en)

    @property
    def ja(self) -> str:
        """The words in Japanese."""
        return str(self.text.ja)


class Text:
    """A name, a sentence or a part of one.

    A slot is written ``{card}`` in the template; ``{card!c}`` begins an English sentence and ``{noun!a}`` has its
    article. A template without slots is taken as it is, braces and all.
    """

    __slots__ = ("_context", "_many", "_slots", "_template")

    def __init__(self, template: str, /, **slots: Any) -> None:
        self._template = template
        self._slots = slots
        self._many: str | None = None
        self._context: str | None = None

    @property
    def en(self) -> str:
        """The text in English."""
        return self.said(Language.EN)

    @property
    def ja(self) -> str:
        """The text in Japanese."""
        return self.said(Language.JA)

    def said(self, language: Language) -> str:
        """The text in that language."""
        catalogue = catalogue_of(language)
        if not self._template:  # gettext keeps a catalogue's header there
            return ""
        if self._many is not None:
            template = catalogue.ngettext(self._template, self._many, self._slots["count"])
        elif self._context is not None:
            template = catalogue.pgettext(self._context, self._template)
        else:
            template = catalogue.gettext(self._template)
        return _FILLING[language].vformat(template, (), self._slots) if self._slots else template

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and (self.en, self.ja) == (other.en, other.ja)

    def __hash__(self) -> int:
        return hash(self._template)

    def __str__(self) -> str:
        return self.en

    def __repr__(self) -> str:
        return f"<Text {self.en!r}>"


class SaidError(Exception):
    """What can't be done, in words for people; ``str(error)`` are the English ones."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text

    @property
    def en(self) -> str:
        """The words in English."""
        return self.text.en

    @property
    def ja(self) -> str:
        """The words in Japanese."""
        return self.text.ja


class Both(Text):
    """Words that are still spelt out in both languages."""

    __slots__ = ("_ja",)

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self._ja = ja

    def said(self, language: Language) -> str:
        """The text in that language."""
        return self._ja if language is Language.JA else self._template

    def __hash__(self) -> int:
        return hash(self._template)


class _Filling(string.Formatter):
    """Fills the slots of a template in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if not isinstance(value, Text):
            value = getattr(value, "text", value)
        if isinstance(value, Text):
            value = value.said(self._language)
        if conversion == "c":
            return sentence_case(str(value))
        if conversion == "a":
            return with_article(str(value))
        return super().convert_field(value, conversion)


_FILLING = {language: _Filling(language) for language in Language}
_ENGLISH = gettext.NullTranslations()


def in_context(context: str, template: str, /, **slots: Any) -> Text:
    """A text whose English words mean something else elsewhere."""
    text = Text(template, **slots)
    text._context = context
    return text


def plural(one: str, many: str, /, *, count: int, **slots: Any) -> Text:
    """A text that depends on a number, its slot ``count``."""
    text = Text(one, count=count, **slots)
    text._many = many
    return text


def verbatim(words: object) -> Text:
    """A name, a number or a command: the same in every language."""
    return in_context("verbatim", "{words}", words=words)


def joined(texts: Iterable[Text]) -> Text:
    """Sentences one after the other."""
    texts = tuple(texts)
    return reduce(lambda before, text: Text("{before} {text}", before=before, text=text), texts) if texts else Text("")


def sentence(words: Text) -> Text:
    """Words as a sentence of their own."""
    return Text("{words!c}.", words=words)


def inside(before: Text, words: Text, after: Text) -> Text:
    """Words between what a sentence says before and after them."""
    return Both(f"{before.en}{words.en}{after.en}", f"{before.ja}{words.ja}{after.ja}")


def in_a_row(texts: Iterable[Text]) -> Text:
    """Names in a row: ``a, b, c``, ``a、b、c``; one name at least."""
    return reduce(lambda names, name: Text("{names}, {name}", names=names, name=name), texts)


def alternatives(texts: Iterable[Text]) -> Text:
    """Names one of which is enough: ``a / b``, ``a・b``; one name at least."""
    return reduce(lambda names, name: Text("{names} / {name}", names=names, name=name), texts)


def listing(texts: Iterable[Text]) -> Text:
    """Names in a row: ``a, b and c``, ``a、b、c``; one name at least."""
    *names, last = texts
    return Text("{names} and {last}", names=in_a_row(names), last=last) if names else last


def player(name: str) -> Text:
    """A player's name, with the Japanese form of address."""
    return in_context("player", "{name}", name=name)


def listed(cards: Iterable[Worded]) -> Text:
    """Cards in words: ``heart 7, onion 8 and coin 10``."""
    names = [card.text for card in cards]
    return listing(names) if names else Text("no card")


def number(count: int) -> Text:
    """A number of cards in words: ``1 card``, ``2枚``."""
    return plural("{count} card", "{count} cards", count=count)


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
