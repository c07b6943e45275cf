"""Menus for four buttons: a list of options, of which up and down choose one and confirm takes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from referee.verdict import Spot
from rules.text import Text

NO_LABEL = Text()


@dataclass(frozen=True)
class Option:
    """One line of a menu; ``take`` does what it says and gives the menu to show next, ``None`` to close it.

    A menu whose lines all have an ``icon``, by its name, and a ``label`` of a word or two is shown as tiles.
    """

    words: Text
    take: Callable[[], Menu | None]
    icon: str = ""
    label: Text = NO_LABEL


@dataclass(frozen=True)
class QrCode:
    """A code that a phone reads off the display: its rows, a byte for each square, 1 is dark.

    ``typed`` are the lines that stand under it, for whoever types them.
    """

    rows: tuple[bytes, ...]
    typed: tuple[str, ...]


@dataclass(frozen=True)
class Menu:
    """A question to the players and its options; back leads to ``parent``, or closes where there is none.

    ``spot`` is the card that it is about where that could not be read; the last picture of it is shown. ``code`` is
    for a phone to read.
    """

    title: Text
    options: tuple[Option, ...]
    details: tuple[Text, ...] = ()
    chosen: int = 0
    parent: Menu | None = None
    spot: Spot | None = None
    code: QrCode | None = None

    @classmethod
    def dead_end(cls, why: Text, parent: Menu | None, details: tuple[Text, ...] = ()) -> Menu:
        """Say why something can't be done, and show the way back."""
        return cls(why, (Option(Text("Back"), lambda: parent),), details, parent=parent)

    def move_choice(self, by: int) -> Menu:
        """Return the same menu with another line chosen, round and round."""
        return replace(self, chosen=(self.chosen + by) % len(self.options))

    def take_choice(self) -> Menu | None:
        """Take the chosen option."""
        return self.options[self.chosen].take()
