"""Whether anything moves over the mat: the gate before every still picture.

It looks at the camera's small luma pictures many times a second, so it is quick: each is averaged down to about
160 blocks across and compared, block by block, with the picture since which nothing has moved. What a change of
light does to a whole row alike (a lamp's flicker under a rolling shutter, a cloud) is divided out first.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table import REST
from vision.arrays import Doubles
from vision.config import CONFIG

_STILLNESS = CONFIG.reading.stillness

Luma = NDArray[np.uint8]
_Blocks = NDArray[np.float32]

STILL_S = 1.0
"""How long nothing may move before the picture counts as still."""
APART_STILL_S = 0.4
"""The same for a zone that is still apart: dice lie where they lie once they have stopped."""


class Motion(Enum):
    """What the picture does."""

    MOVING = "moving"
    SETTLING = "settling"
    """Nothing has moved since a moment ago, but not for long enough yet."""
    STILL = "still"

    @property
    def still(self) -> bool:
        """Whether a picture taken now can be read."""
        return self is Motion.STILL


class Stillness:
    """Follows one camera's luma pictures and says when they are still; it keeps two or three small ones in memory.

    >>> import numpy as np
    >>> stillness, table = Stillness(still_s=0.5), np.full((480, 640), 90, np.uint8)
    >>> [stillness.update(table, t / 10).value for t in (0, 2, 4, 6)]
    ['settling', 'settling', 'settling', 'still']
    """

    def __init__(self, still_s: float = STILL_S) -> None:
        if not still_s > 0:
            raise ValueError(f"a picture must be still for some time, not {still_s} s")
        self.still_s = still_s
        self.reset()

    def reset(self) -> None:
        """Forget everything, as after the camera was opened anew."""
        self._shape: tuple[int, ...] = ()
        self._where: NDArray[np.uint8] | None = None
        self._anchor: _Blocks | None = None
        self._since_s = self._seen_s = 0.0
        self._frames = 0
        self._noise = 1.0

    def update(self, luma: Luma, t_s: float, where: Luma | None = None) -> Motion:
        """Take the next luma picture (h, w), seen at ``t_s`` seconds on a clock that never runs backwards.

        Only what moves where ``where`` (h, w) is not 0 counts; without it, all.

        Raises:
            ValueError: not a luma picture, or time ran backwards.
        """
        if luma.ndim != 2:
            raise ValueError(f"stillness looks at luma pictures (h, w), not {luma.shape}")
        if luma.shape != self._shape:
            self.reset()
            self._shape = luma.shape
        size = max(1, round(max(luma.shape) / _STILLNESS.blocks_across))
        now = _average_blocks(luma, size)
        self._where = None if where is None else (_average_blocks(where, size) > 0).astype(np.uint8)
        if self._anchor is None:
            self._start(now, t_s)
            return Motion.SETTLING
        if t_s < self._seen_s:
            raise ValueError(f"time ran backwards, from {self._seen_s} s to {t_s} s")
        elapsed, self._seen_s = t_s - self._seen_s, t_s

        difference = _measure_change(now, self._anchor)
        # most blocks show the bare table even while hands move, so the median is noise
        noise = 1.4826 * float(np.median(np.abs(difference[::2, ::2])))
        moved = _find_moved(difference, max(_STILLNESS.min_change, _STILLNESS.noise_factor * max(noise, self._noise)))
        if (moved if self._where is None else moved & self._where).any():
            self._start(now, t_s)
            return Motion.MOVING
        self._noise += 0.1 * (noise - self._noise)
        self._frames += 1
        # following hides a drift of light, but so slowly that a card pushed along is seen long before
        self._anchor += np.float32(min(1.0, elapsed / _STILLNESS.follow_s)) * (now - self._anchor)
        settling = t_s - self._since_s < self.still_s or self._frames < _STILLNESS.still_frames
        return Motion.SETTLING if settling else Motion.STILL

    def _start(self, now: _Blocks, t_s: float) -> None:
        """Start anew: nothing has moved, for all that is known."""
        self._anchor = now
        self._since_s = self._seen_s = t_s
        self._frames = 1


class PartsStillness:
    """Follows the parts of one camera's pictures, each for itself: zones that are still apart, and the rest.

    >>> import numpy as np
    >>> parts, table = PartsStillness(still_s=1.0), np.full((480, 640), 90, np.uint8)
    >>> tray = {"tray": np.array([[400, 100], [500, 100], [500, 300], [400, 300]])}
    >>> [sorted(name for name, state in parts.update(table, t / 10, tray).items() if state.still) for t in (0, 2, 4, 6)]
    [[], [], ['tray'], ['tray']]
    """

    def __init__(self, still_s: float = STILL_S, apart_still_s: float = APART_STILL_S) -> None:
        self._rest, self._apart_still_s = Stillness(still_s), min(still_s, apart_still_s)
        self.reset()

    def reset(self) -> None:
        """Forget everything, as after the camera was opened anew."""
        self._rest.reset()
        self._apart: dict[str, Stillness] = {}
        self._masks: dict[str, Luma] = {}
        self._drawn: tuple[object, ...] = ()

    def update(self, luma: Luma, t_s: float, zones: Mapping[str, Doubles]) -> dict[str, Motion]:
        """Tell what each part does, ``REST`` first, from the next luma picture (h, w); see ``Stillness.update``.

        ``zones`` are outlines (n, 2) in px of the luma picture, by name; what is in none of them is the rest.

        Raises:
            ValueError: not a luma picture, or time ran backwards.
        """
        if not zones:
            return {REST: self._rest.update(luma, t_s)}
        drawn = (luma.shape, *((name, np.round(outline).tobytes()) for name, outline in zones.items()))
        if drawn != self._drawn:
            self._drawn, self._masks = drawn, _mask_zones(luma, zones)
        states = {REST: self._rest.update(luma, t_s, self._masks[REST])}
        for name in zones:
            watched = self._apart.setdefault(name, Stillness(self._apart_still_s))
            states[name] = watched.update(luma, t_s, self._masks[name])
        return states


def _mask_zones(luma: Luma, zones: Mapping[str, Doubles]) -> dict[str, Luma]:
    """Mask each zone and the rest with 255, (h, w)."""
    masks = {REST: np.full(luma.shape, 255, np.uint8)}
    for name, outline in zones.items():
        points = np.round(outline).astype(np.int32)
        masks[name] = np.zeros(luma.shape, np.uint8)
        cv2.fillPoly(masks[name], [points], 255)
        cv2.fillPoly(masks[REST], [points], 0)
    return masks


def _average_blocks(luma: Luma, size: int) -> _Blocks:
    h, w = luma.shape[0] // size, luma.shape[1] // size
    return np.asarray(cv2.resize(luma[: h * size, : w * size], (w, h), interpolation=cv2.INTER_AREA), dtype=np.float32)


def _measure_change(now: _Blocks, before: _Blocks) -> _Blocks:
    """Change of each block, with what scales a whole row alike divided out."""
    gain = np.median((now + 4.0) / (before + 4.0), axis=1, keepdims=True)
    return np.asarray((now + 4.0) - gain * (before + 4.0), dtype=np.float32)


def _find_moved(difference: _Blocks, threshold: float) -> NDArray[np.uint8]:
    """Find the blocks that changed and have a neighbour that did, as 1; a lone block is a hot pixel or chance."""
    over = (np.abs(difference) > threshold).astype(np.uint8)
    if not over.any():
        return over
    neighbours = cv2.boxFilter(over, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(over & (neighbours >= 2), dtype=np.uint8)
