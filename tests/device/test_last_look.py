"""What confirm settles is judged from the look that it froze, whatever an earlier look or an open question said."""

from __future__ import annotations

from dataclasses import replace

from device.hardware.buttons import Button
from device.session.judge import PRESSED_TWICE_S
from device.session.session import Session
from referee.history import Entry
from referee.laminate.expected_layout import Agreed
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import TableView
from referee.verdict import Accepted, CantSee, Question, Refused
from rules.cards import Card
from rules.laminate.moves import Pass, Research
from tests.device.evening import Table, after
from tests.device.openings import begun, header
from tests.referee.tables import show
from tests.referee.test_refusals import (
    _drawn_down,
    _emptied,
    cites_again,
    codes,
    drawn,
    seen,
    thanked,
    under_review,
)
from tests.referee.test_unread import AREA_1, doubtful, mark
from ui.screen_state import Mood

LAYOUT = layout_for(3)
CONFIRM, DOWN = Button.CONFIRM, Button.DOWN


def at(agreed: Agreed) -> Session:
    session = begun(agreed.position.players, agreed.position.first_seat, layout_for(len(agreed.position.players)))
    session.judge.set_position(agreed)
    return session


def discarding_h5() -> TableView:
    return show(under_review().position.do(drawn(2, "H5")))


# --- a verdict does not outlive its look


def test_a_card_that_peeps_out_after_the_preview_is_judged() -> None:
    session = at(under_review())
    session.see(discarding_h5())
    assert session.make_screen().mood is Mood.PREVIEW
    session.see(replace(discarding_h5(), discard_under=(Card.parse("C10"),)))
    verdict = session.press(CONFIRM)
    assert verdict is not None
    assert codes(verdict) == ("table_disturbed",)
    assert session.position == under_review().position


def test_a_card_pushed_back_under_the_discard_no_longer_counts() -> None:
    session = at(under_review())
    assert isinstance(session.confirm(replace(discarding_h5(), discard_under=(Card.parse("C10"),))), Refused)
    assert isinstance(session.confirm(discarding_h5()), Accepted)


def test_what_an_unread_card_may_be_is_judged_as_it_is_seen_now() -> None:
    may_be = doubtful(discarding_h5(), 1, "three", "C6 T6", mark(AREA_1, "S6", "S8"))
    can_not = doubtful(discarding_h5(), 1, "three", "C6 T6", mark(AREA_1, "H7", "H8"))
    session = at(under_review())
    session.see(may_be)
    session.see(can_not)
    assert isinstance(session.press(CONFIRM), CantSee)
    session.see(can_not)
    session.see(may_be)
    assert isinstance(session.press(CONFIRM), Accepted)


def test_where_an_unread_card_lies_is_judged_as_it_is_seen_now() -> None:
    beside, within = mark((1150.0, 420.0), "H9"), mark((900.0, 200.0), "H9")
    session = at(under_review())
    session.see(replace(discarding_h5(), unread=(beside,)))
    session.see(replace(discarding_h5(), unread=(within,)))
    assert isinstance(session.press(CONFIRM), CantSee)


# --- nor does a question


def test_an_answer_counts_only_while_the_table_still_asks_it() -> None:
    agreed = thanked()
    session = at(agreed)
    assert isinstance(session.confirm(cites_again(agreed)), Question)
    disturbed = replace(cites_again(agreed), discard_under=(Card.parse("C10"),))
    session.see(disturbed)
    assert session.judge.question is None
    verdict = session.press(CONFIRM)
    assert verdict is not None
    assert "table_disturbed" in codes(verdict)
    assert session.position == agreed.position


def test_a_question_stays_open_while_people_only_tidy_up() -> None:
    agreed = thanked()
    session = at(agreed)
    session.confirm(cites_again(agreed))
    session.press(DOWN)
    nudged = cites_again(agreed)
    session.see(replace(nudged, papers=tuple(replace(p, x=p.x + 4) for p in nudged.papers)))
    assert session.judge.question is not None
    assert session.make_screen().chosen == 1
    verdict = session.press(CONFIRM)
    assert verdict is not None
    assert "payment_not_taken" in codes(verdict)


