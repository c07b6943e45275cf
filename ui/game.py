"""What a game shows of itself: players and points, what presses now, the ranking, and a picture of its table.

A module ``ui/<name>.py`` with the object ``SCREEN``, a ``GameScreen``, belongs to the game of that name
(``ui.registry``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from referee.layout import TableLayout
from referee.verdict import Mend, Spot
from rules.text import Language, Text
from ui.screen_state import Leaf, Mood, PlayScreen, RankLine, TablePicture, TileGroup
from ui.teaching.lesson import Teaching


class GameScreen(Protocol):
    """A game on the display: what it has to say, and what it is free to say."""

    gives_hints: bool = False
    teaching: Teaching | None = None
    """How the game is taught to those who play it first; without it nothing is."""
    briefs: ClassVar[Mapping[str, Text]] = {}
    """Refusals in about 20 letters by their code; without these words one is shown from afar by its first step."""

    def make_base(self, position: Any, language: Language, mood: Mood) -> PlayScreen:
        """Show players, points and what presses (a countdown, a trump), with nothing said yet."""

    def rank_players(self, position: Any) -> tuple[RankLine, ...]:
        """Rank the players of a game that is over, the first one first."""

    def picture_table(
        self, view: Any, layout: TableLayout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()
    ) -> TablePicture | None:
        """Picture the table as it was seen, with an arrow for each of the grouped steps to mend.

        Where there is none, the steps say where everything goes.
        """
        return None

    def move_tiles(self, position: Any, move: Any, language: Language) -> tuple[TileGroup, ...]:
        """Show the cards of a move played in ``position``: what is laid, cited, paid and taken, apart.

        Moves are shown in words where there are none.
        """
        return ()

    def ending_words(self, position: Any) -> tuple[Text, ...]:
        """Say how the winners were found, what settled a tie, the best of what was made; a sentence each."""
        return ()

    def write_now(self, position: Any, language: Language) -> tuple[Leaf, ...]:
        """Say what may be done now, from what everybody can see; nothing once the game is over."""
        now = None if self.teaching is None else self.teaching.draw_now(position, language)
        return () if now is None else (now,)

    def write_help(self, position: Any, language: Language) -> tuple[Leaf, ...]:
        """Write what else players look up: the rules part by part, kinds of cards."""
        return () if self.teaching is None else self.teaching.draw_rules(language)

    def write_hints(self, position: Any, language: Language) -> tuple[Leaf, ...]:
        """Suggest what may be done next, from what everybody can see; nothing where nobody is to move."""
        return ()


def rank_by(
    names: Sequence[str], points: Sequence[int], ranks: Sequence[Any], notes: Sequence[str] = ()
) -> tuple[RankLine, ...]:
    """Rank players by what counts, the greatest first; those who are level share a place, and the first place wins."""
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
