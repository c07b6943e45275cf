"""The line "Phone": the page opened, its code on the display, a new key, the Wi-Fi, and the page turned off."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np
import pygame
import pytest

from device.app.plan import Plan
from device.hardware.buttons import Button
from device.settings.settings_file import change_setting, load_settings
from referee.menu import QrCode
from rules.text import Language
from simulator.opening import make_usual_game
from tests.device.house import House
from tests.ui.checks import faults
from tests.web.house_page import ThreadedPage
from tests.web.test_table_page import until
from ui.screen import Panel, draw
from ui.screen_state import MenuScreen, Mood, ScreenState
from web.table_end import process
from web.table_end.phones import qr_code
from web.table_end.process import NO_EXTRA
from web.table_end.wifi import Wifi

SIZES = ((320, 240), (480, 320), (640, 480), (800, 480), (240, 320), (320, 480))
LINES = {
    "en": ("Done", "A code to type", "Code of the Wi-Fi", "Make a Wi-Fi of its own", "New key", "Turn the page off"),
    "ja": ("完了", "入力用のコード", "Wi-Fiのコード", "専用のWi-Fiを作る", "新しい鍵", "ページを閉じる"),
}
TITLES = {"en": "Scan this with a phone.", "ja": "スマートフォンで読み取ってください。"}


def read(screen: ScreenState, size: tuple[int, int] = (480, 320), panel: Panel | None = None, near: int = 1) -> str:
    """Return what a phone reads off the display, with its own pixels for each of the display's; else from nearer."""
    drawn = pygame.surfarray.array3d(draw(screen, size, panel or Panel()).surface).transpose(1, 0, 2)
    for pixels in (near, near + 1, near + 2):
        shown = drawn.repeat(pixels, 0).repeat(pixels, 1)
        # Neither of both finds every code that is clear to a phone.
        for detector in (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()):
            if told := str(detector.detectAndDecode(np.ascontiguousarray(shown[:, :, ::-1]))[0]):
                return told
    return ""


@pytest.mark.few(1)
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("size", "light"), [*((size, False) for size in SIZES), (SIZES[0], True)])
def test_a_phone_reads_the_code_off_every_display(language: str, size: tuple[int, int], light: bool) -> None:
    key = "0123456789abcdef" * 2
    for before, near in (("http://192.168.178.123:7777/?key=", 1), ("http://[2001:db8:12::abcd:5678]:41234/?key=", 2)):
        code = qr_code(before + key, (before, key))
        for chosen in range(len(LINES[language])):
            said = Language.from_code(language)
            screen = MenuScreen(
                said, Mood.MENU, TITLES[language], (), choices=LINES[language], chosen=chosen, picture=code
            )
            assert read(screen, size, Panel(light=light), near) == before + key
            drawing = draw(screen, size, Panel(light=light))
            assert not faults(screen, drawing, size)
            typed = "".join(box.text for box in drawing.texts)
            assert before + key in typed
            assert LINES[language][chosen].split()[0] in typed.replace(" ", " ")
    wifi = Wifi('Gäste; Café "2"', "a:b,c\\d" * 6)
    screen = MenuScreen(
        Language.from_code(language), Mood.MENU, TITLES[language], (), choices=LINES[language][:1],
        picture=qr_code(wifi.code, (wifi.name, wifi.password)),
    )  # fmt: skip
    assert read(screen, size, Panel(light=light), 2) == wifi.code


def test_a_code_is_black_on_white_in_whole_pixels_with_room_round_it() -> None:
    code = qr_code("http://10.0.0.2:7777/?key=" + "0" * 32, ("a", "b"))
    screen = MenuScreen(Language.EN, Mood.MENU, "Scan", (), choices=("Done",), picture=code)
    shown = pygame.surfarray.array3d(draw(screen, (320, 240)).surface).transpose(1, 0, 2)
    squares, px = len(code.rows) + 8, 3
    white = np.argwhere((shown == 255).all(2))
    top, left = white.min(0)
    found = shown[top : top + squares * px, left : left + squares * px]
    wanted = np.full((squares, squares), 255)
    wanted[4:-4, 4:-4] = [[0 if dark else 255 for dark in row] for row in code.rows]
    assert np.array_equal(found, np.repeat(wanted.repeat(px, 0).repeat(px, 1)[:, :, None], 3, 2))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    made.page = ThreadedPage(tmp_path)
    change_setting(tmp_path, "web.listen", "127.0.0.1:0")
    with made:
        yield made


