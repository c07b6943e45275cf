"""Finished tables of random games of Laminate Rummy, laid as people lay them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from referee.laminate.scoring import SCORING
from referee.laminate.simulated.table import SimulatedTable
from referee.placing import Placed, toss_card
from referee.simulation.table import NoRoomError
from rules.laminate.play import deal, random_move
from rules.laminate.position import Paper, Position

MAT = (1189.0, 841.0)
NAMES = ("Hilbert", "Banach", "Noether", "Galois", "Gauss")


@cache
def finished(seed: int) -> Position:
    """Return the last position of a random game."""
    rng = random.Random(seed)
    players = 3 + seed % 3
    position = Position.start(NAMES[:players]).do(deal(players, rng))
    while position.outcome is None:
        position = position.do(random_move(position, rng))
    return position


def laid(position: Position, rng: random.Random) -> SimulatedTable | None:
    """Its table, or None where an area can't hold its papers."""
    table = SimulatedTable(SCORING.make_layout(len(position.players), MAT), rng)
    try:
        for paper in sorted(position.papers, key=lambda paper: -len(paper.cards)):
            table.lay_paper(paper.seat, paper.kind, paper.cards, paper.complete)
    except NoRoomError:
        return None
    table.stack_draw(position.draw_count)
    for card in position.discards:
        assert card is not None
        table.lay_discard(card)
    return table


def tables(seeds: range) -> Iterator[tuple[int, Position, SimulatedTable]]:
    for seed in seeds:
        position = finished(seed)
        table = laid(position, random.Random(seed))
        if table is not None:
            yield seed, position, table


def in_blocks(position: Position, rng: random.Random) -> list[Placed] | None:
    """Its cards as other people lay them: everybody's papers in two rows somewhere in the own area.

    None where an area can't hold them.
    """
    layout = SCORING.make_layout(len(position.players), MAT)
    cards: list[Placed] = []
    for seat in range(1, len(position.players) + 1):
        own = sorted((paper for paper in position.papers if paper.seat == seat), key=lambda paper: len(paper.cards))
        in_a_row, pitch = max(3, -(-len(own) // 2)), rng.uniform(70, 84)
        x0, y0, x1, y1 = layout.seat_rect(seat)
        slack, away = x1 - x0 - in_a_row * pitch - 60, layout.faces_down(seat)
        left, down = x0 + 60 + rng.uniform(0, slack), rng.uniform(30, 40)
        for row in (own[:in_a_row], own[in_a_row:]):
            if slack < 0 or down + 44 + _length(row) > y1 - y0:
                return None
            for column, paper in enumerate(row):
                x = left + (column + 0.5) * pitch + rng.uniform(-4, 4)
                names = [f"{paper.kind}/{'complete' if paper.complete else 'review'}", *map(str, paper.cards)]
                for name, shift in zip(names, _shifts(paper), strict=True):
                    y = y1 - down - shift if away else y0 + down + shift
                    cards.append(toss_card(rng, name, x, y, 180.0 if away else 0.0, 1.2, 3.0))
            down += _length(row) + 100
    return cards


def _shifts(paper: Paper) -> list[float]:
    """How far from its paper card each card of a column lies."""
    return [0.0, *(25.0 + 20.0 * place for place in range(len(paper.cards)))]


def _length(row: list[Paper]) -> float:
    return max((_shifts(paper)[-1] for paper in row), default=0.0)
