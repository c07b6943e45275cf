"""``make goldens AGAINST=…``: holds this checkout's behaviour against another one's, on this machine.

``python -m tools.goldens OLDER [NEWER]``: each is a folder with a checkout, or a revision of which a snapshot is kept
in the cache; NEWER is this checkout unless it is named. Each golden is equal, differs (with the first difference), or
is skipped (with what is lacking). Exits 0 where all are equal, 1 where one differs, 2 for wrong use.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from tools.goldens import demos, pictures, records, uses
from tools.goldens.checkout import BrokenError, Checkout, Room, SkippedError, Store, WrongUseError, checkout_of
from tools.goldens.compare import Found, Harvest, compare_harvests
from tools.goldens.speed import MOST, compare_speed

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent


@dataclass(frozen=True)
class Golden:
    """One thing that is compared: ``harvest`` has a checkout give its items in a room of its own."""

    name: str
    harvest: Callable[[Room], Harvest]
    long: bool = False

    @property
    def about(self) -> str:
        """What is compared, in a line."""
        return " ".join((self.harvest.__doc__ or "").split("\n\n")[0].split())


GOLDENS = (
    Golden("records", records.shared_records),
    Golden("playthroughs", records.collect_playthroughs),
    Golden("spoilt", records.spoilt_records),
    Golden("decks", pictures.learn_decks),
    Golden("reads", pictures.read_tables),
    Golden("frames", pictures.frames_read),
    Golden("opening", pictures.replay_opening),
    Golden("game", pictures.whole_game),
    Golden("demo", demos.run_demo),
    Golden("soak", demos.soak),
    Golden("help", uses.read_helps),
    Golden("uses", uses.wrong_uses),
    Golden("settings", uses.show_settings),
    Golden("sheets", uses.make_sheets),
    Golden("doctor", uses.ask_doctor),
    Golden("long-demo", demos.long_demo, long=True),
    Golden("long-soak", demos.long_soak, long=True),
)


@dataclass(frozen=True)
class Outcome:
    """What came of one golden."""

    golden: str
    items: int
    verdict: str
    """``equal``, ``DIFFERS``, ``BROKEN`` or ``skipped``."""
    details: tuple[str, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)


def judge(golden: str, old: Harvest, new: Harvest) -> Outcome:
    """Compare both harvests of one golden. Nothing to compare is no equality."""
    if not old:
        return Outcome(golden, 0, "BROKEN", ("there is nothing to compare",))
    found = compare_harvests(old, new)
    differing = [one for one in found if one.difference is not None]
    return Outcome(golden, len(found), "DIFFERS" if differing else "equal", tuple(_list_differences(differing)))


_TOLD = 6


def _list_differences(differing: Sequence[Found]) -> list[str]:
    lines = [f"{one.name}: {one.difference}" for one in differing[:_TOLD]]
    if len(differing) > _TOLD:
        lines.append(f"… and {len(differing) - _TOLD} more items")
    return lines


class Comparison:
    """All goldens of one run."""

    def __init__(self, old: Checkout, new: Checkout, work: Path, shared: Path | None) -> None:
        self.old, self.new, self.work, self.shared = old, new, work, shared
        self._given = Store(old, work / "given", shared)
        self._own = {side.name: Store(side, work / side.name / "own", shared, self._given) for side in (old, new)}

    def run(self, goldens: Sequence[Golden], jobs: int) -> Iterator[Outcome]:
        """Run the goldens, so many commands at a time, and give each one's outcome."""
        with ThreadPoolExecutor(jobs) as pool:
            futures = [[pool.submit(self._harvest_side, golden, side) for side in self._sides] for golden in goldens]
            for golden, both in zip(goldens, futures, strict=True):
                yield self._judge_outcome(golden, both)

    @property
    def _sides(self) -> tuple[Checkout, Checkout]:
        return self.old, self.new

    def _harvest_side(self, golden: Golden, side: Checkout) -> tuple[Harvest, list[str], float]:
        began = time.monotonic()
        folder = self.work / side.name / golden.name
        room = Room(side, folder, self.shared, self._given, self._own[side.name])
        return golden.harvest(room), room.notes, time.monotonic() - began

    def time_both(self, pairs: int) -> Iterator[Outcome]:
        """Time both, in so many pairs of runs."""
        old, new = (
            Room(side, self.work / side.name / "speed", self.shared, self._given, self._own[side.name])
            for side in self._sides
        )
        try:
            for name, ratio, words in compare_speed(old, new, pairs):
                verdict = "equal" if ratio <= MOST else "DIFFERS"
                yield Outcome("speed", pairs, verdict, (f"× {ratio:.3f}  {name}  {words}".rstrip(),))
        except BrokenError as error:
            yield Outcome("speed", 0, "BROKEN", (str(error),))

    def _judge_outcome(self, golden: Golden, both: Sequence[Future[tuple[Harvest, list[str], float]]]) -> Outcome:
        errors = [error for future in both if (error := future.exception()) is not None]
        for error in errors:
            if isinstance(error, SkippedError):
                return Outcome(golden.name, 0, "skipped", (str(error),))
        if errors:
            why = str(errors[0]) if isinstance(errors[0], BrokenError) else f"{type(errors[0]).__name__}: {errors[0]}"
            return Outcome(golden.name, 0, "BROKEN", (why,))
        (old, notes, old_s), (new, _, new_s) = (future.result() for future in both)
        judged = judge(golden.name, old, new)
        details = (*judged.details, *(f"left out: {note}" for note in notes))
        return Outcome(judged.golden, judged.items, judged.verdict, details, (old_s, new_s))


