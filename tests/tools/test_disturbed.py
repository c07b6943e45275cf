"""What a person can name of a painted table: where cards, hands, glare and bows leave enough of an index."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from tools.benchmark_ood import flat
from tools.benchmark_ood.art import DECKS
from tools.benchmark_ood.disturbed import HAND, Lie, Table
from tools.benchmark_ood.scene import CARD_H, CARD_W, Laid, Scene

MAT = (300.0, 200.0)
EYE = (400.0, -50.0, 900.0)
CARDS = (Laid("H3", 90.0, 90.0, 0.0), Laid("three/review", 210.0, 90.0, 180.0), Laid("C9", 213.0, 70.0, 180.0))


class Blocks(flat.Painter):
    """White cards with a few blocks of ink at each end, others on every card; no font is needed."""

    def face(self, name: str) -> np.ndarray:
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        grid = np.where(rng.random((6, 6, 1)) < 0.5, 0.05, flat.PAPER).astype(np.float32)
        card = np.full((round(CARD_H * flat.PX), round(CARD_W * flat.PX), 3), flat.PAPER, np.float32)
        card[8:56, 8:56] = np.kron(grid, np.ones((8, 8, 1), np.float32))
        card[-56:-8, -56:-8] = card[8:56, 8:56][::-1, ::-1]
        return card


def table(bow: float = 0.0) -> Table:
    lies = tuple(Lie(card, EYE, bow) for card in CARDS)
    rng = np.random.default_rng(1)
    painted = Table.paint_bare(Blocks(DECKS[0]), Scene(MAT, 2, CARDS), lies, "dark", 0.0, rng)
    for number in range(len(lies)):
        painted.lay(number, None, 0.0, rng)
    return painted


def test_bare_and_overlapped_cards_can_be_named_by_what_sticks_out() -> None:
    painted = table()
    assert painted.list_nameable() == [True, True, True]
    assert painted.list_shown()[0] == painted.list_shown()[2] == 1.0
    assert 0.2 < painted.list_shown()[1] < 0.3


def test_a_card_whose_both_indices_a_hand_covers_can_not_be_named() -> None:
    painted = table()
    x, y = (round((flat.ROOM + at) * flat.PX) for at in (90, 90))
    painted.owner[y - 180 : y - 100, x - 130 : x] = HAND
    assert painted.list_nameable()[0]  # the other end is left
    painted.owner[y + 100 : y + 180, x : x + 130] = HAND
    assert painted.list_nameable() == [False, True, True]


@pytest.mark.parametrize(("veil", "named"), [(0.1, True), (2.0, False)])
def test_glare_takes_a_name_only_where_it_burns_the_index_out(veil: float, named: bool) -> None:
    painted = table()
    painted.veil += veil
    assert painted.list_nameable()[0] is named


@pytest.mark.parametrize("bow", [-5.0, 0.0, 5.0])
@pytest.mark.parametrize("along", [False, True])
def test_where_a_bent_card_is_seen_and_what_is_seen_there_agree(bow: float, along: bool) -> None:
    lie = Lie(Laid("H3", 90.0, 90.0, 30.0), EYE, bow, along)
    own = np.array([(-28.0, -40.0), (0.0, 0.0), (25.0, -10.0), (10.0, 41.0)])
    assert lie.to_own(lie.to_mat(own).astype(np.float32))[0] == pytest.approx(own, abs=0.06)
    if bow > 0:
        moved = lie.to_mat(np.zeros((1, 2)))[0] - (90, 90)
        assert np.hypot(*moved) > 1.5  # its middle is up, and seen farther from the camera
