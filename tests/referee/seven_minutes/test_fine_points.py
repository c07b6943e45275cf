"""Fine points of Seven Minutes at the table: what might be taken for something else, and what is said of it."""

from __future__ import annotations

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import MOVE
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_minutes.layout import row_spot
from referee.seven_minutes.referee import REFEREE
from referee.table import Die, Unread
from referee.verdict import Accepted, CantSee, Question, Refused
from rules.cards import Card
from rules.seven_minutes.moves import Flip, Roll, Stop
from rules.text import Language
from tests.referee.seven_minutes.test_at_the_table import Table, code, dice, struck
from tools.soak.any_game import Game


def unread_at(place: int) -> tuple[Unread, ...]:
    return (Unread(*row_spot(place, 0, REFERENCE_MAT_MM), 0.0, "glare"),)


def test_no_roll_tells_a_stop_while_a_flipped_card_may_lie_there_unread() -> None:
    table = Table()
    table.flip("C5", "F9")
    table.unread, table.dice = unread_at(2), dice(6, 5)
    assert table.see() == []
    assert isinstance(table.confirm(), CantSee)
    table.row, table.unread = [["C5"], ["F9"], ["F7"]], ()
    assert table.see() == [Flip(1, Card.parse("F7")), Roll(1, (6, 5))]


def test_cards_taken_face_down_leave_the_face_up_pile_in_view() -> None:
    table = Table()
    for seat in (1, 2):
        table.flip(("C5", "F9")[seat - 1])
        table.dice = dice(1, 1, 40.0 * seat)
        assert table.see() == [Stop(seat), Roll(seat, (1, 1))]
        table.piles.append((seat, table.row.pop()[0]))
        assert isinstance(table.confirm(), Accepted)
    table.flip("B4")
    table.dice = dice(2, 2, 120.0)
    assert table.see() == [Stop(1), Roll(1, (2, 2))]
    table.row, table.piles = [], [(1, "back"), (2, "F9")]
    verdict = table.confirm()
    assert code(verdict) == "table_disturbed"
    assert "face-up pile" in str(verdict.text)
    table.piles.append((1, "C5"))
    assert isinstance(table.confirm(), Accepted)
    assert table.session.position.points == (0, 1)


def test_cards_taken_face_up_leave_the_face_down_pile_in_view() -> None:
    table = Table()
    for seat in (1, 2):
        table.flip(("C5", "F9")[seat - 1])
        table.dice = dice(1 + 3 * (seat == 1), 1, 40.0 * seat)
        table.see()
        table.piles.append((seat, "back" if seat == 1 else "F9"))
        table.row = []
        assert isinstance(table.confirm(), Accepted)
    table.flip("B4")
    table.dice = dice(1, 1, 120.0)
    assert table.see() == [Stop(1), Roll(1, (1, 1))]
    table.row, table.piles = [], [(1, "B4"), (2, "F9")]
    assert code(table.confirm()) == "table_disturbed"
    table.piles.append((1, "back"))
    assert isinstance(table.confirm(), Accepted)


def test_up_takes_back_a_roll_that_struck_even_after_hands_were_seen() -> None:
    table = Table()
    struck(table)
    table.dice = ()
    assert table.see() == []
    assert table.session.make_screen().put_back
    table.session.press(Button.UP)
    assert table.session.position.rolls == ()
    assert table.session.position.phase == "judgement"
    assert table.session.position.row.cards


def test_up_once_more_takes_back_the_stop_that_a_bumped_die_told() -> None:
    table = Table()
    table.flip("H3", "S9")
    table.dice = dice(5, 6)
    assert table.see() == [Stop(1), Roll(1, (5, 6))]
    table.session.press(Button.UP)
    table.session.press(Button.UP)
    assert table.session.position.may_stop
    table.flip("C10")
    assert table.session.position.row.length == 3


def test_up_opens_the_menu_after_a_stop_that_was_told() -> None:
    table = Table()
    table.flip("H3", "S9")
    assert isinstance(table.confirm(), Accepted)
    table.session.press(Button.UP)
    assert table.session.make_screen().choices
    assert table.session.position.phase == "judgement"


def test_up_takes_back_the_roll_that_ended_the_game() -> None:
    game = Game("seven_minutes", 7200, misread=0.0)
    game.play()
    session = game.session
    assert session.over
    session.press(Button.UP)
    assert session.over, "its cards have been taken"
    last = max(number for number, entry in enumerate(session.log.entries) if entry.kind == MOVE)
    again = Session.resume(session.history.header, session.log.entries[: last + 1], game.layout)
    assert again.over
    again.press(Button.UP)
    assert not again.over
    assert again.position.phase == "judgement"


def test_up_opens_the_menu_once_the_cards_are_taken() -> None:
    table = Table()
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]
    assert isinstance(table.confirm(), Accepted)
    table.session.press(Button.UP)
    assert table.session.position.points == (-2, 0)
    assert table.session.make_screen().choices


