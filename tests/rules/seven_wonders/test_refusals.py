"""The sentences of refusals: one for every code of the page, in both languages, naming rule and cards."""

from __future__ import annotations

import inspect
import re
from string import Formatter

import pytest

from rules import refusal as common
from rules.refusal import Reason, Refusal, Sentence
from rules.seven_wonders import refusals
from rules.seven_wonders.boards import board
from rules.seven_wonders.cards import building
from rules.seven_wonders.effects import coins, cost
from rules.seven_wonders.refusals import CODES
from rules.seven_wonders.trade import Pay
from rules.text import Text, player
from tests.rules.seven_wonders.games import SHARED
from tests.words import en, ja

PAGE = SHARED / "games" / "seven_wonders.md"

WHO, CARD = player("Hilbert"), building("glassworks_2")
VALUES = {
    "who": WHO,
    "card": CARD,
    "cards": (CARD,),
    "age": 2,
    "number": 3,
    "players": 3,
    "guilds": 5,
    "board": board("giza/b"),
    "stages": 4,
    "most": 18,
    "what": CARD.text,
    "cost": cost(stone=2),
    "needed": coins(4),
    "held": coins(1),
    "ways": refusals.one_of((Pay(2, 0), Pay(0, 2))),
    "paid": refusals.paid(Pay(3, 0)),
    "count": 2,
    "defeats": 1,
    "due": 1,
    "where": Text("at the left edge"),
}


def _reasons() -> list[Reason]:
    reasons = []
    for _, sentence in inspect.getmembers(refusals, lambda member: isinstance(member, Sentence)):
        parts = Formatter().parse(sentence.template + (sentence.many or ""))
        slots = {slot.partition(".")[0] for _, slot, _, _ in parts if slot}
        reasons.append(sentence(**{key: VALUES[key] for key in slots.union(sentence.cards)}))
    nobody = Text("x")
    shared = (common.bad_record(nobody), common.game_over(), common.out_of_turn(nobody, nobody))
    return [*reasons, *shared, common.table_disturbed(nobody), common.cannot_see(nobody)]


def test_every_code_has_a_sentence_and_every_sentence_a_code() -> None:
    assert {reason.code for reason in _reasons()} == set(CODES)
    assert len(set(CODES)) == len(CODES)


@pytest.mark.parametrize("reason", _reasons(), ids=lambda reason: reason.code)
def test_sentences_are_whole_in_both_languages(reason: Reason) -> None:
    assert en(reason.text).endswith(".")
    assert ja(reason.text).endswith("。")
    assert en(reason.text)[:1].isupper() or en(reason.text).startswith("x")
    assert "  " not in en(reason.text)
    if reason.code not in ("two_cards", "card_outside"):
        assert all("glassworks" in en(reason.text).lower() for _ in reason.cards)
    assert Refusal.of(CODES, reason).code == reason.code


@pytest.mark.shared
@pytest.mark.skipif(not PAGE.is_file(), reason="the shared games are not beside this checkout")
def test_the_codes_are_those_of_the_page_in_its_order() -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = page[page.index("## Refusal codes") : page.index("**What everybody may know**")]
    told: list[str] = []
    for row in table.splitlines():
        if row.startswith("| `"):
            told += re.findall(r"`([a-z_]+)`", row.split("|")[1])
        elif row.startswith("| at the table"):
            told += re.findall(r"`([a-z_]+)`", row)
    assert tuple(told) == CODES


def test_a_refusal_of_several_seats_names_them_all() -> None:
    others = [player("Banach"), player("Noether")]
    reason = refusals.also_refused(refusals.card_not_in_hand(who=WHO, card=building("altar")), others)
    assert en(reason.text) == "Hilbert has no altar in hand. Refused too: Banach and Noether."
    assert (
        ja(reason.text) == "Hilbertさんの手札に「altar」はありません。Banachさん、Noetherさんの行動も認められません。"
    )
