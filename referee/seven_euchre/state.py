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

REVOKE, BACK_AGAIN = "revoke", "back_again"


@dataclass(frozen=True)
class EuchreState(ZoneState):
    """What everybody agrees on.

    ``revoke`` is the card on the table that proves an earlier revoke, with who played it; it goes as soon as a look
    shows the card no more. ``going_back`` says that the deal was taken back to a trick and the table has yet to lie
    accordingly: until then nothing is understood as played.
    """

    revoke: Play | None = None
    going_back: bool = False

    def to_json(self) -> dict[str, Any]:
        """The state as JSON-able data."""
        revoke = None if self.revoke is None else [self.revoke.seat, str(self.revoke.card)]
        return {**super().to_json(), REVOKE: revoke, "going_back": self.going_back}


def revoke_in(data: Mapping[str, Any], key: str = REVOKE) -> Play | None:
    """The card that proves a revoke, as ``EuchreState.to_json`` gave it.

    Raises:
        EntryError: it is no seat and card.
    """
    value = data.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or type(value[0]) is not int or not 1 <= value[0] <= SEATS:
        raise wrong(key)
    try:
        return Play(value[0], Card.parse(value[1]))
    except (ValueError, TypeError, AttributeError) as error:
        raise wrong(key) from error


def going_back_in(data: Mapping[str, Any], position: Any) -> bool:
    """Whether cards have to go back, as ``EuchreState.to_json`` gave it.

    Raises:
        EntryError: they can't in that position.
    """
    value = data.get("going_back", False)
    if type(value) is not bool or (value and (position.phase is not Phase.PLAY or position.round.trick)):
        raise wrong("going_back")
    return value


def noticed_in(data: Mapping[str, Any], state: EuchreState) -> tuple[Play | None, bool]:
    """What a look has shown, from an entry's data: the revoke that lies proved now, and whether cards still go back.

    Raises:
        EntryError: a look can't show that.
    """
    revoke = revoke_in(data) if REVOKE in data else state.revoke
    if revoke is not None and state.position.phase is not Phase.PLAY:
        raise EntryError("no revoke can be proved now", "今はリボークを証明できません")
    if BACK_AGAIN not in data:
        return revoke, state.going_back
    if data[BACK_AGAIN] is not True or not state.going_back:
        raise wrong(BACK_AGAIN)
    return revoke, False
