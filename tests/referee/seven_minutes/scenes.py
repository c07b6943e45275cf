"""Tables of Seven Minutes and all that is said to them, word for word.

``python -m tests.referee.seven_minutes.scenes`` writes down what is said now. Read the difference!
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from device.hardware.buttons import Button
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_minutes.layout import row_spot
from referee.seven_minutes.referee import REFEREE
from referee.table import Die, Unread
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict, Waiting
from rules.text import Language, Text
from tests.referee.seven_minutes.test_at_the_table import LAYOUT, Table, dice, struck
from ui.screen_state import ScreenState

TOLD = Path(__file__).with_name("told.txt")
Scene = Callable[[Table], None]
SCENES: dict[str, Scene] = {}


def scene(play: Scene) -> Scene:
    SCENES[play.__name__.replace("_", " ")] = play
    return play


def unread(place: int, card: int = 0, cause: str = "glare", *likely: str) -> Unread:
    return Unread(*row_spot(place, card, REFERENCE_MAT_MM), 0.0, cause, likely)


def at_seat(seat: int, name: str, shift: float = 120.0) -> Placed:
    x0, y0, x1, y1 = LAYOUT.seat_rect(seat)
    return Placed(name, (x0 + x1) / 2 + shift, (y0 + y1) / 2, 0.0)


def flip_each(table: Table, *names: str) -> None:
    for name in names:
        table.flip(name)


def taken_up(table: Table) -> None:
    """Hilbert has taken star 9 face up."""
    table.flip("S9")
    table.dice = dice(1, 1)
    table.see()
    table.row, table.piles = [], [(1, "S9")]
    assert isinstance(table.confirm(), Accepted)


def both_piles(table: Table) -> None:
    """Hilbert has star 9 face up, Banach star 8 face down; Hilbert flips."""
    taken_up(table)
    table.flip("S8")
    table.dice = dice(4, 4, 80.0)
    table.see()
    table.row = []
    table.piles.append((2, "back"))
    assert isinstance(table.confirm(), Accepted)


# Flipping


@scene
def nothing_flipped_yet(table: Table) -> None:
    pass


@scene
def one_card(table: Table) -> None:
    table.flip("S9")


@scene
def stacked_and_a_long_row(table: Table) -> None:
    flip_each(table, "S9", "H3", "C10", "T12", "B9", "HA", "C4", "B5", "O8")


@scene
def the_king(table: Table) -> None:
    flip_each(table, "S9", "FK")


@scene
def the_king_and_two(table: Table) -> None:
    flip_each(table, "S9", "FK", "H3", "O7")


@scene
def the_king_and_a_seven(table: Table) -> None:
    flip_each(table, "FK", "H3", "O7", "C4")


@scene
def a_seven(table: Table) -> None:
    flip_each(table, "S9", "O7")


@scene
def a_card_beside_the_row(table: Table) -> None:
    table.flip("S9")
    table.extra = [Placed("C4", 400.0, 560.0, 0.0)]


@scene
def a_card_past_a_gap(table: Table) -> None:
    table.flip("S9")
    table.row = [["S9"], [], ["C4"]]


@scene
def a_card_on_another_rank(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.row = [["S9", "C4"], ["H3"]]


@scene
def a_card_beside_its_rank(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.row = [["S9"], ["H3"], ["B9"]]


@scene
def two_new_cards_of_one_rank_side_by_side(table: Table) -> None:
    table.row = [["S9"], ["B9"]]


@scene
def a_card_before_the_row(table: Table) -> None:
    table.flip("S9")
    table.row = [["C4"], ["S9"]]


@scene
def two_cards_of_two_ranks_on_one_new_place(table: Table) -> None:
    table.flip("S9")
    table.row = [["S9"], ["C4", "B5"]]


@scene
def flipped_after_a_seven(table: Table) -> None:
    flip_each(table, "S9", "O7")
    table.row.append(["C4"])


@scene
def flipped_while_rolling(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.confirm()
    table.row = [["S9", "B9"], ["H3"]]


@scene
def in_which_order(table: Table) -> None:
    table.flip("S9")
    table.row = [["S9", "B9"], ["FK"]]


@scene
def in_which_order_answered(table: Table) -> None:
    in_which_order(table)
    table.confirm()
    table.session.press(Button.DOWN)
    table.session.press(Button.CONFIRM)


# What can't be read


@scene
def an_unread_card_at_the_end(table: Table) -> None:
    table.flip("S9")
    table.unread = (unread(1),)


@scene
def an_unread_card_of_the_row(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.row, table.unread = [[], ["H3"]], (unread(0),)


@scene
def an_unread_card_that_can_not_be_the_one_gone(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.row, table.unread = [[], ["H3"]], (unread(0, 0, "blurred", "C4", "C5"),)


@scene
def an_unread_stacked_card(table: Table) -> None:
    flip_each(table, "S9", "H3", "B9")
    table.row, table.unread = [["S9"], ["H3"]], (unread(0, 1),)


@scene
def an_unread_card_where_all_are_gone(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.row, table.unread = [], (unread(0), unread(1))


@scene
def an_unread_single_card(table: Table) -> None:
    table.flip("S9")
    table.row, table.unread = [], (unread(0),)


@scene
def an_unread_last_card(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.row, table.unread = [["S9"]], (unread(1),)


@scene
def an_unread_draw_pile(table: Table) -> None:
    table.flip("S9")
    table.unread = (Unread(71.0, 420.0, 0.0, "doubtful", ("back", "S8")),)


@scene
def an_unread_card_on_the_draw_pile(table: Table) -> None:
    table.flip("S9")
    table.unread = (Unread(71.0, 420.0, 0.0, "doubtful", ("S8",)),)


@scene
def unread_piles(table: Table) -> None:
    both_piles(table)
    up, down = at_seat(1, "", 50.0), at_seat(2, "", -50.0)
    table.piles = []
    table.unread = (Unread(up.x, up.y, 0.0, "glare"), Unread(down.x, down.y, 0.0, "glare", ("back",)))


@scene
def unread_piles_that_are_something_else(table: Table) -> None:
    both_piles(table)
    up, down = at_seat(1, "", 50.0), at_seat(2, "", -50.0)
    table.piles = []
    table.unread = (Unread(up.x, up.y, 0.0, "glare", ("C4",)), Unread(down.x, down.y, 0.0, "glare", ("C5",)))


@scene
def an_unread_card_in_an_empty_area(table: Table) -> None:
    table.flip("S9")
    spot = at_seat(2, "")
    table.unread = (Unread(spot.x, spot.y, 0.0, "covered"),)


# A table that was disturbed


@scene
def a_card_of_the_row_gone_before_anything_was_flipped(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]
    table.confirm()
    table.row = []


@scene
def the_row_in_another_order(table: Table) -> None:
    flip_each(table, "S9", "H3", "C10")
    table.row = [["H3"], ["S9"], ["C10"]]


@scene
def a_stack_torn_apart(table: Table) -> None:
    flip_each(table, "S9", "H3", "B9")
    table.row = [["S9"], ["H3"], ["B9"]]


@scene
def two_stacks_on_one_place(table: Table) -> None:
    flip_each(table, "S9", "H3", "C10")
    table.row = [["S9", "H3"], ["C10"]]


@scene
def a_card_turned_over_in_the_row(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]
    table.confirm()
    table.row = [["back"]]


@scene
def a_new_card_in_an_area(table: Table) -> None:
    table.flip("S9")
    table.extra = [at_seat(2, "C4")]


@scene
def a_back_in_an_area(table: Table) -> None:
    table.flip("S9")
    table.extra = [at_seat(2, "back")]


@scene
def a_face_up_card_on_the_draw_pile(table: Table) -> None:
    table.flip("S9")
    table.extra = [Placed("C4", 72.0, 421.0, 0.0)]


@scene
def a_card_in_the_tray(table: Table) -> None:
    table.flip("S9")
    table.extra = [Placed("C4", 1120.0, 420.0, 0.0)]


@scene
def a_taken_card_in_the_row(table: Table) -> None:
    both_piles(table)
    table.flip("C4")
    table.row.append(["S8"])


@scene
def a_taken_card_in_another_area(table: Table) -> None:
    both_piles(table)
    table.piles = [(2, "S9"), (2, "back")]


@scene
def the_piles_gone(table: Table) -> None:
    both_piles(table)
    table.piles = []


@scene
def a_taken_card_turned_up(table: Table) -> None:
    both_piles(table)
    table.piles = [(1, "S9"), (2, "S8")]


# Dice


@scene
def stopped(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.confirm()


@scene
def a_roll_that_strikes_nothing(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.dice = dice(5, 5)


@scene
def a_roll_too_early(table: Table) -> None:
    table.dice = dice(5, 5)


@scene
def a_roll_within_the_kings_three(table: Table) -> None:
    flip_each(table, "FK", "S9")
    table.dice = dice(5, 5)


@scene
def a_cocked_die(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.dice = dice(5, None)


@scene
def a_cocked_die_while_the_row_is_disturbed(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.row, table.dice = [["H3"], ["S9"]], dice(5, None)


@scene
def a_cocked_die_before_the_first_flip(table: Table) -> None:
    table.dice = dice(5, None)


@scene
def a_die_off_the_tray(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.dice = (dice(5, 5)[0], Die(900.0, 560.0, 4, "black"))


@scene
def three_dice(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.confirm()
    table.dice = (*dice(3, 4), Die(1100.0, 500.0, 2, "white"))


@scene
def one_die(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.confirm()
    table.dice = dice(3, 4)[:1]


@scene
def a_die_without_pips(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.confirm()
    table.dice = dice(3, None, cause="emblem")


@scene
def a_die_without_pips_that_has_not_moved(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.confirm()
    table.dice = tuple(replace(die, value=None, cause="emblem") for die in table.dice)


@scene
def the_roll_menu(table: Table) -> None:
    stopped(table)
    table.session.press(Button.DOWN)


@scene
def the_roll_menu_at_the_second_die(table: Table) -> None:
    the_roll_menu(table)
    table.session.press(Button.DOWN)
    table.session.press(Button.CONFIRM)


@scene
def a_roll_taken_back(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.dice = dice(5, 5)
    table.see()
    table.session.press(Button.UP)


@scene
def a_roll_taken_back_whose_cards_were_taken(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]
    table.see()
    table.session.press(Button.UP)


@scene
def a_flip_taken_back(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.session.judge.undo()


# Taking


@scene
def cards_to_take(table: Table) -> None:
    struck(table)


@scene
def cards_to_take_while_hands_cover_the_dice(table: Table) -> None:
    struck(table)
    table.dice = ()


@scene
def a_whole_row_to_take(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.dice = dice(1, 1)
    table.see()
    table.dice = dice(1, 1, 80.0)


@scene
def many_cards_to_take(table: Table) -> None:
    flip_each(table, "S9", "H3", "C10", "T12", "B9", "C4", "B5", "O8", "O7")
    table.dice = dice(6, 1)


@scene
def cards_in_hand(table: Table) -> None:
    struck(table)
    table.row = [["C10"]]


@scene
def some_cards_left(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["H3"], ["C10"]], [(1, "back")]


@scene
def a_card_too_many_taken(table: Table) -> None:
    struck(table)
    table.row, table.piles = [], [(1, "back")]


@scene
def taken_on_the_wrong_side(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "H3")]


@scene
def a_whole_row_taken_on_the_wrong_side(table: Table) -> None:
    table.flip("S9")
    table.dice = dice(1, 1)
    table.see()
    table.row, table.piles = [], [(1, "back")]


@scene
def taken_into_another_area(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["C10"]], [(2, "back")]


@scene
def taken_face_up_into_another_area(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["C10"]], [(2, "H3")]


@scene
def taken_and_a_strange_card_lies_there(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]
    table.extra = [at_seat(2, "C4")]


@scene
def taken_and_unread(table: Table) -> None:
    struck(table)
    table.row = [["C10"]]
    spot = at_seat(1, "")
    table.unread = (Unread(spot.x, spot.y, 0.0, "blurred"),)


@scene
def taken_over_the_face_up_pile(table: Table) -> None:
    both_piles(table)
    table.flip("C4")
    table.dice = dice(2, 2, 120.0)
    table.see()
    table.row, table.piles = [], [(1, "back"), (2, "back")]


@scene
def a_roll_too_many(table: Table) -> None:
    struck(table)
    table.dice = dice(2, 2, 120.0)


@scene
def taken_rightly(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]


@scene
def taken_and_flipped_on_before_confirm(table: Table) -> None:
    struck(table)
    table.row, table.piles = [["C10"], ["B4"]], [(1, "back")]


@scene
def taken_and_flipped_on_and_answered(table: Table) -> None:
    taken_and_flipped_on_before_confirm(table)
    assert isinstance(table.confirm(), Question)
    table.session.press(Button.DOWN)
    assert isinstance(table.session.press(Button.CONFIRM), Accepted)


@scene
def taken_before_the_rolls(table: Table) -> None:
    stopped(table)
    table.row, table.piles = [["H3"]], [(1, "back")]


@scene
def taken_before_the_rolls_and_laid_elsewhere(table: Table) -> None:
    stopped(table)
    table.row, table.piles = [["H3"]], [(2, "back")]


@scene
def taken_without_a_stop(table: Table) -> None:
    flip_each(table, "S9", "H3")
    table.row, table.piles = [["S9"]], [(1, "H3")]


@scene
def stopped_while_a_pile_is_gone(table: Table) -> None:
    both_piles(table)
    table.flip("C4")
    table.piles = [(2, "back")]


@scene
def taken_while_another_pile_is_gone(table: Table) -> None:
    both_piles(table)
    table.flip("C4")
    table.dice = dice(2, 2, 120.0)
    table.see()
    table.row, table.piles = [], [(1, "S9"), (1, "back")]


@scene
def a_roll_while_the_row_is_disturbed(table: Table) -> None:
    table.flip("S9")
    flip_each(table, "H3")
    table.confirm()
    table.row, table.dice = [["H3"], ["S9"]], dice(5, 5)


@scene
def a_first_roll_while_the_row_is_disturbed(table: Table) -> None:
    table.flip("S9")
    flip_each(table, "H3")
    table.row, table.dice = [["H3"], ["S9"]], dice(5, 5)


@scene
def a_roll_while_a_strange_card_lies_there(table: Table) -> None:
    stopped(table)
    table.extra, table.dice = [at_seat(2, "C4")], dice(5, 5)


@scene
def a_last_roll_and_all_taken_at_once(table: Table) -> None:
    table.flip("S9")
    table.confirm()
    table.row, table.piles, table.dice = [], [(1, "S9")], dice(5, 5)


@scene
def a_roll_that_leaves_more_than_is_there(table: Table) -> None:
    flip_each(table, "S9", "H3", "C10")
    table.confirm()
    table.row, table.dice = [["C10"]], dice(4, 5)


@scene
def the_ace_takes_what_is_farther(table: Table) -> None:
    flip_each(table, "S9", "HA", "C10")
    table.dice = dice(5, 5)


@scene
def two_early_rolls(table: Table) -> None:
    table.dice = dice(5, 5)
    table.see()
    table.dice = dice(5, 5, 90.0)


@scene
def flipped_after_an_early_roll(table: Table) -> None:
    table.dice = dice(5, 5)
    table.see()
    table.flip("S9")


@scene
def an_early_roll_with_the_first_flip(table: Table) -> None:
    table.dice, table.row = dice(5, 5), [["S9"]]


@scene
def a_die_that_can_not_be_read_with_the_first_flip(table: Table) -> None:
    table.flip("S9")
    table.dice = dice(5, None, cause="hidden")


# What is said


def lines(verdict: Verdict) -> Iterator[str]:
    match verdict:
        case Accepted():
            yield f"accepted {verdict.move}{' at once' * verdict.at_once}{' without trace' * verdict.without_trace}"
            yield f"  {verdict.after.position!r} {REFEREE.save_details(verdict.after)}"
            for text in verdict.sentences:
                yield from (f"  {text}", f"  {text.said(Language.JA)}")
        case Refused():
            yield f"refused {' '.join((verdict.refusal.code, *verdict.refusal.also))}{' at once' * verdict.at_once}"
            for reason in verdict.reasons:
                yield from (f"  {reason.code} {' '.join(map(str, reason.cards))}", f"    {reason.text}")
                yield f"    {reason.text.said(Language.JA)}"
            for mend in verdict.mend:
                yield from (
                    f"  - {mend.item}: {mend.source} > {mend.target}",
                    f"    {mend.text}",
                    f"    {mend.text.said(Language.JA)}",
                )
        case Question():
            yield from (f"question {verdict.text}", f"  {verdict.text.said(Language.JA)}")
            for choice in verdict.choices:
                yield from (
                    f"  * {choice.text} {choice.text.said(Language.JA)}",
                    *(f"    {line}" for line in lines(choice.verdict)),
                )
        case CantSee():
            yield "can't see"
            yield from (f"  {spot.place} at {spot.x:.0f} {spot.y:.0f}: {spot.cause}" for spot in verdict.spots)
            yield from (f"  {verdict.text}", f"  {verdict.text.said(Language.JA)}")
        case Waiting():
            yield "waiting"
            for text in verdict.sentences:
                yield from (f"  {text}", f"  {text.said(Language.JA)}")
            yield from (f"  - {mend.item}: {mend.source} > {mend.target} {mend.text}" for mend in verdict.mend)
            if verdict.pressed is not None:
                yield from (f"  pressed {line}" for line in lines(verdict.pressed))


def does(shown: ScreenState, words: Text) -> str:
    """Return these words, where a button says that it does that."""
    said, own = words.said(shown.language), shown.buttons
    return said if own is not None and (own.up.endswith(said) or own.down.endswith(said)) else ""


def screens(table: Table) -> Iterator[str]:
    for language in (Language.EN, Language.JA):
        table.session.speak(language)
        shown = table.session.make_screen()
        up, down = does(shown, REFEREE.up_words), does(shown, REFEREE.down_words)
        brief = getattr(shown, "brief", "")
        yield f"{language.code} {shown.mood.value} up {up!r} down {down!r} brief {brief!r}"
        yield f"  {shown.headline}"
        yield from (f"  . {text}" for text in shown.details)
        yield from (f"  - {text}" for text in shown.put_back)
        yield from (f"  * {text}" for text in shown.choices)
        yield from (
            f"  {group.role.value} {group.words}: {' '.join(t.name for t in group.tiles)}"
            for group in getattr(shown, "tiles", ())
        )
    table.session.speak(Language.EN)


def told(name: str) -> str:
    """All that is said to that table: what settles, what is shown, and what confirm gives."""
    table = Table()
    SCENES[name](table)
    said = [f"## {name}", *(f"settled {one}" for one in table.see()), *screens(table)]
    comparison = REFEREE.compare(table.session.agreed, table.session.judge.view, LAYOUT)
    said.append(f"compared: disturbed {comparison.disturbed}, unread {comparison.unread}")
    said += [f"  {text} {text.said(Language.JA)}" for text in comparison.told]
    said += [
        f"  - {mend.item}: {mend.source} > {mend.target} {mend.text} {mend.text.said(Language.JA)}"
        for mend in comparison.mends
    ]
    if not table.session.make_screen().choices:
        said += [f"confirm: {line}" for line in lines(table.confirm())]
        said += screens(table)
    return "\n".join(line.rstrip() for line in said) + "\n"


def recorded() -> dict[str, str]:
    """Return what was written down, by the scene."""
    parts = TOLD.read_text(encoding="utf-8").split("## ")[1:]
    return {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in parts}


if __name__ == "__main__":
    TOLD.write_text("\n".join(map(told, SCENES)), encoding="utf-8")
