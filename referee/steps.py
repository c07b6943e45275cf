"""The steps that put the table right, for the display: like ones in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from referee.verdict import Mend
from rules.text import Language, Text, join_names


def group_steps(mends: Sequence[Mend]) -> list[list[Mend]]:
    """Group the steps to mend, cards that go the same way together."""
    return [list(same_way) for _, same_way in groupby(mends, key=_way_of)]


def describe_steps(mends: Sequence[Mend], language: Language) -> tuple[str, ...]:
    """Say what to put right, a sentence for each group of ``group_steps``."""
    return tuple(_join_group(group).said(language) for group in group_steps(mends))


def _join_group(group: Sequence[Mend]) -> Text:
    text = group[0].text
    return text.refill(card=join_names(mend.text.slots["card"] for mend in group)) if group[0].joins else text


def _way_of(mend: Mend) -> tuple[object, ...]:
    """Return what like steps have in common; a step that does not join is like no other."""
    return (mend.source, mend.target, mend.text.refill(card="")) if mend.joins else (id(mend),)
