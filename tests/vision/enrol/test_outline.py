"""A whole card is found by its outline, from about where it lies."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from referee.placing import Placed
from simulator.camera import Lens, SimulatedCamera
from vision.arrays import Picture
from vision.enrol.outline import fit_outline
from vision.mat import Mat, find_mat

MAT = (660.0, 560.0)
CARDS = [
    Placed(name, 130 + 130 * (k % 4), 140 + 140 * (k // 4), angle)
    for k, (name, angle) in enumerate(
        [("H3", 0), ("three/review", 7), ("back", -4), ("FK", 2), ("sum49/complete", -8), ("C6", 181), ("S11", 30)]
    )
]


@pytest.fixture(scope="module")
def picture() -> Picture:
    camera = SimulatedCamera(MAT, seed=5, lens=Lens(size=(1760, 1540), fill=0.95))
    camera.show(CARDS)
    return camera.take_picture()


@pytest.fixture(scope="module")
def mat(picture: Picture) -> Mat:
    return find_mat(picture, MAT)


def found(picture: Picture, mat: Mat, card: Placed, lie: tuple[float, float, float], off_mm: float) -> list[float]:
    """Return how wrong a card's place still is, looked for ``lie`` (mm, mm, degrees) away from where it is."""
    right, down, turned = lie
    angle = card.angle - turned
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    centre = (card.x - right * c + down * s, card.y - right * s - down * c)
    return [abs(a - b) for a, b in zip(fit_outline(picture, mat, centre, angle, off_mm)[:3], lie, strict=True)]


@pytest.mark.few(2)
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_a_card_is_found_from_about_where_it_lies(picture: Picture, mat: Mat, card: Placed) -> None:
    rng = random.Random(3)
    for _ in range(4):
        lie = (rng.uniform(-8, 8), rng.uniform(-8, 8), rng.uniform(-7, 7))
        assert max(found(picture, mat, card, lie, 5.0)) < 1.3


@pytest.mark.few(2)
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_a_card_that_is_nearly_known_moves_only_for_good(picture: Picture, mat: Mat, card: Placed) -> None:
    rng = random.Random(4)
    for _ in range(4):
        lie = (rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1))
        for off, was in zip(found(picture, mat, card, lie, 1.5), lie, strict=True):
            assert off <= max(abs(was), 0.8) + 1e-6


@pytest.mark.few(3)
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_from_wherever_a_card_is_looked_for_it_lies_in_one_place(picture: Picture, mat: Mat, card: Placed) -> None:
    """A crop learnt a millimetre astray is not found again on the table."""
    rng = random.Random(5)
    lies = [(rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5), 0.0) for _ in range(5)]
    left = np.array([found(picture, mat, card, lie, 1.5)[:2] for lie in lies])
    assert left.max() < 0.5
    assert np.ptp(left, axis=0).max() < 0.05


@pytest.mark.parametrize("card", [card for card in CARDS if card.name != "back"], ids=lambda card: card.name)
def test_a_card_found_askew_is_set_right(picture: Picture, mat: Mat, card: Placed) -> None:
    assert max(found(picture, mat, card, (0.5, -1.0, 3.0), 1.5)) < 1.8


def test_a_card_stands_out_clearly_and_a_bare_mat_does_not(picture: Picture, mat: Mat) -> None:
    lying = [fit_outline(picture, mat, (card.x + 3.0, card.y - 4.0), 0.0, 5.0).clear for card in CARDS[:5]]
    assert min(lying) > 12
    camera = SimulatedCamera(MAT, seed=6, lens=Lens(size=(1760, 1540), fill=0.95))
    camera.show([])
    bare_mat = camera.take_picture()
    where = [(x, y) for x in (150.0, 300.0, 450.0) for y in (150.0, 300.0, 420.0)]
    assert max(fit_outline(bare_mat, mat, place, 0.0, 5.0).clear for place in where) < 12
