"""Where screens go: a window, the whole of a screen, or a folder of PNG files where there is no display."""

from __future__ import annotations

import os
import platform
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pygame

from device.errors import DeviceError, reason_of
from rules.text import Text, verbatim
from ui.screen import REFERENCE, Panel, count_pages, draw
from ui.screen_state import ScreenState

_DARKEST = 0.08
"""No screen is drawn darker than this share."""
ROTATIONS = (0, 90, 180, 270)
USUAL_PANEL = Panel()


class Display(Protocol):
    """Something that shows screens; showing the same one again costs nothing."""

    def show(self, state: ScreenState) -> None:
        """Show this screen until the next one."""
        ...

    def close(self) -> None:
        """Let go of the device; closing twice does no harm."""
        ...


class Turned(ABC):
    """A display of ``_size`` px that can be turned and coloured otherwise; the next screen is then drawn anew."""

    _size: tuple[int, int]
    _rotation: int
    _panel: Panel
    _last: ScreenState | None = None
    _shade = 1.0

    @abstractmethod
    def _put(self, surface: pygame.Surface) -> None:
        """Put a screen that was drawn where it is seen."""

    def show(self, state: ScreenState) -> None:
        """Show this screen until the next one."""
        if state != self._last:
            surface = draw_screen(state, self._size, self._rotation, self._panel)
            if self._shade < 1:
                level = round(255 * max(_DARKEST, self._shade))
                surface.fill((level, level, level), special_flags=pygame.BLEND_MULT)
            self._put(surface)
            self._last = state

    def count_pages(self, state: ScreenState) -> int:
        """Count the pages that a screen has on it."""
        return count_pages(state, as_it_hangs(self._size, self._rotation), self._panel)

    def close(self) -> None:
        """Close the window, or give the screen back."""
        pygame.display.quit()

    def turn(self, rotation: int) -> None:
        """Turn screens clockwise by ``rotation`` degrees from now on."""
        self._rotation, self._last = rotation, None

    def set_panel(self, panel: Panel) -> None:
        """Give screens this panel's colours from now on, and turn the small map as it says."""
        self._panel, self._last = replace(panel, width_mm=self._panel.width_mm), None

    def set_brightness(self, share: float) -> None:
        """Draw as bright as that, from 0 to 1, the screen of this moment too."""
        last, self._shade, self._last = self._last, share, None
        if last is not None:
            self.show(last)


def has_display() -> bool:
    """Tell whether a window can be opened: in a desktop session, or with a video driver named on purpose."""
    driver = os.environ.get("SDL_VIDEODRIVER")
    if driver:
        return driver not in ("dummy", "offscreen")
    if platform.system() == "Linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def draw_screen(
    state: ScreenState, size: tuple[int, int], rotation: int = 0, panel: Panel = USUAL_PANEL
) -> pygame.Surface:
    """Draw the screen for a display of ``size`` px (width, height), mounted turned clockwise by ``rotation`` degrees.

    ``panel`` is what is known of it beside that, as it hangs.

    >>> from ui.screen_state import Language, Mood, NoticeScreen
    >>> draw_screen(NoticeScreen(Language.EN, Mood.NOTICE), (240, 320), 90).get_size()
    (240, 320)
    """
    if rotation not in ROTATIONS:
        raise ValueError(f"a screen is turned by 0, 90, 180 or 270 degrees, not {rotation}")
    surface = draw(state, as_it_hangs(size, rotation), panel).surface
    return pygame.transform.rotate(surface, -rotation) if rotation else surface


def as_it_hangs(size: tuple[int, int], rotation: int) -> tuple[int, int]:
    """Width and height of a display of ``size`` px that is mounted turned."""
    return size if rotation % 180 == 0 else (size[1], size[0])


def _no_window(cause: Text) -> DeviceError:
    return DeviceError("No window can be opened ({cause}); try --headless.", cause=cause)


def open_window(size: tuple[int, int], flags: int = 0) -> pygame.Surface:
    """Open a window of ``size`` px (width, height), with pygame's flags.

    Raises:
        DeviceError: none can be opened.
    """
    if not (has_display() or os.environ.get("SDL_VIDEODRIVER")):  # SDL would draw it where nobody looks
        raise _no_window(Text("there is no desktop"))
    try:
        pygame.display.init()
        window = pygame.display.set_mode(size, flags)
    except pygame.error as error:
        raise _no_window(verbatim(error)) from error
    pygame.display.set_caption("Sevenmat")
    return window


