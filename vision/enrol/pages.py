"""The three enrolment pages: where each card lies, what an accepted page holds, and how a fault on one is said.

The pages are those of the table standard: ``seven`` is a grid of 7 × 7, ``review`` and ``complete`` hold the 16 papers
and one SEVEN card face down. A deck for games without papers is learnt from ``seven`` and ``back``, a card face down
in the mat's middle. Papers that players made themselves have two pages of their own, ``review:NAME+NAME`` and
``complete:NAME+NAME``: they lie on the places of the papers, row by row from the first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.layout import CARD_MM
from referee.papers import kinds_on, side_on
from referee.registry import grid_page, load_papers, own_words
from rules.cards import Card, Suit
from rules.text import Text, join_row, join_sentences, plural
from vision.arrays import Picture
from vision.config import CONFIG
from vision.errors import VisionError
from vision.identify.deck import BACK, PAPER_KINDS
from vision.identify.embedder import Embeddings

_PAGE = CONFIG.enrol.page

PAGES = ("seven", "review", "complete")
BACK_PAGE = "back"
_SEVEN_PITCH = (100.0, 112.0)
_PAPER_PITCH = (110.0, 130.0)
_BACK_RIGHT_MM = 385.0


@dataclass(frozen=True, slots=True)
class PageFault:
    """Something to mend on a page: its page, the cards concerned, and the sentence.

    ``doubtful`` faults are the reader's opinion of which card is which; in a deck that it reads badly it may be wrong,
    and whoever laid the cards may know better.
    """

    page: str
    cards: tuple[str, ...]
    text: Text
    doubtful: bool = False


class EnrolError(VisionError):
    """A page can't be accepted as it lies; ``faults`` lists all that is to mend."""

    def __init__(self, faults: Sequence[PageFault]) -> None:
        super().__init__(join_sentences(fault.text for fault in faults))
        self.faults = tuple(faults)

    def __reduce__(self) -> tuple[type[EnrolError], tuple[tuple[PageFault, ...]]]:
        return type(self), (self.faults,)


@dataclass(frozen=True)
class Page:
    """One accepted page: for each name the two crops (upper corner, lower corner) and their embeddings.

    ``centre_crops`` are what the cards show between their crops, (120, 136, 3) each. Of a page of a game's own there
    are the whole ``faces`` (n, h, w, 3) instead.
    """

    page: str
    names: tuple[str, ...]
    crops: tuple[tuple[Picture, Picture], ...]
    embeddings: Embeddings
    centre_crops: tuple[Picture, ...]
    faces: Picture | None = None


def place_cards(page: str, mat_mm: tuple[float, float]) -> dict[str, tuple[float, float]]:
    """Return where each card of a page lies: its centre in mat mm by name.

    Raises:
        ValueError: there is no such page.
    """
    if (grid := grid_page(page)) is not None:
        return grid.place_cards(mat_mm)
    cx, cy = mat_mm[0] / 2, mat_mm[1] / 2
    if page == "seven":
        dx, dy = _SEVEN_PITCH
        return {
            str(Card(suit, suit.lowest + row)): (cx + (column - 3) * dx, cy + (row - 3) * dy)
            for column, suit in enumerate(Suit)
            for row in range(7)
        }
    if page == BACK_PAGE:
        return {BACK: (cx, cy)}
    side, house = side_on(page), kinds_on(page)
    if side not in PAGES or len(house) > len(PAPER_KINDS):
        raise ValueError(f"there is no page {page!r}: the pages are {', '.join(PAGES)}")
    dx, dy = _PAPER_PITCH
    places = {
        f"{kind}/{side}": (cx + (k % 4 - 1.5) * dx, cy + (k // 4 - 1.5) * dy)
        for k, kind in enumerate(house or PAPER_KINDS)
    }
    if house:
        return places
    # On a mat too narrow for that the card lies nearer, as far out as it may.
    aside = max(_PAGE.nearest_aside_mm, min(_BACK_RIGHT_MM, cx - CARD_MM[0] / 2 - _PAGE.rim_mm))
    places[BACK] = (cx + aside, cy)
    return places


_PAGE_NAMES = {
    "seven": Text("page of SEVEN cards"),
    "review": Text("under-review page"),
    "complete": Text("complete page"),
    BACK_PAGE: Text("face-down page"),
}

_HOUSE_PAGE_NAMES = {
    "review": Text("under-review page of your own papers"),
    "complete": Text("complete page of your own papers"),
}


def name_page(page: str) -> Text:
    """Name a page, to follow "the"."""
    if (grid := grid_page(page)) is not None:
        return grid.called
    return (_HOUSE_PAGE_NAMES if kinds_on(page) else _PAGE_NAMES)[side_on(page)]


def name_card(name: str) -> Text:
    """Name a card for a player."""
    if name == BACK:
        return Text("the face-down card")
    if (words := own_words(name)) is not None:
        return words
    if "/" in name:
        return Text("the paper card {paper}", paper=load_papers()[name.split("/")[0]])
    return Card.parse(name).text


def name_cards(names: Sequence[str]) -> Text:
    """Name several cards for a player; of many the first six."""
    at_most = 6
    cards, more = join_row(map(name_card, names[:at_most])), len(names) - at_most
    return Text("{cards} and {more} more", cards=cards, more=more) if more > 0 else cards


def of_cards(page: str, names: Sequence[str], text: Text, doubtful: bool = False) -> PageFault:
    """Make a fault of these cards; ``text`` is given them in its slot ``cards``, and the page's name in ``page``."""
    filled = text.refill(cards=name_cards(names), page=name_page(page))
    return PageFault(page, tuple(names), filled, doubtful)


def report_missing(page: str, names: Sequence[str]) -> PageFault:
    """Report that these cards are not found."""
    text = plural(
        "{cards!c} is missing on the {page}: lay it on its place.",
        "{cards!c} are missing on the {page}: lay them on their places.",
        count=len(names),
    )
    return of_cards(page, names, text)


def report_glare(page: str, names: Sequence[str]) -> PageFault:
    """Report that glare lies over these cards."""
    return of_cards(page, names, Text("Glare lies over {cards} on the {page}: move the lamp or tilt the card."))
