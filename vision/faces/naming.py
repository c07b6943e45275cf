"""Which face a card shows: all that is seen of it is compared with its likely faces, point by point.

What a picture may change of any face – its light, its sharpness, a fraction of a millimetre, a slight turn – is no
evidence: of the differences between the card and two faces only the rest counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.config import CONFIG
from vision.faces.face_points import STEP_MM, FacePoints, Mask, Nuisances, Places
from vision.faces.fitting import Fitted, Fitter, correlate
from vision.faces.strips import inner_slices
from vision.faces.table import FlatMat, Pose
from vision.identify.faces import Faces

_NAME = CONFIG.faces.name
_SURE = CONFIG.faces.sure
_RIVALS = CONFIG.faces.rivals
_LOOKS = CONFIG.faces.looks
_SHOWN = CONFIG.faces.shown
_FIT = CONFIG.faces.fit
_FINE = _FIT.kept_px_per_mm


@dataclass(frozen=True, slots=True)
class Rough:
    """How well a card's likeliest face fits what lies there: correlation, grey levels off (RMS), and which rows (h,)
    of the face show at the fit's scale.
    """

    likeness: float
    off: float
    seen: Mask

    @property
    def fits(self) -> bool:
        """Whether it shows a face of the deck."""
        return self.likeness >= _NAME.surely and self.off <= _NAME.most_off

    @property
    def clear(self) -> bool:
        """Whether hardly anything else than a face of the deck can look so."""
        return self.likeness >= _NAME.clearly and self.off <= _NAME.most_off

    @property
    def perhaps(self) -> bool:
        """Whether something of the deck lies there, if not surely what."""
        return self.likeness >= _NAME.perhaps and self.off <= _NAME.perhaps_off


@dataclass(frozen=True, slots=True)
class NamedFace:
    """What a card shows: likely faces' numbers, best first, how it lies, and how sure the first one is.

    ``likeness`` is its correlation with what is seen, without rows' means where it is less so, ``off`` by how many grey
    levels that differs from it (RMS). Of the nearest rival that is not printed alike: ``share`` is how far the card
    lies on the face's side (1 the face, 0 the rival), ``lead`` by how many standard errors it lies beyond their middle,
    ``misfit`` by how much of their difference it differs from the face where they are printed otherwise. ``visible`` is
    the share of the face that shows, ``lost`` the share of that which glare has washed out.
    """

    names: tuple[int, ...]
    pose: Pose
    likeness: float
    off: float
    share: float
    lead: float
    misfit: float
    visible: float
    lost: float

    @classmethod
    def hide(cls, card: Fitted, visible: float) -> NamedFace:
        """Make a card of which too much is lost in glare, or lies under others, to be compared."""
        return cls(card.names, card.pose, 0.0, math.inf, 0.0, 0.0, 1.0, visible, 1.0)

    @property
    def fits(self) -> bool:
        """Whether it shows a face of the deck."""
        return self.likeness >= _NAME.surely and self.off <= _NAME.most_off

    @property
    def sure(self) -> bool:
        """Whether it shows this face and no other."""
        strip = self.visible < _SURE.strip_visible
        return (
            self.fits
            and self.likeness >= (_SURE.strip_likeness if strip else _SURE.likeness)
            and self.share >= _SURE.share
            and self.lead >= _SURE.lead
            and self.misfit <= _SURE.misfit
        )


def fit_roughly(fitter: Fitter, flat: FlatMat, card: Fitted) -> Rough:
    """Measure how well a card's likeliest face fits, whatever lies on it."""
    face, inner = fitter.small[card.names[0]], inner_slices(fitter.small.shape[2:0:-1], _FIT.px_per_mm)
    rows = np.arange(len(face))[:: -1 if card.lower else 1]
    strip, upper = (rows < round(high * _FIT.px_per_mm) for high in (_SHOWN.shown_mm, fitter.strips.size_mm[1]))
    pair = np.stack([flat.cut_patch(card.pose, fitter.faces.size_mm)[inner], face[inner]])
    # All follows from sums over each row: of both, and of their products.
    sums, products, at = np.zeros((2, len(face), 3)), np.zeros((2, 2, len(face), 3)), inner[0]
    sums[:, at], products[:, :, at] = np.einsum("nrwc->nrc", pair), np.einsum("nrwc,mrwc->nmrc", pair, pair)
    gains = _bound_gain(products[0, 1, strip].sum(axis=0), products[1, 1, strip].sum(axis=0))
    errors = products[0, 0] - 2 * gains * products[0, 1] + np.square(gains) * products[1, 1]
    counts = np.zeros(len(face))
    counts[at] = pair.shape[2]
    seen = strip | _find_near_rows(errors.mean(axis=1)[None], counts, upper, round(_SHOWN.band_mm * _FIT.px_per_mm))
    count = counts[seen].sum()
    mean = sums[:, seen].sum(axis=1) / count
    apart = (products[:, :, seen].sum(axis=2) / count - mean * mean[:, None]).sum(axis=2)
    likeness = apart[0, 1] / max(1e-6, math.sqrt(apart[0, 0] * apart[1, 1]))
    return Rough(float(likeness), math.sqrt(errors[seen].sum() / (3 * count)), seen)


