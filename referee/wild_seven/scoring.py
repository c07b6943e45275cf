"""The score of a finished table of Wild Seven: everybody's captured cards, turned face up in the own area.

Which suits lie there tells how many have played: with 3 players coffin and time stay in the box, with 4 players coffin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.finished.areas import AreaScoring, AreaView, face_down, face_up, in_order_of_the_deck
from referee.finished.score import BACK, Fault, Finished, Item, Tally
from referee.finished.seating import seat_faults, seatings
from referee.layout import Layout
from referee.wild_seven.laid import WANTED
from referee.wild_seven.referee import REFEREE
from rules.cards import Card, Suit, mask_of
from rules.refusal import Reason
from rules.text import Text, listed, sentence_case
from rules.wild_seven.deck import in_play, score
from rules.wild_seven.rules import RULES


class WildSevenScoring(AreaScoring):
    """Captured cards by suit."""

    rules = RULES
    lay = Text(
        "Everybody turns their captured cards face up in their own area, so that every index shows, and takes the card "
        "in front and the hand away.",
        "獲得したカードを全員が自分の場に表向きで並べ、すべての数字が見えるようにします。前のカードと手札は片付けます。",
    )

    def layout(self, players: int, mat_mm: tuple[float, float]) -> Layout:
        """The game's own."""
        return REFEREE.layout(players, mat_mm)

    def tally(self, seat: int, view: AreaView, finished: Finished) -> Tally:
        """For each suit its highest card's rank, and 7 for every further card."""
        items = []
        cards = view.faces(seat)
        for suit in Suit:
            if own := [card for card in cards if card.suit is suit]:
                points = score(mask_of(own))
                items.append(Item(listed(own), points, {"cards": list(map(str, own)), "points": points}))
        return Tally(seat, sum(item.points for item in items), {"captured": tuple(items)})

    def faults(self, view: AreaView, finished: Finished) -> Iterator[Fault]:
        """Cards face down, cards in nobody's area, suits that are not in play, cards between two players."""
        players = finished.players
        for seat, who in enumerate(players, 1):
            if backs := view.backs(seat):
                yield Fault(seat, face_down(who, backs))
        stray = (seen.name for place, cards in view.elsewhere.items() if place != WANTED for seen in cards)
        if cards := in_order_of_the_deck(name for name in stray if name != BACK):
            yield Fault(None, face_up(Text("nobody's area", "誰の場でもない所"), cards))
        there = in_order_of_the_deck(seen.name for _, seen in view.everywhere() if seen.name != BACK)
        yield from _suits(there, len(players), "seats" in finished.told)
        mine = [seen for cards in view.areas.values() for seen in cards if seen.name != BACK]
        own = seatings([(seen.x, seen.y) for seen in mine], [finished.layout], lambda _: 0)
        # The suits tell how many play, and who captured nothing has an empty area.
        yield from seat_faults(own, players, lambda number: Text.of(Card.parse(mine[number].name)), told=True)


def _suits(there: Sequence[Card], players: int, told: bool) -> Iterator[Fault]:
    """Cards of suits that stay in the box, and a suit in play of which no card is to be seen."""
    boxed = [card for card in there if not card.bit & in_play(players)]
    if boxed:
        yield Fault(None, _in_the_box(boxed, players))
    highest = tuple(Suit)[players + 1]
    sought = bool(there) and not boxed and not told and players > min(RULES.seats)
    if sought and not any(card.suit is highest for card in there):
        yield Fault(None, _none_of(Text.of(highest), players))


def _in_the_box(cards: Sequence[Card], players: int) -> Reason:
    names = listed(cards[:1])
    return Reason(
        "table_disturbed",
        tuple(cards),
        Text(
            f"{sentence_case(names.en)} is not in play with {players} players: check how many play.",
            f"{players}人なら{names.ja}は使いません。人数を確かめてください。",
        ),
    )


def _none_of(suit: Text, players: int) -> Reason:
    return Reason(
        "cannot_see",
        (),
        Text(
            f"With {players} players {suit.en} is in play, but none of it lies here: say once more how many play.",
            f"{players}人なら{suit.ja}を使いますが、1枚もありません。人数をもう一度伝えてください。",
        ),
    )


SCORING = WildSevenScoring()
