"""Trumps: their order, what follows what, which card wins, and what a bid is worth."""

from __future__ import annotations

import pytest

from rules.cards import DECK, Suit, cards_in
from rules.seven_euchre.trumps import Trump, bid_words, following, ranking, strongest, suit_of, suit_words, trump_of
from tests.rules.seven_euchre.table import card, cards
from tests.words import en, ja

SUITS = [trump for trump in Trump if trump is not Trump.NO_TRUMP]
SEVENS = set(cards("H7 O7 B7 C7 S7 T7 F7"))


def names(some: tuple[object, ...]) -> str:
    return " ".join(map(str, some))


def test_the_example_of_the_sheet_books_as_trumps() -> None:
    assert names(ranking(Trump.BOOK)) == "B7 B9 B8 F7 T7 S7 C7 O7 H7 B6 B5 B4 B3"


def test_the_other_sevens_come_under_all_coffins_and_over_all_hearts() -> None:
    assert names(ranking(Trump.COFFIN)) == "F7 FK F12 F11 F10 F9 F8 T7 S7 C7 B7 O7 H7"
    assert names(ranking(Trump.HEART)) == "H7 F7 T7 S7 C7 B7 O7 H6 H5 H4 H3 H2 HA"


def test_a_trump_suit_has_thirteen_cards_and_no_trump_none() -> None:
    for trump in SUITS:
        assert len(set(ranking(trump))) == 13
        assert set(ranking(trump)) == SEVENS | {one for one in DECK if one.suit is trump.suit}
    assert ranking(Trump.NO_TRUMP) == ()


@pytest.mark.parametrize("trump", SUITS)
def test_with_a_trump_suit_every_seven_belongs_to_it_and_to_no_other(trump: Trump) -> None:
    for seven in SEVENS:
        assert suit_of(seven, trump) is trump.suit
        assert cards_in(following(seven, trump)) == tuple(sorted(ranking(trump)))
    for one in DECK:
        if one.suit is not trump.suit and one.rank != 7:
            follow = cards_in(following(one, trump))
            assert follow == tuple(other for other in DECK if other.suit is one.suit and other.rank != 7)


def test_at_no_trump_the_sevens_are_ordinary() -> None:
    for one in DECK:
        assert suit_of(one, Trump.NO_TRUMP) is one.suit
        assert cards_in(following(one, Trump.NO_TRUMP)) == tuple(other for other in DECK if other.suit is one.suit)


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("H2 H5 HA H3", Trump.COIN, "H5"),
        ("F11 FK F12 F8", Trump.COIN, "FK"),
        ("H2 FK T12 S11", Trump.COIN, "H2"),
        ("H2 FK C4 S11", Trump.COIN, "C4"),
        ("H2 C4 O7 C6", Trump.COIN, "O7"),
        ("H2 C4 O7 C8", Trump.COIN, "C8"),
        ("C10 H7 F7 C7", Trump.COIN, "C7"),
        ("H7 O7 F7 T7", Trump.COIN, "F7"),
        ("H6 H7 H5 H4", Trump.NO_TRUMP, "H7"),
        ("H6 F7 FK H4", Trump.NO_TRUMP, "H6"),
        ("H6 F7 FK H4", Trump.TIME, "F7"),
        ("F10 T7 FK F12", Trump.NO_TRUMP, "FK"),
    ],
)
def test_the_highest_trump_wins_else_the_highest_of_the_led_suit(trick: str, trump: Trump, winner: str) -> None:
    assert cards(trick)[strongest(cards(trick), trump)] is card(winner)


def test_the_strongest_agrees_with_the_order_of_trumps_for_every_pair() -> None:
    for trump in SUITS:
        order = ranking(trump)
        for place, high in enumerate(order):
            for low in order[place + 1 :]:
                assert strongest((low, high), trump) == 1
                assert strongest((high, low), trump) == 0


def test_a_card_turned_up_makes_its_printed_suit_trumps_even_a_seven() -> None:
    assert trump_of(card("B7")) is Trump.BOOK
    assert trump_of(card("FK")) is Trump.COFFIN


def test_bids_rank_from_coffin_to_no_trump_and_are_worth_7_to_14() -> None:
    assert [trump.letter for trump in Trump] == ["F", "T", "S", "C", "B", "O", "H", "NT"]
    assert [trump.points for trump in Trump] == [7, 8, 9, 10, 11, 12, 13, 14]


def test_words_tell_of_the_sevens_where_they_belong() -> None:
    assert en(suit_words(card("H7"), Trump.COIN)) == "trumps (coin and every 7)"
    assert ja(suit_words(card("C9"), Trump.COIN)) == "切り札（コインとすべての7）"
    assert en(suit_words(card("H6"), Trump.COIN)) == "heart"
    assert en(suit_words(card("H7"), Trump.NO_TRUMP)) == "heart"
    assert (en(bid_words(8, Trump.COIN)), ja(bid_words(8, Trump.COIN))) == ("coin 8", "コインの8")
    assert (en(bid_words(12, None)), ja(bid_words(12, None))) == ("12 tricks", "12トリック")
    assert {trump.suit for trump in Trump} == {*Suit, None}
