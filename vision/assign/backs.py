"""Backs that the detector misses, found by their whole face.

A back is a pattern without an index. Lines that cross, or run out at the card's edge, look like corners to the
detector, and it may see several where there are none and not the card's own. The deck knows the whole face, and a face
is found to a millimetre by correlating it with the mat near what the detector took for corners.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.layout import CARD_MM
from vision.arrays import Floats, Picture
from vision.assign.hypotheses import Hypothesis, shows_no_card
from vision.config import CONFIG
from vision.detect.corners import Corner, corner_of_card, degrees_apart
from vision.geometry import CROP_BOX_MM, CROP_PX_PER_MM
from vision.identify.deck import BACK, DeckCard

_SIMILARITY = CONFIG.identify.similarity
_BACK = CONFIG.assign.back
_FACE = CONFIG.assign.face


def _patch_mm() -> tuple[float, float]:
    side = CARD_MM[1] + 2 * _BACK.reach_mm
    return side, side


def _points_mm() -> list[tuple[float, float]]:
    """Return points all over a card, from its own corner; cards side by side that touch share none of them."""
    inset, (width, height) = _BACK.inset_mm, CARD_MM
    return [(x, y) for x in (inset, width / 2, width - inset) for y in (inset, height / 2, height - inset)]


PATCH_MM = _patch_mm()
"""The part of the mat that is searched for a face, the same for all quarter turns."""
_POINTS_MM = _points_mm()


@dataclass(frozen=True)
class Face:
    """A card's face in grey (h, w), 1 about white, and where (h, w) it is known; once for each quarter turn."""

    turns: tuple[tuple[Floats, Floats], ...]

    @classmethod
    def from_card(cls, card: DeckCard) -> Face | None:
        """Put the face together from an enrolled card; None where its centre crop was never learnt."""
        if card.centre_crop is None:
            return None
        w, h = (round(side * CROP_PX_PER_MM) for side in CARD_MM)
        left, top = (round(-side * CROP_PX_PER_MM) for side in CROP_BOX_MM[:2])
        face, known = np.zeros((h, w), np.float32), np.zeros((h, w), np.float32)
        mh, mw = card.centre_crop.shape[:2]
        y, x = (h - mh) // 2, (w - mw) // 2
        upper, lower = (_convert_to_grey(crop[top:, left : left + w]) for crop in card.crops)
        for part, at in (
            (_convert_to_grey(card.centre_crop), np.s_[y : y + mh, x : x + mw]),
            (upper, np.s_[: len(upper), :]),
            (lower[::-1, ::-1], np.s_[h - len(lower) :, :]),
        ):
            face[at], known[at] = part, 1
        rim = np.zeros_like(known)
        rim[_FACE.rim_px : -_FACE.rim_px, _FACE.rim_px : -_FACE.rim_px] = 1
        known *= rim
        size = (round(CARD_MM[0] * _FACE.px_per_mm), round(CARD_MM[1] * _FACE.px_per_mm))
        share = np.asarray(cv2.resize(known, size, interpolation=cv2.INTER_AREA), np.float32)
        inside = (share > _FACE.known_share).astype(np.float32)
        small = np.asarray(cv2.resize(face * known, size, interpolation=cv2.INTER_AREA), np.float32)
        small = np.asarray(small / np.maximum(share, 1e-4) * inside, np.float32)
        # np.rot90 turns anticlockwise in the picture, angles here are clockwise
        return cls(tuple((_turn_part(small, k), _turn_part(inside, k)) for k in range(4)))


def _convert_to_grey(part: Picture) -> Floats:
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY) / np.float32(255), np.float32)


def _turn_part(part: Floats, quarters: int) -> Floats:
    return np.ascontiguousarray(np.rot90(part, -quarters))


def list_doubtful_places(found: Sequence[Hypothesis], like: Mapping[int, float]) -> list[Hypothesis]:
    """List the hypotheses that show no card but have corners taken for a back's, one for each place.

    ``like`` gives for these corners, by number, how like a back's they are (log odds); the likest come first.
    """
    empty = [hypothesis for hypothesis in found if shows_no_card(hypothesis) and hypothesis.score >= _BACK.min_score]
    fits = [
        (max(like[n] for n in hypothesis.corners if n in like), hypothesis)
        for hypothesis in empty
        if like.keys() & hypothesis.corners
    ]
    asked: list[Hypothesis] = []
    for _, hypothesis in sorted(fits, key=lambda fit: -fit[0]):
        if not any(_tell_the_same(hypothesis, other) for other in asked):
            asked.append(hypothesis)
    return asked[: _BACK.max_searches]


