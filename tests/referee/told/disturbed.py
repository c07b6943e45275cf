"""Tables on which something lies that no move explains, and those that can not be seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from referee.laminate.expected_layout import Agreed
from referee.laminate.view.table import TableView
from referee.table import Sighting, Unread
from rules.laminate.moves import Publish
from rules.laminate.position import Position
from tests.referee.play import NAMES
from tests.referee.tables import MAT, cards, show, started
from tests.referee.test_refusals import (
    after,
    banach_may_cite,
    changed,
    cites_again,
    complete,
    drawn,
    review,
    seen,
    taken,
    thanked,
    under_review,
    with_paper,
)
from tests.referee.told.given import (
    LAYOUT,
    TABLES,
    Case,
    card,
    disturbed,
    table,
    two_papers,
    two_thanked,
)


def loose(name: str, x: float, y: float) -> Callable[[], Case]:
    return partial(disturbed, lambda view: replace(view, loose=(Sighting(name, x, y, 0),)))


PLACES = {
    "draw pile": LAYOUT.draw,
    "discard pile": LAYOUT.discard,
    "payment spot": LAYOUT.locate_payment(2),
    "area": (300.0, 700.0),
    "table": (30.0, 420.0),
}
for _name in ("back", "B9", "five/review", "three/review", "T6"):
    for _place, _at in PLACES.items():
        TABLES[f"loose {_name} on the {_place}"] = loose(_name, *_at)


@table
def a_card_gone_from_a_paper() -> Case:
    return disturbed(lambda view: changed(view, 1, "three", "", complete=True))


@table
def a_card_added_to_a_paper() -> Case:
    return disturbed(lambda view: changed(view, 1, "three", "T6 B9", complete=True))


@table
def two_cards_added_to_a_paper() -> Case:
    return disturbed(lambda view: changed(view, 1, "three", "T6 B9 F9", complete=True))


@table
def a_paper_gone() -> Case:
    return disturbed(lambda view: replace(view, papers=()))


@table
def a_paper_card_slid_away() -> Case:
    slid = (Sighting("three/complete", 850, 440, 0), Sighting("T6", 300, 640, 0))
    return disturbed(lambda view: replace(view, papers=(), loose=slid))


@table
def a_paper_card_added_without_cards() -> Case:
    return disturbed(lambda view: with_paper(view, 1, "sum49", "", complete=False))


@table
def a_complete_paper_added_by_somebody_else() -> Case:
    return disturbed(lambda view: with_paper(view, 1, "sum49", "B9", complete=True))


@table
def a_review_and_a_card_of_another_hand_on_the_empty_discard_pile() -> Case:
    agreed = after(started(), taken(1, "FK"), Publish(2, "three", cards("C6 S6 T6")))
    return agreed, replace(changed(seen(agreed), 2, "three", "S6 T6"), discard_top=card("FK"))


@table
def a_card_of_a_paper_on_the_empty_discard_pile() -> Case:
    agreed = after(started(), taken(1, "FK"), Publish(2, "three", cards("C6 S6 T6")))
    return agreed, replace(changed(seen(agreed), 2, "three", "C6 S6"), discard_top=card("T6"))


@table
def a_paper_turned() -> Case:
    return disturbed(lambda view: changed(view, 1, "three", "T6", complete=False))


@table
def thanks_from_nowhere() -> Case:
    return disturbed(lambda view: replace(view, payments={3: 2}))


@table
def the_draw_pile_gone() -> Case:
    return disturbed(lambda view: replace(view, draw_backs=0))


@table
def a_new_card_under_the_discard() -> Case:
    return disturbed(lambda view: replace(view, discard_under=cards("B9")))


@table
def two_new_cards_under_the_discard() -> Case:
    return disturbed(lambda view: replace(view, discard_under=cards("B9 B8")))


@table
def a_card_of_a_paper_under_the_discard() -> Case:
    return disturbed(lambda view: changed(replace(view, discard_under=cards("T6")), 1, "three", "", complete=True))


def fooled(make: Callable[[TableView], TableView], agreed: Agreed | None = None) -> Case:
    """Nothing was done but what is amiss."""
    agreed = agreed or banach_may_cite()
    return agreed, make(seen(agreed))


@table
def the_discards_in_another_order() -> Case:
    agreed = after(under_review(), drawn(2, "H4"))
    return agreed, replace(show(agreed.position), discard_top=card("FK"), discard_under=cards("H4"))


@table
def a_discard_on_a_pile_that_should_be_empty() -> Case:
    agreed = after(started(), taken(1, "FK"))
    return agreed, replace(show(agreed.position), discard_top=card("FK"))


@table
def the_discard_pile_gone() -> Case:
    return fooled(lambda view: replace(view, discard_top=None), after(under_review(), drawn(2, "H4"), drawn(3, "H5")))


@table
def two_discards_taken() -> Case:
    return fooled(
        lambda view: replace(view, discard_top=card("FK")), after(under_review(), drawn(2, "H4"), drawn(3, "H5"))
    )


@table
def three_discards_taken() -> Case:
    agreed = after(under_review(), drawn(2, "H4"), drawn(3, "H5"), drawn(1, "O5"))
    return fooled(lambda view: replace(view, discard_top=card("FK")), agreed)


@table
def a_discard_taken_and_a_paper_published_with_it() -> Case:
    agreed = after(under_review(), drawn(2, "B7"))
    return agreed, replace(with_paper(seen(agreed), 3, "three", "B7 O7 H7"), discard_top=card("FK"))


@table
def a_discard_taken_and_laid_to_a_paper() -> Case:
    return fooled(lambda view: replace(changed(view, 1, "three", "T6 H4", complete=True), discard_top=card("FK")))


@table
def a_review_and_a_paper() -> Case:
    agreed = two_papers()
    return agreed, with_paper(changed(seen(agreed), 1, "three", "S6 T6"), 3, "ace_king", "HA F12")


@table
def a_review_and_the_top_discard() -> Case:
    agreed = after(under_review(), drawn(2, "H4"), drawn(3, "H5"))
    return agreed, replace(changed(seen(agreed), 1, "three", "S6 T6"), discard_top=card("H4"))


@table
def a_review_and_a_discard_that_another_player_held() -> Case:
    agreed = after(under_review(), review(2, 1, "three", "C6"))
    view = changed(seen(agreed), 1, "three", "T6", complete=True)
    return agreed, replace(view, discard_top=card("C6"), discard_under=cards("FK"))


@table
def a_review_and_an_unknown_discard_gone() -> Case:
    agreed = after(started(4), Publish(1, "three", cards("C6 S6 T6")), taken(2, "FK"))
    return agreed, replace(changed(seen(agreed), 1, "three", "S6 T6"), discard_top=None)


@table
def a_draw_and_two_cards_gone_one_of_them_to_another_paper() -> Case:
    agreed = after(two_papers(), drawn(3, "H5"))
    view = show(agreed.position.do(drawn(1, "H4")))
    return agreed, changed(changed(view, 1, "three", "C6", complete=False), 2, "three", "B7 O7 H7 S6")


@table
def a_draw_and_two_cards_gone_into_a_hand() -> Case:
    agreed = after(two_papers(), drawn(3, "H5"))
    return agreed, changed(show(agreed.position.do(drawn(1, "H4"))), 1, "three", "C6", complete=False)


@table
def a_draw_and_a_paper_with_a_card_from_another_one() -> Case:
    agreed = two_papers()
    view = changed(show(agreed.position.do(drawn(3, "H5"))), 1, "three", "C6 S6", complete=False)
    return agreed, with_paper(view, 3, "ace_king", "HA T6")


@table
def an_unknown_discard_shows_and_a_card_of_a_paper_is_gone() -> Case:
    agreed = after(started(5), Publish(1, "three", cards("C6 S6 T6")))
    return agreed, replace(changed(seen(agreed), 1, "three", "S6 T6"), discard_top=card("C10"))


@table
def a_review_and_the_last_discard() -> Case:
    agreed = under_review()
    return agreed, replace(changed(seen(agreed), 1, "three", "S6 T6"), discard_top=None)


@table
def a_review_and_the_draw_pile_gone() -> Case:
    agreed = under_review()
    return agreed, replace(changed(seen(agreed), 1, "three", "S6 T6"), draw_backs=0)


@table
def a_review_and_another_card_on_the_paper() -> Case:
    agreed = under_review()
    return agreed, changed(seen(agreed), 1, "three", "S6 T6 B9")


@table
def a_review_and_a_card_moved_to_another_paper() -> Case:
    agreed = two_papers()
    return agreed, changed(changed(seen(agreed), 1, "three", "S6"), 2, "three", "B7 O7 H7 T6")


@table
def a_card_of_one_paper_on_the_discard_pile() -> Case:
    agreed = under_review()
    view = changed(seen(agreed), 1, "three", "S6 T6")
    return agreed, replace(view, discard_top=card("C6"), discard_under=cards("FK"))


@table
def two_cards_taken_from_two_papers() -> Case:
    agreed = two_papers()
    return agreed, changed(changed(seen(agreed), 1, "three", "S6 T6"), 2, "three", "O7 H7")


@table
def old_thanks_left_and_new_ones_laid() -> Case:
    agreed = thanked()
    return agreed, replace(cites_again(agreed), payments={1: 2})


@table
def old_thanks_left_and_one_too_many() -> Case:
    agreed = thanked()
    return agreed, replace(cites_again(agreed), payments={1: 3})


@table
def old_thanks_left_beside_a_draw() -> Case:
    agreed = two_thanked()
    return agreed, show(agreed.position.do(drawn(1, "C4")), {1: 1, 2: 1})


@table
def old_thanks_and_a_card_more() -> Case:
    agreed = two_thanked()
    return agreed, show(agreed.position.do(drawn(1, "C4")), {2: 3})


@table
def nothing_done_and_old_thanks_left() -> Case:
    agreed = two_thanked()
    return agreed, show(agreed.position, {1: 1, 2: 2})


@table
def nothing_done_and_a_paper_turned() -> Case:
    return fooled(lambda view: changed(view, 1, "three", "T6", complete=False), complete())


@table
def a_table_knocked_over() -> Case:
    return two_thanked(), TableView(MAT)


@table
def cards_laid_without_a_paper_card() -> Case:
    agreed = under_review()
    lying = tuple(Sighting(name, 500, 200 - 20 * n, 180) for n, name in enumerate(("B7", "O7", "H7")))
    return agreed, replace(seen(agreed), loose=lying)


# --- can't see


def unread(*marks: Unread) -> Callable[[TableView], TableView]:
    return lambda view: replace(view, unread=marks)


def mark(at: tuple[float, float], *candidates: str, cause: str = "glare") -> Unread:
    return Unread(*at, 0.0, cause, candidates)


for _cause in ("glare", "covered", "blurred", "few_pixels", "doubtful", "moving", "else"):
    TABLES[f"an unread card on a payment spot, {_cause}"] = partial(
        disturbed, unread(mark(LAYOUT.locate_payment(2), "back", cause=_cause))
    )


@table
def unread_cards_in_two_places() -> Case:
    return disturbed(unread(mark(LAYOUT.locate_payment(2), "back"), mark((900.0, 200.0), "B9", cause="blurred")))


@table
def an_unread_paper_card() -> Case:
    return disturbed(unread(mark((900.0, 200.0), "five/review", "three/review")))


@table
def an_unread_top_discard() -> Case:
    agreed = banach_may_cite()
    return agreed, replace(seen(agreed), discard_top=None, unread=(mark(LAYOUT.discard, "H5", "H6"),))


@table
def an_unread_discard_at_the_set_up() -> Case:
    return Agreed(Position.start(NAMES[:3])), TableView(MAT, draw_backs=1, unread=(mark(LAYOUT.discard, "FK"),))


@table
def no_discard_at_the_set_up() -> Case:
    return Agreed(Position.start(NAMES[:4], 3)), TableView(MAT, draw_backs=1)


@table
def a_card_seen_in_a_paper_and_on_the_discard_pile() -> Case:
    return disturbed(lambda view: replace(view, discard_top=card("T6")))


@table
def a_loose_card_seen_on_the_discard_pile_too() -> Case:
    return disturbed(lambda view: replace(view, loose=(Sighting("H5", 300, 700, 0), Sighting("back", 320, 700, 0))))
