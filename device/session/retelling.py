"""A game of the journal retold: what it has come to, and turn by turn in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from device.errors import DeviceError
from device.session.presenter import describe_check
from device.speech import text_json
from device.storage.journal import Journal, Kept
from referee.entry_data import EntryError
from referee.game import Check
from referee.history import CARD_NAMED, MOVE, POSITION_SET, REDO, UNDO, Entry, History
from rules.text import Language, Text, join_sentences
from ui.registry import screen_of
from ui.screen_state import Mood


@dataclass(frozen=True, slots=True)
class RetoldTurn:
    """An entry of the journal in words, with its number and what is agreed after it."""

    number: int
    entry: Entry
    words: Text
    after: History


def history_of(kept: Kept, entries: Sequence[Entry]) -> History:
    """Rebuild what a game in the journal has come to.

    Raises:
        DeviceError: its entries do not follow from each other.
    """
    history = _start(kept)
    for number, entry in enumerate(entries, 1):
        history = _follow_entry(history, kept, number, entry)
    return history


def retell_turns(kept: Kept, entries: Sequence[Entry]) -> Iterator[RetoldTurn]:
    """Yield each move and each correction by hand of a game.

    Raises:
        DeviceError: its entries do not follow from each other.
    """
    history = _start(kept)
    for number, entry in enumerate(entries, 1):
        before, history = history, _follow_entry(history, kept, number, entry)
        words = _describe_entry(entry, before, history)
        if words is not None:
            yield RetoldTurn(number, entry, words, history)


def summarise_game(journal: Journal, kept: Kept, goes_on: bool) -> dict[str, Any]:
    """Summarise a game as ``sevenmat games --json`` lists it; one that can't be followed says why."""
    line: dict[str, Any] = {
        "game": kept.number,
        "started": kept.started.isoformat(),
        "ended": kept.ended.isoformat() if kept.ended else None,
        "players": list(kept.opening.players),
        "deck": kept.opening.deck,
        "entries": kept.entries,
        "goes_on": goes_on,
    }
    if kept.result is not None:
        return {**line, "state": "over", "points": list(kept.result.points), "winners": list(kept.result.winners)}
    try:
        history = history_of(kept, journal.read_entries(kept.number))
    except DeviceError as error:
        return {**line, "state": "unreadable", "points": None, "winners": None, **text_json(error.text)}
    position = history.now.position
    outcome = position.outcome
    to_move = sorted(history.referee.rules.to_move(position))
    return {
        **line,
        "state": "over" if history.over else "play" if history.begun else "setup",
        "points": list(position.points),
        "winners": list(outcome.winners) if outcome is not None else None,
        "to_move": to_move[0] if len(to_move) == 1 else to_move or None,
    }


def has_secret_points(kept: Kept) -> bool:
    """Tell whether a game that goes on keeps its points secret: the display has other words in their place."""
    if kept.ended is not None:
        return False
    position = _start(kept).now.position
    base = screen_of(kept.opening.game).make_base(position, Language.EN, Mood.WAITING)
    return any(line.shown for line in base.players)


def _start(kept: Kept) -> History:
    opening = kept.opening
    return History.start(opening.referee, opening.players, opening.options)


def _follow_entry(history: History, kept: Kept, number: int, entry: Entry) -> History:
    try:
        return history.apply_entry(entry)
    except EntryError as error:
        raise DeviceError(
            Text(
                "Game {number} can't be followed beyond its entry {entry} ({error}); it was written by "
                "another version of Sevenmat.",
                number=kept.number,
                entry=number,
                error=error,
            ),
        ) from error


def _describe_entry(entry: Entry, before: History, after: History) -> Text | None:
    if entry.kind == MOVE:
        return join_sentences(before.referee.describe(after.past[-1]))
    if entry.kind == UNDO:
        return describe_check(before.referee, Check(before.past[-1], back=True))
    if entry.kind == REDO:
        return describe_check(before.referee, Check(before.future[-1], back=False))
    if entry.kind == POSITION_SET:
        return Text("The position was set by hand from the table.")
    if entry.kind == CARD_NAMED:
        named = after.named[-1]
        name = after.referee.card_words(after.now, named.name)
        return Text("Named by hand: {name}.", name=name)
    return None  # thanks taken away and names dropped: nothing that players did on purpose
