"""What is searched for: the strips that a card shows in a column, at the scales at which they are compared.

A *strip* is the upper part of a face, or of a back either end, since staged cards show whichever end sticks out.
Vectors are a strip's points less its mean colour, at the length of 1, so that a product of two is their correlation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.identify.faces import Faces

_SEARCH = CONFIG.faces.search
_FIT = CONFIG.faces.fit
_SHOWN = CONFIG.faces.shown


def unit_rows(points: Floats) -> Floats:
    """Return vectors (n, k, 3) as rows (n, 3k) less their mean colours, at the length of 1."""
    rows = (points - points.mean(axis=1, keepdims=True)).reshape(len(points), -1)
    return np.asarray(rows / np.maximum(np.sqrt(np.square(rows).sum(axis=1, keepdims=True)), 1e-6), np.float32)


def soften(picture: Picture, blur_px: float) -> Floats:
    """Take the noise off a picture."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), blur_px), np.float32)


def inner_slices(size_px: tuple[int, int], px_per_mm: float) -> tuple[slice, slice]:
    """Return the rows and columns of a face of that width and height that are compared: all but its rim."""
    rim = round(_SHOWN.rim_mm * px_per_mm)
    return slice(rim, size_px[1] - rim), slice(rim, size_px[0] - rim)


def measure_energy(rows: Floats) -> Floats:
    """Compute the squared distances of the points of pictures (n, 3k) from their mean colours, (n,)."""
    colours = rows @ _colour_sums(rows.shape[1])
    return np.asarray(
        np.einsum("nk,nk->n", rows, rows) - 3 * np.square(colours).sum(axis=1) / rows.shape[1], np.float32
    )


@cache
def _colour_sums(count: int) -> Floats:
    """Return the matrix that adds up each colour of ``count`` values, (3k, 3)."""
    return np.tile(np.eye(3, dtype=np.float32), (count // 3, 1))


@dataclass(frozen=True)
class Strips:
    """The strips of a deck's faces: all heads, then the lower ends of the backs.

    ``cards`` says which face each is of, ``lower`` whether it is a lower end.
    """

    faces: Faces

    @cached_property
    def cards(self) -> NDArray[np.intp]:
        """The numbers of their faces."""
        backs = [k for k, name in enumerate(self.faces.names) if name in self.faces.backs]
        return np.array([*range(len(self.faces.names)), *backs], np.intp)

    @cached_property
    def lower(self) -> NDArray[np.bool_]:
        """Which of them are lower ends."""
        return np.arange(len(self.cards)) >= len(self.faces.names)

    @property
    def size_mm(self) -> tuple[float, float]:
        """A strip's width and height."""
        return self.faces.size_mm[0], _SEARCH.strip_mm

    def middle_offset(self, lower: bool) -> float:
        """Return how far below the card's middle that of a strip lies, in mm."""
        away = (self.faces.size_mm[1] - _SEARCH.strip_mm) / 2
        return away if lower else -away

    @cached_property
    def coarse(self) -> Floats:
        """As rows, upright and then turned by 180 degrees, at the search's scale."""
        return _either_way(self.coarse_pictures)

    @cached_property
    def coarse_pictures(self) -> Floats:
        """As pictures (n, h, w, 3) at that scale, upright."""
        return self._shrink_to(_SEARCH.px_per_mm, _SEARCH.blur_px)

    @cached_property
    def coarser(self) -> Floats:
        """The same at half that scale, where it is found out which places are searched."""
        return _either_way(self._shrink_to(_SEARCH.px_per_mm / 2))

    @cached_property
    def coarser_size(self) -> tuple[int, int]:
        """Width and height in px of those."""
        return self._size_at(_SEARCH.px_per_mm / 2)

    @cached_property
    def coarse_size(self) -> tuple[int, int]:
        """Width and height in px of those."""
        return self._size_at(_SEARCH.px_per_mm)

    @cached_property
    def medium(self) -> Floats:
        """As rows at the fit's scale, upright, of their points ``within``."""
        rows, columns = self.within
        return unit_rows(self.medium_pictures[:, rows, columns].reshape(len(self.cards), -1, 3))

    @cached_property
    def within(self) -> tuple[slice, slice]:
        """Which rows and columns of a strip at the fit's scale are compared, whichever end it is of."""
        return inner_slices(self._size_at(_FIT.px_per_mm), _FIT.px_per_mm)

    @cached_property
    def two_headed(self) -> NDArray[np.bool_]:
        """Which faces (n,) have a lower end that, turned, is like their head: such a card is found either way up."""
        pictures = self.faces.pictures
        turned = Strips(Faces(self.faces.names, pictures[:, ::-1, ::-1], self.faces.size_mm))
        feet, heads = turned.medium, self.medium[: len(pictures)]
        return np.asarray((heads * feet).sum(axis=1) >= _SHOWN.turned_like)

    @cached_property
    def medium_pictures(self) -> Floats:
        """As pictures (n, h, w, 3) at the fit's scale, upright."""
        return self._shrink_to(_FIT.px_per_mm, _FIT.blur_px)

    @cached_property
    def nearest(self) -> NDArray[np.intp]:
        """For each of them the others that are most like it, (n, k)."""
        same_end = self.lower[:, None] == self.lower[None]
        like = np.where(same_end, self.medium @ self.medium.T, -2.0)
        np.fill_diagonal(like, -2.0)
        return np.asarray(np.argsort(-like, axis=1)[:, : _FIT.nearest_names], np.intp)

    def _size_at(self, px_per_mm: float) -> tuple[int, int]:
        width, height = self.size_mm
        return round(width * px_per_mm), round(height * px_per_mm)

    def _shrink_to(self, px_per_mm: float, blur_px: float = 0.0) -> Floats:
        """Return the strips (n, h, w, 3) at a scale."""
        high = round(_SEARCH.strip_mm * self.faces.px_per_mm)
        w, h = self._size_at(px_per_mm)
        each = []
        for card, lower in zip(self.cards, self.lower, strict=True):
            whole = self.faces.pictures[card]
            part = whole[-high:] if lower else whole[:high]
            small = cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA)
            each.append(soften(np.asarray(small, np.uint8), blur_px) if blur_px else np.asarray(small, np.float32))
        return np.stack(each)


def _either_way(strips: Floats) -> Floats:
    """Return the strips (n, h, w, 3) as rows, upright and then turned by 180 degrees."""
    points = strips.reshape(len(strips), -1, 3)
    return np.concatenate([unit_rows(points), unit_rows(points[:, ::-1])])
