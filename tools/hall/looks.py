"""The referee's time with the hall on, gone and off: the same simulated game, in turn, by processor time."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from device.storage.game_file import FOLDER
from tools.hall.processes import Cost, cost_of_one
from tools.hall.servers import Hall, Mosquitto, TrialError, free_port

_PATIENCE_S = 300.0
WAYS = ("on", "gone", "off")


def compare_looks(folder: Path, rounds: int, entries: int) -> dict[str, Any]:
    """Compare the referee's processor time for entries of the journal after the first, in s, by the hall's state."""
    broker = Mosquitto(folder / "broker")
    hall = Hall(folder / "hall", broker.make_url("Hall"), f"sqlite:///{folder / 'hall.db'}")
    urls = {"on": broker.make_url("Hall"), "gone": f"mqtt://127.0.0.1:{free_port()}/Hall", "off": None}
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    try:
        broker.start()
        hall.start()
        for number in range(rounds):
            # Which comes first changes, so that nothing that changes with time favours one.
            for way in random.Random(number).sample(WAYS, len(WAYS)):
                times[way].append(_run_referee(folder / f"{number}-{way}", urls[way], entries))
                print(number, way, times[way][-1], file=sys.stderr, flush=True)
    finally:
        hall.stop()
        broker.stop()
    figures: dict[str, Any] = {"rounds": rounds, "entries": entries, "cpu_s": times}
    for way in ("on", "gone"):
        ratios = [one / off for one, off in zip(times[way], times["off"], strict=True)]
        figures[f"{way} / off"] = {
            "median": round(statistics.median(ratios), 4),
            "all": [round(one, 4) for one in ratios],
        }
    return figures


def _run_referee(state: Path, hall: str | None, entries: int) -> float:
    """Let the referee play its simulated game; processor time of its own process from the first entry on, in s."""
    state.mkdir()
    words = ["run", "--simulated", "--headless", "--seed", "1", "--players", "Ada,Emmy,Sofia", "--state", str(state)]
    words += ["--hall", hall, "--table", "Table"] if hall is not None else []
    with (state / "log").open("wb") as log:
        referee = subprocess.Popen([sys.executable, "-m", "cli.main", *words], stdout=log, stderr=log)
    try:
        began = _wait_for_entries(state, referee, 1)
        ended = _wait_for_entries(state, referee, 1 + entries)
        return round(ended.cpu_s - began.cpu_s, 3)
    finally:
        referee.terminate()
        try:
            referee.wait(20)
        except subprocess.TimeoutExpired:
            referee.kill()
            referee.wait()


def _wait_for_entries(state: Path, referee: subprocess.Popen[bytes], entries: int) -> Cost:
    """Measure what the referee has cost once its journal has that many entries."""
    end_s = time.monotonic() + _PATIENCE_S
    while True:
        kept = [path.read_bytes().count(b'"kind":') for path in (state / FOLDER).glob("[0-9]*.jsonl")]
        if max(kept, default=0) >= entries:
            return cost_of_one(referee.pid)
        if referee.poll() is not None or time.monotonic() > end_s:
            raise TrialError(f"the referee does not come to entry {entries}: {(state / 'log').read_text()[-500:]}")
        time.sleep(0.01)
