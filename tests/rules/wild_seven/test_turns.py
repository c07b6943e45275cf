"""The rules of Wild Seven by examples, in the order of the sheet and of the page's rulings."""

from __future__ import annotations

from random import Random

import pytest

from rules.cards import DECK, Suit, mask_of
from rules.wild_seven.deck import first_to_act, hand_at_start, in_play, larger_in_suit, left_over, score, smaller_than
from rules.wild_seven.moves import Deal, Reveal, Setup
from rules.wild_seven.play import deal
from rules.wild_seven.position import Ending, Phase, Position
from rules.wild_seven.rules import RULES
from tests.rules.wild_seven.table import card, cards, get, play, table

# 準備


@pytest.mark.parametrize(
    ("players", "box", "hand", "wanted"),
    [(3, {Suit.COFFIN, Suit.TIME}, 11, 2), (4, {Suit.COFFIN}, 10, 2), (5, set(), 9, 4)],
)
def test_suits_stay_in_the_box_and_the_rest_is_dealt_evenly(
    players: int, box: set[Suit], hand: int, wanted: int
) -> None:
    playing = [one for one in DECK if one.suit not in box]
    assert in_play(players) == mask_of(playing)
    assert (hand_at_start(players), left_over(players)) == (hand, wanted)
    dealt = deal(players, Random(1))
    assert [len(one) for one in dealt.hands] == [hand] * players
    assert sorted([*dealt.wanted, *(one for some in dealt.hands for one in some)]) == sorted(playing)


@pytest.mark.parametrize(("players", "hand", "wanted"), [(3, 10, 5), (4, 9, 6), (5, 8, 9)])
def test_after_the_reveal_hands_and_wanted_are_as_the_rulings_count_them(players: int, hand: int, wanted: int) -> None:
    position = Position.start("ABCDE"[:players]).do(deal(players, Random(2)))
    assert position.phase == "reveal"
    assert position.to_move is None
    assert RULES.to_move(position) == set(range(1, players + 1))
    after = position.do(RULES.random_move(position, Random(3)))
    assert [after.hand_size(seat) for seat in range(1, players + 1)] == [hand] * players
    assert len(after.wanted) == wanted
    assert after.phase == "play"
    assert RULES.to_move(after) == {after.to_move}


@pytest.mark.parametrize(
    ("revealed", "seat"),
    [
        ("C9 H5 B6", 2),
        ("S7 C7 B7", 3),
        ("T6 C6 H6 O8", 3),
        ("S11 FK T12", 1),
        ("HA O2 B3 C4 S5", 1),
        ("F7 T7 S7 C7 B7", 5),
    ],
)
def test_the_lowest_rank_starts_and_of_several_the_lower_suit(revealed: str, seat: int) -> None:
    assert first_to_act(cards(revealed)) == seat


def test_the_revealed_cards_are_wanted_before_the_first_turn() -> None:
    position = Position.start("ABC").do(Setup(cards("C9 S5"))).do(Reveal(cards("H5 O2 B9")))
    assert position.wanted == cards("H5 O2 B9 C9 S5")
    assert position.to_move == 2
    assert [position.in_front(seat) for seat in (1, 2, 3)] == [None] * 3


def test_the_revealed_cards_leave_the_hands() -> None:
    dealt = deal(3, Random(4))
    revealed = tuple(hand[0] for hand in dealt.hands)
    after = Position.start("ABC").do(dealt).do(Reveal(revealed))
    assert [set(after.hand(seat)) for seat in (1, 2, 3)] == [set(hand[1:]) for hand in dealt.hands]


# 遊びかた


def test_turns_go_clockwise() -> None:
    position = table("- - -", seat=2)
    seats = []
    for name in ("O3", "B4", "C5"):
        seats.append(position.to_move)
        position = position.do(play(position.to_move or 0, name))
    assert [*seats, position.to_move] == [2, 3, 1, 2]


def test_who_has_no_card_in_front_plays_and_who_has_one_gets() -> None:
    position = table("- S9 -", wanted="O3")
    assert position.can(play(1, "S5"))
    assert not position.can(get(1, "O3"))
    position = table("- S9 -", wanted="O3", seat=2)
    assert position.can(get(2, "O3"))
    assert not position.can(play(2, "S5"))


