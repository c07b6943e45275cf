"""What lies on the mat and is none of the cards read: no card must be overlooked because nothing looked like it.

The mat has one colour, but for lines, words and a pattern. What is of another colour, wide enough for the strip of a
card, and not what the cards found show there, is reported as unread.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.layout import MARKER_MM
from referee.table import COVERS_MM, Unread
from vision.arrays import Picture
from vision.config import CONFIG
from vision.faces.face_points import Mask
from vision.faces.fitting import Fitted, Fitter, smooth_face
from vision.faces.table import FlatMat

_SURFACE = CONFIG.faces.surface
_SEARCH = CONFIG.faces.search
_FIT = CONFIG.faces.fit


def find_unexplained(flat: FlatMat, size_mm: tuple[float, float], shown: Mapping[Fitted, Mask]) -> list[Unread]:
    """Find the surfaces that none of these cards of that size explains, as unread without candidates."""
    small = flat.shrink_to(_SEARCH.px_per_mm)
    strange = _mask_not_mat(small)
    if strange is None:
        return []
    _forget_markers(strange)
    explained = np.zeros_like(strange)
    for card, where in shown.items():
        _mark(explained, card.pose.list_corners(size_mm), where)
    strange[cv2.dilate(explained, np.ones((_SURFACE.edge_px, _SURFACE.edge_px), np.uint8)) > 0] = 0
    wide = round(_SURFACE.least_wide_mm * _SEARCH.px_per_mm)
    strange = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((wide, wide), np.uint8)), np.uint8)
    clipped = cv2.resize(flat.clipped, strange.shape[::-1], interpolation=cv2.INTER_AREA) > 0
    return [surface.as_unread(clipped) for surface in _find_surfaces(strange)]


def _mask_not_mat(small: Picture) -> Picture | None:
    """Mask with 255 what (h, w) of the mat's picture (h, w, 3) is not of its colour; ``None`` where it has none."""
    some = np.asarray(small[::2, ::2], np.int32).reshape(-1, 3)
    bins = some // _SURFACE.bin_levels
    codes = (bins[:, 0] * 64 + bins[:, 1]) * 64 + bins[:, 2]
    mode = some[codes == np.bincount(codes).argmax()].mean(axis=0)
    for _ in range(3):
        off = np.abs(some - mode).max(axis=1)
        mode = np.median(some[off <= _SURFACE.other_levels], axis=0)
    off = np.abs(some - mode).max(axis=1)
    usual = float(np.median(off[off <= _SURFACE.other_levels]))
    away = np.max([np.abs(small[..., channel] - level) for channel, level in enumerate(mode)], axis=0)
    strange = away > _SURFACE.other_levels + _SURFACE.spreads * usual
    if float(strange.mean()) > _SURFACE.most_share:
        return None
    return np.asarray(strange, np.uint8) * np.uint8(255)


def _forget_markers(strange: Picture) -> None:
    """Take away the corners, where the markers lie in their white borders, in place."""
    side = math.ceil((MARKER_MM + _SURFACE.border_mm) * _SEARCH.px_per_mm)
    for rows in (slice(0, side), slice(-side, None)):
        strange[rows, :side] = strange[rows, -side:] = 0


def find_shown(fitter: Fitter, flat: FlatMat, card: Fitted, face: int) -> Mask:
    """Find where (h, w) a card shows that face, at the fit's scale."""
    size = fitter.faces.size_mm
    shown, laid = smooth_face(flat.cut_patch(card.pose, size)), fitter.smooth[face]
    high = round(CONFIG.faces.shown.shown_mm * _FIT.px_per_mm)
    head = slice(-high, None) if card.lower else slice(0, high)
    gain = float(np.vdot(shown[head], laid[head])) / max(1.0, float(np.vdot(laid[head], laid[head])))
    blue, green, red = cv2.split(cv2.absdiff(shown, laid * np.float32(gain)))
    like = np.asarray(cv2.max(cv2.max(blue, green), red) <= _SURFACE.like_levels)
    like = _explain_bands(like, flat.find_glare(card.pose, size))
    like[head] = True
    return like


