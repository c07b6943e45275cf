"""Games played by simulated players on a simulated table; they stand beside the referee, which never asks them."""

from referee.simulation.game import Attempt, Simulation, is_right, leads_right, truth_of
from referee.simulation.table import SimulationError

__all__ = ["Attempt", "Simulation", "SimulationError", "is_right", "leads_right", "truth_of"]
