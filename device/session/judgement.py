"""The referee asked once for each agreed state and look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from referee.game import Referee
from referee.layout import Layout
from referee.state import State
from referee.verdict import Comparison, Verdict

T = TypeVar("T")


class _Once(Generic[T]):
    """An answer kept until it is asked about something else."""

    def __init__(self, ask: Callable[[State, Any, Layout], T]) -> None:
        self._ask = ask
        self._kept: tuple[State, Any, T] | None = None

    def __call__(self, state: State, view: Any, layout: Layout) -> T:
        if self._kept is None or self._kept[0] is not state or self._kept[1] is not view:
            self._kept = (state, view, self._ask(state, view, layout))
        return self._kept[2]


class Judgement:
    """What the referee says of a look at one table."""

    def __init__(self, referee: Referee, layout: Layout) -> None:
        self.referee, self.layout = referee, layout
        self._verdict: _Once[Verdict] = _Once(referee.judge)
        self._comparison: _Once[Comparison] = _Once(referee.compare)

    def verdict(self, state: State, view: Any) -> Verdict:
        """The verdict on a look."""
        return self._verdict(state, view, self.layout)

    def compare(self, state: State, view: Any) -> Comparison:
        """How the table differs from what is agreed."""
        return self._comparison(state, view, self.layout)