class WindowDisplay(Turned):
    """A window of the panel's size, enlarged by a whole factor so that it can be read on a desk.

    Screens are drawn at the window's own size, so that letters stay sharp.
    """

    def __init__(
        self, size: tuple[int, int] = REFERENCE, enlarge: int = 1, rotation: int = 0, panel: Panel = USUAL_PANEL
    ) -> None:
        # What stands on a desk shows the panel's screen enlarged: letters are as high as they would be on it.
        self._panel = replace(panel, width_mm=panel.width_of(as_it_hangs(size, rotation)))
        self._size, self._rotation = (size[0] * enlarge, size[1] * enlarge), rotation
        self._window = open_window(self._size)

    def _put(self, surface: pygame.Surface) -> None:
        self._window.blit(surface, (0, 0))
        pygame.display.flip()


class FullScreenDisplay(Turned):
    """The whole screen without a desktop, through KMSDRM; drawn at the screen's own size, or ``size`` in its middle."""

    def __init__(self, size: tuple[int, int] | None = None, rotation: int = 0, panel: Panel = USUAL_PANEL) -> None:
        self._rotation, self._panel = rotation, panel
        os.environ["SDL_VIDEODRIVER"] = "kmsdrm"
        # SDL's first choice, OpenGL, stays black where only OpenGL ES is there, and says nothing.
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "opengles2")
        try:
            pygame.display.init()
            self._screen = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        except pygame.error as error:
            raise DeviceError(_no_screen(error)) from error
        pygame.mouse.set_visible(False)
        whole = self._screen.get_size()
        self._size = whole if size is None else (min(size[0], whole[0]), min(size[1], whole[1]))

    def _put(self, surface: pygame.Surface) -> None:
        self._screen.blit(surface, surface.get_rect(center=self._screen.get_rect().center))
        pygame.display.flip()


class DummyDisplay(Turned):
    """Draws as a display of that size would and shows it to nobody; ``surface`` is the screen drawn last."""

    def __init__(self, size: tuple[int, int] = REFERENCE, rotation: int = 0, panel: Panel = USUAL_PANEL) -> None:
        self._size, self._rotation, self._panel = size, rotation, panel
        self.surface = pygame.Surface(size)
        self.count = 0
        """How many screens were drawn."""

    def _put(self, surface: pygame.Surface) -> None:
        self.surface = surface
        self.count += 1

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


class FolderDisplay:
    """Writes each screen as a numbered PNG file; screens of an earlier run in the same folder are replaced."""

    def __init__(self, folder: Path, size: tuple[int, int] = REFERENCE, panel: Panel = USUAL_PANEL) -> None:
        self._folder, self._size, self._panel = folder, size, panel
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
            pygame.image.save(draw(state, self._size, self._panel).surface, str(path))
        except (OSError, pygame.error) as error:
            raise _cannot_write(path, error) from error
        self._count += 1
        self._last = state

    def count_pages(self, state: ScreenState) -> int:
        """Count the pages that a screen has on it."""
        return count_pages(state, self._size, self._panel)

    @property
    def count(self) -> int:
        """How many screens were written."""
        return self._count

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


def pages_on(display: Display) -> Callable[[ScreenState], int]:
    """Return a function that counts a screen's pages for reading near by, beside the one that is read from afar."""
    return display.count_pages if isinstance(display, Turned | FolderDisplay) else count_pages


def _no_screen(error: pygame.error) -> Text:
    if "EGL" in str(error):
        return Text(
            "The screen can't be drawn on without a desktop ({error}): run 'sudo apt install libegl1 libgles2 "
            "libgl1-mesa-dri'.",
            error=error,
        )
    return Text(
        "The screen can't be used without a desktop ({error}): pygame must be Debian's ('sudo apt install "
        "python3-pygame', virtual environment with --system-site-packages), the user in the groups video, render and "
        "input, and no other program may have the screen.",
        error=error,
    )


def _cannot_write(path: Path, error: Exception) -> DeviceError:
    return DeviceError("Screens can't be written to {path}: {reason}.", path=path, reason=reason_of(error))
