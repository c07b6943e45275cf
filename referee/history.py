"""What was agreed, entry by entry: every change of a game's state as plain data, and the state that follows from it.

The session changes its state only by an ``Entry``, and a resumed session reads the same entries again, so both come
to the same state by construction. Entries are JSON-able and hold no words, so they know no language.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.entry_data import EntryError, entry_parts, named_in
from referee.game import Check, Named, Referee, Step
from referee.state import AgreedState
from rules.game import Move, Options
from rules.parsing import BadRecordError
from rules.plain import quote_value
from rules.record import CORRECTION, Header, header_line, move_line
from rules.refusal import Illegal
from rules.text import Text

Json = Mapping[str, Any]

MOVE = "move"
UNDO = "undo"
REDO = "redo"
NOTICED = "noticed"
POSITION_SET = "correction"
CARD_NAMED = "named"
NAME_DROPPED = "name_dropped"
CHECKED = "checked"

_OLD_KINDS = {"thanks_taken": NOTICED}
"""What journals and recordings of earlier versions call a kind."""


@dataclass(frozen=True)
class Entry:
    """One change of what is agreed.

    ``kind`` and ``data``, JSON-able:

    * ``move``: ``move`` as in a record, and what lies on the table beyond the position after it, as the game keeps it
    * ``undo``, ``redo``: nothing; from then on the table is checked
    * ``checked``: nothing; the table was seen, or said, to lie as it must after a turn was taken back or put back
    * ``correction``: ``agreed``, set from the table as it lies
    * ``noticed``: what a look between two moves has shown, as the game keeps it
    * ``named``: a card named by hand: ``name``, its ``place`` and centre ``x``, ``y`` in mm
    * ``name_dropped``: the same ``name``, which has moved since
    """

    kind: str
    data: Json = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the entry as one JSON object; ``Entry.from_json`` restores it."""
        return {"kind": self.kind, "data": dict(self.data)}

    @classmethod
    def from_json(cls, data: object) -> Entry:
        """Restore what ``to_json`` gave.

        Raises:
            EntryError: this is no entry.
        """
        kind, held = entry_parts(data)
        return cls(_OLD_KINDS.get(kind, kind), held)


@dataclass(frozen=True)
class History:
    """What is agreed now, how it came about, what was taken back, and which cards were named by hand.

    ``check`` is what hands have yet to do on the table, ``None`` where nothing.
    """

    referee: Referee
    header: Header
    now: AgreedState
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    named: tuple[Named, ...] = ()
    notes: tuple[Json, ...] = ()
    check: Check | None = None

    @classmethod
    def start(cls, referee: Referee, players: Sequence[str], options: Options) -> History:
        """Begin a game, before its first move.

        Raises:
            ValueError: wrong number of players, or an option that can't be.
        """
        header = Header(referee.rules.name, tuple(players), options)
        return cls(referee, header, referee.start(players, options))

    def move_entry(self, move: Move, after: AgreedState) -> Entry:
        """Make the entry of a move that was accepted, from what is confirmed after it."""
        return Entry(MOVE, {"move": move.to_json(), **self.referee.save_details(after)})

    @property
    def begun(self) -> bool:
        """Whether anything lies on the table that everybody agrees on."""
        return bool(self.past)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.now.position.outcome is not None

    def apply_entry(self, entry: Entry) -> History:
        """Return what is confirmed after an entry.

        Raises:
            EntryError: no such kind of entry, one that lacks or misspells something, or one that can't follow here.
        """
        data = entry.data
        if entry.kind == MOVE:
            return self._apply_move(data)
        if entry.kind == NOTICED:
            return replace(self, now=self.referee.apply_passive_changes(self.now, data))
        if entry.kind == UNDO:
            return self._apply_undo()
        if entry.kind == REDO:
            return self._apply_redo()
        if entry.kind == CHECKED:
            return replace(self, check=None)
        if entry.kind == POSITION_SET:
            return self._add_step(self.referee.read_state(data.get("agreed"), self.now, self.header.options), None)
        if entry.kind not in (CARD_NAMED, NAME_DROPPED):
            raise EntryError(Text("there is no kind {kind}", kind=quote_value(entry.kind)))
        known = {name for _, names in self.referee.name_groups(self.now) for name, _ in names}
        named = named_in(data, known)
        others = tuple(one for one in self.named if not self._is_renaming(named, one))
        if entry.kind == CARD_NAMED:
            note = _make_correction("named", card=named.name, place=named.place)
            return replace(self, named=(*others, named), notes=(*self.notes, note))
        return replace(self, named=others)

    def _is_renaming(self, one: Named, other: Named) -> bool:
        """Tell whether a name says anew what the other said: of
        the same single card, or of the card at the same place.
        """
        same = one.name == other.name and self.referee.cards.is_single(one.name)
        return same or (one.x, one.y) == (other.x, other.y)

    def _apply_move(self, data: Json) -> History:
        rules = self.referee.rules
        try:
            move = rules.read_move(data.get("move"))
        except BadRecordError as error:
            raise EntryError(error.text) from error
        if type(rules.make_public(move)) is not type(move):
            raise EntryError(Text("it tells hidden cards"))
        try:
            after = self.referee.after_move(self.now, move, data)
        except Illegal as illegal:
            why = illegal.refusal.text
            raise EntryError(Text("the rules refuse its move: {why}", why=why)) from illegal
        return self._add_step(after, move)

    def _add_step(self, after: AgreedState, move: Move | None) -> History:
        step = Step(self.now, after, move, self.notes)
        return replace(self, now=after, past=(*self.past, step), future=(), notes=(), check=None)

    def _apply_undo(self) -> History:
        if not self.past:
            raise EntryError(Text("there is nothing to take back"))
        *past, step = self.past
        line = {"move": step.move.to_json()} if step.move is not None else {"position": None}
        notes = (*step.notes, *self.notes, _make_correction("taken_back", **line))
        # What has become of the table since is part of the step: taking it back again finds it so.
        undone = replace(step, notes=())
        before = self.referee.recall_state(step, self.now)
        back = replace(self, now=before, past=tuple(past), future=(*self.future, undone), notes=notes)
        # Before the set-up there is nothing that has to lie anywhere.
        return replace(back, check=Check(undone, True, self.now) if back.begun else None)

    def _apply_redo(self) -> History:
        if not self.future:
            raise EntryError(Text("there is nothing to put back"))
        *future, step = self.future
        again = replace(step, before=self.now, notes=self.notes)
        return replace(
            self,
            now=step.after,
            past=(*self.past, again),
            future=tuple(future),
            notes=(),
            check=Check(again, False),
        )

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves that led here, without those taken back."""
        return tuple(step.move for step in self.past if step.move is not None)

    def write_record(self) -> list[str]:
        """Return the game as the lines of a record, corrections by hand among them."""
        lines = [header_line(self.header)]
        for step in self.past:
            lines += map(_write_line, step.notes)
            if step.move is not None:
                lines.append(move_line(step.move))
            else:
                lines.append(_write_line(_make_correction("position", position=step.after.position.to_json())))
        return [*lines, *map(_write_line, self.notes)]


def named_entry(kind: str, named: Named) -> Entry:
    """Make the entry of a card named by hand (``CARD_NAMED``), or of its name being dropped (``NAME_DROPPED``)."""
    return Entry(kind, {"name": named.name, "place": named.place, "x": named.x, "y": named.y})


def _make_correction(how: str, **more: Any) -> Json:
    return {"do": CORRECTION, "by_hand": how, **more}


def _write_line(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False)
