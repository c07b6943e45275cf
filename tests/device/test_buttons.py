"""The keyboard stands in for the four buttons."""

from __future__ import annotations

import pygame
import pytest

from device.hardware.buttons import Button, KeyboardButtons, Press


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def key(code: int, kind: int = pygame.KEYDOWN) -> pygame.event.Event:
    return pygame.event.Event(kind, key=code)


def typed(*codes: int) -> list[pygame.event.Event]:
    return [key(code, kind) for code in codes for kind in (pygame.KEYDOWN, pygame.KEYUP)]


@pytest.mark.parametrize(
    ("code", "button"),
    [
        (pygame.K_RETURN, Button.CONFIRM),
        (pygame.K_KP_ENTER, Button.CONFIRM),
        (pygame.K_SPACE, Button.CONFIRM),
        (pygame.K_ESCAPE, Button.BACK),
        (pygame.K_BACKSPACE, Button.BACK),
        (pygame.K_UP, Button.UP),
        (pygame.K_DOWN, Button.DOWN),
    ],
)
def test_each_key_is_its_button(code: int, button: Button) -> None:
    assert KeyboardButtons(clock=Clock()).read(typed(code)) == [Press(button)]


def test_other_keys_and_releases_alone_are_nothing() -> None:
    keyboard = KeyboardButtons()
    assert keyboard.read([*typed(pygame.K_a), key(pygame.K_RETURN, pygame.KEYUP)]) == []
    assert not keyboard.wants_to_quit
    assert keyboard.list_faults() == ()


def test_order_is_kept() -> None:
    presses = KeyboardButtons().read(typed(pygame.K_DOWN, pygame.K_DOWN, pygame.K_RETURN))
    assert [press.button for press in presses] == [Button.DOWN, Button.DOWN, Button.CONFIRM]


def test_a_held_key_is_one_long_press_as_soon_as_it_is_long() -> None:
    clock = Clock()
    keyboard = KeyboardButtons(long_press_s=0.8, clock=clock)
    assert keyboard.read([key(pygame.K_ESCAPE)]) == []
    clock.now = 0.7
    assert keyboard.read([]) == []
    clock.now = 0.9
    assert keyboard.read([]) == [Press(Button.BACK, long=True)]
    clock.now = 2.0
    assert keyboard.read([key(pygame.K_ESCAPE)]) == [], "the system repeats a held key"
    assert keyboard.read([key(pygame.K_ESCAPE, pygame.KEYUP)]) == []


def test_a_key_held_while_the_window_is_left_is_no_press() -> None:
    clock = Clock()
    keyboard = KeyboardButtons(clock=clock)
    keyboard.read([key(pygame.K_RETURN), pygame.event.Event(pygame.WINDOWFOCUSLOST)])
    clock.now = 5.0
    assert keyboard.read([]) == []


def test_the_close_box_is_remembered() -> None:
    keyboard = KeyboardButtons()
    assert keyboard.read([pygame.event.Event(pygame.QUIT)]) == []
    assert keyboard.wants_to_quit
    keyboard.close()
    keyboard.close()


def test_without_a_window_no_key_is_pressed() -> None:
    pygame.display.quit()
    assert KeyboardButtons().take_presses() == []
