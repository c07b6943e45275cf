"""A Raspberry Pi camera on the ribbon connector, through picamera2, which Raspberry Pi OS brings along.

One sensor mode for good: the full picture for reading and a small luma plane for motion come from the same frames, so
nothing is ever switched over and the contiguous memory that the camera lives on never runs out. Two frame buffers are
enough for a table, and every request waits for the next frame, so that no picture is older than its question. What a
camera can't give beside the full picture is done without: the raw stream, then the small plane as well.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import cv2
import numpy as np

from device.errors import DeviceError
from device.hardware.camera import CameraLock, Picture, Preview

_PREVIEW_WIDTH = 640
"""A multiple of 64, as the image processor likes it."""
_FRAME_US = (100_000, 250_000)
"""Shortest and longest time for a frame, in µs: a table doesn't need more than ten pictures a second."""
_WAIT_S = 2.5
_NOISE_REDUCTION_FAST = 1
_AF_MANUAL, _AF_CONTINUOUS = 0, 2
_MANUAL, _AUTO = 1, 0
_STREAMS = (("lores", "raw"), ("lores",), ("raw",), ())
"""What is asked for beside the full picture, the best first."""
_BLUE_FIRST, _RED_FIRST = "RGB888", "BGR888"
"""Formats are named from the highest byte down: the first lies in memory as blue, green, red, as OpenCV has it."""
_LOG = logging.getLogger(__name__)


def open_picamera2() -> Any:
    """Open the first camera on the ribbon connectors with picamera2.

    Raises:
        DeviceError: picamera2 isn't installed, or there is no camera, or another program has it.
    """
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:WARN")
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise DeviceError(
            "picamera2 can't be loaded ({error}): run 'sudo apt install python3-picamera2' and make the "
            "virtual environment with --system-site-packages.",
            error=error,
        ) from error
    try:
        return Picamera2()
    except Exception as error:  # libcamera's own errors, and picamera2's where a camera has less than a module
        if "dma" in str(error).lower():
            raise DeviceError(
                "There is no memory for camera pictures ({error}): /dev/dma_heap must have 'linux,cma' "
                "or 'system', and the user must be in the group video.",
                error=error,
            ) from error
        raise DeviceError(
            "The camera on the ribbon connector can't be opened ({cause}): check the cable, and that no "
            "other program uses the camera.",
            cause=_explain_cause(error),
        ) from error


def _explain_cause(error: Exception) -> str:
    return str(error) or type(error).__name__


