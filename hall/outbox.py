"""The journal as an outbox: what a table has to tell a hall of its games, in order, from what lies on the disk.

The journal's files are only read, and no lock is taken, so whoever writes them never waits. Of the two files of a game
the copy is read: a line is on the disk in the journal before it goes there, so nothing is told that a pulled plug could
take back.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from itertools import repeat
from pathlib import Path

from device.errors import DeviceError
from device.files import read_stamp
from device.storage.game_file import (
    COPY,
    FoundGame,
    Lines,
    find_game,
    list_numbers,
    paths_of,
    read_content,
    seal,
    text_of,
)
from device.storage.identity import identity_of
from device.storage.kept import entries_in, read_kept
from hall.acknowledged import Acknowledged, Mark
from hall.messages import Event, GameResult, hash_record
from referee.history import CARD_NAMED, MOVE, POSITION_SET, REDO, UNDO, Entry, History
from rules.game import rank_players
from rules.record import header_line

_LOG = logging.getLogger(__name__)
_MOST = 1 << 28
"""Bytes that are read of a game."""
_IN_RECORD = frozenset({MOVE, UNDO, REDO, POSITION_SET, CARD_NAMED})
"""Kinds of entries that add a line to a record."""
_TICK = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be told next, and how far the game is acknowledged once it is; ``game_id`` is the journal's own."""

    told: Event | GameResult
    game_id: str
    after: Mark


class Outbox:
    """What the hall has not acknowledged yet, the oldest game first, each game in its order."""

    def __init__(self, state: Path, acknowledged: Acknowledged) -> None:
        self._state, self._acknowledged = state, acknowledged
        self._folder_seen: tuple[int, ...] = ()
        self._seen: dict[int, tuple[int, ...]] = {}
        self._hot: tuple[int, ...] = ()
        self._games: dict[int, _ToldGame] = {}
        self._unreadable: set[int] = set()
        acknowledged.begin(max(list_numbers(state), default=0))

    def find_next(self, results_only: bool = False) -> Message | None:
        """Return what is to be sent now, or the next result; ``None`` where there is none that is not acknowledged."""
        self._look()
        for number in sorted(self._games):
            waiting = self._games[number].list_waiting()
            if not waiting and number not in self._hot:
                del self._games[number]
            for message in waiting:
                if not results_only or isinstance(message.told, GameResult):
                    return message
        return None

    def acknowledge(self, message: Message) -> None:
        """Note that the hall has taken a message."""
        self._acknowledged.put(message.game_id, message.after)
        for game in self._games.values():
            game.acknowledge(message)

    # What has changed on the disk

    def _look(self) -> None:
        """See which games have changed; where the folder has not, only those that are played can have."""
        folder = read_stamp(self._state / COPY)
        if folder != self._folder_seen:
            # Seen before it is listed: what comes meanwhile is seen the next time.
            self._folder_seen = folder
            known = [number for number in list_numbers(self._state) if number > 0]
            going_on = self._find_going_on()
            if going_on:
                self._acknowledged.add_going_on(going_on)
            self._hot = tuple(sorted({*known[-1:], *([going_on] if going_on else [])}))
            changed = [number for number in known if self._acknowledged.is_told_of(number)]
        else:
            changed = list(self._hot)
        for number in changed:
            stamp, before = read_stamp(paths_of(self._state, number)[1]), self._seen.get(number, ())
            if stamp and stamp != before:
                self._seen[number] = stamp
                if stamp[:1] != before[:1] or not self._read_on(number):
                    self._read(number, size=stamp[1])

    def _find_going_on(self) -> int:
        """Return the number of the game that is played, 0 where none is."""
        lines, going_on = self._read_lines(0), None
        with suppress(ValueError):
            going_on = read_content(lines[0]).get("going_on") if lines else None
        if type(going_on) is not int or going_on <= 0:
            return 0
        with suppress(DeviceError, ValueError):
            return 0 if read_kept(going_on, self._read_lines(going_on)).ended is not None else going_on
        return 0

    def _read_on(self, number: int) -> bool:
        """Take in what was added to a game's file since it was read; False where that is not all that has changed."""
        game = self._games.get(number)
        try:
            return game is not None and game.read_on(paths_of(self._state, number)[1])
        except (DeviceError, ValueError) as error:
            self._give_up(number, error)
            return True

    def _read(self, number: int, size: int) -> None:
        """Take in what a game has become."""
        if not self._acknowledged.is_told_of(number) or number in self._unreadable:
            return
        game = self._games.get(number)
        if game is None and (first := self._first_line(number)) is not None:
            with suppress(ValueError):  # no object in it
                if self._acknowledged.mark(identity_of([first])).size == size:
                    return
        lines = self._read_lines(number)
        try:
            if not lines or FoundGame(lines, True, False).deleted:
                self._games.pop(number, None)
            elif game is None or not game.goes_on(lines):
                self._games[number] = _ToldGame(self._state, number, lines, self._acknowledged)
        except (DeviceError, OSError, ValueError) as error:
            self._give_up(number, error)

    def _give_up(self, number: int, error: Exception) -> None:
        """Tell no more of a game that another version wrote; all others go on."""
        _LOG.warning("game %s is not told to the hall: %s", number, error)
        self._games.pop(number, None)
        self._unreadable.add(number)

    def _first_line(self, number: int) -> bytes | None:
        with suppress(OSError), paths_of(self._state, number)[1].open("rb") as file:
            line = file.readline(_MOST)
            return line if line == seal(number, [], text_of(line)) else None
        return None

    def _read_lines(self, number: int) -> Lines:
        """Return a game's lines as far as they are whole and follow from each other."""
        lines: Lines = []
        try:
            data = paths_of(self._state, number)[1].read_bytes()[:_MOST]
        except OSError:
            return []
        for part in data.split(b"\n")[:-1]:
            if seal(number, lines, text_of(line := part + b"\n")) != line:
                break
            lines.append(line)
        return lines


