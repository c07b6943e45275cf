"""How a card lies at a place, and which faces it may show there."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import Floats
from vision.config import CONFIG
from vision.faces.face_points import FacePoints
from vision.faces.search import Place
from vision.faces.strips import Strips, inner_slices, measure_energy, soften
from vision.faces.table import FlatMat, Pose
from vision.identify.faces import Faces

_FIT = CONFIG.faces.fit
_STEPS = CONFIG.faces.steps
_PX = CONFIG.faces.fit.px_per_mm


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
    _steps: dict[tuple[int, int], PoseSteps] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def strips(self) -> Strips:
        """What is fitted."""
        return Strips(self.faces)

    @cached_property
    def small(self) -> Floats:
        """The whole faces softened at the fit's scale, (n, h, w, 3)."""
        w, h = (round(side * _FIT.px_per_mm) for side in self.faces.size_mm)
        each = [cv2.resize(face, (w, h), interpolation=cv2.INTER_AREA) for face in self.faces.pictures]
        return np.stack([soften(np.asarray(face, np.uint8), _FIT.blur_px) for face in each])

    @cached_property
    def smooth(self) -> Floats:
        """The same without their fine lines."""
        return np.stack([smooth_face(face) for face in self.small])

    @cached_property
    def points(self) -> FacePoints:
        """The faces as they are named."""
        return FacePoints.for_faces(self.faces)

    def fit(self, flat: FlatMat, place: Place) -> Fitted | None:
        """Find how the card there lies; ``None`` where nothing is like any strip."""
        strips = self.strips
        width, height = strips.size_mm
        reach = 2 * _FIT.around_mm
        # So coarsely a wrong face may look turned: what is none then may lie as its player does.
        for angle in dict.fromkeys((place.angle, 180.0 * round(place.angle / 180))):
            turned = Pose(place.x, place.y, angle)
            patch = flat.cut_patch(turned, (width + reach, height + reach))
            laid = [
                cv2.minMaxLoc(cv2.matchTemplate(patch, strips.medium_pictures[number], cv2.TM_CCOEFF_NORMED))
                for number in place.strips[: _FIT.tried_names]
            ]
            _, like, _, at = max(laid, key=lambda each: each[1])
            if like >= _FIT.min_likeness:
                break
        else:
            return None
        pose = turned.move_by(*(offset / _FIT.px_per_mm - _FIT.around_mm for offset in at))
        best, pose = self._likeness_near(flat, pose)
        # Faces that are much alike may have been learnt a little beside each other.
        first, *others = np.argsort(-best)[: _FIT.laid_names].tolist()
        tried = [
            (
                *self._fit_exactly(flat, pose.move_by(0.0, -strips.middle_offset(bool(strips.lower[k]))), k, height)[
                    ::-1
                ],
                k,
            )
            for k in (first, *(k for k in others if best[k] >= best[first] - _FIT.as_likely))
        ]
        like, exact, first = max(tried, key=lambda each: each[0])
        lower = bool(strips.lower[first])
        best, _ = self._likeness_near(flat, exact.move_by(0.0, strips.middle_offset(lower)))
        order = np.argsort(-best)
        order = order[strips.lower[order] == lower]
        likely = order[best[order] >= best[order[0]] - _FIT.likely_within][: _FIT.names]
        # Whatever is most like the likeliest one may be it, however little of it showed.
        several = dict.fromkeys([*likely.tolist(), *strips.nearest[order[0]].tolist()])
        numbers = tuple(int(strips.cards[k]) for k in several if strips.lower[k] == lower)
        return Fitted(exact, lower, like, numbers)

    def _likeness_near(self, flat: FlatMat, pose: Pose) -> tuple[Floats, Pose]:
        """Correlate what lies there, or a pixel beside, with each strip, (n,), and find where it is most alike."""
        strips = self.strips
        width, height = strips.size_mm
        down, across = strips.within
        seen = flat.cut_patch(pose, (width + 2 / _PX, height + 2 / _PX))
        beside = [(x, y) for y in range(3) for x in range(3)]
        rows = np.stack(
            [seen[down.start + y : down.stop + y, across.start + x : across.stop + x].reshape(-1) for x, y in beside]
        )
        # The strips' rows have no mean, so that of what is seen doesn't count.
        likeness = strips.medium @ rows.T / np.sqrt(np.maximum(measure_energy(rows), 1e-6))
        x, y = beside[int(likeness.max(axis=0).argmax())]
        return np.asarray(likeness.max(axis=1), np.float32), pose.move_by((x - 1) / _PX, (y - 1) / _PX)

    def _fit_exactly(self, flat: FlatMat, pose: Pose, strip: int, shown_mm: float) -> tuple[Pose, float]:
        """Find the pose where so much of a strip fits a card best, by Gauss-Newton steps, and its correlation."""
        lower, high = bool(self.strips.lower[strip]), round(shown_mm * _PX)
        if (strip, high) not in self._steps:
            whole = self.small[self.strips.cards[strip]]
            self._steps[strip, high] = PoseSteps.for_part(
                np.asarray(whole[-high:] if lower else whole[:high], np.float32)
            )
        middle = (self.faces.size_mm[1] - shown_mm) / 2 * (1 if lower else -1)
        exact, like = self._steps[strip, high].refine(flat, pose.move_by(0.0, middle))
        return exact.move_by(0.0, -middle), like


