"""What lies on the table beyond the position, read from an entry that may hold anything.

Every function raises ``EntryError`` where the data is not what its kind of entry needs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.entry_data import EntryError, number_in, part, wrong
from referee.laminate.expected_layout import Agreed
from rules.cards import DECK, Card
from rules.laminate.correction import corrected
from rules.laminate.position import Position
from rules.parsing import BadRecordError

Json = Mapping[str, Any]

_CARDS = {str(card): card for card in DECK}
_MOST_POSITION = 200_000
"""Characters of a position's JSON. Those of whole games take less than 10,000."""


def agreed_in(data: Json, position: Position) -> Agreed:
    """What is agreed where the position is this one, and the entry tells what lies on the table beyond it."""
    shown = part(data, "shown", dict)
    peeping = part(data, "peeping", list)
    places = {number_in(place, "shown", len(DECK) - 1): _card(name, "shown") for place, name in shown.items()}
    try:
        return Agreed(
            position,
            thanks_in(data, len(position.players)),
            places,
            frozenset(_card(name, "peeping") for name in peeping),
        )
    except EntryError:
        raise
    except ValueError as error:
        raise EntryError(
            "what is said to have shown in the discard pile can't lie there", "捨て札にあるはずのないカードがあります"
        ) from error


def agreed_set_in(agreed: object, now: Position) -> Agreed:
    """What is agreed where all of it was set by hand, in a game that stood at ``now``."""
    if not isinstance(agreed, dict):
        raise wrong("agreed")
    position: Position | None = None
    try:
        if len(json.dumps(agreed.get("position"))) <= _MOST_POSITION:
            position = corrected(agreed.get("position"), now.players, now.first_seat, now.catalogue)
    except (BadRecordError, RecursionError, OverflowError) as error:
        raise wrong("position") from error
    if position is None:
        raise wrong("position")
    return agreed_in(agreed, position)


def thanks_in(data: Json, seats: int) -> dict[int, int]:
    """Thank-you cards that still lie there, by seat."""
    thanks = part(data, "thanks", dict)
    if not all(type(count) is int and 0 <= count <= len(DECK) for count in thanks.values()):
        raise wrong("thanks")
    return {number_in(seat, "thanks", seats, 1): count for seat, count in thanks.items()}


def _card(name: object, key: str) -> Card:
    card = _CARDS.get(name) if isinstance(name, str) else None
    if card is None:
        raise wrong(key)
    return card
