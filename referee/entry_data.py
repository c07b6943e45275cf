"""What an entry of a game holds, checked: journals and recordings are files, and a file may hold anything.

Every function raises ``EntryError`` where the data is not what its kind of entry needs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.lying import Agreed
from rules.cards import DECK, Card
from rules.laminate.moves import Deal, Move, move_from_json
from rules.parsing import BadRecordError
from rules.laminate.papers import Papers
from rules.laminate.position import Position
from rules.record import Header, read_correction
from rules.plain import is_plain, quoted, shortly

Json = Mapping[str, Any]

_CARDS = {str(card): card for card in DECK}
_MOST_POSITION = 200_000
"""Characters of a position's JSON. Those of whole games take less than 10,000."""
_MOST_CAUSE = 300
_FARTHEST_MM = 10_000.0


class EntryError(ValueError):
    """An entry that is none, or can't follow here; ``en`` and ``ja`` name the cause, to follow a colon."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en = shortly(en, _MOST_CAUSE)
        self.ja = shortly(ja, _MOST_CAUSE)


def entry_parts(data: object) -> tuple[str, Json]:
    """An entry's kind and data, from the object that holds both."""
    if isinstance(data, dict):
        kind, held = data.get("kind"), data.get("data")
        if isinstance(kind, str) and isinstance(held, dict):
            return kind, held
    raise EntryError("an entry has a 'kind' and its 'data'", "項目にはkindとdataが必要です")


def move_in(data: Json) -> Move:
    """The move that was made, with nothing in it that nobody at the table could see."""
    try:
        move = move_from_json(data.get("move"))
    except BadRecordError as error:
        raise EntryError(error.en, error.ja) from error
    if isinstance(move, Deal):
        raise EntryError("it tells hidden cards", "見えないはずのカードが書かれています")
    return move


def agreed_in(data: Json, position: Position) -> Agreed:
    """What is agreed where the position is this one, and the entry tells what lies on the table beyond it."""
    shown = _part(data, "shown", dict)
    peeping = _part(data, "peeping", list)
    places = {_number(place, "shown", len(DECK) - 1): _card(name, "shown") for place, name in shown.items()}
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


def agreed_set_in(data: Json, now: Position) -> Agreed:
    """What is agreed where all of it was set by hand, in a game that stood at ``now``."""
    agreed = _part(data, "agreed", dict)
    position: Position | None = None
    try:
        if len(json.dumps(agreed.get("position"))) <= _MOST_POSITION:
            position = read_correction(agreed, Header(now.players, now.first_seat), now.catalogue)
    except (BadRecordError, RecursionError, OverflowError) as error:
        raise _wrong("position") from error
    if position is None:
        raise _wrong("position")
    return agreed_in(agreed, position)


def thanks_in(data: Json, seats: int) -> dict[int, int]:
    """Thank-you cards that still lie there, by seat."""
    thanks = _part(data, "thanks", dict)
    if not all(type(count) is int and 0 <= count <= len(DECK) for count in thanks.values()):
        raise _wrong("thanks")
    return {_number(seat, "thanks", seats, 1): count for seat, count in thanks.items()}


def named_in(data: Json, catalogue: Papers) -> tuple[str, str, float, float]:
    """The name that was given to a card, its place as in ``Mend``, and its centre, mm."""
    name, place = data.get("name"), data.get("place")
    if not isinstance(name, str) or not _is_card_name(name, catalogue):
        raise EntryError(f"there is no card {quoted(name)}", f"{quoted(name)}というカードはありません")
    if not isinstance(place, str) or not is_plain(place) or len(place) > 60:
        raise _wrong("place")
    return name, place, _coordinate(data, "x"), _coordinate(data, "y")


def _is_card_name(name: str, catalogue: Papers) -> bool:
    kind, slash, side = name.partition("/")
    return (kind in catalogue and side in ("review", "complete")) if slash else name == "back" or name in _CARDS


def _part(data: Json, key: str, kind: type) -> Any:
    value = data.get(key)
    if not isinstance(value, kind):
        raise _wrong(key)
    return value


def _coordinate(data: Json, key: str) -> float:
    value: Any = data.get(key)
    if type(value) not in (int, float) or not -_FARTHEST_MM <= value <= _FARTHEST_MM:
        raise _wrong(key)
    return float(value)


def _number(text: str, key: str, most: int, least: int = 0) -> int:
    """A number that JSON has as an object's key."""
    if not text.isascii() or not text.isdigit() or len(text) > 2 or not least <= int(text) <= most:
        raise _wrong(key)
    return int(text)


def _card(name: object, key: str) -> Card:
    card = _CARDS.get(name) if isinstance(name, str) else None
    if card is None:
        raise _wrong(key)
    return card


def _wrong(key: str) -> EntryError:
    return EntryError(f"{key!r} is not what it should be", f"{key}の内容が正しくありません")
