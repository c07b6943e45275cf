"""The shared finished tables, as a phone takes them, through ``sevenmat score``."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from cli.main import main
from device.capture.eye import card_reader
from device.storage.deck_store import DeckShelf
from tests.decks import kept
from vision.enrol import PAGES, enrol_pages
from vision.picture import load_picture

TABLES = Path(__file__).resolve().parents[2].parent / "shared" / "tables"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (TABLES / "finals-a" / "truth.jsonl").exists():
        pytest.skip("the shared tables are not beside this checkout")
    state = tmp_path_factory.mktemp("finals")
    files = {page: TABLES / "reads-a" / f"enrol-{page}.jpg" for page in PAGES}
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files.values())).hexdigest()
    pages = {page: load_picture(path) for page, path in files.items()}
    DeckShelf(state).save("a", kept(f"finals {digest[:20]}", lambda: enrol_pages(card_reader(), "a", pages)))
    return state


@pytest.mark.slow  # test_score.py scores tables of its own
@pytest.mark.shared
def test_every_finished_table_is_scored_and_every_trap_named(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for row in (TABLES / "finals-a" / "truth.jsonl").read_text().splitlines():
        truth = json.loads(row)
        capsys.readouterr()
        image = str(TABLES / "finals-a" / truth["frame"])
        words = ["--game", truth["game"], "--deck", "a", "--seats", str(truth["seats"]), "--state", str(state)]
        code = main(["score", image, *words, "--json"])
        found = json.loads(capsys.readouterr().out)
        if truth["trap"]:
            assert (code, found["winners"]) == (1, None), truth["frame"]
            assert truth["code"] in {fault["code"] for fault in found["faults"]}
        else:
            assert (code, found["faults"], found["unread"]) == (0, [], []), truth["frame"]
            assert (found["final"], found["winners"]) == (truth["final"], truth["winners"])
            papers = [sorted((p["paper"], p["card"]) for p in seat["complete"]) for seat in found["players"]]
            assert papers == [sorted((p["paper"], p["card"]) for p in seat) for seat in truth["complete"]]
