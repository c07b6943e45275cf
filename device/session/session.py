"""One game being refereed: what is agreed, what the table shows of the next move, and what the display says.

A session takes still looks at the table (``see``) and button presses (``press``) and gives verdicts and screens; it
knows no camera and no window. Four buttons are enough:

* **confirm** settles what the table shows, asks for the name of a card that was said to be unread, or takes a menu's
  line; held, it opens the menu
* **back** takes a question off or leaves a menu or the pages; held, it takes the last turn back
* **up** and **down** choose among answers and menu lines; where there are none, **down** turns to the pages on which
  all the words are and **up** back; on the screen that is read from afar, **up** opens the menu

Whatever changes the agreed state is an ``Entry`` in the event log, kept before the screen shows it.

**Out of step.** Where the table differs from what was agreed by more than a move could explain, the screen says so and
shows what to put where. It is entered where ``DISTURBED_AT_REST`` papers or piles that lay there are not as they were;
where confirm is refused as disturbed with ``DISTURBED_AT_CONFIRM`` of them, or twice over the same table; or from the
menu. It ends by itself as soon as the table lies as agreed or as one move from there, and by a correction by hand.

**Judged from the last look.** What confirm settles is judged from the look that was seen last, never from an earlier
one that seemed the same. A question stays open over a further look only where judging that look asks the very same.

**Taking back.** After a turn was taken back or put back, nothing is accepted until the table lies as agreed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from device.hardware.buttons import Button
from device.session.event_log import EventLog, Keep, keep_nothing
from device.session.game_menu import game_menu
from device.session.judgement import Judgement
from device.session.leaves import Leaves
from device.session.manual_label import Naming, with_names
from device.session.plain import log_once, plain_screen
from device.session.presenter import Moment, Presenter
from device.session.screens import Screens
from device.session.states import Answer, Cursor, Look, Over, Paused
from referee.game import Check, Named, Referee
from referee.history import (
    CARD_NAMED,
    CHECKED,
    MOVE,
    NAME_DROPPED,
    NOTICED,
    POSITION_SET,
    REDO,
    UNDO,
    Entry,
    named_entry,
)
from referee.layout import REFERENCE_MAT_MM, Layout
from referee.menu import Menu, Option
from referee.registry import referees
from referee.state import State
from referee.verdict import Accepted, CantSee, Offer, Question, Refused, Spot, Verdict, Waiting, says_the_same
from rules.record import Header
from rules.refusal import Reason
from rules.text import Language, Text
from ui.registry import screen_of
from ui.screen import page_count
from ui.screen_state import Mood, PagedScreen, ScreenState

DISTURBED_AT_REST = 3
"""So many things not as they were, and the table is out of step: nobody's turn touches them."""
DISTURBED_AT_CONFIRM = 2
"""So many, where confirm was pressed and no move explains them."""

PRESSED_TWICE_S = 2.0
"""A press that comes sooner than this after one that was accepted passes for the next player only when asked."""

_MOST_AT_ONCE = 60
"""More moves than one look can show."""


def _at_once(before_s: float | None, pressed_s: float | None) -> bool:
    """Whether a press came so soon after another one that it may be the same person's."""
    return before_s is not None and pressed_s is not None and pressed_s - before_s < PRESSED_TWICE_S


More = Callable[[], tuple[Option, ...]]
"""The menu's last lines, which are not about the game itself."""


