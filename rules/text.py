"""What people read: an English template with named slots, which a catalogue translates when it is said.

The code speaks English. ``Text("{who} captures {card}.", who=who, card=card)`` is a value: its template is the message
id of the catalogues (gettext), and what stands in its slots is said in the language of the whole. Sentences are made
from data and never taken apart again. What has several sentences is a tuple of texts.
"""

from __future__ import annotations

import gettext
import string
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import cache, reduce
from typing import Any, ClassVar, Protocol

_LONGEST_NAME = 60
_AS_IT_IS = "{words}"
_FORMATTER = string.Formatter()
MISSING = gettext.NullTranslations()
"""The catalogue of a language that has none: it says everything in English."""


class Language:
    """A language that people are spoken to in, by its ISO code: English, or one that has a catalogue."""

    EN: ClassVar[Language]
    JA: ClassVar[Language]
    """The second language of whatever is written for other programs (``text_ja``)."""
    _known: ClassVar[dict[str, Language]] = {}

    def __init__(self, code: str, catalogue: gettext.NullTranslations) -> None:
        self.code = code
        self.catalogue = catalogue
        self._known[code] = self

    @classmethod
    def of(cls, code: object) -> Language:
        """Return the language of that code.

        Raises:
            ValueError: none is known by it.
        """
        if not isinstance(code, str) or code not in cls._known:
            raise ValueError(f"no such language: {code!r}")
        return cls._known[code]

    @classmethod
    def all(cls) -> tuple[Language, ...]:
        """Return every language that can be spoken."""
        return tuple(cls._known.values())

    @property
    def can_be_spoken(self) -> bool:
        """Whether it has its words: all but English need a catalogue."""
        return self.catalogue is not MISSING

    @property
    def following(self) -> Language:
        """The next one of all, after the last one the first."""
        known = self.all()
        return known[(known.index(self) + 1) % len(known)]

    def __reduce__(self) -> tuple[Callable[[str], Language], tuple[str]]:
        return Language.of, (self.code,)

    def __repr__(self) -> str:
        return f"Language.{self.code.upper()}"


def translate(code: str, catalogue: gettext.NullTranslations) -> None:
    """Write texts in the language of that code by this catalogue from now on."""
    known = {language.code: language for language in Language.all()}
    (known.get(code) or Language(code, catalogue)).catalogue = catalogue


class HasText(Protocol):
    """What has words for people, and may stand in a slot as it is."""

    @property
    def text(self) -> Text:
        """The words."""


class Text:
    """A name, a sentence or a part of one.

    A slot is written ``{card}`` in the template; ``{card!c}`` begins an English sentence and ``{noun!a}`` has its
    article. A template without slots is taken as it is, braces and all.
    """

    __slots__ = ("_context", "_many", "_slots", "_template")

    def __init__(self, template: str = "", /, **slots: Any) -> None:
        self._template = template
        self._slots = slots
        self._many: str | None = None
        self._context: str | None = None

    @property
    def slots(self) -> Mapping[str, Any]:
        """What stands in the slots, by their names."""
        return self._slots

    def refill(self, **slots: Any) -> Text:
        """Return the same text with other things in these slots."""
        text = copy(self)
        text._slots = {**self._slots, **slots}
        return text

    def said(self, language: Language) -> str:
        """Write the text in that language."""
        catalogue = language.catalogue
        if not self._template:  # gettext keeps a catalogue's header there
            return ""
        if self._many is not None:
            template = catalogue.ngettext(self._template, self._many, self._slots["count"])
        elif self._context is not None:
            template = catalogue.pgettext(self._context, self._template)
        else:
            template = catalogue.gettext(self._template)
        return _fill(template, self._slots, language) if self._slots else template

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and all(self.said(one) == other.said(one) for one in Language.all())

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return self.said(Language.EN)

    def __repr__(self) -> str:
        return f"<Text {str(self)!r}>"


class SaidError(Exception):
    """What can't be done, in words for people; ``str(error)`` are the English ones.

    It is made of a text, or of a template and what stands in its slots. ``args`` stay what it was made of, so that it
    can be pickled.
    """

    def __init__(self, text: Text | str, /, **slots: Any) -> None:
        self.text = Text(text, **slots) if isinstance(text, str) else text

    def __str__(self) -> str:
        return str(self.text)


