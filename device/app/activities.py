"""What has the screen and the buttons for a while: a notice, the menus before a game, a name being written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from device.app.name_picker import NamePicker
from device.errors import DeviceError
from device.hardware.buttons import Button, Press
from device.hardware.display import Display
from device.session.plain import log_once, plain_screen
from device.speech import Language
from referee.menu import Menu
from rules.text import Text
from ui.screen_state import ButtonWords, IconTile, MenuScreen, Mood, NoticeScreen, ScreenState


class Activity(Protocol):
    """What has the screen and the buttons for a while."""

    @property
    def done(self) -> bool:
        """Whether it has nothing more to show."""
        ...

    def run_round(self) -> None:
        """Do what is due now."""
        ...

    def press(self, press: Press) -> None:
        """Handle a button press."""
        ...

    def make_screen(self, language: Language | None = None) -> ScreenState:
        """Make the screen of this moment, in that language, or in the panel's where none is given."""
        ...

    def close(self) -> None:
        """Let go of what it has opened."""
        ...


class Notice:
    """Something to be read, until confirm is pressed."""

    def __init__(self, words: Text, language: Language, then: Callable[[], None]) -> None:
        self._words, self._language, self._then = words, language, then
        self.done = False

    def run_round(self) -> None:
        """Do nothing: nothing is due."""

    def press(self, press: Press) -> None:
        """Confirm has it read."""
        if press.button is Button.CONFIRM:
            self.done = True
            self._then()

    def make_screen(self, language: Language | None = None) -> ScreenState:
        """Show the words."""
        language = language or self._language
        return NoticeScreen(language, Mood.NOTICE, self._words.said(language))

    def close(self) -> None:
        """Do nothing: nothing is open."""


class Menus:
    """The menus before a game."""

    def __init__(self, menu: Menu, language: Callable[[], Language]) -> None:
        self._menu: Menu = menu
        self._language = language
        self.done = False

    def run_round(self) -> None:
        """Do nothing: nothing is due."""

    def press(self, press: Press) -> None:
        """Up and down choose, confirm takes, back goes back."""
        if press.button is Button.CONFIRM:
            following = self._menu.take_choice()
            self.done = following is None
            self._menu = following or self._menu
        elif press.button is Button.BACK:
            self._menu = self._menu.parent or self._menu
        else:
            self._menu = self._menu.move_choice(1 if press.button is Button.DOWN else -1)

    def make_screen(self, language: Language | None = None) -> ScreenState:
        """Show the menu."""
        return menu_screen(self._menu, language or self._language())

    def close(self) -> None:
        """Do nothing: nothing is open."""


def menu_screen(menu: Menu, language: Language) -> MenuScreen:
    """Show a menu outside of any game."""
    return MenuScreen(
        language,
        Mood.MENU,
        headline=menu.title.said(language),
        details=tuple(words.said(language) for words in menu.details),
        choices=tuple(option.words.said(language) for option in menu.options),
        chosen=menu.chosen,
        picture=menu.code,
        icons=list_icons(menu, language),
        buttons=None if menu.parent is not None else _first_buttons(menu, language),
    )


def list_icons(menu: Menu, language: Language) -> tuple[IconTile, ...]:
    """Return the tiles of a menu whose lines all have an icon; none of any other."""
    tiles = tuple(IconTile(option.icon, option.label.said(language)) for option in menu.options)
    return tiles if all(tile.icon for tile in tiles) else ()


def _first_buttons(menu: Menu, language: Language) -> ButtonWords:
    """Of the first menu, from which back leads nowhere."""
    place = f"{menu.chosen + 1}/{len(menu.options)}"
    choose = Text("▲▼ choose {place}", place=place)
    return ButtonWords(Text("✓ take it").said(language), choose.said(language))


class Writing:
    """A name being written; ``then`` gets it, ``left`` is called where nobody wants to write one after all."""

    def __init__(self, picker: NamePicker, then: Callable[[str], None], left: Callable[[], None]) -> None:
        self._picker, self._then, self._left = picker, then, left
        self.done = False

    def run_round(self) -> None:
        """Do nothing: nothing is due."""

    def press(self, press: Press) -> None:
        """Leave the press to the picker."""
        following = self._picker.take_press(press)
        if isinstance(following, NamePicker):
            self._picker = following
            return
        self.done = True
        if following is None:
            self._left()
        else:
            self._then(following)

    def make_screen(self, language: Language | None = None) -> ScreenState:
        """Letters to choose from."""
        picker = self._picker
        return (picker if language is None else replace(picker, language=language)).make_screen()

    def close(self) -> None:
        """Do nothing: nothing is open."""


IDLE = (Menus, Notice, Writing)
"""Activities that watch no camera."""


def screen_of_activity(activity: Activity, panels: Language, language: Language | None = None) -> ScreenState:
    """Show an activity in that language or in the panel's; a plain screen where that can't be made."""
    try:
        return activity.make_screen(language)
    except Exception as error:
        log_once("a screen could not be made", error)
        return plain_screen(language or panels)


def show(display: Display, state: ScreenState) -> None:
    """Draw a screen, or a plain one where it can't be drawn.

    Raises:
        DeviceError: the display has failed.
    """
    try:
        display.show(state)
    except DeviceError:
        raise
    except Exception as error:
        log_once("a screen could not be drawn", error)
        display.show(plain_screen(state.language))
