"""A real broker and a real database of a test's own, on free ports, ended with it."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

SBIN = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
MOSQUITTO = shutil.which("mosquitto", path=SBIN)
POSTGRES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), reverse=True)), None)
NO_BROKER = "no Mosquitto here: apt install mosquitto"
NO_DATABASE = "no PostgreSQL here: apt install postgresql"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Mosquitto:
    """A broker that can be killed and started again; its folder outlives that."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self.port = free_port()
        folder.mkdir(parents=True, exist_ok=True)
        self._conf = folder / "mosquitto.conf"
        user = pwd.getpwuid(os.getuid()).pw_name
        usual = () if any("allow_anonymous" in line for line in lines) else ("allow_anonymous true",)
        told = (
            f"listener {self.port} 127.0.0.1",
            f"user {user}",
            "persistence true",
            f"persistence_location {folder}/",
            "max_queued_messages 0",
            *usual,
            *lines,
        )
        self._conf.write_text("".join(f"{line}\n" for line in told))
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        assert MOSQUITTO is not None
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._conf)], stdout=quiet, stderr=quiet)
        for _ in range(100):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError("the broker does not start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)
            self._process = None


@contextmanager
def broker(folder: Path, *lines: str) -> Iterator[Mosquitto]:
    """A broker with these lines in its configuration; everybody comes in unless they say otherwise."""
    running = Mosquitto(folder, *lines)
    try:
        yield running
    finally:
        running.stop()


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
    """A database server."""
    running = Postgres(folder)
    try:
        yield running
    finally:
        with suppress(AssertionError):
            running.stop()
