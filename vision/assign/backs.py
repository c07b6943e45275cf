"""Backs that the detector is led astray on, looked for by their whole face.

A back is a pattern without an index: lines that cross, or run out at the card's edge, look like corners to the
detector, and it may see several where there is none and not the card's own. The deck knows the whole face, and a face
is found to a millimetre by laying it over the mat near what the detector took for ends. """

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.layouts import CARD_MM
from vision.arrays import Floats, Picture
from vision.assign.hypotheses import Hypothesis, shows_no_card
from vision.detect.corners import Corner, corner_of_card, degrees_apart
from vision.geometry import CROP_BOX_MM, CROP_PX_PER_MM
from vision.identify.deck import BACK, DeckCard
from vision.identify.similarity import NOTHING

FACE_PX_PER_MM = 0.8
"""Coarse enough to take a millisecond, fine enough for a pattern's lines."""
REACH_MM = 30.0
"""How far from the place that an end tells of a card's centre may lie."""
PATCH_MM = (CARD_MM[1] + 2 * REACH_MM,) * 2
"""The part of the mat that a face is looked for in, the same for all quarter turns."""

_LEAST_SCORE, _MOST = 0.35, 10
"""Ends fainter than the first are not looked at for a back, every mat has some; and so many places in one reading."""
_BY_FACE = 0.6
"""The score of an end that only the whole face told of."""
_FAN_MM = 20.0
"""In a fan of backs the next one lies further on than this; nearer, the pattern of one fits again."""
_SURELY_BACK = 50.0
"""Where backs lie over each other, a pattern's repeat shows something too: both ends together must show more than
twice this."""
_APART_MM, _APART_DEG = 20.0, 3.0
"""Ends that tell of centres nearer to each other than this, and of angles but for quarter turns, are looked at as
one."""
_LEAST_FIT = 0.6
"""Correlation of a face with what is seen; where it lies nowhere, patterns of lines reach 0.5."""
_MOST_PLACES, _PLACE_MM = 3, 5.0
"""A pattern that repeats fits in several places: so many are told, this far apart."""
_EDGE_PX = 4
"""The outermost 1.6 mm of a face are left out: what lies beside the card is no part of it."""
_SAME_MM, _SAME_DEG = 3.0, 15.0
"""Two places found for a face that lie and turn no further apart are one."""
_KNOWN = 0.95
_FLAT = 1e-4
_IN_MM = 3.0
_OUTLINE_MM = [
    (x, y) for x in (_IN_MM, CARD_MM[0] / 2, CARD_MM[0] - _IN_MM) for y in (_IN_MM, CARD_MM[1] / 2, CARD_MM[1] - _IN_MM)
]
"""Points all over a card, from an end's left corner; cards side by side that touch share none of them."""


@dataclass(frozen=True)
class Face:
    """A card's face in grey (h, w), 1 about white, and where (h, w) it is known; once for each quarter turn."""

    turns: tuple[tuple[Floats, Floats], ...]

    @classmethod
    def of(cls, card: DeckCard) -> Face | None:
        """Put the face together from an enrolled card; None where its middle was never learnt."""
        if card.centre_crop is None:
            return None
        w, h = (round(side * CROP_PX_PER_MM) for side in CARD_MM)
        left, top = (round(-side * CROP_PX_PER_MM) for side in CROP_BOX_MM[:2])
        face, known = np.zeros((h, w), np.float32), np.zeros((h, w), np.float32)
        mh, mw = card.centre_crop.shape[:2]
        y, x = (h - mh) // 2, (w - mw) // 2
        upper, lower = (_grey(crop[top:, left : left + w]) for crop in card.crops)
        for part, at in (
            (_grey(card.centre_crop), np.s_[y : y + mh, x : x + mw]),
            (upper, np.s_[: len(upper), :]),
            (lower[::-1, ::-1], np.s_[h - len(lower) :, :]),
        ):
            face[at], known[at] = part, 1
        rim = np.zeros_like(known)
        rim[_EDGE_PX:-_EDGE_PX, _EDGE_PX:-_EDGE_PX] = 1
        known *= rim
        size = (round(CARD_MM[0] * FACE_PX_PER_MM), round(CARD_MM[1] * FACE_PX_PER_MM))
        share = np.asarray(cv2.resize(known, size, interpolation=cv2.INTER_AREA), np.float32)
        inside = (share > _KNOWN).astype(np.float32)
        small = np.asarray(cv2.resize(face * known, size, interpolation=cv2.INTER_AREA), np.float32)
        small = np.asarray(small / np.maximum(share, _FLAT) * inside, np.float32)
        # np.rot90 turns anticlockwise in the picture, angles here are clockwise
        return cls(tuple((_turned(small, k), _turned(inside, k)) for k in range(4)))


def _grey(part: Picture) -> Floats:
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY) / np.float32(255), np.float32)


def _turned(part: Floats, quarters: int) -> Floats:
    return np.ascontiguousarray(np.rot90(part, -quarters))


