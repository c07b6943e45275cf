"""What is agreed in a game of Seven Euchre: the position, a revoke that lies proved, cards that have to go back, and
what lies in the trick and waits for a card that can't be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.entry_data import EntryError, mark_in, mark_json, report_wrong
from referee.table import Unread
from referee.zones import ZoneState
from rules.cards import Card
from rules.seven_euchre.moves import SEATS, Play
from rules.seven_euchre.round import DealPhase
from rules.text import Text

REVOKE, GOING_BACK, BACK_AGAIN, TRICK = "revoke", "going_back", "back_again", "trick"

Laid = tuple[tuple[int, Card | Unread], ...]
"""What players have laid in the trick, read or not, each with the seat; in the order of play."""


@dataclass(frozen=True)
class EuchreState(ZoneState):
    """What everybody agrees on.

    ``revoke`` is the card on the table that proves an earlier revoke, with who played it; it goes as soon as a look
    shows the card no more. ``going_back`` is ``None`` but after the deal was taken back to a trick, until the table
    lies accordingly: then it holds the cards that lay in the trick, and nothing is understood as played. ``trick`` is
    what lies in the trick and can't be settled because something is not read that has to be; once all four have
    played it stays when the trick is gathered, so that what was not read can be asked for.
    """

    revoke: Play | None = None
    going_back: tuple[Play, ...] | None = None
    trick: Laid = ()

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON-able data."""
        revoke = None if self.revoke is None else _write_line(self.revoke)
        going_back = None if self.going_back is None else [*map(_write_line, self.going_back)]
        return {**super().to_json(), REVOKE: revoke, GOING_BACK: going_back, TRICK: trick_json(self.trick)}


def _write_line(play: Play) -> list[Any]:
    return [play.seat, str(play.card)]


def trick_json(trick: Laid) -> list[Any]:
    """Return what lies in a trick as JSON-able data; ``trick_in`` reads it again."""
    return [[seat, mark_json(one) if isinstance(one, Unread) else str(one)] for seat, one in trick]


def trick_in(data: Mapping[str, Any], position: Any) -> Laid:
    """Read what lies in the trick and waits, as ``EuchreState.to_json`` gave it.

    Raises:
        EntryError: it can't lie there in that position.
    """
    value = data.get(TRICK, [])
    if not isinstance(value, list) or not all(isinstance(one, list) and len(one) == 2 for one in value):
        raise report_wrong(TRICK)
    due = iter(position.round.yet_to_play if position.phase is DealPhase.PLAY else ())
    if not all(type(seat) is int and seat in due for seat, _ in value):
        raise report_wrong(TRICK)
    return tuple((seat, _card_in(one, TRICK) if isinstance(one, str) else mark_in(one, TRICK)) for seat, one in value)


def revoke_in(data: Mapping[str, Any]) -> Play | None:
    """Read the card that proves a revoke, as ``EuchreState.to_json`` gave it.

    Raises:
        EntryError: it is no seat and card.
    """
    value = data.get(REVOKE)
    return None if value is None else _play_in(value, REVOKE)


def _play_in(value: object, key: str) -> Play:
    if not isinstance(value, list) or len(value) != 2 or type(value[0]) is not int or not 1 <= value[0] <= SEATS:
        raise report_wrong(key)
    return Play(value[0], _card_in(value[1], key))


def _card_in(value: Any, key: str) -> Card:
    try:
        return Card.parse(value)
    except (ValueError, TypeError, AttributeError) as error:
        raise report_wrong(key) from error


def going_back_in(data: Mapping[str, Any], position: Any) -> tuple[Play, ...] | None:
    """Read the cards that lay in the trick as the deal was taken back, as ``EuchreState.to_json`` gave them.

    Raises:
        EntryError: no cards can have to go back in that position.
    """
    value = data.get(GOING_BACK)
    if value is None:
        return None
    if not isinstance(value, list) or position.phase is not DealPhase.PLAY or position.round.trick:
        raise report_wrong(GOING_BACK)
    return tuple(_play_in(one, GOING_BACK) for one in value)


def noticed_in(data: Mapping[str, Any], state: EuchreState) -> EuchreState:
    """Return the state after what an observation has shown, from an entry's data.

    Raises:
        EntryError: a look can't show that.
    """
    revoke = revoke_in(data) if REVOKE in data else state.revoke
    if revoke is not None and state.position.phase is not DealPhase.PLAY:
        raise EntryError(Text("no revoke can be proved now"))
    going_back, trick = state.going_back, trick_in(data, state.position) if TRICK in data else state.trick
    if BACK_AGAIN in data:
        if data[BACK_AGAIN] is not True or going_back is None:
            raise report_wrong(BACK_AGAIN)
        going_back = None
    return EuchreState(state.position, revoke, going_back, trick)
