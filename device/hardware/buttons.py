"""The four buttons, whatever they are made of: gpio pins, a keyboard, or a simulated player's fingers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import pygame

from rules.text import Text, in_context

LONG_PRESS_S = 0.8
"""A button held for so long means something else than one pressed."""


class Button(Enum):
    """A button by the name it has in a recording's timeline."""

    CONFIRM = "confirm"
    BACK = "back"
    UP = "up"
    DOWN = "down"

    @property
    def text(self) -> Text:
        """Its name in words."""
        return _NAMES[self]


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed and let go, or has been held down for a long press; ``at_s`` is when it went down."""

    button: Button
    long: bool = False
    at_s: float = 0.0


class ButtonTrouble(Enum):
    """What can be wrong with a button."""

    STUCK = "stuck"
    """Held down for longer than anybody means to."""
    RATTLING = "rattling"
    """It never comes to rest, as with a loose wire."""


_NAMES = {
    Button.CONFIRM: in_context("button", "confirm"),
    Button.BACK: in_context("button", "back"),
    Button.UP: in_context("button", "up"),
    Button.DOWN: in_context("button", "down"),
}


@dataclass(frozen=True, slots=True)
class ButtonFault:
    """A button that can't be used until it has been mended."""

    button: Button
    fault: ButtonTrouble

    @property
    def text(self) -> Text:
        """What to do about it."""
        if self.fault is ButtonTrouble.STUCK:
            return Text("The {button} button is stuck: let it go, or free it.", button=self.button)
        return Text("The {button} button rattles: check its wires.", button=self.button)


class Buttons(Protocol):
    """A set of buttons that remembers what was pressed."""

    @property
    def wants_to_quit(self) -> bool:
        """Whether the close box of a window was used; stays so once it is."""
        ...

    def take_presses(self) -> list[Press]:
        """Return the presses since the last call, in order; never wait."""
        ...

    def list_faults(self) -> tuple[ButtonFault, ...]:
        """List the buttons that can't be used at the moment."""
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
    """The keyboard of the window; ``wants_to_quit`` is set once the window's close box was used.

    A short press counts when its key is let go, a long one as soon as the key has been held for ``long_press_s``.
    """

    def __init__(self, long_press_s: float = LONG_PRESS_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._long_press_s, self._clock = long_press_s, clock
        self._down: dict[int, float | None] = {}
        self._wants_to_quit = False

    @property
    def wants_to_quit(self) -> bool:
        """Whether the close box was used."""
        return self._wants_to_quit

    def take_presses(self) -> list[Press]:
        """Return the keys pressed since the last call, as buttons; none while there is no window."""
        return self.read(pygame.event.get() if pygame.display.get_init() else ())

    def read(self, events: Iterable[pygame.event.Event]) -> list[Press]:
        """Turn events and the time that has passed into presses."""
        presses = []
        now = self._clock()
        for event in events:
            if event.type == pygame.QUIT:
                self._wants_to_quit = True
            elif event.type == pygame.KEYDOWN and event.key in KEYS:
                self._down.setdefault(event.key, now)
            elif event.type == pygame.KEYUP and event.key in KEYS:
                since = self._down.pop(event.key, None)
                if since is not None:
                    presses.append(Press(KEYS[event.key], now - since >= self._long_press_s, since))
            elif event.type == pygame.WINDOWFOCUSLOST:
                self._down.clear()  # the keys are let go of elsewhere
        for key, since in self._down.items():
            if since is not None and now - since >= self._long_press_s:
                presses.append(Press(KEYS[key], True, since))
                self._down[key] = None
        return presses

    def list_faults(self) -> tuple[ButtonFault, ...]:
        """Return no faults: a keyboard has none."""
        return ()

    def close(self) -> None:
        """Nothing to let go of: the window owns the events."""
