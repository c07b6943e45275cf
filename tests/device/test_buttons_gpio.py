"""Buttons on pins, down to single edges: bounces, long presses, two at once, a stuck one, and the lamp and buzzer."""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

import pygame
import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from device.errors import DeviceError
from device.hardware.buttons import Button, ButtonFault, ButtonTrouble, KeyboardButtons, Press
from device.hardware.debounce import Contact, Timing
from device.hardware.displays import DisplayChoice, DisplayKind
from device.hardware.gpio import Beeper, BuzzerTone, GpioButtons, Lamp, LampSign, open_pins
from device.hardware.profiles import (
    PROFILES,
    USUAL_PINS,
    ButtonPlaces,
    PinsAndKeys,
    buttons_beside,
    choose_buttons,
    open_buttons,
)
from rules.text import Language, Text

PINS = dict(zip(Button, PROFILES["display-hat-mini"], strict=True))
CONFIRM, BACK, UP, DOWN = Button


class Contactor(MockPin):
    """A mock pin that is held where the contact holds it, whatever resistor is switched on."""

    def _set_pull(self, value: str) -> None:
        self._pull = value


class Bench:
    """Four buttons on mock pins, and a clock that is set by hand; times in ms."""

    def __init__(self) -> None:
        self.factory = MockFactory(pin_class=Contactor)
        self.now = 0
        for pin in PINS.values():
            self.factory.pin(pin).drive_high()
        self.buttons = self.open()

    def open(self) -> GpioButtons:
        return GpioButtons(PINS, self.factory, Timing(), clock=lambda: self.now / 1000)

    def drive(self, button: Button, down: bool) -> None:
        pin = self.factory.pin(PINS[button])
        (pin.drive_low if down else pin.drive_high)()

    def edges(self, button: Button, *times: int) -> None:
        """Change the contact at each of these times, first to down."""
        for number, at in enumerate(times):
            self.now = at
            self.drive(button, number % 2 == 0)

    def at(self, now: int) -> list[Press]:
        self.now = now
        return self.buttons.take_presses()


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.buttons.close()
    bench.factory.reset()


def test_a_clean_press_counts_once_when_it_is_let_go(bench: Bench) -> None:
    bench.edges(CONFIRM, 1000)
    assert bench.at(1100) == []
    bench.edges(CONFIRM, 1000, 1150)
    assert bench.at(1160) == [], "not at rest yet"
    assert bench.at(1171) == [Press(CONFIRM, at_s=1.0)]
    assert bench.at(1500) == []


def test_a_press_between_two_looks_is_not_lost(bench: Bench) -> None:
    bench.edges(UP, 1000, 1060)
    assert bench.at(4000) == [Press(UP, at_s=1.0)]


def test_presses_between_two_looks_keep_their_order(bench: Bench) -> None:
    bench.edges(DOWN, 1000, 1080)
    bench.edges(UP, 1200, 1280)
    bench.edges(DOWN, 1400, 1480)
    assert [press.button for press in bench.at(3000)] == [DOWN, UP, DOWN]


def test_bounces_on_both_edges_are_one_press(bench: Bench) -> None:
    bench.edges(BACK, 1000, 1002, 1003, 1007, 1012, 1150, 1153, 1154, 1156, 1161)
    assert bench.at(1180) == []
    assert bench.at(1181) == [Press(BACK, at_s=1.012)]
    assert bench.at(3000) == []


@pytest.mark.parametrize("spike", [1, 5, 19])
def test_a_spike_is_nothing(bench: Bench, spike: int) -> None:
    bench.edges(CONFIRM, 1000, 1000 + spike)
    assert bench.at(1000 + spike) == []
    assert bench.at(1500) == []


def test_a_gap_in_a_press_is_no_second_one(bench: Bench) -> None:
    bench.edges(CONFIRM, 1000, 1100, 1110, 1300)
    assert bench.at(1400) == [Press(CONFIRM, at_s=1.0)]


