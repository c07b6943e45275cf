"""Refusals: every code has words in both languages, and the order of FORMATS.md decides which one is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules import refusal as because
from rules.cards import Card
from rules.refusal import CODES, Reason, Refusal, Words

SEVEN, EIGHT = Card.parse("H7"), Card.parse("O8")
HILBERT, BANACH = because.player("Hilbert"), because.player("Banach")
THREE = Words("Three Cards", "3カード")
SAMPLES: tuple[Reason, ...] = (
    because.bad_record(Words("the line lacks 'do'", "doがありません")),
    because.game_over(),
    because.flag_due(HILBERT),
    because.out_of_turn(HILBERT, BANACH),
    because.unknown_paper("royal_flush"),
    because.flag_not_published(Words("End Flag", "エンドフラグ")),
    because.paper_already_held(HILBERT, THREE),
    because.supply_exhausted(THREE),
    because.nothing_new(THREE),
    because.card_not_in_hand(HILBERT, (SEVEN, EIGHT)),
    because.not_all_in_hand(HILBERT, (SEVEN, EIGHT)),
    because.card_used_twice(HILBERT, (SEVEN,)),
    because.card_not_in_deck((SEVEN,)),
    because.last_card_not_drawn((SEVEN, EIGHT)),
    because.not_the_top_discard(SEVEN),
    because.wrong_count(2),
    because.wrong_count(1),
    because.nothing_discarded_here(SEVEN),
    because.cited_twice((THREE,)),
    because.not_citable((THREE, THREE)),
    because.not_a_meld(THREE, Words("exactly 3 cards of one rank", "同じ数字のカードがちょうど3枚"), (SEVEN, EIGHT)),
    because.cannot_pay(HILBERT, 2, 1),
    because.payment_missing(BANACH, 2, 1),
    because.payment_excess(BANACH, 1, 2),
    because.paid_oneself(HILBERT, 1),
    because.paper_not_there(BANACH, THREE),
    because.paper_complete(BANACH, THREE, SEVEN),
    because.card_not_in_paper(BANACH, THREE, SEVEN),
    because.took_two_cards((SEVEN, EIGHT)),
    because.two_actions(HILBERT),
    because.discard_empty(),
    because.research_impossible(),
    because.pass_not_allowed(HILBERT, True, True),
    because.flag_not_due(HILBERT),
    because.turn_the_paper(BANACH, THREE, True),
    because.turn_the_paper(BANACH, THREE, False),
    because.payment_not_taken(BANACH, 2),
    because.table_disturbed(Words("Heart 7 has moved", "ハート7が動いています"), (SEVEN,)),
    because.cannot_see(Words("the draw pile", "山札"), Words("glare", "反射")),
)
FORMATS = Path(__file__).resolve().parents[2].parent / "shared" / "FORMATS.md"


def test_every_code_has_words() -> None:
    assert {sample.code for sample in SAMPLES} == set(CODES)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.code)
def test_one_clear_sentence_in_each_language(sample: Reason) -> None:
    assert sample.en[0].isupper()
    assert sample.en.endswith(".")
    assert sample.ja.endswith(("。", "。）"))
    assert re.search("[ぁ-んァ-ン一-龥]", sample.ja)
    assert "_" not in sample.en.replace("royal_flush", "")
    for card in sample.cards:
        assert card.en in sample.en.lower()
        assert card.ja in sample.ja


def test_the_first_in_the_order_is_the_code_and_each_is_named_once() -> None:
    refusal = Refusal.of(
        because.pass_not_allowed(HILBERT, True, False),
        because.payment_missing(BANACH, 2, 1),
        because.card_not_in_hand(HILBERT, (SEVEN,)),
        because.payment_missing(HILBERT, 2, 1),
        because.card_used_twice(HILBERT, (EIGHT,)),
    )
    assert (refusal.code, refusal.also) == ("card_not_in_hand", ("payment_missing", "pass_not_allowed"))
    assert refusal.cards == (SEVEN,)
    assert str(refusal) == "card_not_in_hand: Heart 7 is not among the cards Hilbert can have in hand."


def test_a_refusal_needs_known_reasons() -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        Refusal.of()
    with pytest.raises(ValueError, match="no such refusal code"):
        Refusal.of(Reason("bad_luck", (), "", ""))


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
