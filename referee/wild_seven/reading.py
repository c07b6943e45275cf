"""What was done in a turn of Wild Seven: each move that the table may show, and what it leaves unexplained.

The reading that leaves least is the one that is spoken of. Nothing is accepted here: a reading says what is wrong with
it, and one with which nothing is wrong explains the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.wild_seven.laid import (
    WANTED,
    Difference,
    Places,
    agreed_places,
    both,
    differences,
    places_after,
)
from referee.wild_seven.state import WildState
from referee.zones import Off, PlaceAt, ZoneView, stood_for
from rules.cards import Card
from rules.refusal import Reason
from rules.text import Text, player
from rules.wild_seven import refusals as because
from rules.wild_seven.moves import Get, Play, Turn
from rules.wild_seven.position import Position

_DISTURBED = 2
"""What nobody's move would do counts as much as two broken rules."""


@dataclass(frozen=True)
class Reading:
    """One move, ``None`` for none, with what is wrong: broken rules, faults at the table, and what stays unexplained.

    ``places`` are what would lie where after it, ``view`` the look with the cards in it that stayed and can't be read,
    ``undone`` whether the faults are but cards that have yet to join the wanted.
    """

    move: Turn | None
    broken: tuple[Reason, ...]
    faults: tuple[Reason, ...]
    left: tuple[Difference, ...]
    places: Places
    view: ZoneView
    undone: bool = False

    @property
    def cost(self) -> int:
        """How much is wrong."""
        left = sum(1 if self._is_turned(one) else _DISTURBED for one in self.left)
        return len(self.broken) + len(self.faults) + left

    def _is_turned(self, one: Difference) -> bool:
        """Whether this is only the card that was taken, which lies face up still."""
        return isinstance(one, Off) and one.card == taken_by(self.move)

    @property
    def _likely(self) -> int:
        """Of readings with as much wrong, a card laid says most, and a card taken least."""
        return 0 if isinstance(self.move, Play) else 1 if self.move is None else 2

    @property
    def order(self) -> tuple[int, int]:
        """What the readings of a look are sorted by."""
        return self.cost, self._likely


def readings(state: WildState, view: ZoneView, place_at: PlaceAt) -> list[Reading]:
    """Every reading of a look, the one with least wrong first."""
    position: Position = state.position
    agreed = agreed_places(state, view)
    found = [_reading(state, view, None, agreed, stood_for(view, agreed, place_at))]
    for move in dict.fromkeys(_moves(state, view)):
        after = places_after(position, move)
        seen = stood_for(view, both(agreed, after), place_at)
        found.append(_reading(state, view, move, after, seen))
    return sorted(found, key=lambda reading: reading.order)


def taken_by(move: Turn | None) -> str | None:
    """The card that a Get takes."""
    return str(move.card) if isinstance(move, Get) and move.card is not None else None


def lies_face_up(move: Turn | None, view: ZoneView) -> bool:
    """Whether the card that a Get takes lies face up in its player's area, where a back should show."""
    return move is not None and taken_by(move) in view.faces(f"seat:{move.seat}")


def may_be_taken(reading: Reading, place_at: PlaceAt, view: ZoneView) -> bool:
    """Whether an unread card among the wanted may be the one that the reading says was taken."""
    taken = taken_by(reading.move)
    return taken is not None and any(place_at(mark) == WANTED and mark.may_be(taken) for mark in view.unread)


def _moves(state: WildState, view: ZoneView) -> Iterator[Turn]:
    """The moves that leave such traces, legal or not; those of the player to move first."""
    position: Position = state.position
    mover = position.to_move
    assert mover is not None, "somebody is to move"
    seats = sorted(range(1, len(position.players) + 1), key=lambda seat: seat != mover)
    seen = {card for place in view.cards for card in view.faces(place)}
    wanted = set(view.faces(WANTED))
    behind = {card for card, place in state.to_join.items() if card in view.faces(place)}
    gone = [card for card in position.wanted if str(card) not in wanted | behind]
    captured = {str(card) for seat in seats for card in position.captured(seat)}
    fronts = {seat: front for seat in seats if (front := position.in_front(seat)) is not None}
    for seat in seats:
        own = fronts.get(seat)
        joined = own is not None and str(own) in wanted
        if seat == mover or joined or view.backs(f"seat:{seat}") > position.captured_count(seat):
            yield from (Get(seat, card) for card in gone)
            if joined or view.backs(f"seat:{seat}"):
                # A card in front of somebody else is no wanted one.
                for other, front in fronts.items():
                    if other != seat and str(front) not in seen:
                        yield Get(seat, front)
            if own is not None and not gone:
                yield Get(seat)
    for seat in seats:
        for name in view.faces(f"seat:{seat}"):
            card = Card.parse(name)
            if seat in fronts and card in gone:
                # A Get that is half done: what was taken lies face up still.
                yield Get(seat, card)
            elif name not in captured | behind and card is not fronts.get(seat):
                yield Play(seat, card)
    known = {str(card) for card in (*position.wanted, *fronts.values())}
    if gone and mover not in fronts:
        # Laid, used for a Get and moved on, all in one turn.
        for name in sorted(wanted - known - captured):
            yield Play(mover, Card.parse(name))


