"""``make vm-cuts``: the plug pulled again and again, of the program alone and of the whole service.

Prints what was cut and what came of it. Returns 1 where something confirmed was lost or half there, where the control,
whose flushes do nothing, lost nothing, or where a fault put into the program's own flushing was not found; 2 where
nothing could run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from tools.vm.alone import Alone, Figures, Mutation, cut
from tools.vm.image import build, explain_missing
from tools.vm.installing import cut_install
from tools.vm.machine import KVM, MachineError
from tools.vm.served import cut_service

_FILES, _GAME, _DECK, _SETTINGS = (
    "device/files.py",
    "device/storage/game_file.py",
    "vision/identify/deck.py",
    "device/settings/settings_file.py",
)
MUTATIONS: dict[str, Mutation] = {
    "a move is not flushed": {_GAME: lambda text: text.replace("os.fsync(file.fileno())", "pass")},
    "a new name is not flushed": {_FILES: lambda text: text.replace("_flush(path.parent)", "pass")},
    "a deck's name is not flushed": {_DECK: lambda text: text.replace("_flush(path.parent)", "pass")},
    "settings are written in place": {
        _SETTINGS: lambda text: text.replace("with replace_file(path) as unfinished:", "for unfinished in (path,):")
    },
    "a game's file is renamed before it is flushed": {
        _GAME: lambda text: text.replace("    flush(path)\n", "    pass\n")
    },
}
"""Faults of the program's own, each of which some cut must find."""


def main() -> int:
    """Cut, and print what it came to."""
    parser = argparse.ArgumentParser(prog="python -m tools.vm.cuts", description=__doc__)
    parser.add_argument("--alone", type=int, default=120, help="cuts of the program alone (default %(default)s)")
    parser.add_argument("--control", type=int, default=24, help="of these without flushes (default %(default)s)")
    parser.add_argument("--mutants", type=int, default=36, help="for each fault put in, at most (default %(default)s)")
    parser.add_argument("--service", type=int, default=30, help="of the whole service (default %(default)s)")
    parser.add_argument("--install", type=int, default=8, help="while it is installed (default %(default)s)")
    parser.add_argument("--unflushed", type=int, default=4, help="more without flushes (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which moments (default %(default)s)")
    options = parser.parse_args()
    if why := explain_missing():
        print(why, file=sys.stderr)
        return 2
    try:
        print(f"image: {build()}; {'KVM' if KVM else 'emulated, which is slow'}", flush=True)
        good = _cut_alone(options.alone, options.control, options.seed) if options.alone or options.control else True
        for name, mutation in MUTATIONS.items() if options.mutants else ():
            good &= _cut_mutant(name, mutation, options.mutants, options.seed)
        if options.service:
            began = time.monotonic()
            good &= _report("service", cut_service(options.service, options.seed, _say), time.monotonic() - began)
        if options.install:
            began = time.monotonic()
            good &= _report("install", cut_install(options.install, options.seed, _say), time.monotonic() - began)
        if options.unflushed:
            figures = cut_service(options.unflushed, options.seed, lambda _: None, sync=False)
            lost = len(figures.faults)
            print(
                f"service without flushes: {figures.cuts} cuts, {lost} faults found, as {figures.faults[:2]}",
                flush=True,
            )
            good &= bool(figures.faults)
    except (subprocess.CalledProcessError, MachineError) as error:
        print(f"The cuts could not be made: {error}", file=sys.stderr)
        return 2
    return 0 if good else 1


def _cut_alone(times: int, control: int, seed: int) -> bool:
    alone = Alone()
    print(f"alone: a start from nothing takes {alone.start_s:.0f} s", flush=True)
    began, good = time.monotonic(), True
    if times:
        good = _report("alone", cut(alone, times, seed, True, _say), time.monotonic() - began)
    if control:
        figures = cut(alone, control, seed, False, lambda _: None)
        lost = len(figures.faults)
        print(f"control without flushes: {control} cuts, {lost} faults found, as {figures.faults[:1]}", flush=True)
        good &= lost > 0
    return good


def _cut_mutant(name: str, mutation: Mutation, most: int, seed: int) -> bool:
    alone, cuts = Alone(mutation), 0
    while cuts < most:
        figures = cut(alone, 6, seed + cuts, True, lambda _: None)
        cuts += figures.cuts
        if figures.faults:
            print(f"fault put in: {name}: found after at most {cuts} cuts ({figures.faults[0][:150]})", flush=True)
            return True
    print(f"fault put in: {name}: NOT found in {cuts} cuts", flush=True)
    return False


def _report(name: str, figures: Figures, seconds: float) -> bool:
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(figures.kinds.items(), key=lambda each: -each[1]))
    print(
        f"{name}: {figures.cuts} cuts in {seconds:.0f} s, {figures.things} things said to be kept, "
        f"{len(figures.faults)} faults. Cut in the middle of: {kinds}. {figures.unflushed} cuts found writes in the "
        f"disk's cache, {figures.dropped} of which were lost or torn; {figures.ahead} times more was kept than said; "
        f"at most {figures.unfinished} unfinished files lay about."
    )
    for fault in figures.faults:
        print(f"  {fault}")
    sys.stdout.flush()
    return not figures.faults


def _say(words: str) -> None:
    print(f"  {words}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
