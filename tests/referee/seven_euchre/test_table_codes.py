"""Every table code of Seven Euchre by an example, with what is said and what is to be put back."""

from __future__ import annotations

import pytest

from device.hardware.buttons import Button
from referee.table import Unread
from referee.verdict import Accepted, CantSee, Refused, Waiting
from rules.text import Language
from tests.referee.seven_euchre.at_the_table import BACK, Table, dealt, exchanging, play, playing, said, steps, trick
from ui.screen_state import Mood

# The deal


def test_a_deal_is_confirmed_with_nothing_but_the_middle_card_on_the_mat() -> None:
    table = Table()
    assert "face down in the middle" in table.words
    assert "Dealer: Ada." in table.words
    assert "Ada and Sofia 0, Emmy and Mary 0; target 77" in table.words
    verdict = table.confirm()
    assert said(verdict) == ("deal_due", "table_disturbed")
    assert steps(verdict) == [(BACK, "table", "middle")]
    assert "Ada is the dealer" in str(verdict.text)
    table.lay("middle", BACK)
    table.lay("seat:2", "H3")
    table.lay("table", BACK)
    assert table.see() == []
    verdict = table.confirm()
    assert said(verdict) == ("deal_due", "table_disturbed")
    assert steps(verdict) == [(BACK, "seat:2", "table")]
    assert "Emmy's area and the table" in str(verdict.text)
    table.take("seat:2")
    table.take("table")
    assert table.see() == []
    assert said(table.confirm()) == {"do": "deal"}
    assert "Ada has dealt." in table.words


@pytest.mark.parametrize("cards", [("H7",), (BACK, BACK), (BACK, "H7")])
def test_no_other_middle_will_do(cards: tuple[str, ...]) -> None:
    table = Table()
    table.lay("middle", *cards)
    assert said(table.confirm()) == ("deal_due", "table_disturbed")


def test_a_middle_card_that_can_not_be_read_is_no_deal() -> None:
    table = Table()
    assert isinstance(table.verdict(table.unread("middle", BACK)), CantSee)


# The auction


def test_the_pass_comes_first_then_the_numbers_that_can_be_bid() -> None:
    table = dealt()
    table.see()
    screen = table.session.make_screen()
    assert screen.mood is Mood.QUESTION
    assert (screen.chosen, screen.choices) == (0, ("Emmy passes", *(f"Bid {tricks} …" for tricks in range(7, 13))))
    table.auction("B8")
    assert table.session.make_screen().choices == ("Sofia passes", *(f"Bid {tricks} …" for tricks in range(8, 13)))
    assert [line.shown for line in table.session.make_screen().players] == ["–", "book 8", "–", "–"]
    table.session.press(Button.DOWN)
    assert table.session.press(Button.CONFIRM) is None
    screen = table.session.make_screen()
    assert screen.headline == "Sofia bids 8: with which trumps?"
    assert screen.choices == ("Onion 8", "Heart 8", "No trump 8")
    table.session.press(Button.BACK)
    assert table.session.make_screen().choices[0] == "Sofia passes"
    table.auction("H12")
    # Of a single bid nothing more is asked.
    assert table.session.make_screen().choices == ("Mary passes", "No trump 12")
    table.auction("NT12")
    assert table.position.phase == "exchange"


def test_a_bid_too_low_and_a_call_out_of_turn_are_refused() -> None:
    table = dealt()
    assert table.tell(2, "C8") == {"seat": 2, "do": "bid", "trump": "C", "tricks": 8}
    assert table.tell(3, "C8") == ("bid_too_low",)
    assert table.tell(4) == ("out_of_turn",)
    assert table.tell(3, "B8") == {"seat": 3, "do": "bid", "trump": "B", "tricks": 8}


def test_a_card_in_the_trick_is_too_early_at_once() -> None:
    table = dealt()
    table.lay("trick:2", "H3")
    assert table.see() == [("auction_due",)]
    assert steps(table.verdict()) == [("H3", "trick:2", "hand:2")]
    assert table.see() == []
    table.move("H3", "trick:2", "trick:4")
    assert table.see() == [("auction_due", "out_of_turn")]
    table.take("trick:4")
    assert table.see() == []
    assert table.session.make_screen().mood is Mood.QUESTION


