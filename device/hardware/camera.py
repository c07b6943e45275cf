"""What every camera above the table can do, real or simulated: a cheap look for motion and a full picture."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image
from simplejpeg import decode_jpeg, decode_jpeg_header

from rules.text import Text
from vision.errors import PictureError
from vision.picture import read_picture_bytes, turn_upright

Picture = npt.NDArray[np.uint8]
"""BGR, height × width × 3, 8 bits a channel."""
Preview = npt.NDArray[np.uint8]
"""Luma alone, height × width, small enough to be compared many times a second."""
Frame = bytes | npt.NDArray[np.uint8]
"""What a camera sends: a JPEG, or pixels already, BGR or luma alone."""
CUT_SHORT = Text("The camera sent no whole picture.")
_PREVIEW_WIDTH = 640


def preview_of(frame: Frame) -> Preview:
    """Return the luma of a frame, at most 640 px wide; a JPEG is decoded at reduced size, which costs little.

    Raises:
        PictureError: the JPEG was cut short or damaged on its way.
    """
    if isinstance(frame, bytes):
        try:
            small = np.asarray(decode_jpeg(frame, "GRAY", min_width=_PREVIEW_WIDTH), np.uint8)[..., 0]
            with Image.open(io.BytesIO(frame), formats=("JPEG",)) as image:
                frame = turn_upright(small, image)
        except (ValueError, OSError) as error:
            raise PictureError(CUT_SHORT) from error
    height, width = frame.shape[:2]
    if width > _PREVIEW_WIDTH:
        size = (_PREVIEW_WIDTH, round(_PREVIEW_WIDTH * height / width))
        frame = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    return frame if frame.ndim == 2 else np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


def picture_of(frame: Frame) -> Picture:
    """Decode the pixels of a frame, turned upright as the frame says.

    Raises:
        PictureError: the JPEG was cut short or damaged on its way.
    """
    return read_picture_bytes(frame, "camera", 1) if isinstance(frame, bytes) else frame


def size_of(frame: Frame) -> tuple[int, int]:
    """Return the width and height of a frame in px.

    Raises:
        PictureError: not even that can be read of the JPEG.
    """
    try:
        height, width = decode_jpeg_header(frame)[:2] if isinstance(frame, bytes) else frame.shape[:2]
    except ValueError as error:
        raise PictureError(CUT_SHORT) from error
    return width, height


class Camera(Protocol):
    """A camera that looks down on the mat."""

    def take_preview(self) -> Preview:
        """Take the small luma plane of this moment, on which motion is judged."""
        ...

    def take_picture(self) -> Picture:
        """Take the full picture of this moment, from which cards are read."""
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

    def read_settled(self) -> CameraLock:
        """Report the values at which the automatics have arrived."""
        ...

    def lock(self, lock: CameraLock) -> None:
        """Stop the automatics and hold these values."""
        ...

    def unlock(self) -> None:
        """Let the automatics run again."""
        ...


@runtime_checkable
class StreamedCamera(Protocol):
    """A camera that somebody else's program sends from: it may go on with an old picture, or with another size."""

    def get_frame_size(self) -> tuple[int, int]:
        """Return the width and height in px of the frame that was taken last."""
        ...
