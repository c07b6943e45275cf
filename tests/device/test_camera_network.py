"""Cameras on the network: what streams send, and servers that send none, over real HTTP and RTSP on this machine."""

from __future__ import annotations

import base64
import itertools
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from device.errors import DeviceError
from device.hardware import network
from device.hardware.camera import Frame
from device.hardware.cameras import choose_camera
from device.hardware.network import Frames, JpegCutter, NetworkCamera, VideoSource
from device.hardware.steady import CameraState, CameraTrouble, SteadyCamera
from vision.errors import PictureError

RNG = np.random.default_rng(3)
TYPE = b"Content-Type: image/jpeg\r\n"
PASSWORD = "p@s/s:w#o rd%1?"


def jpeg(level: int, size: tuple[int, int] = (320, 240)) -> bytes:
    """Return a picture with noise; its mean is 20 above the level."""
    noise = RNG.integers(0, 40, (size[1], size[0], 3), np.uint8)
    return cv2.imencode(".jpg", noise + np.uint8(level))[1].tobytes()


def level(picture: np.ndarray) -> int:
    """Return the level of the JPEG that this picture was, of levels 40 apart."""
    return round((float(picture.mean()) - 20) / 40) * 40


@contextmanager
def serving(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """Serve these answers in HTTP/1.0, whose end is the connection's; yield host and port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with suppress(OSError):
                answer(self)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def send(to: BaseHTTPRequestHandler, status: int, kind: str, data: bytes = b"", **headers: str) -> None:
    to.send_response(status)
    to.send_header("Content-Type", kind)
    for name, value in headers.items():
        to.send_header(name.replace("_", "-"), value)
    to.end_headers()
    to.wfile.write(data)


class Stream:
    """An MJPEG stream; what it sends is changed while it runs."""

    def __init__(self) -> None:
        self.sends = [jpeg(40), jpeg(40)]
        self.on = True

    def __call__(self, to: BaseHTTPRequestHandler) -> None:
        send(to, 200, "multipart/x-mixed-replace; boundary=frame")
        count = itertools.count()
        while self.on:
            data = self.sends[next(count) % len(self.sends)]
            to.wfile.write(
                b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(data), data)
            )
            time.sleep(0.01)


@pytest.fixture
def stream() -> Iterator[Stream]:
    running = Stream()
    yield running
    running.on = False


@contextmanager
def opened(address: str) -> Iterator[NetworkCamera]:
    camera = NetworkCamera(address)
    try:
        yield camera
    finally:
        camera.close()
    assert not camera._thread.is_alive()


def until(steady: SteadyCamera, wanted: Callable[[Any], bool], within_s: float = 40.0) -> Any:
    end = time.monotonic() + within_s
    while not wanted(seen := steady.take_preview()):
        assert time.monotonic() < end, seen
        time.sleep(0.01)
    return seen


# --- What a stream is


@pytest.mark.parametrize("step", [1, 7, 1000, 10**6])
@pytest.mark.parametrize(
    "before",
    [
        b"--b\r\n" + TYPE + b"\r\n",
        b"\r\nb\r\n" + TYPE + b"\r\n",
        b"--b\nContent-Length: 999999\n\n",
        b"--b\r\nContent-Length: 10\r\n\r\n",
        b"",
        b"\xff",
    ],
    ids=["as it should be", "no dashes", "far too long", "far too short", "nothing", "a stray byte"],
)
def test_jpegs_are_found_by_their_own_structure(before: bytes, step: int) -> None:
    """Sound ones whole, whatever lies between them, and for each that was cut short one ``None``."""
    sound = [jpeg(40, (48, 32)) for _ in range(3)]
    pixels = RNG.integers(0, 255, (32, 48, 3), np.uint8)
    progressive = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_PROGRESSIVE, 1))[1].tobytes()
    thumbnail = b"\xff\xd8\xff\xe1" + (len(sound[1]) + 2).to_bytes(2) + sound[1] + sound[2][2:]
    sent = [sound[0], sound[1][: len(sound[1]) // 2], progressive, sound[2][:-2], thumbnail, sound[2]]
    data = b"".join(before + one for one in sent)
    cutter = JpegCutter()
    found = [one for at in range(0, len(data), step) for one in cutter.cut(data[at : at + step])]
    assert found == [sent[0], None, sent[2], None, *sent[4:]]
    assert not cutter.is_within
    list(cutter.cut(sound[0][:-1]))
    assert cutter.is_within


def test_what_never_ends_is_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_LARGEST", 5000)
    cutter = JpegCutter()
    found = [one for _ in range(20) for one in cutter.cut(jpeg(40)[:1000])]
    assert set(found) == {None}
    assert len(cutter._held) <= 6000


# --- What is looked at


class Given:
    """A source that gives what the test says; what it has given was taken once it waits for more."""

    def __init__(self) -> None:
        self.given: list[tuple[Frame | None, float]] = []
        self.more = threading.Condition()
        self.over = False

    def read_frames(self) -> Frames:
        while True:
            with self.more:
                self.more.wait_for(lambda: self.given or self.over)
                if self.over:
                    return
                frame = self.given.pop(0)
            yield frame

    def give(self, *frames: Frame | None, waited_s: float = 0.0) -> None:
        with self.more:
            self.given += [(frame, waited_s) for frame in frames]
            self.more.notify()
        waits(self.more)
        assert not self.given

    def stop(self) -> None:
        with self.more:
            self.over = True
            self.more.notify()


def waits(condition: threading.Condition) -> None:
    """Return once somebody waits for that."""
    end = time.monotonic() + 10
    while not condition._waiters:  # type: ignore[attr-defined]
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.fixture
def source() -> Given:
    return Given()


@pytest.fixture
def camera(source: Given) -> Iterator[NetworkCamera]:
    camera = NetworkCamera("http://me:secret@10.0.0.9/video?pwd=secret", lambda _: source)
    waits(source.more)
    yield camera
    camera.close()


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Set how long is waited for what; nothing is given up by itself otherwise, however busy the machine is."""
    for name in ("_FRESH_S", "_COPIES_S", "_RECENT_S"):
        monkeypatch.setattr(network, name, 30.0)
    return lambda **named: [monkeypatch.setattr(network, name, value) for name, value in named.items()] and None


@contextmanager
def asked(
    camera: NetworkCamera, look: Callable[[NetworkCamera], Any] = NetworkCamera.take_picture
) -> Iterator[list[Any]]:
    """While somebody waits for a picture; in the end, its level, or why there is none."""
    found: list[Any] = []
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(look, camera)
        waits(camera._news)
        yield found
        error = answer.exception(30)
        found.append(error or level(answer.result()))


def test_a_picture_is_none_that_was_on_its_way_already(
    source: Given, camera: NetworkCamera, times: Callable[..., None]
) -> None:
    source.give(jpeg(0))
    with asked(camera) as found:
        source.give(jpeg(40))
        waits(camera._news)
        source.give(jpeg(80))
    assert found == [80]


def test_a_copy_is_no_other_picture_while_there_may_be_one(
    source: Given, camera: NetworkCamera, times: Callable[..., None]
) -> None:
    same = jpeg(0)
    source.give(same)
    with asked(camera) as found:
        source.give(same, same, jpeg(40))
        source.give(jpeg(80))
    assert found == [80]
    times(_COPIES_S=0.05)
    same = jpeg(120)
    source.give(same)
    began = time.monotonic()
    with asked(camera) as found:
        source.give(same, same)
    assert found == [120], "a stream may stand still for a while"
    assert time.monotonic() - began >= 0.05


def test_frames_cut_short_are_passed_over_until_only_such_come(
    source: Given, camera: NetworkCamera, times: Callable[..., None]
) -> None:
    source.give(jpeg(0), None, None, jpeg(40), None, None)
    with asked(camera) as found:
        source.give(jpeg(80), None, jpeg(120))
    assert found == [120]
    with asked(camera) as found:
        source.give(None, None, None)
    assert isinstance(found[0], PictureError)
    with pytest.raises(PictureError):
        camera.take_picture()
    assert camera.take_preview().shape == (240, 320)
    times(_RECENT_S=0)
    with pytest.raises(PictureError):
        camera.take_preview()


@pytest.mark.parametrize("look", [NetworkCamera.take_picture, NetworkCamera.take_preview])
@pytest.mark.parametrize("spoil", [lambda data: data[:-800] + data[-2:], lambda data: data[:5000] + jpeg(200)[9000:]])
def test_a_frame_that_is_damaged_within_or_mixed_of_two_is_no_picture(
    spoil: Callable[[bytes], bytes],
    look: Callable[[NetworkCamera], Any],
    source: Given,
    camera: NetworkCamera,
    times: Callable[..., None],
) -> None:
    with asked(camera, look) as found:
        source.give(spoil(jpeg(40)), spoil(jpeg(40)))
    assert isinstance(found[0], PictureError)


def test_what_waited_in_a_queue_is_not_looked_at_and_that_is_said(
    source: Given, camera: NetworkCamera, times: Callable[..., None]
) -> None:
    source.give(jpeg(0), waited_s=0.9)
    with asked(camera) as found:
        source.give(jpeg(40), jpeg(80), waited_s=1.1)
        source.give(jpeg(120), jpeg(160), waited_s=0.9)
    assert found == [160]
    times(_FRESH_S=0.2)
    with asked(camera) as found:
        source.give(jpeg(200), waited_s=1.1)
    assert "http://10.0.0.9/video?… sends more than this machine can take" in str(found[0])


def test_a_stream_that_is_slow_stalls_or_ends_is_told(
    source: Given, camera: NetworkCamera, times: Callable[..., None]
) -> None:
    times(_FRESH_S=0.2)
    source.give(jpeg(0))
    camera._came_s -= 1.5
    with asked(camera) as found:
        source.give(jpeg(40))
    assert "less than a picture a second" in str(found[0])
    with pytest.raises(TimeoutError, match="no frame"):
        camera.take_picture()
    assert camera.take_preview().shape == (240, 320)
    times(_RECENT_S=0)
    with pytest.raises(TimeoutError, match="no frame"):
        camera.take_preview()
    source.stop()
    with pytest.raises(TimeoutError, match="ended"):
        list(iter(camera.take_preview, None))


# --- Videos, by a capture that is told what the clock says


class Capture:
    """OpenCV's capture; each frame is told as when it comes, by the camera's clock, and after how much computing."""

    def __init__(self, frames: list[tuple[float, float, float]]) -> None:
        self.left, self.now, self.released = frames, (0.0, 0.0, 0.0), 0

    def grab(self) -> bool:
        if not self.left:
            return False
        self.now = self.left.pop(0)
        return True

    def retrieve(self) -> tuple[bool, Any]:
        return True, np.zeros((2, 2, 3), np.uint8)

    def get(self, prop: int) -> float:
        assert prop == cv2.CAP_PROP_POS_MSEC
        return 1000 * self.now[1]

    def release(self) -> None:
        self.released += 1


def waited(monkeypatch: pytest.MonkeyPatch, frames: list[tuple[float, float, float]]) -> list[float]:
    capture = Capture(frames)
    clock = SimpleNamespace(monotonic=lambda: capture.now[0], process_time=lambda: capture.now[2])
    monkeypatch.setattr(network, "time", clock)
    found = [round(waited_s, 3) for _, waited_s in VideoSource(capture).read_frames()]
    assert capture.released == 1
    return found


def test_frames_that_come_quicker_than_they_are_decoded_are_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """25 a second by the camera's clock, of which this machine, all the time at work, takes 10."""
    late = waited(monkeypatch, [(number / 10, number / 25, number / 10) for number in range(31)])
    assert late[-1] == pytest.approx(1.8)


@pytest.mark.parametrize("taken_s", [lambda s: s / 2, lambda s: 0.0, lambda s: -s, lambda s: s % 1.0])
def test_a_clock_that_goes_wrong_makes_nothing_late(
    taken_s: Callable[[float], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert max(waited(monkeypatch, [(s / 10, taken_s(s / 10), s / 30) for s in range(100)])) == 0


# --- Over HTTP


def test_a_stream_is_seen_as_it_is_now(stream: Stream) -> None:
    with serving(stream) as host, opened(f"http://{host}/video") as camera:
        assert camera.take_picture().shape == (240, 320, 3)
        assert camera.take_preview().shape == (240, 320)
        stream.sends = [jpeg(160), jpeg(160)]
        time.sleep(0.03)
        assert level(camera.take_picture()) == 160
        assert level(camera.take_preview()) == 160


def test_a_still_picture_is_asked_for_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_POLLED_S", 0.02)
    levels = itertools.cycle([0, 40, 80])
    still = serving(lambda to: send(to, 200, "image/jpeg", jpeg(next(levels))))
    with still as host, opened(f"http://{host}/photo.jpg") as camera:
        assert len({level(camera.take_picture()) for _ in range(4)}) > 1


def test_cut_short_in_the_middle_of_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A still picture whose end does not come is torn, and asked for again."""
    monkeypatch.setattr(network, "_POLLED_S", 0.01)
    count = itertools.count()
    half = serving(lambda to: send(to, 200, "image/jpeg", jpeg(40)[: 5000 if next(count) else None]))
    with half as host, opened(f"http://{host}/") as camera, pytest.raises(PictureError):
        camera.take_picture()


def login(to: BaseHTTPRequestHandler) -> None:
    if to.headers.get("Authorization") != "Basic " + base64.b64encode(f"cam:{PASSWORD}".encode()).decode():
        send(to, 401, "text/html", WWW_Authenticate='Basic realm="cam"')
    elif to.path == "/moved":
        send(to, 302, "text/html", Location="/photo.jpg")
    else:
        send(to, 200, "image/jpeg", jpeg(40))


@pytest.mark.parametrize("written", [f"cam:{PASSWORD}", "cam:p%40s%2Fs%3Aw%23o%20rd%251%3F"])
@pytest.mark.parametrize("path", ["photo.jpg", "moved"])
def test_a_login_is_given_whatever_is_in_it(written: str, path: str) -> None:
    with serving(login) as host, opened(f"http://{written}@{host}/{path}") as camera:
        assert level(camera.take_preview()) == 40


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda to: send(to, 200, "text/html", b"<html>the app's own page</html>"), "is a page"),
        (lambda to: send(to, 200, "text/plain", b"\n<!doctype html>"), "is a page"),
        (login, "does not take the name and password"),
        (lambda to: send(to, 401, "text/html", WWW_Authenticate="Bearer"), "does not take the name and password"),
        (lambda to: send(to, 403, "text/html"), "does not take the name and password"),
        (lambda to: send(to, 404, "text/html"), "answers 404 Not Found"),
        (lambda to: send(to, 503, "text/html"), "answers 503 Service Unavailable"),
        (
            lambda to: send(to, 200, "multipart/x-mixed-replace", b"--frame\r\n\r\nno picture"),
            "nothing that can be read",
        ),
        (lambda to: send(to, 200, "video/mp4"), "nothing that can be read"),
        (lambda to: to.wfile.write(b"SSH-2.0-OpenSSH\r\n"), "nothing that can be read"),
    ],
)
def test_why_a_camera_can_not_be_opened_is_said(answer: Callable[[Any], None], why: str) -> None:
    with serving(answer) as host, pytest.raises(DeviceError, match=why) as told:
        choose_camera(f"http://me:s/ecret@{host}/video?pwd=secret").open()
    assert f"http://{host}/video?…" in str(told.value)
    assert "ecret" not in str(told.value) + str(choose_camera(f"http://me:s/ecret@{host}/v?pwd=secret").why)


def test_a_login_that_is_missing_is_asked_for() -> None:
    with serving(login) as host, pytest.raises(DeviceError, match="asks for a login"):
        choose_camera(f"http://{host}/video").open()


@pytest.mark.parametrize("scheme", ["http", "https", "rtsp"])
def test_nothing_answers(scheme: str) -> None:
    with pytest.raises(DeviceError, match="can't be reached"):
        choose_camera(f"{scheme}://me:secret@127.0.0.1:9/video").open()


def test_a_camera_that_does_not_speak_tls() -> None:
    with serving(login) as host, pytest.raises(DeviceError, match="nothing that can be read"):
        choose_camera(f"https://{host}/video").open()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("RTSP/1.0 401 Unauthorized", "does not take the name and password"),
        ("RTSP/1.0 404 Not Found", "answers 404 Not Found"),
        ("RTSP/1.0 200 OK", "nothing that can be read"),
        ("HTTP/1.0 400 Bad Request", "nothing that can be read"),
    ],
)
def test_why_an_rtsp_camera_can_not_be_opened_is_said(answer: str, why: str) -> None:
    def serve() -> None:
        with suppress(OSError):
            while True:
                line, _ = server.accept()
                with line:
                    asked = line.recv(4000).decode()
                    number = next((part for part in asked.split("\r\n") if part.startswith("CSeq")), "CSeq: 1")
                    line.sendall(f"{answer}\r\n{number}\r\n\r\n".encode())

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        address = f"rtsp://me:secret@127.0.0.1:{server.getsockname()[1]}/main?pwd=secret"
        with pytest.raises(DeviceError, match=why) as told:
            choose_camera(address).open()
    assert "secret" not in str(told.value)


# --- Watched over


def test_it_is_opened_again_when_it_comes_back(stream: Stream) -> None:
    with serving(stream) as host:
        steady = SteadyCamera(choose_camera(f"http://{host}/video").open)
        until(steady, lambda seen: isinstance(seen, np.ndarray))
        stream.on = False
        gone = until(steady, lambda seen: isinstance(seen, CameraTrouble))
        assert gone.state in (CameraState.STALLED, CameraState.FAILED)
        stream.on = True
        until(steady, lambda seen: isinstance(seen, np.ndarray))
        steady.close()


def test_half_frames_and_smaller_ones_are_told_as_a_webcams(stream: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_RECENT_S", 0.2)
    large, larger = ([jpeg(40, size), jpeg(40, size)] for size in ((1280, 960), (1600, 1200)))
    stream.sends = large
    with serving(stream) as host:
        steady = SteadyCamera(choose_camera(f"http://{host}/video").open)
        until(steady, lambda seen: isinstance(seen, np.ndarray))
        stream.sends = [large[0][:9000], large[1][:7000]]
        until(steady, lambda seen: isinstance(seen, CameraTrouble) and seen.state is CameraState.TORN)
        stream.sends = [jpeg(80, (640, 480)), jpeg(80, (640, 480))]
        until(steady, lambda seen: isinstance(seen, CameraTrouble) and seen.state is CameraState.SMALLER)
        stream.sends = larger
        until(steady, lambda seen: isinstance(seen, np.ndarray))
        assert np.asarray(steady.take_picture()).shape == (1200, 1600, 3)
        steady.close()


OPENED_AND_LEFT = """
import sys
from device.hardware.network import NetworkCamera
camera = NetworkCamera(sys.argv[1])
camera.take_preview()
"""


def test_a_program_that_ends_with_a_video_open_ends_well(tmp_path: Path) -> None:
    file = tmp_path / "video.ts"
    writer = cv2.VideoWriter(str(file), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), 25, (640, 480))
    for _ in range(25):
        writer.write(RNG.integers(0, 255, (480, 640, 3), np.uint8))
    writer.release()

    def loop(to: BaseHTTPRequestHandler) -> None:
        send(to, 200, "video/mp2t")
        while True:
            to.wfile.write(file.read_bytes())

    with serving(loop) as host:
        command = [sys.executable, "-c", OPENED_AND_LEFT, f"http://{host}/video.ts"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
