"""A look at a table of Laminate Rummy, read: the move that explains it best, and what speaks against it.

It is accepted only where one legal move explains everything; where two do, it is asked; where a card that matters
can't be read, that is said; and otherwise it is refused, with every reason and what to put right.
Source: TABLE.md, "A turn"; RULINGS.md, Laminate Rummy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from referee.laminate.expected_layout import Agreed, Difference, DifferenceKind, paper_place
from referee.laminate.explain import describe, describe_change, lay_any_discard
from referee.laminate.instructions import mend_difference
from referee.laminate.readings import Proposal, propose_readings
from referee.laminate.refusing import refuse_reading
from referee.laminate.view.layouts import PaperLayout, layout_for
from referee.laminate.view.table import TableView
from referee.laminate.whereabouts import Whereabouts
from referee.table import Unread
from referee.verdict import Choice, Question, Reading, Spot
from referee.zones import ZoneReferee
from rules import refusal as common
from rules.cards import Card
from rules.laminate.moves import EndFlag, Move, Pass, Publish, Research
from rules.laminate.position import Position
from rules.refusal import Reason
from rules.text import Text, capitalise, player, say_cards


def reading_of(referee: ZoneReferee, agreed: Agreed, view: TableView, layout: PaperLayout) -> Reading:
    """Return what happened on the table since the confirmed position; ``referee`` has the words.

    Raises:
        ValueError: the agreed position holds full information; what the table shows is public.
    """
    if agreed.position.full:
        raise ValueError("the table shows public information only: start the game with Setup, not with Deal")
    if twice := _seen_twice(view, layout):
        return _cant_see(twice)
    judged = _Judging(referee, agreed, view, layout, propose_readings(agreed, view, layout))
    return judged.read_fitting() or judged.refuse_unfitting()


def forget_taken_thanks(agreed: Agreed, view: TableView, layout: PaperLayout | None = None) -> Agreed:
    """Return what is confirmed after a still observation between two confirms: thank-you cards seen to be taken away.

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


@dataclass(frozen=True)
class _Judging:
    """One look beside what is agreed, with every move that was found worth weighing."""

    referee: ZoneReferee
    agreed: Agreed
    view: TableView
    layout: PaperLayout
    found: tuple[Proposal, ...]

    @property
    def position(self) -> Position:
        return self.agreed.position

    @property
    def _idle(self) -> Proposal | None:
        """That nothing was done, where the table looks just so."""
        return next((one for one in self.found if isinstance(one.move, Pass) and one.fits), None)

    # Accepted, or asked

    def read_fitting(self) -> Reading | None:
        """Return the reading where some legal move explains everything; ``None`` where none does."""
        fits = [one for one in self.found if one.legal and one.fits]
        if not fits:
            return None
        doubtful = [spot for one in fits for spot in _find_doubtful(one)]
        blind = [mark for one in fits for mark in one.covered.blind if self._place(mark) == "discard"]
        if doubtful or blind:
            return _cant_see([*doubtful, *self._make_spots(blind)])
        different = _one_for_each_effect(self.position, fits)
        if len(different) == 1:
            return self._accept_alone(different[0])
        idle, choices = self._idle, [self._offer_choice(one) for one in different]
        if idle is not None and not idle.legal:
            choices.append(self._nothing_done(idle))
        return _ask_question(Text("The table can be read in more than one way. What was done?"), *choices)

    def _accept_alone(self, fit: Proposal) -> Reading:
        """Return the one legal move that explains everything, where the table can tell it from all else."""
        idle = self._idle
        if idle is not None and not isinstance(fit.move, Pass):
            return self._ask_whether_drawn(fit, idle)
        if old := _perhaps_old_thanks(self.agreed, fit):
            return self._ask_whose_thanks(fit, old)
        if fresh := _perhaps_discarded_too(self.agreed, self.view, fit):
            return self._ask_what_shows(fit, fresh)
        return _read_done(fit)

    def _offer_choice(self, fit: Proposal) -> Choice:
        return Choice(describe(fit.move, self.position), self.referee.accept_reading(self.agreed, _read_done(fit)))

    def _answer_yes(self, fit: Proposal) -> Choice:
        words = Text("Yes. {yes}", yes=describe(fit.move, self.position))
        return Choice(words, self.referee.accept_reading(self.agreed, _read_done(fit)))

    def _answer_no(self, words: Text, wrong: Reading) -> Choice:
        return Choice(words, self.referee.refuse_reading(wrong))

    def _nothing_done(self, idle: Proposal) -> Choice:
        return self._answer_no(Text("Nothing was done yet."), refuse_reading(self.agreed, idle, self.view, self.layout))

    def _ask_whether_drawn(self, fit: Proposal, idle: Proposal) -> Reading:
        """Ask about an unchanged mat where the same top card may
        have come back through a reshuffle (TABLE.md, "A turn" 3).
        """
        who = player(self.position.get_name(self.position.to_move or 1))
        return _ask_question(
            Text(
                "The table looks as before. Did {who} draw through a reshuffle and discard the same card again?",
                who=who,
            ),
            self._offer_choice(fit),
            self._nothing_done(idle),
        )

    def _ask_whose_thanks(self, fit: Proposal, seats: tuple[int, ...]) -> Reading:
        position = self.position
        publisher = player(position.get_name(fit.move.seat)) if isinstance(fit.move, Publish) else Text()
        authors = reduce(_and_author, (player(position.get_name(seat)) for seat in seats))
        still = [one for one in self.found if isinstance(one.move, Publish) and any(map(one.left.get, seats))]
        old = refuse_reading(self.agreed, min(still, key=lambda one: one.cost), self.view, self.layout)
        return _ask_question(
            Text(
                "Did {authors} take the thank-you cards of the last turn, and are these from {publisher}?",
                authors=authors,
                publisher=publisher,
            ),
            self._answer_yes(fit),
            self._answer_no(Text("No, cards of the last turn still lie there."), old),
        )

    def _ask_what_shows(self, fit: Proposal, fresh: tuple[Card, ...]) -> Reading:
        extra = Difference(DifferenceKind.UNDER, cards=fresh)
        reason = common.table_disturbed(capitalise(describe_change(extra, self.agreed, "discard")), fresh)
        seen = Whereabouts(self.agreed, self.view, self.layout)
        mends = mend_difference(self.agreed, extra, seen, self.position.to_move or 1)
        return _ask_question(
            Text("Did {names} lie in the discard pile since the set-up?", names=say_cards(fresh)),
            self._answer_yes(fit),
            self._answer_no(Text("No, discarded just now."), Reading(reasons=(reason,), mends=tuple(mends))),
        )

    # Not accepted

    def refuse_unfitting(self) -> Reading:
        """Refuse by the best-fitting illegal reading, unless an unread card may hide a better one."""
        if not self.found:
            return self._no_setup()
        # Who lays the flag while it is due means to take it, whatever else was moved.
        best = self._idle or min(self.found, key=lambda one: (one.cost, not isinstance(one.move, EndFlag)))
        unsure = [*self._make_spots([*best.covered.open, *best.covered.blind]), *_find_doubtful(best)]
        return _cant_see(unsure) if unsure else refuse_reading(self.agreed, best, self.view, self.layout)

    def _no_setup(self) -> Reading:
        """Judge the set-up with no discard to be seen."""
        hidden = [mark for mark in self.view.unread if self.layout.spot_at(mark.x, mark.y) == "discard"]
        if hidden:
            return _cant_see(self._make_spots(hidden))
        position = self.position
        last = (position.first_seat - 2) % len(position.players) + 1
        who = player(position.get_name(last))
        words = Text("No card lies on the discard pile; {who}'s set-up discard belongs on top of it.", who=who)
        reason = Reason("table_disturbed", (), words)
        return Reading(reasons=(reason,), mends=(lay_any_discard(position, last),))

    def _place(self, mark: Unread) -> str:
        """Return where an unread card lies: its paper, else its spot or seat."""
        for paper in self.view.papers:
            if mark in paper.doubtful:
                return paper_place(paper.seat, paper.kind)
        spot = self.layout.spot_at(mark.x, mark.y, self.view.payments) or "table"
        kind, slash, _ = next(iter(mark.candidates), "").partition("/")
        return f"{spot}/{kind}" if slash and spot.startswith("seat:") else spot

    def _make_spots(self, marks: Iterable[Unread]) -> list[Spot]:
        return [Spot(mark.x, mark.y, self._place(mark), mark.cause) for mark in marks]


