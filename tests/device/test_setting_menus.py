"""Settings on the display: each line says what holds, what is taken is kept in the file and done at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from device.hardware.backlight import Backlight, Dimmer, find_backlight
from device.hardware.buttons import Button
from device.hardware.display import Turned
from device.settings.settings_file import load_settings
from device.speech import Language
from tests.device.house import House
from ui.parts.panel import Panel as Glass
from ui.screen_state import CameraScreen, Mood, ScreenState


class Panel(House, Turned):
    """A display whose screens can be turned, with a light to set."""

    def __init__(self, state: Path, light: Path | None = None, **wishes: object) -> None:
        super().__init__(state, **wishes)
        self.turned: list[int] = []
        if light is not None:
            self.dimmer = Dimmer(Backlight(light).set_brightness)
        self.glass = Glass()

    def _put(self, surface: object) -> None: ...

    def turn(self, rotation: int) -> None:
        self.turned.append(rotation)

    def set_panel(self, panel: Glass) -> None:
        self.glass = panel

    def start(self) -> None:
        super().start()
        self.mood(Mood.MENU)
        self.choose("Settings")


def panel_light(folder: Path, most: int = 255) -> Path:
    (folder / "panel").mkdir(parents=True)
    (folder / "panel" / "max_brightness").write_text(f"{most}\n")
    (folder / "panel" / "brightness").write_text("7\n")
    return folder / "panel"


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Panel]]:
    with ExitStack() as houses:
        yield lambda **wishes: houses.enter_context(Panel(tmp_path, **wishes))  # type: ignore[arg-type]


def lines(house: House) -> tuple[str, ...]:
    return house.until(lambda screen: screen.headline == "Settings").choices


def test_what_holds_stands_in_the_lines(begin: Callable[..., Panel]) -> None:
    house = begin()
    assert lines(house) == (
        "Language: English",
        "Sound: on",
        "Hints in the help: off",
        "Teach us this game: off",
        "Colours: dark",
        "Screen turned by: 0°",
        "Small map turned by: 0°",
        "Mat: 1189 × 841 mm",
        "Markers: 50 mm",
    )
    house.press(Button.BACK)
    house.says("What would you like to do?")


def test_what_is_taken_is_kept_and_done_at_once(begin: Callable[..., Panel], tmp_path: Path) -> None:
    house = begin()
    house.choose("Sound")
    assert "Sound: off" in lines(house)
    assert not house.app._equipment.signals.sounds
    house.choose("Hints")
    assert "Hints in the help: on" in lines(house)
    house.choose("Screen turned")
    house.choose("180")
    assert "Screen turned by: 180°" in lines(house)
    assert house.turned == [180]
    house.choose("Colours")
    house.choose("light")
    assert "Colours: light" in lines(house)
    assert house.glass.light
    house.choose("Small map")
    house.choose("270")
    assert "Small map turned by: 270°" in lines(house)
    assert house.glass.map_turned == 3
    house.choose("Markers")
    house.choose("60")
    house.choose("Mat:")
    house.choose("900")
    assert "Mat: 900 × 600 mm" in lines(house)
    kept = load_settings(tmp_path)
    assert not kept.signals.sounds
    assert kept.game.hints
    assert kept.display.rotation == 180
    assert (kept.table.mat_mm, kept.table.marker_mm) == ((900.0, 600.0), 60.0)
    house.choose("Language")
    house.choose("日本語")
    house.until(lambda screen: screen.headline == "設定")
    assert load_settings(tmp_path).spoken is Language.JA


def test_the_language_of_the_first_menu_is_kept_too(begin: Callable[..., Panel], tmp_path: Path) -> None:
    house = begin()
    house.press(Button.BACK)
    house.choose("日本語")
    house.says("何をしますか")
    assert load_settings(tmp_path).spoken is Language.JA


def test_a_side_of_the_mat_is_changed_step_by_step(begin: Callable[..., Panel], tmp_path: Path) -> None:
    house = begin()
    house.choose("Mat:")
    house.choose("Wider")
    house.choose("-100")
    house.until(lambda screen: screen.headline == "Mat: 1089 × 841 mm")
    house.press(Button.CONFIRM)
    shown = house.until(lambda screen: screen.headline == "Mat: 989 × 841 mm")
    assert "-100" in shown.choices[shown.chosen], "the same step again is one press"
    assert load_settings(tmp_path).table.mat_mm == (989.0, 841.0)
    house.press(Button.BACK, Button.BACK)
    assert "Mat: 989 × 841 mm" in lines(house)


def test_the_camera_measures_the_mat_from_the_settings(begin: Callable[..., Panel]) -> None:
    house = begin()
    house.choose("Mat:")
    house.choose("Measure")
    house.until(lambda screen: isinstance(screen, CameraScreen))
    house.press(Button.BACK)
    house.says("What would you like to do?")


def test_a_file_that_can_not_be_changed_is_said(begin: Callable[..., Panel], tmp_path: Path) -> None:
    house = begin()
    (tmp_path / "settings.toml").write_text("language = 7\n")
    house.choose("Sound")
    house.until(lambda screen: screen.mood is Mood.NOTICE and "language" in screen.headline)
    house.press(Button.CONFIRM)
    house.says("What would you like to do?")
    assert (tmp_path / "settings.toml").read_text() == "language = 7\n"


def test_the_panels_light_is_set(begin: Callable[..., Panel], tmp_path: Path) -> None:
    light = panel_light(tmp_path / "lights")
    house = begin(light=light)

    def says(words: str) -> ScreenState:
        return house.until(lambda screen: any(words in line for line in screen.choices))

    house.choose("Brightness: 100 %")
    house.choose("40")
    says("Brightness: 40 %")
    assert int((light / "brightness").read_text()) == 102
    house.choose("Dim after: never")
    house.choose("5 minutes")
    says("Dim after: 5 minutes")
    assert load_settings(tmp_path).display.dim_after_min == 5


def test_a_panel_is_dimmed_while_nobody_plays_and_wakes(tmp_path: Path) -> None:
    light = panel_light(tmp_path, 1000)
    now = [0.0]
    dimmer = Dimmer(Backlight(light).set_brightness, 80, 2, lambda: now[0])

    def shines() -> int:
        return int((light / "brightness").read_text())

    assert shines() == 800
    now[0] = 119
    dimmer.tick()
    assert shines() == 800
    now[0] = 121
    dimmer.tick()
    assert shines() == 120
    dimmer.wake()
    assert shines() == 800
    dimmer.set(50, 0)
    now[0] = 10_000
    dimmer.tick()
    assert shines() == 500


def test_lights_are_found_where_there_are_any(tmp_path: Path) -> None:
    assert find_backlight(tmp_path / "none") is None
    (tmp_path / "a-broken-one").mkdir()
    assert find_backlight(tmp_path) is None
    light = panel_light(tmp_path)
    found = find_backlight(tmp_path)
    assert found is not None
    found.set_brightness(0.0)
    assert int((light / "brightness").read_text()) == 1, "something is always seen"
