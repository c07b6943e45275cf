"""Mutation tests: put a small fault into the rules, the referee or the table view, and see whether a test fails.

    make mutants MUTANTS="--seed 1 --count 400 --only referee/laminate/citing.py"

Faults are drawn by the seed from all there are. Each is given to the tests that run its lines, the quickest first,
until one fails: then it is killed. Tests that take long or search at random are asked only where no other runs the
line. Which test runs what is found out once and kept, like the results, in .mutants/; so a run that was broken off
goes on where it was, and a second one asks only about survivors anew, and about files that have changed.

A fault that changes nothing that anybody could see stands in equivalent.toml with the reason. What survives besides
is printed with its difference; the end is 1 then, and where fewer than ``--least`` percent were killed.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import pickle
import random
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

from tools.mutation.mutants import Mutant, mutants_of
from tools.mutation.running import Covered, Job, covered_by, run_all

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / ".mutants"
TARGETS = ("rules", "referee")
TESTS = (
    "tests/rules",
    "tests/referee",
    "tests/vision/test_tableview.py",
    # What is agreed, entry by entry, is entered through a session, and what a file may hold through the files.
    "tests/device/test_correcting.py",
    "tests/device/test_discards_known.py",
    "tests/device/test_naming.py",
    "tests/device/test_last_look.py",
    "tests/device/test_plain.py",
    "tests/device/test_setting.py",
    "tests/cli/test_games.py",
    "tests/device/test_rough_edges.py",
    "tests/device/test_made_up_game.py",
)
LONG_S = 1.0
"""A test that takes longer than this, measured line by line, is asked only where no other runs the line."""

Key = tuple[str, str, str, str, int]


def texts_below(paths: Iterable[str]) -> dict[str, str]:
    """Read the Python files of these folders and files, with their texts; simulated players are left out."""
    found = {file for path in paths for file in ([ROOT / path], (ROOT / path).rglob("*.py"))[(ROOT / path).is_dir()]}
    return {
        file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted(found)
        if "simulated" not in file.relative_to(ROOT).parts
    }


def compute_digest(*texts: str) -> str:
    """Compute what changes as soon as one of the texts does."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def coverage_of(texts: Mapping[str, str], tests: Mapping[str, str], at_once: int) -> Covered:
    """Find which tests run which lines: as it was kept, or found out now, for files of tests that changed alone."""
    files = {name: compute_digest(text) for name, text in tests.items() if Path(name).name.startswith("test_")}
    common = compute_digest(*texts.values(), *(text for name, text in tests.items() if name not in files))
    kept = KEPT / "coverage"
    was, its_files, covered = pickle.loads(kept.read_bytes()) if kept.exists() else ("", {}, Covered({}, set(), {}))
    if was != common:
        its_files, covered = {}, Covered({}, set(), {})
    changed = {name for name in files.keys() | its_files.keys() if files.get(name) != its_files.get(name)}
    if changed:
        print("Finding out which test runs which lines ...", flush=True)
        covered = covered.renew(changed, covered_by(ROOT, sorted(changed & files.keys()), texts, at_once))
        kept.write_bytes(pickle.dumps((common, files, covered)))
    return covered


def asked_of(mutant: Mutant, covered: Covered) -> tuple[str, ...]:
    """List the tests that run its lines; where these run as files are imported, all tests, those of its file first."""
    by_line = covered.lines.get(mutant.file, {})
    tests = {test for line in range(mutant.lines[0], mutant.lines[1] + 1) for test in by_line.get(line, ())}
    if "" in tests:
        near = {test for some in by_line.values() for test in some} - {""}
        return in_order(near, covered) + in_order(covered.seconds.keys() - near, covered)
    return in_order(tests, covered)


def in_order(tests: Iterable[str], covered: Covered) -> tuple[str, ...]:
    """Sort these tests, the quickest first; slow ones only where there is no other."""
    quick = [test for test in tests if covered.seconds[test] < LONG_S and test not in covered.random]
    return tuple(sorted(quick or tests, key=lambda test: (covered.seconds[test], test)))


def load_equivalents() -> dict[Key, str]:
    """Read the mutants that nobody can tell from the program, with the reason for each."""
    listed = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text(encoding="utf-8")).get("mutant", [])
    return {(m["file"], m["where"], m["was"], m["now"], m.get("nth", 1)): m["why"] for m in listed}


def kept_results() -> dict[Key, tuple[str, str, str]]:
    """Read what earlier runs found last: the digests of the file and of all files, and how it went."""
    kept = KEPT / "results.jsonl"
    found: dict[Key, tuple[str, str, str]] = {}
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else ():
        key, file, tree, went = json.loads(line)
        found[tuple(key)] = file, tree, went
    return found


