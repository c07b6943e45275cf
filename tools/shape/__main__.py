"""``make shape``: the shape of the code in numbers, each beside what it should be at most."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.shape.bounds import BOUNDS, measure_all
from tools.shape.measure import ROOT, other_lines, read_sources


def main(arguments: list[str]) -> int:
    """Print the table; 1 where a bound is missed."""
    parser = argparse.ArgumentParser(prog="make shape", description=__doc__)
    parser.add_argument("checkout", nargs="?", type=Path, default=ROOT, help="the tree to measure (default: this one)")
    parser.add_argument("--places", action="store_true", help="name every place that counts")
    chosen = parser.parse_args(arguments)
    files = read_sources(chosen.checkout)
    found = measure_all(files)
    good = True
    print(f"{'lines of the program, without training':72}{sum(file.lines for file in files):8}")
    print(f"{'lines of tests and tools':72}{other_lines(chosen.checkout):8}")
    print(f"{'measure':72}{'now':>8}{'most':>8}")
    for bound in BOUNDS:
        count, places = found[bound.name]
        kept = count <= bound.most
        good &= kept
        print(f"{bound.words:72}{count:8}{bound.most:8}{'' if kept else '  MISSED'}")
        if chosen.places:
            for place in places:
                print(f"    {place}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