class PiCamera:
    """A camera module of a Raspberry Pi; ``size`` is the full picture's (width, height), the sensor's own if None."""

    def __init__(self, size: tuple[int, int] | None = None, opener: Callable[[], Any] = open_picamera2) -> None:
        self._camera = opener()
        try:
            sensor = self._camera.sensor_resolution
            width, height = size or sensor
            across = min(_PREVIEW_WIDTH, width)
            self._preview_size = (across, round(across * height / width / 2) * 2)
            self._has_lores, self._red_first = self._begin((width, height), sensor)
            self.unlock()
        except Exception:
            self.close()
            raise

    def _begin(self, size: tuple[int, int], sensor: tuple[int, int]) -> tuple[bool, bool]:
        """Start with the best that this camera gives; whether there is a small plane, and whether red lies first.

        Raises:
            DeviceError: it gives no full picture.
        """
        # the whole sensor, or a smaller picture would be cut out of its middle
        beside = {"lores": {"size": self._preview_size, "format": "YUV420"}, "raw": {"size": sensor}}
        controls = self._keep_known({"FrameDurationLimits": _FRAME_US, "NoiseReductionMode": _NOISE_REDUCTION_FAST})
        for form, streams in product((_BLUE_FIRST, _RED_FIRST), _STREAMS):
            try:
                self._camera.configure(
                    self._camera.create_still_configuration(
                        main={"size": size, "format": form},
                        buffer_count=2,
                        queue=False,
                        controls=controls,
                        **{name: wanted if name in streams else None for name, wanted in beside.items()},
                    )
                )
                self._camera.start()
            except Exception as error:  # whatever libcamera and picamera2 raise where they can't give a stream
                refused = error
                continue
            missing = ", ".join(name for name in _STREAMS[0] if name not in streams)
            if missing:
                _LOG.warning("the camera gives no stream %s beside the picture (%s)", missing, _explain_cause(refused))
            return "lores" in streams, form == _RED_FIRST
        raise DeviceError(
            "The camera on the ribbon connector can't be set up ({cause}): set camera.size smaller, or "
            "take another camera.",
            cause=_explain_cause(refused),
        ) from refused

    def take_preview(self) -> Preview:
        """Take the luma of the next frame, reduced in size."""
        if not self._has_lores:
            small = cv2.resize(self._take_full(), self._preview_size, interpolation=cv2.INTER_AREA)
            to_luma = cv2.COLOR_RGB2GRAY if self._red_first else cv2.COLOR_BGR2GRAY
            return np.asarray(cv2.cvtColor(small, to_luma), np.uint8)
        planes = self._camera.capture_array("lores", wait=_WAIT_S)
        width, height = self._preview_size
        return np.ascontiguousarray(planes[:height, :width])

    def take_picture(self) -> Picture:
        """Take the next full frame."""
        picture = self._take_full()
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), np.uint8) if self._red_first else picture

    def _take_full(self) -> Picture:
        """Take the next full frame, its colours in the camera's own order."""
        return np.asarray(self._camera.capture_array("main", wait=_WAIT_S)[..., :3], np.uint8)

    def read_settled(self) -> CameraLock:
        """Exposure in µs, analogue gain, red and blue gain, and the lens in dioptres, as the next frame has them."""
        metadata: Mapping[str, Any] = self._camera.capture_metadata(wait=_WAIT_S)
        white = metadata.get("ColourGains")
        return CameraLock(
            metadata.get("ExposureTime"),
            metadata.get("AnalogueGain"),
            tuple(float(gain) for gain in white) if white else None,
            metadata.get("LensPosition") if "LensPosition" in self._camera.camera_controls else None,
        )

    def lock(self, lock: CameraLock) -> None:
        """Hold these values; newer libcameras want to be told the mode of each, older ones that automatics are off."""
        controls: dict[str, Any] = {}
        if lock.exposure is not None:
            controls |= {"ExposureTimeMode": _MANUAL, "ExposureTime": round(lock.exposure)}
        if lock.gain is not None:
            controls |= {"AnalogueGainMode": _MANUAL, "AnalogueGain": lock.gain}
        if lock.exposure is not None and lock.gain is not None and not self._has_control("ExposureTimeMode"):
            controls["AeEnable"] = False
        if lock.white is not None:
            if len(lock.white) != 2:
                raise DeviceError(
                    "A camera module's white balance is a red and a blue gain: write camera.white = "
                    "[1.8, 1.6] in the settings, or leave it out."
                )
            controls |= {"AwbEnable": False, "ColourGains": lock.white}
        if lock.focus is not None:
            controls |= {"AfMode": _AF_MANUAL, "LensPosition": lock.focus}
        self._camera.set_controls(self._keep_known(controls))

    def unlock(self) -> None:
        """Let exposure, white balance and focus find themselves again."""
        controls: dict[str, Any] = {"AwbEnable": True, "AfMode": _AF_CONTINUOUS}
        if self._has_control("ExposureTimeMode"):
            controls |= {"ExposureTimeMode": _AUTO, "AnalogueGainMode": _AUTO}
        else:
            controls |= {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0}
        self._camera.set_controls(self._keep_known(controls))

    def close(self) -> None:
        """Let go of the camera; picamera2 ignores a second call by itself."""
        self._camera.close()

    def _has_control(self, control: str) -> bool:
        return control in self._camera.camera_controls

    def _keep_known(self, controls: Mapping[str, Any]) -> dict[str, Any]:
        """Those of these controls that this sensor and this libcamera have; picamera2 raises on any other."""
        return {name: value for name, value in controls.items() if self._has_control(name)}
