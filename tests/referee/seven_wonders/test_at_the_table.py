"""Seven Wonders at the table: rounds judged from one confirm, what is told and asked, what is refused."""

from __future__ import annotations

import pytest

from cli.replay import Confirmed
from device.hardware.buttons import Button
from device.session.judge import PRESSED_TWICE_S
from device.session.session import Session
from referee.history import Entry
from referee.placing import Placed
from referee.seven_wonders.referee import REFEREE
from referee.table import Unread
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict, Waiting
from rules.record import check_record
from rules.seven_wonders.cards import find_building
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Round
from rules.seven_wonders.state import AgePhase
from rules.seven_wonders.trade import Pay
from rules.text import Language
from tests.referee.seven_wonders.table import BOARDS, Table
from ui.screen_state import Mood

ALTAR, LOOM = find_building("altar"), find_building("loom")
DISCARD, STAGE = Act(Do.DISCARD), Act(Do.STAGE)
THREE = ("giza/a", "rhodes/a", "ephesos/a")


def build(name: str, left: int = 0, right: int = 0, free: bool = False) -> Act:
    return Act(Do.BUILD, find_building(name), Pay(left, right) if left or right else None, free)


def moved(verdict: Verdict) -> object:
    assert isinstance(verdict, Accepted), verdict
    return verdict.move


def first_round(table: Table) -> None:
    """Hilbert builds altar, the others discard."""
    table.lay(1, "altar")
    for seat in range(2, table.n + 1):
        table.discard(seat)
    assert isinstance(table.confirm(), Accepted)


# A round


def test_the_first_confirm_begins_the_first_age() -> None:
    table = Table(begun=False)
    assert moved(table.confirm()) == Deal(1)
    assert table.session.position.phase is AgePhase.ROUND


def test_a_round_is_settled_by_one_confirm() -> None:
    table = Table(("giza/a", "babylon/b", "halikarnassos/a"))
    table.lay(1, "altar")
    table.lay(2, "loom")
    table.discard(3)
    assert moved(table.confirm()) == Round((build("altar"), build("loom"), DISCARD))
    assert [city.coins for city in table.session.position.cities] == [3, 3, 6]
    assert [one.data["move"]["do"] for one in table.kept if one.kind == "move"] == ["deal", "round"]


def test_what_the_only_way_to_pay_is_goes_into_the_record() -> None:
    table = Table(("giza/a", "babylon/b", "ephesos/a"))
    table.lay(1, "scriptorium")
    table.discard(2)
    table.discard(3)
    assert moved(table.confirm()) == Round((build("scriptorium", right=2), DISCARD, DISCARD))
    assert table.session.history.write_record()[-1].count('"pay"') == 1
    *verdicts, _ = check_record(table.session.history.write_record())
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}


def test_a_stage_is_told_by_the_card_under_the_board() -> None:
    table = Table.at(THREE, 1, 1, Hilbert=(3, "stone_pit", ()))
    table.stage(1)
    table.discard(2)
    table.discard(3)
    assert moved(table.confirm()) == Round((STAGE, DISCARD, DISCARD))
    assert table.session.agreed.staged == ((1,), (), ())


def test_five_players_sit_where_the_page_says() -> None:
    table = Table(BOARDS)
    for seat, name in enumerate(("altar", "theater", "loom", "press", "glassworks"), 1):
        table.lay(seat, name)
    assert isinstance(table.confirm(), Accepted)
    assert (table.layout.city_spot(1, 0, 0)[0], table.layout.discard_spot(1)) == (146.5, (452.0, 626.0))
    assert table.layout.place_at(594.0, 631.0) == "pile"
    assert table.layout.place_at(594 - 155.0, 215.0) == "discard:3"


def test_what_lies_on_a_board_counts_for_nothing() -> None:
    table = Table()
    x, y = table.layout.locate_point(1, 40.0, 100.0)
    table.extra = [Placed("altar", x, y, 0.0), Placed("back1", x - 80.0, y, 0.0)]
    table.unread = (Unread(x, y + 3.0, 0.0, "doubtful"),)
    first_round(table)


# What is told, and asked


def asked_ways() -> Table:
    """Hilbert builds baths: both neighbours sell stone."""
    table = Table.at(("rhodes/a", "giza/a", "ephesos/a"), 1, 1, Noether=(3, "stone_pit", ()))
    table.lay(1, "baths")
    table.discard(2)
    table.discard(3)
    return table


