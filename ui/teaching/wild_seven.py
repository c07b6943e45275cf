"""Wild Seven, taught: playing and bumping, getting what is wanted, what captured cards count."""

from __future__ import annotations

from collections.abc import Iterator

from rules.text import Text, join_alternatives, player
from rules.wild_seven.brief import BRIEF
from rules.wild_seven.moves import Get, Move, Play, Reveal, Setup
from rules.wild_seven.position import Phase, Position
from ui.screen_state import TileRole
from ui.teaching.lesson import Cards, Lesson, Picture, Possible, Teaching

AIM, SETUP, TURN, END = BRIEF
DEAL, REVEAL, _SUITS = SETUP.lines
PLAY, GET, _MUST = TURN.lines
_OVER, _SCORE = END.lines
_BUMPED = Text("Whoever was bumped has no card in front, and so plays the next time.")
_NOTHING = Text("Where nothing can be taken, the own card joins the wanted all the same.")

_AIM = (
    Picture(
        Text("Capture many of a suit"),
        (*AIM.lines, _SCORE),
        (Cards(Text("9 + 7 + 7 points"), ("B9", "B6", "B4"), TileRole.TAKEN),),
    ),
    Picture(
        Text("Play a gunman"),
        (PLAY,),
        (
            Cards(Text("laid in front"), ("H4",), TileRole.LAID),
            Cards(Text("bumped"), ("H6",), TileRole.TAKEN),
        ),
    ),
    Picture(
        Text("Get what is wanted"),
        (GET,),
        (Cards(Text("in front"), ("C8",)), Cards(Text("captured"), ("B6",), TileRole.TAKEN)),
    ),
)

_LESSONS = (
    Lesson("suits", (_SUITS,)),
    Lesson("reveal", (REVEAL,), ("bad_record",)),
    Lesson("play", (PLAY,), ("must_play", "two_actions")),
    Lesson("bump", (_BUMPED,), ("bump_missing", "bump_wrong")),
    Lesson("get", (GET, _MUST), ("must_get", "not_wanted", "not_smaller", "get_compulsory", "own_card_left")),
    Lesson("nothing", (_NOTHING,)),
    Lesson("score", (_SCORE,)),
    Lesson("end", (_OVER,)),
)


def _list_possible(position: Position) -> Iterator[Possible]:
    """List what may be done, by the rules and what lies open."""
    seat = position.to_move
    if position.phase is Phase.SETUP:
        yield Possible("setup", DEAL)
    elif position.phase is Phase.REVEAL:
        yield Possible("reveal", REVEAL)
    elif seat is not None:
        own = position.in_front(seat)
        if own is None:
            yield from _list_plays(position, seat)
        else:
            takeable = position.list_takeable(seat)
            wanted = Cards(Text("may be taken"), tuple(map(str, takeable)), TileRole.TAKEN)
            if takeable:
                words = Text(
                    "Get: take {cards} with {own}.", cards=join_alternatives(card.text for card in takeable), own=own
                )
                yield Possible("get", words, (wanted,))
                yield Possible("get", Text("Then {own} joins the wanted.", own=own))
            else:
                yield Possible("get", Text("Get: nothing can be taken with {own}, which joins the wanted.", own=own))


def _list_plays(position: Position, seat: int) -> Iterator[Possible]:
    yield Possible("play", Text("Play: lay any hand card in front, face up."))
    unseen = position.unseen
    for other in range(1, len(position.players) + 1):
        card = position.in_front(other)
        if card is None or other == seat:
            continue
        if any(mine.suit is card.suit and mine.rank < card.rank for mine in unseen):
            who = player(position.get_name(other))
            words = Text("A smaller {card.suit} bumps {card} of {who}.", card=card, who=who)
            yield Possible("play", words, (Cards(who, (str(card),)),))


def _list_events(move: Move, before: Position, after: Position) -> Iterator[str]:
    match move:
        case Setup():
            yield "suits"
        case Reveal():
            yield "reveal"
        case Play(seat, card):
            if before.bumped_by(seat, card):
                yield "bump"
        case Get(_, taken):
            yield "nothing" if taken is None else "score"
    following = after.to_move
    if following is not None:
        yield "play" if after.in_front(following) is None else "get"
    if not all(after.hand_size(seat) for seat in range(1, len(after.players) + 1)) and after.phase is Phase.PLAY:
        yield "end"


TEACHING = Teaching(BRIEF, _AIM, _LESSONS, _list_possible, _list_events)