def test_the_middle_card_is_not_turned_up_in_the_auction() -> None:
    table = dealt()
    table.take("middle")
    table.lay("middle", "H3")
    assert table.see() == [("auction_due",)]
    assert [str(mend.text) for mend in table.verdict().mend] == ["Turn heart 3 in the middle face down."]
    table.take("middle")
    assert table.see() == []
    verdict = table.confirm()
    assert said(verdict) == ("table_disturbed",)
    assert steps(verdict) == [(BACK, "table", "middle")]


def test_confirm_says_what_is_due() -> None:
    table = dealt()
    assert said(table.verdict()) == ("auction_due", "table_disturbed")
    table = exchanging()
    assert said(table.confirm()) == ("exchange_due", "table_disturbed")
    table = playing()
    assert said(table.confirm()) == ("play_due", "table_disturbed")
    table = dealt()
    table.auction("", "", "", "")
    assert said(table.confirm()) == ("turn_up_due", "table_disturbed")


# Turned up


def turned_up(place: str = "aside", card: str = "O8") -> Table:
    table = dealt()
    table.auction("", "", "", "")
    assert "turn the middle card up" in table.words
    table.take("middle")
    table.lay(place, card)
    assert table.see() == [{"do": "turn_up", "card": card}]
    return table


@pytest.mark.parametrize("place", ["middle", "aside"])
def test_after_four_passes_the_middle_card_is_turned_up(place: str) -> None:
    table = turned_up(place)
    assert "Trumps are onion and every 7" in table.words
    assert table.session.make_screen().choices[:3] == ("Emmy passes", "Onion 7", "Onion 8")
    table.auction("8", "", "", "")
    assert "Contract: onion 8 by Emmy." in table.words
    table.lay("trick:2", "H3")
    assert table.see() == [play(2, "H3")]


def test_a_turned_up_card_may_be_moved_aside_later() -> None:
    table = turned_up("middle")
    table.auction("8", "", "", "")
    table.move("O8", "middle", "aside")
    assert table.see() == []
    table.lay("trick:2", "H3")
    assert table.see() == [play(2, "H3")]


def test_a_card_played_before_the_middle_one_is_turned_up_is_too_early() -> None:
    table = dealt()
    table.auction("", "", "", "")
    table.lay("trick:2", "H3")
    assert table.see() == [("turn_up_due",)]
    table.take("trick:2")
    assert isinstance(table.verdict(table.unread("aside")), CantSee)
    table.lay("aside", "O8")
    # Another card than the middle one, which lies there still.
    assert said(table.verdict()) == ("table_disturbed",)
    table.take("middle")
    table.lay("middle", "O7")
    assert said(table.verdict()) == ("table_disturbed",)
    table.take("middle")
    table.lay("seat:1", "O7")
    assert said(table.verdict()) == ("table_disturbed",)


def test_the_card_turned_up_is_out_of_play() -> None:
    table = turned_up()
    table.auction("8", "", "", "")
    table.move("O8", "aside", "trick:2")
    assert table.see() == [("card_not_in_hand",)]
    assert steps(table.verdict()) == [("O8", "trick:2", "aside")]


def test_four_passes_again_and_the_next_dealer_deals() -> None:
    table = turned_up()
    table.auction("", "", "", "")
    assert "All four passed again" in table.words
    assert "Emmy shuffles and deals" in table.words
    table.take("aside")
    table.lay("middle", BACK)
    assert said(table.confirm()) == {"do": "deal"}
    assert table.position.to_move == 3


# The exchange


def test_the_declarer_takes_the_middle_card_and_lays_one_aside() -> None:
    table = exchanging()
    assert "Emmy takes the middle card and lays one card aside, face down." in table.words
    table.take("middle")
    assert table.see() == []
    assert table.session.make_screen().headline == "A card has yet to be laid aside, face down."
    assert said(table.confirm()) == ("exchange_due", "table_disturbed")
    table.lay("aside", BACK)
    assert table.see() == [{"seat": 2, "do": "exchange"}]
    assert "Emmy leads." in table.words


