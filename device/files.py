"""Files read whole or not at all, however odd they are, and written so that the old or the whole new one is there."""

from __future__ import annotations

import errno
import os
import select
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.errors import DeviceError, reason_of
from rules.text import Text

PATIENCE_S = 10.0
"""So long a pipe may take; what lies on a disk is there at once."""
_BLOCK = 1 << 16


def read_bounded(path: Path, most: int, patience_s: float = PATIENCE_S) -> bytes:
    """Read the contents of a file, or of a pipe that ends.

    Args:
        path: what to read.
        most: bytes that it may have.
        patience_s: seconds within which it must end.

    Raises:
        DeviceError: it can't be read, is longer, or does not end in time.
    """
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return _read_to_its_end(handle, path, most, patience_s)
        finally:
            os.close(handle)
    except OSError as error:
        raise DeviceError("{path} can't be read: {reason}.", path=path, reason=reason_of(error)) from error


def _read_to_its_end(handle: int, path: Path, most: int, patience_s: float) -> bytes:
    deadline = time.monotonic() + patience_s
    ready = select.poll()
    ready.register(handle, select.POLLIN)
    blocks: list[bytes] = []
    size = 0
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not ready.poll(1000 * left):
            raise DeviceError("{path} did not end within {patience_s:g} s.", path=path, patience_s=patience_s)
        try:
            block = os.read(handle, _BLOCK)
        except BlockingIOError:
            continue
        if not block:
            return b"".join(blocks)
        blocks.append(block)
        size += len(block)
        if size > most:
            mib = most >> 20
            raise DeviceError("{path} is too long: it has more than {mib} MiB.", path=path, mib=mib)


class MissingFileError(DeviceError):
    """There is no such file."""


def read_text(path: Path, most: int) -> str:
    """Read a UTF-8 text file of at most ``most`` bytes, without its byte-order mark, with lines ended by line feeds.

    Only a file is read: a device may never end, a pipe may never begin.

    Raises:
        MissingFileError: there is none.
        DeviceError: it can't be read, is no file, is larger, or is no UTF-8 text.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise DeviceError("{path} can't be read: it is no file.", path=path)
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        kind = MissingFileError if isinstance(error, FileNotFoundError) else DeviceError
        raise kind(Text("{path} can't be read: {reason}.", path=path, reason=reason_of(error))) from error
    if len(data) > most:
        size = f"{most // 1_000_000} MB" if most >= 1_000_000 else f"{most // 1000} kB"
        raise DeviceError("{path} is far too large: it may have {size} at most.", path=path, size=size)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise DeviceError("{path} is no UTF-8 text.", path=path) from error


@contextmanager
def replace_file(path: Path, parents: bool = False, mode: int = 0o666) -> Iterator[Path]:
    """Yield a file in the same folder to be written; it takes ``path``'s place when the block ends well.

    With ``parents`` the folders above are made where there are none. ``mode`` are the file's permissions, of which the
    process's umask takes some away.

    Raises:
        DeviceError: the folder can't be written, the disk is full, or ``path`` is something else than a file.
    """
    try:
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            # A device or a pipe of that name would be gone.
            raise OSError(errno.EINVAL, "it is no file")
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=path.suffix, dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise _cannot_write(path, error) from error
    unfinished = Path(name)
    try:
        yield unfinished
        # mkstemp makes files for the owner alone; what we write is meant to be read.
        umask = os.umask(0)
        os.umask(umask)
        unfinished.chmod(mode & ~umask)
        flush(unfinished)
        unfinished.replace(path)
        flush(path.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        unfinished.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, where there is none.

    Raises:
        DeviceError: it can't be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from error


def read_stamp(path: Path) -> tuple[int, ...]:
    """Return what changes with a file or folder: which it is, its size, when it was written; empty where it is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def flush(path: Path) -> None:
    """Have the disk take a file's contents, or a folder's names, before going on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _cannot_write(path: Path, error: OSError) -> DeviceError:
    return DeviceError("{path} can't be written: {reason}.", path=path, reason=reason_of(error))
