import io
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.errors import PictureError, VisionError
from vision.picture import load_picture, read_picture_bytes


@pytest.fixture(scope="module")
def scene() -> np.ndarray:
    """A picture with structure everywhere, blue green red, wider than high."""
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


@pytest.mark.parametrize(("orientation", "turn"), [(3, 2), (6, -1), (8, 1)])
def test_exif_orientation_is_honoured(scene: np.ndarray, orientation: int, turn: int) -> None:
    picture = read_picture_bytes(jpeg_bytes(scene, orientation))
    upright = np.rot90(scene, turn)
    assert picture.shape == upright.shape
    assert np.abs(picture.astype(int) - upright).mean() < 3


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
    assert "画像ではありません" in caught.value.ja
    assert "notes.jpg" in caught.value.ja
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
    assert str(caught.value) == caught.value.en
    assert "ありません" in caught.value.ja


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


@pytest.mark.parametrize("form", ["EPS", "PDF", "TIFF", "DDS"])
def test_formats_that_no_camera_writes_are_not_opened(scene: np.ndarray, form: str) -> None:
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(scene[:, :, ::-1])).save(out, form)
    with pytest.raises(PictureError, match="not a picture"):
        read_picture_bytes(out.getvalue())


def test_a_heic_picture_says_what_reads_it(scene: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(PictureError, match="is a HEIC picture: install the package pillow-heif") as caught:
        read_picture_bytes(b"\0\0\0\x24ftypheic\0\0\0\0mif1heic" + bytes(400), "table.heic")
    assert "pillow-heif" in caught.value.ja


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