@dataclass
class _Faults:
    """What a move leaves, sorted by what it is called."""

    missing: list[tuple[Text, Card]] = field(default_factory=list)
    behind: list[tuple[Text, Card]] = field(default_factory=list)
    wrong: list[tuple[Text, Card]] = field(default_factory=list)
    own: Card | None = None
    both: bool = False
    more: list[Card] = field(default_factory=list)
    left: list[Difference] = field(default_factory=list)


def _reading(state: WildState, look: ZoneView, move: Turn | None, places: Places, view: ZoneView) -> Reading:
    position: Position = state.position
    faults = _Faults()
    for one in differences(places, view):
        _sort(one, state, move, view, faults)
    if move is None:
        # Revealed cards that still lie in front are as agreed; but they have yet to join.
        for card, place in state.to_join.items():
            if card in look.faces(place) and card not in look.faces(WANTED):
                faults.behind.append((_who(position, place), Card.parse(card)))
    broken = () if move is None else position.reasons(move)
    reasons = tuple(_reasons(position, move, faults))
    undone = bool(reasons) and not (faults.wrong or faults.both or faults.more or faults.left or broken)
    return Reading(move, broken, reasons, tuple(faults.left), places, view, undone)


def _reasons(position: Position, move: Turn | None, faults: _Faults) -> Iterator[Reason]:
    yield from (because.card_left_behind(who=who, card=card) for who, card in faults.behind)
    if move is None:
        return
    who, card = player(position.players[move.seat - 1]), move.card
    if faults.missing and card is not None:
        yield because.bump_missing(card, faults.missing)
    if faults.wrong:
        yield because.bump_wrong(faults.wrong)
    if faults.own is not None:
        yield because.own_card_left(who=who, own=faults.own)
    if faults.both:
        yield because.play_and_get(who=who)
    if faults.more:
        yield because.two_cards(who=who, cards=[*([card] if card is not None else []), *faults.more])


def _sort(one: Difference, state: WildState, move: Turn | None, view: ZoneView, faults: _Faults) -> None:
    """Say what a difference is where a move, or one too many, explains it."""
    position: Position = state.position
    place = f"seat:{move.seat}" if move is not None else ""
    if not isinstance(one, Off):
        turned = one.missing and lies_face_up(move, view)
        if isinstance(move, Play) and one.place == place and not one.missing and _gone(position, view):
            faults.both = True
        elif one.place != place or not turned:
            faults.left.append(one)
        return
    card = Card.parse(one.card)
    if one.home == WANTED and one.found is not None and state.to_join.get(one.card) == one.found:
        faults.behind.append((_who(position, one.found), card))
    elif move is None:
        faults.left.append(one)
    elif one.home == WANTED and one.found is not None and card in _bumped(position, move, one.found):
        faults.missing.append((_who(position, one.found), card))
    elif isinstance(move, Get) and one.found == place and card is position.in_front(move.seat):
        faults.own = card
    elif one.found == WANTED and one.home is not None and one.home != place:
        faults.wrong.append((_who(position, one.home), card))
    elif one.found == WANTED and one.home == place and (card in position.unseen) <= _gone(position, view):
        faults.both = True
    elif one.found == place and one.home is None and _from_hand(position, move, card):
        if isinstance(move, Get):
            faults.both = True
        else:
            faults.more.append(card)
    elif one.found is None and card in position.wanted and isinstance(move, Get) and move.card is not None:
        faults.more.append(card)
    elif one.found is None and card in position.wanted and isinstance(move, Play) and view.backs(place):
        faults.both = True
    else:
        faults.left.append(one)


def _bumped(position: Position, move: Turn, place: str) -> list[Card]:
    """What the move bumps in that place."""
    if not isinstance(move, Play):
        return []
    return [card for seat, card in position.bumped_by(move.seat, move.card) if f"seat:{seat}" == place]


def _gone(position: Position, view: ZoneView) -> bool:
    seen = {card for place in view.cards for card in view.faces(place)}
    return any(str(card) not in seen for card in position.wanted)


def _from_hand(position: Position, move: Turn, card: Card) -> bool:
    return card is not move.card and card in position.unseen


def _who(position: Position, place: str) -> Text:
    return player(position.players[int(place.removeprefix("seat:")) - 1])
