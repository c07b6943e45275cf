"""The mutation tests find what nobody tests, say so by a name that lasts, and leave every file as it is."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tools.mutation import running
from tools.mutation.__main__ import ROOT, TARGETS, asked_of, load_equivalents, texts_below
from tools.mutation.mutants import Mutant, mutants_of

pytestmark = pytest.mark.slow


def changed(text: str) -> list[str]:
    return [mutant.now for mutant in mutants_of("m.py", text)]


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("    return a < b", ["return a <= b", "return a >= b"]),
        ("    return a < 2", ["return a <= 2", "return a >= 2"]),
        ("    return a < 2.5", ["return a <= 2.5", "return a >= 2.5", "return a < 3.5"]),
        ("    return a == 2", ["return a != 2", "return a == 3", "return a == 1"]),
        ("    return a not in b", ["return a in b"]),
        ("    return (a) + b.c", ["return (a) - b.c", "return (a)"]),
        ("    return a and b", ["return a or b", "return ((b))", "return ((a))"]),
        ("    return not a", ["return (a)"]),
        ("    return 2", ["return 3", "return 1"]),
        ("    return 0.5", ["return 1.5"]),
        ("    return a[1:]", ["return a[:]", "return a[2:]", "return a[0:]"]),
        ("    return any(a)", ["return all(a)"]),
        ("    return [x for x in a if x]", ["return [x for x in a if (not (x))]", "return [x for x in a if True]"]),
        ("    a.append(b)", ["pass"]),
        ("    a = b", ["pass"]),
        ("    a += b", ["pass", "a -= b"]),
        ("    c = b", []),
        ("    for c in b: a()", ["for c in (): a()", "for c in b: pass"]),
        ("    if a: b()", ["if (not (a)): b()", "if a: pass"]),
        ("    return b if a else 'no'", ["return b if (not (a)) else 'no'"]),
        ("    assert a < b", []),
        ('    "a < b"', []),
        ("    return f'{a + 1}' + b", []),
        ("    c: dict[int, bool] = b", []),
        ("    return '数' if a < b else b", ["return '数' if a <= b else b", "return '数' if a >= b else b"]),
    ],
)
def test_faults_of_each_kind_are_put_in_and_words_hints_and_assertions_left_alone(line: str, faults: list[str]) -> None:
    assert changed(f"def f(a, b):\n{line}\n") == faults


@pytest.mark.parametrize(
    ("head", "faults"),
    [
        ("def f(a: int = 3) -> bool:", ["return True", "return False"]),
        ("def f(a) -> int:", ["return (a) + 1"]),
        ("def f(a) -> Card | None:", ["return None"]),
        ("def f(a) -> tuple[Card, ...]:", ["return ()"]),
        ("def f(a) -> tuple[int, int]:", []),
    ],
)
def test_what_comes_back_instead_is_of_the_promised_type(head: str, faults: list[str]) -> None:
    assert [now for now in changed(f"{head}\n    return a\n") if now.startswith("return")] == faults


def test_a_default_is_changed_and_asked_of_those_who_call_the_function() -> None:
    (mutant, *_) = mutants_of("m.py", "def f(\n    a=True,\n):\n    b()\n    return a\n")
    assert (mutant.now, mutant.lines) == ("a=False,", (4, 5))


def test_a_hash_may_be_any_number() -> None:
    assert changed("class C:\n    def __hash__(self) -> int:\n        return self.a + 1\n") == []


def test_a_mutant_keeps_its_name_when_lines_come_above_it() -> None:
    text = "def f(a):\n    return a < 1\n\n\ndef g(a):\n    return a < 1\n    return a < 1\n"
    names = [mutant.key for mutant in mutants_of("m.py", text)]
    assert len(set(names)) == len(names)
    assert [mutant.key for mutant in mutants_of("m.py", "x()\n\n" + text)][1:] == names


@pytest.mark.slow  # make mutants makes them
def test_every_mutant_of_this_program_is_a_program() -> None:
    for file, text in texts_below(TARGETS).items():
        for mutant in [*mutants_of(file, text)][::20]:
            compile(mutant.make_source(text), file, "exec")


def test_every_equivalent_mutant_has_a_reason_and_a_file() -> None:
    files = texts_below(TARGETS)
    assert all(why.strip() and key[0] in files for key, why in load_equivalents().items())


SOURCE = """
LIMIT = 3

