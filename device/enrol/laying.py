"""What the players lay for each page of a deck: in words, and as a grid of names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from device.speech import Language, each_json, strip_article
from referee.papers import kinds_on, side_on
from referee.registry import grid_page, load_papers, own_words
from rules.text import Text, verbatim
from ui.parts.card_tiles import card_tile
from ui.screen_state import PageGrid
from vision.enrol import name_card, place_cards
from vision.identify.deck import BACK

PAGE_WORDS: Mapping[str, Text] = {
    "seven": Text(
        "The 49 SEVEN cards, 7 × 7: heart, onion, book, coin, star, time and coffin from the left, lowest at the top."
    ),
    "review": Text("The 16 papers in this order, under-review side up, and a SEVEN card face down to their right."),
    "complete": Text("The papers on the same places, complete side up, and the face-down card again."),
    "back": Text("One SEVEN card face down in the mat's middle."),
}
"""What to lay for each page."""
_HOUSE_PAGE_WORDS: Mapping[str, Text] = {
    "review": Text("Your own papers in this order, under-review side up, and nothing else."),
    "complete": Text("The same papers on the same places, complete side up."),
}
_FACE_DOWN = Text("face down")
_ANYWHERE = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of a page: which, counted from 0, of how many, and its cards."""

    number: int
    count: int
    cards: tuple[str, ...]


def laying_words(page: str, part: PagePart | None) -> tuple[Text, ...]:
    """Say what to lay for a page, or for the part of it for which the mat has room."""
    if part is None:
        return (page_words(page),)
    count = len(part.cards)
    return (
        Text(
            "The mat has no room for all at once: lay these {count} in its middle, in the same rows and columns.",
            count=count,
        ),
    )


def page_words(page: str) -> Text:
    """Say what to lay for a whole page."""
    if (grid := grid_page(page)) is None:
        return (_HOUSE_PAGE_WORDS if kinds_on(page) else PAGE_WORDS)[side_on(page)]
    count, across = len(grid.cards), grid.columns
    return Text(
        "{title!c}: {count} cards in rows of {across}, one of each.", title=grid.title, count=count, across=across
    )


def page_grid(page: str, language: Language, part: PagePart | None = None) -> PageGrid | None:
    """Show which card lies where on a page or a part of one; papers by the names that players know.

    A page of one card that lies face down needs no picture.
    """
    rows, has_back = _list_rows(page, part)
    if not rows:
        return None
    aside = _FACE_DOWN.said(language) if has_back else ""
    return PageGrid(tuple(tuple(_label(name, language) for name in row) for row in rows), aside)


def page_cards(page: str, part: PagePart | None = None) -> dict[str, Any]:
    """Describe a page or a part of one as JSON: ``rows`` of cards, and whether one is face down.

    A SEVEN card has the letter of its ``suit`` and its ``colour``, others have none; a paper has its ``points`` and the
    ``side`` that lies up. Words are in every language.
    """
    rows, has_back = _list_rows(page, part)
    return {"rows": [[_card_json(name) for name in row] for row in rows], "face_down": has_back}


def _card_json(name: str) -> dict[str, Any]:
    tile = card_tile(name)
    words = {language.code: _label(name, language) for language in Language.all()}
    if tile.suit:
        words = each_json(Text("{words!c}", words=name_card(name)))
    card = {"words": words, "suit": tile.suit, "label": tile.label, "colour": list(tile.colour)}
    kind, paper, side = name.partition("/")
    return {**card, "points": load_papers()[kind].points, "side": side} if paper else card


def _list_rows(page: str, part: PagePart | None) -> tuple[list[list[str]], bool]:
    """List the cards that lie face up, row by row from the left, and tell whether one lies face down."""
    places = place_cards(page, _ANYWHERE)
    cards = [name for name in places if part is None or name in part.cards]
    rows: dict[float, list[tuple[float, str]]] = {}
    for name in cards:
        if name != BACK:
            x, y = places[name]
            rows.setdefault(y, []).append((x, name))
    return [[name for _, name in sorted(rows[y])] for y in sorted(rows)], BACK in cards


def _label(name: str, language: Language) -> str:
    return strip_article(_name_card(name), language).strip("「」")


def _name_card(name: str) -> Text:
    """Name a paper as players do, a SEVEN card as records do."""
    if (words := own_words(name)) is not None:
        return words
    return load_papers()[name.split("/")[0]].text if "/" in name else verbatim(name)