def test_who_is_paid_is_asked_where_there_is_a_choice() -> None:
    table = asked_ways()
    asked = table.confirm()
    assert isinstance(asked, Question)
    assert [str(choice.text) for choice in asked.choices] == ["2 coins to Noether", "2 coins to Banach"]
    table.session.press(Button.DOWN)
    verdict = table.session.press(Button.CONFIRM)
    assert verdict is not None
    assert moved(verdict) == Round((build("baths", left=2), DISCARD, DISCARD))


def test_what_was_told_before_confirm_belongs_to_that_act() -> None:
    table = asked_ways()
    table.see()
    told = table.session.tell({"seat": 1, "pay": {"left": 2}})
    assert isinstance(told, Accepted)
    assert Confirmed(5.0, told).to_json() == {"t": 5.0, "verdict": "accepted"}
    again = Session.resume(table.session.history.header, [Entry.from_json(one.to_json()) for one in table.kept])
    assert again.agreed == table.session.agreed
    assert moved(table.confirm()) == Round((build("baths", left=2), DISCARD, DISCARD))
    assert table.session.agreed.told == ()


def test_what_was_told_wrongly_is_refused_and_can_be_told_anew() -> None:
    table = asked_ways()
    table.session.tell({"seat": 1, "pay": {"left": 2, "right": 1}})
    assert table.codes() == ("overpaid",)
    table.session.tell({"seat": 1, "pay": {"right": 1}})
    assert table.codes() == ("underpaid",)
    table.session.tell({"seat": 1, "pay": {"right": 2}})
    assert isinstance(table.confirm(), Accepted)


@pytest.mark.parametrize(
    "told",
    [
        {"seat": 4, "pay": {}},
        {"seat": 1},
        {"seat": 1, "pay": {"left": -1}},
        {"seat": 1, "pay": {"up": 1}},
        {"seat": 1, "free": "giza"},
        {"seat": 1, "free": "olympia", "pay": {}},
        {"do": "dance"},
    ],
)
def test_what_can_not_be_told_is_refused(told: dict[str, object]) -> None:
    verdict = asked_ways().session.tell(told)
    assert isinstance(verdict, Refused)
    assert verdict.refusal.code == "bad_record"


def olympia(coins: int, card: str, used: str = "") -> Table:
    """Hilbert has stage 2 of Olympia A and builds a card."""
    table = Table.at(("olympia/a", "giza/a", "rhodes/a"), 1, 3 + len(used.split()), Hilbert=(coins, used, (1, 1)))
    table.lay(1, card)
    table.discard(2)
    table.discard(3)
    return table


def test_olympia_is_asked_only_where_paying_is_possible_too_and_costs_coins() -> None:
    asked = olympia(3, "baths").confirm()
    assert isinstance(asked, Question)
    assert [str(choice.text) for choice in asked.choices] == ["2 coins to Banach", "Build it free, by Olympia"]
    assert moved(asked.choices[1].verdict) == Round((build("baths", free=True), DISCARD, DISCARD))
    assert moved(olympia(0, "baths").confirm()) == Round((build("baths", free=True), DISCARD, DISCARD))
    assert moved(olympia(3, "altar").confirm()) == Round((build("altar"), DISCARD, DISCARD))
    assert moved(olympia(3, "stockade").confirm()) == Round((build("stockade"), DISCARD, DISCARD))
    table = olympia(3, "baths")
    table.session.tell({"seat": 1, "free": "olympia"})
    assert moved(table.confirm()) == Round((build("baths", free=True), DISCARD, DISCARD))


def test_one_question_follows_the_other() -> None:
    table = Table.at(("rhodes/a", "giza/a", "olympia/a"), 1, 4, Noether=(3, "stone_pit", (1, 1)))
    table.lay(1, "baths")
    table.lay(3, "barracks")
    table.discard(2)
    first = table.confirm()
    assert isinstance(first, Question)
    second = table.session.press(Button.CONFIRM)
    assert isinstance(second, Question)
    assert str(second.text) == "How does Noether pay for barracks?"
    table.see()
    assert table.session.judge.question is second, "a further look leaves it open"
    table.session.press(Button.DOWN)
    verdict = table.session.press(Button.CONFIRM)
    assert verdict is not None
    assert moved(verdict) == Round((build("baths", right=2), DISCARD, build("barracks", free=True)))