def answered(at: str, cookie: str = "") -> tuple[int, str]:
    """Return the status and what the page sets as a cookie."""
    place = urlsplit(at)
    line = HTTPConnection(place.hostname or "", place.port, timeout=30)
    line.request("GET", f"{place.path}?{place.query}", headers={"Cookie": cookie} if cookie else {})
    came = line.getresponse()
    return came.status, (came.headers["Set-Cookie"] or "").split(";")[0]


def take(house: House, words: str) -> None:
    """Take the menu's line with these words, once it is there."""
    house.until(lambda screen: any(words in choice for choice in screen.choices))
    house.choose(words)


def shows_a_code(screen: ScreenState) -> bool:
    return isinstance(screen, MenuScreen) and isinstance(screen.picture, QrCode)


def typed(screen: ScreenState) -> tuple[str, ...]:
    """Return what stands under a code."""
    assert isinstance(screen, MenuScreen)
    assert isinstance(screen.picture, QrCode)
    return screen.picture.typed


def test_the_menu_opens_the_page_changes_its_key_and_turns_it_off(
    house: House, capfd: pytest.CaptureFixture[str]
) -> None:
    house.mood(Mood.MENU)
    take(house, "Phone")
    first = read(house.until(shows_a_code))
    assert f"page {first}\n" in capfd.readouterr().out
    status, cookie = answered(first)
    assert status == 303
    assert answered(first.partition("?")[0], cookie)[0] == 200
    assert answered(first.partition("?")[0])[0] == 401
    take(house, "A code to type")
    address, code = typed(house.says("they are good once"))
    assert address == first.partition("/?")[0]
    assert [answered(f"{address}/?code={one}")[0] for one in ("AAAAAA", code, code)] == [401, 303, 401]
    take(house, "Done")
    take(house, "A code to type")
    _, good = typed(house.says("they are good once"))
    take(house, "Done")
    take(house, "New key")
    house.says("all phones must scan again")
    take(house, "Yes, a new key")
    second = read(house.until(lambda screen: shows_a_code(screen) and read(screen) != first))
    assert second.partition("?")[0] == first.partition("?")[0]
    assert answered(first.partition("?")[0], cookie)[0] == 401
    assert answered(f"{address}/?code={good}")[0] == 401, "the code was of the key before"
    assert answered(second)[0] == 303
    take(house, "Turn the page off")
    house.says("What would you like to do?")
    assert house.page is not None
    house.page.wait()
    with pytest.raises(ConnectionRefusedError):
        answered(second)
    assert load_settings(house.state).web.listen == ""


def test_what_is_opened_by_the_menu_is_open_after_a_restart_and_a_taken_place_is_gone_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr("web.table_end.phones.USUAL", taken.getsockname())
        house = House(tmp_path)
        house.page = ThreadedPage(tmp_path)
        with house:
            house.mood(Mood.MENU)
            take(house, "Phone")
            shown = house.until(shows_a_code)
            assert urlsplit(read(shown)).port not in (None, taken.getsockname()[1])
            assert load_settings(tmp_path).web.listen == str(urlsplit(read(shown)).port)
            assert "No phone reaches that address" in shown.headline


def test_the_page_is_opened_in_a_game_too_and_the_game_goes_on(house: House) -> None:
    house.stop()
    header = make_usual_game(("Ada", "Ben", "Cleo"))
    house.wishes["plan"] = Plan(header.game, header.players, header.options, "")
    house.start()
    house.until(lambda screen: bool(screen.players))
    house.press(Button.UP)
    house.says("What do you want to do?")
    for _ in range(20):
        if house.screens[-1].choices[house.screens[-1].chosen] == "Phone":
            break
        house.press(Button.DOWN)
    house.press(Button.CONFIRM)
    assert answered(read(house.until(shows_a_code)))[0] == 303
    take(house, "Done")
    house.until(lambda screen: bool(screen.players) and screen.mood is not Mood.MENU)
    assert house.app.session is not None


def test_no_code_is_told_to_phones(house: House) -> None:
    told: list[Any] = []
    assert house.page is not None
    house.page.show = told.append  # type: ignore[method-assign]
    house.mood(Mood.MENU)
    take(house, "Phone")
    key = urlsplit(read(house.until(shows_a_code))).query.removeprefix("key=")
    until(lambda: "picture" in told[-1]["said"]["en"]["screen"])
    assert [one["screen"]["picture"] for one in told[-1]["said"].values()] == [None, None]
    assert key not in json.dumps(told)


