"""From the state of a session to its screen. It decides nothing, and knows no game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.session.judge import Judge
from device.session.lessons import NO_LESSONS, Lessons, with_lessons, with_rules
from device.session.manual_label import ELSEWHERE, marks_at
from device.session.screens import Screens
from device.session.states import Answer, Cursor, Over, Paused
from referee.game import ArrowButtons, Check, Referee, Tell
from referee.history import History
from referee.menu import Menu
from referee.state import AgreedState
from referee.verdict import Accepted, CantSee, Mend, Question, Refused, Spot, Verdict, Waiting
from rules.text import Text, say_number
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
_SAYS_FIRST = (Mood.PREVIEW, Mood.ACCEPTED, Mood.REFUSED, Mood.QUESTION)
_SAYS = (*_SAYS_FIRST, Mood.FAULT, Mood.CANT_SEE, Mood.OUT_OF_STEP, Mood.CHECK, Mood.FINISHED)
"""Moods of a screen that nothing may hide."""
_NAME_IT = Text("Name it")
_AS_AGREED = Text("The table lies as recorded.")


@dataclass(frozen=True)
class Presenter:
    """Makes the screen of a moment: of what the judge says, what is chosen and open, and what lies over the game."""

    screens: Screens
    judge: Judge
    cursor: Cursor
    over: Over | None
    comparing: bool
    lessons: Lessons = NO_LESSONS

    @property
    def state(self) -> AgreedState:
        """What is agreed."""
        return self.judge.history.now

    def make_screen(self) -> ScreenState:
        """Make the screen, whatever the session is doing."""
        shown = self._choose_screen()
        if not isinstance(shown, PagedScreen):
            return shown
        page = self.cursor.page if shown.near else 0
        buttons = None if shown.mood is Mood.PAUSED else self._label_buttons(shown)
        return replace(shown, page=page, buttons=buttons)

    def says_something(self) -> bool:
        """Tell whether the referee has more to say than whose turn it is: before the first turn, that it can begin."""
        moods = _SAYS if self.judge.history.begun else _SAYS_FIRST
        return self.make_screen().mood in moods

    def _label_buttons(self, shown: ScreenState) -> ButtonWords:
        """Say what the buttons do on a screen of the game: up opens the menu, where it is not the game's."""
        referee, language = self.judge.referee, self.screens.language
        confirm = shown.buttons.confirm if shown.buttons else words.confirm(language, shown.mood)
        up, down = words.UP_MENU, Text()
        if isinstance(referee, ArrowButtons):
            up = Text("▲ {does}", does=referee.up_words) if self.can_recall() else up
            down = Text("▼ {does}", does=referee.down_words) if self.unseen_moves(dict) is not None else down
        undo = "←" + words.HOLD_TO_UNDO.said(language) if self.judge.history.past else ""
        return ButtonWords(confirm, back=undo, up=up.said(language), down=down.said(language))

    def can_recall(self) -> bool:
        """Tell whether up takes the last move back."""
        referee, history = self.judge.referee, self.judge.history
        if not isinstance(referee, ArrowButtons) or history.check is not None or self.comparing or not history.past:
            return False
        return referee.can_recall(history.past[-1], self.state, history.future[-1] if history.future else None)

    def unseen_moves(self, tell: Tell) -> Menu | None:
        """Ask, after a press of down, which move was made that was not seen, where one may have been."""
        referee = self.judge.referee
        if not isinstance(referee, ArrowButtons) or self.judge.history.check is not None or self.comparing:
            return None
        return referee.unseen_moves(self.state, tell)

    def list_entered_moves(self) -> tuple[tuple[Text, Any], ...]:
        """List the moves to enter with the buttons: while nothing else is asked and the table lies as agreed."""
        judge, moves = self.judge, self.judge.entered_moves
        aside = self.over is not None or self.comparing or judge.history.check is not None or judge.history.over
        asked = judge.question is not None or (isinstance(judge.shown, CantSee) and judge.shown.at_once)
        if not moves or aside or asked or judge.out_of_step or judge.look.blind is not None:
            return ()
        return () if judge.view is not None and isinstance(judge.verdict, Accepted) else moves

    def _choose_screen(self) -> ScreenState:
        state, screens, look = self.state, self.screens, self.judge.look
        if isinstance(self.over, Paused):
            return screens.show_waiting(state, self.judge.last, Mood.PAUSED)
        if isinstance(self.over, Menu):
            menu = screens.show_menu(state, self.over)
            picture = self.over.code or self._draw_spot(self.over.spot)
            return replace(menu, picture=picture) if isinstance(menu, MenuScreen) else menu
        if look.blind is not None:
            mood = look.busy or Mood.BLIND
            return replace(screens.make_base(state, mood), headline=look.blind.said(screens.language))
        shown = self._show_table()
        if moves := self.list_entered_moves():
            return screens.offer_moves(shown, [text for text, _ in moves], self.cursor.chosen)
        if look.busy is None or self.judge.history.over:
            return shown
        if shown.put_back:
            # Hands that mend the table still need to see how.
            return replace(shown, mood=look.busy)
        return screens.show_waiting(state, self.judge.last, look.busy)

    def _show_table(self) -> ScreenState:
        state, view = self.state, self.judge.view
        if view is not None and self.judge.history.check is not None:
            return self._check(self.judge.history.check)
        if view is not None and self.comparing:
            return self._out_of_step()
        if self.judge.history.over:
            return self.screens.show_finished(state)
        if self.judge.answer is not None:
            return self._show_answer(self.judge.answer)
        if view is None:
            return self._show_waiting()
        verdict = self.judge.verdict
        if self.judge.out_of_step:
            return self._out_of_step()
        if self._lies_as_agreed(verdict):
            return self._show_waiting()
        if isinstance(verdict, Accepted):
            return self.screens.show_preview(state, verdict)
        if isinstance(verdict, Question):
            screen, said = self.screens.make_base(state, Mood.PREVIEW), verdict.text.said(self.screens.language)
            return screen.turn_into(
                TableScreen, headline=said, brief=screen.brief, picture=self._draw_spot(verdict.spot)
            )
        return self._not_yet(verdict, Mood.FAULT)

    def _show_waiting(self) -> ScreenState:
        if not self.judge.history.begun:
            return self._teach(self.screens.show_setup(self.state))
        waiting = self.screens.show_waiting(self.state, self.judge.last)
        return self._teach(self.screens.with_reminders(waiting, self.state))

    def _teach(self, screen: PlayScreen) -> PlayScreen:
        if self.list_entered_moves():
            # The answers to choose from say what may be done, and want the room.
            return screen
        return with_lessons(screen, self.lessons, self.screens, self.judge.history)

    def _show_answer(self, answer: Answer) -> ScreenState:
        verdict, state, view = answer.shown, self.state, self.judge.view
        if answer.offer is not None and isinstance(verdict, Refused):
            return self.screens.show_offer(state, verdict, answer.offer, self.cursor.chosen)
        if self.judge.out_of_step and view is not None:
            return self._out_of_step()
        if isinstance(verdict, Accepted):
            past = self.judge.history.past
            before = past[-1].before if past and verdict.move is not None and verdict is self.judge.last else None
            accepted = self.screens.show_accepted(state, verdict, before)
            return self._teach(self.screens.with_reminders(accepted, state))
        if isinstance(verdict, Question):
            asked = self.screens.show_question(state, verdict, self.cursor.chosen)
            return replace(asked, picture=self._draw_spot(verdict.spot))
        shown = self._not_yet(verdict, Mood.REFUSED)
        if isinstance(verdict, CantSee) and view is not None and marks_at(view, verdict.spots):
            return replace(shown, buttons=ButtonWords(f"✓ {_NAME_IT.said(self.screens.language)}"))
        return shown

    def _not_yet(self, verdict: Refused | Waiting | CantSee, mood: Mood) -> PlayScreen | TableScreen:
        """Show what is wrong or waited for, with the places of what can't be read or is to be moved."""
        state = self.state
        if isinstance(verdict, CantSee):
            return replace(self.screens.show_unread(state, verdict), picture=self._draw_table(spots=verdict.spots))
        shown: PlayScreen | TableScreen
        if isinstance(verdict, Waiting):
            shown = self.screens.show_awaited(state, verdict)
        else:
            refused = self._with_whence(self.screens.show_refusal(state, verdict, mood), verdict)
            shown = with_rules(refused, verdict, self.lessons, self.screens)
        if isinstance(shown, TableScreen):
            shown = replace(shown, picture=self._draw_table(verdict.mend))
        return shown

    def _with_whence(self, shown: TableScreen, verdict: Refused) -> TableScreen:
        """Add the turn that brought a card elsewhere to the screen, where it can't be."""
        if any(line.shown for line in shown.players):
            return shown
        cards = dict.fromkeys(
            str(card) for reason in verdict.reasons if reason.code in ELSEWHERE for card in reason.cards
        )
        origins = [describe_origin(self.judge.referee, self.judge.history, card) for card in cards]
        return replace(shown, details=(*shown.details, *self.screens.say(*filter(None, dict.fromkeys(origins)))))

    def _check(self, check: Check) -> ScreenState:
        comparison = self.judge.comparison
        details = _CHECK if check.back else _CHECK_AGAIN
        if comparison.agrees:
            details = _MENDED if check.back else _HANDS_AGAIN
        elif not comparison.told:
            details = _UNREAD
        steps = self.judge.referee.list_steps(check, comparison)
        headline = describe_check(self.judge.referee, check)
        return self._with_steps(Mood.CHECK, headline, steps, (details,))

    def _out_of_step(self) -> ScreenState:
        """Out of step, or only asked whether: how the table differs from what was agreed."""
        comparison = self.judge.comparison
        if comparison.agrees:
            return self._with_steps(Mood.NOTICE, _AS_AGREED, ())
        if not comparison.told:
            return self._with_steps(Mood.OUT_OF_STEP, _UNREAD, ())
        besides = Text("Besides, {cards} can't be read.", cards=say_number(comparison.unread))
        details = (besides,) if comparison.unread else ()
        return self._with_steps(Mood.OUT_OF_STEP, _OUT_OF_STEP, comparison.mends, details)

    def _with_steps(
        self, mood: Mood, headline: Text, mends: Sequence[Mend], details: tuple[Text, ...] = ()
    ) -> ScreenState:
        shown = self.screens.with_steps(self.state, mood, headline, mends, details)
        return replace(shown, picture=self._draw_table(mends))

    def _draw_table(self, mends: Sequence[Mend] = (), spots: Sequence[Spot] = ()) -> TablePicture | CloseUp | None:
        """Draw the table with everybody's names, and what to put where or what can't be read; a lone card close up."""
        view, layout = self.judge.view, self.judge.layout
        if view is None or not (mends or spots):
            return None
        drawn = self.screens.own.picture_table(view, layout, mends, spots)
        if drawn is None and spots:
            drawn = spots_picture(layout, spots)
        if drawn is not None:
            lines = self.screens.make_base(self.state, Mood.WAITING).players
            to_move = [seat for seat, line in enumerate(lines, 1) if line.to_move]
            names, seat = tuple(line.name for line in lines), to_move[0] if len(to_move) == 1 else None
            drawn = replace(drawn, names=names, to_move=seat)
        seen = self.screens.close_up(spots[0]) if len(spots) == 1 else None
        return drawn if seen is None else CloseUp(seen, drawn)

    def _draw_spot(self, spot: Spot | None) -> TablePicture | CloseUp | None:
        return None if spot is None else self._draw_table(spots=(spot,))

    def _lies_as_agreed(self, verdict: Verdict) -> bool:
        """Tell whether nothing was done yet, so that there is nothing to preview."""
        if isinstance(verdict, Waiting):
            return not verdict.sentences
        if not self.judge.history.begun:
            return isinstance(verdict, Refused)
        return not isinstance(verdict, Accepted) and self.judge.comparison.agrees


def describe_check(referee: Referee, check: Check) -> Text:
    """Say which turn was taken back or put back."""
    if check.step.move is None:
        back, again = Text("Taken back: the position set by hand."), Text("Put back: the position set by hand.")
    else:
        turn = referee.describe(check.step)[0]
        back, again = Text("Taken back: {turn}", turn=turn), Text("Put back: {turn}", turn=turn)
    return back if check.back else again


def describe_origin(referee: Referee, history: History, card: str) -> Text | None:
    """Say which turn moved a card last for all to see, and how long ago it was; ``None`` where none has."""
    for ago, step in enumerate(reversed(history.past), 1):
        if step.move is not None and card in _names_in(step.move.to_json()):
            turn = referee.describe(step)[0]
            if ago == 1:
                return Text("Last turn: {turn}", turn=turn)
            return Text("{ago} turns ago: {turn}", ago=ago, turn=turn)
    return None


def _names_in(value: Any) -> Iterator[str]:
    """Yield every text in a record's line, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _names_in(inner)
    elif isinstance(value, Sequence):
        for inner in value:
            yield from _names_in(inner)
