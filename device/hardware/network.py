"""A camera on the network: a phone with a camera app, or an IP camera.

JPEGs over HTTP, a stream of them or a still one that is asked for again and again, are taken as they come and decoded
only when somebody looks, so that nothing waits in a queue and a frame cut short is never filled up with an older one.
All else (RTSP, other videos) goes through OpenCV's FFmpeg.
"""

from __future__ import annotations

import atexit
import math
import os
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from http.client import HTTPException, HTTPResponse
from itertools import chain
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import (
    HTTPBasicAuthHandler,
    HTTPDigestAuthHandler,
    HTTPPasswordMgrWithDefaultRealm,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    build_opener,
)

import cv2
import numpy as np

from device.addresses import split_login, without_password
from device.errors import DeviceError
from device.hardware.camera import CUT_SHORT, Frame, Picture, Preview, picture_of, preview_of, size_of
from rules.plain import shorten_line
from rules.text import Text
from vision.errors import PictureError

SCHEMES = ("http", "https", "rtsp")
_OPENING_S, _READING_S, _ASKING_S = 8.0, 5.0, 3.0
"""How long FFmpeg may look at a stream, a stream may send nothing, and the answer why may take; 15 s are too long."""
_CHUNK, _SNIFFED, _LARGEST = 1 << 18, 1 << 16, 1 << 26
"""Bytes: what is taken at once, in how many a stream of JPEGs has shown one, and more than a JPEG has."""
_RECENT_S = 2.0
"""A frame that came so long ago still shows whether anything moves; many cameras send one a second."""
_FRESH_S = 2.8
"""A frame that is asked for comes within this, or the camera is stalled: just before it would be given up."""
_COPIES_S = 1.0
"""So long another frame than the last is waited for: a sender may fill its stream up with copies."""
_SLOW_S = 1.3
_TORN = 3
"""So many frames in a row that were cut short, and no whole one is waited for."""
_LATE_S = 1.0
"""A frame that has waited in a queue for so long is not looked at."""
_BUSY = 0.8
"""A program that computes for more of the time than this has not waited for a frame."""
_POLLED_S = 0.2
"""How long a still picture stands before it is asked for again."""
_SHOWN_S = 0.1
"""How often at most FFmpeg's frame is turned into pixels, which costs as much as decoding."""
_SAFE = "/?&=:@!$'()*+,;~[]%"

NO_ANSWER = Text("The camera at {address} can't be reached: check its address, and that it is on and in this network.")
LOGIN = Text("The camera at {address} asks for a login: write NAME:PASSWORD@ before the host in its address.")
WRONG_LOGIN = Text("The camera at {address} does not take the name and password in its address.")
PAGE = Text(
    "At {address} is a page and no stream of pictures: look there or in the camera's app for the stream's own address, "
    "which often ends in /video."
)
REFUSED = Text("The camera at {address} answers {answer}: check what follows the host in its address.")
UNREADABLE = Text(
    "The camera at {address} answers, but sends nothing that can be read as pictures: set it to MJPEG or H.264."
)
TOO_SLOW = Text("The camera at {address} sends less than a picture a second: have it send more, or smaller ones.")
TOO_MUCH = Text(
    "The camera at {address} sends more than this machine can take: have it send less often, or smaller pictures."
)


def _make_error(text: Text, address: str, **slots: Any) -> DeviceError:
    return DeviceError(text.refill(address=shorten_line(without_password(address)), **slots))


Frames = Generator[tuple[Frame | None, float], None, None]
"""Frames as they come, until the stream ends, each with how long it has waited in a queue, as far as that can be told.
One that was cut short is ``None``."""


# --- JPEGs over HTTP


