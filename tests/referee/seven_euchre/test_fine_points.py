"""Small differences that change a verdict: which packet, which spot, which card that can't be read."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee.seven_euchre.referee import REFEREE
from referee.seven_euchre.state import EuchreState
from referee.seven_euchre.telling import deal_result, follow_words, next_words, to_do
from referee.seven_euchre.words import place_words
from referee.table import Unread
from referee.verdict import Accepted, CantSee, Refused, Waiting
from rules.seven_euchre.play import random_move
from rules.seven_euchre.position import Position
from rules.text import Language
from tests.referee.seven_euchre.at_the_table import BACK, PLAYERS, dealt, exchanging, play, playing, said, steps, trick

SMALL = (700.0, 600.0)

# Packets


def test_an_extra_card_with_the_other_side_is_no_wrong_gathering() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    table.lay("seat:4", BACK)
    assert table.see() == []
    waiting = table.verdict()
    assert isinstance(waiting, Waiting)
    assert str(waiting.text) == "Emmy and Mary took no tricks, but 1 packet of theirs shows."
    assert steps(waiting) == [(BACK, "seat:2", "table")]
    table.lay("seat:3", BACK, BACK)
    assert [mend.count for mend in table.verdict().mend] == [2, 1]
    assert "Take what is no trick away from Emmy's or Mary's area; no packets must show." in str(
        table.verdict().mend[1].text
    )
    table.lay("trick:1", "H2")
    assert table.see() == [play(1, "H2")]


def test_a_packet_that_changes_sides_in_a_trick_stops_nobody() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    trick(table, "H2")
    table.move(BACK, "seat:1", "seat:2")
    waiting = table.verdict()
    assert isinstance(waiting, Waiting)
    assert len(waiting.sentences) == 2
    table.lay("trick:2", "HA")
    assert table.see() == [play(2, "HA")]


def test_two_cards_too_many_in_the_middle() -> None:
    table = dealt()
    table.lay("middle", BACK, BACK)
    (mend,) = table.verdict().mend
    assert (mend.item, mend.source, mend.target, mend.count) == (BACK, "middle", "table", 2)


def test_a_trick_of_the_other_side_is_not_theirs_either() -> None:
    table = playing()
    trick(table, "H6", "H4", "H5", "H3")
    assert "Heart 6 of Emmy wins; the trick goes to Emmy and Mary." in table.words
    table.gather(3)
    assert table.see() == [("trick_not_theirs",)]
    refused = table.verdict()
    assert str(refused.text) == "Emmy won the trick, so it goes to Emmy and Mary, not to Ada and Sofia."
    assert steps(refused) == [(BACK, "seat:1", "seat:2")]
    assert str(refused.mend[0].text) == "Put the last trick from Ada's or Sofia's area into Emmy's or Mary's area."
    table.gather(4)
    table.take("seat:3")
    assert table.see() == []
    assert table.session.make_screen().headline.startswith("Ada plays heart 3.")


def test_only_a_missing_packet_is_no_wrong_gathering() -> None:
    table = playing()
    trick(table, "H6", "H4", "H5", "H3")
    table.gather(2)
    trick(table, "H2", "B4", "B5", "B3")
    table.take_trick()
    table.see()
    waiting = table.verdict()
    assert isinstance(waiting, Waiting)
    assert str(waiting.text) == "Emmy and Mary took 2 tricks, but 1 packet of theirs shows."
    assert waiting.mend[0].count == 1
    assert "2 packets must show" in str(waiting.mend[0].text)


def test_an_unread_packet_matters_before_a_lead_only_and_only_where_one_is_missed() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    table.lay("trick:1", "H2")
    unread = table.unread("seat:2", BACK, number=3)
    assert said(table.verdict(unread)) == play(1, "H2")
    table.take("seat:1")
    assert table.verdict(unread).at_once
    # It may be the right side's, and what lies with the other side something else.
    table.lay("seat:2", BACK)
    assert isinstance(table.verdict(table.unread("seat:1", number=3)), CantSee)
    assert said(table.verdict()) == ("trick_not_theirs",)
    table.take("seat:2")
    table.see()
    table.lay("trick:2", "HA")
    assert said(table.verdict(unread)) == play(2, "HA")
    # Before the first trick nobody has gathered anything.
    table = playing()
    table.lay("trick:2", "H3")
    assert said(table.verdict(unread)) == play(2, "H3")


def test_an_unread_packet_stands_for_one() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.take_trick()
    packet = table.unread("seat:3", BACK)
    assert said(table.verdict(packet)) == ("play_due", "table_disturbed")
    # One packet is one packet.
    again = table.unread("seat:3", BACK, number=2)
    assert isinstance(table.verdict(packet, again), CantSee)
    assert isinstance(table.verdict(table.unread("seat:3", "S9")), CantSee)


def test_an_unread_card_aside_stands_for_the_one_that_lies_there() -> None:
    table = playing()
    table.take("aside")
    table.lay("trick:2", "H3")
    unread = table.unread("aside", BACK)
    assert said(table.verdict(unread)) == play(2, "H3")
    assert isinstance(table.verdict(table.unread("aside", "S9")), CantSee)
    assert isinstance(table.verdict(unread, table.unread("aside", BACK, number=1)), Accepted)


def test_one_unread_card_stands_for_one_card_only() -> None:
    table = playing()
    trick(table, "H3", "H4")
    table.take("trick:2")
    table.take("trick:3")
    table.lay("trick:4", "H5")
    both = table.unread("trick:2", "H3"), table.unread("trick:3", "H4", "S9")
    assert said(table.verdict(*both)) == play(4, "H5")
    assert not isinstance(table.verdict(both[0]), Accepted)
    assert isinstance(table.verdict(both[0], table.unread("trick:2", "H4")), CantSee)


def test_the_winner_is_told_once() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    assert len(table.session.judge.last.sentences) == 2
    table.gather(1)
    trick(table, "H2")
    assert [str(text) for text in table.session.judge.last.sentences] == ["Ada plays heart 2."]


def test_a_card_seen_twice_in_one_place_is_one_too_many() -> None:
    table = playing()
    trick(table, "H3")
    table.lay("trick:2", "H3")
    assert said(table.verdict()) == ("two_cards",)
    table.take("trick:2", "H3")
    table.lay("seat:3", "S9", "S9")
    assert said(table.verdict()) == ("table_disturbed",)


# A trick picked up


@pytest.mark.parametrize("seat", [1, 2])
def test_a_trick_gathered_too_early_by_either_side(seat: int) -> None:
    table = playing()
    trick(table, "H3", "H4", "H5")
    table.gather(seat)
    assert said(table.verdict()) == ("trick_incomplete",)
    comparison = REFEREE.compare(table.agreed, table.view(), table.layout)
    assert comparison.disturbed == 1
    assert len(comparison.mends) == 4


def test_one_card_left_is_no_trick_gathered() -> None:
    table = playing()
    trick(table, "H3", "H4")
    table.take("trick:2")
    table.lay("seat:1", BACK)
    assert said(table.verdict()) == ("table_disturbed",)
    comparison = REFEREE.compare(table.agreed, table.view(), table.layout)
    assert comparison.disturbed == 1


def test_what_was_touched_is_counted() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5")
    assert REFEREE.compare(table.agreed, table.view(), table.layout).disturbed == 0
    table.take("aside")
    assert REFEREE.compare(table.agreed, table.view(), table.layout).disturbed == 1
    table.take("trick:2")
    table.lay("seat:3", "S9", BACK)
    comparison = REFEREE.compare(table.agreed, table.view(), table.layout)
    assert comparison.disturbed == 2
    assert len(comparison.told) == 4
    assert REFEREE.compare(table.agreed, table.view(table.unread("table")), table.layout).unread == 1


def test_an_old_trick_half_gathered_is_one_thing() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    for seat in (2, 3, 4):
        table.cards[f"trick:{seat}"] = []
    assert REFEREE.compare(table.agreed, table.view(), table.layout).disturbed == 1


def test_trumps_are_told_once() -> None:
    table = dealt()
    table.auction("", "", "", "")
    table.take("middle")
    table.lay("aside", "O8")
    table.see()
    table.auction("8", "", "", "")
    assert [str(text) for text in table.session.judge.last.sentences] == ["Ada passes.", "Contract: onion 8 by Emmy."]
    table = exchanging()
    assert [str(text) for text in table.session.judge.last.sentences][1:] == [
        "Contract: coin 8 by Emmy.",
        "Trumps are coin and every 7; coin 7 is the top one.",
    ]


def test_the_card_turned_up_is_no_card_of_the_trick() -> None:
    table = dealt()
    table.auction("", "", "", "")
    table.take("middle")
    table.lay("aside", "O8")
    table.see()
    table.auction("8", "", "", "")
    trick(table, "H3")
    table.take("aside")
    table.lay("seat:1", BACK)
    assert said(table.verdict()) == ("table_disturbed",)
    assert (("O8", "table", "aside")) in steps(table.verdict())


# Spots


def test_a_card_moved_onto_another_spot_of_the_old_trick_is_only_missed() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.move("H3", "trick:2", "trick:3")
    assert table.see() == []
    waiting = table.verdict()
    assert isinstance(waiting, Waiting)
    assert ("H3", "trick:3", "trick:2") in steps(waiting)


def test_a_card_far_from_every_spot_of_the_trick_is_not_played() -> None:
    table = playing()
    table.lay("middle", "H3")
    assert table.see() == []
    assert said(table.verdict()) == ("table_disturbed",)
    assert steps(table.verdict()) == [("H3", "middle", "hand:2")]


def test_a_card_played_already_goes_back_to_the_hand_it_came_from() -> None:
    table = playing()
    trick(table, "H3", "H4", "H5", "H6")
    table.gather(1)
    table.lay("trick:1", "H4")
    assert steps(table.verdict()) == [("H4", "trick:1", "hand:1")]


def test_on_a_small_mat_the_middle_card_turned_up_is_not_played() -> None:
    table = dealt(mat=SMALL)
    table.auction("", "", "", "")
    table.nudged = {"middle": (8.0, 6.0)}
    table.take("middle")
    table.lay("middle", "O8")
    assert said(table.verdict()) == {"do": "turn_up", "card": "O8"}


def test_on_a_small_mat_a_card_by_a_turned_up_one_is_played() -> None:
    table = dealt(mat=SMALL)
    table.auction("", "", "", "")
    table.take("middle")
    table.lay("aside", "O8")
    table.see()
    table.auction("8", "", "", "")
    table.nudged = {"trick:2": (-60.0, 6.0)}
    table.lay("trick:2", "H3")
    assert table.layout.place_at(*table.spot("trick:2")) == "aside"
    assert said(table.verdict()) == play(2, "H3")
    # Where the card turned up is gone, what lies in its place may be anything.
    table.take("aside")
    assert not isinstance(table.verdict(), Accepted)


def test_a_middle_card_that_is_gone_leaves_its_place_to_nothing_else() -> None:
    table = dealt(mat=SMALL)
    table.take("middle")
    table.nudged = {"trick:2": (60.0, 10.0)}
    table.lay("trick:2", "H3")
    assert said(table.verdict()) == ("auction_due",)
    assert str(table.verdict().mend[0].text) == "Turn heart 3 in the middle face down."


def test_a_second_card_beside_the_one_turned_up_can_not_be_guessed() -> None:
    table = dealt()
    table.auction("", "", "", "")
    table.take("middle")
    table.lay("aside", "O8")
    assert isinstance(table.verdict(table.unread("middle", "S9")), CantSee)
    assert said(table.verdict()) == {"do": "turn_up", "card": "O8"}
    table.lay("middle", "O7")
    assert said(table.verdict()) == ("table_disturbed",)


def test_an_exchange_is_not_guessed_either() -> None:
    table = exchanging()
    table.take("middle")
    assert isinstance(table.verdict(table.unread("aside", BACK)), CantSee)
    table.lay("aside", BACK)
    assert isinstance(table.verdict(table.unread("middle", "S9")), CantSee)
    table.lay("aside", BACK)
    assert said(table.verdict()) == ("table_disturbed",)
    table.take("aside", BACK)
    table.lay("seat:2", "H3")
    assert said(table.verdict()) == ("table_disturbed",)


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_an_unread_card_where_a_trick_was_picked_up_is_not_guessed(seat: int) -> None:
    table = playing()
    trick(table, "H3", "H4")
    table.gather(1)
    assert isinstance(table.verdict(table.unread(f"trick:{seat}", "S9")), CantSee)


def test_on_a_small_mat_an_unread_card_by_the_middle_may_be_the_next_one() -> None:
    table = playing(mat=SMALL)
    x, y = table.spot("trick:2")
    wide = Unread(x + 60, y + 8, 0.0, "glare", ("H3",))
    assert table.layout.place_at(wide.x, wide.y) == "middle"
    table.lay("trick:3", "H4")
    assert isinstance(table.verdict(wide), CantSee)
    # The card aside is gone, so an unread one there may be it.
    table.take("trick:3")
    table.take("aside")
    x, y = table.spot("aside")
    assert said(table.verdict(Unread(x + 8, y - 6, 0.0, "glare", (BACK,)))) == ("play_due", "table_disturbed")


def test_what_must_lie_where_is_told_by_place() -> None:
    table = playing()
    trick(table, "H3")
    expected = REFEREE.expect_places(table.agreed)
    assert set(expected) == {"aside", "trick:2"}
    assert expected["aside"].backs == (1, 1)
    assert expected["trick:2"].faces == {"H3"}
    spots = table.verdict(table.unread("trick:3")).spots
    assert (
        str(REFEREE.explain_unread(table.agreed, spots)[0])
        == "A card can't be read surely at Sofia's place in the trick (glare)."
    )
    assert str(REFEREE.place_words(table.agreed, "aside")) == "the place aside"


def test_a_spot_reaches_75_mm() -> None:
    layout = playing().layout
    x, y = layout.locate_spot("trick:1")
    assert layout.place_at(x, y + 74.9) == "trick:1"
    assert layout.place_at(x, y + 75.1) == "seat:1"
    assert layout.place_at(x - 200, y) == "table"
    assert layout.spots[0] == (594.5, 420.5)
    with pytest.raises(ValueError, match="no layout for 3 players"):
        REFEREE.make_layout(3, SMALL)


# The end, and words


def test_after_the_end_confirm_says_so() -> None:
    table = playing()
    over = EuchreState(replace(table.position, points=(80, 3)))
    verdict = REFEREE.judge(over, table.view(), table.layout)
    assert isinstance(verdict, Refused)
    assert verdict.refusal.code == "game_over"
    assert REFEREE.compare(over, table.view(), table.layout).agrees


def played_out(seed: int) -> Position:
    """Return a position after the last card of a game's first deal."""
    chance, position = Random(seed), Position.start(PLAYERS, 1, 500)
    while not position.deals:
        position = position.do(random_move(position, chance))
    return position


