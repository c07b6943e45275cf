"""What lamp, buzzer and speaker say about a screen, for players who are not looking at it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from device.app.tones import Cue, Speaker
from device.hardware.gpio import Beeper, BuzzerTone, Lamp, LampSign, TonalBeeper
from device.settings.values import SignalSettings
from ui.parts.far import ends_now, is_last_turn
from ui.screen_state import Mood, ScreenState

_LOG = logging.getLogger(__name__)

SIGNS: dict[Mood, LampSign] = {
    Mood.WAITING: LampSign.READY,
    Mood.PREVIEW: LampSign.READY,
    Mood.QUESTION: LampSign.QUESTION,
    Mood.FAULT: LampSign.FAULT,
    Mood.REFUSED: LampSign.FAULT,
    Mood.CANT_SEE: LampSign.FAULT,
    Mood.OUT_OF_STEP: LampSign.FAULT,
    Mood.CHECK: LampSign.FAULT,
    Mood.BLIND: LampSign.FAULT,
}
CUES: dict[Mood, Cue] = {
    Mood.REFUSED: Cue.REFUSED,
    Mood.CANT_SEE: Cue.REFUSED,
    Mood.QUESTION: Cue.QUESTION,
    Mood.FINISHED: Cue.FINISHED,
}
TONES: dict[Cue, BuzzerTone] = {
    Cue.ACCEPTED: BuzzerTone.SHORT,
    Cue.REFUSED: BuzzerTone.LONG,
    Cue.QUESTION: BuzzerTone.LONG,
    Cue.END_NEAR: BuzzerTone.FOUR,
    Cue.LAST_TURN: BuzzerTone.THREE,
    Cue.FINISHED: BuzzerTone.LONG,
}
"""How a buzzer with one note of its own says it."""
_ENDING = (Mood.WAITING, Mood.ACCEPTED)
"""Moods in which the lamp says that the end is near; in others it has something more urgent to say."""

_BUSY = (Mood.HANDS, Mood.READING)
"""Moods that come between two looks, whatever is said of the table."""


@dataclass(frozen=True)
class _Buzzer:
    """A buzzer of one note or many, which gives a cue in its way."""

    sound: Callable[[Cue], None]
    close: Callable[[], None]


class Listener:
    """Tells from one screen after the other what has happened that must be heard."""

    def __init__(self) -> None:
        self._mood: Mood | None = None
        self._unseen = ""
        self._accepted: ScreenState | None = None
        self._last_of: str | None = None
        self._stage: int | None = None

    def hear(self, state: ScreenState) -> Cue | None:
        """Choose what sounds as this screen comes up, if anything."""
        ending = self._signal_ending(state)
        usual = self._signal_usual(state)
        self._mood = state.mood
        return usual if usual in (Cue.FINISHED, Cue.REFUSED, Cue.QUESTION) else ending or usual

    def _signal_usual(self, state: ScreenState) -> Cue | None:
        if state.mood is Mood.CHECK:
            # The same turn may be made again, and is news again.
            self._accepted = None
        if state.mood is Mood.ACCEPTED:
            # A screen that comes back after a menu or a hand, or in the other language, is no news.
            before, self._accepted = self._accepted, state
            same = before is not None and (before.headline, before.players) == (state.headline, state.players)
            told = before is not None and before.language is not state.language
            return None if same or told else Cue.ACCEPTED
        unseen = self._unseen
        if state.mood not in _BUSY:
            self._unseen = state.headline if state.mood is Mood.CANT_SEE else ""
        if state.mood is Mood.CANT_SEE:
            # Hands come and go while a card lies there unread: that was said.
            return CUES[state.mood] if state.headline != unseen else None
        return CUES.get(state.mood) if state.mood is not self._mood else None

    def _signal_ending(self, state: ScreenState) -> Cue | None:
        """Signal the end in sight, its countdown, everybody's last turn, each once; nothing in a resumed game."""
        if not state.players or state.mood in (Mood.MENU, Mood.PREVIEW, Mood.FINISHED):
            return None
        ending = state.ending
        stage = 2 if ending.turns_left is not None else int(ending.flag_due)
        before, self._stage = self._stage, stage
        last_of = state.to_move if is_last_turn(state) else None
        last_before, self._last_of = self._last_of, last_of
        if before is None:
            return None
        if last_of is not None and last_of != last_before:
            return Cue.LAST_TURN
        return Cue.END_NEAR if stage > before else None


class Signals:
    """Lamp, buzzer and speaker, as far as there are any; the pins are only opened where one is set.

    What fails while a game is played is said in the log, once, and is not used any more.
    """

    def __init__(
        self,
        wanted: SignalSettings,
        open_pins: Callable[[], Any],
        open_speaker: Callable[[], Speaker] | None = None,
    ) -> None:
        """Open what is wanted; raise ``DeviceError`` where the pins can't be used."""
        self._lamp = Lamp(wanted.lamp_pin, open_pins()) if wanted.lamp_pin is not None else None
        self._sounding: list[_Buzzer | Speaker] = []
        if wanted.buzzer_pin is not None and wanted.buzzer == "notes":
            notes = TonalBeeper(wanted.buzzer_pin, open_pins())
            self._sounding.append(_Buzzer(lambda cue: notes.play(cue.notes), notes.close))
        elif wanted.buzzer_pin is not None:
            beeper = Beeper(wanted.buzzer_pin, open_pins())
            self._sounding.append(_Buzzer(lambda cue: beeper.sound(TONES[cue]), beeper.close))
        if open_speaker is not None and wanted.speaker:
            speaker = open_speaker()
            self._sounding += [speaker] if speaker.works else []
        self.sounds = wanted.sounds
        """Whether anything sounds at all."""
        self._listener = Listener()

    @property
    def audible(self) -> bool:
        """Whether there is anything to sound with."""
        return bool(self._sounding)

    def follow(self, state: ScreenState) -> None:
        """Follow the screen that the display shows now."""
        cue = self._listener.hear(state)
        if self._lamp is not None:
            self._show(self._lamp, _sign(state))
        if cue is not None and self.sounds:
            for device in tuple(self._sounding):
                try:
                    device.sound(cue)
                except Exception as error:  # a game goes on without a sound, whatever library failed
                    _LOG.error("a sound failed: %s", error)
                    self._sounding.remove(device)

    def _show(self, lamp: Lamp, sign: LampSign) -> None:
        try:
            lamp.show(sign)
        except Exception as error:  # and without a lamp
            _LOG.error("the lamp failed: %s", error)
            self._lamp = None

    def close(self) -> None:
        """Let go of all of them; closing twice does no harm."""
        for device in (self._lamp, *self._sounding):
            if device is not None:
                device.close()


def _sign(state: ScreenState) -> LampSign:
    if state.mood in _ENDING and (ends_now(state) or is_last_turn(state)):
        return LampSign.END
    return SIGNS.get(state.mood, LampSign.OFF)