# 《プレイ》


def test_a_card_laid_bumps_every_larger_card_of_its_suit_in_front_of_others() -> None:
    position = table("- S9 S5 S11 T9", wanted="HA")
    assert position.bumped_by(1, card("S7")) == ((2, card("S9")), (4, card("S11")))
    after = position.do(play(1, "S7"))
    assert [after.in_front(seat) for seat in range(1, 6)] == [card("S7"), None, card("S5"), None, card("T9")]
    assert after.wanted == cards("HA S9 S11")
    assert after.hand_size(1) == 2
    assert after.to_move == 2


def test_a_card_bumps_none_of_smaller_rank_and_none_of_another_suit() -> None:
    position = table("- S9 C10")
    for name in ("S11", "S10", "H7", "O2"):
        assert position.bumped_by(1, card(name)) == ()
        assert position.do(play(1, name)).in_front(2) == card("S9")


def test_bumped_is_seen_from_the_seat_that_plays() -> None:
    """A referee may ask what a card would bump that lies in front already."""
    position = table("S9 S11 -")
    assert position.bumped_by(1, card("S9")) == ((2, card("S11")),)
    assert position.bumped_by(2, card("S11")) == ()
    assert position.bumped_by(1, card("S5")) == ((2, card("S11")),)


def test_who_was_bumped_plays_again() -> None:
    after = table("- S9 -").do(play(1, "S5"))
    assert after.to_move == 2
    assert after.can(play(2, "S6"))
    assert not after.can(get(2, "S9"))


# 《ゲット》


def test_a_smaller_rank_of_any_suit_is_taken() -> None:
    position = table("C7 - -", wanted="H6 O7 B8 C4 S7")
    assert position.can_take(1) == cards("H6 C4")
    after = position.do(get(1, "H6"))
    assert after.captured(1) == cards("H6")
    assert after.captured_count(1) == 1
    assert after.in_front(1) is None
    assert after.wanted == cards("O7 B8 C4 C7 S7")
    assert after.hand_size(1) == 3


def test_only_where_none_is_smaller_a_larger_one_of_the_own_suit_is_taken() -> None:
    position = table("C5 - -", wanted="H5 C7 C9 S8")
    assert position.can_take(1) == cards("C7 C9")
    assert position.do(get(1, "C9")).captured(1) == cards("C9")
    assert table("C5 - -", wanted="H4 C7").can_take(1) == cards("H4")


@pytest.mark.parametrize("wanted", ["", "H5 S8", "H7 O7 B7"])
def test_where_neither_is_there_nothing_is_taken_and_the_own_card_is_wanted_all_the_same(wanted: str) -> None:
    position = table("C5 - -", wanted=wanted)
    assert position.can_take(1) == ()
    after = position.do(get(1))
    assert after.captured_count(1) == 0
    assert set(after.wanted) == {*cards(wanted), card("C5")}
    assert after.in_front(1) is None


def test_the_own_card_cannot_be_taken_in_the_same_turn_but_in_a_later_one() -> None:
    position = table("C5 C6 -", wanted="H5")
    assert not position.can(get(1, "C5"))
    assert position.do(get(1)).do(get(2, "C5")).captured(2) == cards("C5")


def test_nobody_takes_nothing_while_a_card_can_be_taken() -> None:
    assert not table("C5 - -", wanted="H4").can(get(1))
    assert not table("C5 - -", wanted="C6").can(get(1))


# ゲーム終了


def test_the_game_ends_when_a_turn_comes_to_somebody_with_no_card_in_front_and_none_in_hand() -> None:
    position = table("O4 - S9", wanted="HA", hands=("", "", "C7"), captured=("H2", "S5 S6", ""))
    after = position.do(get(1, "HA"))
    assert after.phase is Phase.OVER
    assert after.to_move is None
    assert after.outcome is not None
    assert after.outcome.reason is Ending.NO_CARD_LEFT
    assert after.outcome.reason == "no_card_left"