def test_each_point_is_told_where_it_came_from() -> None:
    made = next(p for p in map(played_out, range(300)) if _made(p) and p.contract.tricks == 8)
    plain = next(p for p in map(played_out, range(300)) if _made(p) and p.contract.tricks == 7)
    failed = next(p for p in map(played_out, range(300)) if not _made(p))
    for position in (made, plain):
        contract, (first, second) = position.contract, position.tricks
        side = (contract.seat - 1) % 2
        bonus = f" + {contract.trump.points}{' + 8' if position is made else ''} for the bid"
        mine = (bonus, "") if side == 0 else ("", bonus)
        points = position.points
        assert [str(text) for text in deal_result(position)] == [
            f"{PLAYERS[contract.seat - 1]}'s bid, {contract.text}, is made: "
            f"{('Ada and Sofia', 'Emmy and Mary')[side]} took {position.tricks[side]}.",
            f"Ada and Sofia: {first} for tricks{mine[0]} = {points[0]}; {points[0]} in all.",
            f"Emmy and Mary: {second} for tricks{mine[1]} = {points[1]}; {points[1]} in all.",
        ]
        assert points[side] == position.tricks[side] + contract.trump.points + (8 if position is made else 0)
    side = (failed.contract.seat - 1) % 2
    short, took = failed.contract.tricks - failed.tricks[side], failed.tricks[1 - side]
    told = [str(text) for text in deal_result(failed)]
    assert f"failed by {short}: " in told[0]
    assert f"{took} for tricks + {short} × {took} for the failed bid = {took + short * took};" in told[2 - side]
    assert "bid" not in told[1 + side]
    assert all("失敗" in text.said(Language.JA) for text in list(deal_result(failed))[:1])


