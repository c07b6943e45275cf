"""What the worker has found so far in a picture that a phone waits for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from device.capture.phone_picture import to_shares
from device.hardware.camera import Picture
from vision.mat import find_markers
from vision.mat.markers import luma_of

Report = Callable[[Mapping[str, Any]], None]
"""Hears what was found so far."""


def report_nothing(_: Mapping[str, Any]) -> None:
    """Tell nobody."""


def find_shown_markers(picture: Picture, part: int = 0) -> dict[str, Any]:
    """Find the corner marks in the picture of a part, (h, w, 3) BGR uint8: of each its corners as shares of it."""
    size = picture.shape[1], picture.shape[0]
    found = find_markers(luma_of(picture))
    return {"part": part, "markers": {str(one.id): to_shares(one.array, size) for one in found}}
