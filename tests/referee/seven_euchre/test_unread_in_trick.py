"""A card of the trick that can't be read: said at once, and asked for where the trick is gathered all the same."""

from __future__ import annotations

from typing import Any

import pytest

from referee.entry_data import EntryError
from referee.history import NOTICED
from referee.seven_euchre.referee import REFEREE
from referee.table import Unread
from referee.verdict import Accepted, CantSee, Question
from rules.seven_euchre.moves import Annul, BackTo
from tests.referee.seven_euchre.at_the_table import BACK, Table, c, play, playing, said, trick


def unread_third(*candidates: str, cause: str = "glare") -> tuple[Table, Unread]:
    """Emmy and Sofia have played hearts, Mary's card can't be read, and Ada has played."""
    table = playing()
    trick(table, "H3", "H4")
    mark = table.unread("trick:4", *candidates)
    mark = Unread(mark.x, mark.y, 0.0, cause, candidates)
    table.see(mark)
    table.lay("trick:1", "H5")
    table.see(mark)
    return table, mark


def gathered(table: Table, seat: int = 1) -> Question:
    """Gather the trick, and return what is asked then."""
    table.gather(seat)
    table.see()
    asked = table.verdict()
    assert isinstance(asked, Question)
    assert asked.at_once
    return asked


def texts(asked: Question) -> list[str]:
    return [str(choice.text) for choice in asked.choices]


def test_an_unread_card_that_is_due_is_said_at_once_and_remembered() -> None:
    table, mark = unread_third("H6", "H2")
    verdict = table.verdict(mark)
    assert isinstance(verdict, CantSee)
    assert verdict.at_once
    assert table.agreed.trick == ((4, table.agreed.trick[0][1]), (1, c("H5")))
    assert table.agreed.trick[0][1].candidates == ("H6", "H2")
    kept = len(table.kept)
    # No two looks find it in one place; that is nothing new.
    table.see(Unread(mark.x + 2, mark.y - 1, 3.0, "glare", ("H6", "H2")))
    assert len(table.kept) == kept
    assert table.resumed().agreed == table.agreed
    # As soon as it is read, all of it is understood.
    table.lay("trick:4", "H6")
    assert table.see() == [play(4, "H6"), play(1, "H5")]
    assert table.agreed.trick == ()


def test_a_card_that_is_not_due_yet_waits_without_a_word() -> None:
    table = playing()
    trick(table, "H3")
    verdict = table.verdict(table.unread("trick:1"))
    assert not isinstance(verdict, CantSee) or not verdict.at_once


def test_the_trick_is_gathered_and_the_card_asked_for_likeliest_first() -> None:
    table, mark = unread_third("H6", "S9", "H5", "H2")
    asked = gathered(table)
    assert str(asked.text) == "Which card did Mary play?"
    assert asked.spot is not None
    assert (asked.spot.place, asked.spot.cause) == ("trick:4", "glare")
    assert abs(asked.spot.x - mark.x) < 1
    # Heart 5 lay in another place; of the other cards those that follow come first.
    assert texts(asked)[:4] == ["Heart 6", "Star 9", "Heart 2", "Heart A"]
    assert not {"Heart 3", "Heart 4", "Heart 5"} & {*texts(asked)}
    assert len(asked.choices) == 46
    for choice in asked.choices:
        assert isinstance(choice.verdict, Accepted)
        assert choice.verdict.at_once
    assert table.resumed().agreed == table.agreed


@pytest.mark.few(2)
@pytest.mark.parametrize("cause", ["glare", "foreign", "doubtful", "unknown", "covered"])
def test_the_answer_is_a_told_move_and_what_was_read_follows_by_itself(cause: str) -> None:
    table, _ = unread_third(cause=cause)
    gathered(table)
    assert said(table.session.tell(play(4, "H6"))) == play(4, "H6")
    # The packet is judged as usual: Mary has won, and it lies with the wrong side.
    assert table.see() == [play(1, "H5"), ("trick_not_theirs",)]
    table.take("seat:1")
    table.lay("seat:4", BACK)
    table.lay("trick:4", "H2")
    assert table.see() == [play(4, "H2")]


def test_the_next_trick_may_be_led_before_the_answer() -> None:
    table, _ = unread_third("H6")
    table.gather(4)
    table.lay("trick:4", "S9")
    table.see()
    asked = table.verdict()
    assert isinstance(asked, Question)
    assert "Star 9" not in texts(asked)
    assert said(table.session.tell(play(4, "H6"))) == play(4, "H6")
    assert table.see() == [play(1, "H5"), play(4, "S9")]


