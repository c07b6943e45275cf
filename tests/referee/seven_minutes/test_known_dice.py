"""Dice that lay there when a roll was refused or told are known until they are seen to have moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.seven_minutes.layout import row_spot
from referee.table import Die, Unread
from referee.verdict import Accepted
from rules.cards import Card
from rules.record import Header
from rules.seven_minutes.moves import Flip, Roll, Stop
from tests.referee.seven_minutes.test_at_the_table import LAYOUT, PLAYERS, RESTING, Table, dice

EARLY = dice(1, 1)


def flips(*names: str) -> list[object]:
    return [Flip(1, Card.parse(name)) for name in names]


def laid(table: Table, *names: str) -> None:
    table.row += [[name] for name in names]


def tell(table: Table, one: int, other: int) -> None:
    """Set a roll by down and the buttons."""
    table.session.press(Button.DOWN)
    for face in (one, other):
        for _ in range(face - 1):
            table.session.press(Button.DOWN)
        table.session.press(Button.CONFIRM)


def judged(table: Table) -> None:
    """Three cards lie there, and three rolls are due."""
    table.flip("H3", "B9", "S11")
    assert isinstance(table.confirm(), Accepted)


def again(table: Table) -> None:
    """Restart the program as after a power cut."""
    header = Header("seven_minutes", PLAYERS, {"first_seat": 1})
    table.session = Session.resume(header, [Entry.from_json(entry.to_json()) for entry in table.kept], LAYOUT)


# Too early


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("looked", [False, True])
@pytest.mark.parametrize("third", ["S9", "S7"])
def test_a_throw_in_the_look_that_shows_the_k_never_counts(looked: bool, restarted: bool, third: str) -> None:
    table = Table()
    table.flip("H3")
    laid(table, "FK")
    table.dice = EARLY
    assert table.see() == [*flips("FK"), "must_flip_more"]
    if looked:
        assert table.see() == []
    if restarted:
        again(table)
    laid(table, "O5", "B6", third)
    assert table.see() == flips("O5", "B6", third)
    assert table.see() == []
    table.dice = dice(1, 1, 80.0)
    stop = [] if third == "S7" else [Stop(1)]
    assert table.see() == [*stop, Roll(1, (1, 1))]


def test_it_is_said_once_while_the_three_cards_come_one_by_one() -> None:
    table = Table()
    table.flip("H3")
    laid(table, "FK")
    table.dice = EARLY
    assert table.see() == [*flips("FK"), "must_flip_more"]
    for name in ("O5", "B6", "S9"):
        laid(table, name)
        assert table.see() == flips(name)
    assert table.see() == []


def test_all_four_cards_in_one_look_may_be_followed_by_a_roll_in_it() -> None:
    table = Table()
    table.flip("H3")
    laid(table, "FK", "O5", "B6", "S9")
    table.dice = EARLY
    assert table.see() == [*flips("FK", "O5", "B6", "S9"), Stop(1), Roll(1, (1, 1))]


@pytest.mark.parametrize("cause", ["cocked", "hidden", "emblem", "doubtful"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_die_that_could_not_be_read_when_it_was_too_early_counts_no_more_once_it_can(cause: str, number: int) -> None:
    table = Table()
    # Half hidden, it seems to lie elsewhere.
    off = replace(EARLY[number], value=None, cause=cause, y=EARLY[number].y + 7.0 * (cause == "hidden"))
    table.dice = (EARLY[1 - number], off)
    assert table.see() == []
    table.flip("H3")
    table.dice = EARLY
    assert table.see() == []
    table.dice = dice(1, 1, 80.0)
    assert table.see() == [Stop(1), Roll(1, (1, 1))]


@pytest.mark.parametrize("seen", [EARLY[:1], (EARLY[0], Die(1000.0, 560.0, 1, "black"))])
def test_a_die_that_lay_alone_in_the_tray_when_it_was_too_early_tells_of_the_other(seen: Sequence[Die]) -> None:
    table = Table()
    table.dice = tuple(seen)
    assert table.see() == []
    table.flip("H3")
    table.dice = EARLY
    assert table.see() == []
    table.dice = dice(1, 1, 80.0)
    assert table.see() == [Stop(1), Roll(1, (1, 1))]


def test_a_hand_in_the_tray_makes_no_roll_of_dice_that_lay_there() -> None:
    table = Table()
    table.dice = EARLY
    assert table.see() == ["must_flip"]
    for covered in ((), EARLY[:1], EARLY[1:]):
        table.dice = covered
        assert table.see() == []
    table.flip("H3")
    for covered in (EARLY[:1], (), EARLY):
        table.dice = covered
        assert table.see() == []


def test_dice_taken_up_while_cards_are_demanded_are_thrown_after_them() -> None:
    table = Table()
    table.flip("FK")
    table.dice = ()
    laid(table, "O5", "B6", "S9")
    assert table.see() == flips("O5", "B6", "S9")
    table.dice = EARLY
    assert table.see() == [Stop(1), Roll(1, (1, 1))]


def test_a_throw_beside_a_card_that_may_be_the_last_one_demanded_waits_for_it() -> None:
    table = Table()
    table.flip("FK", "O5", "B6")
    table.unread, table.dice = (Unread(*row_spot(3, 0, REFERENCE_MAT_MM), 0.0, "glare"),), EARLY
    assert table.see() == []
    table.unread = ()
    laid(table, "S9")
    assert table.see() == [*flips("S9"), Stop(1), Roll(1, (1, 1))]


def test_a_throw_beside_a_card_that_can_not_be_the_last_one_demanded_is_too_early() -> None:
    table = Table()
    table.flip("FK", "O5")
    table.unread, table.dice = (Unread(*row_spot(2, 0, REFERENCE_MAT_MM), 0.0, "glare"),), EARLY
    assert table.see() == ["must_flip_more"]
    table.unread = ()
    laid(table, "B6", "S9")
    assert table.see() == flips("B6", "S9")
    assert table.see() == []


def test_a_throw_beside_a_misplaced_card_is_known_once_that_is_mended() -> None:
    table = Table()
    table.flip("FK")
    table.row, table.dice = [["FK", "O5"]], EARLY
    assert table.see() == ["wrong_place"]
    table.row = [["FK"], ["O5"], ["B6"], ["S9"]]
    assert table.see() == flips("O5", "B6", "S9")
    assert table.see() == []


def test_a_third_die_that_lay_there_and_is_taken_away_makes_no_roll() -> None:
    table = Table()
    table.dice = (*EARLY, Die(1100.0, 500.0, 2, "white"))
    assert table.see() == []
    table.flip("H3")
    table.dice = EARLY
    assert table.see() == []


def test_a_throw_too_many_is_known_to_the_next_player() -> None:
    table = Table()
    table.flip("S9", "H3", "C10")
    table.dice = dice(1, 2)
    assert table.see() == [Stop(1), Roll(1, (1, 2))]
    table.dice = (replace(dice(4, 4, 100.0)[0], value=None, cause="emblem"), dice(4, 4, 100.0)[1])
    assert table.see() == []
    table.row, table.piles = [["C10"]], [(1, "back")]
    assert isinstance(table.confirm(), Accepted)
    table.flip("B4")
    table.dice = dice(4, 4, 100.0)
    assert table.see() == []


# Told


HIDDEN = {
    "under a sleeve": lambda br, bl: (br,),
    "both under a sleeve": lambda br, bl: (),
    "half hidden": lambda br, bl: (br, replace(bl, value=None, cause="hidden", y=bl.y + 7.0)),
    "both half hidden": lambda br, bl: tuple(
        replace(die, value=None, cause="hidden", y=die.y + 7.0) for die in (br, bl)
    ),
    "no pips on top": lambda br, bl: (replace(br, value=None, cause="emblem"), bl),
    "neither can be read": lambda br, bl: tuple(replace(die, value=None, cause="doubtful") for die in (br, bl)),
    "leaning": lambda br, bl: (br, replace(bl, value=None, cause="cocked", x=bl.x + 7.0)),
    "beside the tray": lambda br, bl: (br, replace(bl, x=1000.0)),
    "not seen at all": lambda br, bl: RESTING,
}


@pytest.mark.few(5)
@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("how", HIDDEN)
def test_a_told_roll_counts_once_however_its_dice_show_and_the_next_one_counts(how: str, restarted: bool) -> None:
    table = Table()
    judged(table)
    thrown = dice(4, 1)
    table.dice = HIDDEN[how](*thrown)
    table.see()
    tell(table, 4, 1)
    assert table.session.position.rolls == ((4, 1),)
    if restarted:
        again(table)
    assert Roll not in {type(one) for one in table.see()}
    for seen in (thrown[:1], thrown, (), thrown[1:], thrown):
        table.dice = seen
        assert table.see() == []
    table.dice = dice(4, 1, 80.0)
    assert table.see() == [Roll(1, (4, 1))]


@pytest.mark.parametrize("how", [how for how in HIDDEN if how not in ("both under a sleeve", "not seen at all")])
def test_the_next_throw_after_a_told_one_counts_even_where_nobody_looked_between(how: str) -> None:
    table = Table()
    judged(table)
    table.dice = HIDDEN[how](*dice(1, 4))
    table.see()
    tell(table, 1, 4)
    table.dice = dice(4, 6, 80.0)
    assert table.see() == [Roll(1, (4, 6))]


def test_what_lay_there_when_a_roll_was_told_is_known_beside_a_card_that_can_not_be_read() -> None:
    table = Table()
    judged(table)
    table.unread = (Unread(*row_spot(3, 0, REFERENCE_MAT_MM), 0.0, "glare"),)
    table.dice = HIDDEN["neither can be read"](*dice(1, 4))
    assert table.see() == []
    tell(table, 1, 4)
    table.dice = dice(1, 4, 80.0)
    assert table.see() == [Roll(1, (1, 4))]


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("how", ["leaning", "both leaning", "half hidden", "no pips on top", "neither can be read"])
def test_a_roll_told_after_a_throw_that_was_taken_up_counts_once(how: str, restarted: bool) -> None:
    table = Table()
    judged(table)
    leaning = {"both leaning": lambda br, bl: tuple(replace(die, value=None, cause="cocked") for die in (br, bl))}
    table.dice = {**HIDDEN, **leaning}[how](*dice(4, 3))
    table.see()
    table.dice = ()
    assert table.see() == []
    tell(table, 4, 3)
    if restarted:
        again(table)
    for seen in ((), dice(4, 3, 60.0), dice(4, 3, 60.0)):
        table.dice = seen
        assert table.see() == []
    assert table.session.position.rolls == ((4, 3),)
    table.dice = dice(4, 3, 120.0)
    assert table.see() == [Roll(1, (4, 3))]


def test_a_throw_that_does_not_lie_flat_is_not_the_told_one_though_it_lies_there_still() -> None:
    table = Table()
    judged(table)
    table.dice = HIDDEN["leaning"](*dice(4, 3))
    assert table.see() == ["cocked_die"]
    tell(table, 4, 3)
    table.dice = dice(4, 3, 60.0)
    assert table.see() == []
    assert table.session.position.rolls == ((4, 3),)


def test_a_throw_that_a_hand_covered_counts_once_it_can_be_read() -> None:
    table = Table()
    judged(table)
    for seen in (HIDDEN["half hidden"](*dice(4, 3)), ()):
        table.dice = seen
        assert table.see() == []
    table.dice = dice(4, 3)
    assert table.see() == [Roll(1, (4, 3))]


def test_a_throw_that_shows_other_faces_than_the_told_one_which_nobody_saw_is_the_next() -> None:
    table = Table()
    judged(table)
    table.dice = ()
    table.see()
    tell(table, 1, 4)
    table.dice = dice(4, 6, 80.0)
    assert table.see() == [Roll(1, (4, 6))]


def test_a_hand_over_half_a_die_and_a_die_knocked_off_the_tray_make_no_throw() -> None:
    table = Table()
    judged(table)
    table.dice = dice(1, 1)
    assert table.see() == [Roll(1, (1, 1))]
    one, other = table.dice
    table.dice = (one, replace(other, value=None, cause="hidden", y=other.y + 7.0))
    assert table.see() == []
    table.dice = (one, replace(other, x=1000.0))
    assert table.see() == ["cocked_die"]
    # Neither is what is told next, though nobody saw that one.
    tell(table, 1, 1)
    table.dice = dice(1, 1, 80.0)
    assert table.see() == []


@pytest.mark.parametrize("faces", [(1, 4), (4, 6)])
def test_a_roll_taken_back_by_mistake_and_told_again_swallows_nothing(faces: tuple[int, int]) -> None:
    table = Table()
    judged(table)
    table.dice = dice(1, 4)
    assert table.see() == [Roll(1, (1, 4))]
    table.session.press(Button.UP)
    tell(table, 1, 4)
    assert table.session.position.rolls == ((1, 4),)
    assert table.see() == []
    table.dice = dice(*faces, 80.0)
    assert table.see() == [Roll(1, faces)]


def test_a_bumped_die_taken_back_is_not_the_roll_told_next() -> None:
    table = Table()
    judged(table)
    table.dice = (RESTING[0], dice(1, 4)[1])
    assert table.see() == [Roll(1, (1, 4))]
    table.session.press(Button.UP)
    tell(table, 4, 6)
    table.dice = dice(4, 6, 80.0)
    assert table.see() == []
    table.dice = dice(4, 6, 120.0)
    assert table.see() == [Roll(1, (4, 6))]


def test_a_told_roll_that_strikes_counts_no_more_while_its_cards_are_taken_or_after() -> None:
    table = Table()
    judged(table)
    table.dice = dice(1, 2)[:1]
    table.see()
    tell(table, 1, 2)
    assert table.session.position.phase == "flip"
    table.dice = dice(1, 2)
    assert table.see() == []
    table.row, table.piles = [["B9"], ["S11"]], [(1, "back")]
    assert isinstance(table.confirm(), Accepted)
    laid(table, "C4")
    assert table.see() == [Flip(2, Card.parse("C4"))]
    assert table.see() == []


def test_a_roll_of_another_place_is_told_and_first_shows_after_the_next_flip() -> None:
    table = Table()
    table.flip("H3", "B9")
    assert isinstance(table.confirm(), Accepted)
    tell(table, 1, 2)
    table.row, table.piles = [["B9"]], [(1, "back")]
    assert isinstance(table.confirm(), Accepted)
    laid(table, "C4")
    table.dice = dice(1, 2)
    assert table.see() == [Flip(2, Card.parse("C4"))]
    assert table.see() == []
