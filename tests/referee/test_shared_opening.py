"""The shared recording's true cards, judged confirm by confirm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.laminate.expected_layout import Agreed
from referee.laminate.judging import noticed
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.observing import table_view
from referee.table import Sighting
from referee.verdict import Accepted, Refused
from rules.laminate.position import Position
from tests.referee.tables import judge

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "tables" / "opening-a"


def lines(name: str) -> list[dict[str, Any]]:
    path = FOLDER / name
    if not path.exists():
        pytest.skip("the shared tables are not beside this checkout")
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.shared
def test_every_confirm_of_the_opening_gets_its_verdict() -> None:
    truth = lines("truth.jsonl")
    game = json.loads((FOLDER / "recording.json").read_text())
    layout = layout_for(game["seats"], tuple(game["mat_mm"]))
    agreed = Agreed(Position.start(game["players"], game["first_seat"]))
    view = None
    confirms = 0
    for line in truth:
        if "cards" in line:
            seen = [Sighting(c["card"], c["x"], c["y"], c["angle"], 1.0, c["visible"]) for c in line["cards"]]
            view = table_view(seen, (), layout)
            agreed = noticed(agreed, view, layout)
        elif "expect" in line:
            assert view is not None
            confirms += 1
            verdict = judge(agreed, view, layout)
            if line["expect"] == "accepted":
                assert isinstance(verdict, Accepted), (line, verdict)
                assert verdict.move.to_json() == line["move"]
                agreed = verdict.after
            else:
                assert isinstance(verdict, Refused), (line, verdict)
                assert verdict.refusal.code == line["code"]
        else:
            assert list(agreed.position.points) == line["final"]
            assert agreed.position.outcome is None
    assert confirms == 16
