"""Where screens go: a window, or a folder of PNG files where there is no display."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Protocol

import pygame

from device.errors import DeviceError
from ui.screen import REFERENCE, draw
from ui.screen_state import ScreenState


class Display(Protocol):
    """Something that shows screens."""

    def show(self, state: ScreenState) -> None:
        """Show this screen until the next one."""
        ...

    def close(self) -> None:
        """Let go of the device; closing twice does no harm."""
        ...


def has_display() -> bool:
    """True where a window can be opened: a desktop session, or a video driver named on purpose."""
    driver = os.environ.get("SDL_VIDEODRIVER")
    if driver:
        return driver not in ("dummy", "offscreen")
    if platform.system() == "Linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


class WindowDisplay:
    """A window of the panel's size, enlarged by a whole factor so that it can be read on a desk."""

    def __init__(self, size: tuple[int, int] = REFERENCE, enlarge: int = 1) -> None:
        self._size, self._enlarge = size, enlarge
        try:
            pygame.display.init()
            self._window = pygame.display.set_mode((size[0] * enlarge, size[1] * enlarge))
        except pygame.error as error:
            raise DeviceError(
                f"No window can be opened ({error}); try --headless.",
                f"ウィンドウを開けません（{error}）。--headless を試してください。",
            ) from error
        pygame.display.set_caption("Sevenmat")

    def show(self, state: ScreenState) -> None:
        """Draw the screen into the window; drawn anew at the window's own size, so that letters stay sharp."""
        size = (self._size[0] * self._enlarge, self._size[1] * self._enlarge)
        self._window.blit(draw(state, size).surface, (0, 0))
        pygame.display.flip()

    def close(self) -> None:
        """Close the window."""
        pygame.display.quit()


class FolderDisplay:
    """Writes each screen as a numbered PNG file; screens of an earlier run in the same folder are replaced."""

    def __init__(self, folder: Path, size: tuple[int, int] = REFERENCE) -> None:
        self._folder, self._size = folder, size
        self._count = 0
        self._last: ScreenState | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for old in folder.glob("[0-9][0-9][0-9][0-9]-*.png"):
                old.unlink()
        except OSError as error:
            raise _cannot_write(folder, error) from error

    def show(self, state: ScreenState) -> None:
        """Write the screen, unless it is the one shown last."""
        if state == self._last:
            return
        path = self._folder / f"{self._count:04d}-{state.mood.value}.png"
        try:
            pygame.image.save(draw(state, self._size).surface, str(path))
        except (OSError, pygame.error) as error:
            raise _cannot_write(path, error) from error
        self._count += 1
        self._last = state

    @property
    def count(self) -> int:
        """How many screens were written."""
        return self._count

    def close(self) -> None:
        """Nothing to let go of."""


def _cannot_write(path: Path, error: Exception) -> DeviceError:
    reason = getattr(error, "strerror", None) or str(error)
    return DeviceError(f"Screens can't be written to {path}: {reason}.", f"{path}に画面を書き込めません（{reason}）。")
