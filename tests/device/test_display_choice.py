"""Which display is chosen and why, and small panels to whose framebuffer screens are copied."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest

from device.errors import DeviceError
from device.hardware.display import DummyDisplay, FullScreenDisplay, WindowDisplay, draw_screen
from device.hardware.displays import DisplayKind, choose_display, open_display
from device.hardware.framebuffer import Framebuffer, PanelDisplay, list_framebuffers, to_rgb565
from rules.text import Language
from tests.ui.states import states
from tools.deb.contents import DEPENDS
from ui.screen import Panel

WAITING, REFUSED = states(Language.EN)["waiting"], states(Language.EN)["refused"]


class Machine:
    """What ``/sys`` and ``/dev`` say of a machine's displays."""

    def __init__(self, root: Path) -> None:
        self.sys_root, self.dev_root = root / "sys", root / "dev"
        (self.dev_root).mkdir()

    def framebuffer(self, number: int, name: str, size: tuple[int, int], bits: int = 16, padding: int = 0) -> Path:
        node = self.sys_root / "class" / "graphics" / f"fb{number}"
        node.mkdir(parents=True)
        (node / "name").write_text(name + "\n")
        (node / "virtual_size").write_text(f"{size[0]},{size[1]}\n")
        (node / "bits_per_pixel").write_text(f"{bits}\n")
        stride = size[0] * bits // 8 + padding
        (node / "stride").write_text(f"{stride}\n")
        device = self.dev_root / f"fb{number}"
        device.write_bytes(bytes(stride * size[1]))
        return device

    def screen(self, connector: str, status: str = "connected") -> None:
        node = self.sys_root / "class" / "drm" / f"card1-{connector}"
        node.mkdir(parents=True)
        (node / "status").write_text(status + "\n")

    def choose(self, driver: str = "auto", **environ: str) -> tuple[DisplayKind, str]:
        choice = choose_display(driver, None, 0, environ, self.sys_root, self.dev_root)
        assert choice.why.said(Language.JA)
        return choice.kind, str(choice.why)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_desktop_session_gets_a_window(machine: Machine) -> None:
    machine.framebuffer(1, "fb_ili9341", (320, 240))
    machine.screen("HDMI-A-1")
    assert machine.choose(WAYLAND_DISPLAY="wayland-1") == (
        DisplayKind.WINDOW,
        "There is a desktop session (wayland-1).",
    )
    assert machine.choose(DISPLAY=":0")[0] is DisplayKind.WINDOW


@pytest.mark.parametrize("name", ["fb_ili9341", "fb_st7789v", "panel-mipi-dbid", "ili9486drmfb", "st7789vdrmfb"])
def test_a_small_panel_comes_before_a_screen(machine: Machine, name: str) -> None:
    machine.framebuffer(0, "vc4drmfb", (1920, 1080))
    device = machine.framebuffer(1, name, (320, 240))
    machine.screen("HDMI-A-1")
    kind, reason = machine.choose()
    assert kind is DisplayKind.FBTFT
    assert str(device) in reason
    assert name in reason


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["vc4drmfb", "BCM2708 FB", "simple", "simpledrmdrmfb", "EFI VGA"])
def test_a_screens_framebuffer_is_no_panel(machine: Machine, name: str) -> None:
    machine.framebuffer(0, name, (1920, 1080), bits=32)
    machine.screen("HDMI-A-1", "disconnected")
    machine.screen("HDMI-A-2")
    assert machine.choose() == (DisplayKind.KMSDRM, "There is no desktop session, and a screen on HDMI-A-2.")


def test_a_driver_named_to_sdl_is_heeded(machine: Machine) -> None:
    machine.framebuffer(1, "fb_ili9341", (320, 240))
    assert machine.choose(SDL_VIDEODRIVER="dummy") == (DisplayKind.DUMMY, "SDL_VIDEODRIVER is dummy.")
    assert machine.choose(SDL_VIDEODRIVER="kmsdrm")[0] is DisplayKind.KMSDRM
    assert machine.choose(SDL_VIDEODRIVER="x11")[0] is DisplayKind.WINDOW


