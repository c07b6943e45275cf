"""The referee of Laminate Rummy: agreed position and table view in, verdict out.

``judge`` proposes moves that could explain the view, lets the rules core judge them, and compares what must then lie
on the table with what was seen. It accepts only where one legal move explains everything; where two do, it asks; where
a card that matters can't be read, it says so; and otherwise it refuses, with every reason and what to put right.
Source: TABLE.md, "A turn"; RULINGS.md, Laminate Rummy.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from referee.laminate.expected_layout import Agreed, Difference, What, paper_place
from referee.laminate.explain import changed, describe, lay_any_discard, understood, unseen
from referee.laminate.instructions import mend_difference
from referee.laminate.readings import Reading, readings
from referee.laminate.refusing import refuse, refused
from referee.laminate.view.layouts import Layout, layout_for
from referee.laminate.view.table import TableView
from referee.laminate.whereabouts import Whereabouts
from referee.table import Unread
from referee.verdict import Accepted, CantSee, Choice, Question, Spot, Verdict
from rules import refusal as common
from rules.cards import Card
from rules.laminate.moves import EndFlag, Move, Pass, Publish, Research
from rules.laminate.position import Phase, Position
from rules.refusal import Reason
from rules.text import Text, capitalised, listed, player


def judge(agreed: Agreed, view: TableView, layout: Layout | None = None) -> Verdict:
    """Say what happened on the table since the agreed position.

    Args:
        agreed: the last agreed position and what lies beyond it; public information only.
        view: one still look at the whole table.
        layout: the seats and spots; the standard layout for that many players where none is given.

    Raises:
        ValueError: the agreed position holds full information; what the table shows is public.
    """
    position = agreed.position
    if position.full:
        raise ValueError("the table shows public information only: start the game with Setup, not with Deal")
    layout = layout or layout_for(len(position.players), view.mat_mm)
    if position.phase is Phase.OVER:
        return refused((common.game_over(),), ())
    twice = _seen_twice(view, layout)
    if twice:
        return _cant_see(position, twice)
    found = readings(agreed, view, layout)
    return _accepted(agreed, view, layout, found) or _not_accepted(agreed, view, layout, found)


def noticed(agreed: Agreed, view: TableView, layout: Layout | None = None) -> Agreed:
    """What a still look between two confirms adds to what is agreed: thank-you cards seen to be taken away.

    Without it, a thank-you card on the same spot in the next turn leaves open whether it is the old one, and the
    referee must ask. Only what is gone for sure counts: an unread card on the spot, and nothing is concluded.
    """
    layout = layout or layout_for(len(agreed.position.players), view.mat_mm)
    hidden = {layout.spot_at(mark.x, mark.y, agreed.thanks) for mark in view.unread}
    thanks = {}
    for seat, count in agreed.thanks.items():
        there = count if f"payment:{seat}" in hidden else min(count, view.payments.get(seat, 0))
        if there:
            thanks[seat] = there
    return Agreed(agreed.position, thanks, agreed.shown, agreed.peeping)


# --- accepted, or asked


def _accepted(agreed: Agreed, view: TableView, layout: Layout, found: tuple[Reading, ...]) -> Verdict | None:
    """The verdict where some legal move explains everything; None where none does."""
    fits = [reading for reading in found if reading.legal and reading.fits]
    if not fits:
        return None
    position = agreed.position
    doubtful = [spot for reading in fits for spot in _doubtful(reading)]
    blind = [mark for reading in fits for mark in reading.covered.blind if _place(mark, view, layout) == "discard"]
    if doubtful or blind:
        return _cant_see(position, [*doubtful, *_spots(blind, view, layout)])
    different = _one_for_each_effect(position, fits)
    idle = next((r for r in found if isinstance(r.move, Pass) and r.fits), None)
    if len(different) == 1:
        reading = different[0]
        if idle is not None and not isinstance(reading.move, Pass):
            return _ask_whether_drawn(agreed, view, layout, reading, idle)
        old = _perhaps_old_thanks(agreed, reading)
        if old:
            return _ask_whose_thanks(agreed, view, layout, reading, found, old)
        fresh = _perhaps_discarded_too(agreed, view, reading)
        if fresh:
            return _ask_what_shows(agreed, view, layout, reading, fresh)
        return _accept(agreed, reading)
    choices = [_choice(agreed, reading) for reading in different]
    if idle is not None and not idle.legal:
        choices.append(_nothing_done(agreed, idle, view, layout))
    return Question(
        Text("The table can be read in more than one way. What was done?"),
        tuple(choices),
    )


def _accept(agreed: Agreed, reading: Reading) -> Accepted:
    assert reading.after is not None
    words = understood(reading.move, agreed.position, reading.after.position)
    return Accepted(reading.move, reading.after, words, without_trace=isinstance(reading.move, Pass))


def _choice(agreed: Agreed, reading: Reading) -> Choice:
    words = describe(reading.move, agreed.position)
    return Choice(words, _accept(agreed, reading))


def _one_for_each_effect(position: Position, fits: list[Reading]) -> list[Reading]:
    """One reading for each different position that may follow, in the order in which they were found.

    Where taking the top discard and drawing through a reshuffle come to the same, the former stands (RULINGS.md 8).
    """
    same_by_ruling = position.draw_count == 0 and len(position.discards) <= 2
    if same_by_ruling and any(_takes_discard(reading.move) for reading in fits):
        fits = [r for r in fits if not (isinstance(r.move, Research) and r.move.source == "deck")]
    different: list[Reading] = []
    for reading in fits:
        if all(reading.after != other.after for other in different):
            different.append(reading)
    return different


def _takes_discard(move: Move) -> bool:
    return isinstance(move, Research) and move.source == "discard"


def _ask_whether_drawn(agreed: Agreed, view: TableView, layout: Layout, reading: Reading, idle: Reading) -> Question:
    """An unchanged mat where the same top card may have come back through a reshuffle (TABLE.md, "A turn" 3)."""
    who = player(agreed.position.name(agreed.position.to_move or 1))
    return Question(
        Text("The table looks as before. Did {who} draw through a reshuffle and discard the same card again?", who=who),
        (_choice(agreed, reading), _nothing_done(agreed, idle, view, layout)),
    )


def _nothing_done(agreed: Agreed, idle: Reading, view: TableView, layout: Layout) -> Choice:
    return Choice(Text("Nothing was done yet."), refuse(agreed, idle, view, layout))


def _perhaps_old_thanks(agreed: Agreed, reading: Reading) -> tuple[int, ...]:
    """Seats that were paid where thanks of the last turn may still be what lies there."""
    if not isinstance(reading.move, Publish):
        return ()
    return tuple(seat for seat in sorted(reading.move.pay) if agreed.thanks.get(seat, 0))


def _ask_whose_thanks(
    agreed: Agreed,
    view: TableView,
    layout: Layout,
    reading: Reading,
    found: tuple[Reading, ...],
    seats: tuple[int, ...],
) -> Question:
    position = agreed.position
    publisher = player(position.name(reading.move.seat)) if isinstance(reading.move, Publish) else Text()
    authors = reduce(_and_author, (player(position.name(seat)) for seat in seats))
    yes = describe(reading.move, position)
    still = [r for r in found if isinstance(r.move, Publish) and any(r.left.get(seat) for seat in seats)]
    old = min(still, key=lambda r: r.cost)
    return Question(
        Text(
            "Did {authors} take the thank-you cards of the last turn, and are these from {publisher}?",
            authors=authors,
            publisher=publisher,
        ),
        (
            Choice(Text("Yes. {yes}", yes=yes), _accept(agreed, reading)),
            Choice(
                Text("No, cards of the last turn still lie there."),
                refuse(agreed, old, view, layout),
            ),
        ),
    )


def _and_author(authors: Text, author: Text) -> Text:
    return Text("{authors} and {author}", authors=authors, author=author)


def _perhaps_discarded_too(agreed: Agreed, view: TableView, reading: Reading) -> tuple[Card, ...]:
    """Cards newly seen under a fresh discard: set-up discards that nobody had seen, or discarded just now."""
    if not isinstance(reading.move, Research) or reading.move.source != "deck":
        return ()
    known = {*agreed.discards, *agreed.peeping}
    return tuple(card for card in view.discard_under if card not in known)


def _ask_what_shows(
    agreed: Agreed, view: TableView, layout: Layout, reading: Reading, fresh: tuple[Card, ...]
) -> Question:
    names = listed(fresh)
    yes = describe(reading.move, agreed.position)
    extra = Difference(What.UNDER, cards=fresh)
    reason = common.table_disturbed(capitalised(changed(extra, agreed, "discard")), fresh)
    mends = tuple(mend_difference(agreed, extra, Whereabouts(agreed, view, layout), agreed.position.to_move or 1))
    return Question(
        Text("Did {names} lie in the discard pile since the set-up?", names=names),
        (
            Choice(Text("Yes. {yes}", yes=yes), _accept(agreed, reading)),
            Choice(Text("No, discarded just now."), refused((reason,), mends)),
        ),
    )


# --- can't see


def _not_accepted(agreed: Agreed, view: TableView, layout: Layout, found: tuple[Reading, ...]) -> Verdict:
    """Refused for the best-fitting illegal reading, unless an unread card may hide a better one."""
    position = agreed.position
    if not found:
        return _no_setup(position, view, layout)
    idle = next((r for r in found if isinstance(r.move, Pass) and r.fits), None)
    # Who lays the flag while it is due means to take it, whatever else was moved.
    best = idle or min(found, key=lambda reading: (reading.cost, not isinstance(reading.move, EndFlag)))
    marks = [*best.covered.open, *best.covered.blind]
    doubtful = _doubtful(best)
    if marks or doubtful:
        return _cant_see(position, [*_spots(marks, view, layout), *doubtful])
    return refuse(agreed, best, view, layout)


def _no_setup(position: Position, view: TableView, layout: Layout) -> Verdict:
    """The set-up with no discard to be seen."""
    hidden = [mark for mark in view.unread if layout.spot_at(mark.x, mark.y) == "discard"]
    if hidden:
        return _cant_see(position, _spots(hidden, view, layout))
    first = position.first_seat
    last = (first - 2) % len(position.players) + 1
    who = player(position.name(last))
    words = Text("No card lies on the discard pile; {who}'s set-up discard belongs on top of it.", who=who)
    return refused((Reason("table_disturbed", (), words),), (lay_any_discard(position, last),))


def _doubtful(reading: Reading) -> list[Spot]:
    """The unread cards on which a reading rests, where its own move took place."""
    return [
        Spot(mark.x, mark.y, place, mark.cause) for place, mark in reading.covered.leaning if place in reading.touched
    ]


def _cant_see(position: Position, spots: Iterable[Spot]) -> CantSee:
    spots = tuple(dict.fromkeys(spots))
    return CantSee(spots, unseen(position, spots))


def _place(mark: Unread, view: TableView, layout: Layout) -> str:
    """Where an unread card lies: its paper, else its spot or seat."""
    for paper in view.papers:
        if mark in paper.doubtful:
            return paper_place(paper.seat, paper.kind)
    spot = layout.spot_at(mark.x, mark.y, view.payments) or "table"
    if spot.startswith("seat:"):
        for name in mark.candidates[:1]:
            kind, slash, _ = name.partition("/")
            if slash:
                return f"{spot}/{kind}"
    return spot


def _spots(marks: Iterable[Unread], view: TableView, layout: Layout) -> list[Spot]:
    return [Spot(mark.x, mark.y, _place(mark, view, layout), mark.cause) for mark in marks]


def _seen_twice(view: TableView, layout: Layout) -> list[Spot]:
    """The places of cards that were named in more than one place: each card exists once, so a name is wrong."""
    places: dict[Card, list[Spot]] = {}
    for paper in view.papers:
        for card in paper.cards:
            place = Spot(paper.x, paper.y, paper_place(paper.seat, paper.kind), "twice")
            places.setdefault(card, []).append(place)
    x, y = layout.discard
    pile = view.discard_under if view.discard_top is None else (view.discard_top, *view.discard_under)
    for card in pile:
        places.setdefault(card, []).append(Spot(x, y, "discard", "twice"))
    for sighting in view.loose:
        if "/" not in sighting.name and sighting.name != "back":
            spot = Spot(sighting.x, sighting.y, layout.spot_at(sighting.x, sighting.y) or "table", "twice")
            places.setdefault(Card.parse(sighting.name), []).append(spot)
    return [spot for spots in places.values() if len(spots) > 1 for spot in spots]
