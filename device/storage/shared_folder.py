"""A folder that several programs may use at once: they change it one at a time, and know whether they are alone."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

from device.storage.trouble import JournalError, Trouble, explain_refusal


class SharedFolder:
    """The folder at ``path``. ``lock`` is a file beside it that is locked as long as somebody has the folder open."""

    def __init__(self, path: Path, lock: Path, wait_s: float) -> None:
        self._path, self._lock, self._wait_s = path, lock, wait_s
        self._handles: list[int] = []
        self.turn = RLock()
        """Threads take turns too."""

    @contextmanager
    def open_folder(self) -> Iterator[bool]:
        """Open the folder, and yield whether nobody else has it open; nobody opens it meanwhile where that is so.

        Raises:
            JournalError: others are opening it, or the system refuses it.
        """
        with self.turn:
            self.close()
            try:
                self._handles.append(os.open(self._lock, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666))
                alone = self._take(self._handles[0], fcntl.LOCK_EX, fcntl.LOCK_SH) == fcntl.LOCK_EX
                self._handles.append(os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
                with self.change_files():
                    yield alone
                fcntl.flock(self._handles[0], fcntl.LOCK_SH)
            except BaseException as error:
                self.close()
                if isinstance(error, OSError):
                    raise explain_refusal(error, self._path) from error
                raise

    def close(self) -> None:
        """Let go of the folder; closing twice does no harm."""
        with self.turn:
            while self._handles:
                os.close(self._handles.pop())

    @contextmanager
    def use_files(self) -> Iterator[None]:
        """While its files are read.

        Raises:
            JournalError: the folder is closed or gone, or the system refuses something.
        """
        with self.turn:
            if not self._is_there:
                raise JournalError(Trouble.GONE, self._path)
            try:
                yield
            except OSError as error:
                raise explain_refusal(error, self._path) from error

    @contextmanager
    def change_files(self) -> Iterator[None]:
        """While its files are changed, by nobody else.

        Raises:
            JournalError: as ``use_files``, or others are changing them for too long.
        """
        with self.use_files():
            self._take(self._handles[1], fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._handles[1], fcntl.LOCK_UN)

    @property
    def _is_there(self) -> bool:
        """False where the folder was closed, or what lies under its name is not what was opened."""
        try:
            return len(self._handles) == 2 and os.path.samestat(os.fstat(self._handles[1]), self._path.stat())
        except OSError:
            return False

    def _take(self, handle: int, *ways: int) -> int:
        """Take a lock in the first way that is free."""
        until = time.monotonic() + self._wait_s
        while True:
            for way in ways:
                with suppress(BlockingIOError):
                    fcntl.flock(handle, way | fcntl.LOCK_NB)
                    return way
            if time.monotonic() >= until:
                raise JournalError(Trouble.LOCKED, self._path)
            time.sleep(0.002)