def _print(outcome: Outcome) -> None:
    first, *others = outcome.details or ("",)
    old_s, new_s = outcome.seconds
    took = f"{old_s:4.0f} {new_s:4.0f}" if old_s else " " * 9
    print(f"{outcome.golden:13} {outcome.items:5}  {outcome.verdict:8} {took}  {first}".rstrip(), flush=True)
    for more in others:
        print(f"{'':40}{more}", flush=True)


def chosen_goldens(only: str | None, without: str | None, long: bool) -> list[Golden]:
    """Choose the goldens that were asked for.

    Raises:
        WrongUseError: there is none of some name.
    """
    names = {golden.name for golden in GOLDENS}
    wanted, unwanted = (set(filter(None, (words or "").split(","))) for words in (only, without))
    if unknown := sorted((wanted | unwanted) - names):
        raise WrongUseError(f"there is no golden {', '.join(unknown)}; there are {', '.join(sorted(names))}")
    chosen = [g for g in GOLDENS if (g.name in wanted if wanted else long or not g.long) and g.name not in unwanted]
    if not chosen:
        raise WrongUseError("that leaves no golden to run")
    return chosen


@contextmanager
def hold_alone(work: Path) -> Iterator[None]:
    """Have the work folder for ourselves, empty.

    Raises:
        WrongUseError: another run is at work there, or something that is not ours lies there.
    """
    work.mkdir(parents=True, exist_ok=True)
    with (work / ".goldens").open("a") as mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise WrongUseError(f"another run is at work in {work}: name another folder with --work") from error
        ours = {".goldens", "given", "old", "new"}
        if others := sorted({path.name for path in work.iterdir()} - ours):
            raise WrongUseError(f"{work} holds something else ({others[0]}): name another folder with --work")
        for name in ours - {".goldens"}:
            shutil.rmtree(work / name, ignore_errors=True)
        yield


def _make_parser() -> argparse.ArgumentParser:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sevenmat-goldens"
    parser = argparse.ArgumentParser(prog="python -m tools.goldens", description=__doc__, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("older", nargs="?", metavar="OLDER", help="a folder with a checkout, or a revision")
    parser.add_argument("newer", nargs="?", metavar="NEWER", help="the same (default: this checkout)")
    parser.add_argument("--only", metavar="A,B", help="these goldens alone")
    parser.add_argument("--without", metavar="A,B", help="all but these")
    parser.add_argument("--long", action="store_true", help="the long ones too, about an hour")
    parser.add_argument("--speed", action="store_true", help="time both afterwards: nothing else should run meanwhile")
    parser.add_argument("--pairs", type=int, default=5, help="with --speed: pairs of runs (default: 5)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="commands at a time (default: the cores)")
    parser.add_argument(
        "--shared", type=Path, metavar="DIR", default=REPOSITORY.parent / "shared", help="shared tables"
    )
    parser.add_argument("--cache", type=Path, metavar="DIR", default=cache, help=f"snapshots (default: {cache})")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where the outputs stay (default: in the cache)")
    parser.add_argument("--list", action="store_true", help="say which goldens there are")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Compare, print the table, and return the exit code."""
    parser = _make_parser()
    args = parser.parse_args(arguments)
    try:
        goldens = chosen_goldens(args.only, args.without, args.long)
        if args.list:
            for golden in GOLDENS:
                print(f"{golden.name:13} {golden.about}")
            return 0
        if args.older is None:
            raise WrongUseError("name the older checkout: a folder or a revision")
        return _compare(args, goldens)
    except WrongUseError as error:
        print(f"goldens: {error}", file=sys.stderr)
        return 2


def _compare(args: argparse.Namespace, goldens: list[Golden]) -> int:
    if args.jobs < 1 or args.pairs < 1:
        raise WrongUseError("--jobs and --pairs must be at least 1")
    old = checkout_of(args.older, "old", REPOSITORY, args.cache)
    new = checkout_of(args.newer or str(REPOSITORY), "new", REPOSITORY, args.cache)
    shared = args.shared.resolve() if args.shared.is_dir() else None
    work = (args.work or args.cache / "work").absolute()
    with hold_alone(work):
        for checkout in (old, new):
            checkout.set_up()
        print(f"old {old.folder}\nnew {new.folder}\noutputs in {work}\n")
        print(f"{'golden':13} {'items':>5}  {'verdict':8} {'seconds':9}  first differences")
        outcomes = []
        comparison = Comparison(old, new, work, shared)
        for outcome in chain(
            comparison.run(goldens, args.jobs), comparison.time_both(args.pairs) if args.speed else ()
        ):
            outcomes.append(outcome)
            _print(outcome)
    counted = {kind: sum(o.verdict == kind for o in outcomes) for kind in ("equal", "DIFFERS", "BROKEN", "skipped")}
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = ", ".join(f"{count} {kind}" for kind, count in counted.items() if count)
    print(f"\n{said} ({used.ru_utime + used.ru_stime:.0f} s of processor time)")
    return 1 if counted["DIFFERS"] or counted["BROKEN"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
