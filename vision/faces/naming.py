"""Which face a card shows: all that is seen of it is compared with its likely faces, point by point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.config import CONFIG
from vision.faces.fitting import Fitted, Fitter, shifted
from vision.faces.table import FlatMat, Pose
from vision.identify.faces import Faces

_NAME = CONFIG.faces.name
_FINE = CONFIG.faces.fit.kept_px_per_mm


@dataclass(frozen=True, slots=True)
class Named:
    """What a card shows: likely faces' numbers, best first, and how sure the first one is.

    ``likeness`` is its correlation with what is seen, ``off`` by how many grey levels that differs from it (RMS),
    ``share`` how far the card lies on its side of the nearest rival that is not printed alike. ``seen`` (h, w) is what
    shows of the face, ``lost`` the share of that which glare has washed out.
    """

    names: tuple[int, ...]
    likeness: float
    off: float
    share: float
    seen: NDArray[np.bool_]
    lost: float

    @property
    def fits(self) -> bool:
        """Whether it shows a face of the deck."""
        return self.likeness >= _NAME.surely and self.off <= _NAME.most_off

    @property
    def sure(self) -> bool:
        """Whether it shows this face and no other."""
        return self.fits and self.share >= _NAME.min_share + _NAME.share_per_level * self.off

    @property
    def perhaps(self) -> bool:
        """Whether something of the deck lies there, if not surely what."""
        return self.likeness >= _NAME.perhaps and self.off <= _NAME.perhaps_off


def roughly_named(fitter: Fitter, flat: FlatMat, card: Fitted) -> Named:
    """Name a card by its faces as they were learnt, whatever lies on it."""
    return _compared(fitter, flat, card, [card.pose] * len(card.names), ())


def named(fitter: Fitter, flat: FlatMat, card: Fitted, rough: Named, over: Sequence[Pose]) -> Named:
    """Name a card on which cards with the poses ``over`` lie, each of its faces laid exactly."""
    return _compared(fitter, flat, card, fitter.lies(flat, card, _shown_mm(fitter, card, rough, over)), over)


def _shown_mm(fitter: Fitter, card: Fitted, rough: Named, over: Sequence[Pose]) -> float:
    """How much of a card shows from the end at which its strip is, in whole mm: at least what tells how it lies."""
    (_, height), strip = fitter.faces.size_mm, fitter.strips.size_mm[1]
    if not over:
        return height if float(rough.seen.mean()) > _NAME.whole_share else strip
    rows = (~_covered(card.pose, over, fitter.faces)).mean(axis=1) > _NAME.whole_share
    rows = rows[::-1] if card.lower else rows
    shown = len(rows) if rows.all() else int(np.argmin(rows))
    return float(min(strip, max(_NAME.shown_mm, shown // _FINE)))


def _compared(fitter: Fitter, flat: FlatMat, card: Fitted, poses: Sequence[Pose], over: Sequence[Pose]) -> Named:
    """Name a card that lies like that for each of its likely faces."""
    faces, size = fitter.faces, fitter.faces.size_mm
    shown = flat.patch(card.pose, size, _FINE)
    lost = flat.lost(card.pose, size, _FINE)
    high = round(_NAME.shown_mm * _FINE)
    strip = np.zeros(lost.shape, bool)
    strip[slice(-high, None) if card.lower else slice(0, high)] = True
    free = ~_covered(card.pose, over, faces)
    usable = free & ~lost
    laid = [fitter.soft[number] for number in card.names]
    laid = [
        shifted(face, card.pose, pose) if pose != card.pose else face for face, pose in zip(laid, poses, strict=True)
    ]
    expected = np.stack(laid)
    gains = np.clip(_gains(shown, expected, strip & usable), 1 / _NAME.most_gain, _NAME.most_gain)
    expected = expected * gains[:, None, None]
    errors = np.square(shown - expected).mean(axis=3)
    seen = free & _bands(errors, strip, usable)
    usable &= seen
    if not usable.any():
        return Named(card.names, 0.0, np.inf, 0.0, seen, 1.0)
    squares = errors[:, usable].mean(axis=1)
    best = int(squares.argmin())
    likeness = _correlation(shown[usable], expected[best][usable])
    group = next((each for each in faces.alike if faces.names[card.names[best]] in each), ())
    share, first = 1.0, card.names[best]
    for k, number in enumerate(card.names):
        apart = float(np.square(expected[best][usable] - expected[k][usable]).mean())
        told_apart = apart >= _NAME.min_difference**2
        here = 0.5 + 0.5 * float(squares[k] - squares[best]) / apart if told_apart else 0.5
        if k != best and faces.names[number] not in group:
            share = min(share, here)
        elif k != best and not told_apart and group[0] in faces.names:
            first = faces.names.index(group[0])
    names = (first, *(card.names[k] for k in np.argsort(squares) if card.names[k] != first))
    return Named(names, likeness, float(np.sqrt(squares[best])), share, seen, float(lost[seen].mean()))


def _covered(pose: Pose, over: Sequence[Pose], faces: Faces) -> NDArray[np.bool_]:
    """Where (h, w) other cards lie on a card."""
    (width, height), (h, w) = faces.size_mm, faces.pictures.shape[1:3]
    mask = np.zeros((h, w), np.uint8)
    turn = np.radians(pose.angle)
    c, s = np.cos(turn), np.sin(turn)
    for other in over:
        corners = [
            other.at(right * width / 2, down * height / 2) for right, down in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        away = np.array(corners) - (pose.x, pose.y)
        own = np.stack([away @ (c, s) + width / 2, away @ (-s, c) + height / 2], axis=1) * _FINE
        cv2.fillConvexPoly(mask, np.round(own).astype(np.int32), 255)
    if mask.any():  # its shadow and its edge too
        mask = np.asarray(cv2.dilate(mask, np.ones((_NAME.edge_px, _NAME.edge_px), np.uint8)), np.uint8)
    return mask > 0


def _gains(shown: Floats, laid: Floats, where: NDArray[np.bool_]) -> Floats:
    """How much brighter a card (h, w, 3) is than each of n faces, by channel; (n, 3)."""
    if not where.any():
        return np.ones((len(laid), 3), np.float32)
    points, seen = laid[:, where], shown[where]
    return np.asarray((points * seen).sum(axis=1) / np.maximum(np.square(points).sum(axis=1), 1.0), np.float32)


def _bands(errors: Floats, strip: NDArray[np.bool_], usable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What shows: the strip, and from it on each band that is near enough to some likely face (errors n, h, w)."""
    seen = strip.copy()
    h = errors.shape[1]
    for top in range(0, h, _NAME.band_rows):
        band = np.zeros_like(strip)
        band[top : top + _NAME.band_rows] = True
        band &= usable
        if band.any() and np.sqrt(errors[:, band].mean(axis=1).min()) <= _NAME.band_off:
            seen |= band
    return seen


def _correlation(seen: Floats, face: Floats) -> float:
    """The correlation of points (k, 3) and a face's points."""
    one, other = (points - points.mean(axis=0) for points in (seen, face))
    lengths = float(np.sqrt(np.square(one).sum() * np.square(other).sum()))
    return float((one * other).sum()) / max(lengths, 1e-6)
