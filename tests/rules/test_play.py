"""Random play: every card, paper and draw has its chance, and each comes from the given source alone."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rules.cards import DECK, Card
from rules.laminate.moves import EndFlag, Pass, Publish, Research, Review, Setup
from rules.laminate.play import deal, draw_cards, random_move
from rules.laminate.position import Position


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


def position(hand: str, papers: str = "", draw: str = "", discards: str = "", **more: object) -> Position:
    """Return a position where A is to move; B's papers are given as kind and cards, parted by semicolons."""
    data = Position.start("ABC").do(deal(3, Random(1))).to_json()
    area = [{"paper": kind, "cards": names} for kind, *names in map(str.split, filter(None, papers.split(";")))]
    data.update(hands=[hand.split(), [], []], sizes=[len(hand.split()), 0, 0], areas=[[], area, []])
    data.update(draw=draw.split(), draw_count=len(draw.split()), discards=discards.split(), seat=1, **more)
    return Position.from_json(data)


def moves(of: Position, tries: int = 300) -> Counter[object]:
    return Counter(random_move(of, Random(seed)) for seed in range(tries))


@pytest.mark.parametrize(("players", "laid"), [(3, 1), (4, 2), (5, 4)])
def test_a_deal_gives_three_cards_each_and_the_set_up_discards(players: int, laid: int) -> None:
    dealt = deal(players, Random(7))
    assert [len(hand) for hand in dealt.hands] == [3] * players
    assert len(dealt.discard) == laid
    together = [card for hand in dealt.hands for card in hand] + [*dealt.discard]
    assert len(set(together)) == len(together)
    assert Position.start("ABCDE"[:players]).is_legal(dealt)
    assert deal(players, Random(7)) == dealt
    assert {card for seed in range(60) for card in deal(5, Random(seed)).discard} == set(DECK)


@pytest.mark.parametrize(
    ("draw", "discards", "first", "second"),
    [
        ("FK F12 F11", "T8", "FK F12 F11", "FK F12 F11"),
        ("FK F12", "T8", "FK F12", "FK F12"),
        ("FK", "T8 T9", "FK", "T8 T9"),
        ("", "T8 T9 T10", "T8 T9 T10", "T8 T9 T10"),
        ("FK", "", "FK", ""),
        ("", "T8", "T8", ""),
        ("", "", "", ""),
        ("H7 O2 O3 B4 B5 C6 C7 S8 S9", "T8", "H7 O2 O3 B4 B5 C6 C7 S8 S9", "H7 O2 O3 B4 B5 C6 C7 S8 S9"),
    ],
)
def test_a_draw_takes_any_cards_it_may(draw: str, discards: str, first: str, second: str) -> None:
    of = position("HA", draw=draw, discards=discards)
    found = [draw_cards(of, Random(seed)) for seed in range(400)]
    assert {pair[0] for pair in found if pair} == set(cards(first))
    assert {pair[1] for pair in found if len(pair) > 1} == set(cards(second))
    assert all(len(set(pair)) == len(pair) == of.draw_gives for pair in found)


def test_any_card_of_any_paper_is_reviewed() -> None:
    of = position("HA", "three H7 O7 B7;five S9 T9;sum49 FK")
    taken = moves(of)
    assert set(taken) == {
        Review(1, 2, kind, card) for kind, names in (("three", "H7 O7 B7"), ("five", "S9 T9")) for card in cards(names)
    }
    # Papers are chosen first, then cards.
    assert 110 < sum(count for move, count in taken.items() if move.paper == "five") < 190


def test_drawing_and_reviewing_are_as_likely_and_the_top_discard_is_taken_now_and_then() -> None:
    taken = moves(position("HA", "three H7 O7", "FK F12 F11", "T8"), 1000)
    reviews = sum(count for move, count in taken.items() if isinstance(move, Review))
    top = taken[Research(1, "discard", Card.parse("T8"))]
    assert 440 < reviews < 560
    assert 100 < top < 200
    assert reviews + top < 1000
    assert {move.source for move in taken if isinstance(move, Research)} == {"deck", "discard"}


def test_with_nothing_to_draw_and_nothing_to_review_there_is_the_pass() -> None:
    assert set(moves(position("HA"), 5)) == {Pass(1)}
    assert set(moves(position("HA", discards="T8"), 20)) >= {Research(1, "deck", Card.parse("T8"))}


def test_papers_are_preferred_and_each_has_its_chance() -> None:
    taken = moves(position("HA FK H7 O7 B7", draw="F12 F11 F10"), 600)
    papers = Counter(move.paper for move in taken.elements() if isinstance(move, Publish))
    assert set(papers) == {"three", "ace_king"}
    assert all(170 < count < 250 for count in papers.values())


def test_any_hand_card_is_laid_to_the_flag() -> None:
    due = position("HA FK H7", "straight11 H2", phase="flag", met=True)
    assert set(moves(due, 40)) == {EndFlag(1, card) for card in cards("HA FK H7")}


def test_who_has_nothing_to_say_and_hands_that_are_not_known() -> None:
    with pytest.raises(ValueError, match="nobody is to move"):
        random_move(Position.start("ABC"), Random(1))
    with pytest.raises(ValueError, match="not known"):
        draw_cards(Position.start("ABC").do(Setup(Card.parse("T8"))), Random(1))
