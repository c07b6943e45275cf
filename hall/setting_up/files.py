"""The files of a hall's broker and of its board: where each lies, what stands in it, who may read it."""

from __future__ import annotations

import grp
import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from device.errors import DeviceError, reason_of
from device.files import make_folder, replace_file
from hall.acl import make_acl_lines
from hall.invitation import NAME_LENGTH, clean_code, sum_certificate
from hall.setting_up.kept import KeptHall
from rules.plain import shorten_line
from rules.text import Text
from web.table_end.address import PageKey
from web.table_end.code import PageCode

UNIT = "sevenmat-board.service"
_BROKERS_GROUP = "mosquitto"
_SECRET, _BROKERS, _OPEN = 0o600, 0o640, 0o644
_PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_YEARS = 20

MISSING = Text("{program} is missing: 'sudo apt install {package}', then the same command once more.")
FAILED = Text("{program} has failed: {reason}.")

BROKER_FILE = """\
# Written by 'sevenmat hall set-up', which writes it anew.
listener {port}
certfile {folder}/broker.crt
keyfile {folder}/broker.key
allow_anonymous false
acl_file {folder}/acl
password_file {folder}/passwd
use_username_as_clientid true
persistence true
autosave_interval 10
max_queued_messages 1000000
"""

UNIT_FILE = """\
# Written by 'sevenmat hall set-up', which writes it anew.
[Unit]
Description=Sevenmat, the board of the hall {hall}
Wants=network-online.target
After=network-online.target mosquitto.service
StartLimitIntervalSec=0

[Service]
{user}
StateDirectory=sevenmat-board
StateDirectoryMode=0700
LoadCredential=password:{own}/password
LoadCredential=invitations:{own}/invitations.json
LoadCredential=ca:{broker}/broker.crt
ExecStart={program} hall --broker {url} --web {web} --state {state} \\
  --password-file ${{CREDENTIALS_DIRECTORY}}/password --ca ${{CREDENTIALS_DIRECTORY}}/ca \\
  --invitations ${{CREDENTIALS_DIRECTORY}}/invitations
Restart=always
RestartSec=5
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=strict
LimitCORE=0

[Install]
WantedBy=multi-user.target
"""


