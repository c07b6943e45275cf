"""``sevenmat hall simulate``: many tables at a broker, and what came of them."""

from __future__ import annotations

from pathlib import Path

from device.errors import DeviceError
from device.terminal import show_busy
from hall.hall_server import NO_EXTRA, parse_hall_address, read_password
from rules.text import Language, Text

PLAYING = Text("{tables:,} tables play.", tables=0)
ALL_TAKEN = Text(
    "{tables:,} tables made {changes:,} changes and {results:,} results; the broker has taken all of them.",
    tables=0,
    changes=0,
    results=0,
)
SOME_LEFT = Text(
    "{tables:,} tables made {changes:,} changes and {results:,} results; {left:,} tables still have some that the "
    "broker has not taken, or that nobody listened to: does it run, may they come in, and does 'sevenmat hall' listen?",
    tables=0,
    changes=0,
    results=0,
    left=0,
)


def simulate_hall(
    broker: str,
    password: Path | None,
    authority: Path | None,
    tables: int,
    rate: float,
    seconds: float,
    seed: int,
    results: Path | None,
    language: Language,
) -> int:
    """Play at so many tables for so long. Returns the exit code: 1 where the broker has not taken everything.

    Raises:
        DeviceError: packages are missing, no such hall can be, or a file can't be read or written.
    """
    try:
        from hall.broker import Access
        from simulator.hall.playing_table import Manner
        from simulator.hall.running import run_simulation
    except ImportError as error:
        raise DeviceError(NO_EXTRA) from error
    address = parse_hall_address(broker)
    access = Access(
        address,
        read_password(password) if password is not None else None,
        str(authority) if authority is not None else None,
    )
    with show_busy(PLAYING.refill(tables=tables).said(language)):
        done = run_simulation(access, address.path, tables, seconds, [Manner(rate)], seed, results)
    said = SOME_LEFT.refill(left=done.left) if done.left else ALL_TAKEN
    print(said.refill(tables=tables, changes=done.changes, results=done.results).said(language))
    return 1 if done.left else 0
