"""A camera on the network: a real stream over HTTP, as a phone's camera app sends it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from device.errors import DeviceError
from device.hardware.cameras import choose_camera
from device.hardware.network import NetworkCamera
from device.hardware.steady import CameraState, CameraTrouble, SteadyCamera

EACH_S = 0.05


class Stream:
    """An MJPEG stream; ``level`` is how bright the pictures are that it sends now, ``on`` whether it sends any."""

    def __init__(self) -> None:
        self.level, self.on, self.size = 60, True, (640, 480)
        stream = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    while stream.on:
                        jpeg = stream.jpeg()
                        self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
                        self.wfile.write(b"Content-Length: %d\r\n\r\n%b\r\n" % (len(jpeg), jpeg))
                        time.sleep(EACH_S)
                except OSError:
                    pass

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/video"

    def jpeg(self) -> bytes:
        width, height = self.size
        noise = np.random.default_rng(self.level).integers(0, 40, (height, width, 3), np.uint8)
        return cv2.imencode(".jpg", noise + np.uint8(self.level))[1].tobytes()


@pytest.fixture
def stream() -> Iterator[Stream]:
    running = Stream()
    yield running
    running.on = False
    running.server.shutdown()
    running.server.server_close()


def level(picture: np.ndarray) -> float:
    return float(picture.mean())


def test_the_newest_picture_is_seen(stream: Stream) -> None:
    camera = choose_camera(stream.address).open()
    try:
        assert camera.picture().shape == (480, 640, 3)
        assert camera.preview().shape == (480, 640)
        assert abs(level(camera.picture()) - 80) < 5
        time.sleep(20 * EACH_S)  # nobody asks meanwhile; what came then must not be shown first
        stream.level = 160
        time.sleep(6 * EACH_S)
        assert abs(level(camera.picture()) - 180) < 5
    finally:
        camera.close()


def test_a_stream_that_ends_or_freezes_is_told(stream: Stream) -> None:
    camera = NetworkCamera(stream.address)
    camera.picture()
    stream.on = False
    with pytest.raises(TimeoutError):
        list(iter(camera.picture, None))
    camera.close()


def test_an_address_where_nothing_is_says_so_without_its_password() -> None:
    with pytest.raises(DeviceError) as told:
        choose_camera("http://me:secret@127.0.0.1:9/video").open()
    assert "http://127.0.0.1:9/video can't be reached" in str(told.value)
    assert "secret" not in str(told.value) + str(choose_camera("http://me:secret@127.0.0.1:9/v").why)


def test_it_is_opened_again_when_it_comes_back(stream: Stream) -> None:
    steady = SteadyCamera(choose_camera(stream.address).open)

    def until(wanted: type, within_s: float = 40.0) -> object:
        end = time.monotonic() + within_s
        while time.monotonic() < end:
            seen = steady.preview()
            if isinstance(seen, wanted):
                return seen
            time.sleep(0.05)
        raise AssertionError(f"no {wanted.__name__} came")

    try:
        until(np.ndarray)
        stream.on = False
        gone = until(CameraTrouble)
        assert isinstance(gone, CameraTrouble)
        assert gone.state in (CameraState.STALLED, CameraState.FAILED)
        stream.on = True
        until(np.ndarray)
    finally:
        steady.close()
