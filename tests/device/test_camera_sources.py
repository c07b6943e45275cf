"""USB cameras, folders and videos as cameras, and which of all is chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from cli.run import make_simulated_camera
from device.errors import DeviceError
from device.hardware.camera import CameraLock, LockableCamera
from device.hardware.cameras import FoundCameras, choose_camera, look_for_cameras
from device.hardware.footage import FolderCamera, VideoCamera
from device.hardware.usb import UsbCamera, open_capture
from referee.layout import REFERENCE_MAT_MM
from rules.text import Language, Text
from vision.errors import PictureError

MJPG = float(cv2.VideoWriter.fourcc(*"MJPG"))


def scene(size: tuple[int, int], level: float) -> Any:
    """Return a picture with some noise, blue on its left side, whose mean is near the level."""
    width, height = size
    picture = np.random.default_rng(3).normal(level, 8, (height, width, 3))
    picture[:, : width // 2, 0] += 25
    return np.clip(picture, 0, 255).astype(np.uint8)


class Capture:
    """OpenCV's capture of a webcam that tells, as many do, an exposure of long ago while it exposes by itself."""

    def __init__(self, size: tuple[int, int] = (1280, 960), sends_jpeg: bool = True) -> None:
        self.size, self.sends_jpeg = size, sends_jpeg
        self.set_to: dict[int, float] = {cv2.CAP_PROP_AUTO_EXPOSURE: 3}
        self.right_exposure = 400.0
        self.released = 0
        self.grabs = 0
        self.gone = False
        self.on_its_way: Callable[[bytes], bytes] = bytes

    def set(self, prop: int, value: float) -> bool:
        if prop == cv2.CAP_PROP_FOURCC and not self.sends_jpeg:
            return False
        self.set_to[prop] = value
        return prop != cv2.CAP_PROP_FOCUS

    def get(self, prop: int) -> float:
        if prop == cv2.CAP_PROP_FOURCC:
            return MJPG if self.sends_jpeg else 0.0
        told = {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_GAIN: 12.0, cv2.CAP_PROP_WB_TEMPERATURE: 4200.0}
        return told.get(prop, -1.0)

    def grab(self) -> bool:
        self.grabs += 1
        return not self.gone

    def read(self) -> tuple[bool, Any]:
        if self.gone:
            return False, None
        manual = self.set_to[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
        exposure = self.set_to.get(cv2.CAP_PROP_EXPOSURE, 157.0) if manual else self.right_exposure
        picture = scene(self.size, min(235.0, 100 * exposure / self.right_exposure))
        if not self.set_to.get(cv2.CAP_PROP_CONVERT_RGB, 1) and self.sends_jpeg:
            data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_RST_INTERVAL, 10))[1].tobytes()
            return True, np.frombuffer(self.on_its_way(data), np.uint8).reshape(1, -1)
        return True, picture

    def release(self) -> None:
        self.released += 1


@pytest.mark.parametrize("sends_jpeg", [True, False], ids=["jpeg", "raw"])
def test_a_usb_camera_gives_pictures_and_previews(sends_jpeg: bool) -> None:
    capture = Capture(sends_jpeg=sends_jpeg)
    camera = UsbCamera(0, (1280, 960), lambda device: capture)
    picture = camera.take_picture()
    assert picture.shape == (960, 1280, 3)
    assert picture[:, :500, 0].mean() > picture[:, :500, 2].mean() + 15, "blue first"
    assert capture.grabs >= 2, "frames of before are thrown away"
    preview = camera.take_preview()
    assert preview.ndim == 2
    assert 300 <= preview.shape[1] <= 640
    assert preview.shape[1] / preview.shape[0] == pytest.approx(4 / 3, rel=0.01)
    assert (capture.set_to[cv2.CAP_PROP_FRAME_WIDTH], capture.set_to[cv2.CAP_PROP_BUFFERSIZE]) == (1280, 1)
    camera.close()
    camera.close()


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "on_its_way",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"\xff\xd3", b"", 1),
        lambda data: data[: len(data) // 2] + data[len(data) // 2 + 512 :],
        lambda data: data[: len(data) // 2] + bytes(512) + data[len(data) // 2 + 512 :],
    ],
    ids=["cut short", "a restart marker lost", "a packet lost", "a packet empty"],
)
def test_a_frame_cut_short_or_damaged_is_no_picture(on_its_way: Callable[[bytes], bytes]) -> None:
    capture = Capture()
    camera = UsbCamera(0, None, lambda device: capture)
    capture.on_its_way = lambda data: data + bytes(3000)
    camera.take_picture()
    camera.take_preview()
    capture.on_its_way = on_its_way
    with pytest.raises(PictureError, match="half written"):
        camera.take_picture()
    with pytest.raises(PictureError, match="no whole picture"):
        camera.take_preview()


