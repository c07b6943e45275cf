"""From the state of a session to its screen. It decides nothing, and knows no game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.session.judgement import Judgement
from device.session.manual_label import ELSEWHERE, marks_at
from device.session.screens import Screens
from device.session.states import Answer, Cursor, Look, Over, Paused
from referee.game import ArrowButtons, Check, Referee, Tell
from referee.history import History
from referee.menu import Menu
from referee.state import State
from referee.verdict import Accepted, CantSee, Mend, Question, Refused, Spot, Verdict, Waiting
from rules.text import Text, number
from ui.screen_state import Mood, ScreenState, TablePicture
from ui.table_picture import spots_picture

_MENDED = Text("The table lies as before that turn. When the hidden cards are back too, press confirm.")
_HANDS_AGAIN = Text(
    "The table lies as after that turn. When the hidden cards are back in their hands too, press confirm."
)
_UNREAD = Text("A card can't be read, so the table can't be compared: straighten it, or hold confirm to name it.")
_CHECK = Text("The table has to lie as before that turn.")
_CHECK_AGAIN = Text("The table has to lie as after that turn.")
_OUT_OF_STEP = Text(
    "The table is not as recorded, and no move explains it. Put it right, or hold confirm for other ways."
)
_NAME_IT = Text("Name it")
_AS_AGREED = Text("The table lies as recorded.")


@dataclass(frozen=True)
class Moment:
    """Everything about a session that its screen depends on."""

    history: History
    look: Look
    answer: Answer | None
    cursor: Cursor
    over: Over | None
    comparing: bool
    out_of_step: bool
    last: Accepted | None

    @property
    def state(self) -> State:
        """What is agreed."""
        return self.history.now


@dataclass(frozen=True)
class Presenter:
    """Makes the screen of a moment."""

    screens: Screens
    judgement: Judgement

    def screen(self, moment: Moment) -> ScreenState:
        """The screen, whatever the session is doing."""
        shown = self._screen(moment)
        plain = not shown.choices and shown.mood is not Mood.PAUSED
        # A picture names everybody.
        picture = self._named(shown)
        page = moment.cursor.page if shown.near else shown.page
        up, down = ("", "") if shown.choices or page else self._arrow_words(moment)
        undoable = bool(moment.history.past)
        return replace(shown, undoable=undoable, menu=plain, picture=picture, page=page, up=up, down=down)

    def recalls(self, moment: Moment) -> bool:
        """Whether up takes the last move back."""
        referee, history = self.judgement.referee, moment.history
        if not isinstance(referee, ArrowButtons) or history.check is not None or moment.comparing or not history.past:
            return False
        return referee.recalled(history.past[-1], moment.state, history.future[-1] if history.future else None)

    def unseen_moves(self, moment: Moment, tell: Tell) -> Menu | None:
        """What down asks where a move may have been made that was not seen."""
        referee = self.judgement.referee
        if not isinstance(referee, ArrowButtons) or moment.history.check is not None or moment.comparing:
            return None
        return referee.unseen_moves(moment.state, tell)

    def _arrow_words(self, moment: Moment) -> tuple[str, str]:
        """What up and down do where it is not the usual."""
        referee = self.judgement.referee
        if not isinstance(referee, ArrowButtons) or isinstance(moment.over, Paused):
            return "", ""
        up = self.screens.said(referee.up_words) if self.recalls(moment) else ("",)
        down = self.screens.said(referee.down_words) if self.unseen_moves(moment, dict) is not None else ("",)
        return up[0], down[0]

    @staticmethod
    def _named(shown: ScreenState) -> TablePicture | None:
        if shown.picture is None:
            return None
        to_move = [seat for seat, line in enumerate(shown.players, 1) if line.to_move]
        seat = to_move[0] if len(to_move) == 1 else None
        return replace(shown.picture, names=tuple(line.name for line in shown.players), to_move=seat)

    def told(self, moment: Moment) -> tuple[tuple[Text, Any], ...]:
        """Moves that are told by the buttons now: offered while nothing else is asked and the table lies as agreed."""
        view, moves = moment.look.view, self.judgement.referee.told(moment.state)
        if (
            not moves
            or moment.over is not None
            or moment.comparing
            or moment.history.check is not None
            or moment.history.over
        ):
            return ()
        shown = moment.answer.shown if moment.answer else None
        if isinstance(shown, Question) or (isinstance(shown, CantSee) and shown.at_once) or moment.out_of_step:
            return ()
        if moment.look.blind is not None:
            return ()
        if view is not None and isinstance(self.judgement.verdict(moment.state, view), Accepted):
            return ()
        return moves

    def trouble(self, state: State, words: Text) -> ScreenState:
        """Something hinders the game from outside."""
        return replace(self.screens.base(state, Mood.FAULT), headline=words.said(self.screens.language))

    def _screen(self, moment: Moment) -> ScreenState:
        state, screens, look = moment.state, self.screens, moment.look
        if isinstance(moment.over, Paused):
            return screens.waiting(state, moment.last, Mood.PAUSED)
        if isinstance(moment.over, Menu):
            spot = moment.over.spot
            return self._with_spots(moment, screens.menu(state, moment.over), () if spot is None else (spot,))
        if look.blind is not None:
            mood = look.busy or Mood.BLIND
            return replace(screens.base(state, mood), headline=look.blind.said(screens.language))
        shown = self._table(moment)
        if moves := self.told(moment):
            return replace(
                shown,
                mood=Mood.QUESTION,
                choices=screens.said(*(text for text, _ in moves)),
                chosen=moment.cursor.chosen % len(moves),
            )
        if look.busy is None or moment.history.over:
            return shown
        if shown.put_back:
            # Hands that mend the table still need to see how.
            return replace(shown, mood=look.busy)
        return screens.waiting(state, moment.last, look.busy)

    def _table(self, moment: Moment) -> ScreenState:
        state, view = moment.state, moment.look.view
        if view is not None and moment.history.check is not None:
            return self._check(moment, view, moment.history.check)
        if view is not None and moment.comparing:
            return self._out_of_step(moment, view)
        if moment.history.over:
            return self.screens.finished(state)
        if moment.answer is not None:
            return self._answered(moment, moment.answer)
        if view is None:
            return self._waiting(moment)
        verdict = self.judgement.verdict(state, view)
        if moment.out_of_step:
            return self._out_of_step(moment, view)
        if self._lies_as_agreed(moment, view, verdict):
            return self._waiting(moment)
        shown = self._with_whence(moment, self.screens.preview(state, verdict), verdict)
        return self._with_picture(moment, shown, verdict)

    def _waiting(self, moment: Moment) -> ScreenState:
        if not moment.history.begun:
            return self.screens.before_all(moment.state)
        return self.screens.with_reminders(self.screens.waiting(moment.state, moment.last), moment.state)

    def _answered(self, moment: Moment, answer: Answer) -> ScreenState:
        verdict, state, view = answer.shown, moment.state, moment.look.view
        if answer.offer is not None and isinstance(verdict, Refused):
            return self.screens.offered(state, verdict, answer.offer, moment.cursor.chosen)
        if moment.out_of_step and view is not None:
            return self._out_of_step(moment, view)
        past = moment.history.past
        moved = isinstance(verdict, Accepted) and verdict.move is not None and verdict is moment.last
        before = past[-1].before if past and moved else None
        shown = self.screens.judged(state, verdict, moment.cursor.chosen, before)
        if isinstance(verdict, Accepted):
            return self.screens.with_reminders(shown, state)
        if isinstance(verdict, CantSee) and view is not None and marks_at(view, verdict.spots):
            (name_it,) = self.screens.said(_NAME_IT)
            shown = replace(shown, confirm=name_it)
        return self._with_picture(moment, self._with_whence(moment, shown, verdict), verdict)

    def _with_whence(self, moment: Moment, shown: ScreenState, verdict: Verdict) -> ScreenState:
        """The same screen; where a card can't be, with the turn that brought it elsewhere."""
        if not isinstance(verdict, Refused) or any(line.shown for line in shown.players):
            return shown
        cards = dict.fromkeys(
            str(card) for reason in verdict.reasons if reason.code in ELSEWHERE for card in reason.cards
        )
        told = [whence(self.judgement.referee, moment.history, card) for card in cards]
        return replace(shown, details=(*shown.details, *self.screens.said(*filter(None, dict.fromkeys(told)))))

    def _check(self, moment: Moment, view: Any, check: Check) -> ScreenState:
        comparison = self.judgement.compare(moment.state, view)
        details = _CHECK if check.back else _CHECK_AGAIN
        if comparison.agrees:
            details = _MENDED if check.back else _HANDS_AGAIN
        elif not comparison.told:
            details = _UNREAD
        steps = self.judgement.referee.steps(check, comparison)
        headline = checked(self.judgement.referee, check)
        return self._with_steps(moment, Mood.CHECK, headline, steps, (details,))

    def _out_of_step(self, moment: Moment, view: Any) -> ScreenState:
        """Out of step, or only asked whether: how the table differs from what was agreed."""
        comparison = self.judgement.compare(moment.state, view)
        if comparison.agrees:
            return self._with_steps(moment, Mood.NOTICE, _AS_AGREED, ())
        if not comparison.told:
            return self._with_steps(moment, Mood.OUT_OF_STEP, _UNREAD, ())
        details = (_also_unread(comparison.unread),) if comparison.unread else ()
        return self._with_steps(moment, Mood.OUT_OF_STEP, _OUT_OF_STEP, comparison.mends, details)

    def _with_steps(
        self, moment: Moment, mood: Mood, headline: Text, mends: Sequence[Mend], details: tuple[Text, ...] = ()
    ) -> ScreenState:
        shown = self.screens.with_steps(moment.state, mood, headline, mends, details)
        if moment.look.view is None or not mends:
            return shown
        picture = self.screens.own.picture(moment.look.view, self.judgement.layout, mends)
        return replace(shown, picture=picture)

    def _with_picture(self, moment: Moment, shown: ScreenState, verdict: Verdict) -> ScreenState:
        view, layout, screen = moment.look.view, self.judgement.layout, self.screens.own
        if isinstance(verdict, Question):
            return self._with_spots(moment, shown, () if verdict.spot is None else (verdict.spot,))
        if isinstance(verdict, CantSee):
            return self._with_spots(moment, shown, verdict.spots)
        if view is None or isinstance(verdict, Accepted) or not verdict.mend:
            return shown
        return replace(shown, picture=screen.picture(view, layout, verdict.mend))

    def _with_spots(self, moment: Moment, shown: ScreenState, spots: Sequence[Spot]) -> ScreenState:
        """The same screen, with the places of cards that can't be read, and what is seen of a single one."""
        view, layout = moment.look.view, self.judgement.layout
        if view is None or not spots:
            return shown
        drawn = self.screens.own.picture(view, layout, (), spots) or spots_picture(layout, spots)
        close_up = self.screens.close_up(spots[0]) if len(spots) == 1 else None
        return replace(shown, picture=drawn, close_up=close_up)

    def _lies_as_agreed(self, moment: Moment, view: Any, verdict: Verdict) -> bool:
        """Whether nothing was done yet, so that there is nothing to preview."""
        if isinstance(verdict, Waiting):
            return not verdict.sentences
        if not moment.history.begun:
            return isinstance(verdict, Refused)
        return not isinstance(verdict, Accepted) and self.judgement.compare(moment.state, view).agrees


def checked(referee: Referee, check: Check) -> Text:
    """Which turn was taken back or put back."""
    if check.step.move is None:
        if check.back:
            return Text("Taken back: the position set by hand.")
        return Text("Put back: the position set by hand.")
    turn = referee.describe(check.step)[0]
    if check.back:
        return Text("Taken back: {turn}", turn=turn)
    return Text("Put back: {turn}", turn=turn)


def whence(referee: Referee, history: History, card: str) -> Text | None:
    """The last turn that moved a card for all to see, and how long ago it was; ``None`` where none has."""
    for ago, step in enumerate(reversed(history.past), 1):
        if step.move is not None and card in _names_in(step.move.to_json()):
            turn = referee.describe(step)[0]
            if ago == 1:
                return Text("Last turn: {turn}", turn=turn)
            return Text("{ago} turns ago: {turn}", ago=ago, turn=turn)
    return None


def _names_in(value: Any) -> Iterator[str]:
    """Every text in a record's line, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _names_in(inner)
    elif isinstance(value, Sequence):
        for inner in value:
            yield from _names_in(inner)


def _also_unread(count: int) -> Text:
    cards = number(count)
    return Text("Besides, {cards} can't be read.", cards=cards)
