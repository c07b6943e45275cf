"""Papers that players made themselves, learnt into a deck that is known: two pages of nothing but these."""

from __future__ import annotations

import numpy as np

from referee.papers import kinds_on
from rules.text import Text
from vision.config import CONFIG
from vision.enrol.page_order import report_same_side
from vision.enrol.pages import EnrolError, Page, PageFault, name_card
from vision.identify.deck import Deck, DeckCard
from vision.identify.embedder import Embeddings
from vision.reader import Reader

_PAPER_ORDER = CONFIG.enrol.paper_order


def with_house_papers(reader: Reader, deck: Deck, review: Page, complete: Page, as_laid: bool = False) -> Deck:
    """Return the deck with the papers of two accepted pages added; they replace papers of the same names.

    Raises:
        EnrolError: a paper shows the same side on both pages, or looks like another card of the deck.
    """
    others = _drop_papers(reader.up_to_date(deck), kinds_on(review.page))
    faults = [] if as_laid else [*_find_same_sides(review, complete), *_find_known_cards(others, review, complete)]
    if faults:
        raise EnrolError(faults)
    for page in (review, complete):
        cards = [DeckCard(name, page.crops[k], page.centre_crops[k]) for k, name in enumerate(page.names)]
        others = others.with_others(cards, page.embeddings)
    return others


def _drop_papers(deck: Deck, kinds: tuple[str, ...]) -> Deck:
    """Return the deck without these papers, which are learnt anew."""
    stay = [number for number, name in enumerate(deck.names) if name.split("/")[0] not in kinds]
    rows = [row for number in stay for row in (2 * number, 2 * number + 1)]
    parts = (deck.embeddings.vectors, deck.embeddings.rank, deck.embeddings.suit)
    return Deck(
        deck.name, tuple(deck.cards[number] for number in stay), Embeddings(*(part[rows] for part in parts)), deck.model
    )


def _find_same_sides(review: Page, complete: Page) -> list[PageFault]:
    """Find papers that show the same side on both pages, judged by how alike both corners are."""
    alike = (review.embeddings.vectors * complete.embeddings.vectors).sum(axis=1).reshape(-1, 2).min(axis=1)
    faults = []
    for number in np.flatnonzero(alike > _PAPER_ORDER.page_same_side):
        name = complete.names[int(number)]
        faults.append(report_same_side(complete.page, name))
    return faults


def _find_known_cards(deck: Deck, *pages: Page) -> list[PageFault]:
    """Find papers of which both corners are those of another card of the deck."""
    faults = []
    for page in pages:
        corners = page.embeddings.vectors @ deck.embeddings.vectors.T
        alike = np.minimum(corners[0::2, 0::2], corners[1::2, 1::2])
        for name, row in zip(page.names, alike, strict=True):
            if float(row.max()) > _PAPER_ORDER.same_side:
                other = deck.names[int(row.argmax())]
                text = Text(
                    "On the place of {card} lies what looks like {other}: lay {card} there.",
                    card=name_card(name),
                    other=name_card(other),
                )
                faults.append(PageFault(page.page, (name, other), text, doubtful=True))
    return faults
