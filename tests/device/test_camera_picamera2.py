"""The Raspberry Pi's camera, over a double of picamera2 and over the true package with a stand-in for libcamera."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cli import run as running
from device.errors import DeviceError
from device.hardware import cameras, picamera
from device.hardware.camera import CameraLock, LockableCamera
from device.hardware.picamera import PiCamera, open_picamera2
from device.hardware.steady import CameraState, CameraTrouble, SteadyCamera
from device.settings.settings_file import load_settings
from rules.text import Language
from tests.device.picamera2_doubles import (
    OLD_CONTROLS,
    PicameraDouble,
    Sensor,
    has_picamera2,
    on_a_sensor,
    real_picamera2,
)

NEEDS_PACKAGE = pytest.mark.skipif(
    not has_picamera2(), reason="picamera2's package isn't there; 'make .venv' puts it beside the others"
)
Opener = Callable[[Sensor], Any]


@pytest.fixture(params=["double", pytest.param("picamera2", marks=NEEDS_PACKAGE)])
def opener(request: pytest.FixtureRequest) -> Iterator[Opener]:
    if request.param == "double":
        yield PicameraDouble
        return
    with real_picamera2() as package:
        yield lambda sensor: on_a_sensor(package, sensor)


@pytest.fixture
def sensor() -> Sensor:
    return Sensor()


@pytest.fixture
def camera(opener: Opener, sensor: Sensor) -> Iterator[PiCamera]:
    camera = PiCamera(opener=lambda: opener(sensor))
    yield camera
    camera.close()


def test_one_mode_gives_pictures_and_previews(camera: PiCamera, sensor: Sensor) -> None:
    picture = camera.take_picture()
    assert picture.shape == (864, 1536, 3)
    assert picture[400, 10].tolist() == [200, 0, 0], "blue first, as OpenCV has it"
    assert picture[400, -10].tolist() == [0, 0, 200]
    preview = camera.take_preview()
    assert preview.shape == (360, 640)
    assert preview[0, 0] == 20
    assert preview[-1, -1] == 221, "the rows' padding is cut off"
    config = sensor.config
    assert (config["main"]["format"], config["lores"]["format"]) == ("RGB888", "YUV420")
    assert config["raw"]["size"] == sensor.size, "the whole sensor is seen"
    assert (config["buffer_count"], config["queue"]) == (2, False)


@pytest.mark.few(1)
@pytest.mark.parametrize("size", [(1024, 576), (480, 360)])
def test_a_smaller_picture_still_shows_the_whole_sensor(opener: Opener, sensor: Sensor, size: tuple[int, int]) -> None:
    camera = PiCamera(size, opener=lambda: opener(sensor))
    assert camera.take_picture().shape == (size[1], size[0], 3)
    assert camera.take_preview().shape[1] == min(640, size[0])
    assert sensor.config["raw"]["size"] == sensor.size
    camera.close()


def wait_for(sensor: Sensor, camera: PiCamera, name: str, value: object) -> None:
    """Wait for a control, which goes out with the frames."""
    for _ in range(100):
        if sensor.set.get(name) == value:
            return
        camera.take_preview()
    raise AssertionError(f"{name} is {sensor.set.get(name)!r}, not {value!r}")


def test_what_the_automatics_found_is_held(camera: PiCamera, sensor: Sensor) -> None:
    wait_for(sensor, camera, "AfMode", 2)
    assert isinstance(camera, LockableCamera)
    lock = camera.read_settled()
    assert lock == CameraLock(12000, 2.5, (1.9, 1.6), 2.2)
    camera.lock(lock)
    wait_for(sensor, camera, "LensPosition", 2.2)
    held = {
        "ExposureTimeMode": 1,
        "ExposureTime": 12000,
        "AnalogueGainMode": 1,
        "AnalogueGain": 2.5,
        "AwbEnable": False,
        "ColourGains": (1.9, 1.6),
        "AfMode": 0,
        "LensPosition": 2.2,
    }
    assert {name: sensor.set[name] for name in held} == held
    camera.unlock()
    wait_for(sensor, camera, "AfMode", 2)
    assert (sensor.set["ExposureTimeMode"], sensor.set["AnalogueGainMode"], sensor.set["AwbEnable"]) == (0, 0, True)


def test_an_older_libcamera_is_told_that_automatics_are_off(opener: Opener) -> None:
    sensor = Sensor(controls=OLD_CONTROLS)
    camera = PiCamera(opener=lambda: opener(sensor))
    camera.lock(camera.read_settled())
    wait_for(sensor, camera, "AeEnable", False)
    assert "ExposureTimeMode" not in sensor.set
    camera.unlock()
    wait_for(sensor, camera, "AeEnable", True)
    camera.close()


def test_a_module_without_focus_is_not_asked_for_it(opener: Opener) -> None:
    sensor = Sensor(controls=tuple(name for name in OLD_CONTROLS if name not in ("AfMode", "LensPosition")))
    camera = PiCamera(opener=lambda: opener(sensor))
    assert camera.read_settled().focus is None
    camera.lock(CameraLock(9000, 1.5, (2.0, 1.5), focus=3.0))
    wait_for(sensor, camera, "ExposureTime", 9000)
    assert "LensPosition" not in sensor.set
    camera.close()


def test_what_the_settings_fix_is_held_from_the_first_picture_on(
    opener: Opener, sensor: Sensor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text(
        "[camera]\nsource = 'picamera2'\nexposure = 8000\ngain = 1.5\nwhite = [1.8, 1.6]\nfocus = 3\n"
    )
    monkeypatch.setattr(cameras, "PiCamera", lambda size: PiCamera(size, lambda: opener(sensor)))
    camera = running.make_camera_opener(running.RunOptions(tmp_path), load_settings(tmp_path))()
    deadline = time.monotonic() + 20
    held = {"ExposureTime": 8000, "AnalogueGain": 1.5, "ColourGains": (1.8, 1.6), "LensPosition": 3.0, "AfMode": 0}
    while {name: sensor.set.get(name) for name in held} != held:
        camera.take_preview()
        assert time.monotonic() < deadline, sensor.set
    assert sensor.set["AwbEnable"] is False
    camera.unlock()
    good = 0
    while good < 5:  # a busy machine may stall for a moment
        good += not isinstance(camera.take_preview(), CameraTrouble)
        assert time.monotonic() < deadline
    assert {name: sensor.set.get(name) for name in held} == held, "what is set by hand is never let go"
    camera.close()


def test_a_webcam_s_white_balance_is_said_to_be_wrong_for_a_module(opener: Opener, sensor: Sensor) -> None:
    camera = SteadyCamera(lambda: PiCamera(opener=lambda: opener(sensor)), fixed=CameraLock(white=(4600.0,)))
    deadline = time.monotonic() + 20
    while not (
        isinstance(seen := camera.take_preview(), CameraTrouble) and "camera.white = [1.8, 1.6]" in str(seen.text)
    ):
        assert time.monotonic() < deadline, seen
        time.sleep(0.01)
    camera.close()
    assert sensor.closes >= 1


def test_a_stalled_camera_times_out_and_closes(
    camera: PiCamera, sensor: Sensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picamera, "_WAIT_S", 0.05)
    camera.take_picture()
    sensor.stalled = True
    for look in (camera.take_preview, camera.take_picture, camera.read_settled):
        with pytest.raises(TimeoutError):
            look()
    camera.close()
    camera.close()
    assert sensor.closes == 1


def test_a_stall_is_told_and_the_camera_opened_again(
    opener: Opener, sensor: Sensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    opened: list[PiCamera] = []

    def open_camera() -> PiCamera:
        opened.append(PiCamera(opener=lambda: opener(sensor)))
        return opened[-1]

    steady = SteadyCamera(open_camera, preview_timeout_s=2.0, clock=lambda: now[0])
    assert isinstance(steady.take_preview(), np.ndarray)
    lock = steady.lock()
    sensor.stalled = True
    with monkeypatch.context() as impatient:
        impatient.setattr(picamera, "_WAIT_S", 0.05)
        trouble = steady.take_preview()
    assert isinstance(trouble, CameraTrouble)
    assert trouble.state is CameraState.STALLED
    for _ in range(1000):
        if sensor.closes:
            break
        time.sleep(0.005)
    sensor.stalled = False
    sensor.set.clear()
    now[0] += 1.5
    assert isinstance(steady.take_preview(), np.ndarray)
    assert (len(opened), sensor.closes) == (2, 1)
    assert isinstance(lock, CameraLock)
    wait_for(sensor, opened[-1], "LensPosition", lock.focus)
    steady.close()


def test_a_camera_that_can_not_be_set_up_is_let_go_and_is_one_sentence(sensor: Sensor) -> None:
    double = PicameraDouble(sensor)
    double.started = True

    def refuse(camera_config: object) -> None:
        raise RuntimeError("Configuration failed")

    double.configure = refuse  # type: ignore[method-assign]
    with pytest.raises(DeviceError, match=r"can't be set up \(Configuration failed\): set camera.size smaller"):
        PiCamera(opener=lambda: double)
    assert sensor.closes == 1


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("gives", "said"), [(("lores",), "no stream raw"), (("raw",), "no stream lores"), ((), "no stream lores, raw")]
)
def test_what_a_camera_does_not_give_is_done_without_and_said(
    gives: tuple[str, ...], said: str, opener: Opener, caplog: pytest.LogCaptureFixture
) -> None:
    sensor = Sensor(gives=gives)
    camera = PiCamera(opener=lambda: opener(sensor))
    (line,) = caplog.messages
    assert said in line
    assert {name for name in ("lores", "raw") if sensor.config[name] is not None} == set(gives)
    assert camera.take_picture().shape == (864, 1536, 3)
    preview = camera.take_preview()
    assert (preview.shape, preview.dtype) == ((360, 640), np.uint8)
    assert preview[:, 5].mean() != pytest.approx(preview[:, -5].mean(), abs=10), "blue to the left, red to the right"
    camera.close()


def test_a_camera_that_gives_red_first_shows_the_same(opener: Opener, caplog: pytest.LogCaptureFixture) -> None:
    sensor = Sensor(gives=(), form="BGR888")
    camera = PiCamera(opener=lambda: opener(sensor))
    assert camera.take_picture()[400, 10].tolist() == [200, 0, 0], "blue first, as OpenCV has it"
    assert camera.take_picture()[400, -10].tolist() == [0, 0, 200]
    preview = camera.take_preview()
    assert preview.shape == (360, 640)
    assert preview[:, 5].mean() == pytest.approx(0.114 * 200, abs=2), "blue to the left"
    assert preview[:, -5].mean() == pytest.approx(0.299 * 200, abs=2), "red to the right"
    assert len(caplog.messages) == 1
    camera.close()


@pytest.mark.parametrize("words", ["Could not open any dmaHeap device", "Camera __init__ sequence did not complete."])
def test_a_camera_that_can_not_be_opened_is_told_by_its_cause(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError(words)

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=fail))
    with pytest.raises(DeviceError) as raised:
        open_picamera2()
    assert words in str(raised.value)
    assert ("/dev/dma_heap" in str(raised.value)) is ("dmaHeap" in words)
    assert ("cable" in str(raised.value)) is ("dmaHeap" not in words)


def test_without_picamera2_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "picamera2", None)
    with pytest.raises(DeviceError, match="apt install python3-picamera2") as raised:
        open_picamera2()
    assert "python3-picamera2" in raised.value.text.said(Language.JA)


@NEEDS_PACKAGE
def test_a_board_without_a_camera_is_one_sentence() -> None:
    with real_picamera2(), pytest.raises(DeviceError, match="check the cable"):
        open_picamera2()


@NEEDS_PACKAGE
def test_the_double_takes_what_the_true_one_takes() -> None:
    with real_picamera2() as package:
        for name, method in vars(PicameraDouble).items():
            if not name.startswith("_"):
                true = inspect.signature(getattr(package.Picamera2, name)).parameters
                assert set(inspect.signature(method).parameters) <= set(true), name
        formats = __import__("picamera2.formats", fromlist=["formats"])
        assert formats.is_RGB("RGB888")
        assert formats.is_YUV("YUV420")
