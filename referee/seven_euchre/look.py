"""A look at the table beside what is agreed: cards newly laid in the trick, and what else is not as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.layout import Layout
from referee.seven_euchre.laid import (
    SIDES,
    Difference,
    Lying,
    Packets,
    differences,
    lying_in,
    packets_shown,
    stood_for,
)
from referee.seven_euchre.layout import ASIDE, MIDDLE, trick_place
from referee.seven_euchre.layout import Layout as EuchreLayout
from referee.seven_euchre.state import Laid
from referee.table import Unread
from referee.zones import BACK, Off, ZoneView
from rules.cards import Card
from rules.seven_euchre.moves import SEATS
from rules.seven_euchre.position import Position, seats_of
from rules.seven_euchre.round import Round, Trick, left_of

_TRICK = "trick:"


@dataclass(frozen=True)
class Look:
    """One look: ``view`` has the unread cards in it that stand for what must lie there; ``off`` is what differs."""

    position: Position
    view: ZoneView
    layout: EuchreLayout
    lying: Lying
    off: tuple[Difference, ...]

    @classmethod
    def of(cls, position: Position, view: ZoneView, layout: Layout) -> Look:
        """The look of a view, where cards have been dealt."""
        assert isinstance(layout, EuchreLayout), "the layout is that of this game"

        def trick_at(mark: Unread) -> str | None:
            return layout.trick_at(mark.x, mark.y)

        seen = _played_wide(view, lying_in(position.round, view, trick_at), layout)
        lying = lying_in(position.round, seen, trick_at)
        seen = stood_for(seen, lying, lambda mark: _place_of(mark, seen, lying, layout))
        return cls(position, seen, layout, lying, tuple(differences(lying, seen)))

    def expecting(self, lying: Lying) -> Look:
        """The same look beside something else that must lie there."""
        return replace(self, lying=lying, off=tuple(differences(lying, self.view)))

    @property
    def round(self) -> Round:
        """The deal."""
        assert self.position.round is not None, "cards have been dealt"
        return self.position.round

    def unread_at(self, *places: str) -> list[Unread]:
        """The cards in these places that can't be read and need not lie there."""
        return [mark for mark in self.view.unread if self.place_of(mark) in places]

    def place_of(self, mark: Unread) -> str:
        """Where an unread card lies."""
        return _place_of(mark, self.view, self.lying, self.layout)

    @property
    def unread_in_trick(self) -> list[Unread]:
        """The cards on any spot of the trick that can't be read."""
        return self.unread_at(*map(trick_place, range(1, SEATS + 1)))

    @property
    def laid(self) -> dict[int, tuple[Card, ...]]:
        """The cards that are new in the trick, by seat, from the seat to move on clockwise."""
        found: dict[int, tuple[Card, ...]] = {}
        seat = self.round.seat
        for _ in range(SEATS):
            new = [one for one in self.off if isinstance(one, Off) and one.found == trick_place(seat)]
            if cards := [Card.parse(one.card) for one in new if _is_laid(one)]:
                found[seat] = tuple(cards)
            seat = left_of(seat)
        return found

    @property
    def in_trick(self) -> Laid:
        """What is new in the trick, read or not, of those who have yet to play and have laid one thing."""
        found: list[tuple[int, Card | Unread]] = []
        for seat in self.round.yet_to_play:
            there: tuple[Card | Unread, ...] = (*self.laid.get(seat, ()), *self.unread_at(trick_place(seat)))
            found += [(seat, one) for one in there if len(there) == 1]
        return tuple(found)

    @property
    def unread_packets(self) -> list[Unread]:
        """The cards that may be the last trick's packet, where the side that took it has not shown it."""
        last = self.round.last_trick
        if last is None or packets_shown(self.view)[last.side] >= self.lying.packets[last.side]:
            return []
        return self.unread_at(*(f"seat:{seat}" for seat in range(1, SEATS + 1)))

    @property
    def hindering(self) -> list[Unread]:
        """The cards to be read before the next play: one in that seat's spot and, before a lead, the last packet."""
        unsure = self.unread_at(trick_place(self.round.seat))
        return unsure if self.round.trick else [*unsure, *self.unread_packets]

    def has_lost(self, trick: Laid) -> bool:
        """Whether a whole trick that lay there, with these cards of it not settled, is not seen there any more."""
        read = {*(str(one) for _, one in trick if isinstance(one, Card)), *(str(one.card) for one in self.round.trick)}
        seen = {card for place in self.view.cards for card in self.view.faces(place)}
        gone = read.isdisjoint(seen) if read else self._is_empty(trick)
        return gone and len(trick) == len(self.round.yet_to_play)

    def has_gathered(self, trick: Laid) -> bool:
        """Whether such a trick was gathered: nothing lies in its place, or there is a packet more, read or not."""
        return self.has_lost(trick) and (self._is_empty(trick) or any(map(self._has_more_packets, SIDES)))

    def _has_more_packets(self, side: int) -> bool:
        unread = self.unread_at(*(f"seat:{seat}" for seat in seats_of(side)))
        return packets_shown(self.view)[side] + len(unread) > self.lying.packets[side]

    def _is_empty(self, trick: Laid) -> bool:
        spots = [trick_place(seat) for seat, _ in trick]
        return not any(self.view.faces(spot) for spot in spots) and not self.unread_at(*spots)

    @property
    def others(self) -> tuple[Difference, ...]:
        """What differs besides cards newly laid in the trick and the number of packets."""
        return tuple(one for one in self.off if not isinstance(one, Packets) and not _is_laid(one))

    @property
    def packets(self) -> tuple[Packets, ...]:
        """The sides whose packets are too many or too few."""
        return tuple(one for one in self.off if isinstance(one, Packets))

    @property
    def gone(self) -> list[Off]:
        """The cards of the trick that lie nowhere any more."""
        lost = [one for one in self.off if isinstance(one, Off) and one.found is None]
        return [one for one in lost if str(one.home).startswith(_TRICK)]

    @property
    def picked_up(self) -> bool:
        """Whether all cards of a trick that is not complete are gone from the table."""
        return bool(self.round.trick) and len(self.gone) == len(self.round.trick)

    @property
    def two_cards(self) -> Iterator[tuple[int, tuple[Card, ...]]]:
        """Seats with more than one card in the trick, each with its cards."""
        for seat, cards in self.laid.items():
            own = [Card.parse(name) for name, place in self.lying.faces.items() if place == trick_place(seat)]
            there = [card for card in own if str(card) in self.view.faces(trick_place(seat))]
            if len(there) + len(cards) > 1:
                yield seat, (*there, *cards)

    @property
    def wrongly_gathered(self) -> Trick | None:
        """The last trick, where the side that did not take it has its packet, and the other side has not."""
        last = self.round.last_trick
        if last is None or self.round.trick or self.lying.old:
            return None
        shown, due = packets_shown(self.view), self.lying.packets
        other = 1 - last.side
        return last if shown[other] > due[other] and shown[last.side] < due[last.side] else None


