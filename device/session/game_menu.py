"""The menu of a game: taking back, comparing, naming, setting the position, a pause, the language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from device.session.manual_label import naming_menu
from device.session.menu import Menu, Option
from device.session.position_editor import setting_menu
from device.session.table_diff import gist
from referee.history import Named
from referee.layouts import Layout
from referee.lying import Agreed
from referee.table import TableView
from rules.laminate.position import Position
from rules.text import Text

_CHANGED_MEANWHILE = Text(
    "The table was changed meanwhile, so nothing was set.",
    "途中でテーブルが変わったため、設定していません。",
)


class Refereed(Protocol):
    """What the menu asks of a session."""

    layout: Layout
    more: Callable[[], tuple[Option, ...]]

    @property
    def agreed(self) -> Agreed:
        """What is agreed."""
        ...

    @property
    def position(self) -> Position:
        """The agreed position."""
        ...

    @property
    def view(self) -> TableView | None:
        """The last look."""
        ...

    @property
    def can_undo(self) -> bool:
        """Whether there is a turn to take back."""
        ...

    @property
    def can_redo(self) -> bool:
        """Whether there is a turn to put back."""
        ...

    def undo(self) -> None:
        """Take the last turn back."""
        ...

    def redo(self) -> None:
        """Put a turn back."""
        ...

    def show_differences(self) -> None:
        """Show how the table differs from what is agreed."""
        ...

    def name_card(self, named: Named) -> None:
        """Name a card by hand."""
        ...

    def set_position(self, agreed: Agreed) -> None:
        """Set by hand what is agreed."""
        ...

    def pause(self) -> None:
        """Show that the game is paused."""
        ...

    def switch_language(self) -> None:
        """Speak the other language."""
        ...


def game_menu(session: Refereed) -> Menu:
    """What can be done now besides playing on; ``session.more`` gives the last lines."""
    options: list[Option] = []

    def add(en: str, ja: str, take: Callable[[], Menu | None]) -> None:
        options.append(Option(Text(en, ja), take))

    add("Go on", "ゲームに戻る", lambda: None)
    if session.can_undo:
        add("Take the last turn back", "前の手番を取り消す", session.undo)
    if session.can_redo:
        add("Put back the turn taken back", "取り消した手番を元に戻す", session.redo)
    view = session.view
    if view is not None:
        add("Compare with the record", "テーブルと記録を比べる", session.show_differences)
        if view.unread:
            add("Name a card that can't be read", "読めないカードを教える", lambda: _naming(session, view, menu))
        add(
            "Set the position from the table",
            "テーブルのとおりに局面を設定する",
            lambda: _setting(session, view, menu),
        )
    add("Pause", "休憩する", session.pause)
    add("日本語で表示", "Show in English", session.switch_language)
    options += session.more()
    menu = Menu(Text("What do you want to do?", "どうしますか？"), tuple(options))
    return menu


def _naming(session: Refereed, view: TableView, parent: Menu) -> Menu:
    return naming_menu(session.position, view, session.layout, session.name_card, parent)


def _setting(session: Refereed, view: TableView, parent: Menu) -> Menu:
    def put(agreed: Agreed) -> Menu | None:
        now = session.view
        if now is not None and gist(now, session.layout) != gist(view, session.layout):
            start_again = Option(Text("Start again", "やり直す"), lambda: _setting(session, now, parent))
            return Menu(_CHANGED_MEANWHILE, (start_again,), parent=parent)
        session.set_position(agreed)
        return None

    return setting_menu(session.agreed, view, session.layout, put, parent)
