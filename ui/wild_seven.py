"""Wild Seven on the display: how many cards everybody has captured, never which; the points only at the end."""

from __future__ import annotations

from rules.text import Language, Text
from rules.wild_seven.moves import Get, Move, Play, Reveal, Setup
from rules.wild_seven.position import Position
from ui.game import GameScreen
from ui.parts.card_tiles import group_of
from ui.screen_state import Mood, PlayerLine, PlayScreen, Standing, TileGroup, TileRole
from ui.teaching.wild_seven import TEACHING


class WildSevenScreen(GameScreen):
    """What the display shows of a game of gunmen."""

    teaching = TEACHING

    def make_base(self, position: Position, language: Language, mood: Mood) -> PlayScreen:
        """Show players with how many cards they have captured, and whose turn it is."""
        lines = []
        for seat, name in enumerate(position.players, 1):
            count = position.captured_count(seat)
            words = Text("got {count}", count=count).said(language)
            lines.append(PlayerLine(name, count, to_move=position.to_move == seat, shown=words))
        return PlayScreen(language, mood, standing=Standing(tuple(lines)))

    def move_tiles(self, position: Position, move: Move, language: Language) -> tuple[TileGroup, ...]:
        """Show what is laid or taken."""
        match move:
            case Setup(wanted):
                return (group_of(language, TileRole.SHOWN, Text("wanted"), wanted),)
            case Reveal(cards):
                return (group_of(language, TileRole.LAID, Text("revealed"), cards),)
            case Play(_, card):
                return (group_of(language, TileRole.LAID, Text("lays in front"), (card,)),)
            case Get(_, card) if card is not None:
                return (group_of(language, TileRole.TAKEN, Text("captures"), (card,)),)
        return ()


SCREEN = WildSevenScreen()
