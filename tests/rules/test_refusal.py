"""Refusals: every code has words in both languages, and the order of FORMATS.md decides which one is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules import refusal as common
from rules.cards import Card
from rules.laminate import refusals as because
from rules.laminate.refusals import CODES
from rules.refusal import Illegal, Reason, Refusal
from rules.text import Text, join_with_and, player, say_cards, say_number
from tests.words import en, ja

SEVEN, EIGHT = Card.parse("H7"), Card.parse("O8")
HILBERT, BANACH = player("Hilbert"), player("Banach")
THREE = Text("Three Cards")
FORMATS = Path(__file__).resolve().parents[2].parent / "shared" / "FORMATS.md"


def test_cards_and_numbers_in_words() -> None:
    assert [en(say_cards(cards)) for cards in ((), (SEVEN,), (SEVEN, EIGHT), (SEVEN, EIGHT, Card.parse("FK")))] == [
        "no card",
        "heart 7",
        "heart 7 and onion 8",
        "heart 7, onion 8 and coffin K",
    ]
    assert [ja(say_cards(cards)) for cards in ((), (SEVEN,), (SEVEN, EIGHT))] == [
        "カードなし",
        "ハート7",
        "ハート7、オニオン8",
    ]
    assert say_cards(iter((SEVEN, EIGHT))) == say_cards((SEVEN, EIGHT))
    assert [en(say_number(count)) for count in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


def test_one_card_is_and_two_are() -> None:
    assert en(because.card_not_in_hand(who=HILBERT, cards=(SEVEN, EIGHT)).text) == (
        "Heart 7 and onion 8 are not among the cards Hilbert can have in hand."
    )
    rule = Text("exactly 3 cards of one rank")
    assert en(because.not_a_meld(paper=THREE, rule=rule, cards=(SEVEN,)).text) == (
        "Heart 7 does not make Three Cards, which takes exactly 3 cards of one rank."
    )
    assert "do not make" in en(because.not_a_meld(paper=THREE, rule=rule, cards=(SEVEN, EIGHT)).text)
    assert en(
        because.pass_not_allowed(who=HILBERT, actions=join_with_and((because.RESEARCH, because.REVIEW)), count=2).text
    ).endswith("while research and review are possible.")
    assert en(because.pass_not_allowed(who=HILBERT, actions=because.REVIEW, count=1).text).endswith(
        "while review is possible."
    )
    assert en(because.pass_not_allowed(who=HILBERT, actions=because.RESEARCH, count=1).text).endswith(
        "while research is possible."
    )


def test_an_illegal_move_is_told_with_its_refusal() -> None:
    refusal = Refusal.from_reasons(CODES, common.game_over())
    assert str(Illegal(refusal, "1 pass")) == "game_over: The game has ended; no more moves. (1 pass)"
    assert str(Illegal(refusal)) == "game_over: The game has ended; no more moves."
    assert Illegal(refusal, "1 pass").move == "1 pass"


def test_the_first_in_the_order_is_the_code_and_each_is_named_once() -> None:
    refusal = Refusal.from_reasons(
        CODES,
        because.pass_not_allowed(who=HILBERT, actions=because.RESEARCH, count=1),
        because.payment_missing(author=BANACH, due=say_number(2), paid=1),
        because.card_not_in_hand(who=HILBERT, cards=(SEVEN,)),
        because.payment_missing(author=HILBERT, due=say_number(2), paid=1),
        because.card_used_twice(who=HILBERT, cards=(EIGHT,)),
    )
    assert (refusal.code, refusal.also) == ("card_not_in_hand", ("payment_missing", "pass_not_allowed"))
    assert refusal.cards == (SEVEN,)
    assert str(refusal) == "card_not_in_hand: Heart 7 is not among the cards Hilbert can have in hand."


def test_a_refusal_needs_known_reasons() -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        Refusal.from_reasons(CODES)
    with pytest.raises(ValueError, match="no such refusal code"):
        Refusal.from_reasons(CODES, Reason("bad_luck", (), Text()))


@pytest.mark.shared
@pytest.mark.skipif(not FORMATS.is_file(), reason="FORMATS.md is not beside this checkout")
def test_the_codes_are_those_of_the_format() -> None:
    text = FORMATS.read_text(encoding="utf-8")
    table = text[text.index("| code | when |") : text.index("Other games add codes")]
    listed = re.findall(r"`([a-z_]+)`", "".join(line.split("|")[1] for line in table.splitlines() if "|" in line))
    assert set(listed) == set(CODES)
    order = text[text.index("the others go into `also`: ") :].split(", then the rest")[0]
    assert tuple(order.removeprefix("the others go into `also`: ").split(", ")) == CODES[:17]
    assert CODES[17:] == tuple(code for code in listed if code not in CODES[:17])
