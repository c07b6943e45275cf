"""A deck that was just learnt, read back card by card before it is kept: a few at a time, the papers first."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from device.capture.thumbnails import as_thumbnail
from device.speech import Language, each_json
from referee.papers import side_on
from referee.registry import load_papers
from rules.text import Text
from ui.screen_state import ButtonWords, CardsScreen, LearntCard, Mood, Thumbnail
from ui.setting_up.learnt_cards import ROWS
from vision.enrol import name_card, name_page, place_cards
from vision.enrol.pages import BACK_PAGE
from vision.geometry import CROP_SHAPE
from vision.identify.deck import Deck, DeckCard

_ORDER = ("review", "complete", "seven", BACK_PAGE)
"""Papers are named by their place alone, so they come first; then pages of a game's own, in their order."""
_ANYWHERE = (1.0, 1.0)
_QUALITY = 80
_BUTTONS = (Text("✓ keep"), Text("▲▼ more"), Text("← learn anew"))


@dataclass(frozen=True)
class ReadingBack:
    """Cards of a deck by the page that taught them, and which of them are shown."""

    pages: tuple[tuple[str, tuple[DeckCard, ...]], ...]
    at: int = 0

    @classmethod
    def from_deck(cls, deck: Deck, pages: tuple[str, ...] = _ORDER) -> ReadingBack:
        """Show all cards of a deck that these pages taught, a few to a screen; the back is shown with its page."""
        known = {card.name: card for card in deck.cards}
        taken: set[str] = set()
        shown: list[tuple[str, tuple[DeckCard, ...]]] = []
        own = [page for page in pages if side_on(page) not in _ORDER]
        usual = sorted((page for page in pages if page not in own), key=lambda page: _ORDER.index(side_on(page)))
        for page in (*usual, *own):
            names = [name for name in place_cards(page, _ANYWHERE) if name in known and name not in taken]
            taken.update(names)
            cards = [known[name] for name in names]
            shown += [(page, tuple(cards[first : first + ROWS])) for first in range(0, len(cards), ROWS)]
        return cls(tuple(shown))

    @property
    def page(self) -> str:
        """The page that taught the cards that are shown."""
        return self.pages[self.at][0]

    def turn_cards(self, by: int) -> ReadingBack:
        """Turn to the next cards, or those before, round and round."""
        return replace(self, at=(self.at + by) % len(self.pages))

    def describe_cards(self) -> dict[str, Any]:
        """Describe all cards as JSON for phones, by the page that taught them, below each other in one JPEG."""
        taught: dict[str, list[DeckCard]] = {}
        for page, cards in self.pages:
            taught.setdefault(page, []).extend(cards)
        height, width = CROP_SHAPE[:2]
        crops = [cv2.resize(card.crops[0], (width, height)) for cards in taught.values() for card in cards]
        jpeg = cv2.imencode(".jpg", np.vstack(crops), (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))[1].tobytes()
        return {
            "jpeg": base64.b64encode(jpeg).decode(),
            "size": [width, height],
            "pages": [
                {
                    "page": page,
                    "title": each_json(Text("{words!c}", words=name_page(page))),
                    "cards": [each_json(_name(card)) for card in cards],
                    "names": [card.name for card in cards],
                }
                for page, cards in taught.items()
            ],
        }

    def make_screen(self, language: Language) -> CardsScreen:
        """Show the cards, each with its name."""
        page, cards = self.pages[self.at]
        same = [number for number, (other, _) in enumerate(self.pages) if other == page]
        title = _make_title(page, same.index(self.at) + 1, len(same))
        learnt = tuple(LearntCard(_name(card).said(language), _crop_corner(card)) for card in cards)
        buttons = ButtonWords(*(words.said(language) for words in _BUTTONS))
        return CardsScreen(language, Mood.QUESTION, title.said(language), buttons=buttons, cards=learnt)


def _make_title(page: str, number: int, count: int) -> Text:
    return Text("Right? {page!c} {number}/{count}", page=name_page(page), number=number, count=count)


def _name(card: DeckCard) -> Text:
    if "/" in card.name:
        return load_papers()[card.name.split("/")[0]].text
    return Text("{words!c}", words=name_card(card.name))


def _crop_corner(card: DeckCard) -> Thumbnail:
    """Return the upper corner as it was learnt."""
    return as_thumbnail(card.crops[0])
