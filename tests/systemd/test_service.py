"""The service as systemd sees it, and the installation into a folder, twice and back."""

from __future__ import annotations

import re
import shutil
import subprocess
import textwrap
from collections import defaultdict
from pathlib import Path

import pytest

from cli.main import main
from device.settings.settings_file import read_settings
from tests.web.card_picture import describe_steps
from web.table_end.address import USUAL

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = ROOT / "systemd"
UNIT = SYSTEMD / "sevenmat.service"
HALL = SYSTEMD / "sevenmat-hall.service"
ANALYZE = shutil.which("systemd-analyze")
CLOUD_INIT = shutil.which("cloud-init")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed")


def sections(path: Path) -> dict[str, dict[str, list[str]]]:
    """Return a unit file's values by section and key, in their order."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    section = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found[section][key].append(value)
    return found


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("Type", "notify"),
        ("Restart", "always"),
        ("StateDirectory", "sevenmat"),
        ("RuntimeDirectory", "sevenmat"),
        ("User", "sevenmat"),
        ("SupplementaryGroups", "video render input gpio audio"),
        ("DevicePolicy", "closed"),
        ("ProtectSystem", "strict"),
        ("NoNewPrivileges", "yes"),
        ("CapabilityBoundingSet", ""),
    ],
)
def test_the_service_says(key: str, value: str) -> None:
    assert sections(UNIT)["Service"][key] == [value]


def test_the_watchdog_waits_longer_than_a_loop_may_be_silent_and_nothing_gives_up() -> None:
    unit = sections(UNIT)
    assert int(unit["Service"]["WatchdogSec"][0]) >= 20
    assert unit["Unit"]["StartLimitIntervalSec"] == ["0"]
    assert unit["Install"]["WantedBy"] == ["multi-user.target"]


def test_threads_that_come_and_go_leave_no_memory_behind() -> None:
    """Seen in an evening (``make evening``): without this it grows with every game, and with every picture."""
    given = " ".join(sections(UNIT)["Service"]["Environment"]).split()
    assert {"MALLOC_ARENA_MAX=2", "MALLOC_MMAP_THRESHOLD_=4194304"} <= set(given)


@pytest.mark.parametrize("device", ["video4linux", "media", "dma_heap", "drm", "fb", "gpiochip", "input", "alsa"])
def test_what_the_adapters_open_is_allowed(device: str) -> None:
    assert any(line.startswith(f"char-{device} ") for line in sections(UNIT)["Service"]["DeviceAllow"])


def test_what_the_service_starts_is_our_command(capsys: pytest.CaptureFixture[str]) -> None:
    (start,) = sections(UNIT)["Service"]["ExecStart"]
    program, *words = start.split()
    assert Path(program).name == "sevenmat"
    assert words == ["run", "--service", "--state", "${STATE_DIRECTORY}"]
    assert main([words[0], "--help"]) == 0
    said = capsys.readouterr().out
    assert "--service" in said
    assert "--state" in said


def test_what_sends_to_the_hall_has_the_network_and_only_reads_the_tables_state() -> None:
    service, table = sections(HALL)["Service"], sections(UNIT)["Service"]
    (start,) = service["ExecStart"]
    assert start.split()[1:] == ["relay", "--state", "%S/sevenmat"]
    assert service["User"] == table["User"]
    assert "PrivateNetwork" not in service
    assert service["ProtectSystem"] == ["strict"]
    assert service["StateDirectory"] == service["RuntimeDirectory"] == ["sevenmat-hall"]
    assert "ReadWritePaths" not in service
    same = ("NoNewPrivileges", "CapabilityBoundingSet", "MemoryDenyWriteExecute", "ProtectHome")
    assert [service[key] for key in same] == [table[key] for key in same]
    assert service["Restart"] == ["on-failure"], "a table that is in no hall ends it"
    watched = sections(SYSTEMD / "sevenmat-hall.path")["Path"]["PathChanged"]
    assert watched == [f"/var/lib/{table['StateDirectory'][0]}/settings.toml"], "and joining one starts it"
    assert set(table["SystemCallFilter"]) - set(service["SystemCallFilter"]) == {"setpriority"}, "the page's alone"


def test_what_sends_to_the_hall_reaches_the_networks_that_phones_may_come_from() -> None:
    service, socket = sections(HALL)["Service"], sections(SYSTEMD / "sevenmat.socket")["Socket"]
    assert service["IPAddressDeny"] == socket["IPAddressDeny"] == ["any"]
    assert service["IPAddressAllow"] == socket["IPAddressAllow"]


def runnable(tmp_path: Path, of: Path = UNIT) -> Path:
    """Return the unit with a program that is there, for machines where Sevenmat is not installed."""
    unit = tmp_path / of.name
    unit.write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", of.read_text(encoding="utf-8")))
    return unit


@needs_systemd
@pytest.mark.parametrize("unit", [UNIT, HALL], ids=lambda unit: unit.stem)
def test_systemd_finds_no_fault_with_it(unit: Path, tmp_path: Path) -> None:
    assert ANALYZE
    units = [runnable(tmp_path, unit)]
    if unit == HALL:
        units.append(Path(shutil.copy(SYSTEMD / "sevenmat-hall.path", tmp_path)))
    if unit == UNIT:
        units.append(Path(shutil.copy(SYSTEMD / "sevenmat.socket", tmp_path)))
    argv = [ANALYZE, "verify", "--man=no", *map(str, units)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    ours = [line for line in done.stderr.splitlines() if "sevenmat" in line]
    assert (done.returncode, ours) == (0, []), done.stderr


@needs_systemd
@pytest.mark.parametrize("unit", [UNIT, HALL], ids=lambda unit: unit.stem)
def test_its_exposure_is_small(unit: Path, tmp_path: Path) -> None:
    assert ANALYZE
    argv = [ANALYZE, "security", "--offline=yes", "--threshold=10", "--no-pager", str(runnable(tmp_path, unit))]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    found = re.search(rf"Overall exposure level for {unit.name}: ([\d.]+)", done.stdout)
    assert found, done.stdout + done.stderr
    assert float(found[1]) <= 1.0


def install(*words: str) -> subprocess.CompletedProcess[str]:
    argv = ["sh", str(SYSTEMD / "install.sh"), *words]
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("words", [[], ["fly"], ["--purge"], ["install", "--force"]])
def test_wrong_words_are_one_sentence(words: list[str]) -> None:
    done = install(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("sevenmat: ")


TOOLS = ("sh", "cat", "dirname", "grep", "sed", "awk")
SOUND = {
    "uname": 'case "$1" in -s) echo Linux ;; -m) echo aarch64 ;; esac',
    "id": "echo 0",
    "df": "echo /dev/root 1 1 9000000 1% /",
    "apt-get": "exit 0",
    "apt-cache": "exit 0",
    "dpkg": "exit 0",
    "dpkg-query": "exit 1",
    "systemctl": "exit 0",
}
"""A machine on which everything is as it should be, as far as the script asks it, as scripts by name."""


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"uname": "echo Darwin"}, "on Linux only"),
        ({"id": "echo 1000"}, "needs root: run 'sudo make install'"),
        ({"apt-get": None}, "no Debian or Raspberry Pi OS"),
        ({"systemctl": None}, "systemd is missing"),
        ({"uname": 'case "$1" in -s) echo Linux ;; -m) echo armv7l ;; esac'}, "64 bit"),
        ({"df": "echo /dev/root 1 1 900000 1% /"}, "only 878 MB are free"),
        ({"apt-get": "exit 100"}, "connect the network"),
        ({"apt-get": 'case "$*" in *install*) exit 100 ;; esac'}, "Debian's packages can't be installed"),
    ],
)
def test_what_is_in_the_way_is_one_sentence(fault: dict[str, str | None], words: str, tmp_path: Path) -> None:
    """Each fault ends the script before it would change anything."""
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found
        (tmp_path / tool).symlink_to(found)
    for name, script in {**SOUND, **fault}.items():
        if script is not None:
            (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
            (tmp_path / name).chmod(0o755)
    # env is what apt-get is called through; where it is not faulty itself it goes no further than that.
    (tmp_path / "env").write_text('#!/bin/sh\nshift\nexec "$@"\n')
    (tmp_path / "env").chmod(0o755)
    argv = [str(tmp_path / "sh"), str(SYSTEMD / "install.sh"), "install"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False, env={"PATH": str(tmp_path)})
    said = [line for line in done.stderr.splitlines() if not line.startswith("sevenmat: note: ")]
    assert done.returncode == 2
    assert len(said) == 1, done.stderr
    assert said[0].startswith("sevenmat: ")
    assert words in said[0]


@pytest.mark.skipif(
    shutil.which("apt-get") is None or shutil.which("systemctl") is None, reason="needs Debian, systemd"
)
def test_a_dry_run_names_every_step_and_does_none() -> None:
    done = install("--dry-run", "install")
    assert done.returncode == 0, done.stderr
    steps = ("apt-get update", "tools.deb --quick", "dpkg --unpack", "apt-get -f install", "dpkg --configure")
    where = [done.stdout.rfind(step) for step in steps]
    assert -1 not in where
    assert where == sorted(where)
    removed = install("--dry-run", "--purge", "uninstall")
    assert "dpkg --purge --force-remove-reinstreq sevenmat" in removed.stdout


def test_the_service_user_may_switch_off_give_a_wifi_and_no_more() -> None:
    rules = (SYSTEMD / "polkit.rules").read_text(encoding="utf-8")
    assert set(re.findall(r'"(org\.[^"]+)"', rules)) == {
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
        "org.freedesktop.NetworkManager.network-control",
        "org.freedesktop.NetworkManager.settings.modify.system",
        "org.freedesktop.NetworkManager.wifi.share.protected",
    }
    assert 'subject.user == "sevenmat" &&' in rules


def test_phones_come_by_systemds_socket_while_the_service_has_no_network() -> None:
    service, socket = sections(UNIT)["Service"], sections(SYSTEMD / "sevenmat.socket")
    assert service["PrivateNetwork"] == ["yes"]
    assert service["IPAddressDeny"] == ["any"]
    assert "AF_INET" not in " ".join(service["RestrictAddressFamilies"]).split()
    assert socket["Socket"]["ListenStream"] == [str(USUAL[1])]
    assert "Accept" not in socket["Socket"], "the socket is handed on as it listens"
    assert socket["Socket"]["IPAddressDeny"] == ["any"]
    assert socket["Unit"]["PartOf"] == socket["Install"]["WantedBy"] == ["sevenmat.service"]


def test_every_group_of_the_service_is_made_sure_of() -> None:
    lines = (SYSTEMD / "sysusers.conf").read_text(encoding="utf-8").splitlines()
    groups = sections(UNIT)["Service"]["SupplementaryGroups"][0].split()
    assert [line.split()[1] for line in lines if line.startswith("g ")] == groups
    assert [line.split()[2] for line in lines if line.startswith("m sevenmat ")] == groups


def test_the_settings_on_the_card_are_settings(tmp_path: Path) -> None:
    """As they are, and with the pins that are shown as an example."""
    card = (SYSTEMD / "card/user-data").read_text(encoding="utf-8")
    block = card.split("settings.toml\n")[1].split("content: |\n")[1].split("\n\n  #")[0]
    text = textwrap.dedent(block)
    settings = read_settings(text, tmp_path)
    assert (settings.language, settings.camera.source, settings.buttons.pins) == ("ja", "auto", ())
    custom = text.replace('profile = "auto"', 'profile = "custom"').replace("# pins", "pins")
    assert read_settings(custom, tmp_path).buttons.pins == (5, 6, 16, 24)


def check_card(kind: str, text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Have cloud-init hold a file of the card against its own schema."""
    (folder / kind).write_text(text, encoding="utf-8")
    assert CLOUD_INIT
    argv = [CLOUD_INIT, "schema", "--schema-type", kind, "--config-file", str(folder / kind)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(CLOUD_INIT is None, reason="cloud-init, 24.1 or later, is not installed: 'apt install cloud-init'")
@pytest.mark.parametrize(
    ("file", "kind", "wrong"),
    [("user-data", "cloud-config", ("runcmd:", "runcmd: 7 #")), ("network-config", "network-config", ("true", "7"))],
)
def test_cloud_init_finds_the_card_valid(file: str, kind: str, wrong: tuple[str, str], tmp_path: Path) -> None:
    text = (SYSTEMD / "card" / file).read_text(encoding="utf-8")
    done = check_card(kind, text, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert check_card(kind, text.replace(*wrong), tmp_path).returncode != 0, "and a wrong one is found"


def test_the_card_installs_the_package_that_make_deb_makes() -> None:
    card = (SYSTEMD / "card/user-data").read_text(encoding="utf-8")
    assert "/boot/firmware/sevenmat_*.deb" in card
    assert "disable sevenmat-first.service" in card, "it is done once"


@pytest.mark.parametrize("path", ["card/user-data", "install.sh"])
def test_apt_never_removes_what_it_can_not_complete(path: str) -> None:
    """Seen in a bare Debian: with no package lists ``apt-get -f install`` removes the package, and ends with 0."""
    lines = [line for line in (SYSTEMD / path).read_text(encoding="utf-8").splitlines() if "-f install" in line]
    assert [("--no-remove" in line) for line in lines if not line.lstrip().startswith("#")] == [True]


def test_the_picture_of_the_steps_shows_the_lines_that_stand_in_the_card() -> None:
    shown = re.findall(r"<mark>(.*?)</mark>", describe_steps())
    assert [line.split()[0] for line in shown] == [
        *("regulatory-domain:", "&quot;NAME", "password:"),
        *("language", "source", "profile", "#"),
    ]
