"""The shared recordings' true cards and dice, judged frame by frame with what was confirmed, told and taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.registry import load_referees
from referee.table import Detections, Die, Sighting
from referee.verdict import Accepted, Refused
from rules.record import header_in

TABLES = Path(__file__).resolve().parents[2].parent / "shared" / "tables"
FOLDERS = ("opening-a", "opening-euchre", "opening-minutes", "opening-wild")


def _answer(verdict: Any) -> dict[str, Any]:
    if isinstance(verdict, Accepted):
        return {"expect": "accepted", **({} if verdict.move is None else {"move": verdict.move.to_json()})}
    assert isinstance(verdict, Refused), verdict
    return {"expect": "refused", "code": verdict.refusal.code}


def _detections(line: dict[str, Any]) -> Detections:
    cards = (Sighting(c["card"], c["x"], c["y"], c["angle"], 1.0, c["visible"]) for c in line["cards"])
    dice = (
        Die(d["x"], d["y"], d["value"], d["colour"], 1.0, "cocked" if d["cocked"] else "") for d in line.get("dice", ())
    )
    return Detections(tuple(cards), (), tuple(dice))


def _sorted(line: dict[str, Any]) -> dict[str, Any]:
    """Return the line's answer; the wanted of a set-up have no order."""
    found = {key: line[key] for key in ("expect", "move", "code") if key in line}
    if "wanted" in found.get("move", ()):
        found["move"] = {**found["move"], "wanted": sorted(found["move"]["wanted"])}
    return found


@pytest.mark.shared
@pytest.mark.parametrize("name", FOLDERS)
def test_every_line_of_an_opening_is_due_and_right(name: str) -> None:
    folder = TABLES / name
    if not folder.exists():
        pytest.skip("the shared tables are not beside this checkout")
    game = json.loads((folder / "recording.json").read_text())
    header = header_in({"version": 1, **game})
    referee = load_referees()[header.game]
    layout = referee.make_layout(game["seats"], tuple(game["mat_mm"]))
    session = Session(referee, header, layout)
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    told = {line["t"]: line["told"] for line in map(json.loads, (folder / "timeline.jsonl").open()) if "told" in line}
    view, given = None, list[tuple[float, dict[str, Any]]]()
    for line in truth:
        if "cards" in line:
            view = referee.observe(_detections(line), layout)
            given += [(line["t"], _answer(verdict)) for verdict in session.see(view)]
        elif "final" in line:
            assert list(session.position.points) == line["final"]
        elif line.get("by") == "told":
            given.append((line["t"], _answer(session.tell(told[line["t"]]))))
        elif line.get("by") == "up":
            last = session.history.past[-1]
            session.press(Button.UP)
            assert session.history.past[-1] is not last
            given.append((line["t"], {"expect": "taken_back", "move": last.move.to_json()}))
        elif line.get("by", "confirm") == "confirm":
            given.append((line["t"], _answer(session.confirm(view))))
    wanted = [(line["t"], _sorted(line)) for line in truth if "expect" in line]
    assert [(t, _sorted(line)) for t, line in given] == wanted
    assert len(wanted) >= 16
