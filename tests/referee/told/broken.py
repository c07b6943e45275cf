"""Tables that show a move against the rules."""

from __future__ import annotations

from dataclasses import replace

from referee.laminate.view.table import PaperSeen
from referee.table import Sighting
from rules.cards import DECK
from rules.laminate.moves import EndFlag, Publish, Research
from tests.referee.tables import cards, show, started
from tests.referee.test_refusals import (
    _drawn_down,
    _emptied,
    _played_down,
    after,
    banach_may_cite,
    changed,
    complete,
    drawn,
    review,
    seen,
    under_review,
    with_paper,
)
from tests.referee.told.given import (
    Case,
    card,
    drawn_down_beside_a_paper,
    due_to_banach,
    flag_due,
    table,
    take_the_top,
    two_complete,
)


@table
def a_paper_that_is_none_with_thanks_for_two() -> Case:
    agreed = two_complete()
    return agreed, replace(with_paper(seen(agreed), 3, "three", "F12 S11"), payments={1: 1, 2: 2})


@table
def thanks_short_for_one_and_too_many_for_another() -> Case:
    agreed = two_complete()
    return agreed, replace(with_paper(seen(agreed), 3, "sum49", "F12 S11"), payments={1: 2, 2: 1})


@table
def one_thank_you_card_short() -> Case:
    agreed = two_complete()
    return agreed, replace(with_paper(seen(agreed), 3, "sum49", "F12 S11"), payments={1: 1, 2: 1})


@table
def two_thank_you_cards_short() -> Case:
    agreed = two_complete()
    return agreed, replace(with_paper(seen(agreed), 3, "sum49", "F12 S11"), payments={1: 1})


@table
def all_three_thank_you_cards_forgotten() -> Case:
    agreed = two_complete()
    return agreed, with_paper(seen(agreed), 3, "sum49", "F12 S11")


@table
def thanks_for_oneself_too() -> Case:
    agreed = two_complete()
    return agreed, replace(with_paper(seen(agreed), 3, "sum49", "F12 S11"), payments={1: 1, 2: 2, 3: 1})


@table
def a_draft_of_an_author_with_a_complete_paper() -> Case:
    """With the king cited it would be 49; with the complete six it is 42."""
    agreed = after(started(discard="T12"), Publish(1, "three", cards("C6 S6 T6")), review(2, 1, "three", "C6"))
    agreed = after(agreed, review(3, 1, "three", "S6"), drawn(1, "H4"), drawn(2, "H5"), drawn(3, "O5"), drawn(1, "O4"))
    agreed = after(agreed, drawn(2, "O3"), drawn(3, "O2"), Publish(1, "ace_king", cards("HA FK")))
    return agreed, replace(with_paper(seen(agreed), 2, "sum49", "C10 S10 T9 S7"), payments={1: 1})


@table
def a_draft_out_of_turn() -> Case:
    agreed, view = a_draft_of_an_author_with_a_complete_paper()
    return agreed, with_paper(replace(view, papers=view.papers[:-1]), 3, "sum49", "C10 S10 T9 S7")


@table
def the_flag_with_two_cards() -> Case:
    agreed, full = flag_due()
    seat = full.to_move or 0
    flag = PaperSeen(seat, "end_flag", False, full.get_hand(seat)[:2], 600, 600)
    view = show(agreed.position, agreed.thanks)
    return agreed, replace(view, papers=(*view.papers, flag))


@table
def the_flag_on_its_wrong_side() -> Case:
    agreed, full = flag_due()
    seat = full.to_move or 0
    flag = PaperSeen(seat, "end_flag", False, full.get_hand(seat)[:1], 600, 600)
    view = show(agreed.position, agreed.thanks)
    return agreed, replace(view, papers=(*view.papers, flag))


@table
def the_flag_without_a_card() -> Case:
    agreed, full = flag_due()
    view = show(agreed.position, agreed.thanks)
    return agreed, replace(view, papers=(*view.papers, PaperSeen(full.to_move or 0, "end_flag", True, (), 600, 600)))


@table
def a_discard_while_the_flag_is_due() -> Case:
    agreed, full = flag_due()
    return agreed, replace(show(agreed.position, agreed.thanks), discard_top=full.get_hand(full.to_move or 0)[0])


@table
def the_flag_of_somebody_else() -> Case:
    agreed, full = flag_due()
    other = (full.to_move or 0) % 3 + 1
    flag = PaperSeen(other, "end_flag", True, full.get_hand(other)[:1], 600, 600)
    view = show(agreed.position, agreed.thanks)
    return agreed, replace(view, papers=(*view.papers, flag))


@table
def the_thanks_of_the_flags_turn_doubled() -> Case:
    agreed, full = flag_due()
    seat = full.to_move or 0
    double = {other: 2 * count for other, count in agreed.thanks.items()}
    return agreed, show(agreed.position.do(EndFlag(seat, full.get_hand(seat)[0])), double or {1: 1})


@table
def the_card_of_a_paper_taken_and_a_card_drawn() -> Case:
    agreed = complete()
    view = changed(seen(agreed), 1, "three", "", complete=True)
    return agreed, replace(view, discard_top=card("H5"))


@table
def a_paper_in_another_area_with_thanks() -> Case:
    agreed = banach_may_cite()
    return agreed, replace(with_paper(seen(agreed), 3, "three", "B6 O6"), payments={1: 1})


@table
def two_drawn_and_none_discarded() -> Case:
    agreed = _drawn_down(5, 2)
    return agreed, replace(seen(agreed), draw_backs=0)


@table
def an_old_discard_on_top_and_the_last_two_cards_gone() -> Case:
    agreed = _drawn_down(5, 2)
    return agreed, replace(seen(agreed), discard_top=agreed.position.discards[-3], draw_backs=0)


