"""Cameras that look at what was taken before: a folder of pictures, or a video file."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from device.errors import DeviceError
from device.hardware.camera import Picture, Preview, preview_of
from vision.picture import load_picture

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
_EACH_S = 10.0


class FolderCamera:
    """Sees a folder's pictures by name, each for ``each_s`` seconds; the last one stays.

    Raises:
        DeviceError: there is no such folder, or no picture in it.
        PictureError: from the looks, where a file is no whole picture.
    """

    def __init__(self, folder: Path, each_s: float = _EACH_S, clock: Callable[[], float] = time.monotonic) -> None:
        if not folder.is_dir():
            raise DeviceError("There is no folder {folder}.", folder=folder)
        self._files = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
        if not self._files:
            raise DeviceError("There are no pictures in {folder}.", folder=folder)
        self._each_s, self._clock = each_s, clock
        self._began_s = clock()
        self._shown: Path | None = None

    def take_preview(self) -> Preview:
        """Return the picture of this moment, small and grey."""
        self._turn()
        return self._small

    def take_picture(self) -> Picture:
        """Return the picture of this moment."""
        self._turn()
        return self._picture

    def close(self) -> None:
        """Nothing to let go of."""

    def _turn(self) -> None:
        number = int((self._clock() - self._began_s) / self._each_s)
        file = self._files[min(number, len(self._files) - 1)]
        if file != self._shown:
            self._picture = load_picture(file)
            self._small = preview_of(self._picture)
            self._shown = file


class VideoCamera:
    """Sees a video file at the speed at which it was taken; its last frame stays.

    Raises:
        DeviceError: there is no such file, or no video in it.
    """

    def __init__(self, file: Path, clock: Callable[[], float] = time.monotonic) -> None:
        if not file.is_file():
            raise DeviceError("There is no file {file}.", file=file)
        self._capture = cv2.VideoCapture(str(file))
        self._per_s = self._capture.get(cv2.CAP_PROP_FPS)
        came, first = self._capture.read()
        if not came or not self._per_s > 0:
            self._capture.release()
            raise DeviceError("{file} is no video that can be read.", file=file)
        self._frame = np.asarray(first, np.uint8)
        self._clock = clock
        self._began_s = clock()
        self._number = 0
        self._over = False

    def take_preview(self) -> Preview:
        """Return the frame of this moment, small and grey."""
        return preview_of(self.take_picture())

    def take_picture(self) -> Picture:
        """Return the frame of this moment."""
        wanted = int((self._clock() - self._began_s) * self._per_s)
        while self._number < wanted and not self._over:
            came, frame = self._capture.read()
            self._over = not came
            self._number += 1
            if came:
                self._frame = np.asarray(frame, np.uint8)
        return self._frame

    def close(self) -> None:
        """Close the file; closing twice does no harm."""
        self._capture.release()
