"""Why a table is refused: the broken rules of the best-fitting move, and what it leaves unexplained."""

from __future__ import annotations

from dataclasses import replace

from referee.laminate.citing import likeliest_citations, payments_off
from referee.laminate.expected_layout import Agreed, Difference, DifferenceKind
from referee.laminate.explain import describe_change, paper_words
from referee.laminate.instructions import mend_difference, mend_move
from referee.laminate.readings import Proposal
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import TableView
from referee.laminate.whereabouts import Whereabouts
from referee.verdict import Mend, Reading
from rules import refusal as common
from rules.cards import Card
from rules.laminate import refusals as because
from rules.laminate.moves import Citation, Move, Pass, Publish, Research, Review, Setup
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Phase, Position
from rules.refusal import Reason
from rules.text import capitalise, player, say_number

_FORGOTTEN = 2
"""At most this many thank-you cards may be forgotten before other faults are likelier."""


def refuse_reading(agreed: Agreed, reading: Proposal, view: TableView, layout: PaperLayout) -> Reading:
    """Refuse a reading of the view for every reason, and say how to mend it."""
    position = agreed.position
    left = reading.covered.differences
    mover = position.to_move or position.first_seat
    soft = (DifferenceKind.SIDE, DifferenceKind.THANKS_ADDED)
    seen = Whereabouts(agreed, view, layout)
    reasons: list[Reason] = []
    mends: list[Mend] = []
    idle = isinstance(reading.move, Pass)
    if not idle or position.phase is Phase.FLAG or all(difference.what in soft for difference in left):
        due = [reason for reason in reading.reasons if reason.code == "flag_due"]
        # While the flag is due, an unchanged mat is no attempt to pass.
        others = (*_without_drafts(position, reading), *_with_what_was_paid(position, reading))
        reasons += due if idle and due else (*reading.reasons, *others)
        mends += mend_move(agreed, reading, seen)
    for difference in left:
        reasons += _reasons_of(agreed, reading, difference, seen)
        if not _is_due_flag(position, difference):
            # What to do with the flag that is due is said already.
            mends += mend_difference(agreed, difference, seen, mover)
    return Reading(reading.move, reasons=tuple(reasons), mends=tuple(mends))


def _without_drafts(position: Position, reading: Proposal) -> tuple[Reason, ...]:
    """Return what is wrong where no paper under review was meant to be cited after all.

    The table does not say what is cited: nothing is paid for own papers, and thanks to an author who has a complete
    paper besides may be for that one.
    """
    move = reading.move
    if not isinstance(move, Publish) or not any(reason.code == "not_citable" for reason in reading.reasons):
        return ()
    complete = [Citation(paper.seat, paper.kind) for paper in position.papers if paper.complete]
    cite = [citation for citation in move.cite if citation in complete]
    for draft in move.cite:
        if draft in complete or draft.seat == move.seat:
            continue
        besides = [paper for paper in complete if paper.seat == draft.seat and paper not in cite]
        if not besides:
            return ()
        cite.append(besides[0])
    return () if cite == list(move.cite) else position.find_reasons(replace(move, cite=tuple(cite)))


def _with_what_was_paid(position: Position, reading: Proposal) -> tuple[Reason, ...]:
    """Return what is wrong where no more papers were meant to be cited than were paid for.

    Nobody forgets so many thanks; cards that make the paper only with them were more likely laid by mistake.
    """
    move = reading.move
    if not isinstance(move, Publish):
        return ()
    paid = {seat: given if isinstance(given, int) else len(given) for seat, given in move.pay.items()}
    missing, _ = payments_off(move.cite, move.seat, paid)
    if missing <= _FORGOTTEN:
        return ()
    complete = [paper for paper in position.papers if paper.complete]
    reasons = position.find_reasons(replace(move, cite=likeliest_citations(complete, move.seat, paid)))
    return tuple(reason for reason in reasons if reason.code == "not_a_meld")


def _is_action(agreed: Agreed, move: Move, difference: Difference, seen: Whereabouts) -> bool:
    """Tell whether a difference that the move leaves looks like
    another of the three actions, not like a disturbance.
    """
    what = difference.what
    if what is DifferenceKind.CARDS_GONE:
        return seen.has_taken(difference.cards)
    if what is DifferenceKind.PAPER_ADDED:
        from_hand = [card for card in difference.cards if card not in _taken_by(move)]
        return bool(difference.cards) and difference.kind != END_FLAG and seen.from_hand(from_hand)
    if what is DifferenceKind.TOP:
        if difference.seen is not None and seen.from_hand((difference.seen,)):
            return True
        below = agreed.discards[-2] if len(agreed.discards) > 1 else None
        taken = bool(difference.cards) and seen.has_taken(difference.cards)
        return taken and (difference.seen == below or _two_discards_gone(agreed, move, difference))
    if what is DifferenceKind.DRAW_GONE:
        return agreed.position.draw_count <= 2
    return what is DifferenceKind.DRAW_THERE and len(agreed.discards) > 2


