"""Finished deals of Seven Euchre: scored as the game scored them, from the packets alone."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from referee.finished.score import Finished, Score
from referee.registry import load_scorings
from referee.table import Detections, Sighting
from rules.registry import find_game
from rules.text import Language, Text

SCORING = load_scorings()["seven_euchre"]
MAT = (1189.0, 841.0)
LAYOUT = SCORING.make_layout(4, MAT)
NAMES = tuple(Text(name) for name in ("N", "E", "S", "W"))


@cache
def played_deals(seed: int) -> tuple[tuple[dict[str, Any], tuple[int, int], tuple[int, int]], ...]:
    """Return the deals of a random game: contract, tricks by side, points by side."""
    rules, rng = find_game("seven_euchre"), random.Random(seed)
    position = rules.start(["N", "E", "S", "W"], {"target": 60})
    deals = []
    while position.outcome is None:
        before, position = position, position.do(rules.random_move(position, rng))
        gained = tuple(b - a for a, b in zip(before.points, position.points, strict=True))
        if any(gained):
            last = before.round
            contract = last.contract
            told = {"declarer": contract.seat, "trump": contract.trump.letter, "tricks": contract.tricks}
            after = position.round if position.round.points is not None else last.after(last_move(before, position))
            deals.append((told, after.tricks, gained))
    return tuple(deals)


def last_move(before: Any, position: Any) -> Any:
    return next(move for move in find_game("seven_euchre").legal_moves(before) if before.do(move) == position)


def packets(tricks: tuple[int, int], rng: random.Random) -> list[Sighting]:
    """Each side's packets before one of its players, or before both."""
    seen = []
    for side, count in enumerate(tricks):
        left, seats = count, [side + 1, side + 3]
        rng.shuffle(seats)
        for seat, share in zip(seats, (rng.choice((count, count // 2)), None), strict=True):
            own = left if share is None else share
            left -= own
            x0, y0, _, y1 = LAYOUT.seat_rect(seat)
            seen += [Sighting("back", x0 + 80 + 25 * n, (y0 + y1) / 2 + rng.uniform(-4, 4), 0.0) for n in range(own)]
    return seen


def score(cards: list[Sighting], told: dict[str, Any]) -> Score:
    view = SCORING.observe(Detections(tuple(cards)), LAYOUT)
    return SCORING.score(view, Finished(NAMES, LAYOUT, told))


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(10))
def test_a_deal_is_scored_as_the_game_scored_it(seed: int) -> None:
    rng = random.Random(seed)
    for told, tricks, gained in played_deals(seed):
        found = score([Sighting("back", 357.0, 420.0, 0.0), *packets(tricks, rng)], told)
        assert [str(fault.reason.text) for fault in found.faults] == []
        assert found.final == gained
        best = [side for side in (0, 1) if gained[side] == max(gained)]
        assert found.winners == tuple(seat for seat in range(1, 5) if (seat - 1) % 2 in best)


def test_the_sheets_own_scores() -> None:
    told = {"declarer": 2, "trump": "C", "tricks": 8}
    found = score(packets((3, 9), random.Random(1)), told)
    assert (found.final, found.winners) == ((3, 9 + 10 + 8), (2, 4))
    assert found.why is not None
    assert str(found.why) == "E bid coin 8: E and W get 27 points from this deal, the other side 3."
    assert found.why.said(Language.JA) == ("Eのビッドはコインの8です。このディールでE、Wが27点、相手チームが3点です。")
    assert score(packets((5, 7), random.Random(2)), told).final == (5 + 1 * 5, 7)


def test_packets_that_do_not_make_a_deal_and_cards_face_up_are_named() -> None:
    told = {"declarer": 1, "trump": "NT", "tricks": 7}
    (fault,) = score(packets((4, 7), random.Random(3)), told).faults
    assert str(fault.reason.text).startswith("11 packets lie in the areas, but a deal has 12 tricks")
    cards = [*packets((5, 7), random.Random(3)), Sighting("H7", 500.0, 700.0, 0.0)]
    (fault,) = score(cards, told).faults
    assert (fault.seat, str(fault.reason.cards[0])) == (1, "H7")
