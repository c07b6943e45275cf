"""One history of hidden cards as a network: whether a placing of the unseen cards fits everything that was seen.

``rules.laminate.knowledge`` says what is asked here, and how it is answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.cards import indices_in

DRAW = 0
"""The draw pile as a place; hands are places 1 to n by seat, the unseen set-up discards are place n + 1."""

SEARCH_BUDGET = 100
"""Branches tried before the search gives up and the card is held to be possible: some 20 ms, so that a table for which
a few such questions are asked is judged within a tenth of a second. It depends on nothing but the question, so that a
game that goes on from its journal gets the same answers."""

_EDGES = 100
"""In a network with more edges than these a branch costs more, so fewer are tried."""

_Path = tuple[int, ...]


class _OutOfBudgetError(Exception):
    """The search ran out of its budget."""


class _Effort:
    """What a search has spent, and the states it has found to lead nowhere."""

    def __init__(self, edges: int) -> None:
        self.left = SEARCH_BUDGET * _EDGES // max(_EDGES, edges)
        self.failed: set[tuple[Any, ...]] = set()

    def spend(self) -> None:
        """Count one branch.

        Raises:
            _OutOfBudgetError: the budget is spent.
        """
        self.left -= 1
        if self.left < 0:
            raise _OutOfBudgetError


@dataclass(frozen=True, eq=False)
class _World:
    """One history of hidden events, as the network of loads that any placing must fit.

    ``head``, ``tail`` and ``load`` are the edges; ``out`` and ``inn`` list them by node. Nodes are numbered in the
    order of time, so every edge leads to a higher number. ``now`` gives each place's latest node and ``counts`` how
    many cards lie there. ``since`` maps each unseen card that was seen before to the node where it went into hiding;
    ``closed`` are the cards seen on both ends (start and end node, never the same), ``paths`` one set of paths that
    fits them, which the next search begins with. ``answers`` keeps what was asked of ``reveal_cards``.
    """

    counts: tuple[int, ...]
    now: tuple[int, ...]
    fresh: int
    since: Mapping[int, int] = field(default_factory=dict)
    head: tuple[int, ...] = ()
    tail: tuple[int, ...] = ()
    load: tuple[int, ...] = ()
    out: tuple[tuple[int, ...], ...] = ()
    inn: tuple[tuple[int, ...], ...] = ()
    closed: tuple[tuple[int, int], ...] = ()
    paths: tuple[_Path, ...] | None = ()
    answers: dict[tuple[int, int], _World | None] = field(default_factory=dict)

    @classmethod
    def start(cls, counts: tuple[int, ...], fresh: int) -> _World:
        """Begin with that many cards at each place, none of the ``fresh`` cards seen yet."""
        nodes = tuple(range(len(counts)))
        return cls(counts, nodes, fresh, out=((),) * len(counts), inn=((),) * len(counts))

    def move_unseen(self, source: int, target: int, count: int) -> _World:
        """Move ``count`` unseen cards from one place to another."""
        if not count:
            return self
        nodes, edges = len(self.out), len(self.head)
        source_node, target_node = nodes, nodes + 1
        old_source, old_target = self.now[source], self.now[target]
        out, inn = list(self.out), [*self.inn, (), ()]
        out += [(), ()]
        head, tail, load = list(self.head), list(self.tail), list(self.load)
        new = (
            (old_source, source_node, self.counts[source] - count),
            (old_target, target_node, self.counts[target]),
            (old_source, target_node, count),
        )
        for edge, (start, end, cards) in enumerate(new, edges):
            head.append(end)
            tail.append(start)
            load.append(cards)
            out[start] = (*out[start], edge)
            inn[end] = (*inn[end], edge)
        now, counts = list(self.now), list(self.counts)
        now[source], now[target] = source_node, target_node
        counts[source] -= count
        counts[target] += count
        return _World(
            tuple(counts),
            tuple(now),
            self.fresh,
            self.since,
            tuple(head),
            tuple(tail),
            tuple(load),
            tuple(out),
            tuple(inn),
            self.closed,
            self.paths,
        )

    def hide_cards(self, place: int, cards: int) -> _World:
        """Hide cards that everybody saw at a place."""
        since = dict(self.since)
        since.update((card, self.now[place]) for card in indices_in(cards))
        return self._with_cards(place, cards.bit_count(), self.fresh, since, self.closed, self.paths)

    def reveal_cards(self, place: int, cards: int) -> _World | None:
        """Bring cards to light from a place; ``None`` where no placing has them all there."""
        if (place, cards) not in self.answers:  # the search may be long, and is asked again when the move is played
            self.answers[place, cards] = self._reveal_cards(place, cards)
        return self.answers[place, cards]

    def _reveal_cards(self, place: int, cards: int) -> _World | None:
        if self.counts[place] < cards.bit_count():
            return None
        since, closed = dict(self.since), self.closed
        node, fresh = self.now[place], self.fresh & ~cards
        for card in indices_in(cards):
            if card in since:
                start = since.pop(card)
                if start != node:
                    closed = (*closed, (start, node))
            elif not self.fresh >> card & 1:
                return None
        ends = list(self.counts)
        ends[place] -= cards.bit_count()
        try:
            paths = self._fit(closed, tuple(since.values()), ends)
        except _OutOfBudgetError:
            return self._with_cards(place, -cards.bit_count(), fresh, since, closed, None)
        if paths is None:
            return None
        return self._with_cards(place, -cards.bit_count(), fresh, since, closed, paths)

    def find_possible(self, place: int, among: int) -> int:
        """Return those of the cards ``among``, a mask, that are unseen and can be at a place."""
        if not self.counts[place]:
            return 0
        found = 0
        if among & self.fresh and self.reveal_cards(place, self.fresh & -self.fresh) is not None:
            found = self.fresh  # cards that nobody has seen yet are all alike
        reachable = self._find_reachable()
        alike: dict[int, int] = {}  # and so are cards that went into hiding together
        for card, start in self.since.items():
            alike[start] = alike.get(start, 0) | 1 << card
        for start, cards in alike.items():
            ends = reachable[start]
            if not cards & among or not ends >> place & 1:
                continue
            if ends == 1 << place or self.reveal_cards(place, cards & -cards) is not None:
                found |= cards
        return found & among

    def _with_cards(
        self,
        place: int,
        more: int,
        fresh: int,
        since: Mapping[int, int],
        closed: tuple[tuple[int, int], ...],
        paths: tuple[_Path, ...] | None,
    ) -> _World:
        counts = (*self.counts[:place], self.counts[place] + more, *self.counts[place + 1 :])
        return _World(
            counts, self.now, fresh, since, self.head, self.tail, self.load, self.out, self.inn, closed, paths
        )

    def _find_reachable(self) -> list[int]:
        """Return, for each node, the places a card there may have got to by now, as a mask of places."""
        reach = [0] * len(self.out)
        for place, node in enumerate(self.now):
            reach[node] = 1 << place
        for node in range(len(reach) - 1, -1, -1):
            for edge in self.out[node]:
                if self.load[edge]:
                    reach[node] |= reach[self.head[edge]]
        return reach

    # The search

    def _fit(
        self, closed: tuple[tuple[int, int], ...], starts: tuple[int, ...], ends: list[int]
    ) -> tuple[_Path, ...] | None:
        """Find paths for the closed cards such that the open ones, from
        ``starts``, still flow to the places' ``ends``.
        """
        sinks = dict(zip(self.now, ends, strict=True))
        if self.paths is not None:
            room = list(self.load)
            paths = list(self.paths)
            for path in paths:
                _take(room, path, 1)
            for start, end in closed[len(paths) :]:
                found = self._find_path(room, start, end)
                if found is None:
                    break
                _take(room, found, 1)
                paths.append(found)
            else:
                if self._find_flow(room, starts, sinks) is not None:
                    return tuple(paths)
        return self._search(closed, starts, sinks)

    def _find_path(self, room: list[int], start: int, end: int) -> _Path | None:
        """Find a path with room from start to end, another node, staying in place where it can."""
        came: dict[int, int] = {}
        stack = [start]
        while stack:
            node = stack.pop()
            for edge in reversed(self.out[node]):
                target = self.head[edge]
                if room[edge] and target <= end and target not in came:
                    came[target] = edge
                    if target == end:
                        return self._trace_back(came, start, end)
                    stack.append(target)
        return None

    def _trace_back(self, came: Mapping[int, int], start: int, end: int) -> _Path:
        path: list[int] = []
        while end != start:
            edge = came[end]
            path.append(edge)
            end = self.tail[edge]
        return tuple(reversed(path))

    def _find_flow(self, room: Sequence[int], starts: Sequence[int], sinks: Mapping[int, int]) -> list[int] | None:
        """Return how many cards go over each edge if one from each start flows to
        a sink, all at once; by augmenting paths.

        ``None`` where they can't.
        """
        left = list(room)
        back = [0] * len(left)
        drains = dict(sinks)
        for start in starts:
            came: dict[int, int] = {start: -1}
            stack = [start]
            while stack:
                node = stack.pop()
                if drains.get(node):
                    break
                for edge in self.inn[node]:
                    target = self.tail[edge]
                    if back[edge] and target not in came:
                        came[target] = edge << 1 | 1
                        stack.append(target)
                for edge in self.out[node]:  # last, so that the way on is tried before the way back
                    target = self.head[edge]
                    if left[edge] and target not in came:
                        came[target] = edge << 1
                        stack.append(target)
            else:
                return None
            drains[node] -= 1
            while node != start:
                step = came[node]
                edge = step >> 1
                if step & 1:
                    back[edge] -= 1
                    left[edge] += 1
                    node = self.head[edge]
                else:
                    back[edge] += 1
                    left[edge] -= 1
                    node = self.tail[edge]
        return back

    def _search(
        self, closed: tuple[tuple[int, int], ...], starts: tuple[int, ...], sinks: Mapping[int, int]
    ) -> tuple[_Path, ...] | None:
        """Try all ways for the closed cards.

        Raises:
            _OutOfBudgetError: the budget is spent.
        """
        found = self._solve(
            list(self.load), dict(enumerate(closed)), list(starts), dict(sinks), _Effort(len(self.load))
        )
        return None if found is None else tuple(tuple(found.get(which, ())) for which in range(len(closed)))

    def _solve(
        self,
        room: list[int],
        routes: dict[int, tuple[int, int]],
        starts: list[int],
        sinks: dict[int, int],
        effort: _Effort,
        flow: list[int] | None = None,
        open_flow: list[int] | None = None,
    ) -> dict[int, list[int]] | None:
        """Find edges for every route, such that the cards at ``starts`` still
        flow to the sinks; ``None`` if impossible.

        ``flow`` and ``open_flow`` may fit all cards as one flow and the open ones alone; most often what fitted one
        step before still does. All arguments but the effort are this call's own and get used up.
        """
        done: dict[int, list[int]] = {}
        settled: list[_Path] = []
        if not self._reduce(room, routes, starts, sinks, done, settled):
            return None
        if not routes:
            return done if self._find_flow(room, starts, sinks) is not None else None
        # Two relaxations that decide most of what has no solution: the open cards for themselves, and all cards as
        # one flow that forgets their names.
        open_flow = _keep_flow(open_flow, settled, room) or self._find_flow(room, starts, sinks)
        if open_flow is None:
            return None
        flow = _keep_flow(flow, [*settled, *done.values()], room)
        if flow is None:
            drains = dict(sinks)
            for _, end in routes.values():
                drains[end] = drains.get(end, 0) + 1
            flow = self._find_flow(room, [start for start, _ in routes.values()] + starts, drains)
        if flow is None:
            return None
        state = (tuple(room), tuple(sorted(routes.items())), tuple(starts), tuple(sinks.values()))
        if state in effort.failed:
            return None
        # Cards are followed in the order of time, so that different orders of trying come to the same states.
        which = min(routes, key=routes.__getitem__)
        start, end = routes[which]
        for edge in self.out[start]:
            if not room[edge] or self.head[edge] > end:
                continue
            effort.spend()
            less, rest = list(room), dict(routes)
            less[edge] -= 1
            rest[which] = (self.head[edge], end)
            if self.head[edge] == end:
                del rest[which]
            onward = list(flow)
            onward[edge] -= 1
            found = self._solve(less, rest, list(starts), dict(sinks), effort, onward, list(open_flow))
            if found is not None:
                for other, edges in found.items():
                    done.setdefault(other, []).extend(([edge] if other == which else []) + edges)
                if which not in found:
                    done.setdefault(which, []).append(edge)
                return done
        effort.failed.add(state)
        return None

    def _reduce(
        self,
        room: list[int],
        routes: dict[int, tuple[int, int]],
        starts: list[int],
        sinks: dict[int, int],
        done: dict[int, list[int]],
        settled: list[_Path],
    ) -> bool:
        """Settle what can be settled without trying: ``False`` where some card has no way left.

        The ways of the routes so settled are added to ``done``, those of the open cards to ``settled``.

        An edge with room for every card that could use it binds nobody. A card with a way over such edges only may
        take it: whatever the others do, they lose nothing by it. A card with one way left must take it.
        """
        while True:
            names = list(routes)
            open_cards = ((1 << len(starts)) - 1) << len(names)
            there, onward = self._find_whereabouts(room, routes, starts, sinks)
            for which, start in enumerate([routes[name][0] for name in names] + starts):
                if not onward[start] >> which & 1:
                    return False
            free = [
                0 < left >= (there[tail] & onward[head]).bit_count()
                for left, tail, head in zip(room, self.tail, self.head, strict=True)
            ]
            open_sinks = {node: left for node, left in sinks.items() if left >= (there[node] & open_cards).bit_count()}
            changed = False
            for which, name in enumerate(names):
                start, end = routes[name]
                path = self._find_free_path(free, room, start, {end: 1})
                if path is None:
                    path = self._find_only_path(room, onward, which, start, end)
                if path is not None:
                    _take(room, path, 1)
                    done.setdefault(name, []).extend(path)
                    del routes[name]
                    changed = True
                    if any(room[edge] < 0 for edge in path):
                        return False
            waiting: list[int] = []
            for start in starts:
                path = self._find_free_path(free, room, start, open_sinks)
                if path is None:
                    waiting.append(start)
                    continue
                _take(room, path, 1)
                settled.append(path)
                node = self.head[path[-1]] if path else start
                open_sinks[node] -= 1
                sinks[node] -= 1
                changed = True
            starts[:] = waiting
            if not changed:
                return True

    def _find_whereabouts(
        self,
        room: Sequence[int],
        routes: Mapping[int, tuple[int, int]],
        starts: Sequence[int],
        sinks: Mapping[int, int],
    ) -> tuple[list[int], list[int]]:
        """Return, for each node, which routes and then open cards can get there, and which
        can get from there to where they must end; as masks.
        """
        there, onward = [0] * len(self.out), [0] * len(self.out)
        for which, (start, end) in enumerate(routes.values()):
            there[start] |= 1 << which
            onward[end] |= 1 << which
        for which, start in enumerate(starts, len(routes)):
            there[start] |= 1 << which
        open_cards = ((1 << len(starts)) - 1) << len(routes)
        for node, left in sinks.items():
            if left > 0:
                onward[node] |= open_cards
        # Edges stand in the order of time, later ones from later nodes.
        for edge, left in enumerate(room):
            if left > 0:
                there[self.head[edge]] |= there[self.tail[edge]]
        for edge in range(len(room) - 1, -1, -1):
            if room[edge] > 0:
                onward[self.tail[edge]] |= onward[self.head[edge]]
        return there, onward

    def _find_free_path(
        self, free: Sequence[bool], room: Sequence[int], start: int, goals: Mapping[int, int]
    ) -> _Path | None:
        """Find a path over edges that bind nobody to some goal that has room."""
        came: dict[int, int] = {}
        stack = [start]
        while stack:
            node = stack.pop()
            if goals.get(node, 0) > 0:
                return self._trace_back(came, start, node)
            for edge in reversed(self.out[node]):
                target = self.head[edge]
                if free[edge] and room[edge] > 0 and target not in came:
                    came[target] = edge
                    stack.append(target)
        return None

    def _find_only_path(
        self, room: Sequence[int], onward: Sequence[int], which: int, start: int, end: int
    ) -> _Path | None:
        """Return the path from start to end, where there is just one."""
        path: list[int] = []
        node = start
        while node != end:
            edges = [edge for edge in self.out[node] if room[edge] > 0 and onward[self.head[edge]] >> which & 1]
            if len(edges) != 1:
                return None
            path.append(edges[0])
            node = self.head[edges[0]]
        return tuple(path)


def _keep_flow(flow: list[int] | None, without: Iterable[Sequence[int]], room: Sequence[int]) -> list[int] | None:
    """Return the flow without the cards that took these paths, where it then still fits; ``flow`` is used up."""
    if flow is None:
        return None
    for path in without:
        for edge in path:
            flow[edge] -= 1
    return flow if all(0 <= cards <= left for cards, left in zip(flow, room, strict=True)) else None


def _take(room: list[int], path: _Path, count: int) -> None:
    for edge in path:
        room[edge] -= count