# What is refused


def test_rules_come_before_the_table_and_only_those_cards_go_back() -> None:
    table = Table.at(THREE, 1, 1, Hilbert=(3, "altar", ()))
    table.lay(1, "altar")
    table.lay(2, "aqueduct")
    table.lay(3, "theater", "pawnshop")
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    assert (verdict.refusal.code, *verdict.refusal.also) == (
        "card_not_in_deck",
        "no_copy_left",
        "already_built",
        "cannot_produce",
        "two_cards",
    )
    assert [(mend.item, mend.source, mend.target) for mend in verdict.mend] == [
        ("pawnshop", "city:3", "hand:3"),
        ("altar", "city:1", "hand:1"),
        ("aqueduct", "city:2", "hand:2"),
    ]
    table.cities[0].built.pop()
    table.lay(1, "theater")
    table.cities[1].built = ["stockade"]
    table.cities[2].built = []
    assert table.codes() == ("cannot_produce", "nothing_laid")


def test_a_name_is_built_once_whatever_the_age_of_its_card() -> None:
    table = Table.at(THREE, 2, 0, Hilbert=(3, "loom", ()))
    table.lay(1, "loom")
    table.discard(2, 2)
    table.discard(3, 2)
    assert table.codes() == ("already_built",)
    table.cities[0].built = ["loom_2"]
    table.lay(1, "press")
    verdict = table.confirm()
    assert moved(verdict) == Round((build("press_2"), DISCARD, DISCARD))
    assert table.session.position.cities[0].cards == (LOOM, find_building("press_2"))


def test_table_codes() -> None:
    table = Table()
    table.lay(1, "altar")
    table.discard(2)
    assert table.codes() == ("nothing_laid",)
    table.discard(3)
    table.lay(3, "loom")
    assert table.codes() == ("two_cards",)
    table.cities[2].built = []
    table.extra = [Placed("theater", *table.layout.locate_point(1, 150.0, 340.0), 0.0)]
    assert table.codes() == ("card_outside",)
    table.extra = [Placed("back1", 594.0, 421.0, 0.0)]
    assert table.codes() == ("card_outside",)
    table.extra = []
    table.cities[1].spot = [(2, 0.0)]
    assert table.codes() == ("wrong_age",)
    table.cities[1].spot = [(1, 0.0)]
    assert isinstance(table.confirm(), Accepted)
    table.cities[0].built = []
    for seat in (1, 2, 3):
        table.lay(seat, "press")
    assert table.codes() == ("no_copy_left", "discard_not_gathered", "table_disturbed")


def test_a_face_down_card_within_a_city_is_outside_its_zones() -> None:
    table = Table()
    table.extra = [Placed("back1", *table.layout.city_spot(1, 2, 2), 0.0)]
    table.discard(2)
    table.discard(3)
    assert table.codes() == ("card_outside",)


def test_a_card_that_is_pushed_into_the_neighbours_city_goes_back() -> None:
    table = Table.at(THREE, 1, 1, Hilbert=(3, "altar", ()))
    table.cities[0].built, table.cities[1].built = [], ["altar"]
    for seat in (1, 2, 3):
        table.discard(seat)
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    assert verdict.refusal.code == "table_disturbed"
    assert [(mend.item, mend.target) for mend in verdict.mend] == [("altar", "city:1")]


def test_what_has_yet_to_be_laid_is_waited_for_until_confirm() -> None:
    table = Table()
    table.lay(1, "altar")
    table.see()
    verdict = REFEREE.judge(table.session.agreed, table.session.judge.view, table.layout)
    assert isinstance(verdict, Waiting)
    assert str(verdict.sentences[0]) == "Banach and Noether have yet to lay a card."
    assert table.codes() == ("nothing_laid",)


def test_every_refusal_and_question_has_a_screen_in_both_languages() -> None:
    for language in Language.all():
        for table in (asked_ways(), olympia(3, "baths")):
            table.session.speak(language)
            table.see()
            assert table.session.make_screen().headline
            table.confirm()
            assert len(table.session.make_screen().choices) == 2


# What can't be seen


