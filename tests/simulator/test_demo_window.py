"""The demo's window: the table beside the display, both whole, at any size of the window."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pygame
import pytest

from rules.text import Language
from simulator.demo import DEFAULT_SEED, Demo, Shown
from simulator.window import DemoWindow
from tests.simulator.test_demo import TINY, perfect
from tests.ui.states import states
from ui.screen import draw
from ui.screen_state import Mood, ScreenState

LAPTOP = (1366, 768)


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [LAPTOP])
    yield
    pygame.display.quit()


def pixels(box: pygame.Rect) -> np.ndarray:
    """Return what the window shows in a box, (h, w, 3) RGB."""
    part = pygame.display.get_surface().subsurface(box)
    return pygame.surfarray.array3d(part).swapaxes(0, 1).astype(int)


@pytest.mark.few(4)
@pytest.mark.usefixtures("desktop")
@pytest.mark.parametrize("display", [(320, 240), (480, 320), (1024, 600)])
@pytest.mark.parametrize("window", [None, (700, 900), (2200, 500), (1900, 1000)])
def test_table_and_display_lie_side_by_side(display: tuple[int, int], window: tuple[int, int] | None) -> None:
    shown = DemoWindow(display)
    width, height = pygame.display.get_window_size()
    assert width <= LAPTOP[0]
    assert height <= LAPTOP[1] - 80, "title bar and task bar find room"
    state = states(Language.EN)["refused"]
    shown.show(state)
    if window is not None:
        pygame.display.set_mode(window, pygame.RESIZABLE)
    shown.seen = np.full((2100, 2800, 3), (10, 200, 60), np.uint8)
    shown.keyboard.take_presses()
    table, screen = shown.parts
    whole = pygame.display.get_surface().get_rect()
    assert whole.contains(table)
    assert whole.contains(screen)
    assert table.right < screen.left
    assert table.w / table.h == pytest.approx(4 / 3, rel=0.02)
    assert screen.w / screen.h == pytest.approx(display[0] / display[1], rel=0.02)
    assert max(table.w, screen.w) > whole.w / 4
    assert (pixels(table) == (60, 200, 10)).all()
    surface = draw(state, screen.size, shown._panel).surface
    assert (pixels(screen) == pygame.surfarray.array3d(surface).swapaxes(0, 1)).all(), "drawn at its own size"


@pytest.mark.slow  # test_table_and_display_lie_side_by_side
@pytest.mark.usefixtures("desktop")
def test_what_the_camera_saw_is_shown_until_the_window_is_closed() -> None:
    shown = DemoWindow((480, 320))
    kept = []

    class Looker(Shown):
        def show(self, state: ScreenState) -> None:
            super().show(state)
            if state.mood is Mood.ACCEPTED:
                kept.append((shown.seen, pixels(shown.parts[0])))
                pygame.event.post(pygame.event.Event(pygame.QUIT))

    with pytest.raises(KeyboardInterrupt):
        Demo(DEFAULT_SEED, Looker([shown], shown), Language.EN, lens=TINY, open_look=perfect()).run()
    ((seen, table),) = kept
    assert seen.std() > 20, "a table with cards"
    small = cv2.resize(seen, table.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert (table == small[..., ::-1]).all()
    assert not pygame.display.get_init()
    assert shown.keyboard.take_presses() == []
