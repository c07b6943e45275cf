"""The simulated table of each game, found by looking: ``SIMULATION`` in ``referee/<game>/simulated``.

A game whose cards lie in zones needs none; what its referee expects is laid out.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random

from referee.game import Referee
from referee.layout import TableLayout
from referee.simulation.game import Simulation
from referee.simulation.zones import ZoneSimulation
from referee.zones import ZoneReferee
from rules.game import Options


def simulation_of(
    referee: Referee, players: Sequence[str], options: Options, layout: TableLayout, rng: Random
) -> Simulation:
    """Begin a game of simulated players on a simulated table, by the given chance alone.

    Raises:
        LookupError: the game has none.
    """
    start = referee.rules.start(players, options)
    module = f"referee.{referee.rules.name}.simulated"
    if find_spec(module) is not None:
        simulation: Simulation = import_module(module).SIMULATION(start, layout, rng)
        return simulation
    if isinstance(referee, ZoneReferee):
        return ZoneSimulation(referee, start, layout, rng)
    raise LookupError(f"{module} is wanted")