def test_old_discards_that_peep_out_answer_whether_cards_were_drawn() -> None:
    agreed = _drawn_down(3, 1)
    session = at(agreed)
    assert isinstance(session.confirm(seen(agreed)), Question)
    session.see(show(agreed.position, peeping=1))
    verdict = session.press(CONFIRM)
    assert verdict is not None
    assert codes(verdict) == ("pass_not_allowed",)
    assert session.position == agreed.position


def test_two_turns_are_taken_only_as_they_lie_now() -> None:
    session = at(under_review())
    position = under_review().position
    both = show(position.do(drawn(2, "H5")).do(drawn(3, "H4")), peeping=1)
    assert isinstance(session.confirm(both), Refused)
    assert len(session.make_screen().choices) == 2, "two turns are offered"
    session.press(DOWN)
    session.see(replace(both, discard_under=(Card.parse("H3"),)))
    session.press(CONFIRM)
    assert session.position == position
    assert Research(3, "deck", None, Card.parse("H4")) not in session.history.moves


# --- a second press


def test_a_second_press_at_once_does_not_pass_for_the_next_player() -> None:
    for pause, passes in ((PRESSED_TWICE_S - 0.1, False), (PRESSED_TWICE_S + 0.1, True)):
        agreed = _emptied()
        session = at(agreed)
        session.see(seen(agreed))
        first = session.press(CONFIRM, pressed_s=100.0, now_s=101.0)
        assert isinstance(first, Accepted)
        assert isinstance(first.move, Pass)
        second = session.press(CONFIRM, pressed_s=101.0 + pause)
        assert isinstance(second, Accepted) is passes
        if passes:
            continue
        assert isinstance(second, Question)
        waiting = session.position.to_move
        no = session.press(CONFIRM, pressed_s=102.0)
        assert no is not None
        assert codes(no) == ("out_of_turn",), "a third press passes for nobody either"
        assert session.position.to_move == waiting


def test_asked_whether_to_pass_the_next_player_may_say_yes() -> None:
    agreed = _emptied()
    session = at(agreed)
    session.see(seen(agreed))
    session.press(CONFIRM, pressed_s=1.0)
    assert isinstance(session.press(CONFIRM, pressed_s=1.5), Question)
    session.press(DOWN)
    waiting = session.position.to_move
    passed = session.press(CONFIRM, pressed_s=3.0)
    assert isinstance(passed, Accepted)
    assert passed.move == Pass(waiting or 0)


# --- a check of an undo


def undone(settled: bool) -> tuple[Table, list[Entry]]:
    """Take back a publication whose thanks were taken; ``settled`` once the table lay accordingly."""
    table = after(8, thanks=True)
    for seat, count in table.cards.count_payments().items():
        table.cards.unpay(seat, count)
    table.see()
    table.press(Button.BACK, held=True)
    assert table.session.checking
    if settled:
        table.session.confirm(show(table.session.position))
        assert not table.session.checking
    return table, list(table.session.log.entries)


def test_a_settled_check_of_an_undo_is_settled_after_a_resume() -> None:
    for settled in (True, False):
        table, entries = undone(settled)
        kept = [Entry.from_json(entry.to_json()) for entry in entries]
        begin = header(table.session.position.players, table.session.position.first_seat)
        again = Session.resume(begin, kept)
        assert again.checking is not settled
        assert again.history == table.session.history
        again.see(show(again.position))
        assert (again.make_screen().mood is Mood.CHECK) is not settled


def test_a_check_that_settles_itself_is_journalled_too() -> None:
    table = after(14)
    kept: list[Entry] = []
    table.session.log.keep = kept.append
    review = next(n for n, move in enumerate(table.moves) if type(move).__name__ == "Review")
    for _ in range(len(table.moves) - review):
        table.press(Button.BACK, held=True)
        table.session.see(show(table.session.position))
    assert not table.session.checking
    assert kept[-1].kind == "checked"
