"""A look at the table beside what is agreed: cards newly laid in the trick, and what else is not as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.layout import TableLayout
from referee.seven_euchre.laid import (
    SIDE,
    SIDES,
    ExpectedPlaces,
    area_side,
    count_by_side,
    is_packets,
    lying_in,
    side_place,
)
from referee.seven_euchre.layout import ASIDE, MIDDLE, trick_place
from referee.seven_euchre.layout import Layout as EuchreLayout
from referee.seven_euchre.state import Laid
from referee.table import Unread
from referee.unread import resolve_unread
from referee.zones import BACK, BackCountMismatch, Difference, Expected, MisplacedCard, ZoneView, find_differences
from rules.cards import Card
from rules.seven_euchre.moves import SEATS
from rules.seven_euchre.position import Position, seats_of
from rules.seven_euchre.round import DealState, Trick, left_of

_TRICK = "trick:"


@dataclass(frozen=True)
class Look:
    """One look: ``view`` has the unread cards in it that stand for what must lie there; ``off`` is what differs."""

    position: Position
    view: ZoneView
    layout: EuchreLayout
    lying: ExpectedPlaces
    off: tuple[Difference, ...]

    @classmethod
    def from_view(cls, position: Position, view: ZoneView, layout: TableLayout) -> Look:
        """Return the observation of a view, where cards have been dealt."""
        assert isinstance(layout, EuchreLayout), "the layout is that of this game"

        def trick_at(mark: Unread) -> str | None:
            return layout.trick_at(mark.x, mark.y)

        view = count_by_side(view)
        seen = _played_wide(view, lying_in(position.round, view, trick_at), layout)
        lying = lying_in(position.round, seen, trick_at)
        must = lying.places
        if any(seen.count_backs(side_place(side)) > lying.count_packets(side) for side in SIDES):
            # A side has one too many: it may be the one that the other side lacks.
            must = {place: one for place, one in must.items() if place not in map(side_place, SIDES)}
        seen = resolve_unread(seen, must, lambda mark: area_side(_place_of(mark, seen, lying, layout)))
        return cls(position, seen, layout, lying, _find_differences(lying, seen))

    @property
    def exchanged(self) -> Look:
        """The same look, were the middle card taken and one laid aside."""
        places = {place: one for place, one in self.lying.places.items() if place != MIDDLE}
        lying = ExpectedPlaces({ASIDE: Expected(backs=(1, 1)), **places})
        return replace(self, lying=lying, off=_find_differences(lying, self.view))

    @property
    def round(self) -> DealState:
        """The deal."""
        assert self.position.round is not None, "cards have been dealt"
        return self.position.round

    def unread_at(self, *places: str) -> list[Unread]:
        """Return the cards in these places that can't be read and need not lie there."""
        return [mark for mark in self.view.unread if self.place_of(mark) in places]

    def place_of(self, mark: Unread) -> str:
        """Return where an unread card lies."""
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
            new = [one for one in self.off if isinstance(one, MisplacedCard) and one.found == trick_place(seat)]
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
        if last is None or self.view.count_backs(side_place(last.side)) >= self.lying.count_packets(last.side):
            return []
        return self.unread_at(*(f"seat:{seat}" for seat in range(1, SEATS + 1)))

    @property
    def hindering(self) -> list[Unread]:
        """The cards to be read before the next play: one in that seat's spot and, before a lead, the last packet."""
        unsure = self.unread_at(trick_place(self.round.seat))
        return unsure if self.round.trick else [*unsure, *self.unread_packets]

    def has_lost(self, trick: Laid) -> bool:
        """Tell whether a whole trick that lay there, with these cards of it not settled, is not seen there any more."""
        read = {*(str(one) for _, one in trick if isinstance(one, Card)), *(str(one.card) for one in self.round.trick)}
        seen = {card for place in self.view.cards for card in self.view.list_faces(place)}
        gone = read.isdisjoint(seen) if read else self._is_empty(trick)
        return gone and len(trick) == len(self.round.yet_to_play)

    def has_gathered(self, trick: Laid) -> bool:
        """Tell whether such a trick was gathered: nothing lies in its place, or there is a packet more, read or not."""
        return self.has_lost(trick) and (self._is_empty(trick) or any(map(self._has_more_packets, SIDES)))

    def _has_more_packets(self, side: int) -> bool:
        unread = self.unread_at(*(f"seat:{seat}" for seat in seats_of(side)))
        return self.view.count_backs(side_place(side)) + len(unread) > self.lying.count_packets(side)

    def _is_empty(self, trick: Laid) -> bool:
        spots = [trick_place(seat) for seat, _ in trick]
        return not any(self.view.list_faces(spot) for spot in spots) and not self.unread_at(*spots)

    @property
    def others(self) -> tuple[Difference, ...]:
        """What differs besides cards newly laid in the trick and the number of packets."""
        return tuple(one for one in self.off if not is_packets(one) and not _is_laid(one))

    @property
    def packets(self) -> tuple[BackCountMismatch, ...]:
        """The sides whose packets are too many or too few."""
        return tuple(one for one in self.off if isinstance(one, BackCountMismatch) and is_packets(one))

    @property
    def gone(self) -> list[MisplacedCard]:
        """The cards of the trick that lie nowhere any more."""
        lost = [one for one in self.off if isinstance(one, MisplacedCard) and one.found is None]
        return [one for one in lost if str(one.home).startswith(_TRICK)]

    @property
    def picked_up(self) -> bool:
        """Whether all cards of a trick that is not complete are gone from the table."""
        return bool(self.round.trick) and len(self.gone) == len(self.round.trick)

    @property
    def two_cards(self) -> Iterator[tuple[int, tuple[Card, ...]]]:
        """Seats with more than one card in the trick, each with its cards."""
        for seat, cards in self.laid.items():
            own = map(Card.parse, self.lying.expect_in(trick_place(seat)).faces)
            there = [card for card in own if str(card) in self.view.list_faces(trick_place(seat))]
            if len(there) + len(cards) > 1:
                yield seat, (*there, *cards)

    @property
    def wrongly_gathered(self) -> Trick | None:
        """The last trick, where the side that did not take it has its packet, and the other side has not."""
        last = self.round.last_trick
        if last is None or self.round.trick or self.lying.old:
            return None
        theirs, others = (self._more_packets(side) for side in (last.side, 1 - last.side))
        return last if others > 0 > theirs else None

    def _more_packets(self, side: int) -> int:
        """Return how many more packets of a side show than must."""
        return self.view.count_backs(side_place(side)) - self.lying.count_packets(side)


