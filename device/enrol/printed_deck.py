"""The deck that ``sevenmat print deck`` and ``print papers`` make: known without learning.

It is learnt from its own faces, laid out as the three pages and drawn as a camera would see them under even light. That
happens once, when somebody first plays with it.
"""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image, ImageDraw

from device.artwork.faces import CARD_H, CARD_W, CORNER_MM, face_named
from device.artwork.markers import BORDER_MM, marker_bits
from device.artwork.own_cards import own_face
from device.capture.eye import card_reader
from referee.game import CardSet
from referee.layout import MARKER_MM, REFERENCE_MAT_MM
from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.enrol import PAGES, enrol_pages, place_cards
from vision.identify.deck import Deck
from vision.identify.faces import Faces

_PX_PER_MM = 2.5
_MARGIN_MM = 40.0
_GROUND, _WHITE, _BLACK = (64, 74, 52), 236, 24
_DARKER = 0.94
"""So much of what paper gives back reaches the picture: white is not the most that it can hold."""
_BLUR_PX = 0.6
_FINER = 4


def printed_deck(name: str) -> Deck:
    """Learn the printed deck under that name from its own faces; that takes seconds."""
    pictures = {page: page_picture(page) for page in PAGES}
    return enrol_pages(card_reader(), name, pictures, REFERENCE_MAT_MM)


def printed_set(name: str, cards: CardSet) -> Deck:
    """Learn the plain set of a game with cards of its own under that name, by its faces as they are drawn."""
    scale = CONFIG.faces.fit.kept_px_per_mm
    pictures = []
    for face in cards.printed:
        fine = np.asarray(own_face(face, scale * _FINER))[..., ::-1] * np.float32(_DARKER)
        soft = cv2.GaussianBlur(fine, (0, 0), _FINER * _BLUR_PX)
        size = soft.shape[1] // _FINER, soft.shape[0] // _FINER
        pictures.append(np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), np.uint8))
    faces = Faces(tuple(cards.printed), np.stack(pictures), cards.size_mm, frozenset(cards.backs), cards.alike)
    return Deck.of_faces(name, faces)


def page_picture(page: str) -> Picture:
    """Draw an enrolment page with the printed cards on their places, (h, w, 3) BGR uint8."""
    width, height = (round((side + 2 * _MARGIN_MM) * _PX_PER_MM) for side in REFERENCE_MAT_MM)
    picture = np.full((height, width, 3), _GROUND, np.uint8)
    _lay_markers(picture)
    mask = _card_mask()
    for name, (x, y) in place_cards(page, REFERENCE_MAT_MM).items():
        face = np.asarray(face_named(name, _PX_PER_MM))[..., ::-1] * _DARKER
        left, top = _to_px(x - CARD_W / 2), _to_px(y - CARD_H / 2)
        under = picture[top : top + mask.shape[0], left : left + mask.shape[1]]
        under[:] = under * (1 - mask) + face * mask
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), _BLUR_PX), np.uint8)


def _to_px(mm: float) -> int:
    return round((mm + _MARGIN_MM) * _PX_PER_MM)


def _card_mask() -> Floats:
    """Mask a card, its corners round: (h, w, 1), 0 to 1."""
    finer = 4
    size = round(CARD_W * _PX_PER_MM), round(CARD_H * _PX_PER_MM)
    mask = Image.new("L", (finer * size[0], finer * size[1]), 0)
    radius = CORNER_MM * _PX_PER_MM * finer
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), radius, fill=255)
    return np.asarray(mask.resize(size, Image.Resampling.BOX), np.float32)[..., None] / np.float32(255)


def _lay_markers(picture: Picture) -> None:
    """Draw the four markers with their white borders."""
    far_x, far_y = (side - MARKER_MM for side in REFERENCE_MAT_MM)
    for number, (x, y) in enumerate(((0.0, 0.0), (far_x, 0.0), (far_x, far_y), (0.0, far_y))):
        picture[
            _to_px(y - BORDER_MM) : _to_px(y + MARKER_MM + BORDER_MM),
            _to_px(x - BORDER_MM) : _to_px(x + MARKER_MM + BORDER_MM),
        ] = _WHITE
        cell = MARKER_MM / 6
        for (row, column), white in np.ndenumerate(marker_bits(number)):
            rows = slice(_to_px(y + row * cell), _to_px(y + (row + 1) * cell))
            columns = slice(_to_px(x + column * cell), _to_px(x + (column + 1) * cell))
            picture[rows, columns] = _WHITE if white else _BLACK
