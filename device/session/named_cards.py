"""Cards named by hand, look by look: a name belongs to one card, and ends with it.

**Which mark is which.** All names are matched to the unread cards of a look at once, each to at most one: near its own
place, and to none that it can't be. A name without a mark ends, unless the reader itself sees that card at its place.

**Sure, or in doubt.** A name is sure in the look for which it was given, and where the players were asked for it as
long as nobody can have touched its card: in the same turn, with no hand seen over the table, and all lying as it lay.
Later another card may lie there, under the same glare: put into its place or on top of it, or closed up from beside
it. So a name that is not sure counts only where no other card in its stead would come to another move. Where one
would, or where the players are to be refused, and the referee can't judge without that name, it does not count: that
card can't be seen, and is asked for again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from referee.game import Named, Referee
from referee.layout import TableLayout
from referee.state import AgreedState
from referee.table import Unread
from referee.verdict import Accepted, CantSee, Refused, Verdict, Waiting

SAME_MM = 3.0
"""A card that nobody touched is found so near to where the look before found it."""
_OWN_MM = 15.0
"""A name goes no farther than this from where it was given: the next card of a column lies some 20 mm away."""

_HIDDEN = 8
"""Of cards from hands and piles so many are tried in a name's stead: one is as good as another."""
_MOST_TRIED = 40
"""So many cards are tried in the names' stead in one look; a name for which that is too few is in doubt."""

Held = dict[Named, Unread]
"""Names, each with its mark."""
_Lay = tuple[Hashable, tuple[Named, ...], tuple[Named, ...]]
"""How the table lies, all names held, and those of them that are not sure."""


