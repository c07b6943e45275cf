"""A real database server of a test's own, on a free port, ended with it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

POSTGRES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), reverse=True)), None)
NO_DATABASE = "no PostgreSQL here: apt install postgresql"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Postgres:
    """A database server that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.port = folder, free_port()
        folder.mkdir(parents=True, exist_ok=True)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        self._ctl("initdb", "-A", "trust", "-U", "hall", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://hall@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1"
        self._ctl("pg_ctl", "-o", options, "-l", str(self._folder / "log"), "-w", "start")

    def stop(self) -> None:
        self._ctl("pg_ctl", "-m", "immediate", "-w", "stop")

    def _ctl(self, program: str, *arguments: str) -> None:
        assert POSTGRES is not None
        # As root it refuses to run.
        other = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        command: Sequence[str] = [*other, str(POSTGRES.parent / program), "-D", str(self._folder / "data"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stderr


@contextmanager
def database(folder: Path) -> Iterator[Postgres]:
    """Run a database server."""
    running = Postgres(folder)
    try:
        yield running
    finally:
        with suppress(AssertionError):
            running.stop()
