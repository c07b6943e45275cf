"""Seven Minutes on the display: points, the row and what ends it, rolls to come and what they may strike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from referee.seven_minutes.words import (
    chance_of_hit,
    ended_by,
    format_percent,
    next_roll,
    next_seven,
    row_words,
    stop_now,
    total_of,
    won_briefly,
    won_words,
)
from rules.game import Ranked
from rules.seven_minutes.moves import Flip, Move, Roll, Setup, Stop
from rules.seven_minutes.position import Phase, Position
from rules.seven_minutes.row import Row
from rules.text import Language, Text, player, say_number
from ui.game import GameScreen
from ui.parts.card_tiles import group_of, make_backs
from ui.screen_state import Mood, PlayerLine, PlayScreen, RankLine, Standing, TileGroup, TileRole
from ui.teaching.seven_minutes import TEACHING


class SevenMinutesScreen(GameScreen):
    """What the display shows of a game of flipping on or stopping."""

    teaching = TEACHING
    briefs: ClassVar = {
        "judgement_due": Text("Rolls are due"),
        "must_flip": Text("Flip a card first"),
        "must_flip_more": Text("The K: flip on"),
        "roll_not_due": Text("No roll is due"),
        "card_not_in_deck": Text("Flipped before"),
        "too_many_rolls": Text("One roll too many"),
        "rolls_missing": Text("Rolls are missing"),
        "wrong_take": Text("Other cards are taken"),
        "wrong_side": Text("The other side up"),
        "wrong_place": Text("Wrong place in the row"),
        "cocked_die": Text("A die is cocked: roll again"),
    }

    def make_base(self, position: Position, language: Language, mood: Mood) -> PlayScreen:
        """Show players with their points; the row, and what a roll or a stop would bring."""
        lines = tuple(
            PlayerLine(name, position.points[seat - 1], to_move=position.to_move == seat)
            for seat, name in enumerate(position.players, 1)
        )
        # A question wants the room.
        texts = _write_details(position) if mood is not Mood.QUESTION else ()
        details = tuple(text.said(language) for text in texts)
        brief = _write_brief(position).said(language)
        return PlayScreen(language, mood, details=details, standing=Standing(lines), brief=brief)

    def show_rank(self, position: Position, ranked: Ranked) -> RankLine:
        """Show a player's place, with what was taken."""
        return replace(super().show_rank(position, ranked), note=won_briefly(position, ranked.seat))

    def move_tiles(self, position: Position, move: Move | None, language: Language) -> tuple[TileGroup, ...]:
        """Show the card flipped or the cards taken, and the row then, a tile for each of its places."""

        def show_row(lying: Row) -> tuple[TileGroup, ...]:
            tops = [stack.top for stack in lying.stacks]
            return (group_of(language, TileRole.SHOWN, Text("row"), tops),) if tops else ()

        match move:
            case Setup():
                return (TileGroup(TileRole.SHOWN, Text("draw pile").said(language), make_backs(1, TileRole.SHOWN)),)
            case Flip(_, card):
                lying = position.row if card in position.row.cards else position.row.flip_card(card)
                return (group_of(language, TileRole.LAID, Text("flips"), [card]), *show_row(lying))
            case Stop():
                return show_row(position.row)
            case Roll():
                after = position.do(move) if position.is_legal(move) else position
                if after.taken is None:
                    return show_row(after.row)
                side = Text("face up") if after.taken.face_up else Text("face down")
                taken = [stack.top for stack in after.taken.stacks]
                return (group_of(language, TileRole.TAKEN, side, taken), *show_row(after.row))
        return show_row(position.row)


def _write_brief(position: Position) -> Text:
    """Say what matters now, to be read from afar."""
    row, miss = position.row, format_percent((1 - chance_of_hit(position.row)) ** position.row.rolls)
    if position.phase is Phase.JUDGEMENT:
        done, due, hit = len(position.rolls) + 1, position.rolls_due, format_percent(chance_of_hit(row))
        return Text("Roll {done} of {due}: {hit} to hit", done=done, due=due, hit=hit)
    if position.king_left:
        return Text("K: {king_left} more", king_left=say_number(position.king_left))
    if position.may_stop:
        return Text("Stop now: +{points}, {miss} chance", points=total_of(row.cards), miss=miss)
    take = position.taken
    if take is not None:
        name, count = position.get_name(take.seat), say_number(len(take.cards))
        side = Text("up") if take.face_up else Text("down")
        return Text("{name}: {count} face {side}", name=name, count=count, side=side)
    return Text()


def _write_details(position: Position) -> Iterator[Text]:
    """Write how the turn stands; before the game, who begins; after it, how the points came."""
    if position.phase is Phase.SETUP:
        who = player(position.get_name(position.first_seat))
        yield Text("Nobody gets a card. {who} begins.", who=who)
        return
    if position.phase is Phase.OVER:
        yield from (won_words(position, seat) for seat in range(1, len(position.players) + 1))
        return
    yield row_words(position.row)
    if position.phase is Phase.JUDGEMENT:
        yield ended_by(position)
        yield next_roll(position)
        yield Text("Up: take back a roll that was only a bumped die. Down: enter a roll that was not seen.")
    else:
        if position.may_stop:
            yield stop_now(position)
        yield next_seven(position)
    left = say_number(position.draw_count)
    last = Text(", so this is the last turn") if position.last_turn else Text()
    yield Text("Draw pile: {left}{last}.", left=left, last=last)


SCREEN = SevenMinutesScreen()