_BEGIN = b"\xff\xd8\xff"
_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""What ends the compressed data of a JPEG."""
_SOI, _EOI, _SOS = 0xD8, 0xD9, 0xDA


class JpegCutter:
    """Cuts JPEGs out of bytes by their own structure, whatever stands between them.

    Boundaries and lengths are not gone by: too many cameras get one of them wrong.
    """

    def __init__(self) -> None:
        self._held = bytearray()
        self._at, self._in_scan = 0, False

    def cut(self, chunk: bytes) -> Iterator[bytes | None]:
        """Yield the JPEGs that end with this chunk; ``None`` for one that was cut short."""
        self._held += chunk
        while True:
            if not self._at:
                begin = self._held.find(_BEGIN)
                del self._held[: begin if begin >= 0 else max(0, len(self._held) - 2)]
                if begin < 0:
                    return
                self._at = 2
            is_whole = self._walk()
            if is_whole is None and len(self._held) <= _LARGEST:
                return
            yield bytes(self._held[: self._at]) if is_whole else None
            del self._held[: self._at]
            self._at, self._in_scan = 0, False

    @property
    def is_within(self) -> bool:
        """Whether a JPEG has begun that has not ended."""
        return self._at > 0

    def _walk(self) -> bool | None:
        """Whether the JPEG ends whole at ``_at``, or was cut short before it; ``None`` where more has to come."""
        held = self._held
        while True:
            if self._in_scan:
                found = _MARKER.search(held, self._at)
                self._at = found.start() if found else max(self._at, len(held) - 1)
                if not found:
                    return None
                self._in_scan = False
            if len(held) < self._at + 2:
                return None
            code = held[self._at + 1]
            if held[self._at] != 0xFF or code == _SOI:
                return False
            if code == _EOI:
                self._at += 2
                return True
            if len(held) < self._at + 4:
                return None
            if code == 0xFF:
                self._at += 1
            else:
                self._at += 2 + int.from_bytes(held[self._at + 2 : self._at + 4])
                self._in_scan = code == _SOS


class NoJpegError(Exception):
    """What is sent holds no JPEG."""


class JpegSource:
    """JPEGs over HTTP: a stream of them, or one that is asked for again and again.

    Raises:
        DeviceError: there are none, with why.
        NoJpegError: it is something else, and no page.
    """

    def __init__(self, address: str) -> None:
        self._client, self._url = _http_client(address)
        self._stopped = threading.Event()
        response = self._request_first(address)
        self._chunks, self._begin = self._chunks_of(response), b""
        try:
            while _BEGIN not in self._begin and len(self._begin) < _SNIFFED and (chunk := next(self._chunks, b"")):
                self._begin += chunk
        except (OSError, HTTPException) as error:
            raise _make_error(UNREADABLE, address) from error
        if _BEGIN in self._begin:
            return
        self._chunks.close()
        is_page = "html" in response.headers.get_content_type() or self._begin.lstrip().startswith(b"<")
        raise _make_error(PAGE, address) if is_page else NoJpegError

    def read_frames(self) -> Frames:
        """Those of one answer after the other where each holds one, else those of the first."""
        is_still = False
        while not self._stopped.is_set():
            cutter, count = JpegCutter(), 0
            with closing(self._chunks):
                for chunk in chain([self._begin], self._chunks):
                    for jpeg in cutter.cut(chunk):
                        count += jpeg is not None
                        yield jpeg, 0.0
            if cutter.is_within:
                yield None, 0.0
            is_still |= count == 1
            if not is_still:
                return
            self._stopped.wait(_POLLED_S)
            self._chunks, self._begin = self._chunks_of(self._ask()), b""

    def stop(self) -> None:
        """Break the connection."""
        self._stopped.set()
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)

    def _ask(self) -> HTTPResponse:
        response: HTTPResponse = self._client.open(self._url, timeout=_READING_S)
        self._line = socket.socket(fileno=os.dup(response.fileno()))
        return response

    def _chunks_of(self, response: HTTPResponse) -> Generator[bytes, None, None]:
        with response, self._line:
            while chunk := response.read1(_CHUNK):
                yield chunk

    def _request_first(self, address: str) -> HTTPResponse:
        """Return the first answer.

        Raises:
            DeviceError: nothing, or nothing that is any use.
        """
        login = WRONG_LOGIN if split_login(address)[1] else LOGIN
        try:
            return self._ask()
        except HTTPError as error:
            error.close()
            if error.code in (401, 403):
                raise _make_error(login, address) from error
            raise _make_error(REFUSED, address, answer=shorten_line(f"{error.code} {error.reason}")) from error
        except HTTPException as error:
            raise _make_error(UNREADABLE, address) from error
        except OSError as error:
            answers = isinstance(getattr(error, "reason", error), ssl.SSLError)
            raise _make_error(UNREADABLE if answers else NO_ANSWER, address) from error
        except ValueError as error:  # a way to log in that isn't known here
            raise _make_error(login, address) from error


def _http_client(address: str) -> tuple[OpenerDirector, str]:
    """Return an opener for the address, and the address as it is requested.

    Cameras sign their certificates themselves, so none is looked at.
    """
    scheme, login, rest = split_login(address)
    url = f"{scheme}://{quote(rest, _SAFE)}"
    name, _, password = map(unquote, login.partition(":"))
    logins = HTTPPasswordMgrWithDefaultRealm()
    if login:
        logins.add_password(None, f"{scheme}://{re.split('[/?#]', rest)[0]}/", name, password)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    handlers = (HTTPDigestAuthHandler(logins), HTTPBasicAuthHandler(logins), HTTPSHandler(context=tls))
    return build_opener(ProxyHandler({}), *handlers), url


# --- Everything else, by FFmpeg


_IN_OPENCV = threading.Lock()
atexit.register(_IN_OPENCV.acquire, timeout=_OPENING_S)
"""A thread that comes back from OpenCV while Python ends aborts the program."""


def open_video(address: str) -> Any:
    """OpenCV's capture of a stream.

    Raises:
        DeviceError: it can't be opened, with why.
    """
    scheme, login, rest = split_login(address)
    name, colon, password = login.partition(":")
    who = f"{quote(unquote(name), '')}{colon}{quote(unquote(password), '')}@" if login else ""
    waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1000 * _OPENING_S)]
    waits += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1000 * _READING_S)]
    with _IN_OPENCV:
        capture = cv2.VideoCapture(f"{scheme}://{who}{rest}", cv2.CAP_FFMPEG, waits)
        if capture.isOpened():
            return capture
    raise _why_no_video(address)


def _why_no_video(address: str) -> DeviceError:
    """Why a video can't be opened, which FFmpeg doesn't tell: an RTSP server is asked."""
    scheme, login, rest = split_login(address)
    if scheme != "rtsp":
        return _make_error(UNREADABLE, address)
    try:
        where = urlsplit(f"rtsp://{rest}")
        with socket.create_connection((where.hostname or "", where.port or 554), _ASKING_S) as line:
            line.sendall(f"DESCRIBE rtsp://{quote(rest, _SAFE)} RTSP/1.0\r\nCSeq: 1\r\n\r\n".encode())
            answer = line.recv(1000).split(b"\r\n")[0].decode("ascii", "replace")
    except (OSError, ValueError):
        return _make_error(NO_ANSWER, address)
    said = re.match(r"RTSP/\d\.\d (\d.*)", answer)
    if not said or said[1].startswith("2"):
        return _make_error(UNREADABLE, address)
    if said[1].startswith(("401", "403")):
        return _make_error(WRONG_LOGIN if login else LOGIN, address)
    return _make_error(REFUSED, address, answer=shorten_line(said[1]))


class VideoSource:
    """Frames that FFmpeg decodes."""

    def __init__(self, capture: Any) -> None:
        self._capture = capture
        self._stopped = False

    def read_frames(self) -> Frames:
        """Those of each tenth of a second; all the others are decoded too."""
        least = taken_s = now_s = busy_s = -math.inf
        with closing(self):
            while not self._stopped and self._capture.grab():
                if time.monotonic() - now_s < _SHOWN_S:
                    continue
                came, frame = self._capture.retrieve()
                # Many cameras' clocks go wrong: a frame is late only where none has been waited for since.
                before, then_s, worked_s = taken_s, now_s, busy_s
                taken_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                now_s, busy_s = time.monotonic(), time.process_time()
                if busy_s - worked_s < _BUSY * (now_s - then_s) or taken_s <= before or math.isinf(then_s):
                    least = now_s - taken_s
                if came:
                    yield np.asarray(frame, np.uint8), now_s - taken_s - least

    def stop(self) -> None:
        """Take no more."""
        self._stopped = True

    def close(self) -> None:
        """Let go of it."""
        self._capture.release()


# --- The camera


def open_source(address: str) -> JpegSource | VideoSource:
    """Open the source that an address gives.

    Raises:
        DeviceError: nothing that can be looked at, with why.
    """
    if not address.startswith("rtsp:"):
        with suppress(NoJpegError):
            return JpegSource(address)
    return VideoSource(open_video(address))


class NetworkCamera:
    """Sees the newest frame of a stream: what comes while nobody asks is thrown away, so nothing old is looked at."""

    def __init__(self, address: str, opener: Callable[[str], JpegSource | VideoSource] = open_source) -> None:
        self._address, self._source = address, opener(address)
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._count = self._different = self._torn = 0
        self._came_s = self._late_s = -math.inf
        self._apart_s = 0.0
        self._ended = False
        self._thread = threading.Thread(target=self._follow, name="stream", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def take_preview(self) -> Preview:
        """Return the newest frame, small and grey."""
        self._seen = self._await_newest(lambda: time.monotonic() - self._came_s < _RECENT_S)
        return preview_of(self._seen)

    def take_picture(self) -> Picture:
        """Return a frame that was taken after this call; the next to arrive may have been on its way already."""
        asked_s, count, different = time.monotonic(), self._count + 2, self._different + 2

        def is_new() -> bool:
            waited = time.monotonic() - asked_s >= _COPIES_S
            return self._different >= different or (waited and self._count >= count)

        self._seen = self._await_newest(is_new)
        return picture_of(self._seen)

    def get_frame_size(self) -> tuple[int, int]:
        """Return the width and height in px of the frame that was taken last."""
        return size_of(self._seen)

    def close(self) -> None:
        """Let go of the stream; closing twice does no harm."""
        self._ended = True
        self._source.stop()
        self._thread.join(_READING_S + 1)
        atexit.unregister(self.close)

    def _follow(self) -> None:
        """Take every frame; only the newest is kept."""
        with suppress(OSError, HTTPException, ValueError), closing(self._source.read_frames()) as frames:
            for frame, waited_s in frames:
                if self._ended:
                    break
                self._keep(frame, waited_s)
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _keep(self, frame: Frame | None, waited_s: float) -> None:
        now_s = time.monotonic()
        with self._news:
            if frame is None:
                self._torn += 1
            elif waited_s > _LATE_S:
                self._late_s = now_s
            else:
                self._count, self._torn = self._count + 1, 0
                self._different += not isinstance(frame, bytes) or frame != self._frame
                self._apart_s, self._came_s, self._frame = now_s - self._came_s, now_s, frame
            self._news.notify_all()

    def _await_newest(self, is_new: Callable[[], bool]) -> Frame:
        """Return the newest frame, as soon as it is new enough.

        Raises:
            PictureError: what comes is cut short.
            TimeoutError: none comes: the stream has ended or is frozen.
            DeviceError: what comes is late, or little.
        """
        asked_s = time.monotonic()
        with self._news:
            while not self._ended and not is_new() and self._torn < _TORN:
                if (left_s := asked_s + _FRESH_S - time.monotonic()) <= 0:
                    break
                self._news.wait(min(left_s, _COPIES_S))
            if not self._ended and is_new() and self._frame is not None:
                return self._frame
            if self._torn:
                raise PictureError(CUT_SHORT)
            if self._late_s > asked_s:
                raise _make_error(TOO_MUCH, self._address)
            if not self._ended and self._came_s > asked_s and self._apart_s > _SLOW_S:
                raise _make_error(TOO_SLOW, self._address)
            raise TimeoutError("the stream has ended" if self._ended else "the stream sends no frame")
