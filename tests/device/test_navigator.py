"""The navigator alone: one activity is heard and shown at a time, and what fails leads back to the first menu."""

from __future__ import annotations

from types import SimpleNamespace

from device.app.navigator import UNFORESEEN, Navigator
from device.app.notify import Notifier
from device.hardware.backlight import Dimmer
from device.hardware.buttons import Button, Press
from referee.menu import Menu, Option
from rules.text import Language, Text


def test_what_fails_is_said_and_what_is_pressed_while_it_is_busy_is_dropped() -> None:
    shown, presses, left = [], [], []  # type: ignore[var-annotated]
    buttons = SimpleNamespace(pressed=lambda: [presses.pop() for _ in tuple(presses)], faults=lambda: ())
    equipment = SimpleNamespace(buttons=buttons, dimmer=Dimmer(), display=SimpleNamespace(show=shown.append))
    equipment.signals = SimpleNamespace(follow=lambda state: None)
    first = Menu(Text("first"), (Option(Text("fail"), lambda: 1 / 0),))  # type: ignore[arg-type, return-value]
    settings = SimpleNamespace(language=Language.EN)
    navigator = Navigator(equipment, settings, Notifier({}), lambda: first, lambda: left.append(1))  # type: ignore[arg-type]
    navigator.home()
    for words in (UNFORESEEN.said(Language.EN), "first"):
        presses.append(Press(Button.CONFIRM))
        navigator.round()
        assert shown[-1].headline == words
    assert len(left) == 3, "home twice, and where it failed"
    navigator.busy(Text("wait"))
    presses.append(Press(Button.CONFIRM))
    navigator.round()
    assert [state.headline for state in shown[-2:]] == ["wait", "first"]
