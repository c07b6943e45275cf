"""All benchmarks of the rooms: ``make bench``, or ``python -m tools.bench NAME…`` for some of them.

A room's benchmarks are a module ``tools/bench/NAME.py`` with a ``main()`` that prints its figures.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command has it


def list_rooms() -> list[str]:
    """List the rooms that have benchmarks, by name."""
    here = Path(__file__)
    others = (path for path in here.parent.glob("*.py") if path != here)
    return sorted(path.stem for path in others if "\ndef main(" in path.read_text(encoding="utf-8"))


def main(names: list[str]) -> int:
    """Run the benchmarks of the rooms named, or of all of them."""
    unknown = [name for name in names if name not in list_rooms()]
    if unknown:
        print(f"no benchmarks for {', '.join(unknown)}; there are {', '.join(list_rooms())}", file=sys.stderr)
        return 2
    for name in names or list_rooms():
        importlib.import_module(f"tools.bench.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
