"""The mat and its light: where the mat lies in a picture, and what white paper looks like all over it."""

from vision.mat.model import FoundMarker, Mat, find_markers, find_mat

__all__ = ["FoundMarker", "Mat", "find_markers", "find_mat"]
