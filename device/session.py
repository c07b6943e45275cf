"""One game being refereed: what is agreed, what the table shows of the next move, and what the display says.

A session takes still looks at the table (``see``) and button presses (``press``) and gives verdicts and screens; it
knows no camera and no window. Four buttons are enough:

* **confirm** settles what the table shows; held, it opens the menu
* **back** takes a question off, closes a menu; held, it takes the last turn back
* **up** and **down** choose among answers and menu lines; where there is nothing to choose, they open the menu

Whatever changes the agreed state is an ``Entry``; ``on_entry`` gets it before the screen shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from device import screens
from device.buttons import Button
from device.comparing import Comparison, compare, gist
from device.history import REDO, UNDO, Entry, History
from device.menu import Menu
from referee.laminate import judge, noticed
from referee.layouts import Layout, layout_for
from referee.lying import Agreed
from referee.table import TableView
from referee.verdict import Accepted, Question, Refused, Verdict
from rules.laminate.position import Phase, Position
from rules.laminate.record import Header
from rules.refusal import Words
from ui.screen_state import Language, Mood, ScreenState


def _keep_nothing(entry: Entry) -> None:
    """Where nobody keeps a journal."""


class Session:
    """Referees one game of Laminate Rummy from the set-up on."""

    def __init__(
        self, players: Sequence[str], first_seat: int, layout: Layout, language: Language = Language.EN
    ) -> None:
        self.layout = layout
        self.language = language
        self.on_entry: Callable[[Entry], None] = _keep_nothing
        self._history = History.start(players, first_seat)
        self._entries: list[Entry] = []
        self._view: TableView | None = None
        self._judged: tuple[Agreed, tuple[object, ...], Verdict] | None = None
        self._verdict: Verdict | None = None
        self._asked_about: tuple[object, ...] | None = None
        self._chosen = 0
        self._last: Accepted | None = None
        self._comparison = Comparison()
        self._checking = False
        self._menu: Menu | None = None
        self._eye: Mood | None = None
        self._blind: Words | None = None

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
        layout = layout or layout_for(len(header.players))
        session = cls(header.players, header.first_seat, layout, language)
        for entry in entries:
            session._take(entry)
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
    def entries(self) -> tuple[Entry, ...]:
        """Everything that has changed the agreed state so far."""
        return tuple(self._entries)

    @property
    def question(self) -> Question | None:
        """The question that waits for an answer."""
        return self._verdict if isinstance(self._verdict, Question) else None

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
        self._history = after
        self._entries.append(entry)
        self._note(entry)

    def _take(self, entry: Entry) -> None:
        self._history = self._history.after(entry)
        self._entries.append(entry)
        self._note(entry)

    def _note(self, entry: Entry) -> None:
        if entry.kind in (UNDO, REDO):
            self._checking = True

    # Looking

    def see(self, view: TableView) -> None:
        """A new still look at the table: notice thanks that were taken away, and judge what lies there at once."""
        self._eye = self._blind = None
        self._view = view
        if self.position.phase is Phase.OVER:
            return
        after = noticed(self.agreed, view, self.layout)
        if after.thanks != self.agreed.thanks:
            self._commit(Entry.of_thanks(after.thanks))
        if self._asked_about is not None and self._asked_about != gist(view, self.layout):
            self._verdict = self._asked_about = None
            self._chosen = 0
        self._comparison = compare(self.agreed, view, self.layout)
        self._judge(view)

    def watching(self, mood: Mood) -> None:
        """The eye is busy: ``HANDS`` are over the mat, or the picture is ``READING``. The next look ends it."""
        self._eye = mood

    def blind(self, words: Words) -> None:
        """The table can't be seen at all, for want of a picture or of the mat; the next look ends it."""
        self._blind = words

    def _judge(self, view: TableView) -> Verdict:
        """The verdict on a look, judged once for each agreed state and table."""
        seen = gist(view, self.layout)
        if self._judged is None or self._judged[0] is not self.agreed or self._judged[1] != seen:
            self._judged = (self.agreed, seen, judge(self.agreed, view, self.layout))
        return self._judged[2]

    # Buttons

    def confirm(self, view: TableView) -> Verdict:
        """See this look and settle it: what confirm gives where no menu is open.

        A question is about the table as it lay; where the table has been changed since, it is judged anew.
        """
        self._menu = None
        self.see(view)
        return self._settle(view)

    def press(self, button: Button, held: bool = False) -> Verdict | None:
        """A button was pressed, or held down for long.

        Returns:
            the verdict, where confirm settled the look that was seen last; ``None`` for everything else.
        """
        if self._menu is not None:
            self._press_in_menu(self._menu, button)
            return None
        if held and button is Button.BACK:
            self.undo()
            return None
        if button is Button.CONFIRM:
            return self._settle(self._view) if self._view is not None else None
        if isinstance(self._verdict, Question):
            count = len(self._verdict.choices)
            if button is Button.BACK:
                self._verdict = self._asked_about = None
                self._chosen = 0
            else:
                self._chosen = (self._chosen + (1 if button is Button.DOWN else -1)) % count
        return None

    def _press_in_menu(self, menu: Menu, button: Button) -> None:
        if button is Button.BACK:
            self._menu = menu.parent
        elif button is Button.CONFIRM:
            self._menu = menu.taken()
        else:
            self._menu = menu.moved(1 if button is Button.DOWN else -1)

    def undo(self) -> None:
        """Take the last turn back, where there is one."""
        if self.can_undo:
            self._commit(Entry(UNDO))
            self._moved_on()

    def redo(self) -> None:
        """Put back the turn that was taken back last, where there is one."""
        if self.can_redo:
            self._commit(Entry(REDO))
            self._moved_on()

    def _moved_on(self) -> None:
        self._verdict = self._asked_about = self._last = None
        self._chosen = 0
        if self._view is not None:
            self.see(self._view)

    def _settle(self, view: TableView) -> Verdict:
        seen = gist(view, self.layout)
        if isinstance(self._verdict, Question) and self._asked_about == seen:
            verdict: Verdict = self._verdict.choices[self._chosen].verdict
        else:
            verdict = self._judge(view)
        if isinstance(verdict, Accepted):
            self._commit(Entry.of_move(verdict.move, verdict.after))
            self._last = verdict
            self._checking = False
        self._chosen = 0
        self._asked_about = seen
        self._verdict = verdict
        return verdict

    # What the display shows

    def screen(self) -> ScreenState:
        """The screen of this moment, whatever the session is doing."""
        position, language = self.position, self.language
        if self._menu is not None:
            return screens.menu(position, language, self._menu)
        if position.phase is Phase.OVER:
            return screens.finished(position, language)
        if self._blind is not None:
            screen = screens.base(position, language, Mood.BLIND)
            return replace(screen, headline=screens.said(self._blind, language))
        if self._eye is not None:
            return screens.waiting(position, language, self._last, self._eye)
        if self._verdict is not None:
            return screens.judged(position, language, self._verdict, self._chosen)
        if self._judged is None or self._judged[0] is not self.agreed or self._lies_as_agreed(self._judged[2]):
            return screens.waiting(position, language, self._last)
        return screens.preview(position, language, self._judged[2])

    def _lies_as_agreed(self, verdict: Verdict) -> bool:
        """Whether nothing was done yet, so that there is nothing to preview."""
        if self.position.phase is Phase.SETUP:
            return isinstance(verdict, Refused)
        return self._comparison.agrees and not isinstance(verdict, Accepted)
