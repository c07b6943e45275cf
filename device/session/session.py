"""One game being refereed at four buttons and a display: a log of what is agreed, a judge, and a presenter.

A session takes still looks at the table, button presses and entered moves, and gives verdicts and screens; it knows no
camera and no window. Whatever happens comes in by ``Session.handle_event``; ``see``, ``press``, ``tell`` and
``note_watching`` are short for it. What each button does:

* **confirm** settles what the table shows, asks for the name of a card that was said to be unread, or takes a menu's
  line; held, it opens the menu
* **back** takes a question off or leaves a menu or the pages; held, it takes the last turn back
* **up** and **down** choose among answers and menu lines; where there are none, **down** turns to the pages on which
  all the words are and **up** back; on the screen that is read from afar, **up** opens the menu
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from device.hardware.buttons import Button
from device.session.event_log import EventLog, Keep, keep_nothing
from device.session.game_menu import GameMenu
from device.session.judge import Judge, at_once
from device.session.leaves import Leaves
from device.session.lessons import NO_LESSONS, AimPictures
from device.session.manual_label import Naming
from device.session.plain import log_once, plain_screen
from device.session.presenter import Presenter
from device.session.screens import Screens
from device.session.states import Busy, Comparing, Cursor, Event, Looked, Over, Paused, Pressed, Speaking, ToldMove
from referee.game import ArrowButtons, Referee
from referee.history import Entry, History
from referee.layout import REFERENCE_MAT_MM, TableLayout
from referee.menu import Menu, Option
from referee.registry import load_referees
from referee.state import AgreedState
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict, says_the_same
from rules.record import Header
from rules.text import Language, Text
from ui.registry import screen_of
from ui.screen import count_pages
from ui.screen_state import Mood, PagedScreen, ScreenState

Pages = Callable[[ScreenState], int]
"""How many pages a screen has near by on the display that is used."""
More = Callable[[], tuple[Option, ...]]
"""The menu's last lines, which are not about the game itself."""


