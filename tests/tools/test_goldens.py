"""That the goldens would notice: what differs is found and named, and what can't be compared is not called equal."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tools.goldens import __main__ as goldens
from tools.goldens import speed
from tools.goldens.checkout import BrokenError, Checkout, Room, SkippedError, Store, WrongUseError, drop_seconds
from tools.goldens.compare import Harvest, first_difference
from tools.goldens.records import spoil

LINE = '{"line": 2, "verdict": "refused", "code": "out_of_turn", "cards": ["H7", "O3"]}'


@pytest.mark.parametrize(
    ("old", "new", "how"),
    [
        ("one\ntwo\n", "one\ntoo\n", "line 2: two | too"),
        ("one\n", "one\ntwo\nthree\n", "line 2 is new: two (1 more lines)"),
        ("one\ntwo\n", "one\n", "line 2 is gone: two"),
        ("one\n", "one", "the ends of the lines differ"),
        (LINE, LINE.replace("out_of_turn", "game_over"), 'line 1: code: "out_of_turn" | "game_over"'),
        (LINE, LINE.replace("O3", "O4"), 'line 1: cards[1]: "O3" | "O4"'),
        (LINE, LINE.replace(', "O3"', ""), 'line 1: cards[1]: "O3" | nothing'),
        ('{"confidence": 0.95}', '{"confidence": 0.9500001}', "line 1: confidence: 0.95 | 0.9500001"),
        ('{"x": 1}', '{"x": 1.0}', 'line 1: {"x": 1} | {"x": 1.0}'),
        ("exit code 1\n", "exit code 2\n", "line 1: exit code 1 | exit code 2"),
    ],
)
def test_texts_differ_at_their_first_line(old: str, new: str, how: str) -> None:
    assert first_difference(old, new) == how
    assert first_difference(old, old) is None


def test_of_long_lines_what_lies_round_the_difference_is_told() -> None:
    how = first_difference("a" * 500 + "b" + "c" * 500, "a" * 500 + "d" + "c" * 500)
    assert how is not None
    assert len(how) < 200
    assert "b" in how
    assert "d" in how


def picture(path: Path, size: tuple[int, int] = (8, 6), spot: tuple[int, int] | None = None, level: int = 9) -> Path:
    image = Image.new("RGB", size, (10, 20, 30))
    if spot is not None:
        image.putpixel(spot, (10, 20, 31))
    image.save(path, compress_level=level)
    return path


def test_one_pixel_by_one_level_is_a_difference(tmp_path: Path) -> None:
    same, other = picture(tmp_path / "a.png"), picture(tmp_path / "b.png", spot=(3, 4))
    packed = picture(tmp_path / "c.png", level=0)
    assert same.read_bytes() != packed.read_bytes()
    assert first_difference([same, same], [same, packed]) is None
    how = first_difference([same, same], [same, other])
    assert how == "a.png | b.png: 1 px differ (x 3 to 3, y 4 to 4), first at 3,4: #0a141e | #0a141f"
    wide = first_difference([same], [picture(tmp_path / "d.png", (9, 6))])
    assert wide == "a.png | d.png: 8 × 6 px | 9 × 6 px"
    assert first_difference([same, same], [same]) == "2 pictures | 1"


def test_the_last_bit_of_a_number_is_a_difference() -> None:
    old = {"embedding": np.ones((2, 3), np.float32), "names": np.array(["HA", "H2"])}
    new = {"embedding": old["embedding"].copy(), "names": old["names"]}
    assert first_difference(old, new) is None
    new["embedding"][1, 2] = np.nextafter(np.float32(1), np.float32(2))
    assert first_difference(old, new) == "embedding[1, 2]: 1.0 | 1.0000001 (1 of 6 numbers differ)"
    assert first_difference(old, {**old, "names": np.array(["HA", "H3"])}) == (
        "names[1]: H2 | H3 (1 of 2 numbers differ)"
    )
    assert first_difference(old, {"names": old["names"]}) == "embedding is gone"
    assert first_difference(old, {**old, "embedding": old["embedding"].astype(float)}) == (
        "embedding: float32[2, 3] | float64[2, 3]"
    )
    nothing = {"looks": np.array([np.nan, 1.0])}
    assert first_difference(nothing, {"looks": np.array([np.nan, 1.0])}) is None
    assert first_difference(nothing, {"looks": np.array([0.0, 1.0])}) is not None


def test_things_of_another_kind_differ(tmp_path: Path) -> None:
    assert first_difference("text", [picture(tmp_path / "a.png")]) is not None
    assert first_difference("text", {"a": np.zeros(1)}) is not None


# --- two checkouts


def checkout(folder: Path, name: str, script: str) -> Checkout:
    """Make a checkout whose ``sevenmat`` is a shell script."""
    (folder / ".venv" / "bin").mkdir(parents=True)
    command = folder / ".venv" / "bin" / "sevenmat"
    command.write_text(f"#!/bin/sh\n{script}\n")
    command.chmod(0o755)
    return Checkout(name, folder)


def compared(tmp_path: Path, old: str, new: str, harvest: Callable[[Room], Harvest]) -> goldens.Outcome:
    sides = checkout(tmp_path / "a", "old", old), checkout(tmp_path / "b", "new", new)
    comparison = goldens.Comparison(*sides, tmp_path / "work", None)
    (outcome,) = comparison.run([goldens.Golden("said", harvest)], 2)
    return outcome


def said(room: Room) -> Harvest:
    return {"said": room.run_sevenmat("read").text}


def test_equal_outputs_are_equal_and_others_are_not(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    assert compared(tmp_path / "1", "echo $1; pwd", "echo $1; pwd", said).verdict == "equal"
    for number, other in enumerate(
        ("echo $1.; pwd", "echo $1; pwd; exit 1", "echo $1; pwd; echo oh >&2", "kill $$"), 2
    ):
        outcome = compared(tmp_path / str(number), "echo $1; pwd", other, said)
        assert outcome.verdict == "DIFFERS", other
        assert outcome.details


def test_two_checkouts_that_fail_alike_are_not_equal(tmp_path: Path) -> None:
    outcome = compared(tmp_path, "echo broken >&2; exit 2", "echo broken >&2; exit 2", said)
    assert outcome.verdict == "BROKEN"
    assert "sevenmat read ends with 2 in the older checkout: broken" in outcome.details[0]


def test_nothing_to_compare_is_not_equal(tmp_path: Path) -> None:
    assert compared(tmp_path, "true", "true", lambda room: {}).verdict == "BROKEN"


def test_what_is_lacking_is_skipped(tmp_path: Path) -> None:
    def lacks(room: Room) -> Harvest:
        raise SkippedError("no shared tables")

    outcome = compared(tmp_path, "true", "true", lacks)
    assert (outcome.verdict, outcome.details) == ("skipped", ("no shared tables",))


def test_a_fault_of_a_golden_is_not_equal(tmp_path: Path) -> None:
    outcome = compared(tmp_path, "true", "true", lambda room: {"x": str(1 // 0)})
    assert outcome.verdict == "BROKEN"
    assert "ZeroDivisionError" in outcome.details[0]


def test_the_older_checkout_gives_what_both_are_shown(tmp_path: Path) -> None:
    def given(room: Room) -> Harvest:
        folder = room.given.make_once(
            "made", lambda made: (made.folder / "by").write_text(made.run_sevenmat("x").out) and None
        )
        own = room.own.make_once(
            "made", lambda made: (made.folder / "by").write_text(made.run_sevenmat("x").out) and None
        )
        return {"given": (folder / "by").read_text(), "own": (own / "by").read_text()}

    outcome = compared(tmp_path, "echo old", "echo new", given)
    assert outcome.details == ("own: line 1: old | new",)


def test_what_could_not_be_made_once_is_not_made_twice(tmp_path: Path) -> None:
    store, made = Store(checkout(tmp_path / "a", "old", "exit 3"), tmp_path / "store", None), []

    def make(room: Room) -> None:
        made.append(room.folder)
        room.run_sevenmat("x")

    for _ in range(2):
        with pytest.raises(BrokenError, match="ends with 3"):
            store.make_once("thing", make)
    assert len(made) == 1


def test_nothing_switches_the_machine_off(tmp_path: Path) -> None:
    for what in ("systemctl poweroff", "shutdown now", "poweroff", "reboot", "halt"):
        side = checkout(tmp_path / what.replace(" ", "-"), "new", f"command -v {what.split()[0]}; {what}")
        store = Store(side, tmp_path / "store", None)
        ran = Room(side, tmp_path / "room", None, store, store).run_sevenmat()
        assert "tools/goldens/harmless/" in ran.out
        assert ran.code == 1


# --- the command


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["no-such-revision-or-folder"],
        [str(Path(__file__).parent)],
        [".", "--only", "nothing"],
        [".", "--only", "help", "--without", "help"],
        [".", "--jobs", "0"],
    ],
)
def test_wrong_use_is_one_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert goldens.main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("goldens: ")


def test_a_checkout_without_tools_is_too_old(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("pyproject.toml", "Makefile"):
        (tmp_path / name).touch()
    assert goldens.main([str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "from before there was tools/" in line


def test_a_folder_with_other_things_in_it_is_let_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("the only copy")
    with pytest.raises(WrongUseError, match=r"thesis\.txt"), goldens.hold_alone(tmp_path):
        pass
    assert (tmp_path / "thesis.txt").exists()


def test_every_golden_says_what_it_compares(capsys: pytest.CaptureFixture[str]) -> None:
    assert goldens.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(goldens.GOLDENS) == len({golden.name for golden in goldens.GOLDENS})
    assert all(golden.about for golden in goldens.GOLDENS)
    assert goldens.chosen_goldens("help,demo", None, False) == [
        golden for golden in goldens.GOLDENS if golden.name in ("help", "demo")
    ]


def test_the_inside_of_a_checkout_is_not_imported() -> None:
    may = {"numpy", "PIL", "tools", *sys.stdlib_module_names}
    for file in Path(goldens.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                assert name.partition(".")[0] in may, f"{file.name} imports {name}"
                assert not name.startswith("tools.") or name.startswith(("tools.goldens", "tools.fuzz.mutate"))


# --- what is made up


GAME = [
    '{"game":"laminate","version":1,"players":["A","B","C"],"first_seat":1}',
    '{"do":"setup","discard":"T8"}',
    '{"seat":1,"do":"research","source":"discard","keep":"T8"}',
    '{"seat":2,"do":"publish","paper":"three","cards":["B6","O6"],"cite":[{"seat":1,"paper":"three"}],"pay":{"1":1}}',
    '{"seat":3,"do":"review","of":2,"paper":"three","take":"O6"}',
] * 3


def test_records_are_spoilt_alike_each_time() -> None:
    once, again = list(spoil([GAME], 60)), list(spoil([GAME], 60))
    assert once == again
    assert sum(record != GAME for record in once) > 50
    assert all(len(record) >= 2 for record in once)


def test_times_are_left_out() -> None:
    assert drop_seconds("82 faces in 3.2 s, Reading 0.13 s on average, 39 s in all") == (
        "82 faces in … s, Reading … s on average, … s in all"
    )
    assert drop_seconds("読み取り平均0.13秒、全体で39秒。60手") == "読み取り平均…秒、全体で…秒。60手"


def test_speed_is_the_median_of_pairs() -> None:
    old = [{"read": 10.0, "gone": 1.0}, {"read": 20.0, "gone": 1.0}, {"read": 10.0, "gone": 1.0}]
    new = [{"read": 11.0}, {"read": 20.0}, {"read": 30.0}]
    assert speed.compute_ratios(old, new) == {"read": pytest.approx(1.1)}
    printed = "find the mat anew           12.5 ms    0.41 passes\nrules: random games\n  games per second: 1,250.000\n"
    assert speed.figures_of(printed) == {"find the mat anew": 12.5, "games per second": pytest.approx(1 / 1250)}