class _ToldGame:
    """A game of the journal as it is told: its messages from the first that is not acknowledged on.

    Raises:
        DeviceError, ValueError: another version of the program wrote it.
    """

    def __init__(self, state: Path, number: int, lines: Lines, acknowledged: Acknowledged) -> None:
        kept = read_kept(number, lines[:1])
        self._state, self._number, self._acknowledged = state, number, acknowledged
        self._identity = identity_of(lines)
        opening = kept.opening
        self._history = History.start(opening.referee, opening.players, opening.options)
        self._began, self._ended = kept.started, kept.started
        self._result: GameResult | None = None
        """How the game has ended, unless it has gone on since."""
        self._lines: Lines = []
        self._size, self._entries = 0, 0
        self._waiting: deque[Message] = deque()
        self._mark = self._find_sound_mark(lines)
        self._mark_here = replace(self._mark, lines=0, size=0, sum="")
        self.goes_on(lines)

    def list_waiting(self) -> Sequence[Message]:
        """Return what is not acknowledged, in its order."""
        return self._waiting

    def acknowledge(self, message: Message) -> None:
        """Note that the hall has taken a message, and needs none of those before it any more."""
        if any(one is message for one in self._waiting):
            while self._waiting.popleft() is not message:
                pass

    def read_on(self, path: Path) -> bool:
        """Take in what the game's file has after the last line that is known, without reading those before it again.

        False where that line is not there any more.
        """
        last = self._lines[-1]
        try:
            with path.open("rb") as file:
                file.seek(self._size - len(last))
                data = file.read(_MOST)
        except OSError:
            return False
        if not data.startswith(last):
            return False
        for part in data[len(last) :].split(b"\n")[:-1]:
            line = part + b"\n"
            if seal(self._number, self._lines, text_of(line)) != line:
                break
            self._take(line)
        return True

    def goes_on(self, lines: Lines) -> bool:
        """Take in what has been added; False where what was there is another now."""
        if lines[: len(self._lines)] != self._lines:
            return False
        for line in lines[len(self._lines) :]:
            self._take(line)
        return True

    def _find_sound_mark(self, lines: Lines) -> Mark:
        """Return how far the game is acknowledged.

        Where what was acknowledged is no longer there, as damage has taken it, the game is another one from now on.
        """
        mark = self._acknowledged.mark(self._identity)
        cut = mark.lines > len(lines) and find_game(self._state, self._number).whole
        changed = 1 < mark.lines <= len(lines) and _hash_line(lines[mark.lines - 1]) != mark.sum
        if cut or changed:
            told = f"{mark.told_as or self._identity} {mark.lines} {mark.sum}".encode()
            mark = Mark(told_as=blake2b(told, digest_size=16).hexdigest())
            self._acknowledged.put(self._identity, mark)
        return mark

    def _take(self, line: bytes) -> None:
        """Take in one more line, and what it has to tell."""
        told: list[Event | GameResult] = []
        data = read_content(line)
        if not self._lines:
            told.append(Event(self._told_as, 0, header_line(self._history.header)))
        elif "kind" in data:
            entry = entries_in(self._number, [line])[0]
            self._history = self._history.apply_entry(entry)
            self._entries += 1
            told.append(Event(self._told_as, self._entries, _make_line(entry, self._history)))
            if self._result is not None:
                self._ended += _TICK
                told.append(replace(self._result, ended=self._ended, withdrawn=True))
                self._result = None
        elif "result" in data and self._history.over:
            self._result = self._make_result(datetime.fromisoformat(data["at"]))
            told.append(self._result)
        before = self._mark_here
        self._lines.append(line)
        self._size += len(line)
        self._mark_here = replace(self._mark, lines=len(self._lines), size=self._size, sum=_hash_line(line))
        if len(self._lines) > self._mark.lines:
            # The line is acknowledged with the last of what it tells.
            marks = [*[before] * (len(told) - 1), self._mark_here]
            self._waiting.extend(map(Message, told, repeat(self._identity), marks))

    @property
    def _told_as(self) -> str:
        return self._mark.told_as or self._identity

    def _make_result(self, at: datetime) -> GameResult:
        """Return how the game has ended: later than it ended before, whatever the clock says."""
        header, outcome = self._history.header, self._history.now.position.outcome
        by_seat = sorted(rank_players(outcome.places, outcome.points), key=lambda ranked: ranked.seat)
        self._ended = max(at, self._ended + _TICK)
        return GameResult(
            self._told_as,
            header.game,
            header.players,
            tuple(one.points for one in by_seat),
            tuple(one.place for one in by_seat),
            self._began,
            self._ended,
            hash_record(self._history.write_record()),
        )


def _make_line(entry: Entry, after: History) -> str:
    """Return what an entry adds to a record, nothing where it does not."""
    if entry.kind not in _IN_RECORD:
        return ""
    return replace(after, past=after.past[-1:]).write_record()[-1]


def _hash_line(line: bytes) -> str:
    """Return what distinguishes a line from another that stands in its place; renamed players do not change it."""
    return blake2b(text_of(line), digest_size=16).hexdigest()
