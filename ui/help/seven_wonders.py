"""Seven Wonders, looked up beside the rules: wonders that do more, and the cards in play."""

from __future__ import annotations

from collections.abc import Iterator

from rules.seven_wonders.cards import AGES, count_dealt
from rules.seven_wonders.position import Position
from rules.text import Language, Text, join_row, verbatim
from ui.help.leaf import make_leaf
from ui.screen_state import Leaf
from ui.teaching.seven_wonders import SPECIAL, TEACHING

_WONDERS, _CARDS = Text("Wonders that do more"), Text("Cards in play")


def list_leaves(position: Position, language: Language) -> tuple[Leaf, ...]:
    """List all leaves."""
    return (
        *TEACHING.draw_rules(language),
        make_leaf(language, _WONDERS, *SPECIAL.values()),
        make_leaf(language, _CARDS, *_list_cards(position)),
    )


def _list_cards(position: Position) -> Iterator[Text]:
    """List the cards in play with this number of players, age by age, with the count of those there are several of."""
    for age in AGES:
        names = [
            f"{card.name.replace('_', ' ')}{f' ×{count}' if count > 1 else ''}"
            for card, count in count_dealt(age, position.n).items()
        ]
        yield Text("Age {age}: {names}.", age=age, names=join_row(map(verbatim, names)))
