"""A wrong number of players is noticed wherever the table tells it, and a right one is seldom doubted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest

from referee.finished.score import Finished, Score
from referee.laminate.scoring import SCORING
from referee.placing import Placed
from referee.table import Detections
from rules.laminate.position import Position
from rules.text import Language, Text
from tests.device.seeing import sightings
from tests.referee.finished.finals import MAT, finished, in_blocks, laid

Laying = Callable[[Position, random.Random], Iterable[Placed] | None]


def score_told(cards: Iterable[Placed], players: int, **told: Any) -> Score:
    """Return the score where ``players`` are entered, whoever really sits there."""
    layout = SCORING.make_layout(players, MAT)
    names = tuple(Text("Seat {seat}", seat=n) for n in range(1, players + 1))
    view = SCORING.observe(Detections(tuple(sightings(cards, layout))), layout)
    return SCORING.score(view, Finished(names, layout, told))


def measured(laying: Laying, seeds: Iterable[int]) -> Counter[str]:
    """How often a wrong number of players gave a result, and how often the right one gave none."""
    counted: Counter[str] = Counter()
    for seed in seeds:
        position = finished(seed)
        cards = laying(position, random.Random(seed))
        if cards is None:
            continue
        cards = list(cards)
        for players in SCORING.rules.seats:
            score = score_told(cards, players)
            wrong = players != len(position.players)
            counted["told wrongly" if wrong else "told rightly"] += 1
            if wrong and score.winners is not None:
                counted["confident and wrong"] += 1
            if not wrong and score.winners is None:
                counted["doubted"] += 1
    return counted


@pytest.mark.slow  # tests/device/test_score.py: more players than were told
@pytest.mark.parametrize("laying", [laid, in_blocks])
def test_a_wrong_number_of_players_never_gives_a_result(laying: Laying) -> None:
    counted = measured(laying, range(1000, 1045))
    assert counted["told wrongly"] >= 75
    assert counted["confident and wrong"] == 0
    assert counted["doubted"] <= 1


def _blocks(*places: tuple[float, float, int]) -> list[Placed]:
    """Complete papers side by side: how many from which place on; the game itself could not have been."""
    kinds = iter(kind for _ in range(3) for kind in ("three", "sum49", "straight5", "three_pairs", "four_pairs"))
    cards = iter(f"{suit}{rank}" for rank in (7, 6, 5) for suit in "HOBC")
    lying = []
    for x, y, count in places:
        down = 1 if y > MAT[1] / 2 else -1
        for number in range(count):
            at = x + 75 * number
            lying += [Placed(f"{next(kinds)}/complete", at, y, 0.0), Placed(next(cards), at, y + down * 25, 0.0)]
    return lying


TOP = ((150.0, 250.0, 1), (800.0, 250.0, 1))
few_papers = partial(score_told, over=True)


def test_an_area_with_nothing_in_it_is_asked_about() -> None:
    cards = _blocks((150.0, 590.0, 2), *TOP)
    assert few_papers(cards, 3).winners is not None
    score = few_papers(cards, 4)
    assert score.winners is None
    (fault,) = score.faults
    assert (fault.seat, fault.reason.code) == (4, "table_disturbed")
    text = fault.reason.text
    assert str(text) == "Nothing lies in Seat 4's area: check how many play. It looks like a table of 3 players."
    assert text.said(Language.JA) == "席4の場に何もありません。人数を確かめてください。3人のテーブルのようです。"
    assert few_papers(cards, 4, seats=4).winners is not None


def test_papers_side_by_side_over_a_border_are_hardly_two_players() -> None:
    cards = _blocks((575.0, 590.0, 2), *TOP)
    score = few_papers(cards, 4)
    assert score.winners is None
    assert {fault.reason.code for fault in score.faults} == {"table_disturbed"}
    assert "lies across the border of two areas" in str(score.faults[0].reason.text)
    assert few_papers(cards, 3).winners is not None
    beside = _blocks((555.5, 590.0, 2), *TOP)
    assert {fault.reason.code for fault in few_papers(beside, 4).faults} == {"cannot_see"}
    assert few_papers(beside, 4, seats=4).winners is not None


def test_papers_far_apart_are_hardly_one_players() -> None:
    cards = _blocks((150.0, 590.0, 1), (900.0, 590.0, 1), *TOP)
    assert few_papers(cards, 4).winners is not None
    score = few_papers(cards, 3)
    assert [fault.reason.code for fault in score.faults] == ["cannot_see"]
    assert "one of 3 or 4 players" in str(score.faults[0].reason.text)
    assert "3人か4人のどの" in score.faults[0].reason.text.said(Language.JA)
