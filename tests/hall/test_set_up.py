"""A hall by one command: what is written works at a real broker, is for nobody else's eyes, and is never lost."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import ssl
import stat
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

import pytest

from cli.main import main
from hall.broker import Access, BrokerError, Connection
from hall.invitation import NO_INVITATION, WRONG_CODE, Invitation, clean_code
from hall.messages import Online, Topic, TopicKind
from hall.setting_up import command, files
from hall.setting_up.kept import KeptHall
from hall.table_end.folders import HallTrouble
from tests.hall.mosquitto import PROGRAM, needs_mosquitto, wait_for
from tests.hall.real_servers import free_port

pytestmark = needs_mosquitto
ANALYZE = shutil.which("systemd-analyze")


@dataclass
class Made:
    """A hall that was set up below a folder."""

    root: Path
    port: int
    web: int

    def set_up(self, *more: str, name: str = "CAFE", tables: str = "2") -> int:
        place = ["--port", str(self.port), "--web", str(self.web), "--host", "127.0.0.1"]
        return main(["--language", "en", "hall", "set-up", name, "--tables", tables, *self.options, *place, *more])

    def sheet(self, *more: str) -> int:
        return main(["--language", "en", "hall", "sheet", *self.options, *more])

    @property
    def options(self) -> list[str]:
        return ["--root", str(self.root), "--out", str(self.root / "sheet.pdf")]

    @property
    def files(self) -> files.HallFiles:
        return files.HallFiles(self.root)

    @property
    def kept(self) -> KeptHall:
        kept = KeptHall.load(self.files.kept)
        assert kept is not None
        return kept

    def invite(self, table: str = "T1") -> Invitation:
        return self.kept.invite(table, "127.0.0.1", self.files.sum_certificate())

    @contextlib.contextmanager
    def broker(self) -> Iterator[None]:
        """Run the broker with the very files that were written, as Debian's own file takes them in."""
        main_file = self.root / "mosquitto.conf"
        main_file.write_text(
            f"persistence_location {self.root}/\nuser root\ninclude_dir {self.root}/etc/mosquitto/conf.d\n"
        )
        with (self.root / "log").open("wb") as log:
            running = subprocess.Popen([str(PROGRAM), "-c", main_file], stdout=log, stderr=log)
        try:
            wait_for(lambda: is_open(self.port), "the broker answers", 10)
            yield
        finally:
            running.terminate()
            running.wait()


def is_open(port: int) -> bool:
    try:
        ssl.get_server_certificate(("127.0.0.1", port), timeout=1)
    except OSError:
        return False
    return True


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path, free_port(), free_port())


def connect(invitation: Invitation, **more: str) -> Connection:
    told = {"password": invitation.password, "certificate": invitation.certificate, **more}
    will = str(Topic(invitation.hall, invitation.table, TopicKind.ONLINE)), Online(False).to_bytes()
    return Connection(Access(invitation.broker, **told), f"sevenmat/{invitation.table}", will)


def publish(line: Connection, topic: str) -> bool:
    """Return whether the broker takes something there."""
    number = line.publish(topic, b"true", retain=False)
    replies: list[bool] = []

    def replied() -> bool:
        replies.extend(not reply.refused for reply in line.wait_for_replies(0.1) if reply.number == number)
        return bool(replies)

    wait_for(replied, "the broker answers", 10)
    return replies[0]


def test_a_table_comes_in_by_its_sheet_and_writes_below_its_own_name_alone(made: Made) -> None:
    assert made.set_up() == 0
    with made.broker():
        line = connect(made.invite())
        for kind in TopicKind:
            assert publish(line, str(Topic("CAFE", "T1", kind)))
            assert not publish(line, str(Topic("CAFE", "T2", kind))), "that is another table's"
            assert not publish(line, str(Topic("OTHER", "T1", kind)))
        line.close()
        hall = made.kept
        assert not publish(connect(made.invite("T2")), str(Topic("CAFE", "T1", TopicKind.RESULT)))
        for told in ({"password": "wrong"}, {"password": hall.password}):
            with pytest.raises(BrokerError) as refused:
                connect(made.invite(), **told)
            assert refused.value.trouble is HallTrouble.REFUSED


