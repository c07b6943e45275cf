"""How a game is taught, as values: pictures of its aim, what may be done in a position, and what is explained once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rules.game import Section
from rules.text import Language, Text
from ui.parts.card_tiles import card_tile
from ui.screen_state import Leaf, TileGroup, TileRole

NOW = Text("What can I do now?")
TEACH = Text("Teach us this game")


@dataclass(frozen=True)
class Cards:
    """Cards that are drawn beside words, by the names that the reader gives them; papers have ``label`` on them."""

    words: Text
    cards: tuple[str, ...]
    role: TileRole = TileRole.SHOWN
    label: str = ""

    def draw(self, language: Language) -> TileGroup:
        """Make the tiles."""
        return TileGroup(
            self.role, self.words.said(language), tuple(card_tile(card, self.role, self.label) for card in self.cards)
        )


@dataclass(frozen=True)
class Possible:
    """Something that may be done now: the kind of move, as a record's line has it, and the words for it."""

    do: str
    words: Text
    shown: tuple[Cards, ...] = ()


@dataclass(frozen=True)
class Picture:
    """One of the pictures of a game's aim."""

    title: Text
    lines: tuple[Text, ...]
    shown: tuple[Cards, ...]


@dataclass(frozen=True)
class Lesson:
    """A rule that is explained when what it is about first happens.

    ``codes`` are the refusals that break it: the rule is said with those too.
    """

    key: str
    lines: tuple[Text, ...]
    codes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Teaching:
    """How one game is taught.

    ``brief`` is the catalogue of the game's rules, of which help, teaching and refusals take their sentences.
    ``list_possible`` lists what may be done in a public position, by the rules and what everybody knows; what is in a
    hand or lies face down has no part in it. ``list_events`` gives the keys of the lessons that a move, made in the
    first position and leading to the second, is about.
    """

    brief: tuple[Section, ...]
    aim: tuple[Picture, Picture, Picture]
    lessons: tuple[Lesson, ...]
    list_possible: Callable[[Any], Iterable[Possible]]
    list_events: Callable[[Any, Any, Any], Iterator[str]]
    _by_key: dict[str, Lesson] = field(init=False, repr=False, default_factory=dict)
    _asked_last: list[tuple[Any, tuple[Possible, ...]]] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        self._by_key.update({lesson.key: lesson for lesson in self.lessons})

    def find_possible(self, position: Any) -> tuple[Possible, ...]:
        """Return what may be done in a public position; a screen asks for the same one again and again."""
        for known, found in self._asked_last:
            if known is position:
                return found
        found = tuple(self.list_possible(position))
        self._asked_last[:] = [(position, found)]
        return found

    def draw_now(self, position: Any, language: Language) -> Leaf | None:
        """Say what may be done now, with the cards on the table that it is about; ``None`` where nothing may."""
        found = self.find_possible(position)
        if not found:
            return None
        tiles = tuple(shown.draw(language) for one in found for shown in one.shown)
        return Leaf(NOW.said(language), tuple(one.words.said(language) for one in found), tiles)

    def draw_rules(self, language: Language) -> tuple[Leaf, ...]:
        """Write each part of the rules in brief on a leaf."""
        return tuple(
            Leaf(part.title.said(language), tuple(line.said(language) for line in part.lines)) for part in self.brief
        )

    def draw_aim(self, language: Language) -> tuple[Leaf, ...]:
        """Draw the pictures of the aim."""
        return tuple(
            Leaf(
                one.title.said(language),
                tuple(text.said(language) for text in one.lines),
                tuple(shown.draw(language) for shown in one.shown),
            )
            for one in self.aim
        )

    def explain(self, keys: Iterable[str]) -> tuple[Text, ...]:
        """Return the sentences of these lessons, each once."""
        return tuple(dict.fromkeys(line for key in keys for line in self._by_key[key].lines))

    def find_rules(self, codes: Iterable[str]) -> tuple[Text, ...]:
        """Return the rules that refusals with these codes break, as far as they are taught."""
        broken = frozenset(codes)
        return self.explain(lesson.key for lesson in self.lessons if broken.intersection(lesson.codes))
