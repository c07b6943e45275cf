"""The sentences of refusals: one for every code of the page, in both languages, naming rule and cards."""

from __future__ import annotations

import re

import pytest

from rules.seven_wonders import refusals
from rules.seven_wonders.cards import find_building
from rules.seven_wonders.refusals import CODES
from rules.text import player
from tests.rules.seven_wonders.games import SHARED
from tests.words import en, ja

PAGE = SHARED / "games" / "seven_wonders.md"

WHO, CARD = player("Hilbert"), find_building("glassworks_2")


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
    reason = refusals.also_refused(refusals.card_not_in_hand(who=WHO, card=find_building("altar")), others)
    assert en(reason.text) == "Hilbert has no altar in hand. Refused too: Banach and Noether."
    assert (
        ja(reason.text) == "Hilbertさんの手札に「altar」はありません。Banachさん、Noetherさんの行動も認められません。"
    )