def _find_differences(lying: ExpectedPlaces, view: ZoneView) -> tuple[Difference, ...]:
    """Return how an observation differs from what must lie there: backs as they were seen, packets last."""
    order = [
        *(place for place, one in lying.places.items() if one.backs[1] and not place.startswith(SIDE)),
        *view.cards,
    ]

    def place_in(one: Difference) -> tuple[bool, int]:
        return is_packets(one), order.index(one.place) if isinstance(one, BackCountMismatch) and not is_packets(
            one
        ) else -1

    return tuple(sorted(find_differences(lying.places, view), key=place_in))


def _is_laid(one: Difference) -> bool:
    """Tell whether a card lies in the trick as one that is
    played: none that was moved there from another spot of it.
    """
    return isinstance(one, MisplacedCard) and str(one.found).startswith(_TRICK) and not str(one.home).startswith(_TRICK)


def _is_filled(place: str, view: ZoneView, lying: ExpectedPlaces) -> bool:
    """Tell whether all that must lie in the middle, or aside,
    is seen there; aside a card may come, in the middle none.
    """
    if place == ASIDE and place not in lying.places:
        return False
    must = lying.expect_in(place)
    return view.count_backs(place) >= must.backs[0] and must.faces.issubset(view.list_faces(place))


def _played_wide(view: ZoneView, lying: ExpectedPlaces, layout: EuchreLayout) -> ZoneView:
    """Count cards laid nearer to the middle or the place aside than to their spot of the trick to that spot.

    They count as there where the middle card or the one aside lies in its own place as well, or none has to.
    """
    cards = dict(view.cards)
    for place in (MIDDLE, ASIDE):
        if not _is_filled(place, view, lying):
            continue
        stay = []
        for seen in view.cards.get(place, ()):
            spot = layout.trick_at(seen.x, seen.y)
            if seen.name == BACK or seen.name in lying.expect_in(place).faces or spot is None:
                stay.append(seen)
            else:
                cards[spot] = (*cards.get(spot, ()), seen)
        cards[place] = tuple(stay)
    return ZoneView(cards, view.unread)


def _place_of(mark: Unread, view: ZoneView, lying: ExpectedPlaces, layout: EuchreLayout) -> str:
    """Return where an unread card lies: in the trick, too, where it can't be the middle card nor the one aside."""
    place = layout.place_at(mark.x, mark.y)
    spot = layout.trick_at(mark.x, mark.y)
    return spot if place in (MIDDLE, ASIDE) and spot is not None and _is_filled(place, view, lying) else place
