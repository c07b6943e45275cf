"""A small picture of the table for the display: what lies there, and arrows for what to put where."""

from __future__ import annotations

from collections.abc import Sequence

from device.session.phrasing import grouped
from referee.layouts import Layout
from referee.table import TableView
from referee.verdict import Mend, Spot
from ui.screen_state import Arrow, Point, TablePicture

_EDGE = 0.03


def picture(view: TableView, layout: Layout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()) -> TablePicture:
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
