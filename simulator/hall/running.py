"""``sevenmat hall simulate``: many tables that play games from records, to see what a broker and a hall bear."""

from __future__ import annotations

import asyncio
import json
import resource
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import ui  # noqa: F401 - the languages are loaded with it
from device.errors import DeviceError, refused_by_the_system
from hall.broker import Access
from hall.messages import GameResult
from rules.text import Text
from simulator.hall.played_games import PlayedGame, play_games
from simulator.hall.playing_table import Manner, PlayingTable, Sent

_CONNECTING: Final = 16
"""Tables that wait for the network at once while they connect."""
_SIT_DOWN_S: Final = 0.002
"""Between two tables that sit down: a hall does not fill at once."""
TOO_MANY = Text("{tables:,} tables are more than this system allows: {most:,} (see 'ulimit -n').", tables=0, most=0)
_FILES: Final = 64
"""Open files besides a table's one connection each."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a simulation came to: what was made, how many tables the broker left with something, and what it cost.

    ``cpu_s`` is processor time of this process, without the games that were played beforehand.
    """

    changes: int
    results: int
    taken: int
    untaken: int
    connections: int
    left: int
    cpu_s: float

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON-able data."""
        return asdict(self)


def run_simulation(
    access: Access,
    hall: str,
    tables: int,
    seconds: float,
    manners: Sequence[Manner],
    seed: int = 1,
    made: Path | None = None,
    last_s: float = 60.0,
    each: int = 4,
) -> Simulated:
    """Play at so many tables for so long, or until each has played its games, or the process is told to end.

    ``made`` is a file to which every result that is made is added as a line, with its table. ``last_s`` is how long
    it is waited after the last change for the broker to take what is left; of each kind so many different games are
    played beforehand, ``each``. The manners are the tables' in turn. Tables, games and their numbers follow from the
    seed.

    Raises:
        DeviceError: the system allows no connection for each table, or the file can't be written.
    """
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard not in (resource.RLIM_INFINITY, -1) and tables + _FILES > hard:
        raise DeviceError(TOO_MANY.refill(tables=tables, most=hard - _FILES))
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(tables + _FILES, 1024)), hard))
    games = play_games(seed, each)
    began = time.process_time()
    with ResultsMade(made) as results:
        sent = Sent(results.add)
        left = asyncio.run(_play_tables(access, hall, tables, seconds, manners, seed, games, sent, last_s))
    cpu_s = time.process_time() - began
    return Simulated(sent.changes, sent.results, sent.taken, sent.untaken, sent.connections, left, round(cpu_s, 2))


async def _play_tables(
    access: Access,
    hall: str,
    tables: int,
    seconds: float,
    manners: Sequence[Manner],
    seed: int,
    games: Sequence[PlayedGame],
    sent: Sent,
    last_s: float,
) -> int:
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    for told_by in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(told_by, told.set)
    with ThreadPoolExecutor(_CONNECTING) as connecting:
        seated = []
        end_s = loop.time() + seconds
        for number in range(1, tables + 1):
            chance = Random(f"{seed} {number}")
            name, drawn, manner = f"Table {number}", _draw_games(games, chance), manners[number % len(manners)]
            seated.append(PlayingTable(access, hall, name, drawn, chance, manner, sent, connecting))
            seated[-1].start()
            await asyncio.sleep(_SIT_DOWN_S)
        while loop.time() < end_s and not told.is_set() and any(table.plays for table in seated):
            await asyncio.sleep(0.1)
        for table in seated:
            table.stop()
        end_s = loop.time() + last_s
        while loop.time() < end_s and not all(table.done for table in seated):
            await asyncio.sleep(0.1)
        for table in seated:
            table.leave()
        return sum(not table.done for table in seated)


def _draw_games(games: Sequence[PlayedGame], chance: Random) -> Iterator[PlayedGame]:
    while True:
        yield chance.choice(games)


class ResultsMade:
    """A file of the results that were made, a JSON line each: what a hall's database is held against."""

    def __init__(self, path: Path | None) -> None:
        """Begin the file, or none.

        Raises:
            DeviceError: it can't be written.
        """
        try:
            self._file = path.open("w", encoding="utf-8", buffering=1) if path is not None else None
        except OSError as error:
            raise refused_by_the_system(error) from error

    def add(self, table: str, result: GameResult) -> None:
        """Write down a result that a table has made."""
        if self._file is not None:
            line = {"table": table, **json.loads(result.to_bytes())}
            self._file.write(f"{json.dumps(line, ensure_ascii=False)}\n")

    def __enter__(self) -> ResultsMade:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
