"""The auction, the second auction, the redeal and the exchange."""

from __future__ import annotations

import pytest

from rules.seven_euchre.moves import Bid, Exchange, Pass, TurnUp
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import Contract, DealPhase
from rules.seven_euchre.trumps import Trump
from tests.rules.seven_euchre.table import START, card, codes, deal_of, played, text
from tests.words import en, ja

OPEN = played("deal")
DEAL = deal_of("C7 C10 C9", "H7 HA", "F7 FK", "S7 T7", middle="B7")


def bids(position: Position) -> list[str]:
    return [f"{bid.trump.letter if bid.trump else ''}{bid.tricks}" for bid in position.bids]


def test_the_seat_left_of_the_dealer_opens_and_it_goes_round_clockwise() -> None:
    seats = [OPEN.to_move]
    position = OPEN
    for word in ("F7", "-", "T7", "-"):
        position = played(word, position)
        seats.append(position.to_move)
    assert seats == [1, 2, 3, 4, 1]
    assert played("deal", Position.start(START.players, 2)).to_move == 3


def test_the_first_bid_can_be_any_the_lowest_offered_first() -> None:
    assert bids(OPEN)[:9] == ["F7", "T7", "S7", "C7", "B7", "O7", "H7", "NT7", "F8"]
    assert (len(OPEN.bids), bids(OPEN)[-1]) == (48, "NT12")
    assert OPEN.highest is None


def test_a_bid_is_higher_with_more_tricks_or_as_many_and_a_later_suit() -> None:
    position = played("C8", OPEN)
    assert bids(position)[:5] == ["B8", "O8", "H8", "NT8", "F9"]
    for low in (Bid(2, 7, Trump.NO_TRUMP), Bid(2, 8, Trump.COIN), Bid(2, 8, Trump.STAR)):
        assert codes(position, low) == ["bid_too_low"]
    assert text(position, Bid(2, 8, Trump.STAR)) == "Star 8 is not higher than the last bid, coin 8."
    for bid in position.bids:
        assert position.is_legal(bid)
    assert len(position.bids) == sum(position.is_legal(Bid(2, n, trump)) for n in range(7, 13) for trump in Trump)


def test_three_passes_in_a_row_after_a_bid_end_the_auction() -> None:
    position = played("C8 - -", OPEN)
    assert position.phase is DealPhase.AUCTION
    assert position.contract is None
    position = played("-", position)
    assert (position.phase, position.to_move) == (DealPhase.EXCHANGE, 1)
    assert position.contract == Contract(1, 8, Trump.COIN)
    assert (en(position.contract.text), ja(position.contract.text)) == ("coin 8", "コインの8")


def test_a_player_who_passed_may_bid_again() -> None:
    position = played("- - F7 - T7 - - -", OPEN)
    assert position.contract == Contract(1, 7, Trump.TIME)
    assert position.calls[:3] == (Pass(1), Pass(2), Bid(3, 7, Trump.COFFIN))


def test_passes_before_the_first_bid_do_not_count() -> None:
    position = played("- - - F7 - -", OPEN)
    assert position.phase is DealPhase.AUCTION
    assert played("-", position).contract == Contract(4, 7, Trump.COFFIN)


def test_no_trump_12_ends_the_auction_at_once_and_heart_12_does_not() -> None:
    assert played("NT12", OPEN).contract == Contract(1, 12, Trump.NO_TRUMP)
    position = played("H12", OPEN)
    assert bids(position) == ["NT12"]
    assert played("NT12", position).contract == Contract(2, 12, Trump.NO_TRUMP)


def test_after_four_passes_the_middle_card_is_turned_up_and_its_suit_is_trumps() -> None:
    position = played("- - - -", OPEN)
    assert (position.phase, position.to_move) == (DealPhase.TURN_UP, None)
    assert codes(position, Pass(1)) == ["turn_up_due"]
    position = played("B7", position)
    assert (position.phase, position.to_move, position.second_auction) == (DealPhase.AUCTION, 1, True)
    assert (position.turned_up, position.trump, position.calls) == (card("B7"), Trump.BOOK, ())


def test_the_second_auction_bids_rising_numbers_only() -> None:
    position = played("- - - - B7", OPEN)
    assert bids(position) == ["7", "8", "9", "10", "11", "12"]
    position = played("- 9", position)
    assert bids(position) == ["10", "11", "12"]
    assert codes(position, Bid(3, 9)) == ["bid_too_low"]
    assert text(position, Bid(3, 9)) == "9 tricks is not higher than the last bid, 9 tricks."
    assert played("- - -", position).contract == Contract(2, 9, Trump.BOOK)


def test_the_second_auction_ends_at_12_at_once() -> None:
    assert played("- - - - B7 12", OPEN).contract == Contract(1, 12, Trump.BOOK)


def test_after_a_turn_up_there_is_no_exchange() -> None:
    position = played("- - - - B7 - 9 - - -", OPEN)
    assert (position.phase, position.to_move) == (DealPhase.PLAY, 2)
    assert codes(position, Exchange(2)) == ["play_due"]
    assert (position.second_auction, position.trump) == (False, Trump.BOOK)


def test_once_the_auction_is_over_no_bid_is_offered() -> None:
    for words in ("C8 - - -", "C8 - - - x", "- - - -", "- - - - B7 8 - - -"):
        assert played(words, OPEN).bids == ()
    assert START.bids == ()


def test_after_the_second_four_passes_the_next_dealer_deals_anew() -> None:
    position = played("- - - - B7 - - - -", OPEN)
    assert (position.phase, position.dealer, position.points, position.deals) == (DealPhase.DEAL, 1, (0, 0), 0)
    assert (position.round, position.turned_up, position.contract) == (None, None, None)
    assert position.hand_size(1) == 0
    assert played("deal", position).to_move == 2


@pytest.mark.parametrize("laid", ["B7", "C10"])
def test_the_declarer_takes_the_middle_card_and_lays_one_aside_it_or_another(laid: str) -> None:
    position = played("C8 - - -", START.do(DEAL))
    before = {*position.get_hand(1), card("B7")}
    after = played(laid, position)
    assert (after.phase, after.to_move) == (DealPhase.PLAY, 1)
    assert {*after.get_hand(1)} == before - {card(laid)}
    assert len(after.get_hand(1)) == 12


def test_only_the_declarer_exchanges_and_only_a_card_of_the_hand_is_laid_aside() -> None:
    position = played("C8 - - -", START.do(DEAL))
    assert codes(position, Exchange(2, card("H7"))) == ["out_of_turn", "card_not_in_hand"]
    assert codes(position, Exchange(1, card("H7"))) == ["card_not_in_hand"]
    assert text(position, Exchange(1, card("H7"))) == "Heart 7 is not in North's hand."


def test_with_full_information_only_the_middle_card_is_turned_up() -> None:
    position = played("- - - -", START.do(DEAL))
    assert codes(position, TurnUp(card("H7"))) == ["card_not_in_deck"]
    assert position.is_legal(TurnUp(card("B7")))
    public = played("- - - -", OPEN)
    assert public.is_legal(TurnUp(card("H7")))


def test_a_bid_out_of_turn() -> None:
    assert codes(OPEN, Bid(2, 7, Trump.COIN)) == ["out_of_turn"]
    assert text(OPEN, Pass(2)) == "It is not East's turn; North is to move."
