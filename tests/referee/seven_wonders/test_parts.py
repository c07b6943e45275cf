"""Parts of the Seven Wonders referee: the layout, what is agreed as data, positions set by hand, screens, mistakes."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import referee.seven_wonders.judging
from device.hardware.buttons import Button
from device.session.session import Session
from referee.entry_data import EntryError
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.menu import Menu
from referee.placing import Placed
from referee.seven_wonders.layout import BOARD_FROM_MM, CITY, SPOT, WONDER, layout_of
from referee.seven_wonders.look import _Reading
from referee.seven_wonders.referee import REFEREE
from referee.seven_wonders.simulated import WondersSimulation
from referee.seven_wonders.state import Discard, Told, after_acts, state_in
from referee.table import Detections, Unread
from referee.verdict import Accepted, Question, Refused
from rules.record import check_record
from rules.seven_wonders.rules import RULES
from rules.text import Language
from tests.referee.seven_wonders.table import BOARDS, PLAYERS, Table
from tests.ui.checks import all_pages, faults, lost
from tests.ui.gallery import SIZES
from tools.soak.any_game import Game, as_sightings
from ui.registry import screen_of
from ui.screen import draw
from ui.screen_state import LeafScreen, Mood, ScreenState

THREE = ("giza/a", "rhodes/a", "ephesos/a")


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_place_of_a_city_lies_in_its_own_zone(players: int) -> None:
    layout = layout_of(players)
    for seat in range(1, players + 1):
        for column in range(4):
            for number in range(7):
                assert layout.place_at(*layout.city_spot(seat, column, number)) == f"city:{seat}"
        for stages in (2, 3, 4):
            for number in range(stages):
                x, y = layout.stage_spot(seat, number, stages)
                assert layout.place_at(x, y) == f"wonder:{seat}"
                assert not layout.on_board(x, y)
        assert layout.place_at(*layout.discard_spot(seat)) == f"discard:{seat}"
        assert layout.on_board(*layout.locate_point(seat, 0.0, BOARD_FROM_MM + 10))
        assert layout.seat_at(*layout.locate_point(seat, 150.0, 340.0)) == seat
        assert layout.place_at(*layout.locate_point(seat, 150.0, 340.0)) == f"seat:{seat}"
        assert layout.in_block(seat, *layout.locate_point(seat, 12.0, 34.0)) == pytest.approx((12.0, 34.0))
    assert layout.place_at(*layout.pile) == "pile"


def test_six_play_by_the_rules_and_not_at_the_table() -> None:
    assert 6 in RULES.seats
    with pytest.raises(ValueError, match="no layout for 6 players"):
        layout_of(6)


def state_of(table: Table) -> Any:
    return table.session.agreed


def test_what_is_agreed_is_the_same_from_its_data() -> None:
    table = Table.at(THREE, 2, 3, Hilbert=(3, "altar", (1, 2)))
    table.session.tell({"seat": 2, "pay": {"left": 1, "right": 2}})
    table.session.tell({"seat": 3, "free": "olympia"})
    state = state_of(table)
    assert state.staged == ((1, 2), (), ())
    assert [(one.seat, one.free) for one in state.told] == [(2, False), (3, True)]
    data = json.loads(json.dumps(state.to_json()))
    assert REFEREE.read_state(data, state, {"boards": list(THREE)}) == state
    assert state.told_of(1) is None
    assert state.told_of(3) == Told(3)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("staged", None),
        ("staged", [[], []]),
        ("staged", [[4], [], []]),
        ("staged", [[True], [], []]),
        ("staged", [[1, 1], [], []]),
        ("discards", [[4, None, False]]),
        ("discards", [[1, [0, 0], False]]),
        ("discards", [[1, None, 1]]),
        ("discards", [[1, None, False]] * 4),
        ("pile", [[0, 0, 1e9]]),
        ("pile", [["0", 0, 0]]),
        ("told", [{"seat": 1}]),
        ("told", {}),
    ],
)
def test_what_can_not_be_agreed_is_refused(key: str, value: object) -> None:
    state = state_of(Table.at(THREE, 1, 1, Hilbert=(3, "", (1,))))
    data = {**state.save_details(), key: value}
    with pytest.raises(EntryError):
        state_in(state.position, data)


def test_older_entries_without_places_still_lead_on() -> None:
    table = Table()
    table.lay(1, "altar")
    table.discard(2)
    table.stage(3)
    table.cities[2].staged.clear()
    table.discard(3)
    assert isinstance(table.confirm(), Accepted)
    bare = [Entry(one.kind, {"move": one.data["move"]}) for one in table.kept]
    again = Session.resume(table.session.history.header, bare, table.layout)
    assert again.position == table.session.position
    assert again.agreed.discards == (Discard(2), Discard(3))


# Set by hand


def menu_of(session: Session, view: object) -> Menu:
    menu: Menu = REFEREE.open_editor(session.agreed, view, session.layout, session.judge.set_position, None)  # type: ignore
    return menu


def take(menu: Menu | None, words: str) -> Menu | None:
    assert menu is not None
    return next(option for option in menu.options if str(option.words) == words).take()


def test_a_position_is_set_from_the_table_with_coins_that_are_told() -> None:
    table = Table.at(THREE, 1, 2, Hilbert=(3, "altar", ()))
    table.cities[0].built = ["theater", "altar"]
    table.stage(2)
    menu = menu_of(table.session, table.view())
    assert [str(option.words) for option in menu.options][:2] == ["Age 1, round 3", "Age 1, round 4"]
    menu = take(menu, "Age 1, round 3")  # type: ignore[assignment]
    assert str(menu.title) == "Coins as agreed? Hilbert 3, Banach 3, Noether 3"
    menu = take(menu, "No, tell them")  # type: ignore[assignment]
    for coins in ("4", "0"):
        menu = take(menu, coins)  # type: ignore[assignment]
    assert take(menu, "3") is None
    position = table.session.position
    assert [city.coins for city in position.cities] == [4, 0, 3]
    assert [str(card) for card in position.cities[0].cards] == ["altar", "theater"]
    assert (table.session.agreed.staged, position.pile_ages) == (((), (1,), ()), (3, 0, 0))
    table.pile = [(1, 0.0)]
    for seat in (1, 2, 3):
        table.discard(seat)
    assert isinstance(table.confirm(), Accepted)
    *_, final = check_record(table.session.history.write_record())
    assert final["final"] == list(table.session.position.points)


def test_the_editor_says_why_nothing_can_be_set() -> None:
    table = Table(begun=False)
    assert str(menu_of(table.session, table.view()).title) == "Begin the first age first."
    table = Table.at(THREE, 1, 1)
    table.lay(1, "altar", "theater", "press")
    assert str(menu_of(table.session, table.view()).title) == "What comes next?"
    table.lay(1, "altar")
    assert str(menu_of(table.session, table.view()).title) == "The rules can't lead to this table."


# Taken back, and put back


def test_a_round_is_put_back_with_its_discards() -> None:
    table = Table()
    for seat in (1, 2, 3):
        table.discard(seat)
    table.confirm()
    table.gather()
    table.see()
    table.session.judge.undo()
    table.session.judge.redo()
    table.see()
    shown = table.session.make_screen()
    assert [step for step in shown.put_back if "hand again" in step]
    table.session.press(Button.CONFIRM)
    assert not table.session.checking


# A score sheet has no table


def test_a_game_of_which_only_the_score_is_asked_is_not_refereed() -> None:
    header = Table(begun=False).session.history.header
    header = type(header)(header.game, header.players, {**header.options, "mode": "score"})
    session = Session(REFEREE, header, layout_of(3))
    verdict = session.confirm(Table().view())
    assert isinstance(verdict, Refused)
    assert verdict.refusal.code == "city_due"


# Screens


@pytest.mark.slow  # tests/ui/test_words_whole.py
def test_screens_of_a_game_lose_nothing_and_leave_nothing_cut_off() -> None:
    game = Game("seven_wonders", 5, misread=0.0)
    shown: list[ScreenState] = []
    meet = game.meet

    def look(attempt: Any) -> None:
        meet(attempt)
        shown.append(game.session.make_screen())

    game.meet = look  # type: ignore[method-assign]
    assert game.play().faults == []
    help_leaves = screen_of("seven_wonders").write_help(game.session.position, Language.JA)  # type: ignore[attr-defined]
    shown += [LeafScreen(Language.JA, Mood.MENU, leaf=leaf) for leaf in help_leaves]
    for state in Random(1).sample(shown, 5) + shown[-8:]:
        assert lost(state, (480, 320)) == []
        for page, drawing in all_pages(state, (480, 320)):
            assert faults(page, drawing, (480, 320)) == []


def test_a_card_to_mend_is_pointed_at_on_the_picture_of_the_table() -> None:
    table = Table.at(THREE, 1, 1, Hilbert=(3, "altar", ()))
    table.cities[0].built.clear()
    table.extra = [Placed("back1", *table.layout.locate_point(2, 150.0, 340.0), 180.0)]
    for seat in (1, 2, 3):
        table.discard(seat)
    table.see()
    table.confirm()
    picture = table.session.make_screen().picture
    assert picture is not None
    assert len(picture.arrows) == len(table.session.make_screen().put_back) == 2
    assert len(picture.piles) == 1


# Simulated players


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
def test_games_with_mistakes_are_refereed_without_a_fault(seed: int) -> None:
    tally = Game("seven_wonders", 4000 + seed).play()
    assert tally.faults == []
    assert tally.legal >= 21


@pytest.mark.slow  # it tells of the simulated players alone
def test_simulated_players_make_every_mistake() -> None:
    made = set()
    for seed in range(40):
        start = RULES.start(PLAYERS[: 3 + seed % 3], {"boards": list(BOARDS)[: 3 + seed % 3]})
        simulation = WondersSimulation(start, layout_of(3 + seed % 3, REFERENCE_MAT_MM), Random(seed), 0.4)
        made |= {attempt.mistake for attempt in simulation.play_game() if attempt.mistake}
    assert made >= {
        "nothing_laid",
        "two_cards",
        "card_outside",
        "wrong_age",
        "discard_not_gathered",
        "table_disturbed",
        "deal_due",
        "out_of_turn",
        "already_built",
        "cannot_produce",
        "coins_short",
    }


@pytest.mark.parametrize("seed", range(2))
def test_an_unread_card_is_taken_for_none_that_is_read(seed: int) -> None:
    game, chance, judged = Game("seven_wonders", 4100 + seed, misread=0.0), Random(seed), 0
    confirmed = game._check_confirmed

    def with_one_more(attempt: Any) -> None:
        nonlocal judged
        cards = [card for card in game.simulation.lying if card.card]
        near = [one for one in cards if game.layout.place_at(one.x, one.y).partition(":")[0] in (CITY, WONDER, SPOT)]
        for card in chance.sample(near, min(3, len(near))):
            likely = chance.choice(((), (card.name,), ("altar", card.name)))
            mark = Unread(card.x + 4.0, card.y, card.angle, "covered", likely)
            view = REFEREE.observe(Detections(as_sightings(cards), (mark,)), game.layout)
            verdict = REFEREE.judge(game.session.agreed, view, game.layout)
            assert not isinstance(verdict, Accepted | Question), (attempt, mark)
            judged += 1
        confirmed(attempt)

    game._check_confirmed = with_one_more  # type: ignore[method-assign]
    assert game.play().faults == []
    assert judged > 40


@pytest.mark.few(2)
@pytest.mark.parametrize("language", Language.all())
@pytest.mark.parametrize("size", SIZES)
def test_a_round_that_is_seen_names_its_cards_to_be_read_from_afar(size: tuple[int, int], language: Language) -> None:
    built = ("stone_pit", "east_trading_post", "scriptorium", "marketplace", "lumber_yard")
    for boards in (BOARDS[:3], BOARDS):
        table = Table(boards)
        table.session.speak(language)
        for seat, name in enumerate(built[: len(boards)], 1):
            table.lay(seat, name)
        table.cities[2].built = []
        table.discard(3)
        table.see()
        drawing = draw(table.session.make_screen(), size)
        words = " ".join(box.text for box in drawing.texts)
        assert all(name.replace("_", " ") in words for name in built[: len(boards)] if name != "scriptorium"), words
        assert faults(table.session.make_screen(), drawing, size) == []


@pytest.mark.slow  # tools.soak's own test; test_games_with_mistakes_are_refereed_without_a_fault
@pytest.mark.parametrize(
    ("part", "careless"),
    [
        ("_new_discards", lambda look, old, backs, else_laid: (backs, False, False)),
        ("_all_gathered", lambda look: bool(look.new_on_pile)),
    ],
)
def test_a_referee_that_counts_an_old_discard_again_is_found_out(
    part: str, careless: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Reading, part, careless)
    faults = [fault for seed in range(1, 25) for fault in Game("seven_wonders", seed, misread=0.0).play(12).faults]
    assert any("ILLEGAL ACCEPTED: broken rule discard_not_gathered" in fault for fault in faults)


@pytest.mark.slow  # test_games_with_mistakes_are_refereed_without_a_fault
def test_a_referee_that_forgets_what_a_sleeve_hid_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgets(before: Any, after: Any, move: Any, lay: Any = None, pile_at: Any = (), gathered: bool = False) -> Any:
        return after_acts(before, after, move, lay, pile_at, gathered=True)

    monkeypatch.setattr(referee.seven_wonders.judging, "after_acts", forgets)
    faults = [fault for seed in range(1, 25) for fault in Game("seven_wonders", seed, misread=0.0).play(12).faults]
    assert any("ILLEGAL ACCEPTED: broken rule discard_not_gathered" in fault for fault in faults)
