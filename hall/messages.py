"""What tables and hall say to each other over the broker: topics, and payloads as values that are right or refused.

A payload is read with ``of_bytes``, which raises ``BadMessageError`` on all that can't be: whoever listens drops it and
counts it. It is written with ``to_bytes``, and what one writes the other reads.

How an event and a result hang together:

* A game's events are numbered without a gap: ``n`` 0 is the header of its record, and ``n`` k its k-th journal entry.
  ``line`` is what that entry adds to a record, or nothing: what a look between two moves has shown is in no record.
* ``make_record`` makes the record of the events so far, with turns taken back left out as the rules of records say.
  ``record_sha256`` of a result is the sum of that record (``hash_record``), so it tells which entry the result follows.
* A game that goes on after its end takes its result back: the same comes with ``withdrawn``, and another one once it
  has ended again. The newest is the one whose ``ended`` is the latest: a table has no two results of one game end at
  the same moment, and later ones end later, whatever its clock does.
* A game is known by its ``game_id``, whichever name its table has.
* Readers pass over fields that they do not know; a field that came later may be missing, and is left out where it says
  nothing.
* The same ``game_id`` and ``n``, or ``game_id`` and ``ended``, sent again is the same message sent again.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from hashlib import sha256
from typing import Annotated, Any

from device.json_text import NoObjectError, read_object
from device.typed_json import (
    BadMessageError,
    Count,
    Game,
    Name,
    Number,
    Words,
    make_form_check,
    make_payload,
    read_payload,
)
from rules.plain import is_plain
from rules.record import CORRECTION

ROOT = "sevenmat"
MOST_TOPIC_NAME = 40
"""Letters of a hall's or a table's name."""
MOST_DEPTH = 40
"""How deeply the JSON of a record's line may be nested."""
MOST_PLAYERS = 20
"""A table has fewer seats."""
_WILD = frozenset("/+#")


def is_topic_name(text: str) -> bool:
    """Return whether this can name a hall or a table in a topic: 1 to 40 letters of one line, some visible, no /, +, #.

    >>> [is_topic_name(text) for text in ("Table 7", "Café", "a/b", " a", "\u200b")]
    [True, True, False, False, False]
    """
    right = 0 < len(text) <= MOST_TOPIC_NAME and text == text.strip() and is_plain(text)
    right = right and any(unicodedata.category(letter)[0] in "LNPS" for letter in text)
    return right and _WILD.isdisjoint(text) and unicodedata.is_normalized("NFC", text)


class TopicKind(Enum):
    """What a topic is for: its last level."""

    ONLINE = "online"
    STATE = "state"
    EVENT = "event"
    RESULT = "result"
    CALL = "call"

    @property
    def retained(self) -> bool:
        """Whether the broker keeps the newest for whoever comes later."""
        return self not in (TopicKind.EVENT, TopicKind.RESULT)


@dataclass(frozen=True, slots=True)
class Topic:
    """Where a table of a hall says something.

    >>> str(Topic("Café", "Table 7", TopicKind.STATE))
    'sevenmat/Café/Table 7/state'
    >>> Topic.parse("sevenmat/Café/Table 7/state").table
    'Table 7'
    """

    hall: str
    table: str
    kind: TopicKind

    def __post_init__(self) -> None:
        """Refuse names that can't be."""
        for name in (self.hall, self.table):
            if not is_topic_name(name):
                raise BadMessageError(f"no name of a hall or a table: {name[:100]!r}")

    def __str__(self) -> str:
        return f"{ROOT}/{self.hall}/{self.table}/{self.kind.value}"

    @classmethod
    def parse(cls, text: str) -> Topic:
        """Read the topic that a text names.

        Raises:
            BadMessageError: it is none of a table's.
        """
        root, *names = text.split("/")
        if root != ROOT or len(names) != 3:
            raise BadMessageError(f"no topic of a table: {text[:100]!r}")
        hall, table, kind = names
        try:
            return cls(hall, table, TopicKind(kind))
        except ValueError as error:
            raise BadMessageError(f"no topic of a table: {text[:100]!r}") from error


def make_topic_filter(hall: str, kind: TopicKind) -> str:
    """Return the filter that subscribes to this kind of all tables of a hall.

    >>> make_topic_filter("Café", TopicKind.EVENT)
    'sevenmat/Café/+/event'

    Raises:
        BadMessageError: no hall can have this name.
    """
    return f"{ROOT}/{Topic(hall, 'any', kind).hall}/+/{kind.value}"


# --- what a field may be


def _is_line(value: str) -> bool:
    """Return whether this can be a line of a record, or none."""
    if not value:
        return True
    try:
        return "\n" not in value and _measure_depth(read_object(value)) <= MOST_DEPTH
    except NoObjectError:
        return False


