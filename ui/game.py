"""What a game shows of itself: players and points, what presses now, the ranking, and a picture of its table.

A module ``ui/<name>.py`` with the object ``SCREEN`` belongs to the game of that name (``ui.registry``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from referee.layout import Layout
from referee.verdict import Mend, Spot
from rules.text import Language, Text
from ui.screen_state import Leaf, Mood, PlayScreen, RankLine, TablePicture, TileGroup


class GameScreen(Protocol):
    """A game on the display."""

    def base(self, position: Any, language: Language, mood: Mood) -> PlayScreen:
        """Players, points and what presses (a countdown, a trump), with nothing said yet."""

    def ranking(self, position: Any) -> tuple[RankLine, ...]:
        """The players of a game that is over, the first one first."""

    def picture(
        self, view: Any, layout: Layout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()
    ) -> TablePicture | None:
        """The table as it was seen, with an arrow for each of the grouped steps to mend."""


@runtime_checkable
class ShowsTiles(Protocol):
    """A game that shows its moves as cards. It is free to: without this, moves are shown in words."""

    def move_tiles(self, position: Any, move: Any, language: Language) -> tuple[TileGroup, ...]:
        """The cards of a move that is played in ``position``: what is laid, cited, paid and taken, apart."""


@runtime_checkable
class SaysBriefly(Protocol):
    """A game with a few words for its refusals. Without this, a refusal is told from afar by its first step."""

    def brief(self, code: str) -> Text | None:
        """A refusal by its code in about 20 letters; ``None`` where there are no such words."""


@runtime_checkable
class ExplainsEnd(Protocol):
    """A game that says more on its end than the ranking does. It is free to."""

    def ending_words(self, position: Any) -> tuple[Text, ...]:
        """How the winners were found, what settled a tie, the best of what was made; a sentence each."""


@runtime_checkable
class ShowsHelp(Protocol):
    """A game that can be looked up while it is played. It is free to: without this, only the screen is explained."""

    def help(self, position: Any, language: Language) -> tuple[Leaf, ...]:
        """What may be done now, first of all; then what else players look up: the set-up, kinds of cards."""


@runtime_checkable
class GivesHints(Protocol):
    """A game that gives hints to whoever asks for them. It is free to."""

    def hints(self, position: Any, language: Language) -> tuple[Leaf, ...]:
        """What may be done next, from what everybody can see; nothing where nobody is to move."""


def ranked(
    names: Sequence[str], points: Sequence[int], ranks: Sequence[Any], notes: Sequence[str] = ()
) -> tuple[RankLine, ...]:
    """Players by what counts, the greatest first; those who are level share a place, and the first place wins."""
    best = max(ranks)
    return tuple(
        RankLine(
            1 + sum(other > ranks[n] for other in ranks),
            names[n],
            points[n],
            None,
            ranks[n] == best,
            note=notes[n] if notes else "",
        )
        for n in sorted(range(len(names)), key=lambda n: ranks[n], reverse=True)
    )


def move_tiles(own: GameScreen, position: Any, move: Any, language: Language) -> tuple[TileGroup, ...]:
    """The cards of a move, where the game shows them."""
    return own.move_tiles(position, move, language) if isinstance(own, ShowsTiles) else ()


def brief_of(own: GameScreen, code: str) -> Text | None:
    """A refusal in a few words, where the game has some."""
    return own.brief(code) if isinstance(own, SaysBriefly) else None


def ending_words(own: GameScreen, position: Any) -> tuple[Text, ...]:
    """What a game says of its end."""
    return own.ending_words(position) if isinstance(own, ExplainsEnd) else ()


def help_of(own: GameScreen, position: Any, language: Language) -> tuple[Leaf, ...]:
    """What can be looked up of a game."""
    return own.help(position, language) if isinstance(own, ShowsHelp) else ()


def hints_of(own: GameScreen, position: Any, language: Language) -> tuple[Leaf, ...]:
    """A game's hints."""
    return own.hints(position, language) if isinstance(own, GivesHints) else ()
