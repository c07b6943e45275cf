"""What every camera above the table can do, real or simulated: a cheap look for motion and a full picture."""

from __future__ import annotations

from typing import Protocol

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