def test_an_unplugged_usb_camera_times_out() -> None:
    capture = Capture()
    camera = UsbCamera(0, None, lambda device: capture)
    capture.gone = True
    for look in (camera.take_preview, camera.take_picture):
        with pytest.raises(TimeoutError):
            look()


def test_a_usb_camera_is_locked_as_bright_as_it_was() -> None:
    capture = Capture((640, 480))
    camera = UsbCamera(0, None, lambda device: capture)
    assert isinstance(camera, LockableCamera)
    before = camera.take_preview().mean()
    lock = camera.read_settled()
    assert lock.exposure == pytest.approx(400, rel=0.1), "as bright as the camera made it by itself, not as it told"
    assert lock == CameraLock(lock.exposure, gain=12.0, white=(4200.0,), focus=None)
    camera.lock(lock)
    held = {
        cv2.CAP_PROP_AUTO_EXPOSURE: 1,
        cv2.CAP_PROP_EXPOSURE: lock.exposure,
        cv2.CAP_PROP_AUTO_WB: 0,
        cv2.CAP_PROP_WB_TEMPERATURE: 4200,
    }
    assert {prop: capture.set_to[prop] for prop in held} == held
    assert cv2.CAP_PROP_AUTOFOCUS not in capture.set_to, "it has no focus"
    assert camera.take_preview().mean() == pytest.approx(before, rel=0.08)
    camera.unlock()
    assert capture.set_to[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


def test_a_lock_of_before_is_held_as_it_is() -> None:
    capture = Capture((640, 480))
    camera = UsbCamera(0, None, lambda device: capture)
    camera.lock(CameraLock(exposure=80.0, focus=30.0))
    assert capture.set_to[cv2.CAP_PROP_EXPOSURE] == 80.0
    assert (capture.set_to[cv2.CAP_PROP_AUTOFOCUS], capture.set_to[cv2.CAP_PROP_FOCUS]) == (0, 30.0)
    assert cv2.CAP_PROP_AUTO_WB not in capture.set_to


def test_a_module_s_white_balance_is_not_taken_for_a_webcam_s() -> None:
    camera = UsbCamera(0, None, lambda device: Capture((640, 480)))
    with pytest.raises(DeviceError, match=r"camera\.white = \[4600\]"):
        camera.lock(CameraLock(white=(1.8, 1.6)))


def test_no_such_usb_camera_is_one_sentence() -> None:
    with pytest.raises(DeviceError, match="usb:/no/such/device can't be opened"):
        open_capture("/no/such/device")


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_folder_is_seen_picture_by_picture(tmp_path: Path) -> None:
    for number, level in ((2, 160), (1, 60)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), scene((640, 480), level))
    (tmp_path / "notes.txt").write_text("no picture")
    clock = Clock()
    camera = FolderCamera(tmp_path, each_s=10, clock=clock)
    assert camera.take_picture().mean() == pytest.approx(64, abs=3)
    clock.now = 12
    assert camera.take_picture().mean() == pytest.approx(164, abs=3)
    clock.now = 500
    assert camera.take_picture().mean() == pytest.approx(164, abs=3), "the last one stays"
    assert camera.take_preview().shape == (480, 640)
    camera.close()
    camera.close()


