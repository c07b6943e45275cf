"""Lamp, buzzer and speaker: what sounds when, and that a failure of theirs never stops a game."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.app.plan import Plan
from device.app.signals import Listener, Signals
from device.app.tones import RATE_HZ, Cue, Speaker, make_wave
from device.hardware.buttons import Button
from device.hardware.gpio import TonalBeeper
from device.settings.settings_file import load_settings
from device.settings.values import SignalSettings
from rules.text import Language
from tests.device.house import House
from ui.screen_state import Countdown, Mood, PlayerLine, PlayScreen, ScreenState, Standing

NAMES = ("Hilbert", "Banach", "Noether")


NO_END = Countdown()


def screen(mood: Mood, ending: Countdown = NO_END, to_move: int = 0, headline: str = "") -> ScreenState:
    players = tuple(PlayerLine(name, 3, to_move=number == to_move) for number, name in enumerate(NAMES))
    return PlayScreen(Language.EN, mood, headline, standing=Standing(players, ending))


def heard(*states: ScreenState) -> list[Cue]:
    listener = Listener()
    return [cue for state in states if (cue := listener.hear(state)) is not None]


def until(met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not met() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert met()


def never() -> Any:
    pytest.fail("no pins are set")


@pytest.fixture
def dummy_audio(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    pygame.mixer.quit()
    yield
    pygame.mixer.quit()


class Deaf:
    """A speaker that fails at the first sound."""

    works = True

    def __init__(self) -> None:
        self.asked = 0

    def sound(self, cue: Cue) -> None:
        self.asked += 1
        raise pygame.error("mixer not initialized")

    def close(self) -> None:
        pass


class Heard(Deaf):
    """A speaker that remembers."""

    def __init__(self) -> None:
        super().__init__()
        self.cues: list[Cue] = []

    def sound(self, cue: Cue) -> None:
        self.cues.append(cue)


# What sounds


def test_each_verdict_has_its_sound_once() -> None:
    waiting, hands = screen(Mood.WAITING), screen(Mood.HANDS)
    assert heard(waiting, hands, screen(Mood.PREVIEW), screen(Mood.ACCEPTED)) == [Cue.ACCEPTED]
    assert heard(waiting, screen(Mood.REFUSED), screen(Mood.REFUSED, headline="more")) == [Cue.REFUSED]
    assert heard(waiting, screen(Mood.REFUSED), hands, screen(Mood.REFUSED)) == [Cue.REFUSED, Cue.REFUSED]
    assert heard(waiting, screen(Mood.QUESTION), waiting, screen(Mood.FINISHED)) == [Cue.QUESTION, Cue.FINISHED]
    assert heard(waiting, hands, screen(Mood.FAULT), screen(Mood.MENU)) == []


def test_a_card_that_can_not_be_read_sounds_like_a_fault_once_however_often_hands_come_and_go() -> None:
    unread, hands = screen(Mood.CANT_SEE, headline="the trick"), screen(Mood.HANDS)
    assert heard(screen(Mood.WAITING), unread, hands, screen(Mood.READING), unread) == [Cue.REFUSED]
    assert heard(unread, hands, screen(Mood.CANT_SEE, headline="another")) == [Cue.REFUSED, Cue.REFUSED]
    assert heard(unread, hands, screen(Mood.WAITING), unread) == [Cue.REFUSED, Cue.REFUSED]


def test_what_was_accepted_is_no_news_after_a_menu() -> None:
    first, then = screen(Mood.ACCEPTED, headline="Banach draws."), screen(Mood.ACCEPTED, headline="Noether draws.")
    menu = screen(Mood.MENU)
    assert heard(first, menu, first, screen(Mood.HANDS), replace(first, page=1), then) == [Cue.ACCEPTED] * 2
    assert heard(first, then) == [Cue.ACCEPTED] * 2, "two that settle at once"
    assert heard(first, menu, replace(first, language=Language.JA, headline="引きました。")) == [Cue.ACCEPTED]
    assert heard(first, screen(Mood.CHECK), first) == [Cue.ACCEPTED] * 2, "taken back and made again"


def test_the_end_is_heard() -> None:
    due = Countdown(flag_due=True)
    five = Countdown(5, by_player=(2, 2, 1))
    start = screen(Mood.WAITING)
    assert heard(start, screen(Mood.ACCEPTED, due)) == [Cue.END_NEAR], "reaching 15"
    taken = screen(Mood.ACCEPTED, five, headline="taken")
    assert heard(start, screen(Mood.ACCEPTED, due), screen(Mood.PREVIEW, due), taken) == [Cue.END_NEAR] * 2
    last = [screen(Mood.ACCEPTED, Countdown(n + 1, by_player=(1, 1, 1)), 2 - n, f"turn {n}") for n in (2, 1, 0)]
    assert heard(start, taken, *last) == [Cue.END_NEAR, Cue.LAST_TURN, Cue.LAST_TURN, Cue.LAST_TURN]
    again = (last[0], screen(Mood.HANDS, last[0].ending, 0), screen(Mood.MENU), last[0])
    assert heard(start, taken, *again) == [Cue.END_NEAR, Cue.LAST_TURN], "once for each"
    assert heard(start, taken, last[0], screen(Mood.HANDS, last[0].ending, 0), screen(Mood.REFUSED, last[0].ending, 0))[
        -1:
    ] == [Cue.REFUSED]


def test_a_game_that_goes_on_does_not_begin_with_a_fanfare() -> None:
    assert heard(screen(Mood.WAITING, Countdown(3, by_player=(1, 1, 1)))) == []


# Through what


def test_lamp_and_buzzer_follow_the_screens() -> None:
    pins = MockFactory()
    signals = Signals(SignalSettings(lamp_pin=20, buzzer_pin=21), lambda: pins)
    assert signals.audible
    lamp, buzzer = pins.pin(20), pins.pin(21)
    signals.follow(screen(Mood.WAITING))
    assert lamp.state
    signals.follow(screen(Mood.NOTICE))
    assert not lamp.state
    signals.follow(screen(Mood.ACCEPTED))
    until(lambda: any(state.state for state in buzzer.states))
    signals.follow(screen(Mood.WAITING, Countdown(flag_due=True)))
    before = len(lamp.states)
    until(lambda: len(lamp.states) > before + 2)
    until(lambda: sum(bool(state.state) for state in buzzer.states) >= 4)
    signals.close()
    signals.close()
    silent = Signals(SignalSettings(), never)
    assert not silent.audible
    silent.follow(screen(Mood.REFUSED))
    silent.close()


def test_a_buzzer_of_notes_plays_them() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    signals = Signals(SignalSettings(buzzer_pin=21, buzzer="notes"), lambda: pins)
    signals.follow(screen(Mood.WAITING))
    pin = pins.pin(21)
    played: list[float] = []
    signals.follow(screen(Mood.ACCEPTED))

    def note_both() -> bool:
        if pin.frequency and (not played or abs(played[-1] - pin.frequency) > 1):
            played.append(pin.frequency)
        return len(played) == 2

    until(note_both)
    assert played == pytest.approx([hz for hz, _ in Cue.ACCEPTED.notes], abs=1)
    until(lambda: not pin.frequency)
    signals.close()
    signals.close()


def test_every_note_is_one_that_a_buzzer_has() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    beeper = TonalBeeper(21, pins)
    for cue in Cue:
        beeper.play([(hz, 0.0) for hz, _ in cue.notes])
        player = beeper._player
        assert player is not None
        player.join(5)
        assert not player.is_alive()
    beeper.close()
    beeper.play(Cue.ACCEPTED.notes)
    assert beeper._player is None, "closed is silent"


def test_a_new_sound_ends_the_one_before() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    beeper = TonalBeeper(21, pins)
    beeper.play([(440.0, 60.0)])
    until(lambda: bool(pins.pin(21).frequency))
    begun_s = time.monotonic()
    beeper.play([(880.0, 60.0)])
    until(lambda: abs((pins.pin(21).frequency or 0) - 880) < 1)
    beeper.close()
    assert time.monotonic() - begun_s < 10


@pytest.mark.usefixtures("dummy_audio")
def test_the_speaker_plays_every_cue_and_closes() -> None:
    speaker = Speaker()
    assert speaker.works
    for cue in Cue:
        speaker.sound(cue)
        assert pygame.mixer.get_busy()
        assert speaker._sounds[cue].get_length() == pytest.approx(cue.seconds, abs=0.01)
    speaker.close()
    speaker.close()
    speaker.sound(Cue.ACCEPTED)
    assert pygame.mixer.get_init() is None


def test_without_a_sound_card_nothing_sounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    pygame.mixer.quit()
    signals = Signals(SignalSettings(), never, Speaker)
    assert not signals.audible
    signals.follow(screen(Mood.ACCEPTED))
    signals.close()


def test_sounds_are_soft_at_both_ends_and_never_too_loud() -> None:
    for cue in Cue:
        samples = make_wave(cue.notes).astype(float)
        assert len(samples) == pytest.approx(cue.seconds * RATE_HZ, abs=4)
        assert 8000 < np.abs(samples).max() < 20000
        assert max(abs(samples[0]), abs(samples[-1])) < 50
        assert np.abs(np.diff(samples)).max() < 6000, "no click"
        spectrum = np.abs(np.fft.rfft(make_wave(cue.notes[-1:]).astype(float)))
        assert np.argmax(spectrum) * RATE_HZ / len(make_wave(cue.notes[-1:])) == pytest.approx(
            cue.notes[-1][0], rel=0.03
        )


def test_the_setting_silences_all_and_the_speaker_can_be_left_out() -> None:
    speaker = Heard()
    signals = Signals(SignalSettings(sounds=False), never, lambda: speaker)  # type: ignore[arg-type, return-value]
    signals.follow(screen(Mood.WAITING))
    signals.follow(screen(Mood.ACCEPTED))
    assert speaker.cues == []
    signals.sounds = True
    signals.follow(screen(Mood.REFUSED))
    assert speaker.cues == [Cue.REFUSED]
    without = Signals(SignalSettings(speaker=False), never, lambda: pytest.fail("it is not wanted"))
    assert not without.audible


def test_a_sound_that_fails_is_the_last_one(caplog: pytest.LogCaptureFixture) -> None:
    deaf = Deaf()
    signals = Signals(SignalSettings(), never, lambda: deaf)  # type: ignore[arg-type, return-value]
    signals.follow(screen(Mood.REFUSED))
    signals.follow(screen(Mood.ACCEPTED))
    assert deaf.asked == 1
    assert not signals.audible
    assert "a sound failed" in caplog.text
    signals.close()


def test_a_lamp_that_fails_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    signals = Signals(SignalSettings(lamp_pin=20), MockFactory)
    assert signals._lamp is not None

    def fail(sign: object) -> None:
        raise OSError("the chip is gone")

    monkeypatch.setattr(signals._lamp, "show", fail)
    signals.follow(screen(Mood.WAITING))
    signals.follow(screen(Mood.ACCEPTED))
    signals.close()


# At the table


def test_a_line_of_the_games_menu_silences_all(tmp_path: Path) -> None:
    house = House(tmp_path, plan=Plan("laminate", NAMES, {"first_seat": 1}, "mine"))
    house.start()
    try:
        house.mood(Mood.WAITING)
        signals = house.app._equipment.signals
        house.press(Button.CONFIRM, long=True)
        assert "Turn the sound off" not in house.mood(Mood.MENU).choices, "nothing sounds here"
        house.press(Button.BACK)
        speaker = Heard()
        signals._sounding.append(speaker)
        house.press(Button.CONFIRM, long=True)
        house.mood(Mood.MENU)
        house.choose("Turn the sound off")
        house.mood(Mood.WAITING)
        assert not signals.sounds
        assert not load_settings(tmp_path).signals.sounds
        house.set_up()
        assert speaker.cues == []
        house.press(Button.CONFIRM, long=True)
        house.mood(Mood.MENU)
        house.choose("Turn the sound on")
        house.discards("C9")
        house.until(lambda screen: screen.mood is Mood.PREVIEW)
        house.press(Button.CONFIRM)
        house.mood(Mood.ACCEPTED)
        assert speaker.cues == [Cue.ACCEPTED]
        assert load_settings(tmp_path).signals.sounds
    finally:
        house.stop()
