"""Writes what the referee says to every table now: ``python -m tests.referee.told.record``. Read the difference!"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from referee.laminate.expected_layout import Agreed
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict
from rules.text import Language
from tests.referee.tables import judge
from tests.referee.told import broken, disturbed, understood
from tests.referee.told.given import TABLES

ROOMS = (understood, broken, disturbed)
"""Each adds its tables as it is imported."""

TOLD = Path(__file__).with_name("told.txt")


def lines(verdict: Verdict) -> Iterator[str]:
    """All of a verdict: the move, the words, what is agreed beyond the position, the reasons, the steps, the spots."""
    if isinstance(verdict, Accepted):
        assert verdict.move is not None, "every move of this game is one of the record"
        assert isinstance(verdict.after, Agreed)
        yield f"accepted {json.dumps(verdict.move.to_json())}"
        yield f"  {verdict.text}"
        yield f"  {verdict.text.said(Language.JA)}"
        yield f"  {verdict.after.position!r}"
        if verdict.after.thanks:
            yield f"  thanks: {dict(verdict.after.thanks)}"
        if len(verdict.after.position.players) > 3:
            known = {card for card in verdict.after.discards if card is not None} | verdict.after.peeping
            yield f"  known among the discards: {' '.join(map(str, sorted(known))) or 'none'}"
    elif isinstance(verdict, Refused):
        yield f"refused {' '.join((verdict.refusal.code, *verdict.refusal.also))}"
        for reason in verdict.reasons:
            yield f"  {' '.join((reason.code, *map(str, reason.cards)))}"
            yield f"    {reason.text}"
            yield f"    {reason.text.said(Language.JA)}"
        for mend in verdict.mend:
            count = f" x{mend.count}" if mend.count > 1 else ""
            yield f"  - {mend.item}{count}: {mend.source} > {mend.target}"
            yield f"    {mend.text}"
            yield f"    {mend.text.said(Language.JA)}"
    elif isinstance(verdict, Question):
        yield "question"
        yield f"  {verdict.text}"
        yield f"  {verdict.text.said(Language.JA)}"
        for number, choice in enumerate(verdict.choices, 1):
            yield f"  {number}. {choice.text}"
            yield f"     {choice.text.said(Language.JA)}"
            yield from (f"     {line}" for line in lines(choice.verdict))
    elif isinstance(verdict, CantSee):
        yield "can't see"
        yield from (f"  {spot.place} at {spot.x:.0f} {spot.y:.0f}: {spot.cause}" for spot in verdict.spots)
        yield f"  {verdict.text}"
        yield f"  {verdict.text.said(Language.JA)}"


def told(name: str) -> str:
    """Return what the referee says to the table of that name."""
    agreed, view = TABLES[name]()
    return "\n".join(lines(judge(agreed, view)))


def recorded() -> dict[str, str]:
    """Return what it said when it was recorded, by the table's name."""
    parts = TOLD.read_text(encoding="utf-8").split("\n\n")
    return {name.removeprefix("== "): text.strip() for name, _, text in (part.partition("\n") for part in parts)}


if __name__ == "__main__":
    TOLD.write_text("\n\n".join(f"== {name}\n{told(name)}" for name in TABLES) + "\n", encoding="utf-8")