def _tell_the_same(hypothesis: Hypothesis, other: Hypothesis) -> bool:
    """Tell whether both would have about the same place searched, at the same angles."""
    turned = abs((hypothesis.angle - other.angle + 45) % 90 - 45)
    return (
        math.dist((hypothesis.x, hypothesis.y), (other.x, other.y)) < _BACK.same_search_mm
        and turned < _BACK.same_search_deg
    )


def find_face_places(face: Face, patch: Picture, centre: tuple[float, float], angle: float) -> list[Corner]:
    """Find where a face may lie: the upper corners of cards, the best fit first; none where it fits nowhere.

    Args:
        face: the face searched for.
        patch: that part of the mat, ``PATCH_MM`` at ``px_per_mm``, (h, w, 3) BGR uint8.
        centre: its centre in mat mm.
        angle: its angle in degrees clockwise; cards lie at this or a quarter turn from it.
    """
    seen = _convert_to_grey(patch)
    fits = []
    for quarter, (small, inside) in enumerate(face.turns):
        fit = _correlate_face(seen, small, inside)
        for _ in range(_FACE.max_places):
            _, best, _, (x, y) = cv2.minMaxLoc(fit)
            if best < _FACE.min_fit:
                break
            fits.append((best, quarter, x + small.shape[1] / 2, y + small.shape[0] / 2))
            cv2.circle(fit, (x, y), round(_FACE.place_mm * _FACE.px_per_mm), 0.0, cv2.FILLED)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    corners = []
    for _, quarter, x, y in sorted(fits, reverse=True)[: _FACE.max_places]:
        dx, dy = (x - seen.shape[1] / 2) / _FACE.px_per_mm, (y - seen.shape[0] / 2) / _FACE.px_per_mm
        place = (centre[0] + dx * cos - dy * sin, centre[1] + dx * sin + dy * cos)
        corners.append(corner_of_card(*place, angle + 90 * quarter, _BACK.face_score, BACK))
    return corners


def list_distinct_places(uppers: Sequence[Corner]) -> list[Corner]:
    """List the places found for a face, each once."""
    kept: list[Corner] = []
    for corner in uppers:
        if not any(_is_same_place(corner, other) for other in kept):
            kept.append(corner)
    return kept


def accept_places(uppers: Sequence[Corner], fits: Floats, known: Sequence[Corner]) -> list[int]:
    """Choose which of the places found for a back are accepted as one, by the crops there; by their numbers.

    Args:
        uppers: the upper corners of n cards.
        fits: how like (log odds) the upper and the lower corner of each are to the back's two, (n, 2, 2).
        known: corners of the backs that lie there surely.
    """
    taken, chosen = list(known), []
    sums = np.maximum(fits[:, 0, 0] + fits[:, 1, 1], fits[:, 0, 1] + fits[:, 1, 0])
    for k in np.argsort(-sums, kind="stable"):
        near = [other for other in taken if _overlap(uppers[k], other)]
        again = any(math.dist(uppers[k].centre, other.centre) < _BACK.fan_step_mm for other in near)
        if not again and sums[k] > 2 * (_BACK.overlap_odds if near else _SIMILARITY.nothing_odds):
            taken.append(uppers[k])
            chosen.append(int(k))
    return chosen


def _is_same_place(one: Corner, other: Corner) -> bool:
    return (
        math.dist(one.centre, other.centre) < _FACE.same_mm and degrees_apart(one.angle, other.angle) < _FACE.same_deg
    )


def _overlap(one: Corner, other: Corner) -> bool:
    """Tell whether cards with these corners lie over each other."""
    pairs = ((one, other), (other, one))
    return any(card.covers(*over.to_mat(*point)) for card, over in pairs for point in _POINTS_MM)


def _correlate_face(seen: Floats, face: Floats, inside: Floats) -> Floats:
    """Correlate a face (h, w), where known, with each place of a picture, as ``cv2.matchTemplate`` lays it."""
    known = float(inside.sum())
    away = (face - float((face * inside).sum()) / known) * inside
    total, squares, both = (
        cv2.matchTemplate(a, b, cv2.TM_CCORR) for a, b in ((seen, inside), (seen * seen, inside), (seen, away))
    )
    flat = 1e-4  # what varies less is even, and fits nothing
    spread = np.maximum(squares - total * total / known, flat) * max(float((away * away).sum()), flat)
    return np.asarray(both / np.sqrt(spread), np.float32)
