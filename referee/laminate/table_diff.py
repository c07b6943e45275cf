"""The agreed position against the table as it was seen: what differs, and what to put where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.laminate.expected_layout import Agreed, Difference, DifferenceKind, cover, expect_table
from referee.laminate.explain import describe_change, paper_words
from referee.laminate.instructions import mend_difference
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import TableView
from referee.laminate.whereabouts import Whereabouts
from referee.table import Unread
from referee.verdict import Disturbance
from rules.laminate import refusals as because
from rules.text import Text, make_sentence, player


def find_misplaced(
    agreed: Agreed, view: TableView, layout: PaperLayout
) -> tuple[list[Disturbance], tuple[Unread, ...]]:
    """Return what does not lie as confirmed, where thanks of
    the last turn may still lie, and what can't be read besides.
    """
    position = agreed.position
    must = replace(expect_table(agreed), thanks={seat: (0, count) for seat, count in agreed.thanks.items()})
    covered = cover(must, view, layout)
    seen = Whereabouts(agreed, view, layout)
    mover = position.to_move or position.first_seat
    steps = [mend for one in covered.differences for mend in mend_difference(agreed, one, seen, mover)]
    # A paper card first: its cards are laid to it.
    steps.sort(key=lambda step: "/" not in step.item)
    found: list[Disturbance] = []
    for one in covered.differences:
        lost = None if one.what in _NEW else (_PILES.get(one.what, ""), one.seat, one.kind)
        found.append(
            Disturbance.from_words(_report_difference(one, agreed, seen), *(() if found else steps), lost=lost)
        )
    return found, covered.open


_NEW = {DifferenceKind.PAPER_ADDED, DifferenceKind.THANKS_ADDED, DifferenceKind.LOOSE}
_PILES = {
    DifferenceKind.TOP: "discard",
    DifferenceKind.UNDER: "discard",
    DifferenceKind.DRAW_GONE: "draw",
    DifferenceKind.DRAW_THERE: "draw",
}


def _report_difference(difference: Difference, agreed: Agreed, seen: Whereabouts) -> Text:
    if difference.what is DifferenceKind.SIDE and difference.paper_seen is not None:
        position, paper = agreed.position, difference.paper_seen
        reason = because.turn_the_paper(
            player(position.get_name(paper.seat)), paper_words(position, paper.kind), not paper.complete_side
        )
        return reason.text
    place = "table" if difference.sighting is None else seen.find_spot(difference.sighting)
    return make_sentence(describe_change(difference, agreed, place))


def take_fingerprint(view: TableView, layout: PaperLayout) -> tuple[object, ...]:
    """Return all that lies on the table but where exactly: two
    observations of a table that nobody touched have the same.

    It holds everything that a judgement may rest on: what shows under the top discard, and what an unread card may be.
    """

    def marks(unread: Iterable[Unread]) -> frozenset[object]:
        seen = ((layout.spot_at(m.x, m.y, view.payments), m.cause, m.candidates) for m in unread)
        return frozenset(Counter(seen).items())

    papers = Counter((p.seat, p.kind, p.complete_side, frozenset(p.cards), marks(p.doubtful)) for p in view.papers)
    loose: Mapping[object, int] = Counter((seen.name, layout.spot_at(seen.x, seen.y)) for seen in view.loose)
    return (
        frozenset(papers.items()),
        view.draw_backs > 0,
        view.discard_top,
        frozenset(view.discard_under),
        tuple(sorted(view.payments.items())),
        frozenset(loose.items()),
        marks(view.unread),
    )
