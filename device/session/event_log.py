"""What is agreed in a game, as a log: every change is an entry, kept before anything shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from referee.game import Referee
from referee.history import Entry, History
from rules.game import Options

Keep = Callable[[Entry], None]
"""Writes an entry down; where it raises, nothing has changed."""


def keep_nothing(entry: Entry) -> None:
    """Where nobody keeps a journal."""


class EventLog:
    """The history of one game, and the entries that led to it."""

    def __init__(self, referee: Referee, players: Sequence[str], options: Options, keep: Keep = keep_nothing) -> None:
        self._keep = keep
        self.history = History.start(referee, players, options)
        """How the game came here, what was taken back, and what was named by hand."""
        self.entries: tuple[Entry, ...] = ()
        """Everything that has changed the agreed state so far."""

    @property
    def agreed(self) -> Any:
        """The agreed position and what lies on the table beyond it."""
        return self.history.now

    @property
    def position(self) -> Any:
        """The agreed position, with public information."""
        return self.history.now.position

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.history.over

    @property
    def checking(self) -> bool:
        """Whether a turn was taken back or put back and the table has yet to lie accordingly."""
        return self.history.check is not None

    def record(self) -> list[str]:
        """The game so far as the lines of a record, corrections by hand marked in it."""
        return self.history.record()

    def restore(self, entries: Iterable[Entry]) -> None:
        """Take entries that are kept already.

        Raises:
            EntryError: they do not follow from each other, or hold what can't be.
        """
        for entry in entries:
            self._take(self.history.after(entry), entry)

    def commit(self, entry: Entry) -> None:
        """Change what is agreed, once it is written down."""
        after = self.history.after(entry)
        self._keep(entry)
        self._take(after, entry)

    def _take(self, after: History, entry: Entry) -> None:
        self.history = after
        self.entries = (*self.entries, entry)
