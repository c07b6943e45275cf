"""How far behind a board is, and what it costs, as tables become more."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from simulator.hall.playing_table import Manner
from tools.hall.checking import held_against, results_made
from tools.hall.processes import Cost, busy_s, cost_of, cost_of_one
from tools.hall.servers import Hall, Mosquitto, Postgres, wait_for
from tools.hall.tables import Tables
from tools.hall.watching import Lags, Watcher

_SETTLE_S = 5.0
"""How long tables have played before it counts."""
PHONES = 3
"""Browsers that have the board open, beside the one that measures."""
_SHARE_OF_S = 1.0


def run_load(folder: Path, tables: int, seconds: float, rate: float, database: str) -> dict[str, Any]:
    """Run ``tables`` tables for ``seconds``: lag in ms, processor time in s a second, memory in MB, what was kept."""
    broker = Mosquitto(folder / "broker")
    postgres = Postgres() if database == "postgresql" else None
    url = postgres.url if postgres is not None else f"sqlite:///{folder / 'hall.db'}"
    hall = Hall(folder / "hall", broker.make_url("Hall"), url)
    players = None
    try:
        broker.start()
        if postgres is not None:
            postgres.start()
        hall.start()
        watcher, phones = Watcher(hall.page), [Watcher(hall.page, drawn=True) for _ in range(PHONES)]
        players = Tables(
            broker.make_url("Hall"), tables, _SETTLE_S + seconds + 0.002 * tables, folder, [Manner(rate=rate)]
        )
        wait_for(lambda: len(watcher.seen) >= tables, f"{tables} tables on the board", 60 + tables / 50)
        time.sleep(_SETTLE_S)
        pids = {"broker": broker.pid, "hall": hall.pid, "tables": players.process.pid, "watcher": os.getpid()}
        if postgres is not None:
            pids["database"] = postgres.pid
        measured = _measure_load(pids, watcher, seconds, players)
        made = players.end()
        results = results_made(players.made)
        began_s = time.monotonic()
        while (kept := held_against(results, url)).lost and time.monotonic() < began_s + 60:
            time.sleep(0.5)
        return {
            "tables": tables,
            "database": database,
            "rate": rate,
            **measured,
            "phones": PHONES,
            "phone_bytes_a_second": round(sum(one.bytes for one in phones) / PHONES / seconds),
            "made": made,
            "kept": kept.to_json(),
            "kept_after_s": round(time.monotonic() - began_s, 1),
            "faults": [one.fault for one in (watcher, *phones) if one.fault],
        }
    finally:
        if players is not None and players.process.poll() is None:
            players.process.kill()
            players.process.wait()
        hall.stop()
        broker.stop()
        if postgres is not None:
            postgres.close()


def _measure_load(pids: Mapping[str, int], watcher: Watcher, seconds: float, players: Tables) -> dict[str, Any]:
    """Measure lag and cost of the time that counts."""
    before, machine = _measure_costs(pids), busy_s()
    most = {name: cost.memory_mb for name, cost in before.items()}
    began_s = time.monotonic()
    watcher.lags_s.clear()
    watcher.counts = True
    after: dict[str, Cost] = before
    while time.monotonic() < began_s + seconds and players.process.poll() is None:
        time.sleep(min(_SHARE_OF_S, seconds))
        after = _measure_costs(pids)
        most = {name: max(most[name], cost.memory_mb) for name, cost in after.items()}
    watcher.counts = False
    passed_s, machine_now = time.monotonic() - began_s, busy_s()
    own_s = sum(after[name].cpu_s - before[name].cpu_s for name in pids)
    return {
        "seconds": round(passed_s, 1),
        "changes_a_second": round(len(watcher.lags_s) / passed_s, 1),
        "lag_ms": asdict(Lags.from_lags(watcher.lags_s)),
        "cpu": {name: round((after[name].cpu_s - before[name].cpu_s) / passed_s, 3) for name in pids},
        "memory_mb": {name: round(value, 1) for name, value in most.items()},
        "others_cpu": round((machine_now[0] - machine[0] - own_s) / passed_s, 3),
        "cores": os.cpu_count(),
    }


def _measure_costs(pids: Mapping[str, int]) -> dict[str, Cost]:
    """Measure what each has cost, with its children; these are the measurer's own children, which counts alone."""
    return {name: cost_of_one(pid) if pid == os.getpid() else cost_of(pid) for name, pid in pids.items()}