@dataclass(frozen=True)
class PoseSteps:
    """Finds the exact pose of a part of a face by Gauss-Newton steps.

    Of what is seen (3k) of it ``within`` its rim ``basis`` (5, 3k) tells how it correlates with the part, times its
    length, and how far it lies further right, down and turned, each times its contrast, which comes last.
    """

    size_px: tuple[int, int]
    basis: Floats

    @classmethod
    def for_part(cls, part: Floats) -> PoseSteps:
        """Make one for that part of a face (h, w, 3)."""
        h, w = part.shape[:2]
        down, across = np.gradient(part, axis=(0, 1))
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        x, y = x - (w - 1) / 2, y - (h - 1) / 2
        turn = across * -y[..., None] + down * x[..., None]
        where = inner_slices((w, h), _PX)
        points = [np.asarray(each)[where].reshape(-1, 3) for each in (across, down, turn, part)]
        rows = np.stack([each - each.mean(axis=0) for each in points]).reshape(4, -1)
        lengths = np.maximum(np.sqrt(np.square(rows).sum(axis=1, keepdims=True)), 1e-3)
        rows = rows / lengths
        inverse = np.linalg.inv(rows @ rows.T + 1e-4 * np.eye(4, dtype=np.float32))
        return cls((w, h), np.asarray(np.concatenate([rows[3:], inverse @ rows / lengths]), np.float32))

    def refine(self, flat: FlatMat, pose: Pose) -> tuple[Pose, float]:
        """Find the pose near this one at which the mat shows the part most exactly, and its correlation there.

        Where little is printed, as in an index on white, a step may lead away from it.
        """
        size, where, best = (
            (self.size_px[0] / _PX, self.size_px[1] / _PX),
            inner_slices(self.size_px, _PX),
            (pose, -1.0),
        )
        for left in range(_STEPS.steps, -1, -1):
            seen = flat.cut_patch(pose, size)[where].reshape(1, -1)
            like, right, below, angle, gain = (self.basis @ seen[0]).tolist()
            like /= math.sqrt(max(1e-6, measure_energy(seen).item()))
            if like > best[1]:
                best = pose, like
            if gain < _STEPS.least_contrast or not left:
                break
            step = np.array([right, below]) / (gain * _PX)
            step *= min(1.0, 1.0 / max(1e-6, float(np.hypot(*step))))
            turned = min(_STEPS.most_turn, max(-_STEPS.most_turn, angle / gain))
            if max(np.abs(step)) < _STEPS.least_step_mm and abs(turned) < _STEPS.least_turn:
                break
            pose = pose.move_by(float(-step[0]), float(-step[1]), -math.degrees(turned))
        return best


def smooth_face(face: Floats) -> Floats:
    """Take the fine lines off a face (h, w, 3) at the fit's scale."""
    return np.asarray(cv2.GaussianBlur(face, (0, 0), CONFIG.faces.surface.smooth_mm * _PX), np.float32)


def correlate(one: Floats, other: Floats) -> float:
    """Correlate the k points (3, k) of two pictures after taking off their mean colours."""
    one, other = (each - each.mean(axis=1, keepdims=True) for each in (one, other))
    return float(np.vdot(one, other)) / max(1e-6, math.sqrt(float(np.vdot(one, one)) * float(np.vdot(other, other))))
