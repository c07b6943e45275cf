"""The ways in which a table view can be read as one move from the agreed position, legal or not.

A reading only proposes a move; the rules core judges it, and what the table must then look like is compared with what
was seen. So a careless proposal costs nothing but time: it is never accepted unless everything agrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from referee.laminate.citing import (
    citing_twice,
    citing_under_review,
    fitting_citations,
    likeliest_citations,
    payments_off,
)
from referee.laminate.expected_layout import (
    Agreed,
    Covered,
    Difference,
    DifferenceKind,
    ExpectedTable,
    cover,
    expect_table,
    find_differences,
    matched_papers,
    paper_place,
    strange_below,
    unseen_below,
)
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import PaperSeen, TableView
from rules.cards import Card
from rules.laminate.moves import Citation, EndFlag, Move, Pass, Publish, Research, Review, Setup
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Phase, Position
from rules.refusal import Reason

_BROKEN_RULE = 1.5
"""What an illegal reading costs, against 1 for each difference it leaves unexplained."""
_ON_WRONG_SPOTS = 1
"""At most this many thank-you cards may lie on a wrong spot before other faults are likelier."""


@dataclass(frozen=True)
class Proposal:
    """One way to read a table view: a move, whether the rules allow it, and what it leaves unexplained.

    ``reasons`` are the broken rules, none for a legal move; ``after`` is what is agreed after a legal one.
    ``touched`` are the papers, piles and spots that the move itself changes or rests on. ``left`` counts by seat the
    thank-you cards taken for earlier ones that still lie there.
    """

    move: Move
    reasons: tuple[Reason, ...]
    after: Agreed | None
    covered: Covered
    touched: frozenset[str]
    left: Mapping[int, int]

    @property
    def legal(self) -> bool:
        """Whether the rules allow the move."""
        return not self.reasons

    @property
    def fits(self) -> bool:
        """Whether the table looks exactly as it must after the move."""
        return not self.covered.differences and not self.covered.open

    @property
    def cost(self) -> float:
        """How much speaks against this reading."""
        off = sum(difference.weight for difference in self.covered.differences) + len(self.covered.open)
        # Who passes touches nothing: with anything changed, a pass is no better than an illegal move.
        return off + (_BROKEN_RULE if self.reasons or isinstance(self.move, Pass) else 0)


def propose_readings(agreed: Agreed, view: TableView, layout: PaperLayout) -> tuple[Proposal, ...]:
    """Yield every move worth weighing; that nothing was done comes first where it is the turn of somebody."""
    position = agreed.position
    if position.to_move is None:
        return _at_setup(agreed, view, layout)
    before = expect_table(agreed)
    found = [_read(agreed, view, layout, Pass(position.to_move))]
    seen = find_differences(before, view)
    unexplained = {difference.what for difference in cover(before, view, layout).differences}
    found += [_read(agreed, view, layout, move) for move in _propose_research(agreed, view, seen, unexplained)]
    found += [_read(agreed, view, layout, move) for move in _propose_reviews(position, view, seen)]
    for paper in matched_papers(before.papers, view.papers)[1]:
        found += _propose_publications(agreed, view, layout, paper)
    return tuple(found)


def _at_setup(agreed: Agreed, view: TableView, layout: PaperLayout) -> tuple[Proposal, ...]:
    if agreed.position.outcome is not None or view.discard_top is None:
        return ()
    return (_read(agreed, view, layout, Setup(view.discard_top)),)


# --- proposals


def _propose_research(
    agreed: Agreed, view: TableView, seen: tuple[Difference, ...], unexplained: set[DifferenceKind]
) -> Iterator[Research]:
    """Yield research that could be; ``unexplained`` is what differs once unread cards stand for what must lie there."""
    position = agreed.position
    seat = position.to_move
    assert seat is not None
    changed = {difference.what for difference in seen}
    top = agreed.discards[-1] if agreed.discards else None
    # A top discard that still peeps out was covered, not taken.
    if top is not None and DifferenceKind.TOP in changed and top not in view.discard_under:
        yield Research(seat, "discard", top)
    # A draw that leaves the same top discard shows in nothing but the draw pile, so it explains no other change.
    may_come_back = position.reshuffle_on_draw != "none" and unexplained <= _BESIDE_A_DRAW
    shown = view.discard_top
    if shown is not None and (DifferenceKind.TOP in changed or may_come_back) and not _lay_open(agreed, shown):
        yield Research(seat, "deck", None, shown)
    # With more than two cards in it, no draw makes the draw pile vanish.
    shuffled_away = DifferenceKind.TOP in changed and shown is None and position.reshuffle_on_draw != "none"
    exhausted = DifferenceKind.DRAW_GONE in changed and position.draw_count <= 2
    if DifferenceKind.DRAW_THERE in changed or exhausted or shuffled_away:
        yield Research(seat, "deck", None, None)


_BESIDE_A_DRAW = {
    DifferenceKind.TOP,
    DifferenceKind.UNDER,
    DifferenceKind.DRAW_GONE,
    DifferenceKind.DRAW_THERE,
    DifferenceKind.THANKS_ADDED,
    DifferenceKind.SIDE,
}


def _lay_open(agreed: Agreed, card: Card) -> bool:
    """Tell whether everybody saw that card on the table, so that it was moved there and not drawn."""
    if any(card in paper.cards for paper in agreed.position.papers):
        return True
    return card in agreed.discards and agreed.position.draw_count >= 2


def _propose_reviews(position: Position, view: TableView, seen: tuple[Difference, ...]) -> Iterator[Review]:
    seat = position.to_move
    assert seat is not None
    moved = {card for paper in view.papers for card in paper.cards} | {view.discard_top, *view.discard_under}
    moved |= {Card.parse(s.name) for s in view.loose if s.name != "back" and "/" not in s.name}
    for difference in seen:
        if difference.what in (DifferenceKind.CARDS_GONE, DifferenceKind.PAPER_GONE):
            for card in difference.cards:
                # A card that lies elsewhere was moved, not taken into the hand.
                if card not in moved:
                    yield Review(seat, difference.seat, difference.kind, card)


def _propose_publications(agreed: Agreed, view: TableView, layout: PaperLayout, paper: PaperSeen) -> Iterator[Proposal]:
    position = agreed.position
    if paper.kind == END_FLAG and len(paper.cards) == 1:
        # With a card of the table as well: that it comes from no hand is said then.
        yield _read(agreed, view, layout, EndFlag(paper.seat, paper.cards[0]), paper)
        return
    if paper.kind == END_FLAG and position.phase is Phase.FLAG and paper.seat == position.to_move:
        return  # the flag that is due, without its one card: it is no attempt to publish
    on_table = {card for lies in position.papers for card in lies.cards}
    if paper.cards and on_table.issuperset(paper.cards):
        return
    for left in _count_leftovers(agreed, view, paper.seat):
        paid = {
            seat: count - left.get(seat, 0)
            for seat, count in sorted(view.payments.items())
            if count > left.get(seat, 0)
        }
        for cite in _find_citations(position, paper, paid):
            move = Publish(paper.seat, paper.kind, tuple(paper.cards), cite, paid)
            yield _read(agreed, view, layout, move, paper, left)


def _count_leftovers(agreed: Agreed, view: TableView, publisher: int) -> Iterator[Mapping[int, int]]:
    """Return how many thank-you cards of the last turn may still lie on each spot: none of them, or all that can.

    Nobody pays themselves, so what lies on the publisher's own spot is what was there.
    """
    seats = [seat for seat, count in agreed.thanks.items() if count and view.payments.get(seat, 0)]
    for taken in product(*((False,) if seat == publisher else (True, False) for seat in seats)):
        yield {
            seat: min(agreed.thanks[seat], view.payments[seat])
            for seat, gone in zip(seats, taken, strict=True)
            if not gone
        }


def _find_citations(position: Position, paper: PaperSeen, paid: Mapping[int, int]) -> Iterator[tuple[Citation, ...]]:
    """Yield what may be cited: what makes the combination; failing that, what people get wrong."""
    complete = [lies for lies in position.papers if lies.complete]
    if paper.kind not in position.catalogue:
        yield likeliest_citations(complete, paper.seat, paid)
        return
    kind = position.catalogue[paper.kind]
    fitting = fitting_citations(kind, paper.cards, complete, paper.seat, paid)
    if fitting is not None:
        missing, excess = payments_off(fitting, paper.seat, paid)
        if not (missing and excess) or max(missing, excess) <= _ON_WRONG_SPOTS:
            yield fitting
            return
    for wrong in (
        citing_under_review(kind, paper.cards, position.papers, paper.seat, paid),
        citing_twice(kind, paper.cards, complete, paper.seat, paid),
    ):
        if wrong is not None:
            yield wrong
    yield likeliest_citations(complete, paper.seat, paid)
    if fitting is not None:
        yield fitting


# --- what a proposal leaves unexplained


def _read(
    agreed: Agreed,
    view: TableView,
    layout: PaperLayout,
    move: Move,
    paper: PaperSeen | None = None,
    left: Mapping[int, int] | None = None,
) -> Proposal:
    """Judge a proposed move and compare.

    ``paper`` is the new paper as seen, ``left`` the thanks for earlier ones that still lie there.
    """
    reasons = agreed.position.find_reasons(move)
    after: Agreed | None = None
    added: list[Difference] = []
    if reasons:
        must = _lying_after(agreed, move)
        if paper is not None:
            # An illegal paper may be the second of its kind: it is taken out of the view, not added to what must lie.
            if paper.complete_side != (len(paper.cards) == 1) and paper.cards:
                added.append(
                    Difference(DifferenceKind.SIDE, paper.seat, paper.kind, tuple(paper.cards), paper_seen=paper)
                )
            view = replace(view, papers=tuple(seen for seen in view.papers if seen is not paper))
    else:
        after, added = _apply_move(agreed, move, view)
        must = expect_table(after)
    must = replace(must, thanks=_thanks_lying(agreed, move))
    covered = cover(must, view, layout)
    covered = replace(covered, differences=(*covered.differences, *added))
    return Proposal(move, reasons, after, covered, _list_touched(agreed.position, move), left or {})


def _thanks_lying(agreed: Agreed, move: Move) -> dict[int, tuple[int, int]]:
    """Return, by seat, the fewest and the most thank-you cards that may lie there after the move."""
    if isinstance(move, Publish):
        return {seat: (_count(paid), _count(paid)) for seat, paid in move.pay.items()}
    if agreed.position.phase is Phase.FLAG:
        # The flag belongs to the same turn, so its thank-you cards may still lie there.
        return {seat: (0, count) for seat, count in agreed.thanks.items()}
    return {}


def _apply_move(agreed: Agreed, move: Move, view: TableView) -> tuple[Agreed, list[Difference]]:
    """Return what is confirmed after a legal move that the view shows, and discards that show but can't lie there."""
    position = agreed.position.do(move)
    thanks: dict[int, int] = {}
    if isinstance(move, Publish):
        thanks = {seat: _count(paid) for seat, paid in move.pay.items() if _count(paid)}
    elif isinstance(move, EndFlag):
        still = {seat: min(count, view.payments.get(seat, 0)) for seat, count in agreed.thanks.items()}
        thanks = {seat: count for seat, count in still.items() if count}
    discards = position.discards
    impossible: list[Difference] = []
    shown: dict[int, Card] = {}
    top = view.discard_top
    if discards and discards[-1] is None and top is not None:
        # The top discard was taken: what it covered shows for the first time.
        if position.discards_seen({len(discards) - 1: top}) is not None:
            shown[len(discards) - 1] = top
        elif top not in discards:  # one that lies further down is a difference that is found without the rules
            impossible.append(Difference(DifferenceKind.TOP, seen=top))
    below = strange_below(discards, position.peeping, view)
    if len(below) > unseen_below(discards, position.peeping, view):
        below = ()  # a difference that is found without the rules
    elif position.discards_seen(shown, below) is None:
        impossible.append(Difference(DifferenceKind.UNDER, cards=below))
        below = ()
    return Agreed(position, thanks, shown, frozenset(below)), impossible


