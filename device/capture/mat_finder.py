"""The one place that finds the mat: for reading, for scoring, for the doctor and for whoever sets up."""

from __future__ import annotations

from dataclasses import dataclass

from device.hardware.camera import Picture
from referee.layout import MARKER_MM
from vision.mat import Mat, find_mat, round_to_usual

Size = tuple[float, float]


@dataclass(frozen=True)
class MatFinder:
    """Finds the mat in pictures: one of ``told_mm``, or of the size that markers of ``marker_mm`` show.

    A measured size that is nearly ``usual_mm`` is taken for that.
    """

    told_mm: Size | None = None
    marker_mm: float = MARKER_MM
    usual_mm: Size | None = None

    def __call__(self, picture: Picture, previous: Mat | None = None) -> Mat:
        """Find the mat in a picture (h, w, 3) BGR uint8; ``previous`` is where it lay in the one before.

        Raises:
            MatError: it can't be measured.
        """
        mat = find_mat(picture, self.told_mm, previous, self.marker_mm)
        if mat is previous or self.usual_mm is None or self.told_mm is not None:
            return mat
        return round_to_usual(mat, self.usual_mm)