def _measure_depth(value: Any) -> int:
    """Return how deeply JSON is nested, at most one level more than it may be."""
    level, depth = [value], 0
    while level and depth <= MOST_DEPTH:
        level = [part for one in level if isinstance(one, (dict, list)) for part in _list_parts(one)]
        depth += 1
    return depth


def _list_parts(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


GameId = Annotated[str, make_form_check(r"[0-9a-f]{32}")]
"""128 bits that tell a game from all others, at whichever table, as hexadecimal digits."""
Sum = Annotated[str, make_form_check(r"[0-9a-f]{64}")]
"""A SHA-256 as hexadecimal digits."""
Line = Annotated[str, _is_line]
"""A line of a record, without the line's end; empty where an entry adds none."""
Place = Annotated[int, lambda value: 1 <= value <= MOST_PLAYERS]


# --- payloads


@dataclass(frozen=True, slots=True)
class Online:
    """Whether a table is connected; the last will says that it is not."""

    online: bool

    def to_bytes(self) -> bytes:
        """Return the payload."""
        return b"true" if self.online else b"false"

    @classmethod
    def of_bytes(cls, payload: bytes) -> Online:
        """Read what a payload says.

        Raises:
            BadMessageError: nothing that can be.
        """
        if payload not in (b"true", b"false"):
            raise BadMessageError("neither true nor false")
        return cls(payload == b"true")


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of a table's journal: number ``n`` of its game, and what it adds to the game's record."""

    game_id: GameId
    n: Count
    line: Line

    def to_bytes(self) -> bytes:
        """Return the payload."""
        return make_payload(self)

    @classmethod
    def of_bytes(cls, payload: bytes) -> Event:
        """Read what a payload says.

        Raises:
            BadMessageError: nothing that can be.
        """
        return read_payload(cls, payload)


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended: points and places by player, 1 is the best place and shared by those who are level.

    ``began`` and ``ended`` are by the table's clock, which may be wrong; ``record_sha256`` is the sum of its record.
    ``withdrawn``: the game goes on, and has no result any more.
    """

    game_id: GameId
    game: Game
    players: tuple[Name, ...]
    points: tuple[Number, ...]
    places: tuple[Place, ...]
    began: datetime
    ended: datetime
    record_sha256: Sum
    withdrawn: bool = False

    def to_bytes(self) -> bytes:
        """Return the payload."""
        return make_payload(self)

    @classmethod
    def of_bytes(cls, payload: bytes) -> GameResult:
        """Read what a payload says.

        Raises:
            BadMessageError: nothing that can be.
        """
        result = read_payload(cls, payload)
        count = len(result.players)
        if not 1 <= count <= MOST_PLAYERS or len(result.points) != count or len(result.places) != count:
            raise BadMessageError("not as many points and places as players")
        if min(result.places) != 1 or max(result.places) > count:
            raise BadMessageError("places that can't be")
        if result.ended < result.began:
            raise BadMessageError("it ended before it began")
        return result


@dataclass(frozen=True, slots=True)
class Call:
    """A table calls the director: since when, by its own clock, and why; ``NO_CALL`` where nobody is needed."""

    since: datetime | None
    why: Words

    def to_bytes(self) -> bytes:
        """Return the payload: empty where nobody is called, so the broker forgets the call."""
        return make_payload(self) if self.since is not None else b""

    @classmethod
    def of_bytes(cls, payload: bytes) -> Call:
        """Read what a payload says.

        Raises:
            BadMessageError: nothing that can be.
        """
        call = read_payload(cls, payload) if payload else NO_CALL
        if payload and call.since is None:
            raise BadMessageError("since: None")
        return call


NO_CALL = Call(None, "")


# --- a record of events


def make_record(lines: Iterable[str]) -> list[str]:
    """Return the record that the lines of a game's events make, in their order from ``n`` 0 on.

    A turn that was taken back is in no record, but a note of it is.

    Raises:
        BadMessageError: more is taken back than was played.
    """
    record: list[str] = []
    for line in filter(None, lines):
        if record and (did := json.loads(line)).get("do") == CORRECTION and did.get("by_hand") == "taken_back":
            played = [at for at, one in enumerate(record) if at and _is_step(one)]
            if not played:
                raise BadMessageError("more is taken back than was played")
            del record[played[-1]]
        record.append(line)
    return record


def _is_step(line: str) -> bool:
    """Return whether a line of a record is a move, or a position set by hand."""
    did = json.loads(line)
    return did.get("do") != CORRECTION or ("position" in did and did.get("by_hand") != "taken_back")


def hash_record(record: Iterable[str]) -> str:
    """Return the SHA-256 of a record's file, every line of it with its end, as hexadecimal digits."""
    return sha256("".join(f"{line}\n" for line in record).encode()).hexdigest()
