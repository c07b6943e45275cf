"""A USB camera, or any other that Linux knows as ``/dev/videoN``, through OpenCV.

Pictures are fetched as the JPEG that the camera sends and decoded here, strictly, so that a frame that was cut short
or damaged on its way is noticed; the small luma plane straight at a part of the size, which costs little.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from device.errors import DeviceError
from device.hardware.camera import CameraLock, Frame, Picture, Preview, picture_of, preview_of

_LARGEST = (3840, 2160)
"""Asked for where no size is given; a driver answers with the nearest it has."""
_MJPG = int(cv2.VideoWriter.fourcc(*"MJPG"))
_STALE = 2
"""So many frames may lie in the driver's queue, seen before they were asked for."""
_EXPOSURE_MANUAL, _EXPOSURE_AUTO = 1, 3
"""V4L2's menu: 3 is aperture priority, the only automatic that webcams have."""
_STEPS = 6
_ALIKE = 1.06
"""Two pictures are exposed alike within this factor."""


def open_capture(device: int | str) -> Any:
    """OpenCV's capture of a V4L2 device, such as 0 or ``/dev/video0``.

    Raises:
        DeviceError: there is no such camera, or another program has it.
    """
    # read once, when OpenCV opens its first camera: seconds after which a frame is given up (10 otherwise)
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")
    capture = cv2.VideoCapture(device, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
    if not capture.isOpened():
        capture.release()
        raise DeviceError(
            "The camera usb:{device} can't be opened: plug it in, and end other programs that use it.", device=device
        )
    return capture


class UsbCamera:
    """A USB camera; ``size`` (width, height) is asked for, and the nearest that the camera has is given."""

    def __init__(
        self,
        device: int | str,
        size: tuple[int, int] | None = None,
        opener: Callable[[int | str], Any] = open_capture,
    ) -> None:
        self._capture = opener(device)
        width, height = size or _LARGEST
        # the format first: raw pictures of that size would be too slow for USB, and some drivers refuse them
        self._capture.set(cv2.CAP_PROP_FOURCC, _MJPG)
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if round(self._capture.get(cv2.CAP_PROP_FOURCC)) == _MJPG:
            self._capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)

    def take_preview(self) -> Preview:
        """Take the luma of the next frame, at most 640 px wide."""
        return preview_of(self._read())

    def take_picture(self) -> Picture:
        """Take the full frame of this moment; throw away what the driver had kept from before.

        Raises:
            PictureError: the frame was cut short or damaged on its way.
        """
        for _ in range(_STALE):
            self._capture.grab()
        return picture_of(self._read())

    def read_settled(self) -> CameraLock:
        """Report the driver's exposure, gain, white balance (kelvin) and focus; None for what it hasn't got.

        While a webcam exposes by itself its driver often tells an exposure of long ago, so the exposure is sought by
        hand until pictures are as bright as the automatic made them; the automatic stays off.
        """
        white = self._read_number(cv2.CAP_PROP_WB_TEMPERATURE)
        return CameraLock(
            self._found_exposure(),
            self._read_number(cv2.CAP_PROP_GAIN),
            None if white is None else (white,),
            self._read_number(cv2.CAP_PROP_FOCUS),
        )

    def lock(self, lock: CameraLock) -> None:
        """Hold these values as far as the driver has them; it passes over what it hasn't."""
        if lock.focus is not None:
            self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
            self._capture.set(cv2.CAP_PROP_FOCUS, lock.focus)
        if lock.white is not None:
            if len(lock.white) != 1:
                raise DeviceError(
                    "A webcam's white balance is one colour temperature: write camera.white = [4600] in "
                    "the settings, or leave it out."
                )
            self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
            self._capture.set(cv2.CAP_PROP_WB_TEMPERATURE, lock.white[0])
        if lock.exposure is not None:
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _EXPOSURE_MANUAL)
            self._capture.set(cv2.CAP_PROP_EXPOSURE, lock.exposure)
        if lock.gain is not None:
            self._capture.set(cv2.CAP_PROP_GAIN, lock.gain)

    def unlock(self) -> None:
        """Let exposure, white balance and focus find themselves again."""
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _EXPOSURE_AUTO)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 1)

    def close(self) -> None:
        """Let go of the device; OpenCV ignores a second call by itself."""
        self._capture.release()

    def _found_exposure(self) -> float | None:
        exposure = self._read_number(cv2.CAP_PROP_EXPOSURE)
        if exposure is None:
            return None
        wanted = self._measure_brightness()
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _EXPOSURE_MANUAL)
        for _ in range(_STEPS):
            if not self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure):
                return None
            factor = wanted / max(self._measure_brightness(), 1.0)
            if 1 / _ALIKE <= factor <= _ALIKE:
                break
            exposure = max(1.0, round(exposure * min(4.0, max(0.25, factor))))
        return exposure

    def _measure_brightness(self) -> float:
        """Measure the mean luma once an earlier setting shows, which takes some frames."""
        for _ in range(_STALE + 2):
            self._capture.grab()
        return float(self.take_preview().mean())

    def _read_number(self, prop: int) -> float | None:
        value = float(self._capture.get(prop))
        return value if value > 0 else None

    def _read(self) -> Frame:
        """Read what the camera sends: pixels, or a JPEG, which OpenCV gives as one long row of bytes."""
        came, frame = self._capture.read()
        if not came or frame is None or frame.size == 0:
            raise TimeoutError("the camera sent no frame")
        is_jpeg = frame.ndim == 1 or min(frame.shape[:2]) == 1
        return frame.tobytes() if is_jpeg else np.asarray(frame, np.uint8)
