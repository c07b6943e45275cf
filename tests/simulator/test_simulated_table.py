"""The simulated table keeps to TABLE.md: who owns what, nothing overlaps that should not, strips stay visible."""

from __future__ import annotations

import math
import random

import pytest

from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.simulated.players import Skill
from referee.laminate.simulated.table import NoRoomError, SimulatedTable
from referee.laminate.view.layouts import PaperLayout, layout_for
from referee.placing import find_bounds
from rules.cards import DECK, Card
from rules.text import Language
from simulator.pages import lay_page
from vision.enrol import place_cards


def invariants(table: SimulatedTable, layout: PaperLayout) -> None:
    w, h = layout.mat_mm
    for card in table:
        assert all(0 <= x <= w and 0 <= y <= h for x, y in card.find_corners()), card
    boxes = []
    for (seat, _), column in table.columns.items():
        assert [card.name for card in column.placed] == [column.head_name, *map(str, column.cards)]
        for card in column.placed:
            assert layout.spot_at(card.x, card.y) == f"seat:{seat}", card
            turn = 180.0 if layout.faces_down(seat) else 0.0
            assert abs((card.angle - turn + 180) % 360 - 180) < 10
        for a, b in zip(column.placed, column.placed[1:], strict=False):
            assert 12 <= math.hypot(b.x - a.x, b.y - a.y) <= 50, (a, b)
        head, last = column.placed[0], column.placed[-1]
        toward = -1 if layout.faces_down(seat) else 1
        assert (last.y - head.y) * toward > 0, "the head lies nearest the table's middle"
        boxes.append(find_bounds(column.placed))
    for number, a in enumerate(boxes):
        for b in boxes[number + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], "columns overlap"
    for x, y in ((0, 0), (w - 50, 0), (0, h - 50), (w - 50, h - 50)):
        for box in boxes:
            assert box[2] <= x or x + 50 <= box[0] or box[3] <= y or y + 50 <= box[1], "a marker is covered"


@pytest.mark.few(1)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_whole_game_keeps_the_table_in_order(players: int) -> None:
    layout = layout_for(players)
    game = SimulatedGame([f"P{n}" for n in range(players)], layout, random.Random(players), blunders=False)
    for attempt in game.play_game():
        invariants(game.table, layout)
        before = game.table.take_snapshot()
        game.table.nudge()
        invariants(game.table, layout)
        game.table.restore(before)
        if attempt.unconfirmed or attempt.move is None:
            continue
        shown = [card.name for card in game.table]
        faces = [name for name in shown if name != "back" and "/" not in name]
        assert len(faces) == len(set(faces)), "a card lies there twice"
    papers = {(paper.seat, paper.kind): list(paper.cards) for paper in game.position.papers}
    lying = {key: sorted(column.cards) for key, column in game.table.columns.items()}
    assert lying == {key: sorted(cards) for key, cards in papers.items()}
    for (seat, kind), column in game.table.columns.items():
        paper = game.position.find_paper(seat, kind)
        assert paper is not None
        assert column.complete_side == paper.complete


def test_the_same_seed_gives_the_same_game_and_table() -> None:
    def played(blunders: bool) -> tuple[list[str], list[str]]:
        game = SimulatedGame(["A", "B", "C"], layout_for(3), random.Random(9), blunders)
        tables = [" ".join(map(repr, game.table)) for attempt in game.play_game() if attempt.move is not None]
        return list(map(str, game.game.moves)), tables

    first, again, without = played(True), played(True), played(False)
    assert first == again
    assert first[0] == without[0], "mistakes do not change the course of the game"


def test_every_blunder_names_its_code_and_is_mended() -> None:
    seen = {}
    for seed in (1, 285):
        game = SimulatedGame(["A", "B", "C"], layout_for(3), random.Random(seed))
        for attempt in game.play_game():
            if attempt.code:
                assert attempt.move is None
                assert str(attempt.blunder)
                assert attempt.blunder.said(Language.JA)
                seen[attempt.code] = attempt.blunder
    assert {"pass_not_allowed", "turn_the_paper", "payment_missing", "payment_not_taken", "not_a_meld"} <= set(seen)
    assert {"took_two_cards", "flag_due"} <= set(seen)


