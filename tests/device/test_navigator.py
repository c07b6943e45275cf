"""The navigator alone: one activity is heard and shown at a time, and what fails leads back to the first menu."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

from device.app.navigator import UNFORESEEN, Navigator
from device.app.notify import Notifier
from device.hardware.backlight import Dimmer
from device.hardware.buttons import Button, Press
from referee.menu import Menu, Option
from rules.text import Language, Text, verbatim
from web.table_end.process import Ask


def test_what_fails_is_said_and_what_is_pressed_while_it_is_busy_is_dropped() -> None:
    shown, presses, left = [], [], []  # type: ignore[var-annotated]
    buttons = SimpleNamespace(take_presses=lambda: [presses.pop() for _ in tuple(presses)], list_faults=lambda: ())
    equipment = SimpleNamespace(buttons=buttons, dimmer=Dimmer(), display=SimpleNamespace(show=shown.append))
    equipment.signals = SimpleNamespace(follow=lambda state: None)
    equipment.page = equipment.hall = None
    first = Menu(Text("first"), (Option(Text("fail"), lambda: 1 / 0),))  # type: ignore[arg-type, return-value]
    settings = SimpleNamespace(language=Language.EN)
    navigator = Navigator(equipment, settings, Notifier({}), lambda: first, lambda: left.append(1))  # type: ignore[arg-type]
    navigator.go_home()
    for words in (UNFORESEEN.said(Language.EN), "first"):
        presses.append(Press(Button.CONFIRM))
        navigator.run_round()
        assert shown[-1].headline == words
    assert len(left) == 3, "home twice, and where it failed"
    navigator.show_busy(Text("wait"))
    presses.append(Press(Button.CONFIRM))
    navigator.run_round()
    assert [state.headline for state in shown[-2:]] == ["wait", "first"]


def test_a_phone_presses_and_answers_and_is_told_where_the_question_is_another_one() -> None:
    chosen, told, asks = [], [], []  # type: ignore[var-annotated]
    replies: list[bool] = []
    page = SimpleNamespace(show=told.append, take_asks=lambda: [asks.pop(0) for _ in tuple(asks)])
    equipment = SimpleNamespace(
        buttons=SimpleNamespace(take_presses=list, list_faults=lambda: ()),
        dimmer=Dimmer(),
        display=SimpleNamespace(show=lambda state: None),
        signals=SimpleNamespace(follow=lambda state: None),
        page=page,
        hall=None,
        clock=lambda: 0.0,
    )

    def take(word: str) -> None:
        chosen.append(word)

    words = ("one", "two", "three")
    first = Menu(Text("Which?"), tuple(Option(verbatim(word), partial(take, word)) for word in words))
    settings = SimpleNamespace(language=Language.EN)
    navigator = Navigator(equipment, settings, Notifier({}), lambda: first, lambda: None)  # type: ignore[arg-type]
    navigator.go_home()
    navigator.run_round()
    assert told[-1]["said"]["en"]["state"]["choices"] == list(words)

    def ask(what: str, **data: Any) -> bool:
        asks.append(Ask(what, data, lambda said: replies.append(said["same"])))
        navigator.run_round()
        return replies.pop()

    assert ask("press", button="down", long=False)
    assert told[-1]["said"]["en"]["state"]["chosen"] == 1
    assert ask("answer", choice=2, of=list(words))
    assert ask("answer", choice=0, of=list(words))
    assert chosen == ["three", "one"]
    assert not ask("answer", choice=0, of=["one", "two"])
    assert not ask("answer", choice=0, of=list(words), headline="Another one?"), "another with the same answers"
    assert ask("answer", choice=1, of=list(words), headline="Which?")
    assert chosen.pop() == "two"
    asks.append(Ask("answer", {"choice": 1, "of": list(words)}, lambda said: replies.append(said["same"])))
    assert not ask("answer", choice=2, of=list(words)), "of two at once the first one answers"
    assert replies.pop()
    assert chosen.pop() == "two"
    navigator.show_busy(Text("wait"))
    assert not ask("answer", choice=0, of=list(words)), "whoever answered saw another screen"
    assert chosen == ["three", "one"]
