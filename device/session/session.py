"""One game being refereed: what is agreed, what the table shows of the next move, and what the display says.

A session takes still looks at the table (``see``) and button presses (``press``) and gives verdicts and screens; it
knows no camera and no window. Four buttons are enough:

* **confirm** settles what the table shows, or takes a menu's line; held, it opens the menu
* **back** takes a question off or leaves a menu; held, it takes the last turn back
* **up** and **down** choose among answers, menu lines and steps to mend; where there are none, they open the menu

Whatever changes the agreed state is an ``Entry``; ``on_entry`` gets it before the screen shows it.

**Out of step.** Where the table differs from what was agreed by more than a move could explain, the screen says so and
shows what to put where. It is entered where ``DISTURBED_AT_REST`` papers or piles that lay there are not as they were;
where confirm is refused as disturbed with ``DISTURBED_AT_CONFIRM`` of them, or twice over the same table; or from the
menu. It ends by itself as soon as the table lies as agreed or as one move from there, and by a correction by hand.

**Judged from the last look.** What confirm settles is judged from the look that was seen last, never from an earlier
one that seemed the same. A question stays open over a further look only where judging that look asks the very same.

**Taking back.** After a turn was taken back or put back, nothing is accepted until the table lies as agreed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from device.hardware.buttons import Button
from device.session import screens
from device.session.game_menu import game_menu
from device.session.manual_label import place_of, with_names
from device.session.menu import Menu, Option
from device.session.minimap import picture
from device.session.table_diff import Comparison, compare, gist
from device.session.two_turns import Turns, two_turns
from device.session.undo import hides, put_back, steps_again, steps_back, taken_back
from referee.explain import unseen
from referee.history import (
    CARD_NAMED,
    CHECKED,
    MOVE,
    NAME_DROPPED,
    POSITION_SET,
    REDO,
    UNDO,
    Check,
    Entry,
    History,
    Named,
    named_entry,
)
from referee.laminate import judge, noticed
from referee.layouts import Layout, layout_for
from referee.lying import Agreed
from referee.refusing import refused
from referee.table import TableView
from referee.verdict import Accepted, CantSee, Choice, Mend, Question, Refused, Spot, Verdict
from rules.laminate.moves import Pass
from rules.laminate.position import Phase, Position
from rules.record import Header
from rules.refusal import Reason
from rules.text import Language, Text, number, player
from ui.screen_state import Mood, ScreenState

DISTURBED_AT_REST = 3
"""So many papers and piles not as they were, and the table is out of step: nobody's turn touches them."""
DISTURBED_AT_CONFIRM = 2
"""So many, where confirm was pressed and no move explains them."""

PRESSED_TWICE_S = 2.0
"""A press that comes sooner than this after one that was accepted passes for the next player only when asked."""

_MENDED = Text(
    "The table lies as before that turn. When the hidden cards are back too, press confirm.",
    "テーブルはその手番の前のとおりです。見えないカードも戻したら、確定を押してください。",
)
_HANDS_AGAIN = Text(
    "The table lies as after that turn. When the hidden cards are back in their hands too, press confirm.",
    "テーブルはその手番の後のとおりです。見えないカードも持っていた人の手札に戻したら、確定を押してください。",
)
_UNREAD = Text(
    "A card can't be read, so the table can't be compared: straighten it, or hold confirm to name it.",
    "読めないカードがあり、比べられません。よく見えるように直すか、確定を長押しして教えてください。",
)
_CHECK = Text("The table has to lie as before that turn.", "その手番の前の状態に並べてください。")
_CHECK_AGAIN = Text("The table has to lie as after that turn.", "その手番の後の状態に並べてください。")
_OUT_OF_STEP = Text(
    "The table is not as recorded, and no move explains it. Put it right, or hold confirm for other ways.",
    "テーブルが記録と違い、どの手でも説明がつきません。順に直すか、確定を長押しして直し方を選んでください。",
)
_AS_AGREED = Text("The table lies as recorded.", "テーブルは記録どおりです。")


