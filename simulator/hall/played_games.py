"""Whole games as a table would send them, played beforehand: record lines, what the page shows after each, the end.

The players are the simulated table's; no camera looks on. Everything follows from the seed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from device.public_state import table_state
from device.session.session import Session
from device.typed_json import make_plain
from hall.messages import GameResult, hash_record
from referee.entry_data import EntryError
from referee.game import Referee
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.registry import load_referees
from referee.simulation import SimulationError
from referee.simulation.registry import simulation_of
from rules.game import Move, rank_players
from simulator.opening import make_usual_game

_EACH = 4
"""Games of each kind that are played beforehand; all tables play them again and again, each time under a new number."""
_NAMES = (
    "Abel",
    "Agnesi",
    "Banach",
    "Bernoulli",
    "Bolzano",
    "Boole",
    "Cantor",
    "Cauchy",
    "Conway",
    "Cox",
    "Dirichlet",
    "Emmy",
    "Erdos",
    "Euler",
    "Fermat",
    "Fisher",
    "Fourier",
    "Galois",
    "Gauss",
    "Germain",
    "Godel",
    "Hardy",
    "Hilbert",
    "Hopper",
    "Hypatia",
    "Jacobi",
    "Jordan",
    "Klein",
    "Kovalevskaya",
    "Kummer",
    "Lagrange",
    "Laplace",
    "Leibniz",
    "Lie",
    "Lovelace",
    "Markov",
    "Mirzakhani",
    "Mobius",
    "Neumann",
    "Noether",
    "Pascal",
    "Peano",
    "Peirce",
    "Poincare",
    "Polya",
    "Ramanujan",
    "Riemann",
    "Robinson",
    "Russell",
    "Seki",
    "Steiner",
    "Takagi",
    "Tarski",
    "Turing",
    "Uhlenbeck",
    "Viete",
    "Wiles",
    "Wald",
    "Weyl",
    "Zermelo",
)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A whole game: ``lines`` of its record, the header first, and the page's state after each of them, as JSON.

    A state lacks its last field, ``at``, which is the moment when it is sent: ``stamped`` closes it.
    ``points`` and ``places`` are those of the end, by seat.
    """

    game: str
    players: tuple[str, ...]
    lines: tuple[str, ...]
    states: tuple[str, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    record_sha256: str

    def stamp_state(self, number: int, at: str) -> str:
        """Return the state after line ``number`` as it is sent at that moment (ISO 8601)."""
        return f'{self.states[number]}"at":"{at}"}}'

    def make_result(self, game_id: str, began: datetime, ended: datetime) -> GameResult:
        """Return how the game ended, played between these moments, of which the later one counts as its end."""
        ended = max(began, ended)  # as a table has it whose clock was put back meanwhile
        return GameResult(game_id, self.game, self.players, self.points, self.places, began, ended, self.record_sha256)


def play_games(seed: int, each: int = _EACH) -> tuple[PlayedGame, ...]:
    """Play ``each`` games of each kind there is, in turn."""
    return tuple(
        _play_game(referee, Random(f"{seed} {name} {n}"))
        for n in range(each)
        for name, referee in load_referees().items()
    )


def _play_game(referee: Referee, chance: Random) -> PlayedGame:
    """Play one game to its end; one whose table has no room for it is played anew."""
    while True:
        seats = [count for count in referee.rules.seats if count <= 5]
        with suppress(SimulationError):
            return _play_to_the_end(referee, chance.sample(_NAMES, _draw_seats(referee, seats, chance)), chance)


def _draw_seats(referee: Referee, seats: Sequence[int], chance: Random) -> int:
    """Draw the number of players: any for which there is a layout."""
    fitting = []
    for count in seats:
        with suppress(ValueError):
            referee.make_layout(count, REFERENCE_MAT_MM)
            fitting.append(count)
    return chance.choice(fitting)


def _play_to_the_end(referee: Referee, players: Sequence[str], chance: Random) -> PlayedGame:
    header = make_usual_game(players, referee.rules.name)
    layout = referee.make_layout(len(players), REFERENCE_MAT_MM)
    simulation = simulation_of(referee, players, header.options, layout, chance)
    session = Session(referee, header, layout)
    states = [_make_state(session)]
    for attempt in simulation.play_game():
        if attempt.move is not None:
            session.log.restore([make_confirmed_entry(session, referee.rules.make_public(attempt.move))])
            states.append(_make_state(session))
    lines = session.history.write_record()
    outcome = session.position.outcome
    ranked = sorted(rank_players(outcome.places, outcome.points), key=lambda one: one.seat)
    return PlayedGame(
        header.game,
        header.players,
        tuple(lines),
        tuple(states),
        tuple(one.points for one in ranked),
        tuple(one.place for one in ranked),
        hash_record(lines),
    )


def make_confirmed_entry(session: Session, move: Move) -> Entry:
    """Return the entry of a move confirmed where nobody looks at the table: beyond the position all lies as before."""
    history, referee = session.history, session.referee
    try:
        after = referee.after_move(history.now, move, {})
    except EntryError:  # a game that can't follow from moves alone what lies there besides
        after = referee.after_move(history.now, move, referee.save_details(history.now))
    return history.move_entry(move, after)


def _make_state(session: Session) -> str:
    """Return what the page shows, without the moment."""
    state = make_plain(table_state(session.make_screen(), session.history, datetime.now(UTC)))
    del state["at"]
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))[:-1] + ","