def test_two_quick_presses_are_two(bench: Bench) -> None:
    bench.edges(DOWN, 1000, 1060, 1120, 1180)
    assert [press.at_s for press in bench.at(1300)] == [1.0, 1.12]


def test_a_long_press_counts_as_soon_as_it_is_long_and_once(bench: Bench) -> None:
    bench.edges(BACK, 1000)
    assert bench.at(1790) == []
    assert bench.at(1800) == [Press(BACK, long=True, at_s=1.0)]
    assert bench.at(2500) == []
    bench.now = 2600
    bench.drive(BACK, down=False)
    assert bench.at(3000) == []


def test_a_button_let_go_just_in_time_is_a_short_press(bench: Bench) -> None:
    bench.edges(BACK, 1000, 1790)
    assert bench.at(1805) == []
    assert bench.at(1815) == [Press(BACK, at_s=1.0)]


def test_a_long_press_between_two_looks_is_long(bench: Bench) -> None:
    bench.edges(BACK, 1000, 2000)
    assert bench.at(5000) == [Press(BACK, long=True, at_s=1.0)]


def test_a_press_during_a_long_one_counts_too(bench: Bench) -> None:
    bench.edges(BACK, 1000)
    bench.at(1100)
    bench.edges(UP, 1300, 1380)
    assert bench.at(1450) == [Press(UP, at_s=1.3)]
    assert bench.at(1850) == [Press(BACK, long=True, at_s=1.0)]


def test_two_at_once_are_two(bench: Bench) -> None:
    bench.edges(UP, 1000)
    bench.edges(DOWN, 1001)
    bench.now = 1100
    bench.drive(UP, down=False)
    bench.drive(DOWN, down=False)
    assert sorted(press.button.value for press in bench.at(1200)) == ["down", "up"]


def test_a_stuck_button_is_one_long_press_and_a_fault_until_it_is_freed(bench: Bench) -> None:
    bench.edges(CONFIRM, 1000)
    told = [press for now in range(1000, 61000, 50) for press in bench.at(now)]
    assert told == [Press(CONFIRM, long=True, at_s=1.0)]
    assert bench.buttons.list_faults() == (ButtonFault(CONFIRM, ButtonTrouble.STUCK),)
    bench.edges(UP, 61000, 61100)
    assert bench.at(61200) == [Press(UP, at_s=61.0)], "the others go on"
    bench.now = 62000
    bench.drive(CONFIRM, down=False)
    assert bench.at(62100) == []
    assert bench.buttons.list_faults() == ()
    bench.edges(CONFIRM, 63000, 63100)
    assert bench.at(63200) == [Press(CONFIRM, at_s=63.0)]


def test_a_button_stuck_from_the_start_is_no_press(bench: Bench) -> None:
    bench.drive(UP, down=True)
    bench.buttons.close()
    bench.buttons = bench.open()
    assert [press for now in range(0, 12000, 100) for press in bench.at(now)] == []
    assert bench.buttons.list_faults() == (ButtonFault(UP, ButtonTrouble.STUCK),)
    bench.drive(UP, down=False)
    assert bench.at(12100) == []
    assert bench.buttons.list_faults() == ()


def test_a_rattling_button_is_a_fault_and_no_press(bench: Bench) -> None:
    told = []
    for now, down in zip(range(1000, 6000, 7), itertools.cycle((True, False)), strict=False):
        bench.now = now
        bench.drive(DOWN, down)
        told += bench.buttons.take_presses()
    assert told == []
    assert bench.buttons.list_faults() == (ButtonFault(DOWN, ButtonTrouble.RATTLING),)
    bench.drive(DOWN, down=False)
    bench.at(6100)
    assert bench.buttons.list_faults() == ()


def test_an_edge_that_was_lost_is_made_up_for(bench: Bench) -> None:
    bench.edges(CONFIRM, 1000)
    bench.at(1100)
    pin = bench.factory.pin(PINS[CONFIRM])
    pin.when_changed, heard = None, pin.when_changed
    bench.now = 1200
    bench.drive(CONFIRM, down=False)
    pin.when_changed = heard
    bench.at(1300)
    assert bench.at(1330) == [Press(CONFIRM, at_s=1.0)]


