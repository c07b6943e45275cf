"""A score written out: as a JSON object, as rows of a table, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from device.scoring.looking import ByHand
from device.scoring.table import Table
from device.speech import Language, each_json
from referee.finished.score import Fault, Score
from referee.table import Unread
from rules.text import Text, join_names, player, plural


def score_json(images: Sequence[str], table: Table, score: Score, language: Language) -> dict[str, Any]:
    """Make the object that ``sevenmat score --json`` prints for one table, of which there may be several pictures."""
    categories = {"categories": [list(tally.categories) for tally in score.tallies]} if score.categories else {}
    return {
        "image": images[0],
        **({"images": list(images)} if len(images) > 1 else {}),
        "game": table.scoring.rules.name,
        "final": list(score.final),
        **categories,
        "winners": None if score.winners is None else list(score.winners),
        "why": None if score.why is None else score.why.said(language),
        "players": [
            {
                "seat": tally.seat,
                "points": tally.points,
                **{name: [dict(item.data) for item in items] for name, items in tally.groups.items()},
                **tally.facts,
            }
            for tally in score.tallies
        ],
        "faults": [
            {
                "code": fault.reason.code,
                "seat": fault.seat,
                "cards": list(map(str, fault.reason.cards)),
                "text": fault.reason.text.said(language),
            }
            for fault in score.faults
        ],
        "unread": [{**_unread_json(mark), "text": words.said(language)} for mark, words in score.unread],
    }


def kept_json(
    table: Table, deck: str, score: Score, told: Iterable[ByHand], confirmed: Iterable[Fault]
) -> dict[str, Any]:
    """Describe a settled score as the journal keeps it, with what was entered by hand; words are in both languages."""
    assert score.why is not None, "what is kept is settled"
    return {
        "game": table.scoring.rules.name,
        "players": [each_json(who) for who in table.names],
        "deck": deck,
        "told": dict(table.told),
        "final": list(score.final),
        "winners": list(score.winners or ()),
        "why": each_json(score.why),
        "why_by_seat": each_json(_by_seat(score.why, table)),
        "tallies": [
            {
                "seat": tally.seat,
                "points": tally.points,
                **({"categories": list(tally.categories)} if tally.categories else {}),
                **({"facts": dict(tally.facts)} if tally.facts else {}),
                **({"notes": [each_json(words) for words in tally.notes]} if tally.notes else {}),
                "groups": {
                    name: [{**item.data, "points": item.points, **each_json(item.words)} for item in items]
                    for name, items in tally.groups.items()
                },
            }
            for tally in score.tallies
        ],
        "by_hand": [
            {"card": name, "x": round(one.x, 1), "y": round(one.y, 1), **({"read": one.read} if one.read else {})}
            for one in told
            for name in (one.name, *one.more)
        ],
        "confirmed": [
            {"code": fault.reason.code, "seat": fault.seat, **each_json(fault.reason.text)} for fault in confirmed
        ],
    }


def seat_mark(seat: int) -> str:
    """Return what stands for a player's name in words that get names later."""
    return f"\u27e6{seat}\u27e7"


def _by_seat(words: Text, table: Table) -> Text:
    """Put the seats' marks in place of what the players are called."""
    marks = {who: player(seat_mark(seat)) for seat, who in enumerate(table.players, 1)}

    def mark_text(text: Text) -> Text:
        slots = {key: mark_text(one) for key, one in text.slots.items() if isinstance(one, Text)}
        return marks[text] if text in marks else text.refill(**slots)

    return mark_text(words)


def _unread_json(mark: Unread) -> dict[str, Any]:
    place = {"x": round(mark.x, 1), "y": round(mark.y, 1), "angle": round(mark.angle % 360, 1)}
    return {**place, "cause": mark.cause, "candidates": list(mark.candidates)}


def write_plainly(table: Table, score: Score) -> list[Text]:
    """Write the score as a table that a person reads: player by player, what is wrong, and who has won."""
    lines: list[Text] = []
    for tally in score.tallies:
        who, points = table.names[tally.seat - 1], tally.points
        lines.append(plural("  {who}: {count} point", "  {who}: {count} points", count=points, who=who))
        for item in (item for items in tally.groups.values() for item in items):
            lines.append(Text("    {value:>3}  {words}", value=item.points or "–", words=item.words))
        lines += [Text("         {words}", words=words) for words in tally.notes]
    lines += [Text("  ✗ {text}", text=fault.reason.text) for fault in score.faults]
    lines += [Text("  ? {words}", words=words) for _, words in score.unread]
    ranking = join_names(
        Text("{names}: {points}", names=table.names[tally.seat - 1], points=tally.points)
        for tally in sorted(score.tallies, key=lambda tally: -tally.points)
    )
    lines.append(Text("  {ranking}", ranking=ranking))
    left_open = Text("The result is open until this is put right.")
    why = score.why or left_open
    lines.append(Text("  {why}", why=why))
    return lines
