"""The demo's window: the table as the camera saw it last, beside the display."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pygame

from device.hardware.buttons import KeyboardButtons, Press
from device.hardware.camera import Picture
from device.hardware.display import USUAL_PANEL, Turned, open_window
from simulator.camera import SimulatedCamera

_WIDEST, _OF_DESKTOP = 1320, 0.96
"""How wide the window is at first: px, and of a desktop that has less. A laptop has 1366 × 768 px."""
_TABLE_SHARE = 0.64
"""The most of the width that the table takes, so that the display beside it can be read."""
_TABLE_ASPECT = 4 / 3
_GAP_PX = 8
_LEAST_PX = 160
_GROUND = (24, 24, 24)


class WatchedCamera(SimulatedCamera):
    """A camera whose full pictures are shown in a window as well, once that is there."""

    window: DemoWindow | None = None

    def take_picture(self) -> Picture:
        """Take the full picture, BGR."""
        seen = super().take_picture()
        if self.window is not None:
            self.window.seen = seen
        return seen


class DemoWindow(Turned):
    """A window that may be resized; both its parts are drawn anew at their own sizes, so that they stay sharp."""

    def __init__(self, size: tuple[int, int]) -> None:
        """Open it for a display of ``size`` px (width, height).

        Raises:
            DeviceError: no window can be opened.
        """
        self._display_size, self._rotation = size, 0
        self._panel = replace(USUAL_PANEL, width_mm=USUAL_PANEL.width_of(size))
        pygame.display.init()
        width = min(_WIDEST, round(_OF_DESKTOP * pygame.display.get_desktop_sizes()[0][0]))
        height = round((width - 3 * _GAP_PX) * _TABLE_SHARE / _TABLE_ASPECT) + 2 * _GAP_PX
        open_window((width, height), pygame.RESIZABLE)
        self._screen: pygame.Surface | None = None
        self._drawn_with: tuple[Picture | None, tuple[int, int]] | None = None
        self.seen: Picture | None = None
        """The camera's last full picture (h, w, 3), BGR; it is set from the camera's thread."""
        self.keyboard: KeyboardButtons = _Keys(self)

    @property
    def parts(self) -> tuple[pygame.Rect, pygame.Rect]:
        """Where the table and the display lie in the window, px."""
        width, height = (max(_LEAST_PX, side) for side in pygame.display.get_window_size())
        wide, high = width - 3 * _GAP_PX, height - 2 * _GAP_PX
        table = pygame.Rect(0, 0, *_fit_within(round(wide * _TABLE_SHARE), high, _TABLE_ASPECT))
        across, down = self._display_size
        display = pygame.Rect(0, 0, *_fit_within(wide - table.width, high, across / down))
        left = (width - table.width - _GAP_PX - display.width) // 2
        table.midleft = (left, height // 2)
        display.midleft = (table.right + _GAP_PX, height // 2)
        return table, display

    @property
    def _size(self) -> tuple[int, int]:  # type: ignore[override]
        return self.parts[1].size

    def _put(self, surface: pygame.Surface) -> None:
        self._screen, self._drawn_with = surface, None
        self.refresh()

    def refresh(self) -> None:
        """Draw what has changed: the screen, the table, the window's size."""
        if not pygame.display.get_init():
            return  # it is closed
        window, seen = pygame.display.get_surface(), self.seen
        table, display = self.parts
        if self._screen is not None and self._screen.get_size() != display.size and self._last is not None:
            last, self._last = self._last, None
            self.show(last)
        size = window.get_size()
        if self._drawn_with is not None and self._drawn_with[0] is seen and self._drawn_with[1] == size:
            return
        window.fill(_GROUND)
        if seen is not None:
            small = cv2.cvtColor(cv2.resize(seen, table.size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGB)
            window.blit(pygame.image.frombuffer(small.tobytes(), table.size, "RGB"), table)
        if self._screen is not None:
            window.blit(self._screen, display)
        pygame.display.flip()
        self._drawn_with = seen, size


class _Keys(KeyboardButtons):
    """The window's keyboard; whenever it is asked, the window shows what the camera has seen since."""

    def __init__(self, window: DemoWindow) -> None:
        super().__init__()
        self._window = window

    def take_presses(self) -> list[Press]:
        self._window.refresh()
        return super().take_presses()


def _fit_within(wide: int, high: int, aspect: float) -> tuple[int, int]:
    """Return the largest size of that aspect (width by height) in a box; px."""
    return min(wide, round(high * aspect)), min(high, round(wide / aspect))
