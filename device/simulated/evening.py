"""An evening at the simulated table for the whole program: its camera, its buttons, and players who read the display.

The program sees pictures and button presses and shows screens, exactly as at a real table. The players lay cards,
press confirm, answer questions, mend what was refused, and straighten what can't be seen. What lies on the table
outlives the program, as real cards do: an evening begun again with the same seed goes on where it was.
"""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from device.errors import DeviceError
from device.hardware.buttons import Button, ButtonFault, Press
from device.hardware.camera import Picture, Preview
from device.session.session import Session
from referee.history import MOVE
from referee.placing import Placed, Tray
from referee.simulation import Attempt, Simulation, SimulationError, is_right, tray_of, truth_of
from referee.verdict import Refused
from ui.screen_state import Mood, ScreenState

_NOT_YET = {Mood.NOTICE, Mood.HANDS, Mood.READING, Mood.BLIND, Mood.MENU, Mood.PAUSED}
_STRAIGHTENED = 6
_UNSEEN_S = 3.0
"""Hands that the display takes no notice of for so long are taken away all the same."""
_PATIENCE_S = 4.0
"""Who has had no answer for so long presses again."""


class TableCamera(Protocol):
    """A simulated camera: it can be shown a table, and hands above it."""

    hands: bool

    def show(self, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        """From now on these cards lie there, and these dice in the tray."""
        ...

    def preview(self) -> Preview:
        """As every camera."""
        ...

    def picture(self) -> Picture:
        """As every camera."""
        ...


class Steps:
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


@dataclass(frozen=True, slots=True)
class Pace:
    """How quick the players are, in seconds."""

    hands_s: float = 0.6
    thinks_s: float = 0.8


class Mat:
    """What the camera sees of a simulated game: the cards as the players left them, and their hands above.

    Changed in the players' thread and looked at in the camera's, where a table that was changed meanwhile is taken
    over.
    """

    def __init__(self, open_camera: Callable[[], TableCamera]) -> None:
        self.laid: tuple[Placed, ...] = ()
        self.tray: Tray | None = None
        self.hands = False
        self._open_camera = open_camera
        self._camera: TableCamera | None = None
        self._shown: tuple[Placed, ...] | None = None

    @property
    def lying(self) -> tuple[Placed, ...]:
        """The cards that the camera sees now, bottom to top."""
        return self._shown or ()

    def camera(self) -> TableCamera:
        """The camera before the table of this moment."""
        if self._camera is None:
            self._camera = self._open_camera()
        if self.laid is not self._shown:
            laid = self.laid
            self._camera.show(laid, self.tray)
            self._shown = laid
        self._camera.hands = self.hands
        return self._camera


class Course:
    """How far a simulated game has come: what was done to the table last, and how many moves were answered.

    ``steps`` keeps the count for a program that is killed; a course begun with a count goes on from there.
    """

    def __init__(self, game: Simulation, steps: Steps | None) -> None:
        self.game = game
        self.attempt: Attempt | None = None
        self.moves = 0
        self._attempts = game.attempts()
        self._number, self._steps = 0, steps
        while steps is not None and self._number < steps.count:
            self.advance()

    def advance(self) -> None:
        """Go on to the next change of the table; the one before it was answered rightly.

        Raises:
            DeviceError: the game can't go on.
        """
        if self.attempt is not None and self.attempt.move is not None:
            self.moves += 1
        try:
            self.attempt = next(self._attempts, None) or self.attempt
        except SimulationError as error:
            raise DeviceError(error.words.en, error.words.ja) from error
        self._number += 1

    def keep(self) -> None:
        """The change lies on the table: it is there for good."""
        if self._steps is not None:
            self._steps.count = self._number

    def answered(self, accepted: int) -> bool:
        """Whether a game that holds so many moves has answered what lies there; some moves lie there together."""
        if self.attempt is None or self.attempt.move is None:
            return self.attempt is None or accepted == self.moves
        return accepted > self.moves if self.attempt.unconfirmed else accepted == self.moves + 1


class Evening:
    """Camera, buttons and players of one simulated game."""

    def __init__(
        self,
        game: Simulation,
        open_camera: Callable[[], TableCamera],
        steps: Steps | None = None,
        pace: Pace | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session: Callable[[], Session | None] = lambda: None
        """Where the players find the open question, so that they can choose the true answer."""
        self.over = False
        self._pace, self._clock = pace or Pace(), clock
        self._course = Course(game, steps)
        self._mat = Mat(open_camera)
        self._mat.tray, self._mat.laid = tray_of(game), game.lying
        self._begun = False
        self._since = clock()
        self._hands_seen = self._pressed = False
        self._straightened = 0
        self._mood = Mood.NOTICE
        self._presses: list[Press] = []

    @property
    def game(self) -> Simulation:
        """The game that is played, and all that is hidden in it."""
        return self._course.game

    @property
    def lying(self) -> tuple[Placed, ...]:
        """The cards that the camera sees now, bottom to top."""
        return self._mat.lying

    # The camera; called from the lookout's thread

    def preview(self) -> Preview:
        """The small picture of this moment, hands included."""
        return self._mat.camera().preview()

    def picture(self) -> Picture:
        """The full picture of this moment."""
        return self._mat.camera().picture()

    # The display, as the players read it

    def read(self, state: ScreenState) -> None:
        """The display shows this now."""
        if state.mood is not self._mood:
            self._since = self._clock()
        self._mood = state.mood
        self._hands_seen |= state.mood is Mood.HANDS

    # The buttons, which the players press when they are ready

    def pressed(self) -> list[Press]:
        """The presses since the last call; between two calls the players go on.

        Raises:
            DeviceError: the referee has said something that isn't so.
        """
        self._go_on()
        presses, self._presses = self._presses, []
        return presses

    @property
    def wants_to_quit(self) -> bool:
        """The simulated players never close a window."""
        return False

    def faults(self) -> tuple[ButtonFault, ...]:
        """Simulated buttons have none."""
        return ()

    def close(self) -> None:
        """Nothing to let go of; closing twice does no harm."""

    def _go_on(self) -> None:
        session = self.session()
        if self.over or session is None or self._mood is Mood.NOTICE:
            return
        attempt = self._course.attempt
        if not self._begun or attempt is None:
            self._begin(session)
            return
        waited = self._clock() - self._since
        if self._mood is Mood.FINISHED:
            self._finish(session)
        elif self._mat.hands:
            if waited >= self._pace.hands_s + (0.0 if self._hands_seen else _UNSEEN_S):
                self._mat.hands = False
                self._since = self._clock()
        elif self._mood in _NOT_YET or waited < self._pace.thinks_s:
            return
        elif self._mood is Mood.CANT_SEE:
            self._straighten()
        elif attempt.unconfirmed:
            if self._noticed(session, attempt):
                self._next()
        elif self._is_no_move(attempt) and self.game.has_noticed(session.agreed):
            self._next()
        elif not self._pressed:
            self._press_for(session, attempt)
        elif not self._heard(session, attempt) and waited > _PATIENCE_S:
            self._pressed = False

    @staticmethod
    def _is_no_move(attempt: Attempt) -> bool:
        """Whether confirm is pressed for what is right and no move of its own."""
        return attempt.move is None and attempt.code is None and attempt.told is None

    def _press_for(self, session: Session, attempt: Attempt) -> None:
        """Press confirm or, for a move that is told, choose it first; what can't be told so is left."""
        if attempt.told is None:
            self._press(Button.CONFIRM)
            return
        moves = [move for _, move in session.referee.told(session.agreed)]
        if attempt.told not in moves:
            self._next()
            return
        self._presses += [Press(Button.DOWN, at_s=self._clock())] * moves.index(attempt.told)
        self._press(Button.CONFIRM)

    def _noticed(self, session: Session, attempt: Attempt) -> bool:
        """Whether what was done without a press has been taken in, or has been found wrong."""
        if attempt.code is not None:
            return isinstance(session.shown, Refused)
        if attempt.move is None:
            return self.game.has_noticed(session.agreed)
        accepted = _accepted(session)[self._course.moves :]
        if accepted and not self.game.same(accepted[0], attempt.move):
            raise _disagree(attempt, f"accepted {accepted[0]}")
        return bool(accepted)

    def _press(self, button: Button) -> None:
        self._pressed = True
        self._since = self._clock()
        self._presses.append(Press(button, at_s=self._since))

    def _heard(self, session: Session, attempt: Attempt) -> bool:
        """Whether the referee has answered to confirm, and the players go on accordingly."""
        if (question := session.question) is not None:
            right = [n for n, choice in enumerate(question.choices) if is_right(self.game, choice.verdict, attempt)]
            if not right:
                raise _disagree(attempt, question.text.en)
            self._presses += [Press(Button.DOWN, at_s=self._clock())] * right[0]
            self._press(Button.CONFIRM)
        elif len(accepted := _accepted(session)) > self._course.moves:
            if attempt.move is None or not self.game.same(accepted[-1], attempt.move):
                raise _disagree(attempt, f"accepted {accepted[-1]}")
            self._next()
        elif self._mood is Mood.REFUSED:
            if attempt.code is None:
                raise _disagree(attempt, "refused")
            self._next()
        else:
            return False
        return True

    # What the players do to the cards

    def _begin(self, session: Session) -> None:
        """The first change of the table; or, after a stop of the program, the one after what lies there and is kept."""
        self._begun = True
        course, accepted = self._course, len(_accepted(session))
        if course.answered(accepted) and (course.attempt is None or course.attempt.move is not None):
            self._next()
        elif accepted != course.moves:
            raise DeviceError(
                f"{course.moves} moves lie on the simulated table, but the game holds {accepted}.",
                f"シミュレーションの卓では{course.moves}手進んでいますが、記録は{accepted}手です。",
            )

    def _next(self) -> None:
        self._course.advance()
        self._straightened = 0
        self._lay()

    def _lay(self) -> None:
        """Hands go over the mat and leave it as the attempt has it."""
        self._course.keep()
        self._mat.tray, self._mat.laid = tray_of(self.game), self.game.lying
        self._mat.hands, self._hands_seen, self._pressed = True, False, False
        self._since = self._clock()

    def _straighten(self) -> None:
        """What can't be seen is laid out more neatly, as players do; a few times at most."""
        self._straightened += 1
        if self._straightened > _STRAIGHTENED:
            raise DeviceError(
                f"What lies on the simulated table can't be seen after {_STRAIGHTENED} looks.",
                f"シミュレーションの卓を{_STRAIGHTENED}回見直しても読み取れません。",
            )
        self.game.straighten()
        self._lay()

    def _finish(self, session: Session) -> None:
        self._course.advance()
        true, agreed = self.game.position.outcome, session.position.outcome
        if true is None or agreed is None or (true.points, true.winners) != (agreed.points, agreed.winners):
            raise DeviceError(
                f"The simulated game ended {true}, the referee says {agreed}.",
                f"シミュレーションの結果は{true}ですが、審判の判定は{agreed}です。",
            )
        self.over = True


def _accepted(session: Session) -> list[Any]:
    read = session.referee.rules.read_move
    return [read(entry.data["move"]) for entry in session.entries if entry.kind == MOVE]


def _disagree(attempt: Attempt, said: str) -> DeviceError:
    true = truth_of(attempt)
    return DeviceError(
        f"On the simulated table lies the {true}, but the referee said: {said}.",
        f"シミュレーションの卓には{attempt.move or attempt.code}がありますが、審判は「{said}」と判定しました。",
    )
