"""The referees by their game's name, found by looking into the room: ``referee/<name>/referee.py`` has ``REFEREE``.

Where a finished table can be scored, ``referee/<name>/scoring.py`` has ``SCORING``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

import referee
from referee.finished.score import Scoring
from referee.game import CardSet, GridPage, HousePapers, Referee
from referee.papers import PaperCard
from rules.text import Text


@cache
def load_referees() -> Mapping[str, Referee]:
    """Return every game that can be refereed, by its name in records."""
    found: list[Referee] = [module.REFEREE for module in _load_modules("referee")]
    return MappingProxyType({one.rules.name: one for one in found})


@cache
def load_scorings() -> Mapping[str, Scoring]:
    """Return every game of which a finished table can be scored, by its name in records."""
    found: list[Scoring] = [module.SCORING for module in _load_modules("scoring")]
    return MappingProxyType({one.rules.name: one for one in found})


def _load_modules(name: str) -> Iterator[Any]:
    """Yield the modules of that name in the games' folders."""
    for folder in sorted(part.name for part in pkgutil.iter_modules(referee.__path__) if part.ispkg):
        module = f"referee.{folder}.{name}"
        if find_spec(module) is not None:
            yield import_module(module)


@cache
def load_papers() -> Mapping[str, PaperCard]:
    """Return every kind of paper that some game has beside the deck, by its name; house papers are looked up only."""
    return _Papers({paper.name: paper for one in load_referees().values() for paper in one.cards.papers})


class _Papers(Mapping[str, PaperCard]):
    """The games' papers, and by their names alone those that players make themselves."""

    def __init__(self, known: Mapping[str, PaperCard]) -> None:
        self._known = known

    def __getitem__(self, name: str) -> PaperCard:
        if name in self._known:
            return self._known[name]
        for one in load_referees().values():
            if isinstance(one, HousePapers):
                with suppress(KeyError):
                    return one.house_paper(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


@cache
def own_card_sets() -> tuple[CardSet, ...]:
    """Return the cards of every game with enrolment pages of its own."""
    return tuple(one.cards for one in load_referees().values() if one.cards.grids)


def card_set_with(page: str) -> CardSet | None:
    """Return the cards that a page of a game's own teaches; ``None`` where no game has such a page."""
    return next((cards for cards in own_card_sets() if any(grid.name == page for grid in cards.grids)), None)


def grid_page(name: str) -> GridPage | None:
    """Return a game's own page of that name."""
    return next((grid for cards in own_card_sets() for grid in cards.grids if grid.name == name), None)


def own_words(card: str) -> Text | None:
    """Name a card of such a page, within a sentence."""
    pages = (grid.cards for cards in own_card_sets() for grid in cards.grids)
    return next((words[card] for words in pages if card in words), None)
