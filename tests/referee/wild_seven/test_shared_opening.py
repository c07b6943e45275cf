"""The shared recording of Wild Seven: its true cards, judged confirm by confirm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from device.session.session import Session
from referee.table import Detections, Sighting
from referee.verdict import Accepted, Refused
from referee.wild_seven.referee import REFEREE
from rules.record import Header

FOLDER = Path(__file__).resolve().parents[3].parent / "shared" / "tables" / "opening-wild"


def _as_set(move: dict[str, Any]) -> dict[str, Any]:
    """The move; the wanted of a set-up have no order."""
    return {**move, "wanted": sorted(move.get("wanted", []))}


@pytest.mark.shared
def test_every_confirm_of_the_opening_gets_its_verdict() -> None:
    if not FOLDER.exists():
        pytest.skip("the shared tables are not beside this checkout")
    game = json.loads((FOLDER / "recording.json").read_text())
    layout = REFEREE.layout(game["seats"], tuple(game["mat_mm"]))
    session = Session(REFEREE, Header("wild_seven", tuple(game["players"])), layout)
    view, confirms = None, 0
    for line in map(json.loads, (FOLDER / "truth.jsonl").read_text().splitlines()):
        if "cards" in line:
            seen = [Sighting(c["card"], c["x"], c["y"], c["angle"], 1.0, c["visible"]) for c in line["cards"]]
            view = REFEREE.observe(Detections(tuple(seen)), layout)
            assert session.see(view) == ()
        elif "expect" in line:
            confirms += 1
            verdict = session.confirm(view)
            if line["expect"] == "accepted":
                assert isinstance(verdict, Accepted), (line, verdict)
                assert _as_set(verdict.move.to_json()) == _as_set(line["move"])
            else:
                assert isinstance(verdict, Refused), (line, verdict)
                assert verdict.refusal.code == line["code"]
        elif "final" in line:
            assert list(session.position.points) == line["final"]
    assert confirms == 16
