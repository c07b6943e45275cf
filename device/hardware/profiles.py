"""Which buttons are used: those of a known hat, some pins, or the keyboard, with the reason."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.errors import DeviceError
from device.hardware.buttons import Button, ButtonFault, Buttons, KeyboardButtons, Press
from device.hardware.debounce import Timing
from device.hardware.displays import DisplayChoice, DisplayKind
from device.hardware.gpio import GpioButtons, open_pins
from rules.text import Text, verbatim

PROFILES: dict[str, tuple[int, int, int, int]] = {
    "display-hat-mini": (5, 6, 16, 24),
    "pitft": (17, 22, 23, 27),
}
"""The pins of confirm, back, up and down on known hats."""
USUAL_PINS = PROFILES["display-hat-mini"]
"""Buttons of one's own beside a screen belong here, so that nothing has to be set."""
_LOG = logging.getLogger(__name__)
_NAMED = "keyboard, display-hat-mini, pitft, custom"
NAMES = f"auto, {_NAMED}"
_OF_PANELS = {"st7789": "display-hat-mini", "ili934": "pitft", "mi0283": "pitft", "hx8357": "pitft"}
"""Parts of the names that panels' drivers give, and the hat that has such a panel."""


@dataclass(frozen=True, slots=True)
class ButtonChoice:
    """The buttons to use: the profile's name, its pins (None for the keyboard), and why.

    ``keys_too`` says that the keyboard counts as well, and alone where the pins can't be used.
    """

    profile: str
    pins: tuple[int, ...] | None
    why: Text
    keys_too: bool = False


@dataclass(frozen=True, slots=True)
class ButtonPlaces:
    """What buttons there can be beside a display.

    ``has_keys``: whether it lets a keyboard be read. ``panel``: its driver's name, empty where it is no small panel.
    ``has_pins``: whether the machine has pins that no display needs.
    """

    has_keys: bool = False
    panel: str = ""
    has_pins: bool = False


def buttons_beside(display: DisplayChoice | None, dev_root: Path = Path("/dev")) -> ButtonPlaces:
    """Return the buttons that there can be beside a display; ``None`` where there is no display."""
    if display is None:
        return ButtonPlaces()
    # A desktop has a keyboard; a screen on DPI is wired to the pins itself.
    free = display.kind is DisplayKind.KMSDRM and not display.connector.startswith("DPI")
    return ButtonPlaces(display.has_keys, display.panel, free and any(dev_root.glob("gpiochip*")))


def choose_buttons(profile: str, pins: Sequence[int], beside: ButtonPlaces) -> ButtonChoice:
    """Choose the profile's buttons, or with ``auto`` those of panel, usual pins and keyboard, or the keyboard alone.

    ``pins`` are those of confirm, back, up and down for ``custom``; given with another profile they are refused, so
    that none is ignored. ``beside`` is what there can be beside the display.

    Raises:
        DeviceError: there is no such profile, its pins can't be, or nothing was found.
    """
    named = Text("They were chosen by name: {profile}.", profile=profile)
    if pins and profile != "custom":
        raise DeviceError("Pins are only for the profile custom, not for {profile}.", profile=profile)
    if profile == "custom":
        return ButtonChoice(profile, _check_pins(pins), named)
    if profile in PROFILES:
        return ButtonChoice(profile, PROFILES[profile], named)
    if profile == "keyboard":
        if not beside.has_keys:
            raise DeviceError(
                "A keyboard can't be read with this display; name the buttons in the settings ({names}).", names=_NAMED
            )
        return ButtonChoice(profile, None, named)
    if profile != "auto":
        raise DeviceError("There is no button profile {profile!r}; name one of {names}.", profile=profile, names=NAMES)
    for part, hat in _OF_PANELS.items():
        if part in beside.panel.lower():
            return ButtonChoice(
                hat, PROFILES[hat], Text("The panel {panel} is that of a {hat}.", panel=beside.panel, hat=hat)
            )
    if beside.has_keys and beside.has_pins:
        listed = ", ".join(map(str, USUAL_PINS))
        return ButtonChoice(
            "auto",
            USUAL_PINS,
            Text(
                "No hat with buttons was found; the keyboard counts, and buttons on pins {pins} (confirm, "
                "back, up, down). Others are named in the settings (custom).",
                pins=listed,
            ),
            keys_too=True,
        )
    if beside.has_keys:
        return ButtonChoice("keyboard", None, Text("No hat with buttons was found; the keyboard stands in."))
    raise DeviceError("No buttons were found: name them in the settings ({names}).", names=_NAMED)


def open_buttons(
    choice: ButtonChoice,
    timing: Timing,
    factory: Callable[[], Any] = open_pins,
    clock: Callable[[], float] = time.monotonic,
) -> Buttons:
    """Open the chosen buttons; the pins' factory is only called where there are pins.

    Raises:
        DeviceError: the pins can't be used.
    """
    if choice.pins is None:
        return KeyboardButtons(timing.long_press_s, clock)
    try:
        pins = GpioButtons(dict(zip(Button, choice.pins, strict=True)), factory(), timing, clock)
    except DeviceError as error:
        if not choice.keys_too:
            raise
        _LOG.warning("the keyboard alone counts: %s", error)
        return KeyboardButtons(timing.long_press_s, clock)
    return PinsAndKeys(pins, KeyboardButtons(timing.long_press_s, clock)) if choice.keys_too else pins


class PinsAndKeys:
    """Buttons on the usual pins, if there are any, and the keyboard."""

    def __init__(self, pins: Buttons, keys: Buttons) -> None:
        self._pins, self._keys = pins, keys
        self._heard: set[Button] = set()

    @property
    def wants_to_quit(self) -> bool:
        """Whether the close box of a window was used."""
        return self._keys.wants_to_quit

    def take_presses(self) -> list[Press]:
        """Return the presses since the last call."""
        on_pins = self._pins.take_presses()
        self._heard.update(press.button for press in on_pins)
        return [*on_pins, *self._keys.take_presses()]

    def list_faults(self) -> tuple[ButtonFault, ...]:
        """Buttons that worked and can't be used now; a pin that was never pressed may belong to something else."""
        return tuple(fault for fault in self._pins.list_faults() if fault.button in self._heard)

    def close(self) -> None:
        """Let go of the pins; closing twice does no harm."""
        self._pins.close()
        self._keys.close()


def _check_pins(pins: Sequence[int]) -> tuple[int, ...]:
    if len(pins) != len(Button) or len(set(pins)) != len(pins) or not all(2 <= pin <= 27 for pin in pins):
        given = verbatim(", ".join(map(str, pins))) if pins else Text("none")
        raise DeviceError("Buttons need four different pins from 2 to 27 (BCM numbers), not {given}.", given=given)
    return tuple(pins)
