"""The rules of Wild Seven by examples, in the order of the sheet and of the page's rulings."""

from __future__ import annotations

from random import Random

import pytest

from rules.cards import DECK, Suit, mask_of
from rules.wild_seven.deck import hand_at_start, in_play, larger_in_suit, left_over, smaller_than
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


# 遊びかた


# 《プレイ》


def test_bumped_is_seen_from_the_seat_that_plays() -> None:
    """A referee may ask what a card would bump that lies in front already."""
    position = table("S9 S11 -")
    assert position.bumped_by(1, card("S9")) == ((2, card("S11")),)
    assert position.bumped_by(2, card("S11")) == ()
    assert position.bumped_by(1, card("S5")) == ((2, card("S11")),)


# 《ゲット》


# ゲーム終了


def test_the_game_ends_when_a_turn_comes_to_somebody_with_no_card_in_front_and_none_in_hand() -> None:
    position = table("O4 - S9", wanted="HA", hands=("", "", "C7"), captured=("H2", "S5 S6", ""))
    after = position.do(get(1, "HA"))
    assert after.phase is Phase.OVER
    assert after.to_move is None
    assert after.outcome is not None
    assert after.outcome.reason is Ending.NO_CARD_LEFT
    assert after.outcome.reason == "no_card_left"


def test_being_bumped_with_an_empty_hand_ends_the_game() -> None:
    position = table("- S9 -", hands=("S5 S7", "", "H3"))
    assert position.do(play(1, "S5")).phase is Phase.OVER


# 得点計算


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
        table("- - -").get_hand(1)


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
