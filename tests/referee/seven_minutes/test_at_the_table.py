"""Seven Minutes at the table: what settles, what is told, what is refused, and what is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_minutes.layout import row_spot
from referee.seven_minutes.referee import REFEREE
from referee.seven_minutes.words import chance_of_hit, format_percent
from referee.simulation.registry import simulation_of
from referee.table import Detections, Die, Sighting, Unread
from referee.verdict import Accepted, CantSee, Refused, Verdict
from rules.cards import Card
from rules.record import Header, check_record
from rules.seven_minutes.moves import Flip, Roll, Setup, Stop
from rules.seven_minutes.row import Row
from tools.soak.any_game import Game

PLAYERS = ("Hilbert", "Banach")
LAYOUT = REFEREE.make_layout(2, REFERENCE_MAT_MM)
RESTING = (Die(1094.0, 399.0, 1, "brown"), Die(1106.0, 349.0, 4, "black"))


def dice(one: int | None, other: int | None, shift: float = 40.0, cause: str = "cocked") -> tuple[Die, ...]:
    """Both dice thrown to another place."""
    values = ((one, "brown", 1094.0, 399.0), (other, "black", 1106.0, 349.0))
    return tuple(
        Die(x, y + shift, value, colour, 1.0, "" if value is not None else cause) for value, colour, x, y in values
    )


class Table:
    """A table that the test lays card by card, and the session that looks at it."""

    def __init__(self) -> None:
        self.kept: list[Entry] = []
        header = Header("seven_minutes", PLAYERS, {"first_seat": 1})
        self.session = Session(REFEREE, header, LAYOUT, keep=self.kept.append)
        self.row: list[list[str]] = []
        self.piles: list[tuple[int, str]] = []
        self.extra: list[Placed] = []
        self.dice: tuple[Die, ...] = RESTING
        self.unread: tuple[Unread, ...] = ()
        assert isinstance(self.confirm(), Accepted)

    def cards(self) -> list[Placed]:
        cards = [Placed("back", 71.0, 420.0, 0.0), *self.extra]
        for place, names in enumerate(self.row):
            cards += [Placed(name, *row_spot(place, k, REFERENCE_MAT_MM), 0.0) for k, name in enumerate(names)]
        for seat, name in self.piles:
            x0, y0, x1, y1 = LAYOUT.seat_rect(seat)
            side = -50.0 if name == "back" else 50.0
            cards.append(Placed(name, (x0 + x1) / 2 + side, (y0 + y1) / 2, 0.0))
        return cards

    def view(self) -> object:
        seen = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in self.cards())
        return REFEREE.observe(Detections(seen, self.unread, self.dice), LAYOUT)

    def see(self) -> list[object]:
        """Return what settled by itself: moves, or the code of a fault."""
        settled = self.session.see(self.view())
        return [one.move if isinstance(one, Accepted) else one.refusal.code for one in settled]

    def confirm(self) -> Verdict:
        verdict = self.session.confirm(self.view())
        assert verdict is not None, "no menu is open"
        return verdict

    def flip(self, *names: str) -> None:
        """Lay cards where they belong, and have them seen."""
        for name in names:
            place = next((k for k, heap in enumerate(self.row) if heap[0][1:] == name[1:]), None)
            if place is None:
                self.row.append([name])
            else:
                self.row[place].append(name)
        assert self.see() == [Flip(self.session.position.seat, Card.parse(name)) for name in names]


@pytest.fixture
def table() -> Table:
    return Table()


def code(verdict: Verdict) -> str:
    assert isinstance(verdict, Refused), verdict
    return verdict.refusal.code


def test_dice_that_lie_there_from_the_beginning_are_no_roll(table: Table) -> None:
    table.flip("H3")
    assert table.see() == []
    assert isinstance(table.confirm(), Accepted)
    assert table.see() == []
    table.dice = tuple(replace(die, x=die.x + 1.0) for die in RESTING)
    assert table.see() == []


def test_the_first_roll_tells_the_stop(table: Table) -> None:
    table.flip("H3", "S9")
    table.dice = dice(2, 2)
    assert table.see() == [Stop(1), Roll(1, (2, 2))]
    assert table.see() == []


def test_the_same_faces_twice_are_two_rolls_where_the_dice_moved(table: Table) -> None:
    table.flip("H3", "S9", "C10")
    table.dice = dice(2, 2)
    assert table.see() == [Stop(1), Roll(1, (2, 2))]
    table.dice = dice(2, 2, 80.0)
    assert table.see() == [Roll(1, (2, 2))]


def test_dice_go_brown_and_black_in_whatever_order_they_are_seen(table: Table) -> None:
    table.flip("H3", "S9")
    table.dice = tuple(reversed(dice(1, 4)))
    assert table.see() == [Stop(1), Roll(1, (1, 4))]


def test_several_flips_in_one_look_come_in_the_order_that_the_rules_allow(table: Table) -> None:
    table.row = [["H3"], ["FK"], ["O7"], ["C9"], ["B9"]]
    table.row = [["H3"], ["FK"], ["O7"], ["C9", "B9"]]
    assert table.see() == [Flip(1, Card.parse(name)) for name in ("H3", "FK", "O7", "C9", "B9")]
    assert table.session.position.cause == "king_seven"


def test_a_card_beside_its_rank_or_on_another_is_refused_once_and_mended_without_a_word(table: Table) -> None:
    table.flip("H3", "S9")
    table.row = [["H3"], ["S9", "C4"]]
    assert table.see() == ["wrong_place"]
    assert table.see() == []
    table.row = [["H3"], ["S9"], ["C4"]]
    assert table.see() == [Flip(1, Card.parse("C4"))]
    table.row = [["H3"], ["S9"], ["C4"], ["F9"]]
    assert table.see() == ["wrong_place"]
    table.row = [["H3"], ["S9", "F9"], ["C4"]]
    assert table.see() == [Flip(1, Card.parse("F9"))]


def test_a_flip_after_a_seven_is_refused(table: Table) -> None:
    table.flip("H3", "O7")
    table.row.append(["C4"])
    assert table.see() == ["judgement_due"]
    assert any("draw pile" in str(mend.text) for mend in table.session.judge.shown.mend)  # type: ignore[union-attr]


def test_a_roll_before_the_first_flip_is_refused_and_forgotten(table: Table) -> None:
    table.dice = dice(3, 3)
    assert table.see() == ["must_flip"]
    table.flip("H3")
    assert table.see() == []
    table.dice = dice(3, 3, 90.0)
    assert table.see() == [Stop(1), Roll(1, (3, 3))]


def test_the_k_demands_three_cards_before_any_roll(table: Table) -> None:
    table.flip("FK")
    table.dice = dice(3, 3)
    assert table.see() == ["must_flip_more"]
    assert code(table.confirm()) == "must_flip_more"


def test_a_cocked_die_is_said_and_counts_for_nothing(table: Table) -> None:
    table.flip("H3", "S9")
    table.dice = dice(3, None)
    assert table.see() == ["cocked_die"]
    assert table.see() == []
    assert table.session.position.rolls == ()
    table.dice = dice(3, 3, 100.0)
    assert table.see() == [Stop(1), Roll(1, (3, 3))]


def test_a_die_that_cannot_be_seen_is_not_guessed(table: Table) -> None:
    table.flip("H3", "S9")
    table.dice = dice(3, None, cause="hidden")
    assert table.see() == []
    table.dice = dice(3, 4)
    assert table.see() == [Stop(1), Roll(1, (3, 4))]


def test_three_dice_are_no_roll(table: Table) -> None:
    table.flip("H3", "S9")
    table.dice = (*dice(3, 4), Die(1100.0, 500.0, 2, "white"))
    assert table.see() == []


def test_a_die_beside_the_tray_does_not_count(table: Table) -> None:
    table.flip("H3", "S9")
    table.dice = (dice(3, 4)[0], Die(1000.0, 560.0, 4, "black"))
    assert table.see() == ["cocked_die"]


def test_up_takes_a_bumped_die_back(table: Table) -> None:
    table.flip("H3", "S9")
    table.dice = dice(5, 6)
    assert table.see() == [Stop(1), Roll(1, (5, 6))]
    table.session.press(Button.UP)
    assert table.session.position.rolls == ()
    assert table.see() == []
    assert not table.session.checking
    table.dice = dice(5, 6, 100.0)
    assert table.see() == [Roll(1, (5, 6))]


def test_down_tells_a_roll_that_was_not_seen(table: Table) -> None:
    table.flip("H3", "S9")
    assert isinstance(table.confirm(), Accepted)
    table.session.press(Button.DOWN)
    assert "brown" in table.session.make_screen().headline.lower()
    table.session.press(Button.DOWN)
    table.session.press(Button.CONFIRM)
    assert "black" in table.session.make_screen().headline.lower()
    table.session.press(Button.DOWN)
    told = table.session.press(Button.CONFIRM)
    assert isinstance(told, Accepted)
    assert told.move == Roll(1, (2, 2))
    assert table.session.position.rolls == ((2, 2),)
    # What lies there now is that roll, even once it can be read.
    table.dice = dice(2, 2)
    assert table.see() == []
    table.dice = dice(5, 6, 100.0)
    assert table.see() == [Roll(1, (5, 6))]


def test_confirm_while_rolls_are_due_says_so(table: Table) -> None:
    table.flip("H3", "S9")
    assert isinstance(table.confirm(), Accepted)
    assert code(table.confirm()) == "judgement_due"


def struck(table: Table) -> None:
    """Strike the 3, so that the whole row up to it is to be taken face down."""
    table.flip("S9", "H3", "C10")
    table.dice = dice(1, 2)
    assert table.see() == [Stop(1), Roll(1, (1, 2))]


def test_what_the_roll_gives_is_taken_face_down(table: Table) -> None:
    struck(table)
    assert code(table.confirm()) == "wrong_take"
    table.row = [["C10"]]
    assert code(table.confirm()) == "table_disturbed"
    table.piles = [(1, "S9")]
    assert code(table.confirm()) == "wrong_side"
    table.piles = [(1, "back")]
    verdict = table.confirm()
    assert isinstance(verdict, Accepted)
    assert verdict.move is None
    assert table.session.position.points == (-2, 0)
    assert table.session.position.seat == 2
    table.row.append(["B4"])
    assert table.see() == [Flip(2, Card.parse("B4"))]


def test_other_cards_than_the_roll_gives_are_refused(table: Table) -> None:
    struck(table)
    table.row, table.piles = [], [(1, "back")]
    verdict = table.confirm()
    assert code(verdict) == "wrong_take"
    assert isinstance(verdict, Refused)
    assert Card.parse("C10") in verdict.refusal.cards


def test_a_roll_too_many_is_refused(table: Table) -> None:
    struck(table)
    table.dice = dice(4, 4, 100.0)
    assert table.see() == ["too_many_rolls"]
    table.row, table.piles = [["C10"]], [(1, "back")]
    assert isinstance(table.confirm(), Accepted)
    table.row.append(["B4"])
    assert table.see() == [Flip(2, Card.parse("B4"))]
    assert table.see() == []


def test_cards_taken_before_the_last_roll_are_refused(table: Table) -> None:
    table.flip("S9", "H3")
    assert isinstance(table.confirm(), Accepted)
    table.row = [["H3"]]
    assert code(table.confirm()) == "rolls_missing"


def test_a_row_that_no_roll_strikes_is_taken_face_up(table: Table) -> None:
    table.flip("S9")
    table.dice = dice(1, 1)
    assert table.see() == [Stop(1), Roll(1, (1, 1))]
    table.row, table.piles = [], [(1, "back")]
    assert code(table.confirm()) == "wrong_side"
    table.piles = [(1, "S9")]
    assert isinstance(table.confirm(), Accepted)
    assert table.session.position.points == (1, 0)


def test_a_card_that_cannot_be_read_stands_for_what_lay_there(table: Table) -> None:
    table.flip("S9", "H3")
    x, y = row_spot(0, 0, REFERENCE_MAT_MM)
    table.row = [[], ["H3"]]
    table.unread = (Unread(x, y, 0.0, "glare"),)
    table.dice = dice(5, 5)
    assert table.see() == [Stop(1), Roll(1, (5, 5))]


def test_a_new_card_that_cannot_be_read_settles_nothing(table: Table) -> None:
    table.flip("S9")
    x, y = row_spot(1, 0, REFERENCE_MAT_MM)
    table.unread = (Unread(x, y, 0.0, "glare", ("H3",)),)
    assert table.see() == []
    assert isinstance(table.confirm(), CantSee)
    assert table.session.position.row == Row.from_cards([Card.parse("S9")])


def test_a_flip_is_taken_back_and_goes_onto_the_draw_pile(table: Table) -> None:
    table.flip("S9", "H3")
    table.session.judge.undo()
    assert table.see() == []
    checking = table.session.checking
    assert checking
    assert any("draw pile" in step for step in table.session.make_screen().put_back)
    table.row = [["S9"]]
    table.see()
    assert not table.session.checking
    assert table.session.position.row == Row.from_cards([Card.parse("S9")])


def test_a_game_goes_on_after_the_plug_was_pulled(table: Table) -> None:
    struck(table)
    header = Header("seven_minutes", PLAYERS, {"first_seat": 1})
    entries = [Entry.from_json(entry.to_json()) for entry in table.kept]
    table.session = Session.resume(header, entries, LAYOUT)
    assert table.see() == []
    table.row, table.piles = [["C10"]], [(1, "back")]
    assert isinstance(table.confirm(), Accepted)
    assert table.see() == []


def test_the_set_up_wants_the_draw_pile_alone() -> None:
    header = Header("seven_minutes", PLAYERS, {"first_seat": 2})
    session = Session(REFEREE, header, LAYOUT)

    def look(*cards: Placed) -> Verdict:
        seen = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in cards)
        verdict = session.confirm(REFEREE.observe(Detections(seen, (), RESTING), LAYOUT))
        assert verdict is not None, "no menu is open"
        return verdict

    pile = Placed("back", 71.0, 420.0, 0.0)
    assert code(look()) == "table_disturbed"
    assert code(look(pile, Placed("H3", 600.0, 420.0, 0.0))) == "table_disturbed"
    verdict = look(pile)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Setup()
    assert session.position.seat == 2


def test_the_chance_of_a_hit_is_counted_over_all_rolls() -> None:
    row = Row.from_cards(map(Card.parse, ("H7", "O2", "FK")))
    assert chance_of_hit(row) == pytest.approx(7 / 36)
    assert format_percent(0.0) == "0 %"
    assert format_percent(0.999) == "99 %"


def sessions(seeds: Sequence[int]) -> list[str]:
    return [fault for seed in seeds for fault in Game("seven_minutes", seed).play().faults]


def test_whole_games_with_mistakes_and_misread_looks_are_refereed() -> None:
    assert sessions(range(7000, 7006)) == []


def test_the_record_of_a_game_stands_its_check() -> None:
    game = Game("seven_minutes", 7100, misread=0.0)
    assert game.play().faults == []
    *verdicts, final = check_record(game.session.history.write_record())
    assert all(verdict["verdict"] == "accepted" for verdict in verdicts)
    assert final["reason"] == "deck_empty"


def test_simulated_dice_never_rest_where_they_lay() -> None:
    simulation = simulation_of(REFEREE, PLAYERS, {}, LAYOUT, Random(3))
    before = simulation.dice  # type: ignore[attr-defined]
    thrown = simulation._place_dice((1, 1), before)  # type: ignore[attr-defined]
    assert all(abs(a.x - b.x) + abs(a.y - b.y) > 5 for a in thrown for b in before)
