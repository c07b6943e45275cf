"""Buttons, a lamp and a buzzer on a Raspberry Pi's pins, through gpiozero on lgpio, the one library that every Pi has.

Pins go by their BCM numbers. gpiozero's own debouncing is left off, since it swallows edges; ``debounce`` does it.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from gpiozero import LED, Buzzer, DigitalInputDevice, TonalBuzzer
from gpiozero.tones import Tone as Pitch

from device.errors import DeviceError, reason_of
from device.hardware.buttons import Button, ButtonFault, Press
from device.hardware.debounce import Contact, Timing

_MOST_EDGES = 512
"""Edges kept between two looks at the buttons; beyond that only the contact's level counts."""


def open_pins(folder: Path | None = None, dev_root: Path = Path("/dev")) -> Any:
    """gpiozero's pin factory on lgpio, and never another: what it falls back to by itself doesn't drive a Pi 5.

    lgpio puts a pipe into its working directory when it is loaded, so it is given ``folder`` for that, which must be
    writable; a new one for temporary files if None.

    Raises:
        DeviceError: lgpio is missing, this is no Raspberry Pi, or its pins may not be used.
    """
    _load_lgpio(folder or Path(tempfile.mkdtemp(prefix="sevenmat-")))
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except Exception as error:  # lgpio's own errors have no base of their own
        raise _no_pins(error, dev_root) from error


def _no_pins(error: Exception, dev_root: Path) -> DeviceError:
    """Why the pins can't be used: there are none, they may not be used, or gpiozero does not know the board."""
    chips = sorted(dev_root.glob("gpiochip*"))
    if not chips:
        return DeviceError("This machine has no pins (there is no /dev/gpiochip0): set buttons.profile to keyboard.")
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return DeviceError(
            "The pins may not be used: put the user into the group that {chips} belongs to ('sudo "
            "adduser $USER gpio', then log in again).",
            chips=chips[0],
        )
    return DeviceError(
        "The pins can't be used ({error}): they are those of a Raspberry Pi only; elsewhere set "
        "buttons.profile to keyboard.",
        error=error,
    )


def _load_lgpio(folder: Path) -> None:
    here = os.getcwd()
    os.environ.setdefault("LG_WD", str(folder))
    try:
        import lgpio  # noqa: F401
    except ImportError as error:
        raise DeviceError(
            "lgpio, which drives the pins, is missing: run 'sudo apt install python3-lgpio' and make the "
            "virtual environment with --system-site-packages, or use the keyboard."
        ) from error
    except OSError as error:
        raise DeviceError(
            "lgpio can't write to its working directory {folder} ({reason}): make it writable.",
            folder=os.environ["LG_WD"],
            reason=reason_of(error),
        ) from error
    finally:
        os.chdir(here)  # lgpio goes to its working directory and stays there


def _on_pin(device: Callable[..., Any], pin: int, factory: Any, **how: Any) -> Any:
    """Open a device of gpiozero's on a pin.

    Raises:
        DeviceError: the pin can't be used.
    """
    try:
        return device(pin, pin_factory=factory, **how)
    except Exception as error:  # gpiozero's own, or lgpio's, which has no base
        raise DeviceError(
            "Pin {pin} can't be used ({error}): end other programs that use it, or choose another pin in the settings.",
            pin=pin,
            error=error,
        ) from error


def _let_go(device: Any) -> None:
    """Switch a lamp or a buzzer off and close it; closing twice does no harm."""
    if not device.closed:
        device.off()
        device.close()


