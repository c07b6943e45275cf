"""Seven Wonders, taught: a card each round, paying neighbours, stages, war and what counts at the end."""

from __future__ import annotations

from collections.abc import Iterator

from referee.seven_wonders.words import deal_words, say_coins
from rules.seven_wonders.cards import of_age
from rules.seven_wonders.effects import Special
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import BRIEF
from rules.seven_wonders.state import AgePhase
from rules.text import Text, join_row, plural
from ui.screen_state import TileRole
from ui.teaching.lesson import Cards, Lesson, Picture, Possible, Teaching

AIM, SETUP, ROUND, PAYING, WAR, POINTS = BRIEF
_LAY, _PASS_ON, _LEFT_OVER = ROUND.lines
_PAY, _CHAIN = PAYING.lines
_ASKED = Text(
    "Only ways that waste no coins are taken. Where there are several, you are asked who is paid; the "
    "one with the fewest coins is offered first."
)
_STAGES = Text("Stages are built from the left to the right; the card beneath stays face down.")
_COINS = Text("Coins stay beside the mat: the referee reckons them.")
SPECIAL = {
    Special.PLAY_SEVENTH_CARD: Text("Babylon B, stage 2: the seventh card is played too, after the sixth round."),
    Special.BUILD_FROM_DISCARD: Text(
        "Halikarnassos: after such a stage one card of the discard pile may be built without cost."
    ),
    Special.BUILD_FREE_ONCE_AN_AGE: Text(
        "Olympia A, stage 2: one card in each age is built without cost. You are asked where paying is possible too."
    ),
    Special.COPY_GUILD: Text("Olympia B, stage 3: at the end the neighbours' best guild counts as one's own."),
}
"""What only stages of wonders do, in words."""

_AIM = (
    Picture(
        Text("Build a city and a wonder"),
        AIM.lines,
        (Cards(Text("city"), ("altar", "baths"), label="2"), Cards(Text("wonder"), ("back", "back"))),
    ),
    Picture(
        Text("One card each round"),
        (_LAY,),
        (
            Cards(Text("build"), ("altar",), TileRole.LAID, "2"),
            Cards(Text("stage"), ("back",), TileRole.LAID),
            Cards(Text("3 coins"), ("back",), TileRole.PAID),
        ),
    ),
    Picture(Text("War, and points"), (*WAR.lines, *POINTS.lines), ()),
)

_LESSONS = (
    Lesson("round", (_LAY,), ("round_due", "nothing_laid", "two_cards", "card_outside", "wrong_age")),
    Lesson("pass_on", (_PASS_ON,), ("discard_not_gathered",)),
    Lesson("paying", (_PAY, _ASKED), ("cannot_produce", "coins_short", "pay_unclear", "overpaid", "underpaid")),
    Lesson("chain", (_CHAIN,), ("already_built",)),
    Lesson("stage", (_STAGES,), ("no_stage_left",)),
    Lesson("coins", (_COINS,)),
    Lesson("left_over", (_LEFT_OVER,)),
    Lesson("war", WAR.lines),
    Lesson("points", POINTS.lines),
    Lesson(Special.PLAY_SEVENTH_CARD, (SPECIAL[Special.PLAY_SEVENTH_CARD],), ("seventh_due",)),
    Lesson(Special.BUILD_FROM_DISCARD, (SPECIAL[Special.BUILD_FROM_DISCARD],), ("from_discard_due", "not_in_discard")),
    Lesson(Special.BUILD_FREE_ONCE_AN_AGE, (SPECIAL[Special.BUILD_FREE_ONCE_AN_AGE],), ("no_free_build",)),
    Lesson(Special.COPY_GUILD, (SPECIAL[Special.COPY_GUILD],)),
)


def _list_possible(position: Position) -> Iterator[Possible]:
    """List what may be done, by the rules and what the cities and their coins allow."""
    phase, seat = position.phase, position.seat
    if phase is AgePhase.DEAL:
        yield from (Possible("deal", line) for line in deal_words(position, position.age + 1))
    elif phase is AgePhase.ROUND:
        yield Possible("round", Text("Each lays one card: to build it, to build a stage, or for 3 coins."))
        for city in range(position.n):
            yield from _list_acts(position, city, "round")
    elif phase is AgePhase.SEVENTH and seat is not None:
        yield Possible(
            "seventh", Text("It is laid like any other card; then confirm. The others lay theirs on the discard pile.")
        )
        yield from _list_acts(position, seat, "seventh")
    elif phase is AgePhase.FROM_DISCARD and seat is not None:
        yield Possible("from_discard", SPECIAL[Special.BUILD_FROM_DISCARD])
        yield Possible(
            "from_discard",
            Text(
                "Look through the pile, lay the card face up in the city, put the pile back, confirm. If nothing "
                "is laid, you are asked whether none is built."
            ),
        )


def _list_acts(position: Position, seat: int, do: str) -> Iterator[Possible]:
    """Say of the city of a seat, from 0, whether its next stage can be paid, and what it builds free."""
    city, who = position.cities[seat], position.name_player(seat)
    stage = city.next_stage
    if stage is not None:
        ways = position.find_affordable(seat, position.find_price(seat, Act(Do.STAGE)))
        slots = {"who": who, "number": city.stages + 1, "cost": stage.cost}
        if not ways:
            words = Text("{who}: stage {number} takes {cost}, which can't be paid yet.", **slots)
        elif ways[0].coins:
            coins = say_coins(min(way.coins for way in ways))
            words = Text("{who}: stage {number} takes {cost}, with {coins} to neighbours.", **slots, coins=coins)
        else:
            words = Text("{who}: stage {number} takes {cost}, which the city can pay.", **slots)
        yield Possible(do, words)
    free = [
        card
        for card in of_age(position.age, position.n)
        if card.id in city.chained and card.name not in city.names and position.copies_left(card)
    ]
    if free:
        yield Possible(
            do,
            plural(
                "{who}: {cards} is free, if in the hand.",
                "{who}: {cards} are free, if in the hand.",
                count=len(free),
                who=who,
                cards=join_row(card.text for card in free),
            ),
        )


def _list_events(move: Move, before: Position, after: Position) -> Iterator[str]:
    acts = dict(enumerate(move.acts)) if isinstance(move, Round) else {}
    if isinstance(move, Seventh):
        acts = {move.seat - 1: move.act}
        yield Special.PLAY_SEVENTH_CARD
    if isinstance(move, Deal):
        yield "round"
    if isinstance(move, Round):
        yield "pass_on" if before.rounds + 1 < 6 else "left_over"
    for seat, act in acts.items():
        yield from _list_act_events(before, seat, act)
    if isinstance(move, FromDiscard):
        yield Special.BUILD_FROM_DISCARD
    if acts and after.phase in (AgePhase.DEAL, AgePhase.OVER):
        yield "war"
        yield "points"
    for special in Special:
        new = [one.has_special(special) for one in after.cities] != [one.has_special(special) for one in before.cities]
        if new:
            yield special


def _list_act_events(before: Position, seat: int, act: Act) -> Iterator[str]:
    price, card = before.find_price(seat, act), act.card
    if act.do is Do.STAGE:
        yield "stage"
    elif act.do is Do.BUILD and card is not None and card.id in before.cities[seat].chained:
        yield "chain"
    if act.pay is not None and act.pay.coins:
        yield "paying"
    if price.coins or act.do is Do.DISCARD:
        yield "coins"


TEACHING = Teaching(BRIEF, _AIM, _LESSONS, _list_possible, _list_events)