def test_a_card_aside_before_the_middle_one_is_taken_waits() -> None:
    table = exchanging()
    table.lay("aside", BACK)
    assert table.see() == []
    assert table.session.make_screen().headline == "The middle card has yet to be taken."
    table.take("middle")
    assert isinstance(table.verdict(table.unread("middle", "S9")), CantSee)
    assert table.see() == [{"seat": 2, "do": "exchange"}]


def test_a_card_laid_aside_face_up_is_to_be_turned() -> None:
    table = exchanging()
    table.take("middle")
    table.lay("aside", "H3")
    assert table.see() == []
    verdict = table.verdict()
    assert said(verdict) == ("table_disturbed",)
    assert [str(mend.text) for mend in verdict.mend] == ["Turn heart 3 in the place aside face down."]


def test_a_lead_before_the_exchange_is_too_early_and_one_with_it_is_not() -> None:
    table = exchanging()
    table.lay("trick:2", "H3")
    assert table.see() == [("exchange_due",)]
    table.take("middle")
    assert table.verdict() == table.verdict()
    assert said(table.verdict()) == ("exchange_due",)
    table.lay("aside", BACK)
    assert table.see() == [{"seat": 2, "do": "exchange"}, play(2, "H3")]


# Cards played


def test_several_cards_in_one_look_come_in_turn_order() -> None:
    table = playing()
    for seat, card in ((4, "H5"), (2, "H3"), (3, "H4")):
        table.lay(f"trick:{seat}", card)
    assert table.see() == [play(2, "H3"), play(3, "H4"), play(4, "H5")]
    assert "Heart 3 was led: follow with heart, but not its 7, which is a trump." in table.words


def test_a_card_out_of_turn_is_said_once_and_passes_as_soon_as_it_is_its_turn() -> None:
    table = playing()
    table.lay("trick:3", "B6")
    assert table.see() == [("out_of_turn",)]
    assert table.session.make_screen().put_back == ("Put book 6 from Sofia's place in the trick back to Sofia's hand.",)
    assert table.see() == []
    table.lay("trick:2", "B3")
    assert table.see() == [play(2, "B3"), play(3, "B6")]
    table.lay("trick:1", "B9")
    assert table.see() == [("out_of_turn",)]


def test_two_cards_of_one_seat() -> None:
    table = playing()
    table.lay("trick:2", "H3", "H4")
    assert table.see() == [("two_cards",)]
    table.take("trick:2", "H4")
    assert table.see() == [play(2, "H3")]
    table.lay("trick:2", "H4")
    verdict = table.verdict()
    assert said(verdict) == ("two_cards",)
    assert "heart 3 and heart 4" in str(verdict.text)
    assert steps(verdict) == [("H4", "trick:2", "hand:2")]
    table.lay("trick:3", "H5")
    assert table.see() == [("two_cards",)]


def test_a_card_played_before_is_in_no_hand() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    table.lay("trick:1", "H4")
    assert table.see() == [("card_not_in_hand",)]


def test_a_card_played_face_down_is_not_understood() -> None:
    table = playing()
    table.lay("trick:2", BACK)
    assert table.see() == []
    verdict = table.verdict()
    assert said(verdict) == ("table_disturbed",)
    assert steps(verdict) == [(BACK, "trick:2", "table")]


def test_a_card_of_the_trick_that_moves_or_goes_is_put_back() -> None:
    table = playing()
    table.lay("trick:2", "H3")
    table.lay("trick:3", "H4")
    table.see()
    table.move("H3", "trick:2", "trick:4")
    assert table.see() == []
    verdict = table.verdict()
    assert said(verdict) == ("table_disturbed",)
    assert steps(verdict) == [("H3", "trick:4", "trick:2")]
    table.take("trick:4")
    assert steps(table.verdict()) == [("H3", "table", "trick:2")]
    table.lay("trick:2", "H5")
    # Taken back and another one played: that is for the players to settle.
    assert table.see() == []
    assert said(table.verdict()) == ("table_disturbed",)


