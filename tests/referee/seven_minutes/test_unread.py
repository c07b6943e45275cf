"""Cards of Seven Minutes that can't be read: each stands for one known card at most, and one flip costs no game."""

from __future__ import annotations

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_minutes.layout import DRAW, ROW, row_spot
from referee.table import Die, Unread
from referee.verdict import Accepted, CantSee, Question, Refused
from rules.cards import Card
from rules.record import Header, check_record
from rules.seven_minutes.moves import Flip, Roll, Stop
from tests.referee.seven_minutes.scenes import at_seat, both_piles
from tests.referee.seven_minutes.test_at_the_table import LAYOUT, PLAYERS, Table, code, dice


def unread(place: int, card: int = 0, *likely: str) -> Unread:
    return Unread(*row_spot(place, card, REFERENCE_MAT_MM), 0.0, "glare", likely)


def judged(table: Table) -> object:
    session = table.session
    return session.referee.judge(session.agreed, session.judge.view, session.layout)


def asked(table: Table) -> Question:
    verdict = judged(table)
    assert isinstance(verdict, Question), verdict
    assert verdict.at_once
    return verdict


def names(question: Question) -> list[str]:
    return [str(choice.text) for choice in question.choices]


def answer(table: Table, words: str) -> None:
    """Choose the card on the screen, and look again."""
    question = table.session.judge.question or table.confirm()
    assert isinstance(question, Question)
    for _ in range(names(question).index(words)):
        table.session.press(Button.DOWN)
    assert isinstance(table.session.press(Button.CONFIRM), Accepted)
    table.see()


def last(table: Table, count: int) -> list[object]:
    """Return the moves confirmed last."""
    return list(table.session.history.moves[-count:])


# One stands for one


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("likely", [(), ("O5",), ("S9", "O5"), ("back", "O5")])
def test_an_unread_card_in_an_area_whose_pile_is_read_is_not_that_pile(seat: int, likely: tuple[str, ...]) -> None:
    table = Table()
    both_piles(table)
    table.flip("C4")
    spot = at_seat(seat, "")
    table.unread = (Unread(spot.x, spot.y, 0.0, "glare", likely),)
    assert isinstance(table.confirm(), CantSee)
    assert table.session.position.may_stop


@pytest.mark.parametrize(("visible", "settled"), [(0.4, [Stop(1), Roll(1, (1, 2))]), (1.0, [])])
def test_what_peeps_out_under_the_draw_pile_hinders_no_throw(visible: float, settled: list[object]) -> None:
    table = Table()
    table.flip("S9", "H3", "C10")
    x, y = next((card.x, card.y) for card in table.cards() if card.name == "back")
    table.unread = (Unread(x + 6.0, y + 5.0, 4.0, "glare", ("H5",), visible),)
    table.dice = dice(1, 2)
    assert table.see() == settled


def test_two_unread_cards_are_not_one_pile() -> None:
    table = Table()
    both_piles(table)
    table.flip("C4")
    one, other = at_seat(1, "", 50.0), at_seat(1, "", 150.0)
    table.piles = [(2, "back")]
    table.unread = (Unread(one.x, one.y, 0.0, "glare"),)
    table.see()
    assert isinstance(judged(table), Accepted)
    table.unread = (*table.unread, Unread(other.x, other.y, 0.0, "glare"))
    assert isinstance(table.confirm(), CantSee)


@pytest.mark.parametrize(("likely", "stands"), [((), False), (("back", "O5"), False), (("back",), True)])
def test_an_unread_card_beside_the_draw_pile_that_is_read_may_be_any(likely: tuple[str, ...], stands: bool) -> None:
    table = Table()
    table.flip("S9")
    table.unread = (Unread(60.0, 500.0, 0.0, "glare", likely),)
    assert LAYOUT.place_at(60.0, 500.0) == DRAW
    assert isinstance(table.confirm(), Accepted if stands else CantSee)


def test_after_a_turn_was_taken_back_an_unread_card_beside_a_pile_is_still_to_be_seen() -> None:
    table = Table()
    both_piles(table)
    table.flip("C4")
    table.session.judge.undo()
    spot = at_seat(1, "")
    table.row, table.unread = [], (Unread(spot.x, spot.y, 0.0, "glare"),)
    table.see()
    assert table.session.checking
    assert isinstance(table.confirm(), CantSee)
    table.unread = ()
    table.see()
    assert not table.session.checking


def test_while_rolls_are_due_the_last_card_of_the_row_can_be_no_other() -> None:
    table = Table()
    table.flip("S9", "H3", "C10")
    assert isinstance(table.confirm(), Accepted)
    table.row, table.unread, table.dice = [["S9"], ["H3"]], (unread(2),), dice(1, 1)
    assert table.see() == [Roll(1, (1, 1))]


# One flip that can't be read


