"""Wild Seven on the display: how many cards everybody has captured, never which; the points only at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.layout import Layout
from referee.verdict import Mend, Spot
from rules.cards import Card
from rules.text import Language, Text
from rules.wild_seven.moves import Get, Move, Play, Reveal, Setup
from rules.wild_seven.position import Position
from ui.game import ranked
from ui.help.wild_seven import leaves
from ui.parts.card_tiles import card_tiles
from ui.screen_state import Leaf, Mood, PlayerLine, PlayScreen, RankLine, Standing, TablePicture, TileGroup, TileRole


class WildSevenScreen:
    """What the display shows of a game of gunmen."""

    def base(self, position: Position, language: Language, mood: Mood) -> PlayScreen:
        """Players with how many cards they have captured, and whose turn it is."""
        lines = []
        for seat, name in enumerate(position.players, 1):
            count = position.captured_count(seat)
            words = Text("got {count}", count=count).said(language)
            lines.append(PlayerLine(name, count, to_move=position.to_move == seat, shown=words))
        return PlayScreen(language, mood, standing=Standing(tuple(lines)))

    def help(self, position: Position, language: Language) -> tuple[Leaf, ...]:
        """The rules in a few leaves."""
        return leaves(position, language)

    def ranking(self, position: Position) -> tuple[RankLine, ...]:
        """Most points first; those who are level share a place."""
        return ranked(position.players, position.points, position.points)

    def move_tiles(self, position: Position, move: Move, language: Language) -> tuple[TileGroup, ...]:
        """What is laid or taken."""

        def group(role: TileRole, cards: Sequence[Card], words: Text) -> TileGroup:
            return TileGroup(role, words.said(language), card_tiles(cards, role))

        match move:
            case Setup(wanted):
                return (group(TileRole.SHOWN, wanted, Text("wanted")),)
            case Reveal(cards):
                return (group(TileRole.LAID, cards, Text("revealed")),)
            case Play(_, card):
                return (group(TileRole.LAID, (card,), Text("lays in front")),)
            case Get(_, card) if card is not None:
                return (group(TileRole.TAKEN, (card,), Text("captures")),)
        return ()

    def picture(
        self, view: Any, layout: Layout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()
    ) -> TablePicture | None:
        """No picture of its own: the steps say where everything goes."""
        return None


SCREEN = WildSevenScreen()
