"""A paper's whole face, put together from what its enrolment page gave, and what is printed there without its colours.

A face is (225, 160, 3) at the crops' 2.5 px per mm, its card's upper left corner at (1.25, 2.5) px: the crops' own
frame. At the left and right of the centre crop, which no crop reaches, its edge is drawn out.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.layout import CARD_MM
from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.enrol.pages import Page
from vision.geometry import CENTRE_CROP_SHAPE, CROP_BOX_MM, CROP_PX_PER_MM, CROP_SHAPE
from vision.identify.deck import PAPER_KINDS, Deck

_PRINT = CONFIG.enrol.paper_print

_LEFT_MM, _TOP_MM, _, _BOTTOM_MM = CROP_BOX_MM
_CROP_HEIGHT_PX, _CROP_WIDTH_PX, _COLOURS = CROP_SHAPE


def _centre_px() -> tuple[int, int]:
    """Return where the centre crop begins in a face: from the left, from the top."""
    (width, height), (rows, columns, _) = CARD_MM, CENTRE_CROP_SHAPE
    left = round((width / 2 - _LEFT_MM) * CROP_PX_PER_MM - columns / 2)
    return left, round((height / 2 - _TOP_MM) * CROP_PX_PER_MM - rows / 2)


def _lower_px() -> int:
    """Return where the lower crop begins, from the top."""
    _, height = CARD_MM
    return round((height - _BOTTOM_MM - _TOP_MM) * CROP_PX_PER_MM)


_CENTRE_LEFT_PX, _CENTRE_TOP_PX = _centre_px()
_LOWER_PX = _lower_px()
FACE_SHAPE = (_LOWER_PX + _CROP_HEIGHT_PX, _CROP_WIDTH_PX, _COLOURS)


def faces_of(page: Page) -> list[Picture]:
    """Return the faces (225, 160, 3) of the 16 papers on a paper page, in the order of their kinds."""
    return [
        _join_face(crops, centre)
        for crops, centre in zip(page.crops[: len(PAPER_KINDS)], page.centre_crops[: len(PAPER_KINDS)], strict=True)
    ]


def faces_in(deck: Deck, side: str) -> list[Picture]:
    """Return the 16 papers' faces (225, 160, 3) on one side, ``review`` or ``complete``, in the order of their kinds.

    Raises:
        ValueError: the deck was learnt by an earlier version, which kept no centre crops.
    """
    cards = {card.name: card for card in deck.cards}
    faces = []
    for kind in PAPER_KINDS:
        card = cards[f"{kind}/{side}"]
        if card.centre_crop is None:
            raise ValueError(f"the deck {deck.name!r} has no centre crops")
        faces.append(_join_face(card.crops, card.centre_crop))
    return faces


def outlines_of(faces: Sequence[Picture]) -> Floats:
    """Extract what is printed on faces (n, h, w, 3), without ground, ink and light: (n, h, w) float32, aligned.

    Cards are cut out up to 2 mm astray; what most of a deck's papers have in common (frames, badges, lines) tells by
    how much.
    """
    loose = np.stack([extract_print(np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), np.uint8)) for face in faces])
    moved = loose
    margin = _PRINT.max_shift_px + _PRINT.rim_px
    for _ in range(_PRINT.rounds):
        common = np.median(moved, axis=0).astype(np.float32)[margin:-margin, margin:-margin]
        moved = np.stack([_align_outline(each, common) for each in loose])
    return moved


def extract_print(grey: Picture | Floats) -> Floats:
    """Print in a grey picture (h, w), 0 to 255, whatever is darker: (h, w) float32, 0 where there is none."""
    light = np.asarray(grey, np.float32)
    fine, ground = (cv2.GaussianBlur(light, (0, 0), px) for px in (_PRINT.fine_px, _PRINT.ground_px))
    return np.asarray(np.abs(fine - ground), np.float32)


def _align_outline(loose: Floats, common: Floats) -> Floats:
    """Move an outline by whole pixels to where it fits what is common to its deck best."""
    fits = cv2.matchTemplate(
        loose[_PRINT.rim_px : -_PRINT.rim_px, _PRINT.rim_px : -_PRINT.rim_px], common, cv2.TM_CCOEFF_NORMED
    )
    _, best, _, (x, y) = cv2.minMaxLoc(fits)
    if best - float(fits[_PRINT.max_shift_px, _PRINT.max_shift_px]) < _PRINT.min_gain:
        return loose
    return np.roll(loose, (_PRINT.max_shift_px - y, _PRINT.max_shift_px - x), axis=(0, 1))


def _join_face(crops: tuple[Picture, Picture], centre: Picture) -> Picture:
    """Join the face of a card from its two crops (56, 160, 3) and its centre crop (120, 136, 3)."""
    upper, lower = crops
    face = np.zeros(FACE_SHAPE, np.uint8)
    right = FACE_SHAPE[1] - _CENTRE_LEFT_PX - centre.shape[1]
    wide = np.asarray(cv2.copyMakeBorder(centre, 0, 0, _CENTRE_LEFT_PX, right, cv2.BORDER_REPLICATE), np.uint8)
    face[_CENTRE_TOP_PX : _CENTRE_TOP_PX + centre.shape[0]] = wide
    face[_LOWER_PX:] = lower[::-1, ::-1]
    face[: CROP_SHAPE[0]] = upper
    return face
