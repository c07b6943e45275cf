"""The camera's loop with every fault that cameras have: each is said in one sentence and mended without help."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from device.capture.capture import (
    UNREADABLE,
    Blind,
    Lookout,
    Moving,
    News,
    ReadingStarted,
    Seen,
    Unfit,
    shows_the_same,
)
from device.errors import DeviceError
from device.hardware import steady
from device.hardware.camera import Picture, Preview
from device.hardware.steady import CameraState, CameraTrouble, SteadyCamera
from rules.text import Language, Text
from vision.errors import MatError

RNG = np.random.default_rng(4)
SCENE = np.repeat(np.repeat(RNG.integers(40, 220, (12, 16), dtype=np.uint8), 10, 0), 10, 1)
SCENE += RNG.integers(0, 6, SCENE.shape, dtype=np.uint8)


class StandIn:
    """A camera over an unchanging table, with a switch for every fault."""

    def __init__(self) -> None:
        self.fault = ""
        self.release = threading.Event()
        self.opened = self.closed = 0

    def open(self) -> StandIn:
        if self.fault == "absent":
            raise DeviceError(Text("There is no camera."))
        self.opened += 1
        return self

    def take_preview(self) -> Preview:
        if self.fault == "stalls":
            self.release.wait(10)
        if self.fault == "raises":
            raise RuntimeError("the driver fell over")
        if self.fault == "black":
            return np.full_like(SCENE, 3)
        if self.fault == "hand":
            return np.where(RNG.random(SCENE.shape) < 0.5, 255 - SCENE, SCENE).astype(np.uint8)
        return SCENE

    def take_picture(self) -> Picture:
        whole = np.dstack([self.take_preview()] * 3).repeat(4, 0).repeat(4, 1)
        if self.fault == "torn":
            whole[200:] = 127
        if self.fault == "two moments":
            whole[200:] = np.roll(whole[200:], 300, axis=1)
        return whole[::2, ::2] if self.fault == "smaller" else whole

    def close(self) -> None:
        self.closed += 1


class Table:
    """What the reader is asked to do."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.looks = 0

    def look(self, picture: Picture) -> tuple[int, ...]:
        self.looks += 1
        if self.fault is not None:
            raise self.fault
        return picture.shape


