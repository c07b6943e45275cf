"""The command line: every wrong use is one clear sentence and the right exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.main import main
from rules.laminate.papers import BUILT_IN
from rules.text import Language

RECORD = [
    '{"game":"laminate","version":1,"players":["Hilbert","Banach","Noether"],"first_seat":1}',
    '{"do":"setup","discard":"T8"}',
    '{"seat":1,"do":"research","source":"discard","keep":"T8"}',
    '{"seat":3,"do":"research","source":"deck","discard":"H7"}',
]


def one_sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what was said on standard error, which must be one line, with nothing on standard output."""
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    lines = said.err.splitlines()
    assert len(lines) == 1, said.err
    assert lines[0].startswith("sevenmat: ")
    return lines[0]


@pytest.mark.few(5)
@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["fly"],
        ["read"],
        ["read", "x.jpg"],
        ["read", "x.jpg", "--deck"],
        ["read", "x.jpg", "--dec", "a"],
        ["read", "x.jpg", "--deck", "a", "--mat", "wide"],
        ["read", "x.jpg", "--deck", "a", "--mat", "12x9"],
        ["score", "x.jpg", "--deck", "a"],
        ["score", "x.jpg", "--deck", "a", "--game", "laminate", "--seats", "many"],
        ["demo", "--seed", "seven"],
        ["demo", "--seed", "-1"],
        ["demo", "--seed", "9" * 5000],
        ["demo", "--size", "1x1"],
        ["demo", "--langauge", "ja"],
        ["print", "posters", "x.pdf"],
        ["print", "markers"],
        ["replay"],
        ["check"],
    ],
)
def test_wrong_words_and_options(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert "--help" in one_sentence(capsys)


@pytest.mark.parametrize("command", ["demo", "enrol", "read", "score", "replay", "check", "print"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"sevenmat {command}" in capsys.readouterr().out


PAPERS = (
    ("5 Straight", "7 Straight", "9 Straight", "11 Straight"),
    ("Three Cards", "Five Cards", "Three Pairs", "Four Pairs"),
    ("Triple Threes", "4 Straight Flush", "6 Straight Flush", "49"),
    ("100+", "AK", "All Even", "End Flag"),
)
"""How the paper kinds lie on their pages, by the names that players know."""


def test_the_order_of_the_papers_is_told_by_help_and_guide(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["enrol", "--help"]) == 0
    told = [line.strip() for line in capsys.readouterr().out.splitlines()]
    docs = Path(__file__).resolve().parents[2] / "docs"
    guides = [(docs / name).read_text(encoding="utf-8").splitlines() for name in ("GUIDE.md", "GUIDE.ja.md")]
    japanese = {str(kind.text): kind.text.said(Language.JA) for kind in BUILT_IN}
    for number, row in enumerate(PAPERS, 1):
        pairs = [(en, japanese[en]) for en in row]
        listed = ", ".join(en if en == ja else f"{en} {ja}" for en, ja in pairs)
        cells = " | ".join(en if en == ja else f"{ja}<br>{en}" for en, ja in pairs)
        assert f"{number}. {listed}" in told
        assert all(f"| **{number}** | {cells} |" in guide for guide in guides)


@pytest.mark.parametrize("name", ["../a", "a/b", "/etc/passwd", "", ".", "..", ".hidden", "x" * 41, "a\nb", "C:\\a"])
def test_a_deck_name_leads_nowhere(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "x.jpg", "--deck", name, "--state", str(tmp_path)]) == 2
    assert "can't be a deck's name" in one_sentence(capsys)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_deck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "x.jpg", "--deck", "mine", "--state", str(tmp_path)]) == 2
    assert "no deck 'mine'" in one_sentence(capsys)


def test_a_damaged_deck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "mine.deck").write_bytes(b"half a deck")
    assert main(["read", "x.jpg", "--deck", "mine", "--state", str(tmp_path)]) == 2
    assert "damaged" in one_sentence(capsys)


def test_messages_come_in_japanese_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "x.jpg", "--deck", "mine", "--state", str(tmp_path), "--language", "ja"]) == 2
    assert "デッキ「mine」はありません" in one_sentence(capsys)


def test_enrolling_needs_all_three_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = ["--state", str(tmp_path)]
    assert main(["enrol", "--deck", "a", "--seven", "x.jpg", *state]) == 2
    assert "three pages" in one_sentence(capsys)
    assert main(["enrol", "--deck", "../a", *state]) == 2
    assert "deck's name" in one_sentence(capsys)


def test_enrolling_from_no_picture_leaves_the_earlier_deck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "decks").mkdir()
    earlier = tmp_path / "decks" / "mine.deck"
    earlier.write_bytes(b"an earlier deck")
    text = tmp_path / "page.jpg"
    text.write_text("this is no picture")
    pages = ["--seven", str(text), "--review", str(text), "--complete", str(text)]
    assert main(["enrol", "--deck", "mine", *pages, "--state", str(tmp_path)]) == 2
    assert "page.jpg" in one_sentence(capsys)
    assert main(["enrol", "--deck", "../mine", *pages, "--state", str(tmp_path)]) == 2
    assert "can't be a deck's name" in one_sentence(capsys)
    assert earlier.read_bytes() == b"an earlier deck"
    assert sorted(path.name for path in (tmp_path / "decks").iterdir()) == ["mine.deck"]


