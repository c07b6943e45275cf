"""``sevenmat hall set-up`` and ``sevenmat hall sheet``: a hall by one command, and what tables join by once more."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from device.errors import DeviceError
from hall.acl import check_names
from hall.hall_server import NO_EXTRA
from hall.setting_up.files import UNIT, HallFiles, find_program, run_program
from hall.setting_up.kept import KeptHall, make_password
from rules.plain import escape_line, shorten_line
from rules.text import Language, Text, plural
from web.table_end.address import addresses_of

SHEET = Path("hall-sheet.pdf")
_PACKAGES = ("paho", "sqlalchemy", "alembic", "starlette", "uvicorn", "jinja2", "segno")
_SYSTEMD = Path("run/systemd/system")
_PATIENCE_S = 30.0

NOT_ROOT = Text("This writes the broker's files: call it with 'sudo sevenmat hall {command}'.")
OTHER_HALL = Text("This machine is the hall {hall} already; to make it another, delete {folder} first.")
COLON = Text("The broker knows no names with a colon: {name}.", name="")
NO_HALL = Text("No hall is set up here: 'sudo sevenmat hall set-up NAME --tables 6' does that.")
TAKEN = Text("Port {port} is taken by another program: name another one with {option}.")
BAD_HOST = Text("{host!r} is no address of this machine: write a name or an address without a port.")
DEAD = Text("The broker does not answer at port {port}: 'journalctl -u mosquitto' says why.")
NOTHING_STARTED = Text(
    "There is no systemd here, so nothing was started: start 'mosquitto -c /etc/mosquitto/mosquitto.conf', and the "
    "board as the line ExecStart of {unit} says."
)
SET_UP = plural(
    "The hall {hall} is set up: its broker is at {broker}, with {count} table.",
    "The hall {hall} is set up: its broker is at {broker}, with {count} tables.",
    count=0,
    hall="",
    broker="",
)
WRITTEN = Text(
    "{where} is written: print it. At each table choose Settings, “Join a hall”, and lay its page on the mat; or type "
    "on the table's page on a phone the address {board} and its code:"
)
BOARD = Text("The board is there too; its short code, good once and for ten minutes, is {code}.")


@dataclass(frozen=True, slots=True)
class SetUp:
    """What was asked for; what is ``None`` stays as it was, or is as usual."""

    hall: str
    tables: Sequence[str]
    root: Path = Path("/")
    host: str | None = None
    port: int | None = None
    web: int | None = None
    out: Path = SHEET


def set_up_hall(asked: SetUp, language: Language) -> int:
    """Set a hall up, or bring what is there up to what is asked for, and print its sheet. Returns the exit code.

    Raises:
        DeviceError: a name can't be, a port is taken, a program is missing, or a file can't be written.
    """
    files = HallFiles(asked.root.absolute())
    _check_rights(files, "set-up")
    before = KeptHall.load(files.kept)
    check_names(asked.hall, asked.tables, before.user if before else "hall")
    if (wrong := next((name for name in asked.tables if ":" in name), None)) is not None:
        raise DeviceError(COLON.refill(name=shorten_line(wrong)))
    if before is not None and before.hall != asked.hall:
        raise DeviceError(OTHER_HALL.refill(hall=shorten_line(before.hall), folder=files.own))
    if any(find_spec(name) is None for name in _PACKAGES):
        raise DeviceError(NO_EXTRA)
    for program, package in (("mosquitto", "mosquitto"), ("mosquitto_passwd", "mosquitto"), ("openssl", "openssl")):
        find_program(program, package)
    kept = before or KeptHall(asked.hall, 8883, 7780, password=make_password())
    kept = replace(
        kept, port=asked.port or kept.port, web=asked.web or kept.web,
        named=kept.named if asked.host is None else asked.host,
    )  # fmt: skip
    kept = kept.add_tables(asked.tables)
    host = _find_host(kept)
    for option, port, held in (
        ("--port", kept.port, before and before.port), ("--web", kept.web, before and before.web)
    ):  # fmt: skip
        if port != held:
            _check_free(port, option)
    files.write(kept, host)
    words = SET_UP.refill(hall=kept.hall, broker=f"{host}:{kept.port}", count=len(kept.tables))
    print(words.said(language))
    started = _start(files, kept)
    _print_sheet(files, kept, host, tuple(kept.tables), asked.out, language)
    if not started:
        print(NOTHING_STARTED.refill(unit=escape_line(str(files.unit))).said(language))
    return 0


def print_hall_sheet(root: Path, tables: Sequence[str] | None, anew: bool, out: Path, language: Language) -> int:
    """Print the sheet once more, of all tables or of these; ``anew``: with other codes, the old ones being lost.

    Returns the exit code.

    Raises:
        DeviceError: no hall is set up here, it has no such table, or the file can't be written.
    """
    files = HallFiles(root.absolute())
    _check_rights(files, "sheet")
    kept = KeptHall.load(files.kept)
    if kept is None:
        raise DeviceError(NO_HALL)
    names = tuple(kept.tables) if tables is None else tuple(tables)
    for name in names:
        renewed = kept.renew(name)  # says so where there is none
        kept = renewed if anew else kept
    host = _find_host(kept)
    if anew:
        files.write(kept, host)
        _start(files, kept)
    _print_sheet(files, kept, host, names, out, language)
    return 0


def _print_sheet(
    files: HallFiles, kept: KeptHall, host: str, names: Sequence[str], out: Path, language: Language
) -> None:
    """Print the pages of these tables, and on the terminal what is typed and where the board is."""
    from hall.setting_up.sheet import print_sheet  # draws, which takes a while to be loaded

    certificate = files.sum_certificate()
    board = f"[{host}]:{kept.web}" if ":" in host else f"{host}:{kept.web}"
    pages = [(kept.invite(name, host, certificate), kept.tables[name].code) for name in names]
    print_sheet(out, pages, board, language)
    print(WRITTEN.refill(where=escape_line(str(out)), board=board).said(language))
    width = max(len(name) for name in names)
    for name in names:
        print(f"  {name:<{width}}  {kept.tables[name].code}")
    key, code = files.read_entrance()
    print(f"page http://{board}/?key={key}")
    print(BOARD.refill(code=code).said(language))


def _check_rights(files: HallFiles, command: str) -> None:
    if files.root == Path("/") and os.geteuid() != 0:
        raise DeviceError(NOT_ROOT.refill(command=command))


def _find_host(kept: KeptHall) -> str:
    """Return the address that tables are told: the one that somebody has named, else the machine's own now.

    Raises:
        DeviceError: it can't be one.
    """
    if kept.named:
        if not all(letter.isascii() and (letter.isalnum() or letter in ".-:_") for letter in kept.named):
            raise DeviceError(BAD_HOST.refill(host=shorten_line(kept.named)))
        return kept.named
    with socket.create_server(("", 0)) as probe:
        first = addresses_of(probe, "")[0]
    return first.removeprefix("http://").rpartition("/?")[0].rpartition(":")[0].strip("[]")


def _check_free(port: int, option: str) -> None:
    """Refuse a port at which another program listens.

    Raises:
        DeviceError: one does.
    """
    try:
        with closing(socket.socket()) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("", port))
    except (OSError, OverflowError):
        raise DeviceError(TAKEN.refill(port=port, option=option)) from None


def has_systemd(root: Path) -> bool:
    """Return whether a systemd runs that takes its units from below this root."""
    return root == Path("/") and (root / _SYSTEMD).is_dir()


def _start(files: HallFiles, kept: KeptHall) -> bool:
    """Have systemd start broker and board with what was written; returns whether there is a systemd to do so.

    Raises:
        DeviceError: it can't, or the broker does not answer then.
    """
    if not has_systemd(files.root):
        return False
    run_program(["systemctl", "daemon-reload"], "systemd")
    run_program(["systemctl", "enable", "--quiet", "mosquitto.service", UNIT], "systemd")
    run_program(["systemctl", "restart", "mosquitto.service"], "systemd")
    until_s = time.monotonic() + _PATIENCE_S
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", kept.port), timeout=1.0):
            break
        if time.monotonic() > until_s:
            raise DeviceError(DEAD.refill(port=kept.port))
        time.sleep(0.2)
    run_program(["systemctl", "restart", UNIT], "systemd")
    return True
