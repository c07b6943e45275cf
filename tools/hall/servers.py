"""A real Mosquitto, a real PostgreSQL and the hall, each started, killed and started again as a trial wants it."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

PATIENCE_S = 90.0
BROKER_SETTINGS = """\
persistence true
persistence_location {folder}/
autosave_interval 10
max_queued_messages 1000000
log_type error
log_type warning
"""
"""What docs/HALL.md recommends, beside the listener and who may come in."""


class TrialError(Exception):
    """A server does not do what a trial needs."""


def find_missing() -> str | None:
    """Name what is not installed here that a trial needs; return ``None`` where all is."""
    if broker_program() is None:
        return "Mosquitto is not installed"
    return None


def broker_program() -> str | None:
    """Find where Mosquitto is."""
    return shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def database_programs() -> Path | None:
    """Find the folder of PostgreSQL's newest programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    return found[-1].parent if found else None


def free_port(host: str = "127.0.0.1") -> int:
    """Find a port on which nobody listens now."""
    with socket.create_server((host, 0)) as sock:
        return int(sock.getsockname()[1])


def wait_for(true: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait until something is so.

    Raises:
        TrialError: it takes too long.
    """
    end_s = time.monotonic() + patience_s
    while not true():
        if time.monotonic() > end_s:
            raise TrialError(f"waited {patience_s:.0f} s in vain: {what}")
        time.sleep(0.05)


def is_listening(host: str, port: int) -> bool:
    """Tell whether somebody takes connections there."""
    try:
        socket.create_connection((host, port), 1.0).close()
    except OSError:
        return False
    return True


class Server:
    """A program that is started, killed and started again; what it says is added to a log."""

    def __init__(self, command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None) -> None:
        self.command, self.log = list(command), log
        self._environment = {**os.environ, **(environment or {})}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the program."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=self._environment
            )

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self.process is not None, "it was started"
        return self.process.pid

    @property
    def runs(self) -> bool:
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """Kill it with SIGKILL, as a pulled plug would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> None:
        """Tell it to end, and kill it where it does not."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def read_tail(self) -> str:
        """Return the last that it said."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-2000:] if self.log.exists() else ""


class Mosquitto(Server):
    """A broker with the settings that are recommended; ``more`` are further lines, such as those of a lock."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", more: str = "allow_anonymous true\n") -> None:
        self.host, self.port = host, free_port(host)
        folder.mkdir(parents=True)
        settings = folder / "mosquitto.conf"
        program = broker_program()
        if program is None:
            raise TrialError("Mosquitto is not installed")
        users = f"user {pwd.getpwuid(os.geteuid()).pw_name}\n"
        listener = f"listener {self.port} {host}\n"
        settings.write_text(listener + users + BROKER_SETTINGS.format(folder=folder) + more, encoding="utf-8")
        super().__init__([program, "-c", str(settings)], folder / "log")

    def make_url(self, hall: str, user: str = "") -> str:
        """Return the address of a hall at this broker."""
        return f"mqtt://{user}{'@' if user else ''}{self.host}:{self.port}/{hall}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        super().start()
        wait_for(lambda: is_listening(self.host, self.port), f"the broker answers: {self.read_tail()}")


class Postgres:
    """A database in a folder of its own, which whoever may run it can enter; ``close`` removes it."""

    def __init__(self) -> None:
        programs = database_programs()
        if programs is None:
            raise TrialError("PostgreSQL is not installed")
        self._programs, self._folder = programs, Path(tempfile.mkdtemp(prefix="hall-postgres-"))
        self._data, self._log = self._folder / "data", self._folder / "log"
        self.port = free_port()
        self._as = [] if os.geteuid() else ["runuser", "-u", "postgres", "--"]
        if self._as:
            owner = pwd.getpwnam("postgres")
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "hall", "-E", "UTF8", "--locale=C")

    @property
    def url(self) -> str:
        """The address by which it is reached, as SQLAlchemy writes it."""
        return f"postgresql+psycopg://hall@127.0.0.1:{self.port}/postgres"

    @property
    def pid(self) -> int:
        """The number of its first process."""
        return int((self._data / "postmaster.pid").read_text(encoding="utf-8").split()[0])

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-p {self.port} -h 127.0.0.1 -k {self._data}"
        self._run("pg_ctl", "-D", self._data, "-l", self._log, "-w", "-o", options, "start")

    def stop(self) -> None:
        """Have it end at once; whoever is connected is thrown out."""
        self._run("pg_ctl", "-D", self._data, "-m", "fast", "-w", "stop")

    def close(self) -> None:
        """End it, where it runs, and remove it."""
        with suppress(TrialError):
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *words: object) -> None:
        done = subprocess.run(
            [*self._as, str(self._programs / program), *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
        )
        if done.returncode:
            raise TrialError(f"{program}: {done.stderr.strip()}")


class Hall(Server):
    """The hall, as it is run: ``sevenmat hall``."""

    def __init__(self, folder: Path, broker: str, database: str, *more: str) -> None:
        folder.mkdir(parents=True)
        self.port = free_port()
        words = ["hall", "--broker", broker, "--db", database, "--web", f"127.0.0.1:{self.port}", *more]
        command = [sys.executable, "-m", "cli.main", *words, "--state", str(folder / "state")]
        super().__init__(command, folder / "log", {"OPENBLAS_NUM_THREADS": "1"})
        self._began = 0

    @property
    def page(self) -> str:
        """The address of its board, the key in it, as it printed it since it was started."""
        said = self.log.read_bytes()[self._began :].decode(errors="replace").splitlines(keepends=True)
        return next((line.split()[1] for line in said if line.startswith("page ") and line.endswith("\n")), "")

    def start(self) -> None:
        """Start it, and wait until it says where its board is."""
        self._began = self.log.stat().st_size if self.log.exists() else 0
        super().start()
        wait_for(lambda: bool(self.page) or not self.runs, "the hall says where its board is")
        if not self.runs:
            raise TrialError(f"the hall has ended: {self.read_tail()}")
