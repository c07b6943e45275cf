"""Settings changed on a phone while the table runs: done there at once, as if in its own menu."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from device.app.plan import Plan
from device.hardware.backlight import Backlight, Dimmer
from device.hardware.buttons import Button
from device.settings.settings_file import load_settings
from device.storage.journal import Journal
from rules.text import Language
from tests.device.at_the_table import PLAYERS
from tests.device.test_setting_menus import panel_light
from tests.web.house_page import PagedHouse, may
from tests.web.phone import phone
from ui.screen_state import Mood

PRINTED = "Sevenmat printed deck"


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., PagedHouse]]:
    with ExitStack() as houses:

        def begin(**wishes: object) -> PagedHouse:
            house = PagedHouse(tmp_path, **wishes)  # type: ignore[arg-type]
            house.dimmer = Dimmer(Backlight(panel_light(tmp_path / "light")).set_brightness)
            houses.enter_context(house)
            house.until(lambda screen: screen.mood is not Mood.NOTICE)
            return house

        yield begin


def put(house: PagedHouse, key: str, value: str) -> None:
    status, _ = house.send("/settings", ("key", key), ("value", value))
    assert status == 303


def test_the_first_menu_does_as_a_phone_sets(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    house = begin()
    put(house, "language", "ja")
    house.says("何をしますか")
    put(house, "display.brightness", "40")
    assert (tmp_path / "light" / "panel" / "brightness").read_text().strip() == "102"
    put(house, "signals.sounds", "false")
    assert not house.app._equipment.signals.sounds
    put(house, "game.names", "Zoë, Bo")
    assert house.json("/start.json")["names"] == ["Zoë", "Bo"]
    put(house, "game.deck", PRINTED)
    assert all(PRINTED in one["decks"] for one in house.json("/start.json")["games"] if one["game"] == "laminate")
    put(house, "language", "auto")
    kept = load_settings(tmp_path)
    assert (kept.language, kept.game.names, kept.display.brightness) == ("auto", ("Zoë", "Bo"), 40)


def test_a_game_that_is_played_does_as_a_phone_sets(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    house = begin(plan=Plan("laminate", PLAYERS, {"first_seat": 1}, PRINTED))
    house.set_up()
    session = house.app.session
    assert session is not None
    put(house, "game.hints", "true")
    assert session.screens.hints
    put(house, "recording.on", "true")
    house.press(Button.CONFIRM, long=True)
    house.says("Stop recording")
    house.press(Button.BACK)
    put(house, "language", "ja")
    house.until(lambda screen: screen.language is Language.JA)
    put(house, "table.mat_mm", "900, 600")
    house.until(lambda _: house.app.session is not session)
    with Journal.open(tmp_path) as journal:
        kept = journal.read_game(1)
    assert (kept.language, kept.opening.mat_mm) == (Language.JA, (900.0, 600.0))
    assert house.moves() == 1, "the game is where it was"
    put(house, "game.hints", "false")
    assert house.app.session is not None
    assert not house.app.session.screens.hints


def test_what_holds_from_the_next_start_is_said_so(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    may(tmp_path, "all")
    house = begin()
    put(house, "camera.gain", "2.5")
    assert "once the table has been started again" in house.shown("/settings?set=camera.gain")[1]
    told = {one["key"]: one for one in house.json("/settings.json")["settings"]}
    assert (told["camera.gain"]["value"], told["camera.gain"]["at_once"]) == (2.5, False)
    assert told["language"]["at_once"]


@pytest.mark.few(2)
@pytest.mark.parametrize("typed", ["3000", "bright", "2020-01-01", "0x" + "f" * 9000, "[1, 2]", ""])
def test_what_can_not_be_is_said_beside_its_field(typed: str, tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        answer = client.post("/settings", data={"key": "display.brightness", "value": typed})
        assert answer.status_code == 400
        assert "display.brightness must be a whole number from 5 to 100" in answer.text
        assert "settings.toml" not in answer.text
        assert f'value="{typed}" aria-describedby="may-display.brightness fault" aria-invalid="true"' in answer.text


def test_a_table_says_the_same_and_does_nothing(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    house = begin()
    status, page = house.send("/settings", ("key", "display.brightness"), ("value", "2020-01-01"))
    assert status == 400
    assert "display.brightness must be a whole number from 5 to 100" in page
    assert load_settings(tmp_path).display.brightness == 100