def test_without_the_packages_the_line_says_which_and_all_else_works(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "find_spec", lambda name: None)
    house.mood(Mood.MENU)
    take(house, "Phone")
    assert house.says("pip install").headline == NO_EXTRA.said(Language.EN)
    take(house, "Back")
    house.says("What would you like to do?")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the state of a machine with NetworkManager, in the Wi-Fi of its home."""
    there = tmp_path / "bin"
    there.mkdir()
    double = Path(__file__).with_name("nmcli.py").read_text(encoding="utf-8")
    (there / "nmcli").write_text(f"#!{sys.executable} -IS\n{double}", encoding="utf-8")
    (there / "nmcli").chmod(0o755)
    monkeypatch.setenv("PATH", f"{there}{os.pathsep}{os.environ['PATH']}")
    home = {"ssid": "Home: 7", "security": "WPA", "password": "pass;word"}
    kept = {"wifi": home, "own": None, "active": "home", "may": True, "devices": ["wifi", "loopback"], "refuses": ""}
    (there / "nmcli.json").write_text(json.dumps({**kept, "asked": []}))
    return there / "nmcli.json"


def change(machine: Path, **what: Any) -> None:
    machine.write_text(json.dumps({**json.loads(machine.read_text()), **what}))


def test_the_wifi_is_shown_as_a_code_and_the_table_makes_one_of_its_own(machine: Path, house: House) -> None:
    house.mood(Mood.MENU)
    take(house, "Phone")
    page = read(house.until(shows_a_code))
    take(house, "Code of the Wi-Fi")
    assert read(house.says("First join this Wi-Fi.")) == r"WIFI:T:WPA;S:Home\: 7;P:pass\;word;;"
    take(house, "On to the page")
    take(house, "Make a Wi-Fi of its own")
    house.says("leaves the one it is in")
    take(house, "Yes, make it")
    code = read(house.says("First join this Wi-Fi."))
    own = json.loads(machine.read_text())["own"]
    assert code == f"WIFI:T:WPA;S:{own['ssid']};P:{own['password']};;"
    assert len(own["password"]) >= 8
    take(house, "On to the page")
    assert (
        read(house.says("Scan this with a phone" if "127.0.0.1" not in page else "No phone reaches that address"))
        == page
    )
    take(house, "End the Wi-Fi of its own")
    house.says("Make a Wi-Fi of its own")
    take(house, "Make a Wi-Fi of its own")
    take(house, "Yes, make it")
    assert read(house.says("First join this Wi-Fi.")) == code, "its name and password stay"


def test_a_wifi_that_cannot_be_made_is_one_sentence_and_the_way_back(machine: Path, house: House) -> None:
    change(machine, refuses="Connection activation failed: Not authorized to share connections via wifi.")
    house.mood(Mood.MENU)
    take(house, "Phone")
    house.until(shows_a_code)
    take(house, "Make a Wi-Fi of its own")
    take(house, "Yes, make it")
    house.says("The Wi-Fi can't be changed: Connection activation failed: Not authorized")
    take(house, "Back")
    house.until(shows_a_code)


def test_what_networkmanager_does_not_allow_is_not_offered(machine: Path, house: House) -> None:
    change(machine, may=False, active="")
    house.mood(Mood.MENU)
    take(house, "Phone")
    shown = house.until(shows_a_code)
    assert shown.choices == ("Done", "A code to type", "New key", "Turn the page off")
    house.press(Button.BACK)
    change(
        machine, may=True, devices=["ethernet"], wifi={"ssid": "Firm", "security": "WPA", "password": ""}, active="f"
    )
    take(house, "Phone")
    assert house.until(shows_a_code).choices == ("Done", "A code to type", "New key", "Turn the page off")


@pytest.mark.slow  # test_the_wifi_is_shown_as_a_code_and_the_table_makes_one_of_its_own
def test_a_networkmanager_that_hangs_holds_the_screen_up_for_seconds_only(machine: Path, house: House) -> None:
    (machine.parent / "nmcli").write_text("#!/bin/sh\nexec sleep 600\n")
    house.mood(Mood.MENU)
    take(house, "Phone")
    began = time.monotonic()
    assert house.until(shows_a_code, 25).choices == ("Done", "A code to type", "New key", "Turn the page off")
    assert time.monotonic() - began < 20, "the watchdog waits for 30 s"
