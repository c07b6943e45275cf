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
from ui import words
from ui.screen_state import (
    ButtonWords,
    CloseUp,
    MenuScreen,
    Mood,
    PagedScreen,
    PlayScreen,
    ScreenState,
    TablePicture,
    TableScreen,
)
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
        if not isinstance(shown, PagedScreen):
            return shown
        page = moment.cursor.page if shown.near else 0
        buttons = None if shown.mood is Mood.PAUSED else self._buttons(moment, shown)
        return replace(shown, page=page, buttons=buttons)

    def _buttons(self, moment: Moment, shown: ScreenState) -> ButtonWords:
        """What the buttons do on a screen of the game: up opens the menu, where it is not the game's."""
        language = self.screens.language
        up, down = (text and text.said(language) for text in self._arrow_words(moment))
        undo = "←" + words.HOLD_TO_UNDO.said(language) if moment.history.past else ""
        confirm = shown.buttons.confirm if shown.buttons else words.confirm(language, shown.mood)
        return ButtonWords(confirm, back=undo, up=up or words.UP_MENU.said(language), down=down or "")

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

    def _arrow_words(self, moment: Moment) -> tuple[Text | None, Text | None]:
        """What up and down do where it is not the usual."""
        referee = self.judgement.referee
        if not isinstance(referee, ArrowButtons):
            return None, None
        up, down = self.recalls(moment), self.unseen_moves(moment, dict) is not None
        return (
            Text("▲ {does}", does=referee.up_words) if up else None,
            Text("▼ {does}", does=referee.down_words) if down else None,
        )

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

    def _screen(self, moment: Moment) -> ScreenState:
        state, screens, look = moment.state, self.screens, moment.look
        if isinstance(moment.over, Paused):
            return screens.waiting(state, moment.last, Mood.PAUSED)
        if isinstance(moment.over, Menu):
            menu, spot = screens.menu(state, moment.over), moment.over.spot
            if spot is None or not isinstance(menu, MenuScreen):
                return menu
            return replace(menu, picture=self._picture(moment, spots=(spot,)))
        if look.blind is not None:
            mood = look.busy or Mood.BLIND
            return replace(screens.base(state, mood), headline=look.blind.said(screens.language))
        shown = self._table(moment)
        if moves := self.told(moment):
            return screens.telling(shown, [text for text, _ in moves], moment.cursor.chosen)
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
        if isinstance(verdict, Accepted):
            return self.screens.preview(state, verdict)
        if isinstance(verdict, Question):
            picture = self._picture(moment, spots=() if verdict.spot is None else (verdict.spot,))
            return replace(self.screens.would_ask(state, verdict), picture=picture)
        return self._not_yet(moment, verdict, Mood.FAULT)

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
        if isinstance(verdict, Accepted):
            past = moment.history.past
            before = past[-1].before if past and verdict.move is not None and verdict is moment.last else None
            return self.screens.with_reminders(self.screens.accepted(state, verdict, before), state)
        if isinstance(verdict, Question):
            picture = self._picture(moment, spots=() if verdict.spot is None else (verdict.spot,))
            return replace(self.screens.asked(state, verdict, moment.cursor.chosen), picture=picture)
        shown = self._not_yet(moment, verdict, Mood.REFUSED)
        if isinstance(verdict, CantSee) and view is not None and marks_at(view, verdict.spots):
            return replace(shown, buttons=ButtonWords(f"✓ {_NAME_IT.said(self.screens.language)}"))
        return shown

    def _not_yet(self, moment: Moment, verdict: Refused | Waiting | CantSee, mood: Mood) -> PlayScreen | TableScreen:
        """What is wrong or waited for, with the places of what can't be read or is to be moved."""
        state = moment.state
        if isinstance(verdict, CantSee):
            return replace(self.screens.unread(state, verdict), picture=self._picture(moment, spots=verdict.spots))
        shown: PlayScreen | TableScreen
        if isinstance(verdict, Waiting):
            shown = self.screens.not_yet(state, verdict)
        else:
            shown = self._with_whence(moment, self.screens.refused(state, verdict, mood), verdict)
        if isinstance(shown, TableScreen):
            shown = replace(shown, picture=self._picture(moment, verdict.mend))
        return shown

    def _with_whence(self, moment: Moment, shown: TableScreen, verdict: Refused) -> TableScreen:
        """The same screen; where a card can't be, with the turn that brought it elsewhere."""
        if any(line.shown for line in shown.players):
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
        return replace(shown, picture=self._picture(moment, mends))

    def _picture(
        self, moment: Moment, mends: Sequence[Mend] = (), spots: Sequence[Spot] = ()
    ) -> TablePicture | CloseUp | None:
        """The table with everybody's names, with what to put where or what can't be read; a single card close up."""
        view, layout = moment.look.view, self.judgement.layout
        if view is None or not (mends or spots):
            return None
        drawn = self.screens.own.picture(view, layout, mends, spots)
        if drawn is None and spots:
            drawn = spots_picture(layout, spots)
        if drawn is not None:
            lines = self.screens.base(moment.state, Mood.WAITING).players
            to_move = [seat for seat, line in enumerate(lines, 1) if line.to_move]
            names, seat = tuple(line.name for line in lines), to_move[0] if len(to_move) == 1 else None
            drawn = replace(drawn, names=names, to_move=seat)
        seen = self.screens.close_up(spots[0]) if len(spots) == 1 else None
        return drawn if seen is None else CloseUp(seen, drawn)

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