def test_a_lead_that_can_not_be_read_is_asked_for_as_well() -> None:
    table = playing()
    mark = table.unread("trick:2", "B6")
    for seat, card in ((3, "B3"), (4, "B4"), (1, "B5")):
        table.lay(f"trick:{seat}", card)
        table.see(mark)
    asked = gathered(table, 4)
    assert texts(asked)[0] == "Book 6"
    table.session.tell(play(2, "B6"))
    assert table.see() == [play(3, "B3"), play(4, "B4"), play(1, "B5")]


def test_two_unread_cards_are_asked_for_one_after_the_other() -> None:
    table = playing()
    trick(table, "H3")
    marks = table.unread("trick:3", "H4"), table.unread("trick:1", "H6")
    table.lay("trick:4", "H5")
    table.see(*marks)
    assert str(gathered(table).text) == "Which card did Sofia play?"
    table.session.tell(play(3, "H4"))
    assert table.see() == [play(4, "H5")]
    asked = table.verdict()
    assert isinstance(asked, Question)
    assert str(asked.text) == "Which card did Ada play?"


def test_all_is_seen_in_one_look_and_gathered_in_the_next() -> None:
    table = playing()
    for seat, card in ((2, "H3"), (3, "H4"), (1, "H5")):
        table.lay(f"trick:{seat}", card)
    assert table.see(table.unread("trick:4")) == [play(2, "H3"), play(3, "H4")]
    assert [seat for seat, _ in table.agreed.trick] == [4, 1]
    gathered(table)


def test_who_has_not_been_seen_to_play_is_not_asked_about() -> None:
    table = playing()
    trick(table, "H3", "H4")
    table.see(table.unread("trick:4"))
    table.gather(1)
    assert table.see() == [("trick_incomplete",)]
    assert table.agreed.trick == ()


def test_a_card_taken_back_is_no_card_played() -> None:
    table, _ = unread_third()
    table.take("trick:1")
    table.see(table.unread("trick:4"))
    table.gather(1)
    assert table.see() == [("trick_incomplete",)]
    # Nor is one of two cards of a seat.
    table, mark = unread_third()
    table.lay("trick:1", "S9")
    table.see(mark)
    assert [seat for seat, _ in table.agreed.trick] == [4]


def test_one_card_left_on_the_table_is_no_trick_gathered() -> None:
    table, mark = unread_third()
    for seat in (1, 2, 3):
        table.cards[f"trick:{seat}"] = []
    table.see(mark)
    assert not isinstance(table.verdict(mark), Question)
    # What is not read lies there for good, and there is a packet more.
    table.lay("seat:1", BACK)
    table.see(mark)
    assert isinstance(table.verdict(mark), Question)


def test_a_blurred_look_takes_nothing_from_what_was_read() -> None:
    table, mark = unread_third("H6")
    known = table.agreed.trick
    for seat in (1, 2, 3):
        table.cards[f"trick:{seat}"] = []
    every = [table.unread(f"trick:{seat}") for seat in (1, 2, 3)]
    table.see(mark, *every)
    assert table.agreed.trick == known
    # Nothing is asked of a trick that lies there, even where a card of it is not seen at all.
    assert not isinstance(table.verdict(mark, *every), Question)
    assert not isinstance(table.verdict(*every[:1]), Question)
    table.see(mark)
    assert isinstance(gathered(table).choices[0].verdict, Accepted)


def test_a_trick_of_which_nothing_is_read_is_asked_for_card_by_card() -> None:
    table = playing()
    marks = [table.unread(f"trick:{seat}") for seat in range(1, 5)]
    table.see(*marks)
    assert [seat for seat, _ in table.agreed.trick] == [2, 3, 4, 1]
    assert not isinstance(table.verdict(*marks), Question)
    table.see(*marks[1:])
    assert len(table.agreed.trick) == 3
    table.see(*marks)
    assert str(gathered(table).text) == "Which card did Emmy play?"


def test_cards_that_prove_a_revoke_come_last_with_the_ways_out() -> None:
    table = playing()
    trick(table, "H3", "H4", "B9", "H5")
    table.gather(1)
    trick(table, "S9", "S8", "S6")
    table.see(table.unread("trick:4", "H6"))
    asked = gathered(table)
    by_text = dict(zip(texts(asked), (choice.verdict for choice in asked.choices), strict=True))
    assert isinstance(asked.choices[0].verdict, Accepted)
    proved = by_text["Heart 6"]
    assert isinstance(proved, Question)
    assert str(proved.text) == "Mary did not follow heart in trick 1, so heart 6 can't be in that hand now."
    assert [choice.verdict.move for choice in proved.choices] == [BackTo(1), Annul()]
    assert texts(asked)[-1].startswith("Heart")