def _keep_nothing(entry: Entry) -> None:
    """Where nobody keeps a journal."""


def _steps_of_check(check: Check, comparison: Comparison) -> tuple[Mend, ...]:
    """What to put where, and what hands do unseen, after a turn was taken back or put back."""
    if check.back:
        return steps_back(check.step, check.thanks, comparison.mends)
    return steps_again(check.step, comparison.mends)


def _ask_whether_passed(accepted: Accepted, position: Position) -> Question:
    """Confirm was pressed again at once: by the same hand, or to pass for the next player."""
    who = player(position.name(position.to_move or position.first_seat))
    reason = Reason(
        "out_of_turn",
        (),
        Text(f"Nobody has passed; it is {who.en}'s turn.", f"まだパスしていません。{who.ja}の番です。"),
    )
    return Question(
        Text(f"Confirm was pressed twice. Does {who.en} pass?", f"確定が続けて押されました。{who.ja}はパスしますか？"),
        (
            Choice(Text(f"No, it is {who.en}'s turn.", f"いいえ、{who.ja}の番です。"), refused((reason,), ())),
            Choice(Text(f"Yes. {accepted.text.en}", f"はい。{accepted.text.ja}"), accepted),
        ),
    )


def _also_unread(count: int) -> Text:
    cards = number(count)
    return Text(f"Besides, {cards.en} can't be read.", f"ほかに、読めないカードが{cards.ja}あります。")


@dataclass(frozen=True)
class _Settled:
    """What confirm gave: the verdict that is shown, the judgement that it came from, and how the table lay.

    They differ where a question was answered, or where it was asked whether confirm was pressed twice.
    """

    shown: Verdict
    judged: Verdict
    lay: tuple[object, ...]


