"""Runs tests on mutants, each in a forked process that imports the fault in place of the file; no file is changed.

The parent imports pytest and hypothesis but nothing of ours, so a fork starts within a fraction of a second and still
imports everything of ours afresh, constants and tables made at import included.
"""

from __future__ import annotations

import functools
import gc
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType

import coverage
import hypothesis.strategies  # noqa: F401 - so that no fork needs to
import pytest

from tools.mutation.mutants import Mutant

SHORTEST_S = 5.0
"""So much time of the processor a test has at least; ten times what it took without a fault where that is more."""

_MEMORY = 6 << 30


@dataclass
class Covered:
    """The tests with their seconds, those that search at random, and by file and line the tests that run it.

    Of what runs as files are imported the test is "".
    """

    seconds: dict[str, float]
    random: set[str]
    lines: dict[str, dict[int, list[str]]]

    def renew(self, files: set[str], fresh: Covered) -> Covered:
        """Return what is known now that the tests of some files were run again, or are gone."""
        old = {test for test in self.seconds if test.partition("::")[0] in files}
        lines: dict[str, dict[int, list[str]]] = {}
        for file in self.lines.keys() | fresh.lines.keys():
            one, other = self.lines.get(file, {}), fresh.lines.get(file, {})
            lines[file] = {
                line: sorted({test for test in one.get(line, ()) if test not in old} | {*other.get(line, ())})
                for line in one.keys() | other.keys()
            }
        seconds = {test: time for test, time in self.seconds.items() if test not in old} | fresh.seconds
        return Covered(seconds, self.random - old | fresh.random, lines)


@dataclass(frozen=True)
class Job:
    """A mutant, ``None`` for the program as it is, the tests for it in order, and its file's changed text."""

    mutant: Mutant | None
    tests: tuple[str, ...]
    source: str = ""


class _Watch:
    """Notes which lines each test runs, by a context of its own."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.found = Covered({}, set(), {})
        self.kept: list[functools._lru_cache_wrapper[object]] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.found.random = {i.nodeid for i in session.items if getattr(i.obj, "is_hypothesis_test", False)}
        self.kept = [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        for kept in self.kept:  # what an earlier test had worked out this one would not run
            kept.cache_clear()
        self.measured.switch_context(item.nodeid)
        result = yield
        self.measured.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.found.seconds[report.nodeid] = self.found.seconds.get(report.nodeid, 0) + report.duration


class _Chosen:
    """Runs the tests of a job, each within its time, where SIGPROF ends the process, and notes the one that fails."""

    def __init__(self, tests: Sequence[str], covered: Covered) -> None:
        self.order = {test: place for place, test in enumerate(tests)}
        self.covered = covered
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self.order), key=lambda item: self.order[item.nodeid])

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        signal.setitimer(signal.ITIMER_PROF, max(SHORTEST_S, 10 * self.covered.seconds[item.nodeid]))

    def pytest_sessionfinish(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 60)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = report.nodeid if report.failed else self.failed


class _Changed(SourceFileLoader):
    """Finds and loads one module of ours from another source."""

    def __init__(self, root: Path, file: str, source: str) -> None:
        super().__init__(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."), str(root / file))
        self.code = compile(source, self.path, "exec")

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        return self.code


def _run_forked(root: Path, work: Callable[[Path], int], answer: Path) -> int:
    """Fork, do the work there in that folder, its output in a file, and return the process's number."""
    if pid := os.fork():
        return pid
    # What the process before left over is not its to tidy up: a network's end waits for threads that are not here.
    gc.freeze()
    code = int(pytest.ExitCode.INTERNAL_ERROR)
    try:
        out = os.open(answer.with_suffix(".out"), os.O_CREAT | os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out, 2)
        os.chdir(root)
        sys.path.insert(0, str(root))
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(answer.with_suffix(".examples"))
        code = int(work(answer))
    finally:
        sys.stdout.flush()
        os._exit(code)