def test_a_stop_soon_after_a_flip_that_settled_is_no_second_press() -> None:
    table = Table()
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]
    table.see()
    taken = table.session.press(Button.CONFIRM, pressed_s=10.0)
    assert isinstance(taken, Accepted)
    table.flip("B4")
    verdict = table.session.press(Button.CONFIRM, pressed_s=11.5)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Stop(2)


def test_where_the_order_of_flips_matters_and_can_not_be_seen_it_is_asked() -> None:
    table = Table()
    table.flip("C5")
    table.row = [["C5", "O5"], ["FK"]]
    assert table.see() == []
    assert isinstance(table.confirm(), Question)
    assert list(table.session.make_screen().choices) == ["onion 5", "coffin K"]
    table.session.press(Button.DOWN)
    verdict = table.session.press(Button.CONFIRM)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Flip(1, Card.parse("FK"))
    assert table.see() == [Flip(1, Card.parse("O5"))]
    assert table.session.position.king_left == 2


def test_where_the_order_of_flips_does_not_matter_nobody_is_asked() -> None:
    table = Table()
    table.flip("C5")
    table.row = [["C5", "O5"], ["F9"]]
    assert {str(move) for move in table.see()} == {"1 flip O5", "1 flip F9"}
    table.row = [["C5", "O5"], ["F9"], ["FK"], ["C4"]]
    assert [str(move) for move in table.see()] == ["1 flip FK", "1 flip C4"]


def test_a_seven_stacked_comes_last_where_the_rules_allow_no_other_order() -> None:
    table = Table()
    table.flip("C5", "F9")
    table.row = [["C5", "S5"], ["F9"], ["C8"], ["O7"]]
    assert [str(move) for move in table.see()][-1] == "1 flip O7"
    assert table.session.position.cause == "seven"


def test_three_dice_one_die_and_a_die_without_pips_are_each_said_in_a_sentence() -> None:
    table = Table()
    table.flip("H3", "S9")
    assert isinstance(table.confirm(), Accepted)
    for lying, words in (
        ((*dice(3, 4), Die(1100.0, 500.0, 2, "white")), "3 dice are seen"),
        (dice(3, 4)[:1], "Only one die is seen"),
        (dice(3, None, cause="emblem"), "A die can't be read"),
    ):
        table.dice = lying
        assert table.see() == []
        screen = table.session.make_screen()
        assert words in screen.headline
        verdict = table.confirm()
        assert code(verdict) == "judgement_due"
        assert words in str(verdict.text)
    # Down is what the sentence says.
    table.session.press(Button.DOWN)
    assert "brown" in table.session.make_screen().headline.lower()


@pytest.mark.parametrize("language", Language.all())
def test_a_tray_in_which_no_die_is_seen_is_said_while_a_roll_is_due(language: Language) -> None:
    table = Table()
    table.session.speak(language)
    words = "No die is seen in the tray" if language is Language.EN else "トレイにダイスが見えません"

    def told() -> str:
        screen = table.session.make_screen()
        return " ".join((screen.headline, *screen.details))

    table.dice = ()
    table.flip("H3", "S9")
    assert words not in told(), "nobody rolls yet"
    assert isinstance(table.confirm(), Accepted)
    assert table.see() == []
    table.session.press(Button.BACK)
    assert words in told()
    assert ("still has 2 rolls" if language is Language.EN else "あと2回") in table.session.make_screen().headline
    assert code(table.confirm()) == "judgement_due"
    table.dice = dice(3, 4)
    table.see()
    assert words not in told()


def test_a_first_roll_that_cannot_be_read_is_said_too() -> None:
    table = Table()
    table.flip("H3", "S9")
    table.dice = dice(3, None, cause="emblem")
    assert table.see() == []
    verdict = table.confirm()
    assert isinstance(verdict, Accepted)
    assert "A die can't be read" in str(verdict.text)


def test_cards_taken_into_the_area_before_the_last_roll_are_rolls_missing() -> None:
    for piles in ([(1, "back")], [(1, "S9")], []):
        table = Table()
        table.flip("S9", "H3", "C10", "T12")
        assert isinstance(table.confirm(), Accepted)
        table.row, table.piles = [["H3"], ["C10"], ["T12"]], piles
        assert table.see() == []
        verdict = table.confirm()
        assert isinstance(verdict, Refused)
        also = () if piles else ("table_disturbed",)
        assert (verdict.refusal.code, verdict.refusal.also) == ("rolls_missing", also)
        assert verdict.mend


def test_a_whole_row_taken_before_the_last_roll_leaves_down_to_tell_it() -> None:
    table = Table()
    table.flip("S9", "H3", "C10", "T12")
    assert isinstance(table.confirm(), Accepted)
    table.row, table.piles = [], [(1, "back")]
    assert table.see() == []
    assert not table.session.judge.out_of_step
    assert code(table.confirm()) == "rolls_missing"
    assert not table.session.judge.out_of_step


