"""The steps that put the table right, for the display: like ones in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from referee.verdict import Mend
from rules.cards import Card
from rules.text import Language, inside, listed


def grouped(mends: Sequence[Mend]) -> list[list[Mend]]:
    """The steps to mend, SEVEN cards that go the same way together."""
    return [list(same_way) for _, same_way in groupby(mends, key=_way)]


def steps(mends: Sequence[Mend], language: Language) -> tuple[str, ...]:
    """What to put right, a sentence for each of the ``grouped`` steps."""
    said = []
    for group in grouped(mends):
        text, around = group[0].text, group[0].around
        if around is not None and len(group) > 1:
            text = inside(around[0], listed(Card.parse(mend.item) for mend in group), around[1])
        said.append(text.said(language))
    return tuple(said)


def _way(mend: Mend) -> tuple[object, ...]:
    """What like steps have in common; a step that is no move of a single SEVEN card is like no other."""
    return (id(mend),) if mend.around is None else (mend.source, mend.target, mend.around)
