"""What lamp and buzzer say about a screen, for players who are not looking at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device.hardware.gpio import Beeper, Lamp, Sign, Tone
from device.settings.values import SignalSettings
from ui.screen_state import Mood

SIGNS: dict[Mood, Sign] = {
    Mood.WAITING: Sign.READY,
    Mood.PREVIEW: Sign.READY,
    Mood.QUESTION: Sign.QUESTION,
    Mood.FAULT: Sign.FAULT,
    Mood.REFUSED: Sign.FAULT,
    Mood.CANT_SEE: Sign.FAULT,
    Mood.OUT_OF_STEP: Sign.FAULT,
    Mood.CHECK: Sign.FAULT,
    Mood.BLIND: Sign.FAULT,
}
TONES: dict[Mood, Tone] = {
    Mood.ACCEPTED: Tone.SHORT,
    Mood.REFUSED: Tone.LONG,
    Mood.QUESTION: Tone.LONG,
    Mood.FINISHED: Tone.LONG,
}


class Signals:
    """Lamp and buzzer, as far as there are any; the pins are only opened where one is set."""

    def __init__(self, wanted: SignalSettings, open_pins: Callable[[], Any]) -> None:
        """Raises ``DeviceError`` where the pins can't be used."""
        self._lamp = Lamp(wanted.lamp_pin, open_pins()) if wanted.lamp_pin is not None else None
        self._beeper = Beeper(wanted.buzzer_pin, open_pins()) if wanted.buzzer_pin is not None else None
        self.sounds = wanted.sounds
        """Whether anything sounds at all."""
        self._mood: Mood | None = None

    def follow(self, mood: Mood) -> None:
        """The display shows a screen of this mood."""
        if mood is self._mood:
            return
        self._mood = mood
        if self._lamp is not None:
            self._lamp.show(SIGNS.get(mood, Sign.OFF))
        if self._beeper is not None and self.sounds and mood in TONES:
            self._beeper.sound(TONES[mood])

    def close(self) -> None:
        """Let go of both; closing twice does no harm."""
        for device in (self._lamp, self._beeper):
            if device is not None:
                device.close()
