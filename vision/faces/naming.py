"""Which face a card shows: all that is seen of it is compared with its likely faces, point by point.

What a picture may change of any face – its light, its sharpness, a fraction of a millimetre, a slight turn – is no
evidence: of the differences between the card and two faces only the rest counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.config import CONFIG
from vision.faces.fitting import Fitted, Fitter, correlation
from vision.faces.strips import within
from vision.faces.table import FlatMat, Pose
from vision.identify.faces import Faces

_NAME = CONFIG.faces.name
_SURE = CONFIG.faces.sure
_RIVALS = CONFIG.faces.rivals
_LOOKS = CONFIG.faces.looks
_SHOWN = CONFIG.faces.shown
_FINE = CONFIG.faces.fit.kept_px_per_mm
_NOISE = _LOOKS.noise_levels**2 * _LOOKS.points_alike
Mask = NDArray[np.bool_]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Rough:
    """How well a card's likeliest face fits what lies there: correlation, grey levels off (RMS), and what shows (h, w)
    of the face at the fit's scale.
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
class Named:
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
    def hidden(cls, card: Fitted, visible: float) -> Named:
        """A card of which too much is lost in glare, or lies under others, to be compared."""
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


def roughly_fits(fitter: Fitter, flat: FlatMat, card: Fitted) -> Rough:
    """How well a card's likeliest face fits, whatever lies on it."""
    px = CONFIG.faces.fit.px_per_mm
    face = fitter.small[card.names[0]]
    shown = flat.patch(card.pose, fitter.faces.size_mm)
    strip = _head(face.shape[:2], card.lower, px)
    errors = np.square(shown - face * _gains(shown, face, strip)).mean(axis=2)
    upper = _head(face.shape[:2], card.lower, px, fitter.strips.size_mm[1])
    inner = within((face.shape[1], face.shape[0]), px)
    seen = _bands(errors[None], strip, upper, inner, round(_SHOWN.band_mm * px))
    compared = seen & inner
    return Rough(correlation(shown[compared], face[compared]), float(np.sqrt(errors[compared].mean())), seen)


def softness(fitter: Fitter, flat: FlatMat, cards: Iterable[Fitted]) -> float:
    """How much less sharp a picture is than the faces were learnt, by most of these cards: 1 is a softening by a point.

    One card may tell it wrongly: beside another card's face a word looks like a blurred one.
    """
    told, (h, w) = [], fitter.soft.shape[1:3]
    for card in cards:
        upper = _head((h, w), card.lower, _FINE, fitter.strips.size_mm[1]) & within((w, h), _FINE)
        rows = _rows(np.asarray(upper.any(axis=1)), card.lower)
        shown, lost = flat.sharp(card.pose, fitter.faces.size_mm, rows)
        if (upper[rows] & ~lost).any():
            told.append(_as_seen(shown, fitter.soft[card.names[0], rows], upper[rows] & ~lost)[3])
    return float(np.median(told)) if told else 0.0


def named(fitter: Fitter, flat: FlatMat, card: Fitted, over: Sequence[Pose], blur: float = 0.0) -> Named:
    """Name a card on which cards with the poses ``over`` lie, in a picture of that ``softness``.

    One whose ends are printed alike is looked at either way up: upside down its middle may look like another's.
    """
    seen = _named(fitter, flat, card, over, blur)
    if seen.visible < _SHOWN.turned_from or not fitter.strips.two_headed[seen.names[0]]:
        return seen
    turned = _named(fitter, flat, replace(card, pose=card.pose.moved(0.0, 0.0, 180.0)), over, blur)
    return turned if turned.off < seen.off and turned.visible >= _SHOWN.turned_from else seen


