"""The shared recording of Seven Euchre: its true cards, judged frame by frame with what was told and confirmed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from device.session.session import Session
from referee.seven_euchre.referee import REFEREE
from referee.table import Detections, Sighting
from referee.verdict import Accepted, Refused
from rules.record import Header

FOLDER = Path(__file__).resolve().parents[3].parent / "shared" / "tables" / "opening-euchre"


def _line(verdict: Any) -> dict[str, Any]:
    if isinstance(verdict, Accepted):
        return {"expect": "accepted", "move": verdict.move.to_json()}
    assert isinstance(verdict, Refused), verdict
    return {"expect": "refused", "code": verdict.refusal.code}


@pytest.mark.shared
def test_every_line_of_the_opening_is_due_and_right() -> None:
    if not FOLDER.exists():
        pytest.skip("the shared tables are not beside this checkout")
    game = json.loads((FOLDER / "recording.json").read_text())
    layout = REFEREE.layout(game["seats"], tuple(game["mat_mm"]))
    header = Header("seven_euchre", tuple(game["players"]), {key: game[key] for key in ("dealer", "target")})
    session = Session(REFEREE, header, layout)
    truth = [json.loads(line) for line in (FOLDER / "truth.jsonl").read_text().splitlines()]
    told = {line["t"]: line["told"] for line in map(json.loads, (FOLDER / "timeline.jsonl").open()) if "told" in line}
    view, printed = None, []
    for line in truth:
        if "cards" in line:
            seen = [Sighting(c["card"], c["x"], c["y"], c["angle"], 1.0, c["visible"]) for c in line["cards"]]
            view = REFEREE.observe(Detections(tuple(seen)), layout)
            printed += [(line["t"], _line(verdict)) for verdict in session.see(view)]
        elif line.get("by") == "confirm":
            printed.append((line["t"], _line(session.confirm(view))))
        elif line.get("by") == "told":
            printed.append((line["t"], _line(session.tell(told[line["t"]]))))
        elif "final" in line:
            assert list(session.position.points) == line["final"]
    keys = ("expect", "move", "code")
    wanted = [(line["t"], {key: line[key] for key in keys if key in line}) for line in truth if "expect" in line]
    assert printed == wanted
