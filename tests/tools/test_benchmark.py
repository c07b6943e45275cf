"""The benchmark's own rules: tables keep to the table standard, and the counting counts what it says."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from rules.cards import Card
from rules.laminate.papers import LAMINATE
from tools.benchmark_ood import plan, scene
from tools.benchmark_ood.card import write_section
from tools.benchmark_ood.measure import score
from vision.enrol import place_cards


@pytest.fixture(scope="module")
def tables() -> list[scene.Scene]:
    mats = list(plan.SCALES.values())
    return [scene.lay_table(mats[k % 4], 2 + k % 3, 9, np.random.default_rng(k)) for k in range(6)]


def test_each_card_lies_once_and_papers_within_their_number(tables: list[scene.Scene]) -> None:
    for table in tables:
        names = Counter(card.name for card in table.cards)
        assert sum("/" in name for name in names) >= 3
        kinds = Counter(card.name.split("/")[0] for card in table.cards if "/" in card.name)
        assert all(count <= LAMINATE[kind].copies for kind, count in kinds.items())
        sevens = [name for name in names if "/" not in name and name != "back"]
        assert all(str(Card.parse(name)) == name and names[name] == 1 for name in sevens)


def test_covered_cards_show_a_strip_and_the_last_one_all(tables: list[scene.Scene]) -> None:
    for table in tables:
        truth = table.list_truth()
        heads = [k for k, card in enumerate(table.cards) if "/" in card.name]
        assert all(0.15 < float(str(truth[k]["visible"])) < 0.6 for k in heads)
        assert truth[-1]["visible"] == 1.0


@pytest.mark.parametrize("page", plan.PAGES)
def test_pages_lie_as_the_reader_wants_them(page: str) -> None:
    laid = scene.lay_page(page, plan.PAGE_MAT, np.random.default_rng(1))
    places = place_cards(page, plan.PAGE_MAT)
    assert [card.name for card in laid.cards] == list(places)
    assert all(np.hypot(card.x - places[card.name][0], card.y - places[card.name][1]) < 8 for card in laid.cards)


def test_further_tables_are_none_of_the_benchmark_s_and_taken_well() -> None:
    known = {shot.frame for shot in plan.list_shots()}
    shots = list(islice(plan.list_further(), 60))
    assert len({shot.frame for shot in shots} - known) == 60
    assert all(shot.px_per_mm > 2 and shot.glare != "strong" and abs(shot.stops) <= 0.5 for shot in shots)
    assert not any(shot.page or shot.deck.nasty for shot in shots)
    assert len({tuple(shot.seed) for shot in shots}) == 60


def test_every_round_meets_every_condition() -> None:
    shots = [shot for shot in plan.list_shots() if not shot.page]
    assert len(shots) >= 200
    assert len({shot.frame for shot in shots}) == len(shots)
    for number in range(plan.ROUNDS):
        of_round = [shot for shot in shots if shot.round == number]
        assert set(Counter(shot.px_per_mm for shot in of_round).values()) == {6}
        assert set(Counter(shot.glare for shot in of_round).values()) == {8}
        assert set(Counter(shot.stops for shot in of_round).values()) == {4}


def test_counting_tells_read_unread_misread_false_and_missed_apart() -> None:
    lies = [
        ("H7", 100, 1.0),
        ("O3", 200, 0.25),
        ("B4", 300, 0.25),
        ("C5", 400, 0.3),
        ("S9", 500, 0.05),
        ("T8", 600, 1.0),
    ]
    truth = {
        "mat_mm": [1189.0, 841.0],
        "cards": [{"card": n, "x": x, "y": 700, "angle": 0, "visible": v} for n, x, v in lies],
    }
    seen = [("H7", 105), ("O4", 200), ("FK", 900), ("T8", 630)]
    cards = [{"card": n, "x": x, "y": 700, "confidence": 0.99} for n, x in seen]
    unread = [{"x": 301, "y": 702, "cause": "glare", "candidates": ["B4"]}]
    tally, entries = score(truth, cards, unread)
    assert (tally.cards, tally.read, tally.strips, tally.strips_read) == (5, 1, 3, 0)
    assert (tally.misread, tally.false, tally.unread, tally.silent) == (1, 2, 1, 3)
    assert (tally.right, tally.safe, tally.causes["glare"]) == (0, 0, 1)
    assert len(entries) == 8


def test_covered_cards_of_the_piles_do_not_count() -> None:
    x, y = scene.pile_spots((1189.0, 841.0))[1]
    lies = [("H7", 0.3), ("O3", 1.0)]
    truth = {
        "mat_mm": [1189.0, 841.0],
        "cards": [{"card": n, "x": x + 3, "y": y, "angle": 0, "visible": v} for n, v in lies],
    }
    tally, _ = score(truth, [{"card": "O3", "x": x, "y": y, "confidence": 1.0}], [])
    assert (tally.cards, tally.read, tally.right) == (1, 1, 1)


def test_the_model_card_says_what_was_measured_and_nothing_of_old() -> None:
    tally = {"causes": {"few_pixels": 2, "covered": 5}}
    results = {
        "sums": {"total": {"decks learnt": tally}, "deck": {"night": {}, "thin": {}}},
        "refused": {"spine": "The paper card five is missing. Lay it."},
        "doubted": {"thin": "On the place of H3 lies what looks like H5: lay H3 there."},
    }
    said = write_section(results, "| all | 3 |\n\nNot enrolled: spine (…)\n")
    assert "| all | 3 |" in said
    assert "covered 5, few pixels 2" in said
    assert "**Not learnt**: 1 of 3. `spine` (The paper card five is missing)" in said
    assert "answers: 1. `thin` (On the place of H3 lies what looks like H5)" in said
    assert "…" not in said
