"""The referee's words cut to the display's measure: sentences one by one, and like steps to mend in one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from referee.verdict import Mend
from rules.cards import Card
from rules.refusal import listed
from ui.screen_state import Language

_SENTENCE_ENDS = re.compile(r"(?<=。)|(?<=\.) (?=[A-Z])")


def sentences(text: str) -> list[str]:
    """The sentences of a text in English or Japanese.

    >>> sentences("Hilbert takes heart 7. The paper is complete.")
    ['Hilbert takes heart 7.', 'The paper is complete.']
    >>> sentences("取りました。完成しました。")
    ['取りました。', '完成しました。']
    """
    return [part for part in _SENTENCE_ENDS.split(text) if part]


def grouped(mends: Sequence[Mend]) -> list[list[Mend]]:
    """The steps to mend, SEVEN cards that go the same way together."""
    return [list(same_way) for _, same_way in groupby(mends, key=_way)]


def steps(mends: Sequence[Mend], language: Language) -> tuple[str, ...]:
    """What to put right, a sentence for each of the ``grouped`` steps."""
    said = []
    for group in grouped(mends):
        first = group[0]
        text = first.ja if language is Language.JA else first.en
        if len(group) > 1:
            one, all_of_them = listed([Card.parse(first.item)]), listed([Card.parse(mend.item) for mend in group])
            if language is Language.JA:
                text = text.replace(one.ja, all_of_them.ja, 1)
            else:
                text = text.replace(one.en, all_of_them.en, 1)
        said.append(text)
    return tuple(said)


def _way(mend: Mend) -> tuple[object, ...]:
    """What like steps have in common; steps that are no moves of single SEVEN cards are like no other."""
    try:
        Card.parse(mend.item)
    except ValueError:
        return (id(mend),)
    return (mend.source, mend.target) if mend.count == 1 else (id(mend),)
