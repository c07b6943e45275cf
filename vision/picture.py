"""Pictures from files and bytes, whole or not at all.

Decoders fill what a file lacks with grey or with what lay there before, and say so at most in a warning. Here a picture
of which anything had to be skipped is an error, never a picture with invisible cards.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np
from PIL import ExifTags, Image, UnidentifiedImageError
from PIL.WebPImagePlugin import WebPImageFile
from simplejpeg import decode_jpeg, decode_jpeg_header

from rules.text import Text
from vision.arrays import Picture
from vision.errors import PictureError

MIN_SIDE_PX = 480
"""Below this no marker code, let alone a card's index, can be read."""
MAX_PIXELS = 120_000_000
"""Above this decoding takes all the memory of a small computer; a JPEG is decoded at half its size then, up to four
times as many pixels, and what is larger still is no camera's picture."""
_BAND_ROWS = 128
_MOST_BYTES = 300_000_000
_JPEG = b"\xff\xd8"
_FORMATS = ("PNG", WebPImageFile.format, "BMP", "PPM")
"""What cameras and telephones make beside JPEG, and programs make of that."""
_HEIF = "HEIF"
_NAMED: Mapping[str, bytes] = {
    "HEIC": rb".{4}ftyp(hei[cmsx]|hev[cx]|mif1|msf1)",
    "AVIF": rb".{4}ftypavi[fs]",
    "TIFF": rb"II\*\0|MM\0\*",
    "JPEG 2000": rb"\0\0\0\x0cjP  |\xff\x4f\xff\x51",
    "JPEG XL": rb"\0\0\0\x0cJXL |\xff\x0a",
    "GIF": rb"GIF8",
    "lossless WebP": rb"RIFF.{4}WEBP(VP8X.{0,4000}?)?VP8L",
}
"""What other pictures begin with. Only HEIC comes from telephones as it is; the others' decoders show garbage for
what is damaged in them, and say nothing: of 25 lossless WebP pictures with a bit turned one was scored wrong."""
Image.MAX_IMAGE_PIXELS = None  # a picture's size is held against MAX_PIXELS before it is decoded