class Session:
    """Referees one game from the set-up on.

    ``screens`` makes its screens, ``pages`` says how many pages one has on the display that is used, and ``over_it`` is
    what lies over the game: a menu, or that somebody has paused it.
    """

    def __init__(
        self,
        referee: Referee,
        header: Header,
        layout: TableLayout,
        language: Language = Language.EN,
        keep: Keep = keep_nothing,
        more: More = tuple,
        pages: Pages = count_pages,
    ) -> None:
        self.referee, self.layout, self.more, self.pages = referee, layout, more, pages
        self.log = EventLog(referee, header.players, header.options, keep)
        self.judge = Judge(self.log, layout)
        self.screens = Screens(referee, screen_of(header.game), language)
        self.lessons = NO_LESSONS
        """What this game teaches."""
        self.over_it: Over | None = None
        self._cursor = Cursor()
        self._comparing: int | None = None

    @classmethod
    def resume(
        cls,
        header: Header,
        entries: Iterable[Entry],
        layout: TableLayout | None = None,
        language: Language = Language.EN,
        keep: Keep = keep_nothing,
        more: More = tuple,
        pages: Pages = count_pages,
    ) -> Session:
        """Rebuild the session that had come to these entries; ``keep`` is not called for them.

        ``layout`` is that of the usual mat where none is given.

        Raises:
            EntryError: the entries do not follow from each other, or hold what can't be.
        """
        referee = load_referees()[header.game]
        layout = layout or referee.make_layout(len(header.players), REFERENCE_MAT_MM)
        session = cls(referee, header, layout, language, keep, more, pages)
        session.log.restore(entries)
        return session

    # What is agreed, and what is offered

    @property
    def history(self) -> History:
        """How the game came here."""
        return self.log.history

    @property
    def agreed(self) -> Any:
        """The agreed position and what lies on the table beyond it."""
        return self.history.now

    @property
    def position(self) -> Any:
        """The agreed position, with public information."""
        return self.history.now.position

    @property
    def previewed(self) -> AgreedState | None:
        """The state once the move that lies there is confirmed, where the screen is its preview; else ``None``."""
        verdict = self.judge.verdict if self.judge.view is not None else None
        after: AgreedState | None = verdict.after if isinstance(verdict, Accepted) else None
        return after

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.history.over

    @property
    def checking(self) -> bool:
        """Whether a turn was taken back or put back and the table has yet to lie accordingly."""
        return self.history.check is not None

    @property
    def entered_moves(self) -> tuple[tuple[Text, Any], ...]:
        """The moves that are offered to be entered with the buttons, in their order on the screen."""
        return self._presenter.list_entered_moves()

    @property
    def choice(self) -> Hashable:
        """What confirm takes now, to be compared: the same answer to the same question, the same move that is entered.

        ``None`` where it settles whatever lies there.
        """
        self._follow()
        judge, chosen = self.judge, self._cursor.chosen
        if moves := self.entered_moves:
            return judge.turn, moves[chosen % len(moves)]
        if judge.question is not None or (judge.answer is not None and judge.answer.offer is not None):
            return judge.given, chosen
        aside = self._comparing == judge.turn or self.checking
        return (judge.turn, self._comparing) if aside else None

    @property
    def tells(self) -> bool:
        """Whether confirm enters a move that no look is needed for: one that is entered, with nothing more asked."""
        moves = self.entered_moves
        return bool(moves) and not isinstance(moves[self._cursor.chosen % len(moves)][1], Question)

    # What happens

    def handle_event(self, event: Event) -> Verdict | None:
        """Something has happened.

        Returns:
            the verdict, where confirm settled the look that was seen last or a move was entered; ``None`` for all else.

        Raises:
            Exception: whatever keeping an entry raises; then nothing was agreed.
        """
        self._follow()
        verdict, judge, chosen = None, self.judge, 0
        match event:
            case Looked(view):
                question = judge.question
                judge.see(view)
                if question is None and judge.answer is None and self.entered_moves:
                    # Who chooses among moves to tell goes on choosing.
                    chosen = self._cursor.chosen
            case Pressed():
                judge.settled = ()
                verdict = self._press(event)
            case ToldMove(data):
                verdict = judge.tell(data)
            case Busy(mood, why):
                judge.note_busy(mood, why)
            case Comparing():
                self._comparing = judge.turn
            case Speaking(language):
                self.screens = self.screens.speak_in(language)
            case Paused():
                self.over_it = event
        self._follow(chosen)
        if isinstance(self.over_it, AimPictures) and replace(self._presenter, over=None).says_something():
            self.over_it = None
        return verdict

    def see(self, view: Any) -> tuple[Accepted | Refused, ...]:
        """Take a new still look at the table.

        Returns:
            what settled by itself, one move after the other, or was found wrong without a press.
        """
        self.handle_event(Looked(view))
        return self.judge.settled

    def press(
        self, button: Button, held: bool = False, pressed_s: float | None = None, now_s: float | None = None
    ) -> Verdict | None:
        """Handle a button press, or one held down for long; see ``Pressed``."""
        return self.handle_event(Pressed(button, held, pressed_s, pressed_s if now_s is None else now_s))

    def tell(self, data: Mapping[str, Any]) -> Verdict:
        """Enter a move with the buttons; see ``ToldMove``."""
        verdict = self.handle_event(ToldMove(data))
        assert verdict is not None, "what is told is judged"
        return verdict

    def note_watching(self, mood: Mood, why: Text | None = None) -> None:
        """Note that the eye is busy, or sees nothing; see ``Busy``."""
        self.handle_event(Busy(mood, why))

    def speak(self, language: Language) -> None:
        """Speak this language from now on."""
        self.handle_event(Speaking(language))

    def confirm(self, view: Any) -> Verdict | None:
        """See this look and settle it: what confirm gives where no menu is open and nobody has paused.

        A question is about the table as it lay; where the table has been changed since, it is judged anew.
        """
        self.over_it, self._comparing, self._cursor = None, None, replace(self._cursor, naming=False)
        self.see(view)
        return self._settle(None, None) or self._settle(None, None)

    def _follow(self, chosen: int = 0) -> None:
        """Let what is chosen and open follow what is shown: it begins anew with every answer and every turn.

        A page is closed where the table lies no more as it was read of. A card whose name was asked for, and that was
        straightened or taken away instead, is asked for no more.
        """
        before, judge, taught = self._cursor, self.judge, self.lessons
        self.lessons = taught.follow(self.history, self.screens.own.teaching)
        if before.given != judge.given:
            self._cursor = Cursor(judge.given, chosen)
        elif before.page and before.lay != judge.lay:
            self._cursor = replace(before, page=0)
        if before.naming and not self._cursor.naming:
            self.over_it = None
        if self.lessons is not taught and self.lessons.list_new() and not isinstance(self.referee, ArrowButtons):
            # What is explained is read near by, where the verdict stands above it.
            self._cursor = replace(self._cursor, page=1, lay=judge.lay)

    def _press(self, press: Pressed) -> Verdict | None:
        """Do what a button does; while hands are over the mat, nothing can be settled."""
        button, held = press.button, press.held
        if isinstance(self.over_it, Paused):
            self.over_it = None
        elif self.over_it is not None:
            return self._press_in_menu(self.over_it, press)
        elif held and button is Button.BACK:
            self.judge.undo()
        elif held and button is Button.CONFIRM:
            self.over_it = self._make_menu()
        elif self._comparing == self.judge.turn and button in (Button.CONFIRM, Button.BACK):
            self._comparing = None
        elif button is Button.CONFIRM and (moves := self.entered_moves):
            chosen = self._cursor.chosen
            move = moves[chosen % len(moves)][1]
            if not isinstance(move, Question):
                return self.judge.tell(move.to_json(), not chosen, press.pressed_s, press.settled_s)
            self.judge.ask(move)
        elif button is Button.CONFIRM:
            if self.judge.look.clear:
                return self._settle(press.pressed_s, press.settled_s)
        elif button is Button.BACK and self.make_screen().page:
            self._cursor = replace(self._cursor, page=0)
        elif button is Button.BACK:
            self.judge.give(None)
        else:
            self._turn(1 if button is Button.DOWN else -1)
        return None

    def _press_in_menu(self, menu: Menu, press: Pressed) -> Verdict | None:
        """Take a line or go to another; what was entered with it is answered.

        Whoever presses confirm again and again at a card that can't be read has not read the names yet.
        """
        before = self.judge.answer
        if press.button is Button.CONFIRM and at_once(self._cursor.naming_s, press.settled_s):
            return None
        self._cursor = replace(self._cursor, naming_s=None)
        if press.button is Button.BACK:
            self.over_it = menu.parent
        elif press.button is Button.CONFIRM:
            self.over_it = None
            self.over_it = menu.take_choice() or self.over_it
        else:
            by = 1 if press.button is Button.DOWN else -1
            if isinstance(menu, Leaves):
                self.over_it = menu.turn_page(by, self.pages(menu.make_screen(self.screens.language)))
            else:
                self.over_it = menu.move_choice(by)
        if self.over_it is None:
            self._cursor = replace(self._cursor, naming=False)
        answer = self.judge.answer
        return answer.shown if answer is not None and answer is not before else None

    def _turn(self, by: int) -> None:
        """Up or down outside a menu: to another answer, a game's own meaning, the pages, or up to the menu."""
        shown = self.make_screen()
        if shown.choices:
            self._cursor = replace(self._cursor, chosen=(self._cursor.chosen + by) % len(shown.choices))
            return
        if not shown.page:
            if by < 0 and self._presenter.can_recall():
                self.judge.undo()
                return
            unseen = self._presenter.unseen_moves(self.judge.tell) if by > 0 else None
            if unseen is not None:
                self.over_it = unseen
                return
        if isinstance(shown, PagedScreen) and shown.near and (by > 0 or shown.page):
            page = (shown.page + by) % (self.pages(shown) + 1)
            self._cursor = replace(self._cursor, page=page, lay=self.judge.lay)
        else:
            self.over_it = self._make_menu()

    def _settle(self, pressed_s: float | None, now_s: float | None) -> Verdict | None:
        """Settle the last look; whoever confirms again that a card can't be read is asked for its name."""
        judge, shown, checking = self.judge, self.judge.shown, self.checking
        verdict = judge.settle(self._cursor.chosen, pressed_s, now_s)
        if not checking and isinstance(verdict, CantSee) and shown is not None and says_the_same(shown, verdict):
            naming = Naming(self.referee, self.agreed, judge.view, self.layout, judge.name_card)
            self.over_it = naming.ask_card(spots=verdict.spots)
            self._cursor = Cursor(judge.given, naming=self.over_it is not None, naming_s=now_s)
        return verdict

    def _make_menu(self) -> Menu:
        return GameMenu(self.judge, self.screens, self.make_screen().mood, self.handle_event, self.more).make_menu()

    # What the display shows

    def make_screen(self, language: Language | None = None) -> ScreenState:
        """Make the screen of this moment, whatever the session is doing, in its own language or in another one.

        Where it can't be made, a plain one says so; a menu that can't be shown is closed.
        """
        self._follow()
        screens = self.screens.speak_in(language)
        try:
            return replace(self._presenter, screens=screens).make_screen()
        except Exception as error:
            log_once("a screen could not be made", error)
            if screens is self.screens:
                self.over_it, self._cursor = None, Cursor(self.judge.given)
            return plain_screen(screens.language)

    @property
    def _presenter(self) -> Presenter:
        comparing = self._comparing == self.judge.turn
        return Presenter(self.screens, self.judge, self._cursor, self.over_it, comparing, self.lessons)
