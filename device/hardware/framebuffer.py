"""Small panels on SPI: their drivers (fbtft, and the kernel's small DRM ones) show what is written to ``/dev/fbN``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pygame

from device.errors import DeviceError, reason_of
from device.hardware.display import USUAL_PANEL, Turned
from ui.screen import Panel

_PANEL_DRIVERS = re.compile(r"fb_|.*(ili9|st77|hx83|mi0283|mipi-dbi|ssd13|s6d02)", re.IGNORECASE)
"""Names of drivers of small panels, against those of a Pi's HDMI output."""


@dataclass(frozen=True, slots=True)
class Framebuffer:
    """A framebuffer as the kernel describes it: its device, driver, (width, height) in px, and bytes a row."""

    device: Path
    driver: str
    size: tuple[int, int]
    bits: int
    stride: int

    @property
    def is_panel(self) -> bool:
        """Whether this is a small panel, to which screens are copied."""
        return bool(_PANEL_DRIVERS.match(self.driver))


def list_framebuffers(sys_root: Path = Path("/sys"), dev_root: Path = Path("/dev")) -> tuple[Framebuffer, ...]:
    """List the kernel's framebuffers by number."""
    found = []
    for node in (sys_root / "class" / "graphics").glob("fb[0-9]*"):
        try:
            width, _, height = (node / "virtual_size").read_text(encoding="ascii").strip().partition(",")
            bits = int((node / "bits_per_pixel").read_text(encoding="ascii"))
            stride = int((node / "stride").read_text(encoding="ascii"))
            driver = (node / "name").read_text(encoding="utf-8", errors="replace").strip()
            found.append(Framebuffer(dev_root / node.name, driver, (int(width), int(height)), bits, stride))
        except (OSError, ValueError):
            continue  # a driver that doesn't describe itself can't be written to
    return tuple(sorted(found, key=lambda one: int(one.device.name.removeprefix("fb"))))


def to_rgb565(surface: pygame.Surface, stride: int) -> npt.NDArray[np.uint8]:
    """Convert a surface to 16-bit (height, stride) bytes: 5 bits red, 6 green, 5 blue, low byte first.

    >>> red = pygame.Surface((1, 1))
    >>> _ = red.fill((255, 0, 0))
    >>> to_rgb565(red, 4).tolist()
    [[0, 248, 0, 0]]
    """
    red, green, blue = _split_planes(surface)
    return _in_rows((red >> 3 << 11 | green >> 2 << 5 | blue >> 3).astype("<u2"), stride)


def to_xrgb8888(surface: pygame.Surface, stride: int) -> npt.NDArray[np.uint8]:
    """Convert a surface to 32-bit (height, stride) bytes: blue, green, red and an unused one.

    >>> red = pygame.Surface((1, 1))
    >>> _ = red.fill((255, 0, 0))
    >>> to_xrgb8888(red, 4).tolist()
    [[0, 0, 255, 0]]
    """
    red, green, blue = _split_planes(surface)
    return _in_rows((red << 16 | green << 8 | blue).astype("<u4"), stride)


def _split_planes(surface: pygame.Surface) -> npt.NDArray[np.uint32]:
    """Red, green and blue, each (height, width)."""
    return np.asarray(pygame.surfarray.pixels3d(surface).transpose(2, 1, 0), np.uint32)


def _in_rows(packed: npt.NDArray[np.uint16] | npt.NDArray[np.uint32], stride: int) -> npt.NDArray[np.uint8]:
    data = np.ascontiguousarray(packed).view(np.uint8)
    return np.pad(data, ((0, 0), (0, stride - data.shape[1])))


_PACKED = {16: to_rgb565, 32: to_xrgb8888}


class PanelDisplay(Turned):
    """A small panel: screens are drawn in memory and copied to its framebuffer.

    Raises:
        DeviceError: the panel has neither 16 nor 32 bits a px, or it can't be written to; also from ``show``.
    """

    def __init__(self, framebuffer: Framebuffer, rotation: int = 0, panel: Panel = USUAL_PANEL) -> None:
        self._framebuffer, self._rotation, self._panel = framebuffer, rotation, panel
        self._size = framebuffer.size
        if framebuffer.bits not in _PACKED or framebuffer.stride * 8 < framebuffer.bits * framebuffer.size[0]:
            raise DeviceError(
                "{device} has {bits} bits a pixel, but screens are copied with 16 or 32: set the panel's "
                "depth to 16 in /boot/firmware/config.txt.",
                device=framebuffer.device,
                bits=framebuffer.bits,
            )
        try:
            self._file = framebuffer.device.open("r+b", buffering=0)
        except OSError as error:
            raise self._explain_broken(error) from error

    def _put(self, surface: pygame.Surface) -> None:
        rows = _PACKED[self._framebuffer.bits](surface, self._framebuffer.stride)
        try:
            self._file.seek(0)
            self._file.write(rows.data)
        except OSError as error:
            raise self._explain_broken(error) from error

    def close(self) -> None:
        """Let go of the panel, which keeps its last screen; closing twice does no harm."""
        self._file.close()

    def _explain_broken(self, error: OSError) -> DeviceError:
        device, reason = self._framebuffer.device, reason_of(error)
        return DeviceError(
            "The panel {device} can't be written to ({reason}): the user must be in the group video.",
            device=device,
            reason=reason,
        )
