"""A table with its relay whose plug is pulled in mid-game: a real journal, written by a process that is killed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from device.session.retelling import history_of
from device.session.session import Session
from device.settings.broker import BrokerAddress
from device.speech import Language
from device.storage.game_file import COPY, find_game
from device.storage.identity import identity_of
from device.storage.journal import GameLog, Journal
from device.storage.opening import Opening, Result
from hall.messages import hash_record
from hall.table_end.folders import HallFolders
from hall.table_end.place import HallPlace
from hall.table_end.process import relay_command
from rules.game import rank_players
from rules.record import read_header
from simulator.hall.played_games import PlayedGame, make_confirmed_entry, play_games
from tools.hall.servers import TrialError, wait_for

_NAME = "Table with a plug"
_STEP_S = 0.03
"""How long a change takes at this table, which is in a hurry."""
_LONGEST = 120
_LINES = 25
"""The plug is pulled after so many more lines of the journal at most."""


def pull_the_plug(
    folder: Path, broker: str, times: int, has: Callable[[list[dict[str, Any]]], bool]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Have a table play, and kill it and its relay so often in mid-game; ``has`` says whether the hall has results.

    Returns:
        the results in its journal, as the hall should have them, and what to note.
    """
    address = BrokerAddress.parse(broker)
    assert address is not None, broker
    state, folders = folder / "state", HallFolders(folder / "table", folder / "relay")
    for one in (state, folders.table, folders.relay):
        one.mkdir(parents=True)
    place = HallPlace(address, address.path, _NAME)
    relay = relay_command(state, folder / "kept", place, folders)
    games = times // 2 + 1
    table = [sys.executable, "-m", "tools.hall.pulled", str(state), str(games)]
    # Games that had ended when the hall was switched on are none of its.
    Journal.open(state).close()
    first = subprocess.Popen(relay, stderr=subprocess.DEVNULL)
    wait_for(lambda: any((folder / "kept").glob("*/since.json")), "the relay has begun")
    first.kill()
    first.wait()
    chance, pulled = random.Random(times), 0
    while True:
        running = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for command in (relay, table)]
        try:
            lines, more = _count_lines(state), chance.randint(1, _LINES)
            while pulled < times and running[1].poll() is None and _count_lines(state) < lines + more:
                time.sleep(0.001)
            if pulled < times and running[1].poll() is None:
                pulled += 1
                continue
            if running[1].wait(120):
                raise TrialError("the table has ended in disorder")
            results = _list_results(state)
            with suppress(TrialError):  # what is lost is reported
                wait_for(partial(has, results), "the hall has everything")
            return results, {"pulled": pulled, "games": len(results)}
        finally:
            for process in running:
                process.kill()
            for process in running:
                process.wait()


def _count_lines(state: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (state / COPY).glob("[0-9]*.jsonl"))


def _list_results(state: Path) -> list[dict[str, Any]]:
    """List what the journal's games came to, as the hall should have it."""
    found = []
    with Journal.open(state) as journal:
        for kept in journal.list_games():
            history = history_of(kept, journal.read_entries(kept.number))
            outcome = history.now.position.outcome
            ranked = sorted(rank_players(outcome.places, outcome.points), key=lambda one: one.seat)
            found.append(
                {
                    "game_id": identity_of(find_game(state, kept.number).lines),
                    "table": _NAME,
                    "game": kept.opening.game,
                    "players": list(kept.opening.players),
                    "points": [one.points for one in ranked],
                    "places": [one.place for one in ranked],
                    "record_sha256": hash_record(history.write_record()),
                }
            )
    return found


# The table, a process of its own


def play(state: Path, games: int) -> None:
    """Play so many games on a journal, going on where it was killed."""
    drawn = [game for game in play_games(5, 3) if len(game.lines) < _LONGEST]
    with Journal.open(state) as journal:
        while True:
            going_on = journal.going_on
            if going_on is None:
                number = len(journal.list_games())
                if number >= games:
                    return
                header = read_header(drawn[number % len(drawn)].lines[0])
                log = journal.begin(Opening(header.game, header.players, header.options), Language.EN)
            else:
                log = journal.resume(going_on.number)
            _play_on(log, drawn[(log.game - 1) % len(drawn)])


def _play_on(log: GameLog, game: PlayedGame) -> None:
    header = read_header(game.lines[0])
    session = Session.resume(header, log.entries)
    for line in game.lines[len(log.entries) + 1 :]:
        time.sleep(_STEP_S)
        entry = make_confirmed_entry(session, session.referee.rules.read_move(json.loads(line)))
        log.append(entry)
        session.log.restore([entry])
    outcome = session.position.outcome
    log.end(Result(tuple(outcome.points), tuple(outcome.winners)))


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
