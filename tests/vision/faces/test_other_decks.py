"""Decks that are none of the house's: white cards with small indices, a back on a page of its own, narrow pages."""

from __future__ import annotations

from unittest import mock

import cv2
import numpy as np
import pytest
from PIL import Image

from referee import registry
from referee.game import CardSet, GridPage
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from rules.text import Text
from simulator.camera import CardSprites, SimulatedCamera
from vision.arrays import Picture
from vision.enrol.grid_page import faces_of_pages
from vision.enrol.pages import Page
from vision.faces.reading import FaceReader
from vision.faces.table import FlatMat
from vision.identify.deck import Deck
from vision.identify.faces import Faces
from vision.mat import find_mat
from vision.mat.light import Light

SIZE = (56.0, 87.0)
NAMES = tuple(f"{suit}{rank}" for suit in "HOB" for rank in "34567")
_SCALE = 8


def drawn(name: str) -> Picture:
    """Draw an index at both ends, and in the middle a sign that looks like another suit's upside down; BGR."""
    w, h = (round(side * _SCALE) for side in SIZE)
    picture = np.full((h, w, 3), 240, np.uint8)
    if name == "back":
        picture[40:-40, 40:-40] = (150, 60, 40)
        return picture
    ink = (40, 30, 170)
    for _ in range(2):
        cv2.putText(picture, name[1], (28, 84), cv2.FONT_HERSHEY_TRIPLEX, 2.2, ink, 14, cv2.LINE_AA)
        cv2.putText(picture, name[0], (28, 150), cv2.FONT_HERSHEY_TRIPLEX, 1.6, ink, 10, cv2.LINE_AA)
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    up = {"H": 1, "O": -1}.get(name[0], 0)
    tip = np.array([(w // 2, h // 2 - up * 90), (w // 2 - 80, h // 2 + up * 60), (w // 2 + 80, h // 2 + up * 60)])
    if up:
        cv2.fillPoly(picture, [tip.astype(np.int32)], ink, cv2.LINE_AA)
    return picture


class _Sprites(CardSprites):
    def draw_face(self, name: str) -> Image.Image:
        size = tuple(round(side * self.px_per_mm) for side in SIZE)
        return Image.fromarray(np.ascontiguousarray(drawn(name)[..., ::-1])).resize(size, Image.Resampling.LANCZOS)


def pictures(names: tuple[str, ...]) -> Picture:
    """Faces as a page teaches them: round their corners shows the dark mat."""
    size = tuple(round(2 * side) for side in SIZE)
    corner = np.zeros((size[1], size[0]), np.uint8)
    cv2.rectangle(corner, (6, 0), (size[0] - 7, size[1] - 1), 255, -1)
    cv2.rectangle(corner, (0, 6), (size[0] - 1, size[1] - 7), 255, -1)
    for x, y in ((6, 6), (size[0] - 7, 6), (6, size[1] - 7), (size[0] - 7, size[1] - 7)):
        cv2.circle(corner, (x, y), 6, 255, -1)
    each = [cv2.resize(drawn(name), size, interpolation=cv2.INTER_AREA) for name in names]
    return np.stack([np.where(corner[..., None] > 0, one, 40).astype(np.uint8) for one in each])


@pytest.mark.slow  # test_reading.py
def test_white_cards_of_another_size_are_read_either_way_up() -> None:
    faces = Faces((*NAMES, "back"), pictures((*NAMES, "back")), SIZE, frozenset({"back"}))
    above = SimulatedCamera(REFERENCE_MAT_MM, 11, None, _Sprites)
    lying = [
        *(Placed(name, 300 + k, 500 + 23 * k, 1.5 - k) for k, name in enumerate(("H3", "O5", "B7", "H6"))),
        Placed("H4", 600, 300, 180.0),
        Placed("O4", 700, 302, 1.0),
        Placed("back", 850, 300, 180.0),
    ]
    above.show(lying)
    shot = above.take_picture()
    mat = find_mat(shot, REFERENCE_MAT_MM)
    seen = FaceReader.for_faces(faces).read(FlatMat.from_picture(shot, mat, Light.measure(shot, mat)))
    assert sorted(card.name for card in seen.sightings) == sorted(card.name for card in lying)
    turned = next(card for card in seen.sightings if card.name == "H4")
    assert abs(turned.angle - 180) < 2


def test_a_page_of_a_back_alone_is_no_other_deck_s() -> None:
    names = tuple(name for name in NAMES if name[1] != "6")
    words = {name: Text(name) for name in (*names, "back")}
    front = GridPage("front", Text(), Text(), {n: words[n] for n in names}, 8, 2, (72.0, 100.0))
    behind = GridPage("behind", Text(), Text(), {"back": words["back"]}, 1, 1, (72.0, 100.0))
    cards = CardSet(names, ("back",), ("front", "behind"), {"back": 15}, SIZE, grids=(front, behind))
    nothing = Deck.of_faces("none", Faces(("a",), pictures(("back",)), SIZE)).embeddings
    pages = {
        grid.name: Page(grid.name, tuple(grid.cards), (), nothing, (), pictures(tuple(grid.cards)))
        for grid in (front, behind)
    }
    with mock.patch.object(registry, "own_card_sets", return_value=(cards,)):
        assert faces_of_pages(pages, as_laid=False).names == (*names, "back")