def report(sample: Sequence[Mutant], found: Mapping[Key, str], texts: Mapping[str, str], least: float) -> int:
    """Print survivors, figures by file and the whole; 1 where it is not good enough."""
    same = load_equivalents()
    counts: dict[str, Counter[str]] = {"all": Counter()}
    for mutant in sample:
        went = found[mutant.key].split()[0]
        went = "equivalent" if went == "survived" and mutant.key in same else went
        for row in (mutant.file, "all"):
            counts.setdefault(row, Counter())[went] += 1
        if went == "survived":
            text, (file, where, was, now, nth) = texts[mutant.file], mutant.key
            lines = text.splitlines(), mutant.make_source(text).splitlines()
            print("", *difflib.unified_diff(*lines, file, where, n=1, lineterm=""), sep="\n")
            print(f"[[mutant]]\nfile = {file!r}\nwhere = {where!r}\nwas = '''{was}'''\nnow = '''{now}'''\n{nth = }")
    print(f"\n{'':30}{'killed':>12}{'timed out':>12}{'equivalent':>12}{'survived':>12}")
    for row in sorted(counts, key=lambda row: (row == "all", row)):
        print(f"{row:30}" + "".join(f"{counts[row][w]:>12}" for w in ("killed", "timed", "equivalent", "survived")))
    whole = counts["all"]
    killed = whole["killed"] + whole["timed"]
    share = 100 * killed / max(1, len(sample))
    print(f"{killed} of {len(sample)} killed, {share:.1f} %; {whole['survived']} survived without a reason")
    return int(share < least or whole["survived"] > 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code, 0 where all is well."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__, formatter_class=raw)
    parser.add_argument("--seed", type=int, default=1, help="draws the sample (1)")
    parser.add_argument("--count", type=int, default=400, help="how many mutants (400)")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once (2)")
    parser.add_argument("--only", nargs="+", default=[""], metavar="PATH", help="of files whose path begins so")
    parser.add_argument("--least", type=float, default=95.0, help="the least share to be killed in percent (95)")
    parser.add_argument("--again", action="store_true", help="only what survived earlier, unexplained")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs found")
    asked = parser.parse_args(arguments)
    began = time.monotonic()
    texts = texts_below(TARGETS)
    tests = texts_below(TESTS)
    tree = compute_digest(*texts.values(), *tests.values())
    every = {mutant.key: mutant for file, text in texts.items() for mutant in mutants_of(file, text)}
    for gone in load_equivalents().keys() - every.keys():
        print("equivalent.toml names what there is no longer:", *gone)
    earlier = kept_results()
    survived = {key for key, (_, _, went) in earlier.items() if went == "survived"} - load_equivalents().keys()
    drawn = [mutant for mutant in every.values() if mutant.file.startswith(tuple(asked.only))]
    if asked.again:
        drawn = [mutant for mutant in drawn if mutant.key in survived]
    sample = random.Random(asked.seed).sample(drawn, min(asked.count, len(drawn)))
    KEPT.mkdir(exist_ok=True)
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(KEPT / "pycache")  # or every fork would compile it all
    covered = coverage_of(texts, tests, asked.jobs)
    # Kills hold while the file is the same, survivors while all is.
    found = {
        key: went
        for key, (file, all_files, went) in earlier.items()
        if key in every and file == compute_digest(texts[key[0]]) and (went != "survived" or all_files == tree)
    }
    if asked.fresh:
        found = {}
    todo = [mutant for mutant in sample if mutant.key not in found]
    print(f"{len(sample)} of {len(drawn)} mutants, seed {asked.seed}: {len(todo)} to be tried", flush=True)
    jobs = (Job(mutant, asked_of(mutant, covered), mutant.make_source(texts[mutant.file])) for mutant in todo)
    as_it_is = Job(None, in_order(covered.seconds, covered))
    with open(KEPT / "results.jsonl", "w" if asked.fresh else "a", encoding="utf-8") as log:
        for job, went, seconds in run_all(ROOT, chain([as_it_is], jobs), covered, asked.jobs) if todo else ():
            mutant = job.mutant
            if mutant is None:
                if went != "survived":
                    raise SystemExit(f"without any fault the tests end so: {went}")
                continue
            found[mutant.key] = went
            print(json.dumps((mutant.key, compute_digest(texts[mutant.file]), tree, went)), file=log, flush=True)
            print(f"{seconds:6.1f} s  {went:9.9}  {mutant.file}:{mutant.lines[0]}  {mutant.now[:80]}", flush=True)
    end = report(sample, found, texts, asked.least)
    print(f"{time.monotonic() - began:.0f} s")
    return end


if __name__ == "__main__":
    sys.exit(main())
