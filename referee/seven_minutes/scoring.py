"""The score of a finished table of Seven Minutes: plus cards lie upright in the own area, minus cards across.

At the end every card has been flipped, so each of the 49 lies in somebody's area or in what is left of the row: a card
that is not seen is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.finished.areas import AreaScoring, AreaView, face_down, in_order_of_the_deck, name_cards
from referee.finished.score import Fault, Finished, Item, Tally, area_words
from referee.finished.seating import compare_seatings, seat_faults
from referee.layout import CARD_MM, SEATS, Area, TableLayout
from referee.seven_minutes.layout import MIDDLE
from referee.table import Sighting, Unread
from referee.zones import BACK
from rules.cards import DECK, Card
from rules.refusal import PluralSentence, Sentence
from rules.seven_minutes.row import count_worth
from rules.seven_minutes.rules import RULES
from rules.text import Text

_DEPTH = 0.30
"""How deep an area is, as a share of the mat's height; what lies nearer the middle is the row."""
_ASKEW = 30.0
"""A card turned by more degrees than that lies neither upright nor across."""


class SevenMinutesScoring(AreaScoring):
    """Cards taken face up less cards taken face down; a 7 counts 3."""

    rules = RULES
    lay = Text(
        "Everybody lays the cards taken in their own area, all face up and every index in sight: plus cards "
        "upright, minus cards across. What is left of the row stays where it is."
    )

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        """Return the areas at the bottom and at the top."""
        return TableLayout(tuple(map(_cut_area, SEATS[players])), mat_mm)

    def is_decisive(self, mark: Unread, view: AreaView, layout: TableLayout) -> bool:
        """Count a card of the row as well: it is missing otherwise."""
        return True

    def is_common(self, one: Sighting | Unread, view: AreaView, layout: TableLayout) -> bool:
        """Tell whether it lies in the row, or on a stack of it: a card of its rank lies right above."""
        if abs(one.y - MIDDLE * layout.mat_mm[1]) <= CARD_MM[1] / 2:
            return True
        return any(
            0 < one.y - other.y <= CARD_MM[1] / 2
            and abs(one.x - other.x) <= CARD_MM[0] / 2
            and _read_rank(one) == _read_rank(other)
            and self.is_common(other, view, layout)
            for other in view.elsewhere.get("table", ())
        )

    def count_tally(self, seat: int, view: AreaView, finished: Finished) -> Tally:
        """Count plus cards and minus cards."""
        lying = [seen for seen in view.areas.get(seat, ()) if seen.name != BACK]
        groups = {
            "plus": _list_items([seen for seen in lying if _turn(seen) < 90 - _turn(seen)], 1),
            "minus": _list_items([seen for seen in lying if _turn(seen) >= 90 - _turn(seen)], -1),
        }
        return Tally(seat, sum(item.points for items in groups.values() for item in items), groups)

    def find_faults(self, view: AreaView, finished: Finished) -> Iterator[Fault]:
        """Yield cards face down, cards askew, missing ones, and another number of players."""
        players = finished.players
        for seat, who in enumerate(players, 1):
            if backs := view.count_backs(seat):
                yield Fault(seat, face_down(who=who, count=backs))
            for seen in view.areas.get(seat, ()):
                if seen.name != BACK and _ASKEW < _turn(seen) < 90 - _ASKEW:
                    yield Fault(seat, _askew(card=Card.parse(seen.name), where=area_words(seat, players)))
        there = {card.index for card in in_order_of_the_deck(s.name for _, s in view.list_cards() if s.name != BACK)}
        missing = [card for card in DECK if card.index not in there]
        if missing and len(missing) > len(view.unread):
            yield Fault(None, _missing(names=name_cards(missing), cards=missing))
        mine = [seen for cards in view.areas.values() for seen in cards]
        layouts = [self.make_layout(number, finished.layout.mat_mm) for number in RULES.seats]
        found = compare_seatings([(seen.x, seen.y) for seen in mine], layouts, lambda _: 0, together=False)

        def words(number: int) -> Text:
            name = mine[number].name
            return Text("a face-down card") if name == BACK else Card.parse(name).text

        yield from seat_faults(found, players, words, "seats" in finished.told)


def _cut_area(area: Area) -> Area:
    return Area(area.x0, area.x1, 1 - _DEPTH, 1.0) if area.y1 == 1.0 else Area(area.x0, area.x1, 0.0, _DEPTH)


def _read_rank(one: Sighting | Unread) -> int | None:
    """Return the rank of a face-up card that can be named."""
    return Card.parse(one.name).rank if isinstance(one, Sighting) and one.name != BACK else None


def _turn(seen: Sighting) -> float:
    """Return how far a card is turned from upright, 0 to 90 degrees, whichever end is up."""
    return abs((seen.angle + 90) % 180 - 90)


def _list_items(cards: Sequence[Sighting], sign: int) -> tuple[Item, ...]:
    items = []
    for card in in_order_of_the_deck(seen.name for seen in cards):
        points = sign * count_worth(card)
        items.append(Item(card.text, points, {"card": str(card), "points": points}))
    return tuple(items)


_askew = Sentence(
    "cannot_see",
    "{card!c} in {where} lies neither upright nor across: lay plus cards upright, minus cards across.",
    cards=("card",),
)
_missing = PluralSentence(
    "cannot_see",
    "{names!c} is not to be seen: spread the cards so that every index shows.",
    "{names!c} are not to be seen: spread the cards so that every index shows.",
    cards=("cards",),
)

SCORING = SevenMinutesScoring()
