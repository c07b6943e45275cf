"""The score of one deal of Seven Euchre: contract and declarer are entered, tricks counted from packets.

The tricks that a side took lie face down as packets in the area of whoever gathers for it, each packet shifted so that
the backs can be counted. There are twelve in a deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.finished.areas import AreaScoring, AreaView, face_up, name_cards
from referee.finished.score import SEATS as COUNTED_TWICE
from referee.finished.score import Fault, Finished, Item, Tally, area_words
from referee.finished.seating import compare_seatings, seat_faults
from referee.layout import SEATS, TableLayout
from referee.seven_euchre.layout import ASIDE, MIDDLE, layout_of
from referee.seven_euchre.words import tricks_words
from referee.table import Sighting, Unread
from rules.game import GameOption, seat_option
from rules.refusal import PluralSentence
from rules.seven_euchre.round import Contract, points_of, side_of
from rules.seven_euchre.rules import RULES
from rules.seven_euchre.trumps import BY_LETTER, LEAST_TRICKS, TRICKS, Trump
from rules.text import Text, capitalise, join_names


def _list_trumps(_: Sequence[str]) -> Sequence[tuple[str, Text]]:
    return [(trump.letter, capitalise(trump.text)) for trump in Trump]


def _list_tricks(_: Sequence[str]) -> Sequence[tuple[int, Text]]:
    return [(count, tricks_words(count)) for count in range(LEAST_TRICKS, TRICKS + 1)]


class SevenEuchreScoring(AreaScoring):
    """A point a trick, and what the contract brings."""

    rules = RULES
    asked = (
        seat_option("declarer", Text("Who is the declarer?")),
        GameOption("trump", Text("Which trump?"), _list_trumps),
        GameOption("tricks", Text("How many tricks were bid?"), _list_tricks),
        COUNTED_TWICE,
    )
    lay = Text("The tricks taken lie face down as packets, each shifted sideways so that every back can be counted.")

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        """Return the four seats' areas."""
        return TableLayout(SEATS[players], mat_mm)

    def is_common(self, one: Sighting | Unread, view: AreaView, layout: TableLayout) -> bool:
        """Tell whether it is the middle card or the one laid aside."""
        return layout_of(len(layout.seats), layout.mat_mm).place_at(one.x, one.y) in (MIDDLE, ASIDE)

    def count_tally(self, seat: int, view: AreaView, finished: Finished) -> Tally:
        """Count the packets before a player, and the points of the player's side."""
        count = view.count_backs(seat)
        item = Item(tricks_words(count), count, {"tricks": count})
        points = points_of(_read_contract(finished.told), _by_side(view))[side_of(seat)]
        return Tally(seat, points, {"gathered": (item,) if count else ()})

    def find_faults(self, view: AreaView, finished: Finished) -> Iterator[Fault]:
        """Yield another number of packets than tricks in a deal, and cards face up in an area."""
        packets = sum(_by_side(view))
        if packets != TRICKS:
            yield Fault(None, _packets(count=packets, tricks=TRICKS))
        lying = [seen for cards in view.areas.values() for seen in cards]
        own = compare_seatings([(seen.x, seen.y) for seen in lying], [finished.layout], lambda _: 0)
        yield from seat_faults(own, finished.players, lambda _: Text("a packet"), told=True)
        for seat in range(1, len(finished.players) + 1):
            if cards := view.list_faces(seat):
                yield Fault(
                    seat, face_up(place=area_words(seat, finished.players), names=name_cards(cards), cards=cards)
                )

    def add_up_points(self, tallies: Sequence[Tally]) -> tuple[int, ...]:
        """Return the points by side: seats 1 and 3, seats 2 and 4."""
        return tallies[0].points, tallies[1].points

    def find_winners(self, tallies: Sequence[Tally], finished: Finished) -> tuple[tuple[int, ...], Text]:
        """Return the side with more points from this deal."""
        points, players, contract = self.add_up_points(tallies), finished.players, _read_contract(finished.told)
        seats = tuple(range(1, len(players) + 1))
        won = seats if points[0] == points[1] else tuple(s for s in seats if side_of(s) == int(points[1] > points[0]))
        who, names = players[contract.seat - 1], join_names(players[seat - 1] for seat in won)
        bid = Text("{who} bid {bid}", who=who, bid=contract.text)
        if len(won) == len(seats):
            return won, Text("{bid}: both sides get {points} points.", bid=bid, points=points[0])
        more, less = max(points), min(points)
        return won, Text(
            "{bid}: {names} get {more} points from this deal, the other side {less}.",
            bid=bid,
            names=names,
            more=more,
            less=less,
        )


def _read_contract(entered: Mapping[str, Any]) -> Contract:
    return Contract(entered["declarer"], entered["tricks"], BY_LETTER[entered["trump"]])


def _by_side(view: AreaView) -> tuple[int, int]:
    counts = [0, 0]
    for seat in view.areas:
        counts[side_of(seat)] += view.count_backs(seat)
    return counts[0], counts[1]


_packets = PluralSentence(
    "table_disturbed",
    "{count} packet lies in the areas, but a deal has {tricks} tricks: shift the packets so that every back shows.",
    "{count} packets lie in the areas, but a deal has {tricks} tricks: shift the packets so that every back shows.",
)

SCORING = SevenEuchreScoring()
