"""Addresses with a login in them: it is found wherever it ends, and it is shown nowhere."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from device.addresses import split_login, without_password
from device.errors import DeviceError
from device.hardware.cameras import choose_camera
from device.settings.kinds import to_toml
from device.settings.settings_file import change_setting, load_settings, read_settings, show_settings
from device.settings.values import HallSettings, all_settings, as_shown
from device.speech import Language
from hall.hall_server import parse_hall_address
from hall.store.store import HallStore
from hall.table_end.place import HallPlace
from tests.web.phone import phone

SECRETS = [
    "rtsp://me:SECRET@10.0.0.9/main",
    "http://me:a/SECRET@10.0.0.9:81/video",
    "http://me:1/SECRET@cam/video",
    "http://me:SECRET/1?2#3@cam.local/video",
    "http://me:a@b/SECRET#d@cam.local:81/table@2",
    "http://do/main:SECRET@cam/video",
    "https://[fe80::1]:81/video?user=me&pwd=SECRET",
    "http://10.0.0.9:81/video?pwd=a@SECRET",
    "http://10.0.0.9/video#pwd=SECRET",
    "rtsp://10.0.0.9:554/user=me&password=SECRET&channel=1",
    "http://10.0.0.9/video;pwd=SECRET/x",
    "http://10.0.0.9/video%3Fpwd%3DSECRET",
    "HTTP://me:SECRET@10.0.0.9/",
    "rtps://me:SECRET@10.0.0.9/",
    "rtsp:/me:SECRET@10.0.0.9/",
    "me:SECRET@10.0.0.9:554/main",
    "10.0.0.9/video?pwd=SECRET",
    "mqtt://me:SECRET@hall.example",
    "mqtts://me@hall.example?password=SECRET",
    "postgres://me:SECRET@hall.example/hall",
]
"""As people write them, right and wrong."""


@pytest.mark.parametrize(
    ("address", "login", "rest"),
    [
        ("http://10.0.0.9:81/video?user=a@b.c", "", "10.0.0.9:81/video?user=a@b.c"),
        ("https://cam.local/table@2", "", "cam.local/table@2"),
        ("http://me:pass@cam/video", "me:pass", "cam/video"),
        ("http://me:pass@cam.local/table@2", "me:pass", "cam.local/table@2"),
        ("http://me:p@s/s:w#o rd%1?@10.0.0.9:81/video?x=1", "me:p@s/s:w#o rd%1?", "10.0.0.9:81/video?x=1"),
        ("http://me:12/34@cam/video", "me:12/34", "cam/video"),
        ("rtsp://me:pass@[fe80::1]:554/main", "me:pass", "[fe80::1]:554/main"),
    ],
)
def test_a_login_ends_before_the_host(address: str, login: str, rest: str) -> None:
    assert split_login(address) == (address.partition(":")[0], login, rest)


def test_what_holds_no_password_is_shown_as_it_is() -> None:
    for place in ("folder:/home/me@x/a=b", "video:a:b@c.mp4", "usb:0", "auto", "http://10.0.0.9:81/video", "José", ""):
        assert without_password(place) == place


@pytest.mark.parametrize("address", SECRETS)
def test_no_sentence_shows_a_password(address: str, tmp_path: Path) -> None:
    assert "SECRET" not in without_password(address)
    told = []
    for use in (
        lambda: told.append(str(choose_camera(address).why)),
        lambda: HallPlace.of(address, "1", HallSettings()),
        lambda: parse_hall_address(address),
        lambda: HallStore.open(address, "hall"),
    ):
        try:
            use()
        except DeviceError as error:
            told.append(str(error) + error.text.said(Language.JA))
    assert len(told) == 4
    assert "SECRET" not in "".join(told)


def test_no_setting_shows_a_password(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every address in every setting, kept or refused, alone or in a list."""
    kept, told = 0, []
    for key, address in itertools.product(all_settings(), SECRETS):
        room, _, name = key.rpartition(".")
        for value in (address, [address, address]):
            text = (f"[{room}]\n" if room else "") + f"{name} = {to_toml(value)}"
            try:
                told.append(repr(as_shown(read_settings(text, tmp_path))))
                kept += 1
            except DeviceError as error:
                told.append(str(error))
    assert kept > 50
    assert "SECRET" not in "".join(told)
    change_setting(tmp_path, "web.may", "all")
    change_setting(tmp_path, "hall.password", "SECRET")
    for address in (SECRETS[0], SECRETS[1]):
        change_setting(tmp_path, "camera.source", address)
        show_settings(tmp_path, Language.EN)
        with phone(tmp_path) as there:
            pages = there.get("/settings").text + there.get("/settings.json").text
            refused = there.post("/settings", data={"key": "camera.rotation", "value": address}).text
        shown = capsys.readouterr().out
        assert "SECRET" not in pages + refused + shown
        assert all(without_password(address) in said for said in (pages, shown))


def test_what_is_shown_of_an_address_and_put_back_keeps_its_password(tmp_path: Path) -> None:
    change_setting(tmp_path, "web.may", "all")
    change_setting(tmp_path, "camera.source", SECRETS[0])
    with phone(tmp_path) as there:
        settings = json.loads(there.get("/settings.json").text)["settings"]
        held = next(one["value"] for one in settings if one["key"] == "camera.source")
        there.post("/settings", data={"key": "camera.source", "value": held})
        assert load_settings(tmp_path).camera.source == SECRETS[0]
        there.post("/settings", data={"key": "camera.source", "value": "rtsp://10.0.0.8/main"})
    assert load_settings(tmp_path).camera.source == "rtsp://10.0.0.8/main"