def _two_discards_gone(agreed: Agreed, move: Move, difference: Difference) -> bool:
    """Tell whether, after the top discard was taken, the next one is gone too."""
    taken = isinstance(move, Research) and move.source == "discard"
    return taken and len(agreed.discards) > 2 and difference.seen == agreed.discards[-3]


def _taken_by(move: Move) -> tuple[Card | None, ...]:
    """Return the open card that a move takes into the hand."""
    if isinstance(move, Review):
        return (move.take,)
    return (move.keep,) if isinstance(move, Research) and move.source == "discard" else ()


def _reasons_of(agreed: Agreed, reading: Proposal, difference: Difference, seen: Whereabouts) -> list[Reason]:
    """Return why a difference that a reading's move does not explain is refused."""
    position, move = agreed.position, reading.move
    who = player(position.get_name(position.to_move or position.first_seat))
    what, seat, kind = difference.what, difference.seat, difference.kind
    if what is DifferenceKind.SIDE and difference.paper_seen is not None:
        author, paper = player(position.get_name(seat)), paper_words(position, kind)
        return [because.turn_the_paper(author, paper, not difference.paper_seen.complete_side)]
    if what is DifferenceKind.THANKS_ADDED:
        return _thanks_reasons(agreed, move, difference)
    if what is DifferenceKind.PAPER_ADDED and kind == END_FLAG:
        return [_flag_reason(position, reading, seat)]
    action = isinstance(move, Research | Publish | Review)
    if action and _is_action(agreed, move, difference, seen):
        if isinstance(move, Review) and what is DifferenceKind.CARDS_GONE:
            two = [because.took_two_cards(cards=(move.take, *difference.cards))]
            same = (move.of, move.paper) == (seat, kind)
            return two if same else [*two, because.two_actions(who=who)]
        if what is DifferenceKind.PAPER_ADDED and seat != position.to_move:
            # The next player went on before this turn was confirmed.
            return [common.out_of_turn(player(position.get_name(seat)), who), because.two_actions(who=who)]
        if what is DifferenceKind.TOP and _two_discards_gone(agreed, move, difference):
            # The discards may as well lie in another order, with those two below.
            return [because.two_actions(who=who), _report_disturbed(agreed, difference, seen)]
        return [because.two_actions(who=who)]
    return [_report_disturbed(agreed, difference, seen)]


def _is_due_flag(position: Position, difference: Difference) -> bool:
    """Tell whether what was added is the End Flag, by the seat that must take it, without its one card."""
    added = difference.what is DifferenceKind.PAPER_ADDED and difference.kind == END_FLAG
    return added and position.phase is Phase.FLAG and difference.seat == position.to_move


def _flag_reason(position: Position, reading: Proposal, seat: int) -> Reason:
    """Return why the End Flag that was laid in that seat's area is none: not due, not yet, or without its one card."""
    who = player(position.get_name(seat))
    if position.phase is Phase.FLAG and position.to_move == seat:
        return because.flag_with_one_card(who=who)
    after = None if reading.after is None else reading.after.position
    if after is not None and after.phase is Phase.FLAG and after.to_move == seat:
        return because.flag_comes_next(who=who)
    return because.flag_not_due(who=who)


def _report_disturbed(agreed: Agreed, difference: Difference, seen: Whereabouts) -> Reason:
    place = "table" if difference.sighting is None else seen.find_spot(difference.sighting)
    return common.table_disturbed(capitalise(describe_change(difference, agreed, place)), _list_cards(difference))


def _list_cards(difference: Difference) -> tuple[Card, ...]:
    if difference.what is DifferenceKind.TOP and difference.seen is not None:
        return (difference.seen, *difference.cards)
    return difference.cards


def _thanks_reasons(agreed: Agreed, move: Move, difference: Difference) -> list[Reason]:
    position, seat = agreed.position, difference.seat
    author = player(position.get_name(seat))
    old = min(difference.count, agreed.thanks.get(seat, 0))
    fresh = difference.count - old
    reasons = [because.payment_not_taken(author=author, cards=say_number(old))] if old else []
    if fresh and isinstance(move, Setup):
        reasons.append(because.nothing_owed_yet(author=author, lying=say_number(fresh)))
        reasons.append(common.table_disturbed(capitalise(describe_change(difference, agreed, ""))))
    elif fresh:
        paid = move.pay.get(seat, 0) if isinstance(move, Publish) else 0
        due = paid if isinstance(paid, int) else len(paid)
        reasons.append(because.payment_excess(author=author, due=say_number(due), paid=due + fresh))
        reasons.append(common.table_disturbed(capitalise(describe_change(difference, agreed, ""))))
    return reasons