def _made(position: Position) -> bool:
    assert position.contract is not None
    return position.tricks[(position.contract.seat - 1) % 2] >= position.contract.tricks


def test_nothing_is_scored_in_the_middle_of_a_deal() -> None:
    assert list(deal_result(playing().position)) == []
    assert list(deal_result(dealt().position)) == []


def test_who_does_what_next() -> None:
    start = Position.start(PLAYERS)
    assert next_words(start) is None
    assert list(to_do(start)) == []
    assert next_words(dealt().position) is None
    assert next_words(exchanging().position) is None
    table = playing()
    assert str(next_words(table.position)) == "Emmy leads."
    assert list(to_do(table.position)) == []
    assert follow_words(table.position) is None
    trick(table, "H3")
    assert str(next_words(table.position)) == "Sofia is to play."


def test_places_have_names_in_both_languages() -> None:
    position = playing().position
    names = {
        place: place_words(position, place) for place in ("middle", "aside", "table", "trick:2", "seat:2", "hand:2")
    }
    assert {place: str(words) for place, words in names.items()} == {
        "middle": "the middle",
        "aside": "the place aside",
        "table": "the table",
        "trick:2": "Emmy's place in the trick",
        "seat:2": "Emmy's area",
        "hand:2": "Emmy's hand",
    }
    assert len({words.said(Language.JA) for words in names.values()}) == 6


def test_a_stray_card_is_said_to_lie_where_it_does() -> None:
    table = playing()
    table.lay("table", "S9")
    table.lay("trick:1", BACK)
    verdict = table.verdict()
    assert [str(reason.text) for reason in verdict.reasons] == [
        "Star 9 lies on the table.",
        "A card lies face down in Ada's place in the trick.",
    ]
    assert steps(verdict) == [("S9", "table", "hand:2"), (BACK, "trick:1", "table")]
    table.cards["table"], table.cards["trick:1"] = [], []
    table.lay("aside", BACK)
    assert [str(reason.text) for reason in table.verdict().reasons] == ["A card lies face down in the place aside."]


def test_an_unread_mark_far_from_all_spots_is_told_where_it_lies() -> None:
    table = playing()
    verdict = table.verdict(Unread(1000.0, 420.0, 0.0, "covered"))
    assert isinstance(verdict, CantSee)
    assert [(spot.place, spot.cause) for spot in verdict.spots] == [("table", "covered")]
    assert str(verdict.sentences[0]) == "A card can't be read surely at the table (covered)."