def test_an_unread_card_is_never_guessed() -> None:
    table = Table()
    table.discard(2)
    table.discard(3)
    table.unread = (Unread(*table.layout.city_spot(1, 0, 0), 0.0, "glare", ("altar",)),)
    verdict = table.confirm()
    assert isinstance(verdict, CantSee)
    assert [(spot.place, spot.cause) for spot in verdict.spots] == [("city:1", "glare")]
    table.lay(2, "academy")
    assert table.codes() == ("two_cards", "cannot_see")


def test_the_one_card_that_a_round_waits_for_is_said_at_once() -> None:
    table = Table()
    table.discard(2)
    table.unread = (Unread(*table.layout.city_spot(1, 0, 0), 0.0, "glare", ("altar",)),)
    verdict = REFEREE.judge(table.session.agreed, table.view(), table.layout)
    assert isinstance(verdict, CantSee)
    assert not verdict.at_once, "Noether has yet to lay a card"
    table.discard(3)
    verdict = REFEREE.judge(table.session.agreed, table.view(), table.layout)
    assert isinstance(verdict, CantSee)
    assert verdict.at_once


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("place", "name", "move"),
    [
        ("city", "Altar", build("altar")),
        ("wonder", "A face-down card of age 1", STAGE),
        ("spot", "A face-down card of age 1", DISCARD),
    ],
)
def test_a_card_that_can_not_be_read_is_named_by_the_buttons(place: str, name: str, move: Act) -> None:
    table = Table.at(THREE, 1, 1, Hilbert=(3, "stone_pit", ()))
    layout = table.layout
    at = {"city": layout.city_spot(1, 1, 0), "wonder": layout.stage_spot(1, 0, 3), "spot": layout.discard_spot(1)}[
        place
    ]
    likely = ("theater", "altar") if place == "city" else ("back1", "back2")
    table.unread = (Unread(*at, 0.0, "glare", likely),)
    table.discard(2)
    table.discard(3)
    assert isinstance(table.confirm(), CantSee)
    session = table.session
    if session.make_screen().mood is not Mood.MENU:
        session.press(Button.CONFIRM, held=True)
        press_for(session, "Name a card that can't be read")
        press_for(session, session.make_screen().choices[0])
    if place == "city":
        assert session.make_screen().choices[:2] == ("Theater", "Altar"), "the likeliest first"
    press_for(session, name)
    verdict = session.press(Button.CONFIRM)
    assert verdict is not None
    assert moved(verdict) == Round((move, DISCARD, DISCARD))
    assert '"by_hand": "named"' in "".join(session.history.write_record())


def press_for(session: Session, choice: str) -> None:
    """Go down to that line of a menu, and take it."""
    shown = session.make_screen()
    for _ in range((shown.choices.index(choice) - shown.chosen) % len(shown.choices)):
        session.press(Button.DOWN)
    session.press(Button.CONFIRM)


def test_something_wide_below_a_board_may_be_any_card() -> None:
    table = Table.at(THREE, 1, 2, Hilbert=(3, "", (1,)))
    x, y = table.layout.stage_spot(1, 0, 3)
    staged = table.cities[0].staged
    for wide, verdict in ((6, Accepted), (14, CantSee)):
        covers = tuple((x - 35.0 + 10 * i, y + 10 * j) for i in range(wide) for j in range(4))
        table.unread, table.cities[0].staged = (Unread(x, y + 33, 0.0, "unknown", (), 1.0, covers),), []
        for city in table.cities:
            city.spot = [(1, 0.0)]
        judged = REFEREE.judge(table.session.agreed, table.view(), table.layout)
        assert isinstance(judged, verdict), "as large as one card, it is the staged one"
    table.cities[0].staged = staged


def test_unread_cards_stand_for_what_must_lie_there() -> None:
    table = Table.at(THREE, 1, 2, Hilbert=(3, "altar", (1,)))
    table.cities[0] = type(table.cities[0])()
    table.unread = (
        Unread(*table.layout.city_spot(1, 0, 0), 0.0, "glare", ("altar", "theater")),
        Unread(*table.layout.stage_spot(1, 0, 3), 0.0, "covered"),
    )
    table.lay(1, "theater")
    table.discard(2)
    table.discard(3)
    assert moved(table.confirm()) == Round((build("theater"), DISCARD, DISCARD))