def doubtful_places(found: Sequence[Hypothesis], like: Mapping[int, float]) -> list[Hypothesis]:
    """The claims that show no card but have ends that are taken for a back's; one for each place.

    ``like`` gives for these ends, by number, how like a back's they are (log odds); the likest come first.
    """
    empty = [hypothesis for hypothesis in found if shows_no_card(hypothesis) and hypothesis.score >= _LEAST_SCORE]
    fits = [
        (max(like[n] for n in hypothesis.corners if n in like), hypothesis)
        for hypothesis in empty
        if like.keys() & hypothesis.corners
    ]
    asked: list[Hypothesis] = []
    for _, hypothesis in sorted(fits, key=lambda fit: -fit[0]):
        if not any(_tell_the_same(hypothesis, other) for other in asked):
            asked.append(hypothesis)
    return asked[:_MOST]


def _tell_the_same(hypothesis: Hypothesis, other: Hypothesis) -> bool:
    """Whether a face is looked for in about the same place and at the same angles for both."""
    turned = abs((hypothesis.angle - other.angle + 45) % 90 - 45)
    return math.dist((hypothesis.x, hypothesis.y), (other.x, other.y)) < _APART_MM and turned < _APART_DEG


def face_places(face: Face, patch: Picture, centre: tuple[float, float], angle: float) -> list[Corner]:
    """Where a face may lie: the upper ends of cards, the best fit first; none where it fits nowhere.

    Args:
        face: the face looked for.
        patch: that part of the mat, ``PATCH_MM`` at ``FACE_PX_PER_MM``, (h, w, 3) BGR uint8.
        centre: its centre in mat mm.
        angle: its angle in degrees clockwise; cards lie at this or a quarter turn from it.
    """
    seen = _grey(patch)
    fits = []
    for quarter, (small, inside) in enumerate(face.turns):
        fit = _correlation(seen, small, inside)
        for _ in range(_MOST_PLACES):
            _, best, _, (x, y) = cv2.minMaxLoc(fit)
            if best < _LEAST_FIT:
                break
            fits.append((best, quarter, x + small.shape[1] / 2, y + small.shape[0] / 2))
            cv2.circle(fit, (x, y), round(_PLACE_MM * FACE_PX_PER_MM), 0.0, cv2.FILLED)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    corners = []
    for _, quarter, x, y in sorted(fits, reverse=True)[:_MOST_PLACES]:
        dx, dy = (x - seen.shape[1] / 2) / FACE_PX_PER_MM, (y - seen.shape[0] / 2) / FACE_PX_PER_MM
        place = (centre[0] + dx * cos - dy * sin, centre[1] + dx * sin + dy * cos)
        corners.append(corner_of_card(*place, angle + 90 * quarter, _BY_FACE, BACK))
    return corners


def distinct_places(uppers: Sequence[Corner]) -> list[Corner]:
    """The places found for a face, each once."""
    kept: list[Corner] = []
    for corner in uppers:
        if not any(_same_place(corner, other) for other in kept):
            kept.append(corner)
    return kept


def accepted(uppers: Sequence[Corner], fits: Floats, known: Sequence[Corner]) -> list[int]:
    """Which of the places found for a back are believed to be one, by the crops there; by their numbers.

    Args:
        uppers: the upper ends of n cards.
        fits: how like (log odds) the upper and the lower end of each are to the back's two ends, (n, 2, 2).
        known: ends of the backs that lie there surely.
    """
    taken, chosen = list(known), []
    sums = np.maximum(fits[:, 0, 0] + fits[:, 1, 1], fits[:, 0, 1] + fits[:, 1, 0])
    for k in np.argsort(-sums, kind="stable"):
        near = [other for other in taken if _overlap(uppers[k], other)]
        again = any(math.dist(uppers[k].centre, other.centre) < _FAN_MM for other in near)
        if not again and sums[k] > 2 * (_SURELY_BACK if near else NOTHING):
            taken.append(uppers[k])
            chosen.append(int(k))
    return chosen


def _same_place(one: Corner, other: Corner) -> bool:
    return math.dist(one.centre, other.centre) < _SAME_MM and degrees_apart(one.angle, other.angle) < _SAME_DEG


def _overlap(one: Corner, other: Corner) -> bool:
    """Whether cards with these ends lie over each other."""
    pairs = ((one, other), (other, one))
    return any(card.holds(*over.at(*point)) for card, over in pairs for point in _OUTLINE_MM)


def _correlation(seen: Floats, face: Floats, inside: Floats) -> Floats:
    """Correlation of a face (h, w) where it is known with each place of a picture; as ``cv2.matchTemplate`` lays it."""
    known = float(inside.sum())
    away = (face - float((face * inside).sum()) / known) * inside
    total, squares, both = (
        cv2.matchTemplate(a, b, cv2.TM_CCORR) for a, b in ((seen, inside), (seen * seen, inside), (seen, away))
    )
    spread = np.maximum(squares - total * total / known, _FLAT) * max(float((away * away).sum()), _FLAT)
    return np.asarray(both / np.sqrt(spread), np.float32)
