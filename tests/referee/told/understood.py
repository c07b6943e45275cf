"""Tables that are understood, and those that leave a question."""

from __future__ import annotations

from dataclasses import replace

from referee.laminate.expected_layout import Agreed
from referee.laminate.view.table import TableView
from rules.laminate.moves import EndFlag, Pass, Research
from rules.laminate.position import Position
from tests.referee.play import NAMES
from tests.referee.tables import MAT, cards, show, started
from tests.referee.test_refusals import (
    _drawn_down,
    _emptied,
    _played_down,
    after,
    changed,
    cites_again,
    drawn,
    review,
    seen,
    taken,
    thanked,
    under_review,
    with_paper,
)
from tests.referee.told.given import (
    Case,
    card,
    due_to_banach,
    flag_due,
    table,
    two_complete,
)


@table
def the_set_up_of_three() -> Case:
    return Agreed(Position.start(NAMES[:3], 2)), TableView(MAT, draw_backs=3, discard_top=card("FK"))


@table
def the_set_up_of_five() -> Case:
    view = TableView(MAT, draw_backs=1, discard_top=card("FK"), discard_under=cards("H4 O2"))
    return Agreed(Position.start(NAMES, 5)), view


@table
def a_draw_and_a_discard() -> Case:
    agreed = under_review()
    return agreed, show(agreed.position.do(drawn(2, "H5")))


@table
def the_top_discard_taken() -> Case:
    agreed = under_review()
    return agreed, show(agreed.position.do(taken(2, "FK")))


@table
def a_review_of_the_own_paper() -> Case:
    agreed = after(under_review(), drawn(2, "H4"), drawn(3, "H5"))
    return agreed, changed(seen(agreed), 1, "three", "S6 T6")


@table
def the_review_that_completes_a_paper() -> Case:
    agreed = after(under_review(), review(2, 1, "three", "C6"))
    return agreed, changed(seen(agreed), 1, "three", "T6", complete=True)


@table
def a_paper_from_the_hand() -> Case:
    agreed = under_review()
    return agreed, with_paper(seen(agreed), 2, "three", "B7 O7 H7")


@table
def a_paper_once_the_thanks_were_taken() -> Case:
    agreed = thanked()
    return agreed, with_paper(seen(agreed), 3, "three", "B7 O7 H7")


@table
def a_paper_that_cites_two_authors() -> Case:
    agreed = two_complete()
    return agreed, replace(with_paper(seen(agreed), 3, "sum49", "F12 S11"), payments={1: 1, 2: 2})


@table
def a_paper_that_cites_the_own_ones() -> Case:
    agreed = after(two_complete(), drawn(3, "B6"), drawn(1, "C4"), drawn(2, "C5"), drawn(3, "C7"), drawn(1, "C8"))
    return agreed, replace(with_paper(seen(agreed), 2, "sum49", "F12 S11"), payments={1: 1})


@table
def the_only_card_left() -> Case:
    agreed = _drawn_down(3, 1)
    while agreed.position.discards:
        agreed = after(agreed, Research(agreed.position.to_move or 0, "discard", agreed.position.discards[-1]))
    return agreed, replace(seen(agreed), draw_backs=0)


@table
def a_pass() -> Case:
    agreed = _emptied()
    return agreed, seen(agreed)


@table
def the_last_pass_of_all() -> Case:
    agreed = _emptied()
    for _ in range(4):
        agreed = after(agreed, Pass(agreed.position.to_move or 0))
    return agreed, seen(agreed)


@table
def the_flag_with_a_card() -> Case:
    agreed, full = flag_due()
    seat = full.to_move or 0
    return agreed, show(agreed.position.do(EndFlag(seat, full.get_hand(seat)[0])), agreed.thanks)


@table
def the_flag_with_a_card_and_no_thanks() -> Case:
    agreed = due_to_banach()
    return agreed, show(agreed.position.do(EndFlag(2, card("H7"))))


@table
def a_draw_in_the_countdown() -> Case:
    agreed = after(due_to_banach(), EndFlag(2, card("H7")))
    return agreed, show(agreed.position.do(drawn(3, "C10")))


@table
def the_last_turn_of_the_countdown() -> Case:
    agreed = after(due_to_banach(), EndFlag(2, card("H7")), drawn(3, "C10"), drawn(1, "C9"), drawn(2, "C8"))
    agreed = after(agreed, drawn(3, "C7"))
    return agreed, show(agreed.position.do(drawn(1, "C5")))


@table
def a_draw_through_a_reshuffle() -> Case:
    agreed = _drawn_down(3, 1)
    return agreed, replace(seen(agreed), discard_top=agreed.position.discards[3])


@table
def a_draw_with_an_old_discard_peeping_out() -> Case:
    agreed = under_review()
    return agreed, show(agreed.position.do(drawn(2, "H5")), peeping=1)


# --- questions


@table
def nothing_but_a_reshuffle_may_have_been() -> Case:
    agreed = _drawn_down(3, 1)
    return agreed, seen(agreed)


@table
def the_second_discard_on_top_before_a_reshuffle() -> Case:
    agreed = _drawn_down(3, 1)
    return agreed, replace(seen(agreed), discard_top=agreed.position.discards[-2])


@table
def two_discards_and_an_empty_draw_pile() -> Case:
    agreed = _played_down(discards=2)
    return agreed, seen(agreed)


@table
def thanks_that_may_be_old() -> Case:
    agreed = thanked()
    return agreed, cites_again(agreed)


@table
def thanks_of_two_that_may_be_old() -> Case:
    agreed = replace(two_complete(), thanks={1: 1, 2: 1})
    return agreed, replace(with_paper(seen(agreed), 3, "sum49", "F12 S11"), payments={1: 1, 2: 2})


def _at_four(under: str) -> Case:
    """Four players, one set-up discard never seen; Hilbert draws, and cards show under the discard."""
    agreed = started(4)
    return agreed, replace(show(agreed.position.do(drawn(1, "H5"))), discard_under=cards(under))


@table
def a_card_that_may_have_been_discarded_too() -> Case:
    return _at_four("C10")


@table
def a_card_that_the_second_player_may_have_discarded_too() -> Case:
    agreed = after(started(4), drawn(1, "H5"))
    return agreed, replace(show(agreed.position.do(drawn(2, "H4"))), discard_under=cards("C10 H5"))


@table
def the_old_top_below_the_discard() -> Case:
    return _at_four("FK")


@table
def two_unknown_cards_below_the_discard() -> Case:
    return _at_four("C10 S9")


@table
def a_set_up_discard_that_peeped_out_before() -> Case:
    agreed, view = _at_four("C10 FK")
    return replace(agreed, peeping=frozenset(cards("C10"))), view


@table
def a_set_up_discard_that_lay_open_before() -> Case:
    agreed = after(started(4), taken(1, "FK"))
    agreed = replace(agreed, shown={0: card("C10")})
    return agreed, show(agreed.position.do(drawn(2, "H5")))


@table
def two_cards_that_may_have_been_discarded_too() -> Case:
    agreed = started(5)
    return agreed, replace(show(agreed.position.do(drawn(1, "H5"))), discard_under=cards("C10 S9 FK"))