def test_what_looks_like_no_card_may_hide_a_new_one_and_an_old_one() -> None:
    table = Table.at(THREE, 1, 2, Hilbert=(3, "altar", ()))
    table.cities[0] = type(table.cities[0])()
    table.unread = (Unread(*table.layout.city_spot(1, 0, 1), 0.0, "unknown"),)
    table.discard(2)
    table.discard(3)
    assert isinstance(table.confirm(), CantSee)


def test_only_what_sticks_out_from_under_a_board_is_a_surface_of_its_own() -> None:
    table = Table()
    for seat in (1, 2, 3):
        table.discard(seat)
    x, y = table.layout.locate_point(1, 0.0, 70.0)
    table.unread = (Unread(x, y, 0.0, "unknown"),)
    assert moved(table.confirm()) == Round((DISCARD, DISCARD, DISCARD))
    table = Table()
    for seat in (1, 2, 3):
        table.discard(seat)
    x, y = table.layout.locate_point(1, 0.0, 32.0)
    table.unread = (Unread(x, y, 0.0, "unknown"),)
    assert isinstance(table.confirm(), CantSee)


@pytest.mark.parametrize("likely", [(), ("back1",)])
@pytest.mark.parametrize("cause", ["glare", "unknown", "foreign", "covered", "doubtful"])
def test_a_staged_card_that_can_not_be_read_is_not_gone(cause: str, likely: tuple[str, ...]) -> None:
    table = Table.at(THREE, 1, 2, Hilbert=(3, "", (1,)))
    table.cities[0].staged = []
    table.unread = (Unread(*table.layout.stage_spot(1, 0, 3), 0.0, cause, likely),)
    for seat in (1, 2, 3):
        table.discard(seat)
    assert moved(table.confirm()) == Round((DISCARD, DISCARD, DISCARD))


def test_a_shine_that_joins_a_board_and_its_staged_card_hides_it_and_one_on_the_board_alone_does_not() -> None:
    table = Table.at(THREE, 1, 2, Hilbert=(3, "", (1,)))
    table.cities[0].staged = []
    for seat in (1, 2, 3):
        table.discard(seat)
    on_board, below = (tuple(table.layout.locate_point(1, u, v) for u in (-5.0, 5.0)) for v in (70.0, 35.0))
    at = table.layout.locate_point(1, 0.0, 70.0)
    joined = (*on_board, *below)
    for covers, kind in ((on_board, Refused), (joined, Accepted), (joined * 10, CantSee)):
        table.unread = (Unread(*at, 0.0, "glare", (), 1.0, covers),)
        assert isinstance(REFEREE.judge(table.session.agreed, table.view(), table.layout), kind)


def test_faces_that_are_alike_need_not_be_told_apart() -> None:
    table = Table()
    table.unread = (Unread(*table.layout.city_spot(1, 0, 0), 0.0, "doubtful", ("loom_2", "loom")),)
    table.discard(2)
    table.discard(3)
    assert moved(table.confirm()) == Round((build("loom"), DISCARD, DISCARD))


# After a sixth round


def last_round(boards: tuple[str, ...], **cities: tuple[int, str, tuple[int, ...]]) -> Table:
    table = Table.at(boards, 1, 5, **cities)
    for seat in range(1, table.n + 1):
        table.discard(seat)
    assert isinstance(table.confirm(), Accepted)
    return table


def test_the_next_age_begins_when_the_cards_left_over_lie_on_the_pile() -> None:
    table = Table.at(THREE, 1, 5)
    table.pile = []
    assert table.session.position.pile_ages == (15, 0, 0)
    for seat in (1, 2, 3):
        table.discard(seat)
    assert isinstance(table.confirm(), Accepted), "what lies on the pile nobody can count"
    assert table.codes() == ("discard_not_gathered",)
    table.gather()
    assert moved(table.confirm()) == Deal(2)


def test_babylon_plays_the_seventh_card() -> None:
    table = last_round(("giza/a", "babylon/b", "rhodes/a"), Banach=(3, "", (1, 1)))
    assert table.session.position.phase is AgePhase.SEVENTH
    assert table.codes() == ("nothing_laid", "discard_not_gathered")
    table.gather()
    table.lay(1, "altar")
    assert table.codes() == ("seventh_due", "out_of_turn", "nothing_laid")
    table.cities[0].built.clear()
    table.lay(2, "altar")
    verdict = table.confirm()
    assert isinstance(verdict, Accepted)
    assert verdict.move is not None
    assert verdict.move.to_json() == {"seat": 2, "do": "seventh", "act": {"do": "build", "card": "altar"}}
    assert moved(table.confirm()) == Deal(2)


