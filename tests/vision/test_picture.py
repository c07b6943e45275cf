import io
import re
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from tests.words import en, ja
from vision.errors import PictureError, VisionError
from vision.picture import load_picture, read_picture_bytes


@pytest.fixture(scope="module")
def scene() -> np.ndarray:
    """Draw a picture with structure everywhere, blue green red, wider than high."""
    random = np.random.default_rng(5)
    coarse = random.integers(0, 256, (30, 40, 3), np.uint8)
    return cv2.resize(coarse, (800, 600), interpolation=cv2.INTER_CUBIC)


def jpeg_bytes(picture: np.ndarray, orientation: int | None = None) -> bytes:
    image = Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1]))
    out = io.BytesIO()
    exif = Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    image.save(out, "JPEG", quality=95, exif=exif)
    return out.getvalue()


def test_a_jpeg_comes_as_blue_green_red(tmp_path: Path, scene: np.ndarray) -> None:
    path = tmp_path / "table.jpg"
    path.write_bytes(jpeg_bytes(scene))
    picture = load_picture(path)
    assert picture.shape == (600, 800, 3)
    assert picture.dtype == np.uint8
    assert np.abs(picture.astype(int) - scene).mean() < 3


def test_a_png_comes_exactly(scene: np.ndarray) -> None:
    ok, data = cv2.imencode(".png", scene)
    assert ok
    assert np.array_equal(read_picture_bytes(data.tobytes()), scene)


def test_grey_and_alpha_pictures_get_three_channels() -> None:
    for mode in ("L", "RGBA", "P"):
        out = io.BytesIO()
        Image.new(mode, (640, 480)).save(out, "PNG")
        assert read_picture_bytes(out.getvalue()).shape == (480, 640, 3)


