"""Who wins and who is level: the rules say so, and the display, a table's result and the hall's sheet repeat it."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from pathlib import Path

import pytest

from device.session.session import Session
from device.speech import Language
from device.storage.journal import Journal
from device.storage.opening import Opening, Result
from hall.acknowledged import Acknowledged
from hall.messages import GameResult
from hall.outbox import Outbox
from rules.record import read_header
from rules.registry import load_games
from simulator.hall.played_games import PlayedGame, make_confirmed_entry, play_games
from tests.hall.test_board import opened
from ui.screen_state import ScoreScreen


@cache
def played() -> dict[str, PlayedGame]:
    return {game.game: game for game in play_games(7, 1)}


@pytest.mark.parametrize("name", list(load_games()))
def test_display_result_and_sheet_have_the_places_of_the_rules(name: str, tmp_path: Path) -> None:
    game = played()[name]
    header = read_header(game.lines[0])
    acknowledged = Acknowledged(tmp_path / "kept", "T1")
    with Journal.open(tmp_path / "state") as journal:
        outbox = Outbox(tmp_path / "state", acknowledged)
        log = journal.begin(Opening(header.game, header.players, header.options), Language.EN)
        session = Session.resume(header, ())
        for line in game.lines[1:]:
            entry = make_confirmed_entry(session, session.referee.rules.read_move(json.loads(line)))
            log.append(entry)
            session.log.restore([entry])
        outcome = session.position.outcome
        log.end(Result(tuple(outcome.points), tuple(outcome.winners)))
        message = outbox.find_next(results_only=True)
    assert message is not None
    result = message.told
    assert isinstance(result, GameResult)

    points = [outcome.points[seat % len(outcome.points)] for seat in range(len(header.players))]
    by_name = {name: (outcome.places[seat], points[seat]) for seat, name in enumerate(header.players)}
    assert {seat for seat, place in enumerate(outcome.places, 1) if place == 1} == set(outcome.winners)
    in_order = sorted(by_name.values())
    assert [own for _, own in in_order] == sorted(points, reverse=True), "nobody with more points has a worse place"

    screen = session.make_screen()
    assert isinstance(screen, ScoreScreen)
    assert {line.name: (line.place, line.points) for line in screen.ranking} == by_name
    assert [(line.place, line.points) for line in screen.ranking] == in_order
    assert {line.name for line in screen.ranking if line.winner} == {
        header.players[seat - 1] for seat in outcome.winners
    }
    assert dict(zip(result.players, zip(result.places, result.points, strict=True), strict=True)) == by_name
    with opened(tmp_path / "hall") as board:
        board.store.take([("T1", result)])
        sheet = board.phone.get("/results.csv").content.decode("utf-8-sig")
    rows = csv.DictReader(io.StringIO(sheet))
    assert {row["player"]: (int(row["place"]), int(row["points"])) for row in rows} == by_name
