"""What is heard at the table: a few notes for each thing that players must not miss, through the panel's speaker.

The notes are made here, of a few sines each, so that a speaker as small as a coin still gives them.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from device.hardware.gpio import Note

_LOG = logging.getLogger(__name__)

RATE_HZ = 44_100
_BUFFER = 1024
_LOUD = 0.45
_OVERTONES = ((1, 1.0), (2, 0.35), (3, 0.18))
"""Each partial of a note, and how loud it is."""
_ATTACK_S, _RELEASE_S = 0.006, 0.03


class Cue(Enum):
    """What is told by a sound; the value is how: notes of so many Hz (0: silence) and s."""

    ACCEPTED = ((880.0, 0.07), (1318.5, 0.11))
    """A turn was accepted: up."""
    REFUSED = ((659.3, 0.14), (0.0, 0.03), (466.2, 0.26))
    """A turn was refused: down."""
    QUESTION = ((784.0, 0.09), (0.0, 0.05), (784.0, 0.09))
    """The display asks something: twice the same."""
    END_NEAR = ((523.3, 0.1), (659.3, 0.1), (784.0, 0.1), (1046.5, 0.3))
    """The end has come in sight, and the countdown begins: a chord, note by note."""
    LAST_TURN = ((1046.5, 0.12), (0.0, 0.06), (1046.5, 0.12), (0.0, 0.06), (1046.5, 0.3))
    """Somebody's last turn: three times the same."""
    FINISHED = ((1046.5, 0.14), (784.0, 0.14), (659.3, 0.14), (1046.5, 0.4))
    """The game is over."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes, one after the other."""
        value: tuple[Note, ...] = self.value
        return value

    @property
    def seconds(self) -> float:
        """How long it is."""
        return sum(length for _, length in self.notes)


def make_wave(notes: Sequence[Note]) -> NDArray[np.int16]:
    """Turn notes into samples at ``RATE_HZ``, from -32767 to 32767."""
    parts = [_note(hz, round(length_s * RATE_HZ)) for hz, length_s in notes]
    loudest = sum(loud for _, loud in _OVERTONES)
    return np.round(np.concatenate(parts) * (32767 * _LOUD / loudest)).astype(np.int16)


def _note(hz: float, count: int) -> NDArray[np.float64]:
    at_s = np.arange(count) / RATE_HZ
    if not hz:
        return np.zeros(count)
    sound = np.sum([loud * np.sin(2 * np.pi * hz * partial * at_s) for partial, loud in _OVERTONES], axis=0)
    # It comes and goes softly: a wave that is cut off clicks.
    edges = np.minimum(at_s / _ATTACK_S, (at_s[-1] - at_s) / _RELEASE_S)
    shaped: NDArray[np.float64] = sound * np.clip(edges, 0.0, 1.0)
    return shaped


def _has_sound_card() -> bool:
    """Whether anything could play; ALSA without a card tells the terminal so, line after line."""
    chosen = "SDL_AUDIODRIVER" in os.environ or not sys.platform.startswith("linux")
    return chosen or any(Path("/dev/snd").glob("pcm*p"))


class Speaker:
    """The panel's speaker, or whatever plays sounds here; where nothing does, it is silent and says so in the log."""

    def __init__(self) -> None:
        self._sounds: dict[Cue, Any] = {}
        if not _has_sound_card():
            _LOG.info("nothing sounds through a speaker: there is no sound card")
            return
        try:
            pygame.mixer.init(RATE_HZ, -16, 1, _BUFFER, allowedchanges=0)
            self._sounds = {cue: pygame.mixer.Sound(buffer=make_wave(cue.notes).tobytes()) for cue in Cue}
        except (pygame.error, NotImplementedError, ImportError) as error:  # no sound card, or SDL without a mixer
            _LOG.warning("nothing sounds through a speaker: %s", error)

    @property
    def works(self) -> bool:
        """Whether there is something to hear it through."""
        return bool(self._sounds)

    def sound(self, cue: Cue) -> None:
        """Play it while the program goes on; what is still playing ends."""
        if self._sounds:
            pygame.mixer.stop()
            self._sounds[cue].play()

    def close(self) -> None:
        """Be silent and let go of the speaker; closing twice does no harm."""
        if self._sounds:
            self._sounds = {}
            pygame.mixer.quit()
