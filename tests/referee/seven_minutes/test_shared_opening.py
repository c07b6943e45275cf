"""The shared recording of Seven Minutes: its true cards and dice, judged frame by frame with the buttons pressed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.seven_minutes.referee import REFEREE
from referee.table import Detections, Die, Sighting
from referee.verdict import Accepted, Refused
from rules.record import Header

FOLDER = Path(__file__).resolve().parents[3].parent / "shared" / "tables" / "opening-minutes"


def _line(verdict: Any) -> dict[str, Any]:
    if isinstance(verdict, Accepted):
        move = {} if verdict.move is None else {"move": verdict.move.to_json()}
        return {"expect": "accepted", **move}
    assert isinstance(verdict, Refused), verdict
    return {"expect": "refused", "code": verdict.refusal.code}


def _die(seen: dict[str, Any]) -> Die:
    cause = "cocked" if seen["cocked"] else ""
    return Die(seen["x"], seen["y"], seen["value"], seen["colour"], 1.0, cause)


@pytest.mark.shared
def test_every_line_of_the_opening_is_due_and_right() -> None:
    if not FOLDER.exists():
        pytest.skip("the shared tables are not beside this checkout")
    game = json.loads((FOLDER / "recording.json").read_text())
    layout = REFEREE.layout(game["seats"], tuple(game["mat_mm"]))
    header = Header("seven_minutes", tuple(game["players"]), {"first_seat": game["first_seat"]})
    session = Session(REFEREE, header, layout)
    truth = [json.loads(line) for line in (FOLDER / "truth.jsonl").read_text().splitlines()]
    view, printed = None, []
    for line in truth:
        if "cards" in line:
            seen = [Sighting(c["card"], c["x"], c["y"], c["angle"], 1.0, c["visible"]) for c in line["cards"]]
            view = REFEREE.observe(Detections(tuple(seen), (), tuple(map(_die, line["dice"]))), layout)
            printed += [(line["t"], _line(verdict)) for verdict in session.see(view)]
        elif line.get("by") == "confirm":
            printed.append((line["t"], _line(session.confirm(view))))
        elif line.get("by") == "up":
            last = session.history.past[-1]
            session.press(Button.UP)
            assert session.history.past[-1] is not last
            printed.append((line["t"], {"expect": "taken_back", "move": last.move.to_json()}))
        elif "final" in line:
            assert list(session.position.points) == line["final"]
    keys = ("expect", "move", "code")
    wanted = [(line["t"], {key: line[key] for key in keys if key in line}) for line in truth if "expect" in line]
    assert printed == wanted