def _ask_question(words: Text, *choices: Choice) -> Reading:
    return Reading(asked=Question(words, choices))


def _read_done(fit: Proposal) -> Reading:
    return Reading(fit.move, fit.after, without_trace=isinstance(fit.move, Pass))


def _cant_see(spots: Iterable[Spot]) -> Reading:
    return Reading(unread=tuple(dict.fromkeys(spots)))


def _one_for_each_effect(position: Position, fits: list[Proposal]) -> list[Proposal]:
    """Return one reading for each different position that may follow, in the order in which they were found.

    Where taking the top discard and drawing through a reshuffle come to the same, the former stands (RULINGS.md 8).
    """
    same_by_ruling = position.draw_count == 0 and len(position.discards) <= 2
    if same_by_ruling and any(_takes_discard(reading.move) for reading in fits):
        fits = [r for r in fits if not (isinstance(r.move, Research) and r.move.source == "deck")]
    different: list[Proposal] = []
    for reading in fits:
        if all(reading.after != other.after for other in different):
            different.append(reading)
    return different


def _takes_discard(move: Move) -> bool:
    return isinstance(move, Research) and move.source == "discard"


def _perhaps_old_thanks(agreed: Agreed, reading: Proposal) -> tuple[int, ...]:
    """Return seats that were paid where thanks of the last turn may still be what lies there."""
    if not isinstance(reading.move, Publish):
        return ()
    return tuple(seat for seat in sorted(reading.move.pay) if agreed.thanks.get(seat, 0))


def _and_author(authors: Text, author: Text) -> Text:
    return Text("{authors} and {author}", authors=authors, author=author)


def _perhaps_discarded_too(agreed: Agreed, view: TableView, reading: Proposal) -> tuple[Card, ...]:
    """Return cards newly seen under a fresh discard: set-up discards that nobody had seen, or discarded just now."""
    if not isinstance(reading.move, Research) or reading.move.source != "deck":
        return ()
    known = {*agreed.discards, *agreed.peeping}
    return tuple(card for card in view.discard_under if card not in known)


def _find_doubtful(reading: Proposal) -> list[Spot]:
    """Return the unread cards on which a reading rests, where its own move took place."""
    return [
        Spot(mark.x, mark.y, place, mark.cause)
        for place, mark in reading.covered.depends_on_unread
        if place in reading.touched
    ]


def _seen_twice(view: TableView, layout: PaperLayout) -> list[Spot]:
    """Return the places of cards that were named in more than one place: each card exists once, so a name is wrong."""
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
