"""The play of a deal, its points, and the end of the game: by the sheet, with full information."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.cards import Suit
from rules.seven_euchre.moves import Play
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase
from tests.rules.seven_euchre.table import START, card, cards, codes, deal_of, played, random_game, text

DEAL = deal_of(
    "C10 C9 C8 H3 H4 F10 F11 O5 T9 T10 S5 S6",
    "H7 HA H2 FK F12 B3 B4 B5 B6 S8 S9 S10",
    "C4 C5 F7 F8 F9 H5 B8 B9 T6 T8 T11 O2",
    "H6 O3 O4 O6 O7 O8 B7 C6 S7 S11 T7 T12",
    middle="C7",
)
PLAY = played("C8 - - - C7", START.do(DEAL))
"""North plays coin 8 and laid coin 7 aside."""


def test_the_declarer_leads_and_any_card_may_be_led() -> None:
    assert PLAY.to_move == 1
    for one in PLAY.get_hand(1):
        assert PLAY.is_legal(Play(1, one))


def test_whoever_has_only_a_seven_must_follow_a_trump_lead_with_it() -> None:
    """The sheet's own example: coins are trumps, and East has no coin but a 7."""
    position = played("C9", PLAY)
    assert not [one for one in position.get_hand(2) if one.suit is Suit.COIN]
    assert codes(position, Play(2, card("FK"))) == ["must_follow"]
    assert text(position, Play(2, card("FK"))) == (
        "Coin 9 was led, so East must follow with trumps (coin and every 7), not play coffin K."
    )
    assert codes(position, Play(2, card("HA"))) == ["must_follow"]
    assert position.is_legal(Play(2, card("H7")))


def test_a_seven_does_not_follow_its_printed_suit() -> None:
    position = played("H3", PLAY)
    assert codes(position, Play(2, card("H7"))) == ["must_follow"]
    position = played("F10 FK", PLAY)
    assert codes(position, Play(3, card("F7"))) == ["must_follow"]
    assert position.is_legal(Play(3, card("F8")))


def test_a_seven_that_is_led_asks_for_trumps() -> None:
    position = played("F10 FK F8 T7  T12 T10 H7 T8", PLAY)
    assert position.to_move == 2
    position = played("F12 F9 O3 F11  B3 B8 S7 O5", position)
    assert position.to_move == 4
    position = played("O7", position)
    assert (position.led, position.led_suit) == (card("O7"), Suit.COIN)
    assert codes(position, Play(1, card("H3"))) == ["must_follow"]
    assert position.is_legal(Play(1, card("C9")))
    assert set(position.following) == set(cards("C4 C5 C6 C7 C8 C9 C10 H7 O7 B7 S7 T7 F7"))


def test_without_a_card_of_the_suit_any_card_may_be_played() -> None:
    position = played("F10 FK F8", PLAY)
    for one in position.get_hand(4):
        assert position.is_legal(Play(4, one))


def test_a_card_of_another_hand_or_played_before_or_out_of_turn() -> None:
    position = played("F10 FK", PLAY)
    assert codes(position, Play(3, card("HA"))) == ["card_not_in_hand", "must_follow"]
    assert codes(position, Play(3, card("F10"))) == ["card_not_in_hand"]
    assert text(position, Play(3, card("F10"))) == "Coffin 10 was played in trick 1 already."
    assert codes(position, Play(2, card("S8"))) == ["out_of_turn"]
    assert codes(position, Play(2, card("FK"))) == ["out_of_turn", "card_not_in_hand"]


def test_a_card_turned_up_is_out_of_play() -> None:
    position = played("- - - - C7 8 - - -", START.do(DEAL))
    assert codes(position, Play(1, card("C7"))) == ["card_not_in_hand"]
    assert text(position, Play(1, card("C7"))) == "Coin 7 was turned up in the middle and is out of play."


TABLE = """
F 7 15 23 31 39 47
T 8 16 24 32 40 48
S 9 17 25 33 41 49
C 10 18 26 34 42 50
B 11 19 27 35 43 51
O 12 20 28 36 44 52
H 13 21 29 37 45 53
NT 14 22 30 38 46 54
"""
"""The sheet's table, with the digits that were lost in it."""


def ended(points: tuple[int, int], target: int = 100) -> Position:
    """Return the last card of a deal about to be played, with these points before it."""
    positions, moves = random_game(1)
    place = next(place for place, position in enumerate(positions) if position.deals)
    position = replace(positions[place - 1], target=target, points=points)
    return position.do(moves[place - 1])


def test_equal_points_at_the_target_play_on() -> None:
    scored = ended((0, 0)).points
    level = ended((200 - scored[0], 200 - scored[1]), 200)
    assert level.points == (200, 200)
    assert (level.outcome, level.phase) == (None, DealPhase.DEAL)


def test_a_position_reads_as_text() -> None:
    assert repr(START) == "<Position West to deal, points [0, 0]>"
    assert repr(played("F10 FK", PLAY)) == (
        "<Position South to play, trick 1: F10 FK, coin 8 by North, tricks [0, 0], points [0, 0]>"
    )
    assert repr(played("C8 - - -", START.do(DEAL))) == "<Position North to exchange, coin 8 by North, points [0, 0]>"
    assert "trick 1: the lead, coin 8" in repr(PLAY)
    assert "B7 turned up" in repr(played("deal - - - - B7 8"))


@pytest.mark.parametrize(
    ("names", "dealer", "target"),
    [("ABC", 1, 100), ("ABCDE", 1, 100), ("ABCD", 0, 100), ("ABCD", 5, 1), ("ABCD", 1, 0)],
)
def test_four_play_one_of_them_deals_and_the_target_is_above_nothing(names: str, dealer: int, target: int) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        Position.start(tuple(names), dealer, target)
