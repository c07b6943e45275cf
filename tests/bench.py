"""All benchmarks of the rooms: ``make bench``, or ``python -m tests.bench NAME…`` for some of them.

A room's benchmarks are a module ``tests/bench_NAME.py`` with a ``main()`` that prints its figures.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command has it


def rooms() -> list[str]:
    """The rooms that have benchmarks, by name."""
    return sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main(names: list[str]) -> int:
    """Run the benchmarks of the rooms named, or of all of them."""
    unknown = [name for name in names if name not in rooms()]
    if unknown:
        print(f"no benchmarks for {', '.join(unknown)}; there are {', '.join(rooms())}", file=sys.stderr)
        return 2
    for name in names or rooms():
        importlib.import_module(f"tests.bench_{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
