"""What goes wrong in a hall, done to real servers; in the end every result must be there, once, and nothing else."""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulator.hall.playing_table import Manner
from tools.hall.checking import Kept, held_against, results_made
from tools.hall.mischief import read_board, send_impossible, try_forbidden
from tools.hall.pulled import pull_the_plug
from tools.hall.servers import Hall, Mosquitto, Postgres, TrialError, database_programs, wait_for
from tools.hall.tables import Tables
from tools.hall.watching import Watcher

HALL = "Hall"
_DATABASE_GONE, _NETWORK_CUT = "database gone for a minute", "network cut for a minute"
_STOOD_STILL = "the board stood still while the database was gone"
_SETTLE_S = 90.0
"""How long after the last change a result may still be on its way."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is done: ``times`` each, ``minute_s`` in place of a minute; ``rate`` is changes a second at a table."""

    times: int = 10
    minute_s: float = 60.0
    tables: int = 40
    rate: float = 4.0
    pause_s: tuple[float, float] = (2.0, 6.0)
    """Between two faults, any time in between."""
    each: int = 4
    """Games of each kind that are played beforehand."""


@dataclass(slots=True)
class Outcome:
    """What came of a fault: how often it was done, what was kept, and what else must be so or not."""

    times: int
    kept: Kept
    notes: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether nothing was lost, nothing twice, and nothing shown that can't be."""
        return self.kept.good and not self.wrong

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as JSON-able data."""
        return {"times": self.times, **self.kept.to_json(), **self.notes, "wrong": self.wrong}


class Trial:
    """A broker, a database and a hall; ``tables`` play at it."""

    def __init__(
        self, folder: Path, database: str = "sqlite", more: str = "allow_anonymous true\n", host: str = ""
    ) -> None:
        self.folder = folder
        self.broker = Mosquitto(folder / "broker", host or "127.0.0.1", more)
        self.postgres = Postgres() if database == "postgresql" else None
        self.url = self.postgres.url if self.postgres is not None else f"sqlite:///{folder / 'hall.db'}"
        self.hall = Hall(folder / "hall", self.broker.make_url(HALL), self.url)
        self.made: list[dict[str, Any]] = []
        self._playing: list[Tables] = []

    def start(self) -> None:
        """Start all three."""
        self.broker.start()
        if self.postgres is not None:
            self.postgres.start()
        self.hall.start()

    def play(self, scale: Scale, seconds: float, *ways: Mapping[str, Any], before: Sequence[str] = ()) -> Tables:
        """Have tables play for so long, in these ways in turn; ``before`` is the command before theirs."""
        manners = [Manner(rate=scale.rate, **way) for way in ways or ({},)]
        tables = Tables(
            self.broker.make_url(HALL), scale.tables, seconds, self.folder, manners, 1, _SETTLE_S, before, scale.each
        )
        self._playing.append(tables)
        wait_for(lambda: tables.made.exists(), "tables play", 120)
        return tables

    def finish(self, *tables: Tables) -> dict[str, Any]:
        """Have tables end, and wait until the hall has what they made, or it is clear that it never will."""
        ends = [one.end() for one in tables]
        for one in tables:
            self.made += results_made(one.made)
        return {name: sum(one[name] for one in ends) for name in ("changes", "connections", "left")}

    def wait_for_kept(self, patience_s: float = 30.0) -> Kept:
        """Return what the hall has kept of it, once all is there, or after a while."""
        end_s = time.monotonic() + patience_s
        while True:
            kept = held_against(self.made, self.url)
            if not (kept.lost or kept.torn) or time.monotonic() > end_s:
                return kept
            time.sleep(0.5)

    def judge_outcome(
        self, times: int, notes: dict[str, Any], wrong: Sequence[str] = (), patience_s: float = 30.0
    ) -> Outcome:
        """Judge what came of it: what the hall has kept, and what its board shows of that."""
        kept = self.wait_for_kept(patience_s)
        results, standings = (read_board(self.hall.page, f"/{name}.json")[name] for name in ("results", "standings"))
        shown = Counter(one["game_id"] for one in results)
        played = sum(len(one["players"]) for one in results), sum(one["games"] for one in standings)
        more = ["a result is shown twice"] if max(shown.values(), default=1) > 1 else []
        more += ["a result is shown that nobody made"] if shown.keys() - {one["game_id"] for one in self.made} else []
        more += ["what is kept is not shown"] if len(shown) != kept.made - kept.lost else []
        more += ["the standings count other games than the results"] if played[0] != played[1] else []
        return Outcome(times, kept, notes, [*wrong, *more])

    def close(self) -> None:
        """End everything."""
        for one in self._playing:
            if one.process.poll() is None:
                one.process.kill()
                one.process.wait()
        self.hall.stop()
        self.broker.stop()
        if self.postgres is not None:
            self.postgres.close()


@contextmanager
def run_trial(folder: Path, **how: Any) -> Iterator[Trial]:
    """Start a trial, and end it whatever happens."""
    made = Trial(folder, **how)
    try:
        made.start()
        yield made
    finally:
        made.close()


def _pause(scale: Scale) -> None:
    time.sleep(random.uniform(*scale.pause_s))


def _again_and_again(scale: Scale, folder: Path, fault: Callable[[Trial], None], **how: Any) -> Outcome:
    """Do something again and again while tables play."""
    with run_trial(folder, **how) as there:
        tables = there.play(scale, 10**6)
        for _ in range(scale.times):
            _pause(scale)
            fault(there)
        _pause(scale)
        tables.process.terminate()
        notes = there.finish(tables)
        return there.judge_outcome(scale.times, notes)


def _kill_broker(there: Trial) -> None:
    there.broker.kill()
    time.sleep(random.uniform(0.1, 2.0))
    there.broker.start()


def _kill_hall(there: Trial) -> None:
    there.hall.kill()
    time.sleep(random.uniform(0.1, 2.0))
    there.hall.start()


def _take_database_away(there: Trial, minute_s: float) -> int:
    """Stop the database for so long; how many changes the board showed in the second half of it."""
    assert there.postgres is not None, "it was asked for"
    there.postgres.stop()
    watcher = Watcher(there.hall.page)
    time.sleep(minute_s / 2)
    watcher.counts = True
    time.sleep(minute_s / 2)
    seen = len(watcher.lags_s)
    watcher.close()
    there.postgres.start()
    return seen


def _cut(cable: str, minute_s: float) -> None:
    _run_ip("link", "set", cable, "down")
    time.sleep(minute_s)
    _run_ip("link", "set", cable, "up")


def broker_killed(scale: Scale, folder: Path) -> Outcome:
    """Kill the broker, and start it again."""
    return _again_and_again(scale, folder, _kill_broker)


def hall_killed(scale: Scale, folder: Path) -> Outcome:
    """Kill the hall, and start it again."""
    return _again_and_again(scale, folder, _kill_hall)


def database_gone(scale: Scale, folder: Path) -> Outcome:
    """Take the database away for a minute; the board goes on meanwhile."""
    seen: list[int] = []

    def take_away(there: Trial) -> None:
        seen.append(_take_database_away(there, scale.minute_s))

    outcome = _again_and_again(scale, folder, take_away, database="postgresql")
    outcome.notes["changes_seen_meanwhile"] = seen
    outcome.wrong += [_STOOD_STILL] if 0 in seen else []
    return outcome


def network_cut(scale: Scale, folder: Path) -> Outcome:
    """Cut the tables' network, a namespace of its own, for a minute: nothing comes through, nobody hangs up."""
    with make_namespace() as (name, host, cable), run_trial(folder, host=host) as there:
        tables = there.play(scale, 10**6, before=("ip", "netns", "exec", name))
        for _ in range(scale.times):
            _pause(scale)
            _cut(cable, scale.minute_s)
        _pause(scale)
        tables.process.terminate()
        notes = there.finish(tables)
        return there.judge_outcome(scale.times, notes)


