"""A picture that a phone has sent, read where it can do no harm."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from device.errors import DeviceError
from device.hardware.camera import Picture
from rules.text import Text
from vision.picture import MAX_PIXELS, read_picture_bytes


def read_sent(path: Path, name: str) -> Picture:
    """Read the picture in a file, (h, w, 3) BGR uint8; ``name`` is what the phone calls it.

    Raises:
        DeviceError: it has too many pixels.
        VisionError: it is no picture that can be read.
    """
    _refuse_too_large(path, name)
    return read_picture_bytes(path.read_bytes(), name)


def _refuse_too_large(path: Path, name: str) -> None:
    """Refuse a picture of too many pixels before anything of it is decoded."""
    try:
        with Image.open(path) as image:
            width, height = image.size
    except Exception:
        return  # what is no picture is said by whoever reads it
    if width * height > MAX_PIXELS:
        raise DeviceError(
            Text(
                "{name} is far too large ({width} × {height}); use a picture from the camera.",
                name=name,
                width=width,
                height=height,
            )
        )