def _named(fitter: Fitter, flat: FlatMat, card: Fitted, over: Sequence[Pose], blur: float) -> Named:
    faces = fitter.faces
    whole = ~_covered(card.pose, over, faces)
    rows = _rows(whole.mean(axis=1) > _SHOWN.least_row, card.lower)
    inner = within((whole.shape[1], whole.shape[0]), _FINE)
    free, strip = (whole & inner)[rows], (_head(whole.shape, card.lower, _FINE) & inner)[rows]

    def cut(pose: Pose) -> tuple[Floats, Mask]:
        return flat.sharp(pose, faces.size_mm, rows)

    shown, lost = cut(card.pose)
    head = strip & free & ~lost
    if head.sum() < _NAME.least_seen * strip.sum():
        return Named.hidden(card, float(strip.sum() / inner.sum()))
    laid = fitter.soft[list(card.names), rows]
    away = _off(shown, laid, head)
    likely = np.argsort(away, kind="stable")[: _RIVALS.compared]
    rivals = away[likely] <= _RIVALS.compared_off * away.min()
    rivals[: _RIVALS.surely_compared] = True
    likely = likely[rivals]
    numbers = tuple(card.names[k] for k in likely)
    laid, best = laid[likely], 0
    laid = laid + blur * (_blurred(laid) - laid)
    # As far off as the likeliest face says
    upper, pose = _head(whole.shape, card.lower, _FINE, fitter.strips.size_mm[1])[rows], card.pose
    for _ in range(_LOOKS.laid_again):
        right, down, turned, _ = _as_seen(shown, laid[best], upper & free & ~lost)
        if max(abs(right), abs(down), abs(turned)) < _LOOKS.least_off_lie:
            break
        pose = pose.moved(right / _FINE, down / _FINE, turned)
        shown, lost = cut(pose)
        if not (head := strip & free & ~lost).any():
            break
        best = int(_off(shown, laid, head).argmin())
    usable = free & ~lost
    if (strip & usable).sum() < _NAME.least_seen * strip.sum():
        return Named.hidden(card, float(strip.sum() / inner.sum()))
    heads = _off(shown, laid, strip & usable)
    errors = _errors(shown, laid[heads <= _SHOWN.head_off * heads.min()], strip & usable)
    seen = free & _bands(errors, strip, upper, usable, round(_SHOWN.band_mm * _FINE))
    usable &= seen
    visible, gone = float(seen.sum() / inner.sum()), float(lost[seen].mean())
    tried: set[int] = set()
    while True:
        tried.add(best)
        sides, leads, misfits, off = _sides(shown, laid, best, usable)
        nearer = int(sides.argmin())
        if sides[nearer] >= 0.5 or nearer in tried:
            break
        best = nearer
    likeness = similarity(shown, laid[best], usable)
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
    return Named(names, pose, likeness, off, float(share), float(lead), float(misfit), visible, gone)


def similarity(shown: Floats, face: Floats, where: Mask) -> float:
    """The correlation of a card with a face there (h, w, 3), and of both less their rows' means, whichever is less.

    A dark edge on the mat is like the rim of a plain back, row by row, and shows nothing else of it.
    """
    shown, face, where = shown[::2, ::2], face[::2, ::2], where[::2, ::2]
    count, at = np.maximum(where.sum(axis=1), 1)[:, None, None], np.flatnonzero(where)
    rows = [np.einsum("rkc,rk->rc", picture, where)[:, None] / count for picture in (shown, face)]
    rest = [_taken(picture - means, at) for picture, means in zip((shown, face), rows, strict=True)]
    return min(correlation(_taken(shown, at), _taken(face, at)), correlation(*rest))


def _off(shown: Floats, laid: Floats, where: Mask) -> Floats:
    """By how much, squared, a card (h, w, 3) differs there from each of n faces brought to its light; (n,)."""
    at = _some(where)
    seen, faces = _taken(shown, at), laid.reshape(len(laid), -1, 3)[:, at]
    gains = np.einsum("nkc,kc->nc", faces, seen) / np.maximum(np.einsum("nkc,nkc->nc", faces, faces), 1.0)
    gains = np.clip(gains, 1 / _SHOWN.most_gain, _SHOWN.most_gain)
    return np.asarray(np.square(seen - faces * gains[:, None]).mean(axis=(1, 2)), np.float32)


