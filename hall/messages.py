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
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from hashlib import sha256
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

from device.json_text import NoObjectError, read_object
from rules.plain import is_name, is_plain
from rules.record import CORRECTION

ROOT = "sevenmat"
MOST_TOPIC_NAME = 40
"""Letters of a hall's or a table's name."""
MOST_BYTES = 1 << 20
"""Bytes of a payload: an event may hold a whole position set by hand, of some 10,000 letters."""
MOST_DEPTH = 40
"""How deeply the JSON of a record's line may be nested."""
MOST_PLAYERS = 20
"""A table has fewer seats."""
_MOST_LINES, _MOST_WORDS = 100, 2_000
_MOST_NUMBER = 10**6
_WILD = frozenset("/+#")


class BadMessageError(ValueError):
    """A topic or a payload that can't be; the text says in English what is wrong with it, for a log."""


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


def _is_words(value: str) -> bool:
    return len(value) <= _MOST_WORDS and is_plain(value.replace("\n", " "))


def _make_form_check(pattern: str) -> Callable[[str], bool]:
    form = re.compile(pattern)
    return lambda value: form.fullmatch(value) is not None


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


Name = Annotated[str, is_name]
"""A player's name."""
Words = Annotated[str, _is_words]
"""Words for people, of one or several lines."""
Short = Annotated[str, lambda value: 0 < len(value) <= 40 and is_plain(value)]
"""A word that the program knows by itself: a language's code, a mood."""
Game = Annotated[str, _make_form_check(r"[a-z][a-z0-9_]{0,39}")]
"""A game's name in records."""
GameId = Annotated[str, _make_form_check(r"[0-9a-f]{32}")]
"""128 bits that tell a game from all others, at whichever table, as hexadecimal digits."""
Sum = Annotated[str, _make_form_check(r"[0-9a-f]{64}")]
"""A SHA-256 as hexadecimal digits."""
Line = Annotated[str, _is_line]
"""A line of a record, without the line's end; empty where an entry adds none."""
Number = Annotated[int, lambda value: abs(value) <= _MOST_NUMBER]
Count = Annotated[int, lambda value: 0 <= value <= _MOST_NUMBER]
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
class StatePlayer:
    """A player at a table, as its page shows them."""

    name: Name
    points: Number
    to_move: bool
    notes: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class LastMove:
    """What was done last, and by whom; by nobody where a position was set by hand."""

    who: Name | None
    words: Words


@dataclass(frozen=True, slots=True)
class StateEnding:
    """How near the game's end is: the turns that are left, once they are counted, and whether the End Flag is due."""

    turns_left: Count | None
    flag_due: bool


@dataclass(frozen=True, slots=True)
class TableState:
    """What a table shows, as its page's ``state.json``; words are in ``language``."""

    game: Game | None
    language: Short
    mood: Short
    headline: Words
    details: tuple[Words, ...]
    players: tuple[StatePlayer, ...]
    last: LastMove | None
    choices: tuple[Words, ...]
    chosen: Count
    ending: StateEnding
    turn: Count
    over: bool
    at: datetime

    def to_bytes(self) -> bytes:
        """Return the payload."""
        return _make_payload(self)

    @classmethod
    def of_bytes(cls, payload: bytes) -> TableState:
        """Read what a payload says.

        Raises:
            BadMessageError: nothing that can be.
        """
        return _read(cls, payload)


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of a table's journal: number ``n`` of its game, and what it adds to the game's record."""

    game_id: GameId
    n: Count
    line: Line

    def to_bytes(self) -> bytes:
        """Return the payload."""
        return _make_payload(self)

    @classmethod
    def of_bytes(cls, payload: bytes) -> Event:
        """Read what a payload says.

        Raises:
            BadMessageError: nothing that can be.
        """
        return _read(cls, payload)


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
        return _make_payload(self)

    @classmethod
    def of_bytes(cls, payload: bytes) -> GameResult:
        """Read what a payload says.

        Raises:
            BadMessageError: nothing that can be.
        """
        result = _read(cls, payload)
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
        return _make_payload(self) if self.since is not None else b""

    @classmethod
    def of_bytes(cls, payload: bytes) -> Call:
        """Read what a payload says.

        Raises:
            BadMessageError: nothing that can be.
        """
        call = _read(cls, payload) if payload else NO_CALL
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


# --- dataclasses as JSON and back, by their annotations

_Message = TypeVar("_Message", TableState, Event, GameResult, Call)


def _make_payload(message: Any) -> bytes:
    return json.dumps(_make_plain(message), ensure_ascii=False, separators=(",", ":")).encode()


def _make_plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds")
    if isinstance(value, tuple):
        return [_make_plain(one) for one in value]
    if is_dataclass(value):
        told = {one.name: (getattr(value, one.name), one.default) for one in fields(value)}
        return {name: _make_plain(own) for name, (own, default) in told.items() if own != default}
    return value


def _read(kind: type[_Message], payload: bytes) -> _Message:
    if len(payload) > MOST_BYTES:
        raise BadMessageError(f"longer than {MOST_BYTES} bytes")
    try:
        told: Any = kind  # mypy takes no class of slots for hashable
        return cast(_Message, _make_reader(told)(read_object(payload.decode())))
    except UnicodeDecodeError as error:
        raise BadMessageError("no UTF-8 text") from error
    except NoObjectError as error:
        raise BadMessageError(str(error)) from error


@cache
def _make_reader(hint: Any) -> Callable[[Any], Any]:
    """Return what reads a value that is annotated so, and raises ``BadMessageError`` where it is another."""
    if get_origin(hint) is Annotated:
        kind, fits = get_args(hint)
        return _make_kind_reader(kind, fits)
    if get_origin(hint) is tuple:
        return _make_list_reader(_make_reader(get_args(hint)[0]))
    if isinstance(hint, UnionType) or NoneType in get_args(hint):
        inner = _make_reader(next(one for one in get_args(hint) if one is not NoneType))
        return lambda value: None if value is None else inner(value)
    if hint is datetime:
        return read_moment
    return _make_class_reader(hint) if is_dataclass(hint) else _make_kind_reader(hint, lambda _: True)


def _make_kind_reader(kind: type, fits: Callable[[Any], bool]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not kind or not fits(value):
            raise BadMessageError(repr(value)[:100])
        return value

    return read


def _make_list_reader(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > _MOST_LINES:
            raise BadMessageError("no list, or too long a one")
        return tuple(map(read, value))

    return read_all


def read_moment(value: Any) -> datetime:
    """Read the moment that a text names.

    Raises:
        BadMessageError: it names none.
    """
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None or not 1970 <= moment.year < 9000:
            raise ValueError
    except (TypeError, ValueError) as error:
        raise BadMessageError(f"no moment with its time zone: {value!r:.100}") from error
    return moment


def _make_class_reader(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind, include_extras=True)
    readers = {one.name: _make_reader(hints[one.name]) for one in fields(kind)}
    needed = {one.name for one in fields(kind) if one.default is MISSING}

    def read(value: Any) -> Any:
        if not isinstance(value, dict) or not needed <= value.keys():
            raise BadMessageError(f"not the fields {', '.join(readers)}")
        told = {}
        for name in readers.keys() & value.keys():
            reader = readers[name]
            try:
                told[name] = reader(value[name])
            except BadMessageError as error:
                raise BadMessageError(f"{name}: {error}") from error
        return kind(**told)

    return read
