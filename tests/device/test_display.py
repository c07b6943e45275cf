"""Displays: a window shows what is drawn, a folder keeps every screen once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from device.errors import DeviceError
from device.hardware import display
from device.hardware.display import DummyDisplay, FolderDisplay, WindowDisplay, has_display
from rules.text import Language
from tests.ui.states import states
from ui.parts.panel import Panel as Glass


@pytest.fixture
def dummy_video(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


@pytest.mark.usefixtures("dummy_video")
def test_a_window_shows_the_screen_and_closes_twice() -> None:
    window = WindowDisplay((480, 320), enlarge=2)
    window.show(states(Language.EN)["refused"])
    surface = pygame.display.get_surface()
    assert surface is not None
    assert surface.get_size() == (960, 640)
    band = surface.get_at((480, 4))
    assert band.r > band.g + 60, "refused is red"
    window.close()
    window.close()


def test_no_window_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(DeviceError, match="--headless"):
        WindowDisplay()


def test_without_a_desktop_there_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL itself would draw one where nobody looks."""
    monkeypatch.setattr(display.platform, "system", lambda: "Linux")
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(DeviceError, match="No window can be opened \\(there is no desktop\\)") as caught:
        WindowDisplay()
    assert "デスクトップがありません" in caught.value.text.said(Language.JA)


def test_headless_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert not has_display()
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if os.uname().sysname == "Linux":
        assert not has_display()
        monkeypatch.setenv("DISPLAY", ":0")
    assert has_display()


def test_a_folder_keeps_each_screen_once_and_drops_those_of_an_earlier_run(tmp_path: Path) -> None:
    (tmp_path / "0007-waiting.png").write_bytes(b"old")
    (tmp_path / "notes.txt").write_text("mine")
    folder = FolderDisplay(tmp_path, (320, 240))
    waiting, refused = states(Language.JA)["waiting"], states(Language.JA)["refused"]
    for state in (waiting, replace(waiting), refused, waiting):
        folder.show(state)
    names = ["0000-waiting.png", "0001-refused.png", "0002-waiting.png", "notes.txt"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert folder.count == 3
    assert pygame.image.load(tmp_path / "0001-refused.png").get_size() == (320, 240)


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DeviceError, match="can't be written"):
        FolderDisplay(tmp_path / "file" / "screens")


def test_a_display_is_turned_and_coloured_otherwise_while_it_is_used() -> None:
    display = DummyDisplay((480, 320))
    state = states(Language.EN)["refused"]
    display.show(state)
    dark = pygame.image.tobytes(display.surface, "RGB")
    display.show(state)
    assert display.count == 1
    display.turn(180)
    display.show(state)
    turned = pygame.image.tobytes(pygame.transform.rotate(display.surface, 180), "RGB")
    assert (display.count, turned) == (2, dark)
    display.turn(0)
    display.set_panel(Glass(light=True))
    display.show(state)
    assert display.count == 3
    light = display.surface.get_at((4, 280)).r
    assert light > 200, "a light ground"
    fault = states(Language.EN)["fault"]
    display.show(fault)
    before = pygame.image.tobytes(display.surface, "RGB")
    display.set_panel(Glass(light=True, map_turned=2))
    display.show(fault)
    assert pygame.image.tobytes(display.surface, "RGB") != before, "the small map is turned"
    display.set_brightness(0.5)
    assert display.count == 6, "the screen that is shown is drawn again"
    assert display.surface.get_at((4, 280)).r == pytest.approx(light / 2, abs=3)
    display.set_brightness(0.0)
    assert display.surface.get_at((4, 280)).r > 0, "something is always seen"
