"""A process that does something until it is killed, and says how far it has come."""

from __future__ import annotations

import os
import signal
import struct
import time
import warnings
from collections.abc import Callable

Say = Callable[[int], None]
_NUMBER = struct.Struct("q")


def lived(life: Callable[[Say], None], wait_s: float) -> int:
    """Fork, let ``life`` go on for a while after it has first said something, kill it, and return what it said last.

    Raises:
        AssertionError: it ended by itself, or said nothing.
    """
    hear, speak = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads: the child uses nothing of theirs
        child = os.fork()
    if child == 0:
        try:
            life(lambda number: _say(speak, number))
        finally:
            os._exit(1)
    os.close(speak)
    with os.fdopen(hear, "rb") as pipe:
        last = pipe.read(_NUMBER.size)
        time.sleep(wait_s)
        os.kill(child, signal.SIGKILL)
        while further := pipe.read(_NUMBER.size):
            last = further
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL, "it ended by itself"
    number: int = _NUMBER.unpack(last)[0]
    return number


def _say(pipe: int, number: int) -> None:
    os.write(pipe, _NUMBER.pack(number))
