"""The keyboard stands in for the four buttons."""

from __future__ import annotations

import pygame
import pytest

from device.buttons import Button, KeyboardButtons


def key(code: int, kind: int = pygame.KEYDOWN) -> pygame.event.Event:
    return pygame.event.Event(kind, key=code)


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
    assert KeyboardButtons().read([key(code)]) == [button]


def test_other_keys_and_releases_are_nothing() -> None:
    keyboard = KeyboardButtons()
    assert keyboard.read([key(pygame.K_a), key(pygame.K_RETURN, pygame.KEYUP)]) == []
    assert not keyboard.wants_to_quit


def test_order_is_kept() -> None:
    presses = KeyboardButtons().read([key(pygame.K_DOWN), key(pygame.K_DOWN), key(pygame.K_RETURN)])
    assert presses == [Button.DOWN, Button.DOWN, Button.CONFIRM]


def test_the_close_box_is_remembered() -> None:
    keyboard = KeyboardButtons()
    assert keyboard.read([pygame.event.Event(pygame.QUIT)]) == []
    assert keyboard.wants_to_quit
    keyboard.close()
    keyboard.close()
