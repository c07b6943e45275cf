"""Seven Euchre on the display: contract, led suit and what follows it, tricks and points by side; never a hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from referee.layout import TableLayout
from referee.seven_euchre.layout import ASIDE, MIDDLE, trick_place
from referee.seven_euchre.layout import Layout as EuchreLayout
from referee.seven_euchre.telling import (
    contract_words,
    deal_result,
    follow_briefly,
    follow_words,
    trump_words,
)
from referee.seven_euchre.words import side_words
from referee.steps import group_steps
from referee.verdict import Mend, Spot
from rules.game import Ranked
from rules.seven_euchre.moves import Bid, Move, Pass, Play, TurnUp
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase, side_of
from rules.text import Language, Text, in_context, join_row, player, plural, verbatim
from ui.game import GameScreen
from ui.parts.card_tiles import group_of
from ui.screen_state import (
    Arrow,
    Mood,
    PlayerLine,
    PlayScreen,
    Point,
    RankLine,
    Standing,
    TablePicture,
    TileGroup,
    TileRole,
)
from ui.table_picture import spots_picture
from ui.teaching.seven_euchre import TEACHING

_EDGE = 0.03


class SevenEuchreScreen(GameScreen):
    """What the display shows of a game of two sides."""

    teaching = TEACHING
    briefs: ClassVar = {
        "deal_due": Text("Deal the cards first"),
        "auction_due": Text("The auction goes on"),
        "turn_up_due": Text("Turn the middle card up"),
        "exchange_due": Text("Exchange comes first"),
        "play_due": Text("A card is to be played"),
        "bid_too_low": Text("The bid is too low"),
        "card_not_in_hand": Text("Not from that hand"),
        "revoke": Text("Did not follow suit"),
        "must_follow": Text("Must follow suit"),
        "two_cards": Text("Two cards at once"),
        "trick_not_theirs": Text("Not their trick"),
        "trick_incomplete": Text("Trick not complete"),
    }

    def make_base(self, position: Position, language: Language, mood: Mood) -> PlayScreen:
        """Show players with their calls, tricks or points; what is played for, and what follows the led card."""
        lines = []
        for seat, name in enumerate(position.players, 1):
            side = side_of(seat)
            words = _write_line(position, seat).said(language)
            lines.append(PlayerLine(name, position.points[side], to_move=position.to_move == seat, shown=words))
        details = tuple(text.said(language) for text in _write_details(position))
        return PlayScreen(language, mood, details=details, standing=Standing(tuple(lines)))

    def show_rank(self, position: Position, ranked: Ranked) -> RankLine:
        """Show a player's place, with the side."""
        return replace(super().show_rank(position, ranked), side=side_of(ranked.seat))

    def move_tiles(self, position: Position, move: Move, language: Language) -> tuple[TileGroup, ...]:
        """Show the card that is played, beside the one led and what follows it; the one that is turned up."""
        if isinstance(move, Play):
            led = position.led
            follow, shown = follow_briefly(led or move.card, position.trump), (led,) if led is not None else ()
            return (
                group_of(language, TileRole.LAID, Text("plays"), (move.card,)),
                group_of(language, TileRole.SHOWN, follow, shown),
            )
        if isinstance(move, TurnUp):
            return (group_of(language, TileRole.SHOWN, Text("turned up"), (move.card,)),)
        return ()

    def picture_table(
        self, view: Any, layout: TableLayout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()
    ) -> TablePicture:
        """Picture the seats and the spots between them, with an arrow for each of the steps to mend."""
        assert isinstance(layout, EuchreLayout), "the layout is that of this game"
        centres = layout.centres
        steps = [group[0] for group in group_steps(mends)]
        return replace(
            spots_picture(layout, unseen),
            piles=(centres[MIDDLE], centres[ASIDE]),
            payments=tuple(centres[trick_place(seat)] for seat in range(1, len(layout.seats) + 1)),
            arrows=tuple(Arrow(_place_point(step.source, layout), _place_point(step.target, layout)) for step in steps),
        )


def _place_point(place: str, layout: EuchreLayout) -> Point:
    """Find where a place of ``Mend`` is drawn; hands lie at their player's edge, cards from nowhere at the left."""
    name, _, seat = place.partition(":")
    if place in layout.centres:
        return layout.centres[place]
    if not seat:
        return _EDGE, 0.5
    area = layout.seats[int(seat) - 1]
    middle = (area.x0 + area.x1) / 2
    if name == "hand":
        return middle, _EDGE if layout.faces_down(int(seat)) else 1 - _EDGE
    return middle, (area.y0 + area.y1) / 2


def _write_line(position: Position, seat: int) -> Text:
    """Say a player's last call in an auction; the side's tricks while cards are played, else its points."""
    if position.phase is DealPhase.AUCTION:
        calls = [call for call in position.calls if call.seat == seat]
        return _call(calls[-1]) if calls else Text("–")
    points, tricks = position.points[side_of(seat)], position.tricks[side_of(seat)]
    if position.phase is not DealPhase.PLAY:
        return Text("{points} pts", points=points)
    return plural("{count} trick", "{count} tricks", count=tricks)


def _call(call: Bid | Pass) -> Text:
    """Say a call as briefly as can be."""
    if isinstance(call, Pass):
        return Text("pass")
    if call.trump is None or call.trump.suit is None:
        suit = "" if call.trump is None else "NT "
        return verbatim(f"{suit}{call.tricks}")
    return in_context("call", "{trump} {tricks}", trump=call.trump, tricks=call.tricks)


def _write_details(position: Position) -> Iterator[Text]:
    """Say what a deal is about, as far as it has come; in an auction the room is for the answers."""
    phase = position.phase
    if position.full is None:
        yield from _write_seating(position)
    elif phase in (DealPhase.EXCHANGE, DealPhase.PLAY) and position.contract is not None:
        yield contract_words(position, position.contract)
        followed = follow_words(position)
        yield trump_words(position.contract.trump) if followed is None else followed
    else:
        yield from deal_result(position)
    if phase not in (DealPhase.AUCTION, DealPhase.OVER):
        yield _write_points(position)


def _write_points(position: Position) -> Text:
    """Write both sides' points, and how many are played for."""
    sides = [
        in_context("points", "{side} {points}", side=side_words(position, side), points=points)
        for side, points in enumerate(position.points)
    ]
    return Text("Points: {sides}; target {target}.", sides=join_row(sides), target=position.target)


def _write_seating(position: Position) -> Iterator[Text]:
    """Write who deals; the points say who plays with whom."""
    dealer = player(position.get_name(position.dealer))
    yield Text("Dealer: {dealer}.", dealer=dealer)


SCREEN = SevenEuchreScreen()