def measure_softness(fitter: Fitter, flat: FlatMat, cards: Iterable[Fitted]) -> float:
    """Measure how much less sharp a picture is than the faces were learnt, by most cards: 1 is a softening by a point.

    One card may tell it wrongly: beside another card's face a word looks like a blurred one.
    """
    blurs, points = [], fitter.points
    for card in cards:
        at = np.flatnonzero(points.inner & points.mask_end(card.lower, fitter.strips.size_mm[1]))
        shown, lost = flat.sample_points(card.pose, fitter.faces.size_mm, at)
        if not lost.all():
            blurs.append(points.list_nuisances(card.names[0], 0.0, at[~lost]).estimate_lie(shown[:, ~lost])[3])
    return float(np.median(blurs)) if blurs else 0.0


def name_card(fitter: Fitter, flat: FlatMat, card: Fitted, over: Sequence[Pose], blur: float = 0.0) -> NamedFace:
    """Name a card on which cards with the poses ``over`` lie, in a picture of that ``softness``.

    One whose ends are printed alike is looked at either way up: upside down its middle may look like another's.
    """
    seen = _name_card(fitter, flat, card, over, blur)
    if seen.visible < _SHOWN.turned_from or not fitter.strips.two_headed[seen.names[0]]:
        return seen
    turned = _name_card(fitter, flat, replace(card, pose=card.pose.move_by(0.0, 0.0, 180.0)), over, blur)
    return turned if turned.off < seen.off and turned.visible >= _SHOWN.turned_from else seen