class Session:
    """Referees one game of Laminate Rummy from the set-up on."""

    def __init__(
        self, players: Sequence[str], first_seat: int, layout: Layout, language: Language = Language.EN
    ) -> None:
        self.layout = layout
        self.language = language
        self.on_entry: Callable[[Entry], None] = _keep_nothing
        self.more: Callable[[], tuple[Option, ...]] = tuple
        """The menu's last lines, which are not about the game itself."""
        self._history = History.start(players, first_seat)
        self._entries: list[Entry] = []
        self._raw: TableView | None = None
        self._view: TableView | None = None
        self._judged: tuple[Agreed, TableView, Verdict] | None = None
        self._settled: _Settled | None = None
        self._offer: Turns | None = None
        self._chosen = 0
        self._step = 0
        self._last: Accepted | None = None
        self._compared: tuple[Agreed, TableView, Comparison] | None = None
        self._accepted_s: float | None = None
        self._out_of_step = False
        self._asked_to_compare = False
        self._menu: Menu | None = None
        self._paused = False
        self._eye: Mood | None = None
        self._blind: Text | None = None

    @classmethod
    def resume(
        cls,
        header: Header,
        entries: Iterable[Entry],
        layout: Layout | None = None,
        language: Language = Language.EN,
    ) -> Session:
        """The session that had come to these entries; ``layout`` is the standard one where none is given.

        ``on_entry`` is not called for them.

        Raises:
            ValueError: the entries do not follow from each other, or hold cards that do not exist.
            KeyError: an entry lacks something.
            rules.refusal.Illegal: an entry holds a move that the rules refuse.
        """
        session = cls(header.players, header.first_seat, layout or layout_for(len(header.players)), language)
        for entry in entries:
            session._take(session._history.after(entry), entry)
        return session

    # What is agreed

    @property
    def agreed(self) -> Agreed:
        """The agreed position and what lies on the table beyond it."""
        return self._history.now

    @property
    def position(self) -> Position:
        """The agreed position, with public information."""
        return self._history.now.position

    @property
    def history(self) -> History:
        """How the game came here, what was taken back, and what was named by hand."""
        return self._history

    @property
    def view(self) -> TableView | None:
        """The last look, with the cards named by hand in it; ``None`` before the first."""
        return self._view

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything that has changed the agreed state so far."""
        return tuple(self._entries)

    @property
    def question(self) -> Question | None:
        """The question that waits for an answer."""
        verdict = self._settled.shown if self._settled else None
        return verdict if isinstance(verdict, Question) else None

    @property
    def out_of_step(self) -> bool:
        """Whether the table differs from what was agreed by more than a move could explain."""
        return self._out_of_step

    @property
    def checking(self) -> bool:
        """Whether a turn was taken back or put back and the table has yet to lie accordingly."""
        return self._history.check is not None

    @property
    def can_undo(self) -> bool:
        """Whether there is a turn to take back."""
        return bool(self._history.past)

    @property
    def can_redo(self) -> bool:
        """Whether a turn was taken back that can be put back."""
        return bool(self._history.future)

    def record(self) -> list[str]:
        """The game so far as the lines of a record, corrections by hand marked in it."""
        return self._history.record()

    def _commit(self, entry: Entry) -> None:
        """Change the agreed state; where ``on_entry`` raises, nothing has changed."""
        after = self._history.after(entry)
        self.on_entry(entry)
        self._take(after, entry)

    def _take(self, after: History, entry: Entry) -> None:
        self._history = after
        self._entries.append(entry)
        if entry.kind in (MOVE, UNDO, REDO, POSITION_SET):
            self._settled = self._offer = self._last = None
            self._out_of_step = self._asked_to_compare = False
            self._chosen = self._step = 0

    # Looking

    def see(self, view: TableView) -> None:
        """A new still look at the table: notice thanks that were taken away, and judge what lies there at once.

        Raises:
            Exception: whatever ``on_entry`` raises; then nothing was agreed.
        """
        self._eye = self._blind = None
        self._raw = view
        named, moved = with_names(view, self._history.named, self.layout)
        for name in moved:
            self._commit(named_entry(NAME_DROPPED, name))
        self._view = named
        if self.position.phase is Phase.OVER:
            return
        after = noticed(self.agreed, named, self.layout)
        if after.thanks != self.agreed.thanks:
            self._commit(Entry.of_thanks(after.thanks))
        if self._settled is not None and not self._stands(self._settled, named):
            self._settled = self._offer = None
            self._chosen = self._step = 0
        self._keep_step(named)

    def _stands(self, settled: _Settled, view: TableView) -> bool:
        """Whether what confirm gave may stay on the screen over a further look, open questions included."""
        if isinstance(settled.shown, Accepted):
            return settled.lay == gist(view, self.layout)
        if self._judge(view) != settled.judged:
            return False
        return self._offer is None or self._offer == two_turns(self.agreed, view, self.layout)

    def _keep_step(self, view: TableView) -> None:
        """Find out whether table and agreement are in step."""
        comparison = self._compare(view)
        if self._history.check is not None:
            # What hands must do unseen is confirmed by hand.
            if comparison.agrees and not hides(self._history.check.step.move):
                self._commit(Entry(CHECKED))
            return
        if isinstance(self._judge(view), Refused | CantSee) and not comparison.agrees:
            self._out_of_step |= comparison.disturbed >= DISTURBED_AT_REST
        else:
            self._out_of_step = False

    def watching(self, mood: Mood) -> None:
        """The eye is busy: ``HANDS`` are over the mat, or the picture is ``READING``. The next look ends it."""
        self._eye, self._blind = mood, None

    def blind(self, words: Text) -> None:
        """The table can't be seen at all, for want of a picture or of the mat; the next look ends it."""
        self._eye, self._blind = None, words

    def _judge(self, view: TableView) -> Verdict:
        """The verdict on a look, judged once for each agreed state and look."""
        if self._judged is None or self._judged[0] is not self.agreed or self._judged[1] is not view:
            self._judged = (self.agreed, view, judge(self.agreed, view, self.layout))
        return self._judged[2]

    def _compare(self, view: TableView) -> Comparison:
        if self._compared is None or self._compared[0] is not self.agreed or self._compared[1] is not view:
            self._compared = (self.agreed, view, compare(self.agreed, view, self.layout))
        return self._compared[2]

    # Buttons

    def confirm(self, view: TableView) -> Verdict:
        """See this look and settle it: what confirm gives where no menu is open and nobody has paused.

        A question is about the table as it lay; where the table has been changed since, it is judged anew. Where a
        turn was taken back and the table lies accordingly, hidden cards are taken to be back in their places too.
        """
        self._menu, self._paused, self._asked_to_compare = None, False, False
        self.see(view)
        assert self._view is not None
        return self._settle(self._view) or self._settle_move(self._view)

    def press(
        self, button: Button, held: bool = False, pressed_s: float | None = None, now_s: float | None = None
    ) -> Verdict | None:
        """A button was pressed, or held down for long. While hands are over the mat, nothing can be settled.

        Args:
            button: which.
            held: whether it was held down for long.
            pressed_s: when it was pressed, in seconds of any clock; without it no press counts as a second one.
            now_s: when it is settled, by the same clock; a confirm may have waited for a look.

        Returns:
            the verdict, where confirm settled the look that was seen last; ``None`` for everything else.
        """
        if self._paused:
            self._paused = False
        elif self._menu is not None:
            self._press_in_menu(self._menu, button)
        elif held and button is Button.BACK:
            self.undo()
        elif held and button is Button.CONFIRM:
            self._menu = game_menu(self)
        elif self._asked_to_compare and button in (Button.CONFIRM, Button.BACK):
            self._asked_to_compare = False
        elif button is Button.CONFIRM:
            if self._view is not None and self._eye is None and self._blind is None:
                return self._settle(self._view, pressed_s, pressed_s if now_s is None else now_s)
        elif button is Button.BACK:
            self._settled = self._offer = None
            self._chosen = self._step = 0
        else:
            self._turn(1 if button is Button.DOWN else -1)
        return None

    def _press_in_menu(self, menu: Menu, button: Button) -> None:
        if button is Button.BACK:
            self._menu = menu.parent
        elif button is Button.CONFIRM:
            self._menu = None
            self._menu = menu.taken()
        else:
            self._menu = menu.moved(1 if button is Button.DOWN else -1)

    def _turn(self, by: int) -> None:
        """Up or down outside a menu."""
        shown = self.screen()
        if shown.choices:
            self._chosen = (self._chosen + by) % len(shown.choices)
        elif len(shown.put_back) > 1:
            self._step = (self._step + by) % len(shown.put_back)
        else:
            self._menu = game_menu(self)

    def undo(self) -> None:
        """Take the last turn back, where there is one."""
        if self.can_undo:
            self._commit(Entry(UNDO))
            self._look_again()

    def redo(self) -> None:
        """Put back the turn that was taken back last, where there is one."""
        if self.can_redo:
            self._commit(Entry(REDO))
            self._look_again()

    def _look_again(self) -> None:
        if self._raw is not None:
            eye, blind = self._eye, self._blind
            self.see(self._raw)
            self._eye, self._blind = eye, blind

    def _settle(self, view: TableView, pressed_s: float | None = None, now_s: float | None = None) -> Verdict | None:
        """Settle a look; ``None`` where confirm only said that a turn has been taken back in full."""
        if self._history.check is not None:
            return self._settle_check(view, self._history.check)
        verdict = self._settle_move(view, pressed_s)
        if isinstance(verdict, Accepted):
            self._accepted_s = now_s
        return verdict

    def _settle_move(self, view: TableView, pressed_s: float | None = None) -> Verdict:
        judged = self._judge(view)
        before = self._settled
        if self._offer is not None and before is not None:
            return self._answer_offer(self._offer, before, view)
        asked = before.shown if before is not None else None
        if isinstance(asked, Question):
            verdict: Verdict = asked.choices[self._chosen].verdict
        elif isinstance(judged, Accepted) and isinstance(judged.move, Pass) and self._again_at_once(pressed_s):
            verdict = _ask_whether_passed(judged, self.position)
        else:
            verdict = judged
        if isinstance(verdict, Accepted):
            self._commit(Entry.of_move(verdict.move, verdict.after))
            self._last = verdict
        elif isinstance(verdict, Refused) and self.position.phase is not Phase.OVER:
            insisted = before is not None and (before.shown, before.judged) == (verdict, judged)
            self._offer = two_turns(self.agreed, view, self.layout)
            if "table_disturbed" in (verdict.refusal.code, *verdict.refusal.also):
                self._out_of_step |= insisted or self._compare(view).disturbed >= DISTURBED_AT_CONFIRM
        return self._show(verdict, judged, view)

    def _again_at_once(self, pressed_s: float | None) -> bool:
        """Whether this press came so soon after one that was accepted that it may be the same person's."""
        return pressed_s is not None and self._accepted_s is not None and pressed_s - self._accepted_s < PRESSED_TWICE_S

    def _answer_offer(self, turns: Turns, before: _Settled, view: TableView) -> Verdict:
        """Two turns were offered as the explanation of a refusal; the first answer is that they are none."""
        if self._chosen == 0:
            self._offer = None
            return self._show(before.shown, before.judged, view)
        for turn in turns:
            self._commit(Entry.of_move(turn.move, turn.after))
            self._last = turn
        return self._show(turns[-1], turns[-1], view)

    def _show(self, verdict: Verdict, judged: Verdict, view: TableView) -> Verdict:
        self._settled = _Settled(verdict, judged, gist(view, self.layout))
        self._chosen = self._step = 0
        return verdict

    def _settle_check(self, view: TableView, check: Check) -> Verdict | None:
        comparison = self._compare(view)
        if comparison.agrees:
            self._commit(Entry(CHECKED))
            return None
        if not comparison.told:
            spots = [Spot(mark.x, mark.y, place_of(mark, view, self.layout), mark.cause) for mark in view.unread]
            return CantSee(tuple(spots), unseen(self.position, spots))
        reasons = [Reason("table_disturbed", (), words) for words in comparison.told]
        return refused(reasons, _steps_of_check(check, comparison))

    # What the menu does

    def name_card(self, named: Named) -> None:
        """Name a card by hand that can't be read; it counts as seen there until it moves."""
        self._commit(named_entry(CARD_NAMED, named))
        self._settled = self._offer = None
        self._look_again()

    def set_position(self, agreed: Agreed) -> None:
        """Set by hand what is agreed."""
        self._commit(Entry(POSITION_SET, {"agreed": agreed.to_json()}))
        self._look_again()

    def show_differences(self) -> None:
        """Show how the table differs from what was agreed, until confirm or back is pressed."""
        self._asked_to_compare = True
        self._step = 0

    def pause(self) -> None:
        """Show that the game is paused, until any button is pressed."""
        self._paused = True

    def switch_language(self) -> None:
        """Speak the other language from now on."""
        self.language = self.language.other

    # What the display shows

    def screen(self) -> ScreenState:
        """The screen of this moment, whatever the session is doing."""
        shown = self._screen()
        plain = not shown.choices and len(shown.put_back) < 2 and shown.mood is not Mood.PAUSED
        return replace(shown, undoable=self.can_undo, menu=plain)

    def _screen(self) -> ScreenState:
        position, language = self.position, self.language
        if self._paused:
            return screens.waiting(position, language, self._last, Mood.PAUSED)
        if self._menu is not None:
            return screens.menu(position, language, self._menu)
        if self._blind is not None:
            screen = screens.base(position, language, Mood.BLIND)
            return replace(screen, headline=self._blind.said(language))
        shown = self._screen_of_table()
        if self._eye is None or position.phase is Phase.OVER:
            return shown
        if shown.put_back:
            # Hands that mend the table still need to see how.
            return replace(shown, mood=self._eye)
        return screens.waiting(position, language, self._last, self._eye)

    def _screen_of_table(self) -> ScreenState:
        position, language, view = self.position, self.language, self._view
        if view is not None and self._history.check is not None:
            return self._screen_of_check(view, self._history.check)
        if view is not None and self._asked_to_compare:
            return self._screen_of_step(view)
        if position.phase is Phase.OVER:
            return screens.finished(position, language)
        if self._settled is not None:
            return self._screen_of_verdict(self._settled.shown)
        if view is None:
            return self._screen_waiting()
        verdict = self._judge(view)
        if self._out_of_step:
            return self._screen_of_step(view)
        if self._lies_as_agreed(verdict):
            return self._screen_waiting()
        return self._with_picture(screens.preview(position, language, verdict), verdict)

    def _screen_waiting(self) -> ScreenState:
        return screens.with_thanks(screens.waiting(self.position, self.language, self._last), self.agreed)

    def _screen_of_verdict(self, verdict: Verdict) -> ScreenState:
        position, language, view = self.position, self.language, self._view
        if self._offer is not None and isinstance(verdict, Refused):
            return screens.offered(position, language, verdict, self._offer, self._chosen)
        if self._out_of_step and view is not None:
            return self._screen_of_step(view)
        shown = screens.judged(position, language, verdict, self._chosen)
        if isinstance(verdict, Accepted):
            return screens.with_thanks(shown, self.agreed)
        return self._with_picture(shown, verdict)

    def _screen_of_check(self, view: TableView, check: Check) -> ScreenState:
        comparison = self._compare(view)
        headline = taken_back(check.step) if check.back else put_back(check.step)
        details = _CHECK if check.back else _CHECK_AGAIN
        if comparison.agrees:
            details = _MENDED if check.back else _HANDS_AGAIN
        elif not comparison.told:
            details = _UNREAD
        steps = _steps_of_check(check, comparison)
        return self._with_steps(Mood.CHECK, headline, steps, (details,))

    def _screen_of_step(self, view: TableView) -> ScreenState:
        """Out of step, or only asked whether: how the table differs from what was agreed."""
        comparison = self._compare(view)
        if comparison.agrees:
            return self._with_steps(Mood.NOTICE, _AS_AGREED, ())
        if not comparison.told:
            return self._with_steps(Mood.OUT_OF_STEP, _UNREAD, ())
        details = (_also_unread(comparison.unread),) if comparison.unread else ()
        return self._with_steps(Mood.OUT_OF_STEP, _OUT_OF_STEP, comparison.mends, details)

    def _with_steps(
        self, mood: Mood, headline: Text, mends: Sequence[Mend], details: tuple[Text, ...] = ()
    ) -> ScreenState:
        shown = screens.with_steps(self.position, self.language, mood, headline, mends, details)
        if self._view is None or not mends:
            return shown
        return replace(shown, picture=picture(self._view, self.layout, mends), step=self._step_of(shown))

    def _with_picture(self, shown: ScreenState, verdict: Verdict) -> ScreenState:
        if self._view is None or not isinstance(verdict, Refused | CantSee):
            return shown
        if isinstance(verdict, CantSee):
            return replace(shown, picture=picture(self._view, self.layout, (), verdict.spots))
        if not verdict.mend:
            return shown
        return replace(shown, picture=picture(self._view, self.layout, verdict.mend), step=self._step_of(shown))

    def _step_of(self, shown: ScreenState) -> int:
        return min(self._step, max(0, len(shown.put_back) - 1))

    def _lies_as_agreed(self, verdict: Verdict) -> bool:
        """Whether nothing was done yet, so that there is nothing to preview."""
        if self.position.phase is Phase.SETUP:
            return isinstance(verdict, Refused)
        if self._view is None or isinstance(verdict, Accepted):
            return self._view is None
        return self._compare(self._view).agrees
