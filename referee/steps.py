"""The steps that put the table right, for the display: like ones in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from referee.verdict import Mend
from rules.cards import Card
from rules.text import Language, listed


def grouped(mends: Sequence[Mend]) -> list[list[Mend]]:
    """The steps to mend, SEVEN cards that go the same way together."""
    return [list(same_way) for _, same_way in groupby(mends, key=_way)]


def steps(mends: Sequence[Mend], language: Language) -> tuple[str, ...]:
    """What to put right, a sentence for each of the ``grouped`` steps."""
    said = []
    for group in grouped(mends):
        first = group[0]
        text = first.text.said(language)
        if len(group) > 1:
            one, all_of_them = listed([Card.parse(first.item)]), listed([Card.parse(mend.item) for mend in group])
            text = text.replace(one.said(language), all_of_them.said(language), 1)
        said.append(text)
    return tuple(said)


def _way(mend: Mend) -> tuple[object, ...]:
    """What like steps have in common; steps that are no moves of single SEVEN cards are like no other."""
    try:
        Card.parse(mend.item)
    except ValueError:
        return (id(mend),)
    return (mend.source, mend.target) if mend.count == 1 else (id(mend),)
