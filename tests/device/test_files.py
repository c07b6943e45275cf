"""Reading files so that it always ends."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.errors import DeviceError
from device.files import read_bounded
from rules.text import Language


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def _written(path: Path, blocks: Iterator[bytes]) -> threading.Thread:
    """Somebody writes these blocks into a pipe until nobody reads it any more."""

    def write() -> None:
        try:
            with path.open("wb", buffering=0) as stream:
                for block in blocks:
                    stream.write(block)
        except BrokenPipeError:
            pass

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def _slowly() -> Iterator[bytes]:
    while True:
        yield b"{}\n"
        time.sleep(0.02)


def _for_ever() -> Iterator[bytes]:
    while True:
        yield b"x" * 5000


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for contents in (b"", b"\xff\x00\r\n" * 50_000):
        path.write_bytes(contents)
        assert read_bounded(path, 200_000) == contents


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * (1 << 20))
    assert len(read_bounded(path, 1 << 20)) == 1 << 20
    path.write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(DeviceError, match="more than 1 MiB") as fault:
        read_bounded(path, 1 << 20)
    assert "1MiB" in fault.value.text.said(Language.JA)


def test_a_pipe_that_ends_is_read(pipe: Path) -> None:
    writer = _written(pipe, iter([b"one\n", b"", b"two\n"]))
    assert read_bounded(pipe, 100) == b"one\ntwo\n"
    writer.join(5)


def test_a_pipe_that_nobody_writes_to_is_given_up(pipe: Path) -> None:
    with pytest.raises(DeviceError, match=r"did not end within 0\.1 s") as fault:
        read_bounded(pipe, 100, 0.1)
    assert "0.1秒" in fault.value.text.said(Language.JA)


def test_a_pipe_that_trickles_for_ever_is_given_up(pipe: Path) -> None:
    writer = _written(pipe, _slowly())
    with pytest.raises(DeviceError, match=r"did not end within 0\.3 s"):
        read_bounded(pipe, 1 << 20, 0.3)
    writer.join(5)
    assert not writer.is_alive()


def test_a_pipe_that_pours_for_ever_is_given_up(pipe: Path) -> None:
    writer = _written(pipe, _for_ever())
    with pytest.raises(DeviceError, match="more than 1 MiB"):
        read_bounded(pipe, 1 << 20, 5)
    writer.join(5)
    assert not writer.is_alive()


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="No such file"):
        read_bounded(tmp_path / "none", 100)
    with pytest.raises(DeviceError, match="Is a directory"):
        read_bounded(tmp_path, 100)
