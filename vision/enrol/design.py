"""What the faces of a page have in common: in a design frames, bands, words and signs have their places.

A face on which something lies, or that lies upside down, is seen by what it lacks of that. Of paintings to the edge
little comes again; they are never blamed for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG

_DESIGN = CONFIG.enrol.design
_PX_PER_MM = CONFIG.faces.fit.kept_px_per_mm


def edges_of(faces: Picture) -> Floats:
    """Measure how steep each of some faces (n, h, w, 3) is over parts of 2 mm, (n, rows, columns) grey levels."""
    maps, rim = [], round(_DESIGN.rim_mm * _PX_PER_MM)
    for face in faces:
        grey = cv2.GaussianBlur(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
        steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
        inner = np.minimum(steep, np.percentile(steep, 98))[rim:-rim, rim:-rim]
        maps.append(cv2.resize(inner, _DESIGN.design_px, interpolation=cv2.INTER_AREA))
    return np.asarray(maps, np.float32)


def find_design(edges: Floats) -> tuple[Floats, float]:
    """Find what most of some faces (n, h, w) have in common (h, w), and how much of it they show, from 0 to 1.

    That is by how like two halves of them are: pages of one deck are as little like each other.
    """
    whole = edges / np.maximum(edges.mean(axis=(1, 2), keepdims=True), 1e-6)
    halves = max(0.0, measure_likeness(*(np.median(half, axis=0) for half in (whole[::2], whole[1::2]))))
    return np.median(whole, axis=0), 2 * halves / (1 + halves)


def measure_likeness(one: Floats, other: Floats) -> float:
    """Measure how alike two maps (h, w) are, from -1 to 1; 0 where one of them shows nothing."""
    a, b = one - one.mean(), other - other.mean()
    return float((a * b).sum() / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6))


def find_upside_down(edges: Floats) -> NDArray[np.bool_]:
    """Find which of some faces (n, h, w) fit what the others have in common far better turned round, (n,).

    Where a design is about as good either way up, none does.
    """
    designs = [np.median(others, axis=0) for others in _average_others(edges)]
    better = [
        measure_likeness(face, own) - measure_likeness(face, own[::-1, ::-1])
        for face, own in zip(edges, designs, strict=True)
    ]
    usual = float(np.median(better))
    return np.array(better) < (-_DESIGN.turned * usual if usual > _DESIGN.has_a_head else -np.inf)


def blank_share(edges: Floats) -> Doubles:
    """Measure how much of each face (n, h, w) shows nothing where nearly all others have print, 0 to 1; (n,)."""
    coarse = np.stack([cv2.resize(face, _DESIGN.print_px, interpolation=cv2.INTER_AREA) for face in edges])
    least = np.stack([np.percentile(others, _DESIGN.nearly_all, axis=0) for others in _average_others(coarse)])
    blank = (coarse < _DESIGN.blank * least) & (least > _DESIGN.least_print)
    return np.asarray(blank.mean(axis=(1, 2)))


def _average_others(maps: Floats) -> Iterator[Floats]:
    """Yield for each of some maps all others."""
    return (np.delete(maps, k, axis=0) for k in range(len(maps)))
