"""What comes after a revoke, turns taken back, power cuts, deals one after the other, and what a file may hold."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.entry_data import EntryError
from referee.history import MOVE, NOTICED, UNDO, Entry
from referee.seven_euchre.referee import REFEREE
from referee.verdict import Accepted, Question, Refused, Waiting
from rules.record import check_record
from rules.seven_euchre.moves import Annul, BackTo, Pass, Play, TurnUp
from rules.text import Language
from tests.referee.seven_euchre.at_the_table import BACK, Table, c, dealt, exchanging, play, playing, said, steps, trick
from tools.soak.any_game import Game
from ui.registry import screen_of
from ui.screen_state import Mood

# A revoke found out


def revoked() -> Table:
    """Emmy did not follow heart in trick 1 and leads a heart in trick 2."""
    table = playing("C8")
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    trick(table, "B9", "S9", "B3", "B4")
    table.gather(1)
    table.lay("trick:1", "B5")
    assert table.see() == [play(1, "B5")]
    table.lay("trick:2", "B6")
    assert table.see() == [("revoke",)]
    return table


def test_a_revoke_names_trick_and_card_and_offers_two_ways() -> None:
    table = revoked()
    screen = table.session.make_screen()
    assert screen.headline == "Emmy did not follow book in trick 2, so book 6 can't be in that hand now."
    assert screen.choices == ("Back to trick 2, from its lead", "Annul the deal; Ada deals again")
    assert screen.put_back == ()
    assert table.agreed.revoke == Play(2, c("B6"))
    assert table.resumed().agreed == table.agreed
    assert [move for _, move in REFEREE.list_enterable_moves(table.agreed)] == [BackTo(2), Annul()]


def test_nothing_is_offered_once_the_card_is_gone() -> None:
    table = revoked()
    table.take("trick:2")
    assert table.see() == []
    assert table.agreed.revoke is None
    assert table.session.make_screen().choices == ()
    assert [entry.data for entry in table.kept if entry.kind == NOTICED] == [{"revoke": [2, "B6"]}, {"revoke": None}]
    table.lay("trick:2", "S8")
    assert table.see() == [play(2, "S8")]


def test_a_revoke_is_found_among_several_new_cards() -> None:
    table = revoked()
    table.take("trick:2")
    table.take("trick:1")
    table.see()
    table.session.judge.undo()
    table.see()
    table.lay("trick:1", "B5")
    table.lay("trick:2", "B6")
    assert table.see() == [play(1, "B5"), ("revoke",)]
    assert table.agreed.revoke == Play(2, c("B6"))
    assert table.session.make_screen().choices[0] == "Back to trick 2, from its lead"
    # Out of turn a card proves as much.
    table = revoked()
    table.take("trick:2")
    table.lay("trick:2", "B6")
    table.take("trick:1")
    table.see()
    table.session.judge.undo()
    table.take("trick:2")
    table.see()
    table.lay("trick:2", "B6")
    assert table.see() == [("out_of_turn", "revoke")]
    assert table.agreed.revoke == Play(2, c("B6"))


def test_the_deal_is_annulled_and_the_same_dealer_deals_again() -> None:
    table = revoked()
    table.session.press(Button.DOWN)
    verdict = table.session.press(Button.CONFIRM)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Annul()
    assert "The deal is annulled; nobody scores." in table.words
    assert "Ada shuffles and deals" in table.words
    assert table.agreed.revoke is None
    assert table.see() == []
    table.cards.clear()
    table.lay("middle", BACK)
    assert table.see() == []
    assert said(table.confirm()) == {"do": "deal"}
    assert table.position.to_move == 2


def test_the_deal_goes_back_to_a_trick_and_nothing_is_understood_before_the_cards_do() -> None:
    table = revoked()
    verdict = table.session.press(Button.CONFIRM)
    assert isinstance(verdict, Accepted)
    assert verdict.move == BackTo(2)
    assert "Ada takes back book 9 and book 5." in table.words
    assert "Emmy takes back star 9." in table.words
    assert "Sofia takes back book 3." in table.words
    assert "Mary takes back book 4." in table.words
    assert "heart" not in table.words
    assert table.agreed.going_back == (Play(1, c("B5")), Play(2, c("B6")))
    assert table.see() == []
    assert table.position.trick_number == 2
    assert table.position.to_move == 1
    waiting = table.verdict()
    assert isinstance(waiting, Waiting)
    assert (BACK, "seat:1", "table") in steps(waiting)
    assert ("B5", "trick:1", "hand:1") in steps(waiting)
    assert said(waiting.pressed) == ("table_disturbed",)
    assert table.resumed().agreed == table.agreed
    table.take_trick()
    table.take("seat:1", BACK)
    assert table.see() == []
    assert table.agreed.going_back is None
    assert table.kept[-1].data == {"back_again": True}
    assert table.resumed().agreed == table.agreed
    table.lay("trick:1", "B5")
    table.lay("trick:2", "B6")
    assert table.see() == [play(1, "B5"), play(2, "B6")]
    *verdicts, _ = check_record(table.session.history.write_record())
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}


def test_the_cards_go_back_and_the_trick_is_led_anew_before_anybody_looks() -> None:
    table = revoked()
    table.session.press(Button.CONFIRM)
    table.take_trick()
    table.lay("trick:1", "S8")
    # One packet too many lies there still.
    assert table.see() == []
    table.take("seat:1", BACK)
    table.lay("table", BACK)
    assert table.see() == []
    table.take("table")
    assert table.see(table.unread("trick:3", "S9")) == []
    table.lay("trick:2", "B6")
    # So does the card that proved the revoke.
    assert table.see() == []
    table.take("trick:2")
    table.lay("trick:2", "S9")
    assert table.see() == [play(1, "S8"), play(2, "S9")]


def test_once_all_lies_so_going_back_only_waits_for_a_look() -> None:
    table = playing()
    table.lay("trick:2", "H3")
    table.see()
    table.session.tell({"do": "back_to", "trick": 1})
    table.take("trick:2")
    waiting = table.verdict()
    assert isinstance(waiting, Waiting)
    assert waiting.mend == ()
    assert said(waiting.pressed) == ("table_disturbed",)


# Calls by the buttons


def test_a_pass_takes_one_press_and_a_bid_at_least_three() -> None:
    table = dealt()
    table.see()
    table.session.press(Button.DOWN)
    table.session.press(Button.CONFIRM)
    assert table.position.calls == ()
    verdict = table.session.press(Button.CONFIRM)
    assert isinstance(verdict, Accepted)
    assert verdict.move.to_json() == {"seat": 2, "do": "bid", "trump": "F", "tricks": 7}
    verdict = table.session.press(Button.CONFIRM)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Pass(3)


def test_the_press_that_confirms_a_deal_does_not_call_when_it_is_pressed_twice() -> None:
    table = Table()
    table.lay("middle", BACK)
    table.see()
    assert isinstance(table.session.press(Button.CONFIRM, pressed_s=5.0), Accepted)
    asked = table.session.press(Button.CONFIRM, pressed_s=5.6)
    assert isinstance(asked, Question)
    assert "Emmy passes" in str(asked.choices[1].text)
    assert isinstance(table.session.press(Button.CONFIRM, pressed_s=6.0), Refused)
    assert table.position.calls == ()
    verdict = table.session.press(Button.CONFIRM, pressed_s=8.0)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Pass(2)


def test_the_press_that_bids_does_not_pass_for_the_next_player_when_it_is_pressed_twice() -> None:
    table = dealt()
    table.see()
    table.session.press(Button.DOWN)
    table.session.press(Button.CONFIRM, pressed_s=5.0)
    assert isinstance(table.session.press(Button.CONFIRM, pressed_s=6.0), Accepted)
    assert isinstance(table.session.press(Button.CONFIRM, pressed_s=6.5), Question)
    assert len(table.position.calls) == 1


def test_a_further_look_leaves_what_is_chosen_to_be_told() -> None:
    table = dealt()
    table.see()
    assert isinstance(table.session.press(Button.CONFIRM), Accepted)
    table.session.press(Button.DOWN)
    table.session.press(Button.DOWN)
    # The answer to the call before goes, as the table is no longer the same.
    table.see(table.unread("seat:1"))
    assert table.session.make_screen().chosen == 2
    table.session.press(Button.CONFIRM)
    assert table.session.make_screen().headline == "Sofia bids 8: with which trumps?"


# Taking back


def test_a_card_is_taken_back_and_played_again() -> None:
    table = playing()
    trick(table, "H3", "H4")
    table.session.judge.undo()
    assert table.session.checking
    assert table.see() == []
    assert table.session.make_screen().put_back == (
        "Put heart 4 from Sofia's place in the trick back to Sofia's hand.",
    )
    table.take("trick:3")
    table.see()
    assert not table.session.checking
    table.lay("trick:3", "H2")
    assert table.see() == [play(3, "H2")]


def test_the_last_card_of_a_gathered_trick_is_taken_back() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    table.see()
    table.session.judge.undo()
    table.see()
    assert table.session.checking
    assert len(table.session.make_screen().put_back) == 4
    for seat, card in ((2, "H3"), (3, "H4"), (4, "H5")):
        table.lay(f"trick:{seat}", card)
    table.take("seat:1")
    table.see()
    assert not table.session.checking
    table.lay("trick:1", "H6")
    assert table.see() == [play(1, "H6")]


def test_a_call_is_taken_back_without_touching_the_table() -> None:
    table = exchanging()
    table.see()
    table.session.judge.undo()
    table.see()
    assert not table.session.checking
    assert table.position.phase == "auction"
    table.session.judge.redo()
    table.see()
    assert table.position.phase == "exchange"


def test_the_exchange_is_taken_back() -> None:
    table = playing()
    table.session.judge.undo()
    table.see()
    assert table.session.checking
    table.take("aside")
    table.lay("middle", BACK)
    table.see()
    assert not table.session.checking


# Set by hand


def choose(table: Table, *lines: str) -> None:
    """Take these lines, by a part of their words, in the menus that open one after the other."""
    for line in lines:
        screen = table.session.make_screen()
        wanted = next(number for number, choice in enumerate(screen.choices) if line in choice)
        for _ in range((wanted - screen.chosen) % len(screen.choices)):
            table.session.press(Button.DOWN)
        table.session.press(Button.CONFIRM)


def test_a_deal_that_can_not_be_followed_is_dealt_again() -> None:
    table = playing()
    table.lay("trick:2", "H3")
    table.see()
    table.session.press(Button.CONFIRM, held=True)
    choose(table, "Set the position", "Ada deals again; nobody scores")
    assert table.position.phase == "deal"
    assert table.position.dealer == 1
    assert table.position.points == (0, 0)
    assert "Ada shuffles and deals 12 to each" in table.words
    assert table.resumed().agreed == table.agreed
    table.cards.clear()
    table.lay("middle", BACK)
    assert said(table.confirm()) == {"do": "deal"}
    *verdicts, _ = check_record(table.session.history.write_record())
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}


def test_a_deal_that_can_not_be_followed_is_counted() -> None:
    table = playing("C8")
    trick(table, "H6", "H4", "H5", "H3")
    table.gather(2)
    table.see()
    table.session.press(Button.CONFIRM, held=True)
    choose(table, "Set the position", "count the tricks")
    screen = table.session.make_screen()
    assert screen.headline == "How many tricks did Emmy and Mary take?"
    assert len(screen.choices) == 12
    assert screen.chosen == 0
    assert screen.choices[:2] == ("2: points 70 : 2", "3: points 54 : 3")
    choose(table, "9: points 3 : 27")
    assert table.position.points == (3, 27)
    assert (table.position.deals, table.position.dealer) == (1, 2)
    assert table.resumed().agreed == table.agreed
    # The next dealer, too, can be set right.
    table.session.press(Button.CONFIRM, held=True)
    choose(table, "Set the position", "Mary deals next")
    assert table.position.dealer == 4
    table.session.press(Button.CONFIRM, held=True)
    choose(table, "Set the position")
    assert table.session.make_screen().choices[-1] == "Back"
    assert not any("again" in choice for choice in table.session.make_screen().choices)


def test_between_two_deals_only_the_dealer_is_set() -> None:
    game, _ = last_trick_of(6)
    menu = REFEREE.open_editor(game.session.agreed, None, game.layout, lambda state: None, None)
    assert [str(option.words).split(" ", 1)[1] for option in menu.options[:-1]] == ["deals next"] * 4
    table = playing("C8", target=200)
    for cards in (("H6", "H4", "H5", "H3"), ("B9", "B4", "B5", "B3"), ("S9", "S8", "S6", "S5")):
        trick(table, *cards)
        table.gather(2)
    counted = REFEREE.open_editor(table.agreed, None, table.layout, lambda state: None, None).options[1].take()
    assert counted is not None
    assert str(counted.options[counted.chosen].words).startswith("3: points")
    assert counted.parent is not None


def test_nothing_is_set_before_the_first_deal() -> None:
    table = Table()
    table.lay("middle", BACK)
    table.see()
    table.session.press(Button.CONFIRM, held=True)
    choose(table, "Set the position")
    assert table.session.make_screen().choices == ("Back",)


def test_in_an_auction_a_deal_can_only_be_dealt_again() -> None:
    table = dealt()
    table.see()
    table.session.press(Button.CONFIRM, held=True)
    choose(table, "Set the position")
    assert table.session.make_screen().choices == ("Ada deals again; nobody scores", "Back")


# Whole deals


def last_trick_of(seed: int) -> tuple[Game, Any]:
    """Return a game just before the last card of its first deal is seen, and that attempt."""
    game = Game("seven_euchre", seed, misread=0.0)
    game.simulation.careless = 0.0
    for attempt in game.simulation.play_game():
        game.meet(attempt)
        round = game.session.position.round
        if round is not None and len(round.plays) == 48:
            return game, attempt
    raise AssertionError("no deal is played out")


@pytest.mark.parametrize("seed", [2, 4])
def test_a_deal_played_out_tells_where_each_point_came_from(seed: int) -> None:
    game, _ = last_trick_of(seed)
    position, words = game.session.position, " ".join(str(text) for text in game.session.judge.last.sentences)
    assert "for tricks" in words
    assert sum(position.last_points) == sum(position.points)
    first, second = position.last_points
    assert f"= {first};" in words
    assert f"= {second};" in words
    if position.outcome is None:
        assert "Gather all cards" in game.session.make_screen().details[0]


def test_how_a_failed_bid_and_a_made_one_score() -> None:
    seen: set[str] = set()
    seeds = iter(range(16))
    while seen < {"made", "failed"}:
        game, _ = last_trick_of(next(seeds))
        position = game.session.position
        contract = position.contract
        side = (contract.seat - 1) % 2
        words = " ".join(str(text) for text in game.session.judge.last.sentences)
        made = position.tricks[side] >= contract.tricks
        seen.add("made" if made else "failed")
        assert ("is made" in words) is made
        assert ("for the failed bid" in words) is not made
        assert f"{position.tricks[0]} for tricks" in words
        if not made:
            short = contract.tricks - position.tricks[side]
            assert f"failed by {short}" in words
            assert f"{short} × {position.tricks[1 - side]} for the failed bid" in words
        else:
            above = 8 * (contract.tricks - 7)
            bonus = f"{contract.trump.points} + {above}" if above else f"{contract.trump.points}"
            assert f"{bonus} for the bid" in words


def test_the_last_trick_in_the_wrong_hands_is_said_and_then_the_cards_are_gathered() -> None:
    game, _ = last_trick_of(6)
    simulation, session = game.simulation, game.session
    assert session.position.outcome is None
    last = session.position.last_trick
    before = simulation.table.take_snapshot()
    simulation.gather(1 - last.side)
    settled = session.see(game.look(simulation.lying))
    assert [said(verdict) for verdict in settled] == [("trick_not_theirs",)]
    simulation.table.restore(before)
    simulation.gather(last.side)
    assert session.see(game.look(simulation.lying)) == ()
    # Whatever lies there while the cards are gathered and shuffled is nobody's fault.
    simulation.table.restore(before[:5])
    assert session.see(game.look(simulation.lying)) == ()
    assert REFEREE.compare(session.agreed, session.judge.view, game.layout).agrees
    assert session.make_screen().mood is Mood.WAITING


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_with_mistakes_are_refereed_without_a_fault(seed: int) -> None:
    tally = Game("seven_euchre", seed).play()
    assert tally.faults == []
    assert tally.legal > 50


def test_a_game_is_the_same_after_a_power_cut_at_any_moment() -> None:
    game = Game("seven_euchre", 5)
    kept: list[Entry] = []
    game.session = Session(REFEREE, game.session.history.header, game.layout, Language.EN, kept.append)
    for number, attempt in enumerate(game.simulation.play_game()):
        game.meet(attempt)
        if number % 40 == 0:
            entries = [Entry.from_json(one.to_json()) for one in kept]
            again = Session.resume(game.session.history.header, entries, game.layout)
            assert again.agreed == game.session.agreed
            saved = game.session.agreed.to_json()
            assert REFEREE.read_state(saved, game.session.agreed, game.options) == game.session.agreed
        if number > 400:
            break
    assert {MOVE} <= {entry.kind for entry in kept} <= {MOVE, NOTICED, UNDO}


# What a file may hold


@pytest.mark.parametrize(
    "data",
    [
        {"revoke": "H7"},
        {"revoke": [2]},
        {"revoke": [5, "H7"]},
        {"revoke": [0, "H7"]},
        {"revoke": [True, "H7"]},
        {"revoke": [2, "X7"]},
        {"revoke": [2, ["H7"]]},
        {"back_again": True},
        {"back_again": False},
    ],
)
def test_a_notice_that_can_not_be_is_refused(data: dict[str, Any]) -> None:
    table = playing()
    with pytest.raises(EntryError):
        REFEREE.apply_passive_changes(table.agreed, data)


def test_no_revoke_is_noticed_before_cards_are_played() -> None:
    table = exchanging()
    with pytest.raises(EntryError):
        REFEREE.apply_passive_changes(table.agreed, {"revoke": [2, "H7"]})
    assert REFEREE.apply_passive_changes(playing().agreed, {"revoke": [4, "H7"]}).revoke == Play(4, c("H7"))


@pytest.mark.parametrize("going_back", [1, False, "yes", [[5, "H3"]], [["H3"]], [None]])
def test_a_state_set_by_hand_is_checked(going_back: object) -> None:
    table = playing()
    saved = {**table.agreed.to_json(), "going_back": going_back}
    with pytest.raises(EntryError):
        REFEREE.read_state(saved, table.agreed, table.header.options)
    good = {**table.agreed.to_json(), "going_back": [[2, "H3"]]}
    assert REFEREE.read_state(good, table.agreed, table.header.options).going_back == (Play(2, c("H3")),)
    called = dealt()
    assert REFEREE.read_state(called.agreed.to_json(), called.agreed, called.header.options) == called.agreed
    table.lay("trick:2", "H3")
    table.see()
    assert REFEREE.read_state(table.agreed.to_json(), table.agreed, table.header.options) == table.agreed
    with pytest.raises(EntryError):
        REFEREE.read_state({**table.agreed.to_json(), "going_back": []}, table.agreed, table.header.options)


# The screen


def test_the_screen_shows_points_between_deals_and_tricks_in_them() -> None:
    screen = screen_of("seven_euchre")
    table = exchanging()
    assert [line.shown for line in screen.make_base(table.position, Language.EN, Mood.WAITING).players] == ["0 pts"] * 4
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    lines = screen.make_base(table.position, Language.EN, Mood.WAITING).players
    assert [line.shown for line in lines] == ["1 trick", "0 tricks", "1 trick", "0 tricks"]
    assert [line.to_move for line in lines] == [True, False, False, False]


def test_the_steps_to_mend_are_drawn_with_an_arrow_each() -> None:
    table = playing()
    trick(table, "H3", "H4")
    table.take("trick:2")
    table.lay("seat:4", "S9")
    table.lay("table", BACK)
    table.see()
    screen = table.session.make_screen()
    assert len(screen.put_back) == 3
    ways = {(arrow.start, arrow.end) for arrow in screen.picture.arrows}
    assert ways == {((0.75, 0.81), (0.75, 0.97)), ((0.03, 0.5), (0.4, 0.44)), ((0.03, 0.5), (0.03, 0.5))}
    table = playing()
    table.see(table.unread("trick:2", "H3"))
    screen = table.session.make_screen()
    assert screen.mood is Mood.CANT_SEE
    assert screen.picture.unseen == ((0.4, 0.44),)


def test_an_auction_shows_everybodys_last_call_and_leaves_the_room_to_the_answers() -> None:
    table = dealt()
    table.see()
    table.auction("B8", "", "NT8")
    screen = table.session.make_screen()
    assert [line.shown for line in screen.players] == ["–", "book 8", "pass", "NT 8"]
    assert screen.details == ()
    table.auction("", "C9")
    assert [line.shown for line in table.session.make_screen().players] == ["pass", "coin 9", "pass", "NT 8"]
    table = dealt()
    table.auction("", "", "", "")
    table.take("middle")
    table.lay("aside", "O8")
    table.see()
    table.auction("8")
    assert [line.shown for line in table.session.make_screen().players] == ["–", "8", "–", "–"]


def test_a_card_is_drawn_beside_the_one_that_was_led_and_what_follows_it() -> None:
    screen = screen_of("seven_euchre")
    table = playing("C8")
    for lead, follow in (
        ("S9", "Follow star (7s are trumps)"),
        ("H7", "Follow coin or any 7"),
        ("C9", "Follow coin or any 7"),
    ):
        plays, followed = screen.move_tiles(table.position, Play(2, c(lead)), Language.EN)
        assert (plays.words, [tile.name for tile in plays.tiles]) == ("plays", [lead])
        assert (followed.words, followed.tiles) == (follow, ())
    trick(table, "H3")
    plays, led = screen.move_tiles(table.position, Play(3, c("H4")), Language.JA)
    assert [tile.name for tile in (*plays.tiles, *led.tiles)] == ["H4", "H3"]
    assert led.words == "ハートでフォロー（7は切り札）"
    _, followed = screen.move_tiles(playing("NT8").position, Play(2, c("H7")), Language.EN)
    assert followed.words == "Follow heart"
    assert screen.move_tiles(table.position, Pass(2), Language.EN) == ()
    assert str(screen.briefs["revoke"]) == "Did not follow suit"
    assert "table_disturbed" not in screen.briefs
    assert screen.move_tiles(dealt().position, TurnUp(c("O8")), Language.EN)[0].words == "turned up"


def test_at_no_trump_the_sevens_are_ordinary() -> None:
    table = playing("NT8")
    assert "There are no trumps; 7s are ordinary." in table.words
    table.lay("trick:2", "H7")
    table.see()
    assert "Heart 7 was led: follow with heart." in table.words


def test_a_seven_led_asks_for_trumps() -> None:
    table = playing("C8")
    table.lay("trick:2", "H7")
    table.see()
    assert "Heart 7 was led: follow with coin or any 7." in table.words


def test_the_simulated_table_is_straightened_where_it_lies() -> None:
    game = Game("seven_euchre", 2, misread=0.0)
    chance = Random(1)
    for number, attempt in enumerate(game.simulation.play_game()):
        game.meet(attempt)
        places = [one.slot.place for one in game.simulation.table.take_snapshot()]
        if chance.random() < 0.2:
            game.simulation.straighten()
            seen = [game.layout.place_at(card.x, card.y) for card in game.simulation.lying]
            assert seen == places
        if number > 150:
            break
