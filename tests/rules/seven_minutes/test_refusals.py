"""Refusals: every code has clear words in both languages, and the page's order decides which one is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.cards import DECK, Card
from rules.seven_minutes import refusals as because
from rules.seven_minutes.moves import Deal, Flip, Roll, Stop
from rules.seven_minutes.position import Position
from rules.text import player, say_number
from tests.rules.seven_minutes.table import card, cards, codes, dealt, played
from tests.words import en, ja

HILBERT, BANACH = player("Hilbert"), player("Banach")
SEVEN, EIGHT, KING = cards("H7 O8 FK")
PAGE = Path(__file__).resolve().parents[4] / "shared" / "games" / "seven_minutes.md"


@pytest.mark.shared
@pytest.mark.skipif(not PAGE.is_file(), reason="the shared page is not beside this checkout")
def test_the_codes_are_those_of_the_page_in_its_order() -> None:
    table = PAGE.read_text(encoding="utf-8").split("## Refusal codes")[1].split("## Rulings")[0]
    names = re.findall(r"`([a-z]+(?:_[a-z]+)+)`", table)
    assert tuple(dict.fromkeys(names)) == because.CODES


def test_one_roll_and_several_are_told_apart() -> None:
    assert "1 roll to make" in en(because.judgement_due(HILBERT, 1).text)
    assert "2 rolls to make" in en(because.judgement_due(HILBERT, 2).text)
    assert "flip 1 card." in en(because.must_flip_more(who=HILBERT, king=KING, left=say_number(1)).text)


def test_the_first_of_several_broken_rules_is_the_code() -> None:
    judged = played("S9 T10 /")
    assert codes(judged, Flip(2, card("S9"))) == ["out_of_turn", "judgement_due", "card_not_in_deck"]
    assert codes(judged, Stop(4)) == ["bad_record", "out_of_turn", "judgement_due"]
    assert codes(judged, Roll(3, (1, 7))) == ["bad_record", "out_of_turn"]
    assert codes(played("FK"), Roll(2, (1, 1))) == ["out_of_turn", "must_flip_more", "roll_not_due"]
    assert codes(played("FK"), Stop(2)) == ["out_of_turn", "must_flip_more"]


@pytest.mark.parametrize("dice", [(0, 7), (1, 7), (3,), (1, 2, 3), (True, 1), (1.0, 2), ("1", "2")])
def test_dice_that_are_not_two_numbers_of_1_to_6_are_refused(dice: tuple[int, int]) -> None:
    assert codes(played("S9 /"), Roll(1, dice)) == ["bad_record"]


def test_before_the_set_up_every_move_is_a_bad_record() -> None:
    start = Position.start(("A", "B"))
    for move in (Flip(1, SEVEN), Flip(9, SEVEN), Stop(2), Roll(1, (3, 4)), Roll(1, (0, 0))):
        assert codes(start, move) == ["bad_record"]


@pytest.mark.parametrize("deck", [(), DECK[1:], (*DECK[1:], DECK[1]), (*DECK, DECK[0])])
def test_a_deck_that_is_not_the_49_cards_is_refused(deck: tuple[Card, ...]) -> None:
    assert codes(Position.start(("A", "B")), Deal(deck)) == ["bad_record"]


def test_a_card_that_is_not_next_is_refused_without_a_word_on_the_next_one() -> None:
    position = dealt("H3 S9 T10")
    refusal = position.verify(Flip(1, card("T10")))
    assert refusal is not None
    assert (refusal.code, refusal.cards) == ("card_not_in_deck", (card("T10"),))
    assert "next card" in en(refusal.text)
    for hidden in ("heart", "3", "ハート"):
        assert hidden not in en(refusal.text) + ja(refusal.text)


def test_a_card_seen_before_is_refused_wherever_it_lies() -> None:
    position = played("S9 / 1+1 T10 H3 / 4+6 B6")  # face up, face down, left in the row, just flipped
    for seen in ("S9", "T10", "H3", "B6"):
        refusal = position.verify(Flip(3, card(seen)))
        assert refusal is not None
        assert (refusal.code, refusal.cards) == ("card_not_in_deck", (card(seen),))
        assert ja(card(seen)) in ja(refusal.text)
        assert "flipped before" in en(refusal.text)


def test_the_k_is_named_with_the_cards_it_still_demands() -> None:
    refusal = played("H3 FK S9").verify(Stop(1))
    assert refusal is not None
    assert refusal.cards == (KING,)
    assert en(refusal.text) == "The coffin K demands three more cards, and Hilbert must still flip 2 cards."


def test_the_table_s_sentences_say_what_is_wrong() -> None:
    said = [
        because.rolls_missing(HILBERT, 1),
        because.rolls_missing(HILBERT, 2),
        because.wrong_take(HILBERT, (SEVEN, EIGHT), (EIGHT,)),
        because.wrong_take(HILBERT, DECK[:7], (SEVEN, EIGHT)),
        because.wrong_take(HILBERT, DECK[:8], (EIGHT,)),
        because.wrong_side(HILBERT, (SEVEN,), True),
        because.wrong_side(HILBERT, (SEVEN,), False),
    ]
    assert [en(reason.text) for reason in said] == [
        "Hilbert takes cards only after the last roll; 1 roll is still to be seen.",
        "Hilbert takes cards only after the last roll; 2 rolls are still to be seen.",
        "The roll gives Hilbert exactly heart 7 and onion 8; onion 8 is wrongly taken or left.",
        "The roll gives Hilbert exactly heart A, heart 2, heart 3, heart 4, heart 5, heart 6 and heart 7; "
        "heart 7 and onion 8 are wrongly taken or left.",
        "The roll gives Hilbert exactly 8 cards; onion 8 is wrongly taken or left.",
        "Hilbert takes heart 7 face up, because no roll struck the row.",
        "Hilbert takes heart 7 face down, because a roll struck the row.",
    ]
    assert "表向き" in ja(said[-2].text)
    assert "裏向き" in ja(said[-1].text)


def test_players_are_told_by_their_names() -> None:
    refusal = played("S9").verify(Stop(3))
    assert refusal is not None
    assert en(refusal.text) == "It is not Noether's turn; Hilbert is to move."
    refusal = played("S9 / 1+1 B3").verify(Roll(2, (1, 1)))
    assert refusal is not None
    assert en(refusal.text) == "Banach has not stopped flipping, so no roll is due."
