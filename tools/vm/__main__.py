"""``make vm-test``: the installed product in a virtual machine with the kernel's simulated devices, stage by stage.

Prints one line for each thing that was looked at: passed, FAILED, or skipped with the reason.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from contextlib import closing

from tools.vm.faulty_camera import check_faults
from tools.vm.image import WORK, build, explain_missing
from tools.vm.lasting import LASTING
from tools.vm.machine import KVM, MachineError, Mutation
from tools.vm.phones import PHONES
from tools.vm.stages import STAGES as OF_DEVICES
from tools.vm.stages import Check, end_plain

STAGES = {**OF_DEVICES, "faults": check_faults, **PHONES, **LASTING}


MUTATIONS = {
    "up and down on each other's pins": Mutation(
        "buttons", "device/hardware/profiles.py", "(5, 6, 16, 24)", "(5, 6, 24, 16)"
    ),
    "no debounce": Mutation("buttons", "device/hardware/debounce.py", ">= self._timing.debounce_s:", ">= 0.0:"),
    "the renderer is SDL's first choice": Mutation(
        "display", "device/hardware/display.py", 'setdefault("SDL_FRAMEBUFFER_ACCELERATION", "opengles2")', "copy()"
    ),
    "torn pictures are called black": Mutation(
        "faults", "device/hardware/steady.py", "CameraState.TORN, error", "CameraState.BLACK, error"
    ),
    "the watchdog is always fed": Mutation("watchdog", "device/app/notify.py", " or self.silent()", ""),
}
"""Faults of the adapters; those of flushing are in ``tools.vm.cuts``."""


def main() -> int:
    """Build the image where that is due, and run the stages. Returns 1 where one failed, 2 where none could run."""
    parser = argparse.ArgumentParser(prog="python -m tools.vm", description=__doc__)
    parser.add_argument("--mutants", action="store_true", help="put faults into the installed program, one by one")
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)} (default: all)")
    options = parser.parse_args()
    wanted = options.stages or list(STAGES)
    for name in wanted:
        if name not in STAGES:
            parser.error(f"there is no stage {name!r}: name some of {', '.join(STAGES)}")
    if why := explain_missing():
        print(why, file=sys.stderr)
        return 2
    try:
        print(f"image: {build()}; {'KVM' if KVM else 'emulated, which is slow'}", flush=True)
    except subprocess.CalledProcessError as error:
        print(f"The image could not be built ({error}); the logs are in {WORK}.", file=sys.stderr)
        return 2
    if options.mutants:
        return _run_mutants(wanted)
    failed = 0
    for name in wanted:
        began = time.monotonic()
        try:
            for check in STAGES[name]():
                failed += check.good is False
                _print(name, check, time.monotonic() - began)
        except MachineError as error:
            failed += 1
            _print(name, Check(False, str(error)), time.monotonic() - began)
    end_plain()
    return 1 if failed else 0


def _run_mutants(stages: list[str]) -> int:
    """Put in each fault that one of these stages must find, and say whether it did; 1 where one was missed."""
    missed = 0
    for name, mutation in MUTATIONS.items():
        if mutation.stage not in stages:
            continue
        Mutation.put_in, began, found, instead = mutation, time.monotonic(), "", "NOT found"
        try:
            with closing(STAGES[mutation.stage]()) as checks:
                found = next((check.words for check in checks if check.good is False), "")
        except MachineError as error:  # it may have another cause than the fault
            instead = f"not tried: {error}"
        end_plain()
        missed += not found
        _print(mutation.stage, Check(bool(found), f"{name}: {found or instead}"), time.monotonic() - began)
    return 1 if missed else 0


def _print(stage: str, check: Check, seconds: float) -> None:
    said = {True: "passed", False: "FAILED", None: "skipped"}[check.good]
    print(f"{stage:9} {said:8} {seconds:5.0f} s  {check.words}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