def test_endless_edges_cost_no_memory(bench: Bench) -> None:
    for now in range(4000):
        bench.now = now
        bench.drive(UP, now % 2 == 0)
    assert len(bench.buttons._edges) <= 512
    bench.drive(UP, down=False)
    bench.at(4100)
    assert bench.at(4200) == []


@pytest.mark.parametrize("seed", range(20))
def test_however_it_bounces_every_press_counts_once(seed: int) -> None:
    rng = random.Random(seed)
    contact = Contact(UP, Timing(), down=False, at_s=0.0)
    now, made, told = 1.0, [], []
    for _ in range(30):
        held = rng.choice((rng.uniform(0.05, 0.7), rng.uniform(0.9, 2.0)))
        made.append(held > 0.8)
        for down, rest in ((True, held), (False, rng.uniform(0.05, 0.5))):
            ends = now + rest
            for number in range(rng.randrange(0, 6) * 2 + 1):
                told += contact.record_edge(down == (number % 2 == 0), now)
                now += rng.uniform(0.0005, 0.0025)
            now = max(now, ends)
            for look in range(rng.randrange(3)):
                told += contact.settle_until(now + look * 0.001)
            now += 0.003
    told += contact.settle_until(now + 1)
    assert [press.long for press in told] == made


def test_closing_twice_is_harmless_and_frees_the_pins(bench: Bench) -> None:
    bench.buttons.close()
    bench.buttons.close()
    assert bench.buttons.take_presses() == []
    bench.buttons = bench.open()
    assert not bench.buttons.wants_to_quit


def test_a_pin_in_use_is_one_sentence(bench: Bench) -> None:
    with pytest.raises(DeviceError, match="Pin 5 can't be used"):
        bench.open()


def test_faults_are_said_in_both_languages() -> None:
    for button, fault in itertools.product(Button, ButtonTrouble):
        told = ButtonFault(button, fault)
        assert button.value in str(told.text)
        assert told.text.said(Language.JA).endswith("。")


# Lamp and buzzer


def until(true: Callable[[], bool], words: str) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline, words
        time.sleep(0.005)


def changes(factory: MockFactory, pin: int) -> int:
    return len(factory.pin(pin).states)


def test_the_lamp_gives_its_signs() -> None:
    factory = MockFactory()
    lamp = Lamp(12, factory)
    assert not factory.pin(12).state
    lamp.show(LampSign.READY)
    assert factory.pin(12).state
    steady = changes(factory, 12)
    lamp.show(LampSign.READY)
    assert changes(factory, 12) == steady, "showing it again does nothing"
    lamp.show(LampSign.FAULT)
    until(lambda: changes(factory, 12) >= steady + 4, "it blinks")
    lamp.show(LampSign.OFF)
    assert not factory.pin(12).state
    lamp.show(LampSign.QUESTION)
    lamp.close()
    lamp.close()
    lamp.show(LampSign.READY)
    assert not factory.pin(12).state


def test_the_buzzer_sounds_once() -> None:
    factory = MockFactory()
    beeper = Beeper(13, factory)
    beeper.sound(BuzzerTone.SHORT)
    until(lambda: changes(factory, 13) >= 3, "it sounds and ends")
    beeper.close()
    assert [state.state for state in factory.pin(13).states] == [False, True, False]
    beeper.close()
    beeper.sound(BuzzerTone.LONG)
    assert changes(factory, 13) == 3


# The pins' driver


def test_without_lgpio_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    with pytest.raises(DeviceError, match="apt install python3-lgpio") as raised:
        open_pins(tmp_path)
    assert "python3-lgpio" in raised.value.text.said(Language.JA)


