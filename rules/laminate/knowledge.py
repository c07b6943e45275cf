"""What everybody may know: where each unseen card can be (RULINGS.md, last paragraph on Laminate Rummy).

The question is always the same: is there a placing of the unseen cards in hands, draw pile and unseen set-up discards
that fits *everything* that was seen, the sizes of hands and piles and the numbers of cards paid? A card is refused
only where there is none.

**How it is answered.** Places are nodes of a network that grows with time. Every hidden event (a kept card of a draw,
a payment, a reshuffle of unseen cards) moves a known number of cards from place to place, so every edge has an exact
load. A card travels unseen from where it was seen last to where it is seen next:

* cards that were never seen before start anywhere, so they are whatever the other cards leave over;
* cards that were seen going into hiding and have not been seen since may end anywhere: together they are one flow;
* cards that were seen on both ends need a path each.

A placing exists exactly where these paths and that flow fit into the loads together; the rest then fits by itself,
since loads are conserved. The flow alone is decided by augmenting paths, the paths by search.

**Exact or not.** The answer is exact as long as the search ends within its budget, and it is a sound relaxation where
it does not: then the card *may* be there, so nobody is accused who is not convicted. Where the shown card of a draw
across a reshuffle leaves two histories (an unseen set-up discard or the last card of the old pile), both are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.cards import ALL, Card, cards_in, mask_of
from rules.laminate.worlds import DRAW, _World

__all__ = ["DRAW", "Knowledge"]


class Knowledge:
    """What everybody at the table knows about unseen cards; a value, each step gives a new one.

    Places are ``DRAW``, hands by seat, and ``under``. The histories that fit are kept side by side; there are at most
    two, and nearly always one.
    """

    __slots__ = ("_last", "_log", "_possible", "_worlds", "under")

    def __init__(self, under: int, worlds: tuple[_World, ...], log: tuple[tuple[Any, ...], ...]) -> None:
        self.under = under
        self._worlds = worlds
        self._log = log
        self._possible: dict[int, tuple[int, int]] = {}
        self._last: tuple[int, int, Knowledge] | None = None

    @classmethod
    def start(cls, counts: tuple[int, ...], unseen: int) -> Knowledge:
        """Begin with that many cards in the draw pile, in each hand and under the top discard; ``cards`` says which.

        Raises:
            ValueError: the numbers do not add up.
        """
        if sum(counts) != unseen.bit_count():
            raise ValueError(f"{unseen.bit_count()} unseen cards can't be {sum(counts)} in their places")
        return cls(len(counts) - 1, (_World.start(counts, unseen),), (("start", counts, unseen),))

    @property
    def consistent(self) -> bool:
        """False where nothing fits what is said to have been seen."""
        return bool(self._worlds)

    def count(self, place: int) -> int:
        """Count the cards that lie unseen at a place."""
        return self._worlds[0].counts[place]

    def find_possible(self, place: int, among: int = ALL) -> int:
        """Return those of the cards ``among``, a mask, that are unseen and can
        be at a place, each of them for itself.
        """
        asked, found = self._possible.get(place, (0, 0))
        new = among & ~asked
        if new:
            for world in self._worlds:
                found |= world.find_possible(place, new)
            self._possible[place] = (asked | new, found)
        return found & among

    def can_leave(self, place: int, cards: int) -> bool:
        """Tell whether all these cards, a mask, can be at that place together."""
        return self.leave(place, cards).consistent

    def leave(self, place: int, cards: int) -> Knowledge:
        """Take in that everybody saw these cards, a mask, come from that place."""
        if not cards:
            return self
        if self._last is None or self._last[:2] != (place, cards):
            worlds = tuple(after for world in self._worlds if (after := world.reveal_cards(place, cards)) is not None)
            self._last = (place, cards, Knowledge(self.under, worlds, (*self._log, ("leave", place, cards))))
        return self._last[2]

    def enter(self, place: int, cards: int) -> Knowledge:
        """Take in that everybody saw these cards, a mask, go into hiding at that place."""
        if not cards:
            return self
        worlds = tuple(world.hide_cards(place, cards) for world in self._worlds)
        return Knowledge(self.under, worlds, (*self._log, ("enter", place, cards)))

    def seen_at(self, place: int) -> int:
        """Return, as a mask, the cards that everybody saw lie at that place and that can't have left it since."""
        there = ALL
        for world in self._worlds:
            here = world.now[place]
            there &= sum(1 << card for card, since in world.since.items() if since == here)
        return there if self._worlds else 0

    def see(self, place: int, cards: int) -> Knowledge:
        """Take in that everybody saw these cards, a mask, lie at that place, and there they stay."""
        new = cards & ~self.seen_at(place)
        return self.leave(place, new).enter(place, new)

    def move(self, source: int, target: int, count: int) -> Knowledge:
        """Move ``count`` unseen cards from one place to another."""
        worlds = tuple(
            world.move_unseen(source, target, count) for world in self._worlds if world.counts[source] >= count
        )
        return Knowledge(self.under, worlds, (*self._log, ("move", source, target, count)))

    def draw(self, hand: int, kept: int, shown: int) -> Knowledge:
        """Draw cards into a hand: one kept, hidden where ``kept`` is 0, and one shown as discard, if any."""
        after = self.leave(DRAW, shown)
        return after.leave(DRAW, kept).enter(hand, kept) if kept else after.move(DRAW, hand, 1)

    def reshuffle(self, seen: int) -> Knowledge:
        """Turn the discards, those seen (a mask) and the unseen ones, into the draw pile."""
        if not self._worlds:
            return self
        return self.move(self.under, DRAW, self.count(self.under)).enter(DRAW, seen)

    @staticmethod
    def join_either(one: Knowledge, other: Knowledge) -> Knowledge:
        """Join two histories, one of which happened; those that fit nothing seen fall away."""
        if not other.consistent:
            return one
        if not one.consistent:
            return other
        return Knowledge(one.under, one._worlds + other._worlds, (("either", one._log, other._log),))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Knowledge) and self._log == other._log

    def __hash__(self) -> int:
        return hash(self._log)

    def __repr__(self) -> str:
        places = ["draw", *(f"hand {seat}" for seat in range(1, self.under)), "unseen discards"]
        shown = (
            f"{name}: {' '.join(map(str, cards_in(self.find_possible(place))))}"
            for place, name in enumerate(places)
            if self.consistent and self.count(place)
        )
        return f"<Knowledge {'; '.join(shown)}>"

    def to_json(self) -> list[Any]:
        """Return what was seen, as JSON-able data."""
        return _log_to_json(self._log)

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Knowledge:
        """Restore what ``to_json`` gave.

        Raises:
            ValueError: it is nothing that ``to_json`` gives.
        """
        known: Knowledge | None = None
        for step in data:
            name, *rest = step
            if name == "start":
                counts, cards = rest
                if not all(map(_is_count, counts)):
                    raise ValueError(f"no numbers of cards: {counts!r}")
                known = cls.start(tuple(counts), mask_of(map(Card.parse, cards)))
            elif name == "either":
                one, other = rest
                known = cls.join_either(cls.from_json(one), cls.from_json(other))
            elif known is None:
                raise ValueError("knowledge begins with its start")
            elif name == "move":
                source, target, count = rest
                if source == target or not _is_count(count):
                    raise ValueError(f"no cards that moved: {rest!r}")
                known = known.move(known._place(source), known._place(target), count)
            elif name in ("leave", "enter"):
                place, cards = known._place(rest[0]), mask_of(map(Card.parse, rest[1]))
                known = known.leave(place, cards) if name == "leave" else known.enter(place, cards)
            else:
                raise ValueError(f"there is no step {name!r}")
        if known is None:
            raise ValueError("knowledge begins with its start")
        return known

    def _place(self, place: object) -> int:
        if not isinstance(place, int) or not _is_count(place) or place > self.under:
            raise ValueError(f"there is no place {place!r}")
        return place


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


def _log_to_json(log: Sequence[Any]) -> list[Any]:
    data: list[Any] = []
    for name, *rest in log:
        if name == "either":
            data.append([name, _log_to_json(rest[0]), _log_to_json(rest[1])])
        elif name == "start":
            data.append([name, [*rest[0]], [*map(str, cards_in(rest[1]))]])
        elif name == "move":
            data.append([name, *rest])
        else:
            data.append([name, rest[0], [*map(str, cards_in(rest[1]))]])
    return data