def test_a_folder_needs_pictures(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no pictures"):
        FolderCamera(tmp_path)
    with pytest.raises(DeviceError, match="no folder"):
        FolderCamera(tmp_path / "none")
    (tmp_path / "half.jpg").write_bytes(cv2.imencode(".jpg", scene((640, 480), 90))[1].tobytes()[:9000])
    with pytest.raises(PictureError):
        FolderCamera(tmp_path).take_picture()


def test_a_video_is_seen_at_its_own_speed(tmp_path: Path) -> None:
    file = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for level in range(20, 220, 20):
        writer.write(scene((320, 240), level))
    writer.release()
    clock = Clock()
    camera = VideoCamera(file, clock)
    assert camera.take_picture().mean() == pytest.approx(25, abs=5)
    clock.now = 0.45
    assert camera.take_picture().mean() == pytest.approx(104, abs=5)
    assert camera.take_preview().shape == (240, 320)
    clock.now = 60
    assert camera.take_picture().mean() == pytest.approx(204, abs=5), "the last frame stays"
    assert camera.take_picture().mean() == pytest.approx(204, abs=5)
    camera.close()
    camera.close()


def test_a_video_must_be_one(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no file"):
        VideoCamera(tmp_path / "none.mp4")
    (tmp_path / "text.mp4").write_text("no video")
    with pytest.raises(DeviceError, match="no video"):
        VideoCamera(tmp_path / "text.mp4")


# Which one


def never() -> FoundCameras:
    raise AssertionError("a named camera needs no looking")


@pytest.mark.parametrize(
    "source", ["picamera2", "usb:1", "usb:/dev/video4", "folder:/tables", "video:a.mp4", "simulated"]
)
def test_a_named_camera_is_taken(source: str) -> None:
    choice = choose_camera(source, look=never, simulated=make_simulated_camera)
    assert choice.source == source
    assert source in str(choice.why)
    assert source in choice.why.said(Language.JA)


@pytest.mark.parametrize("source", ["webcam", "usb:", "folder:", "folder", "", "Picamera2"])
def test_no_other_name(source: str) -> None:
    with pytest.raises(DeviceError, match="name one of auto, picamera2"):
        choose_camera(source, look=never)


BOTH = FoundCameras(ribbon=("imx708",), usb=((2, "HD Webcam"), (5, "Other")))


@pytest.mark.parametrize(
    ("source", "found", "chosen", "reason"),
    [
        ("auto", BOTH, "picamera2", "imx708"),
        ("auto", FoundCameras(usb=BOTH.usb), "usb:2", "HD Webcam"),
        ("usb", BOTH, "usb:2", "HD Webcam"),
    ],
)
def test_a_camera_is_found(source: str, found: FoundCameras, chosen: str, reason: str) -> None:
    choice = choose_camera(source, look=lambda: found)
    assert choice.source == chosen
    assert reason in str(choice.why)
    assert reason in choice.why.said(Language.JA)


def test_nothing_found_is_said_with_its_cause() -> None:
    trouble = Text("picamera2 is not installed")
    with pytest.raises(DeviceError, match=r"No camera was found \(picamera2 is not installed\)"):
        choose_camera("auto", look=lambda: FoundCameras(ribbon_trouble=trouble))
    with pytest.raises(DeviceError, match="No camera was found: connect one"):
        choose_camera("usb", look=FoundCameras)


@pytest.fixture
def machine(tmp_path: Path) -> Callable[[int, str, str], None]:
    def add(number: int, name: str, index: str) -> None:
        node = tmp_path / "class" / "video4linux" / f"video{number}"
        node.mkdir(parents=True)
        (node / "name").write_text(name + "\n")
        (node / "index").write_text(index + "\n")

    return add


def test_usb_cameras_are_told_from_a_pis_own_video_nodes(tmp_path: Path, machine: Callable[..., None]) -> None:
    machine(0, "unicam-image", "0")
    machine(10, "bcm2835-codec-decode", "0")
    machine(19, "rpi-hevc-dec", "0")
    machine(20, "pispbe-input", "0")
    machine(24, "rp1-cfe-csi2_ch0", "0")
    machine(7, "HD Pro Webcam C920", "1")
    machine(6, "HD Pro Webcam C920", "0")
    assert look_for_cameras(tmp_path).usb == ((6, "HD Pro Webcam C920"),)


def test_a_machine_without_cameras(tmp_path: Path) -> None:
    assert look_for_cameras(tmp_path).usb == ()


def test_the_simulated_camera_looks_at_the_reference_mat(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    monkeypatch.setattr("simulator.camera.SimulatedCamera", lambda mat_mm, seed: opened.append(mat_mm))
    choose_camera("simulated", simulated=make_simulated_camera).open()
    assert opened == [REFERENCE_MAT_MM]
