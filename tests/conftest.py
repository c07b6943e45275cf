"""What every test needs, and how long each file took when that was last measured (``make test-times``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

import ui  # noqa: F401 - the languages are loaded with it

# How long an example takes says more of what else the machine does than of the program.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

TIMES = Path(__file__).with_name("times.txt")
_SLOWEST = 40


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-times", action="store_true", help=f"write {TIMES.name} from this run")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--write-times") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(TimesWriter())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that no worker is left with one when the others have ended."""
    _mark_all_but_few_slow(items)
    seconds = _read_seconds(TIMES.read_text(encoding="utf-8").splitlines())
    items.sort(key=lambda item: -seconds.get(item.nodeid.partition("::")[0], 1.0))


def _mark_all_but_few_slow(items: list[pytest.Item]) -> None:
    cases = defaultdict[tuple[pytest.Item | pytest.Collector | None, str], list[pytest.Item]](list)
    for item in items:
        cases[item.parent, getattr(item, "originalname", item.name)].append(item)
    for alike in cases.values():
        if few := alike[0].get_closest_marker("few"):
            kept = {len(alike) * number // few.args[0] for number in range(few.args[0])}
            for item in (item for number, item in enumerate(alike) if number not in kept):
                item.add_marker(pytest.mark.slow)


def _read_seconds(lines: Iterable[str]) -> dict[str, float]:
    cells = (line.split(maxsplit=1) for line in lines if line[:1].isspace() or line[:1].isdigit())
    return {name: float(seconds) for seconds, name in cells}


def _longest_first(seconds: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda one: -one[1])


class TimesWriter:
    """Adds up what each file and each test took, set-up and tear-down included, and writes it down."""

    def __init__(self) -> None:
        self.files, self.cases = defaultdict[str, float](float), defaultdict[str, float](float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.files[report.nodeid.partition("::")[0]] += report.duration
        self.cases[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        lines = [f"# Seconds of wall time by file (`make test-times`), {sum(self.files.values()):.0f} in all"]
        lines += [f"{seconds:7.2f} {name}" for name, seconds in _longest_first(self.files)]
        lines += [f"# The {_SLOWEST} slowest cases"]
        lines += [f"# {seconds:5.2f} {name}" for name, seconds in _longest_first(self.cases)[:_SLOWEST]]
        TIMES.write_text("\n".join(lines) + "\n", encoding="utf-8")
