"""Writing a file so that either the old one or the whole new one is there, whatever happens in between."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.errors import DeviceError


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Yield a file in the same folder to be written; it takes ``path``'s place when the block ends well.

    Raises:
        DeviceError: the folder can't be written, or the disk is full.
    """
    try:
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
        unfinished.chmod(0o666 & ~umask)
        _flush(unfinished)
        unfinished.replace(path)
        _flush(path.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        unfinished.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Have the disk take a file's contents, or a folder's names, before going on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _cannot_write(path: Path, error: OSError) -> DeviceError:
    reason = error.strerror or str(error)
    return DeviceError(f"{path} can't be written: {reason}.", f"{path}に書き込めません（{reason}）。")
