"""What was agreed, entry by entry: every change of a game's state as plain data, and the state that follows from it.

The session changes its state only by an ``Entry``, and a resumed session reads the same entries again, so both come
to the same state by construction. Entries are JSON-able and hold no words, so they know no language.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.entry_data import EntryError, agreed_in, agreed_set_in, entry_parts, move_in, named_in, thanks_in
from referee.lying import Agreed
from rules.cards import Card
from rules.laminate.moves import Move, Research
from rules.laminate.position import Phase, Position
from rules.record import CORRECTION, header_line, move_line
from rules.plain import quoted
from rules.refusal import Illegal

Json = Mapping[str, Any]

MOVE = "move"
UNDO = "undo"
REDO = "redo"
THANKS_TAKEN = "thanks_taken"
POSITION_SET = "correction"
CARD_NAMED = "named"
NAME_DROPPED = "name_dropped"
CHECKED = "checked"


@dataclass(frozen=True)
class Entry:
    """One change of what is agreed.

    ``kind`` and ``data``, JSON-able:

    * ``move``: ``move`` as in a record, ``thanks``, ``shown`` and ``peeping`` of what is agreed after it
    * ``undo``, ``redo``: nothing; from then on the table is checked
    * ``checked``: nothing; the table was seen, or said, to lie as it must after a turn was taken back or put back
    * ``correction``: ``agreed``, set from the table as it lies
    * ``thanks_taken``: ``thanks`` that still lie, by seat
    * ``named``: a card named by hand: ``name``, its ``place`` and centre ``x``, ``y`` in mm
    * ``name_dropped``: the same ``name``, which has moved since
    """

    kind: str
    data: Json = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The entry as one JSON object; ``Entry.from_json`` restores it."""
        return {"kind": self.kind, "data": dict(self.data)}

    @classmethod
    def from_json(cls, data: object) -> Entry:
        """Restore what ``to_json`` gave.

        Raises:
            EntryError: this is no entry.
        """
        return cls(*entry_parts(data))

    @classmethod
    def of_move(cls, move: Move, after: Agreed) -> Entry:
        """A move that was accepted, and what is agreed after it."""
        beyond = after.to_json()
        del beyond["position"]
        return cls(MOVE, {"move": move.to_json(), **beyond})

    @classmethod
    def of_thanks(cls, thanks: Mapping[int, int]) -> Entry:
        """Thank-you cards were taken away; ``thanks`` still lie there."""
        return cls(THANKS_TAKEN, {"thanks": {str(seat): count for seat, count in sorted(thanks.items())}})


@dataclass(frozen=True)
class Named:
    """A card that the players named by hand: its name, and the place (as in ``Mend``) and centre in mm it has."""

    name: str
    place: str
    x: float
    y: float

    @property
    def card(self) -> Card | None:
        """The SEVEN card that was named, ``None`` for a paper card or a back."""
        return None if "/" in self.name or self.name == "back" else Card.parse(self.name)

    def replaces(self, other: Named) -> bool:
        """Whether this says anew what the other said: of the same SEVEN card, or of the card at the same place."""
        return (self.card is not None and self.name == other.name) or (self.x, self.y) == (other.x, other.y)


@dataclass(frozen=True)
class Step:
    """One step of the game that can be taken back: what was agreed before and after it.

    ``move`` is ``None`` where the position was set by hand. ``notes`` are the record's lines about corrections that
    come before it.
    """

    before: Agreed
    after: Agreed
    move: Move | None
    notes: tuple[Json, ...] = ()