class GpioButtons:
    """Four buttons, each between its pin and ground."""

    wants_to_quit = False
    """Pins have no close box."""

    def __init__(
        self,
        pins: Mapping[Button, int],
        factory: Any,
        timing: Timing | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._edges: deque[tuple[float, Button, bool]] = deque(maxlen=_MOST_EDGES)
        self._inputs: dict[Button, Any] = {}
        self._contacts: dict[Button, Contact] = {}
        for button, pin in pins.items():
            try:
                contact = _on_pin(DigitalInputDevice, pin, factory, pull_up=True, bounce_time=None)
            except DeviceError:
                self.close()
                raise
            self._inputs[button] = contact
            self._contacts[button] = Contact(button, timing or Timing(), contact.is_active, clock())
            contact.when_activated = self._note(button, True)
            contact.when_deactivated = self._note(button, False)

    def take_presses(self) -> list[Press]:
        """Return the presses since the last call, in the order in which they were settled."""
        now = self._clock()
        levels = {button: pin.is_active for button, pin in self._inputs.items()}
        presses = []
        while self._edges and self._edges[0][0] <= now:
            at_s, button, down = self._edges.popleft()
            presses += self._contacts[button].record_edge(down, at_s)
        for button, down in levels.items():  # an edge may have been lost; what the pin says now is true
            presses += self._contacts[button].record_edge(down, now)
        return presses

    def list_faults(self) -> tuple[ButtonFault, ...]:
        """List the buttons that were stuck or rattling at the last check."""
        found = ((button, contact.fault) for button, contact in self._contacts.items())
        return tuple(ButtonFault(button, fault) for button, fault in found if fault is not None)

    def close(self) -> None:
        """Let go of the pins; closing twice does no harm."""
        for pin in self._inputs.values():
            pin.close()
        self._inputs.clear()

    def _note(self, button: Button, down: bool) -> Callable[[], None]:
        def note() -> None:
            self._edges.append((self._clock(), button, down))

        return note


class LampSign(Enum):
    """What the lamp of the confirm button says; the value is how long it is on and off, in s, none for steadily."""

    OFF = (0.0, 1.0)
    READY = (1.0, 0.0)
    """Confirm may be pressed."""
    QUESTION = (0.6, 0.6)
    """The display asks something."""
    FAULT = (0.12, 0.12)
    """The table has to be mended, or something can't be seen."""
    END = (0.9, 0.25)
    """The end is near: the End Flag is to be taken, or this is somebody's last turn."""


class Lamp:
    """A lamp in or beside the confirm button, on one pin."""

    def __init__(self, pin: int, factory: Any) -> None:
        self._led = _on_pin(LED, pin, factory)
        self._shown = LampSign.OFF

    def show(self, sign: LampSign) -> None:
        """Give this sign until the next; showing the same again changes nothing."""
        if sign is self._shown or self._led.closed:
            return
        self._shown = sign
        on_s, off_s = sign.value
        if not on_s:
            self._led.off()
        elif not off_s:
            self._led.on()
        else:
            self._led.blink(on_s, off_s)

    def close(self) -> None:
        """Put the lamp out and let go of it; closing twice does no harm."""
        _let_go(self._led)


class BuzzerTone(Enum):
    """What a buzzer with one note says; the value is how long it sounds, in s, and how often."""

    SHORT = (0.07, 1)
    """Understood."""
    LONG = (0.5, 1)
    """Not accepted, or a question."""
    THREE = (0.22, 3)
    """Somebody's last turn."""
    FOUR = (0.09, 4)
    """The end has come in sight."""


_APART_S = 0.1
"""The silence between two of several beeps."""


class Beeper:
    """An active buzzer on one pin."""

    def __init__(self, pin: int, factory: Any) -> None:
        self._buzzer = _on_pin(Buzzer, pin, factory)

    def sound(self, tone: BuzzerTone) -> None:
        """Sound while the program goes on."""
        if not self._buzzer.closed:
            length_s, times = tone.value
            self._buzzer.beep(length_s, _APART_S if times > 1 else 0.0, n=times)

    def close(self) -> None:
        """Be silent and let go of the pin; closing twice does no harm."""
        _let_go(self._buzzer)


Note = tuple[float, float]
"""A note's pitch in Hz, 0 for silence, and its length in s."""
_MIDDLE, _OCTAVES = "A5", 2
"""What a buzzer of notes can give: two octaves up and down from here, 220 to 3520 Hz."""


class TonalBeeper:
    """A passive buzzer on one pin, which gives any note; it plays in a thread of its own."""

    def __init__(self, pin: int, factory: Any) -> None:
        self._buzzer = _on_pin(TonalBuzzer, pin, factory, mid_tone=Pitch(_MIDDLE), octaves=_OCTAVES)
        self._hush = threading.Event()
        self._player: threading.Thread | None = None

    def play(self, notes: Sequence[Note]) -> None:
        """Play notes while the program goes on; what is still playing ends."""
        self._stop()
        if self._buzzer.closed:
            return
        self._hush.clear()
        self._player = threading.Thread(target=self._play, args=(tuple(notes),), name="buzzer", daemon=True)
        self._player.start()

    def _play(self, notes: Sequence[Note]) -> None:
        for hz, length_s in notes:
            if hz:
                self._buzzer.play(Pitch.from_frequency(hz))
            else:
                self._buzzer.stop()
            if self._hush.wait(length_s):
                break
        self._buzzer.stop()

    def _stop(self) -> None:
        self._hush.set()
        if self._player is not None:
            self._player.join()
            self._player = None

    def close(self) -> None:
        """Be silent and let go of the pin; closing twice does no harm."""
        self._stop()
        if not self._buzzer.closed:
            self._buzzer.stop()
            self._buzzer.close()
