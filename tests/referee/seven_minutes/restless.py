"""Players of Seven Minutes whose dice are often half seen, and who tell their rolls by the buttons then.

A die lies under a sleeve, beside the tray or askew, or its top can't be read. What lay there when nothing was due, or
when it was told, is no roll once it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from referee.layout import TableLayout
from referee.seven_minutes.simulated import COCKED, MinutesSimulation
from referee.simulation import Attempt
from referee.table import Die
from rules.game import Options
from rules.seven_minutes.rules import RULES

_BESIDE_MM = 45.0
_HALF_SEEN_MM = 7.0
"""So far off is a die seen that is half hidden."""


class RestlessMinutes(MinutesSimulation):
    """A game of such players."""

    _half: tuple[Die, ...] = ()
    _whole: tuple[Die, ...] = ()

    def has_noticed(self, state: Any) -> bool:
        """Return that it has: a look at dice that are no roll has nothing to bring about."""
        return True

    def _look(self) -> Attempt:
        """Nothing has been done that counts, however the dice show."""
        return Attempt(self.position.seat, unconfirmed=True)

    def _flips_or_stops(self) -> Iterator[Attempt]:
        if self._half is self.dice and self._half and self.position.may_stop:
            self.dice = self._whole
            yield self._look()
        yield from super()._flips_or_stops()

    def _early_roll(self) -> Iterator[Attempt]:
        if self._rng.random() < 0.5:
            yield from super()._early_roll()
            return
        self.throw(self.random_roll().dice)
        self._half_see(("alone", "hidden", "emblem", "cocked", "beside"))
        yield self._look()

    def _half_see(self, ways: Sequence[str]) -> str:
        """One of the dice does not show as it lies."""
        self._whole = self.dice
        one, other = self._rng.sample(self.dice, 2)
        way = self._rng.choice(ways)
        if way == "alone":
            self.dice = (one,)
        elif way == "neither":
            self.dice = ()
        elif way == "beside":
            self.dice = (one, replace(other, x=self._rim[0] - _BESIDE_MM))
        else:
            off = _HALF_SEEN_MM if way == "hidden" else 0.0
            self.dice = (one, replace(other, x=other.x + off, value=None, cause=way))
        self._half = self.dice
        return way

    def _roll_dice(self) -> Iterator[Attempt]:
        if self._is_slipping():
            yield from self._tells()
        else:
            yield from super()._roll_dice()

    def _tells(self) -> Iterator[Attempt]:
        """Yield rolls that are not seen whole, if at all, and are entered; afterwards the dice show."""
        roll, lay = self.random_roll(), self.dice
        self.throw(roll.dice)
        thrown = self.dice
        way = self._half_see(("alone", "neither", "hidden", "emblem", "doubtful", "cocked", "beside", "unseen"))
        if way == "unseen":
            self.dice = lay
        if way in ("cocked", "beside"):
            yield COCKED.make_attempt(roll.seat, self.name_player(roll.seat))
        else:
            yield self._look()
        self.position, self._counted = self.position.do(roll), thrown
        yield Attempt(roll.seat, roll, told=roll)
        if self._rng.random() < 0.5:
            yield self._look()
        # Dice that never showed may be any that show the same faces next.
        if way in ("neither", "unseen") or self._rng.random() < 0.7:
            self.dice = thrown
            yield self._look()
        yield from self._take_cards()


def restless_minutes(players: Sequence[str], options: Options, layout: TableLayout, rng: Random) -> RestlessMinutes:
    """Such a game; everything follows from the randomness given."""
    return RestlessMinutes(RULES.start(players, options), layout, rng)
