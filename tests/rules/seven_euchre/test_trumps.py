"""Trumps: their order, what follows what, which card wins, and what a bid is worth."""

from __future__ import annotations

import pytest

from rules.cards import DECK, Suit, cards_in
from rules.seven_euchre.trumps import Trump, bid_words, find_following, find_strongest, rank_trumps, suit_of, suit_words
from tests.rules.seven_euchre.table import card, cards
from tests.words import en, ja

SUITS = [trump for trump in Trump if trump is not Trump.NO_TRUMP]
SEVENS = set(cards("H7 O7 B7 C7 S7 T7 F7"))


def names(some: tuple[object, ...]) -> str:
    return " ".join(map(str, some))


def test_a_trump_suit_has_thirteen_cards_and_no_trump_none() -> None:
    for trump in SUITS:
        assert len(set(rank_trumps(trump))) == 13
        assert set(rank_trumps(trump)) == SEVENS | {one for one in DECK if one.suit is trump.suit}
    assert rank_trumps(Trump.NO_TRUMP) == ()


@pytest.mark.parametrize("trump", SUITS)
def test_with_a_trump_suit_every_seven_belongs_to_it_and_to_no_other(trump: Trump) -> None:
    for seven in SEVENS:
        assert suit_of(seven, trump) is trump.suit
        assert cards_in(find_following(seven, trump)) == tuple(sorted(rank_trumps(trump)))
    for one in DECK:
        if one.suit is not trump.suit and one.rank != 7:
            follow = cards_in(find_following(one, trump))
            assert follow == tuple(other for other in DECK if other.suit is one.suit and other.rank != 7)


def test_the_strongest_agrees_with_the_order_of_trumps_for_every_pair() -> None:
    for trump in SUITS:
        order = rank_trumps(trump)
        for place, high in enumerate(order):
            for low in order[place + 1 :]:
                assert find_strongest((low, high), trump) == 1
                assert find_strongest((high, low), trump) == 0


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
