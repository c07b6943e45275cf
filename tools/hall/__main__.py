"""``python -m tools.hall load``, ``faults`` and ``looks``: what a hall of simulated tables bears, survives and costs.

Both start a real Mosquitto, a real PostgreSQL or SQLite, and the hall, on free ports and in a folder of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tools.hall.faults import CONTROL, FAULTS, Scale, explain_skip, without_outbox
from tools.hall.load import run_load
from tools.hall.looks import compare_looks
from tools.hall.plot import draw_plot
from tools.hall.servers import database_programs, find_missing

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main() -> int:
    """Do what the arguments say. Returns 1 where something was lost, late or can't be, 2 where none can run."""
    parser = argparse.ArgumentParser(prog="python -m tools.hall", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    load = commands.add_parser("load", help="how far the board is behind, and what it costs")
    load.add_argument("--tables", type=_parse_numbers, default=(10, 100, 300, 1000), metavar="N,N")
    load.add_argument("--seconds", type=_parse_numbers, default=(600,), help="for each, or one for all", metavar="S,S")
    load.add_argument("--rate", type=float, default=1.0, help="changes a second at each table")
    load.add_argument("--db", choices=("postgresql", "sqlite"), default="postgresql")
    load.add_argument("--ahead", action="store_true", help="before other programs of this machine (needs root)")
    load.add_argument("--out", type=Path, default=DOCS, metavar="DIR", help="for hall-load.json and hall-load.svg")
    faults = commands.add_parser("faults", help="what is lost, twice, or shown that can't be")
    faults.add_argument("--times", type=int, default=10)
    faults.add_argument("--minute", type=float, default=60.0, help="what a minute lasts, s", metavar="S")
    faults.add_argument("--only", action="append", help=f"some of: {', '.join([*FAULTS, CONTROL])}", metavar="FAULT")
    faults.add_argument("--out", type=Path, metavar="FILE", help="write what came of it, as JSON")
    looks = commands.add_parser("looks", help="the referee's processor time with the hall on, gone and off")
    looks.add_argument("--rounds", type=int, default=5)
    looks.add_argument("--entries", type=int, default=6, help="what is played of the game each time")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that whatever was started is ended
    if why := find_missing():
        print(why, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="hall-") as folder:
        os.chmod(folder, 0o755)
        if options.command == "looks":
            print(json.dumps(compare_looks(Path(folder), options.rounds, options.entries)), flush=True)
            return 0
        return _load(options, Path(folder)) if options.command == "load" else _run_faults(options, Path(folder))


def _parse_numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _load(options: argparse.Namespace, folder: Path) -> int:
    if options.db == "postgresql" and database_programs() is None:
        print("PostgreSQL is not installed; --db sqlite does without", file=sys.stderr)
        return 2
    if options.ahead:
        Path("/proc/self/autogroup").write_text("-10", encoding="ascii")
    seconds = options.seconds if len(options.seconds) > 1 else options.seconds * len(options.tables)
    runs: list[dict[str, Any]] = []
    for tables, how_long in zip(options.tables, seconds, strict=True):
        run = run_load(folder / f"{tables}", tables, how_long, options.rate, options.db)
        runs.append(run)
        print(json.dumps(run), flush=True)
    report = {"machine": _describe_machine(), "ahead": options.ahead, "runs": runs}
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "hall-load.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    (options.out / "hall-load.svg").write_text(draw_plot(runs), encoding="utf-8")
    return int(any(run["kept"]["lost"] or (run["lag_ms"]["p99"] or 1e9) > 1000 for run in runs))


def _describe_machine() -> dict[str, Any]:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return {"cpu": model, "cores": os.cpu_count(), "python": platform.python_version()}


def _run_faults(options: argparse.Namespace, folder: Path) -> int:
    scale, failed, report = Scale(options.times, options.minute), 0, {}
    for number, name in enumerate(options.only or [*FAULTS, CONTROL]):
        if why := explain_skip(name):
            print(f"skipped  {name}: {why}", flush=True)
            continue
        began_s = time.monotonic()
        control = name == CONTROL
        outcome = (without_outbox if control else FAULTS[name])(scale, folder / f"{number}")
        good = outcome.kept.lost > 0 if control else outcome.good
        failed += not good
        report[name] = {**outcome.to_json(), "seconds": round(time.monotonic() - began_s, 1)}
        print(f"{'as it should' if good else 'FAILED':12} {name}: {json.dumps(report[name])}", flush=True)
        if options.out is not None:
            options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