class Scene:
    """A lookout at work, quick enough for tests."""

    def __init__(self) -> None:
        self.camera, self.table, self.told, self.beats = StandIn(), Table(), threading.Event(), 0
        self.unfit: DeviceError | None = None
        steady = SteadyCamera(self.camera.open, preview_timeout_s=0.1, picture_timeout_s=0.1)
        self.lookout: Lookout[tuple[int, ...]] = Lookout(
            steady, self.reader, self.told, self.beat, still_s=0.03, looks_a_second=200, look_again_s=0.05
        )
        self.heard: list[News[tuple[int, ...]]] = []

    def reader(self) -> Callable[[Picture], tuple[int, ...]]:
        if self.unfit:
            raise self.unfit
        return self.table.look

    def beat(self) -> None:
        self.beats += 1

    def until(self, kind: type, why: object = None, seconds: float = 5.0) -> Any:
        """Wait for the next news of that kind (and reason); what came before it is kept in ``heard``."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for news in (waiting := self.lookout.take_news()):
                self.heard.append(news)
                if isinstance(news, kind) and (why is None or getattr(news, "why", None) == why):
                    self.lookout._news.extendleft(reversed(waiting[waiting.index(news) + 1 :]))
                    return news
            self.told.wait(0.02)
            self.told.clear()
        raise AssertionError(f"no {kind.__name__} {why} in {seconds} s, only {self.heard[-5:]}")


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setattr(steady, "_SOONEST_S", 0.05)
    monkeypatch.setattr(steady, "_LETTING_GO_S", 0.1)
    monkeypatch.setattr(steady, "_FLAWED_S", 0.2)
    scene = Scene()
    yield scene
    scene.camera.release.set()
    scene.lookout.stop()
    assert scene.camera.closed == scene.camera.opened


def test_a_still_table_is_read_once_and_again_after_hands(scene: Scene) -> None:
    scene.lookout.start()
    scene.until(ReadingStarted)
    assert scene.until(Seen).what == (480, 640, 3)
    time.sleep(0.05)
    assert scene.table.looks == 1
    scene.camera.fault = "hand"
    scene.until(Moving)
    scene.camera.fault = ""
    scene.until(Seen)
    assert scene.table.looks == 2
    scene.lookout.look_again()
    scene.until(Seen)
    assert scene.table.looks == 3
    assert scene.beats > 10


FAULTS = {
    "raises": "it is being started again",
    "stalls": "gives no pictures",
    "absent": "There is no camera",
    "black": "take the cap off",
    "torn": "incomplete",
    "two moments": "torn",
    "smaller": "smaller pictures than before",
}


@pytest.mark.few(2)
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "smaller"])
def test_a_camera_s_fault_is_said_and_passes_by_itself(scene: Scene, fault: str) -> None:
    scene.camera.fault = fault
    scene.lookout.start()
    while FAULTS[fault] not in str(scene.until(Blind).why):
        pass
    before = scene.beats
    time.sleep(0.05)
    assert scene.beats > before, "waiting for the camera is no death of the loop"
    scene.camera.fault = ""
    scene.camera.release.set()
    scene.until(Seen)


@pytest.mark.few(2)
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "absent"])
def test_a_fault_while_it_runs_passes_too(scene: Scene, fault: str) -> None:
    scene.lookout.start()
    scene.until(Seen)
    scene.camera.fault = fault
    scene.lookout.look_again()
    while FAULTS[fault] not in str(scene.until(Blind).why):
        pass
    scene.camera.fault = ""
    scene.camera.release.set()
    assert scene.until(Seen).what == (480, 640, 3)


def test_a_driver_that_hangs_for_good_leaves_the_watchdog_hungry(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.lookout.start()
    scene.until(Seen)
    hangs = CameraTrouble.from_cause(CameraState.HANGING)
    monkeypatch.setattr(SteadyCamera, "take_preview", lambda self: hangs)
    assert "switch the device off and on" in str(scene.until(Blind).why)
    before = scene.beats
    time.sleep(0.05)
    assert scene.beats == before


def test_what_the_reader_can_not_read_is_said_and_read_again(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    scene.table.fault = MatError(
        Text("The picture is mirrored: switch mirroring off in the camera or telephone, and take it again.")
    )
    scene.lookout.start()
    assert scene.until(Blind).why.said(Language.JA).startswith("写真が左右反転しています。")
    scene.table.fault = ZeroDivisionError("what is this?")
    scene.until(Blind, UNREADABLE)
    assert "ZeroDivisionError: what is this? in test_lookout.py:" in caplog.text
    readings = sum(isinstance(news, ReadingStarted) for news in scene.heard)
    scene.table.fault = None
    scene.until(Seen)
    begun = sum(isinstance(news, ReadingStarted) for news in scene.heard)
    assert begun == readings == 1, "trying again must not flicker"


def test_a_reader_that_can_not_be_had_is_asked_for_again(scene: Scene) -> None:
    scene.unfit = DeviceError(Text("The model is missing."))
    scene.lookout.start()
    assert str(scene.until(Unfit).why) == "The model is missing."
    scene.until(Unfit)
    scene.unfit = None
    scene.lookout.look_again()
    scene.until(Seen)


def test_news_that_nobody_hears_does_not_pile_up(scene: Scene) -> None:
    scene.lookout.start()
    scene.until(Seen)
    for _ in range(60):
        scene.lookout.look_again()
        time.sleep(0.006)
    assert 10 < len(scene.lookout.take_news()) <= 32


def test_a_clock_that_is_set_back_changes_nothing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.lookout.start()
    scene.until(Seen)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    scene.camera.fault = "hand"
    scene.until(Moving)
    scene.camera.fault = ""
    scene.until(Seen)


def test_pictures_that_show_something_else_are_told() -> None:
    whole = np.dstack([SCENE] * 3)
    assert shows_the_same(SCENE, whole)
    assert shows_the_same(SCENE, (whole * 0.7).astype(np.uint8))
    assert not shows_the_same(SCENE, np.roll(whole, 40, axis=1))
    assert not shows_the_same(SCENE, np.zeros_like(whole))
    half = whole.copy()
    half[60:] = whole[:60]
    assert not shows_the_same(SCENE, half)
