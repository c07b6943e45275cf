"""The tables of a hall as they are now: what each said last, counted so that only what changed need be told."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from device.hall.messages import Call, Online, TableState
from device.hall.store.store import TableNote
from rules.text import Text

MOST_TABLES = 5_000
"""More tables than a hall has; more names than that are somebody's mischief."""


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


class LiveTables:
    """All tables. One thread tells them, others look on."""

    def __init__(self, notes: Iterable[TableNote], now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._lock = threading.RLock()
        self._tables = {one.name: _of(one) for one in sorted(notes, key=lambda one: one.name)}
        self._unkept: set[str] = set()
        self._trouble: dict[str, tuple[Text, datetime]] = {}
        self.version = 0
        """Counts what has changed."""
        self.dropped: Counter[str] = Counter()
        """What was dropped since the start, by why."""
        self.began = now()
        self.is_over: Callable[[], bool] = lambda: False
        """Whether whoever looks on is to leave, as the hall closes."""

    def all(self) -> list[LiveTable]:
        """Every table."""
        with self._lock:
            return list(self._tables.values())

    def get(self, name: str) -> LiveTable | None:
        """The table of that name."""
        return self._tables.get(name)

    def after(self, version: int) -> list[LiveTable]:
        """The tables that have changed after that version."""
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
            if before is None:
                if len(self._tables) >= MOST_TABLES:
                    self.drop("too_many_tables")
                    return
                before = LiveTable(name, online=False, since=now)
            after = _after(before, said, now, retained)
            if after == before and name in self._tables:
                return
            if not isinstance(said, TableState):
                self._unkept.add(name)
            self.version += 1
            self._tables.pop(name, None)
            self._tables[name] = replace(after, version=self.version)

    def drop(self, why: str) -> None:
        """Count something that can't be; it is shown nowhere."""
        with self._lock:
            self.dropped[why] += 1
            self.version += 1

    def unkept(self) -> list[TableNote]:
        """The notes that have changed since they were last asked for."""
        with self._lock:
            names, self._unkept = self._unkept, set()
            return [self._tables[name].note for name in names]

    def keep_again(self, notes: Iterable[TableNote]) -> None:
        """These could not be kept."""
        with self._lock:
            self._unkept |= {one.name for one in notes}

    # What the hall itself lacks

    @property
    def troubles(self) -> list[tuple[Text, datetime]]:
        """What is wrong with broker or database, and since when."""
        return list(self._trouble.values())

    def trouble(self, what: str, words: Text) -> bool:
        """Note that this is wrong; returns whether it is news."""
        with self._lock:
            before = self._trouble.get(what)
            self._trouble[what] = words, before[1] if before else self._now()
            news = before is None or before[0] != words
            self.version += news
        return news

    def well(self, what: str) -> bool:
        """Note that this is well again; returns whether it is news."""
        with self._lock:
            news = self._trouble.pop(what, None) is not None
            self.version += news
        return news


def _of(note: TableNote) -> LiveTable:
    call = Call(note.call_since, note.call_why or "") if note.call_since else None
    return LiveTable(note.name, note.online, note.since, call=call, called_at=note.called_at)


def _after(table: LiveTable, said: Online | TableState | Call, now: datetime, retained: bool) -> LiveTable:
    if isinstance(said, Online):
        return table if said.online == table.online else replace(table, online=said.online, since=now)
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
