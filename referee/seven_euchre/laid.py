"""What must lie where in a game of Seven Euchre.

Places are ``middle``, ``aside``, ``trick:SEAT``, ``seat:SEAT`` for a seat's area and ``table`` for anywhere else; a
hand is ``hand:SEAT``. A side's packets may lie with either partner, so they are counted in ``side:SIDE``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.arrangement import CardStack, lay_row
from referee.seven_euchre.layout import ASIDE, MIDDLE, Layout, trick_place
from referee.table import Sighting, Unread
from referee.zones import BACK, BackCountMismatch, Difference, Expected, ZoneView
from rules.seven_euchre.moves import Play
from rules.seven_euchre.position import seats_of
from rules.seven_euchre.round import DealPhase, DealState, side_of

SIDES = (0, 1)
SIDE = "side:"


@dataclass(frozen=True)
class ExpectedPlaces:
    """What must lie on the table; ``old`` says that a whole trick lies there still, which is no packet yet."""

    places: Mapping[str, Expected] = field(default_factory=dict)
    old: bool = False

    def expect_in(self, place: str) -> Expected:
        """Return what must lie in a place."""
        return self.places.get(place, Expected())

    def count_packets(self, side: int) -> int:
        """Return how many packets a side must have."""
        return self.expect_in(side_place(side)).backs[0]


def side_place(side: int) -> str:
    """Return where a side's packets are counted, whichever partner has them."""
    return f"{SIDE}{side}"


def is_packets(one: Difference) -> bool:
    """Tell whether a side has too many or too few packets."""
    return isinstance(one, BackCountMismatch) and one.place.startswith(SIDE)


def area_side(place: str) -> str:
    """Return the side whose packets lie in a seat's area; any other place as it is."""
    spot, _, seat = place.partition(":")
    return side_place(side_of(int(seat))) if spot == "seat" else place


def count_by_side(view: ZoneView) -> ZoneView:
    """Return the observation with what lies face down in the areas counted to the sides."""
    cards: dict[str, tuple[Sighting, ...]] = dict.fromkeys(view.cards, ())
    for place, some in view.cards.items():
        for seen in some:
            at = area_side(place) if seen.name == BACK else place
            cards[at] = (*cards.get(at, ()), seen)
    return replace(view, cards=cards)


def lying_in(
    round: DealState | None, view: ZoneView, trick_at: Callable[[Unread], str | None] = lambda mark: None
) -> ExpectedPlaces:
    """Return what must lie there in a deal; whether a trick to be
    gathered lies there or is gathered, the observation tells.

    While no packet of it shows and nothing else lies in the trick, unread cards may be those of that trick.
    """
    if round is None:
        return ExpectedPlaces()
    places: dict[str, Expected] = {}
    if round.turned_up is not None:
        card = str(round.turned_up)
        places[MIDDLE if card in view.list_faces(MIDDLE) else ASIDE] = Expected(frozenset({card}))
    else:
        places[ASIDE if round.phase in (DealPhase.PLAY, DealPhase.DEAL) else MIDDLE] = Expected(backs=(1, 1))
    trick: Sequence[Play] = round.trick
    won = list(round.tricks)
    last, old = round.last_trick, False
    if not trick and last is not None:
        seen = [(trick_place(play.seat), str(play.card)) for play in last.plays]
        old = any(card in view.list_faces(place) for place, card in seen)
        led = any(view.list_faces(place) for place, _ in seen)
        if not led and view.count_backs(side_place(last.side)) < won[last.side]:
            old |= any(trick_at(mark) == place and mark.could_be(card) for mark in view.unread for place, card in seen)
        if old:
            trick = last.plays
            won[last.side] -= 1
    places |= {trick_place(play.seat): Expected(frozenset({str(play.card)})) for play in trick}
    places |= {side_place(side): Expected(backs=(won[side], won[side])) for side in SIDES}
    return ExpectedPlaces(places, old)


_PACKET_MM, _FROM_MIDDLE_MM = 40.0, 90.0


def arrange_table(round: DealState | None, layout: Layout) -> Iterator[CardStack]:
    """Arrange the middle card or the card laid aside, the trick, and the packets of a side before its first partner."""
    # Until the next lead the last trick lies there, to be gathered.
    last = round.last_trick if round is not None and not round.trick else None
    lying = {trick_place(play.seat): (Sighting(str(play.card), 0.0, 0.0, 0.0),) for play in last.plays} if last else {}
    places = lying_in(round, ZoneView(lying)).places
    for place in layout.centres:
        expected = places.get(place, Expected())
        cards = (*sorted(expected.faces), *[BACK] * expected.backs[0])
        yield CardStack(place, *layout.locate_spot(place), cards)
    for side in SIDES:
        seat = seats_of(side)[0]
        box = layout.seat_rect(seat)
        count = places.get(side_place(side), Expected()).backs[0]
        y = box[3] - _FROM_MIDDLE_MM if layout.faces_down(seat) else box[1] + _FROM_MIDDLE_MM
        yield lay_row(f"seat:{seat}", (BACK,) * count, box, y, _PACKET_MM)