def _name_card(fitter: Fitter, flat: FlatMat, card: Fitted, over: Sequence[Pose], blur: float) -> NamedFace:
    faces, points = fitter.faces, fitter.points
    whole = ~_find_covered(card.pose, over, faces)
    whole[whole.mean(axis=1) <= _SHOWN.least_row] = False
    ends = [points.mask_end(card.lower, high) for high in (_SHOWN.shown_mm, fitter.strips.size_mm[1])]
    at, of_strip, of_all = np.flatnonzero(whole & points.inner), np.sum(ends[0] & points.inner), np.sum(points.inner)
    strip, upper = (end.reshape(-1)[at] for end in ends)

    hidden = NamedFace.hide(card, float(of_strip / of_all))
    if strip.sum() < _NAME.least_seen * of_strip:
        return hidden
    shown, lost = flat.sample_points(card.pose, faces.size_mm, at)
    head = strip & ~lost
    if head.sum() < _NAME.least_seen * of_strip:
        return hidden
    away = _measure_differences(shown[:, head], points.sample_faces(card.names, blur, at[head]))
    likely = np.argsort(away, kind="stable")[: _RIVALS.compared]
    rivals = away[likely] <= _RIVALS.compared_off * away.min()
    rivals[: _RIVALS.surely_compared] = True
    numbers = tuple(card.names[k] for k in likely[rivals])
    laid, best, pose = points.sample_faces(numbers, blur, at), 0, card.pose
    clear, by_face = np.flatnonzero(upper & ~lost), dict[int, Nuisances]()
    # As far off as the likeliest face says
    for _ in range(_LOOKS.laid_again):
        if best not in by_face:
            by_face[best] = points.list_nuisances(numbers[best], blur, at[clear])
        right, down, turned, _ = by_face[best].estimate_lie(np.take(shown, clear, axis=1))
        if max(abs(right), abs(down), abs(turned)) < _LOOKS.least_off_lie:
            break
        pose = pose.move_by(right / _FINE, down / _FINE, turned)
        shown, lost = flat.sample_points(pose, faces.size_mm, at)
        if not (head := strip & ~lost).any():
            break
        best = int(_measure_differences(shown[:, head], laid[:, :, head]).argmin())
    usable = ~lost
    head = strip & usable
    if head.sum() < _NAME.least_seen * of_strip:
        return hidden
    heads = _measure_differences(shown[:, head], laid[:, :, head])
    errors = _measure_errors(shown, laid[heads <= _SHOWN.head_off * heads.min()], head)
    rows, (_, high) = at // points.size[0], points.size
    counts, *totals = [np.bincount(rows, each, high) for each in (usable, *(errors * usable))]
    seen = (
        strip | usable & _find_near_rows(np.array(totals), counts, ends[1][:, 0], round(_SHOWN.band_mm / STEP_MM))[rows]
    )
    usable &= seen
    visible, gone = float(seen.sum() / of_all), float(lost[seen].mean())
    at, shown, laid, rows = at[usable], shown[:, usable], laid[:, :, usable], rows[usable]
    tried: set[int] = set()
    while True:
        tried.add(best)
        sides, leads, misfits, off = _compare_faces(points, shown, laid, best, numbers[best], blur, at)
        nearer = int(sides.argmin())
        if sides[nearer] >= 0.5 or nearer in tried:
            break
        best = nearer
    likeness = measure_similarity(shown, laid[best], rows)
    group = next((each for each in faces.alike if faces.names[numbers[best]] in each), ())
    share, lead, misfit, first = 1.0, math.inf, 0.0, numbers[best]
    for k, number in enumerate(numbers):
        if k == best:
            continue
        if faces.names[number] not in group:
            share, lead, misfit = min(share, sides[k]), min(lead, leads[k]), max(misfit, misfits[k])
        elif leads[k] < _SURE.lead and group[0] in faces.names:
            first = faces.names.index(group[0])
    names = (first, *(numbers[k] for k in np.argsort(sides) if numbers[k] not in (first, numbers[best])))
    return NamedFace(names, pose, likeness, off, float(share), float(lead), float(misfit), visible, gone)


def measure_similarity(shown: Floats, face: Floats, rows: Places) -> float:
    """Return the lesser of two correlations of a card with a face (3, k): as they are, and less their rows' (k,) means.

    A dark edge on the mat is like the rim of a plain back, row by row, and shows nothing else of it.
    """
    count = np.maximum(np.bincount(rows), 1)
    rest = [
        np.stack([each - np.asarray(np.bincount(rows, each) / count, np.float32)[rows] for each in picture])
        for picture in (shown, face)
    ]
    return min(correlate(shown, face), correlate(*rest))


def _measure_gains(shown: Floats, faces: Floats) -> Floats:
    """Measure how much brighter a card (3, k) is than each of n faces (n, 3, k), by colour, as far as light allows."""
    return _bound_gain(np.einsum("nck,ck->nc", faces, shown), np.einsum("nck,nck->nc", faces, faces))


def _bound_gain(products: NDArray[Any], squares: NDArray[Any]) -> Floats:
    """Compute how much brighter a card is than a face by their product and the face's square, within bounds."""
    gains = products / np.maximum(squares, 1.0)
    return np.asarray(np.clip(gains, 1 / _SHOWN.most_gain, _SHOWN.most_gain), np.float32)


