"""What every camera above the table can do, real or simulated: a cheap look for motion and a full picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
"""BGR, height × width × 3, 8 bits a channel."""
Preview = npt.NDArray[np.uint8]
"""Luma alone, height × width, small enough to be compared many times a second."""


class Camera(Protocol):
    """A camera that looks down on the mat."""

    def preview(self) -> Preview:
        """The small luma plane of this moment, on which motion is judged."""
        ...

    def picture(self) -> Picture:
        """The full picture of this moment, from which cards are read."""
        ...

    def close(self) -> None:
        """Let go of the device; closing twice does no harm."""
        ...


@dataclass(frozen=True, slots=True)
class CameraLock:
    """Exposure, white balance and focus as they were found good, to be held; ``None`` where the camera has none.

    The units are the camera's own, so a lock only fits the camera that it was taken from: with picamera2 µs, the
    analogue gain, the red and blue gains and dioptres; with V4L2 the driver's numbers, ``white`` being one in kelvin.
    """

    exposure: float | None = None
    gain: float | None = None
    white: tuple[float, ...] | None = None
    focus: float | None = None


@runtime_checkable
class LockableCamera(Protocol):
    """A camera whose automatics can be stopped, so that pictures of an unchanged table stay comparable."""

    def settled(self) -> CameraLock:
        """What the automatics have come to by now."""
        ...

    def lock(self, lock: CameraLock) -> None:
        """Stop the automatics and hold these values."""
        ...

    def unlock(self) -> None:
        """Let the automatics run again."""
        ...
