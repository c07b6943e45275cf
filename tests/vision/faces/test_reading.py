"""Reading whole faces: a card is read or told as unread, and named only on evidence that it is that face."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_wonders.cards import BACKS, CARDS
from simulator.camera import SimulatedCamera
from tests.vision.faces.art import face
from tests.vision.faces.tables import camera
from vision.config import CONFIG
from vision.faces.naming import name_card
from vision.faces.reading import FaceReader, Memory
from vision.faces.table import FlatMat, Pose
from vision.identify.faces import Faces
from vision.mat import find_mat
from vision.mat.light import Light

NAMES = ("altar", "theater", "forum", "walls", "clay_pit", "stone_pit", "foundry", "ore_vein", *BACKS)
COLUMN = (Placed("altar", 300, 500, 0.5), Placed("stone_pit", 301, 524, -1.0), Placed("forum", 299, 549, 0.5))
STRANGE = (Placed("academy", 600, 500, 0.0), Placed("theater", 601, 524, 0.5), Placed("academy", 599, 549, 1.0))
"""A column with cards that are not learnt."""
ASKEW = Placed("walls", 900, 300, 45.0)


@dataclass(frozen=True)
class Look:
    """A reading and what it was of."""

    flat: FlatMat
    seen: Memory

    @property
    def names(self) -> list[str]:
        return sorted(card.name for card in self.seen.sightings)

    def is_told(self, card: Placed) -> bool:
        """Return whether something unread is told about where a card lies."""
        return any(math.dist((mark.x, mark.y), (card.x, card.y)) < 50 for mark in self.seen.unread)


@cache
def reader() -> FaceReader:
    pictures = np.stack([np.asarray(face("printed", name, 2.0))[..., ::-1] for name in NAMES])
    return FaceReader.for_faces(Faces(NAMES, pictures, CARDS.size_mm, frozenset(BACKS), CARDS.alike))


@cache
def above() -> SimulatedCamera:
    return camera("printed", 4)


@cache
def look(glare: tuple[float, float] | None = None) -> Look:
    above().show([*COLUMN, *STRANGE, ASKEW])
    above().glare = glare
    shot = above().take_picture()
    mat = find_mat(shot, REFERENCE_MAT_MM)
    flat = FlatMat.from_picture(shot, mat, Light.measure(shot, mat))
    return Look(flat, reader().read(flat))


def test_cards_are_read_and_all_else_that_lies_there_is_told() -> None:
    seen = look()
    assert seen.names == ["altar", "forum", "stone_pit", "theater"]
    assert all(map(seen.is_told, (STRANGE[0], STRANGE[2], ASKEW)))
    assert not any(map(seen.is_told, COLUMN))
    covered = {square for mark in seen.seen.unread for square in mark.covers}
    assert any(math.dist(square, (ASKEW.x, ASKEW.y)) < 10 for square in covered)
    assert all(any(math.dist(square, (c.x, c.y)) < 62 for c in (*COLUMN, *STRANGE, ASKEW)) for square in covered)


@pytest.mark.slow  # test_cards_are_read_and_all_else_that_lies_there_is_told
def test_a_head_under_glare_is_read_or_told() -> None:
    seen = look((300.0, 487.0))
    assert all(card.name in seen.names or seen.is_told(card) for card in COLUMN)
    assert set(seen.names) <= {"altar", "forum", "stone_pit", "theater"}


def test_another_face_is_not_named_surely() -> None:
    fitter, seen = reader().fitter, look()
    card = next(card for card in seen.seen.judged if math.dist((card.pose.x, card.pose.y), (301, 524)) < 5)
    _, over, surely = seen.seen.judged[card]
    assert surely.sure
    others = tuple(number for number in card.names if NAMES[number] != "stone_pit")
    assert others
    assert not name_card(fitter, seen.flat, replace(card, names=others), over).sure


def test_a_pose_s_own_frame_and_the_mat_s_agree() -> None:
    pose = Pose(100.0, 50.0, 30.0)
    assert pose.from_mat(*pose.to_mat(7.0, -3.0)) == pytest.approx((7.0, -3.0))
    assert pose.list_corners((10.0, 20.0))[2] == pytest.approx(pose.to_mat(5.0, 10.0))
    assert pose.move_by(1.0, 2.0, 5.0).angle == 35.0


def test_where_bare_mat_changed_nothing_new_is_read() -> None:
    seen = look()
    changed = np.zeros(seen.flat.shrink_to(CONFIG.faces.search.px_per_mm).shape[:2], np.uint8)
    changed[130:136, 400:410] = 255
    again = reader().read(seen.flat, seen.seen, changed)
    assert again.sightings == seen.seen.sightings