def _run_tests(root: Path, answer: Path, paths: Iterable[str], plugin: object) -> int:
    options = ("-q", "-x", "--assert=plain", "-p", "no:cacheprovider", "--hypothesis-seed=1")
    places = (f"--rootdir={root}", f"--basetemp={answer.with_suffix('.tmp')}")
    return pytest.main([*options, *places, *paths], plugins=[plugin])


def covered_by(root: Path, tests: Sequence[str], targets: Iterable[str], at_once: int) -> Covered:
    """Run all these files of tests, in so many processes, and note what each test runs of the target files.

    Raises:
        RuntimeError: a test fails without any fault put in.
    """
    include = [str(root / target) for target in targets]

    def work(files: Sequence[str], answer: Path) -> int:
        measured = coverage.Coverage(data_file=None, include=include, config_file=False)
        watch = _Watch(measured)
        measured.start()
        code = _run_tests(root, answer, files, watch)
        measured.stop()
        data = measured.get_data()
        for file in data.measured_files():
            watch.found.lines[Path(file).relative_to(root).as_posix()] = data.contexts_by_lineno(file)
        answer.write_bytes(pickle.dumps(watch.found))
        return code

    found = Covered({}, set(), {})
    with tempfile.TemporaryDirectory() as scratch:
        parts = [(tests[n::at_once], Path(scratch, str(n))) for n in range(min(at_once, len(tests)))]
        running = {_run_forked(root, functools.partial(work, files), answer): answer for files, answer in parts}
        for pid, answer in running.items():
            if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
                raise RuntimeError("the tests fail as they are:\n" + answer.with_suffix(".out").read_text()[-4000:])
            found = found.renew(set(), pickle.loads(answer.read_bytes()))
    return found


def run_all(root: Path, jobs: Iterable[Job], covered: Covered, at_once: int) -> Iterator[tuple[Job, str, float]]:
    """Run the jobs, so many at once, and give each with how it went, as it ends, and its seconds.

    It went ``survived``, ``timed out``, ``killed by`` a test or ``killed at import`` of a test's file.

    Raises:
        RuntimeError: the tests could not be run.
    """

    def work(job: Job, answer: Path) -> int:
        if not job.tests:
            return 0
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        signal.setitimer(signal.ITIMER_PROF, 60)
        signal.alarm(300 + int(30 * sum(covered.seconds[test] for test in job.tests)))  # where it stands still
        if job.mutant is not None:
            sys.meta_path.insert(0, _Changed(root, job.mutant.file, job.source))
        chosen = _Chosen(job.tests, covered)
        files = dict.fromkeys(test.partition("::")[0] for test in job.tests)
        code = _run_tests(root, answer, files, chosen)
        answer.write_text(chosen.failed)
        return code

    waiting, running = enumerate(jobs), dict[int, tuple[Job, float, Path]]()
    with tempfile.TemporaryDirectory() as scratch:
        while True:
            while len(running) < at_once and (following := next(waiting, None)) is not None:
                answer = Path(scratch, str(following[0]))
                pid = _run_forked(root, functools.partial(work, following[1]), answer)
                running[pid] = following[1], time.monotonic(), answer
            if not running:
                return
            pid, status = os.wait()
            job, since, answer = running.pop(pid)
            yield job, _say_outcome(os.waitstatus_to_exitcode(status), answer), time.monotonic() - since


def _say_outcome(code: int, answer: Path) -> str:
    if code < 0:
        return "timed out"
    if code == pytest.ExitCode.OK:
        return "survived"
    if code == pytest.ExitCode.TESTS_FAILED:
        return f"killed by {answer.read_text()}"
    if code == pytest.ExitCode.INTERRUPTED:
        return "killed at import"
    raise RuntimeError("the tests can't be run:\n" + answer.with_suffix(".out").read_text()[-4000:])
