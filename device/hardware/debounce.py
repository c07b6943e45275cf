"""What the edges of one button's contact mean: bounces are left out, presses are short or long, and some never end.

Time is given from outside, in seconds on a clock that never runs backwards, so everything here can be replayed edge
by edge.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.hardware.buttons import LONG_PRESS_S, Button, ButtonTrouble, Press

DEBOUNCE_S = 0.02
"""A contact that has lain still for so long has come to rest; worn ones bounce for up to 15 ms."""
STUCK_S = 10.0
"""Nobody holds a button for so long on purpose."""
RATTLING_S = 2.0


@dataclass(frozen=True, slots=True)
class Timing:
    """How a contact's edges are read, in seconds."""

    debounce_s: float = DEBOUNCE_S
    long_press_s: float = LONG_PRESS_S
    stuck_s: float = STUCK_S
    rattling_s: float = RATTLING_S


class Contact:
    """Follows one button. A button that is down at the start is only believed once it has been let go.

    >>> contact = Contact(Button.UP, Timing(), down=False, at_s=0.0)
    >>> [contact.record_edge(down, t) for down, t in ((True, 1.0), (False, 1.004), (True, 1.006))]
    [[], [], []]
    >>> contact.record_edge(False, 1.2), contact.settle_until(1.21), contact.settle_until(1.22)
    ([], [], [Press(button=<Button.UP: 'up'>, long=False, at_s=1.006)])
    """

    def __init__(self, button: Button, timing: Timing, down: bool, at_s: float) -> None:
        self.button = button
        self._timing = timing
        self._down = self._level = down
        self._told = down
        """Whether the press that goes on has been told, or is not to be."""
        self._down_since_s = self._level_since_s = self._rest_s = at_s
        self.fault: ButtonTrouble | None = None

    def record_edge(self, down: bool, at_s: float) -> list[Press]:
        """Record that the contact closed or opened at that time; return the presses that this settles."""
        presses = self.settle_until(at_s)
        if down != self._level:
            self._level = down
            self._level_since_s = at_s
        return presses

    def settle_until(self, now_s: float) -> list[Press]:
        """Return the presses that are settled by the time that has passed without an edge."""
        presses = []
        if now_s - self._level_since_s >= self._timing.debounce_s:
            self._rest_s = now_s
            if self._level != self._down:
                presses += self._settle_turn()
        held_s = now_s - self._down_since_s
        if self._down and self._level and not self._told and held_s >= self._timing.long_press_s:
            presses.append(Press(self.button, True, self._down_since_s))
            self._told = True
        self.fault = self._detect_fault(now_s, held_s)
        return presses

    def _settle_turn(self) -> list[Press]:
        """Handle the contact's coming to rest on the other side."""
        self._down = self._level
        if self._down:
            self._down_since_s = self._level_since_s
            self._told = False
            return []
        long = self._level_since_s - self._down_since_s >= self._timing.long_press_s
        return [] if self._told else [Press(self.button, long, self._down_since_s)]

    def _detect_fault(self, now_s: float, held_s: float) -> ButtonTrouble | None:
        if now_s - self._rest_s >= self._timing.rattling_s:
            return ButtonTrouble.RATTLING
        return ButtonTrouble.STUCK if self._down and held_s >= self._timing.stuck_s else None
