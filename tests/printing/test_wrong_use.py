"""What can't be printed is said in one sentence, in either language, and nothing is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.main import main
from tests.cli.test_cli import one_sentence


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("words", "en"),
    [
        (("mat", "--game", "whist"), "no game 'whist'"),
        (("mat", "--players", "9"), "no layout for 9 players"),
        (("guide", "--game", "wild_seven", "--players", "2"), "is for 3 to 5 players"),
        (("mat", "--paper", "A9"), "no paper 'A9'"),
        (("mat", "--paper", "100x100"), "too small to print on: use A5"),
        (("pages", "--mat", "600x600"), "no room on a mat of 600 × 600 mm"),
        (("markers", "--paper", "A3"), "--paper does not go with 'print markers'"),
        (("papers", "--game", "wild_seven"), "--game does not go with 'print papers'"),
        (("papers", "--players", "3"), "--players does not go with 'print papers'"),
    ],
)
def test_one_sentence_and_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], en: str
) -> None:
    for language in ("en", "ja"):
        assert main(["print", words[0], str(tmp_path / "o.pdf"), *words[1:], "--language", language]) == 2
        said = one_sentence(capsys)
        assert (en in said) == (language == "en")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", [("--overlap", "80"), ("--overlap", "x"), ("--bleed", "-1"), ("--bleed", "nan")])
def test_lengths_that_can_not_be(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, str]) -> None:
    assert main(["print", "mat", str(tmp_path / "o.pdf"), f"{option[0]}={option[1]}"]) == 2
    assert "mm" in one_sentence(capsys)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "guide", str(tmp_path / "none" / "o.pdf"), "--language", "en"]) == 2
    assert "can't be written" in one_sentence(capsys)


@pytest.mark.parametrize(("language", "words"), [("en", "is written (markers)"), ("ja", "に書き出しました（markers）")])
def test_what_was_written_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, words: str
) -> None:
    out = tmp_path / "o.pdf"
    assert main(["print", "markers", str(out), "--language", language]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{out} {words}")
    assert "100 %" in line
