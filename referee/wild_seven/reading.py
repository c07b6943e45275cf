"""What was done in a turn of Wild Seven: each move that the table may show, and what it leaves unexplained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from referee.wild_seven.laid import WANTED, agreed_places, places_of
from referee.wild_seven.state import WildState
from referee.zones import (
    DISTURBED,
    BackCountMismatch,
    Difference,
    MisplacedCard,
    MoveHypothesis,
    ZoneView,
    find_differences,
)
from rules.cards import Card
from rules.refusal import Reason, in_order
from rules.text import Text, player
from rules.wild_seven import refusals as because
from rules.wild_seven.moves import Get, Play, Turn
from rules.wild_seven.position import Position

_TURNED = 1
"""Less than a disturbance: the card that was taken lies face up still."""


def taken_by(move: Turn | None) -> str | None:
    """Return the card that a Get takes."""
    return str(move.card) if isinstance(move, Get) and move.card is not None else None


class VisibleChanges:
    """What a look shows of what was done."""

    def __init__(self, state: WildState, view: ZoneView) -> None:
        self.view, self.position = view, state.position
        position: Position = state.position
        seats = range(1, len(position.players) + 1)
        self.seats = sorted(seats, key=lambda seat: seat != position.to_move)
        self.wanted = set(view.list_faces(WANTED))
        self.seen = {card for place in view.cards for card in view.list_faces(place)}
        self.behind = {card for card, place in state.to_join.items() if card in view.list_faces(place)}
        self.gone = [card for card in position.wanted if str(card) not in self.wanted | self.behind]
        self.captured = {str(card) for seat in seats for card in position.list_captured(seat)}
        self.fronts = {seat: front for seat in self.seats if (front := position.in_front(seat)) is not None}

    def propose_moves(self) -> Iterator[Turn]:
        """Yield the moves that leave such traces, legal or not; those of the player to move first."""
        for seat in self.seats:
            yield from self._propose_gets(seat)
        for seat in self.seats:
            yield from self._list_laid(seat)
        mover = self.seats[0]
        if self.gone and mover not in self.fronts:
            # Laid, used for a Get and moved on, all in one turn.
            known = {str(card) for card in (*self.position.wanted, *self.fronts.values())}
            for name in sorted(self.wanted - known - self.captured):
                yield Play(mover, Card.parse(name))

    def _propose_gets(self, seat: int) -> Iterator[Get]:
        own, backs = self.fronts.get(seat), self.view.count_backs(f"seat:{seat}")
        joined = own is not None and str(own) in self.wanted
        if seat != self.seats[0] and not joined and backs <= self.position.captured_count(seat):
            return
        yield from (Get(seat, card) for card in self.gone)
        if joined or backs:
            # A card in front of somebody else is no wanted one.
            for other, front in self.fronts.items():
                if other != seat and str(front) not in self.seen:
                    yield Get(seat, front)
        if own is not None and (self.view.unread or not self.gone):
            yield Get(seat)

    def _list_laid(self, seat: int) -> Iterator[Turn]:
        for name in self.view.list_faces(f"seat:{seat}"):
            card = Card.parse(name)
            if seat in self.fronts and card in self.gone:
                # A Get that is half done: what was taken lies face up still.
                yield Get(seat, card)
            elif name not in self.captured | self.behind and card is not self.fronts.get(seat):
                yield Play(seat, card)


class WildHypothesis(MoveHypothesis):
    """A move with what else may have gone wrong in a turn."""

    @property
    def position(self) -> Position:
        """What is agreed."""
        position: Position = self.state.position
        return position

    @property
    def left(self) -> list[Difference]:
        """What no mistake explains."""
        return self._faults.get("", [])

    def weigh_difference(self, one: Difference) -> int:
        """Weigh a card that was taken and lies face up still less than a disturbance."""
        return _TURNED if isinstance(one, MisplacedCard) and one.card == taken_by(self.move) else DISTURBED

    @property
    def waits(self) -> tuple[Text, ...] | None:
        """Cards that have yet to join the wanted, where nothing else is wrong."""
        if self.broken or not self.mistakes or not self._faults.keys() <= _UNDONE:
            return None
        started = () if self.move is not None else (starter_words(self.position),)
        return (*started, *(reason.text for reason in in_order(self.referee.rules.codes, dict.fromkeys(self.mistakes))))

    @property
    def to_mend(self) -> Sequence[Difference]:
        """A card too many goes back as well; else what is not yet as after the move."""
        if self.broken or "more" in self._faults:
            return find_differences(agreed_places(self.state, self.view), self.view)
        if self.move is None:
            return find_differences(places_of(self.position), self.view)
        return [one for one in self.off if not isinstance(one, BackCountMismatch)] if self._lies_face_up else self.off

    @property
    def _lies_face_up(self) -> bool:
        """Whether the card that a Get takes lies face up in its player's area, where a back should show."""
        return taken_by(self.move) in self.view.list_faces(self._own)

    @property
    def _own(self) -> str:
        return "" if self.move is None else f"seat:{self.move.seat}"

    @cached_property
    def _faults(self) -> dict[str, list[Difference]]:
        """What a look leaves, by the mistake that explains it; under "" what none explains."""
        found: dict[str, list[Difference]] = {}
        for one in self.off:
            found.setdefault(self._name_mistake(one), []).append(one)
        found.pop("turned", None)
        if self.move is None:
            # Revealed cards that still lie in front are as agreed; but they have yet to join.
            for card, place in self.state.to_join.items():
                if card in self.look.list_faces(place) and card not in self.look.list_faces(WANTED):
                    found.setdefault("behind", []).append(MisplacedCard(card, place, WANTED))
        return found

    @cached_property
    def mistakes(self) -> tuple[Reason, ...]:
        """What was done wrong beside the move, or has yet to be done."""
        return tuple(self._list_named())

    def _list_named(self) -> Iterator[Reason]:
        faults, move = self._faults, self.move
        for one in faults.get("behind", ()):
            who, card = self._find_owner(one)
            yield because.card_left_behind(who=who, card=card)
        if move is None:
            return
        who = player(self.position.get_name(move.seat))
        if "missing" in faults and move.card is not None:
            yield because.bump_missing(move.card, [self._find_owner(one) for one in faults["missing"]])
        if "wrong" in faults:
            yield because.bump_wrong([self._find_owner(one) for one in faults["wrong"]])
        if "own" in faults:
            yield because.own_card_left(who=who, own=self._find_owner(faults["own"][0])[1])
        if "both" in faults:
            yield because.play_and_get(who=who)
        if "more" in faults:
            cards = [
                *([move.card] if move.card is not None else []),
                *(self._find_owner(one)[1] for one in faults["more"]),
            ]
            yield because.two_cards(who=who, cards=cards)

    def _find_owner(self, one: Difference) -> tuple[Text, Card]:
        """Return whose area a card lies in or, where it does not, belongs to."""
        assert isinstance(one, MisplacedCard), "it is a face-up card"
        places = [place for place in (one.found, one.home) if place is not None and place.startswith("seat:")]
        seat = int(places[0].removeprefix("seat:")) if places else 1
        return player(self.position.get_name(seat)), Card.parse(one.card)

    def _name_mistake(self, one: Difference) -> str:
        """Return which mistake of the move, or one too many, explains a difference."""
        move = self.move
        if isinstance(one, BackCountMismatch):
            own = one.place == self._own
            if own and one.missing:
                return "turned" if self._lies_face_up else ""
            return "both" if own and isinstance(move, Play) and self._is_gone else ""
        card = Card.parse(one.card)
        if one.home == WANTED and one.found is not None and self.state.to_join.get(one.card) == one.found:
            return "behind"
        if move is None:
            return ""
        if one.found is None:
            return self._name_taken_too(move, card)
        return self._name_joined(one, card) if one.found == WANTED else self._name_in_area(move, one, card)

    def _name_taken_too(self, move: Turn, card: Card) -> str:
        """Return the code for a wanted card that lies nowhere
        any more: a second one taken, or one beside a card laid.
        """
        if card not in self.position.wanted:
            return ""
        if isinstance(move, Get):
            return "more" if move.card is not None else ""
        return "both" if self.view.count_backs(self._own) else ""

    def _name_joined(self, one: MisplacedCard, card: Card) -> str:
        """Return the code for a card that lies among the wanted:
        nothing bumped it, or it was used for a Get in the same turn.
        """
        if one.home is None:
            return ""
        if one.home != self._own:
            return "wrong"
        return "both" if (card in self.position.unseen) <= self._is_gone else ""

    def _name_in_area(self, move: Turn, one: MisplacedCard, card: Card) -> str:
        """Return the code for a card in an area or beside all: it should have joined the wanted, or is one too many."""
        if one.home == WANTED and isinstance(move, Play):
            bumped = self.position.bumped_by(move.seat, move.card)
            if any(one.found == f"seat:{seat}" and card is other for seat, other in bumped):
                return "missing"
        if one.found != self._own:
            return ""
        if isinstance(move, Get) and card is self.position.in_front(move.seat):
            return "own"
        if one.home is None and card is not move.card and card in self.position.unseen:
            return "both" if isinstance(move, Get) else "more"
        return ""

    @property
    def _is_gone(self) -> bool:
        """Whether a wanted card lies nowhere any more."""
        seen = {card for place in self.view.cards for card in self.view.list_faces(place)}
        return any(str(card) not in seen for card in self.position.wanted)


_UNDONE = {"behind", "missing", "own"}
"""Mistakes that are only cards which have yet to join the wanted."""


def starter_words(position: Position) -> Text:
    """Say who starts after the reveal."""
    return Text("{who} starts.", who=player(position.get_name(position.to_move or 1)))
