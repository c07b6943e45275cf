"""The shelf of decks with those on it that nobody has to learn."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from device.storage.deck_store import DeckShelf
from referee.game import Referee
from referee.registry import referees
from vision.identify.deck import Deck

PRINTED_DECK = "Sevenmat printed deck"
"""The cards and papers that ``sevenmat print deck`` and ``print papers`` make."""


def deck_shelf(state: Path) -> DeckShelf:
    """The decks in the state folder, and those that nobody has to learn."""
    sets = {printed_set_name(one): partial(_printed_set, one) for one in referees().values() if one.cards.printed}
    return DeckShelf(state, {PRINTED_DECK: _printed, **sets})


def printed_set_name(game: Referee) -> str:
    """What the plain set of a game with cards of its own is called."""
    return f"Sevenmat {game.rules.title.en}"


def _printed_set(game: Referee) -> Deck:
    from device.enrol.printed_deck import printed_set

    return printed_set(printed_set_name(game), game.cards)


def _printed() -> Deck:
    # Who only looks for a deck's name needs no reader.
    from device.enrol.printed_deck import printed_deck

    return printed_deck(PRINTED_DECK)
