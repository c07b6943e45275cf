"""What of the journal a hall's broker has acknowledged, on the disk.

It is written after the broker's word, never before: what a pulled plug takes of it is sent twice, and nothing is lost.
There is a small file for each game, so nothing grows with the years, and one that says with which game it began.
"""

from __future__ import annotations

import json
import time
from collections import deque
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from device.errors import DeviceError
from device.files import make_folder, read_text, replace_file
from device.json_text import read_object

_MOST = 10_000
_SINCE = "since.json"


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a game is acknowledged: so many lines of its file, which have ``size`` bytes, up to one of that sum.

    ``told_as`` is the game's number at the hall where that is not the journal's own: 128 bits as hexadecimal digits.
    """

    lines: int = 0
    size: int = 0
    sum: str = ""
    told_as: str | None = None


@dataclass(slots=True)
class _Since:
    """Which games are told: all from number ``first`` on, and those of ``also``, which went on since."""

    first: int
    also: list[int] = field(default_factory=list)


class Acknowledged:
    """What a hall has acknowledged of a table's games. ``keep`` writes; till then all is in memory."""

    def __init__(self, folder: Path, hall: str) -> None:
        """Read what is kept in a folder for the hall of that name."""
        self._folder = folder / f"hall-{quote(hall, safe='')}"
        self._since = self._since_kept()
        self._marks: dict[str, Mark] = {}
        self._fresh: deque[tuple[float, str, Mark]] = deque()
        self._sure: dict[str, Mark] = {}
        self._unwritten: set[str] = set()

    def begin(self, newest: int) -> None:
        """Tell only games that begin after number ``newest``, unless it has been said before from which one on."""
        if self._since is None:
            self._since = _Since(newest + 1)
            self._unwritten.add(_SINCE)

    def add_going_on(self, number: int) -> None:
        """Have a game that is played now told to the hall, whenever it began."""
        if not self.is_told_of(number) and self._since is not None:
            self._since.also.append(number)
            self._unwritten.add(_SINCE)

    def is_told_of(self, number: int) -> bool:
        """Return whether the hall is told of this game of the journal."""
        return self._since is not None and (number >= self._since.first or number in self._since.also)

    def mark(self, game_id: str) -> Mark:
        """Return how far a game is acknowledged."""
        if game_id not in self._marks:
            self._marks[game_id] = self._mark_kept(game_id)
        return self._marks[game_id]

    def put(self, game_id: str, mark: Mark) -> None:
        """Remember how far a game is acknowledged."""
        self._marks[game_id] = mark
        self._fresh.append((time.monotonic(), game_id, mark))

    @property
    def unwritten(self) -> bool:
        """Whether there is something to keep."""
        return bool(self._unwritten or self._fresh)

    def keep(self, older_than_s: float = 0.0) -> None:
        """Have the disk take what was remembered so long ago at least; what is later comes twice after a pulled plug.

        Raises:
            DeviceError: it can't; all stays as it is, to be tried again.
        """
        make_folder(self._folder)
        until_s = time.monotonic() - older_than_s
        while self._fresh and self._fresh[0][0] <= until_s:
            _, game_id, mark = self._fresh.popleft()
            self._sure[game_id] = mark
            self._unwritten.add(f"{game_id}.json")
        for name in sorted(self._unwritten, key=lambda name: name != _SINCE):
            told: Any = self._since if name == _SINCE else self._sure[name.removesuffix(".json")]
            with replace_file(self._folder / name) as unfinished:
                unfinished.write_text(json.dumps(asdict(told)) + "\n", encoding="ascii")
            self._unwritten.discard(name)

    def _since_kept(self) -> _Since | None:
        told = self._read(_SINCE)
        first, also = told.get("first"), told.get("also")
        if isinstance(first, int) and isinstance(also, list) and all(map(_is_count, [first, *also])):
            return _Since(first, also)
        # A file that is there, but damaged: better all games twice than one not at all.
        return _Since(1) if (self._folder / _SINCE).exists() else None

    def _mark_kept(self, game_id: str) -> Mark:
        told = self._read(f"{game_id}.json")
        right = (
            set(told) == {"lines", "size", "sum", "told_as"} and _is_count(told["lines"]) and _is_count(told["size"])
        )
        if right and isinstance(told["sum"], str) and isinstance(told["told_as"], (str, type(None))):
            return Mark(**told)
        return Mark()

    def _read(self, name: str) -> dict[str, Any]:
        """Return what a file holds; nothing where it is not there, or damaged."""
        with suppress(DeviceError, ValueError):
            return read_object(read_text(self._folder / name, _MOST))
        return {}


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0