def one_after_the_other(scale: Scale, folder: Path) -> Outcome:
    """Run all that this machine allows, in one hall, whose tables' clocks, messages and order are wrong as well."""
    ways = ({"clock_off_s": 300.0, "twice": True}, {"clock_off_s": -300.0, "shuffled": True}, {"clock_set_s": -300.0})
    database = "postgresql" if explain_skip(_DATABASE_GONE) is None else "sqlite"
    with ExitStack() as stack:
        name, host, cable = (
            stack.enter_context(make_namespace()) if explain_skip(_NETWORK_CUT) is None else ("", "", "")
        )
        there = stack.enter_context(run_trial(folder, database=database, host=host))
        tables = there.play(scale, 10**6, *ways, before=("ip", "netns", "exec", name) if name else ())
        _pause(scale)
        _kill_broker(there)
        _kill_hall(there)
        wrong = []
        if there.postgres is not None and not _take_database_away(there, scale.minute_s):
            wrong.append(_STOOD_STILL)
        if cable:
            _cut(cable, scale.minute_s)
        notes, more = send_impossible(there.broker, HALL, there.hall.page, 100 * scale.times)
        tables.process.terminate()
        notes = {**there.finish(tables), **notes}
        return there.judge_outcome(scale.times, notes, wrong + more)