class NamedCards:
    """The names of one game, held against each look."""

    def __init__(self, referee: Referee, layout: TableLayout) -> None:
        self._referee, self._layout = referee, layout
        self._sure: dict[Named, Named | Unread] = {}
        """Names that are sure, each with where its card was found last."""
        self._unasked: set[Named] = set()
        """Sure names that were given unasked: the next look may be of another card already."""
        self._against: set[Named] = set()
        """Names against which the reader speaks, and did so when they were given."""
        self._view: Any = None
        self._lay: Hashable = None
        self._doubted: tuple[AgreedState, _Lay, frozenset[Named]] | None = None
        self._seen: set[str] = set()
        """The cards that have lain there in this turn."""
        self._lying: Collection[str] = ()

    def give(self, name: Named, is_asked: bool) -> None:
        """Name a card of the last look, perhaps as the players were asked for it."""
        self._sure[name] = name
        self._against.add(name)
        if not is_asked:
            self._unasked.add(name)

    def touch(self) -> None:
        """Hands are over the table: other cards may lie there now."""
        self._sure.clear()

    def turn(self) -> None:
        """Begin another turn: only what lies there now is moved in it."""
        self.touch()
        self._seen &= set(self._lying)

    def hold(self, state: AgreedState, view: Any, named: Sequence[Named]) -> tuple[Any, tuple[Named, ...]]:
        """Return the view with the names in it that count, and those names that have ended."""
        is_first, is_new = self._view is None, view is not self._view
        before, marks, self._view = self._lay, () if is_first else self._view.unread, view
        if not named:
            self._remember(view)
            return view, ()
        self._lay = self._referee.take_fingerprint(replace(view, unread=()), self._layout)
        if is_new:
            lie_still = self._lay == before and _lie_alike(marks, view.unread)
            gone = self._unasked if lie_still else set(self._sure)
            self._sure = {name: found for name, found in self._sure.items() if name not in gone}
            self._unasked = set()
        held = match(named, view.unread, lambda name, mark: mark.may_be(name.name) or is_first or name in self._against)
        found = ((name, mark) for name, mark in held.items() if name in self._sure)
        self._sure = {name: mark for name, mark in found if _measure_apart(self._sure[name], mark) <= SAME_MM}
        seen = self._referee.locate_cards(view, self._layout)
        held = {name: mark for name, mark in held.items() if name.name not in seen}
        ended = tuple(name for name in named if name not in held and seen.get(name.name) != name.place)
        self._against = {name for name, mark in held.items() if not mark.may_be(name.name)}
        in_doubt = self._in_doubt(state, view, held)
        view = self._apply_names(view, {name: held[name] for name in held if name not in in_doubt})
        self._remember(view)
        return view, ended

    def doubt_unsure(self) -> bool:
        """Doubt all names that are not sure, as long as the table lies as it lies; whether there is one."""
        if self._doubted is None:
            return False
        state, lay, _ = self._doubted
        self._doubted = state, lay, frozenset(lay[2])
        return True

    def _remember(self, view: Any) -> None:
        self._lying = self._referee.locate_cards(view, self._layout)
        self._seen |= set(self._lying)

    def _apply_names(self, view: Any, held: Held) -> Any:
        # A paper card gathers the cards that lie loose for want of it, so these are named first.
        for name, mark in sorted(held.items(), key=lambda one: "/" in one[0].name):
            view = self._referee.with_name(view, mark, name.name, self._layout)
        return view

    # What is in doubt

    def _in_doubt(self, state: AgreedState, view: Any, held: Held) -> Collection[Named]:
        """Find the unsure names on which the verdict hangs, once for a table that lies as it lay."""
        stale = [name for name in held if name not in self._sure]
        if not stale:
            self._doubted = None
            return ()
        lay = self._referee.take_fingerprint(view, self._layout), tuple(held), tuple(stale)
        if self._doubted is None or self._doubted[0] is not state or self._doubted[1] != lay:
            self._doubted = state, lay, frozenset(self._find_doubtful(state, view, held, stale))
        return self._doubted[2]

    def _find_doubtful(self, state: AgreedState, view: Any, held: Held, stale: Sequence[Named]) -> Iterator[Named]:
        def judge_names(names: Held) -> Verdict:
            return self._referee.judge(state, self._apply_names(view, names), self._layout)

        verdict = judge_names(held)
        if isinstance(verdict, CantSee):
            return
        without = judge_names({name: mark for name, mark in held.items() if name not in stale})
        if without == verdict:
            return
        if isinstance(verdict, Refused):
            # Whoever is refused for a card that may not lie there is refused though right, or for the wrong reason.
            yield from () if isinstance(without, Waiting) else stale
            return
        missing = {
            mend.item for mend in self._referee.compare(state, self._apply_names(view, held), self._layout).mends
        }
        left = _MOST_TRIED
        for name in stale:
            others = {other: mark for other, mark in held.items() if other is not name}
            for other in self._list_others(state, view, name, held, missing):
                found = judge_names({**others, replace(name, name=other): held[name]}) if left > 0 else None
                left -= 1
                if found is None or _is_another(found, verdict):
                    yield name
                    break

    def _list_others(
        self, state: AgreedState, view: Any, name: Named, held: Held, missing: Collection[str]
    ) -> list[str]:
        """List the other cards that may lie there: those that are missing, and some that nobody has seen."""
        single, lie = self._referee.cards.is_single, {*self._referee.locate_cards(view, self._layout)}
        lie |= {other.name for other in held}
        names = [other for _, pairs in self._referee.name_groups(state) for other, _ in pairs if other != name.name]
        free = [other for other in names if held[name].may_be(other) and not (single(other) and other in lie)]
        kind, _, side = name.name.partition("/")
        first = [other for other in free if other in {*missing, *self._seen} or (side and other.startswith(f"{kind}/"))]
        hidden = [other for other in free if other not in first]
        some = hidden[:: len(hidden) // _HIDDEN + 1]
        return [*first, *some]


def match(names: Sequence[Named], marks: Sequence[Unread], may_be: Callable[[Named, Unread], bool]) -> Held:
    """Match the names to marks, all at once, so that all together are as near to their own places as can be."""
    none = [_OWN_MM**2] * len(names)
    costs = [
        [
            far**2 if (far := _measure_apart(name, mark)) <= _OWN_MM and may_be(name, mark) else math.inf
            for mark in marks
        ]
        + none
        for name in names
    ]
    chosen = _match_cheapest(costs)
    return {name: marks[number] for name, number in zip(names, chosen, strict=True) if number < len(marks)}


def _match_cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """Choose a column for each row, each another one, that cost least together, by shortest augmenting paths.

    Of a row there is always a column that none of the others needs.
    """
    width = len(costs[0]) if costs else 0
    row_of: list[int | None] = [None] * width
    paid, saved = [0.0] * len(costs), [0.0] * width
    for start in range(len(costs)):
        least, before = [math.inf] * width, [-1] * width
        row, column, done = start, -1, set[int]()
        while True:
            for other in (one for one in range(width) if one not in done):
                reduced = costs[row][other] - paid[row] - saved[other]
                if reduced < least[other]:
                    least[other], before[other] = reduced, column
            column = min((one for one in range(width) if one not in done), key=least.__getitem__)
            step = least[column]
            paid[start] += step
            for other in range(width):
                if other in done:
                    taken = row_of[other]
                    assert taken is not None, "columns that are done have a row"
                    paid[taken] += step
                    saved[other] -= step
                else:
                    least[other] -= step
            done.add(column)
            found = row_of[column]
            if found is None:
                break
            row = found
        while column >= 0:
            row_of[column] = start if before[column] < 0 else row_of[before[column]]
            column = before[column]
    column_of = {row: column for column, row in enumerate(row_of)}
    return [column_of[row] for row in range(len(costs))]


def _is_another(found: Verdict, verdict: Verdict) -> bool:
    """Whether it says that something else was done, or denies that what was due is done."""
    if isinstance(found, Refused):
        is_due = isinstance(verdict, Accepted) and verdict.move is None
        return is_due and found.refusal.code != "table_disturbed"
    return not isinstance(found, Waiting) and found != verdict


def _lie_alike(marks: Sequence[Unread], others: Sequence[Unread]) -> bool:
    """Whether as many cards can't be read as before, each where one of those was."""
    return len(marks) == len(others) and all(
        any(_measure_apart(mark, one) <= SAME_MM for one in others) for mark in marks
    )


def _measure_apart(name: Named | Unread, mark: Unread) -> float:
    return math.dist((name.x, name.y), (mark.x, mark.y))
