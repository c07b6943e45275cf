"""Simulated tables in a process of their own, with what the command does not offer: faults.

``python -m tools.hall.tables '{"broker": …, "tables": …, "seconds": …}'``; what came of it is printed as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from device.settings.broker import BrokerAddress
from hall.broker import Access
from simulator.hall.playing_table import Manner
from simulator.hall.running import run_simulation


class Tables:
    """Tables that play, until they have played all they should or are asked to end."""

    def __init__(
        self,
        broker: str,
        tables: int,
        seconds: float,
        folder: Path,
        manners: Sequence[Manner],
        seed: int = 1,
        last_s: float = 60.0,
        before: Sequence[str] = (),
        each: int = 4,
    ) -> None:
        """``before`` is the command before the command, such as one that enters a namespace."""
        self.made = folder / f"made-{seed}.jsonl"
        order = {
            "broker": broker,
            "tables": tables,
            "seconds": seconds,
            "seed": seed,
            "last_s": last_s,
            "each": each,
            "made": str(self.made),
            "manners": [asdict(one) for one in manners],
        }
        command = [*before, sys.executable, "-m", "tools.hall.tables", json.dumps(order)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def end(self) -> dict[str, Any]:
        """Wait until it has ended; what came of it."""
        said = self.process.communicate()[0]
        if self.process.returncode:
            raise RuntimeError(f"the tables ended with {self.process.returncode}")
        result: dict[str, Any] = json.loads(said.splitlines()[-1])
        return result


def main() -> int:
    """Play as the one argument says."""
    order = json.loads(sys.argv[1])
    address = BrokerAddress.parse(order["broker"])
    assert address is not None, order["broker"]
    done = run_simulation(
        Access(address),
        address.path,
        order["tables"],
        order["seconds"],
        [Manner(**one) for one in order["manners"]],
        order["seed"],
        Path(order["made"]),
        order["last_s"],
        order["each"],
    )
    print(json.dumps(done.to_json()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