def test_no_display_is_no_silent_dummy(machine: Machine) -> None:
    machine.screen("HDMI-A-1", "disconnected")
    with pytest.raises(DeviceError, match="No display was found"):
        machine.choose()


def test_a_named_driver_is_taken(machine: Machine) -> None:
    machine.framebuffer(1, "fb_ili9341", (320, 240))
    for driver in ("window", "kmsdrm", "dummy", "fbtft"):
        assert machine.choose(driver, DISPLAY=":0") == (
            DisplayKind(driver),
            f"It was chosen by name: {driver}.",
        )


def test_a_named_panel_must_be_there(machine: Machine) -> None:
    machine.framebuffer(0, "vc4drmfb", (1920, 1080))
    with pytest.raises(DeviceError, match="No small panel"):
        machine.choose("fbtft")


@pytest.mark.parametrize(
    ("driver", "size", "rotation", "message"),
    [
        ("x11", None, 0, "no display 'x11'"),
        ("window", (200, 100), 0, "320 × 240 to 1024 × 600"),
        ("window", (1920, 1080), 0, "not 1920 × 1080"),
        ("window", None, 45, "not 45"),
    ],
)
def test_a_display_that_can_not_be(
    machine: Machine, driver: str, size: tuple[int, int] | None, rotation: int, message: str
) -> None:
    with pytest.raises(DeviceError, match=message):
        choose_display(driver, size, rotation, {}, machine.sys_root, machine.dev_root)


def test_keys_and_panel_are_told_to_the_buttons(machine: Machine) -> None:
    machine.framebuffer(1, "fb_ili9341", (320, 240))
    panel = choose_display("auto", None, 0, {}, machine.sys_root, machine.dev_root)
    assert (panel.has_keys, panel.panel, panel.size) == (False, "fb_ili9341", (320, 240))
    window = choose_display("window", (240, 320), 90, {}, machine.sys_root, machine.dev_root)
    assert (window.has_keys, window.panel, window.rotation) == (True, "", 90)


def test_framebuffers_go_by_number_and_half_described_ones_are_left_out(machine: Machine) -> None:
    for number in (10, 2):
        machine.framebuffer(number, "fb_ili9341", (320, 240))
    (machine.sys_root / "class" / "graphics" / "fb3").mkdir()
    assert [one.device.name for one in list_framebuffers(machine.sys_root, machine.dev_root)] == ["fb2", "fb10"]


# Panels


def pixels(device: Path, size: tuple[int, int], stride: int, bits: int) -> np.ndarray:
    """Return what a panel shows, (height, width, 3) as red, green, blue."""
    rows = np.frombuffer(device.read_bytes(), np.uint8).reshape(size[1], stride)[:, : bits // 8 * size[0]]
    if bits == 32:
        return rows.reshape(size[1], size[0], 4)[..., 2::-1].astype(int)
    packed = np.ascontiguousarray(rows).view("<u2").astype(int)
    return np.dstack([(packed >> 11) << 3, ((packed >> 5) & 63) << 2, (packed & 31) << 3])


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("size", "bits", "padding"),
    [((320, 240), 16, 0), ((320, 240), 32, 0), ((480, 320), 16, 24), ((480, 320), 32, 24), ((1024, 600), 16, 0)],
)
def test_a_panel_shows_what_is_drawn(machine: Machine, size: tuple[int, int], bits: int, padding: int) -> None:
    device = machine.framebuffer(1, "fb_ili9486", size, bits, padding)
    panel = open_display(choose_display("auto", None, 0, {}, machine.sys_root, machine.dev_root))
    panel.show(REFUSED)
    stride = bits // 8 * size[0] + padding
    shown = pixels(device, size, stride, bits)
    wanted = pygame.surfarray.array3d(draw_screen(REFUSED, size)).transpose(1, 0, 2).astype(int)
    assert np.abs(shown - wanted).max() <= (7 if bits == 16 else 0), "no more than the bits that 16-bit colours lack"
    panel.show(WAITING)
    panel.show(REFUSED)
    assert device.stat().st_size == stride * size[1]
    assert (pixels(device, size, stride, bits) == shown).all(), "each screen begins at the top"
    panel.close()
    panel.close()


