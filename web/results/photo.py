"""The photograph of a finished table as phones get it: what was taken of each part, below each other in one JPEG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from PIL import Image

from device.capture.drawing import pack_jpeg
from device.hardware.camera import Picture
from vision.arrays import Doubles

_WIDE_PX = 1200
"""A player's part of it fills a phone's width sharply."""
_HIGHEST_PX = 4 * _WIDE_PX
_MOST_BYTES = 160_000
"""So that a whole page stays below 250 kB."""
_AROUND, _CLOSE = 34, 16
"""So much is shown round a player's cards, and so much even beyond their area, px."""

Frame = tuple[int, int, int, int]
"""Left, top, width and height, px."""


@dataclass(frozen=True, slots=True)
class Photo:
    """The photograph as JPEG, its width and height in px, and where each part lies: how much smaller, and its top."""

    jpeg: bytes
    size: tuple[int, int]
    parts: tuple[tuple[float, float], ...]

    def find_places(self, places: Doubles, part: int) -> Doubles:
        """Return where places (n, 2) of what is shown of a part lie, px."""
        scale, top = self.parts[part]
        return np.asarray(places * scale + (0.0, top), np.float64)


def join_photos(taken: Sequence[tuple[Picture, Frame]]) -> Photo:
    """Join what was taken of each part, (h, w, 3) BGR uint8, each with its edges: left, top, right, bottom, px."""
    shown, parts, top = [], [], 0
    for picture, (left, upper, right, lower) in taken:
        cut = Image.fromarray(cv2.cvtColor(picture[upper:lower, left:right], cv2.COLOR_BGR2RGB))
        scale = min(1.0, _WIDE_PX / cut.width, _HIGHEST_PX / cut.height)
        shown.append(cut.resize((round(cut.width * scale), round(cut.height * scale)), Image.Resampling.LANCZOS))
        parts.append((scale, float(top)))
        top += shown[-1].height
    whole = Image.new("RGB", (max(one.width for one in shown), top))
    for one, (_, at) in zip(shown, parts, strict=True):
        whole.paste(one, (0, round(at)))
    return Photo(pack_jpeg(whole, _MOST_BYTES), whole.size, tuple(parts))


def find_frame(sheet: Mapping[str, Any], seat: int) -> Frame | None:
    """Return the part of a sheet's photograph with a player's cards; none where none lies there."""
    photo = sheet["photo"]
    area = photo["seats"].get(str(seat))
    if area is None:
        return None
    own = [card["outline"] for card in sheet["cards"] if is_within(find_middle(card["outline"]), area)]
    if not own:
        return None
    frame = []
    for axis in (0, 1):
        places = [corner[axis] for outline in own for corner in outline]
        _, near, far, _ = sorted(corner[axis] for corner in area)
        # What lies beside the area is somebody else's, and would be cut in two.
        first = max(0, min(min(places) - _CLOSE, max(min(places) - _AROUND, near)))
        last = min(photo["size"][axis], max(max(places) + _CLOSE, min(max(places) + _AROUND, far)))
        frame.append((first, last - first))
    (left, width), (top, height) = frame
    return left, top, width, height


def find_middle(outline: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Return the middle of an outline."""
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def is_within(place: tuple[float, float], area: Sequence[Sequence[int]]) -> bool:
    """Return whether a place lies in an area's upright box."""
    return all(min(one[axis] for one in area) <= place[axis] <= max(one[axis] for one in area) for axis in (0, 1))
