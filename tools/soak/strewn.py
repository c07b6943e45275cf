"""Looks at a game's table with marks and cards on it that nobody laid there, judged and nothing more.

Marks with wrong guesses beneath the cards that show of a pile, no more than it is known to have, must stop no honest
player; one more, or a card more that is read, must not be passed over. A covered card of a column that is taken for
none of the deck's must stop nobody who is not stopped where nothing is guessed. And random cards strewn anywhere, some
of them unread, must be judged soon.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from referee.game import CardSet
from referee.layout import TableLayout
from referee.placing import Placed
from referee.table import Detections, Die, Sighting, Unread
from referee.unread import is_beneath
from referee.verdict import Accepted, Verdict
from simulator.truth import measure_visible_shares

SHOWS = 0.1
"""A card of which less shows is not seen at all."""
_CAUSES = ("glare", "covered", "blurred", "doubtful", "foreign", "few_pixels")
_PEEPS_MM, _OPEN, _MOST_PEEPING = 14.0, 0.9, 3
_MOST_STREWN, _MOST_UNREAD = 14, 8


class Strewn:
    """One table of a game that is under way, as it lies after what was done and as it lay before, and chance."""

    def __init__(
        self,
        referee: Any,
        state: Any,
        layout: TableLayout,
        lying: Sequence[Placed],
        before: Sequence[Placed],
        dice: Sequence[Die],
        chance: Random,
    ) -> None:
        self.referee, self.state, self.layout, self.chance = referee, state, layout, chance
        self._before, self._spare = before, dict[str, int]()
        self._dice = tuple(dice)
        shares = measure_visible_shares(lying, layout.mat_mm, 0.5)
        self.shown = [
            Sighting(card.name, card.x, card.y, card.angle, 1.0, share)
            for card, share in zip(lying, shares, strict=True)
            if card.card and share >= SHOWS
        ]
        known: CardSet = referee.cards
        self._names = sorted({*known.faces, *known.backs})
        text = json.dumps(state.to_json())
        self._others = [name for name in known.faces if f'"{name}"' not in text and name not in {c.name for c in lying}]

    def judge_look(self, shown: Sequence[Sighting], unread: Sequence[Unread] = ()) -> Verdict:
        """Judge such a look."""
        verdict: Verdict = self.referee.judge(self.state, self._make_view(shown, unread), self.layout)
        return verdict

    def list_faults(self) -> list[str]:
        """List honest players who are stopped, and cards too many passed over; none where no move is accepted."""
        true = self.judge_look(self.shown)
        if not isinstance(true, Accepted):
            return []
        self._spare = dict(self.referee.count_spare(true.after, self._make_view(self.shown)))
        tops = [card for card in self.shown if card.visible >= 1.0]
        self.chance.shuffle(tops)
        piles = ((top, self._find_pile(self._peep_out(top), [top])) for top in tops)
        top, pile = next(((top, pile) for top, pile in piles if pile is not None), (None, None))
        found = [] if top is None or pile is None else list(self._list_piles(true, top, pile))
        return found if true.at_once else [*found, *self._list_columns(true)]

    def _list_piles(self, true: Accepted, top: Sighting, pile: str) -> Iterator[str]:
        """Yield marks beneath a card of a pile, as many as it has cards and one more, and a read card too many."""
        count = min(_MOST_PEEPING, self._spare.get(pile, 0))
        marks = [self._peep_out(top) for _ in range(count + 1)]
        if not self._is_same(true, self.shown, marks[:count]):
            yield f"STOPPED by {marks[:count]} beneath {top}"
        if true.at_once:
            return
        if count < _MOST_PEEPING and self._is_same(true, self.shown, marks):
            yield f"PASSED OVER, one of {marks} beneath {top}"
        if self._others and None not in getattr(self.state, "discards", ()):
            at = marks[0]
            read = Sighting(self.chance.choice(self._others), at.x, at.y, at.angle, 1.0, at.visible)
            if self._is_same(true, [*self.shown, read], ()):
                yield f"PASSED OVER, {read} beneath {top}"

    def _find_pile(self, mark: Unread, cards: Sequence[Sighting]) -> str | None:
        """Find the pile in which a mark lies beneath a card, of which some must be among these."""
        if not is_beneath(mark, cards, self.referee.cards.size_mm):
            return None
        return next(
            (pile for _, pile in self.referee.find_beneath(self._make_view(self.shown, [mark]), self.layout)), None
        )

    def _list_columns(self, true: Accepted) -> list[str]:
        """List a covered card that is taken for none of the deck's, and one among cards that are all read."""
        found = []
        for card in self.chance.sample(self.shown, len(self.shown)):
            others = [one for one in self.shown if one is not card]
            alike = [name for name in self._names if ("/" in name) == ("/" in card.name) and name != card.name]
            guess = (self.chance.choice(alike),)
            mark = Unread(card.x, card.y, card.angle, "foreign", guess, 0.4)
            more = replace(mark, x=card.x + 3.0, y=card.y + 9.0, cause=self.chance.choice(_CAUSES))
            before = any((card.x, card.y) == (lay.x, lay.y) for lay in self._before)
            if card.visible >= _OPEN or not before or not is_beneath(mark, others, self.referee.cards.size_mm):
                continue
            blank = replace(mark, candidates=(), cause="doubtful")
            if self._is_same(true, others, [blank]) and not self._is_same(true, others, [mark]):
                found.append(f"STOPPED by {mark}, which is {card.name}")
            pile = self._find_pile(more, self.shown)
            if not self._spare.get(pile or "", 0) and self._is_same(true, self.shown, [more]):
                found.append(f"PASSED OVER, {more} among cards that are read")
            break
        return found

    def took_ms(self) -> float:
        """Measure what judging random cards takes, in ms of processor time, and comparing them with what is agreed."""
        (w, h), chance = self.layout.mat_mm, self.chance
        cards = [card for card in self.shown if chance.random() < 0.7]
        names = chance.sample(self._names, min(len(self._names), chance.randrange(_MOST_STREWN)))
        at = [(chance.uniform(40, w - 40), chance.uniform(40, h - 40)) for _ in names]
        if chance.random() < 0.5 and at:
            # Put down together, often in the middle.
            x, y = chance.choice((at[0], (w / 2, h / 2)))
            at = [(x + chance.uniform(-120, 120), y + chance.uniform(-90, 90)) for _ in names]
        cards += [Sighting(name, *spot, 0.0) for name, spot in zip(names, at, strict=True)]
        marks = [
            Unread(chance.uniform(40, w - 40), chance.uniform(40, h - 40), 0.0, chance.choice(_CAUSES), self._guess())
            for _ in range(chance.randrange(_MOST_UNREAD))
        ]
        view = self._make_view(cards, marks)
        began = time.process_time()
        self.referee.judge(self.state, view, self.layout)
        self.referee.compare(self.state, view, self.layout)
        return 1000 * (time.process_time() - began)

    def _make_view(self, shown: Sequence[Sighting], unread: Sequence[Unread] = ()) -> Any:
        return self.referee.observe(Detections(tuple(shown), tuple(unread), self._dice), self.layout)

    def _is_same(self, true: Accepted, shown: Sequence[Sighting], unread: Sequence[Unread]) -> bool:
        """Tell whether the same is accepted of another look."""
        verdict = self.judge_look(shown, unread)
        return isinstance(verdict, Accepted) and verdict.move == true.move

    def _peep_out(self, top: Sighting) -> Unread:
        spread = self.chance.uniform
        at = top.x + spread(-_PEEPS_MM, _PEEPS_MM), top.y + spread(-_PEEPS_MM, _PEEPS_MM)
        return Unread(*at, top.angle + spread(-8, 8), self.chance.choice(_CAUSES), self._guess(), spread(0.15, 0.6))

    def _guess(self) -> tuple[str, ...]:
        return tuple(self.chance.sample(self._names, self.chance.randrange(4)))