def small(n):
    return n < LIMIT

def count(n):
    while n > 0:
        n -= 1
    return n

def nobody(n):
    return n + 1
"""
TESTS = """
from room.code import count, small

def test_small():
    assert small(2)
    assert not small(4)

def test_count():
    assert count(3) == 0
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("house")
    for name, text in {"room/__init__.py": "", "room/code.py": SOURCE, "checks/test_code.py": TESTS}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(dedent(text))
    return root


@pytest.fixture(scope="module")
def covered(house: Path) -> running.Covered:
    return running.covered_by(house, ["checks/test_code.py"], ["room/code.py"], 2)


@pytest.mark.parametrize(
    ("now", "went"),
    [
        ("return n >= LIMIT", "killed by checks/test_code.py::test_small"),
        ("return n <= LIMIT", "survived"),
        ("LIMIT = 2", "killed by checks/test_code.py::test_small"),
        ("n += 1", "timed out"),
        ("return (n)", "survived"),
    ],
)
def test_a_fault_is_killed_times_out_or_survives_and_the_file_stays(
    house: Path, covered: running.Covered, monkeypatch: pytest.MonkeyPatch, now: str, went: str
) -> None:
    monkeypatch.setattr(running, "SHORTEST_S", 2.0)
    mutant = next(mutant for mutant in mutants_of("room/code.py", SOURCE) if mutant.now == now)
    jobs = [running.Job(mutant, asked_of(mutant, covered), mutant.make_source(SOURCE))]
    assert [(job.mutant, end) for job, end, _ in running.run_all(house, jobs, covered, 1)] == [(mutant, went)]
    assert (house / "room/code.py").read_text() == SOURCE


def test_coverage_is_renewed_for_files_that_changed() -> None:
    covered = running.Covered({"a::x": 1.0, "b::y": 1.0}, {"a::x"}, {"m.py": {1: ["", "a::x", "b::y"], 2: ["a::x"]}})
    fresh = running.Covered({"a::z": 2.0}, set(), {"m.py": {1: [""], 3: ["a::z"]}})
    renewed = covered.renew({"a"}, fresh)
    assert renewed.seconds == {"b::y": 1.0, "a::z": 2.0}
    assert renewed.random == set()
    assert renewed.lines == {"m.py": {1: ["", "b::y"], 2: [], 3: ["a::z"]}}


def test_only_the_tests_that_run_the_line_are_asked(covered: running.Covered) -> None:
    def asked(now: str) -> tuple[str, ...]:
        mutant: Mutant = next(mutant for mutant in mutants_of("room/code.py", SOURCE) if mutant.now == now)
        return asked_of(mutant, covered)

    assert asked("while n >= 0:") == ("checks/test_code.py::test_count",)
    assert asked("return n - 1") == ()
    assert set(asked("LIMIT = 4")) == {"checks/test_code.py::test_small", "checks/test_code.py::test_count"}


def test_tests_that_fail_without_any_fault_stop_it_all(house: Path, tmp_path: Path) -> None:
    (tmp_path / "test_bad.py").write_text("def test_bad():\n    assert False\n")
    with pytest.raises(RuntimeError, match="the tests fail as they are"):
        running.covered_by(tmp_path, ["test_bad.py"], [], 1)


def test_it_looks_at_the_rules_the_referee_and_the_table_view() -> None:
    files = texts_below(TARGETS)
    assert {
        "rules/cards.py",
        "rules/laminate/position.py",
        "referee/zones.py",
        "referee/laminate/view/observing.py",
    } <= files.keys()
    assert "vision/reader.py" not in files
    assert all((ROOT / file).exists() for file in files)
