"""The transcript of what a game teaches: its aim, the rules as they come up, and what may be done."""

from __future__ import annotations

import sys

import pytest

from tools.teaching.__main__ import main


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_games_teaching_is_printed(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wishes = ["--game", "wild_seven", "--language", language, "--attempts", "12"]
    monkeypatch.setattr(sys, "argv", ["teaching", *wishes])
    assert main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("[") for line in lines) == 3
    marks = [line[3] for line in lines if line.startswith("   ") and len(line) > 3]
    assert marks.count("-") > 10
    assert marks.count("*") >= 4
