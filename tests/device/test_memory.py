"""That what was freed goes back to the system, though something small lies above it."""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest

from device.memory import give_back_memory

_PIECE_KB, _PIECES = 64, 1500


def resident_mb() -> float:
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) / 1024


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be asked to")
def test_what_is_freed_between_what_is_kept_goes_back() -> None:
    kept, freed = [], []
    for _ in range(_PIECES):
        freed.append(np.ones(_PIECE_KB << 10, np.uint8))
        kept.append(np.ones(1 << 10, np.uint8))
    freed.clear()
    before = resident_mb()
    give_back_memory()
    assert before - resident_mb() > 0.8 * _PIECES * _PIECE_KB / 1024
    assert len(kept) == _PIECES