def test_halikarnassos_builds_from_the_discards_or_not() -> None:
    table = Table.at(("giza/a", "halikarnassos/b", "rhodes/a"), 2, 1, Banach=(9, "ore_vein foundry", ()))
    table.stage(2, 2)
    table.discard(1, 2)
    table.discard(3, 2)
    assert isinstance(table.confirm(), Accepted)
    table.gather()
    asked = table.confirm()
    assert isinstance(asked, Question)
    assert moved(asked.choices[0].verdict) == FromDiscard(2)
    table.lay(2, "loom")
    which = table.confirm()
    assert isinstance(which, Question), "of both ages a loom may lie there"
    assert [moved(choice.verdict) for choice in which.choices] == [
        FromDiscard(2, LOOM),
        FromDiscard(2, find_building("loom_2")),
    ]
    table.cities[1].built[-1] = "academy"
    assert table.codes()[0] == "card_not_in_deck"
    table.cities[1].built[-1] = "ore_vein"
    assert "already_built" in table.codes()
    table.cities[1].built[-1] = "altar"
    table.pile = []
    assert moved(table.confirm()) == FromDiscard(2, ALTAR)


# Taking back, and going on


def test_a_round_is_taken_back_when_everything_lies_as_before() -> None:
    table = Table()
    first_round(table)
    table.gather()
    table.see()
    table.session.judge.undo()
    assert table.session.checking
    shown = table.session.make_screen()
    assert any("Banach takes the discard back" in step for step in shown.put_back)
    table.cities[0].built.clear()
    table.see()
    assert table.session.checking, "hidden cards are confirmed by hand"
    table.session.press(Button.CONFIRM)
    assert not table.session.checking
    assert table.session.position.rounds == 0


def test_a_game_goes_on_after_a_power_cut() -> None:
    table = Table()
    first_round(table)
    table.gather()
    table.see()
    entries = [Entry.from_json(one.to_json()) for one in table.kept]
    again = Session.resume(table.session.history.header, entries, table.layout)
    assert again.agreed == table.session.agreed
    table.lay(1, "loom")
    table.discard(2)
    table.discard(3)
    assert isinstance(again.confirm(table.view()), Accepted)


def test_an_age_that_was_begun_without_confirm_is_offered_with_its_first_round() -> None:
    table = Table(begun=False)
    for seat, name in ((1, "altar"), (2, "loom"), (3, "press")):
        table.lay(seat, name)
    assert table.codes()[0] == "deal_due"
    assert table.session.make_screen().choices == ("No", "Yes, both")
    table.session.press(Button.DOWN)
    verdict = table.session.press(Button.CONFIRM)
    assert verdict is not None
    assert moved(verdict) == Round((build("altar"), build("loom"), build("press")))
    assert table.session.position.rounds == 1


def test_a_card_that_is_read_as_nothing_it_could_be_may_be_the_one_that_is_missed() -> None:
    table = Table.at(THREE, 1, 2, Hilbert=(3, "altar loom", ()))
    table.cities[0].built = ["altar"]
    table.unread = (Unread(*table.layout.city_spot(1, 0, 1), 0.0, "doubtful", ("press", "glassworks")),)
    for seat in (1, 2, 3):
        table.discard(seat)
    verdict = table.confirm()
    assert isinstance(verdict, CantSee)
    table.unread = ()
    assert table.codes() == ("table_disturbed",)


def test_the_press_that_says_that_all_is_taken_back_deals_nothing_when_it_is_pressed_twice() -> None:
    for pause, deals in ((PRESSED_TWICE_S - 0.1, False), (PRESSED_TWICE_S + 0.1, True)):
        table = Table.at(THREE, age=1, rounds=5)
        for seat in (1, 2, 3):
            table.discard(seat)
        moved(table.confirm())
        table.gather()
        assert moved(table.confirm()) == Deal(2)
        table.session.judge.undo()
        assert table.session.checking
        assert table.session.press(Button.CONFIRM, pressed_s=10.0, now_s=10.0) is None
        assert not table.session.checking
        verdict = table.session.press(Button.CONFIRM, pressed_s=10.0 + pause)
        assert isinstance(verdict, Accepted if deals else Question)