def test_a_panel_is_only_written_to_where_the_screen_changed(machine: Machine) -> None:
    device = machine.framebuffer(1, "fb_ili9341", (320, 240))
    panel = open_display(choose_display("auto", None, 0, {}, machine.sys_root, machine.dev_root))
    panel.show(WAITING)
    device.write_bytes(bytes(320 * 240 * 2))
    panel.show(replace(WAITING))
    assert not any(device.read_bytes()), "an equal screen is not copied again"
    panel.show(REFUSED)
    assert any(device.read_bytes())


def test_a_panel_of_another_depth_is_refused_with_the_way_out(machine: Machine) -> None:
    machine.framebuffer(1, "fb_ili9341", (320, 240), bits=24)
    with pytest.raises(DeviceError, match=r"24 bits a pixel.*config\.txt"):
        open_display(choose_display("auto", None, 0, {}, machine.sys_root, machine.dev_root))


def test_a_panel_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="group video"):
        PanelDisplay(Framebuffer(tmp_path / "fb1", "fb_ili9341", (320, 240), 16, 640))


def test_full_device_is_one_sentence() -> None:
    panel = PanelDisplay(Framebuffer(Path("/dev/full"), "fb_ili9341", (320, 240), 16, 640))
    with pytest.raises(DeviceError, match="can't be written to"):
        panel.show(WAITING)


def test_sixteen_bits() -> None:
    surface = pygame.Surface((2, 1))
    surface.set_at((0, 0), (255, 255, 255))
    surface.set_at((1, 0), (8, 4, 8))
    assert to_rgb565(surface, 4).view("<u2").tolist() == [[0xFFFF, 0x0821]]


# Turning, and drawing only what changed


@pytest.mark.parametrize(("rotation", "top_left"), [(0, (0, 0)), (90, (319, 0)), (180, (319, 479)), (270, (0, 479))])
def test_screens_are_turned_clockwise(rotation: int, top_left: tuple[int, int]) -> None:
    panel = (320, 480)
    turned = draw_screen(REFUSED, panel, rotation)
    assert turned.get_size() == panel
    upright = draw_screen(REFUSED, panel if rotation % 180 == 0 else panel[::-1])
    assert turned.get_at(top_left) == upright.get_at((0, 0))
    assert pygame.image.tobytes(pygame.transform.rotate(turned, rotation), "RGB") == pygame.image.tobytes(
        upright, "RGB"
    )


def test_no_other_rotation() -> None:
    with pytest.raises(ValueError, match="45"):
        draw_screen(WAITING, (320, 240), 45)


