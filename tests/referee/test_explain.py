"""Moves and faults in words: whole sentences in both languages that name players, papers and cards."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from referee.laminate.explain import describe, mend, place_words, turn_over
from referee.laminate.referee import REFEREE
from referee.laminate.view.table import TableView
from referee.table import Sighting
from referee.verdict import Refused, Spot
from rules.cards import Card
from rules.laminate.moves import Citation, Deal, EndFlag, Pass, Publish, Research, Review, Setup
from rules.laminate.position import Position
from rules.text import Language, join_sentences
from tests.referee.play import NAMES, deal, public, random_move
from tests.referee.tables import cards, judge, show, started
from tests.referee.test_refusals import after, banach_may_cite, complete, review, under_review

JAPANESE = re.compile(r"[぀-ヿ一-鿿]")


def test_the_issue_sentence() -> None:
    position = banach_may_cite().position
    move = Publish(2, "three", cards("B6 O6"), (Citation(1, "three"),), {1: 1})
    words = describe(move, position)
    assert str(words) == (
        "Banach publishes Three Cards with book 6 and onion 6, cites Hilbert's Three Cards, pays Hilbert 1 card."
    )
    assert words.said(Language.JA) == (
        "Banachさんがブック6、オニオン6で3カードを発表、Hilbertさんの3カードを引用、Hilbertさんにお礼1枚。"
    )


def test_every_move_in_words() -> None:
    start = Position.start(NAMES[:3])
    played = complete().position
    told = [
        describe(Setup(Card.parse("FK")), start),
        describe(Research(1, "discard", Card.parse("FK")), played),
        describe(Research(1, "deck", None, Card.parse("H4")), played),
        describe(Research(1, "deck"), played),
        describe(Review(2, 1, "three", Card.parse("C6")), under_review().position),
        describe(Review(1, 1, "three", Card.parse("C6")), under_review().position),
        describe(EndFlag(1, Card.parse("H4")), played),
        describe(Pass(1), played),
        describe(Research(1, "deck", Card.parse("FK"), Card.parse("H4")), played),
        describe(Deal((), ()), start),
    ]
    assert [str(words) for words in told] == [
        "The cards are dealt, coffin K lies on the discard pile; Hilbert begins.",
        "Hilbert takes coffin K from the discard pile.",
        "Hilbert draws from the draw pile and discards heart 4.",
        "Hilbert draws from the draw pile the only card left and discards nothing.",
        "Banach reviews Hilbert's Three Cards and takes coin 6.",
        "Hilbert reviews their own Three Cards and takes coin 6.",
        "Hilbert takes the End Flag and lays heart 4 to it.",
        "Hilbert passes.",
        "Hilbert draws from the draw pile and discards heart 4.",
        "The cards are dealt.",
    ]
    assert all(JAPANESE.search(words.said(Language.JA)) and words.said(Language.JA).endswith("。") for words in told)


def test_what_follows_is_told_too() -> None:
    before = after(under_review(), review(2, 1, "three", "C6")).position
    move = review(3, 1, "three", "S6")
    words = join_sentences(REFEREE.describe_with_effects(move, before, before.do(move)))
    assert str(words).endswith("Hilbert's Three Cards is complete.")
    assert words.said(Language.JA).endswith("Hilbertさんの3カードが完成しました。")


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [3, 4, 5])
def test_the_flag_the_countdown_and_the_end_are_told(seed: int) -> None:
    rng = random.Random(seed)
    full = deal(rng, 3)
    top = full.discards[-1]
    assert top is not None
    position = Position.start(NAMES[:3]).do(Setup(top))
    told = ""
    while full.outcome is None:
        move = random_move(full, rng)
        full, after_move = full.do(move), position.do(public(move))
        told += str(join_sentences(REFEREE.describe_with_effects(public(move), position, after_move))) + "\n"
        position = after_move
    assert "15 points or more" in told
    assert told.count("5 more turns, then the game ends.") == told.count("more turns") == 1
    winners = " and ".join(NAMES[seat - 1] for seat in full.outcome.winners)
    assert f"The last turn is over: {winners} win{'s' if len(full.outcome.winners) == 1 else ''}." in told


def test_places_and_mends_are_worded() -> None:
    position = complete().position
    for place in ("draw", "discard", "payment:1", "seat:2", "seat:1/three", "hand:3", "supply", "table"):
        words = place_words(position, place)
        assert str(words)
        assert JAPANESE.search(words.said(Language.JA))
    assert str(mend(position, "C6", "hand:2", "seat:1/three").text) == "Put coin 6 back in Hilbert's Three Cards."
    assert str(mend(position, "back", "payment:1", "hand:1", 2).text) == (
        "Take 2 face-down cards from Hilbert's payment spot into Hilbert's hand."
    )
    assert str(turn_over(position, 1, "three", True).text) == (
        "Turn the paper card of Hilbert's Three Cards to its complete side."
    )


def test_spots_that_can_not_be_seen_are_named_with_their_trouble() -> None:
    words = join_sentences(
        REFEREE.explain_unread(complete(), [Spot(1, 2, "discard", "glare"), Spot(1, 2, "seat:1/three", "covered")])
    )
    assert "the discard pile (glare) and Hilbert's Three Cards (covered)" in str(words)
    assert words.said(Language.JA).startswith(
        "光の反射で、捨て札のカードがはっきり読めません。隠れていて、Hilbertさんの"
    )


def test_every_difference_is_worded_in_both_languages() -> None:
    agreed = complete()
    view = show(agreed.position)
    stray = (Sighting("five/review", 600, 420, 0), Sighting("B9", 300, 700, 0), Sighting("back", 300, 760, 0))
    disturbed = [
        TableView(view.mat_mm),
        replace(view, papers=(), loose=stray),
        replace(view, papers=tuple(replace(p, cards=(*p.cards, *cards("H3"))) for p in view.papers)),
        replace(view, discard_under=cards("H3")),
        replace(view, draw_backs=0, payments={2: 3}),
        replace(view, discard_top=None, loose=stray),
    ]
    for table in disturbed:
        verdict = judge(agreed, table)
        assert isinstance(verdict, Refused)
        for reason in verdict.reasons:
            assert not str(reason.text)[0].islower()
            assert str(reason.text).endswith(".")
            assert JAPANESE.search(reason.text.said(Language.JA))
        assert verdict.mend
        for step in verdict.mend:
            assert str(step.text).endswith(".")
            assert JAPANESE.search(step.text.said(Language.JA))


def test_a_paper_card_that_slid_away_goes_back_to_its_own_cards() -> None:
    agreed = complete()
    slid = (Sighting("three/complete", 850, 440, 0), Sighting("T6", 300, 640, 0))
    verdict = judge(agreed, replace(show(agreed.position), papers=(), loose=slid))
    assert isinstance(verdict, Refused)
    assert [(m.item, m.source, m.target) for m in verdict.mend] == [
        ("T6", "seat:1", "seat:1/three"),
        ("three/complete", "table", "seat:1/three"),
    ]


def test_discards_in_another_order_are_laid_back_in_order() -> None:
    agreed = after(under_review(), Research(2, "deck", None, Card.parse("H4")))
    view = replace(show(agreed.position), discard_top=Card.parse("FK"), discard_under=cards("H4"))
    verdict = judge(agreed, view)
    assert isinstance(verdict, Refused)
    assert "Lay heart 4 face up on top of the discard pile." in [str(m.text) for m in verdict.mend]


def test_a_discard_pile_that_should_be_empty() -> None:
    agreed = after(started(), Research(1, "discard", Card.parse("FK")))
    view = replace(show(agreed.position), discard_under=(), discard_top=Card.parse("FK"))
    verdict = judge(agreed, view)
    assert isinstance(verdict, Refused)
