"""Which buttons are used: those of a known hat, some pins of one's own, or the keyboard, with the reason."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from device.errors import DeviceError
from device.hardware.buttons import Button, Buttons, KeyboardButtons
from device.hardware.debounce import Timing
from device.hardware.gpio import GpioButtons, open_pins

PROFILES: dict[str, tuple[int, int, int, int]] = {
    "display-hat-mini": (5, 6, 16, 24),
    "pitft": (17, 22, 23, 27),
}
"""The pins of confirm, back, up and down on known hats."""
_NAMED = "keyboard, display-hat-mini, pitft, custom"
NAMES = f"auto, {_NAMED}"
_OF_PANELS = {"st7789": "display-hat-mini", "ili934": "pitft", "mi0283": "pitft", "hx8357": "pitft"}
"""Parts of the names that panels' drivers give, and the hat that has such a panel."""


@dataclass(frozen=True, slots=True)
class ButtonChoice:
    """The buttons to use: the profile's name, its pins (None for the keyboard), and why (English and Japanese)."""

    profile: str
    pins: tuple[int, ...] | None
    en: str
    ja: str


def choose_buttons(profile: str, pins: Sequence[int], *, has_keys: bool, panel: str = "") -> ButtonChoice:
    """The buttons of that profile, or with ``auto`` those of the panel, or the keyboard.

    ``pins`` are those of confirm, back, up and down for ``custom``; given with another profile they are refused, so
    that none is ignored. ``has_keys``: whether the display lets a keyboard be read. ``panel``: its driver's name.

    Raises:
        DeviceError: there is no such profile, its pins can't be, or nothing was found.
    """
    named = (f"They were chosen by name: {profile}.", f"名前で指定されています：{profile}")
    if pins and profile != "custom":
        raise DeviceError(
            f"Pins are only for the profile custom, not for {profile}.",
            f"ピンの指定はプロファイルcustomでのみ使えます（{profile}では使えません）。",
        )
    if profile == "custom":
        return ButtonChoice(profile, _checked(pins), *named)
    if profile in PROFILES:
        return ButtonChoice(profile, PROFILES[profile], *named)
    if profile == "keyboard":
        if not has_keys:
            raise DeviceError(
                f"A keyboard can't be read with this display; name the buttons in the settings ({_NAMED}).",
                f"この表示装置ではキーボードを使えません。設定でボタンを指定してください（{_NAMED}）。",
            )
        return ButtonChoice(profile, None, *named)
    if profile != "auto":
        raise DeviceError(
            f"There is no button profile {profile!r}; name one of {NAMES}.",
            f"ボタンのプロファイル「{profile}」はありません。{NAMES} のいずれかを指定してください。",
        )
    for part, hat in _OF_PANELS.items():
        if part in panel.lower():
            return ButtonChoice(
                hat, PROFILES[hat], f"The panel {panel} is that of a {hat}.", f"パネル{panel}は{hat}のものです。"
            )
    if has_keys:
        return ButtonChoice(
            "keyboard",
            None,
            "No hat with buttons was found; the keyboard stands in.",
            "ボタン付きの拡張基板がないため、キーボードを使います。",
        )
    raise DeviceError(
        f"No buttons were found: name them in the settings ({_NAMED}).",
        f"ボタンが見つかりません。設定で指定してください（{_NAMED}）。",
    )


def open_buttons(
    choice: ButtonChoice,
    timing: Timing,
    factory: Callable[[], Any] = open_pins,
    clock: Callable[[], float] = time.monotonic,
) -> Buttons:
    """The chosen buttons, opened; the pins' factory is only asked for where there are pins.

    Raises:
        DeviceError: the pins can't be used.
    """
    if choice.pins is None:
        return KeyboardButtons(timing.long_press_s, clock)
    return GpioButtons(dict(zip(Button, choice.pins, strict=True)), factory(), timing, clock)


def _checked(pins: Sequence[int]) -> tuple[int, ...]:
    if len(pins) != len(Button) or len(set(pins)) != len(pins) or not all(2 <= pin <= 27 for pin in pins):
        given = ", ".join(map(str, pins))
        raise DeviceError(
            f"Buttons need four different pins from 2 to 27 (BCM numbers), not {given or 'none'}.",
            f"ボタンには2から27までの異なるピン番号（BCM）が4つ必要です（現在：{given or 'なし'}）。",
        )
    return tuple(pins)
