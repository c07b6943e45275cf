"""The steps that put the table right, for the display: like ones in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from referee.verdict import Mend
from rules.text import Language, inside, listing


def grouped(mends: Sequence[Mend]) -> list[list[Mend]]:
    """The steps to mend, cards that go the same way together."""
    return [list(same_way) for _, same_way in groupby(mends, key=_way)]


def steps(mends: Sequence[Mend], language: Language) -> tuple[str, ...]:
    """What to put right, a sentence for each of the ``grouped`` steps."""
    said = []
    for group in grouped(mends):
        text, parts = group[0].text, [mend.parts for mend in group if mend.parts is not None]
        if parts:
            text = inside(parts[0][0], listing(card for _, card, _ in parts), parts[0][2])
        said.append(text.said(language))
    return tuple(said)


def _way(mend: Mend) -> tuple[object, ...]:
    """What like steps have in common; a step that is not told in parts is like no other."""
    return (id(mend),) if mend.parts is None else (mend.source, mend.target, mend.parts[0], mend.parts[2])
