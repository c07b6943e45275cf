"""The simulated table for the whole program: its camera, its buttons, and players who read the display.

The program sees pictures and button presses and shows screens, exactly as at a real table. The players lay the pages
of a deck that is learnt, lay cards, press confirm, tell moves, answer questions, mend what was refused, and straighten
what can't be seen. They know the truth, and say so where the referee says something else. What lies on the table
outlives the program, as real cards do: players begun again with the same seed go on where they were.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from device.errors import DeviceError
from device.hardware.buttons import Button, ButtonFault, Press
from device.hardware.camera import Picture, Preview
from device.session.session import Session
from device.session.states import Answer
from referee.history import MOVE
from referee.placing import Placed
from referee.simulation import Attempt, Simulation, is_right, leads_right, truth_of
from referee.verdict import Accepted, Question, Refused, Verdict, Waiting
from rules.record import Header
from rules.text import Text, join_sentences
from simulator.camera import OnTheMat
from simulator.course import Course, Progress
from simulator.mat import SimulatedMat, TableCamera
from simulator.teacher import DisagreementError, LayPage, PageLayer
from ui.screen_state import CameraScreen, Mood, ScreenState

if TYPE_CHECKING:
    from device.enrol.learning import Learning

_NOT_YET = {Mood.NOTICE, Mood.HANDS, Mood.READING, Mood.BLIND, Mood.MENU, Mood.PAUSED}
_STRAIGHTENED = 6
_UNSEEN_S = 3.0
"""Hands that the display takes no notice of for so long are taken away all the same."""
_PATIENCE_S = 4.0
"""Who has had no answer for so long presses again, or lays more neatly what should have been noticed."""
_SEATED_S = 8.0
"""So long whoever is asked whether all sit right lets others look, and turn the seats."""
_STUCK_S = 600.0
"""Players who have waited for so long without getting on give up; an emulated machine reads a page for minutes."""


@dataclass(frozen=True, slots=True)
class PlayersPace:
    """How quick the players are, in seconds.

    ``again_s`` is how long after a move nobody presses for the next one without having touched a card: sooner, it
    could be the same person's press.
    """

    hands_s: float = 0.6
    thinks_s: float = 0.8
    again_s: float = 2.1


class Onlooker:
    """Somebody who looks on; this one takes no notice of anything."""

    def note_attempt(self, attempt: Attempt) -> None:
        """Note that this has been done at the table now."""

    def note_question(self, question: Question) -> None:
        """Note that the players are asked, and will choose the true answer."""

    def note_straightened(self, words: str) -> None:
        """Note that what the display says can't be seen is laid out more neatly."""

    def note_left(self, attempt: Attempt) -> None:
        """Note that what the buttons don't offer could not be entered after all."""

    def note_answer(self, attempt: Attempt, text: Text) -> None:
        """Note that the referee has answered rightly, in these words."""

    def note_end(self, session: Session) -> None:
        """Note that the game is over, and its result is right."""


@dataclass
class _Display:
    """What the players read: since when there is a screen of this mood, whether hands were noticed,
    and whether it asks if all sit where it shows."""

    mood: Mood = Mood.NOTICE
    headline: str = ""
    since_s: float = 0.0
    hands_seen: bool = False
    seats: bool = False


@dataclass
class _Sitting:
    """The session of the game that the players sit at, whether they have begun it, and what gives another game."""

    another: Callable[[Header], Simulation] | None
    session: Session | None = None
    begun: bool = False


@dataclass
class _Change:
    """What was done to the table last: whether a card was touched, and whether confirm was pressed since.

    ``before`` is what the referee had answered until then.
    """

    touched: bool = False
    pressed: bool = False
    before: Answer | None = None
    straightened: int = 0


