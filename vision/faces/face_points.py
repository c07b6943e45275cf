"""The faces of a deck as a card is compared with them, and what a picture may change of them.

They are compared at every second point each way of the scale at which they are kept, softened: points nearer to each
other have their noise together, and tell nothing more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.config import CONFIG
from vision.faces.strips import inner_slices, soften
from vision.identify.faces import Faces

_FIT = CONFIG.faces.fit
_LOOKS = CONFIG.faces.looks
_NOISE = _LOOKS.noise_levels**2 * _LOOKS.points_alike
STEP_MM = _LOOKS.points_mm
"""How far such points lie apart."""
Mask = NDArray[np.bool_]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class FacePoints:
    """All faces at the k points of a card, ``size`` columns and rows of them; what is ``inner`` (h, w) is compared.

    ``sharp`` (n, 3, 3, k) holds for each face its three colours, and by how much these grow to the right and down, per
    point of the kept scale; ``softening`` by how much all that differs where a face is softened by one such point more.
    """

    size: tuple[int, int]
    inner: Mask
    sharp: Floats
    softening: Floats

    @classmethod
    def for_faces(cls, faces: Faces) -> FacePoints:
        """Make one for these faces."""
        count, high, wide = faces.pictures.shape[:3]
        inner = np.zeros((high, wide), bool)
        inner[inner_slices((wide, high), _FIT.kept_px_per_mm)] = True
        inner = inner[::2, ::2]
        h, w = inner.shape
        sharp, softening = (np.empty((count, 3, 3, h * w), np.float32) for _ in range(2))
        for number, picture in enumerate(faces.pictures):
            face = soften(picture, _FIT.blur_px)
            sharp[number] = _with_slopes(face)
            softening[number] = (
                _with_slopes(np.asarray(cv2.GaussianBlur(face, (0, 0), 1.0), np.float32)) - sharp[number]
            )
        return cls((w, h), inner, sharp, softening)

    def mask_end(self, lower: bool, high_mm: float) -> Mask:
        """Keep so much of a card (h, w) from the end that shows."""
        rows = round(high_mm / STEP_MM)
        out = np.zeros(self.inner.shape, bool)
        out[slice(-rows, None) if lower else slice(0, rows)] = True
        return out

    def sample_faces(self, numbers: Sequence[int], blur: float, at: Places) -> Floats:
        """Return these faces at these points as a picture that much less sharp shows them, (n, 3, k)."""
        sharp, softening = (
            np.stack([np.take(each[number, 0], at, axis=1) for number in numbers])
            for each in (self.sharp, self.softening)
        )
        return np.asarray(sharp + np.float32(blur) * softening)

    def list_nuisances(self, number: int, blur: float, at: Places, apart: float = 1.0) -> Nuisances:
        """Return what a picture may change of a face at these points, each of which stands for ``apart`` points."""
        sharp, softening = (np.take(each[number], at, axis=2) for each in (self.sharp, self.softening))
        known, across, down = np.asarray(sharp + np.float32(blur) * softening)
        rows, columns = np.divmod(at, self.size[0])
        w, h = (2 * side for side in self.size)
        x, y = (np.asarray(2 * v - (side - 1) / 2, np.float32) for v, side in ((columns, w), (rows, h)))
        out = np.zeros((14, *known.shape), np.float32)
        out[0], out[1], out[3] = across, down, softening[0]
        np.multiply(math.radians(1.0), down * x - across * y, out=out[2])
        out[4], out[5], out[6], out[7] = known * (x / w), known * (y / h), known, 1.0
        spreads = [*_LOOKS.usual_lie, _LOOKS.usual_blur, _LOOKS.usual_gain, _LOOKS.usual_gain, _LOOKS.usual_gain]
        spreads.append(_LOOKS.usual_shade)
        for channel in range(3):
            out[8 + 2 * channel, channel], out[9 + 2 * channel, channel] = known[channel], 1.0
            spreads += [_LOOKS.usual_tint, _LOOKS.usual_tint_shade]
        basis = out.reshape(len(out), -1)
        inner = basis @ basis.T + np.diag(_NOISE / apart / np.square(np.array(spreads, np.float32)))
        return Nuisances(known.reshape(-1), basis, np.asarray(np.linalg.inv(inner), np.float32) @ basis)


@dataclass(frozen=True)
class Nuisances:
    """What a picture may change of a face ``known`` at k points, (3k): ``basis`` (14, 3k), how it does, and
    ``amounts`` (14, 3k), of which the product with a difference says by how much.
    """

    known: Floats
    basis: Floats
    amounts: Floats

    def estimate_lie(self, shown: Floats) -> list[float]:
        """Estimate how far a card (3, k) lies off: points right and down, degrees, and how much less
        sharp it is.
        """
        right, down, turned, blur = (self.amounts[:4] @ (shown.reshape(-1) - self.known)).tolist()
        # What is seen lies further right where the face grows to the right and is less there.
        most = *_LOOKS.most_off_lie, _LOOKS.most_blur
        return [min(m, max(-m, v)) for v, m in zip((-right, -down, -turned, blur), most, strict=True)]

    def remove_nuisances(self, points: Floats) -> Floats:
        """Return what remains of the differences of pictures (n, 3, k) from the face, (n, 3k)."""
        off = points.reshape(len(points), -1) - self.known
        return np.asarray(off - (off @ self.amounts.T) @ self.basis, np.float32)


def _with_slopes(face: Floats) -> Floats:
    """Return every second point of a face (h, w, 3), and how much it grows to the right and down there, (3, 3, k)."""
    down, across = (np.asarray(each) for each in np.gradient(face, axis=(0, 1)))
    return np.stack([each[::2, ::2].reshape(-1, 3).T for each in (face, across, down)])
