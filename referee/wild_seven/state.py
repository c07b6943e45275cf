"""What is agreed in a game of Wild Seven: the position, and which revealed cards still lie in front of somebody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.entry_data import EntryError, report_wrong
from referee.zones import ZoneState
from rules.cards import Card
from rules.text import Text


@dataclass(frozen=True)
class WildState(ZoneState):
    """The position and, by seat, the revealed card that has not been seen among the wanted yet; none left: empty."""

    joining: tuple[Card | None, ...] = ()

    @property
    def to_join(self) -> dict[str, str]:
        """The cards that have yet to join the wanted, each with the place in which it may still lie."""
        return {str(card): f"seat:{seat}" for seat, card in enumerate(self.joining, 1) if card is not None}

    def join_wanted(self, names: Sequence[str]) -> WildState:
        """Return the state once those cards were seen among the wanted."""
        left = tuple(None if card is None or str(card) in names else card for card in self.joining)
        return replace(self, joining=left if any(left) else ())

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON-able data."""
        return {**super().to_json(), "joining": [None if card is None else str(card) for card in self.joining]}


def joining_in(data: object, position: Any) -> tuple[Card | None, ...]:
    """Read the cards that have yet to join the wanted, as ``WildState.to_json`` gave them.

    Raises:
        EntryError: they can't be in that position.
    """
    if not isinstance(data, list) or len(data) not in (0, len(position.players)):
        raise report_wrong("joining")
    wanted = {str(card) for card in position.wanted}
    names = [name for name in data if name is not None]
    if not all(isinstance(name, str) and name in wanted for name in names) or len(set(names)) < len(names):
        raise report_wrong("joining")
    return tuple(None if name is None else Card.parse(name) for name in data) if names else ()


def joined_in(data: object, state: WildState) -> list[str]:
    """Read the cards that an observation saw among the wanted, from an entry's data.

    Raises:
        EntryError: they had not to join them.
    """
    if not isinstance(data, list) or not data or not all(isinstance(name, str) for name in data):
        raise report_wrong("joined")
    if not set(data) <= set(state.to_join):
        raise EntryError(Text("a card that had not to join the wanted"))
    return data
