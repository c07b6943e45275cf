"""A camera on the network: a phone with a camera app, or an IP camera, through OpenCV's FFmpeg."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from device.errors import DeviceError
from device.hardware.camera import Picture, Preview
from device.hardware.footage import preview_of
from rules.plain import shortly
from rules.text import Text

SCHEMES = ("http", "https", "rtsp")
_OPENING_MS, _READING_MS = 8000, 5000
_FRESH_S = 2.0
"""A frame that is asked for comes within this, or the camera is stalled."""


def without_password(address: str) -> str:
    """An address as it may be shown: without the name and the password that may stand in it.

    >>> without_password("rtsp://me:secret@10.0.0.9:554/main")
    'rtsp://10.0.0.9:554/main'
    """
    scheme, mark, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"


def open_stream(address: str) -> Any:
    """OpenCV's capture of a stream.

    Raises:
        DeviceError: nothing answers there, or it sends no pictures.
    """
    waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPENING_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READING_MS]
    capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, waits)
    if not capture.isOpened():
        capture.release()
        raise DeviceError(
            Text(
                "The camera at {address} can't be reached: check its address, and that it is on and in this network.",
                address=shortly(without_password(address)),
            )
        )
    return capture


class NetworkCamera:
    """Sees the newest frame of a stream: what comes while nobody asks is thrown away, so nothing old is looked at."""

    def __init__(self, address: str, opener: Callable[[str], Any] = open_stream) -> None:
        self._capture = opener(address)
        self._news = threading.Condition()
        self._frame: Picture | None = None
        self._number = 0
        self._ended = False
        self._thread = threading.Thread(target=self._follow, name="stream", daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        """Take every frame; only the newest is kept."""
        while not self._ended:
            came, frame = self._capture.read()
            with self._news:
                self._ended = self._ended or not came
                if came:
                    self._frame, self._number = np.asarray(frame, np.uint8), self._number + 1
                self._news.notify_all()
        self._capture.release()

    def preview(self) -> Preview:
        """The newest frame, small and grey."""
        return preview_of(self._newest())

    def picture(self) -> Picture:
        """A frame that was taken after it was asked for."""
        return self._newest(2)

    def close(self) -> None:
        """Let go of the stream; closing twice does no harm."""
        self._ended = True

    def _newest(self, later: int = 1) -> Picture:
        """The frame that comes as the next, or so many frames from now.

        Raises:
            TimeoutError: none comes: the stream has ended or is frozen.
        """
        with self._news:
            wanted = self._number + later
            came = self._news.wait_for(lambda: self._number >= wanted or self._ended, _FRESH_S)
            if not came or self._ended or self._frame is None:
                raise TimeoutError("the stream sends no frame")
            return self._frame