def test_a_broker_with_another_certificate_never_hears_the_password(made: Made, tmp_path: Path) -> None:
    assert made.set_up() == 0
    invitation = made.invite()
    made.files.certificate.unlink()
    assert made.set_up() == 0
    assert made.invite().certificate != invitation.certificate
    with made.broker():
        with pytest.raises(BrokerError) as refused:
            connect(invitation)
        assert refused.value.trouble is HallTrouble.UNTRUSTED
        connect(made.invite()).close()


class Systemd:
    """What is asked of systemd, done by its unit and by Debian's own file for the broker."""

    def __init__(self, made: Made, stack: contextlib.ExitStack) -> None:
        self._made, self._stack, self.asked = made, stack, list[list[str]]()

    def run_program(self, words: list[str], _: str) -> None:
        self.asked.append(words[1:])
        if words[1:] == ["restart", "mosquitto.service"]:
            self._stack.enter_context(self._made.broker())
        elif words[1:] == ["restart", files.UNIT]:
            self._start_unit()

    def _start_unit(self) -> None:
        lines = self._made.files.unit.read_text().replace("\\\n", " ").splitlines()
        credentials = self._made.root / "credentials"
        credentials.mkdir()
        for name, source in re.findall(r"LoadCredential=(\w+):(\S+)", "\n".join(lines)):
            (credentials / name).write_bytes(Path(source).read_bytes())
        (line,) = [line.partition("=")[2] for line in lines if line.startswith("ExecStart=")]
        command = line.replace("${CREDENTIALS_DIRECTORY}", str(credentials)).replace("%%", "%").split()
        environment = {**os.environ, "INVOCATION_ID": "0", "LANGUAGE": "en"}
        running = self._stack.enter_context(
            subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        )
        self._stack.callback(running.terminate)
        assert running.stdout is not None
        self.said = running.stdout.readline()


