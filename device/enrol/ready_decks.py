"""The shelf of decks with those on it that nobody has to learn."""

from __future__ import annotations

from pathlib import Path

from device.storage.deck_store import DeckShelf
from vision.identify.deck import Deck

PRINTED_DECK = "Sevenmat printed deck"
"""The cards and papers that ``sevenmat print deck`` and ``print papers`` make."""


def deck_shelf(state: Path) -> DeckShelf:
    """The decks in the state folder, and those that nobody has to learn."""
    return DeckShelf(state, {PRINTED_DECK: _printed})


def _printed() -> Deck:
    # Who only looks for a deck's name needs no reader.
    from device.enrol.printed_deck import printed_deck

    return printed_deck(PRINTED_DECK)
