"""Laminate Rummy on the display: papers in the list of points, the countdown, the ranking, the table from above."""

from __future__ import annotations

from collections.abc import Sequence

from referee.laminate.view.layouts import Layout
from referee.laminate.view.table import TableView
from referee.layout import Layout as AnyLayout
from referee.steps import grouped
from referee.verdict import Mend, Spot
from rules.laminate.position import Phase, Position
from rules.text import Language
from ui.screen_state import Arrow, Ending, Mood, PaperMark, PlayerLine, Point, RankLine, ScreenState, TablePicture

_EDGE = 0.03


class LaminateScreen:
    """What the display shows of a game of papers."""

    def base(self, position: Position, language: Language, mood: Mood) -> ScreenState:
        """Players with their papers and points, the End Flag that is due, the turns that are left."""
        return ScreenState(
            language,
            mood,
            _players(position),
            ending=Ending(position.turns_left, position.phase is Phase.FLAG),
        )

    def ranking(self, position: Position) -> tuple[RankLine, ...]:
        """Most points, then fewest complete papers, then shared."""
        outcome = position.outcome
        winners = outcome.winners if outcome is not None else ()
        order = sorted(
            range(1, len(position.players) + 1),
            key=lambda seat: (-position.points[seat - 1], position.complete_papers[seat - 1], seat),
        )
        ranks: list[RankLine] = []
        for rank, seat in enumerate(order, 1):
            points, papers = position.points[seat - 1], position.complete_papers[seat - 1]
            level = bool(ranks) and (ranks[-1].points, ranks[-1].complete_papers) == (points, papers)
            place = ranks[-1].place if level else rank
            ranks.append(RankLine(place, position.name(seat), points, papers, seat in winners))
        return tuple(ranks)

    def picture(
        self, view: TableView, layout: AnyLayout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()
    ) -> TablePicture:
        """Papers, piles and payment spots as they were seen."""
        assert isinstance(layout, Layout), "the layout is that of this game"
        return _picture(view, layout, mends, unseen)


def _players(position: Position) -> tuple[PlayerLine, ...]:
    lines = []
    for seat, name in enumerate(position.players, 1):
        papers = [paper for paper in position.papers if paper.seat == seat]
        marks = tuple(
            PaperMark(paper.complete, position.catalogue[paper.kind].points if paper.complete else len(paper.cards))
            for paper in papers
        )
        lines.append(PlayerLine(name, position.points[seat - 1], marks, position.to_move == seat))
    return tuple(lines)


def _picture(view: TableView, layout: Layout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()) -> TablePicture:
    """The table as it was seen, with one arrow for each of the grouped steps to mend."""
    w, h = layout.mat_mm
    arrows = []
    for group in grouped(mends):
        first = group[0]
        start = _place(first.source, first.item, view, layout)
        end = start if first.source == first.target else _place(first.target, first.item, view, layout)
        arrows.append(Arrow(start, end))
    return TablePicture(
        w / h,
        tuple((area.x0, area.y0, area.x1, area.y1) for area in layout.seats),
        (_share(layout.draw, layout), _share(layout.discard, layout)),
        layout.payments,
        tuple((_share((paper.x, paper.y), layout), paper.complete_side) for paper in view.papers),
        tuple(arrows),
        tuple(_share((spot.x, spot.y), layout) for spot in unseen),
    )


def _share(point: tuple[float, float], layout: Layout) -> Point:
    w, h = layout.mat_mm
    return min(max(point[0] / w, 0.0), 1.0), min(max(point[1] / h, 0.0), 1.0)


def _place(place: str, item: str, view: TableView, layout: Layout) -> Point:
    """Where a place of ``Mend`` is drawn; hands lie at their player's edge, the supply at the mat's left edge."""
    spot, _, kind = place.partition("/")
    name, _, seat = spot.partition(":")
    if name == "draw":
        return _share(layout.draw, layout)
    if name == "discard":
        return _share(layout.discard, layout)
    if name == "payment":
        return layout.payments[int(seat) - 1]
    loose = next((seen for seen in view.loose if seen.name == item), None)
    if name in ("seat", "hand"):
        area = layout.seats[int(seat) - 1]
        middle = (area.x0 + area.x1) / 2
        if name == "hand":
            return middle, _EDGE if layout.faces_down(int(seat)) else 1 - _EDGE
        for paper in view.papers:
            if (paper.seat, paper.kind) == (int(seat), kind):
                return _share((paper.x, paper.y), layout)
        if not kind and loose is not None:
            return _share((loose.x, loose.y), layout)
        return middle, (area.y0 + area.y1) / 2
    if name == "supply":
        return _EDGE, 0.5
    return (0.5, 0.5) if loose is None else _share((loose.x, loose.y), layout)


SCREEN = LaminateScreen()