@pytest.fixture
def dummy_video(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


@pytest.mark.usefixtures("dummy_video")
def test_a_window_draws_only_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    flips: list[int] = []
    window = open_display(choose_display("window", (320, 240), 180, {}))
    assert isinstance(window, WindowDisplay)
    monkeypatch.setattr(pygame.display, "flip", lambda: flips.append(1))
    for state in (WAITING, replace(WAITING), REFUSED, REFUSED):
        window.show(state)
    assert len(flips) == 2
    surface = pygame.display.get_surface()
    assert surface is not None
    assert surface.get_size() == (640, 480)
    assert surface.get_at((320, 476)).r > 140, "the band is at the bottom of a panel that hangs upside down"
    window.close()


def test_a_dummy_draws_and_shows_nobody() -> None:
    dummy = open_display(choose_display("dummy", (1024, 600), 0, {}))
    assert isinstance(dummy, DummyDisplay)
    for state in (WAITING, WAITING, REFUSED):
        dummy.show(state)
    assert dummy.count == 2
    assert dummy.surface.get_size() == (1024, 600)
    dummy.close()
    dummy.close()


@pytest.fixture
def screen_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, int], None]]:
    """Make a console's screen of a given size, as SDL's dummy driver plays it."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.quit()
    init, set_mode = pygame.display.init, pygame.display.set_mode

    def console(width: int, height: int) -> None:
        def start() -> None:
            monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
            init()

        def whole(size: tuple[int, int], flags: int) -> pygame.Surface:
            assert (size, flags) == ((0, 0), pygame.FULLSCREEN)
            return set_mode((width, height))

        monkeypatch.setattr(pygame.display, "init", start)
        monkeypatch.setattr(pygame.display, "set_mode", whole)

    yield console
    monkeypatch.undo()
    pygame.display.quit()


def test_a_console_is_drawn_on_whole_or_in_its_middle(screen_of: Callable[[int, int], None]) -> None:
    screen_of(800, 480)
    for size, band in ((None, (400, 4)), ((480, 320), (400, 84))):
        display = FullScreenDisplay(size)
        display.show(REFUSED)
        surface = pygame.display.get_surface()
        assert surface is not None
        assert surface.get_at(band).r > 140
        assert surface.get_at((2, 2)).r > 140 if size is None else surface.get_at((2, 2))[:3] == (0, 0, 0)
        display.close()
        display.close()


def test_without_kmsdrm_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "")

    def refuse() -> None:
        raise pygame.error("kmsdrm not available")

    monkeypatch.setattr(pygame.display, "init", refuse)
    with pytest.raises(DeviceError, match="apt install python3-pygame"):
        FullScreenDisplay()


def test_a_screen_that_lacks_egl_names_the_packages_that_the_package_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "")

    def refuse() -> None:
        raise pygame.error("EGL not initialized")

    monkeypatch.setattr(pygame.display, "init", refuse)
    with pytest.raises(DeviceError, match="apt install libegl1") as raised:
        FullScreenDisplay()
    for words in (str(raised.value), raised.value.text.said(Language.JA)):
        named = words.partition("apt install ")[2].partition("'" if "'" in words else "」")[0].split()
        assert set(named) <= set(DEPENDS)


def test_a_whole_screen_is_drawn_with_open_gl_es_unless_another_renderer_is_named(
    screen_of: Callable[[int, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen_of(800, 480)
    for named, taken in (("", "opengles2"), ("software", "software")):
        monkeypatch.setenv("SDL_FRAMEBUFFER_ACCELERATION", named)
        if not named:
            monkeypatch.delenv("SDL_FRAMEBUFFER_ACCELERATION")
        FullScreenDisplay().close()
        assert os.environ["SDL_FRAMEBUFFER_ACCELERATION"] == taken


def edid(width_mm: int, height_mm: int) -> bytes:
    """Return what a screen says of itself, with the size of its first detailed timing."""
    data = bytearray(128)
    data[66], data[67] = width_mm & 255, height_mm & 255
    data[68] = (width_mm >> 8) << 4 | height_mm >> 8
    return bytes(data)


@pytest.mark.parametrize(
    ("said", "rotation", "width"),
    [
        (edid(154, 86), 0, 154),
        (edid(154, 86), 90, 86),
        (edid(345, 194), 180, 345),
        (edid(0, 0), 0, None),
        (b"", 0, None),
    ],
)
def test_a_screen_says_how_wide_it_is(machine: Machine, said: bytes, rotation: int, width: float | None) -> None:
    folder = machine.sys_root / "class" / "drm" / "card1-HDMI-A-1"
    folder.mkdir(parents=True)
    (folder / "status").write_text("connected\n", encoding="ascii")
    (folder / "edid").write_bytes(said)
    choice = choose_display("auto", None, rotation, {}, machine.sys_root, machine.dev_root)
    assert choice.kind is DisplayKind.KMSDRM
    assert choice.width_mm == width


def test_settings_go_before_what_a_screen_says() -> None:
    choice = replace(choose_display("dummy", (480, 320), 0, {}), width_mm=64.0)
    said, set_by_hand = open_display(choice), open_display(choice, Panel(160.0, light=True))
    assert isinstance(said, DummyDisplay)
    assert isinstance(set_by_hand, DummyDisplay)
    assert set_by_hand.count_pages(REFUSED) <= said.count_pages(REFUSED)
    for display in (said, set_by_hand):
        display.show(WAITING)
    assert sum(set_by_hand.surface.get_at((240, 250))[:3]) > 600 > sum(said.surface.get_at((240, 250))[:3])
