"""A camera that stalls, breaks, goes black or sends torn pictures is said so in time, and opened again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from device.errors import DeviceError
from device.hardware.camera import Camera, CameraLock, Picture, Preview
from device.hardware.steady import CameraState, CameraTrouble, Flaw, SteadyCamera, flaw_of
from rules.text import Language, Text
from vision.errors import PictureError

RNG = np.random.default_rng(7)
SHORT_S = 0.25


def noise(height: int, width: int, *channels: int) -> Picture:
    return RNG.integers(40, 220, (height, width, *channels), dtype=np.uint8)


def until(done: Callable[[], bool]) -> bool:
    """Return whether that comes true soon; a camera is let go of in its own thread."""
    deadline = time.monotonic() + 5
    while not done() and time.monotonic() < deadline:
        time.sleep(0.005)
    return done()


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Rig:
    """A camera that does what the test says, and how often it was opened and closed."""

    def __init__(self) -> None:
        self.gives: Callable[[], Picture] = lambda: noise(120, 160, 3)
        self.gives_in_full: Callable[[], Picture] | None = None
        self.opens: Callable[[], None] = lambda: None
        self.opened = self.closed = 0
        self.locked: list[CameraLock] = []
        self.freed = threading.Event()
        self.camera: type[RigCamera] = RigCamera
        self.size = (160, 120)

    def open(self) -> Camera:
        self.opens()
        self.opened += 1
        return self.camera(self)

    def hang(self) -> Picture:
        self.freed.wait(10)
        return noise(120, 160, 3)


class RigCamera:
    def __init__(self, rig: Rig) -> None:
        self.rig = rig

    def take_preview(self) -> Preview:
        return np.ascontiguousarray(self.rig.gives()[..., 0])

    def take_picture(self) -> Picture:
        return (self.rig.gives_in_full or self.rig.gives)()

    def read_settled(self) -> CameraLock:
        return CameraLock(12000, 2.0, (1.9, 1.6), 2.5)

    def lock(self, lock: CameraLock) -> None:
        self.rig.locked.append(lock)

    def unlock(self) -> None:
        self.rig.locked.clear()

    def close(self) -> None:
        self.rig.closed += 1


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.freed.set()


def steady(rig: Rig, clock: Callable[[], float] = time.monotonic, rotation: int = 0) -> SteadyCamera:
    return SteadyCamera(rig.open, rotation, preview_timeout_s=SHORT_S, picture_timeout_s=SHORT_S * 2, clock=clock)


def seen(look: Picture | CameraTrouble) -> Picture:
    assert not isinstance(look, CameraTrouble), look
    return look


def trouble(look: object) -> CameraTrouble:
    assert isinstance(look, CameraTrouble)
    return look


def test_all_is_well(rig: Rig) -> None:
    camera = steady(rig)
    assert camera.trouble is not None
    assert camera.trouble.state is CameraState.OPENING
    assert seen(camera.take_preview()).shape == (120, 160)
    assert seen(camera.take_picture()).shape == (120, 160, 3)
    assert camera.trouble is None
    assert (rig.opened, camera.restarts) == (1, 0)
    camera.close()
    camera.close()
    assert rig.closed == 1
    with pytest.raises(DeviceError, match="closed"):
        camera.take_preview()


@pytest.mark.parametrize(("rotation", "corner"), [(0, (0, 0)), (90, (0, -1)), (180, (-1, -1)), (270, (-1, 0))])
def test_pictures_are_turned_clockwise(rig: Rig, rotation: int, corner: tuple[int, int]) -> None:
    marked = noise(40, 60, 3)
    marked[0, 0] = 255
    rig.gives = lambda: marked
    turned = seen(steady(rig, rotation=rotation).take_picture())
    assert turned.shape == ((40, 60, 3) if rotation % 180 == 0 else (60, 40, 3))
    assert (turned[corner] == 255).all()
    assert turned.flags.c_contiguous


def test_no_other_rotation(rig: Rig) -> None:
    with pytest.raises(ValueError, match="45"):
        steady(rig, rotation=45)


def test_a_stall_never_holds_the_program_up_and_ends_in_a_restart(rig: Rig) -> None:
    clock = Clock()
    camera = steady(rig, clock)
    seen(camera.take_preview())
    rig.gives = rig.hang
    began = time.monotonic()
    assert trouble(camera.take_preview()).state is CameraState.STALLED
    assert time.monotonic() - began < SHORT_S + 1
    clock.now += 3.5
    assert trouble(camera.take_picture()).state is CameraState.STALLED
    assert camera.restarts == 1
    rig.gives = lambda: noise(120, 160, 3)
    assert trouble(camera.take_preview()).state is CameraState.STALLED, "not opened again at once"
    clock.now += 1.5
    assert trouble(camera.take_preview()).state is CameraState.STALLED, "the driver still holds the camera"
    assert rig.opened == 1
    clock.now += 10
    assert seen(camera.take_preview()).shape == (120, 160)
    assert camera.trouble is None
    assert rig.opened == 2


def test_an_answer_that_is_only_late_is_no_stall(rig: Rig) -> None:
    camera = steady(rig)
    seen(camera.take_preview())
    rig.gives = rig.hang
    assert trouble(camera.take_preview()).state is CameraState.STALLED
    rig.freed.set()
    assert seen(camera.take_preview()).shape == (120, 160)
    assert (camera.restarts, rig.opened) == (0, 1)


def test_a_camera_that_hangs_for_ever_costs_three_threads_at_most(rig: Rig) -> None:
    clock = Clock()
    camera = steady(rig, clock)
    rig.gives = rig.hang
    before = threading.active_count()
    states = []
    for _ in range(40):
        states.append(trouble(camera.take_preview()).state)
        clock.now += 4.0
    assert rig.opened == 2
    assert threading.active_count() - before <= 3
    assert states[-1] is CameraState.HANGING
    rig.freed.set()
    rig.gives = lambda: noise(120, 160, 3)

    def answers() -> bool:
        clock.now += 4.0
        return not isinstance(camera.take_preview(), CameraTrouble)

    assert until(answers), "it answers again after all"


def test_a_camera_that_raises_is_opened_again_later_and_later(rig: Rig) -> None:
    clock = Clock()
    camera = steady(rig, clock)

    def fail() -> None:
        raise OSError("no such device")

    rig.opens = fail
    tries = []
    threads = threading.active_count()
    for _ in range(1200):
        restarts = camera.restarts
        assert trouble(camera.take_preview()).state is CameraState.FAILED
        if camera.restarts > restarts:
            tries.append(clock.now)
            assert until(lambda: threading.active_count() == threads)
        clock.now += 0.1
    waits = np.diff(tries)
    assert [round(float(wait)) for wait in waits] == [1, 2, 4, 8, 16, 30, 30]
    assert "no such device" in trouble(camera.trouble).cause
    rig.opens = lambda: None
    clock.now += 30
    seen(camera.take_preview())


def test_after_a_calm_time_a_fault_is_the_first(rig: Rig) -> None:
    clock = Clock()
    camera = steady(rig, clock)

    def fail() -> Picture:
        raise RuntimeError("glitch")

    for _ in range(3):
        good, rig.gives = rig.gives, fail
        assert trouble(camera.take_preview()).state is CameraState.FAILED
        assert until(lambda: rig.closed == rig.opened)
        rig.gives = good
        clock.now += 1.1
        seen(camera.take_preview())
        clock.now += 25
        seen(camera.take_preview())


def test_what_the_driver_says_for_players_is_passed_on(rig: Rig) -> None:
    words = Text("Check its wires and its pin in the settings.")

    def missing() -> None:
        raise DeviceError(words)

    rig.opens = missing
    told = trouble(steady(rig).take_preview())
    assert (told.state, told.text) == (CameraState.FAILED, words)
    assert told.text.said(Language.JA) != str(words)


@pytest.mark.parametrize(
    ("flawed", "state"),
    [
        (lambda: np.full((120, 160, 3), 9, np.uint8), CameraState.BLACK),
        (lambda: np.vstack([noise(90, 160, 3), np.full((30, 160, 3), 128, np.uint8)]), CameraState.TORN),
        (lambda: np.vstack([noise(90, 160, 3), np.full((30, 160, 3), (0, 135, 0), np.uint8)]), CameraState.TORN),
        (lambda: noise(90, 160, 3), CameraState.SMALLER),
    ],
    ids=["black", "grey below", "green below", "smaller"],
)
def test_flawed_pictures_are_named_and_end_in_a_restart(
    rig: Rig, flawed: Callable[[], Picture], state: CameraState
) -> None:
    clock = Clock()
    camera = steady(rig, clock)
    seen(camera.take_picture())
    good, rig.gives = rig.gives, flawed
    assert trouble(camera.take_picture()).state is state
    assert camera.restarts == 0
    clock.now += 6
    assert trouble(camera.take_picture()).state is state
    assert camera.restarts == 1
    assert until(lambda: rig.closed == 1)
    rig.gives = good
    clock.now += 2
    seen(camera.take_picture())
    assert rig.opened == 2


def half() -> Picture:
    raise PictureError(Text("camera is damaged"))


@pytest.mark.parametrize(
    ("flawed", "state"), [(lambda: noise(90, 160, 3), CameraState.SMALLER), (half, CameraState.TORN)]
)
def test_flawed_pictures_end_in_a_restart_though_previews_are_good(
    rig: Rig, flawed: Callable[[], Picture], state: CameraState
) -> None:
    clock = Clock()
    camera = steady(rig, clock)
    seen(camera.take_picture())
    rig.gives_in_full = flawed
    for _ in range(6):
        seen(camera.take_preview())
        assert trouble(camera.take_picture()).state is state
        clock.now += 1
    assert camera.restarts == 1


def test_a_camera_changed_for_a_smaller_one_is_taken_as_it_is_once_opened_again(rig: Rig) -> None:
    clock = Clock()
    camera = steady(rig, clock)
    seen(camera.take_preview())
    seen(camera.take_picture())
    rig.gives = lambda: noise(90, 160, 3)
    assert trouble(camera.take_preview()).state is CameraState.SMALLER
    clock.now += 6
    assert trouble(camera.take_preview()).state is CameraState.SMALLER
    assert until(lambda: rig.closed == 1)
    clock.now += 2
    assert seen(camera.take_preview()).shape == (90, 160)
    assert seen(camera.take_picture()).shape == (90, 160, 3)
    rig.gives = lambda: noise(60, 160, 3)
    assert trouble(camera.take_picture()).state is CameraState.SMALLER


class StreamCamera(RigCamera):
    def get_frame_size(self) -> tuple[int, int]:
        return self.rig.size


def test_a_stream_without_any_noise_is_told_until_another_picture_comes(rig: Rig) -> None:
    clock, still = Clock(), noise(120, 160, 3)
    rig.camera = StreamCamera
    camera = steady(rig, clock)
    rig.gives = lambda: still
    for clock.now in (100.0, 105.0, 109.9):
        seen(camera.take_preview())
    clock.now = 110.0
    assert trouble(camera.take_preview()).state is CameraState.FROZEN
    for clock.now in (112.0, 113.0, 120.0):
        assert until(lambda: rig.closed == camera.restarts)
        assert trouble(camera.take_preview()).state is CameraState.FROZEN, "opened again it is no younger"
    assert rig.opened >= 3
    still = still.copy()
    still[60, 80] += 1
    assert until(lambda: rig.closed == camera.restarts)
    clock.now = 200.0
    seen(camera.take_preview())
    assert camera.trouble is None
    clock.now = 209.0
    seen(camera.take_preview())
    seen(camera.take_picture())


def test_what_is_no_stream_may_stand_still(rig: Rig) -> None:
    clock, still = Clock(), noise(120, 160, 3)
    rig.gives = lambda: still
    camera = steady(rig, clock)
    for clock.now in (100.0, 200.0):
        seen(camera.take_preview())


def test_a_stream_that_gets_smaller_is_told_by_its_previews_too(rig: Rig) -> None:
    clock = Clock()
    rig.camera, rig.size = StreamCamera, (4000, 3000)
    camera = steady(rig, clock)
    seen(camera.take_preview())
    rig.size = (2000, 1500)
    assert "2000 × 1500" in trouble(camera.take_preview()).cause
    rig.size = (5000, 4000)
    seen(camera.take_preview())
    rig.size = (4000, 3000)
    assert trouble(camera.take_preview()).state is CameraState.SMALLER


def test_one_torn_picture_is_taken_again(rig: Rig) -> None:
    camera = steady(rig)
    torn = np.vstack([noise(90, 160, 3), np.full((30, 160, 3), 128, np.uint8)])
    pictures = [torn, torn, noise(120, 160, 3)]
    rig.gives = lambda: pictures.pop(0)
    assert seen(camera.take_picture()).shape == (120, 160, 3)


def test_a_picture_that_can_not_be_decoded_is_torn(rig: Rig) -> None:
    rig.gives = half
    assert trouble(steady(rig).take_picture()).state is CameraState.TORN


def test_a_lock_outlives_a_restart(rig: Rig) -> None:
    clock = Clock()
    camera = steady(rig, clock)
    lock = camera.lock()
    assert lock == CameraLock(12000, 2.0, (1.9, 1.6), 2.5)
    good, rig.gives = rig.gives, lambda: np.zeros((120, 160, 3), np.uint8)
    camera.take_preview()
    clock.now += 6
    camera.take_preview()
    assert until(lambda: rig.closed == 1)
    rig.gives = good
    clock.now += 2
    seen(camera.take_preview())
    assert rig.locked == [lock, lock]
    assert camera.unlock() is None
    assert rig.locked == []


def test_what_is_fixed_is_held_from_the_start_and_never_let_go(rig: Rig) -> None:
    fixed = CameraLock(exposure=8000.0)
    camera = SteadyCamera(rig.open, fixed=fixed, preview_timeout_s=SHORT_S)
    seen(camera.take_preview())
    assert rig.locked == [fixed]
    camera.lock()
    assert camera.unlock() is None
    assert rig.locked == [fixed]


def test_a_lock_that_takes_its_time_is_no_stall(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    camera = steady(rig, clock)
    seen(camera.take_preview())
    quick = RigCamera.read_settled

    def slow(self: RigCamera) -> CameraLock:
        rig.hang()
        return quick(self)

    monkeypatch.setattr(RigCamera, "read_settled", slow)
    trouble(camera.lock())
    clock.now += 8
    trouble(camera.take_preview())
    assert camera.restarts == 0
    rig.freed.set()
    seen(camera.take_preview())
    assert len(rig.locked) == 1


def test_a_camera_without_automatics_has_nothing_to_lock() -> None:
    class Plain:
        def take_preview(self) -> Preview:
            return noise(60, 80)

        def take_picture(self) -> Picture:
            return noise(60, 80, 3)

        def close(self) -> None:
            pass

    assert SteadyCamera(Plain).lock() is None


def test_a_lock_that_fails_lets_the_camera_go(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: RigCamera, lock: CameraLock) -> None:
        raise RuntimeError("control not known")

    monkeypatch.setattr(RigCamera, "lock", refuse)
    camera = SteadyCamera(rig.open, fixed=CameraLock(exposure=1))
    assert trouble(camera.take_preview()).state is CameraState.FAILED
    assert until(lambda: rig.closed == rig.opened == 1)
    camera = steady(rig)
    assert trouble(camera.lock()).state is CameraState.FAILED
    assert until(lambda: rig.closed == rig.opened == 2)


def test_every_state_has_its_sentences() -> None:
    told = [CameraTrouble.from_cause(state) for state in CameraState]
    assert all(str(one.text).endswith(".") and one.text.said(Language.JA).endswith("。") for one in told)
    assert len({str(one.text) for one in told}) == len(told)


def test_no_flaw_is_seen_in_what_a_table_can_look_like() -> None:
    lit = noise(240, 320, 3)
    lit[:60] = 255
    floor = noise(240, 320, 3)
    floor[180:] = 0
    dim = noise(240, 320, 3) // 4
    half_a_row = noise(240, 320, 3)
    half_a_row[:, :160] = 128
    few_rows = noise(240, 320, 3)
    few_rows[-8:] = 128
    for picture in (lit, floor, dim, half_a_row, few_rows):
        assert flaw_of(picture) is None
    stuck_row = noise(240, 320, 3)
    stuck_row[100:] = stuck_row[100]
    assert flaw_of(stuck_row) is Flaw.TORN