class Session(EventLog):
    """Referees one game from the set-up on."""

    def __init__(
        self,
        referee: Referee,
        header: Header,
        layout: Layout,
        language: Language = Language.EN,
        keep: Keep = keep_nothing,
        more: More = tuple,
    ) -> None:
        super().__init__(referee, header.players, header.options, keep)
        self.referee, self.layout, self.more = referee, layout, more
        self.pages: Callable[[ScreenState], int] = page_count
        """How many pages a screen has on the display that is used."""
        self._judgement = Judgement(referee, layout)
        self._presenter = Presenter(Screens(referee, screen_of(header.game), language), self._judgement)
        self._look = Look()
        self._answer: Answer | None = None
        self._cursor = Cursor()
        self._over: Over | None = None
        self._comparing = False
        self._last: Accepted | None = None
        self._accepted_s: float | None = None
        self._out_of_step = False
        self.settled: tuple[Accepted | Refused, ...] = ()
        """What settled by itself, or was found wrong, with the last look or the last press."""

    @classmethod
    def resume(
        cls,
        header: Header,
        entries: Iterable[Entry],
        layout: Layout | None = None,
        language: Language = Language.EN,
        keep: Keep = keep_nothing,
        more: More = tuple,
    ) -> Session:
        """The session that had come to these entries; ``keep`` is not called for them.

        ``layout`` is that of the usual mat where none is given.

        Raises:
            EntryError: the entries do not follow from each other, or hold what can't be.
        """
        referee = referees()[header.game]
        layout = layout or referee.layout(len(header.players), REFERENCE_MAT_MM)
        session = cls(referee, header, layout, language, keep, more)
        session.restore(entries)
        return session

    # What is agreed

    @property
    def language(self) -> Language:
        """The language of the screens."""
        return self.screens.language

    @property
    def screens(self) -> Screens:
        """What makes the screens, and how they are made."""
        return self._presenter.screens

    def show_with(self, screens: Screens) -> None:
        """Have the screens made so from now on."""
        self._presenter = replace(self._presenter, screens=screens)

    @property
    def view(self) -> Any:
        """The last look, with the cards named by hand in it; ``None`` before the first."""
        return self._look.view

    @property
    def answer(self) -> Answer | None:
        """What was given last, while it is shown: another one each time."""
        return self._answer

    @property
    def shown(self) -> Verdict | None:
        """The verdict that is shown."""
        return self._answer.shown if self._answer else None

    @property
    def question(self) -> Question | None:
        """The question that waits for an answer."""
        return self.shown if isinstance(self.shown, Question) else None

    @property
    def told(self) -> tuple[tuple[Text, Any], ...]:
        """The moves that are offered to be told by the buttons, in their order on the screen."""
        return self._presenter.told(self._moment)

    @property
    def asked(self) -> tuple[Text, ...]:
        """The answers, or the moves to be told, that are offered now."""
        if (question := self.question) is not None:
            return tuple(choice.text for choice in question.choices)
        return tuple(words for words, _ in self.told)

    @property
    def beside(self) -> bool:
        """Whether a menu lies over the game, or somebody has paused it."""
        return self._over is not None

    @property
    def out_of_step(self) -> bool:
        """Whether the table differs from what was agreed by more than a move could explain."""
        return self._out_of_step

    def _commit(self, entry: Entry) -> None:
        """Change the agreed state; where it can't be kept, nothing has changed."""
        self.commit(entry)
        if entry.kind in (MOVE, UNDO, REDO, POSITION_SET):
            self._last = None
            self._out_of_step = False
            self._comparing = False
            self._take_off()

    def _commit_move(self, accepted: Accepted) -> None:
        if accepted.move is None:
            self._commit(Entry(NOTICED, self.referee.beyond(accepted.after)))
        else:
            self._commit(self.history.move_entry(accepted.move, accepted.after))
        self._last = accepted

    def _take_off(self) -> None:
        """Show no answer any more."""
        self._answer = None
        self._cursor = Cursor()

    # Looking

    def see(self, view: Any) -> tuple[Accepted | Refused, ...]:
        """A new still look at the table: take what it adds to what is agreed, and judge what lies there at once.

        Returns:
            what settled by itself, one move after the other, or was found wrong without a press.

        Raises:
            Exception: whatever keeping an entry raises; then nothing was agreed.
        """
        before, naming, self.settled = self._look.view, self._cursor.naming, ()
        self._look = Look(view, before)
        named, moved = with_names(self.referee, view, self.history.named, self.layout)
        for name in moved:
            self._commit(named_entry(NAME_DROPPED, name))
        self._look = Look(view, named)
        lay = self.referee.fingerprint
        if self._cursor.page and (before is None or lay(before, self.layout) != lay(named, self.layout)):
            # What was read of the table is no longer so.
            self._cursor = replace(self._cursor, page=0)
        if self.over:
            return self.settled
        noticed = self.referee.noticed(self.agreed, named, self.layout)
        if noticed is not None:
            self._commit(Entry(NOTICED, noticed))
        if self._answer is not None and not self._stands(self._answer, named):
            # Who chooses among moves to tell goes on choosing.
            chosen = self._cursor.chosen if self.told else 0
            self._take_off()
            self._cursor = Cursor(chosen)
        if not self.checking:
            self.settled = self._settle_at_once(named)
        if not self.over:
            self._keep_step(named)
            if naming and not self._cursor.naming:
                # The card was straightened, or taken away, in place of being named.
                self._over = None
        return self.settled

    def _settle_at_once(self, view: Any) -> tuple[Accepted | Refused, ...]:
        """Commit what needs no press, move after move; show what is said or asked without a press, once."""
        settled: list[Accepted | Refused] = []
        while not self.over and len(settled) < _MOST_AT_ONCE:
            verdict = self._judgement.verdict(self.agreed, view)
            if isinstance(verdict, Waiting) or not verdict.at_once:
                break
            if isinstance(verdict, Accepted):
                self._commit_move(verdict)
                # Whoever presses next has seen it: that is no second press.
                self._accepted_s = None
            elif self._answer is not None and says_the_same(self._answer.judged, verdict):
                # A further look at the same leaves what is chosen on the screen as it is.
                break
            self._show(verdict, verdict, view)
            if isinstance(verdict, Accepted | Refused):
                settled.append(verdict)
            if not isinstance(verdict, Accepted):
                break
        return tuple(settled)

    def tell(self, data: Mapping[str, Any]) -> Verdict:
        """A move told by the buttons, as a record's line has it.

        Raises:
            Exception: whatever keeping an entry raises; then nothing was agreed.
        """
        verdict = self.referee.tell(self.agreed, data)
        if isinstance(verdict, Accepted):
            self._commit_move(verdict)
        return self._show(verdict, verdict, self._look.view)

    def _tell_chosen(self, data: Mapping[str, Any], pressed_s: float | None, now_s: float | None) -> Verdict:
        """Tell the move that is chosen on the screen.

        The first one, confirmed at once after another move was accepted, may be the same person's second press: it is
        asked about before it passes for the next player's.
        """
        verdict = self.referee.tell(self.agreed, data)
        if isinstance(verdict, Accepted) and not self._cursor.chosen and _at_once(self._accepted_s, pressed_s):
            return self._ask(self.referee.pressed_twice(verdict, self.agreed))
        if isinstance(verdict, Accepted):
            self._accepted_s = now_s
        return self.tell(data)

    def _ask(self, question: Question) -> Verdict:
        """Ask about what is told, whatever the table shows."""
        view = self._look.view
        return self._show(question, question if view is None else self._judgement.verdict(self.agreed, view), view)

    def _stands(self, answer: Answer, view: Any) -> bool:
        """Whether what confirm gave may stay on the screen over a further look, open questions included."""
        if isinstance(answer.shown, Accepted):
            return answer.lay == self.referee.fingerprint(view, self.layout)
        if not says_the_same(self._judgement.verdict(self.agreed, view), answer.judged):
            return False
        return answer.offer is None or answer.offer == self.referee.offer(self.agreed, view, self.layout)

    def _keep_step(self, view: Any) -> None:
        """Find out whether table and agreement are in step."""
        comparison = self._judgement.compare(self.agreed, view)
        if self.history.check is not None:
            # What hands must do unseen is confirmed by hand.
            if comparison.agrees and not self.referee.hides(self.history.check.step):
                self._commit(Entry(CHECKED))
            return
        verdict = self._judgement.verdict(self.agreed, view)
        if isinstance(verdict, Refused | CantSee) and not comparison.agrees:
            self._out_of_step |= comparison.disturbed >= DISTURBED_AT_REST
        else:
            self._out_of_step = False

    def watching(self, mood: Mood) -> None:
        """The eye is busy: ``HANDS`` are over the mat, or the picture is ``READING``. The next look ends it."""
        self._look = replace(self._look, busy=mood, blind=None)

    def blind(self, words: Text, mood: Mood = Mood.BLIND) -> None:
        """The table can't be seen at all, for want of a picture or of the mat; the next look ends it.

        A camera that starts is no fault, but a ``NOTICE``.
        """
        self._look = replace(self._look, busy=mood, blind=words)

    # Buttons

    def confirm(self, view: Any) -> Verdict:
        """See this look and settle it: what confirm gives where no menu is open and nobody has paused.

        A question is about the table as it lay; where the table has been changed since, it is judged anew. Where a
        turn was taken back and the table lies accordingly, hidden cards are taken to be back in their places too.
        """
        self._over, self._comparing, self._cursor = None, False, replace(self._cursor, naming=False)
        self.see(view)
        return self._settle(self._look.view) or self._settle_move(self._look.view)

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
        self.settled = ()
        if isinstance(self._over, Paused):
            self._over = None
        elif isinstance(self._over, Menu):
            return self._press_in_menu(self._over, button, pressed_s if now_s is None else now_s)
        elif held and button is Button.BACK:
            self.undo()
        elif held and button is Button.CONFIRM:
            self._over = game_menu(self)
        elif self._comparing and button in (Button.CONFIRM, Button.BACK):
            self._comparing = False
        elif button is Button.CONFIRM and (moves := self.told):
            chosen = moves[self._cursor.chosen % len(moves)][1]
            if not isinstance(chosen, Question):
                return self._tell_chosen(chosen.to_json(), pressed_s, pressed_s if now_s is None else now_s)
            self._ask(chosen)
        elif button is Button.CONFIRM:
            if self._look.clear:
                return self._settle(self._look.view, pressed_s, pressed_s if now_s is None else now_s)
        elif button is Button.BACK and self.screen().page:
            self._cursor = replace(self._cursor, page=0)
        elif button is Button.BACK:
            self._take_off()
        else:
            self._turn(1 if button is Button.DOWN else -1)
        return None

    def _press_in_menu(self, menu: Menu, button: Button, now_s: float | None) -> Verdict | None:
        """Take a line or go to another; what was told by it is answered.

        Whoever presses confirm again and again at a card that can't be read has not read the names yet.
        """
        before = self._answer
        if button is Button.CONFIRM and _at_once(self._cursor.naming_s, now_s):
            return None
        self._cursor = replace(self._cursor, naming_s=None)
        if button is Button.BACK:
            self._over = menu.parent
        elif button is Button.CONFIRM:
            self._over = None
            following = menu.taken()
            if following is not None:
                self._over = following
        elif isinstance(menu, Leaves):
            self._over = menu.turned(1 if button is Button.DOWN else -1, self.pages(menu.screen(self.language)))
        else:
            self._over = menu.moved(1 if button is Button.DOWN else -1)
        if self._over is None:
            self._cursor = replace(self._cursor, naming=False)
        return self._answer.shown if self._answer is not None and self._answer is not before else None

    def _turn(self, by: int) -> None:
        """Up or down outside a menu."""
        shown = self.screen()
        if shown.choices:
            self._cursor = replace(self._cursor, chosen=(self._cursor.chosen + by) % len(shown.choices))
        elif shown.page or not self._means_something(by):
            self._turn_page(shown, by)

    def _turn_page(self, shown: ScreenState, by: int) -> None:
        """Down to the pages and through them, up back; on the screen that is read from afar, up opens the menu."""
        if isinstance(shown, PagedScreen) and shown.near and (by > 0 or shown.page):
            self._cursor = replace(self._cursor, page=(shown.page + by) % (self.pages(shown) + 1))
        else:
            self._over = game_menu(self)

    def _means_something(self, by: int) -> bool:
        """Up or down to a game in which they take a move back, or tell one that was not seen; whether it did so."""
        if by < 0 and self._presenter.recalls(self._moment):
            self.undo()
            return True
        unseen = self._presenter.unseen_moves(self._moment, self.tell) if by > 0 else None
        if unseen is not None:
            self._over = unseen
        return unseen is not None

    def undo(self, turns: int = 1) -> None:
        """Take the last turns back, as far as there are any; the table is looked at once they all are."""
        undone = self.history.past[-turns:]
        for _ in undone:
            self._commit(Entry(UNDO))
        if undone:
            self._look_again()

    def redo(self) -> None:
        """Put back the turn that was taken back last, where there is one."""
        if self.history.future:
            self._commit(Entry(REDO))
            self._look_again()

    def _look_again(self) -> None:
        if self._look.raw is not None:
            before = self._look
            self.see(before.raw)
            self._look = replace(self._look, busy=before.busy, blind=before.blind)

    def _settle(self, view: Any, pressed_s: float | None = None, now_s: float | None = None) -> Verdict | None:
        """Settle a look; ``None`` where confirm only said that a turn has been taken back in full."""
        if self.history.check is not None:
            self._accepted_s = now_s
            return self._settle_check(view, self.history.check)
        shown = self.shown
        verdict = self._settle_move(view, pressed_s)
        if isinstance(verdict, Accepted):
            self._accepted_s = now_s
        elif isinstance(verdict, CantSee) and shown is not None and says_the_same(shown, verdict):
            naming = Naming(self.referee, self.agreed, view, self.layout, self.name_card)
            self._over = naming.menu(spots=verdict.spots)
            self._cursor = replace(self._cursor, naming=self._over is not None, naming_s=now_s)
        return verdict

    def _settle_move(self, view: Any, pressed_s: float | None = None) -> Verdict:
        judged = self._judgement.verdict(self.agreed, view)
        before, offer = self._answer, None
        if before is not None and before.offer is not None:
            return self._answer_offer(before.offer, before, view)
        asked = before.shown if before is not None else None
        if isinstance(asked, Question):
            verdict: Verdict = asked.choices[self._cursor.chosen].verdict
        elif isinstance(judged, Accepted) and judged.without_trace and _at_once(self._accepted_s, pressed_s):
            verdict = self.referee.pressed_twice(judged, self.agreed)
        elif isinstance(judged, Waiting) and judged.pressed is not None:
            verdict = judged.pressed
        else:
            verdict = judged
        if isinstance(verdict, Accepted):
            self._commit_move(verdict)
        elif isinstance(verdict, Refused) and not self.over:
            insisted = before is not None and (before.shown, before.judged) == (verdict, judged)
            offer = self.referee.offer(self.agreed, view, self.layout)
            if "table_disturbed" in (verdict.refusal.code, *verdict.refusal.also):
                disturbed = self._judgement.compare(self.agreed, view).disturbed
                self._out_of_step |= insisted or disturbed >= DISTURBED_AT_CONFIRM
        self._show(verdict, judged, view, offer)
        if isinstance(verdict, Accepted) and isinstance(judged, Question) and judged.at_once:
            # What was asked about stood between this look and the moves that need no press.
            self._look_again()
        return verdict

    def _answer_offer(self, offer: Offer, before: Answer, view: Any) -> Verdict:
        """Several turns were offered as the explanation of a refusal; the first answer is that they are none."""
        if self._cursor.chosen == 0:
            return self._show(before.shown, before.judged, view)
        for turn in offer.turns:
            self._commit_move(turn)
        return self._show(offer.turns[-1], offer.turns[-1], view)

    def _show(self, verdict: Verdict, judged: Verdict, view: Any, offer: Offer | None = None) -> Verdict:
        lay = None if view is None else self.referee.fingerprint(view, self.layout)
        self._answer = Answer(verdict, judged, lay, offer)
        self._cursor = Cursor()
        return verdict

    def _settle_check(self, view: Any, check: Check) -> Verdict | None:
        comparison = self._judgement.compare(self.agreed, view)
        if comparison.agrees:
            self._commit(Entry(CHECKED))
            return None
        referee = self.referee
        if not comparison.told:
            spots = [Spot(m.x, m.y, referee.place_of(m, view, self.layout), m.cause) for m in view.unread]
            return CantSee(tuple(spots), referee.unseen(self.agreed, spots))
        reasons = (Reason("table_disturbed", (), words) for words in comparison.told)
        return Refused.of(referee.rules.codes, reasons, referee.steps(check, comparison))

    # What the menu does

    def name_card(self, named: Named) -> None:
        """Name a card by hand that can't be read; it counts as seen there until it moves."""
        self._commit(named_entry(CARD_NAMED, named))
        self._answer = None
        self._look_again()

    def set_position(self, agreed: State) -> None:
        """Set by hand what is agreed."""
        self._commit(Entry(POSITION_SET, {"agreed": agreed.to_json()}))
        self._look_again()

    def show_differences(self) -> None:
        """Show how the table differs from what was agreed, until confirm or back is pressed."""
        self._comparing = True

    def pause(self) -> None:
        """Show that the game is paused, until any button is pressed."""
        self._over = Paused()

    def speak(self, language: Language) -> None:
        """Speak this language from now on."""
        self.show_with(replace(self.screens, language=language))

    # What the display shows

    def trouble(self, words: Text) -> ScreenState:
        """The screen of something that hinders the game from outside."""
        return self._presenter.trouble(self.agreed, words)

    def screen(self) -> ScreenState:
        """The screen of this moment, whatever the session is doing.

        Where it can't be made, a plain one says so; a menu that can't be shown is closed.
        """
        try:
            return self._presenter.screen(self._moment)
        except Exception as error:
            log_once("a screen could not be made", error)
            self._over, self._cursor = None, Cursor()
            return plain_screen(self.language)

    @property
    def _moment(self) -> Moment:
        return Moment(
            self.history,
            self._look,
            self._answer,
            self._cursor,
            self._over,
            self._comparing,
            self._out_of_step,
            self._last,
        )
