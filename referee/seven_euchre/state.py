"""What is agreed in a game of Seven Euchre: the position, a revoke that lies proved, and cards that have to go back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.entry_data import EntryError, wrong
from referee.zones import ZoneState
from rules.cards import Card
from rules.seven_euchre.moves import SEATS, Play
from rules.seven_euchre.round import Phase

REVOKE, GOING_BACK, BACK_AGAIN = "revoke", "going_back", "back_again"


@dataclass(frozen=True)
class EuchreState(ZoneState):
    """What everybody agrees on.

    ``revoke`` is the card on the table that proves an earlier revoke, with who played it; it goes as soon as a look
    shows the card no more. ``going_back`` is ``None`` but after the deal was taken back to a trick, until the table
    lies accordingly: then it holds the cards that lay in the trick, and nothing is understood as played.
    """

    revoke: Play | None = None
    going_back: tuple[Play, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """The state as JSON-able data."""
        revoke = None if self.revoke is None else _line(self.revoke)
        going_back = None if self.going_back is None else [*map(_line, self.going_back)]
        return {**super().to_json(), REVOKE: revoke, GOING_BACK: going_back}


def _line(play: Play) -> list[Any]:
    return [play.seat, str(play.card)]


def revoke_in(data: Mapping[str, Any]) -> Play | None:
    """The card that proves a revoke, as ``EuchreState.to_json`` gave it.

    Raises:
        EntryError: it is no seat and card.
    """
    value = data.get(REVOKE)
    return None if value is None else _play_in(value, REVOKE)


def _play_in(value: object, key: str) -> Play:
    if not isinstance(value, list) or len(value) != 2 or type(value[0]) is not int or not 1 <= value[0] <= SEATS:
        raise wrong(key)
    try:
        return Play(value[0], Card.parse(value[1]))
    except (ValueError, TypeError, AttributeError) as error:
        raise wrong(key) from error


def going_back_in(data: Mapping[str, Any], position: Any) -> tuple[Play, ...] | None:
    """The cards that lay in the trick as the deal was taken back, as ``EuchreState.to_json`` gave them.

    Raises:
        EntryError: no cards can have to go back in that position.
    """
    value = data.get(GOING_BACK)
    if value is None:
        return None
    if not isinstance(value, list) or position.phase is not Phase.PLAY or position.round.trick:
        raise wrong(GOING_BACK)
    return tuple(_play_in(one, GOING_BACK) for one in value)


def noticed_in(data: Mapping[str, Any], state: EuchreState) -> EuchreState:
    """The state after what a look has shown, from an entry's data: a revoke proved or not, the cards back in the hands.

    Raises:
        EntryError: a look can't show that.
    """
    revoke = revoke_in(data) if REVOKE in data else state.revoke
    if revoke is not None and state.position.phase is not Phase.PLAY:
        raise EntryError("no revoke can be proved now", "今はリボークを証明できません")
    if BACK_AGAIN not in data:
        return EuchreState(state.position, revoke, state.going_back)
    if data[BACK_AGAIN] is not True or state.going_back is None:
        raise wrong(BACK_AGAIN)
    return EuchreState(state.position, revoke)
