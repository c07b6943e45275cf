"""The score of a finished table of Wild Seven: everybody's captured cards, turned face up in the own area.

Which suits lie there tells how many have played: with 3 players coffin and time stay in the box, with 4 players coffin.
A captured card that another one covers is not missed by itself. So every card in play has to be seen, those left in
hand among the wanted in the middle, or it is entered how many are left in hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from referee.finished.areas import AreaScoring, AreaView, face_down, half_way, in_order_of_the_deck
from referee.finished.score import Fault, Finished, Item, Tally, area_words
from referee.finished.seating import ACROSS_MM, compare_seatings, seat_faults
from referee.layout import CARD_MM, TableLayout
from referee.table import Sighting, Unread
from referee.wild_seven.laid import WANTED
from referee.wild_seven.referee import REFEREE
from referee.zones import BACK
from rules.cards import Card, Suit, mask_of
from rules.game import GameOption
from rules.refusal import PluralSentence, Sentence
from rules.text import Text, say_cards, say_number
from rules.wild_seven.deck import in_play, score
from rules.wild_seven.rules import RULES

_STRIP_MM = 30.0
"""So near lies the next card of a column or a fan."""


def _ask_counts(_: Sequence[str]) -> Sequence[tuple[int, Text]]:
    return [(count, say_number(count)) for count in range(in_play(max(RULES.seats)).bit_count())]


_IN_HAND = GameOption("in_hand", Text("How many cards are left in hand?"), _ask_counts, optional=True)
"""How many cards in play are left in hands or in front, and do not lie on the table."""


class WildSevenScoring(AreaScoring):
    """Captured cards by suit."""

    rules = RULES
    asked = (*AreaScoring.asked, _IN_HAND)
    lay = Text(
        "Everybody turns their captured cards face up in their own area, so that every index shows. All "
        "other cards, those in front and in hand too, lie face up in the middle."
    )

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        """Return the game's own layout."""
        return REFEREE.make_layout(players, mat_mm)

    def is_common(self, one: Sighting | Unread, view: AreaView, layout: TableLayout) -> bool:
        """Tell whether it lies well among the wanted, or in a column of which other cards do."""
        if layout.place_at(one.x, one.y) != WANTED:
            return False
        depth = _measure_depth(one, layout)
        others = (other for other in view.elsewhere.get(WANTED, ()) if _measure_depth(other, layout) > depth)
        return depth >= CARD_MM[1] / 2 or any(math.dist((one.x, one.y), (o.x, o.y)) <= _STRIP_MM for o in others)

    def count_tally(self, seat: int, view: AreaView, finished: Finished) -> Tally:
        """Count for each suit its highest card's rank, and 7 for every further card."""
        items = []
        cards = view.list_faces(seat)
        for suit in Suit:
            if own := [card for card in cards if card.suit is suit]:
                points = score(mask_of(own))
                items.append(Item(say_cards(own), points, {"cards": list(map(str, own)), "points": points}))
        return Tally(seat, sum(item.points for item in items), {"captured": tuple(items)})

    def find_faults(self, view: AreaView, finished: Finished) -> Iterator[Fault]:
        """Yield cards face down, cards in nobody's area, suits that are not in play, cards between two players."""
        players = finished.players
        for seat, who in enumerate(players, 1):
            if backs := view.count_backs(seat):
                yield Fault(seat, face_down(who=who, count=backs))
            if out := [seen for seen in view.areas.get(seat, ()) if _reaches_out(seen, seat, finished.layout)]:
                yield Fault(seat, half_way(out, area_words(seat, players)))
        there = in_order_of_the_deck(seen.name for _, seen in view.list_cards() if seen.name != BACK)
        yield from _find_wrong_suits(there, len(players), "seats" in finished.told)
        unseen = in_play(len(players)).bit_count() - len(there)
        if unseen > 0 and unseen != finished.told.get(_IN_HAND.key, 0):
            yield Fault(None, _unseen(count=unseen))
        mine = [seen for cards in view.areas.values() for seen in cards if seen.name != BACK]
        own = compare_seatings([(seen.x, seen.y) for seen in mine], [finished.layout], lambda _: 0)
        # The suits tell how many play, and who captured nothing has an empty area.
        yield from seat_faults(own, players, lambda number: Card.parse(mine[number].name).text, told=True)


def _measure_depth(one: Sighting | Unread, layout: TableLayout) -> float:
    """Return how far a card's centre lies within the wanted, in mm from the nearer area."""
    _, y0, _, y1 = layout.zone_rect(layout.zones[0])
    return min(one.y - y0, y1 - one.y)


def _reaches_out(seen: Sighting, seat: int, layout: TableLayout) -> bool:
    """Tell whether a card in an area reaches well over the area's border into the wanted."""
    _, y0, _, y1 = layout.seat_rect(seat)
    within = y1 - seen.y if layout.faces_down(seat) else seen.y - y0
    wanted = layout.zones[0].area
    return wanted.x0 < seen.x / layout.mat_mm[0] < wanted.x1 and within < CARD_MM[1] / 2 - ACROSS_MM


def _find_wrong_suits(there: Sequence[Card], players: int, entered: bool) -> Iterator[Fault]:
    """Yield cards of suits that stay in the box, and a suit in play of which no card is to be seen."""
    boxed = [card for card in there if not card.bit & in_play(players)]
    if boxed:
        yield Fault(None, _in_the_box(names=boxed[:1], cards=boxed, players=players))
    highest = tuple(Suit)[players + 1]
    sought = bool(there) and not boxed and not entered and players > min(RULES.seats)
    if sought and not any(card.suit is highest for card in there):
        yield Fault(None, _none_of(suit=highest, players=players))


_unseen = PluralSentence(
    "cannot_see",
    "{count} card is not to be seen: spread what was captured, and lay what is left in hand in the middle.",
    "{count} cards are not to be seen: spread what was captured, and lay what is left in hand in the middle.",
)
_in_the_box = Sentence(
    "table_disturbed", "{names!c} is not in play with {players} players: check how many play.", cards=("cards",)
)
_none_of = Sentence(
    "cannot_see", "With {players} players {suit} is in play, but none of it lies here: say once more how many play."
)

SCORING = WildSevenScoring()
