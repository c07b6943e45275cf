"""Memory that was freed and that the allocator keeps."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def give_back_memory() -> None:
    """Give free memory back to the system, in some milliseconds.

    glibc keeps what is freed below anything that is still in use: a game's pictures and templates, some hundred MB. See
    malloc_trim(3); where the C library has none, nothing is done.
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
