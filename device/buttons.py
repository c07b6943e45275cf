"""The four buttons, whatever they are made of: gpio pins, a keyboard, or a simulated player's fingers."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Protocol

import pygame


class Button(Enum):
    """A button by the name it has in a recording's timeline."""

    CONFIRM = "confirm"
    BACK = "back"
    UP = "up"
    DOWN = "down"


class Buttons(Protocol):
    """A set of buttons that remembers what was pressed."""

    def pressed(self) -> list[Button]:
        """The presses since the last call, in their order."""
        ...

    def close(self) -> None:
        """Let go of the device; closing twice does no harm."""
        ...


KEYS: dict[int, Button] = {
    pygame.K_RETURN: Button.CONFIRM,
    pygame.K_KP_ENTER: Button.CONFIRM,
    pygame.K_SPACE: Button.CONFIRM,
    pygame.K_ESCAPE: Button.BACK,
    pygame.K_BACKSPACE: Button.BACK,
    pygame.K_UP: Button.UP,
    pygame.K_DOWN: Button.DOWN,
}
"""Which key stands in for which button."""


class KeyboardButtons:
    """The keyboard of the window; ``wants_to_quit`` is set once the window's close box was used."""

    def __init__(self) -> None:
        self.wants_to_quit = False

    def pressed(self) -> list[Button]:
        """The keys pressed since the last call, as buttons."""
        return self.read(pygame.event.get())

    def read(self, events: Iterable[pygame.event.Event]) -> list[Button]:
        """What these events mean; a held key counts once."""
        presses = []
        for event in events:
            if event.type == pygame.QUIT:
                self.wants_to_quit = True
            elif event.type == pygame.KEYDOWN and event.key in KEYS:
                presses.append(KEYS[event.key])
        return presses

    def close(self) -> None:
        """Nothing to let go of: the window owns the events."""
