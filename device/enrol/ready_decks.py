"""The shelf of decks with those on it that nobody has to learn."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from device.errors import DeviceError
from device.storage.deck_store import DeckShelf
from referee.finished.score import Scoring
from referee.game import Referee
from referee.registry import load_referees
from rules.plain import quote_value
from rules.text import Text, join_row, verbatim
from vision.identify.deck import Deck

PRINTED_DECK = "Sevenmat printed deck"
"""The cards and papers that ``sevenmat print deck`` and ``print papers`` make."""


def deck_shelf(state: Path) -> DeckShelf:
    """Open the decks in the state folder, and those that nobody has to learn."""
    games = list(load_referees().values())
    seven = frozenset(face for one in games if not one.cards.grids for face in one.cards.faces)
    sets = {
        printed_set_name(one): (frozenset(one.cards.faces), partial(_printed_set, one))
        for one in games
        if one.cards.printed
    }
    return DeckShelf(state, {PRINTED_DECK: (seven, _load_printed_deck), **sets})


def deck_for_game(shelf: DeckShelf, game: Referee | Scoring, usual: str = "") -> str:
    """Return the name of the deck that a game is played with where nobody names one.

    That is the ``usual`` one, else the only one that was learnt with its cards, else one that nobody has to learn.

    Raises:
        DeviceError: more than one was learnt, or none is known.
    """
    title, cards = game.rules.title, frozenset(game.cards.faces)
    if usual and (cards <= shelf.list_faces(usual) or not shelf.list_faces(usual)):
        return usual
    fitting = [name for name in (*shelf.list_names(), *shelf.ready) if cards <= shelf.list_faces(name)]
    known = [name for name in fitting if name not in shelf.ready] or fitting[:1]
    if len(known) == 1:
        return known[0]
    if known:
        raise DeviceError(
            Text(
                "Name the deck that lies there with --deck; known with the cards of {title}: {decks}.",
                title=title,
                decks=join_row(verbatim(quote_value(name)) for name in known),
            ),
        ).told_on_a_phone(Text("Say which deck lies there."))
    raise DeviceError(
        Text(
            "No deck is known with the cards of {title}: learn one ('sevenmat enrol --help'), or name it with --deck.",
            title=title,
        ),
    ).told_on_a_phone(Text("No deck is known with the cards of {title}: learn one first.", title=title))


def printed_set_name(game: Referee) -> str:
    """Name the plain set of a game with cards of its own."""
    return f"Sevenmat {game.rules.title}"


def _printed_set(game: Referee) -> Deck:
    from device.enrol.printed_deck import printed_set

    return printed_set(printed_set_name(game), game.cards)


def _load_printed_deck() -> Deck:
    # Who only looks for a deck's name needs no reader.
    from device.enrol.printed_deck import printed_deck

    return printed_deck(PRINTED_DECK)