def _lying_after(agreed: Agreed, move: Move) -> ExpectedTable:
    """Return what would lie there after an illegal move, as far as the move itself says."""
    must = expect_table(agreed)
    if isinstance(move, Research):
        if move.source == "discard":
            return replace(must, discards=must.discards[:-1])
        fresh = agreed.position.draw_count < 2
        under = () if fresh else must.discards
        peeping = frozenset[Card]() if fresh else must.peeping
        discards = under if move.discard is None else (*under, move.discard)
        return replace(must, discards=discards, draw=None, peeping=peeping)
    if isinstance(move, Review):
        papers = dict(must.papers)
        key = (move.of, move.paper)
        papers[key] = papers.get(key, frozenset()) - {move.take}
        return replace(must, papers=papers)
    if isinstance(move, Setup):
        return replace(must, discards=(move.discard,))
    return must


def _list_touched(position: Position, move: Move) -> frozenset[str]:
    if isinstance(move, Setup):
        return frozenset({"discard", "draw"})
    if isinstance(move, Research):
        return frozenset({"discard", "draw"} if position.draw_count <= 2 else {"discard"})
    if isinstance(move, Review):
        return frozenset({paper_place(move.of, move.paper)})
    if isinstance(move, Publish):
        cited = {paper_place(citation.seat, citation.paper) for citation in move.cite}
        return frozenset({paper_place(move.seat, move.paper), *cited, *(f"payment:{seat}" for seat in move.pay)})
    if isinstance(move, EndFlag):
        return frozenset({paper_place(move.seat, END_FLAG)})
    return frozenset()


def _count(paid: tuple[Card, ...] | int) -> int:
    return paid if isinstance(paid, int) else len(paid)