def test_a_stray_card_stops_the_play_until_it_is_taken_up() -> None:
    table = playing()
    table.lay("trick:2", "H3")
    table.lay("seat:4", "S9")
    assert table.see() == []
    verdict = table.verdict()
    assert said(verdict) == ("table_disturbed",)
    assert steps(verdict) == [("H3", "trick:2", "hand:2"), ("S9", "seat:4", "hand:4")]
    table.take("seat:4")
    assert table.see() == [play(2, "H3")]
    table.take("aside")
    table.lay("trick:3", "H4")
    assert table.see() == []
    assert steps(table.verdict())[-1] == (BACK, "table", "aside")


# Tricks gathered


def test_a_trick_is_gathered_by_the_side_that_took_it_with_either_partner() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    assert "Heart 6 of Ada wins; the trick goes to Ada and Sofia." in table.words
    waiting = table.verdict()
    assert isinstance(waiting, Waiting)
    assert str(waiting.mend[0].text) == "Gather the trick and lay it face down in Ada's or Sofia's area."
    assert said(waiting.pressed) == ("table_disturbed",)
    table.gather(3)
    assert table.see() == []
    assert table.session.make_screen().mood is Mood.WAITING
    trick(table, "H2", "HA", "B3", "C4")
    table.gather(4)
    assert table.see() == []
    table.lay("trick:4", "C5")
    assert table.see() == [play(4, "C5")]


def test_a_trick_gathered_by_the_wrong_side_is_said_at_once() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(2)
    assert table.see() == [("trick_not_theirs",)]
    assert "Ada won the trick, so it goes to Ada and Sofia, not to Emmy and Mary." in table.words
    assert steps(table.verdict()) == [(BACK, "seat:2", "seat:1")]
    table.lay("trick:1", "H2")
    # Nobody leads before that is put right.
    assert table.see() == []
    table.take("seat:2")
    table.lay("seat:1", BACK)
    assert table.see() == [play(1, "H2")]


def test_a_trick_gathered_before_everybody_has_played() -> None:
    table = playing()
    trick(table, "H3", "H4")
    table.gather(1)
    assert table.see() == [("trick_incomplete",)]
    verdict = table.verdict()
    assert "before Ada and Mary have played" in str(verdict.text)
    assert ("H3", "table", "trick:2") in steps(verdict)
    assert (BACK, "seat:1", "table") in steps(verdict)
    assert not table.session.judge.out_of_step


def test_cards_taken_up_without_a_packet_are_only_missed() -> None:
    table = playing()
    trick(table, "H3", "H4")
    table.take_trick()
    assert table.see() == []
    assert said(table.verdict()) == ("table_disturbed",)


def test_a_lead_onto_a_trick_that_is_not_gathered_is_a_second_card() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.lay("trick:1", "H2")
    assert table.see() == [("two_cards",)]
    table.take("trick:1", "H6")
    assert table.see() == []
    waiting = table.verdict()
    assert isinstance(waiting, Waiting)
    assert [item for item, _, _ in steps(waiting)] == [BACK, "H2"]


def test_the_trick_gathered_and_the_next_led_in_one_look() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    table.lay("trick:1", "H2")
    table.lay("trick:2", "HA")
    assert table.see() == [play(1, "H2"), play(2, "HA")]


def test_a_packet_that_is_covered_stops_nobody_but_is_missed() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.take_trick()
    assert table.see() == []
    waiting = table.verdict()
    assert isinstance(waiting, Waiting)
    assert str(waiting.text) == "Ada and Sofia took 1 trick, but no packets of theirs show."
    assert said(waiting.pressed) == ("table_disturbed",)
    table.lay("trick:1", "H2")
    assert table.see() == [play(1, "H2")]
    table.lay("seat:1", BACK, BACK)
    assert table.see() == []
    assert "Take what is no trick away from Ada's or Sofia's area; 1 packet must show." in table.words
    assert "Ada and Sofia took 1 trick, but 2 packets of theirs show." in table.words


def test_a_packet_face_up_is_to_be_turned() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.take_trick()
    table.lay("seat:1", "H6")
    table.lay("trick:1", "H2")
    assert table.see() == []
    verdict = table.verdict()
    assert said(verdict) == ("table_disturbed",)
    assert ("H6", "seat:1", "seat:1") in steps(verdict)


