"""Pictures from files and bytes, whole or not at all.

OpenCV fills the missing part of a half-written JPEG with grey and says nothing, so pictures are first decoded
strictly: a truncated file is an error, never a picture with invisible cards.
"""

from __future__ import annotations

import io
import warnings
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError
from PIL.WebPImagePlugin import WebPImageFile

from vision.arrays import Picture
from vision.errors import PictureError

MIN_SIDE_PX = 480
"""Below this no marker code, let alone a card's index, can be read."""
MAX_PIXELS = 120_000_000
"""Above this the file is no camera's picture, and decoding it would take all the memory of a small computer."""
_BAND_ROWS = 128
_MOST_BYTES = 300_000_000
_FORMATS = ("JPEG", "PNG", WebPImageFile.format, "BMP", "GIF", "PPM")
"""What cameras and telephones make, and programs make of that. Pillow reads more, some of it by way of other programs,
and of a damaged TIFF its library complains on standard error by itself."""
_HEIF = "HEIF"
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
"""What a HEIC file, or another of its kind, begins with after its size and ``ftyp``."""
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
        raise PictureError(
            f"{name}: there is no such file; check the name.",
            f"{name}：ファイルがありません。名前を確かめてください。",
        ) from None
    except IsADirectoryError:
        raise PictureError(
            f"{name} is a folder; name a picture file.",
            f"{name} はフォルダーです。画像ファイルを指定してください。",
        ) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PictureError(
            f"{name}: the file can't be read ({reason}); check its permissions and the disk.",
            f"{name}：ファイルを読めません（{reason}）。権限とディスクを確かめてください。",
        ) from error
    if len(data) > _MOST_BYTES:
        raise PictureError(
            f"{name} is far too large; use a picture from the camera.",
            f"{name} は大きすぎます。カメラの画像を使ってください。",
        )
    return read_picture_bytes(data, name, min_side_px)


def read_picture_bytes(data: bytes, name: str = "picture", min_side_px: int = MIN_SIDE_PX) -> Picture:
    """Decode a picture held in memory (JPEG, PNG, WebP, BMP, GIF, PPM); see ``load_picture``.

    HEIC, as telephones keep it, needs the package ``pillow-heif`` beside.

    ``name`` is what error sentences call it.

    Raises:
        PictureError: no picture, a picture cut short, or one too small to read.
    """
    if not data:
        raise PictureError(
            f"{name} is empty; take the picture again.",
            f"{name} は空です。もう一度撮影してください。",
        )
    formats = _formats(data, name)
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(data), formats=formats) as image:
            if image.width * image.height > MAX_PIXELS:
                raise PictureError(
                    f"{name} is far too large ({image.width} × {image.height}); use a picture from the camera.",
                    f"{name} は大きすぎます（{image.width} × {image.height}）。カメラの画像を使ってください。",
                )
            image.load()  # strict: raises on a picture that ends early
            ImageOps.exif_transpose(image, in_place=True)
            picture = _pixels(image)
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError(
            f"{name} is not a picture; use a JPEG or PNG file from the camera.",
            f"{name} は画像ではありません。カメラのJPEGまたはPNGファイルを使ってください。",
        ) from None
    except MemoryError as error:
        raise PictureError(
            f"{name} is too large for this computer's memory; use a smaller picture.",
            f"{name} はこのコンピューターのメモリーに入りません。もっと小さい画像を使ってください。",
        ) from error
    except Exception as error:  # Pillow raises whatever a damaged file leads it to
        raise PictureError(
            f"{name} is damaged or only half written; copy it or take the picture again.",
            f"{name} は壊れているか、途中までしか書かれていません。コピーし直すか、もう一度撮影してください。",
        ) from error
    height, width = picture.shape[:2]
    if min(height, width) < min_side_px:
        raise PictureError(
            f"{name} is too small to read ({width} × {height}); the shorter side needs {min_side_px} pixels or more.",
            f"{name} は小さすぎて読めません（{width} × {height}）。短辺に{min_side_px}画素以上必要です。",
        )
    return picture


def _formats(data: bytes, name: str) -> tuple[str, ...]:
    """What the bytes may be read as; Pillow learns to read HEIC where they are such a picture.

    Raises:
        PictureError: it is such a picture, and nothing here reads it.
    """
    if data[4:8] != b"ftyp" or data[8:12] not in _HEIF_BRANDS:
        return _FORMATS
    try:
        import_module("pillow_heif").register_heif_opener()
    except ImportError as error:
        raise PictureError(
            f"{name} is a HEIC picture: install the package pillow-heif ('pip install sevenmat[heic]'), or save it as "
            "JPEG.",
            f"{name} はHEIC画像です。pillow-heifをインストールする（「pip install sevenmat[heic]」）か、"
            "JPEGで保存してください。",
        ) from error
    return (_HEIF,)


def _pixels(image: Image.Image) -> Picture:
    """A decoded image's pixels, taken over band by band: a second and third copy of the whole would be large."""
    picture = np.empty((image.height, image.width, 3), np.uint8)
    for top in range(0, image.height, _BAND_ROWS):
        bottom = min(top + _BAND_ROWS, image.height)
        band = image.crop((0, top, image.width, bottom))
        cv2.cvtColor(np.asarray(band.convert("RGB")), cv2.COLOR_RGB2BGR, dst=picture[top:bottom])
    return picture
