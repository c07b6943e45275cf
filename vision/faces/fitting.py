"""How a card lies at a place, and which faces it may show there."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.arrays import Floats
from vision.config import CONFIG
from vision.faces.search import Place
from vision.faces.strips import Strips, unit_rows
from vision.faces.table import FlatMat, Pose, softened_faces
from vision.identify.faces import Faces

_FIT = CONFIG.faces.fit
_FINE = CONFIG.faces.fit.kept_px_per_mm


@dataclass(frozen=True, slots=True)
class Fitted:
    """A card that lies as its likeliest strip says: its pose, which end shows, how like, and likely faces, best first.

    ``names`` are the faces' numbers.
    """

    pose: Pose
    lower: bool
    likeness: float
    names: tuple[int, ...]


@dataclass(frozen=True)
class Fitter:
    """Fits the strips of a deck to places of a mat."""

    faces: Faces
    _steps: dict[tuple[int, int], Steps] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def strips(self) -> Strips:
        """What is fitted."""
        return Strips(self.faces)

    @cached_property
    def soft(self) -> Floats:
        """The whole faces softened, (n, h, w, 3)."""
        return softened_faces(self.faces.pictures)

    def fit(self, flat: FlatMat, place: Place) -> Fitted | None:
        """How the card there lies; ``None`` where nothing is like any strip."""
        strips = self.strips
        width, height = strips.size_mm
        reach = 2 * _FIT.around_mm
        rough = (-1.0, Pose(place.x, place.y, place.angle))
        likeliest = strips.medium[list(place.strips)]
        for turn in _FIT.turns_deg:
            pose = Pose(place.x, place.y, place.angle + turn)
            patch = flat.patch(pose, (width + reach, height + reach), _FIT.px_per_mm)
            likeness, offsets = self._everywhere(patch, likeliest, _FIT.stride)
            k = int(likeness.max(axis=1).argmax())
            if likeness[k].max() > rough[0]:
                right, down = (offset / _FIT.px_per_mm - _FIT.around_mm for offset in offsets[k])
                rough = (float(likeness[k].max()), pose.moved(right, down))
        pose = rough[1]
        near = flat.patch(pose, (width + 2.0, height + 2.0), _FIT.px_per_mm)
        likeness, _ = self._everywhere(near, strips.medium, 1)
        best = likeness.max(axis=0)
        order = np.argsort(-best)
        if best[order[0]] < _FIT.min_likeness:
            return None
        first = int(order[0])
        lower = bool(strips.lower[first])
        exact, like = self._exact(flat, pose.moved(0.0, -strips.middle(lower)), first, height)
        numbers = tuple(int(strips.cards[k]) for k in order if strips.lower[k] == lower)[: _FIT.names]
        return Fitted(exact, lower, like, numbers)

    def _everywhere(self, patch: Floats, strips: Floats, stride: int) -> tuple[Floats, list[tuple[int, int]]]:
        """The correlation of each window of a patch with each of these strips, and the windows' places (x, y px)."""
        wide, high = self.strips.medium_size
        windows = sliding_window_view(patch, (high, wide), axis=(0, 1))[::stride, ::stride]
        rows, columns = windows.shape[:2]
        vectors = windows.reshape(rows * columns, 3, -1).transpose(0, 2, 1)
        offsets = [(stride * c, stride * r) for r in range(rows) for c in range(columns)]
        return np.asarray(unit_rows(vectors) @ strips.T, np.float32), offsets

    def _exact(self, flat: FlatMat, pose: Pose, strip: int, shown_mm: float) -> tuple[Pose, float]:
        """The pose of a card where so much of a strip of it fits best, by Gauss-Newton steps, and its correlation."""
        lower, high = bool(self.strips.lower[strip]), round(shown_mm * _FINE)
        whole = self.soft[self.strips.cards[strip]]
        part = np.asarray(whole[-high:] if lower else whole[:high], np.float32)
        if (strip, high) not in self._steps:
            self._steps[strip, high] = Steps.of(part)
        middle = (self.faces.size_mm[1] - shown_mm) / 2 * (1 if lower else -1)
        exact = self._steps[strip, high].refined(flat, pose.moved(0.0, middle))
        seen = flat.patch(exact, (self.faces.size_mm[0], shown_mm), _FINE)
        return exact.moved(0.0, -middle), correlation(seen, part)

    def lies(self, flat: FlatMat, card: Fitted, shown_mm: float) -> list[Pose]:
        """How a card lies for each of its likely faces: each was cut out a fraction of a millimetre off when learnt.

        ``shown_mm`` says how much of it shows from the end at which its strip is.
        """
        strips = [self._strip_of(number, card.lower) for number in card.names]
        return [self._exact(flat, card.pose, strip, shown_mm)[0] for strip in strips]

    def _strip_of(self, number: int, lower: bool) -> int:
        """The strip of a face at that end."""
        return int(np.flatnonzero((self.strips.cards == number) & (self.strips.lower == lower))[0])


