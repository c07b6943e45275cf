"""What the lines of a game say: its opening, whether and how it has ended, and its entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from device.speech import Language, spoken_or_english
from device.storage.game_file import Lines, read_content, text_of
from device.storage.opening import Opening, Result
from device.storage.trouble import UnreadableGameError
from referee.history import Entry


@dataclass(frozen=True, slots=True)
class Taught:
    """Whether a game teaches itself, and what it has explained: by the lesson's key, after how many turns."""

    on: bool = False
    explained: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON-able data; ``from_json`` restores it."""
        return {"on": self.on, "explained": dict(self.explained)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Taught:
        """Restore what ``to_json`` gave.

        Raises:
            ValueError: it is nothing that was written.
        """
        on, explained = data.get("on"), _require_object(data.get("explained"))
        if type(on) is not bool or not all(type(turns) is int for turns in explained.values()):
            raise ValueError("what was taught")
        return cls(on, explained)


NOTHING_TAUGHT = Taught()


@dataclass(frozen=True, slots=True)
class Kept:
    """A game in the journal. Times are the clock's word, which may jump; games are in order by their number."""

    number: int
    opening: Opening
    language: Language
    started: datetime
    ended: datetime | None
    result: Result | None
    entries: int
    taught: Taught = NOTHING_TAUGHT


def read_kept(number: int, lines: Lines) -> Kept:
    """Read the game that has these lines.

    Raises:
        UnreadableGameError: they do not hold what they should.
    """
    try:
        first = read_content(lines[0]) if lines else {}
        opening, language = (
            Opening.from_json(_require_object(first.get("opening"))),
            spoken_or_english(first.get("language")),
        )
        entries, ended, result, taught = 0, None, None, NOTHING_TAUGHT
        for line in lines[1:]:
            if _is_entry(line):
                entries, ended, result = entries + 1, None, None  # a game that had ended goes on
            elif "language" in (data := read_content(line)):
                language = spoken_or_english(data["language"])
            elif "mat_mm" in data:
                opening = opening.on_mat(data["mat_mm"])
            elif "taught" in data:
                taught = Taught.from_json(_require_object(data["taught"]))
            else:
                ended, result = _parse_time(data), Result.from_json(_require_object(data.get("result")), opening)
        return Kept(number, opening, language, _parse_time(first), ended, result, entries, taught)
    except ValueError as error:
        raise UnreadableGameError(number) from error


def entries_in(number: int, lines: Lines) -> tuple[Entry, ...]:
    """Read the entries in these lines.

    Raises:
        UnreadableGameError: one is none.
    """
    entries: list[Entry] = []
    try:
        for line in filter(_is_entry, lines):
            data = read_content(line)
            entries.append(Entry.from_json({"kind": data.get("kind"), "data": data.get("data")}))
    except ValueError as error:
        raise UnreadableGameError(number, len(entries) + 1) from error
    return tuple(entries)


def _is_entry(line: bytes) -> bool:
    return text_of(line).startswith(b'"kind":')


def _require_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _parse_time(data: dict[str, Any]) -> datetime:
    """Parse when a line was written; raise a ValueError where no clock shows that."""
    moment = datetime.fromisoformat(str(data.get("at")))
    if not 1970 <= moment.year < 9000:
        raise ValueError("no moment of a game")
    return moment