def _mark(explained: Picture, outline: Sequence[tuple[float, float]], shown: Mask) -> None:
    """Mark what a card with these corners (mm) shows (h, w) in the mat's picture (h', w'), in place."""
    h, w = shown.shape
    corners = np.array(outline, np.float32) * _SEARCH.px_per_mm
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0).tolist()
    x1, y1 = np.maximum(np.ceil(corners.max(axis=0)).astype(int) + 2, 0).tolist()
    part = explained[y0:y1, x0:x1]
    if part.size:
        source = np.array([(0, 0), (w, 0), (0, h)], np.float32)
        warp = cv2.getAffineTransform(source, corners[[0, 1, 3]] - np.array((x0, y0), np.float32))
        part[cv2.warpAffine(shown.astype(np.float32), warp, part.shape[::-1]) > 0.5] = 255


def _explain_bands(like: Mask, glaring: Mask) -> Mask:
    """Reduce what is like a card's face (h, w) to what is explained: nothing of a band of which too much is unlike.

    What glares is as the rest of its band is.
    """
    rows = round(_SURFACE.band_mm * _FIT.px_per_mm)
    starts = np.arange(0, len(like), rows)
    clear, good, all_of = (
        np.add.reduceat(each.sum(axis=1), starts) for each in (~glaring, like & ~glaring, np.ones_like(like))
    )
    explained = (clear >= _SURFACE.least_clear * all_of) & (good >= _SURFACE.least_like * clear)
    return np.asarray((like | glaring) & np.repeat(explained, rows)[: len(like), None])


@dataclass(frozen=True)
class _Surface:
    """A place of that area (px): its points' rows and columns."""

    rows: np.ndarray
    columns: np.ndarray

    def as_unread(self, clipped: np.ndarray) -> Unread:
        """Return the surface as something that can't be read, at its middle."""
        scale = _SEARCH.px_per_mm
        glare = float(clipped[self.rows, self.columns].mean()) > CONFIG.faces.name.lost_share
        x, y = (float(at.mean() + 0.5) / scale for at in (self.columns, self.rows))
        return Unread(x, y, 0.0, "glare" if glare else "unknown", (), 1.0, self._list_covered())

    def _list_covered(self) -> tuple[tuple[float, float], ...]:
        """List the middles (mm) of the squares of which it covers most."""
        side = COVERS_MM * _SEARCH.px_per_mm
        squares = np.stack([self.columns // side, self.rows // side], axis=1).astype(int)
        found, counts = np.unique(squares, axis=0, return_counts=True)
        most = found[counts > side**2 / 2]
        return tuple((float(x + 0.5) * COVERS_MM, float(y + 0.5) * COVERS_MM) for x, y in most.tolist())


def _find_surfaces(strange: Picture) -> Iterator[_Surface]:
    """Yield the places where (h, w) something lies: what is wider than a card once, and what sticks out of it apart."""
    wide = round(_SURFACE.wider_mm * _SEARCH.px_per_mm)
    body = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((wide, wide), np.uint8)), np.uint8)
    yield from _split_connected(body)
    narrow = round(_SURFACE.least_wide_mm * _SEARCH.px_per_mm)
    rest = strange & ~np.asarray(cv2.dilate(body, np.ones((narrow, narrow), np.uint8)), np.uint8)
    rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((narrow, narrow), np.uint8)), np.uint8)
    least = _SURFACE.least_mm2 * _SEARCH.px_per_mm**2
    side = _SURFACE.most_mm / 2 * _SEARCH.px_per_mm
    for surface in _split_connected(rest):
        rows, columns = surface.rows, surface.columns
        parts = np.zeros(len(rows), int)
        if max(np.ptp(rows), np.ptp(columns)) > _SURFACE.most_mm * _SEARCH.px_per_mm:
            parts = (rows // side).astype(int) * 1000 + (columns // side).astype(int)
        for part in np.unique(parts):
            here = parts == part
            if here.sum() >= least:
                yield _Surface(rows[here], columns[here])


def _split_connected(mask: Picture) -> Iterator[_Surface]:
    """Yield the connected parts of a mask (h, w)."""
    count, labels = cv2.connectedComponents(mask)
    for label in range(1, count):
        rows, columns = np.nonzero(labels == label)
        yield _Surface(rows, columns)