@cache
def _parts(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    """Take a template apart: what stands before each slot, the slot's name, format and conversion."""
    return tuple(_FORMATTER.parse(template))


def _fill(template: str, slots: Mapping[str, Any], language: Language) -> str:
    """Fill the slots of a template in one language."""
    filled = []
    for before, name, form, conversion in _parts(template):
        filled.append(before)
        if name is None:
            continue
        value = slots[name] if name in slots else _FORMATTER.get_field(name, (), slots)[0]
        if not isinstance(value, Text):
            value = getattr(value, "text", value)
        if isinstance(value, Text):
            value = value.said(language)
        if conversion == "c":
            value = sentence_case(str(value))
        elif conversion == "a":
            value = with_article(str(value))
        else:
            value = _FORMATTER.convert_field(value, conversion)
        filled.append(format(value, form or ""))
    return "".join(filled)


Language.JA, Language.EN = Language("ja", MISSING), Language("en", gettext.NullTranslations())


def in_context(context: str, template: str, /, **slots: Any) -> Text:
    """Make a text whose English words mean something else elsewhere."""
    text = Text(template, **slots)
    text._context = context
    return text


def plural(one: str, many: str, /, *, count: int, **slots: Any) -> Text:
    """Make a text that depends on a number, its slot ``count``."""
    text = Text(one, count=count, **slots)
    text._many = many
    return text


def verbatim(words: object) -> Text:
    """Make a text of a name, a number or a command: the same in every language."""
    return Text(_AS_IT_IS, words=words)


def join_sentences(texts: Iterable[Text]) -> Text:
    """Join sentences one after the other."""
    texts = tuple(texts)
    return reduce(lambda before, text: Text("{before} {text}", before=before, text=text), texts) if texts else Text()


def make_sentence(words: Text) -> Text:
    """Make words a sentence of their own."""
    return Text("{words!c}.", words=words)


def capitalise(words: Text) -> Text:
    """Make words a line of their own, or the start of a sentence."""
    return Text("{words!c}", words=words)


def join_row(texts: Iterable[Text]) -> Text:
    """Join names in a row: ``a, b, c``; one name at least."""
    return reduce(lambda names, name: Text("{names}, {name}", names=names, name=name), texts)


def join_alternatives(texts: Iterable[Text]) -> Text:
    """Join names one of which is enough: ``a / b``; one name at least."""
    return reduce(lambda names, name: Text("{names} / {name}", names=names, name=name), texts)


def join_names(texts: Iterable[Text]) -> Text:
    """Join names in a row: ``a, b and c``; one name at least."""
    *names, last = texts
    return Text("{names} and {last}", names=join_row(names), last=last) if names else last


def join_with_and(texts: Iterable[Text]) -> Text:
    """Join names that go together: ``a and b and c``; one name at least."""
    return reduce(lambda names, name: in_context("together", "{names} and {name}", names=names, name=name), texts)


def join_numbers(numbers: Iterable[object]) -> Text:
    """Join numbers, or what has one word each, in a row: ``3, 4, 5``; one at least."""
    words = map(verbatim, numbers)
    return reduce(lambda names, name: in_context("numbers", "{names}, {name}", names=names, name=name), words)


def player(name: str) -> Text:
    """Make a text of a player's name, with the Japanese form of address."""
    return in_context("player", "{name}", name=name)


def say_cards(cards: Iterable[HasText]) -> Text:
    """Say cards: ``heart 7, onion 8 and coin 10``."""
    names = [card.text for card in cards]
    return join_names(names) if names else Text("no card")


def say_number(count: int) -> Text:
    """Say a number of cards: ``1 card``, ``2 cards``."""
    return plural("{count} card", "{count} cards", count=count)


def shorten_name(name: str) -> str:
    """Return a name that somebody else wrote, cut where it is too long for a sentence."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def with_article(noun: str) -> str:
    """Return the English noun with the article that fits it.

    >>> with_article("onion"), with_article("book")
    ('an onion', 'a book')
    """
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def sentence_case(text: str) -> str:
    """Return the English text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]
