"""What the camera sees, for phones: a picture of their size, and where in it lies what is drawn on it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol, runtime_checkable

import cv2
import numpy as np
from simplejpeg import encode_jpeg

from device.hardware.camera import Picture
from ui.screen_state import Point

WIDTH_PX = 960
_QUALITY = 85
_next_number: Callable[[], int] = count(1).__next__


@dataclass(frozen=True, slots=True)
class PictureMark:
    """A place in a picture, its corners as shares of it, and what is written there; a ``fault`` is to be mended."""

    corners: tuple[Point, ...]
    words: str
    fault: bool = False


@dataclass(frozen=True, slots=True)
class PhonePicture:
    """A picture as JPEG, known by its ``number``, with the mat's corners as shares of it and the places marked."""

    jpeg: bytes
    mat: tuple[Point, ...] = ()
    marks: tuple[PictureMark, ...] = ()
    number: int = field(default_factory=_next_number)

    def as_json(self, known: int) -> dict[str, Any]:
        """As it is sent; without the picture itself where its number is the ``known`` one."""
        return {
            "number": self.number,
            "jpeg": base64.b64encode(self.jpeg).decode() if self.number != known else None,
            "mat": self.mat,
            "marks": [{"corners": mark.corners, "words": mark.words, "fault": mark.fault} for mark in self.marks],
        }


@runtime_checkable
class Pictured(Protocol):
    """An activity that has a picture of the table."""

    def get_picture(self) -> PhonePicture | None:
        """Return the newest picture; ``None`` where there is none yet."""
        ...


def phone_jpeg(picture: Picture) -> bytes:
    """Encode a picture (h, w, 3) BGR uint8 as JPEG, at most ``WIDTH_PX`` wide."""
    height, width = picture.shape[:2]
    if width > WIDTH_PX:
        size = WIDTH_PX, max(1, round(height * WIDTH_PX / width))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return bytes(encode_jpeg(np.ascontiguousarray(picture), _QUALITY, "BGR", "420"))


def to_shares(points_px: np.ndarray, size: tuple[int, int]) -> tuple[Point, ...]:
    """Points (n, 2) in px as shares of a picture of that width and height."""
    # whole thousandths: what moves by less than a px of the display is the same screen
    return tuple((round(float(x) / size[0], 3), round(float(y) / size[1], 3)) for x, y in points_px)