def _is_laid(one: Difference) -> bool:
    """Whether a card lies in the trick as one that is played: none that was moved there from another spot of it."""
    return isinstance(one, Off) and str(one.found).startswith(_TRICK) and not str(one.home).startswith(_TRICK)


def _is_filled(place: str, view: ZoneView, lying: Lying) -> bool:
    """Whether all that must lie in the middle, or aside, is seen there; aside a card may come, in the middle none."""
    faces = [card for card, home in lying.faces.items() if home == place]
    if place == ASIDE and not faces and place not in lying.backs:
        return False
    return view.backs(place) >= lying.backs.get(place, 0) and all(card in view.faces(place) for card in faces)


def _played_wide(view: ZoneView, lying: Lying, layout: EuchreLayout) -> ZoneView:
    """The look with cards in the trick that were laid nearer to the middle, or to the place aside, than to their spot.

    They count as there where the middle card or the one aside lies in its own place as well, or none has to.
    """
    cards = dict(view.cards)
    for place in (MIDDLE, ASIDE):
        if not _is_filled(place, view, lying):
            continue
        stay = []
        for seen in view.cards.get(place, ()):
            spot = layout.trick_at(seen.x, seen.y)
            if seen.name == BACK or lying.faces.get(seen.name) == place or spot is None:
                stay.append(seen)
            else:
                cards[spot] = (*cards.get(spot, ()), seen)
        cards[place] = tuple(stay)
    return ZoneView(cards, view.unread)


def _place_of(mark: Unread, view: ZoneView, lying: Lying, layout: EuchreLayout) -> str:
    """Where an unread card lies: in the trick, too, where it can't be the middle card nor the one aside."""
    place = layout.place_at(mark.x, mark.y)
    spot = layout.trick_at(mark.x, mark.y)
    return spot if place in (MIDDLE, ASIDE) and spot is not None and _is_filled(place, view, lying) else place
