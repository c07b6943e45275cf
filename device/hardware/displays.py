"""Which display is used: the one that is named, or the one that is found, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from device.errors import DeviceError
from device.hardware.display import ROTATIONS, USUAL_PANEL, Display, DummyDisplay, FullScreenDisplay, WindowDisplay
from device.hardware.framebuffer import Framebuffer, PanelDisplay, list_framebuffers
from rules.text import Text
from ui.screen import REFERENCE, Panel

DRIVERS = "auto, window, kmsdrm, fbtft, dummy"
SMALLEST, LARGEST = (320, 240), (1024, 600)
"""What the screens are laid out for, in px (width, height)."""
_EDID_LENGTH = 128
_LEAST_MM, _MOST_MM = 25, 1000
_ENLARGED_UP_TO = 480
"""Windows up to this width are shown at twice their size."""


class DisplayKind(Enum):
    """How screens reach the eye."""

    WINDOW = "window"
    KMSDRM = "kmsdrm"
    FBTFT = "fbtft"
    DUMMY = "dummy"


@dataclass(frozen=True, slots=True)
class DisplayChoice:
    """The display to use and why; ``size`` is None where the display's own is taken."""

    kind: DisplayKind
    size: tuple[int, int] | None
    rotation: int
    why: Text
    framebuffer: Framebuffer | None = None
    width_mm: float | None = None
    """The screen's width in mm before it is turned, where the screen itself says so."""
    connector: str = ""
    """What a screen without a desktop hangs on, such as HDMI-A-1."""

    @property
    def has_keys(self) -> bool:
        """Whether a keyboard can be read with it."""
        return self.kind in (DisplayKind.WINDOW, DisplayKind.KMSDRM)

    @property
    def panel(self) -> str:
        """The name of the small panel's driver; empty where there is none."""
        return self.framebuffer.driver if self.framebuffer else ""


def choose_display(
    driver: str,
    size: tuple[int, int] | None,
    rotation: int,
    environ: Mapping[str, str],
    sys_root: Path = Path("/sys"),
    dev_root: Path = Path("/dev"),
) -> DisplayChoice:
    """Choose the named display, or with ``auto`` the first of: desktop session, small panel, connected screen.

    ``size`` (width, height) of the panel as it hangs, None for its own; ``rotation`` clockwise. Nothing is opened.

    Raises:
        DeviceError: there is no such driver, size or rotation, or nothing was found.
    """
    _check(driver, size, rotation)
    named = Text("It was chosen by name: {source}.", source=driver)
    panel = next((one for one in list_framebuffers(sys_root, dev_root) if one.is_panel), None)
    if driver == "fbtft":
        if panel is None:
            raise DeviceError(
                "No small panel was found in /sys/class/graphics: load its overlay in /boot/firmware/config.txt."
            )
        return DisplayChoice(DisplayKind.FBTFT, panel.size, rotation, named, panel)
    if driver != "auto":
        hangs_on = _find_connector(sys_root) if driver == "kmsdrm" else ""
        return DisplayChoice(DisplayKind(driver), size, rotation, named, connector=hangs_on)
    session = environ.get("WAYLAND_DISPLAY") or environ.get("DISPLAY")
    sdl = environ.get("SDL_VIDEODRIVER", "")
    if sdl:
        kind = {"kmsdrm": DisplayKind.KMSDRM, "dummy": DisplayKind.DUMMY, "offscreen": DisplayKind.DUMMY}.get(
            sdl, DisplayKind.WINDOW
        )
        return DisplayChoice(kind, size, rotation, Text("SDL_VIDEODRIVER is {driver}.", driver=sdl))
    if session:
        why = Text("There is a desktop session ({session}).", session=session)
        return DisplayChoice(DisplayKind.WINDOW, size, rotation, why)
    if panel is not None:
        width, height = panel.size
        why = Text(
            "{device} is a small panel ({driver}, {width} × {height}).",
            device=panel.device,
            driver=panel.driver,
            width=width,
            height=height,
        )
        return DisplayChoice(DisplayKind.FBTFT, panel.size, rotation, why, panel)
    connector = _find_connector(sys_root)
    if connector:
        why = Text("There is no desktop session, and a screen on {connector}.", connector=connector)
        width_mm = _width_mm(sys_root, rotation)
        return DisplayChoice(DisplayKind.KMSDRM, size, rotation, why, width_mm=width_mm, connector=connector)
    raise DeviceError(
        "No display was found: connect one, or name it in the settings (window, kmsdrm, fbtft, or dummy for none)."
    )


def open_display(choice: DisplayChoice, panel: Panel = USUAL_PANEL) -> Display:
    """Open the chosen display; ``panel`` is what the settings say of it and overrides what it says of itself.

    Raises:
        DeviceError: it can't be.
    """
    if panel.width_mm is None:
        panel = replace(panel, width_mm=choice.width_mm)
    if choice.kind is DisplayKind.FBTFT:
        assert choice.framebuffer is not None, "a panel was chosen with its framebuffer"
        return PanelDisplay(choice.framebuffer, choice.rotation, panel)
    if choice.kind is DisplayKind.KMSDRM:
        return FullScreenDisplay(choice.size, choice.rotation, panel)
    size = choice.size or REFERENCE
    if choice.kind is DisplayKind.DUMMY:
        return DummyDisplay(size, choice.rotation, panel)
    return WindowDisplay(size, 2 if max(size) <= _ENLARGED_UP_TO else 1, choice.rotation, panel)


def _check(driver: str, size: tuple[int, int] | None, rotation: int) -> None:
    if driver not in DRIVERS.split(", "):
        raise DeviceError("There is no display {driver!r}; name one of {drivers}.", driver=driver, drivers=DRIVERS)
    if rotation not in ROTATIONS:
        raise DeviceError("A display is turned by 0, 90, 180 or 270 degrees, not {rotation}.", rotation=rotation)
    if size is not None and not (SMALLEST[0] <= max(size) <= LARGEST[0] and SMALLEST[1] <= min(size) <= LARGEST[1]):
        raise DeviceError(
            "A display has 320 × 240 to 1024 × 600 px, not {width} × {height}.", width=size[0], height=size[1]
        )


def _find_connector(sys_root: Path) -> str:
    """Return the name of a connector with a screen on it, such as HDMI-A-1; empty where there is none."""
    for status in sorted((sys_root / "class" / "drm").glob("card*-*/status")):
        try:
            if status.read_text(encoding="ascii").strip() == "connected":
                return status.parent.name.partition("-")[2]
        except OSError:
            continue  # unplugged while it was looked at
    return ""


def _width_mm(sys_root: Path, rotation: int) -> float | None:
    """How wide the connected screen is as it hangs, from its EDID; ``None`` where it does not say."""
    for status in sorted((sys_root / "class" / "drm").glob("card*-*/status")):
        try:
            if status.read_text(encoding="ascii").strip() == "connected":
                return _size_in(status.with_name("edid").read_bytes(), rotation)
        except OSError:
            continue
    return None


def _size_in(edid: bytes, rotation: int) -> float | None:
    """Width as it hangs, in mm, of the first timing that an EDID describes in detail."""
    if len(edid) < _EDID_LENGTH:
        return None
    width = edid[66] | (edid[68] >> 4) << 8
    height = edid[67] | (edid[68] & 15) << 8
    if not (_LEAST_MM <= width <= _MOST_MM and _LEAST_MM <= height <= _MOST_MM):
        return None  # many screens say 0, or 16 × 9
    return float(width if rotation % 180 == 0 else height)
