"""How far a simulated game has come, also for a program that is killed and begun again."""

from __future__ import annotations

import mmap
import os
from pathlib import Path

from device.errors import DeviceError
from referee.simulation import Attempt, Simulation, SimulationError


class Progress:
    """How far the players have come, in a file of its own that a killed program leaves as it was."""

    def __init__(self, path: Path) -> None:
        """Take up the count in this file, or begin at 0.

        Raises:
            OSError: the file can't be made.
        """
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            os.ftruncate(handle, 8)
            self._bytes = mmap.mmap(handle, 8)
        finally:
            os.close(handle)

    @property
    def count(self) -> int:
        """The number of changes that were made to the table."""
        return int.from_bytes(self._bytes[:8], "little")

    @count.setter
    def count(self, count: int) -> None:
        self._bytes[:8] = count.to_bytes(8, "little")


class Course:
    """How far a simulated game has come: what was done to the table last, and how many moves were answered.

    ``steps`` keeps the count for a program that is killed; a course begun with a count goes on from there.
    """

    def __init__(self, game: Simulation, steps: Progress | None) -> None:
        self.game = game
        self.attempt: Attempt | None = None
        self.moves = 0
        self._attempts = game.play_game()
        self._number, self._steps = 0, steps
        while steps is not None and self._number < steps.count and self.advance():
            pass

    def advance(self) -> bool:
        """Go on to the next change of the table; the one before it was answered rightly.

        Returns:
            whether there is one: there is none after the last.

        Raises:
            DeviceError: the game can't go on.
        """
        if self.attempt is not None and self.attempt.move is not None:
            self.moves += 1
        try:
            self.attempt = next(self._attempts, None)
        except SimulationError as error:
            raise DeviceError(error.text) from error
        self._number += self.attempt is not None
        return self.attempt is not None

    def keep(self) -> None:
        """Keep the change, which lies on the table for good."""
        if self._steps is not None:
            self._steps.count = self._number

    def is_answered(self, accepted: int) -> bool:
        """Return whether a game with ``accepted`` moves has answered what lies there; some moves lie there together."""
        if self.attempt is None or self.attempt.move is None:
            return self.attempt is None or accepted == self.moves
        return accepted > self.moves if self.attempt.unconfirmed else accepted == self.moves + 1
