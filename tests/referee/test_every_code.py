"""Every refusal code that a table can show: one table for each, with words in both languages and steps to mend it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from referee.laminate.expected_layout import Agreed
from referee.laminate.view.table import TableView
from referee.table import Unread
from referee.verdict import CantSee, Refused
from rules.cards import DECK, Card
from rules.laminate.moves import Publish
from rules.laminate.position import Phase
from rules.laminate.refusals import CODES
from rules.text import Language
from tests.referee.tables import cards, judge, show, started
from tests.referee.test_refusals import (
    BANACH,
    HILBERT,
    NOETHER,
    _drawn_down,
    _emptied,
    _three_rounds,
    after,
    banach_may_cite,
    changed,
    complete,
    drawn,
    review,
    seen,
    thanked,
    under_review,
    until,
    with_paper,
)

Case = tuple[Agreed, TableView]


def _another_paper(kind: str, names: str, seat: int = BANACH) -> Callable[[], Case]:
    def case() -> Case:
        agreed = under_review()
        return agreed, with_paper(seen(agreed), seat, kind, names)

    return case


def _cites(names: str, payments: dict[int, int]) -> Callable[[], Case]:
    def case() -> Case:
        agreed = banach_may_cite()
        return agreed, replace(with_paper(seen(agreed), BANACH, "three", names), payments=payments)

    return case


def _flag_due() -> Case:
    agreed, _ = until(Phase.FLAG)
    return agreed, show(agreed.position, agreed.thanks)


def _over() -> Case:
    agreed, _ = until(Phase.OVER)
    return agreed, seen(agreed)


def _already_held() -> Case:
    agreed = after(under_review(), drawn(2, "H4"), drawn(3, "H5"), *_three_rounds(agreed_to=1))
    return agreed, with_paper(seen(agreed), HILBERT, "three", "B7 O7 H7")


def _exhausted() -> Case:
    agreed = after(started(discard="T12"), Publish(1, "ace_king", cards("HA FK")), review(2, 1, "ace_king", "HA"))
    agreed = after(agreed, drawn(3, "H4"), drawn(1, "H5"))
    return agreed, replace(with_paper(seen(agreed), BANACH, "ace_king", "HA"), payments={1: 1})


def _anothers_card() -> Case:
    agreed = after(under_review(), review(2, 1, "three", "C6"))
    return agreed, with_paper(seen(agreed), NOETHER, "three", "C6 B6 O6")


def _not_drawn() -> Case:
    agreed = after(under_review(), review(2, 1, "three", "C6"))
    return agreed, replace(seen(agreed), discard_top=Card.parse("C6"))


def _nothing_discarded() -> Case:
    agreed = _drawn_down(5, 2)
    return agreed, replace(seen(agreed), draw_backs=0)


def _draft_cited() -> Case:
    agreed = under_review()
    return agreed, replace(with_paper(seen(agreed), BANACH, "three", "B6 O6"), payments={1: 1})


def _too_few_to_pay() -> Case:
    """Hilbert holds four sevens and nothing to thank Banach with for the fifth."""
    agreed = after(started(), drawn(1, "H4"), Publish(2, "three", cards("B7 O7 H7")), review(3, 2, "three", "B7"))
    agreed = after(agreed, review(1, 2, "three", "O7"), drawn(2, "H5"), drawn(3, "O5"))
    agreed = after(agreed, Publish(1, "three", cards("C6 S6 T6")), drawn(2, "HA"), drawn(3, "H2"))
    agreed = after(agreed, drawn(1, "O2"), drawn(2, "H3"), drawn(3, "O3"), drawn(1, "B3"), drawn(2, "B4"))
    agreed = after(agreed, drawn(3, "B5"))
    return agreed, with_paper(seen(agreed), HILBERT, "five", "O7 C7 S7 T7")


def _last_card_taken() -> Case:
    agreed = complete()
    return agreed, changed(seen(agreed), 1, "three", "", complete=True)


def _two_taken() -> Case:
    agreed = under_review()
    return agreed, changed(seen(agreed), 1, "three", "T6", complete=True)


def _review_and_research() -> Case:
    agreed = under_review()
    return agreed, replace(changed(seen(agreed), 1, "three", "S6 T6"), discard_top=Card.parse("H4"))


def _card_from_nowhere() -> Case:
    agreed = _emptied()
    seat = agreed.position.to_move or 0
    card = next(c for c in DECK if agreed.position.may_hold(seat, c))
    return agreed, replace(seen(agreed), discard_top=card)


def _nothing_done() -> Case:
    agreed = under_review()
    return agreed, seen(agreed)


def _not_turned() -> Case:
    agreed = after(under_review(), review(2, 1, "three", "C6"))
    return agreed, changed(seen(agreed), 1, "three", "T6", complete=False)


def _thanks_left() -> Case:
    agreed = thanked()
    return agreed, replace(show(agreed.position.do(drawn(3, "H5"))), payments={1: 1})


def _moved() -> Case:
    agreed = after(started(), Publish(1, "three", cards("C6 S6 T6")), Publish(2, "three", cards("B7 O7 H7")))
    return agreed, changed(changed(seen(agreed), 1, "three", "S6 T6"), 2, "three", "B7 O7 H7 C6")


TABLES: dict[str, Callable[[], Case]] = {
    "game_over": _over,
    "flag_due": _flag_due,
    "out_of_turn": _another_paper("three", "B7 O7 H7", NOETHER),
    "unknown_paper": _another_paper("end_flag", "B7 O7"),
    "paper_already_held": _already_held,
    "supply_exhausted": _exhausted,
    "nothing_new": _cites("", {1: 1}),
    "card_not_in_hand": _anothers_card,
    "card_not_in_deck": _not_drawn,
    "wrong_count": _nothing_discarded,
    "cited_twice": _cites("B6", {1: 2}),
    "not_citable": _draft_cited,
    "not_a_meld": _another_paper("three", "B7 O7 H6"),
    "cannot_pay": _too_few_to_pay,
    "payment_missing": _cites("B6 O6", {}),
    "payment_excess": _cites("B6 O6", {1: 2}),
    "not_reviewable": _last_card_taken,
    "took_two_cards": _two_taken,
    "two_actions": _review_and_research,
    "research_impossible": _card_from_nowhere,
    "pass_not_allowed": _nothing_done,
    "flag_not_due": _another_paper("end_flag", "B7"),
    "turn_the_paper": _not_turned,
    "payment_not_taken": _thanks_left,
    "table_disturbed": _moved,
}

ELSEWHERE = {
    "bad_record": "a record's line, never a table",
    "cannot_see": "a verdict of its own, see below",
    "discard_empty": "from an empty pile nothing can be taken, so nothing on the table changes",
}
"""Codes with no entry in the table, and why."""


def test_no_code_is_forgotten() -> None:
    assert set(TABLES) | set(ELSEWHERE) == set(CODES)
    assert not set(TABLES) & set(ELSEWHERE)


def is_told_well(refused: Refused) -> None:
    """Whole sentences in both languages that name every card concerned, codes in order, whole steps."""
    order = [CODES.index(code) for code in (refused.refusal.code, *refused.refusal.also)]
    assert order == sorted(order)
    assert [CODES.index(reason.code) for reason in refused.reasons] == sorted(
        CODES.index(reason.code) for reason in refused.reasons
    )
    for reason in refused.reasons:
        assert re.fullmatch(r"[A-Z].*\.", str(reason.text))
        assert re.search(r"[぀-ヿ一-鿿].*。", reason.text.said(Language.JA))
        for card in reason.cards:
            assert str(card.text) in str(reason.text).lower()
            assert card.text.said(Language.JA) in reason.text.said(Language.JA)
    for mend in refused.mend:
        assert str(mend.text).endswith(".")
        assert mend.text.said(Language.JA).endswith("。")
        assert mend.count > 0
        assert mend.source
        assert mend.target


def test_several_faults_are_all_listed_with_steps_for_each() -> None:
    """A paper with a wrong card, an old thank-you card, another paper on its wrong side and a swapped card."""
    agreed = after(thanked(), drawn(3, "H5"))
    agreed = replace(agreed, thanks={1: 1})
    view = with_paper(seen(agreed), HILBERT, "sum49", "F8 F9")
    view = changed(view, 1, "three", "T6", complete=False)
    view = changed(view, 2, "three", "B6 O6 S8")
    verdict = judge(agreed, replace(view, payments={1: 1}))
    assert isinstance(verdict, Refused)
    named = (verdict.refusal.code, *verdict.refusal.also)
    assert {"not_a_meld", "turn_the_paper", "payment_not_taken", "table_disturbed"} <= set(named)
    is_told_well(verdict)
    places = [mend.source for mend in verdict.mend]
    assert {"seat:1/sum49", "seat:1/three", "payment:1", "seat:2/three"} <= set(places)


def test_a_card_that_can_not_be_seen() -> None:
    agreed = under_review()
    x, y = 642.0, 420.0
    view = replace(seen(agreed), discard_top=None, unread=(Unread(x, y, 0.0, "glare"),))
    verdict = judge(agreed, view)
    assert isinstance(verdict, CantSee)
    assert [(spot.place, spot.cause) for spot in verdict.spots] == [("discard", "glare")]
    assert "discard pile" in str(verdict.text)
    assert "捨て札" in verdict.text.said(Language.JA)