def power_pulled(scale: Scale, folder: Path) -> Outcome:
    """Kill a table with its relay, on a real journal, in mid-game and start it again."""
    with run_trial(folder) as there:

        def has_results(results: Sequence[dict[str, Any]]) -> bool:
            kept = held_against(results, there.url)
            return not kept.lost and not kept.torn

        there.made, notes = pull_the_plug(folder / "table", there.broker.make_url(HALL), scale.times, has_results)
        return there.judge_outcome(scale.times, notes)


def clocks_apart(scale: Scale, folder: Path) -> Outcome:
    """Set some tables five minutes ahead, some five behind; clocks are put on and back that much in mid-game."""
    with run_trial(folder) as there:
        ways = ({"clock_off_s": 300.0}, {"clock_off_s": -300.0}, {"clock_set_s": -300.0}, {"clock_set_s": 300.0})
        notes = there.finish(there.play(scale, 4.0 * scale.times, *ways))
        return there.judge_outcome(scale.times, notes)


def twice_and_shuffled(scale: Scale, folder: Path) -> Outcome:
    """Send every message twice, and let them overtake each other."""
    with run_trial(folder) as there:
        tables = there.play(scale, 4.0 * scale.times, {"twice": True, "shuffled": True})
        notes = there.finish(tables)
        return there.judge_outcome(scale.times, notes)


def payloads_that_cant_be(scale: Scale, folder: Path) -> Outcome:
    """Let somebody send payloads and topics that can't be, among tables that play."""
    with run_trial(folder) as there:
        tables = there.play(scale, 10**6)
        _pause(scale)
        notes, wrong = send_impossible(there.broker, HALL, there.hall.page, 100 * scale.times)
        tables.process.terminate()
        notes = {**there.finish(tables), **notes}
        return there.judge_outcome(100 * scale.times, notes, wrong)


def anothers_topics(scale: Scale, folder: Path) -> Outcome:
    """Let a table write into another's topics, at a broker with the file that ``sevenmat hall acl`` writes."""
    notes, wrong, kept = try_forbidden(folder, scale.times)
    return Outcome(scale.times, kept, notes, wrong)


def without_outbox(scale: Scale, folder: Path) -> Outcome:
    """Run the control: the broker is killed, and nothing it has not taken is sent again. This must lose some."""
    with run_trial(folder) as there:
        tables = there.play(scale, 10**6, {"outbox": False})
        for _ in range(scale.times):
            _pause(scale)
            there.broker.kill()
            time.sleep(1.0)
            there.broker.start()
        _pause(scale)
        tables.process.terminate()
        notes = there.finish(tables)
        return there.judge_outcome(scale.times, notes, patience_s=2.0)


FAULTS: Mapping[str, Callable[[Scale, Path], Outcome]] = {
    "broker killed and started": broker_killed,
    "hall killed and started": hall_killed,
    _DATABASE_GONE: database_gone,
    _NETWORK_CUT: network_cut,
    "a table's power pulled": power_pulled,
    "clocks five minutes apart": clocks_apart,
    "messages twice and out of order": twice_and_shuffled,
    "payloads that can't be": payloads_that_cant_be,
    "a table writes into another's topics": anothers_topics,
}
CONTROL = "control: without the outbox"


def explain_skip(name: str) -> str | None:
    """Explain why a fault can't be done here, if so."""
    if FAULTS.get(name) is database_gone and database_programs() is None:
        return "PostgreSQL is not installed"
    if FAULTS.get(name) is network_cut and not _may_cut():
        return "no network namespace may be made here"
    return None


def _may_cut() -> bool:
    try:
        with make_namespace():
            return True
    except (OSError, TrialError):
        return False


@contextmanager
def make_namespace() -> Iterator[tuple[str, str, str]]:
    """Make a network of its own: its name, this side's address, and the cable that can be taken down.

    Raises:
        TrialError: the system does not let us make one.
    """
    number = random.randrange(1, 250)
    name, cable, other = f"sevenmat{number}", f"sm{number}a", f"sm{number}b"
    _run_ip("netns", "add", name)
    try:
        _run_ip("link", "add", cable, "type", "veth", "peer", "name", other, "netns", name)
        _run_ip("addr", "add", f"10.77.{number}.1/24", "dev", cable)
        _run_ip("link", "set", cable, "up")
        _run_ip("-n", name, "addr", "add", f"10.77.{number}.2/24", "dev", other)
        _run_ip("-n", name, "link", "set", other, "up")
        yield name, f"10.77.{number}.1", cable
    finally:
        with suppress(TrialError):
            _run_ip("link", "del", cable)
        _run_ip("netns", "del", name)


def _run_ip(*words: str) -> None:
    try:
        done = subprocess.run(["ip", *words], stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise TrialError(f"ip: {error}") from error
    if done.returncode:
        raise TrialError(f"ip {' '.join(words)}: {done.stderr.strip()}")
