"""``sevenmat hall``: the server of a hall, which keeps what its tables send, and its board."""

from __future__ import annotations

import fcntl
import os
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from device.addresses import without_password
from device.errors import DeviceError, refused_by_the_system
from device.settings.broker import BrokerAddress
from rules.plain import shorten_line, shorten_sentence
from rules.text import Language, Text
from web.table_end.address import PageKey, announce, listening
from web.table_end.code import PageCode
from web.table_end.invitation import invite

if TYPE_CHECKING:
    from paho.mqtt.client import Client

USUAL = ("", 7780)
_SERVICE = "INVOCATION_ID"
"""What systemd has set for what it starts (systemd.exec(5))."""
NO_EXTRA = Text("The hall needs more packages: 'pip install sevenmat[hall,web]'. All else works without them.")
NO_BROKER = Text("Name the broker and the hall with --broker mqtt://USER@HOST/HALL (see 'sevenmat hall --help').")
BAD_BROKER = Text(
    "{url!r} is no broker with a hall: write mqtt://USER@HOST/HALL, or mqtts:// with TLS; no password in it.", url=""
)
NO_USER = Text("A password needs a user: write mqtt://USER@HOST/HALL.")
NO_TLS = Text("A certificate is for mqtts:// alone: write mqtts://USER@HOST/HALL.")
RUNS_ALREADY = Text("The hall {hall} runs here already.", hall="")


@dataclass(frozen=True, slots=True)
class HallOptions:
    """What a hall is started with; the password and the authority's certificate are in files."""

    state: Path
    broker: str | None
    db: str | None = None
    web: tuple[str, int] | None = None
    password: Path | None = None
    ca: Path | None = None
    invitations: Path | None = None


def parse_hall_address(url: str | None) -> BrokerAddress:
    """Return the broker and the hall that a URL names.

    Raises:
        DeviceError: it names none.
    """
    if url is None:
        raise DeviceError(NO_BROKER)
    from hall.messages import is_topic_name

    address = BrokerAddress.parse(url)
    if address is None or not is_topic_name(address.path):
        raise DeviceError(BAD_BROKER.refill(url=shorten_line(without_password(url))))
    return address


def run_hall(options: HallOptions, language: Language) -> int:
    """Keep what the tables of a hall send, and show the board, until told to stop. Returns the exit code.

    Raises:
        DeviceError: packages are missing, the database or the place can't be used, or another hall has taken over.
    """
    try:
        from hall.board.join_page import read_invitations
        from hall.board.listener import HallListener
        from hall.board.live import LiveTables
        from hall.board.server import build_board_app, build_board_server, serve_board
        from hall.store.store import HallStore
    except ImportError as error:
        raise DeviceError(NO_EXTRA) from error
    address = parse_hall_address(options.broker)
    hall, folder = address.path, options.state / "hall"
    folder.mkdir(parents=True, exist_ok=True)
    client, key = _make_client(options, address), PageKey(folder)
    invitations = read_invitations(options.invitations) if options.invitations is not None else {}
    stopped: list[DeviceError] = []

    def tell(words: Text) -> None:
        print(f"sevenmat: {shorten_sentence(words.said(language))}", file=sys.stderr, flush=True)

    def stop(error: DeviceError) -> None:
        stopped.append(error)
        server.should_exit = True

    with only_one(folder, hall), listening(*(options.web or USUAL)) as sock:
        store = HallStore.open(options.db or f"sqlite:///{folder}/hall.db", hall)
        tables = LiveTables(store.list_notes())
        listener = HallListener(client, str(address), hall, store, tables, tell, stop)
        app = build_board_app(hall, key, tables, store, listener.somebody_comes, PageCode(folder), invitations)
        server = build_board_server(app)
        tables.is_over = lambda: server.should_exit
        if _SERVICE in os.environ:
            announce(sock, key.value())  # nobody scans a log, and a new code every ten minutes would fill it
        else:
            invite(sock, folder, language)
        listener.start(address.host, address.port)
        try:
            serve_board(server, sock)
        finally:
            listener.close()
            store.close()
    if stopped:
        raise stopped[0]
    return 0


@contextmanager
def only_one(folder: Path, hall: str) -> Iterator[None]:
    """While this program serves the hall, no other one on this machine does.

    Raises:
        DeviceError: another one does, or the folder can't be written.
    """
    try:
        handle = os.open(folder / f"{quote(hall, safe='')}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise refused_by_the_system(error) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise DeviceError(RUNS_ALREADY.refill(hall=shorten_line(hall))) from None
    finally:
        os.close(handle)


def _make_client(options: HallOptions, address: BrokerAddress) -> Client:
    """Make the broker's client: always the same one, so that it keeps the session."""
    from paho.mqtt.client import Client, MQTTv5
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2, f"sevenmat/{address.path}", protocol=MQTTv5, manual_ack=True)
    password = read_password(options.password) if options.password is not None else None
    if address.user is not None:
        client.username_pw_set(address.user, password)
    elif password is not None:
        raise DeviceError(NO_USER)
    if options.ca is not None and not address.tls:
        raise DeviceError(NO_TLS)
    if address.tls:
        try:
            client.tls_set(str(options.ca) if options.ca is not None else None)
        except ssl.SSLError as error:
            raise DeviceError("{name} is no certificate in PEM.", name=shorten_line(str(options.ca), 200)) from error
        except OSError as error:
            error.filename = error.filename or str(options.ca)
            raise refused_by_the_system(error) from error
    return client


def read_password(path: Path) -> str:
    """Read the first line of a file.

    Raises:
        DeviceError: it can't be read, or holds none.
    """
    try:
        first, *_ = path.read_text(encoding="utf-8")[:10_000].splitlines() or [""]
    except UnicodeDecodeError:
        first = ""
    if not first:
        raise DeviceError("{name} holds no password in its first line.", name=shorten_line(str(path), 200))
    return first
