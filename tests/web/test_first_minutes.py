"""Powered on for the first time: whatever is missing, the display says what to do next. No display: test_no_display."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.hardware.buttons import Button
from device.hardware.camera import Camera
from device.hardware.cameras import FoundCameras, choose_camera
from device.hardware.steady import SteadyCamera
from rules.text import Text
from tests.device.house import House, with_decks
from tests.web.house_page import ThreadedPage
from ui.screen_state import Mood
from web.table_end import address, wifi


class NewTable(House):
    """A table as it comes out of its box."""

    def __init__(self, state: Path, has_camera: bool) -> None:
        super().__init__(state)
        self.page = ThreadedPage(state)
        self.has_camera = has_camera

    def open_camera(self) -> SteadyCamera:
        def open_found() -> Camera:
            return choose_camera(look=lambda: FoundCameras(ribbon_trouble=Text("picamera2 is not installed"))).open()

        return super().open_camera() if self.has_camera else SteadyCamera(open_found)


@pytest.mark.parametrize("network", [True, False], ids=["network", "no network"])
@pytest.mark.parametrize("deck", [True, False], ids=["deck", "no deck"])
@pytest.mark.parametrize("camera", [True, False], ids=["camera", "no camera"])
def test_what_is_missing_is_said_with_what_to_do(
    camera: bool, deck: bool, network: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wifi, "_nmcli", lambda *_: "")
    monkeypatch.setattr(address, "own_addresses", lambda _: ["192.168.1.7" if network else address.LOOPBACK])
    if deck:
        with_decks(tmp_path, "mine")
    with NewTable(tmp_path, camera) as table:
        home = table.mood(Mood.MENU)
        assert ("No deck is known yet: learn yours first." in home.details) is not deck
        first = home.choices[0]
        assert first == ("New game" if deck else "Learn a deck"), "the next thing is the first line"

        table.choose("See what the camera sees")
        wanted = "lay the four markers" if camera else "No camera was found (picamera2 is not installed): connect one"
        table.until(lambda screen: wanted in str(screen))
        table.press(Button.BACK)
        table.mood(Mood.MENU)

        table.choose("Phone")
        if network:
            table.says("Scan this with a phone.")
        else:
            table.says("No phone reaches that address yet: bring this machine into a network")