def _measure_differences(shown: Floats, faces: Floats) -> Floats:
    """Measure how much, squared, a card (3, k) differs from each of n faces (n, 3, k) brought to its light; (n,)."""
    return np.asarray(np.square(shown - faces * _measure_gains(shown, faces)[..., None]).mean(axis=(1, 2)), np.float32)


def _measure_errors(shown: Floats, faces: Floats, where: Mask) -> Floats:
    """Do the same point by point, (n, k), after bringing the faces to the light ``where`` (k,) it is."""
    some = np.flatnonzero(where)
    gains = _measure_gains(np.take(shown, some, axis=1), np.take(faces, some, axis=2))
    return np.asarray(np.square(shown - faces * gains[..., None]).mean(axis=1), np.float32)


def _find_near_rows(errors: NDArray[Any], counts: NDArray[Any], upper: Mask, high: int) -> Mask:
    """Find which rows (h,) of a card lie in bands, so many rows ``high``, that are near enough to some face.

    ``errors`` (n, h) are squared and summed over so many points as ``counts`` (h,) says; within the ``upper`` rows, by
    which the card was found, they need not be as small.
    """
    starts = np.arange(0, len(counts), high)
    count, whole = np.add.reduceat(counts, starts), np.minimum.reduceat(upper, starts)
    means = np.add.reduceat(errors, starts, axis=1).min(axis=0) / np.maximum(count, 1)
    near = (count > 0) & (means <= np.where(whole, _SHOWN.band_off_upper, _SHOWN.band_off) ** 2)
    return np.asarray(np.repeat(near, high)[: len(counts)])


def _compare_faces(
    points: FacePoints, shown: Floats, laid: Floats, best: int, number: int, blur: float, at: Places
) -> tuple[Floats, Floats, Floats, float]:
    """Compare a card (3, k) with its best face, of that number, and each of n, its best among them: which is nearer.

    Gives (n,) thrice, and grey levels off (RMS).
    First 1 where it is the best face and 0 where it is the other; then how many standard errors it lies beyond their
    middle (both infinite for the best face itself); then by how much of the difference of the two, squared, it differs
    from the best face where they are printed otherwise.
    """
    step = max(1, len(at) // _RIVALS.compared_points)
    shown, laid, at = shown[:, ::step], laid[:, :, ::step], at[::step]
    here, *others = points.list_nuisances(number, blur, at, step).remove_nuisances(np.concatenate([shown[None], laid]))
    off, between = math.sqrt(np.square(here).mean()), np.stack(others)
    # Only where the two are printed otherwise: elsewhere they differ by how they were learnt.
    size, differing = np.abs(between), _NAME.differing_points // step
    most = np.partition(size, -differing, axis=1)[:, -differing]
    between *= size >= np.maximum(_NAME.least_difference, _NAME.share_of_difference * most)[:, None]
    apart = np.maximum(np.square(between).sum(axis=1), 1e-6)
    sides = 1.0 - between @ here / apart
    misfits = np.square(here) @ (between != 0).T / apart
    leads = (sides - 0.5) * np.sqrt(step * apart / _LOOKS.points_alike) / max(off, _LOOKS.noise_levels)
    sides[best] = leads[best] = np.inf
    misfits[best] = 0.0
    return sides, leads, misfits, off


def _find_covered(pose: Pose, over: Sequence[Pose], faces: Faces) -> Mask:
    """Find which points (h, w) of a card other cards lie on."""
    size, (h, w) = faces.size_mm, faces.pictures.shape[1:3]
    mask = np.zeros((h, w), np.uint8)
    for other in over:
        own = np.array([pose.from_mat(*corner) for corner in other.list_corners(size)])
        outline = (own + np.array(size) / 2) * _FINE
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255)
    if over:  # its shadow and its edge too
        mask = np.asarray(cv2.dilate(mask, np.ones((_SHOWN.edge_px, _SHOWN.edge_px), np.uint8)), np.uint8)
    return mask[::2, ::2] > 0