@pytest.mark.few(6)
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(10))
def test_exif_orientation_is_honoured(scene: np.ndarray, orientation: int, form: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = told(scene, form, exif=exif)
    upright = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB"))[..., ::-1]
    assert np.array_equal(read_picture_bytes(data), upright)


def test_an_exif_orientation_that_is_none_and_damaged_exif_stop_nobody(
    scene: np.ndarray, recwarn: pytest.WarningsRecorder
) -> None:
    begins = b"Exif\0\0MM\0*\0\0\0\x08"
    words = begins + b"\0\1\1\x12\0\2\0\0\0\4ask\0\0\0\0\0"
    for spoilt in (words, begins + b"\0\x09\1\x12\0\3\xff\xff\xff\xff", begins[:8]):
        assert read_picture_bytes(told(scene, exif=spoilt)).shape == scene.shape
    assert not recwarn.list


def test_a_telephone_s_picture_with_a_second_one_behind_it_is_read(scene: np.ndarray) -> None:
    small = Image.fromarray(scene[::2, ::2])
    assert np.array_equal(
        read_picture_bytes(told(scene, "MPO", save_all=True, append_images=[small])), read_picture_bytes(told(scene))
    )


def test_a_missing_file_a_folder_and_an_empty_file_each_say_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no such file"):
        load_picture(tmp_path / "nowhere.jpg")
    with pytest.raises(PictureError, match="is a folder"):
        load_picture(tmp_path)
    (tmp_path / "empty.jpg").touch()
    with pytest.raises(PictureError, match="is empty"):
        load_picture(tmp_path / "empty.jpg")


def test_a_text_file_named_jpg_is_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "notes.jpg"
    path.write_text("seven of hearts\n" * 100)
    with pytest.raises(PictureError, match="not a picture") as caught:
        load_picture(path)
    assert "画像ではありません" in ja(caught.value)
    assert "notes.jpg" in ja(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_a_half_written_jpeg_is_refused_though_opencv_would_show_it_grey(scene: np.ndarray, share: float) -> None:
    data = jpeg_bytes(scene)
    with pytest.raises(PictureError, match="half written"):
        read_picture_bytes(data[: int(len(data) * share)])


def test_a_jpeg_without_its_last_bytes_is_refused(scene: np.ndarray) -> None:
    data = jpeg_bytes(scene)
    assert read_picture_bytes(data).shape == scene.shape
    with pytest.raises(PictureError):
        read_picture_bytes(data[:-2])


def test_a_half_written_png_is_refused(scene: np.ndarray) -> None:
    data = cv2.imencode(".png", scene)[1].tobytes()
    with pytest.raises(PictureError):
        read_picture_bytes(data[: len(data) // 2])


def test_a_picture_too_small_to_read_says_its_size(scene: np.ndarray) -> None:
    small = np.ascontiguousarray(scene[:300, :400])
    with pytest.raises(PictureError, match="400 × 300"):
        read_picture_bytes(jpeg_bytes(small))
    assert read_picture_bytes(jpeg_bytes(small), min_side_px=100).shape == (300, 400, 3)


def test_errors_of_vision_have_one_base_and_two_languages(tmp_path: Path) -> None:
    with pytest.raises(VisionError) as caught:
        load_picture(tmp_path / "nowhere.jpg")
    assert str(caught.value) == en(caught.value)
    assert "ありません" in ja(caught.value)


def test_a_file_that_never_ends_is_read_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.picture._MOST_BYTES", 1_000_000)
    with pytest.raises(PictureError, match="far too large"):
        load_picture(Path("/dev/zero"))


@pytest.mark.parametrize("side", [10_000, 14_000, 60_000, 2**31 - 1])
def test_a_size_that_is_only_claimed_is_said_once_and_in_one_sentence(
    scene: np.ndarray, side: int, recwarn: pytest.WarningsRecorder
) -> None:
    data = cv2.imencode(".png", scene)[1].tobytes()
    head = data[12:16] + side.to_bytes(4) * 2 + data[24:29]
    with pytest.raises(PictureError, match=r"far too large|half written"):
        read_picture_bytes(data[:12] + head + zlib.crc32(head).to_bytes(4) + data[33:])
    assert not recwarn.list


def told(scene: np.ndarray, form: str = "JPEG", mode: str = "RGB", **how: Any) -> bytes:
    """Write the scene as a file."""
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(scene[:, :, ::-1])).convert(mode).save(out, form, **how)
    return out.getvalue()


JPEGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "a restart marker each row": {"restart_marker_rows": 1},
    "a restart marker every ten blocks, as webcams have them": {"restart_marker_blocks": 10},
    "progressive": {"progressive": True},
    "no less colour": {"subsampling": 0},
    "grey": {"mode": "L"},
    "CMYK": {"mode": "CMYK"},
}


@pytest.mark.few(3)
@pytest.mark.parametrize("how", JPEGS.values(), ids=JPEGS)
def test_a_whole_jpeg_of_any_kind_is_read_whatever_follows_it(scene: np.ndarray, how: dict[str, Any]) -> None:
    data = told(scene, quality=90, comment=b"a table", **how)
    plain = read_picture_bytes(data)
    wanted = cv2.imdecode(np.frombuffer(told(scene, "PNG", how.get("mode", "RGB").replace("CMYK", "RGB")), np.uint8), 1)
    assert np.abs(plain.astype(int) - wanted).mean() < 6
    # bytes that fill a webcam's buffer, a telephone's second picture, and its film
    for more in (bytes(5000), data, b"MotionPhoto_Data" + bytes(range(256)) * 20):
        assert np.array_equal(read_picture_bytes(data + more), plain)


def scan_of(data: bytes) -> int:
    """Where a JPEG's coded picture begins."""
    at = data.index(b"\xff\xda")
    return at + 2 + int.from_bytes(data[at + 2 : at + 4])


def lost(data: bytes, at: int, count: int) -> bytes:
    return data[:at] + data[at + count :]


def zeroed(data: bytes, at: int, count: int) -> bytes:
    return data[:at] + bytes(count) + data[at + count :]


def doubled(data: bytes, at: int, count: int) -> bytes:
    return data[: at + count] + data[at:]


@pytest.mark.few(16)
@pytest.mark.parametrize("how", JPEGS.values(), ids=JPEGS)
@pytest.mark.parametrize("spoilt", [lost, zeroed, doubled])
@pytest.mark.parametrize("share", [0.01, 0.4, 0.9])
def test_a_jpeg_of_which_the_decoder_has_to_skip_something_is_refused(
    scene: np.ndarray, how: dict[str, Any], spoilt: Callable[[bytes, int, int], bytes], share: float
) -> None:
    data = told(scene, quality=90, **how)
    at = scan_of(data) + int(share * (len(data) - scan_of(data)))
    with pytest.raises(PictureError, match="damaged"):
        read_picture_bytes(spoilt(data, at, 512))


@pytest.mark.parametrize("how", ["restart_marker_rows", "restart_marker_blocks"])
def test_a_jpeg_with_a_restart_marker_lost_turned_or_out_of_its_turn_is_refused(scene: np.ndarray, how: str) -> None:
    data = told(scene, quality=90, **{how: 1})
    markers = [found.start() for found in re.finditer(rb"\xff[\xd0-\xd7]", data)]
    for first in (markers[0], markers[11], markers[-1]):
        after = next((marker for marker in markers if marker > first), len(data) - 2)
        eighth = markers[min(markers.index(first) + 8, len(markers) - 1)]
        for spoilt in (
            lost(data, first, 2),
            lost(data, first, after - first),
            lost(data, first, eighth - first),
            doubled(data, first, after - first),
            data[: first + 1] + bytes((data[first + 1] ^ 5,)) + data[first + 2 :],
        ):
            if spoilt != data:
                with pytest.raises(PictureError, match="damaged"):
                    read_picture_bytes(spoilt)


def test_a_png_with_any_bit_turned_is_refused(scene: np.ndarray) -> None:
    data = told(scene, "PNG")
    random = np.random.default_rng(8)
    end = len(data) - 12  # the chunk that ends a PNG says nothing
    for at in (*random.integers(8, end, 60), *range(end - 20, end)):
        with pytest.raises(PictureError):
            read_picture_bytes(data[:at] + bytes((data[at] ^ 1 << int(random.integers(8)),)) + data[at + 1 :])


@pytest.mark.parametrize("form", [".png", ".pgm"])
def test_a_grey_picture_of_16_bits_is_read(scene: np.ndarray, form: str) -> None:
    grey = scene[:, :, 1]
    written = cv2.imencode(form, grey.astype(np.uint16) * 257)[1].tobytes()
    assert np.array_equal(read_picture_bytes(written), np.repeat(grey[:, :, None], 3, axis=2))


def test_a_jpeg_too_large_for_small_computers_is_read_at_half_its_size(
    scene: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = cv2.resize(scene, (400, 300), interpolation=cv2.INTER_AREA)
    for most, shape in ((479_999, (300, 400, 3)), (120_000, (300, 400, 3)), (480_000, scene.shape)):
        monkeypatch.setattr("vision.picture.MAX_PIXELS", most)
        picture = read_picture_bytes(jpeg_bytes(scene), min_side_px=100)
        assert picture.shape == shape
        assert np.abs(picture.astype(int) - (half if shape != scene.shape else scene)).mean() < 3
    assert read_picture_bytes(jpeg_bytes(scene, 6), min_side_px=100).shape == (800, 600, 3)
    monkeypatch.setattr("vision.picture.MAX_PIXELS", 119_999)
    with pytest.raises(PictureError, match="far too large"):
        read_picture_bytes(jpeg_bytes(scene), min_side_px=100)


@pytest.mark.parametrize(
    ("begins", "words"),
    [
        (b"\0\0\0\x1cftypavif\0\0\0\0", "an AVIF picture"),
        (b"II*\0\x08\0\0\0", "a TIFF picture"),
        (b"MM\0*\0\0\0\x08", "a TIFF picture"),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "a JPEG 2000 picture"),
        (b"\xff\x4f\xff\x51", "a JPEG 2000 picture"),
        (b"\xff\x0a\x12\x34", "a JPEG XL picture"),
    ],
)
def test_a_picture_that_nothing_reads_is_called_what_it_is(begins: bytes, words: str) -> None:
    with pytest.raises(PictureError, match=f"is {words}, which can't be read: save it as JPEG or PNG") as caught:
        read_picture_bytes(begins + bytes(400))
    assert words.split(" ", 1)[1].removesuffix(" picture") in ja(caught.value)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("form", "how", "words"),
    [
        ("GIF", {}, "a GIF picture"),
        ("WEBP", {"lossless": True}, "a lossless WebP picture"),
        ("WEBP", {"lossless": True, "exif": b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0"}, "a lossless WebP picture"),
    ],
)
def test_a_form_that_hides_its_damage_is_not_read(
    scene: np.ndarray, form: str, how: dict[str, Any], words: str
) -> None:
    with pytest.raises(PictureError, match=f"is {words}, which can't be read: save it as JPEG or PNG"):
        read_picture_bytes(told(scene, form, **how))
    assert read_picture_bytes(told(scene, "WEBP", quality=90)).shape == scene.shape


@pytest.mark.parametrize("form", ["EPS", "PDF", "DDS"])
def test_formats_that_no_camera_writes_are_not_opened(scene: np.ndarray, form: str) -> None:
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(scene[:, :, ::-1])).save(out, form)
    with pytest.raises(PictureError, match="not a picture"):
        read_picture_bytes(out.getvalue())


def test_a_heic_picture_says_what_reads_it(scene: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(PictureError, match="is a HEIC picture: install the package pillow-heif") as caught:
        read_picture_bytes(b"\0\0\0\x24ftypheic\0\0\0\0mif1heic" + bytes(400), "table.heic")
    assert "pillow-heif" in ja(caught.value)


@pytest.mark.slow  # test_exif_orientation_is_honoured
def test_a_heic_picture_is_read_upright(scene: np.ndarray) -> None:
    heif = pytest.importorskip("pillow_heif", reason="the extra heic is not installed")
    for orientation, turn in ((1, 0), (6, -1), (3, 2)):
        exif = Image.Exif()
        exif[0x0112] = orientation
        out = io.BytesIO()
        picture = heif.from_pillow(Image.fromarray(np.ascontiguousarray(scene[:, :, ::-1])))
        picture.save(out, quality=95, exif=exif.tobytes())
        upright = np.rot90(scene, turn)
        read = read_picture_bytes(out.getvalue())
        assert read.shape == upright.shape
        assert np.abs(read.astype(int) - upright).mean() < 4
        with pytest.raises(PictureError, match=r"half written|not a picture"):
            read_picture_bytes(out.getvalue()[: len(out.getvalue()) // 2])


def test_a_picture_of_200_megapixels_is_refused_before_it_is_decoded() -> None:
    out = io.BytesIO()
    Image.new("1", (16_320, 12_240)).save(out, "PNG")
    with pytest.raises(PictureError, match="far too large"):
        read_picture_bytes(out.getvalue())
