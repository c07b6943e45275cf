"""Games laid out card by card in millimetres, sloppily, then sorted by ``table_view`` and judged."""

from __future__ import annotations

import math
import random

import pytest

from referee.laminate.expected_layout import Agreed
from referee.laminate.judging import forget_taken_thanks
from referee.laminate.view.layouts import PaperLayout, layout_for
from referee.laminate.view.observing import table_view
from referee.table import Sighting
from referee.verdict import Accepted, Question
from rules.laminate.position import Paper, Phase, Position
from tests.referee.play import NAMES, deal, public, random_move, same_position
from tests.referee.tables import judge, thanks_of
from tests.referee.test_soak import Turn, same_by_ruling_8, understood

MAT = (1189.0, 841.0)


def jittered(rng: random.Random, name: str, x: float, y: float, angle: float, visible: float = 1.0) -> Sighting:
    return Sighting(
        name, x + rng.gauss(0, 1.5), y + rng.gauss(0, 1.5), (angle + rng.gauss(0, 2)) % 360, visible=visible
    )


def lay_paper(paper: Paper, x: float, y: float, up: bool, rng: random.Random) -> list[Sighting]:
    """Lay a column from its paper card at (x, y) toward the player, tilted a little as a whole."""
    side = "complete" if paper.complete else "review"
    tilt = math.radians(rng.uniform(-2.5, 2.5))
    angle = math.degrees(tilt) + (180 if up else 0)
    lying = [jittered(rng, f"{paper.kind}/{side}", x, y, angle, 0.3)]
    for number, card in enumerate(paper.cards):
        along = (25 + 20 * number) * (-1 if up else 1)
        lying.append(jittered(rng, str(card), x - along * math.sin(tilt), y + along * math.cos(tilt), angle, 0.25))
    return lying


def lay(position: Position, thanks: dict[int, int], layout: PaperLayout, rng: random.Random) -> list[Sighting] | None:
    """Every card of the table, or None where a seat's papers do not fit side by side in two rows."""
    lying: list[Sighting] = []
    for seat in range(1, len(position.players) + 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        up = layout.faces_down(seat)
        columns = int((x1 - x0 - 20) // 72)
        papers = sorted((p for p in position.papers if p.seat == seat), key=lambda p: -len(p.cards))
        if len(papers) > 2 * columns:
            return None
        depth = [0.0] * columns
        for number, paper in enumerate(papers):
            column = number if number < columns else min(range(columns), key=lambda c: depth[c])
            length = 88 + 25 + 20 * (len(paper.cards) - 1)
            offset = depth[column] + 48
            if depth[column] + length > y1 - y0 + 30:
                return None
            y = y1 - offset if up else y0 + offset
            lying += lay_paper(paper, x0 + 46 + 72 * column, y, up, rng)
            depth[column] += length + 5
    for _ in range(min(3, position.draw_count)):
        lying.append(jittered(rng, "back", *layout.draw, 0))
    pile = [card for card in position.discards if card is not None]
    for number, card in enumerate(pile[-3:]):
        top = number == len(pile[-3:]) - 1
        lying.append(jittered(rng, str(card), *layout.discard, 0, 1.0 if top else 0.1))
    for seat, count in thanks.items():
        x, y = layout.locate_payment(seat)
        lying += [jittered(rng, "back", x + 18 * number, y, 0) for number in range(count)]
    rng.shuffle(lying)
    return lying


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(8))
def test_games_laid_in_millimetres_are_understood(seed: int) -> None:
    rng = random.Random(seed)
    players = 3 + seed % 3
    layout = layout_for(players, MAT)
    full = deal(rng, players)
    first = judge(Agreed(Position.start(NAMES[:players])), table_view(lay(full, {}, layout, rng) or (), (), layout))
    assert isinstance(first, Accepted)
    agreed = first.after
    confirms = 0
    while full.outcome is None:
        move = random_move(full, rng)
        after = full.do(move)
        thanks = thanks_of(move)
        flagging = full.phase is Phase.FLAG
        if not flagging:
            agreed = forget_taken_thanks(agreed, table_view(lay(full, {}, layout, rng) or (), (), layout), layout)
        lying = lay(after, thanks, layout, rng)
        if lying is None:
            break
        verdict = judge(agreed, table_view(lying, (), layout), layout)
        turn = Turn(rng, agreed, full, after, move, thanks)
        if isinstance(verdict, Question):
            agreed, _ = understood(turn, verdict)
        else:
            assert isinstance(verdict, Accepted), (move, verdict)
            want = agreed.position.do(public(move))
            assert same_position(verdict.after.position, want) or same_by_ruling_8(turn, verdict)
            agreed = verdict.after
        full = after
        confirms += 1
    assert confirms > 40
