"""Seven Wonders, looked up: what may be done now, how cards are paid, which are in play, war and points."""

from __future__ import annotations

from collections.abc import Iterator

from referee.seven_wonders.words import deal_words, passing_words
from rules.seven_wonders.cards import AGES, count_dealt
from rules.seven_wonders.effects import Special
from rules.seven_wonders.position import Position
from rules.seven_wonders.state import AgePhase
from rules.text import Language, Text, join_row, verbatim
from ui.help.leaf import NOW, SCORE, SETUP, make_leaf
from ui.screen_state import Leaf

_PAYING, _WAR = Text("Resources and paying"), Text("War")
_WONDERS, _CARDS = Text("Wonders that do more"), Text("Cards in play")
_SETUP = Text(
    "Each player's board lies in front of them; everybody begins with 3 coins. Coins and tokens stay beside "
    "the mat: the referee reckons them."
)
_ROUND = (
    Text(
        "Each player lays one card: face up in the city to build it, face down under the board to build the next "
        "stage of the wonder, or face down on their own discard spot for 3 coins. Then confirm, once for all."
    ),
    Text("Hands are passed only after confirm was accepted; then the discards go to the discard pile."),
)
_PAY = (
    Text(
        "A missing resource is bought from a neighbour who has it for 2 coins, or 1 with a trading post, the "
        "marketplace or Olympia B. Cards and stages bought in this round don't help in it."
    ),
    Text(
        "Only ways that waste no coins are taken. Where there are several, you are asked who is paid; the "
        "one with the fewest coins is offered first."
    ),
    Text("A card may make later ones free. No city has two cards of one name."),
)
_FIGHT = Text(
    "After each age shields are compared with both neighbours: more is a victory of 1, 3, 5 points in ages "
    "1, 2, 3; fewer is a defeat, −1; equal is nothing."
)
_POINTS = (
    Text("War tokens; 1 point for 3 coins; points on stages and on blue cards; yellow and purple cards as they say."),
    Text(
        "Green: each symbol its number squared, and 7 for each set of three different. Most points win, then "
        "most coins."
    ),
)
_SPECIAL = {
    Special.PLAY_SEVENTH_CARD: Text("Babylon B, stage 2: the seventh card is played too, after the sixth round."),
    Special.BUILD_FROM_DISCARD: Text(
        "Halikarnassos: after such a stage one card of the discard pile may be built without cost."
    ),
    Special.BUILD_FREE_ONCE_AN_AGE: Text(
        "Olympia A, stage 2: one card in each age is built without cost. You are asked where paying is possible too."
    ),
    Special.COPY_GUILD: Text("Olympia B, stage 3: at the end the neighbours' best guild counts as one's own."),
}


def list_leaves(position: Position, language: Language) -> tuple[Leaf, ...]:
    """List all leaves; the first one is what may be done now."""
    return (
        make_leaf(language, NOW, *_explain_now(position)),
        make_leaf(language, _PAYING, *_PAY),
        make_leaf(language, _WONDERS, *_SPECIAL.values()),
        make_leaf(language, _WAR, _FIGHT),
        make_leaf(language, SCORE, *_POINTS),
        make_leaf(language, SETUP, _SETUP),
        make_leaf(language, _CARDS, *_list_cards(position)),
    )


def _explain_now(position: Position) -> Iterator[Text]:
    """Say what may be done in this position."""
    phase = position.phase
    if phase is AgePhase.DEAL:
        if not position.age:
            yield _SETUP
        yield from deal_words(position, position.age + 1)
    elif phase is AgePhase.ROUND:
        yield from _ROUND
        yield passing_words(position, position.age)
    elif phase is AgePhase.SEVENTH:
        yield _SPECIAL[Special.PLAY_SEVENTH_CARD]
        yield Text("It is laid like any other card; then confirm. The others lay theirs on the discard pile.")
    elif phase is AgePhase.FROM_DISCARD:
        yield _SPECIAL[Special.BUILD_FROM_DISCARD]
        yield Text(
            "Look through the pile, lay the card face up in the city, put the pile back, confirm. If nothing "
            "is laid, you are asked whether none is built."
        )
    else:
        yield from _POINTS


def _list_cards(position: Position) -> Iterator[Text]:
    """List the cards in play with this number of players, age by age, with the count of those there are several of."""
    for age in AGES:
        names = [
            f"{card.name.replace('_', ' ')}{f' ×{count}' if count > 1 else ''}"
            for card, count in count_dealt(age, position.n).items()
        ]
        yield Text("Age {age}: {names}.", age=age, names=join_row(map(verbatim, names)))