@dataclass(frozen=True, slots=True)
class HallFiles:
    """Where everything of a hall lies below a root."""

    root: Path

    @property
    def own(self) -> Path:
        """The folder of what root alone may read."""
        return self.root / "etc/sevenmat-hall"

    @property
    def kept(self) -> Path:
        """The file of tables and passwords."""
        return self.own / "hall.json"

    @property
    def broker(self) -> Path:
        """The folder of what the broker reads."""
        return self.root / "etc/mosquitto/sevenmat"

    @property
    def broker_file(self) -> Path:
        """The broker's settings."""
        return self.root / "etc/mosquitto/conf.d/sevenmat.conf"

    @property
    def certificate(self) -> Path:
        """The broker's certificate."""
        return self.broker / "broker.crt"

    @property
    def unit(self) -> Path:
        """The board's service."""
        return self.root / "etc/systemd/system" / UNIT

    @property
    def state(self) -> Path:
        """The board's state folder, in which ``sevenmat hall`` has one of its own."""
        return self.root / "var/lib/sevenmat-board"

    def read_entrance(self) -> tuple[str, str]:
        """Return the board's key, and the short code that may be typed now; both are made where there are none.

        Raises:
            DeviceError: they can't be.
        """
        folder = self.state / "hall"
        make_folder(folder)
        found = PageKey(folder).value(), PageCode(folder).value()
        if os.geteuid() == 0:
            # What root has made here is the board's, whoever that is.
            owner = self.state.stat()
            for path in (folder, *folder.glob("page-*")):
                os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
        return found

    # Writing them

    def write(self, kept: KeptHall, host: str) -> None:
        """Write all of them; what is there and good is left as it is. ``host`` is what tables are told.

        Raises:
            DeviceError: something is missing, or can't be written.
        """
        for folder, mode in ((self.own, 0o700), (self.broker, 0o750)):
            make_folder(folder)
            folder.chmod(mode)
        _give_to_broker(self.broker)
        for folder in (self.broker_file.parent, self.unit.parent):
            make_folder(folder)
        self._write_certificate(host)
        self._put(self.own / "password", f"{kept.password}\n", _SECRET)
        acl = "".join(f"{line}\n" for line in make_acl_lines(kept.hall, tuple(kept.tables), kept.user))
        self._put(self.broker / "acl", acl, _BROKERS)
        self._write_passwords(kept)
        self._put(self.broker_file, BROKER_FILE.format(port=kept.port, folder=self.broker), _OPEN)
        self._put(self.own / "invitations.json", self._seal_invitations(kept, host), _SECRET)
        self._put(self.unit, self._write_unit(kept), _OPEN)
        # Last, so that what is kept is never more than what was written.
        kept.keep(self.kept)

    def sum_certificate(self) -> str:
        """Return the sum by which tables know the broker."""
        return sum_certificate(self.certificate.read_text("ascii"))

    def _put(self, path: Path, text: str, mode: int) -> None:
        """Write a file, which nobody else can read at any moment; those of the broker are handed to it."""
        with replace_file(path, mode=mode) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
            if mode == _BROKERS:
                _give_to_broker(unfinished)
        path.chmod(mode)  # whatever the umask is: the broker has to read its own

    def _write_certificate(self, host: str) -> None:
        """Make the broker's own certificate where it has none; tables know it by its sum, so it is never renewed."""
        key = self.broker / "broker.key"
        if self.certificate.exists() and key.exists():
            return
        names = f"subjectAltName=DNS:localhost,IP:127.0.0.1,DNS:{host}"
        with replace_file(key, mode=_BROKERS) as new_key, replace_file(self.certificate, mode=_OPEN) as new:
            run_program(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-subj", "/CN=sevenmat-hall", "-days", str(365 * _YEARS), "-addext", names, "-keyout", str(new_key),
                 "-out", str(new)],
                "openssl",
            )  # fmt: skip
            _give_to_broker(new_key)
        key.chmod(_BROKERS)
        self.certificate.chmod(_OPEN)

    def _write_passwords(self, kept: KeptHall) -> None:
        """Write the broker's password file, where users or passwords are others than those in it."""
        path, wanted = self.broker / "passwd", {kept.user: kept.password}
        wanted |= {name: one.password for name, one in kept.tables.items()}
        before = KeptHall.load(self.kept)
        same = before is not None and (before.user, before.password, before.tables) == (
            kept.user, kept.password, kept.tables
        )  # fmt: skip
        with suppress(OSError, UnicodeDecodeError):
            if same and {line.partition(":")[0] for line in path.read_text("utf-8").splitlines()} == set(wanted):
                return
        with replace_file(path, mode=_BROKERS) as unfinished:
            unfinished.write_text("".join(f"{user}:{word}\n" for user, word in wanted.items()), encoding="utf-8")
            run_program(["mosquitto_passwd", "-U", str(unfinished)], "mosquitto")
            _give_to_broker(unfinished)
        path.chmod(_BROKERS)

    def _seal_invitations(self, kept: KeptHall, host: str) -> str:
        """Seal every table's invitation under its short code, by the letters that it is known by at the board."""
        certificate = self.sum_certificate()
        sealed = {
            clean_code(one.code)[:NAME_LENGTH]: kept.invite(name, host, certificate).seal(one.code)
            for name, one in kept.tables.items()
        }
        return json.dumps(sealed, indent=1) + "\n"

    def _write_unit(self, kept: KeptHall) -> str:
        program = find_own_program()
        owner = pwd.getpwuid(program.stat().st_uid).pw_name
        # A program below somebody's home can be run by nobody else.
        user = "DynamicUser=yes" if owner == "root" else f"User={owner}"
        url = f"mqtts://{quote(kept.user, safe='')}@localhost:{kept.port}/{quote(kept.hall, safe='')}"
        return UNIT_FILE.format(
            user=user, own=self.own, broker=self.broker, program=program, url=url.replace("%", "%%"), web=kept.web,
            state=self.state, hall=kept.hall.replace("%", "%%"),
        )  # fmt: skip


def find_own_program() -> Path:
    """Return where this very program lies, to be started by others."""
    own = Path(sys.executable).with_name("sevenmat")
    return own if own.exists() else Path(shutil.which("sevenmat") or own)


def find_program(name: str, package: str) -> str:
    """Return where a program lies.

    Raises:
        DeviceError: it is missing.
    """
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:{_PATHS}")
    if found is None:
        raise DeviceError(MISSING.refill(program=name, package=package))
    return found


def run_program(command: Sequence[str], package: str) -> None:
    """Run a program of the system's, which belongs to that package, to its end.

    Raises:
        DeviceError: it is missing, or fails.
    """
    program = find_program(command[0], package)
    try:
        done = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DeviceError(FAILED.refill(program=command[0], reason=reason_of(error))) from error
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or [str(done.returncode)]
        raise DeviceError(FAILED.refill(program=" ".join(command[:2]), reason=shorten_line(said[-1], 200).rstrip(".")))


def _give_to_broker(path: Path) -> None:
    """Let the broker's user read a file, where there is such a user and this is root."""
    with suppress(KeyError):
        if os.geteuid() == 0:
            os.chown(path, 0, grp.getgrnam(_BROKERS_GROUP).gr_gid)