def flipped_unread(*likely: str) -> Table:
    """Star 9 and heart 3 lie there, and one more that can't be read."""
    table = Table()
    table.flip("S9", "H3")
    table.unread = (unread(2, 0, *likely),)
    assert table.see() == []
    return table


def test_a_flip_that_can_not_be_read_is_said_at_once() -> None:
    table = flipped_unread("C4")
    verdict = judged(table)
    assert isinstance(verdict, CantSee)
    assert verdict.at_once
    assert [spot.place for spot in verdict.spots] == [ROW]
    table.dice = dice(1, 1)
    assert table.see() == []
    assert isinstance(judged(table), CantSee), "it can still be read or named there"


def test_an_unread_card_in_an_area_is_not_said_at_once() -> None:
    table = Table()
    table.flip("S9")
    spot = at_seat(2, "")
    table.unread = (Unread(spot.x, spot.y, 0.0, "covered"),)
    table.see()
    verdict = judged(table)
    assert isinstance(verdict, CantSee)
    assert not verdict.at_once


@pytest.mark.parametrize("restarted", [False, True])
def test_where_it_was_taken_it_is_asked_which_card_it_was_and_the_game_goes_on(restarted: bool) -> None:
    table = flipped_unread("C4", "S9", "B4")
    if restarted:
        header = Header("seven_minutes", PLAYERS, {"first_seat": 1})
        entries = [Entry.from_json(entry.to_json()) for entry in table.kept]
        table.session = Session.resume(header, entries, LAYOUT, keep=table.kept.append)
    table.row, table.piles, table.unread, table.dice = [], [(1, "back")], (), dice(2, 2)
    assert table.see() == []
    question = asked(table)
    assert str(question.text) == "Which card did Hilbert flip?"
    assert question.spot is not None
    assert (question.spot.x, question.spot.y, question.spot.place) == (*row_spot(2, 0, REFERENCE_MAT_MM), ROW)
    shown = names(question)
    # What it was nearly read as, then what belongs at the end of the row, then the others.
    assert shown[:3] == ["coin 4", "book 4", "heart A"]
    assert shown[-1] == "No card was flipped."
    assert len(shown) == 47 + 1
    assert not {"star 9", "heart 3"} & set(shown)
    assert shown.index("onion 3") > shown.index("coffin K")
    answer(table, "coin 4")
    assert last(table, 3) == [Flip(1, Card.parse("C4")), Stop(1), Roll(1, (2, 2))]
    assert isinstance(table.confirm(), Accepted)
    assert table.session.position.points == (-3, 0)
    *verdicts, _ = check_record(table.session.history.write_record())
    assert all(verdict["verdict"] == "accepted" for verdict in verdicts)


def test_an_only_card_that_was_taken_is_asked_for_and_one_seen_elsewhere_is_not_it() -> None:
    table = Table()
    table.unread = (unread(0, 0, "B4"),)
    assert table.see() == []
    table.unread, table.piles, table.dice = (), [(1, "C4")], dice(1, 1)
    table.see()
    assert names(asked(table))[:2] == ["coin 4", "book 4"], "it was taken face up"
    table.piles = [(2, "C4")]
    table.see()
    assert "coin 4" not in names(asked(table))
    table.piles = [(1, "C4")]
    table.see()
    answer(table, "coin 4")
    assert last(table, 2) == [Stop(1), Roll(1, (1, 1))], "the throw that was seen meanwhile counts"
    assert isinstance(table.confirm(), Accepted)
    assert table.session.position.points == (1, 0)


def test_a_card_that_stays_in_the_row_and_can_be_read_then_is_the_first_answer() -> None:
    table = flipped_unread()
    table.row, table.piles, table.unread, table.dice = [["C4"]], [(1, "back")], (), dice(1, 2)
    assert table.see() == []
    assert names(asked(table))[0] == "coin 4"
    answer(table, "coin 4")
    assert last(table, 2) == [Stop(1), Roll(1, (1, 2))]
    assert isinstance(table.confirm(), Accepted)


def test_a_flip_that_was_told_stays_known_however_many_follow() -> None:
    table = flipped_unread("H10", "F11")
    table.row = [["S9"], ["H3"], [], ["B4"]]
    assert table.see() == []
    answer(table, "coin 10")
    assert last(table, 2) == [Flip(1, Card.parse("C10")), Flip(1, Card.parse("B4"))]
    for place, name in enumerate(("F12", "T8"), 4):
        table.row = [*table.row, [name]]
        assert table.see() == [Flip(1, Card.parse(name))], place
    table.row, table.piles, table.unread, table.dice = [], [(1, "back")], (), dice(4, 4)
    assert table.see() == [Stop(1), Roll(1, (4, 4))]


