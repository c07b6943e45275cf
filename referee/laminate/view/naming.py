"""Cards of Laminate Rummy that the players name by hand: where they lie, and the view with them in it."""

from __future__ import annotations

from dataclasses import replace

from referee.laminate.expected_layout import paper_place
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.observing import BACK, table_view
from referee.laminate.view.table import TableView
from referee.table import Sighting, Unread
from referee.zones import NameGroups, seven_names
from rules.cards import Card
from rules.laminate.papers import Papers
from rules.text import Text, capitalise


def place_of(mark: Unread, view: TableView, layout: PaperLayout) -> str:
    """Return where an unread card lies, as a place of ``Mend``: its paper, else its spot or seat, else ``table``."""
    for paper in view.papers:
        if mark in paper.doubtful:
            return paper_place(paper.seat, paper.kind)
    return layout.spot_at(mark.x, mark.y, view.payments) or "table"


def card_places(view: TableView, layout: PaperLayout) -> dict[str, str]:
    """Return where each SEVEN card lies that the reader named, by name."""
    places = {str(card): paper_place(paper.seat, paper.kind) for paper in view.papers for card in paper.cards}
    pile = view.discard_under if view.discard_top is None else (view.discard_top, *view.discard_under)
    places |= {str(card): "discard" for card in pile}
    for seen in view.loose:
        if seen.name != BACK and "/" not in seen.name:
            places[seen.name] = layout.spot_at(seen.x, seen.y) or "table"
    return places


def with_name(view: TableView, mark: Unread, name: str, layout: PaperLayout) -> TableView:
    """Return the view with one unread card read as ``name``."""
    unread = tuple(other for other in view.unread if other is not mark)
    is_card = name != BACK and "/" not in name
    for number, paper in enumerate(view.papers):
        if mark in paper.doubtful and is_card:
            doubtful = tuple(other for other in paper.doubtful if other is not mark)
            whole = replace(paper, cards=(*paper.cards, Card.parse(name)), doubtful=doubtful)
            return replace(view, papers=(*view.papers[:number], whole, *view.papers[number + 1 :]), unread=unread)
    spot = layout.spot_at(mark.x, mark.y, view.payments)
    if is_card and spot == "discard":
        others = [other.visible for other in unread if layout.spot_at(other.x, other.y, view.payments) == "discard"]
        if view.discard_top is None and mark.visible >= max(others, default=0.0):
            return replace(view, discard_top=Card.parse(name), unread=unread)
        return replace(view, discard_under=(*view.discard_under, Card.parse(name)), unread=unread)
    if name == BACK and spot is not None and spot.startswith("payment:"):
        # The fan it belongs to is counted already, and lies nowhere in the view.
        seat = int(spot.partition(":")[2])
        return replace(view, payments={**view.payments, seat: view.payments.get(seat, 0) + 1}, unread=unread)
    # Everything else is sorted anew with the cards that had hung together with it, or lay loose for want of it.
    held = [paper for paper in view.papers if mark in paper.doubtful]
    apart = table_view((Sighting(name, mark.x, mark.y, mark.angle), *view.loose), (), layout)
    papers = [
        replace(paper, doubtful=tuple(m for m in paper.doubtful if m is not mark)) if paper in held else paper
        for paper in view.papers
    ]
    payments = dict(view.payments)
    for seat, count in apart.payments.items():
        payments[seat] = payments.get(seat, 0) + count
    return replace(
        view,
        papers=(*papers, *apart.papers),
        draw_backs=view.draw_backs + apart.draw_backs,
        payments=payments,
        loose=apart.loose,
        unread=unread,
    )


def name_groups(catalogue: Papers) -> NameGroups:
    """Return every name that a card may have, suit by suit and paper side by paper side, a back by itself."""
    *suits, back = seven_names()
    sides = (Text("A paper under review …"), "review"), (Text("A complete paper …"), "complete")
    names = {side: [f"{kind.name}/{side}" for kind in catalogue.kinds] for _, side in sides}
    papers = ((title, tuple((name, name_words(name, catalogue)) for name in names[side])) for title, side in sides)
    return (*suits, *papers, back)


def name_words(name: str, catalogue: Papers) -> Text:
    """Say a card's name as the reader would say it."""
    if name == BACK:
        return Text("A face-down card")
    kind, slash, side = name.partition("/")
    if not slash:
        return capitalise(Card.parse(name).text)
    paper = catalogue[kind]
    if side == "complete":
        return Text("{paper}, complete", paper=paper)
    return Text("{paper}, under review", paper=paper)