def test_check_prints_a_line_a_move_and_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text("\n".join(RECORD[:3]) + "\n", encoding="utf-8")
    assert main(["check", str(record), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[:2] == [{"line": 2, "verdict": "accepted"}, {"line": 3, "verdict": "accepted"}]
    assert lines[2]["final"] == [0, 0, 0]
    assert lines[2]["winners"] is None


def test_check_ends_with_1_where_a_line_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text("\n".join(RECORD), encoding="utf-8")
    assert main(["check", str(record), "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (lines[2]["verdict"], lines[2]["code"]) == ("refused", "out_of_turn")
    assert lines[2]["text"]
    assert main(["check", str(record), "--language", "ja"]) == 1
    assert "out_of_turn" in capsys.readouterr().out


def test_check_without_a_readable_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl can't be read" in one_sentence(capsys)
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    assert main(["check", str(binary)]) == 2
    assert "no UTF-8 text" in one_sentence(capsys)


@pytest.mark.parametrize("text", ["", "\n", " \r\n\n  "])
def test_an_empty_record_is_called_empty(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(text, encoding="utf-8")
    assert main(["check", str(record), "--language", "en"]) == 2
    assert one_sentence(capsys) == f"sevenmat: {record} is empty: there is no record in it."
    assert main(["check", str(record), "--language", "ja"]) == 2
    assert one_sentence(capsys) == f"sevenmat: {record}は空で、記録がありません。"


def test_a_header_that_leaves_nothing_to_judge_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.jsonl"
    header = {"game": "seven_wonders", "version": 1, "players": ["A", "B", "C"], "boards": ["giza/a", "giza/b", "x"]}
    record.write_text(json.dumps(header) + '\n{"do":"deal","age":1}\n', encoding="utf-8")
    for flags in ([], ["--json"]):
        assert main(["check", str(record), "--language", "en", *flags]) == 2
        assert one_sentence(capsys) == f"sevenmat: {record} can't be judged: there is no board 'x' in 'boards'."
    assert main(["check", str(record), "--language", "ja"]) == 2
    assert one_sentence(capsys).endswith("。")


def test_check_goes_on_after_a_record_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "r.jsonl"
    record.write_text("\n".join(RECORD[:3]), encoding="utf-8")
    assert main(["check", str(tmp_path / "none.jsonl"), str(record), "--language", "en"]) == 2
    said = capsys.readouterr()
    assert "none.jsonl can't be read" in said.err
    assert "points" in said.out


def test_check_of_an_endless_file_ends_with_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """One endless line of zeros."""
    assert main(["check", "/dev/zero", "--language", "en"]) == 2
    assert one_sentence(capsys) == "sevenmat: /dev/zero is too long: it has more than 16 MiB."
    assert main(["check", "/dev/zero", "--language", "ja"]) == 2
    assert one_sentence(capsys) == "sevenmat: /dev/zeroは長すぎます（16MiBを超えています）。"


def test_check_of_more_lines_than_a_game_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text("\n".join([*RECORD, *["{}"] * 100_000]), encoding="utf-8")
    assert main(["check", str(record), "--language", "en"]) == 2
    assert "more than 100,000 lines" in one_sentence(capsys)


def test_a_byte_that_is_no_utf8_spoils_its_own_line_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.jsonl"
    header, first, second, *_ = [line.encode() for line in RECORD]
    record.write_bytes(b"\n".join((header, first, second.replace(b'"do"', b'"\xff":1,"do"'), second)))
    assert main(["check", str(record), "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("verdict") for line in lines] == ["accepted", "refused", "accepted", None]
    assert lines[1]["code"] == "bad_record"
    assert "no UTF-8" in lines[1]["text"]


def test_an_unforeseen_fault_is_one_line_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> int:
        raise ZeroDivisionError("something\nbroke")

    monkeypatch.setattr("cli.check.check_records", fail)
    monkeypatch.delenv("SEVENMAT_DEBUG", raising=False)
    assert main(["check", str(tmp_path / "x")]) == 2
    assert "ZeroDivisionError: something broke" in one_sentence(capsys)


def test_what_reads_no_picture_loads_no_reader(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text("\n".join(RECORD[:3]))
    program = """
import sys
from cli.main import main

def loaded():
    return sorted({"numpy", "cv2", "onnxruntime", "vision.reader"} & set(sys.modules))

assert main(["--help"]) == main(["--help", "--language", "ja"]) == main(["check", "game.jsonl"]) == 0
assert loaded() == [], loaded()
for command in (["games"], ["settings"], ["print", "markers", "markers.pdf"]):
    assert main([*command, *(["--state", "."] if command[0] != "print" else [])]) == 0
assert loaded() == ["cv2", "numpy"], loaded()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_networks_runtime_tells_nobody_anything(tmp_path: Path) -> None:
    """Where it may, onnxruntime keeps a number of this machine and what it will send in the home folder."""
    program = (
        "import vision.detect.detector, onnxruntime, models.checksums as m; "
        "onnxruntime.InferenceSession(m.FOLDER / 'embedder.onnx', providers=['CPUExecutionProvider'])"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ORT_", "XDG_"))}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**environment, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.rglob("*")) == []
