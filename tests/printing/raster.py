"""Pages of a PDF as pictures, and what is measured on them; lengths are mm from the page's top left corner."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from vision.arrays import Picture

POINTS = 72 / 25.4


def page_count(pdf: Path) -> int:
    return len(pypdfium2.PdfDocument(pdf))


def page_size(pdf: Path, page: int = 0) -> tuple[float, float]:
    width, height = pypdfium2.PdfDocument(pdf)[page].get_size()
    return width / POINTS, height / POINTS


def raster(
    pdf: Path, page: int = 0, px_per_mm: float = 8.0, crop_mm: tuple[float, float, float, float] = (0, 0, 0, 0)
) -> Picture:
    """Draw a page (h, w, 3) BGR uint8; leave away ``crop_mm`` on the left, at the bottom, on the right and on top."""
    sheet = pypdfium2.PdfDocument(pdf)[page]
    bitmap = sheet.render(scale=px_per_mm / POINTS, crop=tuple(side * POINTS for side in crop_mm))
    return np.ascontiguousarray(bitmap.to_numpy()[..., :3])


def grey(picture: Picture) -> np.ndarray:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def runs(dark: np.ndarray, px_per_mm: float) -> list[tuple[float, float]]:
    """Where a row of points is dark: the middle and the length of each stretch in mm."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], dark.astype(np.int8), [0]))))
    return [((a + b) / 2 / px_per_mm, (b - a) / px_per_mm) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def ruler(picture: Picture, px_per_mm: float) -> float:
    """From the first to the last stroke of the ruler in a picture, in mm; its strokes stand 10 mm apart."""
    dark = grey(picture) < 150
    lines = [
        max((length, middle, y) for middle, length in found)
        for y, row in enumerate(dark)
        if (found := runs(row, px_per_mm))
    ]
    length, middle, y = max(lines)
    above = dark[y - round(1.2 * px_per_mm)]
    strokes = [x for x, wide in runs(above, px_per_mm) if wide < 0.6 and abs(x - middle) < length / 2 + 0.5]
    assert np.diff(strokes) == pytest.approx([10.0] * (len(strokes) - 1), abs=0.2)
    return strokes[-1] - strokes[0]
