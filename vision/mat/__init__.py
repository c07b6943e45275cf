"""The mat and its light: where the mat lies in a picture, and what white paper looks like all over it."""

from vision.mat.finding import find_mat, round_to_usual
from vision.mat.markers import FoundMarker, find_markers
from vision.mat.model import Mat

__all__ = ["FoundMarker", "Mat", "find_markers", "find_mat", "round_to_usual"]