@dataclass(frozen=True)
class Check:
    """A turn was taken back or put back, and the table has yet to lie accordingly.

    ``thanks`` are the thank-you cards that still lay on their spots when it was taken back, by seat.
    """

    step: Step
    back: bool
    thanks: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class History:
    """What is agreed now, how it came about, what was taken back, and which cards were named by hand.

    ``check`` is what hands have yet to do on the table, ``None`` where nothing.
    """

    now: Agreed
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    named: tuple[Named, ...] = ()
    notes: tuple[Json, ...] = ()
    check: Check | None = None

    @classmethod
    def start(cls, players: Sequence[str], first_seat: int) -> History:
        """A game before its set-up.

        Raises:
            ValueError: wrong number of players, or no such first seat.
        """
        return cls(Agreed(Position.start(players, first_seat)))

    def after(self, entry: Entry) -> History:
        """What is agreed after an entry.

        Raises:
            EntryError: no such kind of entry, one that lacks or misspells something, or one that can't follow here.
        """
        data, position = entry.data, self.now.position
        if entry.kind == MOVE:
            move = move_in(data)
            try:
                after = position.do(move)
            except Illegal as illegal:
                why = illegal.refusal.text
                raise EntryError(f"the rules refuse its move: {why.en}", why.ja) from illegal
            return self._stepped(agreed_in(data, after), move)
        if entry.kind == THANKS_TAKEN:
            return replace(self, now=replace(self.now, thanks=thanks_in(data, len(position.players))))
        if entry.kind == UNDO:
            return self._undone()
        if entry.kind == REDO:
            return self._redone()
        if entry.kind == CHECKED:
            return replace(self, check=None)
        if entry.kind == POSITION_SET:
            return self._stepped(agreed_set_in(data, position), None)
        if entry.kind not in (CARD_NAMED, NAME_DROPPED):
            raise EntryError(f"there is no kind {quoted(entry.kind)}", f"{quoted(entry.kind)}という種類はありません")
        named = Named(*named_in(data, position.catalogue))
        others = tuple(one for one in self.named if not named.replaces(one))
        if entry.kind == CARD_NAMED:
            note = _correction("named", card=named.name, place=named.place)
            return replace(self, named=(*others, named), notes=(*self.notes, note))
        return replace(self, named=others)

    def _stepped(self, after: Agreed, move: Move | None) -> History:
        step = Step(self.now, after, move, self.notes)
        return History(after, (*self.past, step), (), self.named)

    def _undone(self) -> History:
        if not self.past:
            raise EntryError("there is nothing to take back", "取り消す手番がありません")
        *past, step = self.past
        line = {"move": step.move.to_json()} if step.move is not None else {"position": None}
        notes = (*step.notes, *self.notes, _correction("taken_back", **line))
        # What has become of the thank-you cards since is part of the step: taking it back again finds them there.
        undone = replace(step, notes=())
        before = _remembered(step, self.now)
        # Before the set-up there is nothing that has to lie anywhere.
        check = None if before.position.phase is Phase.SETUP else Check(undone, True, self.now.thanks)
        return History(before, tuple(past), (*self.future, undone), self.named, notes, check)

    def _redone(self) -> History:
        if not self.future:
            raise EntryError("there is nothing to put back", "やり直す手番がありません")
        *future, step = self.future
        again = replace(step, before=self.now, notes=self.notes)
        return History(step.after, (*self.past, again), tuple(future), self.named, check=Check(again, False))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that led here, without those taken back."""
        return tuple(step.move for step in self.past if step.move is not None)

    def record(self) -> list[str]:
        """The game as the lines of a record, corrections by hand among them."""
        start = self.past[0].before.position if self.past else self.now.position
        lines = [header_line(start.players, start.first_seat)]
        for step in self.past:
            lines += map(_line, step.notes)
            if step.move is not None:
                lines.append(move_line(step.move))
            else:
                lines.append(_line(_correction("position", position=step.after.position.to_json())))
        return [*lines, *map(_line, self.notes)]


def named_entry(kind: str, named: Named) -> Entry:
    """A card named by hand (``CARD_NAMED``), or its name being dropped (``NAME_DROPPED``)."""
    return Entry(kind, {"name": named.name, "place": named.place, "x": named.x, "y": named.y})


def _remembered(step: Step, now: Agreed) -> Agreed:
    """What is agreed before a step that is taken back, with the set-up discards that everybody has seen since.

    Whoever took the top discard and lays it back covers a card that has shown; it lies there still. A reshuffle and
    a position set by hand leave nothing of the pile as it was.
    """
    before, move = step.before, step.move
    shuffled = isinstance(move, Research) and move.source == "deck" and before.position.reshuffle_on_draw != "none"
    if move is None or shuffled or before.position.phase is Phase.SETUP:
        return before
    shown = {
        place: card
        for place, (was, card) in enumerate(zip(before.discards, now.discards, strict=False))
        if was is None and card is not None
    }
    if before.position.discards_seen(shown, now.peeping) is None:
        return before  # then something was misread, and taking the turn back is the way out
    return replace(before, shown={**before.shown, **shown}, peeping=before.peeping | now.peeping)


def _thanks(data: Json) -> dict[int, int]:
    return {int(seat): count for seat, count in data["thanks"].items()}


def _correction(how: str, **more: Any) -> Json:
    return {"do": CORRECTION, "by_hand": how, **more}


def _line(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False)