def test_where_the_next_card_was_flipped_it_is_asked_while_it_lies_there() -> None:
    table = flipped_unread("C10")
    table.row = [["S9"], ["H3"], [], ["B4"]]
    assert table.see() == []
    question = asked(table)
    assert names(question)[0] == "coin 10"
    assert "No card was flipped." not in names(question)
    answer(table, "coin 10")
    assert last(table, 2) == [Flip(1, Card.parse("C10")), Flip(1, Card.parse("B4"))]
    table.dice = dice(1, 1)
    assert table.see() == [Stop(1), Roll(1, (1, 1))]


def test_a_stacked_card_is_asked_for_by_the_cards_of_its_rank_first() -> None:
    table = Table()
    table.flip("S9", "H3")
    table.unread = (unread(0, 1),)
    assert table.see() == []
    table.row = [["S9"], ["H3"], ["B4"]]
    assert table.see() == []
    assert names(asked(table))[:5] == ["book 9", "coin 9", "time 9", "coffin 9", "heart A"]
    answer(table, "book 9")
    assert last(table, 2) == [Flip(1, Card.parse("B9")), Flip(1, Card.parse("B4"))]


def test_a_card_that_can_be_read_after_all_is_flipped_without_a_question() -> None:
    table = flipped_unread("C4")
    table.row, table.unread, table.dice = [["S9"], ["H3"], ["B4"]], (), dice(1, 1)
    assert table.see() == [Flip(1, Card.parse("B4")), Stop(1), Roll(1, (1, 1))]
    assert table.session.agreed.unread is None


def test_what_turns_out_to_be_no_card_is_forgotten_or_said_to_be_none() -> None:
    table = flipped_unread()
    table.unread = ()
    assert table.see() == []
    assert table.session.agreed.unread is None
    table = flipped_unread()
    table.unread, table.dice = (), dice(1, 1)
    assert table.see() == []
    answer(table, "No card was flipped.")
    assert last(table, 2) == [Stop(1), Roll(1, (1, 1))]


def test_of_two_cards_that_can_not_be_read_neither_is_asked_for() -> None:
    table = Table()
    table.flip("S9", "H3")
    table.unread = (unread(2), unread(3))
    assert table.see() == []
    table.row = [["S9"], ["H3"], [], [], ["B4"]]
    assert table.see() == []
    assert isinstance(judged(table), CantSee)
    assert table.session.agreed.unread is None


def test_a_flip_that_is_told_is_known_where_it_lies_unread() -> None:
    table = flipped_unread("C4")
    told = table.session.tell({"seat": 1, "do": "flip", "card": "O5"})
    assert isinstance(told, Accepted)
    assert table.see() == []
    assert isinstance(judged(table), Accepted), "a stop may be confirmed"
    table.dice = dice(1, 1)
    assert table.see() == [Stop(1), Roll(1, (1, 1))]


def test_a_wrong_answer_that_is_taken_back_is_asked_again() -> None:
    table = flipped_unread()
    table.row, table.piles, table.unread, table.dice = [], [(1, "back")], (), dice(2, 2)
    table.see()
    answer(table, "coin 7")
    while last(table, 1) != [Flip(1, Card.parse("C7"))]:
        table.session.judge.undo()
    table.session.judge.undo()
    assert table.session.position.row.length == 2
    assert table.session.agreed.unread is not None


# What lies wrong and is no SEVEN card


@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize("at", [(500.0, 700.0), (500.0, 60.0), (25.0, 230.0), (1120.0, 420.0), (500.0, 560.0)])
def test_a_card_and_a_back_where_neither_may_lie_have_a_screen(at: tuple[float, float], confirmed: bool) -> None:
    table = Table()
    table.flip("H3", "B9")
    x, y = at
    table.extra = [Placed("O5", x, y, 0.0), *(Placed("back", x + dx, y, 0.0) for dx in (50.0, 51.0))]
    table.see()
    if confirmed:
        table.confirm()
    screen = table.session.make_screen()
    assert screen.headline
    if confirmed:
        assert any("face-down card" in step for step in screen.put_back)


def test_before_the_set_up_they_have_one_too() -> None:
    table = Table()
    table.session.judge.undo()
    table.extra = [Placed("O5", 500.0, 700.0, 0.0), Placed("back", 570.0, 700.0, 0.0)]
    table.dice = (Die(1100.0, 400.0, 1, "brown"),)
    assert code(table.confirm()) == "table_disturbed"
    assert any("onion 5 and a face-down card" in step for step in table.session.make_screen().put_back)


@pytest.mark.parametrize("place", [(500.0, 700.0), (71.0, 500.0), (500.0, 420.0), (400.0, 250.0)])
def test_a_card_of_another_game_can_not_be_read_and_stands_for_nothing(place: tuple[float, float]) -> None:
    table = Table()
    both_piles(table)
    table.flip("C4")
    table.piles = [(2, "back")]
    table.extra = [Placed("three/review", *place, 0.0)]
    table.see()
    assert table.session.make_screen().headline
    verdict = table.confirm()
    assert isinstance(verdict, CantSee | Refused)
    assert table.session.make_screen().headline