# What can't be read


def test_an_unread_card_stands_for_one_that_lay_there() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    trick(table, "H2")
    table.take("trick:1")
    covered = table.unread("trick:1")
    packet = table.unread("seat:1", BACK)
    table.take("seat:1")
    table.lay("trick:2", "HA")
    assert said(table.verdict(covered, packet)) == play(2, "HA")
    assert isinstance(table.verdict(table.unread("trick:1", "S9")), Refused | CantSee)


def test_an_unread_card_in_the_next_spot_is_not_guessed() -> None:
    table = playing()
    table.lay("trick:3", "H4")
    unread = table.unread("trick:2", "H3")
    assert isinstance(table.verdict(unread), CantSee)
    assert "Emmy's place in the trick (glare)" in str(table.verdict(unread).text)
    table.lay("trick:2", "H3")
    second = table.unread("trick:2", number=1)
    assert isinstance(table.verdict(second), CantSee)
    # What the seat after the next one has laid can wait.
    assert said(table.verdict(table.unread("trick:4"))) == play(2, "H3")


def test_a_packet_that_can_not_be_read_is_not_taken_for_the_wrong_sides() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.take_trick()
    table.lay("trick:1", "H2")
    assert isinstance(table.verdict(table.unread("seat:2", BACK)), CantSee)
    assert said(table.verdict(table.unread("seat:3", BACK))) == play(1, "H2")
    trick_up = playing()
    trick(trick_up, "H3", "H4")
    trick_up.take_trick()
    trick_up.lay("seat:1", BACK)
    assert isinstance(trick_up.verdict(trick_up.unread("trick:2"), trick_up.unread("trick:3", "S9")), CantSee | Refused)


@pytest.mark.parametrize("mat", [(700.0, 600.0), (1000.0, 700.0), (1189.0, 841.0)])
def test_smaller_mats_do(mat: tuple[float, float]) -> None:
    table = playing(mat=mat)
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    trick(table, "H2", "HA", "B3", "C4")
    table.gather(2)
    assert table.see() == []
    assert table.session.make_screen().mood is Mood.WAITING


@pytest.mark.parametrize("mat", [(700.0, 600.0), (1000.0, 700.0), (1189.0, 841.0)])
def test_a_card_laid_wide_of_its_spot_counts_there_where_no_other_can_lie(mat: tuple[float, float]) -> None:
    table = playing(mat=mat)
    table.nudged = {"trick:2": (60.0, 5.0), "trick:3": (-60.0, 5.0), "trick:4": (-62.0, -5.0), "trick:1": (-60.0, -5.0)}
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    assert table.see() == []
    unread = Unread(table.spot("trick:1")[0] + 60, table.spot("trick:1")[1] - 8, 0.0, "glare")
    table.lay("trick:2", "H2")
    assert isinstance(table.verdict(unread), CantSee)
    table = dealt(mat=mat)
    table.auction("", "", "", "")
    table.nudged = {"aside": (8.0, 6.0)}
    table.take("middle")
    table.lay("aside", "O8")
    assert table.see() == [{"do": "turn_up", "card": "O8"}]


def test_a_card_laid_by_the_middle_one_is_played_too_early() -> None:
    table = dealt(mat=(700.0, 600.0))
    table.nudged = {"trick:2": (60.0, 10.0)}
    table.lay("trick:2", "H3")
    assert table.see() == [("auction_due",)]
    assert steps(table.verdict()) == [("H3", "trick:2", "hand:2")]


def test_everything_is_said_in_japanese_as_well() -> None:
    table = playing(language=Language.JA)
    trick(table, "H3", "H4", "H5", "H6")
    assert "トリックはAdaさんとSofiaさんのものです" in table.words
    table.gather(2)
    table.see()
    assert "AdaさんとSofiaさんのものです" in table.words
    assert "最後のトリックをEmmyさんかMaryさんの場からAdaさんかSofiaさんの場に移してください。" in table.words
    assert isinstance(table.verdict(), Refused)
    assert not isinstance(table.verdict(), Accepted)
