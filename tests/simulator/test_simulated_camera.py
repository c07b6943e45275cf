"""The simulated camera: what it shows can be measured by the real mat finder, and is the same for the same seed."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import layout_for
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed, Tray
from referee.table import Die
from rules.cards import Card
from simulator.camera import Lens, SimulatedCamera
from vision.mat import find_mat
from vision.stillness import Motion, Stillness

SMALL = Lens(size=(1000, 750))


@pytest.mark.slow  # it tells of the simulated camera alone
def test_the_mat_is_found_and_pixels_suffice() -> None:
    camera = SimulatedCamera(REFERENCE_MAT_MM, seed=1)
    picture = camera.take_picture()
    assert picture.shape == (camera.lens.size[1], camera.lens.size[0], 3)
    mat = find_mat(picture, REFERENCE_MAT_MM)
    assert mat.px_per_mm >= 2.0
    assert mat.residual_mm < 1.0


def test_cards_show_where_they_lie() -> None:
    camera = SimulatedCamera(REFERENCE_MAT_MM, seed=1, lens=SMALL)
    empty = camera.take_picture().astype(int)
    mat = find_mat(camera.take_picture(), REFERENCE_MAT_MM)
    for card in (Placed("H7", 300, 600, 0), Placed("back", 900, 200, 90), Placed("three/complete", 594, 420, 180)):
        camera.show([card])
        changed = (np.abs(camera.take_picture().astype(int) - empty).max(axis=2) > 40).astype(np.uint8)
        changed = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        ys, xs = np.nonzero(changed)
        centre = mat.to_mm([[(xs.min() + xs.max()) / 2, (ys.min() + ys.max()) / 2]])[0]
        assert math.dist(centre, (card.x, card.y)) < 4, card


@pytest.mark.slow  # it tells of the simulated camera alone
def test_the_same_seed_gives_the_same_pictures() -> None:
    table = SimulatedTable(layout_for(3), random.Random(2))
    table.lay_paper(1, "three", [Card.parse("H7")], True)

    def pictures(seed: int) -> list[bytes]:
        camera = SimulatedCamera(REFERENCE_MAT_MM, seed, SMALL)
        camera.show(table)
        return [camera.jpeg().tobytes(), camera.jpeg().tobytes()]

    first = pictures(1)
    assert first == pictures(1)
    assert first[0] != first[1], "every look has noise of its own"
    assert first != pictures(2)


def test_hands_are_motion_and_an_untouched_table_is_still() -> None:
    camera, stillness = SimulatedCamera(REFERENCE_MAT_MM, 1, SMALL), Stillness()
    camera.hands = True
    motions = [stillness.update(camera.take_preview(), 0.2 * n) for n in range(4)]
    assert Motion.MOVING in motions
    camera.hands = False
    states = [stillness.update(camera.take_preview(), 1 + 0.2 * n) for n in range(12)]
    assert states[-1].still
    camera.close()
    camera.close()


def test_glare_is_white_where_it_lies_and_goes_away_again() -> None:
    camera = SimulatedCamera(REFERENCE_MAT_MM, 1, SMALL)
    plain = camera.take_picture()
    camera.glare = (600.0, 300.0)
    shining = camera.take_picture()
    mat = find_mat(shining, REFERENCE_MAT_MM)
    brighter = np.argwhere(shining.min(axis=2).astype(int) - plain.min(axis=2) > 80)
    assert len(brighter)
    y, x = brighter.mean(axis=0)
    assert math.dist(mat.to_mm([[x, y]])[0], (600.0, 300.0)) < 6
    camera.glare = None
    assert np.abs(camera.take_picture().astype(int) - plain).mean() < 5


def test_a_knocked_camera_still_sees_the_whole_mat_from_elsewhere() -> None:
    camera = SimulatedCamera(REFERENCE_MAT_MM, 1, SMALL)
    before = find_mat(camera.take_picture(), REFERENCE_MAT_MM)
    camera.hang(Lens(size=(10, 10), tilt=1.0, swing=2.0, roll=-1.5, fill=0.92))
    picture = camera.take_picture()
    assert picture.shape[1::-1] == SMALL.size
    after = find_mat(picture, REFERENCE_MAT_MM)
    corner = [[0.0, 0.0]]
    assert math.dist(before.to_px(corner)[0], after.to_px(corner)[0]) > 5


@pytest.mark.slow  # it tells of the simulated camera alone
def test_a_table_that_changed_looks_as_if_it_were_painted_anew() -> None:
    rng, tray = random.Random(5), (1060.0, 310.0, 1180.0, 530.0)
    names = ("H7", "O3", "back", "three/complete", "H4")
    cards = [Placed(name, rng.uniform(300, 420), rng.uniform(300, 420), rng.uniform(0, 360)) for name in names]
    dice = (Die(1100.0, 360.0, 1, "brown"), Die(1130.0, 470.0, 6, "black"))
    tables = (
        (cards, None),
        (cards[:2], None),
        ([*cards[:2], replace(cards[4], x=900.0)], Tray(tray, dice)),
        ([*cards[3:], *cards[:3]], Tray(tray, dice)),
        ([*cards[4:], *cards[:3]], Tray(tray, (dice[0], replace(dice[1], y=400.0)))),
        ([*cards[4:], *cards[:3], Placed("back", -500.0, 300.0, 0.0)], None),
    )
    camera = SimulatedCamera(REFERENCE_MAT_MM, 1, SMALL)
    for lying in tables:
        fresh = SimulatedCamera(REFERENCE_MAT_MM, 1, SMALL)
        for each in (camera, fresh):
            each.show(*lying)
        assert np.array_equal(camera._paint_seen(), fresh._paint_seen())