def load_picture(path: Path | str, min_side_px: int = MIN_SIDE_PX) -> Picture:
    """Read a picture file, turned upright as its EXIF orientation says; (h, w, 3) uint8, blue green red.

    Raises:
        PictureError: no such file, a folder, no picture, a picture cut short, or one too small to read.
    """
    name = str(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise PictureError(Text("{name}: there is no such file; check the name.", name=name)) from None
    except IsADirectoryError:
        raise PictureError(Text("{name} is a folder; name a picture file.", name=name)) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PictureError(
            Text(
                "{name}: the file can't be read ({reason}); check its permissions and the disk.",
                name=name,
                reason=reason,
            )
        ) from error
    if len(data) > _MOST_BYTES:
        raise PictureError(Text("{name} is far too large; use a picture from the camera.", name=name))
    return read_picture_bytes(data, name, min_side_px)


def read_picture_bytes(data: bytes, name: str = "picture", min_side_px: int = MIN_SIDE_PX) -> Picture:
    """Decode a picture held in memory (JPEG, PNG, WebP, BMP, PPM); see ``load_picture``.

    HEIC, as telephones keep it, needs the package ``pillow-heif`` beside.

    ``name`` is what error sentences call it.

    Raises:
        PictureError: no picture, one that is damaged or cut short, or one too small to read.
    """
    if not data:
        raise PictureError(Text("{name} is empty; take the picture again.", name=name))
    try:
        with warnings.catch_warnings(action="ignore"):
            picture = _decode_jpeg(data, name) if data.startswith(_JPEG) else _decode_other(data, name)
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError(
            Text("{name} is not a picture; use a JPEG or PNG file from the camera.", name=name)
        ) from None
    except MemoryError as error:
        raise PictureError(
            Text("{name} is too large for this computer's memory; use a smaller picture.", name=name)
        ) from error
    except Exception as error:  # decoders raise whatever a damaged file leads them to
        raise PictureError(
            Text("{name} is damaged or only half written; copy it or take the picture again.", name=name)
        ) from error
    height, width = picture.shape[:2]
    if min(height, width) < min_side_px:
        raise PictureError(
            Text(
                "{name} is too small to read ({width} × {height}); the shorter side needs {min_side_px} "
                "pixels or more.",
                name=name,
                width=width,
                height=height,
                min_side_px=min_side_px,
            )
        )
    return picture


def _decode_jpeg(data: bytes, name: str) -> Picture:
    """Decode a JPEG's pixels; one that is too large comes at half its size.

    Raises:
        PictureError: it is larger still.
        ValueError: the decoder had to skip something, or the picture ends early.
    """
    height, width, *_ = decode_jpeg_header(data)
    _check_size(width, height, name, 4 * MAX_PIXELS)
    least = height if height * width <= MAX_PIXELS else height // 2
    picture = decode_jpeg(data, "BGR", min_height=least)
    with Image.open(io.BytesIO(data), formats=("JPEG",)) as image:
        return turn_upright(picture, image)


def _decode_other(data: bytes, name: str) -> Picture:
    """Decode the pixels of a picture that is no JPEG."""
    formats = _list_formats(data, name)
    with Image.open(io.BytesIO(data), formats=formats) as image:
        _check_size(image.width, image.height, name, MAX_PIXELS)
        image.verify()
    with Image.open(io.BytesIO(data), formats=formats) as image:  # after it was verified nothing can be loaded
        image.load()
        return turn_upright(_copy_pixels(image), image)


def _check_size(width: int, height: int, name: str, most: int) -> None:
    """Refuse a picture of more pixels than that."""
    if width * height > most:
        raise PictureError(
            Text(
                "{name} is far too large ({width} × {height}); use a picture from the camera.",
                name=name,
                width=width,
                height=height,
            )
        )


def turn_upright(picture: Picture, image: Image.Image) -> Picture:
    """Turn the picture as the camera was held, as its Exif orientation says."""
    held = image.getexif().get(ExifTags.Base.Orientation, 1)
    if held not in range(2, 9):
        return picture
    if held >= 5:
        picture = picture.swapaxes(0, 1)
    across, down = (slice(None, None, -1 if held % 4 in flipped else 1) for flipped in ((2, 3), (3, 0)))
    return np.ascontiguousarray(picture[down, across])


def _list_formats(data: bytes, name: str) -> tuple[str, ...]:
    """List the formats the bytes may be read as; Pillow learns to read HEIC where they are such a picture.

    Raises:
        PictureError: it is such a picture and nothing here reads it, or one that is never read.
    """
    kind = next((kind for kind, begins in _NAMED.items() if re.match(begins, data, re.DOTALL)), None)
    if kind is None:
        return _FORMATS
    if kind != "HEIC":
        raise PictureError(
            Text("{name} is {kind!a} picture, which can't be read: save it as JPEG or PNG.", name=name, kind=kind)
        )
    try:
        import_module("pillow_heif").register_heif_opener()
    except ImportError as error:
        raise PictureError(
            Text(
                "{name} is a HEIC picture: install the package pillow-heif ('pip install sevenmat[heic]'), "
                "or save it as JPEG.",
                name=name,
            )
        ) from error
    return (_HEIF,)


def _copy_pixels(image: Image.Image) -> Picture:
    """Copy a decoded image's pixels, band by band: a second and third copy of the whole would be large."""
    if image.mode.startswith("I"):  # grey of 16 bits, which Pillow would cut off at 255
        image = image.point(lambda value: value * (1 / 256)).convert("L")
    picture = np.empty((image.height, image.width, 3), np.uint8)
    for top in range(0, image.height, _BAND_ROWS):
        bottom = min(top + _BAND_ROWS, image.height)
        band = image.crop((0, top, image.width, bottom))
        cv2.cvtColor(np.asarray(band.convert("RGB")), cv2.COLOR_RGB2BGR, dst=picture[top:bottom])
    return picture