@table
def an_old_discard_on_top_of_the_others() -> Case:
    agreed = _drawn_down(5, 2)
    return agreed, replace(seen(agreed), discard_top=agreed.position.discards[-4])


@table
def both_of_the_last_two_cards_kept() -> Case:
    agreed = _drawn_down(3, 1)
    while len(agreed.position.discards) > 1:
        agreed = after(agreed, Research(agreed.position.to_move or 0, "discard", agreed.position.discards[-1]))
    return agreed, replace(seen(agreed), discard_top=None, draw_backs=0)


@table
def three_discards_shuffled_and_none_discarded() -> Case:
    agreed = _played_down(discards=3)
    return agreed, replace(seen(agreed), discard_top=None, draw_backs=1)


@table
def a_draw_pile_that_should_be_empty() -> Case:
    agreed = _played_down(discards=2)
    return agreed, replace(seen(agreed), draw_backs=2)


@table
def a_review_and_a_draw_pile_from_nowhere() -> Case:
    agreed = _played_down(discards=3)
    seat = agreed.position.to_move or 0
    return agreed, replace(seen(agreed), draw_backs=2, loose=(Sighting("B9", 300, 700, 0),), payments={seat: 1})


@table
def a_card_from_both_empty_piles() -> Case:
    agreed = _emptied()
    return agreed, replace(seen(agreed), draw_backs=1)


# --- while the flag is due


@table
def the_top_discard_taken_while_the_flag_is_due() -> Case:
    agreed = due_to_banach()
    return agreed, replace(seen(agreed), discard_top=card("H5"))


@table
def a_draw_while_the_flag_is_due() -> Case:
    agreed = due_to_banach()
    return agreed, replace(seen(agreed), discard_top=card("C10"), discard_under=cards("O5"))


@table
def a_review_while_the_flag_is_due() -> Case:
    agreed = due_to_banach()
    return agreed, changed(seen(agreed), 1, "three", "S6 T6")


@table
def a_paper_while_the_flag_is_due() -> Case:
    agreed = due_to_banach()
    return agreed, with_paper(seen(agreed), 2, "three", "B7 O7 H7")


@table
def the_next_players_paper_while_the_flag_is_due() -> Case:
    agreed = due_to_banach()
    return agreed, with_paper(seen(agreed), 3, "three", "B7 O7 H7")


# --- payments and citations


@table
def three_cards_of_thanks_for_one_citation() -> Case:
    agreed = banach_may_cite()
    return agreed, replace(with_paper(seen(agreed), 2, "three", "B6 O6"), payments={1: 3})


@table
def all_thanks_on_one_spot() -> Case:
    agreed = two_complete()
    return agreed, replace(with_paper(seen(agreed), 3, "sum49", "F12 S11"), payments={1: 3})


@table
def a_draft_of_ones_own() -> Case:
    """Hilbert lays the ace and means the king of his own straight, which is under review."""
    agreed = after(started(discard="T12"), drawn(1, "H4"), drawn(2, "H5"), drawn(3, "O5"), drawn(1, "O4"))
    agreed = after(agreed, drawn(2, "O3"), drawn(3, "O2"), Publish(1, "straight5", cards("F9 F10 F11 F12 FK")))
    agreed = after(agreed, drawn(2, "B3"), drawn(3, "B4"), drawn(1, "B5"), drawn(2, "C4"), drawn(3, "C5"))
    return agreed, with_paper(seen(agreed), 1, "ace_king", "HA", complete=True)


@table
def both_of_two_discards_taken() -> Case:
    agreed = after(under_review(), drawn(2, "H4"))
    return agreed, replace(seen(agreed), discard_top=None)


@table
def a_review_beside_a_small_draw_pile_that_is_gone() -> Case:
    agreed = drawn_down_beside_a_paper(5, 2)
    return agreed, replace(changed(seen(agreed), 1, "three", "S6 T6"), draw_backs=0)


@table
def a_review_beside_three_cards_that_are_gone() -> Case:
    agreed = drawn_down_beside_a_paper(3, 3)
    return agreed, replace(changed(seen(agreed), 1, "three", "S6 T6"), draw_backs=0)


def _reshuffled(left: int) -> Case:
    """Return a review, and a draw pile where there was none."""
    agreed = drawn_down_beside_a_paper(3, 1)
    agreed = take_the_top(agreed, len(agreed.position.discards) - 1)
    while agreed.position.draw_count:
        seat = agreed.position.to_move or 0
        agreed = after(agreed, next(m for c in DECK if agreed.position.is_legal(m := Research(seat, "deck", None, c))))
    agreed = take_the_top(agreed, left)
    return agreed, replace(changed(seen(agreed), 1, "three", "S6 T6"), draw_backs=1)


@table
def a_review_and_three_discards_shuffled() -> Case:
    return _reshuffled(3)


@table
def a_review_and_two_discards_shuffled() -> Case:
    return _reshuffled(2)


@table
def a_draft_of_an_author_without_a_complete_paper() -> Case:
    """Banach means the king of Noether's AK, which is under review; Hilbert's paper has nothing to do with it."""
    agreed = after(started(discard="T12"), Publish(1, "three", cards("C6 S6 T6")), review(2, 1, "three", "C6"))
    agreed = after(agreed, review(3, 1, "three", "S6"), drawn(1, "H4"), drawn(2, "H5"))
    agreed = after(agreed, Publish(3, "ace_king", cards("HA FK")), drawn(1, "O4"))
    return agreed, replace(with_paper(seen(agreed), 2, "straight5", "F9 F10 F11 F12"), payments={3: 1})
