"""Which hall a table is in: what is written wrongly is answered by what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.main import main
from device.errors import DeviceError
from device.settings.broker import BrokerAddress
from device.settings.values import HallSettings
from hall.table_end.folders import PASSWORD, HallFolders, HallTrouble
from hall.table_end.place import HallPlace, password_of
from hall.table_end.process import relay_command
from tests.cli.test_cli import one_sentence

SET = HallSettings(broker="mqtts://cafe@hall.example", name="Café", table="Table 1")


def test_a_place_is_named_on_the_command_line_or_set() -> None:
    named = HallPlace.of("mqtts://cafe@hall.example:8884/囲碁%20会", "テーブル 七", HallSettings())
    assert named == HallPlace(
        BrokerAddress("hall.example", 8884, True, "cafe", "囲碁 会"), hall="囲碁 会", table="テーブル 七"
    )
    assert HallPlace.of(None, None, SET) == HallPlace(
        BrokerAddress("hall.example", 8883, True, "cafe"), hall="Café", table="Table 1"
    )
    assert HallPlace.of(None, "Table 2", SET) == HallPlace(
        BrokerAddress("hall.example", 8883, True, "cafe"), hall="Café", table="Table 2"
    )
    assert HallPlace.of(None, None, HallSettings()) is None
    decomposed = HallPlace.of("mqtt://[::1]/Cafe\u0301", "1", HallSettings())
    assert decomposed is not None
    assert (decomposed.hall, str(decomposed.broker), decomposed.broker.url) == (
        "Café",
        "[::1]:1883",
        "mqtt://[::1]:1883",
    )


@pytest.mark.parametrize(
    ("hall", "table", "settings", "words"),
    [
        ("hall.example/Café", "1", HallSettings(), "Write --hall as mqtts://USER@HOST/HALL"),
        ("http://hall.example/Café", "1", HallSettings(), "Write --hall as"),
        ("mqtts://hall.example:99999/Café", "1", HallSettings(), "Write --hall as"),
        ("mqtts:///Café", "1", HallSettings(), "Write --hall as"),
        ("mqtts://hall.example/Café?x", "1", HallSettings(), "Write --hall as"),
        ("mqtts://cafe:secret@hall.example/Café", "1", HallSettings(), "Leave the password out"),
        ("mqtts://cafe@hall.example", "1", HallSettings(), "names the hall too"),
        ("mqtts://cafe@hall.example/", "1", HallSettings(), "names the hall too"),
        ("mqtts://cafe@hall.example/a/b", "1", HallSettings(), "can't be called 'a/b'"),
        ("mqtts://cafe@hall.example/a%23", "1", HallSettings(), "can't be called 'a#'"),
        ("mqtts://cafe@hall.example/Café", "x" * 41, HallSettings(), "1 to 40 characters"),
        ("mqtts://cafe@hall.example/Café", "a\x1b", HallSettings(), "1 to 40 characters"),
        ("mqtts://cafe@hall.example/Café", None, HallSettings(), "--table NAME"),
        ("mqtts://cafe@hall.example/Café", "", HallSettings(), "--table NAME"),
        (None, "1", HallSettings(), "say which one with --hall"),
        (None, None, HallSettings(broker="mqtt://h", table="1"), "hall.name"),
        (None, None, HallSettings(broker="mqtt://h", name="1"), "hall.table"),
    ],
)
def test_what_can_not_be_is_answered_by_what_to_write(
    hall: str | None, table: str | None, settings: HallSettings, words: str
) -> None:
    with pytest.raises(DeviceError) as caught:
        HallPlace.of(hall, table, settings)
    said = str(caught.value)
    assert words in said
    assert "secret" not in said
    assert "\x1b" not in said


def test_the_password_comes_from_the_environment_the_settings_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(PASSWORD, raising=False)
    assert password_of(HallSettings()) is None
    (tmp_path / "password").write_text("of the file\n")
    in_file = HallSettings(password_file=str(tmp_path / "password"))
    assert password_of(in_file) == "of the file"
    assert password_of(HallSettings(password="set")) == "set"
    monkeypatch.setenv(PASSWORD, "of the environment")
    assert password_of(in_file) == "of the environment"
    monkeypatch.delenv(PASSWORD)
    with pytest.raises(DeviceError, match="can't be read"):
        password_of(HallSettings(password_file=str(tmp_path / "none")))


def test_no_password_is_on_the_relays_command_line(tmp_path: Path) -> None:
    place = HallPlace.of("mqtts://caf%C3%A9@hall.example/Café", "1", HallSettings())
    assert place is not None
    command = relay_command(
        tmp_path, tmp_path, place, HallFolders(tmp_path, tmp_path), HallSettings(ca_file="/etc/hall.pem")
    )
    assert "mqtts://caf%C3%A9@hall.example:8883" in command
    again = BrokerAddress.parse(command[command.index("--broker") + 1])
    assert again == BrokerAddress("hall.example", 8883, True, "café")


@pytest.mark.parametrize("command", [["run", "--simulated", "--headless"], ["demo", "--headless"], ["relay"]])
def test_wrong_use_is_one_sentence(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = [] if command[0] == "demo" else ["--state", str(tmp_path)]
    assert main([*command, *state, "--hall", "mqtts://a:b@hall.example/Café", "--table", "1"]) == 2
    assert "Leave the password out" in one_sentence(capsys)
    assert main([*command, *state, "--hall", "mqtts://hall.example/Café"]) == 2
    assert "--table NAME" in one_sentence(capsys)


def test_a_relay_without_a_hall_says_what_to_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["relay", "--state", str(tmp_path)]) == 2
    assert "set hall.broker, hall.name and hall.table" in one_sentence(capsys)


def test_without_its_packages_it_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hall.table_end.place.find_spec", lambda _: None)
    assert main(["relay", "--state", str(tmp_path), "--hall", "mqtt://h/Café", "--table", "1"]) == 2
    assert "pip install sevenmat[hall]" in one_sentence(capsys)


def test_a_relay_that_has_not_said_anything_of_late_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = HallFolders(tmp_path, tmp_path)
    assert folders.said() is HallTrouble.NO_RELAY
    folders.say(None)
    assert folders.said() is None
    folders.say(HallTrouble.REFUSED)
    assert folders.said() is HallTrouble.REFUSED
    (tmp_path / "relay.json").write_text('{"at_s": 1.0, "trouble": null}')
    assert folders.said() is HallTrouble.NO_RELAY
    (tmp_path / "relay.json").write_text("{")
    assert folders.said() is HallTrouble.NO_RELAY