def _errors(shown: Floats, laid: Floats, where: Mask) -> Floats:
    """By how much, squared, a card (h, w, 3) differs at each point from each of n faces brought to its light."""
    each = [shown - face * _gains(shown, face, where) for face in laid]
    return np.stack([np.einsum("rkc,rkc->rk", off, off) / 3 for off in each])


def _rows(shows: NDArray[np.bool_], lower: bool) -> slice:
    """The rows of a card that are looked at: from the end that shows as far as anything of it does."""
    at = np.flatnonzero(shows)
    high = round(_SHOWN.shown_mm * _FINE)
    if lower:
        return slice(min(int(at[0]) if len(at) else len(shows), len(shows) - high), len(shows))
    return slice(0, max(int(at[-1]) + 1 if len(at) else 0, high))


def _as_seen(shown: Floats, face: Floats, where: Mask) -> list[float]:
    """How a card lies beside where it is thought to: points right and down, degrees, and how much less sharp it is."""
    at = _some(where)
    nuisances, spreads = _nuisances(face, at)
    share = len(at) / np.count_nonzero(where)
    inner = nuisances @ nuisances.T + np.diag(share * _NOISE / np.square(spreads))
    weights = np.linalg.solve(inner, nuisances @ (_taken(shown, at) - _taken(face, at)).ravel())
    right, down, turned, blur = weights[:4].tolist()
    # What is seen lies further right where the face grows to the right and is less there.
    most = *_LOOKS.most_off_lie, _LOOKS.most_blur
    return [min(m, max(-m, v)) for v, m in zip((-right, -down, -turned, blur), most, strict=True)]


def _blurred(faces: Floats) -> Floats:
    """Faces (…, h, w, 3) softened by one point more."""
    flat = faces.reshape(-1, *faces.shape[-3:])
    return np.stack([cv2.GaussianBlur(face, (0, 0), 1.0) for face in flat]).reshape(faces.shape)


def _head(shape: tuple[int, ...], lower: bool, px_per_mm: float, high_mm: float = _SHOWN.shown_mm) -> Mask:
    """So much of a card (h, w) from the end that shows: at least what of it always does."""
    high = round(high_mm * px_per_mm)
    strip = np.zeros(shape[:2], bool)
    strip[slice(-high, None) if lower else slice(0, high)] = True
    return strip


