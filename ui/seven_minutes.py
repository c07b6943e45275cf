"""Seven Minutes on the display: points, the row and what ends it, rolls to come and what they may strike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.layout import Layout
from referee.seven_minutes.words import next_roll, row_words, stop_now
from referee.verdict import Mend, Spot
from rules.seven_minutes.position import Phase, Position
from rules.text import Language, Text, number, player
from ui.screen_state import Mood, PlayerLine, RankLine, ScreenState, TablePicture


class SevenMinutesScreen:
    """What the display shows of a game of flipping on or stopping."""

    def base(self, position: Position, language: Language, mood: Mood) -> ScreenState:
        """Players with their points; the row, and what a roll or a stop would bring."""
        lines = tuple(
            PlayerLine(name, position.points[seat - 1], to_move=position.to_move == seat)
            for seat, name in enumerate(position.players, 1)
        )
        return ScreenState(language, mood, lines, details=tuple(text.said(language) for text in _details(position)))

    def ranking(self, position: Position) -> tuple[RankLine, ...]:
        """Most points first; those who are level share a place."""
        points = position.points
        order = sorted(range(1, len(points) + 1), key=lambda seat: (-points[seat - 1], seat))
        best = max(points)
        return tuple(
            RankLine(
                1 + sum(other > points[seat - 1] for other in points),
                position.name(seat),
                points[seat - 1],
                None,
                points[seat - 1] == best,
            )
            for seat in order
        )

    def picture(
        self, view: Any, layout: Layout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()
    ) -> TablePicture | None:
        """No picture of its own: the steps say where everything goes."""
        return None


def _details(position: Position) -> Iterator[Text]:
    """How the turn stands; after the game, how the points came."""
    if position.phase is Phase.SETUP:
        return
    if position.phase is Phase.OVER:
        yield from (_came_from(position, seat) for seat in range(1, len(position.players) + 1))
        return
    yield row_words(position.row)
    if position.phase is Phase.JUDGEMENT:
        yield next_roll(position)
    elif position.may_stop:
        yield stop_now(position)
    left = number(position.draw_count)
    last = Text(", so this is the last turn", "（最後の手番です）") if position.last_turn else Text("", "")
    yield Text(f"Draw pile: {left.en}{last.en}.", f"山札：{left.ja}{last.ja}")


def _came_from(position: Position, seat: int) -> Text:
    """A player's points by both piles."""
    who = player(position.name(seat))
    up, down = number(len(position.face_up(seat))), number(len(position.face_down(seat)))
    points = position.points[seat - 1]
    return Text(
        f"{who.en}: {up.en} face up, {down.en} face down (7s count 3): {points}.",
        f"{who.ja}：表{up.ja}、裏{down.ja}（7は3点）で{points}点",
    )


SCREEN = SevenMinutesScreen()