class SimulatedPlayers:
    """Camera, buttons and players of one simulated game at a time.

    ``another`` gives the game that is played where another one is begun, or one that was left goes on; without it the
    players know only the first.
    """

    def __init__(
        self,
        game: Simulation,
        open_camera: Callable[[], TableCamera],
        steps: Progress | None = None,
        pace: PlayersPace | None = None,
        clock: Callable[[], float] = time.monotonic,
        onlooker: Onlooker | None = None,
        lay_page: LayPage | None = None,
        another: Callable[[Header], Simulation] | None = None,
    ) -> None:
        self.session: Callable[[], Session | None] = lambda: None
        """Where the players find the open question, so that they can choose the true answer."""
        self.learning: Callable[[], Learning | None] = lambda: None
        """Where they find the page that is to be laid."""
        self.over = False
        self._pace, self._clock, self._onlooker = pace or PlayersPace(), clock, onlooker or Onlooker()
        self._teacher = PageLayer(lay_page)
        self._course, self._sitting = Course(game, steps), _Sitting(another)
        self._mat = SimulatedMat(open_camera)
        self._mat.laid = _show_lying(game)
        self._got_on = clock()
        # A program that has just started knows of no press before this one.
        self._moved = -math.inf
        self._display, self._change = _Display(since_s=clock()), _Change()
        self._presses: list[Press] = []

    @property
    def game(self) -> Simulation:
        """The game that is played, and all that is hidden in it."""
        return self._course.game

    @property
    def lying(self) -> tuple[Placed, ...]:
        """The cards that the camera sees now, bottom to top."""
        return self._mat.lying.cards

    @property
    def pictured(self) -> OnTheMat:
        """What the last full picture shows."""
        return self._mat.pictured

    # The camera; called from the lookout's thread

    def take_preview(self) -> Preview:
        """Take the small picture of this moment, hands included."""
        return self._mat.take_preview()

    def take_picture(self) -> Picture:
        """Take the full picture of this moment."""
        return self._mat.take_picture()

    # The display, as the players read it

    def read(self, state: ScreenState) -> None:
        """Read what the display shows now."""
        display = self._display
        if state.mood is not display.mood:
            display.since_s = self._clock()
        display.mood, display.headline = state.mood, state.headline
        display.seats = isinstance(state, CameraScreen) and bool(state.view.seats)
        display.hands_seen |= state.mood is Mood.HANDS

    # The buttons, which the players press when they are ready

    def take_presses(self) -> list[Press]:
        """Return the presses since the last call; between two calls the players go on.

        Raises:
            DisagreementError: the referee has said something that isn't so.
            DeviceError: the players can't get on.
        """
        if not self.over:
            self._go_on()
            if self._clock() - self._got_on > _STUCK_S:
                shown = self._display.headline or self._display.mood.value
                raise DeviceError(
                    Text("The simulated players can't get on; the display shows: {shown}", shown=shown),
                )
        presses, self._presses = self._presses, []
        return presses

    @property
    def wants_to_quit(self) -> bool:
        """The simulated players never close a window."""
        return False

    def list_faults(self) -> tuple[ButtonFault, ...]:
        """Return none: simulated buttons have no faults."""
        return ()

    def close(self) -> None:
        """Do nothing: there is nothing to let go of, and closing twice does no harm."""

    def _go_on(self) -> None:
        session, learning = self.session(), self.learning()
        if session is not None and session is not self._sitting.session:
            self._sit_down(session)
        waited, finished = self._clock() - self._display.since_s, self._display.mood is Mood.FINISHED
        if self._mat.hands:
            if waited >= self._pace.hands_s + (0.0 if self._display.hands_seen or learning is not None else _UNSEEN_S):
                self._mat.hands = False
                self._display.since_s = self._clock()
        elif learning is not None:
            self._learn(learning, waited)
        elif session is None and self._sitting.session is not None:
            self._wait_for_a_game(waited)
        elif session is None or self._display.mood is Mood.NOTICE:
            return
        elif not self._sitting.begun:
            self._begin(session)
        elif (attempt := self._course.attempt) is None or (finished and attempt.move is None):
            # What the last move leaves to be taken nobody judges any more, and a press would end the last screen.
            if finished:
                self._finish(session)
        elif waited >= self._pace.thinks_s and self._display.mood not in _NOT_YET:
            self._look(session, attempt, waited)

    def _learn(self, learning: Learning, waited: float) -> None:
        """Lay the page that is wanted and have it looked at; where the deck is known, clear the mat and go on."""
        page, display, teacher = learning.page, self._display, self._teacher
        if page is not None and (cards := teacher.choose_cards(page)) is not None:
            self._put(OnTheMat(cards))
        elif waited >= self._pace.thinks_s:
            if waited > _PATIENCE_S:
                teacher.forget()
            if teacher.should_confirm(page, display.mood, display.headline, self._mat):
                if page is None:
                    self._mat.laid = OnTheMat()
                self._press(Button.CONFIRM)

    # A game

    def _wait_for_a_game(self, waited: float) -> None:
        """Wait after a game was left: whoever chooses the next one takes their time."""
        self._got_on = self._clock()
        if self._display.seats and waited >= _SEATED_S:
            self._press(Button.CONFIRM)

    def _sit_down(self, session: Session) -> None:
        """Lay the cards of another game, where the session is that of one, in place of those that lie there."""
        sitting, accepted, course = self._sitting, len(_list_accepted(session)), self._course
        before, sitting.session = sitting.session, session
        if sitting.another is None or before is None:
            return
        if session.history.header == before.history.header and accepted in (course.moves, course.moves + 1):
            return
        course = self._course = Course(sitting.another(session.history.header), None)
        sitting.begun, self._moved, self._change, self._got_on = False, -math.inf, _Change(), self._clock()
        while course.moves < accepted and course.advance():
            pass
        if course.attempt is None:
            self._put(_show_lying(course.game))
        else:
            sitting.begun = True
            self._onlooker.note_attempt(course.attempt)
            self._lay(None)

    def _look(self, session: Session, attempt: Attempt, waited: float) -> None:
        """React to what the display says about the table as it lies."""
        if self._take_answer(session, attempt):
            return
        if self._display.mood is Mood.CANT_SEE:
            self._straighten()
        elif attempt.unconfirmed:
            if waited > _PATIENCE_S and (attempt.move is not None or attempt.code is not None):
                self._straighten()
        elif self._change.pressed:
            self._change.pressed = waited <= _PATIENCE_S
        elif self._change.touched or self._clock() - self._moved >= self._pace.again_s:
            self._press_for(session, attempt)

    def _take_answer(self, session: Session, attempt: Attempt) -> bool:
        """Return whether the referee has answered to what lies there, and the players go on accordingly."""
        silent = attempt.move is None and attempt.code is None and attempt.told is None
        if silent and not attempt.unconfirmed and not self._change.pressed and self.game.has_noticed(session.agreed):
            # It was confirmed before the program was stopped.
            self._begin_next(session)
            return True
        if silent and attempt.unconfirmed:
            if self.game.has_noticed(session.agreed):
                self._begin_next(session)
                return True
            return False
        accepted = _list_accepted(session)[self._course.moves :]
        if accepted:
            if attempt.move is None or not self.game.is_same(accepted[0], attempt.move):
                raise _disagree(attempt, f"accepted {accepted[0]}")
            self._hear(session, attempt, _word_move(session, accepted[0]))
            return True
        answer = session.judge.answer
        if answer is None or answer is self._change.before:
            return False
        return self._hear_answer(session, attempt, answer.shown)

    def _hear_answer(self, session: Session, attempt: Attempt, verdict: Verdict) -> bool:
        if isinstance(verdict, Question):
            right = [n for n, choice in enumerate(verdict.choices) if leads_right(self.game, choice.verdict, attempt)]
            if not right:
                answers = "; ".join(str(choice.text) for choice in verdict.choices)
                raise _disagree(attempt, f"{verdict.text} {answers}")
            if attempt.told is None:
                self._onlooker.note_question(verdict)
            self._choose(session, right[0], len(verdict.choices))
        elif is_right(self.game, verdict, attempt):
            self._hear(session, attempt, verdict.text)
        elif isinstance(verdict, Refused) and verdict.at_once and attempt.told is not None:
            return False  # what lies there is said anew after a start; the answer to it has yet to be told
        elif isinstance(verdict, Refused):
            codes = ", ".join((verdict.refusal.code, *verdict.refusal.also))
            raise _disagree(attempt, f"refused {codes}: {verdict.text}")
        elif isinstance(verdict, Waiting) and self._change.pressed:
            raise _disagree(attempt, f"waiting: {verdict.text}")
        else:
            return False
        return True

    def _hear(self, session: Session, attempt: Attempt, words: Text) -> None:
        """Go on after the referee has answered rightly."""
        if attempt.move is not None:
            self._moved = self._clock()
        self._onlooker.note_answer(attempt, words)
        self._begin_next(session)

    def _press_for(self, session: Session, attempt: Attempt) -> None:
        """Press confirm or, for a move that is told, choose it first; what can't be told so is left."""
        if attempt.told is None:
            self._press(Button.CONFIRM)
            self._change.before = session.judge.answer
            return
        if find_line(attempt.told, session.referee.list_enterable_moves(session.agreed)) is None:
            if attempt.code is None:
                raise _disagree(attempt, "it can't be told")
            self._onlooker.note_left(attempt)
            self._begin_next(session)
            return
        offered = session.entered_moves
        wanted = find_line(attempt.told, offered)
        if wanted is not None:
            self._choose(session, wanted, len(offered))

    def _choose(self, session: Session, wanted: int, count: int) -> None:
        downs = (wanted - session.make_screen().chosen) % count
        self._presses += [Press(Button.DOWN, at_s=self._clock())] * downs
        self._press(Button.CONFIRM)
        self._change.before = session.judge.answer

    def _press(self, button: Button) -> None:
        self._change.pressed = True
        self._display.since_s = self._clock()
        self._presses.append(Press(button, at_s=self._display.since_s))

    # What the players do to the cards

    def _begin(self, session: Session) -> None:
        """Begin with the table's first change; after a stop of the program, with the one after what lies there."""
        self._sitting.begun = True
        course, accepted = self._course, len(_list_accepted(session))
        if course.is_answered(accepted) and (course.attempt is None or course.attempt.move is not None):
            self._begin_next(session)
        elif accepted != course.moves:
            raise DeviceError(
                Text(
                    "{moves} moves lie on the simulated table, but the game holds {accepted}.",
                    moves=course.moves,
                    accepted=accepted,
                ),
            )

    def _begin_next(self, session: Session) -> None:
        self._change.straightened = 0
        self._got_on = self._clock()
        if self._course.advance():
            assert self._course.attempt is not None, "the course has just gone on to it"
            self._onlooker.note_attempt(self._course.attempt)
            self._lay(session.judge.answer)

    def _lay(self, before: Answer | None) -> None:
        """Pass hands over the mat and leave it as the attempt has it; who enters a move touches nothing."""
        self._course.keep()
        attempt, lying = self._course.attempt, _show_lying(self.game)
        self._change.touched = lying != self._mat.laid
        if self._change.touched or attempt is None or attempt.told is not None:
            # What is said of several things that lie there at once is the answer to each of them.
            self._change.before = before
        if self._change.touched or attempt is None or attempt.told is None:
            self._put(lying)
        else:
            self._change.pressed = False
            self._display.since_s = self._clock()

    def _put(self, lying: OnTheMat) -> None:
        self._mat.laid = lying
        self._mat.hands, self._display.hands_seen, self._change.pressed = True, False, False
        self._display.since_s = self._got_on = self._clock()

    def _straighten(self) -> None:
        """Lay out more neatly what can't be seen, as players do; a few times at most."""
        self._change.straightened += 1
        if self._change.straightened > _STRAIGHTENED:
            raise DisagreementError(
                Text(
                    "What lies on the simulated table can't be seen after {looks} looks: {headline}",
                    looks=_STRAIGHTENED,
                    headline=self._display.headline,
                ),
            )
        self._onlooker.note_straightened(self._display.headline)
        self.game.straighten()
        self._lay(self._change.before)

    def _finish(self, session: Session) -> None:
        true, agreed = self.game.position.outcome, session.position.outcome
        if true is None or agreed is None or (true.points, true.winners) != (agreed.points, agreed.winners):
            raise DisagreementError(
                Text("The simulated game ended {true}, the referee says {agreed}.", true=true, agreed=agreed),
            )
        self.over = True
        self._onlooker.note_end(session)