def test_an_empty_hand_alone_ends_nothing() -> None:
    assert table("O4 B5 S9", wanted="HA", hands=("", "", "C7")).do(get(1, "HA")).to_move == 2
    assert table("O4 - S9", wanted="HA", hands=("", "C7", "")).do(get(1, "HA")).to_move == 2


def test_being_bumped_with_an_empty_hand_ends_the_game() -> None:
    position = table("- S9 -", hands=("S5 S7", "", "H3"))
    assert position.do(play(1, "S5")).phase is Phase.OVER


def test_cards_in_hands_in_front_and_among_the_wanted_score_for_nobody() -> None:
    after = table("- S9 C8", wanted="H7 O8", hands=("S5 S7", "", "H3"), captured=("", "B5", "")).do(play(1, "S5"))
    assert after.points == (0, 5, 0)
    assert RULES.result(after) == {"final": [0, 5, 0], "winners": [2], "reason": "no_card_left"}


# 得点計算


@pytest.mark.parametrize(
    ("captured", "points"),
    [
        ("", 0),
        ("HA", 1),
        ("FK", 13),
        ("O4", 4),
        ("O4 O6", 13),
        ("O4 O6 O5", 20),
        ("HA H2 H3 H4 H5 H6 H7", 49),
        ("S5 S11", 18),
        ("HA O2 B3 C4 S5 T6 F7", 28),
        ("T12 T7 F8 FK", 39),
    ],
)
def test_a_suit_scores_its_highest_rank_and_seven_for_each_further_card(captured: str, points: int) -> None:
    assert score(mask_of(cards(captured))) == points


def test_the_most_points_win_and_ties_share() -> None:
    over = table("- S9 - -", hands=("S5", "", "", "H3"), captured=("", "B9", "H2", "S9 S6")).do(play(1, "S5"))
    assert over.outcome is not None
    assert (over.outcome.points, over.outcome.winners) == ((0, 9, 2, 16), (4,))
    over = table("- S9 -", hands=("S5", "", "H3"), captured=("B9", "C9", "H2")).do(play(1, "S5"))
    assert over.outcome is not None
    assert over.outcome.winners == (1, 2)
    over = table("- S9 -", hands=("S5", "", "H3")).do(play(1, "S5"))
    assert over.outcome is not None
    assert over.outcome.winners == (1, 2, 3)


# What everybody may be shown


def test_a_position_prints_how_many_are_captured_and_never_which() -> None:
    position = table("- S9 -", wanted="H4", captured=("B9 B3", "", ""))
    assert repr(position) == "<Position P1 to move, in front - S9 -, hands [3, 3, 3], captured [2, 0, 0], wanted H4>"
    assert [position.captured_count(seat) for seat in (1, 2, 3)] == [2, 0, 0]


def test_hands_are_not_told_with_public_information() -> None:
    with pytest.raises(ValueError, match="not known"):
        table("- - -").hand(1)


@pytest.mark.parametrize("players", [0, 1, 2, 6])
def test_it_is_for_three_to_five(players: int) -> None:
    with pytest.raises(ValueError, match="3 to 5"):
        Position.start(["A"] * players)
    assert [*RULES.seats] == [3, 4, 5]


def test_masks_of_smaller_and_larger_cards_are_what_they_say() -> None:
    for one in DECK:
        assert smaller_than(one) == mask_of(other for other in DECK if other.rank < one.rank)
        larger = [other for other in DECK if other.suit is one.suit and other.rank > one.rank]
        assert larger_in_suit(one) == mask_of(larger)


def test_moves_read_well() -> None:
    dealt = Deal((cards("H7 O3"), cards("B4")), cards("C9"))
    assert str(dealt) == "deal H7 O3 | B4 wanted C9"
    assert str(Setup(cards("C9 S5"))) == "set-up wanted C9 S5"
    assert str(Reveal(cards("H5 O2"))) == "reveal H5 O2"
    assert [str(move) for move in (play(2, "H5"), get(3, "O2"), get(1))] == ["2 play H5", "3 get O2", "1 get nothing"]
