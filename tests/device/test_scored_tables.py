"""Scored tables in the state folder: kept whole, listed, shown, exported, deleted; their pictures bounded in size."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from device.errors import DeviceError
from device.scoring.looking import ByHand
from device.scoring.table import Table
from device.scoring.telling import kept_json
from device.speech import Language
from device.storage import scored
from device.storage.journal import Journal
from device.storage.opening import Opening
from device.storage.scored import ScoredTables
from referee.table import Detections
from tests.device.seeing import sightings
from tests.referee.finished.finals import MAT, NAMES, finished, laid


def a_score(seed: int = 1) -> dict[str, Any]:
    position = finished(seed)
    cards = laid(position, random.Random(seed))
    assert cards is not None
    table = Table.set_up("laminate", len(position.players), NAMES[: len(position.players)], MAT)
    score = table.score(Detections(tuple(sightings(cards, cards.layout))), MAT)
    return kept_json(table, "mine", score, [ByHand("H7", 10.0, 20.0)], ())


def games(capsys: pytest.CaptureFixture[str], state: Path, *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["games", *words, "--state", str(state), "--language", "en"])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_it_is_listed_shown_exported_and_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, outcome = a_score(), finished(1).outcome
    assert outcome is not None
    assert ScoredTables(tmp_path).keep(data, b"a picture") == 1
    code, out, _ = games(capsys, tmp_path)
    assert code == 0
    assert out.startswith("  s1  ")
    assert "scored table (Laminate Rummy)" in out
    assert f"Hilbert {outcome.points[0]}" in out
    (line,) = map(json.loads, games(capsys, tmp_path, "list", "--json")[1].splitlines())
    assert (line["scored"], line["final"], line["winners"]) == (1, list(outcome.points), list(outcome.winners))
    code, out, _ = games(capsys, tmp_path, "show", "s1")
    assert (code, "Told by hand: H7." in out, data["why"]["en"] in out) == (0, True, True)

    sheet = tmp_path / "table.csv"
    assert games(capsys, tmp_path, "export", "s1", str(sheet))[0] == 0
    assert sheet.read_bytes().startswith(b"\xef\xbb\xbfseat,player"), "Excel opens it by a double click"
    rows = list(csv.DictReader(sheet.open(encoding="utf-8-sig")))
    for seat in range(1, len(NAMES[: len(outcome.points)]) + 1):
        own = [row for row in rows if row["seat"] == str(seat)]
        assert sum(int(row["points"] or 0) for row in own) == outcome.points[seat - 1]
        assert {row["total"] for row in own} == {str(outcome.points[seat - 1])}
        assert {row["winner"] for row in own} == {str(int(seat in outcome.winners))}
    whole = tmp_path / "table.json"
    assert games(capsys, tmp_path, "export", "s1", str(whole))[0] == 0
    assert json.loads(whole.read_text("utf-8"))["tallies"] == data["tallies"]

    assert games(capsys, tmp_path, "delete", "s1", "--yes")[0] == 0
    assert "no games" in games(capsys, tmp_path)[1]
    assert not list((tmp_path / scored.FOLDER).iterdir())


def test_games_and_scored_tables_stand_in_one_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(Opening("laminate", ("Ada", "Emmy", "Mary"), {"first_seat": 1}, "mine"), Language.EN)
    ScoredTables(tmp_path).keep(a_score(), b"a picture")
    lines = games(capsys, tmp_path)[1].splitlines()
    assert [line.split()[0] for line in lines] == ["1", "s1"]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "s2"], "There is no scored table s2"),
        (["show", "x1"], "is no number of the list"),
        (["resume", "s1"], "s1 is a scored table, not a game"),
        (["export", "s1", "out.txt"], "exported as .json or .csv"),
    ],
)
def test_wrong_words_are_one_sentence(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ScoredTables(tmp_path).keep(a_score(), b"a picture")
    code, out, error = games(capsys, tmp_path, *words)
    assert (code, out, len(error.splitlines())) == (2, "", 1)
    assert said in error


def test_a_damaged_one_is_said_and_can_be_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = ScoredTables(tmp_path)
    kept.keep(a_score(), b"a picture")
    path = tmp_path / scored.FOLDER / "00001.json"
    path.write_text(path.read_text("utf-8").replace('"points": 1', '"points": 9', 1), "utf-8")
    with pytest.raises(DeviceError, match="s1 is damaged"):
        kept.read_table(1)
    assert "damaged" in games(capsys, tmp_path)[1]
    assert games(capsys, tmp_path, "delete", "s1", "--yes")[0] == 0


def test_only_so_many_pictures_are_kept_and_every_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scored, "MOST_PICTURES_BYTES", 2500)
    kept, data = ScoredTables(tmp_path), a_score()
    for _ in range(4):
        kept.keep(data, bytes(1000))
    assert kept.list_numbers() == (1, 2, 3, 4)
    assert [kept.read_table(number).picture is not None for number in kept.list_numbers()] == [False, False, True, True]