def test_piles_and_payments_lie_on_their_spots() -> None:
    layout = layout_for(5)
    table = SimulatedTable(layout, random.Random(3))
    table.stack_draw(30)
    table.lay_discard(Card.parse("H7"))
    for seat in range(1, 6):
        table.pay(seat, 3)
    spots = [layout.spot_at(card.x, card.y) for card in table]
    assert spots.count("draw") == 4
    assert spots.count("discard") == 1
    for seat in range(1, 6):
        assert spots.count(f"payment:{seat}") >= 1
    table.stack_draw(1)
    assert sum(layout.spot_at(card.x, card.y) == "draw" for card in table) == 1
    assert table.count_payments() == dict.fromkeys(range(1, 6), 3)
    table.unpay(2, 3)
    assert 2 not in table.count_payments()


def test_a_crowded_seat_is_tidied_and_a_full_one_says_so() -> None:
    layout = layout_for(5)
    table = SimulatedTable(layout, random.Random(4))
    kinds = ("straight5", "three", "five", "three_pairs", "sum49", "ace_king", "all_even", "sum100", "four_pairs")
    for number in range(8):
        table.lay_paper(2, f"{kinds[number % 9]}{number}", [DECK[number % 49]], True)
        invariants(table, layout)

    def overfill() -> None:
        for number in range(8, 40):
            table.lay_paper(2, f"{kinds[number % 9]}{number}", [DECK[number % 49]], True)

    with pytest.raises(NoRoomError, match="no room"):
        overfill()
    invariants(table, layout)


def test_pages_hold_every_card_once_near_its_place() -> None:
    mat = (1189.0, 841.0)
    for page, count in (("seven", 49), ("review", 17), ("complete", 17)):
        cards = lay_page(page, mat, random.Random(1))
        places = place_cards(page, mat)
        assert sorted(card.name for card in cards) == sorted(places)
        assert len(cards) == count
        assert all(math.dist((card.x, card.y), places[card.name]) < 5 for card in cards)


def test_papers_laid_in_another_order_are_the_same_papers() -> None:
    layout = layout_for(4)
    table = SimulatedTable(layout, random.Random(5))
    for number, kind in enumerate(("three", "five", "sum49")):
        table.lay_paper(3, kind, DECK[7 * number : 7 * number + 4], False)
    before = {key: sorted(column.cards) for key, column in table.columns.items()}
    places = list(table)
    for _ in range(5):
        table.rearrange(3)
        invariants(table, layout)
        assert {key: sorted(column.cards) for key, column in table.columns.items()} == before
    assert list(table) != places


def test_cards_astray_and_swapped() -> None:
    layout = layout_for(3)
    table = SimulatedTable(layout, random.Random(6))
    table.lay_paper(1, "three", DECK[:3], False)
    table.lay_paper(1, "five", DECK[10:13], False)
    kept = table.take_snapshot()
    table.swap_cards((1, "three"), (1, "five"))
    invariants(table, layout)
    assert table.columns[1, "three"].cards == [DECK[0], DECK[1], DECK[12]]
    assert table.drop(1, "H7")
    (stray,) = table.astray
    assert layout.spot_at(stray.x, stray.y) == "seat:1"
    table.pay(2, 1, "O7")
    assert table.count_payments() == {}
    assert len(table.astray) == 2
    table.lay_paper(1, "three", DECK[20:22], False)
    assert table.columns[1, "three'"].head_name == "three/review"
    table.restore(kept)
    assert table.astray == ()
    assert set(table.columns) == {(1, "three"), (1, "five")}
    assert table.columns[1, "three"].cards == list(DECK[:3])


@pytest.mark.few(1)
@pytest.mark.parametrize("skill", list(Skill))
def test_players_of_every_skill_play_to_the_end(skill: Skill) -> None:
    game = SimulatedGame(["A", "B", "C"], layout_for(3), random.Random(2), blunders=False, skills=(skill,) * 3)
    assert sum(attempt.move is not None for attempt in game.play_game()) > 20
    assert game.position.outcome is not None