def test_what_is_started_is_a_board_that_hears_its_tables(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.ExitStack() as stack:
        systemd = Systemd(made, stack)
        monkeypatch.setattr(command, "has_systemd", lambda root: True)
        monkeypatch.setattr(command, "run_program", systemd.run_program)
        assert made.set_up(name="Café 七") == 0
        assert systemd.asked[:2] == [["daemon-reload"], ["enable", "--quiet", "mosquitto.service", files.UNIT]]
        said = capsys.readouterr().out
        assert "systemd" not in said
        key = re.findall(r"^page http://\S+/\?key=(\w+)$", said, re.MULTILINE)
        assert systemd.said.endswith(f"?key={key[0]}\n"), "the sheet's address is that of the board that runs"
        board = f"http://127.0.0.1:{made.web}"
        table = connect(made.invite())
        assert publish(table, str(Topic("Café 七", "T1", TopicKind.ONLINE)))

        def is_online() -> bool:
            with urlopen(Request(f"{board}/tables.json", headers={"Cookie": f"sevenmat_key={key[0]}"})) as answer:
                return [(one["name"], one["online"]) for one in json.load(answer)["tables"]] == [("T1", True)]

        wait_for(is_online, "the board shows the table", 20)
        name = clean_code(made.kept.tables["T2"].code)[:2]
        line = http.client.HTTPConnection("127.0.0.1", made.web)
        line.request("GET", f"/join?{urlencode({'name': name, 'back': 'http://127.0.0.1:7777/hall'})}")
        sent = line.getresponse().headers["location"]
        sealed = parse_qs(urlsplit(sent).query)["sealed"][0]
        assert Invitation.unseal(sealed, made.kept.tables["T2"].code) == made.invite("T2")


@pytest.mark.skipif(ANALYZE is None, reason="there is no systemd-analyze here")
def test_systemd_finds_no_fault_with_the_boards_service(made: Made) -> None:
    assert made.set_up(name="50 % Café") == 0
    argv = [str(ANALYZE), "verify", "--man=no", str(made.files.unit)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    ours = [line for line in done.stderr.splitlines() if "sevenmat" in line]
    assert (done.returncode, ours) == (0, []), done.stderr


def test_set_up_twice_nothing_is_lost_and_a_lost_sheet_is_one_command(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    assert made.set_up(tables="2") == 0
    first, codes = made.kept, re.findall(r"  (T\d)  (\S+)", capsys.readouterr().out)
    assert codes == [(name, one.code) for name, one in first.tables.items()]
    written = list(filter(Path.is_file, made.root.rglob("*")))
    before = {path: path.read_bytes() for path in written if path.suffix not in (".pdf", ".json")}
    assert made.set_up(tables="2") == 0
    assert made.kept == first
    assert {path: path.read_bytes() for path in before} == before
    assert made.set_up(tables="T2,Red") == 0
    assert list(made.kept.tables) == ["T1", "T2", "Red"]
    assert made.kept.tables["T1"] == first.tables["T1"]
    capsys.readouterr()
    (made.root / "sheet.pdf").unlink()
    assert made.sheet() == 0
    said = capsys.readouterr().out
    assert dict(re.findall(r"  (\w+) +(\S{4}-\S{4})", said)) == {n: one.code for n, one in made.kept.tables.items()}
    assert re.search(rf"^page http://127.0.0.1:{made.web}/\?key=[0-9a-f]{{32}}$", said, re.MULTILINE)
    assert (made.root / "sheet.pdf").read_bytes().count(b"/Type /Page\n") == 3


def test_a_stolen_sheet_is_made_worthless(made: Made) -> None:
    assert made.set_up() == 0
    old = made.invite(), made.invite("T2")
    assert made.sheet("--tables", "T1", "--new") == 0
    with made.broker():
        connect(old[1]).close()
        connect(made.invite()).close()
        with pytest.raises(BrokerError):
            connect(old[0])


def test_no_password_can_be_read_by_others_nor_is_it_said(
    made: Made, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []
    run = subprocess.run

    def watch(arguments: list[str], **more: object) -> object:
        called.extend(arguments)
        return run(arguments, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", watch)
    umask = os.umask(0)
    try:
        assert made.set_up() == 0
    finally:
        os.umask(umask)
    kept, said = made.kept, "".join(capsys.readouterr())
    secrets = [kept.password, *(one.password for one in kept.tables.values())]
    codes = [one.code for one in kept.tables.values()]
    assert not any(secret in said for secret in secrets)
    assert called
    assert not any(secret in argument for secret in secrets for argument in called)
    for path in filter(Path.is_file, made.root.rglob("*")):
        if path.stat().st_mode & stat.S_IROTH:
            text = path.read_text("utf-8")
            assert not any(secret in text for secret in (*secrets, *codes)), path
    for path in (made.root / "sheet.pdf", made.files.kept, made.files.own / "password"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((made.files.broker / "broker.key").stat().st_mode) == 0o640


def leave_out(name: str) -> Callable[[pytest.MonkeyPatch, Made], None]:
    def prepare(patch: pytest.MonkeyPatch, _: Made) -> None:
        which = files.shutil.which
        patch.setattr(files.shutil, "which", lambda what, **more: None if what == name else which(what, **more))

    return prepare


def set_up_before(_: pytest.MonkeyPatch, made: Made) -> None:
    assert made.set_up() == 0


def occupy(patch: pytest.MonkeyPatch, made: Made) -> None:
    def taken(port: int, option: str) -> None:
        raise command.DeviceError(command.TAKEN.refill(port=port, option=option))

    patch.setattr(command, "_check_free", taken)


@pytest.mark.parametrize(
    ("name", "tables", "prepare", "words"),
    [
        ("A/B", "2", None, "'A/B' is no name of a table or a hall: 1 to 40 letters, none of them / + or #."),
        ("CAFE", "T1,T1", None, "'T1' is named twice: each table, and the hall's user, has a name of its own."),
        ("CAFE", "hall", None, "'hall' is named twice: each table, and the hall's user, has a name of its own."),
        ("CAFE", "a:b", None, "The broker knows no names with a colon: a:b."),
        ("CAFE", "2", leave_out("mosquitto"), "mosquitto is missing: 'sudo apt install mosquitto', then"),
        ("CAFE", "2", leave_out("openssl"), "openssl is missing: 'sudo apt install openssl', then"),
        ("OTHER", "2", set_up_before, "This machine is the hall CAFE already; to make it another, delete"),
        ("CAFE", "2", occupy, "is taken by another program: name another one with --port."),
    ],
)
def test_what_can_not_be_is_one_sentence(
    name: str, tables: str, prepare: Callable[[pytest.MonkeyPatch, Made], None] | None, words: str, made: Made,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    if prepare is not None:
        prepare(monkeypatch, made)
    before = sorted(made.root.rglob("*"))
    capsys.readouterr()
    assert made.set_up(name=name, tables=tables) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert words in said.err
    assert sorted(made.root.rglob("*")) == before, "nothing was written"


def test_a_port_that_another_program_has_is_refused(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    import socket

    with socket.create_server(("", made.web)):
        assert made.set_up() == 2
        assert f"Port {made.web} is taken by another program" in capsys.readouterr().err
    assert made.set_up() == 0
    with made.broker():
        assert made.set_up() == 0, "its own broker is no other program"


def test_who_is_not_root_is_told_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command.os, "geteuid", lambda: 1000)
    for words in (["set-up", "CAFE", "--tables", "6"], ["sheet"]):
        assert main(["--language", "en", "hall", *words]) == 2
        assert f"'sudo sevenmat hall {words[0]}'" in capsys.readouterr().err
    assert main(["--language", "en", "hall", "sheet", "--root", "/nowhere"]) == 2
    assert "No hall is set up here" in capsys.readouterr().err


def test_a_damaged_file_is_one_sentence(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    assert made.set_up() == 0
    for text in ("{", "[]", '{"hall": 1}', '{"tables": {"T1": {}}}'):
        made.files.kept.write_text(text)
        capsys.readouterr()
        assert made.sheet() == 2
        assert "hall.json is damaged" in capsys.readouterr().err


def test_what_is_sealed_is_opened_by_its_code_alone(made: Made) -> None:
    assert made.set_up() == 0
    sealed = json.loads((made.files.own / "invitations.json").read_text())
    one, other = (clean_code(table.code) for table in made.kept.tables.values())
    assert Invitation.unseal(sealed[one[:2]], f" {one[:3]} {one[3:].lower()} ") == made.invite()
    torn = sealed[one[:2]][:-4] + "AAAA"
    for text, code in ((sealed[one[:2]], other), (torn, one), ("", one), ("é", one), ("A" * 3000, one)):
        with pytest.raises(command.DeviceError) as refused:
            Invitation.unseal(text, code)
        assert refused.value.text == WRONG_CODE


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "https://example.org", "[" * 100, '["sevenmat-hall",2,"h",1,"C","T","p","c"]',
             json.dumps(["sevenmat-hall", 1, "h o", 1, "C", "T", "p", "c" * 43]),
             json.dumps(["sevenmat-hall", 1, "h", 70000, "C", "T", "p", "c" * 43]),
             json.dumps(["sevenmat-hall", 1, "h", 1, "C/D", "T", "p", "c" * 43])],
)  # fmt: skip
def test_what_is_no_invitation_is_refused(text: str) -> None:
    with pytest.raises(command.DeviceError) as refused:
        Invitation.read_code(text)
    assert refused.value.text == NO_INVITATION