def test_a_read_card_that_proves_a_revoke_after_an_unread_one_is_said_with_its_ways_out() -> None:
    table = playing()
    trick(table, "H3", "H4", "B9", "H5")
    table.gather(1)
    trick(table, "S9", "S8")
    mark = table.unread("trick:3")
    table.lay("trick:4", "H6")
    table.see(mark)
    gathered(table)
    table.session.tell(play(3, "S6"))
    assert table.see() == [("revoke",)]
    assert [move for _, move in REFEREE.list_enterable_moves(table.agreed)] == [BackTo(1), Annul()]
    assert table.session.make_screen().choices[0] == "Back to trick 1, from its lead"


def test_an_old_trick_that_can_not_be_read_is_no_lead() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.take_trick()
    marks = [table.unread(f"trick:{seat}") for seat in range(1, 5)]
    table.see(*marks)
    assert table.agreed.trick == ()
    assert str(table.verdict(*marks).mend[0].text).startswith("Gather the trick")
    table.lay("seat:1", BACK)
    assert table.see() == []
    assert not isinstance(table.verdict(), Question)


def test_an_unread_packet_stops_a_lead_and_the_trick_is_still_understood() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.take_trick()
    packet = table.unread("seat:2", BACK)
    for seat, card in ((1, "H2"), (2, "HA"), (3, "B3"), (4, "C4")):
        table.lay(f"trick:{seat}", card)
        table.see(packet)
    verdict = table.verdict(packet)
    assert isinstance(verdict, CantSee)
    assert verdict.at_once
    table.gather(4)
    assert table.see(packet) == [play(1, "H2"), play(2, "HA"), play(3, "B3"), play(4, "C4")]


def test_journals_of_earlier_versions_are_read() -> None:
    table, _ = unread_third()
    assert {"trick"} == {key for entry in table.kept if entry.kind == NOTICED for key in entry.data}
    saved = table.agreed.to_json()
    del saved["trick"]
    assert REFEREE.read_state(saved, table.agreed, table.header.options).trick == ()
    again = table.agreed.to_json()
    assert REFEREE.read_state(again, table.agreed, table.header.options) == table.agreed


MARK: dict[str, Any] = {"x": 1, "y": 2, "cause": "glare", "candidates": ["H7"]}


@pytest.mark.parametrize(
    "data",
    [
        "H7",
        [[2]],
        [["2", "H7"]],
        [[3, "H7"]],
        [[1, "H7"], [4, "H8"]],
        [[4, "H7"], [4, "H8"]],
        [[5, "H7"]],
        [[True, "H7"]],
        [[4, "X7"]],
        [[4, None]],
        [[4, {**MARK, "x": "1"}]],
        [[4, {**MARK, "y": float("nan")}]],
        [[4, {**MARK, "cause": None}]],
        [[4, {**MARK, "candidates": "H7"}]],
        [[4, {**MARK, "candidates": [7]}]],
    ],
)
def test_what_can_not_lie_in_a_trick_is_refused(data: object) -> None:
    table = playing()
    trick(table, "H3", "H4")
    with pytest.raises(EntryError):
        REFEREE.apply_passive_changes(table.agreed, {"trick": data})
    assert REFEREE.apply_passive_changes(table.agreed, {"trick": [[4, MARK]]}).trick[0][1].candidates == ("H7",)


# Packets that can't be read either


def test_a_lead_that_can_not_be_read_is_no_card_of_the_trick_before_once_another_lies_there() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    table.see()
    first = table.session.position.round.seat
    table.cards["seat:1"].clear()
    marks = (table.unread("seat:1"), table.unread(f"trick:{first}"))
    table.see(*marks)
    laid = {first % 4 + 1: "C8", (first + 1) % 4 + 1: "C9", (first + 2) % 4 + 1: "C10"}
    for seat, name in laid.items():
        table.lay(f"trick:{seat}", name)
        assert table.see(*marks) == []
        assert isinstance(table.verdict(*marks), CantSee)
    assert [seat for seat, _ in table.agreed.trick] == [first, *laid]


@pytest.mark.parametrize("packet", [(), ("O7", "F12")])
def test_a_trick_is_gathered_too_where_an_old_packet_can_not_be_read_and_the_next_card_is_led(
    packet: tuple[str, ...],
) -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    table.see()
    first = table.session.position.round.seat
    table.cards["seat:1"].clear()
    marks = (table.unread("seat:1", *packet, number=1), table.unread(f"trick:{first}"))
    for seat, name in ((first % 4 + 1, "C8"), ((first + 1) % 4 + 1, "C9"), ((first + 2) % 4 + 1, "C10")):
        table.lay(f"trick:{seat}", name)
        table.see(*marks)
    table.gather(1)
    table.lay(f"trick:{first}", "O8")
    assert table.see(marks[0]) == [], "this is no lead to the trick that was gathered"
    asked = table.verdict(marks[0])
    assert isinstance(asked, Question)
    assert asked.at_once
