"""Cards that the reader can't see and the players name by hand.

A named card counts as seen where it lies until it moves: as long as something unreadable lies within ``NEAR_MM`` of
it, or the reader itself sees that card at the same place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from device.session.menu import Menu, Option
from referee.explain import CAUSES, place_words
from referee.history import Named
from referee.layouts import Layout
from referee.lying import paper_place
from referee.table import Sighting, TableView, Unread
from rules.cards import DECK, Card, Suit
from rules.laminate.papers import Papers
from rules.laminate.position import Position
from rules.text import Text
from vision.tableview import BACK, table_view

NEAR_MM = 30.0
"""People nudge cards without moving them."""


def place_of(mark: Unread, view: TableView, layout: Layout) -> str:
    """Where an unread card lies, as a place of ``Mend``: its paper, else its spot or seat, else ``table``."""
    for paper in view.papers:
        if mark in paper.doubtful:
            return paper_place(paper.seat, paper.kind)
    return layout.spot_at(mark.x, mark.y, view.payments) or "table"


def card_places(view: TableView, layout: Layout) -> dict[str, str]:
    """Where each SEVEN card lies that the reader named, by name."""
    places = {str(card): paper_place(paper.seat, paper.kind) for paper in view.papers for card in paper.cards}
    pile = view.discard_under if view.discard_top is None else (view.discard_top, *view.discard_under)
    places |= {str(card): "discard" for card in pile}
    for seen in view.loose:
        if seen.name != BACK and "/" not in seen.name:
            places[seen.name] = layout.spot_at(seen.x, seen.y) or "table"
    return places


def with_names(view: TableView, named: Iterable[Named], layout: Layout) -> tuple[TableView, tuple[Named, ...]]:
    """The view with the cards named by hand in it, and those names that no longer hold because the card has moved."""
    moved = []
    for name in named:
        mark = _mark_at(name, view)
        seen_at = card_places(view, layout).get(name.name)
        if mark is not None and seen_at is None:
            view = _with_name(view, mark, name.name, layout)
        elif seen_at != name.place:
            moved.append(name)
    return view, tuple(moved)


def _mark_at(name: Named, view: TableView) -> Unread | None:
    near = [mark for mark in view.unread if math.hypot(mark.x - name.x, mark.y - name.y) <= NEAR_MM]
    return min(near, key=lambda mark: math.hypot(mark.x - name.x, mark.y - name.y), default=None)


def _with_name(view: TableView, mark: Unread, name: str, layout: Layout) -> TableView:
    """The view with one unread card read as ``name``."""
    unread = tuple(other for other in view.unread if other is not mark)
    is_card = name != BACK and "/" not in name
    for number, paper in enumerate(view.papers):
        if mark in paper.doubtful and is_card:
            doubtful = tuple(other for other in paper.doubtful if other is not mark)
            whole = replace(paper, cards=(*paper.cards, Card.parse(name)), doubtful=doubtful)
            return replace(view, papers=(*view.papers[:number], whole, *view.papers[number + 1 :]), unread=unread)
    spot = layout.spot_at(mark.x, mark.y, view.payments)
    if is_card and spot == "discard":
        if view.discard_top is None:
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


# --- the menus


def naming_menu(
    position: Position,
    view: TableView,
    layout: Layout,
    give: Callable[[Named], None],
    parent: Menu | None = None,
) -> Menu:
    """Ask which unread card it is about, then which card it is; ``give`` gets the answer."""
    marks = sorted(view.unread, key=lambda mark: (mark.y, mark.x))
    title = Text("Which card do you want to name?", "どのカードを教えますか？")
    if not marks:
        none = Text("Every card on the table can be read.", "テーブルのカードはすべて読めています。")
        return Menu(none, (Option(Text("Back", "戻る"), lambda: parent),), parent=parent)
    told = [_mark_words(position, mark, view, layout) for mark in marks]
    options = []
    for number, (mark, words) in enumerate(zip(marks, told, strict=True)):
        if told.count(words) > 1:
            nth = told[:number].count(words) + 1
            words = Text(f"{words.en}, no. {nth}", f"{words.ja}の{nth}枚目")

        def ask(mark: Unread = mark) -> Menu:
            return _card_menu(position, mark, view, layout, give, menu)

        options.append(Option(words, ask))
    menu = Menu(title, tuple(options), parent=parent)
    return menu


def _mark_words(position: Position, mark: Unread, view: TableView, layout: Layout) -> Text:
    where, cause = place_words(position, place_of(mark, view, layout)), CAUSES.get(mark.cause, CAUSES["doubtful"])
    return Text(f"{where.en} ({cause.en})", f"{where.ja}（{cause.ja}）")


def _card_menu(
    position: Position,
    mark: Unread,
    view: TableView,
    layout: Layout,
    give: Callable[[Named], None],
    parent: Menu,
) -> Menu:
    """The likely names first, then all others, suit by suit and paper side by paper side."""
    place = place_of(mark, view, layout)
    elsewhere = card_places(view, layout)

    def option(name: str) -> Option:
        def take() -> None:
            give(Named(name, place, mark.x, mark.y))

        return Option(name_words(name, position.catalogue), take)

    where = place_words(position, place)
    title = Text(f"Which card lies here: {where.en}?", f"{where.ja}のカードはどれですか？")
    likely = [name for name in mark.candidates if name not in elsewhere and _is_name(name, position.catalogue)]
    options = [option(name) for name in likely]

    def group(words: Text, names: Sequence[str]) -> Option:
        def opened() -> Menu:
            return Menu(title, tuple(option(name) for name in names), parent=menu)

        return Option(words, opened)

    for suit in Suit:
        names = [str(card) for card in DECK if card.suit is suit and str(card) not in elsewhere]
        if names:
            options.append(group(Text(f"{suit.en.capitalize()} …", f"{suit.ja} …"), names))
    kinds = [kind.name for kind in position.catalogue.kinds]
    options.append(group(Text("A paper under review …", "査読中の論文カード …"), [f"{kind}/review" for kind in kinds]))
    options.append(group(Text("A complete paper …", "完成した論文カード …"), [f"{kind}/complete" for kind in kinds]))
    if BACK not in likely:
        options.append(option(BACK))
    menu = Menu(title, tuple(options), parent=parent)
    return menu


def _is_name(name: str, catalogue: Papers) -> bool:
    kind, slash, _ = name.partition("/")
    return kind in catalogue if slash else name == BACK or any(name == str(card) for card in DECK)


def name_words(name: str, catalogue: Papers) -> Text:
    """A card's name as the reader would say it, in words."""
    if name == BACK:
        return Text("A face-down card", "裏向きのカード")
    kind, slash, side = name.partition("/")
    if not slash:
        card = Card.parse(name)
        return Text(card.en.capitalize(), card.ja)
    paper = catalogue[kind]
    if side == "complete":
        return Text(f"{paper.en}, complete", f"{paper.ja}（完成）")
    return Text(f"{paper.en}, under review", f"{paper.ja}（査読中）")