def _sides(shown: Floats, laid: Floats, best: int, usable: Mask) -> tuple[Floats, Floats, Floats, float]:
    """On whose side a card (h, w, 3) lies between its best face and each of n; (n,) thrice, and grey levels off (RMS).

    First 1 where it is the best face and 0 where it is the other; then how many standard errors it lies beyond their
    middle (both infinite for the best face itself); then by how much of the difference of the two, squared, it differs
    from the best face where they are printed otherwise.
    """
    at = np.flatnonzero(usable)
    step = max(1, len(at) // _RIVALS.compared_points)
    at = at[::step]
    known, seen = _taken(laid[best], at), _taken(shown, at)
    nuisances, spreads = _nuisances(laid[best], at)
    points = np.stack([seen, *(_taken(face, at) for face in laid)]) - known
    points = points.reshape(len(points), -1)
    inner = nuisances @ nuisances.T + np.diag(_NOISE / step / np.square(spreads))
    rest = points - np.asarray(np.linalg.solve(inner, nuisances @ points.T).T, np.float32) @ nuisances
    off = float(np.sqrt(np.square(rest[0]).mean()))
    sides, leads = np.full(len(laid), np.inf, np.float32), np.full(len(laid), np.inf, np.float32)
    misfits = np.zeros(len(laid), np.float32)
    points_differing = _NAME.differing_points // step
    for k in (k for k in range(len(laid)) if k != best):
        # Only where the two are printed otherwise: elsewhere they differ by how they were learnt.
        size = np.abs(rest[k + 1])
        most = float(np.partition(size, -points_differing)[-points_differing]) if size.size else 0.0
        where = np.flatnonzero(size >= max(_NAME.least_difference, _NAME.share_of_difference * most))
        between, here = rest[k + 1][where], rest[0][where]
        apart = max(float(between @ between), 1e-6)
        sides[k] = 1.0 - float(between @ here) / apart
        misfits[k] = float(here @ here) / apart
        leads[k] = (sides[k] - 0.5) * math.sqrt(step * apart / _LOOKS.points_alike) / max(off, _LOOKS.noise_levels)
    return sides, leads, misfits, off


def _nuisances(face: Floats, at: Places) -> tuple[Floats, Floats]:
    """What a picture may change of a face, (m, 3k) at k points, and how much of each is usual, (m,)."""
    h, w = face.shape[:2]
    down, across = (np.asarray(each, np.float32) for each in np.gradient(face, axis=(0, 1)))
    rows, columns = np.divmod(at, w)
    x = np.asarray((columns - (w - 1) / 2) / w, np.float32)[:, None]
    y = np.asarray((rows - (h - 1) / 2) / h, np.float32)[:, None]
    across, down, known = (_taken(each, at) for each in (across, down, face))
    out = np.zeros((14, *known.shape), np.float32)
    out[0], out[1], out[3] = across, down, _taken(_blurred(face), at) - known
    np.multiply(math.radians(1.0), down * x * w - across * y * h, out=out[2])
    out[4], out[5], out[6], out[7] = known * x, known * y, known, 1.0
    spreads = [*_LOOKS.usual_lie, _LOOKS.usual_blur, _LOOKS.usual_gain, _LOOKS.usual_gain, _LOOKS.usual_gain]
    spreads.append(_LOOKS.usual_shade)
    for channel in range(3):
        out[8 + 2 * channel, :, channel], out[9 + 2 * channel, :, channel] = known[:, channel], 1.0
        spreads += [_LOOKS.usual_tint, _LOOKS.usual_tint_shade]
    return out.reshape(len(out), -1), np.array(spreads, np.float32)


def _some(where: Mask) -> Places:
    """The places of every second point of a mask (h, w) in every second row, of all where these are none."""
    few = np.zeros_like(where)
    few[::2, ::2] = where[::2, ::2]
    return np.flatnonzero(few if few.any() else where)


def _taken(picture: Floats, at: Places) -> Floats:
    """The points (k, 3) of a picture (h, w, 3)."""
    return picture.reshape(-1, 3)[at]


def _covered(pose: Pose, over: Sequence[Pose], faces: Faces) -> Mask:
    """Where (h, w) other cards lie on a card."""
    size, (h, w) = faces.size_mm, faces.pictures.shape[1:3]
    mask = np.zeros((h, w), np.uint8)
    for other in over:
        own = np.array([pose.own(*corner) for corner in other.corners(size)])
        outline = (own + np.array(size) / 2) * _FINE
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255)
    if mask.any():  # its shadow and its edge too
        mask = np.asarray(cv2.dilate(mask, np.ones((_SHOWN.edge_px, _SHOWN.edge_px), np.uint8)), np.uint8)
    return mask > 0


def _gains(shown: Floats, face: Floats, where: Mask) -> Floats:
    """How much brighter a card (h, w, 3) is than a face, by channel, as far as light may make it so; (3,)."""
    if not where.any():
        return np.ones(3, np.float32)
    at = _some(where)
    points, seen = _taken(face, at), _taken(shown, at)
    gains = (points * seen).sum(axis=0) / np.maximum(np.square(points).sum(axis=0), 1.0)
    return np.asarray(np.clip(gains, 1 / _SHOWN.most_gain, _SHOWN.most_gain), np.float32)


def _bands(errors: Floats, strip: Mask, upper: Mask, usable: Mask, rows: int) -> Mask:
    """What shows: the strip, and each band of so many rows near enough to some face (squared errors (n, h, w)).

    Within the ``upper`` part, by which the card was found, it need not be as near.
    """
    seen = strip.copy()
    for top in range(0, len(strip), rows):
        band = slice(top, top + rows)
        where = usable[band]
        most = _SHOWN.band_off_upper if upper[band].all() else _SHOWN.band_off
        if where.any() and float(errors[:, band][:, where].mean(axis=1).min()) <= most**2:
            seen[band] |= where
    return seen