def shifted(face: Floats, seen: Pose, lies: Pose) -> Floats:
    """A face (h, w, 3) that lies at one pose as the frame of another shows it."""
    h, w = face.shape[:2]
    turn = math.radians(lies.angle - seen.angle)
    a = math.radians(seen.angle)
    dx, dy = lies.x - seen.x, lies.y - seen.y
    right, down = (dx * math.cos(a) + dy * math.sin(a)) * _FINE, (dy * math.cos(a) - dx * math.sin(a)) * _FINE
    c, s = math.cos(turn), math.sin(turn)
    x, y = (w - 1) / 2, (h - 1) / 2
    warp = np.array([[c, -s, x + right - c * x + s * y], [s, c, y + down - s * x - c * y]])
    return np.asarray(cv2.warpAffine(face, warp, (w, h), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))


@dataclass(frozen=True)
class Steps:
    """Finds the exact pose of a part of a face by Gauss-Newton steps.

    ``basis`` (4, 3hw) tells of what is seen how far it lies further right, down and turned, each times its contrast,
    which comes last.
    """

    size_px: tuple[int, int]
    basis: Floats

    @classmethod
    def of(cls, part: Floats) -> Steps:
        """For that part of a face (h, w, 3)."""
        h, w = part.shape[:2]
        down, across = np.gradient(part, axis=(0, 1))
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        x, y = x - (w - 1) / 2, y - (h - 1) / 2
        turn = across * -y[..., None] + down * x[..., None]
        rows = np.stack([each - each.mean(axis=(0, 1)) for each in (across, down, turn, part)]).reshape(4, -1)
        lengths = np.maximum(np.sqrt(np.square(rows).sum(axis=1, keepdims=True)), 1e-3)
        rows = rows / lengths
        inverse = np.linalg.inv(rows @ rows.T + 1e-4 * np.eye(4, dtype=np.float32))
        return cls((w, h), np.asarray(inverse @ rows / lengths, np.float32))

    def refined(self, flat: FlatMat, pose: Pose) -> Pose:
        """The pose near this one at which the mat shows the part most exactly."""
        size = self.size_px[0] / _FINE, self.size_px[1] / _FINE
        for _ in range(_FIT.steps):
            seen = flat.patch(pose, size, _FINE)
            right, below, angle, gain = (self.basis @ (seen - seen.mean(axis=(0, 1))).reshape(-1)).tolist()
            if gain < _FIT.least_contrast:
                break
            step = np.array([right, below]) / (gain * _FINE)
            step *= min(1.0, 1.0 / max(1e-6, float(np.hypot(*step))))
            turned = math.degrees(min(_FIT.most_turn, max(-_FIT.most_turn, angle / gain)))
            pose = pose.moved(float(-step[0]), float(-step[1]), -turned)
        return pose


def correlation(one: Floats, other: Floats) -> float:
    """The correlation of two pictures (h, w, 3) whose mean colours are taken off."""
    rows = unit_rows(np.stack([one.reshape(-1, 3), other.reshape(-1, 3)]))
    return float(rows[0] @ rows[1])
