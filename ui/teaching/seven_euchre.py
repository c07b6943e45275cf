"""Seven Euchre, taught: the auction, trumps and their 7s, following suit, tricks and what a bid brings."""

from __future__ import annotations

from collections.abc import Iterator

from referee.seven_euchre.telling import follow_words
from rules.seven_euchre.brief import BRIEF
from rules.seven_euchre.moves import SEATS, Move, Play
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase, side_of
from rules.seven_euchre.trumps import SEVEN, TRICKS, bid_words
from rules.text import Text
from ui.screen_state import TileRole
from ui.teaching.lesson import Cards, Lesson, Picture, Possible, Teaching

AIM, SETUP, AUCTION, PLAYING, POINTS = BRIEF
_BID, _HIGHER, _AUCTION_ENDS, _TURNED_UP = AUCTION.lines
_FOLLOW, _SEVENS, _ORDER, _PLAIN_SEVENS = PLAYING.lines
_EACH_TRICK, _MADE, _FAILED, _TARGET = POINTS.lines
_TRICK = Text(
    "The winner's side lays the four cards aside as a packet, face down, and the winner leads to the next trick."
)
_WAYS_BACK = Text("Once somebody is found not to have followed suit, the deal goes back to that trick, or is annulled.")

_AIM = (
    Picture(
        Text("Bid tricks and a trump suit"),
        (*AIM.lines, _SEVENS),
        (Cards(Text("trumps: book"), ("B7", "B9", "B8")), Cards(Text("every other 7 too"), ("F7", "H7"))),
    ),
    Picture(
        Text("Follow suit, win tricks"),
        (_FOLLOW,),
        (
            Cards(Text("led"), ("S9",)),
            Cards(Text("follow"), ("S6", "S11"), TileRole.LAID),
            Cards(Text("trump, wins"), ("B3",), TileRole.TAKEN),
        ),
    ),
    Picture(
        Text("Make your bid"),
        (_EACH_TRICK, _MADE),
        (Cards(Text("a trick: 1 point"), ("back",) * SEATS, TileRole.TAKEN),),
    ),
)

_LESSONS = (
    Lesson("auction", (_BID, _HIGHER), ("bid_too_low", "auction_due", "deal_due")),
    Lesson("turn_up", (_TURNED_UP,), ("turn_up_due",)),
    Lesson("declarer", (_AUCTION_ENDS,), ("exchange_due",)),
    Lesson("trumps", (_SEVENS,)),
    Lesson("no_trump", (_PLAIN_SEVENS,)),
    Lesson("follow", (_FOLLOW,), ("must_follow", "revoke", "play_due", "two_cards")),
    Lesson("sevens", (_ORDER,)),
    Lesson("revoke", (_WAYS_BACK,), ("revoke", "must_follow", "card_not_in_hand")),
    Lesson("trick", (_TRICK,), ("trick_not_theirs", "trick_incomplete")),
    Lesson("points", (_EACH_TRICK,)),
    Lesson("made", (_MADE,)),
    Lesson("failed", (_FAILED,)),
    Lesson("target", (_TARGET,)),
)


def _list_possible(position: Position) -> Iterator[Possible]:
    """List what may be done, by the rules, the calls and the cards that lie open."""
    phase = position.phase
    if phase is DealPhase.DEAL:
        # While an auction runs, the screen is for its answers.
        auction = (_BID, _HIGHER) if position.full is None else ()
        yield from (Possible("deal", line) for line in (*SETUP.lines, *auction))
    elif phase is DealPhase.AUCTION:
        yield from _list_calls(position)
    elif phase is DealPhase.TURN_UP:
        yield Possible("turn_up", _TURNED_UP)
    elif phase is DealPhase.EXCHANGE:
        yield Possible("exchange", Text("Take the middle card, and lay any one card aside, face down."))
    elif phase is DealPhase.PLAY:
        yield from _list_plays(position)


def _list_calls(position: Position) -> Iterator[Possible]:
    bids = position.bids
    if bids:
        least = bid_words(bids[0].tricks, bids[0].trump or position.trump)
        yield Possible("bid", Text("Bid {least} or higher, up to {tricks} tricks.", least=least, tricks=TRICKS))
    yield Possible("pass", Text("Or pass."))


def _list_plays(position: Position) -> Iterator[Possible]:
    follow, led = follow_words(position), position.led
    if follow is None or led is None:
        yield Possible("play", Text("Lead any card."))
        return
    open_cards = tuple(str(card) for card in position.trick if card is not None)
    yield Possible("play", follow, (Cards(Text("on the table"), open_cards),))
    yield Possible("play", Text("Whoever has none of them plays any card."))


def _list_events(move: Move, before: Position, after: Position) -> Iterator[str]:
    if after.phase is DealPhase.TURN_UP:
        yield "turn_up"
    if after.contract is not None and before.contract is None:
        yield "declarer"
        yield "no_trump" if after.contract.trump.suit is None else "trumps"
    if after.phase is DealPhase.PLAY and before.phase is not DealPhase.PLAY:
        yield "follow"
    if isinstance(move, Play):
        if move.card.rank == SEVEN and before.trump is not None and before.trump.suit is not None:
            yield "sevens"
        if after.last_trick is not None and after.led is None:
            yield "trick"
    if after.last_points is not None and after.contract is not None:
        yield "points"
        yield "made" if after.tricks[side_of(after.contract.seat)] >= after.contract.tricks else "failed"
        yield "target"


TEACHING = Teaching(BRIEF, _AIM, _LESSONS, _list_possible, _list_events)
