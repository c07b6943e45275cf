"""Cards named by hand: what the view is with them in it."""

from __future__ import annotations

from dataclasses import replace

from device.session.named_cards import NamedCards
from referee.game import Named
from referee.laminate.explain import sighting_words
from referee.laminate.referee import REFEREE
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.naming import name_words, place_of
from referee.laminate.view.table import TableView
from referee.table import Sighting, Unread
from rules.laminate.papers import LAMINATE

LAYOUT = layout_for(3)


def held(view: TableView, named: Named) -> tuple[TableView, tuple[Named, ...]]:
    state = REFEREE.start(("Ada", "Emmy", "Sofia"), {"first_seat": 1})
    return NamedCards(REFEREE, LAYOUT).hold(state, view, [named])


def test_a_face_down_card_at_the_end_of_a_fan_counts_with_the_fan() -> None:
    x, y = LAYOUT.locate_payment(1)
    mark = Unread(x - 84.0, y, 0.0, "glare")
    view = TableView(LAYOUT.mat_mm, payments={1: 2, 3: 1}, unread=(mark,))
    assert place_of(mark, view, LAYOUT) == "payment:1"
    named = Named("back", "payment:1", mark.x, mark.y)
    assert held(view, named) == (replace(view, payments={1: 3, 3: 1}, unread=()), ())


def test_a_name_is_dropped_once_nothing_unread_lies_there() -> None:
    x, y = LAYOUT.locate_payment(1)
    view = TableView(LAYOUT.mat_mm, payments={1: 2})
    named = Named("back", "payment:1", x, y)
    assert held(view, named) == (view, (named,))


def test_the_letters_of_aces_and_kings_stay_large() -> None:
    for name, en in (("HA", "Heart A"), ("FK", "Coffin K"), ("C10", "Coin 10")):
        assert str(name_words(name, LAMINATE)) == en
        start = REFEREE.rules.start(("Ada", "Emmy", "Sofia"), {"first_seat": 1})
        assert str(sighting_words(start, Sighting(name, 0.0, 0.0, 0.0))) == en
