"""What a game shows of itself: players and points, what presses now, the ranking, and a picture of its table.

A module ``ui/<name>.py`` with the object ``SCREEN``, a ``GameScreen``, belongs to the game of that name
(``ui.registry``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from referee.layout import TableLayout
from referee.verdict import Mend, Spot
from rules.game import Ranked, rank_players
from rules.text import Language, Text
from ui.parts.card_tiles import card_tile
from ui.screen_state import CardTile, Leaf, Mood, PlayScreen, RankLine, TablePicture, TileGroup
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

    def show_rank(self, position: Any, ranked: Ranked) -> RankLine:
        """Show a player's place at the end of a game; with it may stand how the points came."""
        return RankLine(ranked.place, position.players[ranked.seat - 1], ranked.points, None, ranked.winner)

    def list_ranks(self, position: Any) -> tuple[RankLine, ...]:
        """Show the players of a game that is over, in the order in which its rules rank them."""
        outcome = position.outcome
        return tuple(self.show_rank(position, ranked) for ranked in rank_players(outcome.places, outcome.points))

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

    def make_tile(self, position: Any, name: str) -> CardTile:
        """Show a card of the game by the name that the reader gives it."""
        return card_tile(name)

    def title_card(self, position: Any, name: str) -> Text | None:
        """Name what stands on a card as a heading, where that is otherwise than within a sentence."""
        return None

    def count_coins(self, position: Any, seat: int) -> int | None:
        """Count a seat's coins, which lie beside the mat; ``None`` in a game without coins."""
        return None

    def note_stack(self, position: Any, moves: Sequence[Any], place: str) -> tuple[Text, ...]:
        """Say what everybody knows of the cards in a place besides what they are, after these moves."""
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
