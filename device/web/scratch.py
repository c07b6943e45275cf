"""Where uploads lie while they are looked at: a folder of this process, removed by the next one where it was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "sevenmat-page-"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """All temporary files of this process lie in this folder as long as this lasts.

    Raises:
        OSError: it can't be made.
    """
    usual = tempfile.gettempdir()
    _sweep(Path(usual))
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            tempfile.tempdir = folder
            yield Path(folder)
        finally:
            tempfile.tempdir = usual
            os.close(handle)


def _sweep(among: Path) -> None:
    """Remove the folders of processes that are no more: nobody holds them."""
    for path in among.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(handle).st_uid == os.getuid():
                    shutil.rmtree(path)
            finally:
                os.close(handle)
