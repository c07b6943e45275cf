"""``python -m tools.fuzz``: so many damaged files of each kind; ends with 1 where one met an unforeseen fault."""

from __future__ import annotations

import argparse
import os
import sys

from tools.fuzz.fuzzing import KINDS, fuzz


def main(arguments: list[str]) -> int:
    """Fuzz, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--each", type=int, default=2000, help="cases of each kind (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other cases (default: 1)")
    parser.add_argument("--first", type=int, default=0, metavar="CASE", help="begin with this one (default: 0)")
    parser.add_argument("--only", choices=KINDS, action="append", help="this kind alone; may be repeated")
    chosen = parser.parse_args(arguments)
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    faults = [
        fault
        for kind in chosen.only or KINDS
        for fault in fuzz(kind, chosen.seed, range(chosen.first, chosen.first + chosen.each))
    ]
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
