"""A menu that is looked through leaf by leaf: up and down turn them, confirm does what the leaf offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from referee.menu import Menu, Option
from rules.text import Language, Text
from ui import words
from ui.screen_state import ButtonWords, Leaf, LeafScreen, Mood

_CLOSE = Text("Back to the game")


@dataclass(frozen=True)
class Leaves(Menu):
    """Leaves to look through; each option's words say what confirm does at its leaf."""

    draw: Callable[[int, Language], Leaf] = lambda number, language: Leaf("")
    """Makes the leaf of that number, from 0, in that language."""
    page: int = 0
    """Which page of the leaf is open; 0 unless it has more than the display has room for."""

    def turn_page(self, by: int, pages: int) -> Leaves:
        """Up or down: to another page of the leaf, which has so many besides the first, or to another leaf."""
        if 0 <= self.page + by <= pages:
            return replace(self, page=self.page + by)
        return replace(self, chosen=(self.chosen + by) % len(self.options), page=0)

    def make_screen(self, language: Language) -> LeafScreen:
        """Show the leaf that is open."""
        leaf = self.draw(self.chosen, language)
        buttons = ButtonWords(
            f"✓ {self.options[self.chosen].words.said(language)}",
            f"▲▼ {self.chosen + 1}/{len(self.options)}" if len(self.options) > 1 else "",
            "←" + words.BACK.said(language),
        )
        return LeafScreen(language, Mood.MENU, leaf.title, buttons=buttons, leaf=leaf, page=self.page)


def make_leaves(title: Text, count: int, found: Callable[[Language], Sequence[Leaf]], parent: Menu | None) -> Leaves:
    """So many leaves that are only to be read; ``found`` gives them in a language."""
    close = Option(_CLOSE, lambda: None)
    return Leaves(title, (close,) * count, parent=parent, draw=lambda number, language: found(language)[number])
