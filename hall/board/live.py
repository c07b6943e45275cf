"""The tables of a hall as they are now: what each said last, counted so that only what changed need be told."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from device.table_state import TableState
from hall.clocks import can_be_right
from hall.messages import Call, Online
from hall.store.store import TableNote
from rules.text import Text

MOST_TABLES = 5_000
"""More tables than a hall has; more names than that are somebody's mischief."""
HEARD_FOR = timedelta(seconds=90)
"""A table that was not heard for so long is not online, whatever the broker has kept: each speaks every 20 s."""
KEPT_EVERY = timedelta(seconds=30)
"""So often the database is told that a table was heard."""
CALLS_COME = timedelta(seconds=3)
"""Within so long the broker says which calls it has kept."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """One table: whether it is online and since when, what it shows, and its open call.

    ``since`` and ``called_at`` are by the hall's clock; ``version`` is when it last changed, of ``LiveTables.version``.
    """

    name: str
    online: bool
    since: datetime
    state: TableState | None = None
    call: Call | None = None
    called_at: datetime | None = None
    version: int = 0

    @property
    def note(self) -> TableNote:
        """What is kept of it in the database."""
        if self.call is None or self.call.since is None:
            return TableNote(self.name, self.online, self.since)
        return TableNote(self.name, self.online, self.since, self.call.since, self.call.why, self.called_at)


@dataclass(slots=True)
class _Ear:
    """What is known of a table besides what is shown: whether it has said that it is there, and when it was heard last.

    ``kept`` is the last of these moments that the database has. ``unsure``: nobody has said since the hall listens anew
    that the table still calls. ``lapsed`` is the call that nobody said then, and when it was made.
    """

    there: bool = False
    heard: datetime | None = None
    kept: datetime | None = None
    unsure: bool = False
    lapsed: tuple[Call | None, datetime | None] = None, None


class LiveTables:
    """All tables. One thread tells them, others look on."""

    def __init__(self, notes: Iterable[TableNote], now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._lock = threading.RLock()
        notes = sorted(notes, key=lambda one: one.name)
        self._tables = {one.name: _make_table(one) for one in notes}
        self._ears = {one.name: _Ear(one.online, one.heard, one.heard) for one in notes}
        self._unkept: set[str] = set()
        self._trouble: dict[str, tuple[Text, datetime]] = {}
        self._clocks: dict[str, timedelta] = {}
        self._version = 0
        self._looked, self._due = now(), now()
        self._calls_due: datetime | None = None
        self.dropped: Counter[str] = Counter()
        """What was dropped since the start, by why."""
        self.results = 0
        """Counts how often results have come since the start."""
        self.began = now()
        self.is_over: Callable[[], bool] = lambda: False
        """Whether whoever looks on is to leave, as the hall closes."""

    @property
    def version(self) -> int:
        """Counts what has changed."""
        self._look()
        return self._version

    def list_all(self) -> list[LiveTable]:
        """Return every table."""
        self._look()
        with self._lock:
            return list(self._tables.values())

    def get(self, name: str) -> LiveTable | None:
        """Return the table of that name."""
        self._look()
        return self._tables.get(name)

    def list_changed(self, version: int) -> list[LiveTable]:
        """Return the tables that have changed after that version."""
        changed = []
        with self._lock:
            for one in reversed(self._tables.values()):  # what changes goes to the end
                if one.version <= version:
                    break
                changed.append(one)
        return changed

    def hear(self, name: str, said: Online | TableState | Call, retained: bool) -> None:
        """Take in what a table says; ``retained`` is what it said before the hall listened."""
        now = self._now()
        with self._lock:
            before = self._tables.get(name)
            if before is None and len(self._tables) >= MOST_TABLES:
                self.drop("too_many_tables")
                return
            ear = self._ears.setdefault(name, _Ear())
            if isinstance(said, Online):
                ear.there = said.online
            # What a last will says is the broker's word; a table that is new here is taken to have just spoken.
            if said != Online(False) and (ear.heard is None or not retained):
                ear.heard = now
                self._due = min(self._due, now + HEARD_FOR)
                if ear.kept is None or not timedelta(0) <= now - ear.kept < KEPT_EVERY:
                    self._unkept.add(name)
            if isinstance(said, TableState) and not retained:
                self.see_clock(name, said.at, can_be_right(said.at, now))
            after = _update_table(before or LiveTable(name, online=False, since=now), said, now, retained)
            if isinstance(said, Call):
                if said == ear.lapsed[0]:
                    after = replace(after, called_at=ear.lapsed[1])
                ear.unsure, ear.lapsed = False, (None, None)
            if (online := _is_online(ear, now)) != after.online:
                after = replace(after, online=online, since=now)
            self._put(before, after, is_note=not isinstance(said, TableState))

    def _put(self, before: LiveTable | None, after: LiveTable, is_note: bool = True) -> None:
        """Have a table so from now on; ``is_note``: the database is to know of it."""
        if after == before:
            return
        if is_note or before is None or after.online != before.online:
            self._unkept.add(after.name)
        self._version += 1
        self._tables.pop(after.name, None)
        self._tables[after.name] = replace(after, version=self._version)

    def _look(self) -> None:
        """Take note of what time alone changes: who was not heard for long, and calls that nobody makes any more."""
        now = self._now()
        if self._looked <= now < self._due:
            return
        with self._lock:
            self._looked, self._due = now, now + HEARD_FOR
            over = self._calls_due is not None and now >= self._calls_due
            self._calls_due = None if over else self._calls_due
            for table in list(self._tables.values()):
                ear, after = self._ears[table.name], table
                if table.online and not _is_online(ear, now):
                    after = replace(after, online=False, since=min(now, ear.heard or now))
                elif table.online and ear.heard is not None:
                    self._due = min(self._due, ear.heard + HEARD_FOR)
                if over and ear.unsure:
                    ear.unsure, ear.lapsed = False, (table.call, table.called_at)
                    after = replace(after, call=None, called_at=None)
                self._put(table, after)
            if self._calls_due is not None:
                self._due = min(self._due, self._calls_due)

    @property
    def heard(self) -> datetime | None:
        """When any table was heard last."""
        with self._lock:
            return max((ear.heard for ear in self._ears.values() if ear.heard is not None), default=None)

    def ask_anew(self) -> None:
        """Begin to listen: what the broker has kept of each table comes now."""
        with self._lock:
            self._calls_due = None
            for name, ear in self._ears.items():
                ear.unsure = self._tables[name].call is not None

    def note_answering(self) -> None:
        """Note that the broker begins to say it: a call not repeated now was taken back while nobody listened."""
        with self._lock:
            self._calls_due = self._now() + CALLS_COME
            self._due = min(self._due, self._calls_due)

    def drop(self, why: str) -> None:
        """Count something that can't be; it is shown nowhere."""
        with self._lock:
            self.dropped[why] += 1
            self._version += 1

    def note_results(self) -> None:
        """Note that the database has results that it had not."""
        with self._lock:
            self.results += 1
            self._version += 1

    def take_unkept(self) -> list[TableNote]:
        """Return the notes that have changed since they were last asked for."""
        self._look()
        with self._lock:
            names, self._unkept = self._unkept, set()
            for name in names:
                self._ears[name].kept = self._ears[name].heard
            return [replace(self._tables[name].note, heard=self._ears[name].heard) for name in names]

    def keep_again(self, notes: Iterable[TableNote]) -> None:
        """Have these notes kept later, since they could not be now."""
        with self._lock:
            self._unkept |= {one.name for one in notes}

    # Whose clock is wrong

    @property
    def wrong_clocks(self) -> dict[str, datetime]:
        """The tables whose clock can't be right, with what it shows now."""
        now = self._now()
        with self._lock:
            return {name: now + ahead for name, ahead in sorted(self._clocks.items())}

    def see_clock(self, name: str, shown: datetime, is_right: bool) -> None:
        """Take in what a table's clock shows, and whether that can be right."""
        with self._lock:
            before = self._clocks.pop(name, None)
            if not is_right and len(self._clocks) < MOST_TABLES:
                self._clocks[name] = shown - self._now()
            self._version += (before is None) != (name not in self._clocks)

    # What the hall itself lacks

    @property
    def troubles(self) -> list[tuple[Text, datetime]]:
        """What is wrong with broker or database, and since when."""
        return list(self._trouble.values())

    def note_trouble(self, what: str, words: Text) -> bool:
        """Note that this is wrong; returns whether it is news."""
        with self._lock:
            before = self._trouble.get(what)
            self._trouble[what] = words, before[1] if before else self._now()
            news = before is None or before[0] != words
            self._version += news
        return news

    def note_well(self, what: str) -> bool:
        """Note that this is well again; returns whether it is news."""
        with self._lock:
            news = self._trouble.pop(what, None) is not None
            self._version += news
        return news


def _make_table(note: TableNote) -> LiveTable:
    call = Call(note.call_since, note.call_why or "") if note.call_since else None
    return LiveTable(note.name, note.online, note.since, call=call, called_at=note.called_at)


def _is_online(ear: _Ear, now: datetime) -> bool:
    """Return whether a table says it is there, and was heard of late; a clock that was put back proves nothing."""
    return ear.there and ear.heard is not None and abs(now - ear.heard) <= HEARD_FOR


def _update_table(table: LiveTable, said: Online | TableState | Call, now: datetime, retained: bool) -> LiveTable:
    if isinstance(said, Online):
        return table
    if isinstance(said, Call):
        if said.since is None:
            return replace(table, call=None, called_at=None)
        if said == table.call:
            return table
        # A call that was made while nobody listened is older than its arrival; nothing is younger.
        return replace(table, call=said, called_at=min(now, said.since) if retained else now)
    if table.state is not None and replace(said, at=table.state.at) == table.state:
        return table
    return replace(table, state=said)
