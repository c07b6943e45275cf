"""What lies on the table beyond the position, read from an entry that may hold anything.

Every function raises ``EntryError`` where the data is not what its kind of entry needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.entry_data import EntryError, number_in, position_in, read_part, report_wrong
from referee.laminate.expected_layout import Agreed
from rules.cards import DECK, Card
from rules.laminate.position import Position
from rules.laminate.rules import LaminateRummy
from rules.text import Text

Json = Mapping[str, Any]

_CARDS = {str(card): card for card in DECK}


def agreed_in(data: Json, position: Position) -> Agreed:
    """Return what is confirmed where the position is this one, and the entry holds what lies on the table beyond it."""
    shown = read_part(data, "shown", dict)
    peeping = read_part(data, "peeping", list)
    places = {number_in(place, "shown", len(DECK) - 1): _read_card(name, "shown") for place, name in shown.items()}
    try:
        return Agreed(
            position,
            thanks_in(data, len(position.players)),
            places,
            frozenset(_read_card(name, "peeping") for name in peeping),
        )
    except EntryError:
        raise
    except ValueError as error:
        raise EntryError(Text("what is said to have shown in the discard pile can't lie there")) from error


def agreed_set_in(agreed: object, now: Position) -> Agreed:
    """Return what is confirmed where all of it was set by hand, in a game that stood at ``now``."""
    rules = LaminateRummy(now.catalogue)
    position: Position = position_in(agreed, rules, now.players, {"first_seat": now.first_seat})
    assert isinstance(agreed, dict), "it held a position"
    return agreed_in(agreed, position)


def thanks_in(data: Json, seats: int) -> dict[int, int]:
    """Read the thank-you cards that still lie there, by seat."""
    thanks = read_part(data, "thanks", dict)
    if not all(type(count) is int and 0 <= count <= len(DECK) for count in thanks.values()):
        raise report_wrong("thanks")
    return {number_in(seat, "thanks", seats, 1): count for seat, count in thanks.items()}


def _read_card(name: object, key: str) -> Card:
    card = _CARDS.get(name) if isinstance(name, str) else None
    if card is None:
        raise report_wrong(key)
    return card
