"""Refusals: the page's codes in their order, and one clear sentence for each in both languages."""

from __future__ import annotations

from random import Random

import pytest

from rules.cards import DECK
from rules.refusal import Illegal
from rules.seven_euchre import refusals as because
from rules.seven_euchre.moves import Annul, BackTo, Bid, Deal, Exchange, Move, Pass, Play, TurnUp
from rules.seven_euchre.position import Position
from rules.seven_euchre.trumps import Trump
from rules.text import join_names, player
from tests.rules.seven_euchre.table import NAMES, START, card, codes, deal_of, played, public_game, random_game
from tests.words import en

WHO = tuple(map(player, NAMES))
ANY = card("H7")
MOVES: list[Move] = [
    Deal(),
    deal_of("", "", "", "", middle="F10"),
    Bid(1, 7, Trump.COIN),
    Bid(1, 7),
    Pass(1),
    TurnUp(ANY),
    Exchange(1),
    Exchange(1, ANY),
    Play(1, ANY),
    Annul(),
    BackTo(1),
]


def test_sentences_of_the_table() -> None:
    assert en(
        because.trick_not_theirs(wrong=join_names(WHO[::2]), winner=WHO[1], right=join_names(WHO[1::2])).text
    ) == ("East won the trick, so it goes to East and West, not to North and South.")
    assert en(because.trick_incomplete(WHO[:1]).text) == "The trick can't be gathered before North has played."
    assert en(because.two_cards(who=WHO[3], cards=[ANY, card("C7")]).text) == (
        "West played heart 7 and coin 7 to one trick; take back all but one."
    )


AT_HOME = {
    "deal_due": (START, {Deal}),
    "auction_due": (played("deal"), {Bid, Pass}),
    "turn_up_due": (played("deal - - - -"), {TurnUp}),
    "exchange_due": (played("deal C8 - - -"), {Exchange}),
    "play_due": (played("deal C8 - - - x C9"), {Play, Annul, BackTo}),
}


@pytest.mark.parametrize("due", list(AT_HOME))
def test_another_kind_of_line_than_is_due(due: str) -> None:
    position, home = AT_HOME[due]
    for move in MOVES:
        found = [code for code in codes(position, move) if code != "bad_record"]
        assert (due in found[:1]) == (type(move) not in home), move
        if type(move) not in home:
            # Nothing else of it is judged but whose turn it is.
            assert found in ([due], [due, "out_of_turn"])


def test_what_is_useless_at_any_time_comes_first() -> None:
    dealt = deal_of("", "", "", "", middle="F10")
    assert dealt.hands is not None
    short = Deal((dealt.hands[0][:11], *dealt.hands[1:]), dealt.middle)
    three = Deal(dealt.hands[:3], dealt.middle)
    twice = Deal(dealt.hands, dealt.hands[0][0])
    full = START.do(dealt)
    for position in (START, full, played("- - - -", full), played("C8 - - -", full)):
        for bad in (
            short,
            three,
            twice,
            Deal(dealt.hands),
            Deal(None, dealt.middle),
            Bid(1, 6),
            Bid(5, 7),
            Play(0, ANY),
        ):
            assert codes(position, bad)[0] == "bad_record", bad
        for trick in (0, 13):
            assert codes(position, BackTo(trick))[0] == "bad_record"
    for position in (full, played("C8 - - -", full), played("C8 - - - F10", full)):
        for bad in (Deal(), Exchange(1), Annul(), BackTo(1)):
            assert codes(position, bad)[0] == "bad_record", bad
    for words in ("deal", "deal C8 - - -", "deal C8 - - - x"):
        for bad in (dealt, Exchange(1, ANY)):
            assert codes(played(words), bad)[0] == "bad_record", bad


def test_only_while_an_auction_runs_its_bids_name_a_trump_or_none() -> None:
    first, second = played("deal"), played("deal - - - - H7")
    assert codes(first, Bid(1, 7)) == ["bad_record"]
    assert codes(second, Bid(1, 7, Trump.COIN)) == ["bad_record"]
    assert codes(second, Bid(2, 7, Trump.COIN)) == ["bad_record", "out_of_turn"]
    for words in ("deal - - - -", "deal C8 - - -", "deal C8 - - - x"):
        assert codes(played(words), Bid(1, 7))[0].endswith("_due")
        assert codes(played(words), Bid(1, 7, Trump.COIN))[0].endswith("_due")


def test_a_refused_move_raises_and_changes_nothing() -> None:
    position = played("deal C8 - - - x C9")
    with pytest.raises(Illegal) as refused:
        position.do(Play(2, card("C9")))
    assert refused.value.refusal == position.verify(Play(2, card("C9")))
    assert position == played("deal C8 - - - x C9")
    assert position.is_legal(Play(2, card("C8"))) is True
    assert position.is_legal(Play(2, card("C9"))) is False


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_any_move_is_judged_anywhere_and_no_hidden_card_is_named(seed: int) -> None:
    chance = Random(seed)
    for positions, _ in (random_game(seed), public_game(seed)):
        for position in positions[::3]:
            some = chance.choice(DECK)
            seat = chance.randint(0, 5)
            moves = [*MOVES, Play(seat, some), Exchange(seat, some), TurnUp(some), BackTo(seat), Bid(seat, 5 + seat)]
            for move in moves:
                refusal = position.verify(move)
                assert position.is_legal(move) == (refusal is None)
                if refusal is not None:
                    open_cards = {one for one in position.trick if one} | set(DECK) & {some, ANY}
                    named = {one for one in DECK if f"{en(one)} " in f"{en(refusal.text).lower()} ".replace(".", " ")}
                    assert refusal.code in ("bad_record", "bid_too_low") or named <= open_cards, (refusal, move)


def test_a_seat_that_is_none_is_told() -> None:
    assert codes(played("deal"), Pass(7)) == ["bad_record", "out_of_turn"]
    position: Position = played("deal C8 - - - x")
    assert codes(position, Play(9, ANY)) == ["bad_record", "out_of_turn"]
