"""What to put right after a refusal, one step at a time, in the order in which to do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from referee.laminate.expected_layout import Agreed, Difference, DifferenceKind, paper_place
from referee.laminate.explain import lay_on_top, mend, pay, place_words, turn_over
from referee.laminate.readings import Proposal
from referee.laminate.whereabouts import Whereabouts
from referee.table import Sighting
from referee.verdict import Mend
from rules.cards import Card
from rules.laminate.moves import EndFlag, Pass, Payment, Publish, Research, Review
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Position
from rules.text import Text


def mend_move(agreed: Agreed, reading: Proposal, seen: Whereabouts) -> list[Mend]:
    """Return what to put right for an illegal move: mend the payments where nothing else is wrong, else take it back.

    A card of it that came from the table goes back where it lay.
    """
    position, move = agreed.position, reading.move
    codes = {reason.code for reason in reading.reasons}
    if not codes:
        return []
    if isinstance(move, Publish):
        if codes <= {"payment_missing", "payment_excess"}:
            return _mend_payments(position, move)
        return _take_back(position, move.seat, move.paper, move.cards, move.pay, seen)
    if isinstance(move, EndFlag):
        return _take_back(position, move.seat, END_FLAG, (move.card,), {}, seen)
    if isinstance(move, Review):
        return [mend(position, str(move.take), f"hand:{move.seat}", paper_place(move.of, move.paper))]
    if isinstance(move, Research):
        return _take_research_back(agreed, move)
    if isinstance(move, Pass) and "flag_due" in codes:
        flag = paper_place(move.seat, END_FLAG)
        who = place_words(position, f"seat:{move.seat}")
        return [
            Mend(
                f"{END_FLAG}/complete",
                "supply",
                flag,
                Text("Lay the End Flag, complete side up, and one hand card in {who}.", who=who),
            )
        ]
    return []


def _mend_payments(position: Position, move: Publish) -> list[Mend]:
    due = Counter(citation.seat for citation in move.cite if citation.seat != move.seat)
    mends = []
    for seat in sorted(due.keys() | move.pay.keys()):
        given = move.pay.get(seat, 0)
        paid = given if isinstance(given, int) else len(given)
        if paid > due[seat]:
            mends.append(mend(position, "back", f"payment:{seat}", f"hand:{move.seat}", paid - due[seat]))
    for seat in sorted(due):
        given = move.pay.get(seat, 0)
        paid = given if isinstance(given, int) else len(given)
        if paid < due[seat]:
            mends.append(pay(position, move.seat, seat, due[seat] - paid))
    return mends


def _take_back(
    position: Position,
    seat: int,
    kind: str,
    cards: Iterable[Card],
    paid: Mapping[int, Payment],
    seen: Whereabouts,
) -> list[Mend]:
    place = paper_place(seat, kind)
    mends = [mend(position, f"{kind}/review", place, "supply")]
    mends += [mend(position, str(card), place, seen.was.get(card, f"hand:{seat}")) for card in cards]
    for author, given in sorted(paid.items()):
        count = given if isinstance(given, int) else len(given)
        mends.append(mend(position, "back", f"payment:{author}", f"hand:{seat}", count))
    return mends


def _take_research_back(agreed: Agreed, move: Research) -> list[Mend]:
    position = agreed.position
    hand = f"hand:{move.seat}"
    if move.source == "discard":
        return [mend(position, str(move.keep), hand, "discard")]
    if position.draw_gives == 2 and move.discard is None:
        return [
            Mend(
                "back",
                hand,
                "discard",
                Text("Lay one of the two drawn cards face up on the discard pile."),
            )
        ]
    if move.discard is not None:
        return [mend(position, str(move.discard), "discard", hand)]
    return []


def mend_difference(agreed: Agreed, difference: Difference, seen: Whereabouts, mover: int) -> list[Mend]:
    """Return what to put right for one difference; an unexplained card goes back to the hand of the seat ``mover``."""
    position, what, hand = agreed.position, difference.what, f"hand:{mover}"
    place = paper_place(difference.seat, difference.kind)
    if what is DifferenceKind.SIDE and difference.paper_seen is not None:
        return [turn_over(position, difference.seat, difference.kind, not difference.paper_seen.complete_side)]
    if what is DifferenceKind.PAPER_ADDED:
        mends = [mend(position, _find_head(difference), place, "supply")]
        return mends + _taken_off(position, difference, place, seen, f"hand:{difference.seat}")
    if what in (DifferenceKind.PAPER_GONE, DifferenceKind.CARDS_GONE):
        mends = []
        if what is DifferenceKind.PAPER_GONE and difference.kind not in seen.headless:
            side = "complete" if len(difference.cards) == 1 else "review"
            mends = [mend(position, f"{difference.kind}/{side}", "table", place)]
        return mends + [mend(position, str(card), seen.now.get(card, hand), place) for card in difference.cards]
    if what in (DifferenceKind.CARDS_ADDED, DifferenceKind.UNDER):
        return _taken_off(position, difference, "discard" if what is DifferenceKind.UNDER else place, seen, hand)
    if what is DifferenceKind.TOP:
        return _mend_top(position, difference, seen, hand)
    if what is DifferenceKind.DRAW_GONE:
        return [mend(position, "back", "table", "draw", position.draw_count)]
    if what is DifferenceKind.DRAW_THERE:
        return [mend(position, "back", "draw", hand, difference.count)]
    if what is DifferenceKind.THANKS_ADDED:
        return _mend_thanks(agreed, difference, hand)
    return [] if difference.sighting is None else [_mend_loose(position, difference.sighting, seen, mover)]


def _taken_off(position: Position, difference: Difference, place: str, seen: Whereabouts, hand: str) -> list[Mend]:
    """Take cards off a place where they do not belong: each goes back where it lay, else into a hand."""
    return [mend(position, str(card), place, seen.was.get(card, hand)) for card in difference.cards]


def _mend_top(position: Position, difference: Difference, seen: Whereabouts, hand: str) -> list[Mend]:
    mends = []
    # A discard that is only covered shows again by itself; one that lies in the wrong order does not.
    reordered = difference.seen is not None and seen.was.get(difference.seen) == "discard"
    if difference.seen is not None and not reordered:
        mends.append(mend(position, str(difference.seen), "discard", seen.was.get(difference.seen, hand)))
    for card in difference.cards:
        if reordered or seen.now.get(card) != "discard":
            mends.append(lay_on_top(card, seen.now.get(card, hand)))
    return mends


def _mend_thanks(agreed: Agreed, difference: Difference, hand: str) -> list[Mend]:
    """Give thanks of the last turn to their author, all others back to who laid them."""
    seat = difference.seat
    old = min(difference.count, agreed.thanks.get(seat, 0))
    counts = ((f"hand:{seat}", old), (hand, difference.count - old))
    return [mend(agreed.position, "back", f"payment:{seat}", to, count) for to, count in counts if count]


def _mend_loose(position: Position, sighting: Sighting, seen: Whereabouts, mover: int) -> Mend:
    source, hand = seen.find_spot(sighting), f"hand:{mover}"
    if sighting.name == "back":
        return mend(position, "back", source, hand)
    kind, slash, _ = sighting.name.partition("/")
    if slash:
        return mend(position, sighting.name, source, seen.headless.get(kind, "supply"))
    return mend(position, sighting.name, source, seen.was.get(Card.parse(sighting.name), hand))


def _find_head(difference: Difference) -> str:
    complete = difference.paper_seen is not None and difference.paper_seen.complete_side
    return f"{difference.kind}/{'complete' if complete else 'review'}"
