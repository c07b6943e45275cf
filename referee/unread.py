"""What unread cards stand for, and which lie beneath others: those are not needed where known cards explain them.

A pile is untidy, so its lower cards peep out, and the little that shows of one is named wrongly or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from referee.layout import CARD_MM
from referee.table import BACK, COVERS_MM, Expected, Sighting, Unread, ZoneView

WHOLE = 0.9
"""From this visible share on a card may be the top of a pile."""
SAME_SHOWN = 0.03
"""Two cards of a pile that show alike to within this share: neither is surely the top one."""
_PEEPING_MM = 30.0
"""The middle of what peeps out from under a card lies no farther beside it."""

Size = tuple[float, float]


def is_beneath(mark: Unread, cards: Iterable[Sighting], card_mm: Size = CARD_MM) -> bool:
    """Tell whether a card that is read, and shows more of itself, lies on the middle of one that can't be read.

    Of what looks like no card only what peeps out is known, so its middle lies beside the card on it.
    """
    shown, beside = mark.visible, 0.0
    if mark.covers:
        shown, beside = len(mark.covers) * COVERS_MM**2 / (card_mm[0] * card_mm[1]), _PEEPING_MM
    if shown >= WHOLE - SAME_SHOWN:
        return False
    return any(card.visible > shown + SAME_SHOWN and _is_within(card, mark, beside, card_mm) for card in cards)


def _is_within(card: Sighting, mark: Unread, beside: float, card_mm: Size) -> bool:
    """Tell whether the middle of a mark lies within a card's outline, or no farther than so many mm beside it."""
    dx, dy = mark.x - card.x, mark.y - card.y
    c, s = math.cos(math.radians(card.angle)), math.sin(math.radians(card.angle))
    across, down = abs(dx * c + dy * s), abs(dy * c - dx * s)
    return across <= card_mm[0] / 2 + beside and down <= card_mm[1] / 2 + beside


def resolve_unread(view: ZoneView, lying: Mapping[str, Expected], place_at: Callable[[Unread], str]) -> ZoneView:
    """Count unread cards off for what must lie in their place and is read nowhere.

    One stands for a card, or for a back that must show, only where the unread cards of its place are more than all else
    that may lie there; whatever else is unread stays so.
    """
    cards, unread = dict(view.cards), list(view.unread)
    everywhere = {name for place in view.cards for name in view.list_faces(place)}
    for place, one in lying.items():
        marks = [mark for mark in view.unread if place_at(mark) == place]
        if not marks:
            continue
        missing = sorted(one.faces - everywhere)
        due, room = (max(0, bound - view.count_backs(place)) for bound in one.backs)
        due = max(due, sum(set(mark.candidates) == {BACK} for mark in marks))
        backs = [BACK] * room
        count = len(_match_names(marks, [*missing, *backs]))
        proved = [name for name in missing if len(_match_names(marks, [*{*missing} - {name}, *backs])) < count]
        proved += backs[: min(due, count - len(_match_names(marks, missing)))]
        for number, name in _match_names(marks, proved).items():
            mark = marks[number]
            unread.remove(mark)
            cards[place] = (*cards.get(place, ()), Sighting(name, mark.x, mark.y, mark.angle))
    return replace(view, cards=cards, unread=tuple(unread))


def _match_names(marks: Sequence[Unread], names: Sequence[str]) -> dict[int, str]:
    """Name as many unread cards as possible, by number, each by a name that it may have."""
    mark_of: dict[int, int] = {}

    def find(number: int, tried: set[int]) -> bool:
        for at, name in enumerate(names):
            if at not in tried and marks[number].may_be(name):
                tried.add(at)
                if at not in mark_of or find(mark_of[at], tried):
                    mark_of[at] = number
                    return True
        return False

    for number in range(len(marks)):
        find(number, set())
    return {number: names[at] for at, number in mark_of.items()}