LGPIO = """
import os

SET_PULL_NONE = SET_PULL_UP = SET_PULL_DOWN = BOTH_EDGES = RISING_EDGE = FALLING_EDGE = 0
os.chdir(os.environ["LG_WD"])  # as the true one does when it is loaded
open(".lgd-nfy0", "w").close()


def gpiochip_open(chip):
    if os.path.exists("refuse"):
        raise Exception("can not open gpiochip")
    return 7


def gpiochip_close(handle):
    pass
"""
"""As much of lgpio as gpiozero asks for when it opens the pins of a Pi."""


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Return the directory that a stand-in of lgpio works in."""
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "lgpio.py").write_text(LGPIO)
    (tmp_path / "work").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xD04170)
    monkeypatch.setenv("LG_WD", "")
    monkeypatch.delenv("LG_WD")
    yield tmp_path / "work"
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        sys.modules.pop(name, None)


def test_the_pins_are_lgpios_and_it_writes_where_it_may(lgpio: Path) -> None:
    here = Path.cwd()
    factory = open_pins(lgpio)
    assert type(factory).__name__ == "LGPIOFactory"
    assert [path.name for path in lgpio.iterdir()] == [".lgd-nfy0"]
    assert Path.cwd() == here
    factory.close()


def test_a_directory_that_lgpio_can_not_use_is_one_sentence(lgpio: Path) -> None:
    here = Path.cwd()
    with pytest.raises(DeviceError, match="can't write to its working directory"):
        open_pins(lgpio / "missing")
    assert Path.cwd() == here


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (None, r"has no pins \(there is no /dev/gpiochip0\)"),
        (0o000, "adduser \\$USER gpio"),
        (0o600, r"can't be used \(can not open gpiochip\): they are those of a Raspberry Pi"),
    ],
)
def test_pins_that_can_not_be_used_are_one_sentence_for_each_cause(
    mode: int | None, words: str, lgpio: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lgpio / "refuse").touch()
    dev = tmp_path / "dev"
    dev.mkdir()
    if mode is not None:
        (dev / "gpiochip0").touch(mode)
        # root may open whatever there is
        monkeypatch.setattr("device.hardware.gpio.os.access", lambda path, ways: bool(path.stat().st_mode & 0o600))
    with pytest.raises(DeviceError, match=words) as raised, chdir(lgpio):
        open_pins(lgpio, dev)
    assert "ピン" in raised.value.text.said(Language.JA)


# Which ones


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.event.clear()
    yield
    pygame.display.quit()


def chosen(profile: str = "auto", pins: Sequence[int] = (), has_keys: bool = True, panel: str = "") -> tuple[str, Any]:
    choice = choose_buttons(profile, pins, ButtonPlaces(has_keys, panel))
    assert str(choice.why).endswith((".", profile))
    assert choice.why.said(Language.JA)
    return choice.profile, choice.pins


def test_a_named_profile_is_taken() -> None:
    assert chosen("display-hat-mini") == ("display-hat-mini", (5, 6, 16, 24))
    assert chosen("pitft") == ("pitft", (17, 22, 23, 27))
    assert chosen("custom", [4, 14, 15, 18]) == ("custom", (4, 14, 15, 18))
    assert chosen("keyboard") == ("keyboard", None)


def test_the_hat_is_known_by_its_panel() -> None:
    assert chosen(panel="fb_st7789v", has_keys=False) == ("display-hat-mini", (5, 6, 16, 24))
    assert chosen(panel="fb_ili9340", has_keys=False) == ("pitft", (17, 22, 23, 27))
    assert chosen(panel="") == ("keyboard", None)


@pytest.mark.parametrize(
    ("profile", "pins", "has_keys", "message"),
    [
        ("auto", (), False, "No buttons were found"),
        ("keyboard", (), False, "keyboard can't be read"),
        ("hat", (), True, "no button profile 'hat'"),
        ("pitft", (1, 2, 3, 4), True, "only for the profile custom"),
        ("custom", (), True, "not none"),
        ("custom", (5, 6, 16), True, "four different pins"),
        ("custom", (5, 6, 16, 16), True, "four different pins"),
        ("custom", (5, 6, 16, 28), True, "four different pins"),
    ],
)
def test_buttons_that_can_not_be(profile: str, pins: Sequence[int], has_keys: bool, message: str) -> None:
    with pytest.raises(DeviceError, match=message):
        choose_buttons(profile, pins, ButtonPlaces(has_keys))


def test_the_chosen_ones_are_opened() -> None:
    def never() -> Any:
        raise AssertionError("a keyboard needs no pins")

    keyboard = choose_buttons("keyboard", (), ButtonPlaces(has_keys=True))
    assert isinstance(open_buttons(keyboard, Timing(), never), KeyboardButtons)
    factory, now = MockFactory(), [100.0]
    choice = choose_buttons("pitft", (), ButtonPlaces())
    buttons = open_buttons(choice, Timing(), lambda: factory, lambda: now[0])
    factory.pin(17).drive_low()
    now[0] += 0.1
    buttons.take_presses()
    factory.pin(17).drive_high()
    now[0] += 0.1
    assert [press.button for press in buttons.take_presses()] == [CONFIRM]
    buttons.close()


@pytest.mark.parametrize(
    ("kind", "connector", "chip", "has_pins"),
    [
        (DisplayKind.KMSDRM, "HDMI-A-1", True, True),
        (DisplayKind.KMSDRM, "DSI-1", True, True),
        (DisplayKind.KMSDRM, "DPI-1", True, False),
        (DisplayKind.KMSDRM, "HDMI-A-1", False, False),
        (DisplayKind.WINDOW, "", True, False),
        (DisplayKind.DUMMY, "", True, False),
    ],
)
def test_pins_beside_a_screen_are_those_that_it_does_not_need(
    kind: DisplayKind, connector: str, chip: bool, has_pins: bool, tmp_path: Path
) -> None:
    if chip:
        (tmp_path / "gpiochip0").touch()
    display = DisplayChoice(kind, None, 0, Text(""), connector=connector)
    assert buttons_beside(display, tmp_path).has_pins is has_pins


def test_beside_a_screen_on_a_pi_the_usual_pins_and_the_keyboard_both_count(window: None) -> None:
    choice = choose_buttons("auto", (), ButtonPlaces(has_keys=True, has_pins=True))
    assert (choice.pins, choice.keys_too) == (USUAL_PINS, True)
    factory, now = MockFactory(), [100.0]
    buttons = open_buttons(choice, Timing(), lambda: factory, lambda: now[0])
    assert isinstance(buttons, PinsAndKeys)
    up = factory.pin(USUAL_PINS[2])
    up.drive_low()
    now[0] += 0.1
    buttons.take_presses()
    up.drive_high()
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_DOWN))
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_DOWN))
    now[0] += 0.1
    assert [press.button for press in buttons.take_presses()] == [Button.UP, Button.DOWN]
    buttons.close()


def test_a_usual_pin_that_was_never_pressed_is_not_said_to_be_stuck(window: None) -> None:
    now = [100.0]
    factory = MockFactory()
    for pin in USUAL_PINS[:2]:
        factory.pin(pin).drive_low()
    choice = choose_buttons("auto", (), ButtonPlaces(has_keys=True, has_pins=True))
    buttons = open_buttons(choice, Timing(), lambda: factory, lambda: now[0])
    down = factory.pin(USUAL_PINS[3])
    for level in (down.drive_low, down.drive_high, down.drive_low):
        level()
        now[0] += 0.2
        buttons.take_presses()
    now[0] += 15
    buttons.take_presses()
    assert [(fault.button, fault.fault) for fault in buttons.list_faults()] == [(Button.DOWN, ButtonTrouble.STUCK)]
    buttons.close()


def test_where_the_usual_pins_can_not_be_used_the_keyboard_alone_counts_and_it_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse() -> Any:
        raise DeviceError(Text("This machine has no pins."))

    choice = choose_buttons("auto", (), ButtonPlaces(has_keys=True, has_pins=True))
    assert isinstance(open_buttons(choice, Timing(), refuse), KeyboardButtons)
    assert caplog.messages == ["the keyboard alone counts: This machine has no pins."]
    with pytest.raises(DeviceError, match="no pins"):
        open_buttons(choose_buttons("pitft", (), ButtonPlaces()), Timing(), refuse)
