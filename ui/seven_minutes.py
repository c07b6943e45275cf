"""Seven Minutes on the display: points, the row and what ends it, rolls to come and what they may strike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.layout import Layout
from referee.seven_minutes.words import ended_by, next_roll, next_seven, row_words, stop_now, won_words
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
    """How the turn stands; before the game, who begins; after it, how the points came."""
    if position.phase is Phase.SETUP:
        who = player(position.name(position.first_seat))
        yield Text(f"Nobody gets a card. {who.en} begins.", f"手札は配りません。{who.ja}から始めます。")
        return
    if position.phase is Phase.OVER:
        yield from (won_words(position, seat) for seat in range(1, len(position.players) + 1))
        return
    yield row_words(position.row)
    if position.phase is Phase.JUDGEMENT:
        yield ended_by(position)
        yield next_roll(position)
        yield Text(
            "Up takes a bumped die's roll back; down sets a roll that was not seen.",
            "上ボタン：触れて動いたダイスの取り消し。下ボタン：見えなかった出目の入力。",
        )
    else:
        if position.may_stop:
            yield stop_now(position)
        yield next_seven(position)
    left = number(position.draw_count)
    last = Text(", so this is the last turn", "（最後の手番です）") if position.last_turn else Text("", "")
    yield Text(f"Draw pile: {left.en}{last.en}.", f"山札：{left.ja}{last.ja}")


SCREEN = SevenMinutesScreen()
