"""The simulated table of Laminate Rummy, and the players at it."""

from random import Random

from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.view.layouts import PaperLayout
from rules.laminate.position import Position


def SIMULATION(start: Position, layout: PaperLayout, rng: Random) -> SimulatedGame:  # noqa: N802
    """Begin a game of sensible players who make each of a few mistakes once."""
    return SimulatedGame(start.players, layout, rng, first_seat=start.first_seat, catalogue=start.catalogue)
