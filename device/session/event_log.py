"""What is agreed in a game, as a log: every change is an entry, kept before anything shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

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
        self.keep = keep
        self.history = History.start(referee, players, options)
        """How the game came here, what was taken back, and what was named by hand."""
        self.entries: tuple[Entry, ...] = ()
        """Everything that has changed the agreed state so far."""

    def restore(self, entries: Iterable[Entry]) -> None:
        """Take entries that are kept already.

        Raises:
            EntryError: they do not follow from each other, or hold what can't be.
        """
        for entry in entries:
            self._take(self.history.apply_entry(entry), entry)

    def commit(self, entry: Entry) -> None:
        """Change what is agreed, once it is written down."""
        after = self.history.apply_entry(entry)
        self.keep(entry)
        self._take(after, entry)

    def _take(self, after: History, entry: Entry) -> None:
        self.history = after
        self.entries = (*self.entries, entry)
