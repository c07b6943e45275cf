"""What processes cost: processor time and memory of one and all its children, from /proc."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_MB = 1024.0


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor time in s so far, and memory in MB now, shared pages by their share."""

    cpu_s: float
    memory_mb: float


def cost_of_one(pid: int) -> Cost:
    """Measure what a process itself has cost, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    memory_kb = next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
    return Cost(sum(map(int, fields[11:13])) * _TICK_S, memory_kb / _MB)


def cost_of(pid: int) -> Cost:
    """Measure what a process and its children have cost, those that have ended included."""
    cpu_s, memory_mb = 0.0, 0.0
    for one in list_family(pid):
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            cpu_s += sum(map(int, fields[11:15])) * _TICK_S
            rollup = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii").splitlines()
            memory_mb += next(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) / _MB
    return Cost(cpu_s, memory_mb)


def list_family(pid: int) -> list[int]:
    """List a process and its children, and theirs."""
    found = [pid]
    for one in found:
        for thread in Path(f"/proc/{one}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, thread.read_text(encoding="ascii").split())
    return found


def busy_s() -> tuple[float, float]:
    """Measure the processor time of the whole machine so far, used and in all, in s."""
    numbers = [int(word) for word in Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]
    return (sum(numbers) - numbers[3] - numbers[4]) * _TICK_S, sum(numbers) * _TICK_S