def test_cards_taken_without_a_stop_are_rolls_missing_and_disturbed() -> None:
    table = Table()
    table.flip("S9", "H3")
    table.row, table.piles = [["H3"]], [(1, "back")]
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    assert (verdict.refusal.code, verdict.refusal.also) == ("rolls_missing", ("table_disturbed",))


def test_cards_in_another_players_area_are_disturbed() -> None:
    table = Table()
    table.flip("S9", "H3")
    assert isinstance(table.confirm(), Accepted)
    table.row, table.piles = [["H3"]], [(2, "back")]
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    assert (verdict.refusal.code, verdict.refusal.also) == ("rolls_missing", ("table_disturbed",))


def test_rolled_and_taken_before_anybody_looked() -> None:
    table = Table()
    table.flip("S9", "H3")
    table.row, table.piles, table.dice = [["H3"]], [(1, "back")], dice(4, 5)
    assert table.see() == [Stop(1), Roll(1, (4, 5))]
    assert isinstance(table.confirm(), Accepted)
    other = Table()
    other.flip("S9", "H3")
    other.row, other.dice = [["H3"]], dice(1, 1)
    assert other.see() == []


def test_a_card_beside_the_row_or_past_a_gap_is_no_flip() -> None:
    table = Table()
    table.flip("H3", "S9")
    table.row = [["H3"], ["S9"], [], ["C4"]]
    assert table.see() == ["wrong_place"]
    table.row = [["H3"], ["S9"], ["C4"]]
    assert table.see() == [Flip(1, Card.parse("C4"))]
    other = Table()
    other.row = [[], [], [], [], ["C4"]]
    assert other.see() == [Flip(1, Card.parse("C4"))], "the first one lies where the players like"
    x, y = row_spot(5, 0, REFERENCE_MAT_MM)
    other.extra = [Placed("B4", x, y - 110.0, 0.0)]
    assert other.see() == ["wrong_place"]
    assert "onto coin 4" in other.session.make_screen().put_back[0]
    other.extra = [Placed("B5", x + 30.0, y + 40.0, 0.0)]
    assert other.see() == [Flip(1, Card.parse("B5"))]


def test_two_rolls_too_early_are_both_forgotten() -> None:
    table = Table()
    table.dice = dice(3, 3)
    assert table.see() == ["must_flip"]
    table.dice = ()
    assert table.see() == []
    table.dice = dice(3, 3, 80.0)
    assert table.see() == ["must_flip"]
    table.flip("H3")
    assert table.see() == []
    table.dice = dice(3, 3, 120.0)
    assert table.see() == [Stop(1), Roll(1, (3, 3))]


def test_a_third_die_beside_the_tray_is_said() -> None:
    table = Table()
    table.flip("H3", "S9")
    assert isinstance(table.confirm(), Accepted)
    table.dice = (*dice(3, 4), Die(1000.0, 560.0, 2, "white"))
    assert table.see() == []
    assert "3 dice are seen" in table.session.make_screen().headline


def test_what_is_to_be_taken_is_said_before_the_first_look_after_a_power_cut() -> None:
    table = Table()
    struck(table)
    again = Session.resume(table.session.history.header, list(table.kept), table.session.layout)
    assert "Hilbert takes star 9 and heart 3 face down." in again.make_screen().details
    table.row, table.piles = [["C10"]], [(1, "back")]
    assert isinstance(table.confirm(), Accepted)
    again = Session.resume(table.session.history.header, list(table.kept), table.session.layout)
    assert not any("takes" in text for text in again.make_screen().details)


def test_dice_that_wait_to_be_counted_are_no_refused_ones() -> None:
    table = Table()
    table.flip("H3", "S9")
    assert isinstance(table.confirm(), Accepted)
    table.dice = dice(3, 4)
    session = table.session
    assert REFEREE.find_passive_changes(session.agreed, table.view(), session.layout) is None


def test_cards_gone_count_as_disturbed_where_no_roll_explains_them() -> None:
    table = Table()
    table.flip("H3", "S9", "C10")
    table.row = [["C10"], ["S9"]]
    assert table.see() == []
    compared = REFEREE.compare(table.session.agreed, table.view(), table.session.layout)
    assert compared.disturbed == 2
    table.row = [["S9"], ["C10"]]
    compared = REFEREE.compare(table.session.agreed, table.view(), table.session.layout)
    assert (compared.disturbed, compared.agrees) == (0, False)


def test_a_pile_that_is_gone_is_shown_once_by_the_card_taken_last() -> None:
    table = Table()
    table.flip("H3", "S9")
    table.dice = dice(1, 1)
    table.see()
    table.dice = dice(1, 1, 80.0)
    table.see()
    table.row, table.piles = [], [(1, "S9")]
    assert isinstance(table.confirm(), Accepted)
    table.flip("C10")
    table.piles = []
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    assert [mend.item for mend in verdict.mend] == ["S9"]
    table.piles = [(2, "S9")]
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    assert [(mend.item, mend.source, mend.target) for mend in verdict.mend] == [("S9", "seat:2", "seat:1")], (
        "the step for the card that lies elsewhere brings its pile back: no second step for the same card"
    )