def find_line(told: Any, offered: Sequence[tuple[Text, Any]]) -> int | None:
    """Return which of the lines enters a move, or leads to it by a question; ``None`` where none does."""

    def leads(line: Any) -> bool:
        if isinstance(line, Question):
            return any(leads(choice.verdict) for choice in line.choices)
        return bool(told == (line.move if isinstance(line, Accepted) else line))

    return next((number for number, (_, line) in enumerate(offered) if leads(line)), None)


def _show_lying(game: Simulation) -> OnTheMat:
    return OnTheMat(game.lying, game.tray)


def _list_accepted(session: Session) -> list[Any]:
    read = session.referee.rules.read_move
    return [read(entry.data["move"]) for entry in session.log.entries if entry.kind == MOVE]


def _word_move(session: Session, move: Any) -> Text:
    """Return a move that was accepted as the display has said it; of several in one look it shows the last alone."""
    shown = session.judge.shown
    if isinstance(shown, Accepted) and shown.move == move:
        return shown.text
    (done,) = [step for step in session.history.past if step.move == move][-1:]
    return join_sentences(session.referee.describe(done))


def _disagree(attempt: Attempt, said: str) -> DisagreementError:
    return DisagreementError(
        Text(
            "On the simulated table lies the {truth}, but the referee said: {said}", truth=truth_of(attempt), said=said
        ),
    )
